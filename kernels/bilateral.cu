// Means of bytes over the samples around, by how near and how like they are: out(x, y) = finish(in + Σ w · d / Σ w), where d is by how
// much the sample at an offset differs, and w a product of a weight by offset and one by difference. bilateral_stepped.cu has what
// serves more than 8 bits.
// CPU twin: crates/cpu/src/bilateral
//
//   Weighed   any radius. A block holds the samples that it meets in shared memory, one frame after another, and
//             the weights by difference behind them where there is room: HELD; a thread makes 4 samples of 2 rows.
//
//   Bytes     radii up to 10: a thread makes R samples of one column. What is looked up for a difference is its weight, and in the
//             upper half of the word the weighed difference; a dot product of the halves with the weight by offset and 0
//             adds either to its sum. Words of two columns that lie as far to the left and to the right are added
//             before, where they cannot overflow: PAIRED.
//
//       ┌────┬────┬────┬────┐   shared: the words of all differences, once for each lane, so that no two lanes meet in
//       │ 32 │    │    │    │   a bank; the samples of a frame as places of those words. The middle column is looked up
//       ├────┼────┼────┼────┤   twice, and what lies beside it counts twice: so sums are twice those that are meant,
//       │ ×R │    │    │    │   which a quotient does not show.
//       └────┴────┴────┴────┘
//
// Parameters: Border, Last, and
//   RADIUS, FRAMES   how far the window reaches
//   SPACE            where the weights by offset are in the table
//   RANGE            where the weights by difference are among what is looked up
//   LAST             the number of the last of them, which is 0

// How samples are weighed: as whole numbers.
struct Weigher {
    // Adds a difference d that is as likely as one of `by`.
    template <class P> static __device__ __forceinline__ void weigh(int by, int d, u32 space, const u32 *range, int &total, int &sum) {
        const u32 w = range[min((u32)abs(by), (u32)P::LAST)] * space;
        total += w;
        sum += (int)w * d;
    }
    static __device__ __forceinline__ float mean(int own, int total, int sum) {
        const float quotient = __fdiv_rn(__int2float_rn(sum), __int2float_rn(total));
        return __fadd_rn(own, __fadd_rn(__fadd_rn(quotient, 98304.0f), -98304.0f));
    }
};

// The samples of WIDE × HIGH places from (x, y) on, each as PUT makes it. place() sets apart where they lie.
template <class B, int WIDE, int HIGH, class PUT>
__device__ __forceinline__ void gather(const Source &from, const Plane &plane, const int *rows, const int *columns, PUT put) {
#pragma unroll 1
    for (int i = threadIdx.x; i < WIDE * HIGH; i += THREADS) put(i, fetched<int, B>(from, plane, columns[i % WIDE], rows[i / WIDE]));
}
template <class B, int WIDE, int HIGH> __device__ __forceinline__ void place(const Plane &plane, int x, int y, int *rows, int *columns) {
    for (int i = threadIdx.x; i < HIGH; i += THREADS) rows[i] = resolved<B>(y + i, plane.height);
    for (int i = threadIdx.x; i < WIDE; i += THREADS) columns[i] = resolved<B>(x + i, plane.width);
}

template <class P> struct Weighed : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    static constexpr int RADIUS = P::RADIUS, FRAMES = P::FRAMES, SIDE = RADIUS + 1, HEIGHT = 16;
    static constexpr int WIDE = TILE_W + 2 * RADIUS, HIGH = HEIGHT + 2 * RADIUS;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        int *cells = reinterpret_cast<int *>(shared);
        int *rows = reinterpret_cast<int *>(cells + WIDE * HIGH), *columns = rows + HIGH;
        u32 *held = reinterpret_cast<u32 *>(columns + WIDE);
        const u32 *range = P::HELD ? held : launch.lookups + P::RANGE;
        place<B, WIDE, HIGH>(plane, x - RADIUS, y - RADIUS, rows, columns);
        for (int i = threadIdx.x; P::HELD && i <= P::LAST; i += THREADS) held[i] = __ldg(launch.lookups + P::RANGE + i);
        const int quad = 4 * (threadIdx.x % 32), line = threadIdx.x / 32;
        const int *first = cells + line * WIDE + quad;
        auto load = [&](int t) {
            __syncthreads();
            gather<B, WIDE, HIGH>(source(launch, plane, REACH + t), plane, rows, columns, [&](int i, int v) { cells[i] = v; });
            __syncthreads();
        };
        load(0);
        int own[2][4], total[2][4] = {}, sum[2][4] = {};
