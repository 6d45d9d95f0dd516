// The sample of a rank in a larger box, bit by bit from the highest on: out(x, y) as rank.cu has it.
// CPU twin: crates/cpu/src/rank
//
// Words in shared memory hold one bit each of 32 samples of a row, so that few words hold that bit of all samples of a
// box. Flags say which samples can still be the result: those that have its higher bits. If more of them than the
// result's place among them have 0 here, so has the result, and the others drop out; else those with 0 do, and the
// place becomes the one among the rest.
//
//       rows of a tile              a word of the flags of a box, NX = 5
//       ┌────────┬────────┬──       ┌────────┬────────┬────────┬────────┐
//       │ 32 x,  │ 32 x,  │         │...row 3│...row 2│...row 1│...row 0│
//       │ bit b  │ bit b  │         │   11111│   11111│   11111│   11111│
//       └────────┴────────┴──       └────────┴────────┴────────┴────────┘
//
// A warp makes 32 columns of 16 rows, a thread R samples of a column at a time. Shared memory: a word for each bit of 32
// samples of the tile and what its boxes reach beyond it, and the results.

// How many bits are set in COUNT words: of three words by way of the sum and the carry of their bits.
template <int COUNT> __device__ __forceinline__ u32 ones(const u32 (&v)[COUNT]) {
    u32 single = 0, twice = 0;
    constexpr int THREES = COUNT / 3 * 3;
#pragma unroll
    for (int i = 0; i < THREES; i += 3) {
        u32 a = v[i], b = v[i + 1], c = v[i + 2];
        single += __popc(a ^ b ^ c);
        twice += __popc(a & b | a & c | b & c);
    }
#pragma unroll
    for (int i = THREES; i < COUNT; i++) single += __popc(v[i]);
    return single + 2 * twice;
}

// Bit i of the word of lane l becomes bit l of the word of lane i.
__device__ __forceinline__ u32 transposed(u32 v) {
    const u32 lane = threadIdx.x % 32;
    u32 lower = 0x0000ffffu;
#pragma unroll
    for (u32 step = 16; step; step >>= 1) {
        bool upper = lane & step;
        u32 other = __shfl_xor_sync(0xffffffffu, v, step);
        u32 moved = __funnelshift_l(other, other, upper ? 32 - step : step), kept = upper ? ~lower : lower;
        v = v & kept | moved & ~kept;
        lower ^= lower << step / 2;
    }
    return v;
}

// 1, 2 or 4 words that are read at once.
template <int COUNT> struct Several;
template <> struct Several<1> { typedef u32 Type; };
template <> struct Several<2> { typedef uint2 Type; };
template <> struct Several<4> { typedef uint4 Type; };

