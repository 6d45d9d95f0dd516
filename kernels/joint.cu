// Means of bytes over the samples around, by how near they are and how like the samples of another plane there: bilateral.cu with
// a guide.
// CPU twin: crates/cpu/src/bilateral
//
//   Joint     any radius, as Weighed: a place in shared memory holds a sample and the guide's beside it.
//
// Parameters: those of Weighed, and
//   GUIDE           the plane whose differences weigh
//   ACROSS, DOWN    by how many powers of two it is finer
//   TILED           whether there is room for all places; else each is made anew whenever it is met

// A sample, and the guide's of its place.
struct Both {
    u32 word;
    static __device__ __forceinline__ Both of(int own, int guide) { return {(u32)own | (u32)guide << 16}; }
    __device__ __forceinline__ int own() const { return word & 65535; }
    __device__ __forceinline__ int guide() const { return word >> 16; }
};

// In which numbers the samples of a place are added up.
template <class T> struct Adds { typedef int Cell; };
template <> struct Adds<float> { typedef float Cell; };

// The mean of the samples that a place of the other plane covers.
template <class P> struct Covered {
    typedef Adds<PIXEL>::Cell C;
    static constexpr int SHIFT = P::ACROSS + P::DOWN;
    static __device__ __forceinline__ int begin(int) { return 1 << SHIFT >> 1; }
    static __device__ __forceinline__ float begin(float) { return 0.0f; }
    static __device__ __forceinline__ int add(int sum, int v) { return sum + v; }
    static __device__ __forceinline__ float add(float sum, float v) { return __fadd_rn(sum, isfinite(v) ? v : 0.0f); }
    static __device__ __forceinline__ int mean(int sum) { return sum >> SHIFT; }
    static __device__ __forceinline__ float mean(float sum) { return __fmul_rn(sum, 1.0f / (1 << SHIFT)); }

    // At a place that resolved() gave.
    static __device__ __forceinline__ C at_place(const Source &from, const Plane &guide, int x, int y) {
        typedef typename P::Border B;
        if (B::CONSTANT && (x < 0 | y < 0)) return (C)B::value();
        if (!from.samples) return (C)guide.neutral;
        C sum = begin(C());
#pragma unroll
        for (int j = 0; j < 1 << P::DOWN; j++)
#pragma unroll
            for (int i = 0; i < 1 << P::ACROSS; i++) {
                const int column = min((x << P::ACROSS) + i, (int)guide.width - 1), row = min((y << P::DOWN) + j, (int)guide.height - 1);
                sum = add(sum, (C)__ldg(at(from, column, row)));
            }
        return mean(sum);
    }
};

template <class P> struct Joint : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    static constexpr int RADIUS = P::RADIUS, FRAMES = P::FRAMES, SIDE = RADIUS + 1, HEIGHT = 16;
    static constexpr int WIDE = TILE_W + 2 * RADIUS, HIGH = HEIGHT + 2 * RADIUS;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        Both *pairs = reinterpret_cast<Both *>(shared);
        int *rows = reinterpret_cast<int *>(pairs + (P::TILED ? WIDE * HIGH : 0)), *columns = rows + HIGH;
        u32 *held = reinterpret_cast<u32 *>(columns + WIDE);
        const u32 *range = P::HELD ? held : launch.lookups + P::RANGE;
        const Plane &guide = launch.planes[P::GUIDE];
        place<B, WIDE, HIGH>(plane, x - RADIUS, y - RADIUS, rows, columns);
        for (int i = threadIdx.x; P::HELD && i <= P::LAST; i += THREADS) held[i] = __ldg(launch.lookups + P::RANGE + i);
        const int quad = 4 * (threadIdx.x % 32), line = threadIdx.x / 32, first = line * WIDE + quad;
        Source from, beside;
        auto made = [&](int i) {
            const int column = columns[i % WIDE], row = rows[i / WIDE];
            return Both::of(fetched<int, B>(from, plane, column, row), Covered<P>::at_place(beside, guide, column, row));
        };
        auto load = [&](int t) {
            __syncthreads();
            from = source(launch, plane, REACH + t), beside = source(launch, guide, REACH + t);
#pragma unroll 1
            for (int i = threadIdx.x; P::TILED && i < WIDE * HIGH; i += THREADS) pairs[i] = made(i);
            __syncthreads();
        };
        auto met = [&](int i) { return P::TILED ? pairs[i] : made(i); };
        load(0);
        Both own[2][4];
        int total[2][4] = {}, sum[2][4] = {};
#pragma unroll
        for (int k = 0; k < 8; k++) own[k / 4][k % 4] = met(first + (8 * (k / 4) + RADIUS) * WIDE + RADIUS + k % 4);
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            if (FRAMES) load(t);
#pragma unroll 1
            for (int dy = -RADIUS; dy <= RADIUS; dy++) {
                const int weights = P::SPACE + (abs(t) * SIDE + abs(dy)) * SIDE, row = first + (dy + RADIUS) * WIDE + RADIUS;
#pragma unroll 1
                for (int dx = -RADIUS; dx <= RADIUS; dx++) {
                    const u32 space = Table::tap(launch, weights + abs(dx));
                    if (!space) continue;
#pragma unroll
                    for (int k = 0; k < 8; k++) {
                        const Both there = met(row + 8 * (k / 4) * WIDE + dx + k % 4), mine = own[k / 4][k % 4];
                        const int by = there.guide() - mine.guide(), d = there.own() - mine.own();
                        Weigher::weigh<P>(by, d, space, range, total[k / 4][k % 4], sum[k / 4][k % 4]);
                    }
                }
            }
        }
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float mean[4];
#pragma unroll
            for (int k = 0; k < 4; k++) mean[k] = Weigher::mean(own[r][k].own(), total[r][k], sum[r][k]);
            F::store(launch, plane, x + quad, y + line + 8 * r, mean);
        }
    }
};
