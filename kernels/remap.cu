// Samples at other places: out(x, y) = in(columns(x), rows(y)), or with axes exchanged in(columns(y), rows(x)); a course is
// FIRST, FIRST + 1, … or FIRST, FIRST − 1, ….
// CPU twin: crates/cpu/src/remap.rs
//
//   a thread makes 4 samples of 4 rows; there is no tile. The copies to and from the GPU take ten times as long, so that
//   single loads, which the first cache serves, do.
//
// Parameters: FROM_W, FROM_H, the size of the source; TRANSPOSED; COLUMN, ROW, the bits of the first place of each course;
// LEFTWARDS, UPWARDS, whether it descends; Border.

template <class P> struct Remap : OneLaunch {
    typedef typename P::Border B;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ int column(int i) { return P::LEFTWARDS ? (int)P::COLUMN - i : (int)P::COLUMN + i; }
    static __device__ __forceinline__ int row(int i) { return P::UPWARDS ? (int)P::ROW - i : (int)P::ROW + i; }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        Source from = source(launch, plane, REACH);
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            PIXEL *to = plane.samples + (u32)(y + r) * plane.stride;
            for (int k = x; k < x + 4 && k < (int)plane.width; k++) {
                int a = resolved<B>(column(P::TRANSPOSED ? y + r : k), P::FROM_W);
                int b = resolved<B>(row(P::TRANSPOSED ? k : y + r), P::FROM_H);
                to[k] = B::CONSTANT && (a < 0 | b < 0) ? (PIXEL)B::value() : __ldg(at(from, a, b));
            }
        }
    }
};
