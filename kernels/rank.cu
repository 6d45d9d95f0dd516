// The sample of a rank in a box: out(x, y) = finish(the RANK-th, ascending, of in(t + FRAME, y + i − AY, x + j − AX)).
// CPU twin: src/backend/cpu/rank
//
//   Picked    small boxes: a thread makes 4 samples. It sorts the columns that their boxes share, each in registers,
//             then merges those of each box as far as the result needs it; the comparisons come as literals.
//
//       ┌─┬─┬─┬─┬─┬─┐  NX + 3 columns of NT · NY samples: the first box is columns 0 … NX − 1, the last 3 … NX + 2
//       └─┴─┴─┴─┴─┴─┘
//
//   Extreme   the smallest or the largest: along t and x as samples are read, along y in shared memory,
//             (8 · R + NY − 1) · TILE_W · 4 bytes. A thread makes 4 samples of R rows.
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

// The box: its first frame in the window, its sizes and anchors.
template <int FRAME_, int NT_, int NY_, int AY_, int NX_, int AX_> struct Box {
    static constexpr int FRAME = FRAME_, NT = NT_, NY = NY_, AY = AY_, NX = NX_, AX = AX_;
    // Quads from which the columns of a thread's four boxes come, and columns read before the first that is used.
    static constexpr int LEFT = (AX + 3) / 4, PAD = 4 * LEFT - AX;
    static constexpr int QUADS = (PAD + NX + 3 + 3) / 4;
};

// Comparisons: register a, register b, and what is kept of them: 0 both, 1 the smaller in a, 2 the larger in b.
template <int AT, int COUNT, int N> __device__ __forceinline__ void network(u32 (&v)[N]) {
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        u32 step = LITERAL[AT + i];
        int a = step & 255, b = step >> 8 & 255, kept = step >> 16;
        u32 low = min(v[a], v[b]), high = max(v[a], v[b]);
        if (kept != 2) v[a] = low;
        if (kept != 1) v[b] = high;
    }
}

// COLUMN sorts NT · NY registers, whose places in order are the literals from ORDER on; SELECT leaves the result of
// NX lists of that length in register RESULT.
template <class B, class F, class X, int COLUMN, int COLUMN_STEPS, int ORDER, int SELECT, int SELECT_STEPS, int RESULT> struct Picked {
    static constexpr int HEIGHT = 8;
    static constexpr int LENGTH = X::NT * X::NY;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        u32 column[X::QUADS * 4][LENGTH];
#pragma unroll
        for (int t = 0; t < X::NT; t++) {
            Source from = source(launch, plane, X::FRAME + t);
#pragma unroll
            for (int i = 0; i < X::NY; i++)
#pragma unroll
                for (int q = 0; q < X::QUADS; q++) {
                    Quad<Cell> four = quad<Cell, B>(from, plane, x + 4 * (q - X::LEFT), y + i - X::AY);
#pragma unroll
                    for (int k = 0; k < 4; k++) column[4 * q + k][t * X::NY + i] = key(four.v[k]);
                }
        }
#pragma unroll
        for (int c = 0; c < X::NX + 3; c++) network<COLUMN, COLUMN_STEPS>(column[X::PAD + c]);
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            u32 box[X::NX * LENGTH];
#pragma unroll
            for (int c = 0; c < X::NX; c++)
#pragma unroll
                for (int i = 0; i < LENGTH; i++) box[c * LENGTH + i] = column[X::PAD + k + c][LITERAL[ORDER + i]];
            network<SELECT, SELECT_STEPS>(box);
            v[k] = number(box[RESULT]);
        }
        F::store(launch, plane, x, y, v);
    }
    static __device__ __forceinline__ void begin(const Launch &, const Plane &, int, int) {}
};

template <bool LARGEST> __device__ __forceinline__ u32 further(u32 a, u32 b) { return LARGEST ? max(a, b) : min(a, b); }

template <class B, class F, class X, int R, bool LARGEST> struct Extreme {
    static constexpr int HEIGHT = 8 * R;
    static constexpr int ROWS = HEIGHT + X::NY - 1;

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
    static __device__ __forceinline__ void begin(const Launch &, const Plane &, int, int) {}
};

template <class B, class F, class X, u32 RANK> struct Counted {
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
    static __device__ __forceinline__ void begin(const Launch &, const Plane &, int, int) {}
};
