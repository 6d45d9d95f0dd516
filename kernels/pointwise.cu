// Samples one by one: out(x, y) = table[in(x, y)] for integers, step(… step(in(x, y))) for floats.
// CPU twin: crates/cpu/src/pointwise.rs
//
//   of the samples of a frame or, as the AFTER of a Finish, of those that another kernel has just made;
//   on their own, a thread makes 4 samples of 4 rows; a table of up to NEAR entries is first brought to shared memory,
//   2 · ENTRIES bytes, and a larger one is read through the cache

// Writes four integer samples.
template <class P> __device__ __forceinline__ void pack(P *to, const u32 (&v)[4]) {
    if constexpr (sizeof(P) == 1) *reinterpret_cast<u32 *>(to) = v[0] | v[1] << 8 | v[2] << 16 | v[3] << 24;
    else *reinterpret_cast<uint2 *>(to) = make_uint2(v[0] | v[1] << 16, v[2] | v[3] << 16);
}

// A table of ENTRIES 16-bit entries, two in a word, from word AT of the lookups on, read through the cache: for the
// finished sample in the low bits of a word.
template <class P> struct Entry {
    static __device__ __forceinline__ u32 of(const Launch &launch, u32 word) {
        u32 sample = word & (sizeof(PIXEL) == 1 ? 0xffu : 0xffffu);
        return __ldg(reinterpret_cast<const u16 *>(launch.lookups + P::AT) + min(sample, P::ENTRIES - 1u));
    }
};

// Such a table for samples as they come. NEAR says whether it is brought to shared memory.
template <class P> struct Points : OneLaunch {
    static constexpr int HEIGHT = 32, ENTRIES = P::ENTRIES;
    static_assert(!P::NEAR || 2 * ENTRIES <= SHARED_BYTES);

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const u32 *words = launch.lookups + P::AT;
        const u16 *table = reinterpret_cast<const u16 *>(words);
        if constexpr (P::NEAR) {
            u32 *near = reinterpret_cast<u32 *>(shared);
            for (int i = threadIdx.x; i < ENTRIES / 2; i += THREADS) near[i] = __ldg(words + i);
            __syncthreads();
            table = reinterpret_cast<const u16 *>(near);
        }
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
#pragma unroll
        for (int r = 0; r < HEIGHT; r += 8) {
            if (y + r >= (int)plane.height) return;
            Quad<int> from = centred<int>(launch, plane, x, y + r);
            u32 v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) v[k] = table[min(from.v[k], ENTRIES - 1)];
            pack(plane.samples + (u64)(y + r) * plane.stride + x, v);
        }
    }
};

// The steps on floats, with the names and the arithmetic of crates/filter/src/pass/pointwise.rs. Numbers come as their bits.
template <u32 FACTOR> struct Multiply {
    static __device__ __forceinline__ float of(const Launch &, float v) { return __fmul_rn(v, __uint_as_float(FACTOR)); }
};
template <u32 TERM> struct Add {
    static __device__ __forceinline__ float of(const Launch &, float v) { return __fadd_rn(v, __uint_as_float(TERM)); }
};
struct Absolute {
    static __device__ __forceinline__ float of(const Launch &, float v) { return fabsf(v); }
};
template <class P> struct Between {
    static __device__ __forceinline__ float of(const Launch &, float v) {
        float low = __uint_as_float(P::LOW), high = __uint_as_float(P::HIGH);
        return v < low ? low : v > high ? high : v;
    }
};
template <class P> struct Threshold {
    static __device__ __forceinline__ float of(const Launch &, float v) {
        return __uint_as_float(v >= __uint_as_float(P::LEVEL) ? P::ABOVE : P::BELOW);
    }
};

// N values from word AT of the lookups on.
template <class P> struct Lookup {
    static constexpr int N = P::N;
    static __device__ __forceinline__ float of(const Launch &launch, float v) {
        if (isnan(v)) return v;
        float p = __fmul_rn(v, N - 1.0f);
        p = p > N - 1.0f ? N - 1.0f : p > 0.0f ? p : 0.0f;
        int i = min((int)p, N - 2);
        const u32 *words = launch.lookups + P::AT + i;
        float a = __uint_as_float(__ldg(words)), b = __uint_as_float(__ldg(words + 1));
        return __fmaf_rn(__fsub_rn(p, (float)i), __fsub_rn(b, a), a);
    }
};

// The twin of crates/filter/src/pass/power.rs, operation by operation.
template <u64 EXPONENT> struct Power {
    static __device__ __forceinline__ float of(const Launch &, float v) {
        constexpr double LOGARITHM[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                        1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
        constexpr double EXPONENTIAL[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                                          1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                                          1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        0.5, 1.0, 1.0};
        if (isnan(v) || isinf(v) && v > 0.0f) return v;
        if (v <= 0.0f) return 0.0f;
        u64 word = __double_as_longlong((double)v);
        int n = (int)(word >> 52) - 1023;
        double m = __longlong_as_double(word & 0x000fffffffffffffull | 0x3ff0000000000000ull);
        if (m > 1.41421356237309504880) m = __dmul_rn(m, 0.5), n++;
        double s = __ddiv_rn(__dadd_rn(m, -1.0), __dadd_rn(m, 1.0));
        double square = __dmul_rn(s, s), sum = LOGARITHM[0];
#pragma unroll
        for (int i = 1; i < 11; i++) sum = __fma_rn(sum, square, LOGARITHM[i]);
        double logarithm = __fma_rn(__dmul_rn(__dmul_rn(2.0, s), sum), 1.44269504088896340736, (double)n);
        double y = __dmul_rn(__longlong_as_double(EXPONENT), logarithm);
        y = y < -1000.0 ? -1000.0 : y > 1000.0 ? 1000.0 : y;
        double whole = floor(__dadd_rn(y, 0.5));
        double rest = __dmul_rn(__dadd_rn(y, -whole), 0.693147180559945309417);
        sum = EXPONENTIAL[0];
#pragma unroll
        for (int i = 1; i < 14; i++) sum = __fma_rn(sum, rest, EXPONENTIAL[i]);
        return __double2float_rn(__dmul_rn(sum, __longlong_as_double((u64)((long long)whole + 1023) << 52)));
    }
};

// Steps one after another, and so much of the sample itself: WET and DRY are the bits of the factors.
template <class P> struct Curve {
    template <class... STEPS> static __device__ __forceinline__ float stepped(const Launch &launch, float v, List<STEPS...>) {
        ((v = STEPS::of(launch, v)), ...);
        return v;
    }
    static __device__ __forceinline__ float of(const Launch &launch, float sample) {
        float v = stepped(launch, sample, typename P::Steps());
        v = __fmul_rn(v, __uint_as_float(P::WET));
        return P::DRY & 0x7fffffffu ? __fadd_rn(v, __fmul_rn(sample, __uint_as_float(P::DRY))) : v;
    }
};

// The parameter Map says what becomes of a sample.
template <class P> struct Steps : OneLaunch {
    static constexpr int HEIGHT = 32;
    struct Last : Plain {
        typedef typename P::Map After;
        static constexpr bool LOW = true, HIGH = true;
    };

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            Quad<float> from = centred<float>(launch, plane, x, y + r);
            Finish<Last>::put(launch, plane.samples + (u64)(y + r) * plane.stride + x, from.v);
        }
    }
};
