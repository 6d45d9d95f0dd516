// Means over samples whose surroundings look alike: out(x, y) = finish((Σ w · in(o) + in) / (Σ w + 1)), where w is looked up
// by how far the squares around the sample and around that at offset o differ. CPU twin: crates/cpu/src/nlmeans
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
//   Columned   bytes, patches of up to 7: a thread makes 2 columns of R rows, and takes two offsets beside each other down
//           all of them at a time. A row of differences is two instructions for four of them, and prefixes of their sums
//           run down the columns in registers. A warp covers 64 columns, two of them a tile's width.
//
//       ┌──┬──┬──┬──┐   shared: of the frame itself two words for each pair of columns; of the frame that is searched a
//       │  │  │  │  │   word for every column, the four samples from there on; the weights, once for each lane where
//       └──┴──┴──┴──┘   there is room, so that no two lanes meet in a bank. A block takes most of a multiprocessor.
//
//           At edges weights of samples outside are the last, which is 0.
//
//           Measured on one H100 at 1980 MHz, one launch of a 1080p plane, 15x15, 7x7: 0.338 ms with s=4, 0.357 with s=1; the prediction
//           was 0.36, all blocks alike. Blocks at edges made it slow, as they come last: 0.529 where each place is compared with the
//           plane's edges, 0.400 with a branch a row, which keeps rows from overlapping; now a high bit is added to a sum outside.
//           Bound by issue: 16.2 instructions a pair of samples, 2.9 of 4 slots while a block runs; multiprocessors have none
//           for 13 % of the time, as 255 blocks are two waves of 132, the second short. ALU 62 %, wavefronts of shared memory 60 %.
//
// Parameters: Border, Last, and
//   PATCH, SEARCH   what lies on either side of the middle of what is compared, and of where is looked
//   FRAMES          frames on either side
//   AT, LAST        where the weights are, and the number of the last; above 8 bits two words of Scale follow
//   SHARE           where weights are shown, the bits of what they are multiplied by; else 0
// or R and COPIES, the copies of the weights in shared memory.

// What a sample is compared as, and what it is summed as. Above 8 bits in whole steps, of which a unit has so many from an
// origin on.
struct Scale {
    float steps, origin;
};
template <class P> struct Kind {
    static constexpr bool STEPPED = sizeof(PIXEL) > 1;
    static __device__ __forceinline__ float value(float v) { return sizeof(PIXEL) == 4 && !isfinite(v) ? 0.0f : v; }
    // Behind the weights, so that a program serves all strengths.
    static __device__ __forceinline__ Scale scale(const Launch &launch) {
        const u32 *words = launch.lookups + P::AT + P::LAST + 1;
        return STEPPED ? Scale{__uint_as_float(__ldg(words)), __uint_as_float(__ldg(words + 1))} : Scale{};
    }
    // From 2^23 to 2^24 floats are whole numbers, and their bits count them.
    static __device__ __forceinline__ int key(Scale by, float v) {
        if (!STEPPED) return (int)v;
        const float place = __fadd_rn(__fmul_rn(value(v), by.steps), by.origin);
        return __float_as_int(__fadd_rn(fminf(fmaxf(place, 0.0f), 32767.0f), 12582912.0f)) - 0x4b400000;
    }
};

// What becomes of a sample `v`.
template <class P> __device__ __forceinline__ float shown(float sum, float total, float v) {
    if (!Kind<P>::STEPPED) sum = __fadd_rn(sum, v), total = __fadd_rn(total, 1.0f);
    return P::SHARE ? __fmul_rn(total, __uint_as_float(P::SHARE)) : __fdiv_rn(sum, total);
}

