// Luma and chroma of another colour space, in whole numbers. The arithmetic is that of crates/filter/src/pass/colorspace.rs.
// CPU twin: crates/cpu/src/colorspace
//
//   a thread makes 4 samples of 4 rows: of luma, or of both planes of chroma at once, for which it makes the colours of their
//   blocks once more; blocks of the second plane of chroma have nothing to do. Planes of one size are made at once. Samples of
//   PIXEL go in, samples of Out come out, so that the planes to be made are of Out, their strides counted in those.
//
// Parameters
//   Out              the type of the samples that come out
//   SMALLER          whether chroma is smaller than luma
//   Path             one of the two ways, with Out and
//     ACROSS, DOWN     by how many powers of two chroma is smaller
//     DEPTH, OUT_DEPTH the bits of samples
//     BLACK, OUT_BLACK their black
//     PLACES           binary places of the last sum
//     WEIGHTS          where the literals have the matrix; TO_RGB, TO_YUV, PRIMARIES likewise
//     Light            what becomes of coded colours through linear light: Converted or Toned
//   Converted: MIXES   whether there are other primaries, and
//     CURVES           where the lookups have a word for each number from -2048 on: its linear light, and above that what codes it
//   Toned: LIGHT, GAIN, CODED, SYSTEM   where the lookups have tables of 32768 words; the last where RENDERS
//     GAIN_FIRST …     the bits of the first number of each but LIGHT
//     WEIGHTS, MATRIX  where the literals have the bits of 3 weights of luminance, and of 3 rows of primaries

// Three numbers: luma and chroma, or red, green and blue.
struct Three {
    int v[3];
};

// A row of weights with three numbers.
__device__ __forceinline__ int weighed(int row, const Three &c) {
    return (int)LITERAL[row] * c.v[0] + (int)LITERAL[row + 1] * c.v[1] + (int)LITERAL[row + 2] * c.v[2];
}

// What both ways read.
template <class P> struct Pixels {
    static constexpr int PEAK_IN = (1 << P::DEPTH) - 1, MIDDLE = 1 << (P::DEPTH - 1);

    static __device__ __forceinline__ int sample(const Launch &launch, int plane, int x, int y) {
        const Source from = source(launch, launch.planes[plane], REACH);
        const int v = from.samples ? (int)__ldg(at(from, x, y)) : (int)launch.planes[plane].neutral;
        return min(v, PEAK_IN);
    }

    // At a luma pixel, the edge repeated.
    static __device__ __forceinline__ Three given(const Launch &launch, int x, int y) {
        x = min(x, (int)launch.planes[0].width - 1), y = min(y, (int)launch.planes[0].height - 1);
        const int u = sample(launch, 1, x >> P::ACROSS, y >> P::DOWN), v = sample(launch, 2, x >> P::ACROSS, y >> P::DOWN);
        return {{sample(launch, 0, x, y) - (int)P::BLACK, u - MIDDLE, v - MIDDLE}};
    }
};

// What comes out.
template <class P> struct Coded {
    static constexpr int PEAK_OUT = (1 << P::OUT_DEPTH) - 1, MIDDLE = 1 << (P::OUT_DEPTH - 1);
    static __device__ __forceinline__ int base(int plane) { return plane == 0 ? (int)P::OUT_BLACK : MIDDLE; }
    static __device__ __forceinline__ int made(int plane, int v) { return min(max(base(plane) + (v >> P::PLACES), 0), PEAK_OUT); }
};

// By one matrix.
template <class P> struct Direct {
    static __device__ __forceinline__ Three of(const Launch &launch, int x, int y, bool chroma) {
        if (!chroma) return Pixels<P>::given(launch, x, y);
        // Chroma has no part of luma.
        const int middle = Pixels<P>::MIDDLE;
        return {{0, Pixels<P>::sample(launch, 1, x, y) - middle, Pixels<P>::sample(launch, 2, x, y) - middle}};
    }
    static __device__ __forceinline__ int made(int plane, const Three &c) {
        return Coded<P>::made(plane, weighed(P::WEIGHTS + 3 * plane, c) + (1 << (P::PLACES - 1)));
    }
};

__device__ __forceinline__ int brief(int v) { return min(max(v, -32768), 32767); }

// Coded colours by their linear light.
template <class P> struct Converted {
    static __device__ __forceinline__ u32 entry(const Launch &launch, int v) {
        return __ldg(launch.lookups + P::CURVES + min(max(v + 2048, 0), 32767));
    }

    static __device__ __forceinline__ Three of(const Launch &launch, Three rgb) {
#pragma unroll
        for (int c = 0; c < 3; c++) rgb.v[c] = (short)(entry(launch, rgb.v[c]) & 0xffffu);
        Three mixed = rgb;
        if (P::MIXES) {
#pragma unroll
            for (int c = 0; c < 3; c++) mixed.v[c] = brief((weighed(P::PRIMARIES + 3 * c, rgb) + 8192) >> 14);
        }
#pragma unroll
        for (int c = 0; c < 3; c++) mixed.v[c] = (short)(entry(launch, mixed.v[c]) >> 16);
        return mixed;
    }
};

