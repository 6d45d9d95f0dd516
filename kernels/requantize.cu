// Samples of another depth, type or range: out(x, y) = in(x, y) · scale + offset, fused, plus a threshold of a 16x16 Bayer
// matrix or noise where there is dithering; integers are clamped and rounded to nearest, ties to even. The noise is that of
// crates/filter/src/pass/requantize.rs.
// CPU twin: crates/cpu/src/requantize.rs
//
//   a thread makes 4 samples of 4 rows; there is no tile. Samples of PIXEL go in, samples of Out come out, so that the
//   plane to be made is one of Out, its stride counted in those.
//
// Parameters: Out, the type of the samples that come out; SCALE, OFFSET, HIGHEST, the bits of floats; ROUNDS, whether Out
// is an integer; DITHERS, whether thresholds are added; RANDOM, whether they are noise, and its KEY; MIRRORED, FLIPPED, TRANSPOSED,
// how the matrix lies.
//
// Errors diffused: each lane of a warp has a row of 32, two columns behind the one above, so that each of its steps meets what that
// row has lost at the step before. Each warp follows the one above it, a few columns behind its last row:
//
//      row 0     ░░░░░░░■        c, from the lane above by a shuffle, above row 0 from the warp above by device memory: a word for
//      row 1     ░░░░░■          each column, which is no error before that is known (Diffused::begin)
//      row 2     ░░░■            a step waits for a shuffle and a chain of ten instructions; a plane takes as many steps as it is
//                                wide, and two and a half for each of its rows
//
// A warp works by eight steps at a time, alike for all lanes: a lane that is two columns behind has its samples and results put
// into place once in eight steps, because registers wait for a load as long as any lane has begun one, and because a step
// has no other warps to hide an instruction behind. On an H200 a step takes 180 cycles, of which the chain explains some 75:
// 2,400 planes of 1920x1080 a second. A block waits for those before it alone, which begin no later.

