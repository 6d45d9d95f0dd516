// Two frames as one: out = a + w · (b − a), a the first sample of the window, b the second, w a weight of 0 to 1.
// CPU twin: crates/cpu/src/blend.rs
//
//   a thread makes 4 samples of 4 rows; a frame that has no part in them is not read

// The same weight everywhere: word AT of the taps.
template <int AT> struct Even {
    static __device__ __forceinline__ float4 weights(const Launch &launch, int, int) {
        float w = __uint_as_float(Table::tap(launch, AT));
        return make_float4(w, w, w, w);
    }
};

// The same weight in a rectangle, 0 outside. The words: left, right, top, bottom, weight; right and bottom are outside.
template <int AT> struct Inside {
    static __device__ __forceinline__ float4 weights(const Launch &launch, int x, int y) {
        uint4 edges = Table::four(launch, AT);
        float w = __uint_as_float(Table::tap(launch, AT + 4)), v[4];
#pragma unroll
        for (u32 k = 0; k < 4; k++) {
            bool inside = x + k >= edges.x && x + k < edges.y && (u32)y >= edges.z && (u32)y < edges.w;
            v[k] = inside ? w : 0.0f;
        }
        return make_float4(v[0], v[1], v[2], v[3]);
    }
};

// One for each sample, from word AT of the lookups on, in rows of STRIDE words, a multiple of 4.
template <class P> struct Each {
    static __device__ __forceinline__ float4 weights(const Launch &launch, int x, int y) {
        return __ldg(reinterpret_cast<const float4 *>(launch.lookups + P::AT + (u64)y * P::STRIDE + x));
    }
};

// The parameter Weights is one of the above.
template <class P> struct Blend : OneLaunch {
    typedef typename P::Weights W;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ void put(const Launch &, float *to, const float (&v)[4]) {
        *reinterpret_cast<float4 *>(to) = make_float4(v[0], v[1], v[2], v[3]);
    }
    // Nothing leaves the range between the two samples, so nothing is clamped.
    template <class S> static __device__ __forceinline__ void put(const Launch &launch, S *to, const float (&v)[4]) {
        Finish<Plain>::put(launch, to, v);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            float4 four_weights = W::weights(launch, x, y + r);
            float w[4] = {four_weights.x, four_weights.y, four_weights.z, four_weights.w};
            bool first = false, second = false;
#pragma unroll
            for (int k = 0; k < 4; k++) first |= w[k] != 1.0f, second |= w[k] != 0.0f;
            Quad<float> a = {}, b = {};
            if (first) a = near<float>(source(launch, plane, 0), plane, x, y + r);
            if (second) b = near<float>(source(launch, plane, 1), plane, x, y + r);
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float between = __fmaf_rn(w[k], __fsub_rn(b.v[k], a.v[k]), a.v[k]);
                if (sizeof(PIXEL) == 4 && isnan(between)) between = __uint_as_float(0x7fc00000u);
                v[k] = w[k] == 0.0f ? a.v[k] : w[k] == 1.0f ? b.v[k] : between;
            }
            put(launch, plane.samples + (u64)(y + r) * plane.stride + x, v);
        }
    }
};
