// The motion of blocks against other frames: what the first of the two launches of degrain.cu finds.
// CPU twin: crates/cpu/src/degrain/search.rs
//
//      begin    a block of threads for a group of 7 × 7 blocks against a frame: all that it looks at becomes bytes in shared
//               memory; then a thread a candidate, and the best of each by its number below its cost
//                 1  ┌───┐ of 4 × 4 samples     2  ┌─┬─┐ of 2 × 2, each     3  ┌┬┬┐ each block      4  halves: a thread
//                    └───┘ one, the group          ├─┼─┤ quarter               ├┼┼┤                    for each column of
//                                                  └─┴─┘                       └┴┴┘                    the eight around
//
// In `between`: for each frame the two words of each block (vector, sum), then for each frame a byte for each group, of how
// many of its blocks have changed.

// Samples as they are compared.
template <class T> struct Byte {
    typedef int Cell;
    static __device__ __forceinline__ u32 of(int v, int depth) { return sizeof(T) == 1 ? v : min(v >> (depth - 8), 255); }
    static __device__ __forceinline__ int between(int a, int b, int c, int d) {
        return min(max((9 * (b + c) - (a + d) + 8) >> 4, 0), (int)PEAK);
    }
    static __device__ __forceinline__ int add(int sum, u32 weight, int sample, int centre) { return sum + (int)weight * (sample - centre); }
    static __device__ __forceinline__ int gather(int sum, u32 share, int part) { return (int)((u32)sum + share * (u32)part); }
    static __device__ __forceinline__ float mean(int sum, int centre, float limit) {
        const int m = (((u32)centre << 16) + (u32)sum + 32768u) >> 16, most = (int)limit;
        return min(max(m, centre - most), centre + most);
    }
};
template <> struct Byte<float> {
    typedef float Cell;
    static __device__ __forceinline__ u32 of(float v, int) { return __float2int_rn(__fmul_rn(fminf(fmaxf(v, 0.0f), 1.0f), 255.0f)); }
    static __device__ __forceinline__ float between(float a, float b, float c, float d) {
        return __fmul_rn(__fadd_rn(__fmul_rn(9.0f, __fadd_rn(b, c)), -__fadd_rn(a, d)), 0.0625f);
    }
    static __device__ __forceinline__ float add(float sum, u32 weight, float sample, float centre) {
        return __fadd_rn(sum, __fmul_rn((float)weight, __fadd_rn(sample, -centre)));
    }
    static __device__ __forceinline__ float gather(float sum, u32 share, float part) { return __fadd_rn(sum, __fmul_rn((float)share, part)); }
    static __device__ __forceinline__ float mean(float sum, float centre, float limit) {
        float far = __fmul_rn(sum, 1.0f / 65536.0f);
        if (far > limit) far = limit;
        if (far < -limit) far = -limit;
        return __fadd_rn(centre, far);
    }
};

// Bytes in shared memory, in rows of whole words.
struct Picture {
    u32 *words;
    int pitch;
    __device__ __forceinline__ u8 &at(int x, int y) const { return reinterpret_cast<u8 *>(words + y * pitch)[x]; }
};

