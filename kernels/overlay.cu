// A still picture, or a frame of another clip, over a part of the plane: d of the centre frame, s of the picture, a its opacity, M the
// largest sample. The arithmetic is that of crates/filter/src/pass/overlay.rs.
// CPU twin: crates/cpu/src/overlay.rs
//
//   bytes    out = (d · (255 − a) + s · a + 128) · 257 >> 16
//   above    out = (d · (M − a) + s · a) / M, below 2^32
//   floats   out = d · (1 − a) + s · a, each operation rounded
//
//   a thread makes 4 samples of 4 rows; rows and quads outside the picture are copied, and no word of it is read for them
//
// Parameters
//   CLIP            0 a still picture, 1 a clip, before the centre among the images, with the same opacity everywhere, 2 with that of each
//                   sample
//   AT              where the table has: left, a multiple of 4; right, top, bottom, which is outside; then
//                   of a picture where the lookups have samples, and opacity, in rows of whole quads from left on; words of such a row
//                   of a clip its first column in the plane; its opacity, or the row where that begins
//   MOVES           1 if the launch has the column and row where the picture begins, which may lie outside: the table's are counted from
//                   there then, and a thread reads samples one by one, because its quads are not those of the rows
//   BASE            0 frames without opacity, 1 the plane of opacity itself, 2 a colour beside it, with
//   GUIDE           the plane of opacity
//   ACROSS, DOWN    by how many powers of two it is finer

// Arithmetic of samples, all of which are numbers of type N.
template <class S> struct Over {
    typedef u32 N;
    typedef int Cell;
    static constexpr u32 MOST = (u32)PEAK;
    static __device__ __forceinline__ u32 number(u32 word) { return word; }
    static __device__ __forceinline__ u32 opacity(S v) { return min((u32)v, MOST); }
    static __device__ __forceinline__ u32 parted(u32 sum) { return sizeof(S) == 1 ? (sum + 128) * 257 >> 16 : sum / MOST; }
    static __device__ __forceinline__ u32 laid(u32 d, u32 s, u32 a) { return parted(d * (MOST - a) + s * a); }
    static __device__ __forceinline__ u32 covered(u32 d, u32 a) { return d < MOST ? d + parted((MOST - d) * a) : d; }
    static __device__ __forceinline__ u32 beside(u32 a, u32 e) {
        if (a == 0 || a == MOST) return a;
        const u64 m = MOST, opacity = a, below = min(e, MOST);
        return (u32)(m * m * opacity / (m * (opacity + below) - opacity * below));
    }
    static __device__ __forceinline__ u32 begin(int shift) { return 1u << shift >> 1; }
    static __device__ __forceinline__ u32 add(u32 sum, S v) { return sum + v; }
    static __device__ __forceinline__ u32 mean(u32 sum, int shift) { return sum >> shift; }
};
template <> struct Over<float> {
    typedef float N;
    typedef float Cell;
    static __device__ __forceinline__ float number(u32 word) { return __uint_as_float(word); }
    static __device__ __forceinline__ float opacity(float v) { return v > 0.0f ? fminf(v, 1.0f) : 0.0f; }
    static __device__ __forceinline__ float quiet(float v) { return isnan(v) ? __uint_as_float(0x7fc00000u) : v; }
    static __device__ __forceinline__ float laid(float d, float s, float a) {
        const float v = quiet(__fadd_rn(__fmul_rn(d, __fsub_rn(1.0f, a)), __fmul_rn(s, a)));
        return a == 0.0f ? d : a == 1.0f ? s : v;
    }
    static __device__ __forceinline__ float covered(float d, float a) {
        const float v = quiet(__fadd_rn(d, __fmul_rn(__fsub_rn(1.0f, d), a)));
        return a == 0.0f ? d : a == 1.0f ? 1.0f : v;
    }
    static __device__ __forceinline__ float beside(float a, float e) {
        if (a == 0.0f || a == 1.0f) return a;
        const float below = isfinite(e) ? fminf(fmaxf(e, 0.0f), 1.0f) : 0.0f;
        return __fdiv_rn(a, __fsub_rn(__fadd_rn(a, below), __fmul_rn(a, below)));
    }
    static __device__ __forceinline__ float begin(int) { return 0.0f; }
    static __device__ __forceinline__ float add(float sum, float v) { return __fadd_rn(sum, isfinite(v) ? v : 0.0f); }
    static __device__ __forceinline__ float mean(float sum, int shift) { return __fmul_rn(sum, 1.0f / (1 << shift)); }
};

