// Rows of fields: what bwdif.cu, yadif.cu, w3fdif.cu and fieldmatch.cu share. Of a frame one field stays and the rows of the other are
// rebuilt; plane.fields says which, as crates/cuda/src/field.rs writes it. CPU twin: crates/cpu/src/field
//
//   a thread makes 4 samples of 4 rows, 8 rows apart, so that a warp copies all of its rows or rebuilds all of them

// Integer samples are computed as int, floats as float.
template <class P> struct NumberOf { typedef int Type; };
template <> struct NumberOf<float> { typedef float Type; };
typedef NumberOf<PIXEL>::Type Number;

constexpr u32 REBUILT = 1;   // the parity of rows that are rebuilt
constexpr u32 OPENS = 2;     // no field before is known
constexpr u32 PASSES = 4;    // the frame passes through

__device__ __forceinline__ int half(int a) { return a >> 1; }
__device__ __forceinline__ float half(float a) { return a * 0.5f; }
__device__ __forceinline__ int quarter(int a) { return a >> 2; }
__device__ __forceinline__ float quarter(float a) { return a * 0.25f; }
__device__ __forceinline__ int scaled(int a) { return a >> 13; }
__device__ __forceinline__ float scaled(float a) { return a * (1.0f / 8192.0f); }
__device__ __forceinline__ int apart(int a, int b) { return abs(a - b); }
__device__ __forceinline__ float apart(float a, float b) { return fabsf(a - b); }
template <class N> __device__ __forceinline__ N larger(N a, N b) { return a > b ? a : b; }
template <class N> __device__ __forceinline__ N smaller(N a, N b) { return a < b ? a : b; }

// The row of the other field that stands for row y, one row outside at the most.
__device__ __forceinline__ int beside(int y, int height) {
    int last = height - 1;
    y = y < 0 ? -y : y > last ? 2 * last - y : y;
    return min(max(y, 0), last);
}

// Four samples of a row, those above the format's largest as the largest; 0 beyond the width.
__device__ __forceinline__ Quad<Number> four(const Launch &launch, const Plane &plane, int frame, int x, int y) {
    Source from = source(launch, plane, frame);
    Quad<Number> q;
    if (!from.samples) {
        for (int k = 0; k < 4; k++) q.v[k] = (Number)plane.neutral;
        return q;
    }
    q = near<Number>(from, plane, x, y);
    if (sizeof(PIXEL) == 2)
        for (int k = 0; k < 4; k++) q.v[k] = smaller(q.v[k], (Number)PEAK);
    return q;
}

__device__ __forceinline__ Quad<Number> operator+(const Quad<Number> &a, const Quad<Number> &b) {
    return {a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]};
}

// Writes four samples; what lies beyond the width goes into the row's padding.
__device__ __forceinline__ u32 clamped(int v) { return min(max(v, 0), (int)PEAK); }
__device__ __forceinline__ void put(u8 *to, const Number (&v)[4]) {
    *reinterpret_cast<u32 *>(to) = low_bytes({clamped(v[0]), clamped(v[1]), clamped(v[2]), clamped(v[3])});
}
__device__ __forceinline__ void put(u16 *to, const Number (&v)[4]) {
    *reinterpret_cast<uint2 *>(to) = make_uint2(clamped(v[0]) | clamped(v[1]) << 16, clamped(v[2]) | clamped(v[3]) << 16);
}
__device__ __forceinline__ float quiet(float v) { return isnan(v) ? __uint_as_float(0x7fc00000u) : v; }
__device__ __forceinline__ void put(float *to, const Number (&v)[4]) {
    *reinterpret_cast<float4 *>(to) = make_float4(quiet(v[0]), quiet(v[1]), quiet(v[2]), quiet(v[3]));
}

// Four samples of a frame, untouched: of the centre unless another is named.
__device__ __forceinline__ void kept(const Launch &launch, const Plane &plane, int x, int y, int frame = REACH) {
    Source from = source(launch, plane, frame);
    const PIXEL *row = at(from, 0, y);
    PIXEL *to = plane.samples + (u32)y * plane.stride;
    if (from.wide && x + 4 <= (int)plane.width) {
        if constexpr (sizeof(PIXEL) == 1) *(u32 *)(to + x) = *(const u32 *)(row + x);
        else if constexpr (sizeof(PIXEL) == 2) *(uint2 *)(to + x) = *(const uint2 *)(row + x);
        else *(uint4 *)(to + x) = *(const uint4 *)(row + x);
        return;
    }
    for (int k = x; k < x + 4 && k < (int)plane.width; k++) to[k] = row[k];
}

// Rows of a plane: OP::make gives four samples of one that is rebuilt.
template <class OP> struct Rows : OneLaunch {
    static constexpr int HEIGHT = 32;
    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        const bool keeps = plane.fields & PASSES || (y & 1) != (int)(plane.fields & REBUILT);
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            if (keeps) {
                kept(launch, plane, x, y + r);
                continue;
            }
            Number v[4];
            OP::make(launch, plane, x, y + r, v);
            put(plane.samples + ((u32)(y + r) * plane.stride + x), v);
        }
    }
};

// The mean over time, and how far a sample may be from it.
struct Bound {
    Number mean, change, width;
    __device__ __forceinline__ Bound(Number c, Number e, Number pc, Number pe, Number nc, Number ne, Number p, Number q) {
        mean = half(p + q);
        change = apart(p, q);
        width = larger(larger(half(change), half(apart(pc, c) + apart(pe, e))), half(apart(nc, c) + apart(ne, e)));
    }
    // The width after the spatial check; above and below are sums of two frames, two rows away.
    __device__ __forceinline__ Number checked(Number c, Number e, Number above, Number below) const {
        Number b = half(above) - c, f = half(below) - e, up = mean - c, down = mean - e;
        Number most = larger(larger(down, up), smaller(b, f)), least = smaller(smaller(down, up), larger(b, f));
        return larger(larger(width, least), (Number)0 - most);
    }
    __device__ __forceinline__ Number within(Number predicted, Number width) const {
        return larger(mean - width, smaller(mean + width, predicted));
    }
};
