// What is counted in a window before its pass runs: how well fields fit, how much frames differ, how combed a frame of two fields is.
// All are whole numbers of bytes, the same in any order; crates/filter/src/pass/fieldmatch defines them. CPU twin: crates/cpu/src/survey
//
//   a block counts a tile, adds up its threads, and adds one number to each sum in device memory, which is 0 before
//
// Compiled by NVRTC with -D:
//   PIXEL   u8, u16 or float: the type of a sample
//   SHIFT   bits of an integer sample beyond 8

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr int THREADS = 256;
constexpr int WIDTH = 64;            // columns of a tile
constexpr int HALVES = 16;           // rows of a tile of compared fields, of which every other row of the plane is one
constexpr int KEPT = HALVES + 5;     // rows of differences that it looks at
constexpr int COMB_ROWS = 32;        // rows of a tile in which combs are counted
constexpr u32 ONE = 1, LARGE = 16;   // a difference of more than 3, and of more than 19

// One plane of a frame.
struct Source {
    const PIXEL *samples;
    u32 stride;             // in samples
    u32 wide;               // 1 if every row starts at a multiple of 16 bytes
};

struct Launch {
    Source frames[3][3];    // the frame before, the frame, the frame after: planes of colour
    u32 width[3], height[3];
    u32 planes;             // how many of them are looked at
    u32 top;                // 1 if the top field is matched: rows of that parity, the other field, are compared
    u32 pair[2];            // the two frames that are compared, counted from the one before
    u32 band[3][2];         // for each plane the rows that do not count, if the first is not above the second
    u32 other, rows;        // the frame from which rows of that parity come; 1 for none
    int threshold;          // of combed samples
    u32 across, down;       // half a box, in powers of two
    u32 cells, cell_rows;   // how many half boxes there are
    u32 unused;
    u32 smaller[3][2];      // how much smaller planes are, in powers of two across and down
    u32 *counts;            // one for each half box
    u64 *answers;           // the first of them
};
static_assert(sizeof(Launch) == 280, "as Arguments in crates/cuda/src/survey.rs");

__device__ __forceinline__ int byte(u8 v) { return v; }
__device__ __forceinline__ int byte(u16 v) { return min(v >> SHIFT, 255); }
__device__ __forceinline__ int byte(float v) { return __float2int_rn(__fmul_rn(fminf(fmaxf(v, 0.0f), 1.0f), 255.0f)); }
__device__ __forceinline__ int at(const Source &from, int x, int y) { return byte(__ldg(from.samples + ((u64)(u32)y * from.stride + x))); }

