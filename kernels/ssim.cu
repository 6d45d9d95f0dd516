// Similarities of the rows of windows of two frames. CPU twin: crates/metric/src/ssim.rs
//
//   a block takes a row of windows: a thread forms the sums of some windows and keeps their similarities, which are then
//   added in the order of the CPU: of 16 bits by one thread in f32, else every eighth by a lane in f64

constexpr int MOST_WINDOWS = 4096;   // in a row of 16384 samples

struct SimilarityLaunch {
    Pair planes[4];
    u32 across[4], down[4]; // windows
    u32 first[4];           // where the sums of a plane begin
    double means, variances;
    double *sums;           // one for each row of windows
};
static_assert(sizeof(SimilarityLaunch) == 200, "as SimilarityArguments in crates/cuda/src/metric/plain.rs");

// Four bytes of a row, of which x is a multiple of 4.
__device__ __forceinline__ u32 four(const Source &from, const u8 *p) {
    if (from.wide) return __ldg(reinterpret_cast<const u32 *>(p));
    return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

// The ratio of four factors that were rounded to f32.
__device__ __forceinline__ float ratio(float means, float covariance, float squares, float variance) {
    return means * covariance / (squares * variance);
}

// Bytes: all sums are exact.
__device__ __forceinline__ float similarity(const SimilarityLaunch &launch, const Pair &pair, u32 x, u32 y, u8) {
    int first = 0, second = 0;
    u32 squares = 0, products = 0;
#pragma unroll
    for (int line = 0; line < 8; line++) {
        const u8 *a = (const u8 *)row_of(pair.plane[0], y + line) + x, *b = (const u8 *)row_of(pair.plane[1], y + line) + x;
#pragma unroll
        for (int half = 0; half < 8; half += 4) {
            const u32 v = four(pair.plane[0], a + half), w = four(pair.plane[1], b + half);
            first = __dp4a(v, 0x01010101u, (u32)first);
            second = __dp4a(w, 0x01010101u, (u32)second);
            squares = __dp4a(w, w, __dp4a(v, v, squares));
            products = __dp4a(v, w, products);
        }
    }
    const int c1 = (int)launch.means, c2 = (int)launch.variances;
    const int variance = 64 * (int)squares - first * first - second * second, covariance = 64 * (int)products - first * second;
    return ratio(2 * first * second + c1, 2 * covariance + c2, first * first + second * second + c1, variance + c2);
}

// Up to 16 bits: all sums are exact, as they are in the f64 of the CPU.
__device__ __forceinline__ float similarity(const SimilarityLaunch &launch, const Pair &pair, u32 x, u32 y, u16) {
    u32 one = 0, other = 0;
    u64 squares = 0, products = 0;
    for (int line = 0; line < 8; line++) {
        const u16 *a = (const u16 *)row_of(pair.plane[0], y + line) + x, *b = (const u16 *)row_of(pair.plane[1], y + line) + x;
#pragma unroll
        for (int column = 0; column < 8; column++) {
            const u32 v = __ldg(a + column), w = __ldg(b + column);
            one += v, other += w;
            squares += (u64)(v * v) + w * w;
            products += v * w;
        }
    }
    const i64 first = one, second = other, c1 = (i64)launch.means, c2 = (i64)launch.variances;
    const i64 variance = 64 * (i64)squares - first * first - second * second, covariance = 64 * (i64)products - first * second;
    return ratio(2 * first * second + c1, 2 * covariance + c2, first * first + second * second + c1, variance + c2);
}

// Sums over a block of 4×4 samples, or over four of them.
struct Sums {
    double v[4];            // of both planes, of all squares, of the products
    __device__ __forceinline__ Sums operator+(const Sums &other) const {
        return {v[0] + other.v[0], v[1] + other.v[1], v[2] + other.v[2], v[3] + other.v[3]};
    }
};

// Down the columns first, then across.
__device__ __forceinline__ Sums block_sums(const Pair &pair, u32 x, u32 y) {
    Sums columns[4] = {};
#pragma unroll
    for (int line = 0; line < 4; line++) {
        const PIXEL *a = row_of(pair.plane[0], y + line) + x, *b = row_of(pair.plane[1], y + line) + x;
#pragma unroll
        for (int column = 0; column < 4; column++) {
            const double v = finite(__ldg(a + column)), w = finite(__ldg(b + column));
            columns[column] = columns[column] + Sums{v, w, v * v + w * w, v * w};
        }
    }
    return (columns[0] + columns[1]) + (columns[2] + columns[3]);
}

__device__ __forceinline__ float similarity(const SimilarityLaunch &launch, const Pair &pair, u32 x, u32 y, float) {
    const Sums upper = block_sums(pair, x, y) + block_sums(pair, x + 4, y);
    const Sums lower = block_sums(pair, x, y + 4) + block_sums(pair, x + 4, y + 4);
    const Sums all = upper + lower;
    const double first = all.v[0], second = all.v[1], c1 = launch.means, c2 = launch.variances;
    const double variance = 64.0 * all.v[2] - first * first - second * second, covariance = 64.0 * all.v[3] - first * second;
    return ratio((float)(2.0 * first * second + c1), (float)(2.0 * covariance + c2),
                 (float)(first * first + second * second + c1), (float)(variance + c2));
}

extern "C" __global__ void __launch_bounds__(THREADS) metric_similarities(const __grid_constant__ SimilarityLaunch launch) {
    __shared__ float figures[MOST_WINDOWS];
    const u32 plane = blockIdx.y, y = blockIdx.x, across = launch.across[plane];
    if (y >= launch.down[plane]) return;
    for (u32 x = threadIdx.x; x < across; x += THREADS)
        figures[x] = similarity(launch, launch.planes[plane], 4 * x, 4 * y, PIXEL());
    __syncthreads();
    if (threadIdx.x >= 32) return;
    double sum = 0.0;
    if (sizeof(PIXEL) == 2) {
        float row = 0.0f;
#pragma unroll 16
        for (u32 x = 0; x < across; x++) row += figures[x];
        sum = row;
    } else {
#pragma unroll 4
        for (u32 x = threadIdx.x % 8; x < across; x += 8) sum += figures[x];
        sum = sum_of_eight(sum);
    }
    if (threadIdx.x == 0) launch.sums[launch.first[plane] + y] = sum;
}
