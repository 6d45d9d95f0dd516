// Separable kernels: sums along t, then x, then y, with unrounded sums in between:
// out = finish(Σy ty(i) · Σx tx(j) · Σt tt(k) · in(t + k − AT, y + i − AY, x + j − AX)).
// CPU twin: src/backend/cpu/separable
//
//      LEFT   TILE_W   RIGHT            TILE_W
//     ┌────┬──────────┬────┐         ┌──────────┐
//     │    │          │    │ TOP     │          │           1. the tile: samples, summed over t as they are read
//     ├────┼──────────┼────┤    x    ├──────────┤    y      2. summed along x into a second tile
//     │    │          │    │ 8·R ──▶ │          │   ──▶     3. summed along y: a thread makes 4 samples of R rows
//     ├────┼──────────┼────┤         ├──────────┤
//     └────┴──────────┴────┘         └──────────┘
//     ROWS · COLUMNS · 4 / LANES  +  ROWS · TILE_W · 4 bytes of shared memory; an axis with nothing to do is left out

// The taps of one axis: how many, the anchor, where they start and in which memory. None where the axis does nothing.
template <int N_, int A_, int TAPS_, class FROM_> struct Axis {
    typedef FROM_ From;
    static constexpr bool USED = true;
    static constexpr int N = N_, A = A_, TAPS = TAPS_;
};
struct None {
    typedef Literal From;
    static constexpr bool USED = false;
    static constexpr int N = 1, A = 0, TAPS = 0;
};

