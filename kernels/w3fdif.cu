// Rows of fields from weights of three fields. CPU twin: crates/cpu/src/w3fdif.rs
//
// Parameters: COMPLEX, and the weights W0 to W4.

// Low and high frequencies as one number. Of 16 bits the sums need 34 bits.
__device__ __forceinline__ int joined(int low, int high) { return (low + high) >> 15; }
__device__ __forceinline__ int joined(long long low, long long high) { return (int)((low + high) >> 15); }
__device__ __forceinline__ float joined(float low, float high) { return (low + high) * (1.0f / 32768.0f); }

template <class P> struct W3fdif : Rows<W3fdif<P>> {
    // Wide enough for a product of a sum of four samples.
    struct Wide { typedef long long Type; };
    struct Narrow { typedef Number Type; };
    template <bool WIDE, class A, class B> struct Either { typedef A Type; };
    template <class A, class B> struct Either<false, A, B> { typedef B Type; };
    typedef typename Either<sizeof(PIXEL) == 2, Wide, Narrow>::Type::Type Sum;

    // A row outside stands for the nearest inside that is an even number of rows away, in a plane of one row that row.
    static __device__ __forceinline__ int row(int y, int h) {
        y = y < 0 ? y & 1 : y < h ? y : y - 2 * ((y - h + 2) / 2);
        return min(max(y, 0), h - 1);
    }

    static __device__ __forceinline__ void make(const Launch &launch, const Plane &plane, int x, int y, Number (&v)[4]) {
        const int h = plane.height;
        auto own = [&](int k) { return four(launch, plane, REACH, x, row(y + k, h)); };
        auto both = [&](int k) { return own(k) + four(launch, plane, REACH - 1, x, row(y + k, h)); };
        Quad<Number> near = own(-1) + own(1), here = both(0), two = both(-2) + both(2), three = {}, far = {};
        if (P::COMPLEX) three = own(-3) + own(3), far = both(-4) + both(4);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            Sum low = (Sum)near.v[k] * (Sum)P::W0, high = (Sum)here.v[k] * (Sum)P::W2 + (Sum)two.v[k] * (Sum)P::W3;
            if (P::COMPLEX) low += (Sum)three.v[k] * (Sum)P::W1, high += (Sum)far.v[k] * (Sum)P::W4;
            v[k] = joined(low, high);
        }
    }
};
