// Colours mapped to colours: all planes of a size together. The arithmetic is that of crates/filter/src/pass/grade.
// CPU twin: crates/cpu/src/grade
//
//   a thread makes 4 samples of 4 rows, of all planes of the size at once; blocks of the others have nothing to do. The points of
//   a lattice and the pieces of curves, 16 bytes each, lie in global memory: those that the colours of a picture meet stay in the caches.
//
// Parameters
//   Map                what becomes of a colour
//   MIXES, WET, DRY    whether what goes in has a share, the bits of both
//   COLOURS            planes of colour
//   ACROSS, DOWN       by how many powers of two chroma is smaller
//   Planes             how samples become colours, and colours samples

struct Rgb {
    float r, g, b;
};

__device__ __forceinline__ float bits_of(u32 bits) { return __uint_as_float(bits); }

// A sample as a number, without those that are infinite or none.
template <class T> __device__ __forceinline__ float finite_number(T v) { return (float)v; }
template <> __device__ __forceinline__ float finite_number(float v) { return isfinite(v) ? v : 0.0f; }

// A number as a sample, the sum with half cut off.
template <class T> struct Shade {
    static __device__ __forceinline__ T of(float v, float half) { return (T)__float2uint_rz(fminf(fmaxf(__fadd_rn(v, half), 0.0f), PEAK)); }
};
template <> struct Shade<float> {
    static __device__ __forceinline__ float of(float v, float) { return isnan(v) ? __uint_as_float(0x7fc00000u) : v; }
};

// Where on a plane a number is read.
__device__ __forceinline__ float number_at(const Launch &launch, int plane, int x, int y) {
    const Source from = source(launch, launch.planes[plane], REACH);
    return finite_number<PIXEL>(from.samples ? __ldg(at(from, x, y)) : (PIXEL)launch.planes[plane].neutral);
}

// Planes of green, blue and red. Parameter: UNIT, the bits of 1 over the peak.
template <class P> struct Primaries {
    static __device__ __forceinline__ Rgb given(const Launch &launch, int, int x, int y) {
        const float unit = bits_of(P::UNIT);
        return {__fmul_rn(number_at(launch, 2, x, y), unit), __fmul_rn(number_at(launch, 0, x, y), unit), __fmul_rn(number_at(launch, 1, x, y), unit)};
    }
    static __device__ __forceinline__ PIXEL made(int plane, const Rgb &c) {
        const float v = plane == 0 ? c.g : plane == 1 ? c.b : c.r;
        return Shade<PIXEL>::of(sizeof(PIXEL) == 4 ? v : __fmul_rn(v, PEAK), 0.0f);
    }
};

// A sample of chroma, and the part of the way to the next one, of a luma pixel along an axis.
template <int POWER, int SITING> struct Spaced {
    int first;
    float part;
    __device__ __forceinline__ Spaced(int place) {
        const int twice = 2 * place - SITING;
        first = twice >> (POWER + 1);
        part = (float)(twice & ((2 << POWER) - 1)) * (1.0f / (2 << POWER));
    }
    static __device__ __forceinline__ float mix(float a, float b, float part) {
        return part == 0.0f ? a : __fadd_rn(__fmul_rn(a, __fsub_rn(1.0f, part)), __fmul_rn(b, part));
    }
};

