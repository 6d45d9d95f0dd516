// Sums over the planes of a pixel: all planes that are read together. The arithmetic is that of crates/filter/src/pass/mix.rs.
// CPU twin: crates/cpu/src/mix.rs
//
//   a thread makes 4 samples of 4 rows, of all planes at once; blocks of the planes behind the first have nothing to do
//
// Parameters
//   FIRST    the first plane that is read and made
//   Sums     what is summed, with
//     CENTRE   the bits of what is subtracted from samples
//     WEIGHTS  where the literals have 3 rows of 3 weights, and behind them 3 biases
//     TERMS    where the lookups have 3 rows of 3 tables of 256 terms

// Four sums of whole numbers, in 65536ths.
template <class P> struct WholeSums {
    typedef int Cell;
    static __device__ __forceinline__ void sum(const Launch &, const Quad<int> *from, int p, float (&v)[4]) {
        const int centre = (int)__uint_as_float(P::CENTRE);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int sum = (int)LITERAL[P::WEIGHTS + 9 + p];
#pragma unroll
            for (int q = 0; q < 3 - P::FIRST; q++) sum += (int)LITERAL[P::WEIGHTS + 3 * p + q] * (min(from[q].v[k], (int)PEAK) - centre);
            v[k] = (float)(sum >> 16);
        }
    }
};

// The same of terms from tables.
template <class P> struct TermSums {
    typedef int Cell;
    static __device__ __forceinline__ void sum(const Launch &launch, const Quad<int> *from, int p, float (&v)[4]) {
        const u32 *terms = launch.lookups + P::TERMS + 3 * 256 * p;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int sum = 0;
#pragma unroll
            for (int q = 0; q < 3; q++) sum += (int)__ldg(terms + 256 * q + (from[q].v[k] & 255));
            v[k] = (float)sum;
        }
    }
};

// The same of floats.
template <class P> struct RealSums {
    typedef float Cell;
    static __device__ __forceinline__ void sum(const Launch &, const Quad<float> *from, int p, float (&v)[4]) {
        const float centre = __uint_as_float(P::CENTRE);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float sum = __fmul_rn(__fsub_rn(from[0].v[k], centre), __uint_as_float(LITERAL[P::WEIGHTS + 3 * p]));
#pragma unroll
            for (int q = 1; q < 3 - P::FIRST; q++)
                sum = __fadd_rn(sum, __fmul_rn(__fsub_rn(from[q].v[k], centre), __uint_as_float(LITERAL[P::WEIGHTS + 3 * p + q])));
            v[k] = __fadd_rn(sum, __uint_as_float(LITERAL[P::WEIGHTS + 9 + p]));
        }
    }
};

// The last step of such sums, which may be anything.
struct MixFinish : Plain {
    static constexpr bool LOW = true, HIGH = true;
};

template <class P> struct PlaneSums : OneLaunch {
    static constexpr int HEIGHT = 32, FIRST = P::FIRST, COUNT = 3 - FIRST;
    typedef typename P::Sums Sums;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const int index = &plane - launch.planes;
        for (int i = FIRST; i < index; i++)
            if (launch.planes[i].op == plane.op) return;
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            Quad<typename Sums::Cell> from[COUNT];
#pragma unroll
            for (int q = 0; q < COUNT; q++) from[q] = centred<typename Sums::Cell>(launch, launch.planes[FIRST + q], x, y + r);
#pragma unroll
            for (int p = 0; p < COUNT; p++) {
                const Plane &to = launch.planes[FIRST + p];
                if (to.op != plane.op) continue;
                float v[4];
                Sums::sum(launch, from, p, v);
                Finish<MixFinish>::put(launch, to.samples + ((u32)(y + r) * to.stride + x), v);
            }
        }
    }
};
