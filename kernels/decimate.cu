// How much a frame differs from the one before, in the block that differs most and in all; crates/filter/src/pass/decimate.rs
// defines both. CPU twin: crates/cpu/src/survey/change.rs
//
//   a thread adds up a column of at most 16 rows of a cell, lanes of one cell add up theirs, and add one number to that cell in
//   device memory, which is 0 before; a block of frames is 2 by 2 cells
//
// Compiled by NVRTC with -D:
//   PIXEL   u8, u16 or float: the type of a sample

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr int THREADS = 256;
constexpr int ROWS = 4;              // rows of a thread, in powers of two

// One plane of a frame.
struct Source {
    const PIXEL *samples;
    u32 stride;             // in samples
    u32 wide;               // 1 if every row starts at a multiple of 16 bytes
};

struct Launch {
    Source frames[2][3];    // the frame and the one before: planes of colour
    u32 width[3], height[3];
    u32 smaller[3][2];      // how much smaller planes are, in powers of two across and down
    u32 across, down;       // a cell of luma, in powers of two
    u32 cells, cell_rows;   // how many there are
    u64 *counts;            // one for each cell
    u64 *answers;           // the first of two
};
static_assert(sizeof(Launch) == 176, "as Arguments in crates/cuda/src/decimate.rs");

__device__ __forceinline__ int whole(u8 v) { return v; }
__device__ __forceinline__ int whole(u16 v) { return v; }
__device__ __forceinline__ int whole(float v) { return __float2int_rn(__fmul_rn(fminf(fmaxf(v, 0.0f), 1.0f), 65535.0f)); }

// Adds up how much cells differ.
extern "C" __global__ void __launch_bounds__(THREADS) decimate_cells(const __grid_constant__ Launch launch) {
    const int plane = blockIdx.z, width = launch.width[plane], height = launch.height[plane];
    const int left = launch.smaller[plane][0], up = launch.smaller[plane][1];
    // A cell of this plane; where a sample is as large as several cells, it is in the first of them.
    const int across = max((int)launch.across - left, 0), rows = min(max((int)launch.down - up, 0), ROWS);
    const int x = blockIdx.x * THREADS + threadIdx.x, first = blockIdx.y << rows;
    if (blockIdx.x * THREADS >= width || first >= height) return;
    const Source &own = launch.frames[0][plane], &before = launch.frames[1][plane];
    u32 sum = 0;
    if (x < width) {
        const int end = min(first + (1 << rows), height);
#pragma unroll 4
        for (int y = first; y < end; y++) {
            const int v = whole(__ldg(own.samples + ((u64)(u32)y * own.stride + x)));
            const int w = whole(__ldg(before.samples + ((u64)(u32)y * before.stride + x)));
            sum += abs(v - w);
        }
    }
    const int lanes = across < 5 ? 1 << across : 32;
    for (int half = lanes / 2; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half, lanes);
    if (sum && threadIdx.x % lanes == 0) {
        const u32 cell = ((u32)first << up >> launch.down) * launch.cells + ((u32)x << left >> launch.across);
        atomicAdd(launch.counts + cell, (u64)sum);
    }
}

// The most in a block, and all.
extern "C" __global__ void __launch_bounds__(THREADS) decimate_most(const __grid_constant__ Launch launch) {
    u64 most = 0, all = 0;
    const u32 cells = launch.cells, count = cells * launch.cell_rows;
    for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        const u64 *cell = launch.counts + i;
        // What lies at an edge is a part of another block, if there is one.
        const bool above = i >= cells, before = i % cells > 0;
        u64 sum = cell[0];
        all += sum;
        if (before) sum += cell[-1];
        if (above) sum += cell[-(int)cells];
        if (above && before) sum += cell[-(int)cells - 1];
        most = max(most, sum);
    }
    for (int half = 16; half > 0; half /= 2) {
        most = max(most, __shfl_down_sync(~0u, most, half));
        all += __shfl_down_sync(~0u, all, half);
    }
    if (threadIdx.x % 32 == 0 && all) {
        atomicMax(launch.answers, most);
        atomicAdd(launch.answers + 1, all);
    }
}
