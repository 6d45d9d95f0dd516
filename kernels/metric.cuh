// Pairs of frames, of which metrics are measured: what the kernels psnr.cu, ssim.cu, xpsnr.cu and ssimulacra2.cu share. They form the
// sums of crates/metric in the same order, so that the digits are the same. Compiled by NVRTC without contraction, with -D:
//   PIXEL   u8, u16 or float: the type of a sample

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

constexpr int THREADS = 256;

// One plane of a frame.
struct Source {
    const PIXEL *samples;
    u32 stride;             // in samples
    u32 wide;               // 1 if every row starts at a multiple of 16 bytes
};

// Both planes of a pair, the reference first.
struct Pair {
    Source plane[2];
};

__device__ __forceinline__ const PIXEL *row_of(const Source &from, u32 y) { return from.samples + (u64)y * from.stride; }

// A sample that counts: infinities and what is no number are 0.
__device__ __forceinline__ float finite(u8 v) { return v; }
__device__ __forceinline__ float finite(u16 v) { return v; }
__device__ __forceinline__ float finite(float v) { return fabsf(v) <= 3.402823466e38f ? v : 0.0f; }

// A sample as a whole number, floats as 16 bits.
__device__ __forceinline__ int whole(u8 v) { return v; }
__device__ __forceinline__ int whole(u16 v) { return v; }
__device__ __forceinline__ int whole(float v) {
    return (int)(__float_as_uint(fminf(fmaxf(v, 0.0f), 1.0f) * 65535.0f + 8388608.0f) - 0x4b000000u);
}

// The sum over a warp; the first lane has it.
__device__ __forceinline__ u64 warp_sum(u64 sum) {
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half);
    return sum;
}

// The sum of what groups of eight lanes have, in the order of the lanes; all of them have it.
__device__ __forceinline__ double sum_of_eight(double own) {
    double sum = __shfl_sync(~0u, own, 0, 8);
#pragma unroll
    for (int lane = 1; lane < 8; lane++) sum += __shfl_sync(~0u, own, lane, 8);
    return sum;
}