// Adds up what the threads of a block have, each below 2^20; the first of them have the sums.
template <int N> __device__ __forceinline__ void add(const u32 (&own)[N], u64 *to) {
    __shared__ u32 warps[N][THREADS / 32];
#pragma unroll
    for (int k = 0; k < N; k++) {
        u32 sum = own[k];
        for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(~0u, sum, half);
        if (threadIdx.x % 32 == 0) warps[k][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x < N) {
        u64 sum = 0;
        for (int warp = 0; warp < THREADS / 32; warp++) sum += warps[threadIdx.x][warp];
        if (sum) atomicAdd(to + threadIdx.x, sum);
    }
}

// How well the field of either frame fits the other field of the one in the middle.
extern "C" __global__ void __launch_bounds__(THREADS) survey_compare(const __grid_constant__ Launch launch) {
    __shared__ u8 flags[KEPT][WIDTH + 8], added[KEPT][WIDTH], near[KEPT][WIDTH], maps[HALVES + 1][WIDTH];
    const int plane = blockIdx.z, width = launch.width[plane], height = launch.height[plane], top = launch.top;
    const int edge = 8 >> launch.smaller[plane][0], last = (height - 1) / 2;
    const int left = blockIdx.x * WIDTH + edge, first = 1 + blockIdx.y * HALVES;
    if (left >= width - edge || first >= last) return;
    const Source &a = launch.frames[launch.pair[0]][plane], &b = launch.frames[launch.pair[1]][plane];
    const Source &own = launch.frames[1][plane];
    for (int i = threadIdx.x; i < KEPT * (WIDTH + 8); i += THREADS) {
        const int d = i / (WIDTH + 8), c = i % (WIDTH + 8), x = left - 4 + c, row = first - top - 2 + d;
        u32 flag = 0;
        if (row >= 0 && row < height / 2 && x >= 0 && x < width) {
            const int difference = abs(at(a, x, 2 * row + top) - at(b, x, 2 * row + top));
            flag = (difference > 3 ? ONE : 0) | (difference > 19 ? LARGE : 0);
        }
        flags[d][c] = flag;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < KEPT * WIDTH; i += THREADS) {
        const int d = i / WIDTH, c = i % WIDTH;
        const u8 *p = flags[d] + c;
        u32 all = 0;
#pragma unroll
        for (int k = 0; k < 9; k++) all |= p[k];
        added[d][c] = p[3] + p[4] + p[5];
        near[d][c] = all & LARGE;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < (HALVES + 1) * WIDTH; i += THREADS) {
        const int m = i / WIDTH, c = i % WIDTH, d = m + 2, index = first - top + m;
        u32 map = 0;
        if (index >= 1 && index < last) {
            const u32 sum = added[d - 1][c] + added[d][c] + added[d + 1][c], flag = flags[d][c + 4];
            if (flag & ONE && (sum & 15) > 1) {
                map = 1;
                if (flag & LARGE && sum >> 4 > 3) {
                    const u32 up2 = near[d - 2][c], up = near[d - 1][c], down = near[d + 1][c], down2 = near[d + 2][c];
                    if (up & (down | up2) | down & down2) map = 3;
                    else if (sum >> 4 > 5) map = 5;
                }
            }
        }
        maps[m][c] = map;
    }
    __syncthreads();
    u32 sums[6] = {};
    for (int i = threadIdx.x; i < HALVES * WIDTH; i += THREADS) {
        const int j = i / WIDTH, c = i % WIDTH, half = first + j, x = left + c, y = 2 * half;
        if (half >= last || x >= width - edge) continue;
        if ((u32)y >= launch.band[plane][0] && (u32)y <= launch.band[plane][1]) continue;
        const u32 map = maps[j][c] | maps[j + 1][c];
        if (!map) continue;
        const int s = y + 1 - top, below = s + 2 < height ? s + 2 : s;
        const int middle = at(own, x, s - 2) + 4 * at(own, x, s) + at(own, x, below);
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const Source &frame = k ? b : a;
            const u32 v = abs(3 * (at(frame, x, s - 1) + at(frame, x, s + 1)) - middle);
            if (v > 23 && map & 1) sums[3 * k] += v;
            if (v > 42 && map & 2) sums[3 * k + 1] += v;
            if (v > 42 && map & 4) sums[3 * k + 2] += v;
        }
    }
    add(sums, launch.answers);
}

// How much the first plane of the second frame differs from that of the first. A warp takes rows in turns.
extern "C" __global__ void __launch_bounds__(THREADS) survey_difference(const __grid_constant__ Launch launch) {
    const int lane = threadIdx.x % 32, width = launch.width[0], height = launch.height[0];
    const Source &a = launch.frames[launch.pair[0]][0], &b = launch.frames[launch.pair[1]][0];
    u32 sums[1] = {};
    for (int y = blockIdx.x * (THREADS / 32) + threadIdx.x / 32; y < height; y += gridDim.x * (THREADS / 32)) {
        int done = 0;
        if constexpr (sizeof(PIXEL) == 1) {
            if (a.wide && b.wide) {
                const uint4 *p = reinterpret_cast<const uint4 *>(a.samples + (u64)(u32)y * a.stride);
                const uint4 *q = reinterpret_cast<const uint4 *>(b.samples + (u64)(u32)y * b.stride);
                for (int i = lane; i < width / 16; i += 32) {
                    const uint4 v = __ldg(p + i), w = __ldg(q + i);
                    sums[0] += __vsadu4(v.x, w.x) + __vsadu4(v.y, w.y) + __vsadu4(v.z, w.z) + __vsadu4(v.w, w.w);
                }
                done = width / 16 * 16;
            }
        }
        for (int x = done + lane; x < width; x += 32) sums[0] += abs(at(a, x, y) - at(b, x, y));
    }
    add(sums, launch.answers);
}

// A row of a plane that may lie outside, where it is the one as far on the other side of row y.
__device__ __forceinline__ int mirrored(int y, int offset, int height) {
    if ((u32)(y + offset) < (u32)height) return y + offset;
    return (u32)(y - offset) < (u32)height ? y - offset : y;
}