// Samples of four places of a plane and their opacity; none where the picture ends.
template <class P, int CLIP, int MOVES> struct Laid {
    typedef Over<PIXEL> O;
    static __device__ __forceinline__ void read(const Launch &launch, const Plane &, uint4 edges, uint4 words, int x, int y, O::N (&s)[4],
                                                O::N (&a)[4]) {
        const u64 place = (u64)(y - edges.z) * words.z + (x - edges.x);
        const uint4 opacity = __ldg(reinterpret_cast<const uint4 *>(launch.lookups + words.y + place));
        const uint4 samples = __ldg(reinterpret_cast<const uint4 *>(launch.lookups + words.x + place));
        a[0] = O::number(opacity.x), a[1] = O::number(opacity.y), a[2] = O::number(opacity.z), a[3] = O::number(opacity.w);
        s[0] = O::number(samples.x), s[1] = O::number(samples.y), s[2] = O::number(samples.z), s[3] = O::number(samples.w);
    }
};
template <class P> struct Laid<P, 0, 1> {
    typedef Over<PIXEL> O;
    static __device__ __forceinline__ void read(const Launch &launch, const Plane &, uint4 edges, uint4 words, int x, int y, O::N (&s)[4],
                                                O::N (&a)[4]) {
        const int row = y - (int)edges.z;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int column = x + k - (int)edges.x;
            s[k] = a[k] = (O::N)0;
            if (column < 0 || x + k >= (int)edges.y) continue;
            const u64 place = (u64)row * words.z + column;
            a[k] = O::number(__ldg(launch.lookups + words.y + place));
            s[k] = O::number(__ldg(launch.lookups + words.x + place));
        }
    }
};
template <class P, int CLIP> struct Moving {
    typedef Over<PIXEL> O;
    static __device__ __forceinline__ void read(const Launch &launch, const Plane &plane, uint4 edges, uint4 words, int x, int y,
                                                O::N (&s)[4], O::N (&a)[4]) {
        const Source from = source(launch, plane, REACH - 1);
        const int row = y - edges.z;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int column = x + k - (int)words.x;
            s[k] = a[k] = (O::N)0;
            if (!from.samples || column < 0 || x + k >= (int)edges.y) continue;
            // The plane of opacity has none over it.
            if (P::BASE != 1) s[k] = __ldg(at(from, column, row));
            a[k] = CLIP == 1 ? O::number(words.y) : O::opacity(__ldg(at(from, column, row + words.y)));
        }
    }
};
template <class P, int MOVES> struct Laid<P, 1, MOVES> : Moving<P, 1> {};
template <class P, int MOVES> struct Laid<P, 2, MOVES> : Moving<P, 2> {};

// What lies over a sample, by whether frames have opacity of their own.
template <class P, int BASE> struct Layer {
    typedef Over<PIXEL> O;
    static __device__ __forceinline__ O::N of(const Launch &, int, int, O::N d, O::N s, O::N a) { return O::laid(d, s, a); }
};
template <class P> struct Layer<P, 1> {
    typedef Over<PIXEL> O;
    static __device__ __forceinline__ O::N of(const Launch &, int, int, O::N d, O::N, O::N a) { return O::covered(d, a); }
};
template <class P> struct Layer<P, 2> {
    typedef Over<PIXEL> O;
    static constexpr int SHIFT = P::ACROSS + P::DOWN;
    static __device__ __forceinline__ O::N of(const Launch &launch, int x, int y, O::N d, O::N s, O::N a) {
        const Plane &guide = launch.planes[P::GUIDE];
        const Source from = source(launch, guide, REACH);
        O::N sum = O::begin(SHIFT);
#pragma unroll
        for (int j = 0; j < 1 << P::DOWN; j++)
#pragma unroll
            for (int i = 0; i < 1 << P::ACROSS; i++) {
                const int column = min((x << P::ACROSS) + i, (int)guide.width - 1), row = min((y << P::DOWN) + j, (int)guide.height - 1);
                sum = O::add(sum, __ldg(at(from, column, row)));
            }
        return O::laid(d, s, O::beside(a, O::mean(sum, SHIFT)));
    }
};

template <class P> struct Overlay : OneLaunch {
    static constexpr int HEIGHT = 32;
    typedef Over<PIXEL> O;

    static __device__ __forceinline__ void put(u8 *to, const u32 (&v)[4]) { *reinterpret_cast<u32 *>(to) = low_bytes(v); }
    static __device__ __forceinline__ void put(u16 *to, const u32 (&v)[4]) {
        *reinterpret_cast<uint2 *>(to) = make_uint2(v[0] | v[1] << 16, v[2] | v[3] << 16);
    }
    static __device__ __forceinline__ void put(float *to, const float (&v)[4]) {
        *reinterpret_cast<float4 *>(to) = make_float4(v[0], v[1], v[2], v[3]);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        uint4 edges = Table::four(launch, P::AT), words = Table::four(launch, P::AT + 4);
        bool meets = (u32)x >= edges.x && (u32)x < edges.y;
        if (P::MOVES) {
            // Two's complement: what lies outside to the left or above is below zero as an int.
            const u32 left = (u32)plane.course[0], top = (u32)plane.course[1];
            edges = {edges.x + left, edges.y + left, edges.z + top, edges.w + top};
            if (P::CLIP) words.x += left;
            meets = x + 3 >= (int)edges.x && x < (int)edges.y;
        }
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            const Quad<O::Cell> from = centred<O::Cell>(launch, plane, x, y + r);
            O::N v[4] = {(O::N)from.v[0], (O::N)from.v[1], (O::N)from.v[2], (O::N)from.v[3]};
            const bool covers = P::MOVES ? y + r >= (int)edges.z && y + r < (int)edges.w
                                         : (u32)(y + r) >= edges.z && (u32)(y + r) < edges.w;
            if (meets && covers) {
                O::N s[4], a[4];
                Laid<P, P::CLIP, P::MOVES>::read(launch, plane, edges, words, x, y + r, s, a);
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (a[k] != 0) v[k] = Layer<P, P::BASE>::of(launch, x + k, y + r, v[k], s[k], a[k]);
            }
            put(plane.samples + ((u32)(y + r) * plane.stride + x), v);
        }
    }
};
