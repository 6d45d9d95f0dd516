// Means over samples whose surroundings look alike, above 8 bits and in floats: out(x, y) = finish(Σ w · in(o) / Σ w), where w is
// looked up by how far the squares around the sample and around that at offset o differ in whole steps (crates/filter/src/pass/nlmeans.rs).
// CPU twin: crates/cpu/src/nlmeans. Patches and searches for which it has no room take Alike of nlmeans.cu.
//
//   Stepped   a warp makes 120 columns of R rows, four columns a lane, and takes two offsets at a time, one below the other; one
//           where patches have 9 samples a side.
//
//       lane 0   1    2        30   31      Steps are 16-bit halves of words: the frame's own, 128 more, two words for four
//       ┌────┬────┬────┬ ─ ─ ┬────┬────┐    columns; the searched frame's, negative, a word from each column on. Two
//       │give│ make 4 columns each │give│   instructions add and clamp two differences each to 0 .. 255, one takes the four bytes,
//       └────┴────┴────┴ ─ ─ ┴────┴────┘    and one takes 128 away; a dot product squares and adds them. The differences
//                                           beside its own columns a lane takes from its neighbours: lanes 0 and 31 only give.
//
//           Prefixes of the sums run down the columns in registers, PATCH · 2 + 1 of each column; the sum over a square is a difference
//           of two. Its upper bits and the lane's number are the weight's place: weights stand once for each lane. Shared memory
//           holds words and values by column modulo 4, so that no two lanes meet in a bank. A block takes a multiprocessor.
//
//           Beyond edges weights are those of place 127, which is 0.
//
// Measured on one H100 at 1980 MHz, one launch of a 1080p plane, in ms; a prototype's 0.290 and 0.279 were the prediction:
//                                u10, u12, u16   f32
//   15x15, 7x7                   0.291           0.312
//   5x5, 9x9, three frames       0.157           0.164
//   15x15, 9x9 / 5x5 / 3x3       0.383 / 0.276 / 0.256
// Bound by issue: 14.2 instructions a pair of samples, idle lanes and rows counted in, 3.0 of 4 slots; wavefronts of shared memory 69 %, ALU
// 60 %. 9x9 over three frames: 21.9 instructions, 2.6 slots. 17 rows make 128 tiles of 1080p, one wave of 132 multiprocessors; 16 make 144
// and take 1.3 times as long. What was tried: one body of code for blocks inside and at edges, 0.384, as registers of both are spilled; a
// sum for each weight's address, 0.023 more; two offsets at a time of patches of 9, 0.167 by spilled registers. Without edges it would be 0.256.
//
// Parameters: those of Alike, and R.
template <class P> struct Stepped : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Kind<P> K;
    static constexpr int PATCH = P::PATCH, SEARCH = P::SEARCH, FRAMES = P::FRAMES, R = P::R;
    static constexpr int SIDE = 2 * PATCH + 1, HEIGHT = 8 * R, WIDTH = P::WIDTH, MOST = P::LAST << 7;
    // Columns of a row by their number modulo 4, rows of words, of values, and of the frame's own.
    static constexpr int PITCH = (TILE_W + 2 * SEARCH) / 4 + 1, ROW = 4 * PITCH;
    static constexpr int VALUE_ROWS = HEIGHT + 2 * SEARCH, WORD_ROWS = VALUE_ROWS + 2 * PATCH, OWN_ROWS = HEIGHT + 2 * PATCH;
    // Where weights, own steps, words, values, and the places of rows and columns start, in words.
    static constexpr int OWN = 128 * 32, WORDS = OWN + 64 * OWN_ROWS, VALUES = WORDS + ROW * WORD_ROWS, PLACES = VALUES + ROW * VALUE_ROWS;
    // The address of the weights, which instructions hold, so that none is spent on a sum: behind what the driver takes of shared memory, and
    // SPARE bytes that other ops of the program may take.
    static constexpr u32 SPARE = 128, START = (__CUDA_ARCH__ >= 800 ? 1024 : 0) + SPARE;
    static_assert(WIDTH == TILE_W - 8, "the first and the last lane make nothing");
    static_assert(PATCH <= 4, "the differences of neighbours are enough");
    static_assert(4 * (PLACES + WORD_ROWS + ROW + 1) + SPARE <= SHARED_BYTES, "room for all");

    static __device__ __forceinline__ u32 *words(int from) {
        return reinterpret_cast<u32 *>(reinterpret_cast<char *>(shared) + (START - (u32)__cvta_generic_to_shared(shared))) + from;
    }
    static __device__ __forceinline__ u32 halves(int low, int high) { return (low & 0xffff) | (u32)high << 16; }

    // Four differences as signed bytes.
    static __device__ __forceinline__ u32 apart(uint2 own, u32 first, u32 second) {
        const u32 low = __viaddmin_s16x2_relu(own.x, first, 0x00ff00ffu), high = __viaddmin_s16x2_relu(own.y, second, 0x00ff00ffu);
        return __byte_perm(low, high, 0x6420) ^ 0x80808080u;
    }
    static __device__ __forceinline__ u32 squared(u32 d, u32 sum) { return __dp4a((int)d, (int)d, (int)sum); }

    // The bytes of the word before, the own and the next that a column's row of a patch has.
    static __device__ constexpr u32 mask(int column, int word) {
        u32 bytes = 0;
        for (int k = 0; k < 4; k++)
            if (4 * word + k >= 4 + column - PATCH && 4 * word + k <= 4 + column + PATCH) bytes |= 255u << 8 * k;
        return bytes;
    }
    template <int COLUMN> static __device__ __forceinline__ u32 masked(u32 left, u32 d, u32 right, u32 sum) {
        constexpr u32 LEFT = mask(COLUMN, 0), OWN = mask(COLUMN, 1), RIGHT = mask(COLUMN, 2);
        if (OWN) sum = squared(d & OWN, sum);
        if (LEFT) sum = squared(left & LEFT, sum);
        if (RIGHT) sum = squared(right & RIGHT, sum);
        return sum;
    }
    // Adds the squares of a row to what runs down four columns.
    static __device__ __forceinline__ void row(u32 left, u32 d, u32 right, const u32 (&before)[4], u32 (&sums)[4]) {
        if (PATCH == 3) {
            // Of both neighbours together three bytes.
            const u32 first = left & 0xffffff00u, last = right & 0x00ffffffu;
            sums[0] = squared(first, squared(d, before[0]));
            sums[1] = squared(__byte_perm(first, last, 0x0432), squared(d, before[1]));
            sums[2] = squared(__byte_perm(first, last, 0x0543), squared(d, before[2]));
            sums[3] = squared(last, squared(d, before[3]));
        } else if (PATCH == 4) {
            sums[0] = squared(right & 0x000000ffu, squared(left, squared(d, before[0])));
            sums[1] = squared(right & 0x0000ff00u, squared(__byte_perm(left, right, 0x4321), squared(d, before[1])));
            sums[2] = squared(right & 0x00ff0000u, squared(__byte_perm(left, right, 0x5432), squared(d, before[2])));
            sums[3] = squared(right & 0xff000000u, squared(__byte_perm(left, right, 0x6543), squared(d, before[3])));
        } else {
            sums[0] = masked<0>(left, d, right, before[0]);
            sums[1] = masked<1>(left, d, right, before[1]);
            sums[2] = masked<2>(left, d, right, before[2]);
            sums[3] = masked<3>(left, d, right, before[3]);
        }
    }

    // The words and values of a frame.
    static __device__ __forceinline__ void load(const Source &from, const Plane &plane, Scale by) {
        const int *rows = reinterpret_cast<const int *>(words(PLACES)), *columns = rows + WORD_ROWS;
#pragma unroll 1
        for (int i = threadIdx.x; i < WORD_ROWS * PITCH; i += THREADS) {
            const int r = i / PITCH, k = i % PITCH, y = rows[r];
            float v[5];
            int q[5];
#pragma unroll
            for (int c = 0; c < 5; c++) v[c] = K::value(fetched<float, B>(from, plane, columns[4 * k + c], y)), q[c] = -K::key(by, v[c]);
#pragma unroll
            for (int c = 0; c < 4; c++) words(WORDS)[r * ROW + c * PITCH + k] = halves(q[c], q[c + 1]);
            if (r < PATCH || r >= PATCH + VALUE_ROWS) continue;
#pragma unroll
            for (int c = 0; c < 4; c++) words(VALUES)[(r - PATCH) * ROW + c * PITCH + k] = __float_as_uint(v[c]);
        }
    }

    // Where the samples that a lane meets first lie in the plane.
    struct Met {
        int x, y, width, height;
    };

    // DOWN offsets below each other, for all samples of a lane: the first leads to `column` of the words from `from` on. EDGE: what is
    // met may lie outside the plane.
    template <int DOWN, bool EDGE>
    static __device__ __forceinline__ void offsets(const u32 *from, const float *values, int column, const uint2 *own, u32 lane, Met at, float (&total)[4][R], float (&sum)[4][R]) {
        const u32 *word[2];
        const float *value[4];
        u32 before[DOWN][SIDE][4], held[DOWN][2], places[4];
        float met[DOWN][4];
#pragma unroll
        for (int m = 0; m < 2; m++) word[m] = from + (column + 2 * m & 3) * PITCH + (column + 2 * m >> 2);
#pragma unroll
        for (int m = 0; m < 4; m++) {
            value[m] = values + (column + m & 3) * PITCH + (column + m >> 2);
            places[m] = !EDGE || (u32)(at.x + m) < (u32)at.width ? lane : lane | 0x3f80u;
        }
#pragma unroll
        for (int o = 0; o < DOWN; o++)
#pragma unroll
            for (int s = 0; s < SIDE; s++)
#pragma unroll
                for (int c = 0; c < 4; c++) before[o][s][c] = 0;
#pragma unroll
        for (int g = 0; g < DOWN - 1; g++) {
#pragma unroll
            for (int m = 0; m < 2; m++) held[g][m] = word[m][g * ROW];
#pragma unroll
            for (int m = 0; m < 4; m++) met[g][m] = value[m][g * ROW];
        }
#pragma unroll
        for (int s = 0; s < R + SIDE - 1; s++) {
            const uint2 mine = own[s * 32];
            const int y = s >= SIDE - 1 ? s - SIDE + 1 : 0;
#pragma unroll
            for (int m = 0; m < 2; m++) held[(s + DOWN - 1) % DOWN][m] = word[m][(s + DOWN - 1) * ROW];
            if (s >= SIDE - 1)
#pragma unroll
                for (int m = 0; m < 4; m++) met[(y + DOWN - 1) % DOWN][m] = value[m][(y + DOWN - 1) * ROW];
            u32 sums[DOWN][4];
#pragma unroll
            for (int g = 0; g < DOWN; g++) {
                const u32 *q = held[(s + g) % DOWN];
                const u32 below = !EDGE || (u32)(at.y + y + g) < (u32)at.height ? 0u : 0x3f80u;
                const u32 d = apart(mine, q[0], q[1]);
                const u32 left = __shfl_up_sync(~0u, d, 1), right = __shfl_down_sync(~0u, d, 1);
                row(left, d, right, before[g][(s + SIDE - 1) % SIDE], sums[g]);
#pragma unroll
                for (int c = 0; c < 4; c++) {
                    if (s >= SIDE - 1) {
                        const u32 place = (u32)min((int)(sums[g][c] - before[g][s % SIDE][c]), MOST) & ~127u | (places[c] | below);
                        float w;
                        asm("ld.shared.f32 %0, [%1+%2];" : "=f"(w) : "r"(place), "n"(START));
                        const float v = met[(y + g) % DOWN][c];
                        total[c][y] = __fadd_rn(total[c][y], w);
                        // A product of 8 and 16 significant bits is exact.
                        sum[c][y] = sizeof(PIXEL) == 4 ? __fadd_rn(sum[c][y], __fmul_rn(w, v)) : __fmaf_rn(w, v, sum[c][y]);
                    }
                    before[g][s % SIDE][c] = sums[g][c];
                }
            }
        }
    }

    // All offsets of a frame, in their order.
    template <bool EDGE>
    static __device__ __forceinline__ void all(const u32 *from, const float *values, const uint2 *own, u32 lane, Met at, float (&total)[4][R], float (&sum)[4][R]) {
        at.x -= SEARCH, at.y -= SEARCH;
        if constexpr (PATCH > 3) {
            // What runs down the columns of two offsets and the sums of as many rows do not fit the registers.
#pragma unroll 1
            for (int top = 0; top < SIDES; top += 2) {
                const int rows = min(2, SIDES - top);
#pragma unroll 1
                for (int j = 0; j < rows * SIDES; j++) {
                    const int column = j / rows, down = top + j % rows;
                    const Met met = {at.x + column, at.y + down, at.width, at.height};
                    offsets<1, EDGE>(from + down * ROW, values + down * ROW, column, own, lane, met, total, sum);
                }
            }
        } else {
#pragma unroll 1
            for (int i = 0; i < SEARCH; i++, from += 2 * ROW, values += 2 * ROW, at.y += 2, at.x -= SIDES)
#pragma unroll 1
                for (int j = 0; j < SIDES; j++, at.x++) offsets<2, EDGE>(from, values, j, own, lane, at, total, sum);
#pragma unroll 1
            for (int j = 0; j < SIDES; j++, at.x++) offsets<1, EDGE>(from, values, j, own, lane, at, total, sum);
        }
    }
    static constexpr int SIDES = 2 * SEARCH + 1;

    // One way for a block, from its beginning to its end: where two meet, registers of both are spilled.
    template <bool EDGE> static __device__ __forceinline__ void mean(const Launch &launch, const Plane &plane, Scale by, u32 lane, Met at) {
        const int line = threadIdx.x / 32 * R;
        float total[4][R], sum[4][R];
#pragma unroll
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int r = 0; r < R; r++) total[c][r] = sum[c][r] = 0.0f;
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            if (t > -FRAMES) __syncthreads();
            load(source(launch, plane, REACH + t), plane, by);
            __syncthreads();
            if (at.y >= at.height) continue;
            const uint2 *own = reinterpret_cast<const uint2 *>(words(OWN)) + line * 32 + lane / 4;
            const u32 *from = words(WORDS) + line * ROW + lane / 4;
            const float *values = reinterpret_cast<const float *>(words(VALUES)) + line * ROW + lane / 4;
            all<EDGE>(from, values, own, lane, at, total, sum);
        }
        if (lane == 0 || lane == 31 * 4) return;
