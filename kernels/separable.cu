// Separable kernels: sums along t, then x, then y, with unrounded sums in between:
// out = finish(Σy ty(i) · Σx tx(j) · Σt tt(k) · in(t + k − AT, y + i − AY, x + j − AX)).
// CPU twin: crates/cpu/src/separable
//
//   Separable   in one launch:
//
//      LEFT   TILE_W   RIGHT            TILE_W
//     ┌────┬──────────┬────┐         ┌──────────┐
//     │    │          │    │ TOP     │          │           1. the tile: samples, summed over t as they are read
//     ├────┼──────────┼────┤    x    ├──────────┤    y      2. summed along x into a second tile
//     │    │          │    │ 8·R ──▶ │          │   ──▶     3. summed along y: a thread makes 4 samples of R rows
//     ├────┼──────────┼────┤         ├──────────┤
//     └────┴──────────┴────┘         └──────────┘
//     a tile's shared memory, and ROWS · TILE_W · 4 bytes; an axis with nothing to do is left out
//
//   Long        any length, in two launches: long.cu

// Parameters: Engine, which reads the tile and sums along x; Sums, the engine that sums along t and y; Border, Last, Tile;
// FRAME, the first frame in the window; and the axes T, X and Y, each with
//   USED         whether anything is done along it
//   N, A         how many taps there are, and the anchor
//   TAPS, From   where they start, and in which memory

// An axis along which nothing is done.
struct None {
    typedef Literal From;
    static constexpr bool USED = false;
    static constexpr int N = 1, A = 0, TAPS = 0;
};

// Whether a sum may meet samples beyond its taps, where zeros stand: where all samples are finite.
constexpr bool FINITE = sizeof(PIXEL) != 4;

// Sums along t, of samples on their way into a tile. FRAME is the first frame in the window.
template <class M, class B, int FRAME, class AT> struct OverTime {
    typedef typename M::Sum Mid;

    // Four samples inside the plane.
    static __device__ __forceinline__ Quad<Mid> inside(const Launch &launch, const Plane &plane, int x, int y) {
        if (!AT::USED) return wide<Mid>(at(source(launch, plane, FRAME), x, y));
        Quad<Mid> sum = {};
#pragma unroll(AT::From::UNROLLED ? AT::N : 4)
        for (int t = 0; t < AT::N; t++) {
            uint4 word = bits(wide<Mid>(at(source(launch, plane, FRAME + t), x, y)));
            u32 tap = AT::From::tap(launch, AT::TAPS + t);
            add<M>(sum.v, word, tap);
        }
        return sum;
    }
    // One sample from a place that resolved() gave.
    static __device__ __forceinline__ Mid somewhere(const Launch &launch, const Plane &plane, int x, int y) {
        if (!AT::USED) return fetched<Mid, B>(source(launch, plane, FRAME), plane, x, y);
        Mid sum = 0;
#pragma unroll 1
        for (int t = 0; t < AT::N; t++) {
            Mid v = fetched<Mid, B>(source(launch, plane, FRAME + t), plane, x, y);
            sum = M::mac(sum, word(v), AT::From::tap(launch, AT::TAPS + t));
        }
        return sum;
    }
    static __device__ __forceinline__ bool all_regular(const Launch &launch, const Plane &plane) {
        bool all = true;
        for (int t = 0; t < AT::N; t++) all &= regular(source(launch, plane, FRAME + t));
        return all;
    }
};

