// One frame on its way to the next: a of the centre frame, b of the frame after it, i the launch's factor.
// CPU twin: crates/cpu/src/crossfade.rs
//
//   integers   out = (a · (K − i) + b · i + K / 2) >> log2 K, K = 128 of one byte, 32768 of two
//   floats     out = a · (1 − w) + b · w, w = i / 32768, each operation rounded
//
//   a thread makes 4 samples of 4 rows; there is no tile. 65535 · 32768 + 16384 fits into 31 bits.
//
// Parameters: none.

template <class P> struct Crossfade : OneLaunch {
    static constexpr int HEIGHT = 32;
    static constexpr int SHIFT = sizeof(PIXEL) == 1 ? 7 : 15;
    static constexpr int WHOLE = 1 << SHIFT;

    static __device__ __forceinline__ int weight(const Launch &launch) {
        return min(max((int)launch.factor, 0), WHOLE);
    }
    static __device__ __forceinline__ void put(u8 *to, const Quad<int> &a, const Quad<int> &b, int i) {
        u32 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = (u32)((a.v[k] * (WHOLE - i) + b.v[k] * i + WHOLE / 2) >> SHIFT);
        *reinterpret_cast<u32 *>(to) = low_bytes(v);
    }
    static __device__ __forceinline__ void put(u16 *to, const Quad<int> &a, const Quad<int> &b, int i) {
        u32 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = (u32)((a.v[k] * (WHOLE - i) + b.v[k] * i + WHOLE / 2) >> SHIFT);
        *reinterpret_cast<uint2 *>(to) = make_uint2(v[0] | v[1] << 16, v[2] | v[3] << 16);
    }
    static __device__ __forceinline__ void put(float *to, const Quad<float> &a, const Quad<float> &b, int i) {
        const float second = (float)i * (1.0f / 32768.0f), first = __fsub_rn(1.0f, second);
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float sum = __fadd_rn(__fmul_rn(a.v[k], first), __fmul_rn(b.v[k], second));
            v[k] = isnan(sum) ? __uint_as_float(0x7fc00000u) : sum;
        }
        *reinterpret_cast<float4 *>(to) = make_float4(v[0], v[1], v[2], v[3]);
    }

    // The number that a sample is computed as.
    template <class S, class D> struct Number { typedef int Type; };
    template <class D> struct Number<float, D> { typedef float Type; };
    typedef typename Number<PIXEL, P>::Type N;

    // Four samples; of a frame that is not there neutral ones.
    static __device__ __forceinline__ Quad<N> four(const Launch &launch, const Plane &plane, int frame, int x, int y) {
        Source from = source(launch, plane, frame);
        if (from.samples) return near<N>(from, plane, x, y);
        Quad<N> q;
#pragma unroll
        for (int k = 0; k < 4; k++) q.v[k] = (N)plane.neutral;
        return q;
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        const int i = weight(launch);
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            Quad<N> a = four(launch, plane, REACH, x, y + r), b = four(launch, plane, REACH + 1, x, y + r);
            put(plane.samples + ((u32)(y + r) * plane.stride + x), a, b, i);
        }
    }
};