// E reads the tile and sums along x; M sums along t and y. FRAME is the first frame in the window.
template <class E, class M, class B, class F, class T, int FRAME, class AT, class AX, class AY> struct Separable {
    typedef typename E::Sum Sum;
    typedef typename M::Sum Mid;
    static constexpr int R = T::R;
    static constexpr int HEIGHT = T::HEIGHT;
    static constexpr int LANES = E::LANES;
    static constexpr int PITCH = T::COLUMNS / E::STEP;
    static constexpr int PAD = (T::LEFT - AX::A) & 3;
    static constexpr int FIRST = (T::LEFT - AX::A - PAD) / 4;
    static constexpr int QUADS = (PAD + AX::N + 3 + 3) / 4;
    static constexpr int WORDS = QUADS * 4 / LANES;

    // Four samples inside the plane, summed over t.
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
    // One sample from any place, summed over t.
    static __device__ __forceinline__ Mid anywhere(const Launch &launch, const Plane &plane, int x, int y) {
        if (!AT::USED) return one<Mid, B>(source(launch, plane, FRAME), plane, x, y);
        Mid sum = 0;
#pragma unroll 1
        for (int t = 0; t < AT::N; t++) sum = M::mac(sum, word(one<Mid, B>(source(launch, plane, FRAME + t), plane, x, y)), AT::From::tap(launch, AT::TAPS + t));
        return sum;
    }
    static __device__ __forceinline__ bool all_regular(const Launch &launch, const Plane &plane) {
        bool all = true;
        for (int t = 0; t < AT::N; t++) all &= regular(source(launch, plane, FRAME + t));
        return all;
    }

    static __device__ __forceinline__ void along_x(const Launch &launch, const uint4 *row, int tx, Sum (&sum)[4]) {
        if constexpr (!AX::From::UNROLLED) return rolled_x(launch, row, tx, sum);
        u32 word[WORDS];
#pragma unroll
        for (int q = 0; q < QUADS; q++) Words<LANES>::read(row, tx + FIRST + q, word + q * 4 / LANES);
#pragma unroll
        for (int x = 0; x < 4; x++)
#pragma unroll
            for (int j = 0; j < WORDS; j++) {
                int index = LANES == 1 ? j - PAD - x : j * 4 + x;
                if (LANES == 1 && (index < 0 || index >= AX::N)) continue;
                u32 tap = Literal::tap(launch, AX::TAPS + index);
                if (tap != 0 || sizeof(PIXEL) == 4) sum[x] = E::mac(sum[x], word[j], tap);
            }
    }

    // The same with taps from memory: packed ones, or single ones after PAD + 3 zeros.
    static __device__ __forceinline__ void rolled_x(const Launch &launch, const uint4 *row, int tx, Sum (&sum)[4]) {
        if constexpr (LANES == 1) {
            uint4 four = Table::four(launch, AX::TAPS);
#pragma unroll 4
            for (int q = 0; q < QUADS; q++) {
                uint4 next = Table::four(launch, AX::TAPS + 4 * q + 4);
                const u32 tap[8] = {four.x, four.y, four.z, four.w, next.x, next.y, next.z, next.w};
                u32 word[4];
                Words<1>::read(row, tx + FIRST + q, word);
#pragma unroll
                for (int j = 0; j < 4; j++)
#pragma unroll
                    for (int x = 0; x < 4; x++) sum[x] = E::mac(sum[x], word[j], tap[j - x + 3]);
                four = next;
            }
        } else {
            const u32 *words = reinterpret_cast<const u32 *>(row) + (tx + FIRST) * 4 / LANES;
#pragma unroll 8
            for (int j = 0; j < WORDS; j++) {
                uint4 tap = Table::four(launch, AX::TAPS + 4 * j);
                sum[0] = E::mac(sum[0], words[j], tap.x);
                sum[1] = E::mac(sum[1], words[j], tap.y);
                sum[2] = E::mac(sum[2], words[j], tap.z);
                sum[3] = E::mac(sum[3], words[j], tap.w);
            }
        }
    }

    // What the second sum takes from the first: a float where both are exact in it, else an int.
    static __device__ __forceinline__ float mid(float, float sum) { return sum; }
    static __device__ __forceinline__ float mid(float, int sum) { return E::value(sum); }
    static __device__ __forceinline__ int mid(int, int sum) { return sum; }

    static __device__ __forceinline__ void along_y(const Launch &launch, const uint4 *row, int pitch, Mid (&sum)[R][4]) {
        if constexpr (!AY::From::UNROLLED) return rolled_y(launch, row, pitch, sum);
#pragma unroll
        for (int i = 0; i < R + AY::N - 1; i++) {
            uint4 word = row[i * pitch];
#pragma unroll
            for (int r = 0; r < R; r++) {
                int ky = i - r;
                if (ky < 0 || ky >= AY::N) continue;
                u32 tap = Literal::tap(launch, AY::TAPS + ky);
                if (tap == 0 && sizeof(PIXEL) != 4) continue;
                add<M>(sum[r], word, tap);
            }
        }
    }

    // COUNT rows of the tile, of which the first meets tap `taps` − R + 1 … `taps` in the sums from the last to the first.
    template <int COUNT>
    static __device__ __forceinline__ void span_y(const Launch &launch, const uint4 *row, int pitch, int taps, Mid (&sum)[R][4]) {
        u32 tap[(COUNT + R + 2) / 4 * 4];
#pragma unroll
        for (int i = 0; i < COUNT + R - 1; i += 4) {
            uint4 four = Table::four(launch, taps + i);
            tap[i] = four.x, tap[i + 1] = four.y, tap[i + 2] = four.z, tap[i + 3] = four.w;
        }
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint4 word = row[i * pitch];
#pragma unroll
            for (int r = 0; r < R; r++) {
                add<M>(sum[r], word, tap[i + R - 1 - r]);
            }
        }
    }

    // The same with taps from memory, between R − 1 zeros on both sides.
    static __device__ __forceinline__ void rolled_y(const Launch &launch, const uint4 *row, int pitch, Mid (&sum)[R][4]) {
        constexpr int SPAN = 8, REST = (R + AY::N - 1) % SPAN;
        int i = 0;
#pragma unroll 1
        for (; i + SPAN <= R + AY::N - 1; i += SPAN) span_y<SPAN>(launch, row + i * pitch, pitch, AY::TAPS + i, sum);
        if constexpr (REST > 0) span_y<REST>(launch, row + i * pitch, pitch, AY::TAPS + i, sum);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
        bool regular = all_regular(launch, plane);
        if constexpr (!AX::USED && !AY::USED) {
            x += 4 * tx, y += ty * R;
            regular &= x + 4 <= (int)plane.width;
            if (regular && y + R <= (int)plane.height) {
                Quad<Mid> sum[R];
#pragma unroll
                for (int r = 0; r < R; r++) sum[r] = inside(launch, plane, x, y + r);
#pragma unroll
                for (int r = 0; r < R; r++) finish<M>(launch, plane, x, y + r, sum[r].v);
                return;
            }
#pragma unroll 1
            for (int r = 0; r < R && x < (int)plane.width && y + r < (int)plane.height; r++) {
                Quad<Mid> sum;
                if (regular) sum = inside(launch, plane, x, y + r);
#pragma unroll 1
                for (int k = regular ? 4 : 0; k < 4; k++) {
                    sum.v[0] = sum.v[1], sum.v[1] = sum.v[2], sum.v[2] = sum.v[3];
                    sum.v[3] = anywhere(launch, plane, x + k, y + r);
                }
                finish<M>(launch, plane, x, y + r, sum.v);
            }
            return;
        }
        fill<T, E, B, AT::N == 1 ? 4 : AT::N < 4 ? 2 : 1>(
            regular, plane, x, y,
            [&](int sx, int sy) {
                if constexpr (LANES == 1) return bits(inside(launch, plane, sx, sy));
                else {
                    Source from = source(launch, plane, FRAME);
                    return E::inside(at(from, sx, sy));
                }
            },
            [&](int sx, int sy) {
                if constexpr (LANES == 1) return anywhere(launch, plane, sx, sy);
                else return one<typename E::Cell, B>(source(launch, plane, FRAME), plane, sx, sy);
            });
        __syncthreads();
        if constexpr (!AY::USED) {
#pragma unroll
            for (int r = 0; r < R; r++) {
                Sum sum[4] = {};
                along_x(launch, shared + (ty * R + r) * PITCH, tx, sum);
                finish<E>(launch, plane, x + 4 * tx, y + ty * R + r, sum);
            }
        } else {
            const uint4 *rows = shared;
            int pitch = PITCH;
            if constexpr (AX::USED) {
                uint4 *second = shared + T::ROWS * PITCH;
#pragma unroll 2
                for (int row = ty; row < T::ROWS; row += THREADS / 32) {
                    Sum sum[4] = {};
                    along_x(launch, shared + row * PITCH, tx, sum);
                    Quad<Mid> q;
                    for (int k = 0; k < 4; k++) q.v[k] = mid(Mid(), sum[k]);
                    second[row * 32 + tx] = bits(q);
                }
                __syncthreads();
                rows = second, pitch = 32;
            }
            Mid sum[R][4] = {};
            along_y(launch, rows + ty * R * pitch + tx, pitch, sum);
#pragma unroll
            for (int r = 0; r < R; r++) finish<M>(launch, plane, x + 4 * tx, y + ty * R + r, sum[r]);
        }
    }

    template <class W, class S>
    static __device__ __forceinline__ void finish(const Launch &launch, const Plane &plane, int x, int y, S (&sum)[4]) {
        float v[4] = {W::value(sum[0]), W::value(sum[1]), W::value(sum[2]), W::value(sum[3])};
        F::store(launch, plane, x, y, v);
    }
    static __device__ __forceinline__ void begin(const Launch &, const Plane &, int, int) {}
};

