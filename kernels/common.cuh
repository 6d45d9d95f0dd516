// What every kernel shares: the launch's arguments, reading samples beyond a plane's edge, the engines that form
// sums, and the last step. The arithmetic is the one that crates/filter/src/pass defines; CPU twin: crates/cpu/src.
//
// Compiled by NVRTC with -D:
//   PIXEL           u8, u16 or float: the type of a sample
//   PEAK            largest sample, as a float; ignored for float samples
//   REACH           frames before the centre in a window
//   OP_0 … OP_3     the op of each class of planes: a struct Op0 … Op3 of parameters, by their names, for a template of
//                   one of the other files, which its Run is
//   OPS             how many of them there are
//   FAR             if there are more sources than fit into the arguments
//   LITERALS        taps that are written into the instructions, as comma-separated 32-bit words
//   TABLE_WORDS     taps in constant memory, in words; 0 if there are none or they do not fit
//   SHARED_BYTES    shared memory that a block is started with
//
// Taps travel as 32-bit words: the bits of a float, an int, or four bytes or two bytes packed for a dot product.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr int THREADS = 256;   // a block: 32 quads of samples wide, 8 threads high
constexpr int TILE_W = 128;    // samples of output in a row of most tiles: 32 threads, 4 samples each
constexpr int INLINE = 96;     // sources that fit into the arguments

// One plane of one frame of the window.
struct Source {
    const PIXEL *samples;   // null: a frame of neutral samples
    u32 stride;             // in samples
    u32 wide;               // 1 if every row starts at a multiple of 16 bytes
};

// One plane to be made.
struct Plane {
    PIXEL *samples;         // rows start at multiples of 64 bytes
    uint4 *between;         // unrounded rows between the two launches of a long separable kernel, else null
    u32 stride, width, height;
    u32 op;                 // which class
    u32 first, columns;     // first tile of this plane, tiles in a row of tiles
    float neutral, bias;    // a sample of a frame that is not there; what is added in the end
    u32 source;             // index of its first source; one for each frame of the window follows
    u32 fields;             // the field that is rebuilt (field.cuh has its bits), or the key of grain
    long long course[6];    // where a stabilized plane is met, x and y: the first sample, to the right, down, in 1/65536; or
                            // column and row where a picture begins that moves
};

struct Launch {
    Plane planes[4];
    u32 count;
    float factor;           // what Gain multiplies by
    u64 *word, number;      // what the launch writes when it begins, and where unless null
    const Source *sources;  // if FAR, else they are in `here`
    const u32 *taps;        // taps that fit neither the instructions nor constant memory
    const u32 *lookups;     // words that threads read at places of their own: tables of samples, weights
    Source here[INLINE];
};
static_assert(sizeof(Launch) == 2000, "as Arguments in crates/cuda/src/launch.rs");

extern __shared__ uint4 shared[];

#if TABLE_WORDS > 0
__constant__ __align__(16) u32 TABLE[TABLE_WORDS];
#endif
constexpr u32 LITERAL[] = {LITERALS};

// Types, one after another.
template <class... T> struct List {};

// What an op does in a launch before the last: nothing, where it does not say.
struct OneLaunch {
    static __device__ __forceinline__ void begin(const Launch &, const Plane &, int, int) {}
};

// Taps from the instructions: only with indices that unrolling makes constant.
struct Literal {
    static constexpr bool UNROLLED = true, KNOWN = true;
    static __device__ __forceinline__ u32 tap(const Launch &, int i) { return LITERAL[i]; }
};

// Taps from constant memory, or from global memory when there are too many.
struct Table {
    static constexpr bool UNROLLED = false, KNOWN = false;
#if TABLE_WORDS > 0
    static __device__ __forceinline__ u32 tap(const Launch &, int i) { return TABLE[i]; }
    static __device__ __forceinline__ uint4 four(const Launch &, int i) {
        return *reinterpret_cast<const uint4 *>(TABLE + i);
    }
#else
    static __device__ __forceinline__ u32 tap(const Launch &launch, int i) { return __ldg(launch.taps + i); }
    static __device__ __forceinline__ uint4 four(const Launch &launch, int i) {
        return __ldg(reinterpret_cast<const uint4 *>(launch.taps + i));
    }
#endif
};

// The same for sums that are written out, where an instruction each is loaded for a tap and used for many sums.
struct Written : Table {
    static constexpr bool UNROLLED = true;
};

// By value and not by reference, so that each of the two memories is read with its own instruction.
__device__ __forceinline__ Source source(const Launch &launch, const Plane &plane, int frame) {
    u32 index = plane.source + frame;
#ifdef FAR
    return launch.sources[index];
#else
    return launch.here[index];
#endif
}

// Where a sample inside a plane lies. A plane has below 2^32 samples.
__device__ __forceinline__ const PIXEL *at(const Source &from, u32 x, u32 y) { return from.samples + (y * from.stride + x); }