#pragma unroll
        for (int k = 0; k < 8; k++) own[k / 4][k % 4] = first[(8 * (k / 4) + RADIUS) * WIDE + RADIUS + k % 4];
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            if (FRAMES) load(t);
#pragma unroll 1
            for (int dy = -RADIUS; dy <= RADIUS; dy++) {
                const int weights = P::SPACE + (abs(t) * SIDE + abs(dy)) * SIDE;
                const int *row = first + (dy + RADIUS) * WIDE + RADIUS;
#pragma unroll 1
                for (int dx = -RADIUS; dx <= RADIUS; dx++) {
                    const u32 space = Table::tap(launch, weights + abs(dx));
                    if (!space) continue;
#pragma unroll
                    for (int k = 0; k < 8; k++) {
                        const int d = row[8 * (k / 4) * WIDE + dx + k % 4] - own[k / 4][k % 4];
                        Weigher::weigh<P>(d, d, space, range, total[k / 4][k % 4], sum[k / 4][k % 4]);
                    }
                }
            }
        }
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float mean[4];
#pragma unroll
            for (int k = 0; k < 4; k++) mean[k] = Weigher::mean(own[r][k], total[r][k], sum[r][k]);
            F::store(launch, plane, x + quad, y + line + 8 * r, mean);
        }
    }
};

template <class P> struct Bytes : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    static constexpr int RADIUS = P::RADIUS, FRAMES = P::FRAMES, SIDE = RADIUS + 1, R = P::R, HEIGHT = 2 * R;
    static constexpr int WIDE = TILE_W + 2 * RADIUS, HIGH = HEIGHT + 2 * RADIUS, ENTRIES = 511;
    static_assert(TILE_W == 4 * 32 && THREADS == 8 * 32, "four warps across, two down");

    static __device__ __forceinline__ void add(u32 entry, u32 space, u32 &total, int &sum) {
        asm("dp2a.lo.u32.u32 %0, %1, %2, %0;" : "+r"(total) : "r"(entry), "r"(space));
        asm("dp2a.hi.s32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(entry), "r"(space));
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        u32 *entries = reinterpret_cast<u32 *>(shared), *tile = entries + 32 * ENTRIES;
        int *rows = reinterpret_cast<int *>(tile + WIDE * HIGH), *columns = rows + HIGH;
        place<B, WIDE, HIGH>(plane, x - RADIUS, y - RADIUS, rows, columns);
        for (int i = threadIdx.x; i < 32 * ENTRIES; i += THREADS) entries[i] = __ldg(launch.lookups + P::RANGE + i / 32);
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, column = warp % 4 * 32 + lane, line = warp / 4 * R;
        // A sample as the bytes from the words of one difference to those of as many more.
        auto load = [&](int t) {
            __syncthreads();
            gather<B, WIDE, HIGH>(source(launch, plane, REACH + t), plane, rows, columns, [&](int i, int v) { tile[i] = v << 7; });
            __syncthreads();
        };
        load(0);
        const u32 *first = tile + line * WIDE + column + RADIUS;
        u32 own[R], base[R], total[R];
        int sum[R];
#pragma unroll
        for (int r = 0; r < R; r++) {
            own[r] = first[(r + RADIUS) * WIDE];
            base[r] = (255 << 7) + 4 * lane - own[r];
            total[r] = 0, sum[r] = 0;
        }
        const char *bytes = reinterpret_cast<const char *>(entries);
        auto entry = [&](u32 at) { return *reinterpret_cast<const u32 *>(bytes + at); };
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            if (FRAMES) load(t);
#pragma unroll 1
            for (int dx = 0; dx <= RADIUS; dx++) {
                u32 space[SIDE];
#pragma unroll
                for (int i = 0; i < SIDE; i++) space[i] = Table::tap(launch, P::SPACE + (abs(t) * SIDE + i) * SIDE + dx);
#pragma unroll
                for (int i = 0; i < R + 2 * RADIUS; i++) {
                    const u32 left = first[i * WIDE - dx], right = first[i * WIDE + dx];
#pragma unroll
                    for (int r = 0; r < R; r++) {
                        const int dy = i - RADIUS - r, away = dy < 0 ? -dy : dy;
                        if (away > RADIUS) continue;
                        const u32 a = entry(left + base[r]), b = entry(right + base[r]);
                        if (P::PAIRED) {
                            add(a + b, space[away], total[r], sum[r]);
                        } else {
                            add(a, space[away], total[r], sum[r]);
                            add(b, space[away], total[r], sum[r]);
                        }
                    }
                }
            }
        }
        // A thread has samples below each other, and stores some that lie beside each other.
        float *means = reinterpret_cast<float *>(tile);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < R; r++) means[(line + r) * TILE_W + column] = Weigher::mean(own[r] >> 7, total[r], sum[r]);
        __syncthreads();
#pragma unroll 1
        for (int i = threadIdx.x; i < HEIGHT * TILE_W / 4; i += THREADS) {
            const float4 four = reinterpret_cast<const float4 *>(means)[i];
            const float mean[4] = {four.x, four.y, four.z, four.w};
            F::store(launch, plane, x + 4 * (i % 32), y + i / 32, mean);
        }
    }
};