// Luma and chroma. Parameters: COLOURS, ACROSS, DOWN; SITING_X, SITING_Y, halves of pixels; the bits of the numbers of the matrix.
template <class P> struct Differences {
    static constexpr bool SMALLER = P::ACROSS || P::DOWN;
    static __device__ __forceinline__ int within(int v, int n) { return min(max(v, 0), n - 1); }

    static __device__ __forceinline__ float chroma(const Launch &launch, int plane, int x, int y) {
        if (P::COLOURS == 1) return bits_of(P::MIDDLE);
        const int wide = launch.planes[plane].width, high = launch.planes[plane].height;
        const Spaced<P::ACROSS, P::SITING_X> across(x);
        const Spaced<P::DOWN, P::SITING_Y> down(y);
        const int left = within(across.first, wide), right = within(across.first + 1, wide);
        const int above = within(down.first, high), below = within(down.first + 1, high);
        auto column = [&](int x) { return down.mix(number_at(launch, plane, x, above), number_at(launch, plane, x, below), down.part); };
        return across.mix(column(left), column(right), across.part);
    }

    static __device__ __forceinline__ float luma(const Launch &launch, int x, int y) {
        const int wide = launch.planes[0].width, high = launch.planes[0].height;
        const int left = within((x << P::ACROSS) + P::SITING_X / 2, wide), right = within((x << P::ACROSS) + (P::SITING_X + 1) / 2, wide);
        const int above = within((y << P::DOWN) + P::SITING_Y / 2, high), below = within((y << P::DOWN) + (P::SITING_Y + 1) / 2, high);
        auto row = [&](int y) { return __fadd_rn(number_at(launch, 0, left, y), number_at(launch, 0, right, y)); };
        return __fmul_rn(__fadd_rn(row(above), row(below)), 0.25f);
    }

    static __device__ __forceinline__ Rgb given(const Launch &launch, int plane, int x, int y) {
        const bool beside = SMALLER && plane == 0, on_chroma = SMALLER && plane > 0;
        const float l = on_chroma ? luma(launch, x, y) : number_at(launch, 0, x, y);
        float b, r;
        if (beside || P::COLOURS == 1) b = chroma(launch, 1, x, y), r = chroma(launch, 2, x, y);
        else b = number_at(launch, 1, x, y), r = number_at(launch, 2, x, y);
        const float luma = __fmul_rn(__fsub_rn(l, bits_of(P::BLACK)), bits_of(P::LUMA));
        const float u = __fmul_rn(__fsub_rn(b, bits_of(P::MIDDLE)), bits_of(P::CHROMA)), v = __fmul_rn(__fsub_rn(r, bits_of(P::MIDDLE)), bits_of(P::CHROMA));
        return {__fadd_rn(luma, __fmul_rn(v, bits_of(P::RED))),
                __fsub_rn(__fsub_rn(luma, __fmul_rn(u, bits_of(P::GREEN_U))), __fmul_rn(v, bits_of(P::GREEN_V))),
                __fadd_rn(luma, __fmul_rn(u, bits_of(P::BLUE)))};
    }

    static __device__ __forceinline__ PIXEL made(int plane, const Rgb &c) {
        const float luma = __fadd_rn(__fadd_rn(__fmul_rn(c.r, bits_of(P::WEIGHT_R)), __fmul_rn(c.g, bits_of(P::WEIGHT_G))), __fmul_rn(c.b, bits_of(P::WEIGHT_B)));
        if (plane == 0) return Shade<PIXEL>::of(__fadd_rn(__fmul_rn(luma, bits_of(P::SPAN)), bits_of(P::BLACK)), 0.5f);
        const float part = __fmul_rn(__fsub_rn(plane == 1 ? c.b : c.r, luma), bits_of(plane == 1 ? P::BACK_U : P::BACK_V));
        return Shade<PIXEL>::of(__fadd_rn(__fmul_rn(part, bits_of(P::CHROMA_SPAN)), bits_of(P::MIDDLE)), 0.5f);
    }
};

// Where colours lie among the points or pieces of an axis, from 0 to the last.
template <int SIZE> __device__ __forceinline__ float along(float c, u32 low, u32 scale) {
    return fminf(fmaxf(__fmul_rn(__fsub_rn(c, bits_of(low)), bits_of(scale)), 0.0f), (float)(SIZE - 1));
}

// A lattice. Parameters: SIZE, points a side; POINTS, where they are in the table of lookups: behind the last are points of nothing;
// MODE, 0 tetrahedral, 1 trilinear, 2 nearest; LOW_R …, SCALE_R …, the bits of the first colour, and of points to a step of 1.
template <class P> struct LatticePoints {
    static constexpr int SIZE = P::SIZE;
    static constexpr int STEP_G = SIZE, STEP_B = SIZE * SIZE, ALL = 1 + STEP_G + STEP_B;

    static __device__ __forceinline__ Rgb mixed(const float4 &a, const Rgb &b, float part) {
        auto one = [&](float a, float b) { return __fadd_rn(a, __fmul_rn(__fsub_rn(b, a), part)); };
        return {one(a.x, b.r), one(a.y, b.g), one(a.z, b.b)};
    }
    static __device__ __forceinline__ Rgb rgb(const float4 &v) { return {v.x, v.y, v.z}; }
    static __device__ __forceinline__ float4 four(const Rgb &v) { return make_float4(v.r, v.g, v.b, 0.0f); }

    static __device__ __forceinline__ Rgb found(const Launch &launch, const Rgb &c) {
        const float4 *points = reinterpret_cast<const float4 *>(launch.lookups + P::POINTS);
        const float sr = along<SIZE>(c.r, P::LOW_R, P::SCALE_R), sg = along<SIZE>(c.g, P::LOW_G, P::SCALE_G), sb = along<SIZE>(c.b, P::LOW_B, P::SCALE_B);
        if (P::MODE == 2) {
            auto near = [](float s) { return __float2int_rz(__fadd_rn(s, 0.5f)); };
            return rgb(__ldg(points + near(sr) + near(sg) * STEP_G + near(sb) * STEP_B));
        }
        const int pr = __float2int_rz(sr), pg = __float2int_rz(sg), pb = __float2int_rz(sb);
        const float r = __fsub_rn(sr, (float)pr), g = __fsub_rn(sg, (float)pg), b = __fsub_rn(sb, (float)pb);
        const float4 *cell = points + pr + pg * STEP_G + pb * STEP_B;
        if (P::MODE == 1) {
            auto pair = [&](int at) { return mixed(__ldg(cell + at), rgb(__ldg(cell + at + 1)), r); };
            auto side = [&](int at) { return mixed(four(pair(at)), pair(at + STEP_G), g); };
            return mixed(four(side(0)), side(STEP_B), b);
        }
        const int first = r > g ? (r > b ? 1 : STEP_B) : (b > g ? STEP_B : STEP_G);
        const int last = r > g ? (g > b ? STEP_B : STEP_G) : (b > r ? 1 : STEP_B);
        const float low = fminf(r, g), high = fmaxf(r, g);
        const float largest = fmaxf(high, b), smallest = fminf(low, b), middle = fmaxf(low, fminf(high, b));
        const float4 v0 = __ldg(cell), v1 = __ldg(cell + first), v2 = __ldg(cell + ALL - last), v3 = __ldg(cell + ALL);
        const float w0 = __fsub_rn(1.0f, largest), w1 = __fsub_rn(largest, middle), w2 = __fsub_rn(middle, smallest), w3 = smallest;
        auto sum = [&](float a, float b, float c, float d) {
            return __fadd_rn(__fadd_rn(__fadd_rn(__fmul_rn(w0, a), __fmul_rn(w1, b)), __fmul_rn(w2, c)), __fmul_rn(w3, d));
        };
        return {sum(v0.x, v1.x, v2.x, v3.x), sum(v0.y, v1.y, v2.y, v3.y), sum(v0.z, v1.z, v2.z, v3.z)};
    }
};

