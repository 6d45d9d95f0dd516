// Steps at the edges of a grid of blocks made smaller, in place and in the order of crates/filter/src/pass/deblock.rs.
// CPU twin: crates/cpu/src/deblock.rs
//
//        │      │          Columns within N of a vertical edge are a strip. Where blocks are at least 2 N wide, strips share no
//    ──··││··──··││··──    sample, and some threads make a strip from top to bottom, band by band, a row each: the lowest rows of a
//        │      │          band decide how far the vertical edge below them goes. All other samples depend on the source alone.
//    ──··││··──··││··──
//        │      │          Smaller blocks: one block of threads makes the plane. A unit is a horizontal edge of one block and the
//                          vertical edge at its left; unit k of band b is made in step k + 2 b, when the unit left of it and
//                          the one above and to the right are there.
//
// Parameters:
//   STRONG                       three samples on either side of an edge, else two
//   BLOCK                        samples from one edge to the next
//   ALPHA, BETA, GAMMA, DELTA    distances below these are filtered, the bits of floats

// Integer samples are compared and moved as int, floats as float.
template <class P> struct Moved { typedef int Type; };
template <> struct Moved<float> { typedef float Type; };

template <class P> struct Deblock : OneLaunch {
    typedef Moved<PIXEL>::Type Cell;
    static constexpr bool FLOAT = sizeof(PIXEL) == 4;
    static constexpr int HEIGHT = 32, N = P::STRONG ? 3 : 2, BLOCK = P::BLOCK;
    static constexpr bool OVERLAPS = BLOCK < 2 * N;
    // Threads of a strip, as crates/cuda/src/program/deblock.rs counts them.
    static constexpr int LANES = BLOCK <= 8 ? 8 : BLOCK <= 16 ? 16 : 32;
    static_assert(OVERLAPS || TILE_W / BLOCK + (TILE_W % BLOCK != 0) <= THREADS / LANES, "a group for each strip of a tile");

    static __device__ __forceinline__ Cell minus(Cell a, Cell b) { return FLOAT ? (Cell)__fsub_rn(a, b) : a - b; }
    static __device__ __forceinline__ bool below(Cell a, Cell b, u32 limit) {
        const Cell d = minus(a, b), most = (Cell)__uint_as_float(limit);
        return (d < (Cell)0 ? -d : d) < most;
    }
    // A part of a distance, which a power of two divides exactly or which is cut off.
    template <int DIVISOR> static __device__ __forceinline__ Cell part(Cell d) {
        return FLOAT ? (Cell)__fmul_rn(d, 1.0f / DIVISOR) : (Cell)((int)d / DIVISOR);
    }
    static __device__ __forceinline__ Cell moved(Cell v, Cell by) {
        if (FLOAT) return (Cell)__fadd_rn(v, by);
        const Cell sum = v + by;
        return sum < (Cell)0 ? (Cell)0 : sum > (Cell)PEAK ? (Cell)PEAK : sum;
    }
    static __device__ __forceinline__ PIXEL put(Cell v) { return FLOAT && v != v ? (PIXEL)__uint_as_float(0x7fc00000u) : (PIXEL)v; }

    // Samples across an edge, which is in the middle; false if they stay.
    static __device__ __forceinline__ bool smooth(Cell (&v)[2 * N]) {
        const Cell d = minus(v[N], v[N - 1]);
        bool goes = below(v[N], v[N - 1], P::ALPHA) && below(v[N - 1], v[N - 2], P::BETA);
        goes = goes && (P::STRONG ? below(v[N + 1], v[2 * N - 1], P::GAMMA) && below(v[N], v[N + 1], P::DELTA)
                                  : below(v[N], v[N + 1], P::GAMMA));
        if (!goes) return false;
        const Cell half = part<2>(d), second = P::STRONG ? part<4>(d) : part<8>(d);
        v[N - 1] = moved(v[N - 1], half), v[N] = moved(v[N], -half);
        v[N - 2] = moved(v[N - 2], second), v[N + 1] = moved(v[N + 1], -second);
        if (P::STRONG) {
            const Cell third = part<8>(d);
            v[0] = moved(v[0], third), v[2 * N - 1] = moved(v[2 * N - 1], -third);
        }
        return true;
    }

    static __device__ __forceinline__ bool has_horizontal(const Plane &plane, int y) { return y > 0 && y + BLOCK < (int)plane.height; }
    // True for a vertical edge; a column of which strips know is within N of one.
    static __device__ __forceinline__ bool has_vertical(const Plane &plane, int x) { return x > 0 && x + N <= (int)plane.width; }
    static __device__ __forceinline__ PIXEL *to(const Plane &plane, int x, int y) { return plane.samples + ((u32)y * plane.stride + x); }
    static __device__ __forceinline__ Cell from(const Source &source, const Plane &plane, int x, int y) {
        return fetched<Cell, Clamp>(source, plane, x, y);
    }

    // A sample that vertical edges leave alone, of a plane whose edges share no sample.
    static __device__ __forceinline__ Cell alone(const Source &source, const Plane &plane, int x, int y) {
        const int edge = (y + N) / BLOCK * BLOCK;
        if (y >= edge + N || !has_horizontal(plane, edge)) return from(source, plane, x, y);
        Cell v[2 * N];
#pragma unroll
        for (int i = 0; i < 2 * N; i++) v[i] = from(source, plane, x, edge - N + i);
        smooth(v);
        Cell own = v[0];
#pragma unroll
        for (int i = 1; i < 2 * N; i++) own = i == y - edge + N ? v[i] : own;
        return own;
    }

    // The horizontal edge above row y in one column, of samples that lie in the plane that is made.
    static __device__ __forceinline__ void across(const Plane &plane, int x, int y) {
        Cell v[2 * N];
#pragma unroll
        for (int i = 0; i < 2 * N; i++) v[i] = (Cell)*to(plane, x, y - N + i);
        if (!smooth(v)) return;
#pragma unroll
        for (int i = 0; i < 2 * N; i++) *to(plane, x, y - N + i) = put(v[i]);
    }
    // The vertical edge at x from row y down, likewise.
    static __device__ __forceinline__ void down(const Plane &plane, int x, int y) {
        for (int r = y; r < y + BLOCK && r < (int)plane.height; r++) {
            Cell v[2 * N];
#pragma unroll
            for (int i = 0; i < 2 * N; i++) v[i] = (Cell)*to(plane, x - N + i, r);
            if (!smooth(v)) return;
#pragma unroll
            for (int i = 0; i < 2 * N; i++) *to(plane, x - N + i, r) = put(v[i]);
        }
    }

    // The rows of the strip around the vertical edge at x, by LANES threads; others of their warp come along with theirs. Each thread
    // has a row of a band, or one in LANES of them. Samples across a horizontal edge lie in shared memory: N rows above it, which are
    // those that the band above left there, and N below.
    static __device__ __forceinline__ void strip(const Source &source, const Plane &plane, int x, bool is_there) {
        typedef Cell Row[2 * N];
        const int lane = threadIdx.x % LANES, height = plane.height;
        Row *const rows = reinterpret_cast<Row *>(shared) + threadIdx.x / LANES * 2 * N;
        const u32 group = threadIdx.x % 32 / LANES * LANES, whole = LANES == 32 ? ~0u : (1u << LANES % 32) - 1;
        Cell next[2 * N] = {};
        const auto fetch = [&](int band, int first) {
            const int row = first + lane;
            if (!is_there || row >= min(band + BLOCK, height)) return;
#pragma unroll
            for (int i = 0; i < 2 * N; i++) next[i] = from(source, plane, x - N + i, row);
        };
        fetch(0, 0);
        bool goes_on = true;
#pragma unroll 1
        for (int band = 0, first = 0; band < height;) {
            const int row = first + lane, end = min(band + BLOCK, height);
            const bool has_row = is_there && row < end;
            Cell v[2 * N];
#pragma unroll
            for (int i = 0; i < 2 * N; i++) v[i] = next[i];
            // What is needed next is on its way while these rows are made.
            const bool is_last = first + LANES >= end;
            const int next_band = is_last ? band + BLOCK : band, next_first = is_last ? next_band : first + LANES;
            fetch(next_band, next_first);
            if (first == band) {
                goes_on = true;
                if (has_horizontal(plane, band)) {
                    if (lane < N) {
#pragma unroll
                        for (int i = 0; i < 2 * N; i++) rows[N + lane][i] = v[i];
                    }
                    __syncwarp();
                    if (lane < 2 * N) {
                        Cell column[2 * N];
#pragma unroll
                        for (int i = 0; i < 2 * N; i++) column[i] = rows[i][lane];
                        if (smooth(column)) {
#pragma unroll
                            for (int i = 0; i < 2 * N; i++) rows[i][lane] = column[i];
                        }
                    }
                    __syncwarp();
                    if (lane < N) {
#pragma unroll
                        for (int i = 0; i < 2 * N; i++) {
                            v[i] = rows[N + lane][i];
                            if (is_there) *to(plane, x - N + i, band - N + lane) = put(rows[lane][i]);
                        }
                    }
                    __syncwarp();
                }
            }
            Cell smoothed[2 * N];
#pragma unroll
            for (int i = 0; i < 2 * N; i++) smoothed[i] = v[i];
            const bool goes = has_row && smooth(smoothed);
            // The first row that stays ends the edge.
            const u32 stay = ~(__ballot_sync(~0u, goes) >> group) & whole;
            if (goes_on && (stay & ((2u << lane) - 1)) == 0) {
#pragma unroll
                for (int i = 0; i < 2 * N; i++) v[i] = smoothed[i];
            }
            goes_on = goes_on && stay == 0;
            if (has_row) {
#pragma unroll
                for (int i = 0; i < 2 * N; i++) {
                    *to(plane, x - N + i, row) = put(v[i]);
                    if (row >= band + BLOCK - N) rows[row - (band + BLOCK - N)][i] = v[i];
                }
            }
            // Who writes rows again, and who reads them, is another thread.
            __syncwarp();
            band = next_band, first = next_first;
        }
    }

    // The whole plane, by one block of threads.
    static __device__ __forceinline__ void whole(const Source &source, const Plane &plane) {
        const int width = plane.width, height = plane.height;
        for (int y = 0; y < height; y++)
            for (int x = threadIdx.x; x < width; x += THREADS) *to(plane, x, y) = put(from(source, plane, x, y));
        __syncthreads();
        const int units = (width + BLOCK - 1) / BLOCK, bands = (height + BLOCK - 1) / BLOCK;
#pragma unroll 1
        for (int step = 0; step < units + 2 * (bands - 1); step++) {
#pragma unroll 1
            for (int band = threadIdx.x; band < bands; band += THREADS) {
                const int unit = step - 2 * band, x = unit * BLOCK, y = band * BLOCK;
                if (unit < 0 || unit >= units) continue;
                if (has_horizontal(plane, y))
                    for (int k = x; k < x + BLOCK && k < width; k++) across(plane, k, y);
                if (has_vertical(plane, x)) down(plane, x, y);
            }
            __syncthreads();
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const Source centre = source(launch, plane, REACH);
        if constexpr (OVERLAPS) {
            if (x == 0 && y == 0) whole(centre, plane);
        } else {
            const int left = x, columns = x + threadIdx.x % 32, rows = y + threadIdx.x / 32;
            for (int r = rows; r < y + HEIGHT && r < (int)plane.height; r += 8)
                for (int k = columns; k < x + TILE_W && k < (int)plane.width; k += 32) {
                    const int edge = (k + N) / BLOCK * BLOCK;
                    if (k < edge + N && has_vertical(plane, edge)) continue;
                    *to(plane, k, r) = put(alone(centre, plane, k, r));
                }
            // The strips whose edges lie in the columns of the topmost tiles, at most one for each group of threads.
            if (y > 0) return;
            const int edge = ((left + BLOCK - 1) / BLOCK + (int)threadIdx.x / LANES) * BLOCK;
            strip(centre, plane, edge, edge < left + TILE_W && has_vertical(plane, edge));
        }
    }
};
