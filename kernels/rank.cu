// The sample of a rank in a box: out(x, y) = finish(the RANK-th, ascending, of in(t + FRAME, y + i − AY, x + j − AX)).
// CPU twin: crates/cpu/src/rank
//
//   Picked    small boxes: a thread makes 4 samples of 2 rows, in registers. It sorts the columns that the boxes of a
//             row share, and merges them as far as the results need it; the comparisons come as literals. A register
//             holds the samples of both rows where processors compare two numbers of 16 bits at once.
//
//       ┌─┬─┬─┬─┬─┬─┐  NX + 3 columns of NT · NY samples: the first box is columns 0 … NX − 1, the last 3 … NX + 2
//       └─┴─┴─┴─┴─┴─┘
//
//   Column    boxes of one column, which share nothing: a thread makes the same 8 samples, one of each row at a time.
//   Extreme   the smallest or the largest: along t and x as samples are read, along y in shared memory,
//             (8 · R + NY − 1) · TILE_W · 4 bytes. A thread makes 4 samples of R rows.
//   Sliced    larger boxes: slice.cu
//   Counted   any box: the bits of the result from the highest on, each by counting the samples below.

// Samples as integers that order as they do: all of BITS bits, every NaN the same one above all numbers.
constexpr int BITS = sizeof(PIXEL) == 4 ? 32 : sizeof(PIXEL) * 8;
__device__ __forceinline__ u32 key(int v) { return v; }
__device__ __forceinline__ u32 key(float v) {
    u32 bits = isnan(v) ? 0x7fc00000u : __float_as_uint(v);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
__device__ __forceinline__ float number(u32 key) {
    if (sizeof(PIXEL) != 4) return __uint2float_rn(key);
    return __uint_as_float(key >> 31 ? key & 0x7fffffffu : ~key);
}

template <class P> struct CellOf { typedef int Cell; };
template <> struct CellOf<float> { typedef float Cell; };
typedef CellOf<PIXEL>::Cell Cell;

// Parameters: Border, Last, and Around, the box, with
//   FRAME        its first frame in the window
//   NT, NY, NX   its sizes
//   AY, AX       its anchors
template <class P> struct Box {
    static constexpr int FRAME = P::FRAME, NT = P::NT, NY = P::NY, AY = P::AY, NX = P::NX, AX = P::AX;
    // Quads from which the columns of a thread's four boxes come, and columns read before the first that is used.
    static constexpr int LEFT = (AX + 3) / 4, PAD = 4 * LEFT - AX;
    static constexpr int QUADS = (PAD + NX + 3 + 3) / 4;
};

// Four neighbouring samples as they lie in memory, and as numbers.
template <class P> struct Raw { u32 word[sizeof(P)]; };
__device__ __forceinline__ Raw<u8> raw(const u8 *p) { return {__ldg(reinterpret_cast<const u32 *>(p))}; }
__device__ __forceinline__ Raw<u16> raw(const u16 *p) {
    uint2 w = __ldg(reinterpret_cast<const uint2 *>(p));
    return {w.x, w.y};
}
__device__ __forceinline__ Raw<float> raw(const float *p) {
    uint4 w = __ldg(reinterpret_cast<const uint4 *>(p));
    return {w.x, w.y, w.z, w.w};
}
template <class P, class C> __device__ __forceinline__ Raw<P> packed(const C (&v)[4]) {
    if constexpr (sizeof(P) == 1) return {u32(v[0] | v[1] << 8 | v[2] << 16 | v[3] << 24)};
    else if constexpr (sizeof(P) == 2) return {u32(v[0] | v[1] << 16), u32(v[2] | v[3] << 16)};
    else return {__float_as_uint(v[0]), __float_as_uint(v[1]), __float_as_uint(v[2]), __float_as_uint(v[3])};
}

// What is compared: a register with a sample each of one row, or of two where two numbers of 16 bits are compared at
// once. A number of 8 bits then stands in both bytes of its half of the register; or in the low one where halves are
// compared as floats, of which such numbers are the smallest that there are.
#if __CUDA_ARCH__ >= 900
constexpr bool PAIRED = sizeof(PIXEL) < 4;
#else
constexpr bool PAIRED = __CUDA_ARCH__ >= 800 && sizeof(PIXEL) == 1;
#endif

template <bool PAIR> struct Register;
template <> struct Register<false> {
    static constexpr int ROWS = 1;
    static __device__ __forceinline__ u32 of(const Raw<u8> *row, int k) { return row[0].word[0] >> 8 * k & 255; }
    static __device__ __forceinline__ u32 of(const Raw<u16> *row, int k) { return row[0].word[k / 2] >> 16 * (k % 2) & 65535; }
    static __device__ __forceinline__ u32 of(const Raw<float> *row, int k) { return key(__uint_as_float(row[0].word[k])); }
    static __device__ __forceinline__ u32 of(const u32 *keys) { return keys[0]; }
    static __device__ __forceinline__ u32 step(u32 a, u32 b, bool larger) { return larger ? max(a, b) : min(a, b); }
    static __device__ __forceinline__ float value(u32 v, int) { return number(v); }
};
template <> struct Register<true> {
    static constexpr int ROWS = 2;
    static __device__ __forceinline__ u32 of(const Raw<u8> *row, int k) {
        u32 v = __byte_perm(row[0].word[0], row[1].word[0], 0x4400 + 0x1111 * k);
#if __CUDA_ARCH__ < 900
        v &= 0x00ff00ff;
#endif
        return v;
    }
    static __device__ __forceinline__ u32 of(const Raw<u16> *row, int k) {
        return __byte_perm(row[0].word[k / 2], row[1].word[k / 2], k % 2 ? 0x7632 : 0x5410);
    }
    static __device__ __forceinline__ u32 of(const u32 *keys) { return keys[0] | keys[1] << 16; }
    static __device__ __forceinline__ u32 step(u32 a, u32 b, bool larger) {
        u32 v;
#if __CUDA_ARCH__ >= 900
        if (larger) asm("max.u16x2 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b));
        else asm("min.u16x2 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b));
#else
        if (larger) asm("max.f16x2 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b));
        else asm("min.f16x2 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b));
#endif
        return v;
    }
    static __device__ __forceinline__ float value(u32 v, int row) {
        if (sizeof(PIXEL) == 1) return placed(v, row ? 0x7442 : 0x7440);
        return placed(v, row ? 0x7432 : 0x7410);
    }
};

// STEPS steps from literal AT on make a value each of two values before, whose numbers are in the low 12 bits and in
// the 12 above, the larger one if a higher bit is set. The literals after them are the numbers of the results.
template <class Held, int AT, int STEPS, int COUNT> __device__ __forceinline__ void choose(u32 (&value)[COUNT]) {
#pragma unroll
    for (int i = 0; i < STEPS; i++) {
        u32 step = LITERAL[AT + i];
        value[COUNT - STEPS + i] = Held::step(value[step & 4095], value[step >> 12 & 4095], step >> 24);
    }
}

// The rows of the plane in which COUNT rows from `y` on lie.
template <class B, int COUNT> __device__ __forceinline__ void resolve(int (&rows)[COUNT], const Plane &plane, int y) {
    bool middle = y >= 0 && y + COUNT <= (int)plane.height;
#pragma unroll
    for (int i = 0; i < COUNT; i++) rows[i] = middle ? y + i : resolved<B>(y + i, plane.height);
}

// AT is the first of the literals, STEPS how many steps they are.
template <class P> struct Picked : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Box<typename P::Around> X;
    static constexpr int AT = P::AT, STEPS = P::STEPS;
    typedef Register<PAIRED> Held;
    static constexpr int HEIGHT = 16;
    static constexpr int LENGTH = X::NT * X::NY, SAMPLES = (X::NX + 3) * LENGTH;
    static constexpr int LINES = X::NY + Held::ROWS - 1;

    // Quads of columns of all frames where some lie beyond an edge. Looped over, because code for each of these samples
    // would take longer to compile than all the rest.
    static __device__ __forceinline__ void gather(Raw<PIXEL> (&to)[X::NT * X::QUADS][LINES], const Launch &launch, const Plane &plane, int x, const int (&rows)[LINES]) {
#pragma unroll 1
        for (int part = 0; part < X::NT * X::QUADS; part++) {
            Source from = source(launch, plane, X::FRAME + part / X::QUADS);
            int column[4];
#pragma unroll
            for (int k = 0; k < 4; k++) column[k] = resolved<B>(x + 4 * (part % X::QUADS - X::LEFT) + k, plane.width);
#pragma unroll
            for (int i = 0; i < LINES; i++) {
                Cell v[4];
#pragma unroll
                for (int k = 0; k < 4; k++) v[k] = fetched<Cell, B>(from, plane, column[k], rows[i]);
                to[part][i] = packed<PIXEL>(v);
            }
        }
    }

    static __device__ __forceinline__ void make(const Launch &launch, const Plane &plane, int x, int y) {
        int rows[LINES];
        resolve<B>(rows, plane, y - X::AY);
        bool inside = x >= 4 * X::LEFT && x + 4 * (X::QUADS - X::LEFT) <= (int)plane.width;
        for (int t = 0; t < X::NT; t++) inside &= regular(source(launch, plane, X::FRAME + t));
        Raw<PIXEL> four[X::NT * X::QUADS][LINES];
        if (inside) {
#pragma unroll
            for (int part = 0; part < X::NT * X::QUADS; part++) {
                Source from = source(launch, plane, X::FRAME + part / X::QUADS);
#pragma unroll
                for (int i = 0; i < LINES; i++) {
                    const Cell v[4] = {(Cell)B::value(), (Cell)B::value(), (Cell)B::value(), (Cell)B::value()};
                    if (B::CONSTANT && rows[i] < 0) four[part][i] = packed<PIXEL>(v);
                    else four[part][i] = raw(at(from, x + 4 * (part % X::QUADS - X::LEFT), rows[i]));
                }
            }
        } else {
            Raw<PIXEL> edge[X::NT * X::QUADS][LINES];
            gather(edge, launch, plane, x, rows);
#pragma unroll
            for (int part = 0; part < X::NT * X::QUADS; part++)
#pragma unroll
                for (int i = 0; i < LINES; i++) four[part][i] = edge[part][i];
        }
        u32 value[SAMPLES + STEPS];
#pragma unroll
        for (int part = 0; part < X::NT * X::QUADS; part++)
#pragma unroll
            for (int k = 0; k < 4; k++)
#pragma unroll
                for (int i = 0; i < X::NY; i++) {
                    int column = 4 * (part % X::QUADS) + k - X::PAD;
                    if (column >= 0 && column < X::NX + 3) value[column * LENGTH + part / X::QUADS * X::NY + i] = Held::of(four[part] + i, k);
                }
        choose<Held, AT, STEPS>(value);
#pragma unroll
        for (int row = 0; row < Held::ROWS; row++) {
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) v[k] = Held::value(value[LITERAL[AT + STEPS + k]], row);
            F::store(launch, plane, x, y + row, v);
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32 * 2;
        if (x >= (int)plane.width) return;
#pragma unroll 1
        for (int row = 0; row < 2; row += Held::ROWS)
            if (y + row < (int)plane.height) make(launch, plane, x, y + row);
    }
};

template <class P> struct Column : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Box<typename P::Around> X;
    static constexpr int AT = P::AT, STEPS = P::STEPS;
    typedef Register<PAIRED> Held;
    static constexpr int HEIGHT = 16;
    static constexpr int SAMPLES = X::NT * X::NY, LINES = X::NY + Held::ROWS - 1;

    // The result of the column at x, for a register's rows; negative rows are outside, as columns are.
    static __device__ __forceinline__ u32 find(const Launch &launch, const Plane &plane, int x, const int (&rows)[LINES]) {
        u32 value[SAMPLES + STEPS];
#pragma unroll
        for (int t = 0; t < X::NT; t++) {
            Source from = source(launch, plane, X::FRAME + t);
            u32 keys[LINES];
#pragma unroll
            for (int i = 0; i < LINES; i++) keys[i] = key(fetched<Cell, B>(from, plane, x, rows[i]));
#pragma unroll
            for (int i = 0; i < X::NY; i++) value[t * X::NY + i] = Held::of(keys + i);
        }
        choose<Held, AT, STEPS>(value);
        return value[LITERAL[AT + STEPS]];
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32 * 2;
        if (x >= (int)plane.width) return;
#pragma unroll 1
        for (int row = 0; row < 2 && y + row < (int)plane.height; row += Held::ROWS) {
            int rows[LINES];
            resolve<B>(rows, plane, y + row - X::AY);
            u32 found[4];
#pragma unroll 1
            for (int k = 0; k < 4; k++) {
                found[0] = found[1], found[1] = found[2], found[2] = found[3];
                found[3] = find(launch, plane, resolved<B>(x + k, plane.width), rows);
            }
#pragma unroll
            for (int i = 0; i < Held::ROWS; i++) {
                float v[4] = {Held::value(found[0], i), Held::value(found[1], i), Held::value(found[2], i), Held::value(found[3], i)};
                F::store(launch, plane, x, y + row + i, v);
            }
        }
    }
};

template <bool LARGEST> __device__ __forceinline__ u32 further(u32 a, u32 b) { return LARGEST ? max(a, b) : min(a, b); }

template <class P> struct Extreme : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Box<typename P::Around> X;
    static constexpr bool LARGEST = P::LARGEST;
    static constexpr int R = P::R, HEIGHT = 8 * R;
    static constexpr int ROWS = HEIGHT + X::NY - 1;
    static_assert(ROWS * TILE_W * 4 <= SHARED_BYTES);

    // Along t and x, for four samples.
    static __device__ __forceinline__ uint4 across(const Launch &launch, const Plane &plane, int x, int y) {
        constexpr u32 NOTHING = LARGEST ? 0u : 0xffffffffu;
        u32 v[4] = {NOTHING, NOTHING, NOTHING, NOTHING};
        for (int t = 0; t < X::NT; t++) {
            Source from = source(launch, plane, X::FRAME + t);
            for (int q = 0; q < X::QUADS; q++) {
                Quad<Cell> four = quad<Cell, B>(from, plane, x + 4 * (q - X::LEFT), y);
#pragma unroll
                for (int k = 0; k < 4; k++)
#pragma unroll
                    for (int j = 0; j < 4; j++) {
                        u32 place = 4 * q + j - X::PAD - k;
                        if (place < X::NX) v[k] = further<LARGEST>(v[k], key(four.v[j]));
                    }
            }
        }
        return make_uint4(v[0], v[1], v[2], v[3]);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
        for (int row = ty; row < ROWS; row += 8) shared[row * 32 + tx] = across(launch, plane, x + 4 * tx, y + row - X::AY);
        __syncthreads();
#pragma unroll 1
        for (int r = 0; r < R; r++) {
            const uint4 *row = shared + (ty * R + r) * 32 + tx;
            uint4 v = row[0];
            for (int i = 1; i < X::NY; i++) {
                uint4 w = row[i * 32];
                v.x = further<LARGEST>(v.x, w.x), v.y = further<LARGEST>(v.y, w.y);
                v.z = further<LARGEST>(v.z, w.z), v.w = further<LARGEST>(v.w, w.w);
            }
            float sum[4] = {number(v.x), number(v.y), number(v.z), number(v.w)};
            F::store(launch, plane, x + 4 * tx, y + ty * R + r, sum);
        }
    }
};

template <class P> struct Counted : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Box<typename P::Around> X;
    static constexpr u32 RANK = P::RANK;
    static constexpr int HEIGHT = 8;

    // How many samples of each of four boxes lie below a value of its own.
    static __device__ __forceinline__ void below(const Launch &launch, const Plane &plane, int x, int y, const u32 (&than)[4], u32 (&count)[4]) {
        for (int t = 0; t < X::NT; t++) {
            Source from = source(launch, plane, X::FRAME + t);
            for (int i = 0; i < X::NY; i++)
                for (int q = 0; q < X::QUADS; q++) {
                    Quad<Cell> four = quad<Cell, B>(from, plane, x + 4 * (q - X::LEFT), y + i - X::AY);
#pragma unroll
                    for (int k = 0; k < 4; k++)
#pragma unroll
                        for (int j = 0; j < 4; j++) {
                            u32 place = 4 * q + j - X::PAD - k;
                            count[k] += place < X::NX && key(four.v[j]) < than[k];
                        }
                }
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        u32 found[4] = {};
#pragma unroll 1
        for (u32 bit = 1u << (BITS - 1); bit; bit >>= 1) {
            u32 than[4], count[4] = {};
            for (int k = 0; k < 4; k++) than[k] = found[k] | bit;
            below(launch, plane, x, y, than, count);
            for (int k = 0; k < 4; k++)
                if (count[k] <= RANK) found[k] = than[k];
        }
        float v[4] = {number(found[0]), number(found[1]), number(found[2]), number(found[3])};
        F::store(launch, plane, x, y, v);
    }
};
