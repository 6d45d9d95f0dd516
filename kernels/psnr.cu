// Squared errors of the rows of two frames. CPU twin: crates/metric/src/psnr.rs
//
//   integers   a warp sums a row, in any order: the sum is exact
//   floats     eight lanes sum a row, each every eighth sample in f64, and then these eight in their order

struct ErrorLaunch {
    Pair planes[4];
    u32 width[4], height[4];
    u32 first[4];           // where the sums of a plane begin
    double *sums;           // one for each row
};
static_assert(sizeof(ErrorLaunch) == 184, "as ErrorArguments in crates/cuda/src/metric/plain.rs");

// 16 bytes of both rows.
__device__ __forceinline__ u64 squares(const uint4 &a, const uint4 &b, u8) {
    u32 sum = 0, d = __vabsdiffu4(a.x, b.x);
    sum = __dp4a(d, d, sum);
    d = __vabsdiffu4(a.y, b.y), sum = __dp4a(d, d, sum);
    d = __vabsdiffu4(a.z, b.z), sum = __dp4a(d, d, sum);
    d = __vabsdiffu4(a.w, b.w), sum = __dp4a(d, d, sum);
    return sum;
}
__device__ __forceinline__ u64 squares(u32 a, u32 b) {
    const u32 d = __vabsdiffu2(a, b), low = d & 0xffff, high = d >> 16;
    return (u64)(low * low) + high * high;
}
__device__ __forceinline__ u64 squares(const uint4 &a, const uint4 &b, u16) {
    return squares(a.x, b.x) + squares(a.y, b.y) + squares(a.z, b.z) + squares(a.w, b.w);
}

// The sum of a row of integers; the first lane of a warp has it.
template <class P> __device__ __forceinline__ double row_errors(const Pair &pair, u32 y, u32 width, int lane, P) {
    constexpr u32 STEP = 16 / sizeof(P);
    const P *a = row_of(pair.plane[0], y), *b = row_of(pair.plane[1], y);
    const u32 quads = pair.plane[0].wide & pair.plane[1].wide ? width / STEP : 0;
    u64 sum = 0;
    for (u32 i = lane; i < quads; i += 32)
        sum += squares(__ldg(reinterpret_cast<const uint4 *>(a) + i), __ldg(reinterpret_cast<const uint4 *>(b) + i), P());
    for (u32 x = STEP * quads + lane; x < width; x += 32) {
        const u32 d = abs((int)a[x] - (int)b[x]);
        sum += d * d;
    }
    return (double)warp_sum(sum);
}

// The sum of a row of floats; all of eight lanes have it.
__device__ __forceinline__ double row_errors(const Pair &pair, u32 y, u32 width, int lane, float) {
    const float *a = reinterpret_cast<const float *>(row_of(pair.plane[0], y));
    const float *b = reinterpret_cast<const float *>(row_of(pair.plane[1], y));
    double sum = 0.0;
#pragma unroll 8
    for (u32 x = lane; x < width; x += 8) {
        const double d = (double)finite(__ldg(a + x)) - (double)finite(__ldg(b + x));
        sum += d * d;
    }
    return sum_of_eight(sum);
}

extern "C" __global__ void __launch_bounds__(THREADS) metric_errors(const __grid_constant__ ErrorLaunch launch) {
    constexpr int LANES = sizeof(PIXEL) == 4 ? 8 : 32;
    const int plane = blockIdx.y, lane = threadIdx.x % LANES;
    const u32 y = blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES, height = launch.height[plane];
    // Lanes of rows beyond the plane sum nothing, so that all take part in the exchange.
    const double sum = row_errors(launch.planes[plane], min(y, height - 1), y < height ? launch.width[plane] : 0, lane, PIXEL());
    if (lane == 0 && y < height) launch.sums[launch.first[plane] + y] = sum;
}