// Whether a sample of the frame of two fields is combed.
__device__ __forceinline__ bool combed(const Launch &launch, int plane, int x, int y) {
    if (launch.threshold < 0) return true;
    auto sample = [&](int offset) {
        const int row = mirrored(y, offset, launch.height[plane]);
        return at(launch.frames[(u32)(row & 1) == launch.rows ? launch.other : 1][plane], x, row);
    };
    const int t = launch.threshold, v = sample(0), up = sample(-1), down = sample(1);
    if (abs(v - up) <= t || abs(v - down) <= t) return false;
    return abs(4 * v - 3 * (up + down) + sample(-2) + sample(2)) > 6 * t;
}

// Whether a sample of another plane and one of those around it are combed.
__device__ __forceinline__ bool marks(const Launch &launch, int plane, int x, int y) {
    if (x < 1 || y < 1 || x + 1 >= (int)launch.width[plane] || y + 1 >= (int)launch.height[plane]) return false;
    if (!combed(launch, plane, x, y)) return false;
    for (int k = 0; k < 9; k++)
        if (k != 4 && combed(launch, plane, x + k % 3 - 1, y + k / 3 - 1)) return true;
    return false;
}

// Whether a sample of the first plane is combed, or marked by another plane.
__device__ __forceinline__ bool masked(const Launch &launch, int x, int y) {
    if (combed(launch, 0, x, y)) return true;
    for (u32 plane = 1; plane < launch.planes; plane++) {
        const int across = launch.smaller[plane][0], down = launch.smaller[plane][1], row = y >> down;
        if (marks(launch, plane, x >> across, row)) return true;
        if (!down) continue;
        // The row above an odd one, and the row below an even one.
        const int above = (y + 1) >> down, below = (y - 1) >> down;
        if (above != row && above % 2 && marks(launch, plane, x >> across, above)) return true;
        if (y > 0 && below != row && below % 2 == 0 && marks(launch, plane, x >> across, below)) return true;
    }
    return false;
}

// Counts combed samples in half boxes.
extern "C" __global__ void __launch_bounds__(THREADS) survey_combs(const __grid_constant__ Launch launch) {
    __shared__ u8 mask[COMB_ROWS + 2][WIDTH];
    const int width = launch.width[0], height = launch.height[0];
    const int left = blockIdx.x * WIDTH, first = blockIdx.y * COMB_ROWS;
    for (int i = threadIdx.x; i < (COMB_ROWS + 2) * WIDTH; i += THREADS) {
        const int x = left + i % WIDTH, y = first - 1 + i / WIDTH;
        mask[i / WIDTH][i % WIDTH] = x < width && y >= 0 && y < height && masked(launch, x, y);
    }
    __syncthreads();
    // A warp counts 32 columns of a row, of which those of a half box are neighbours.
    const u32 lane = threadIdx.x % 32, each = launch.across < 5 ? 1u << launch.across : 32;
    const u32 group = each == 32 ? ~0u : ((1u << each) - 1) << (lane / each * each);
    for (int i = threadIdx.x; i < COMB_ROWS * WIDTH; i += THREADS) {
        const int c = i % WIDTH, r = i / WIDTH, x = left + c, y = first + r;
        const bool is = y >= 1 && y + 1 < height && mask[r][c] && mask[r + 1][c] && mask[r + 2][c];
        const u32 count = __popc(__ballot_sync(~0u, is) & group);
        if (count && lane % each == 0)
            atomicAdd(launch.counts + ((u32)y >> launch.down) * launch.cells + ((u32)x >> launch.across), count);
    }
}

// The most combed samples in four half boxes.
extern "C" __global__ void __launch_bounds__(THREADS) survey_most(const __grid_constant__ Launch launch) {
    u32 most = 0;
    const u32 cells = launch.cells, all = cells * launch.cell_rows;
    for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < all; i += gridDim.x * THREADS) {
        const u32 *count = launch.counts + i;
        const bool above = i >= cells, before = i % cells > 0;
        u32 sum = count[0];
        if (before) sum += count[-1];
        if (above) sum += count[-(int)cells];
        if (above && before) sum += count[-(int)cells - 1];
        most = max(most, sum);
    }
    for (int half = 16; half > 0; half /= 2) most = max(most, __shfl_down_sync(~0u, most, half));
    if (threadIdx.x % 32 == 0 && most) atomicMax(launch.answers, (u64)most);
}
