// Dense kernels: out(x, y) = finish(combine over kernels of Σt Σy Σx tap(t, y, x) · in(t, y + i − AY, x + j − AX)).
// CPU twin: crates/cpu/src/dense
//
//       LEFT      TILE_W       RIGHT
//      ┌────┬────────────────┬────┐
//      │    │      halo      │    │ TOP      one tile of one frame stands in shared memory at a time;
//      ├────┼────────────────┼────┤          a thread sums 4 samples of R rows below each other, so that
//      │    │ 4 samples × R  │    │ 8·R      a row that it has read serves up to NY of its sums
//      ├────┼────────────────┼────┤
//      │    │                │    │          shared memory: a tile's (tile.cuh)
//      └────┴────────────────┴────┘

// Parameters: Engine, Border, Last, COMBINE, Tile (but for Sparse), and Kernels, a list of
//   FRAME        the kernel's first frame in the window
//   NT, NY, NX   its sizes
//   AY, AX       its anchors
//   TAPS, From   where its taps start, and from which memory they come
// With one sample a word taps are [NT][NY][NX]; with more, [NT][NY][word][4], packed for each of a thread's four samples.

constexpr int SUM = 0, MAGNITUDE = 1, MAX = 2, LARGEST = 3;

template <int COMBINE> __device__ __forceinline__ float first(float a) {
    return COMBINE == SUM || COMBINE == LARGEST ? a : COMBINE == MAGNITUDE ? __fmul_rn(a, a) : fabsf(a);
}
template <int COMBINE> __device__ __forceinline__ float next(float v, float a) {
    if (COMBINE == LARGEST) return fmaxf(v, a);
    return COMBINE == SUM ? __fadd_rn(v, a) : COMBINE == MAGNITUDE ? __fadd_rn(v, __fmul_rn(a, a)) : fmaxf(v, fabsf(a));
}
template <int COMBINE> __device__ __forceinline__ float last(float v) { return COMBINE == MAGNITUDE ? __fsqrt_rn(v) : v; }