// Borders: index() gives the place that stands for any place outside, and is only asked for those.
template <u32 BITS> struct Constant {
    static constexpr bool CONSTANT = true;
    static __device__ __forceinline__ float value() { return __uint_as_float(BITS); }
    static __device__ __forceinline__ int index(int, int) { return -1; }
};
struct Mapped {
    static constexpr bool CONSTANT = false;
    static __device__ __forceinline__ float value() { return 0.0f; }
};
__device__ __forceinline__ int remainder(int i, int n) {
    i %= n;
    return i < 0 ? i + n : i;
}
struct Reflect101 : Mapped {
    static __device__ __forceinline__ int index(int i, int n) {
        if (n == 1) return 0;
        i = remainder(i, 2 * n - 2);
        return i < n ? i : 2 * n - 2 - i;
    }
};
struct Reflect : Mapped {
    static __device__ __forceinline__ int index(int i, int n) {
        i = remainder(i, 2 * n);
        return i < n ? i : 2 * n - 1 - i;
    }
};
struct Lopsided : Mapped {
    static __device__ __forceinline__ int index(int i, int n) {
        i = remainder(i, 2 * n - 1);
        return i < n ? i : 2 * n - 1 - i;
    }
};
struct Clamp : Mapped {
    static __device__ __forceinline__ int index(int i, int n) { return i < 0 ? 0 : n - 1; }
};
struct Wrap : Mapped {
    static __device__ __forceinline__ int index(int i, int n) { return remainder(i, n); }
};

// N samples of a row from any place, as cells of type C; the fast way is one load of 4 samples.
template <class C> struct Quad { C v[4]; };

// The place along an axis that stands for any place; negative where a constant does.
template <class B> __device__ __forceinline__ int resolved(int i, int n) { return (u32)i < (u32)n ? i : B::index(i, n); }

// The sample at a place that resolved() gave.
template <class C, class B>
__device__ __forceinline__ C fetched(const Source &from, const Plane &plane, int x, int y) {
    if (B::CONSTANT && (x < 0 | y < 0)) return (C)B::value();
    if (!from.samples) return (C)plane.neutral;
    return (C)__ldg(at(from, x, y));
}

// The sample at any place.
template <class C, class B>
__device__ __forceinline__ C one(const Source &from, const Plane &plane, int x, int y) {
    return fetched<C, B>(from, plane, resolved<B>(x, plane.width), resolved<B>(y, plane.height));
}

// Four samples of a plane in one load; x is a multiple of 4. An integer of up to 16 bits becomes a float by way of the
// low bits of 2^23, which is then taken away.
template <class C, class P> __device__ __forceinline__ Quad<C> wide(const P *p);
template <> __device__ __forceinline__ Quad<int> wide(const u8 *p) {
    u32 w = __ldg(reinterpret_cast<const u32 *>(p));
    return {(int)(w & 255), (int)__byte_perm(w, 0, 0x4441), (int)__byte_perm(w, 0, 0x4442), (int)(w >> 24)};
}
template <> __device__ __forceinline__ Quad<int> wide(const u16 *p) {
    uint2 w = __ldg(reinterpret_cast<const uint2 *>(p));
    return {(int)(w.x & 65535), (int)(w.x >> 16), (int)(w.y & 65535), (int)(w.y >> 16)};
}
__device__ __forceinline__ float placed(u32 word, u32 bytes) {
    return __uint_as_float(__byte_perm(word, 0x4b000000u, bytes)) - 8388608.0f;
}
template <> __device__ __forceinline__ Quad<float> wide(const u8 *p) {
    u32 w = __ldg(reinterpret_cast<const u32 *>(p));
    return {placed(w, 0x7440), placed(w, 0x7441), placed(w, 0x7442), placed(w, 0x7443)};
}
template <> __device__ __forceinline__ Quad<float> wide(const u16 *p) {
    uint2 w = __ldg(reinterpret_cast<const uint2 *>(p));
    return {placed(w.x, 0x7410), placed(w.x, 0x7432), placed(w.y, 0x7410), placed(w.y, 0x7432)};
}
template <> __device__ __forceinline__ Quad<float> wide(const float *p) {
    float4 w = __ldg(reinterpret_cast<const float4 *>(p));
    return {w.x, w.y, w.z, w.w};
}

// Four neighbouring samples from any place; x is a multiple of 4.
template <class C, class B>
__device__ __forceinline__ Quad<C> quad(const Source &from, const Plane &plane, int x, int y) {
    if (from.wide && x >= 0 && x + 4 <= (int)plane.width) {
        int row = resolved<B>(y, plane.height);
        if (!B::CONSTANT || row >= 0) return wide<C>(at(from, x, row));
    }
    Quad<C> q;
    for (int k = 0; k < 4; k++) q.v[k] = one<C, B>(from, plane, x + k, y);
    return q;
}