// Sums along x, for the thread's four samples, from the row of a tile that begins LEFT samples before the first output.
template <class E, class AX, int LEFT> struct AlongX {
    typedef typename E::Sum Sum;
    static constexpr int LANES = E::LANES;
    static constexpr int PAD = (LEFT - AX::A) & 3;              // samples read before the first that is used
    static constexpr int FIRST = (LEFT - AX::A - PAD) / 4;      // quad of the first sample read
    static constexpr int QUADS = (PAD + AX::N + 3 + 3) / 4;
    static constexpr int WORDS = QUADS * 4 / LANES;

    static __device__ __forceinline__ void sum(const Launch &launch, const uint4 *row, int tx, Sum (&sum)[4]) {
        if constexpr (AX::From::UNROLLED) written(row, tx, sum);
        else if constexpr (LANES == 1) rolled<QUADS>(launch, row + tx + FIRST, 0, sum);
        else packed(launch, reinterpret_cast<const u32 *>(row) + (tx + FIRST) * 4 / LANES, sum);
    }

    static __device__ __forceinline__ void written(const uint4 *row, int tx, Sum (&sum)[4]) {
        u32 word[WORDS];
#pragma unroll
        for (int q = 0; q < QUADS; q++) Words<LANES>::read(row, tx + FIRST + q, word + q * 4 / LANES);
#pragma unroll
        for (int x = 0; x < 4; x++)
#pragma unroll
            for (int j = 0; j < WORDS; j++) {
                int index = LANES == 1 ? j - PAD - x : j * 4 + x;
                if (LANES == 1 && (index < 0 || index >= AX::N)) continue;
                u32 tap = LITERAL[AX::TAPS + index];
                if (tap != 0 || !FINITE) sum[x] = E::mac(sum[x], word[j], tap);
            }
    }

    // COUNT quads, which are those from `first` on, with taps from memory, after PAD + 3 zeros.
    template <int COUNT>
    static __device__ __forceinline__ void rolled(const Launch &launch, const uint4 *quads, int first, Sum (&sum)[4]) {
        uint4 four = Table::four(launch, AX::TAPS + 4 * first);
#pragma unroll(!FINITE ? 1 : COUNT % 4 == 0 ? 4 : COUNT % 3 == 0 ? 3 : COUNT % 5 == 0 ? 5 : 2)
        for (int q = 0; q < COUNT; q++) {
            uint4 next = Table::four(launch, AX::TAPS + 4 * (first + q) + 4);
            const u32 tap[8] = {four.x, four.y, four.z, four.w, next.x, next.y, next.z, next.w};
            u32 word[4];
            Words<1>::read(quads, q, word);
            int index = 4 * (first + q) - PAD;
            if (FINITE || index >= 3 && index + 4 <= AX::N) four_by_four<true>(word, tap, index, sum);
            else four_by_four<false>(word, tap, index, sum);
            four = next;
        }
    }

    // Four words, of which the first meets tap `index` in the first sum. ALL says that each of them meets one in all.
    template <bool ALL>
    static __device__ __forceinline__ void four_by_four(const u32 (&word)[4], const u32 (&tap)[8], int index, Sum (&sum)[4]) {
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int x = 0; x < 4; x++)
                if (ALL || (u32)(index + j - x) < AX::N) sum[x] = E::mac(sum[x], word[j], tap[j - x + 3]);
    }

    // Packed taps from memory.
    static __device__ __forceinline__ void packed(const Launch &launch, const u32 *words, Sum (&sum)[4]) {
#pragma unroll 8
        for (int j = 0; j < WORDS; j++) {
            uint4 tap = Table::four(launch, AX::TAPS + 4 * j);
            sum[0] = E::mac(sum[0], words[j], tap.x);
            sum[1] = E::mac(sum[1], words[j], tap.y);
            sum[2] = E::mac(sum[2], words[j], tap.z);
            sum[3] = E::mac(sum[3], words[j], tap.w);
        }
    }
};

// Sums along y, for the thread's four samples in R rows. `row` is the first that they meet; none is read after `last`.
template <class M, class AY, int R> struct AlongY {
    typedef typename M::Sum Mid;
    static constexpr int ROWS = R + AY::N - 1;

    static __device__ __forceinline__ void sum(const Launch &launch, const uint4 *row, int pitch, int last, Mid (&sum)[R][4]) {
        if constexpr (AY::From::UNROLLED) {
            written(row, pitch, sum);
        } else {
#pragma unroll 1
            for (int i = 0; i < ROWS; i += 8) {
                four(launch, row, pitch, i, last, sum);
                if (i + 4 >= ROWS) break;
                four(launch, row, pitch, i + 4, last, sum);
            }
        }
    }

    static __device__ __forceinline__ void written(const uint4 *row, int pitch, Mid (&sum)[R][4]) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            uint4 word = row[i * pitch];
#pragma unroll
            for (int r = 0; r < R; r++) {
                int ky = i - r;
                if (ky < 0 || ky >= AY::N) continue;
                u32 tap = LITERAL[AY::TAPS + ky];
                if (tap != 0 || !FINITE) add<M>(sum[r], word, tap);
            }
        }
    }

    // Four rows from `first` on, with taps from memory, between R − 1 zeros and as many as are read beyond.
    static __device__ __forceinline__ void four(const Launch &launch, const uint4 *row, int pitch, int first, int last, Mid (&sum)[R][4]) {
        u32 tap[(R + 6) / 4 * 4];
#pragma unroll
        for (int i = 0; i < R + 3; i += 4) {
            uint4 four = Table::four(launch, AY::TAPS + first + i);
            tap[i] = four.x, tap[i + 1] = four.y, tap[i + 2] = four.z, tap[i + 3] = four.w;
        }
        uint4 word[4];
#pragma unroll
        for (int i = 0; i < 4; i++) word[i] = row[min(first + i, last) * pitch];
        if (FINITE || first >= R - 1 && first + 4 <= AY::N) four_by_r<true>(word, tap, first, sum);
        else four_by_r<false>(word, tap, first, sum);
    }
    template <bool ALL>
    static __device__ __forceinline__ void four_by_r(const uint4 (&word)[4], const u32 *tap, int first, Mid (&sum)[R][4]) {
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int r = 0; r < R; r++)
                if (ALL || (u32)(first + i - r) < AY::N) add<M>(sum[r], word[i], tap[i + R - 1 - r]);
    }
};