// Kernels too long for shared memory or for unrolled code: two launches with the sums along x in device memory.
template <class M, class B, class F, int FRAME, class AT, class AX, class AY> struct Long {
    typedef typename M::Sum Mid;
    static constexpr int HEIGHT = 8;

    static __device__ __forceinline__ Mid over_time(const Launch &launch, const Plane &plane, int x, int y) {
        if (!AT::USED) return one<Mid, B>(source(launch, plane, FRAME), plane, x, y);
        Mid sum = 0;
        for (int t = 0; t < AT::N; t++) sum = M::mac(sum, word(one<Mid, B>(source(launch, plane, FRAME + t), plane, x, y)), Table::tap(launch, AT::TAPS + t));
        return sum;
    }

    static __device__ __forceinline__ Quad<Mid> along_x(const Launch &launch, const Plane &plane, int x, int y) {
        Quad<Mid> sum = {}, near = {};
        if (!AX::USED) {
            for (int k = 0; k < 4; k++) sum.v[k] = over_time(launch, plane, x + k, y);
            return sum;
        }
        for (int k = 0; k < 3; k++) near.v[k + 1] = over_time(launch, plane, x + k - AX::A, y);
#pragma unroll 4
        for (int i = 0; i < AX::N; i++) {
            u32 tap = Table::tap(launch, AX::TAPS + i);
            for (int k = 0; k < 3; k++) near.v[k] = near.v[k + 1];
            near.v[3] = over_time(launch, plane, x + i + 3 - AX::A, y);
            for (int k = 0; k < 4; k++) sum.v[k] = M::mac(sum.v[k], word(near.v[k]), tap);
        }
        return sum;
    }

    // The first launch: t and x.
    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        plane.between[(u64)y * (plane.stride / 4) + x / 4] = bits(along_x(launch, plane, x, y));
    }

    // The second: y. A row outside a plane with a constant border is made of constants.
    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        uint4 outside = {};
        if (B::CONSTANT && (y < AY::A || y + AY::N - AY::A > (int)plane.height)) outside = bits(along_x(launch, plane, x, -1));
        Mid sum[4] = {};
#pragma unroll 4
        for (int i = 0; i < AY::N; i++) {
            int sy = y + i - AY::A;
            if ((u32)sy >= plane.height) sy = B::index(sy, plane.height);
            uint4 near = B::CONSTANT && sy < 0 ? outside : plane.between[(u64)sy * (plane.stride / 4) + x / 4];
            if (AY::USED) {
                add<M>(sum, near, Table::tap(launch, AY::TAPS + i));
            } else {
                sum[0] = whole(near.x, Mid()), sum[1] = whole(near.y, Mid());
                sum[2] = whole(near.z, Mid()), sum[3] = whole(near.w, Mid());
            }
        }
        float v[4] = {M::value(sum[0]), M::value(sum[1]), M::value(sum[2]), M::value(sum[3])};
        F::store(launch, plane, x, y, v);
    }
    static __device__ __forceinline__ float whole(u32 v, float) { return __uint_as_float(v); }
    static __device__ __forceinline__ int whole(u32 v, int) { return v; }
};