__device__ __forceinline__ u32 word(float v) { return __float_as_uint(v); }
__device__ __forceinline__ u32 word(int v) { return v; }
template <class C> __device__ __forceinline__ uint4 bits(const Quad<C> &q) {
    return make_uint4(word(q.v[0]), word(q.v[1]), word(q.v[2]), word(q.v[3]));
}

// Engines: how products are formed and summed. A tile in shared memory holds words of LANES samples; SMALL says that
// |sum| stays below 2^22. Float also serves integer taps whose sums stay below 2^24, where it is exact in any order.
struct Float {
    typedef float Sum;
    typedef float Cell;
    typedef u32 Slot;                // a sample in a tile
    static constexpr int LANES = 1;
    static constexpr int STEP = 4;   // samples in 16 bytes of a tile
    static __device__ __forceinline__ float mac(float sum, u32 word, u32 tap) {
        return __fmaf_rn(__uint_as_float(word), __uint_as_float(tap), sum);
    }
    static __device__ __forceinline__ float value(float sum) { return sum; }
    static __device__ __forceinline__ uint4 inside(const PIXEL *samples) { return bits(wide<float>(samples)); }
    static __device__ __forceinline__ u32 slot(float v) { return word(v); }
};
template <bool SMALL> struct Whole {
    typedef int Sum;
    static __device__ __forceinline__ float value(int sum) {
        if (SMALL) return __uint_as_float(0x4b400000u + sum) - 12582912.0f;
        return __int2float_rn(sum);
    }
};
template <bool SMALL> struct Int : Whole<SMALL> {
    typedef int Cell;
    typedef u32 Slot;
    static constexpr int LANES = 1;
    static constexpr int STEP = 4;
    static __device__ __forceinline__ int mac(int sum, u32 word, u32 tap) { return sum + (int)word * (int)tap; }
    static __device__ __forceinline__ uint4 inside(const PIXEL *samples) { return bits(wide<int>(samples)); }
    static __device__ __forceinline__ u32 slot(int v) { return word(v); }
};
// Four u8 samples with four i8 taps in one instruction.
template <bool SMALL> struct Dot4 : Whole<SMALL> {
    typedef int Cell;
    typedef u8 Slot;
    static constexpr int LANES = 4;
    static constexpr int STEP = 16;
    static __device__ __forceinline__ int mac(int sum, u32 word, u32 tap) {
        int next;
        asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(next) : "r"(word), "r"(tap), "r"(sum));
        return next;
    }
    static __device__ __forceinline__ uint4 inside(const PIXEL *samples) { return __ldg(reinterpret_cast<const uint4 *>(samples)); }
    static __device__ __forceinline__ u8 slot(int v) { return v; }
};
// Two u16 samples with two i8 taps in one instruction.
template <bool SMALL> struct Dot2 : Whole<SMALL> {
    typedef int Cell;
    typedef u16 Slot;
    static constexpr int LANES = 2;
    static constexpr int STEP = 8;
    static __device__ __forceinline__ int mac(int sum, u32 word, u32 tap) {
        int next;
        asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(next) : "r"(word), "r"(tap), "r"(sum));
        return next;
    }
    static __device__ __forceinline__ uint4 inside(const PIXEL *samples) { return __ldg(reinterpret_cast<const uint4 *>(samples)); }
    static __device__ __forceinline__ u16 slot(int v) { return v; }
};

// One word of a tile each for four sums, and the tap that they all meet.
template <class E> __device__ __forceinline__ void add(typename E::Sum (&sum)[4], const uint4 &word, u32 tap) {
    sum[0] = E::mac(sum[0], word.x, tap);
    sum[1] = E::mac(sum[1], word.y, tap);
    sum[2] = E::mac(sum[2], word.z, tap);
    sum[3] = E::mac(sum[3], word.w, tap);
}

// The part of a tile that one thread reads at once: the words of 4 samples.
template <int LANES> struct Words;
template <> struct Words<1> {
    static __device__ __forceinline__ void read(const uint4 *row, int quad, u32 *to) {
        uint4 q = row[quad];
        to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
    }
};
template <> struct Words<2> {
    static __device__ __forceinline__ void read(const uint4 *row, int quad, u32 *to) {
        uint2 q = reinterpret_cast<const uint2 *>(row)[quad];
        to[0] = q.x, to[1] = q.y;
    }
};
template <> struct Words<4> {
    static __device__ __forceinline__ void read(const uint4 *row, int quad, u32 *to) {
        to[0] = reinterpret_cast<const u32 *>(row)[quad];
    }
};

