// Samples times the factor of their frame: out(x, y) = (in(x, y) − black) · factor + black, then the last step.
// CPU twin: crates/cpu/src/gain.rs
//
//   a thread makes 4 samples of 4 rows; there is no tile
//
// Parameters: BLACK, its bits, and Last.

template <class P> struct Gain : OneLaunch {
    typedef Finish<typename P::Last> F;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        const float black = __uint_as_float(P::BLACK), factor = launch.factor;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            Quad<float> from = centred<float>(launch, plane, x, y + r);
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) v[k] = __fadd_rn(__fmul_rn(__fsub_rn(from.v[k], black), factor), black);
            F::store(launch, plane, x, y + r, v);
        }
    }
};