// The parameters:
//   Border                             what lies outside
//   N, SEARCH, FRAMES, HALVES, AGAIN   block, search, frames, halves and again of the op
//   CHANGED                            above which sum a block has changed
//   DEPTH                              bits of a sample
template <class P> struct Motion {
    typedef typename P::Border B;
    typedef Byte<PIXEL> K;
    typedef typename K::Cell Cell;
    static constexpr int HEIGHT = P::HEIGHT, N = P::N, STEP = N / 2, SEARCH = P::SEARCH, COUNT = 2 * P::FRAMES;
    static constexpr int MARGIN = 4 * SEARCH + 8, SIDE = 4 * N, WIDE = SIDE + 2 * MARGIN, SMALL = N + 2 * SEARCH;
    static constexpr int GROUP = 7, ALL = GROUP * GROUP, AROUND = 2, KNOWN = 5, CANDIDATES = KNOWN * 26;
    static constexpr u32 AGAIN = P::AGAIN;
    static constexpr int pitch(int bytes) { return (bytes / 4 + 5) / 8 * 8 + 2; }
    static constexpr int LONG_SIDE = 2 * N + 2 * AROUND, SMALL_PITCH = SMALL / 4 + 2;

    struct Shared {
        Picture own, other, own16, other16, own4, still4, other4;
        u32 *list, *best, *sums;
        int *count;
    };
    static __device__ __forceinline__ Shared parts() {
        u32 *at = reinterpret_cast<u32 *>(shared);
        auto picture = [&](int pitch, int rows) {
            const Picture p = {at, pitch};
            at += pitch * rows;
            return p;
        };
        Shared s;
        s.own = picture(pitch(SIDE), SIDE), s.other = picture(pitch(WIDE), WIDE);
        s.own16 = picture(N / 4, N), s.other16 = picture(SMALL_PITCH, SMALL);
        s.own4 = picture(N / 2, 2 * N), s.still4 = picture(N / 2, 2 * N), s.other4 = picture(LONG_SIDE / 4, LONG_SIDE);
        at += 4;
        s.list = at, s.best = at + 128, s.sums = s.best + 64, s.count = reinterpret_cast<int *>(s.sums + 64 * 9);
        return s;
    }
    static constexpr int WORDS = SIDE * pitch(SIDE) + WIDE * pitch(WIDE) + N * N / 4 + SMALL * SMALL_PITCH + 2 * N * N +
                                 LONG_SIDE * LONG_SIDE / 4 + 4 + 128 + 64 * 10 + 16;
    static_assert(4 * WORDS <= SHARED_BYTES, "as in crates/cuda/src/program/degrain.rs");
    static_assert(KNOWN + KNOWN * 24 <= 128, "the list");

    // Blocks and groups along an axis.
    static __device__ __forceinline__ int blocks(int length) { return (length + STEP - 1) / STEP + 1; }
    static __device__ __forceinline__ int groups(int length) { return (blocks(length) + GROUP - 1) / GROUP; }
    static __device__ __forceinline__ uint2 *motion(const Plane &plane, int frame) {
        return reinterpret_cast<uint2 *>(plane.between) + (u64)frame * blocks(plane.width) * blocks(plane.height);
    }
    static __device__ __forceinline__ int counted(const Plane &plane) { return (groups(plane.width) * groups(plane.height) + 3) / 4 * 4; }
    static __device__ __forceinline__ u8 *changes(const Plane &plane, int frame) {
        return reinterpret_cast<u8 *>(motion(plane, COUNT)) + frame * counted(plane);
    }
    static __device__ __forceinline__ int place(int frame) { return REACH - P::FRAMES + frame + (frame >= P::FRAMES); }

    static __device__ __forceinline__ u32 again(u32 sum) { return sum + (sum * AGAIN >> 8); }
    static __device__ __forceinline__ u32 away(u32 one, u32 other, u32 sum) { return __dp4a(__vabsdiffu4(one, other), 0x01010101u, sum); }

    // The sum of absolute differences of N × N bytes; ox is a multiple of 4.
    static __device__ __forceinline__ u32 difference(const Picture &own, int ox, int oy, const Picture &other, int x, int y) {
        const u32 *mine = own.words + oy * own.pitch + ox / 4, *row = other.words + y * other.pitch + (x >> 2);
        const int shift = 8 * (x & 3);
        u32 sum = 0;
#pragma unroll 4
        for (int r = 0; r < N; r++) {
            u32 word = row[0];
#pragma unroll
            for (int k = 0; k < N / 4; k++) {
                const u32 next = row[k + 1];
                sum = away(mine[k], __funnelshift_r(word, next, shift), sum);
                word = next;
            }
            mine += own.pitch, row += other.pitch;
        }
        return sum;
    }

    static __device__ __forceinline__ void load(const Picture &to, const Source &from, const Plane &plane, int x, int y, int side) {
        const int quads = side / 4;
#pragma unroll 1
        for (int i = threadIdx.x; i < quads * side; i += THREADS) {
            const int column = i % quads, row = i / quads;
            const Quad<Cell> q = quad<Cell, B>(from, plane, x + 4 * column, y + row);
            u32 word = 0;
#pragma unroll
            for (int k = 0; k < 4; k++) word |= K::of(q.v[k], P::DEPTH) << 8 * k;
            to.words[row * to.pitch + column] = word;
        }
    }

    // `from` with W × W bytes as one, from x, y on.
    template <int W> static __device__ __forceinline__ void shrink(const Picture &to, const Picture &from, int x, int y, int side) {
#pragma unroll 1
        for (int i = threadIdx.x; i < side * side; i += THREADS) {
            const int column = i % side, row = i / side;
            u32 sum = W * W / 2;
#pragma unroll
            for (int r = 0; r < W; r++)
#pragma unroll
                for (int k = 0; k < W; k++) sum += from.at(x + W * column + k, y + W * row + r);
            to.at(column, row) = sum / (W * W);
        }
    }

    // The vector of a candidate of step 3.
    static __device__ __forceinline__ int2 candidate(const int2 (&known)[KNOWN], int index) {
        int2 v = known[0];
        const int of = index < KNOWN ? index : (index - KNOWN) / 25, around = (index - KNOWN) % 25;
#pragma unroll
        for (int k = 1; k < KNOWN; k++)
            if (k == of) v = known[k];
        return index < KNOWN ? v : make_int2(v.x + around % 5 - AROUND, v.y + around / 5 - AROUND);
    }

    // The eight bytes from x on, and three more.
    struct Row {
        int v[11];
        __device__ __forceinline__ Row(const Picture &from, int x, int y) {
            const u32 *words = from.words + y * from.pitch + (x >> 2);
            const int shift = 8 * (x & 3);
#pragma unroll
            for (int k = 0; k < 11; k += 4) {
                const u32 word = __funnelshift_r(words[k / 4], words[k / 4 + 1], shift);
#pragma unroll
                for (int i = 0; i < 4; i++)
                    if (k + i < 11) v[k + i] = word >> 8 * i & 255;
            }
        }
    };
    static __device__ __forceinline__ int halfway(int a, int b, int c, int d) { return min(max((9 * (b + c) - (a + d) + 8) >> 4, 0), 255); }

    // Step 4 of a block for one of the columns −½, 0 and ½: the sums above, beside and below; beside 0 it is the whole one.
    static __device__ __forceinline__ void halves(const Shared &s, int ox, int oy, int x, int y, int column, u32 (&sums)[3]) {
        sums[0] = sums[1] = sums[2] = 0;
#pragma unroll 1
        for (int part = 0; part < N; part += 8) {
            int rows[4][8];
#pragma unroll 1
            for (int r = -2; r < N + 2; r++) {
                const Row from(s.other, x + part - 2 + (column == 2), y + r);
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    rows[0][k] = rows[1][k], rows[1][k] = rows[2][k], rows[2][k] = rows[3][k];
                    rows[3][k] = column == 1 ? from.v[k + 2] : halfway(from.v[k], from.v[k + 1], from.v[k + 2], from.v[k + 3]);
                }
                // Now rows[2] is row r − 1.
                if (r < 1) continue;
                const u8 *own = &s.own.at(ox + part, oy + r - 1);
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    const int up = halfway(rows[0][k], rows[1][k], rows[2][k], rows[3][k]);
                    // Between rows r − 2 and r − 1: above row r − 1, below row r − 2.
                    if (r <= N) {
                        sums[0] += abs(own[k] - up);
                        sums[1] += abs(own[k] - rows[2][k]);
                    }
                    if (r >= 2) sums[2] += abs(own[k - 4 * s.own.pitch] - up);
                }
            }
        }
    }

    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int x, int y) {
        const Shared s = parts();
        const int t = threadIdx.x, across = groups(plane.width), down = groups(plane.height);
        const int columns = blocks(plane.width), rows = blocks(plane.height);
        const u32 tiles = plane.columns * ((plane.height + HEIGHT - 1) / HEIGHT), all = across * down * COUNT;
#pragma unroll 1
        for (u32 item = x / TILE_W + y / HEIGHT * plane.columns; item < all; item += tiles) {
            const int frame = item % COUNT, group = item / COUNT, gx = group % across, gy = group / across;
            const int left = (GROUP * gx - 1) * STEP, top = (GROUP * gy - 1) * STEP;
            load(s.own, source(launch, plane, REACH), plane, left, top, SIDE);
            load(s.other, source(launch, plane, place(frame)), plane, left - MARGIN, top - MARGIN, WIDE);
            if (t < 64) s.best[t] = ~0u;
            if (t == 0) *s.count = 0;
            __syncthreads();
            shrink<4>(s.own16, s.own, 0, 0, N);
            shrink<4>(s.other16, s.other, 8, 8, SMALL);
            shrink<2>(s.own4, s.own, 0, 0, 2 * N);
            shrink<2>(s.still4, s.other, MARGIN, MARGIN, 2 * N);
            __syncthreads();

            // Step 1.
            constexpr int SPAN = 2 * SEARCH + 1, FIVE = 2 * AROUND + 1;
            u32 least = ~0u;
#pragma unroll 1
            for (int i = t; i < SPAN * SPAN; i += THREADS) {
                const u32 sum = difference(s.own16, 0, 0, s.other16, i % SPAN, i / SPAN);
                least = min(least, again(sum) << 11 | (1 + i));
                if (i == SPAN * SPAN / 2) least = min(least, sum << 11);
            }
            if (least != ~0u) atomicMin(s.best + 63, least);
            __syncthreads();
            const int first = s.best[63] & 2047;
            int2 whole = make_int2(0, 0);
            if (first) whole = make_int2((first - 1) % SPAN - SEARCH, (first - 1) / SPAN - SEARCH);
            whole.x *= 2, whole.y *= 2;

            // Step 2.
            shrink<2>(s.other4, s.other, MARGIN + 2 * (whole.x - AROUND), MARGIN + 2 * (whole.y - AROUND), LONG_SIDE);
            __syncthreads();
            if (t < 4 * 26) {
                const int of = t % 4, i = t / 4, ox = of % 2 * N, oy = of / 2 * N;
                if (i == 25) {
                    atomicMin(s.best + 52 + of, difference(s.own4, ox, oy, s.still4, ox, oy) << 6 | 1);
                } else {
                    const u32 sum = difference(s.own4, ox, oy, s.other4, ox + i % FIVE, oy + i / FIVE);
                    u32 cost = again(sum) << 6 | (2 + i);
                    if (i == 12) cost = min(cost, sum << 6);
                    atomicMin(s.best + 52 + of, cost);
                }
            }
            __syncthreads();
            int2 known[KNOWN];
            known[0] = make_int2(0, 0);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const int index = s.best[52 + k] & 63;
                int2 v = index == 1 ? make_int2(0, 0) : whole;
                if (index > 1) v = make_int2(whole.x + (index - 2) % FIVE - AROUND, whole.y + (index - 2) / FIVE - AROUND);
                known[k + 1] = make_int2(2 * v.x, 2 * v.y);
            }

            // Step 3: what no earlier one has, nor has around it.
            if (t < CANDIDATES) {
                const int of = t < KNOWN ? t : (t - KNOWN) / 25;
                const int2 v = candidate(known, t);
                const bool middle = t >= KNOWN && (t - KNOWN) % 25 == 12;
                bool fresh = !middle;
#pragma unroll
                for (int k = 0; k < KNOWN - 1; k++) {
                    const int dx = abs(v.x - known[k].x), dy = abs(v.y - known[k].y);
                    if (k < of && (t < KNOWN ? !dx && !dy : dx <= AROUND && dy <= AROUND)) fresh = false;
                }
                if (fresh) s.list[atomicAdd(s.count, 1)] = t;
            }
            __syncthreads();
            const int candidates = *s.count, mine = t % ALL, bx = mine % GROUP * STEP, by = mine / GROUP * STEP;
            if (t < THREADS / ALL * ALL) {
                least = ~0u;
#pragma unroll 1
                for (int i = t / ALL; i < candidates; i += THREADS / ALL) {
                    const int index = s.list[i];
                    const int2 v = candidate(known, index);
                    const u32 sum = difference(s.own, bx, by, s.other, MARGIN + bx + v.x, MARGIN + by + v.y);
                    least = min(least, (index < KNOWN ? sum : again(sum)) << 8 | index);
                }
                if (least != ~0u) atomicMin(s.best + mine, least);
            }
            __syncthreads();

            // Step 4.
            const int2 v = candidate(known, s.best[mine] & 255);
            if (t < 3 * ALL && (P::HALVES || t < ALL)) {
                const int column = t / ALL;
                if (P::HALVES) {
                    u32 sums[3];
                    halves(s, bx, by, MARGIN + bx + v.x, MARGIN + by + v.y, column, sums);
                    s.sums[9 * mine + column] = sums[0], s.sums[9 * mine + 3 + column] = sums[1], s.sums[9 * mine + 6 + column] = sums[2];
                } else {
                    s.sums[9 * mine + 4] = difference(s.own, bx, by, s.other, MARGIN + bx + v.x, MARGIN + by + v.y);
                }
            }
            __syncthreads();
            bool changed = false;
            if (t < ALL) {
                const u32 *sums = s.sums + 9 * mine;
                u32 cost = sums[4] << 4;
                if (P::HALVES)
#pragma unroll
                    for (int k = 0; k < 9; k++)
                        if (k != 4) cost = min(cost, again(sums[k]) << 4 | (1 + k));
                const int found = cost & 15 ? (cost & 15) - 1 : 4;
                const int column = GROUP * gx + mine % GROUP, row = GROUP * gy + mine / GROUP;
                const u32 dx = 2 * v.x + found % 3 - 1, dy = 2 * v.y + found / 3 - 1;
                if (column < columns && row < rows) {
                    motion(plane, frame)[(u64)row * columns + column] = make_uint2((dx & 65535) | dy << 16, sums[found]);
                    changed = sums[found] > P::CHANGED;
                }
            }
            const int count = __syncthreads_count(changed);
            if (t == 0) {
                u8 *bytes = changes(plane, frame);
                bytes[group] = count;
                for (int i = across * down; i < counted(plane) && group == across * down - 1; i++) bytes[i] = 0;
            }
        }
    }
};
