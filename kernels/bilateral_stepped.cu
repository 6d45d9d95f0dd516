// Means over the samples around, above 8 bits and in floats: out(x, y) = finish(Σ w · in / Σ w), where w is a product of a weight by offset
// and one by how many whole steps the sample at an offset differs by (crates/filter/src/pass/bilateral.rs); with or without a guide.
// CPU twin: crates/cpu/src/bilateral
//
//   SteppedMeans   a thread makes R samples of one column, and takes offsets that lie as far to the left and to the right together, four
//                  of them below each other: what it reads serves as many of its samples.
//
//       ┌────┬────┬────┬────┐   shared: the weights of all differences in both directions, once for each lane, so that no
//       │ 32 │    │    │    │   two lanes meet in a bank; the samples of a frame, and the places of their steps among the
//       ├────┼────┼────┼────┤   weights. One instruction adds places, and takes whatever is too far off on either side to
//       │ ×R │    │    │    │   the last weight, which is 0: what is below the first is a large number without a sign.
//       └────┴────┴────┴────┘
//
// Predicted for a radius of 9, where a round window has 253 offsets, of a 1080p plane: 425 reads of shared memory a sample, 0.105 ms, and
// 1254 instructions, 0.078 ms at all issue slots. Measured on one H100 at 1980 MHz: 0.146 ms of integers, 0.148 of floats; the kernel for
// any depth before, 0.503. A radius of 5: 0.067 and 0.168. Bound by shared memory: its data take 77 % of the time, its instructions
// 82 %; 0.70 of a slot is used. What was tried: a sample and its place in 8 bytes, 0.181, as a row of them begins anywhere and takes three
// wavefronts; eight offsets below each other, 0.143 of half as much code again; two, 0.235 with those 8 bytes; 8 rows and three blocks of a
// multiprocessor, 0.145 to 0.149; 12 or 20 rows, 0.160 and 0.171, which tile 1080 rows worse.
//
// Parameters: Border, Last, RADIUS, FRAMES, SPACE and RANGE as in bilateral.cu, and
//   R               rows that a thread makes
//   EXTENT          where the table says for each column of offsets how far its weights reach up and down
//   LAST            the number of the last weight by difference, which is 0
//   FINENESS        steps in a difference of 1
//   COPIES          of the weights: one for each lane, or one
//   TILED           whether there is room for all samples; else each is read anew whenever it is met
//   GUIDED          whether another plane says how much two differ; then also GUIDE, ACROSS and DOWN of joint.cu

// A sample, and the place of its step in bytes.
struct StepCell {
    int place;
    float value;
};

