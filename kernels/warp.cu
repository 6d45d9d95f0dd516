// Samples between samples: out(i, j) is made of the samples around a place of the source, which lies along straight lines, the
// same or others for each frame, or in perspective. The arithmetic is that of crates/filter/src/pass/warp.rs.
// CPU twin: crates/cpu/src/warp.rs
//
//   a thread makes 4 samples of 4 rows; there is no tile. What neighbours meet lies together whatever the angle, so that the
//   first cache serves most loads; the copies to and from the GPU take longer.
//
// Parameters: FROM_W, FROM_H, the size of the source as it is shown; TRANSPOSED, MIRRORED, FLIPPED, how it is stored; Place; FILL,
// the bits of what lies outside; TAPS, columns and rows of a weighted sum, 2 of a linear one and 1 of none; WEIGHTS, where the
// weights of all phases are in the table of lookups.

// Where a sample lies, in 1/65536 of a sample.
struct Spot {
    long long x, y;
};

// The halves of 64 bits as one number.
__device__ __forceinline__ constexpr long long joined(u32 high, u32 low) { return (long long)((unsigned long long)high << 32 | low); }

// Along straight lines. Parameters: two halves of each of FIRST, ACROSS, DOWN for X and Y.
template <class P> struct Affine {
    static constexpr bool ENDS = true, ROUNDS = false, APART = false, MIRRORED = false;
    static __device__ __forceinline__ Spot spot(const Plane &, int i, int j) {
        return {joined(P::FIRST_X_HIGH, P::FIRST_X_LOW) + i * joined(P::ACROSS_X_HIGH, P::ACROSS_X_LOW) + j * joined(P::DOWN_X_HIGH, P::DOWN_X_LOW),
                joined(P::FIRST_Y_HIGH, P::FIRST_Y_LOW) + i * joined(P::ACROSS_Y_HIGH, P::ACROSS_Y_LOW) + j * joined(P::DOWN_Y_HIGH, P::DOWN_Y_LOW)};
    }
};

// In perspective. Parameters: FINER_X, FINER_Y, powers of two; two halves of each of nine terms.
template <class P> struct Projective {
    static constexpr bool ENDS = false, ROUNDS = true, APART = false, MIRRORED = false;
    static __device__ __forceinline__ double sum(double across, double down, double first, double i, double j) {
        return __dadd_rn(__dadd_rn(__dmul_rn(across, i), __dmul_rn(down, j)), first);
    }
    static __device__ __forceinline__ long long axis(double above, double below, int finer) {
        const double quotient = rint(__ddiv_rn(__dmul_rn(256.0, above), below));
        return (long long)(__double2int_rn(fmin(fmax(quotient, -1073741824.0), 1073741824.0)) >> finer) * 256;
    }
    static __device__ __forceinline__ Spot spot(const Plane &, int i, int j) {
        const double x = (double)(i << P::FINER_X), y = (double)(j << P::FINER_Y);
#define TERM(N) __hiloint2double((int)P::TERM_##N##_HIGH, (int)P::TERM_##N##_LOW)
        const double below = sum(TERM(6), TERM(7), TERM(8), x, y);
        return {axis(sum(TERM(0), TERM(1), TERM(2), x, y), below, P::FINER_X), axis(sum(TERM(3), TERM(4), TERM(5), x, y), below, P::FINER_Y)};
#undef TERM
    }
};

// Along straight lines that are others for each frame. Parameters: ENDING, whether FILL lies outside; MIRROR, whether the picture is
// mirrored there.
template <class P> struct Stabilized {
    static constexpr bool ENDS = P::ENDING, ROUNDS = true, APART = true, MIRRORED = P::MIRROR;
    static __device__ __forceinline__ Spot spot(const Plane &plane, int i, int j) {
        const long long *course = plane.course;
        return {course[0] + i * course[2] + j * course[4], course[1] + i * course[3] + j * course[5]};
    }
};