#pragma unroll
        for (int r = 0; r < R; r++) {
            float made[4];
#pragma unroll
            for (int c = 0; c < 4; c++) made[c] = shown<P>(sum[c][r], total[c][r], 0.0f);
            F::store(launch, plane, at.x, at.y + r, made);
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        if (START - (u32)__cvta_generic_to_shared(shared) > SPARE) __trap();
        // Four times the lane's number, so that the compiler does not take it apart.
        const u32 lane = __shfl_sync(~0u, threadIdx.x % 32 * 4, threadIdx.x % 32);
        int *rows = reinterpret_cast<int *>(words(PLACES)), *columns = rows + WORD_ROWS;
        for (int i = threadIdx.x; i < WORD_ROWS; i += THREADS) rows[i] = resolved<B>(y - PATCH - SEARCH + i, plane.height);
        for (int i = threadIdx.x; i < ROW + 1; i += THREADS) columns[i] = resolved<B>(x - 4 - SEARCH + i, plane.width);
        for (int i = threadIdx.x; i < 128 * 32; i += THREADS) words(0)[i] = __ldg(launch.lookups + P::AT + min(i / 32, (int)P::LAST));
        __syncthreads();
        const Source centre = source(launch, plane, REACH);
        const Scale by = K::scale(launch);
#pragma unroll 1
        for (int i = threadIdx.x; i < OWN_ROWS * 32; i += THREADS) {
            const int *column = columns + SEARCH + 4 * (i % 32);
            int q[4];
#pragma unroll
            for (int c = 0; c < 4; c++) q[c] = 128 + K::key(by, fetched<float, B>(centre, plane, column[c], rows[SEARCH + i / 32]));
            reinterpret_cast<uint2 *>(words(OWN))[i] = make_uint2(halves(q[0], q[1]), halves(q[2], q[3]));
        }
        const Met at = {x - 4 + (int)lane, y + (int)threadIdx.x / 32 * R, (int)plane.width, (int)plane.height};
        const bool inside = x >= SEARCH && y >= SEARCH && x + WIDTH + SEARCH <= at.width && y + HEIGHT + SEARCH <= at.height;
        if (inside) mean<false>(launch, plane, by, lane, at);
        else mean<true>(launch, plane, by, lane, at);
    }
};