// Coded colours of HDR as those of SDR.
template <class P> struct Toned {
    // The entry of a positive number in a table of 1024 words for each power of two.
    static __device__ __forceinline__ u32 entry(const Launch &launch, int table, u32 first, float v) {
        const int place = (max(__float_as_int(v), (int)first) - (int)first) >> 13;
        return __ldg(launch.lookups + table + min(place, 32767));
    }
    static __device__ __forceinline__ float weighed(int row, const float *c) {
        const float rg = __fadd_rn(__fmul_rn(__uint_as_float(LITERAL[row]), c[0]), __fmul_rn(__uint_as_float(LITERAL[row + 1]), c[1]));
        return __fadd_rn(rg, __fmul_rn(__uint_as_float(LITERAL[row + 2]), c[2]));
    }
    static __device__ __forceinline__ void multiply(float *c, u32 factor) {
#pragma unroll
        for (int i = 0; i < 3; i++) c[i] = __fmul_rn(c[i], __uint_as_float(factor));
    }

    static __device__ __forceinline__ Three of(const Launch &launch, const Three &rgb) {
        float c[3];
#pragma unroll
        for (int i = 0; i < 3; i++) c[i] = __uint_as_float(__ldg(launch.lookups + P::LIGHT + max(rgb.v[i], 0)));
        if (P::RENDERS) multiply(c, entry(launch, P::SYSTEM, P::SYSTEM_FIRST, weighed(P::WEIGHTS, c)));
        multiply(c, entry(launch, P::GAIN, P::GAIN_FIRST, fmaxf(fmaxf(c[0], c[1]), c[2])));
        Three coded;
#pragma unroll
        for (int i = 0; i < 3; i++) coded.v[i] = (short)entry(launch, P::CODED, P::CODED_FIRST, weighed(P::MATRIX + 3 * i, c));
        return coded;
    }
};

// Through linear light.
template <class P> struct Linear {
    static __device__ __forceinline__ Three colour(const Launch &launch, int x, int y) {
        const Three given = Pixels<P>::given(launch, x, y);
        Three rgb;
#pragma unroll
        for (int c = 0; c < 3; c++) rgb.v[c] = brief((weighed(P::TO_RGB + 3 * c, given) + (1 << (P::DEPTH - 2))) >> (P::DEPTH - 1));
        return P::Light::of(launch, rgb);
    }

    static __device__ __forceinline__ Three of(const Launch &launch, int x, int y, bool chroma) {
        if (!chroma) return colour(launch, x, y);
        Three sum = {{0, 0, 0}};
#pragma unroll
        for (int r = 0; r < 1 << P::DOWN; r++)
#pragma unroll
            for (int k = 0; k < 1 << P::ACROSS; k++) {
                const Three one = colour(launch, (x << P::ACROSS) + k, (y << P::DOWN) + r);
#pragma unroll
                for (int c = 0; c < 3; c++) sum.v[c] += one.v[c];
            }
        constexpr int BITS = P::ACROSS + P::DOWN;
#pragma unroll
        for (int c = 0; c < 3; c++) sum.v[c] = (sum.v[c] + ((1 << BITS) >> 1)) >> BITS;
        return sum;
    }
    static __device__ __forceinline__ int made(int plane, const Three &c) {
        return Coded<P>::made(plane, weighed(P::TO_YUV + 3 * plane, c) + (1 << (P::PLACES - 1)));
    }
};

template <class P> struct Colorspace : OneLaunch {
    typedef typename P::Out Out;
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        const int index = &plane - launch.planes;
        // The first plane of a size makes all of them.
        for (int i = P::SMALLER ? min(index, 1) : 0; i < index; i++)
            if (launch.planes[i].op == plane.op) return;
        const bool chroma = P::SMALLER && index > 0;
        const int end = P::SMALLER && index == 0 ? 1 : 3;
        x += threadIdx.x % 32, y += threadIdx.x / 32;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            for (int k = x; k < x + 128 && k < (int)plane.width; k += 32) {
                const Three colour = P::Path::of(launch, k, y + r, chroma);
#pragma unroll
                for (int i = 0; i < 3; i++) {
                    const Plane &to = launch.planes[i];
                    if (i < index || i >= end || to.op != plane.op) continue;
                    reinterpret_cast<Out *>(to.samples)[(u32)(y + r) * to.stride + k] = (Out)P::Path::made(i, colour);
                }
            }
        }
    }
};
