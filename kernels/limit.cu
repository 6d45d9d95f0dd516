// What the arithmetic of a GPU can do at best, and what a launch costs: the ceilings that shares are measured against.
//
// Each thread has CHAINS independent sums, so that the latency of one is hidden behind the others. 128 registers are
// enough for them, and nothing is read from memory. Called from crates/cuda/src/limit.rs.

constexpr int CHAINS = 16;

// rounds · CHAINS steps a thread, one sum of each chain after another.
template <class SUM, class STEP> __device__ __forceinline__ void chains(SUM *out, int rounds, STEP step) {
    SUM sums[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; i++) sums[i] = threadIdx.x + i;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) sums[i] = step(sums[i]);
    }
    SUM all = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++) all += sums[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// Multiply-adds of floats.
extern "C" __global__ void __launch_bounds__(256) real(float *out, float factor, float term, int rounds) {
    chains(out, rounds, [=](float sum) { return __fmaf_rn(sum, factor, term); });
}

// Multiply-adds of 32-bit whole numbers.
extern "C" __global__ void __launch_bounds__(256) word(int *out, int factor, int term, int rounds) {
    chains(out, rounds, [=](int sum) { return sum * factor + term; });
}

// Dot products of four bytes.
extern "C" __global__ void __launch_bounds__(256) dot8(int *out, int weights, int rounds) {
    chains(out, rounds, [=](int sum) { return __dp4a(sum, weights, sum); });
}

// Dot products of two 16-bit numbers and two bytes.
extern "C" __global__ void __launch_bounds__(256) dot16(int *out, int weights, int rounds) {
    chains(out, rounds, [=](int sum) { return __dp2a_lo(sum, weights, sum); });
}

extern "C" __global__ void nothing() {}
