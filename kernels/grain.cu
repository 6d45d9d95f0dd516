// Film grain: noise of whole numbers, times a weight that follows brightness, added to each sample.
// The arithmetic is that of crates/filter/src/pass/grain.rs. CPU twin: crates/cpu/src/grain.rs
//
//   a thread makes 4 samples of 4 rows, 8 rows apart; for each row it hashes 2 SIZE − 1 rows of 2 SIZE + 2 cells
//
// plane.fields is the key of the frame, as crates/cuda/src/field.rs writes it.
//
// Parameters: Last, and
//   SIZE            size of grains; the taps of an axis are 1, 2 … SIZE … 2, 1
//   BLACK, SCALE    where brightness is 0, and its factor, the bits of floats
//   DARK, RISE      weight at black and how it rises, likewise
//   BRIGHT, FALL    the same of the brighter half

template <class P> struct Grain : OneLaunch {
    typedef Finish<typename P::Last> F;
    static constexpr int HEIGHT = 32, N = 2 * P::SIZE - 1;

    static __device__ __forceinline__ u32 mixed(u32 h) {
        h = (h ^ h >> 16) * 0x7feb352du;
        h = (h ^ h >> 15) * 0x846ca68bu;
        return h ^ h >> 16;
    }
    static __device__ __forceinline__ int cell(u32 x, u32 y, u32 key) {
        const u32 h = mixed(mixed(x + y * 0x9e3779b9u) ^ key);
        return (int)((h & 255) + (h >> 8 & 255) + (h >> 16 & 255) + (h >> 24)) - 510;
    }
    static constexpr __device__ __forceinline__ int tap(int i) { return i < P::SIZE ? i + 1 : N - i; }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        for (int r = y; r < y + HEIGHT && r < (int)plane.height; r += 8) {
            int noise[4] = {};
#pragma unroll 1
            for (int j = 0; j < N; j++) {
                int cells[N + 3], sum[4] = {};
#pragma unroll
                for (int i = 0; i < N + 3; i++) cells[i] = cell(x + i, r + j, plane.fields);
#pragma unroll
                for (int k = 0; k < 4; k++) {
#pragma unroll
                    for (int i = 0; i < N; i++) sum[k] += tap(i) * cells[k + i];
                    noise[k] += tap(j) * sum[k];
                }
            }
            const Quad<float> own = centred<float>(launch, plane, x, r);
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float p = __fmul_rn(__fsub_rn(own.v[k], __uint_as_float(P::BLACK)), __uint_as_float(P::SCALE));
                p = p > 0.0f ? p : 0.0f;
                p = p < 1.0f ? p : 1.0f;
                const bool dark = p < 0.5f;
                const float at = __uint_as_float(dark ? P::DARK : P::BRIGHT), by = __uint_as_float(dark ? P::RISE : P::FALL);
                v[k] = __fadd_rn(own.v[k], __fmul_rn((float)noise[k], __fadd_rn(at, __fmul_rn(p, by))));
            }
            F::store(launch, plane, x, r, v);
        }
    }
};