template <class P> struct SteppedMeans : OneLaunch {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    static constexpr int RADIUS = P::RADIUS, FRAMES = P::FRAMES, SIDE = RADIUS + 1, R = P::R, TOGETHER = 4, HEIGHT = 2 * R;
    static constexpr int WIDE = TILE_W + 2 * RADIUS, HIGH = HEIGHT + 2 * RADIUS;
    static constexpr int STRIDE = 4 * P::COPIES, ENTRIES = 2 * P::LAST + 1;
    // The address of the weights, which instructions hold, as in nlmeans_stepped.cu.
    static constexpr u32 SPARE = 128, START = (__CUDA_ARCH__ >= 800 ? 1024 : 0) + SPARE;
    // Where samples, and the places of rows and columns start, in bytes.
    static constexpr int CELLS = (ENTRIES * STRIDE + 15) / 16 * 16;
    static constexpr int TILE = P::TILED ? 8 * WIDE * HIGH : 4 * HEIGHT * TILE_W, PLACES = CELLS + (TILE + 15) / 16 * 16;
    static_assert(TILE_W == 4 * 32 && THREADS == 8 * 32, "four warps across, two down");
    static_assert(PLACES + 4 * (WIDE + HIGH) + SPARE <= SHARED_BYTES, "room for all");

    static __device__ __forceinline__ char *bytes(int from) {
        return reinterpret_cast<char *>(shared) + (START - (u32)__cvta_generic_to_shared(shared)) + from;
    }
    static __device__ __forceinline__ float known(float v) {
        const float most = 5.070602400912918e30f;
        return isfinite(v) ? fmaxf(fminf(v, most), -most) : 0.0f;
    }
    static __device__ __forceinline__ int step(float v) {
        return __float2int_rn(fmaxf(fminf(__fmul_rn(v, __uint_as_float(P::FINENESS)), 4194303.0f), -4194303.0f));
    }
    // The sample at a place that resolved() gave.
    static __device__ __forceinline__ StepCell made(const Launch &launch, const Plane &plane, const Source &from, const Source &beside, int x, int y) {
        const float v = known(fetched<float, B>(from, plane, x, y));
        float by = v;
        if constexpr (P::GUIDED) by = known((float)Covered<P>::at_place(beside, launch.planes[P::GUIDE], x, y));
        return {step(by) * STRIDE, v};
    }

    struct Own {
        u32 base[R];
        float total[R], sum[R];
    };
    static __device__ __forceinline__ float weight(int place, u32 base, u32 last) {
        const u32 at = __viaddmin_u32((u32)place, base, last);
        float w;
        asm("ld.shared.f32 %0, [%1+%2];" : "=f"(w) : "r"(at), "n"(START));
        return w;
    }
    // N offsets below each other, and as many as far to the other side unless they are of the middle column.
    template <int N, bool BOTH, class AT> static __device__ __forceinline__ void offsets(AT at, int left, int right, const float (&space)[N], u32 last, Own &own) {
#pragma unroll
        for (int i = 0; i < R + N - 1; i++) {
            const StepCell a = at(left + i * WIDE);
            StepCell b = a;
            if (BOTH) b = at(right + i * WIDE);
#pragma unroll
            for (int n = 0; n < N; n++) {
                const int r = i - n;
                if (r < 0 || r >= R) continue;
                float by = weight(a.place, own.base[r], last), weighed = __fmul_rn(by, a.value);
                if (BOTH) {
                    const float other = weight(b.place, own.base[r], last);
                    weighed = __fmaf_rn(other, b.value, weighed);
                    by = __fadd_rn(by, other);
                }
                own.total[r] = __fmaf_rn(space[n], by, own.total[r]);
                own.sum[r] = __fmaf_rn(space[n], weighed, own.sum[r]);
            }
        }
    }
    // All offsets of a column, N at a time, and what is left over.
    template <int N, bool BOTH, class AT> static __device__ __forceinline__ void column(AT at, const Launch &launch, int &dy, int reach, int t, int dx, int place, u32 last, Own &own) {
#pragma unroll 1
        for (; dy + N - 1 <= reach; dy += N) {
            float space[N];
#pragma unroll
            for (int n = 0; n < N; n++) space[n] = __uint_as_float(Table::tap(launch, P::SPACE + (abs(t) * SIDE + abs(dy + n)) * SIDE + dx));
            const int middle = place + dy * WIDE;
            offsets<N, BOTH>(at, middle - dx, middle + dx, space, last, own);
        }
        if constexpr (N > 1) column<N / 2, BOTH>(at, launch, dy, reach, t, dx, place, last, own);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        if (START - (u32)__cvta_generic_to_shared(shared) > SPARE) __trap();
        float *entries = reinterpret_cast<float *>(bytes(0));
        int *places = reinterpret_cast<int *>(bytes(CELLS));
        float *values = reinterpret_cast<float *>(places + WIDE * HIGH);
        int *rows = reinterpret_cast<int *>(bytes(PLACES)), *columns = rows + HIGH;
        place<B, WIDE, HIGH>(plane, x - RADIUS, y - RADIUS, rows, columns);
        for (int i = threadIdx.x; i < ENTRIES * P::COPIES; i += THREADS) {
            entries[i] = __uint_as_float(__ldg(launch.lookups + P::RANGE + abs(i / P::COPIES - P::LAST)));
        }
        Source from, beside;
        auto load = [&](int t) {
            __syncthreads();
            from = source(launch, plane, REACH + t);
            if constexpr (P::GUIDED) beside = source(launch, launch.planes[P::GUIDE], REACH + t);
#pragma unroll 1
            for (int i = threadIdx.x; P::TILED && i < WIDE * HIGH; i += THREADS) {
                const StepCell cell = made(launch, plane, from, beside, columns[i % WIDE], rows[i / WIDE]);
                places[i] = cell.place, values[i] = cell.value;
            }
            __syncthreads();
        };
        auto at = [&](int i) {
            if constexpr (P::TILED) return StepCell{places[i], values[i]};
            else return made(launch, plane, from, beside, columns[i % WIDE], rows[i / WIDE]);
        };
        load(0);
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, across = warp % 4 * 32 + lane, line = warp / 4 * R;
        const int middle = (line + RADIUS) * WIDE + across + RADIUS;
        const u32 offset = P::COPIES > 1 ? 4 * lane : 0, last = 2 * P::LAST * STRIDE + offset;
        Own own;
#pragma unroll
        for (int r = 0; r < R; r++) {
            own.base[r] = P::LAST * STRIDE + offset - at(middle + r * WIDE).place;
            own.total[r] = own.sum[r] = 0.0f;
        }
#pragma unroll 1
        for (int t = -FRAMES; t <= FRAMES; t++) {
            if (FRAMES) load(t);
#pragma unroll 1
            for (int dx = 0; dx <= RADIUS; dx++) {
                const int reach = (int)Table::tap(launch, P::EXTENT + dx);
                int dy = -reach;
                if (dx) column<TOGETHER, true>(at, launch, dy, reach, t, dx, middle, last, own);
                else column<TOGETHER, false>(at, launch, dy, reach, t, dx, middle, last, own);
            }
        }
        // A thread has samples below each other, and stores some that lie beside each other.
        float *means = reinterpret_cast<float *>(places);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < R; r++) means[(line + r) * TILE_W + across] = __fdiv_rn(own.sum[r], own.total[r]);
        __syncthreads();
#pragma unroll 1
        for (int i = threadIdx.x; i < HEIGHT * TILE_W / 4; i += THREADS) {
            const float4 four = reinterpret_cast<const float4 *>(means)[i];
            const float mean[4] = {four.x, four.y, four.z, four.w};
            F::store(launch, plane, x + 4 * (i % 32), y + i / 32, mean);
        }
    }
};
