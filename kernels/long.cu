// Separable kernels of which too few tiles have room in shared memory: two launches, with the unrounded rows of the
// first in device memory, those included that the second meets above and below the plane.
// CPU twin: crates/cpu/src/separable
//
//      begin    a band of BAND rows at a time:  ┌─────────────────┬──────────┐
//               sums along t and x, of up to    │ TILE_W outputs  │ 4 · PART │ of taps; then the next so many of them,
//               PART quads of taps at a time    └─────────────────┴──────────┘ on top of the sums so far
//      run      sums along y: a thread makes 4 samples of R rows

// The parameters are those of Separable, without Engine, and R, PARTS and PART.

template <class P> struct Long {
    typedef typename P::Sums M;
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef typename P::Tile T;
    typedef typename P::T AT;
    typedef typename P::X AX;
    typedef typename P::Y AY;
    typedef typename M::Sum Mid;
    typedef OverTime<M, B, P::FRAME, AT> Times;
    typedef AlongX<M, AX, T::LEFT> Across;
    static constexpr int R = P::R, HEIGHT = 8 * R, BAND = T::ROWS, LEFT = T::LEFT, PARTS = P::PARTS, PART = P::PART;
    static_assert(T::TOP == 0 && BAND == 8 * T::R && T::COLUMNS == TILE_W + 4 * PART && TILE_BYTES<T, M> <= SHARED_BYTES);
    static_assert(!AX::USED || LEFT >= AX::A && Across::FIRST == 0 && PARTS * PART >= Across::QUADS);

    // Rows of the first launch for a plane.
    static __device__ __forceinline__ int rows(const Plane &plane) { return plane.height + AY::N - 1; }
    static __device__ __forceinline__ uint4 *between(const Plane &plane, int x, int row) {
        return plane.between + (u64)row * (plane.stride / 4) + x / 4;
    }

    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int x, int y) {
        const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
        const int bands = (plane.height + HEIGHT - 1) / HEIGHT;
        const bool regular = Times::all_regular(launch, plane);
#pragma unroll 1
        for (int top = y / HEIGHT * BAND; top < rows(plane); top += bands * BAND)
#pragma unroll 1
            for (int first = 0; first < PARTS * PART; first += PART) {
                fill<T, M, B, AT::USED ? 1 : 4>(
                    regular, plane, x - LEFT + 4 * first, top - AY::A, x,
                    [&](int sx, int sy) { return bits(Times::inside(launch, plane, sx, sy)); },
                    [&](int sx, int sy) { return Times::somewhere(launch, plane, sx, sy); });
                __syncthreads();
#pragma unroll 1
                for (int row = ty; row < BAND && x + 4 * tx < (int)plane.width && top + row < rows(plane); row += THREADS / 32) {
                    const uint4 *quads = shared + row * (T::COLUMNS / 4) + tx;
                    uint4 *to = between(plane, x + 4 * tx, top + row);
                    if constexpr (AX::USED) {
                        uint4 v = first ? *to : uint4();
                        Mid sum[4] = {of(v.x, Mid()), of(v.y, Mid()), of(v.z, Mid()), of(v.w, Mid())};
                        Across::template rolled<PART>(launch, quads, first, sum);
                        *to = bits(Quad<Mid>{sum[0], sum[1], sum[2], sum[3]});
                    } else {
                        *to = *quads;
                    }
                }
                __syncthreads();
            }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32 * R;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        const uint4 *row = between(plane, x, y);
        const int pitch = plane.stride / 4, last = rows(plane) - 1 - y;
        Mid sum[R][4] = {};
        if constexpr (AY::USED) {
            AlongY<M, AY, R>::sum(launch, row, pitch, last, sum);
        } else {
#pragma unroll
            for (int r = 0; r < R; r++) {
                uint4 v = row[min(r, last) * pitch];
                sum[r][0] = of(v.x, Mid()), sum[r][1] = of(v.y, Mid()), sum[r][2] = of(v.z, Mid()), sum[r][3] = of(v.w, Mid());
            }
        }
#pragma unroll
        for (int r = 0; r < R; r++) store<M, F>(launch, plane, x, y + r, sum[r]);
    }

    static __device__ __forceinline__ float of(u32 word, float) { return __uint_as_float(word); }
    static __device__ __forceinline__ int of(u32 word, int) { return word; }
};