// Four samples by the parts of the right ones and the lower ones.
template <class T> struct Mix {
    static __device__ __forceinline__ T mixed(T a, T b, T c, T d, u32 x, u32 y, bool half) {
        const unsigned long long top = (unsigned long long)a * (65536 - x) + (unsigned long long)b * x;
        const unsigned long long bottom = (unsigned long long)c * (65536 - x) + (unsigned long long)d * x;
        return (T)((top * (65536 - y) + bottom * y + (half ? 1ull << 31 : 0)) >> 32);
    }
    static __device__ __forceinline__ T whole(float sum, float peak) {
        return (T)__float2uint_rz(fminf(fmaxf(floorf(__fadd_rn(sum, 0.5f)), 0.0f), peak));
    }
};
template <> struct Mix<float> {
    static __device__ __forceinline__ float quiet(float v) { return isnan(v) ? __uint_as_float(0x7fc00000u) : v; }
    static __device__ __forceinline__ float pair(float a, float b, float part) {
        return __fmaf_rn(part, b, __fmul_rn(__fsub_rn(1.0f, part), a));
    }
    static __device__ __forceinline__ float mixed(float a, float b, float c, float d, u32 x, u32 y, bool) {
        const float across = __fmul_rn((float)x, 1.0f / 65536.0f), down = __fmul_rn((float)y, 1.0f / 65536.0f);
        return quiet(pair(pair(a, b, across), pair(c, d, across), down));
    }
    static __device__ __forceinline__ float whole(float sum, float) { return quiet(sum); }
};

template <class P> struct Warp : OneLaunch {
    static constexpr int HEIGHT = 32, FAR_AWAY = 1 << 24, LAST_X = P::FROM_W - 1, LAST_Y = P::FROM_H - 1;

    static __device__ __forceinline__ int within(long long v, int low, int high) { return (int)min(max(v, (long long)low), (long long)high); }

    // The place inside of a sample at any place.
    static __device__ __forceinline__ int inside(int place, int last) {
        if (!P::Place::MIRRORED || last == 0) return within(place, 0, last);
        const int phase = place % (2 * last), positive = phase < 0 ? phase + 2 * last : phase;
        return min(positive, 2 * last - positive);
    }

    // The sample at a place inside the source as it is shown.
    static __device__ __forceinline__ PIXEL sample(const Source &from, int x, int y) {
        if (P::MIRRORED) x = LAST_X - x;
        if (P::FLIPPED) y = LAST_Y - y;
        return P::TRANSPOSED ? __ldg(at(from, y, x)) : __ldg(at(from, x, y));
    }

    static __device__ __forceinline__ PIXEL made(const Launch &launch, const Plane &plane, const Source &from, int i, int j) {
        const Spot spot = P::Place::spot(plane, i, j);
        const int column = within(spot.x >> 16, -FAR_AWAY, FAR_AWAY), row = within(spot.y >> 16, -FAR_AWAY, FAR_AWAY);
        u32 x = (u32)spot.x & 65535, y = (u32)spot.y & 65535;
        if (P::Place::ENDS && (column < -1 || row < -1 || column > LAST_X + 1 || row > LAST_Y + 1)) return (PIXEL)__uint_as_float(P::FILL);
        const int left = inside(column, LAST_X), top = inside(row, LAST_Y);
        if constexpr (P::TAPS == 1) {
            return sample(from, left, top);
        } else if constexpr (P::TAPS == 2 && !P::WEIGHTED) {
            const int right = P::Place::APART ? inside(column + 1, LAST_X) : min(left + 1, LAST_X);
            const int bottom = P::Place::APART ? inside(row + 1, LAST_Y) : min(top + 1, LAST_Y);
            if (!P::Place::ENDS && !P::Place::APART && column < 0) x = 0;
            if (!P::Place::ENDS && !P::Place::APART && row < 0) y = 0;
            return Mix<PIXEL>::mixed(sample(from, left, top), sample(from, right, top), sample(from, left, bottom), sample(from, right, bottom), x, y,
                                     P::Place::ROUNDS);
        } else {
            const u32 *across = launch.lookups + P::WEIGHTS + (x >> 8) * P::TAPS, *down = launch.lookups + P::WEIGHTS + (y >> 8) * P::TAPS;
            float sum = 0.0f;
#pragma unroll 1
            for (int n = 0; n < P::TAPS; n++) {
                const int line = inside(row - (P::TAPS / 2 - 1) + n, LAST_Y);
                float along = 0.0f;
#pragma unroll 4
                for (int m = 0; m < P::TAPS; m++) {
                    const int place = inside(column - (P::TAPS / 2 - 1) + m, LAST_X);
                    along = __fmaf_rn(__uint_as_float(__ldg(across + m)), (float)sample(from, place, line), along);
                }
                sum = __fmaf_rn(__uint_as_float(__ldg(down + n)), along, sum);
            }
            return Mix<PIXEL>::whole(sum, PEAK);
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += threadIdx.x % 32, y += threadIdx.x / 32;
        const Source from = source(launch, plane, REACH);
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            PIXEL *to = plane.samples + (u32)(y + r) * plane.stride;
            for (int k = x; k < x + 128 && k < (int)plane.width; k += 32) to[k] = made(launch, plane, from, k, y + r);
        }
    }
};
