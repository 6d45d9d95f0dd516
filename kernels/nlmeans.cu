// Means over samples whose surroundings look alike: out(x, y) = finish((Σ w · in(o) + in) / (Σ w + 1)), where w is looked up
// by how far the squares around the sample and around that at offset o differ. CPU twin: src/backend/cpu/nlmeans
//
//   Alike   any patch, search, depth and border. For one offset after another a block sums squared differences down each
//           column that its tile and the patches meet, a column a thread, and leaves the sums in shared memory, where
//           threads sum them across: each makes 4 samples of 2 rows.
//
//        TILE_W + 2 · PATCH columns
//       ┌──────────────────────────┐   shared: the sums of two offsets, so that a block waits once an offset; the rows and
//       │ HEIGHT rows of sums      │   columns of the plane in which those of the tile lie, and of what it is searched for
//       └──────────────────────────┘
//
// Parameters: Border, Last, and
//   PATCH, SEARCH   what lies on either side of the middle of what is compared, and of where is looked
//   FRAMES          frames on either side
//   AT, LAST        where the weights are, and the number of the last
//   MOST            the largest difference
//   CUT, SHIFT      bits by which a square and a sum are shifted down

// What a sample is compared as, and what it is summed as.
template <class P> struct Kind {
    typedef int Cell;
    static __device__ __forceinline__ int key(int v) { return v; }
    static __device__ __forceinline__ float value(int v) { return v; }
};
template <> struct Kind<float> {
    typedef float Cell;
    static __device__ __forceinline__ float value(float v) { return isfinite(v) ? v : 0.0f; }
    static __device__ __forceinline__ int key(float v) {
        // From 2^23 to 2^24 floats are whole numbers, and their bits count them.
        float clamped = fminf(fmaxf(__fmul_rn(value(v), 65280.0f), -4194304.0f), 4194304.0f);
        return __float_as_int(__fadd_rn(clamped, 12582912.0f)) - 0x4b400000;
    }
};

template <class P> struct Alike : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Kind<PIXEL> K;
    typedef K::Cell Cell;
    static constexpr int HEIGHT = 16, PATCH = P::PATCH, SEARCH = P::SEARCH, FRAMES = P::FRAMES;
    static constexpr int SIDE = 2 * PATCH + 1, WIDE = TILE_W + 2 * PATCH;
    static constexpr int ROWS = HEIGHT + 2 * (PATCH + SEARCH), COLUMNS = TILE_W + 2 * (PATCH + SEARCH);
    static_assert(WIDE <= THREADS, "a column a thread");

    static __device__ __forceinline__ int key(const Source &from, const Plane &plane, int x, int y) {
        return K::key(fetched<Cell, B>(from, plane, x, y));
    }
    static __device__ __forceinline__ u32 squared(int a, int b) {
        u32 d = min(abs(a - b), (int)P::MOST);
        return d * d >> P::CUT;
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        u32 *down = reinterpret_cast<u32 *>(shared);
        int *rows = reinterpret_cast<int *>(down + 2 * HEIGHT * WIDE), *columns = rows + ROWS;
        for (int i = threadIdx.x; i < ROWS; i += THREADS) rows[i] = resolved<B>(y - PATCH - SEARCH + i, plane.height);
        for (int i = threadIdx.x; i < COLUMNS; i += THREADS) columns[i] = resolved<B>(x - PATCH - SEARCH + i, plane.width);
        __syncthreads();

        const u32 *weights = launch.lookups + P::AT;
        const Source centre = source(launch, plane, REACH);
        const int quad = 4 * (threadIdx.x % 32), line = threadIdx.x / 32;
        float total[2][4] = {}, sum[2][4] = {};
        int half = 0;
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            const Source from = source(launch, plane, REACH + t);
#pragma unroll 1
            for (int oy = -SEARCH; oy <= SEARCH; oy++)
#pragma unroll 1
                for (int ox = -SEARCH; ox <= SEARCH; ox++) {
                    if (!t && !oy && !ox) continue;
                    u32 *sums = down + half * HEIGHT * WIDE;
                    half ^= 1;
                    if (threadIdx.x < WIDE) {
                        const int here = columns[SEARCH + threadIdx.x], there = columns[SEARCH + ox + threadIdx.x];
                        auto one = [&](int r) {
                            return squared(key(centre, plane, here, rows[SEARCH + r]), key(from, plane, there, rows[SEARCH + oy + r]));
                        };
                        u32 held = 0;
#pragma unroll 1
                        for (int r = 0; r < SIDE - 1; r++) held += one(r);
#pragma unroll 1
                        for (int r = 0; r < HEIGHT; r++) {
                            held += one(r + SIDE - 1);
                            sums[r * WIDE + threadIdx.x] = held;
                            held -= one(r);
                        }
                    }
                    __syncthreads();
#pragma unroll
                    for (int r = 0; r < 2; r++) {
                        const int row = line + 8 * r;
                        if (y + row >= (int)plane.height || (u32)(y + row + oy) >= plane.height) continue;
                        const u32 *across = sums + row * WIDE + quad;
                        u32 held = 0;
#pragma unroll 1
                        for (int i = 0; i < SIDE - 1; i++) held += across[i];
#pragma unroll
                        for (int k = 0; k < 4; k++) {
                            held += across[k + SIDE - 1];
                            const u32 place = min(held >> P::SHIFT, (u32)P::LAST);
                            held -= across[k];
                            const int there = x + quad + k + ox;
                            if ((u32)there >= plane.width || x + quad + k >= (int)plane.width) continue;
                            const float w = __uint_as_float(__ldg(weights + place));
                            const float v = K::value(from.samples ? (Cell)__ldg(at(from, there, y + row + oy)) : (Cell)plane.neutral);
                            total[r][k] = __fadd_rn(total[r][k], w);
                            sum[r][k] = __fadd_rn(sum[r][k], __fmul_rn(w, v));
                        }
                    }
                }
        }
#pragma unroll
        for (int r = 0; r < 2; r++) {
            const int row = y + line + 8 * r;
            if (x + quad >= (int)plane.width || row >= (int)plane.height) continue;
            const Quad<float> own = near<float>(centre, plane, x + quad, row);
            float mean[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float v = sizeof(PIXEL) == 4 ? Kind<float>::value(own.v[k]) : own.v[k];
                mean[k] = __fdiv_rn(__fadd_rn(sum[r][k], v), __fadd_rn(total[r][k], 1.0f));
            }
            F::store(launch, plane, x + quad, row, mean);
        }
    }
};
