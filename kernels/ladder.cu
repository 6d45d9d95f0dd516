// The classical rungs of a 2-D convolution, as a textbook climbs them, for an 8-bit plane:
//
//     out(x, y) = finish( Σ taps[j][i] · in(x + i − AX, y + j − AY) )
//
//     basic      one thread an output, everything from global memory
//     constant   + taps in constant memory
//     tiled      + samples in shared memory, with their halo          ┌─────────────┐
//     cached     + no halo in shared memory: the cache has it         │ halo ┌────┐ │
//                                                                     │      │tile│ │
// and then the production kernel (dense.cu, separable.cu), which is   │      └────┘ │
// not here. None of these is fast; they are here to be measured and   └─────────────┘
// to be read. All give the bytes that crates/filter/src/pass defines.
//
// Compiled by NVRTC with -D: KW, KH (taps in a row, rows of taps), AX, AY (the tap that meets the sample itself),
// ACC (int or float), TAPS (comma-separated), BORDER (a number below), OUTSIDE (the constant), SCALE, DRY, BIAS (bits
// of floats). Shared memory: (TILE_W + KW − 1) · (TILE_H + KH − 1) bytes for `tiled`, TILE_W · TILE_H for `cached`.
// Called from crates/cuda/src/ladder.rs. CPU twin: crates/cpu/src/dense.

typedef unsigned char u8;

constexpr int TILE_W = 32, TILE_H = 16;   // a block of threads, and the outputs that it makes

// The same taps twice: where every thread reads its own copy of the address, and where a warp reads one for all.
__constant__ ACC CONSTANT_TAPS[KH * KW] = {TAPS};

struct Plane {
    const u8 *samples;
    int width, height;
};

// The place that stands for place i of n; −1 where the constant does.
__device__ __forceinline__ int place(int i, int n) {
    if (i >= 0 && i < n) return i;
#if BORDER == 0                                       // constant
    return -1;
#elif BORDER == 1                                     // clamp
    return i < 0 ? 0 : n - 1;
#else
#if BORDER == 2                                       // reflect101
    const int period = n == 1 ? 1 : 2 * n - 2, last = period;
#elif BORDER == 3                                     // reflect
    const int period = 2 * n, last = period - 1;
#elif BORDER == 4                                     // wrap
    const int period = n, last = 0;
#else                                                 // lopsided
    const int period = 2 * n - 1, last = period;
#endif
    i %= period;
    if (i < 0) i += period;
    return i < n ? i : last - i;
#endif
}

__device__ __forceinline__ int sample(const Plane &in, int x, int y) {
    x = place(x, in.width), y = place(y, in.height);
    return x < 0 || y < 0 ? OUTSIDE : in.samples[(long long)y * in.width + x];
}

// One more tap: exact in integers, one rounding in floats.
__device__ __forceinline__ int add(int sum, int tap, int sample) { return sum + tap * sample; }
__device__ __forceinline__ float add(float sum, float tap, int sample) { return __fmaf_rn(tap, (float)sample, sum); }

// The last step, each operation rounded; fmaxf makes 0 of NaN.
__device__ __forceinline__ u8 finish(ACC sum, int centre) {
    float v = __fmul_rn((float)sum, __uint_as_float(SCALE));
    if (__uint_as_float(DRY) != 0.0f) v = __fadd_rn(v, __fmul_rn((float)centre, __uint_as_float(DRY)));
    v = floorf(__fadd_rn(__fadd_rn(v, __uint_as_float(BIAS)), 0.5f));
    return (u8)fminf(fmaxf(v, 0.0f), 255.0f);
}

// basic: each thread makes one output and reads all that it needs from global memory: KW · KH samples, most of them
// read by its neighbours too, and as many taps.
extern "C" __global__ void __launch_bounds__(TILE_W * TILE_H) basic(Plane in, u8 *out, const ACC *taps) {
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    ACC sum = 0;
    for (int j = 0; j < KH; j++)
        for (int i = 0; i < KW; i++) sum = add(sum, taps[j * KW + i], sample(in, x + i - AX, y + j - AY));
    out[(long long)y * in.width + x] = finish(sum, sample(in, x, y));
}

// constant: all threads of a warp need the same tap at the same time, which is what constant memory is for: one read,
// told to all, and not one byte of global memory. Halves the loads.
extern "C" __global__ void __launch_bounds__(TILE_W * TILE_H) constant(Plane in, u8 *out, const ACC *) {
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    ACC sum = 0;
    for (int j = 0; j < KH; j++)
        for (int i = 0; i < KW; i++) sum = add(sum, CONSTANT_TAPS[j * KW + i], sample(in, x + i - AX, y + j - AY));
    out[(long long)y * in.width + x] = finish(sum, sample(in, x, y));
}

// tiled: the block brings its samples and their halo into shared memory once, borders resolved on the way, and all
// taps are met there. A sample is read from global memory about (1 + (KW−1)/TILE_W) · (1 + (KH−1)/TILE_H) times
// instead of KW · KH times.
extern "C" __global__ void __launch_bounds__(TILE_W * TILE_H) tiled(Plane in, u8 *out, const ACC *) {
    constexpr int W = TILE_W + KW - 1, H = TILE_H + KH - 1;
    __shared__ u8 tile[H][W];
    int left = blockIdx.x * TILE_W - AX, top = blockIdx.y * TILE_H - AY;
    for (int k = threadIdx.y * TILE_W + threadIdx.x; k < W * H; k += TILE_W * TILE_H)
        tile[k / W][k % W] = sample(in, left + k % W, top + k / W);
    __syncthreads();
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    ACC sum = 0;
    for (int j = 0; j < KH; j++)
        for (int i = 0; i < KW; i++)
            sum = add(sum, CONSTANT_TAPS[j * KW + i], tile[threadIdx.y + j][threadIdx.x + i]);
    out[(long long)y * in.width + x] = finish(sum, tile[threadIdx.y + AY][threadIdx.x + AX]);
}

// cached: the block brings only its own samples, one a thread, so that no thread loads twice; what lies beside the
// tile is some other block's tile and likely in the cache, and is read from there. Less shared memory and no loop of
// loading, for a branch at every tap.
extern "C" __global__ void __launch_bounds__(TILE_W * TILE_H) cached(Plane in, u8 *out, const ACC *) {
    __shared__ u8 tile[TILE_H][TILE_W];
    int x = blockIdx.x * TILE_W + threadIdx.x, y = blockIdx.y * TILE_H + threadIdx.y;
    bool inside = x < in.width && y < in.height;
    if (inside) tile[threadIdx.y][threadIdx.x] = in.samples[(long long)y * in.width + x];
    __syncthreads();
    if (!inside) return;
    ACC sum = 0;
    for (int j = 0; j < KH; j++)
        for (int i = 0; i < KW; i++) {
            int tx = (int)threadIdx.x + i - AX, ty = (int)threadIdx.y + j - AY;
            int px = x + i - AX, py = y + j - AY;
            bool here = tx >= 0 && tx < TILE_W && ty >= 0 && ty < TILE_H && px < in.width && py < in.height;
            sum = add(sum, CONSTANT_TAPS[j * KW + i], here ? tile[ty][tx] : sample(in, px, py));
        }
    out[(long long)y * in.width + x] = finish(sum, tile[threadIdx.y][threadIdx.x]);
}