template <class P> struct Alike : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Kind<P> K;
    static constexpr int HEIGHT = 16, PATCH = P::PATCH, SEARCH = P::SEARCH, FRAMES = P::FRAMES;
    static constexpr int SIDE = 2 * PATCH + 1, WIDE = TILE_W + 2 * PATCH;
    // Rows of offsets that are gone through column by column.
    static constexpr int TOGETHER = K::STEPPED ? 2 : 1;
    static constexpr int ROWS = HEIGHT + 2 * (PATCH + SEARCH), COLUMNS = TILE_W + 2 * (PATCH + SEARCH);
    static_assert(WIDE <= THREADS, "a column a thread");

    static __device__ __forceinline__ int key(Scale by, const Source &from, const Plane &plane, int x, int y) {
        return K::key(by, fetched<float, B>(from, plane, x, y));
    }
    static __device__ __forceinline__ u32 squared(int a, int b) {
        u32 d = abs(a - b);
        if (K::STEPPED) d = min(d, 127u);
        return d * d;
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        u32 *down = reinterpret_cast<u32 *>(shared);
        int *rows = reinterpret_cast<int *>(down + 2 * HEIGHT * WIDE), *columns = rows + ROWS;
        for (int i = threadIdx.x; i < ROWS; i += THREADS) rows[i] = resolved<B>(y - PATCH - SEARCH + i, plane.height);
        for (int i = threadIdx.x; i < COLUMNS; i += THREADS) columns[i] = resolved<B>(x - PATCH - SEARCH + i, plane.width);
        __syncthreads();

        const u32 *weights = launch.lookups + P::AT;
        const Scale by = K::scale(launch);
        const Source centre = source(launch, plane, REACH);
        const int quad = 4 * (threadIdx.x % 32), line = threadIdx.x / 32;
        float total[2][4] = {}, sum[2][4] = {};
        int half = 0;
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            const Source from = source(launch, plane, REACH + t);
#pragma unroll 1
            for (int top = -SEARCH; top <= SEARCH; top += TOGETHER)
#pragma unroll 1
                for (int i = 0; i < TOGETHER * (2 * SEARCH + 1); i++) {
                    const int oy = top + i % TOGETHER, ox = i / TOGETHER - SEARCH;
                    // What the other kind of samples meets last has its place among the others here.
                    if (oy > SEARCH || !K::STEPPED && !t && !oy && !ox) continue;
                    u32 *sums = down + half * HEIGHT * WIDE;
                    half ^= 1;
                    if (threadIdx.x < WIDE) {
                        const int here = columns[SEARCH + threadIdx.x], there = columns[SEARCH + ox + threadIdx.x];
                        auto one = [&](int r) {
                            return squared(key(by, centre, plane, here, rows[SEARCH + r]), key(by, from, plane, there, rows[SEARCH + oy + r]));
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
                            const u32 place = min(K::STEPPED ? held >> 7 : held, (u32)P::LAST);
                            held -= across[k];
                            const int there = x + quad + k + ox;
                            if ((u32)there >= plane.width || x + quad + k >= (int)plane.width) continue;
                            const float w = __uint_as_float(__ldg(weights + place));
                            const float v = K::value(from.samples ? (float)__ldg(at(from, there, y + row + oy)) : plane.neutral);
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
                mean[k] = shown<P>(sum[r][k], total[r][k], own.v[k]);
            }
            F::store(launch, plane, x + quad, row, mean);
        }
    }
};

// One byte of a word as a float.
template <int K> __device__ __forceinline__ float byte_of(u32 word) { return placed(word, 0x7440 + K); }

