// Each frame composed with the one before or a second one: a of the centre frame, b of its partner, which is before it among the
// images, M the largest sample. The formulas are those of crates/filter/src/pass/compose.rs, in its order of modes.
// CPU twin: crates/cpu/src/compose
//
//   integers   v exact but for quotients, which are cut off, then clipped; out = floor(a + (v − a) · opacity) in f32
//   floats     every operation rounded; out = a + (v − a) · opacity
//   normal     out = a · opacity + b · (1 − opacity), of integers cut off
//
//   a thread makes 4 samples of 4 rows; there is no tile
//
// Parameters
//   MODE      the place of the mode in the list
//   OPACITY   where the table has the opacity

// Numbers of type N in which samples of type S are computed; what is white, grey and one more than white.
template <class S> struct Tones {
    typedef int N;
    typedef int Cell;
    static constexpr int WHITE = (int)PEAK, FULL = WHITE + 1, GREY = FULL / 2;
    static __device__ __forceinline__ int of(int v) { return min(v, WHITE); }
};
// Products of two samples of 16 bits, twice, need more than 32.
template <> struct Tones<u16> {
    typedef long long N;
    typedef int Cell;
    static constexpr long long WHITE = (long long)PEAK, FULL = WHITE + 1, GREY = FULL / 2;
    static __device__ __forceinline__ long long of(int v) { return min(v, (int)PEAK); }
};
template <> struct Tones<float> {
    typedef float N;
    typedef float Cell;
    static constexpr float WHITE = 1.0f, FULL = 1.0f, GREY = 0.5f;
    static __device__ __forceinline__ float of(float v) { return v; }
};

