// Planes of another size: sums along one axis, and then along the other, by weights that follow the place of each sample.
// The arithmetic is that of crates/filter/src/pass/resample.rs. CPU twin: crates/cpu/src/resample
//
//   two launches where both axes are resampled: the first writes what stands between them to device memory, 16 bits or a
//   float a sample; each thread makes single samples, neighbours side by side, so that weights and samples come in whole
//   sectors. The copies to and from the GPU take longer than both launches together.
//
// Parameters: FROM_W, FROM_H, TO_W, TO_H, the sizes; X, Y, whether an axis is resampled; X_FIRST; MOST, the largest sum;
// X_TAPS, Y_TAPS; where in the table of lookups the first places of all new samples stand, X_STARTS, Y_STARTS, and
// the weights: X_WEIGHTS, tap by tap of all columns, Y_WEIGHTS, row by row.

template <class T> struct Cells;
// 8 bits become 16 for both axes, and 8 again behind them.
template <> struct Cells<u8> {
    typedef u16 Cell;
    typedef int Sum;
    static __device__ __forceinline__ int number(u8 sample) { return sample << 8; }
    static __device__ __forceinline__ u8 sample(int v) {
        int whole = v >> 8, rest = v & 255;
        return min(whole + ((rest + (whole & 1) + 127) >> 8), 255);
    }
};
template <> struct Cells<u16> {
    typedef u16 Cell;
    typedef int Sum;
    static __device__ __forceinline__ int number(u16 sample) { return sample; }
    static __device__ __forceinline__ u16 sample(int v) { return v; }
};
template <> struct Cells<float> {
    typedef float Cell;
    typedef float Sum;
    static __device__ __forceinline__ float number(float sample) { return sample; }
    static __device__ __forceinline__ float sample(float v) { return v; }
};

template <class P> struct Resample {
    typedef Cells<PIXEL> C;
    typedef typename C::Cell Cell;
    typedef typename C::Sum Sum;
    static constexpr int HEIGHT = 32;
    static constexpr bool BOTH = P::X && P::Y;
    static constexpr int MIDDLE_W = P::X_FIRST ? P::TO_W : P::FROM_W;
    static constexpr int MIDDLE_H = P::X_FIRST ? P::FROM_H : P::TO_H;

    static __device__ __forceinline__ int added(int sum, int number, u32 weight) { return sum + (int)weight * (number - 32768); }
    static __device__ __forceinline__ float added(float sum, float number, u32 weight) {
        return __fmaf_rn(__uint_as_float(weight), number, sum);
    }
    static __device__ __forceinline__ int finished(int sum) { return min(max(((sum + 8192) >> 14) + 32768, 0), P::MOST); }
    static __device__ __forceinline__ float finished(float sum) { return isnan(sum) ? __uint_as_float(0x7fc00000u) : sum; }

    // `read(i)` is the number at a place along the axis.
    template <class R> static __device__ __forceinline__ Sum along_x(const Launch &launch, int x, R read) {
        int start = __ldg(launch.lookups + P::X_STARTS + x);
        Sum sum = 0;
        for (int k = 0; k < P::X_TAPS; k++) sum = added(sum, read(start + k), __ldg(launch.lookups + P::X_WEIGHTS + k * P::TO_W + x));
        return finished(sum);
    }
    template <class R> static __device__ __forceinline__ Sum along_y(const Launch &launch, int y, R read) {
        int start = __ldg(launch.lookups + P::Y_STARTS + y);
        Sum sum = 0;
        for (int k = 0; k < P::Y_TAPS; k++) sum = added(sum, read(start + k), __ldg(launch.lookups + P::Y_WEIGHTS + y * P::Y_TAPS + k));
        return finished(sum);
    }

    // The axis that comes first, of all samples between both, shared out to the blocks of the plane.
    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int, int) {
        if constexpr (BOTH) {
            Source from = source(launch, plane, REACH);
            Cell *between = reinterpret_cast<Cell *>(plane.between);
            u32 blocks = plane.columns * ((plane.height + HEIGHT - 1) / HEIGHT), index = blockIdx.x - plane.first;
            for (u32 i = index * THREADS + threadIdx.x; i < (u32)MIDDLE_W * MIDDLE_H; i += blocks * THREADS) {
                int x = i % MIDDLE_W, y = i / MIDDLE_W;
                if (P::X_FIRST) between[i] = along_x(launch, x, [&](int k) { return C::number(__ldg(at(from, k, y))); });
                else between[i] = along_y(launch, y, [&](int k) { return C::number(__ldg(at(from, x, k))); });
            }
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += threadIdx.x % 32, y += threadIdx.x / 32;
        Source from = source(launch, plane, REACH);
        const Cell *between = reinterpret_cast<const Cell *>(plane.between);
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            int row = y + r;
            for (int k = x; k < x + 128 && k < (int)plane.width; k += 32) {
                Sum v;
                if constexpr (!BOTH && P::X) v = along_x(launch, k, [&](int i) { return C::number(__ldg(at(from, i, row))); });
                else if constexpr (!BOTH) v = along_y(launch, row, [&](int i) { return C::number(__ldg(at(from, k, i))); });
                else if constexpr (P::X_FIRST) v = along_y(launch, row, [&](int i) { return (Sum)between[(u32)i * MIDDLE_W + k]; });
                else v = along_x(launch, k, [&](int i) { return (Sum)between[(u32)row * MIDDLE_W + i]; });
                plane.samples[(u32)row * plane.stride + k] = C::sample(v);
            }
        }
    }
};
