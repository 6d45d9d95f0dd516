// How bright a frame is, how much two frames differ, and frames made small: Σ sample, or Σ |sample − sample of the frame before|, over the
// planes that make up brightness, and Σ sample over each cell of a frame (crates/filter/src/backend/reduction.rs). The sums are whole numbers, so that every order gives the same; a float counts as
// clamp(v, 0, 1) · 65535 to the nearest, ties to even, NaN as 0. CPU twin: crates/cpu/src/measure.rs
//
//   a warp takes rows in turns, a lane 16 bytes of a row at a time, or single samples where rows are not aligned
//   a block adds up its threads in shared memory, 8 · THREADS bytes, and writes one number to the host's memory
//   the host adds up the numbers of all blocks, so that nothing has to be zeroed before
//   cells: a thread adds up one, in registers, and writes it to the host's memory
//
// Compiled by NVRTC with -D:
//   PIXEL   u8, u16 or float: the type of a sample

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr u32 THREADS = 256;
constexpr u32 WARPS = THREADS / 32;
constexpr u32 STEP = 16 / sizeof(PIXEL);   // samples in 16 bytes

// One plane of a frame.
struct Source {
    const PIXEL *samples;
    u32 stride;             // in samples
    u32 wide;               // 1 if every row starts at a multiple of 16 bytes
};

struct Launch {
    Source image[3], before[3];
    u32 width, height;      // of each plane: those of brightness are not subsampled
    u32 planes;
    u64 *sums;              // one a block
};
static_assert(sizeof(Launch) == 120, "as Arguments in crates/cuda/src/measure.rs");

// What a sample counts as.
__device__ __forceinline__ u32 measured(u8 v) { return v; }
__device__ __forceinline__ u32 measured(u16 v) { return v; }
__device__ __forceinline__ u32 measured(float v) {
    return __float2uint_rn(__fmul_rn(fminf(fmaxf(v, 0.0f), 1.0f), 65535.0f));
}

// The samples in four bytes, or how much those of two frames differ, added to a sum.
template <bool DIFFERENCE> __device__ __forceinline__ u32 word(u32 a, u32 b, u32 sum) {
    if constexpr (sizeof(PIXEL) == 1) {
        return DIFFERENCE ? sum + __vsadu4(a, b) : __dp4a(a, 0x01010101u, sum);
    } else if constexpr (sizeof(PIXEL) == 2) {
        return DIFFERENCE ? __usad(a & 65535u, b & 65535u, __usad(a >> 16, b >> 16, sum)) : sum + (a & 65535u) + (a >> 16);
    } else {
        u32 v = measured(__uint_as_float(a));
        return DIFFERENCE ? __usad(v, measured(__uint_as_float(b)), sum) : sum + v;
    }
}

template <bool DIFFERENCE> __device__ __forceinline__ u32 chunk(const PIXEL *p, const PIXEL *q, u32 sum) {
    uint4 a = __ldg(reinterpret_cast<const uint4 *>(p));
    uint4 b = DIFFERENCE ? __ldg(reinterpret_cast<const uint4 *>(q)) : a;
    sum = word<DIFFERENCE>(a.x, b.x, sum);
    sum = word<DIFFERENCE>(a.y, b.y, sum);
    sum = word<DIFFERENCE>(a.z, b.z, sum);
    return word<DIFFERENCE>(a.w, b.w, sum);
}

template <bool DIFFERENCE> __device__ __forceinline__ void measure(const Launch &launch) {
    const u32 lane = threadIdx.x % 32;
    u64 total = 0;
    for (u32 plane = 0; plane < launch.planes; plane++) {
        const Source image = launch.image[plane], before = launch.before[plane];
        const bool wide = image.wide && (!DIFFERENCE || before.wide);
        const u32 chunks = wide ? launch.width / STEP : 0;
        for (u32 y = blockIdx.x * WARPS + threadIdx.x / 32; y < launch.height; y += gridDim.x * WARPS) {
            const PIXEL *p = image.samples + (u64)y * image.stride;
            const PIXEL *q = DIFFERENCE ? before.samples + (u64)y * before.stride : p;
            u32 sum = 0;   // of at most 2^14 samples below 2^16
#pragma unroll 4
            for (u32 i = lane; i < chunks; i += 32) sum = chunk<DIFFERENCE>(p + STEP * i, q + STEP * i, sum);
            for (u32 x = STEP * chunks + lane; x < launch.width; x += 32)
                sum = DIFFERENCE ? __usad(measured(p[x]), measured(q[x]), sum) : sum + measured(p[x]);
            total += sum;
        }
    }
    __shared__ u64 sums[THREADS];
    sums[threadIdx.x] = total;
    for (u32 half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) launch.sums[blockIdx.x] = sums[0];
}

extern "C" __global__ void __launch_bounds__(THREADS) measure_sum(const __grid_constant__ Launch launch) { measure<false>(launch); }

extern "C" __global__ void __launch_bounds__(THREADS) measure_difference(const __grid_constant__ Launch launch) { measure<true>(launch); }

struct CellLaunch {
    Source image[3];
    u32 columns, rows;      // cells
    u32 log2_side;          // of a cell
    u32 planes;
    u32 *cells;
};
static_assert(sizeof(CellLaunch) == 72, "as CellArguments in crates/cuda/src/measure.rs");

extern "C" __global__ void __launch_bounds__(THREADS) measure_cells(const __grid_constant__ CellLaunch launch) {
    const u32 cell = blockIdx.x * THREADS + threadIdx.x, side = 1u << launch.log2_side;
    if (cell >= launch.columns * launch.rows) return;
    const u32 x = (cell % launch.columns) << launch.log2_side, y = (cell / launch.columns) << launch.log2_side;
    u32 sum = 0;   // of at most 3 · 2^10 samples below 2^16
    for (u32 plane = 0; plane < launch.planes; plane++) {
        const Source image = launch.image[plane];
        for (u32 r = 0; r < side; r++) {
            const PIXEL *p = image.samples + (u64)(y + r) * image.stride + x;
            for (u32 c = 0; c < side; c++) sum += measured(p[c]);
        }
    }
    launch.cells[cell] = sum;
}
