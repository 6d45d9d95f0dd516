// Means of samples with those at their place in other frames, as far as these stay alike: out(x, y) = finish(Σ w · v / Σ w)
// over the sample itself and, on either side, those before the first that is too far away. CPU twin: crates/cpu/src/atadenoise
//
//   Adaptive   any samples, weights and limits: a thread makes 4 samples of 4 rows
//
//   Packed     bytes without weights, limits of up to 127: a thread makes 16 samples of a row, and compares and sums four of
//              them in a word. Memory bounds it: 16 bytes of four frames are on their way at a time, of eight where there
//              are no more.
//
//       ┌────────────────┐
//       │ a  b  c  d ×4  │   sums of differences from the centre, which lie within a byte because their limits do: a + 2^8 b +
//       └────────────────┘   2^16 c + 2^24 d modulo 2^32; counts: sums of bytes that are all ones, likewise
//
//   There is no tile; what is beyond the last frame that any of a thread's samples takes is not read.
//
// Parameters: Last, and
//   RADIUS          frames on either side
//   TOGETHER        whether both sides end where one does
//   SINGLE, TOTAL   below which a distance and a side's sum of them lie; of Adaptive the bits of floats
//   WEIGHTED, AT    whether there are weights, and where in the table

// Takes a thread's samples through the frames: both sides in turns, or one side and then the other.
template <class P, class B>
__device__ __forceinline__ void meet_all(const Launch &launch, const Plane &plane, int x, int y, B &block) {
    // How many frames' samples are on their way at a time.
    constexpr int LEGS = P::TOGETHER ? 1 : 2, STEPS = 2 * P::RADIUS / LEGS, BATCH = STEPS <= B::MOST ? B::MOST : 4;
#pragma unroll
    for (int leg = 0; leg < LEGS; leg++) {
        if (leg) block.turn();
#pragma unroll 1
        for (int step = 0; step < STEPS; step += BATCH) {
            typename B::Four held[BATCH];
            Source from[BATCH];
            bool inside = B::inside(plane, x);
#pragma unroll
            for (int i = 0; i < BATCH; i++) {
                const int away = P::TOGETHER ? (step + i) / 2 + 1 : step + i + 1;
                const bool after = P::TOGETHER ? i & 1 : leg;
                if (step + i >= STEPS) break;
                from[i] = source(launch, plane, after ? REACH + away : REACH - away);
                inside = inside && from[i].samples && from[i].wide;
            }
            // One question for all of them, so that nothing stands between what is on its way.
#pragma unroll
            for (int i = 0; i < BATCH && inside; i++)
                if (step + i < STEPS) held[i] = B::wide(at(from[i], x, y));
#pragma unroll
            for (int i = 0; i < BATCH && !inside; i++)
                if (step + i < STEPS) held[i] = B::load(from[i], plane, x, y);
#pragma unroll
            for (int i = 0; i < BATCH; i++) {
                const int away = P::TOGETHER ? (step + i) / 2 + 1 : step + i + 1;
                if (step + i < STEPS) block.meet(launch, held[i], P::TOGETHER ? i & 1 : leg, away);
            }
            if (!block.goes_on()) break;
        }
    }
}

// Whether a mean that is off by a little becomes the same sample: where the last step only rounds. Means of n samples and what
// lies half way between two samples are multiples of 1/2n, so that one which is too large by 1/4n, and off by less than that
// from there, is rounded alike; of 12 bits and 129 samples an approximate reciprocal is off by less than half of it.
template <class L> __device__ constexpr bool only_rounds() {
    return sizeof(PIXEL) < 4 && PEAK < 4096.0f && L::SCALE == 0x3f800000u && !(L::DRY & 0x7fffffffu) && !L::ADDS;
}
template <class L> __device__ __forceinline__ float mean_of(float sum, float count) {
    if (!only_rounds<L>()) return __fdiv_rn(sum, count);
    float part;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(part) : "f"(count));
    return __fmul_rn(__fadd_rn(sum, 0.25f), part);
}

// A sample and those that were taken, as whole numbers; their count stands in the high bits of the sum.
template <class P, bool WHOLE> struct Taken {
    typedef int Cell;
    int centre, far[2];
    u32 sum;
    bool alive;
    __device__ __forceinline__ void begin(int v) { centre = v, sum = v | 1 << 24, far[0] = far[1] = 0, alive = true; }
    __device__ __forceinline__ void meet(int v, float, int side) {
        const int d = abs(v - centre);
        far[side] += d;
        alive = alive && d < (int)__uint_as_float(P::SINGLE) && far[side] < (int)__uint_as_float(P::TOTAL);
        if (alive) sum += v | 1 << 24;
    }
    __device__ __forceinline__ float mean() const { return mean_of<typename P::Last>(sum & 0xffffff, sum >> 24); }
};

