// Sums over boxes in two launches, the sums along y between them in device memory.
// CPU twin: crates/cpu/src/boxes.rs
//
//      begin    a warp for a column: ┐  a line of LENGTH samples in shared memory, all boxes one after another:
//      run      a warp for a row:    ┘  running sums of the line, then the difference of two that a box lies between
//
// Sums wrap around at 2^32, and the differences that count do not.

// The parameters:
//   Border, Last   what lies outside, and the last step
//   Down, Across   an axis each: COUNT boxes, of which LITERAL[AT + 2 i] is the width and the next the shift; their
//                  SPAN, how far they reach together; LINES of LENGTH samples, of which a block makes OUTPUTS a line at a time
//   CONSTANT       what a sample outside becomes along y
template <class P> struct Boxes {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    typedef typename P::Down D;
    typedef typename P::Across A;
    static constexpr int HEIGHT = P::HEIGHT, CHUNK = 128;
    static_assert(CHUNK * (D::LENGTH / CHUNK) == D::LENGTH && CHUNK * (A::LENGTH / CHUNK) == A::LENGTH);
    // The last chunk of running sums ends with that of the whole line.
    static_assert(D::OUTPUTS + D::SPAN < D::LENGTH && A::OUTPUTS + A::SPAN < A::LENGTH && A::OUTPUTS % 4 == 0);
    // From one line to the next: samples of up to 8 columns go to as many banks.
    template <class X> static constexpr int PITCH = X::LENGTH + 4;
    static_assert(4 * D::LINES * PITCH<D> <= SHARED_BYTES && 4 * A::LINES * PITCH<A> <= SHARED_BYTES);

    static __device__ __forceinline__ u32 *line(int pitch, int index) { return reinterpret_cast<u32 *>(shared) + pitch * index; }

    // All boxes of an axis over a line of n samples, by one warp.
    template <class X> static __device__ __forceinline__ void sum(u32 *line, int n) {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < X::COUNT; i++) {
            const int width = LITERAL[X::AT + 2 * i];
            const u32 shift = LITERAL[X::AT + 2 * i + 1], half = (1u << shift) >> 1;
            u32 carry = 0;
            // What stood before each place.
#pragma unroll 1
            for (int first = 0; first <= n; first += CHUNK) {
                uint4 *place = reinterpret_cast<uint4 *>(line + first) + lane;
                const uint4 v = *place;
                const u32 x = v.x, y = x + v.y, z = y + v.z, own = z + v.w;
                u32 all = own;
#pragma unroll
                for (int d = 1; d < 32; d *= 2) {
                    const u32 other = __shfl_up_sync(~0u, all, d);
                    if (lane >= d) all += other;
                }
                const u32 before = carry + all - own;
                *place = make_uint4(before, before + x, before + y, before + z);
                carry += __shfl_sync(~0u, all, 31);
            }
            __syncwarp();
            n -= width - 1;
#pragma unroll 1
            for (int first = lane; first - lane < n; first += CHUNK) {
                u32 found[4];
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    const int at = min(first + 32 * k, n - 1);
                    found[k] = (line[at + width] - line[at] + half) >> shift;
                }
                __syncwarp();
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (first + 32 * k < n) line[first + 32 * k] = found[k];
                __syncwarp();
            }
        }
    }

    // Blocks take one part of the plane after another: there may be fewer parts than tiles, or more.
    template <class X, class Part> static __device__ __forceinline__ void parts(const Plane &plane, int x, int y, int lines, int length, Part part) {
        const u32 tiles = plane.columns * ((plane.height + HEIGHT - 1) / HEIGHT);
        const u32 groups = (lines + X::LINES - 1) / X::LINES, all = groups * ((length + X::OUTPUTS - 1) / X::OUTPUTS);
#pragma unroll 1
        for (u32 i = x / TILE_W + y / HEIGHT * plane.columns; i < all; i += tiles) {
            const int first = i / groups * X::OUTPUTS;
            part(i % groups * X::LINES, first, min(X::OUTPUTS, length - first));
        }
    }

    static __device__ __forceinline__ u32 *between(const Plane &plane, int x, int y) {
        return reinterpret_cast<u32 *>(plane.between) + ((u64)y * plane.stride + x);
    }

    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int x, int y) {
        const Source from = source(launch, plane, REACH);
        parts<D>(plane, x, y, plane.width, plane.height, [&](int column, int row, int outputs) {
            const int columns = min(D::LINES, (int)plane.width - column), n = outputs + D::SPAN;
#pragma unroll 1
            for (int i = threadIdx.x; i < n * D::LINES; i += THREADS) {
                const int c = i % D::LINES, r = i / D::LINES;
                if (c < columns) line(PITCH<D>, c)[r] = one<int, B>(from, plane, column + c, row + r - D::SPAN / 2);
            }
            __syncthreads();
            if (threadIdx.x / 32 < columns) sum<D>(line(PITCH<D>, threadIdx.x / 32), n);
            __syncthreads();
#pragma unroll 1
            for (int i = threadIdx.x; i < outputs * D::LINES; i += THREADS) {
                const int c = i % D::LINES, r = i / D::LINES;
                if (c < columns) *between(plane, column + c, row + r) = line(PITCH<D>, c)[r];
            }
            __syncthreads();
        });
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const int lane = threadIdx.x % 32, mine = threadIdx.x / 32;
        if (mine >= A::LINES) return;
        u32 *const row = line(PITCH<A>, mine);
        parts<A>(plane, x, y, plane.height, plane.width, [&](int top, int column, int outputs) {
            if (top + mine >= (int)plane.height) return;
            const int n = outputs + A::SPAN;
#pragma unroll 1
            for (int i = lane; i < n; i += 32) {
                const int place = resolved<B>(column + i - A::SPAN / 2, plane.width);
                row[i] = B::CONSTANT && place < 0 ? P::CONSTANT : *between(plane, place, top + mine);
            }
            __syncwarp();
            sum<A>(row, n);
#pragma unroll 1
            for (int i = 4 * lane; i < outputs; i += CHUNK) {
                float sums[4];
#pragma unroll
                for (int k = 0; k < 4; k++) sums[k] = __uint2float_rn(row[i + k]);
                F::store(launch, plane, column + i, top + mine, sums);
            }
            __syncwarp();
        });
    }
};