// The last step of sums.
template <class E, class F>
__device__ __forceinline__ void store(const Launch &launch, const Plane &plane, int x, int y, const typename E::Sum (&sum)[4]) {
    float v[4] = {E::value(sum[0]), E::value(sum[1]), E::value(sum[2]), E::value(sum[3])};
    F::store(launch, plane, x, y, v);
}

template <class P> struct Separable : OneLaunch {
    typedef typename P::Engine E;
    typedef typename P::Sums M;
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef typename P::Tile T;
    typedef typename P::T AT;
    typedef typename P::X AX;
    typedef typename P::Y AY;
    static constexpr int FRAME = P::FRAME;
    typedef typename E::Sum Sum;
    typedef typename M::Sum Mid;
    typedef OverTime<M, B, FRAME, AT> Times;
    typedef AlongX<E, AX, T::LEFT> Across;
    static constexpr int R = T::R;
    static constexpr int HEIGHT = 8 * R;
    static constexpr int PITCH = T::COLUMNS / E::STEP;
    static constexpr int BYTES = AX::USED || AY::USED ? TILE_BYTES<T, E> + (AX::USED && AY::USED ? T::ROWS * TILE_W * 4 : 0) : 0;
    static_assert(holds<T>(AX::N, AX::A, AY::N, AY::A) && BYTES <= SHARED_BYTES);

    // What the second sum takes from the first: a float where both are exact in it, else an int.
    static __device__ __forceinline__ float mid(float, float sum) { return sum; }
    static __device__ __forceinline__ float mid(float, int sum) { return E::value(sum); }
    static __device__ __forceinline__ int mid(int, int sum) { return sum; }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
        bool regular = Times::all_regular(launch, plane);
        if constexpr (!AX::USED && !AY::USED) return only_time(regular, launch, plane, x + 4 * tx, y + ty * R);
        // Measured on an H200: where few blocks have room side by side, each should have more reads under way.
        fill<T, E, B, AT::N >= 4 ? 1 : AT::USED || T::ROWS < 48 ? 2 : 4>(
            regular, plane, x - T::LEFT, y - T::TOP, x,
            [&](int sx, int sy) {
                if constexpr (E::LANES == 1) return bits(Times::inside(launch, plane, sx, sy));
                else return E::inside(at(source(launch, plane, FRAME), sx, sy));
            },
            [&](int sx, int sy) {
                if constexpr (E::LANES == 1) return Times::somewhere(launch, plane, sx, sy);
                else return fetched<typename E::Cell, B>(source(launch, plane, FRAME), plane, sx, sy);
            });
        __syncthreads();
        if constexpr (!AY::USED) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                Sum sum[4] = {};
                Across::sum(launch, shared + (ty * R + r) * PITCH, tx, sum);
                store<E, F>(launch, plane, x + 4 * tx, y + ty * R + r, sum);
            }
        } else {
            const uint4 *rows = shared;
            int pitch = PITCH;
            if constexpr (AX::USED) {
                uint4 *second = shared + T::ROWS * PITCH;
#pragma unroll 1
                for (int row = ty; row < T::ROWS; row += THREADS / 32) {
                    Sum sum[4] = {};
                    Across::sum(launch, shared + row * PITCH, tx, sum);
                    second[row * 32 + tx] = bits(Quad<Mid>{mid(Mid(), sum[0]), mid(Mid(), sum[1]), mid(Mid(), sum[2]), mid(Mid(), sum[3])});
                }
                __syncthreads();
                rows = second, pitch = 32;
            }
            Mid sum[R][4] = {};
            AlongY<M, AY, R>::sum(launch, rows + ty * R * pitch + tx, pitch, R + AY::N - 2, sum);
#pragma unroll
            for (int r = 0; r < R; r++) store<M, F>(launch, plane, x + 4 * tx, y + ty * R + r, sum[r]);
        }
    }

    static __device__ __forceinline__ void only_time(bool regular, const Launch &launch, const Plane &plane, int x, int y) {
        regular &= x + 4 <= (int)plane.width;
        if (regular && y + R <= (int)plane.height) {
            Quad<Mid> sum[R];
#pragma unroll
            for (int r = 0; r < R; r++) sum[r] = Times::inside(launch, plane, x, y + r);
#pragma unroll
            for (int r = 0; r < R; r++) store<M, F>(launch, plane, x, y + r, sum[r].v);
            return;
        }
#pragma unroll 1
        for (int r = 0; r < R && x < (int)plane.width && y + r < (int)plane.height; r++) {
            Quad<Mid> sum;
            if (regular) sum = Times::inside(launch, plane, x, y + r);
#pragma unroll 1
            for (int k = regular ? 4 : 0; k < 4; k++) {
                sum.v[0] = sum.v[1], sum.v[1] = sum.v[2], sum.v[2] = sum.v[3];
                sum.v[3] = Times::somewhere(launch, plane, resolved<B>(x + k, plane.width), y + r);
            }
            store<M, F>(launch, plane, x, y + r, sum.v);
        }
    }
};