template <class P> struct Requantize : OneLaunch {
    typedef typename P::Out Out;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ u32 mixed(u32 h) {
        h = (h ^ h >> 16) * 0x7feb352du;
        h = (h ^ h >> 15) * 0x846ca68bu;
        return h ^ h >> 16;
    }

    static __device__ __forceinline__ float threshold(u32 x, u32 y) {
        if constexpr (P::RANDOM) {
            const u32 h = mixed(mixed(x + y * 0x9e3779b9u) ^ P::KEY);
            return __fsub_rn(__fmul_rn((float)(h >> 8 | 1), 1.0f / 16777216.0f), 0.5f);
        }
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

template <class P> struct Diffused {
    typedef typename P::Out Out;
    // Rows of a warp, columns that a row is behind the one above, columns that are made at once.
    static constexpr int HEIGHT = P::HEIGHT, ROWS = 32, LAG = 2, CHUNK = 8;
    // Words of so many samples.
    static constexpr int READ = CHUNK * sizeof(PIXEL) / 4, MADE = CHUNK * sizeof(Out) / 4;
    // A line of errors begins so many words before its first column: the last row of a warp then writes whole cells of four.
    static constexpr int BEFORE = LAG * (ROWS - 1) % CHUNK;
    // A word that is no error.
    static constexpr u32 ABSENT = 0xffffffffu;
    // Above 2^23 a float has no fraction.
    static constexpr float WHOLE = 12582912.0f;

    // The errors of the last row of a warp.
    static __device__ __forceinline__ u32 *line(const Plane &plane, int y) {
        return reinterpret_cast<u32 *>(plane.between) + (u32)(y / ROWS) * pitch(plane);
    }
    static __device__ __forceinline__ u32 pitch(const Plane &plane) { return (plane.width + 3 * CHUNK - 1) / CHUNK * CHUNK; }

    // No errors are known; beyond the plane they are 0.
    static __device__ __forceinline__ void begin(const Launch &, const Plane &plane, int, int y) {
        u32 *lines = line(plane, y);
        const u32 rows = min(HEIGHT, (int)plane.height - y), words = (rows + ROWS - 1) / ROWS * pitch(plane);
        for (u32 i = threadIdx.x; i < words; i += THREADS)
            lines[i] = i % pitch(plane) - BEFORE < plane.width ? ABSENT : 0;
    }

    // What is there of the errors from a column on that is BEFORE before a multiple of CHUNK, past the first cache.
    static __device__ __forceinline__ void errors(const Plane &plane, const u32 *line, int x, u32 (&v)[CHUNK]) {
#pragma unroll
        for (int i = 0; i < CHUNK; i += 4) {
            v[i] = v[i + 1] = v[i + 2] = v[i + 3] = 0;
            if (x < (int)plane.width) asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                : "=r"(v[i]), "=r"(v[i + 1]), "=r"(v[i + 2]), "=r"(v[i + 3]) : "l"(line + BEFORE + x + i) : "memory");
        }
    }

    // A row's samples from a multiple of CHUNK on, those outside of the plane 0.
    static __device__ __forceinline__ void chunk(const Source &from, const Plane &plane, int x, int y, u32 (&v)[READ]) {
        const int width = plane.width;
        const bool inside = from.samples && x >= 0 && x < width && y < (int)plane.height;
#pragma unroll
        for (int i = 0; i < READ; i++) v[i] = 0;
        if (inside && from.wide && x + CHUNK <= width) {
            const PIXEL *p = at(from, x, y);
            if constexpr (READ == 2) {
                const uint2 two = __ldg(reinterpret_cast<const uint2 *>(p));
                v[0] = two.x, v[1] = two.y;
            } else {
#pragma unroll
                for (int i = 0; i < READ; i += 4) {
                    const uint4 four = __ldg(reinterpret_cast<const uint4 *>(p) + i / 4);
                    v[i] = four.x, v[i + 1] = four.y, v[i + 2] = four.z, v[i + 3] = four.w;
                }
            }
        } else if (inside) {
            constexpr int EACH = 4 / sizeof(PIXEL);
#pragma unroll
            for (int k = 0; k < CHUNK; k++)
                if (x + k < width) v[k / EACH] |= bits(__ldg(at(from, x + k, y))) << k % EACH * 8 * sizeof(PIXEL);
        }
    }
    static __device__ __forceinline__ u32 bits(PIXEL v) {
        if constexpr (sizeof(PIXEL) == 4) return __float_as_uint(v);
        else return v;
    }

    // A chunk out of two that follow each other, from an even place on.
    template <int N> static __device__ __forceinline__ void between(const u32 (&first)[N], const u32 (&second)[N], int place, u32 (&v)[N]) {
        u32 w[2 * N];
#pragma unroll
        for (int i = 0; i < N; i++) w[i] = first[i], w[N + i] = second[i];
        // Places of 4, 2: words of half a chunk, of a quarter; two words have 4 samples each.
#pragma unroll
        for (int i = 0; i < N + N / 2; i++) w[i] = place & 4 ? w[i + N / 2] : w[i];
        if constexpr (N == 2) {
#pragma unroll
            for (int i = 0; i < N; i++) v[i] = place & 2 ? __funnelshift_r(w[i], w[i + 1], 16) : w[i];
        } else {
#pragma unroll
            for (int i = 0; i < N; i++) v[i] = place & 2 ? w[i + N / 4] : w[i];
        }
    }

    static __device__ __forceinline__ float sample(const u32 (&v)[READ], int k) {
        if constexpr (sizeof(PIXEL) == 4) return __uint_as_float(v[k]);
        else if constexpr (sizeof(PIXEL) == 2) return (float)(u16)(v[k / 2] >> k % 2 * 16);
        else return (float)(u8)(v[k / 4] >> k % 4 * 8);
    }

    // Writes a chunk; nothing outside of the plane.
    static __device__ __forceinline__ void store(const Plane &plane, const u32 (&words)[MADE], int x, int y) {
        const int width = plane.width;
        if (x < 0 || x >= width || y >= (int)plane.height) return;
        Out *to = reinterpret_cast<Out *>(plane.samples) + ((u32)y * plane.stride + x);
        if (x + CHUNK <= width) {
            if constexpr (MADE == 2) *reinterpret_cast<uint2 *>(to) = {words[0], words[1]};
            else *reinterpret_cast<uint4 *>(to) = {words[0], words[1], words[2], words[3]};
            return;
        }
        for (int k = 0; x + k < width; k++) {
            u32 word = words[0];
#pragma unroll
            for (int i = 1; i < MADE; i++)
                if (k * (int)sizeof(Out) / 4 == i) word = words[i];
            to[k] = (Out)(word >> k * 8 * sizeof(Out) % 32);
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int, int y) {
        const int lane = threadIdx.x % 32, width = plane.width, height = plane.height;
        const int top = y + threadIdx.x / 32 * ROWS, row = top + lane;
        if (top >= height) return;
        const float scale = __uint_as_float(P::SCALE), offset = __uint_as_float(P::OFFSET), highest = __uint_as_float(P::HIGHEST);
        const Source from = source(launch, plane, REACH);
        const bool follows = lane == 0 && top > 0;
        const u32 *over = follows ? line(plane, top - ROWS) : nullptr;
        u32 *under = line(plane, top);
        // Whole chunks that a row is behind the first, and columns beyond them; the same with the columns that lack.
        const int behind = LAG * lane / CHUNK * CHUNK, beyond = LAG * lane % CHUNK;
        const int lacking = (CHUNK - beyond) % CHUNK, whole_behind = LAG * lane + lacking;
        float left = 0.0f, corner = 0.0f, above = 0.0f, right = 0.0f;
        u32 before[READ] = {}, now[READ] = {}, next[READ] = {}, last[MADE] = {}, coming[CHUNK] = {}, carried = 0;
        chunk(from, plane, -whole_behind, row, next);
        if (follows) errors(plane, over, -BEFORE, coming);
        const int end = (width + CHUNK - 1) / CHUNK * CHUNK + LAG * (min(ROWS, height - top) - 1) / CHUNK * CHUNK;
#pragma unroll 1
        for (int step = -CHUNK; step <= end; step += CHUNK) {
#pragma unroll
            for (int i = 0; i < READ; i++) before[i] = now[i], now[i] = next[i];
            chunk(from, plane, step + 2 * CHUNK - whole_behind, row, next);
            u32 samples[READ];
            between(before, now, lacking, samples);
            // Errors of the columns from the second after the first one on, and of the one before from the steps before.
            u32 lost[CHUNK] = {carried};
            if (follows) {
                bool absent;
                do {
                    absent = false;
#pragma unroll
                    for (int i = 0; i < CHUNK; i++) absent |= coming[i] == ABSENT;
                    if (absent) errors(plane, over, step + CHUNK - BEFORE, coming);
                } while (absent);
#pragma unroll
                for (int i = 1; i < CHUNK; i++) lost[i] = coming[i - 1];
                carried = coming[CHUNK - 1];
                errors(plane, over, step + 2 * CHUNK - BEFORE, coming);
            }
            // Which of its columns are inside.
            const int column = step - LAG * lane;
            const u32 inside = (column < 0 ? 0xffu << min(-column, 8) : 0xffu) & (1u << max(min(width - column, 8), 0)) - 1;
            u32 made[MADE] = {}, own[CHUNK];
#pragma unroll
            for (int k = 0; k < CHUNK; k++) {
                const float from_above = __shfl_up_sync(0xffffffffu, left, 1);
                corner = above, above = right, right = lane == 0 ? __uint_as_float(lost[k]) : from_above;
                const float v = __fmaf_rn(from.samples ? sample(samples, k) : plane.neutral, scale, offset);
                const float beside = __fmaf_rn(right, 3.0f / 16.0f, __fmul_rn(left, 7.0f / 16.0f));
                const float behind = __fmaf_rn(corner, 1.0f / 16.0f, __fmul_rn(above, 5.0f / 16.0f));
                const float value = fminf(fmaxf(__fadd_rn(v, __fadd_rn(beside, behind)), 0.0f), highest);
                const float whole = __fadd_rn(value, WHOLE);
                made[k * sizeof(Out) / 4] |= (u32)(Out)__float_as_uint(whole) << k * 8 * sizeof(Out) % 32;
                left = inside >> k & 1 ? __fsub_rn(value, __fsub_rn(whole, WHOLE)) : 0.0f;
                own[k] = __float_as_uint(left);
            }
            u32 whole[MADE];
            between(last, made, beyond, whole);
            store(plane, whole, step - CHUNK - behind, row);
#pragma unroll
            for (int i = 0; i < MADE; i++) last[i] = made[i];
            const int cell = column + BEFORE;
            if (lane == ROWS - 1 && cell >= 0 && cell < (int)pitch(plane)) {
#pragma unroll
                for (int i = 0; i < CHUNK; i += 4)
                    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" : : "l"(under + cell + i), "r"(own[i]),
                        "r"(own[i + 1]), "r"(own[i + 2]), "r"(own[i + 3]) : "memory");
            }
        }
    }
};
