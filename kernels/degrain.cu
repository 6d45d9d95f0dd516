// Means along motion, in two launches; the first finds the motion (motion.cu), but of planes that follow another one.
// CPU twin: crates/cpu/src/degrain/mean.rs
//
//      run      a thread makes 4 samples of a row, those of W in the same four blocks at a time

// The parameters are those of Motion, and
//   Last              the last step
//   MOST              of how many of 256 blocks more have to have changed for another scene
//   AT, WEIGHTS       where the weights begin, and how many there are
//   LIMIT             the bits of how far a sample may be changed
//   FOLLOWS, GUIDE    whether the motion is that of another plane, and of which
//   ACROSS, DOWN      by how many powers of two that is finer
//   SHOWN, COMPONENT  whether vectors are shown, and what of them: 0 right, 1 down, 2 the longer of both
//   MIDDLE, SHADE     the bits of what is shown for no motion, and of by how much that becomes more for half a sample
template <class P> struct Degrain : Motion<P> {
    typedef Motion<P> M;
    typedef typename M::B B;
    typedef typename M::K K;
    typedef typename M::Cell Cell;
    typedef Finish<typename P::Last> F;
    static constexpr int COUNT = M::COUNT, STEP_X = M::STEP >> P::ACROSS, STEP_Y = M::STEP >> P::DOWN, W = STEP_X < 4 ? STEP_X : 4;

    // Four samples of a row along a vector.
    static __device__ __forceinline__ Quad<Cell> along(const Source &from, const Plane &plane, int x, int y, bool half) {
        Quad<Cell> q;
        if (!half) return quad_at(from, plane, x, y);
        const Quad<Cell> a = quad_at(from, plane, x - 1, y), b = quad_at(from, plane, x + 3, y);
        const Cell v[8] = {a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1], b.v[2], b.v[3]};
#pragma unroll
        for (int k = 0; k < 4; k++) q.v[k] = K::between(v[k], v[k + 1], v[k + 2], v[k + 3]);
        return q;
    }
    // The same at any place: whatever lies beyond the last that is looked at is not looked at.
    static __device__ __forceinline__ Quad<Cell> quad_at(const Source &from, const Plane &plane, int x, int y) {
        Quad<Cell> q;
        if (from.samples && x >= 0 && x + 4 <= (int)plane.width && (u32)y < plane.height) {
            const PIXEL *row = at(from, x, y);
#pragma unroll
            for (int k = 0; k < 4; k++) q.v[k] = (Cell)__ldg(row + k);
            return q;
        }
#pragma unroll 1
        for (int k = 0; k < 4; k++) q.v[k] = one<Cell, B>(from, plane, x + k, y);
        return q;
    }

    // What a frame counts in a block, before all weights are brought to 256.
    static __device__ __forceinline__ u32 weight(const Launch &launch, u32 changed, u64 all, u32 sum) {
        return 256 * (u64)changed <= all && sum < (u32)P::WEIGHTS ? __ldg(launch.lookups + P::AT + sum) : 0;
    }

    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int x, int y) {
        if constexpr (!P::FOLLOWS) M::begin(launch, plane, x, y);
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const Plane &led = P::FOLLOWS ? launch.planes[P::GUIDE] : plane;
        u32 *changed = reinterpret_cast<u32 *>(shared);
        if (threadIdx.x < COUNT) changed[threadIdx.x] = 0;
        __syncthreads();
        const int words = M::counted(led) / 4;
#pragma unroll 1
        for (int frame = 0; frame < COUNT; frame++) {
            const u32 *bytes = reinterpret_cast<const u32 *>(M::changes(led, frame));
            u32 sum = 0;
#pragma unroll 1
            for (int i = threadIdx.x; i < words; i += THREADS) sum = __dp4a(bytes[i], 0x01010101u, sum);
            if (sum) atomicAdd(changed + frame, sum);
        }
        __syncthreads();
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        const int columns = M::blocks(led.width);
        const u64 all = (u64)P::MOST * columns * M::blocks(led.height);
        if constexpr (P::SHOWN) {
            constexpr int BEFORE = P::FRAMES - 1;
            const bool cut = 256 * (u64)changed[BEFORE] > all;
            const uint2 *row = M::motion(led, BEFORE) + (u64)((y + STEP_Y / 2) / STEP_Y) * columns;
            float shades[4];
#pragma unroll
            for (int q = 0; q < 4; q++) {
                const u32 move = x + q < (int)plane.width && !cut ? row[(x + q + STEP_X / 2) / STEP_X].x : 0;
                const int dx = (int)(move << 16) >> 16, dy = (int)move >> 16;
                const int v = P::COMPONENT == 0 ? dx : P::COMPONENT == 1 ? dy : max(abs(dx), abs(dy));
                shades[q] = __fadd_rn(__uint_as_float(P::MIDDLE), __fmul_rn(__int2float_rn(v), __uint_as_float(P::SHADE)));
            }
            F::store(launch, plane, x, y, shades);
            return;
        }
        const Quad<Cell> centre = centred<Cell>(launch, plane, x, y);
        Cell sum[4] = {};
#pragma unroll
        for (int some = 0; some < 4; some += W) {
            const int left = x + some;
            // Blocks end not far beyond the plane.
            if (left >= (int)plane.width) break;
#pragma unroll 1
            for (int quarter = 0; quarter < 4; quarter++) {
                const int i = left / STEP_X + quarter % 2, j = y / STEP_Y + quarter / 2;
                const u64 place_of = (u64)j * columns + i;
                u32 total = 256;
#pragma unroll 1
                for (int k = 0; k < COUNT; k++) total += weight(launch, changed[k], all, M::motion(led, k)[place_of].y);
                Cell part[W] = {};
#pragma unroll 1
                for (int k = 0; k < COUNT; k++) {
                    const uint2 move = M::motion(led, k)[place_of];
                    const u32 share = 256 * weight(launch, changed[k], all, move.y) / total;
                    if (!share) continue;
                    const Source from = source(launch, plane, M::place(k));
                    const int dx = (int)(move.x << 16) >> (16 + P::ACROSS), dy = (int)move.x >> (16 + P::DOWN), first = dy & 1 ? -1 : 0;
                    Quad<Cell> rows[4] = {};
#pragma unroll 1
                    for (int r = first; r <= -2 * first; r++) {
                        rows[0] = rows[1], rows[1] = rows[2], rows[2] = rows[3];
                        rows[3] = along(from, plane, left + (dx >> 1), y + (dy >> 1) + r, dx & 1);
                    }
#pragma unroll
                    for (int q = 0; q < W; q++) {
                        const Cell moved = first ? K::between(rows[0].v[q], rows[1].v[q], rows[2].v[q], rows[3].v[q]) : rows[3].v[q];
                        part[q] = K::add(part[q], share, moved, centre.v[some + q]);
                    }
                }
                // Of the block on the left the sample lies in the right half, and so on.
                const int ky = quarter / 2 ? y % STEP_Y : STEP_Y - 1 - y % STEP_Y;
                const u32 down = (2 * ky + 1) * 8 / STEP_Y;
#pragma unroll
                for (int q = 0; q < W; q++) {
                    const int kx = quarter % 2 ? left % STEP_X + q : STEP_X - 1 - (left % STEP_X + q);
                    sum[some + q] = K::gather(sum[some + q], (2 * kx + 1) * 8 / STEP_X * down, part[q]);
                }
            }
        }
        float means[4];
#pragma unroll
        for (int q = 0; q < 4; q++) means[q] = K::mean(sum[q], centre.v[q], __uint_as_float(P::LIMIT));
        F::store(launch, plane, x, y, means);
    }
};
