// Contrast-adaptive sharpening: a sample less the four beside it, weighed by how much room minima and maxima of nine leave.
// CPU twin: crates/cpu/src/cas
//
//       a b c    a thread makes 4 samples of R rows, one below the other: it reads 6 samples of R + 2 rows, four of each in one
//       d e f    load, and holds three rows at a time
//       g h i
//
// Parameters: Border, Last, and
//   DIVISOR   by which a root is divided to give a weight, the bits of a float
//   LIMIT     what the sum of two maxima leaves of this is the room above, the bits of a float
//   R         rows of a thread

// Integer samples are compared and summed as int, floats as float.
template <class P> struct Compared { typedef int Type; };
template <> struct Compared<float> { typedef float Type; };

template <class P> struct Cas : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef Compared<PIXEL>::Type Cell;
    static constexpr bool FLOAT = sizeof(PIXEL) == 4;
    static constexpr int R = P::R, HEIGHT = 8 * R;

    static __device__ __forceinline__ Cell smaller(Cell a, Cell b) { return a < b ? a : b; }
    static __device__ __forceinline__ Cell larger(Cell a, Cell b) { return a > b ? a : b; }
    static __device__ __forceinline__ Cell known(Cell v) { return sizeof(PIXEL) == 2 ? smaller(v, (Cell)PEAK) : v; }
    static __device__ __forceinline__ Cell sum(Cell a, Cell b) { return FLOAT ? (Cell)__fadd_rn(a, b) : a + b; }

    // Samples x − 1 to x + 4 of a row.
    struct Row { Cell v[6]; };
    static __device__ __forceinline__ Row row(const Source &from, const Plane &plane, int x, int y) {
        const Quad<Cell> q = quad<Cell, B>(from, plane, x, y);
        Row r;
        r.v[0] = known(one<Cell, B>(from, plane, x - 1, y));
#pragma unroll
        for (int k = 0; k < 4; k++) r.v[k + 1] = known(q.v[k]);
        r.v[5] = known(one<Cell, B>(from, plane, x + 4, y));
        return r;
    }

    // What a sample becomes; k is the place before it in its rows.
    static __device__ __forceinline__ float sharpened(const Row &above, const Row &own, const Row &below, int k) {
        const Cell a = above.v[k], b = above.v[k + 1], c = above.v[k + 2];
        const Cell d = own.v[k], e = own.v[k + 1], f = own.v[k + 2];
        const Cell g = below.v[k], h = below.v[k + 1], i = below.v[k + 2];
        const Cell least = smaller(smaller(smaller(smaller(b, d), e), f), h), most = larger(larger(larger(larger(b, d), e), f), h);
        const Cell low = sum(least, smaller(smaller(smaller(smaller(least, a), c), g), i));
        const Cell high = sum(most, larger(larger(larger(larger(most, a), c), g), i));
        const Cell limit = (Cell)__uint_as_float(P::LIMIT);
        const Cell room = larger(smaller(low, sum(limit, -high)), (Cell)0);
        float q = __fdiv_rn((float)room, (float)high);
        q = q > 0.0f ? q : 0.0f;
        q = q < 1.0f ? q : 1.0f;
        const float w = __fdiv_rn(__fsqrt_rn(q), __uint_as_float(P::DIVISOR));
        const float beside = (float)sum(sum(sum(b, d), f), h);
        float v = __fadd_rn(__fmul_rn(beside, w), (float)e);
        v = __fdiv_rn(v, __fadd_rn(1.0f, __fmul_rn(4.0f, w)));
        return FLOAT ? v : fminf(fmaxf(truncf(v), 0.0f), PEAK);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32 * R;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        const Source from = source(launch, plane, REACH);
        Row above = row(from, plane, x, y - 1), own = row(from, plane, x, y);
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (y + r >= (int)plane.height) return;
            const Row below = row(from, plane, x, y + r + 1);
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) v[k] = sharpened(above, own, below, k);
            F::store(launch, plane, x, y + r, v);
            above = own, own = below;
        }
    }
};