template <class P> struct Sliced : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Box<typename P::Around> X;
    static constexpr u32 RANK = P::RANK;
    static constexpr int R = P::R, HEIGHT = P::HEIGHT;
    static constexpr int ROWS = HEIGHT + X::NY - 1;
    // Words beside one another that a row of a box takes; or rows of a box that share a word, in fields of FIELD bits.
    static constexpr int PARTS = P::PARTS, SHARING = P::SHARING, FIELD = 32 / SHARING;
    static_assert(PARTS * 32 >= X::NX && (SHARING == 1 || X::NX <= FIELD));
    // Words below one another for R boxes below one another, and the most that one of them meets.
    static constexpr int DEEP = P::DEEP, MOST = P::MOST;
    static_assert(DEEP * SHARING >= R + X::NY - 1 && (MOST - 1) * SHARING >= X::NY - 1);
    static constexpr int PILES = X::NT * PARTS;
    // Rows that are read for them, R at once.
    static constexpr int LINES = P::LINES;
    static_assert(LINES >= DEEP * SHARING && LINES % R == 0);
    // Words in shared memory: PITCH rows to a column of words, APART for all columns of one bit of one frame, so that
    // eight bits lie in banks of their own. Then the results of each warp.
    static constexpr int COLUMNS = TILE_W / 32 + PARTS, PITCH = P::PITCH, APART = P::APART;
    static_assert(PITCH >= HEIGHT - R + LINES && APART >= COLUMNS * PITCH);
    static_assert(4 * (X::NT * BITS * APART + THREADS * R) <= SHARED_BYTES);
    // Rows that are cut into bits at once.
    static constexpr int AT_ONCE = 32 / BITS;

    // The flags of all samples of the box that begins `row` rows below the first, in the word `deep` below the first.
    static __device__ __forceinline__ constexpr u32 flags(int row, int part, int deep) {
        u32 all = 0;
        for (int k = 0; k < SHARING; k++) {
            int at = deep * SHARING + k - row, wide = X::NX - 32 * part;
            if (at >= 0 && at < X::NY) all |= (wide >= 32 ? 0xffffffffu : (1u << wide) - 1) << k * FIELD % 32;
        }
        return all;
    }

    // Whether the box that begins `row` rows below the first meets a word.
    static __device__ __forceinline__ constexpr bool meets(int row, int deep) {
        return deep * SHARING < row + X::NY && (deep + 1) * SHARING > row;
    }

    // Cuts what the tile at (x, y) needs into bits; gives the bits that this warp met.
    static __device__ __forceinline__ u32 cut(const Launch &launch, const Plane &plane, int x, int y, u32 *words) {
        constexpr int GROUPS = (ROWS + AT_ONCE - 1) / AT_ONCE;
        const int lane = threadIdx.x % 32;
        u32 met = 0;
        x -= X::AX, y -= X::AY;
#pragma unroll 1
        for (int t = 0; t < X::NT; t++) {
            Source from = source(launch, plane, X::FRAME + t);
#pragma unroll 2
            for (int i = threadIdx.x / 32; i < COLUMNS * GROUPS; i += THREADS / 32) {
                int column = i % COLUMNS, row = i / COLUMNS * AT_ONCE, to = row + lane / BITS;
                int sx = resolved<B>(x + 32 * column + lane, plane.width);
                // Each lane resolves one of the rows.
                int mine = resolved<B>(y + row + lane % AT_ONCE, plane.height);
                u32 v = 0;
#pragma unroll
                for (int k = 0; k < AT_ONCE; k++) {
                    int sy = __shfl_sync(0xffffffffu, mine, k);
                    v |= key(fetched<Cell, B>(from, plane, sx, sy)) << k * BITS % 32;
                }
                v = transposed(v);
                if (to < ROWS) words[(t * BITS + lane % BITS) * APART + column * PITCH + to] = v;
                met |= v;
            }
        }
        met = __ballot_sync(0xffffffffu, met);
        return BITS == 8 ? met | met >> 8 | met >> 16 | met >> 24 : BITS == 16 ? met | met >> 16 : met;
    }

    // One bit of R boxes' samples: what stands in LINES rows from `from` on, of two columns of words.
    static __device__ __forceinline__ void gather(const u32 *from, u32 (&word)[DEEP]) {
        typedef typename Several<R>::Type Type;
        u32 line[LINES];
#pragma unroll
        for (int i = 0; i < LINES; i += R) {
            const Type left = *reinterpret_cast<const Type *>(from + i), right = *reinterpret_cast<const Type *>(from + PITCH + i);
#pragma unroll
            for (int k = 0; k < R; k++) {
                u32 a = reinterpret_cast<const u32 *>(&left)[k], b = reinterpret_cast<const u32 *>(&right)[k];
                line[i + k] = __funnelshift_r(a, b, threadIdx.x % 32);
            }
        }
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            const u32 *of = line + i * SHARING;
            if constexpr (SHARING == 4) word[i] = __byte_perm(__byte_perm(of[0], of[1], 0x0040), __byte_perm(of[2], of[3], 0x0040), 0x5410);
            else if constexpr (SHARING == 2) word[i] = __byte_perm(of[0], of[1], 0x5410);
            else word[i] = of[0];
        }
    }

    // The keys of R results, of which `met` has all bits that a sample has.
    static __device__ __forceinline__ void find(const u32 *words, u32 met, u32 (&found)[R]) {
        u32 alive[R][PILES][MOST], place[R];
#pragma unroll
        for (int r = 0; r < R; r++) {
            found[r] = 0, place[r] = RANK;
#pragma unroll
            for (int p = 0; p < PILES; p++)
#pragma unroll
                for (int i = 0; i < MOST; i++) alive[r][p][i] = flags(r, p % PARTS, r / SHARING + i);
        }
#pragma unroll 1
        for (int bit = BITS - 1; bit >= 0; bit--) {
            if (!(met >> bit & 1)) continue;
            u32 word[PILES][DEEP];
#pragma unroll
            for (int p = 0; p < PILES; p++) gather(words + (p / PARTS * BITS + bit) * APART + p % PARTS * PITCH, word[p]);
#pragma unroll
            for (int r = 0; r < R; r++) {
                u32 zeros[PILES * MOST];
#pragma unroll
                for (int p = 0; p < PILES; p++)
#pragma unroll
                    for (int i = 0; i < MOST; i++)
                        zeros[p * MOST + i] = meets(r, r / SHARING + i) ? alive[r][p][i] & ~word[p][r / SHARING + i] : 0;
                u32 count = ones(zeros);
                bool zero = count > place[r];
                u32 turn = zero ? 0xffffffffu : 0;
                if (!zero) place[r] -= count, found[r] |= 1u << bit;
#pragma unroll
                for (int p = 0; p < PILES; p++)
#pragma unroll
                    for (int i = 0; i < MOST; i++)
                        if (meets(r, r / SHARING + i)) alive[r][p][i] &= word[p][r / SHARING + i] ^ turn;
            }
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        __shared__ u32 bits[THREADS / 32];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        u32 *words = reinterpret_cast<u32 *>(shared), *results = words + X::NT * BITS * APART + warp * 32 * R;
        u32 met = cut(launch, plane, x, y, words);
        if (!lane) bits[warp] = met;
        __syncthreads();
        for (int i = 0; i < THREADS / 32; i++) met |= bits[i];
        const int column = warp % 4, first = warp / 4 * 16;
        x += 32 * column;
        if (x >= (int)plane.width) return;
#pragma unroll 1
        for (int row = first; row < first + 16 && y + row < (int)plane.height; row += R) {
            u32 found[R];
            find(words + column * PITCH + row, met, found);
#pragma unroll
            for (int r = 0; r < R; r++) results[32 * r + lane] = found[r];
            __syncwarp();
            for (int i = lane; i < 8 * R; i += 32) {
                const u32 *four = results + 4 * i;
                float v[4] = {number(four[0]), number(four[1]), number(four[2]), number(four[3])};
                F::store(launch, plane, x + 4 * (i % 8), y + row + i / 8, v);
            }
            __syncwarp();
        }
    }
};