// The same in floats, of which distances are summed, and of whole numbers with weights.
template <class P> struct Taken<P, false> {
    static constexpr bool FLOAT = sizeof(PIXEL) == 4;
    typedef float Cell;
    float centre, far[2], sum, weighed;
    bool alive;
    __device__ __forceinline__ void begin(float v) {
        centre = v, sum = FLOAT ? 0.0f : v, weighed = 1.0f, far[0] = far[1] = 0.0f, alive = true;
    }
    __device__ __forceinline__ void meet(float v, float weight, int side) {
        const float away = __fsub_rn(v, centre), d = fabsf(away);
        far[side] = __fadd_rn(far[side], d);
        alive = alive && d < __uint_as_float(P::SINGLE) && far[side] < __uint_as_float(P::TOTAL);
        if (!alive) return;
        sum = __fadd_rn(sum, __fmul_rn(weight, FLOAT ? away : v));
        weighed = __fadd_rn(weighed, weight);
    }
    __device__ __forceinline__ float mean() const {
        const float mean = __fdiv_rn(sum, weighed);
        return FLOAT ? __fadd_rn(centre, mean) : P::WEIGHTED ? rintf(mean) : mean;
    }
};

template <class P> struct Adaptive : OneLaunch {
    typedef Finish<typename P::Last> F;
    typedef Taken<P, sizeof(PIXEL) < 4 && !P::WEIGHTED> T;
    typedef typename T::Cell Cell;
    static constexpr int HEIGHT = 32;

    // Four samples.
    struct Block {
        static constexpr int MOST = 4;
        typedef Quad<Cell> Four;
        T taken[4];
        static __device__ __forceinline__ bool inside(const Plane &plane, int x) { return x + 4 <= (int)plane.width; }
        static __device__ __forceinline__ Four wide(const PIXEL *row) { return ::wide<Cell>(row); }
        static __device__ __forceinline__ Four load(const Source &from, const Plane &plane, int x, int y) {
            const Cell neutral = plane.neutral;
            if (!from.samples) return {neutral, neutral, neutral, neutral};
            return near<Cell>(from, plane, x, y);
        }
        __device__ __forceinline__ void turn() {
#pragma unroll
            for (int k = 0; k < 4; k++) taken[k].alive = true;
        }
        __device__ __forceinline__ bool goes_on() const {
            return taken[0].alive | taken[1].alive | taken[2].alive | taken[3].alive;
        }
        __device__ __forceinline__ void meet(const Launch &launch, const Four &q, int side, int away) {
            const float weight = P::WEIGHTED ? __uint_as_float(Table::tap(launch, P::AT + away - 1)) : 1.0f;
#pragma unroll
            for (int k = 0; k < 4; k++) taken[k].meet(q.v[k], weight, side);
        }
    };

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
#pragma unroll 1
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            const Quad<Cell> own = centred<Cell>(launch, plane, x, y + r);
            Block block;
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) block.taken[k].begin(own.v[k]);
            meet_all<P>(launch, plane, x, y + r, block);
#pragma unroll
            for (int k = 0; k < 4; k++) v[k] = block.taken[k].mean();
            F::store(launch, plane, x, y + r, v);
        }
    }
};

