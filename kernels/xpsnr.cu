// Errors and activity of blocks of two frames: whole numbers, the same in any order. CPU twin: crates/metric/src/{survey,activity,coarse}.rs
//
//   a block of threads takes a block of samples: a warp takes rows of it, a lane columns

// A block, and its inner part.
struct Area {
    u32 left, top, width, height;
    u32 inner_left, inner_top, inner_width, inner_height;
    u32 plane;
    u32 timed;              // 1 if its activity in time is summed
    u32 unused[2];
};

struct BlockLaunch {
    Pair planes[4];
    Source before[2];       // luma of the last two references, or none
    u32 width, height;      // of luma
    u32 order;              // of differences in time
    u32 large;              // 1 if pairs of rows and columns count as one
    const Area *areas;
    u64 *sums;              // for each block the error, the activity in space, and that in time
};
static_assert(sizeof(Area) == 48 && sizeof(BlockLaunch) == 192, "as BlockArguments in crates/cuda/src/metric/block.rs");

__device__ __forceinline__ int at(const Source &from, u32 x, u32 y) { return whole(__ldg(row_of(from, y) + x)); }

// The magnitude of a high-pass filter of 3×3 samples.
__device__ __forceinline__ u32 fine(const Source &from, u32 x, u32 y) {
    const int sides = at(from, x, y - 1) + at(from, x, y + 1) + at(from, x - 1, y) + at(from, x + 1, y);
    const int corners = at(from, x - 1, y - 1) + at(from, x + 1, y - 1) + at(from, x - 1, y + 1) + at(from, x + 1, y + 1);
    return abs(12 * at(from, x, y) - 2 * sides - corners);
}

// The same of 6×6 samples around two rows and two columns. Columns and rows beyond the plane are its last ones.
__device__ __forceinline__ u32 coarse(const Source &from, u32 x, u32 y, u32 width, u32 height) {
    int all[3][6];
#pragma unroll
    for (int distance = 0; distance < 3; distance++) {
        const u32 upper = y - distance, lower = min(y + 1 + distance, height - 1);
#pragma unroll
        for (int column = 0; column < 6; column++) {
            const u32 place = min(x - 2 + column, width - 1);
            all[distance][column] = at(from, place, upper) + at(from, place, lower);
        }
    }
    const int *near = all[0], *beside = all[1], *outer = all[2];
    const int middle = 12 * (near[2] + near[3]) - 3 * (near[1] + near[4]) - (near[0] + near[5]);
    const int sides = 3 * (beside[2] + beside[3]) + 2 * (beside[1] + beside[4]) + (beside[0] + beside[5]);
    return abs(middle - sides - (outer[1] + outer[2] + outer[3] + outer[4]));
}

// The sum of 2×2 samples; 0 of no frame.
__device__ __forceinline__ int square(const Source &from, u32 x, u32 y, u32 width, u32 height) {
    if (!from.samples) return 0;
    const u32 right = min(x + 1, width - 1), lower = min(y + 1, height - 1);
    return at(from, x, y) + at(from, right, y) + at(from, x, lower) + at(from, right, lower);
}

__device__ __forceinline__ int one(const Source &from, u32 x, u32 y) { return from.samples ? at(from, x, y) : 0; }

extern "C" __global__ void __launch_bounds__(THREADS) metric_blocks(const __grid_constant__ BlockLaunch launch) {
    constexpr int WARPS = THREADS / 32;
    __shared__ u64 warps[3][WARPS];
    const Area area = launch.areas[blockIdx.x];
    const Source &a = launch.planes[area.plane].plane[0], &b = launch.planes[area.plane].plane[1];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, step = launch.large ? 2 : 1;
    u64 sums[3] = {};
    for (u32 y = warp; y < area.height; y += WARPS)
        for (u32 x = lane; x < area.width; x += 32) {
            const int d = at(a, area.left + x, area.top + y) - at(b, area.left + x, area.top + y);
            sums[0] += (u64)((i64)d * d);
        }
    for (u32 y = step * warp; y < area.inner_height; y += step * WARPS)
        for (u32 x = step * lane; x < area.inner_width; x += step * 32) {
            const u32 left = area.inner_left + x, top = area.inner_top + y;
            sums[1] += launch.large ? coarse(a, left, top, launch.width, launch.height) : fine(a, left, top);
        }
    if (area.timed) {
        // Frames before the first are black; the one before the last counts in differences of the second order alone.
        const Source &last = launch.before[0], none = {}, &second = launch.order == 2 ? launch.before[1] : none;
        const int factor = launch.order;
        for (u32 y = step * warp; y < area.height; y += step * WARPS)
            for (u32 x = step * lane; x < area.width; x += step * 32) {
                const u32 left = area.left + x, top = area.top + y, width = launch.width, height = launch.height;
                sums[2] += launch.large ? abs(square(a, left, top, width, height) - factor * square(last, left, top, width, height) +
                                              square(second, left, top, width, height))
                                        : abs(at(a, left, top) - factor * one(last, left, top) + one(second, left, top));
            }
    }
#pragma unroll
    for (int kind = 0; kind < 3; kind++) {
        const u64 sum = warp_sum(sums[kind]);
        if (lane == 0) warps[kind][warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 3) {
        u64 sum = 0;
        for (int i = 0; i < WARPS; i++) sum += warps[threadIdx.x][i];
        launch.sums[3 * blockIdx.x + threadIdx.x] = sum;
    }
}