// What becomes of finished samples: nothing. pointwise.cu has what else there is.
struct Nothing {
    static __device__ __forceinline__ u32 of(const Launch &, u32 word) { return word; }
    static __device__ __forceinline__ float of(const Launch &, float v) { return v; }
};
template <class A> constexpr bool MAPS = true;
template <> constexpr bool MAPS<Nothing> = false;

// The lowest bytes of four words in one.
__device__ __forceinline__ u32 low_bytes(const u32 (&words)[4]) {
    return __byte_perm(__byte_perm(words[0], words[1], 0x0040), __byte_perm(words[2], words[3], 0x0040), 0x5410);
}

// Four neighbouring samples inside a plane; what lies beyond its width is 0.
template <class C> __device__ __forceinline__ Quad<C> near(const Source &from, const Plane &plane, int x, int y) {
    const PIXEL *row = at(from, x, y);
    if (from.wide && x + 4 <= (int)plane.width) return wide<C>(row);
    Quad<C> q;
    for (int k = 0; k < 4; k++) q.v[k] = x + k < (int)plane.width ? (C)row[k] : (C)0;
    return q;
}

// The same of the centre frame.
template <class C> __device__ __forceinline__ Quad<C> centred(const Launch &launch, const Plane &plane, int x, int y) {
    return near<C>(source(launch, plane, REACH), plane, x, y);
}

// The last step, with the parameters
//   SCALE, DRY   the bits of its factors
//   ADDS         whether there is a bias
//   LOW, HIGH    whether a value can lie below 0 or above PEAK at all
//   After        maps the finished sample, which stands in the low bits of a word
// Clamping before rounding down gives the same as after, and rounding down is then an addition.
template <class P> struct Finish {
    typedef typename P::After After;
    static constexpr u32 SCALE = P::SCALE, DRY = P::DRY;
    static constexpr bool ADDS = P::ADDS, LOW = P::LOW, HIGH = P::HIGH;
    static constexpr bool NEEDS_CENTRE = (DRY & 0x7fffffffu) != 0;
    static __device__ __forceinline__ float value(float sum, float centre, float bias) {
        float v = SCALE == 0x3f800000u ? sum : __fmul_rn(sum, __uint_as_float(SCALE));
        if (NEEDS_CENTRE) v = __fadd_rn(v, __fmul_rn(centre, __uint_as_float(DRY)));
        // Adding 0 turns −0 into +0, which only floats can tell apart.
        return ADDS || sizeof(PIXEL) == 4 ? __fadd_rn(v, bias) : v;
    }
    static __device__ __forceinline__ u32 whole(const Launch &launch, float v) {
        v = __fadd_rn(v, 0.5f);
        if (LOW) v = fmaxf(v, 0.0f);
        if (HIGH) v = fminf(v, PEAK);
        return After::of(launch, __float_as_uint(__fadd_rd(v, 8388608.0f)));
    }
    static __device__ __forceinline__ void put(const Launch &launch, u8 *to, const float *v) {
        *reinterpret_cast<u32 *>(to) = low_bytes({whole(launch, v[0]), whole(launch, v[1]), whole(launch, v[2]), whole(launch, v[3])});
    }
    static __device__ __forceinline__ void put(const Launch &launch, u16 *to, const float *v) {
        u32 low = __byte_perm(whole(launch, v[0]), whole(launch, v[1]), 0x5410);
        u32 high = __byte_perm(whole(launch, v[2]), whole(launch, v[3]), 0x5410);
        *reinterpret_cast<uint2 *>(to) = make_uint2(low, high);
    }
    // There are many NaNs, and processors differ in which they give: one stands for all.
    static __device__ __forceinline__ float plain(const Launch &launch, float v) {
        v = After::of(launch, v);
        return isnan(v) ? __uint_as_float(0x7fc00000u) : v;
    }
    static __device__ __forceinline__ void put(const Launch &launch, float *to, const float *v) {
        *reinterpret_cast<float4 *>(to) = make_float4(plain(launch, v[0]), plain(launch, v[1]), plain(launch, v[2]), plain(launch, v[3]));
    }
    // Writes four samples; x is a multiple of 4, and what lies beyond the width goes into the row's padding.
    static __device__ __forceinline__ void store(const Launch &launch, const Plane &plane, int x, int y, const float (&sum)[4]) {
        if (x >= (int)plane.width || y >= (int)plane.height) return;
        float v[4];
        Quad<float> centre = {};
        if (NEEDS_CENTRE) centre = centred<float>(launch, plane, x, y);
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = value(sum[k], centre.v[k], plane.bias);
        put(launch, plane.samples + ((u32)y * plane.stride + x), v);
    }
};

// The last step of samples that are what they will be, rounded but for that.
struct Plain {
    typedef Nothing After;
    static constexpr u32 SCALE = 0x3f800000u, DRY = 0;
    static constexpr bool ADDS = false, LOW = false, HIGH = false;
};
