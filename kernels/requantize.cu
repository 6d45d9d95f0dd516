// Samples of another depth, type or range: out(x, y) = in(x, y) · scale + offset, fused, plus a threshold of a 16x16 Bayer
// matrix where there is dithering; integers are clamped and rounded to nearest, ties to even.
// CPU twin: crates/cpu/src/requantize.rs
//
//   a thread makes 4 samples of 4 rows; there is no tile. Samples of PIXEL go in, samples of Out come out, so that the
//   plane to be made is one of Out, its stride counted in those.
//
// Parameters: Out, the type of the samples that come out; SCALE, OFFSET, HIGHEST, the bits of floats; ROUNDS, whether Out
// is an integer; DITHERS, whether thresholds are added; MIRRORED, FLIPPED, TRANSPOSED, how the matrix lies.
//
// Errors diffused: one block makes the plane. Each thread has a row of 256, two columns behind the one above, so that each of its
// steps meets what that row has lost at the step before:
//
//      row 0     ░░░░░░░■        c, from the thread above by a shuffle, from the warp above by shared memory; above row 0 the errors of
//      row 1     ░░░░░■          the last row of the 256 before, in device memory
//      row 2     ░░░■            a step lasts as long as a chain of ten instructions and a barrier

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

template <class P> struct Diffused : OneLaunch {
    typedef typename P::Out Out;
    static constexpr int HEIGHT = P::HEIGHT, LAG = 2;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int, int) {
        __shared__ float handed[2][THREADS / 32 + 1];
        const int width = plane.width, height = plane.height, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const float highest = __uint_as_float(P::HIGHEST);
        const Source from = source(launch, plane, REACH);
        volatile float *line = reinterpret_cast<float *>(plane.between);
        for (int top = 0; top < height; top += THREADS) {
            const int row = top + threadIdx.x, rows = min(THREADS, height - top);
            float left = 0.0f, corner = 0.0f, above = 0.0f, right = 0.0f;
            if (threadIdx.x < 2 * (THREADS / 32 + 1)) handed[threadIdx.x % 2][threadIdx.x / 2] = 0.0f;
            __syncthreads();
            for (int step = -1; step < width + LAG * (rows - 1); step++) {
                const int column = step - LAG * (int)threadIdx.x;
                float next = __shfl_up_sync(0xffffffffu, left, 1);
                if (lane == 0) next = handed[step & 1][warp];
                if (threadIdx.x == 0) next = top > 0 && column + 1 < width ? line[column + 1] : 0.0f;
                corner = above, above = right, right = next;
                float error = 0.0f;
                if (row < height && column >= 0 && column < width) {
                    const float sample = from.samples ? (float)__ldg(at(from, column, row)) : plane.neutral;
                    const float v = __fmaf_rn(sample, __uint_as_float(P::SCALE), __uint_as_float(P::OFFSET));
                    const float beside = __fmaf_rn(right, 3.0f / 16.0f, __fmul_rn(left, 7.0f / 16.0f));
                    const float over = __fmaf_rn(corner, 1.0f / 16.0f, __fmul_rn(above, 5.0f / 16.0f));
                    const float value = fminf(fmaxf(__fadd_rn(v, __fadd_rn(beside, over)), 0.0f), highest);
                    const int rounded = __float2int_rn(value);
                    reinterpret_cast<Out *>(plane.samples)[(u32)row * plane.stride + column] = (Out)rounded;
                    error = __fsub_rn(value, (float)rounded);
                    if (threadIdx.x == THREADS - 1) line[column] = error;
                }
                left = error;
                if (lane == 31) handed[(step + 1) & 1][warp + 1] = error;
                __syncthreads();
            }
        }
    }
};