// A curve for each colour. Parameters: SIZE, pieces of each; PIECES, where those of red begin in the table of lookups, then those of
// green, then those of blue; LOW_R …, SCALE_R …, the bits of where they begin, and of pieces to a step of 1; AHEAD, the bits of the part of a
// piece by which places are looked up ahead.
template <class P> struct Curves {
    static __device__ __forceinline__ float piece(const Launch &launch, int axis, float place) {
        const float4 *pieces = reinterpret_cast<const float4 *>(launch.lookups + P::PIECES) + axis * P::SIZE;
        const int whole = __float2int_rz(__fadd_rn(place, bits_of(P::AHEAD)));
        const float part = __fsub_rn(place, (float)whole);
        const float4 c = __ldg(pieces + whole);
        return __fadd_rn(__fmul_rn(__fadd_rn(__fmul_rn(__fadd_rn(__fmul_rn(c.w, part), c.z), part), c.y), part), c.x);
    }

    static __device__ __forceinline__ Rgb found(const Launch &launch, const Rgb &c) {
        return {piece(launch, 0, along<P::SIZE>(c.r, P::LOW_R, P::SCALE_R)), piece(launch, 1, along<P::SIZE>(c.g, P::LOW_G, P::SCALE_G)),
                piece(launch, 2, along<P::SIZE>(c.b, P::LOW_B, P::SCALE_B))};
    }
};

// More or less saturation. Parameters, the bits of numbers of red, green and blue: INTENSITY_R …, TURN_R …, WEIGHT_R ….
template <class P> struct Vibrance {
    static __device__ __forceinline__ Rgb found(const Launch &, const Rgb &given) {
        const Rgb c = {finite_number(given.r), finite_number(given.g), finite_number(given.b)};
        const float saturation = __fsub_rn(fmaxf(fmaxf(c.r, c.g), c.b), fminf(fminf(c.r, c.g), c.b));
        const float luma = __fadd_rn(__fadd_rn(__fmul_rn(c.g, bits_of(P::WEIGHT_G)), __fmul_rn(c.r, bits_of(P::WEIGHT_R))), __fmul_rn(c.b, bits_of(P::WEIGHT_B)));
        auto one = [&](float v, u32 intensity, u32 turn) {
            const float rest = __fsub_rn(1.0f, __fmul_rn(bits_of(turn), saturation));
            return __fadd_rn(luma, __fmul_rn(__fsub_rn(v, luma), __fadd_rn(1.0f, __fmul_rn(bits_of(intensity), rest))));
        };
        return {one(c.r, P::INTENSITY_R, P::TURN_R), one(c.g, P::INTENSITY_G, P::TURN_G), one(c.b, P::INTENSITY_B, P::TURN_B)};
    }
};

template <class P> struct Grade : OneLaunch {
    static constexpr int HEIGHT = 32;

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        constexpr bool SMALLER = P::ACROSS || P::DOWN;
        const int index = &plane - launch.planes;
        // The first plane of a size makes all of them.
        for (int i = SMALLER ? min(index, 1) : 0; i < index; i++)
            if (launch.planes[i].op == plane.op) return;
        const int end = SMALLER && index == 0 ? 1 : P::COLOURS;
        x += threadIdx.x % 32, y += threadIdx.x / 32;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) {
            for (int k = x; k < x + 128 && k < (int)plane.width; k += 32) {
                const Rgb given = P::Planes::given(launch, index, k, y + r);
                Rgb made = P::Map::found(launch, given);
                if (P::MIXES) {
                    auto mix = [](float a, float b) { return __fadd_rn(__fmul_rn(a, bits_of(P::DRY)), __fmul_rn(b, bits_of(P::WET))); };
                    made = {mix(given.r, made.r), mix(given.g, made.g), mix(given.b, made.b)};
                }
                for (int i = index; i < end; i++) {
                    const Plane &to = launch.planes[i];
                    if (to.op == plane.op) to.samples[(u32)(y + r) * to.stride + k] = P::Planes::made(i, made);
                }
            }
        }
    }
};
