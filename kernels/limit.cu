// What the arithmetic of a GPU can do at best, and what a launch costs: the ceilings that shares are measured against.
//
// Each thread has CHAINS independent sums, so that the latency of one is hidden behind the others. 128 registers are
// enough for them, and nothing is read from memory. Called from src/backend/cuda/limit.rs.

constexpr int CHAINS = 16;

// rounds · CHAINS multiply-adds of floats a thread.
extern "C" __global__ void __launch_bounds__(256) real(float *out, float factor, float term, int rounds) {
    float sums[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; i++) sums[i] = threadIdx.x + i;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) sums[i] = __fmaf_rn(sums[i], factor, term);
    }
    float all = 0.0f;
#pragma unroll
    for (int i = 0; i < CHAINS; i++) all += sums[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// rounds · CHAINS dot products of four bytes a thread.
extern "C" __global__ void __launch_bounds__(256) integer(int *out, int weights, int rounds) {
    int sums[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; i++) sums[i] = threadIdx.x + i;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) sums[i] = __dp4a(sums[i], weights, sums[i]);
    }
    int all = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++) all += sums[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

extern "C" __global__ void nothing() {}