template <class P> struct Columned : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    static constexpr int PATCH = P::PATCH, SEARCH = P::SEARCH, FRAMES = P::FRAMES, R = P::R, LAST = P::LAST;
    static constexpr int COPIES = P::COPIES, SIDE = 2 * PATCH + 1, HEIGHT = 4 * R;
    // The frame's own samples: two words for each pair of columns. Those that it is compared with: a word from each column on.
    static constexpr int OWN_ROWS = HEIGHT + 2 * PATCH, PAIRS = TILE_W / 2;
    static constexpr int ROWS = OWN_ROWS + 2 * SEARCH, PITCH = TILE_W + 2 * SEARCH + 4;
    static_assert(PATCH <= 3, "two columns of a patch are eight bytes");

    // The bytes of a word that a row of a patch has in the first or the second of the columns, the word being the first
    // or the second.
    static __device__ constexpr u32 mask(int column, int word) {
        u32 bytes = 0;
        for (int k = 0; k < 4; k++)
            if (4 * word + k >= column && 4 * word + k < column + SIDE) bytes |= 255u << 8 * k;
        return bytes;
    }
    template <int COLUMN, int WORD> static __device__ __forceinline__ u32 squared(u32 d, u32 sum) {
        constexpr u32 MASK = mask(COLUMN, WORD);
        if (!MASK) return sum;
        if (MASK != ~0u) d &= MASK;
        return __dp4a(d, d, sum);
    }
    template <int COLUMN> static __device__ __forceinline__ float sample(u32 first, u32 second) {
        constexpr int BYTE = PATCH + COLUMN;
        return byte_of<BYTE % 4>(BYTE < 4 ? first : second);
    }

    struct Shared {
        u32 *weights, *words;
        uint2 *own;
        int *rows, *columns;
    };
    static __device__ __forceinline__ Shared parts() {
        Shared s;
        s.own = reinterpret_cast<uint2 *>(shared);
        s.words = reinterpret_cast<u32 *>(s.own + OWN_ROWS * PAIRS);
        s.rows = reinterpret_cast<int *>(s.words + ROWS * PITCH);
        s.columns = s.rows + ROWS;
        s.weights = reinterpret_cast<u32 *>(s.columns + PITCH + 4);
        return s;
    }

    // The words of a frame.
    static __device__ __forceinline__ void load(const Shared &s, const Source &from, const Plane &plane) {
#pragma unroll 1
        for (int i = threadIdx.x; i < ROWS * PITCH; i += THREADS) {
            const int row = s.rows[i / PITCH], *column = s.columns + i % PITCH;
            u32 word = 0;
#pragma unroll
            for (int k = 0; k < 4; k++) word |= (u32)fetched<int, B>(from, plane, column[k], row) << 8 * k;
            s.words[i] = word;
        }
    }

    static __device__ __forceinline__ float weight(const Launch &launch, const Shared &s, u32 place) {
        if (COPIES > 1) return __uint_as_float(s.weights[place * 32 + threadIdx.x % 32]);
        if (COPIES == 1) return __uint_as_float(s.weights[place]);
        return __uint_as_float(__ldg(launch.lookups + P::AT + place));
    }

    // What lies inside: of the two columns, and of the rows from the thread's first on.
    struct Inside {
        int x, y, width, height;
    };

    // N offsets beside each other, for all samples of a thread. `words` are those that its first row meets.
    template <int N, bool EDGE>
    static __device__ __forceinline__ void offsets(const Launch &launch, const Shared &s, const u32 *words, const uint2 *own, Inside at, float (&total)[2][R], float (&sum)[2][R]) {
        u32 before[N][2][SIDE], held[SIDE][N][2], outside[N + 1];
        // What takes the place of a sample outside beyond the last: no branch, which would keep rows from overlapping.
#pragma unroll
        for (int i = 0; i <= N; i++) outside[i] = EDGE && (u32)(at.x + i) >= (u32)at.width ? 1u << 30 : 0;
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int j = 0; j < SIDE; j++) before[i][0][j] = before[i][1][j] = 0;
#pragma unroll
        for (int r = 0; r < R + SIDE - 1; r++) {
            constexpr int S = SIDE;
            const int slot = r % S, above = (r + S - 1) % S, middle = (r + S - PATCH) % S;
            const u32 *row = words + r * PITCH;
            if (N == 2) {
                const uint2 first = *reinterpret_cast<const uint2 *>(row), second = *reinterpret_cast<const uint2 *>(row + 4);
                held[slot][0][0] = first.x, held[slot][N - 1][0] = first.y;
                held[slot][0][1] = second.x, held[slot][N - 1][1] = second.y;
            } else {
                held[slot][0][0] = row[0], held[slot][0][1] = row[4];
            }
            const uint2 mine = own[r * PAIRS];
            const int line = r - S + 1;
            u32 sums[N][2];
#pragma unroll
            for (int i = 0; i < N; i++) {
                const u32 first = __vabsdiffu4(mine.x, held[slot][i][0]), second = __vabsdiffu4(mine.y, held[slot][i][1]);
                const u32 left = squared<0, 1>(second, squared<0, 0>(first, before[i][0][above]));
                const u32 right = squared<1, 1>(second, squared<1, 0>(first, before[i][1][above]));
                const u32 old[2] = {before[i][0][slot], before[i][1][slot]};
                before[i][0][slot] = left, before[i][1][slot] = right;
                sums[i][0] = left - old[0], sums[i][1] = right - old[1];
            }
            if (line < 0) continue;
            const u32 beyond = EDGE && (u32)(at.y + line) >= (u32)at.height ? 1u << 30 : 0;
            // Of columns beside each other; two offsets share the middle one.
            const u32 *first = held[middle][0], *last = held[middle][N - 1];
            float v[N + 1];
            v[0] = sample<0>(first[0], first[1]), v[1] = sample<1>(first[0], first[1]), v[N] = sample<1>(last[0], last[1]);
#pragma unroll
            for (int i = 0; i < N; i++) {
#pragma unroll
                for (int c = 0; c < 2; c++) {
                    const float w = weight(launch, s, min(EDGE ? sums[i][c] + (outside[i + c] | beyond) : sums[i][c], (u32)LAST));
                    total[c][line] = __fadd_rn(total[c][line], w);
                    sum[c][line] = __fadd_rn(sum[c][line], __fmul_rn(w, v[i + c]));
                }
            }
        }
    }

    template <bool EDGE>
    static __device__ __forceinline__ void mean(const Launch &launch, const Plane &plane, int x, int y, const Shared &s) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = warp % 2 * 32 + lane, line = warp / 2 * R;
        float total[2][R], sum[2][R];
