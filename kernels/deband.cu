// Steps of smooth areas made smooth: a sample becomes the mean of four around it, at random, that are like it.
// The arithmetic is that of crates/filter/src/pass/deband.rs. CPU twin: crates/cpu/src/deband.rs
//
//   a thread makes 4 samples, 32 apart, of 4 rows, 8 apart, so that those of a warp lie side by side. Coupled planes of one size are
//   made by the blocks of the first of them; blocks of the others have nothing to do.
//
// Parameters: Border, and
//   AT, PLACES      where the places are in the table of lookups, 16 bits across and 16 bits down, and how many
//   BLURS           whether the mean is compared, instead of each of the four
//   COUPLED         whether all planes of one size have to agree
//   PLANES          thresholds; all planes where some are coupled
//   THRESHOLD_0 …   the bits of each

// Integer samples are summed as int, floats as float.
template <class P> struct Summed { typedef int Type; };
template <> struct Summed<float> { typedef float Type; };

template <class P> struct Deband : OneLaunch {
    typedef typename P::Border B;
    typedef Summed<PIXEL>::Type Cell;
    static constexpr bool FLOAT = sizeof(PIXEL) == 4;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ u32 mixed(u32 x, u32 y) {
        u32 h = x + y * 0x9e3779b9u;
        h = (h ^ h >> 16) * 0x7feb352du;
        h = (h ^ h >> 15) * 0x846ca68bu;
        return h ^ h >> 16;
    }
    static __device__ __forceinline__ bool like(Cell a, Cell b, u32 threshold) {
        const float t = __uint_as_float(threshold);
        return FLOAT ? fabsf(__fsub_rn(a, b)) < t : abs((int)a - (int)b) < (int)t;
    }
    static __device__ __forceinline__ Cell mean(Cell a, Cell b, Cell c, Cell d) {
        return FLOAT ? (Cell)__fmul_rn(__fadd_rn(__fadd_rn(__fadd_rn(a, b), c), d), 0.25f) : (Cell)((int)(a + b + c + d) >> 2);
    }
    static __device__ __forceinline__ PIXEL put(Cell v) { return FLOAT && v != v ? (PIXEL)__uint_as_float(0x7fc00000u) : (PIXEL)v; }

    // A sample of a plane, its mean, and whether it becomes that.
    struct Judged {
        Cell own, mean;
        bool goes;
    };
    static __device__ __forceinline__ Judged judged(const Launch &launch, const Plane &plane, int x, int y, int dx, int dy, u32 threshold) {
        const Source from = source(launch, plane, REACH);
        auto at = [&](int x, int y) { return one<Cell, B>(from, plane, x, y); };
        const Cell own = at(x, y), a = at(x + dx, y + dy), b = at(x + dx, y - dy), c = at(x - dx, y - dy), d = at(x - dx, y + dy);
        const Cell m = mean(a, b, c, d);
        if (P::BLURS) return {own, m, like(own, m, threshold)};
        return {own, m, like(own, a, threshold) && like(own, b, threshold) && like(own, c, threshold) && like(own, d, threshold)};
    }
    static __device__ __forceinline__ u32 threshold(int plane) {
        return plane == 0 ? P::THRESHOLD_0 : plane == 1 ? P::THRESHOLD_1 : plane == 2 ? P::THRESHOLD_2 : P::THRESHOLD_3;
    }

    static __device__ __forceinline__ bool fits(const Plane &a, const Plane &b) { return a.width == b.width && a.height == b.height; }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        if (P::COUPLED)
            for (const Plane *other = launch.planes; other < &plane; other++)
                if (other->op == plane.op && fits(*other, plane)) return;
        x += threadIdx.x % 32, y += threadIdx.x / 32;
        for (int r = y; r < y + HEIGHT && r < (int)plane.height; r += 8) {
            for (int k = x; k < x + 128 && k < (int)plane.width; k += 32) {
                const u32 place = __ldg(launch.lookups + P::AT + (mixed(k, r) >> 16 & (P::PLACES - 1)));
                const int dx = (short)(place & 65535), dy = (short)(place >> 16);
                if (!P::COUPLED) {
                    const Judged own = judged(launch, plane, k, r, dx, dy, P::THRESHOLD_0);
                    plane.samples[(u32)r * plane.stride + k] = put(own.goes ? own.mean : own.own);
                    continue;
                }
                Judged all[P::PLANES];
                bool goes = true;
#pragma unroll
                for (int i = 0; i < P::PLANES; i++) {
                    if (!fits(launch.planes[i], plane)) continue;
                    all[i] = judged(launch, launch.planes[i], k, r, dx, dy, threshold(i));
                    goes &= all[i].goes;
                }
#pragma unroll
                for (int i = 0; i < P::PLANES; i++) {
                    const Plane &to = launch.planes[i];
                    if (to.op == plane.op && fits(to, plane)) to.samples[(u32)r * to.stride + k] = put(goes ? all[i].mean : all[i].own);
                }
            }
        }
    }
};