template <class P> struct Dense : OneLaunch {
    typedef typename P::Engine E;
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef typename P::Tile T;
    typedef typename E::Sum Sum;
    static constexpr int COMBINE = P::COMBINE;
    static constexpr int R = T::R;
    static constexpr int HEIGHT = 8 * R;
    static constexpr int LANES = E::LANES;
    static constexpr int PITCH = T::COLUMNS / E::STEP;   // of a row of the tile, in 16 bytes

    static_assert(TILE_BYTES<T, E> <= SHARED_BYTES);

    template <class K> struct Window {
        static_assert(holds<T>(K::NX, K::AX, K::NY, K::AY));
        static constexpr int PAD = (T::LEFT - K::AX) & 3;                 // samples read before the first that is used
        static constexpr int QUAD = (T::LEFT - K::AX - PAD) / 4;          // of the first sample read
        static constexpr int QUADS = (PAD + K::NX + 3 + 3) / 4;
        static constexpr int WORDS = QUADS * 4 / LANES;
        static constexpr int ROW = LANES == 1 ? K::NX : WORDS * 4;        // taps of one row, in words
    };

    // All sums written out: every row of the tile is read once.
    template <class K> static __device__ __forceinline__ void unrolled(const Launch &launch, Sum (&sum)[R][4], int t) {
        typedef Window<K> W;
        int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
        const uint4 *row = shared + (ty * R + T::TOP - K::AY) * PITCH;
#pragma unroll
        for (int i = 0; i < R + K::NY - 1; i++) {
            u32 word[W::WORDS];
#pragma unroll
            for (int q = 0; q < W::QUADS; q++)
                Words<LANES>::read(row + i * PITCH, tx + W::QUAD + q, word + q * 4 / LANES);
#pragma unroll
            for (int r = 0; r < R; r++) {
                int ky = i - r;
                if (ky < 0 || ky >= K::NY) continue;
                int taps = K::TAPS + (t * K::NY + ky) * W::ROW;
#pragma unroll
                for (int x = 0; x < 4; x++) {
#pragma unroll
                    for (int j = 0; j < W::WORDS; j++) {
                        int index = LANES == 1 ? j - W::PAD - x : j * 4 + x;
                        int low = j * LANES - W::PAD - x;   // the tap that meets the word's first sample
                        if (low + LANES <= 0 || low >= K::NX) continue;
                        u32 tap = K::From::tap(launch, taps + index);
                        // A tap of zero does nothing to a sum of finite samples, if it is known here.
                        if (!K::From::KNOWN || sizeof(PIXEL) == 4 || tap != 0) sum[r][x] = E::mac(sum[r][x], word[j], tap);
                    }
                }
            }
        }
    }

    // COUNT taps of one row from `index` on, for one row of sums.
    template <class K, int COUNT>
    static __device__ __forceinline__ void span(Sum (&sum)[4], const uint4 *row, int quad, const u32 *tap) {
        typedef Window<K> W;
        constexpr int QUADS = (W::PAD + COUNT + 3 + 3) / 4;
        u32 word[QUADS * 4];
#pragma unroll
        for (int q = 0; q < QUADS; q++) Words<1>::read(row, quad + q, word + 4 * q);
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int x = 0; x < 4; x++) sum[x] = E::mac(sum[x], word[W::PAD + x + i], tap[i]);
    }
    template <class K, int COUNT>
    static __device__ __forceinline__ void spans(const Launch &launch, Sum (&sum)[R][4], const uint4 *row, int quad, int taps) {
        u32 tap[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; i++) tap[i] = Table::tap(launch, taps + i);
#pragma unroll
        for (int r = 0; r < R; r++) span<K, COUNT>(sum[r], row + r * PITCH, quad, tap);
    }

    // Taps from memory: one row of them at a time meets R rows of the tile.
    template <class K> static __device__ __forceinline__ void rolled(const Launch &launch, Sum (&sum)[R][4], int t) {
        typedef Window<K> W;
        int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
        const uint4 *row = shared + (ty * R + T::TOP - K::AY) * PITCH;
        int taps = K::TAPS + t * K::NY * W::ROW;
#pragma unroll 1
        for (int ky = 0; ky < K::NY; ky++, row += PITCH, taps += W::ROW) {
            if constexpr (LANES == 1) {
                constexpr int SPAN = 16, REST = K::NX % SPAN;
#pragma unroll 1
                for (int i = 0; i + SPAN <= K::NX; i += SPAN)
                    spans<K, SPAN>(launch, sum, row, tx + W::QUAD + i / 4, taps + i);
                if constexpr (REST > 0)
                    spans<K, REST>(launch, sum, row, tx + W::QUAD + (K::NX - REST) / 4, taps + K::NX - REST);
            } else {
                const u32 *words = reinterpret_cast<const u32 *>(row) + (tx + W::QUAD) * 4 / LANES;
#pragma unroll 8
                for (int j = 0; j < W::WORDS; j++) {
                    uint4 tap = Table::four(launch, taps + 4 * j);
#pragma unroll
                    for (int r = 0; r < R; r++) {
                        u32 word = words[r * PITCH * 4 + j];
                        sum[r][0] = E::mac(sum[r][0], word, tap.x);
                        sum[r][1] = E::mac(sum[r][1], word, tap.y);
                        sum[r][2] = E::mac(sum[r][2], word, tap.z);
                        sum[r][3] = E::mac(sum[r][3], word, tap.w);
                    }
                }
            }
        }
    }

    static __device__ __forceinline__ void bring(const Launch &launch, const Plane &plane, int x, int y, int frame) {
        Source from = source(launch, plane, frame);
        fill<T, E, B, 2>(
            regular(from), plane, x - T::LEFT, y - T::TOP, x,
            [&](int sx, int sy) { return E::inside(at(from, sx, sy)); },
            [&](int sx, int sy) { return fetched<typename E::Cell, B>(from, plane, sx, sy); });
        __syncthreads();
    }

    // Adds the kernels one after another. THERE is the frame whose tile stands in shared memory, negative if none does.
    template <int THERE, class K, class... MORE>
    static __device__ __forceinline__ void add(const Launch &launch, const Plane &plane, int x, int y, float (&v)[R][4]) {
        Sum sum[R][4] = {};
        // Taps in the instructions are those of one frame.
        static_assert(!K::From::KNOWN || K::NT == 1);
#pragma unroll 1
        for (int t = 0; t < K::NT; t++) {
            if constexpr (K::NT > 1 || K::FRAME != THERE) {
                if (THERE >= 0 || t > 0) __syncthreads();
                bring(launch, plane, x, y, K::FRAME + t);
            }
            if constexpr (K::From::UNROLLED) unrolled<K>(launch, sum, K::From::KNOWN ? 0 : t);
            else rolled<K>(launch, sum, t);
        }
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float a = E::value(sum[r][k]);
                v[r][k] = THERE < 0 ? first<COMBINE>(a) : next<COMBINE>(v[r][k], a);
            }
        if constexpr (sizeof...(MORE) > 0) add<K::FRAME + K::NT - 1, MORE...>(launch, plane, x, y, v);
    }

    template <class... K>
    static __device__ __forceinline__ void all(const Launch &launch, const Plane &plane, int x, int y, float (&v)[R][4], List<K...>) {
        add<-1, K...>(launch, plane, x, y, v);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        float v[R][4];
        all(launch, plane, x, y, v, typename P::Kernels());
        int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
#pragma unroll
        for (int r = 0; r < R; r++) {
#pragma unroll
            for (int k = 0; k < 4; k++) v[r][k] = last<COMBINE>(v[r][k]);
            F::store(launch, plane, x + 4 * tx, y + ty * R + r, v[r]);
        }
    }
};