template <class P> struct Compose : OneLaunch {
    static constexpr int HEIGHT = 32, NORMAL = 27;
    typedef Tones<PIXEL> T;
    typedef typename T::N N;

    static __device__ __forceinline__ N least(N p, N q) { return p > q ? q : p; }
    static __device__ __forceinline__ N most(N p, N q) { return p > q ? p : q; }
    static __device__ __forceinline__ N size(N p) { return p >= (N)0 ? p : (N)0 - p; }

    template <class K> static __device__ __forceinline__ K bits(K a, K b) {
        return P::MODE == 18 ? a & b : P::MODE == 19 ? a | b : a ^ b;
    }
    static __device__ __forceinline__ float bits(float a, float b) {
        return __uint_as_float(bits(__float_as_uint(a), __float_as_uint(b)));
    }
    template <class K> static __device__ __forceinline__ K geometric(K a, K b) {
        return (K)rintf(__fsqrt_rn(__ull2float_rn((u64)a * (u64)b)));
    }
    static __device__ __forceinline__ float geometric(float a, float b) {
        return __fsqrt_rn(__fmul_rn(most(a, 0.0f), most(b, 0.0f)));
    }
    template <class K> static __device__ __forceinline__ K around_grey(K a, K b) {
        const float product = __ll2float_rn((long long)((a - T::GREY) * b));
        return (K)(int)__fadd_rn(__fdiv_rn(product, 0.125f * (float)T::FULL), (float)T::GREY);
    }
    static __device__ __forceinline__ float around_grey(float a, float b) {
        return __fadd_rn(__fdiv_rn(__fmul_rn(__fsub_rn(a, 0.5f), b), 0.125f), 0.5f);
    }
    static __device__ __forceinline__ N burn(N a, N b) {
        return a <= (N)0 ? a : most((N)0, T::WHITE - (T::WHITE - b) * T::FULL / a);
    }
    static __device__ __forceinline__ N dodge(N a, N b) {
        return a >= T::WHITE ? a : least(T::WHITE, b * T::FULL / (T::WHITE - a));
    }

    static __device__ __forceinline__ N composed(N a, N b) {
        const N white = T::WHITE, grey = T::GREY, zero = (N)0, two = (N)2;
        switch (P::MODE) {
        case 0: return a * b / white;
        case 1: return around_grey(a, b);
        case 2: return white - size(white - a - b);
        case 3: return size(white - a - b);
        case 4: return white - (white - a) * (white - b) / white;
        case 5: return a < grey ? two * (a * b / white) : white - two * ((white - a) * (white - b) / white);
        case 6: return b < grey ? two * (b * a / white) : white - two * ((white - b) * (white - a) / white);
        case 7: return a < white - b ? zero : white;
        case 8: return a == zero ? zero : white - least((white - b) * (white - b) / a, white);
        case 9: return b == zero ? zero : white - least((white - a) * (white - a) / b, white);
        case 10: return b == zero ? white : white * a / b;
        case 11: return dodge(a, b);
        case 12: return burn(a, b);
        case 13: return a * a / white + two * (b * (a * (white - a) / white) / white);
        case 14: return a + b - two * a * b / white;
        case 15: return b < grey ? least(a, two * b) : most(a, two * (b - grey));
        case 16: return b == white ? b : least(white, a * a / (white - b));
        case 17: return a == white ? a : least(white, b * b / (white - a));
        case 18:
        case 19:
        case 20: return bits(a, b);
        case 21: return a < grey ? burn(two * a, b) : dodge(two * (a - grey), b);
        case 22: return b < grey ? b + two * a - white : b + two * (a - grey);
        case 23:
            if (a > b) return b == white ? zero : (a - b) * white / (white - b);
            return b == zero ? zero : (b - a) * white / b;
        case 24: return geometric(a, b);
        case 25: return a == zero && b == zero ? zero : two * a * b / (a + b);
        case 26:
            if (a == white) return white;
            return least(white, a > grey ? white * b / (two * white - two * a) : two * a * b / white);
        case NORMAL: return a;
        case 28: return least(white, a + b);
        case 29: return (a + b) / two;
        case 30: return most(zero, a - b);
        case 31: return size(a - b);
        case 32: return least(a, b);
        case 33: return most(a, b);
        case 34: return grey + a - b;
        case 35: return a + b - grey;
        default: return least(a, b) - most(a, b) + white;
        }
    }

    // The shares of both, of which none is fused.
    static __device__ __forceinline__ float shared(float a, float b, float opacity) {
        return __fadd_rn(__fmul_rn(a, opacity), __fmul_rn(b, __fsub_rn(1.0f, opacity)));
    }
    template <class K> static __device__ __forceinline__ u32 mixed(K a, K b, float opacity) {
        if (P::MODE == NORMAL) return (u32)shared((float)a, (float)b, opacity);
        const K v = most((K)0, least(composed(a, b), T::WHITE));
        return (u32)__fadd_rn((float)a, __fmul_rn((float)(v - a), opacity));
    }
    static __device__ __forceinline__ float mixed(float a, float b, float opacity) {
        const float v = P::MODE == NORMAL ? shared(a, b, opacity)
                                          : __fadd_rn(a, __fmul_rn(__fsub_rn(composed(a, b), a), opacity));
        return isnan(v) ? __uint_as_float(0x7fc00000u) : v;
    }
    static __device__ __forceinline__ void put(u8 *to, const u32 (&v)[4]) { *reinterpret_cast<u32 *>(to) = low_bytes(v); }
    static __device__ __forceinline__ void put(u16 *to, const u32 (&v)[4]) {
        *reinterpret_cast<uint2 *>(to) = make_uint2(v[0] | v[1] << 16, v[2] | v[3] << 16);
    }
    static __device__ __forceinline__ void put(float *to, const float (&v)[4]) {
        *reinterpret_cast<float4 *>(to) = make_float4(v[0], v[1], v[2], v[3]);
    }

    // Four samples; of a frame that is not there neutral ones.
    static __device__ __forceinline__ Quad<typename T::Cell> four(const Launch &launch, const Plane &plane, int frame, int x, int y) {
        Source from = source(launch, plane, frame);
        if (from.samples) return near<typename T::Cell>(from, plane, x, y);
        Quad<typename T::Cell> q;
#pragma unroll
        for (int k = 0; k < 4; k++) q.v[k] = (typename T::Cell)plane.neutral;
        return q;
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        const float opacity = __uint_as_float(Table::tap(launch, P::OPACITY));
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            const Quad<typename T::Cell> a = four(launch, plane, REACH, x, y + r), b = four(launch, plane, REACH - 1, x, y + r);
            decltype(mixed((N)0, (N)0, 0.0f)) v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) v[k] = mixed(T::of(a.v[k]), T::of(b.v[k]), opacity);
            put(plane.samples + ((u32)(y + r) * plane.stride + x), v);
        }
    }
};