#pragma unroll
        for (int r = 0; r < R; r++) total[0][r] = total[1][r] = sum[0][r] = sum[1][r] = 0.0f;
        const uint2 *own = s.own + line * PAIRS + pair;
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            __syncthreads();
            load(s, source(launch, plane, REACH + t), plane);
            __syncthreads();
#pragma unroll 1
            for (int half = 0; half < 2 * (2 * SEARCH + 1); half++) {
                // Only the row of the sample itself has two parts, before and after it.
                const int oy = half / 2, part = half % 2;
                const bool parted = !t && oy == SEARCH;
                int begin = part ? SEARCH + 1 : 0, end = part || !parted ? 2 * SEARCH + 1 : SEARCH;
                if (part && !parted) continue;
                const u32 *words = s.words + (line + oy) * PITCH + 2 * pair;
#pragma unroll 1
                while (begin < end) {
                    const Inside at = {x + 2 * pair + begin - SEARCH, y + line + oy - SEARCH, (int)plane.width, (int)plane.height};
                    if (begin % 2 || begin + 1 == end) {
                        offsets<1, EDGE>(launch, s, words + begin, own, at, total, sum);
                        begin++;
                    } else {
                        offsets<2, EDGE>(launch, s, words + begin, own, at, total, sum);
                        begin += 2;
                    }
                }
            }
        }
        // Two threads that are neighbours have four samples of each of two rows: each writes one of the rows.
        const int odd = lane % 2, left = x + 4 * (pair / 2);
#pragma unroll
        for (int r = 0; r < R; r += 2) {
            float made[2][2];
#pragma unroll
            for (int k = 0; k < 2; k++) {
                const uint2 mine = own[(r + k + PATCH) * PAIRS];
                made[k][0] = shown<P>(sum[0][r + k], total[0][r + k], sample<0>(mine.x, mine.y));
                made[k][1] = shown<P>(sum[1][r + k], total[1][r + k], sample<1>(mine.x, mine.y));
            }
            float given[2];
#pragma unroll
            for (int c = 0; c < 2; c++) given[c] = __shfl_xor_sync(~0u, odd ? made[0][c] : made[1][c], 1);
            const float first[4] = {made[0][0], made[0][1], given[0], given[1]};
            const float second[4] = {given[0], given[1], made[1][0], made[1][1]};
            if (odd) F::store(launch, plane, left, y + line + r + 1, second);
            else F::store(launch, plane, left, y + line + r, first);
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const Shared s = parts();
        for (int i = threadIdx.x; i < ROWS; i += THREADS) s.rows[i] = resolved<B>(y - PATCH - SEARCH + i, plane.height);
        for (int i = threadIdx.x; i < PITCH + 4; i += THREADS) s.columns[i] = resolved<B>(x - PATCH - SEARCH + i, plane.width);
        for (int i = threadIdx.x; i < COPIES * (LAST + 1); i += THREADS) s.weights[i] = __ldg(launch.lookups + P::AT + i / max(COPIES, 1));
        __syncthreads();
        load(s, source(launch, plane, REACH), plane);
        __syncthreads();
        for (int i = threadIdx.x; i < OWN_ROWS * PAIRS; i += THREADS) {
            const u32 *words = s.words + (SEARCH + i / PAIRS) * PITCH + SEARCH + 2 * (i % PAIRS);
            s.own[i] = make_uint2(words[0], words[4]);
        }
        const bool inside = x >= SEARCH && y >= SEARCH && x + TILE_W + SEARCH <= (int)plane.width && y + HEIGHT + SEARCH <= (int)plane.height;
        if (inside) mean<false>(launch, plane, x, y, s);
        else mean<true>(launch, plane, x, y, s);
    }
};