// Kernels whose tile does not fit into shared memory: every sample is read where it lies.
template <class P> struct Sparse : OneLaunch {
    typedef typename P::Engine E;
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef typename E::Sum Sum;
    static constexpr int COMBINE = P::COMBINE;
    static constexpr int HEIGHT = 8;

    template <class K>
    static __device__ __forceinline__ void add(const Launch &launch, const Plane &plane, int x, int y, bool &begun, float (&v)[4]) {
        Sum sum[4] = {};
        int taps = K::TAPS;
        for (int t = 0; t < K::NT; t++) {
            Source from = source(launch, plane, K::FRAME + t);
            for (int ky = 0; ky < K::NY; ky++, taps += K::NX) {
                Quad<Sum> near = {};
                for (int k = 0; k < 3; k++) near.v[k + 1] = one<Sum, B>(from, plane, x + k - K::AX, y + ky - K::AY);
#pragma unroll 4
                for (int i = 0; i < K::NX; i++) {
                    u32 tap = Table::tap(launch, taps + i);
                    for (int k = 0; k < 3; k++) near.v[k] = near.v[k + 1];
                    near.v[3] = one<Sum, B>(from, plane, x + i + 3 - K::AX, y + ky - K::AY);
                    ::add<E>(sum, bits(near), tap);
                }
            }
        }
        for (int k = 0; k < 4; k++) {
            float a = E::value(sum[k]);
            v[k] = begun ? next<COMBINE>(v[k], a) : first<COMBINE>(a);
        }
        begun = true;
    }

    template <class... K>
    static __device__ __forceinline__ void all(const Launch &launch, const Plane &plane, int x, int y, float (&v)[4], List<K...>) {
        bool begun = false;
        (add<K>(launch, plane, x, y, begun, v), ...);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        float v[4] = {};
        all(launch, plane, x, y, v, typename P::Kernels());
        for (int k = 0; k < 4; k++) v[k] = last<COMBINE>(v[k]);
        F::store(launch, plane, x, y, v);
    }
};