// The same byte four times.
__device__ constexpr u32 fourfold(u32 byte) { return byte * 0x01010101u; }
template <class P> struct Packed : OneLaunch {
    typedef Finish<typename P::Last> F;
    static constexpr int HEIGHT = 32;
    static_assert(P::SINGLE <= 127 && P::TOTAL <= 127, "no byte's sum reaches the next");
    // A side's sum of differences lies above −127 and below 127; where two of them do, one word holds both.
    static constexpr int SUMS = 2 * (P::TOTAL - 1) <= 127 ? 1 : 2;
    static constexpr bool ROUNDS = only_rounds<typename P::Last>() && !MAPS<typename P::Last::After>;

    // Four samples.
    struct Word {
        u32 centre, far[2], alive, sum[SUMS], met[SUMS], count;
        __device__ __forceinline__ void begin(u32 v) {
            centre = v, far[0] = far[1] = fourfold(128 - P::TOTAL), alive = ~0u, count = 0;
#pragma unroll
            for (int i = 0; i < SUMS; i++) sum[i] = met[i] = 0;
        }
        // Bytes are compared by their highest bit: it is 1 in what lies at or above a limit less 128, which is what `far`
        // begins with. What is away of bytes that ended is 0, so that none of the sums leaves its byte.
        __device__ __forceinline__ void meet(u32 v, int side) {
            const u32 d = __vabsdiffu4(v, centre), low = d & 0x7f7f7f7fu & alive;
            far[side] += low;
            const u32 over = d | (low + fourfold(128 - P::SINGLE)) | far[side];
            u32 ended;
            asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(ended) : "r"(over));
            alive &= ~ended;
            // The centre stands for what ended: of each sample as many are summed.
            sum[side % SUMS] += v & alive | centre & ~alive, met[side % SUMS]++;
            count += alive;
        }
        // A byte of a word less a multiple of 1/256, as a number.
        static __device__ __forceinline__ float number(u32 word, int k, float less) {
            return __uint_as_float(__byte_perm(word, 0x47000000u, 0x7404 | k << 4)) - (32768.0f + less);
        }
        // Four finished samples; what stands between is as long as it takes.
        __device__ __forceinline__ u32 finished(const Launch &launch, const Plane &plane) const {
            // Each byte was counted as 255, and 255 times this is 1 modulo 2^32.
            const u32 counts = count * (0u - 0x01010101u) + 0x01010101u;
            u32 away[SUMS], made[4];
            float v[4];
#pragma unroll
            for (int i = 0; i < SUMS; i++) away[i] = sum[i] - met[i] * centre + fourfold(128);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float of = number(counts, k, 0.0f);
                float far = number(away[0], k, ROUNDS ? 127.75f : 128.0f);
                if (SUMS > 1) far += number(away[SUMS - 1], k, 128.0f);
                if (ROUNDS) {
                    // ⌊far / of + ½⌋ + 128, with the quarter of mean_of: the centre is whole, and is added afterwards.
                    float part;
                    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(part) : "f"(of));
                    made[k] = __float_as_uint(__fmaf_rd(__fmaf_rn(of, 0.5f, far), part, 8388608.0f + 128.0f));
                } else {
                    const float own = number(centre, k, 0.0f);
                    v[k] = F::value(mean_of<typename P::Last>(__fmaf_rn(own, of, far), of), own, plane.bias);
                }
            }
            u32 word;
            if (ROUNDS) word = low_bytes(made) + centre - fourfold(128);
            else F::put(launch, reinterpret_cast<u8 *>(&word), v);
            return word;
        }
    };

    // Sixteen of them.
    struct Block {
        static constexpr int MOST = 8;
        typedef uint4 Four;
        Word word[4];
        static __device__ __forceinline__ bool inside(const Plane &plane, int x) { return x + 16 <= (int)plane.width; }
        static __device__ __forceinline__ uint4 wide(const u8 *row) { return __ldg(reinterpret_cast<const uint4 *>(row)); }
        static __device__ __forceinline__ uint4 load(const Source &from, const Plane &plane, int x, int y) {
            if (!from.samples) {
                const u32 neutral = fourfold((u32)plane.neutral);
                return make_uint4(neutral, neutral, neutral, neutral);
            }
            const u8 *row = reinterpret_cast<const u8 *>(at(from, x, y));
            if (from.wide && inside(plane, x)) return wide(row);
            u32 word[4] = {};
#pragma unroll
            for (int k = 0; k < 16; k++)
                if (x + k < (int)plane.width) word[k / 4] |= (u32)row[k] << 8 * (k % 4);
            return make_uint4(word[0], word[1], word[2], word[3]);
        }
        __device__ __forceinline__ void turn() {
#pragma unroll
            for (int i = 0; i < 4; i++) word[i].alive = ~0u;
        }
        __device__ __forceinline__ bool goes_on() const {
            return (word[0].alive | word[1].alive | word[2].alive | word[3].alive) != 0;
        }
        __device__ __forceinline__ void meet(const Launch &, const uint4 &v, int side, int) {
            word[0].meet(v.x, side), word[1].meet(v.y, side), word[2].meet(v.z, side), word[3].meet(v.w, side);
        }
    };

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 16 * (threadIdx.x % 8), y += threadIdx.x / 8;
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        const uint4 own = Block::load(source(launch, plane, REACH), plane, x, y);
        Block block;
        block.word[0].begin(own.x), block.word[1].begin(own.y), block.word[2].begin(own.z), block.word[3].begin(own.w);
        meet_all<P>(launch, plane, x, y, block);
        u32 made[4];
#pragma unroll
        for (int i = 0; i < 4; i++) made[i] = block.word[i].finished(launch, plane);
        // What lies beyond the width goes into the row's padding.
        *reinterpret_cast<uint4 *>(plane.samples + ((u32)y * plane.stride + x)) = make_uint4(made[0], made[1], made[2], made[3]);
    }
};
