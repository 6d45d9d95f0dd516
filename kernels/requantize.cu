// Samples of another depth, type or range: out(x, y) = in(x, y) · scale + offset, fused, plus a threshold of a 16x16 Bayer
// matrix where there is dithering; integers are clamped and rounded to nearest, ties to even.
// CPU twin: crates/cpu/src/requantize.rs
//
//   a thread makes 4 samples of 4 rows; there is no tile. Samples of PIXEL go in, samples of Out come out, so that the
//   plane to be made is one of Out, its stride counted in those.
//
// Parameters: Out, the type of the samples that come out; SCALE, OFFSET, HIGHEST, the bits of floats; ROUNDS, whether Out
// is an integer; DITHERS, whether thresholds are added; MIRRORED, FLIPPED, TRANSPOSED, how the matrix lies.

template <class P> struct Requantize : OneLaunch {
    typedef typename P::Out Out;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ float threshold(u32 x, u32 y) {
        x &= 15, y &= 15;
        if (P::MIRRORED) x = 15 - x;
        if (P::FLIPPED) y = 15 - y;
        const u32 across = P::TRANSPOSED ? y : x, down = P::TRANSPOSED ? x : y;
        u32 number = 0;
#pragma unroll
        for (int bit = 0; bit < 4; bit++) {
            const u32 a = across >> bit & 1, b = down >> bit & 1;
            number = number << 2 | (a ^ b) << 1 | a;
        }
        return __fsub_rn(__fdiv_rn((float)(number + 1), 257.0f), 0.5f);
    }

    static __device__ __forceinline__ Out made(float sample, int x, int y) {
        float v = __fmaf_rn(sample, __uint_as_float(P::SCALE), __uint_as_float(P::OFFSET));
        if (P::DITHERS) v = __fadd_rn(v, threshold(x, y));
        // Of a number and a NaN the number is the larger.
        if constexpr (P::ROUNDS) return (Out)__float2int_rn(fminf(fmaxf(v, 0.0f), __uint_as_float(P::HIGHEST)));
        else return v != v ? __uint_as_float(0x7fc00000u) : v;
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            Quad<float> from = centred<float>(launch, plane, x, y + r);
            Out *to = reinterpret_cast<Out *>(plane.samples) + ((u32)(y + r) * plane.stride + x);
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (x + k < (int)plane.width) to[k] = made(from.v[k], x + k, y + r);
        }
    }
};
