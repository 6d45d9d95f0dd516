// The entry points. One launch makes all planes of a frame: blocks are numbered through the tiles of all planes, and
// each class of planes has its op. CPU twin: crates/cpu/src/mod.rs

// The samples of the centre frame, untouched.
template <class P> struct Copy : OneLaunch {
    static constexpr int HEIGHT = 32;
    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        Source from = source(launch, plane, REACH);
#pragma unroll
        for (int r = 0; r < HEIGHT; r += 8) {
            if (x >= (int)plane.width || y + r >= (int)plane.height) return;
            const PIXEL *row = at(from, 0, y + r);
            PIXEL *to = plane.samples + (u32)(y + r) * plane.stride;
            if (from.wide && x + 4 <= (int)plane.width) {
                if constexpr (sizeof(PIXEL) == 1) *(u32 *)(to + x) = *(const u32 *)(row + x);
                else if constexpr (sizeof(PIXEL) == 2) *(uint2 *)(to + x) = *(const uint2 *)(row + x);
                else *(uint4 *)(to + x) = *(const uint4 *)(row + x);
            } else {
                for (int k = x; k < x + 4 && k < (int)plane.width; k++) to[k] = row[k];
            }
        }
    }
};

OP_0
#if OPS > 1
OP_1
#endif
#if OPS > 2
OP_2
#endif
#if OPS > 3
OP_3
#endif

// The plane that a block works on.
__device__ __forceinline__ const Plane &mine(const Launch &launch) {
    int index = 0;
    for (u32 i = 1; i < launch.count; i++)
        if (blockIdx.x >= launch.planes[i].first) index = i;
    return launch.planes[index];
}

template <class OP, bool BEGIN> __device__ __forceinline__ void tile(const Launch &launch, const Plane &plane) {
    typedef typename OP::Run Run;
    static_assert(Run::HEIGHT == OP::HEIGHT, "the rows of a tile, as planes are cut");
    u32 index = blockIdx.x - plane.first;
    int x = index % plane.columns * OP::WIDTH, y = index / plane.columns * OP::HEIGHT;
    if (BEGIN) Run::begin(launch, plane, x, y);
    else Run::run(launch, plane, x, y);
}

template <bool BEGIN> __device__ __forceinline__ void dispatch(const Launch &launch) {
    if (launch.word && !blockIdx.x && !threadIdx.x) *(volatile u64 *)launch.word = launch.number;
    const Plane &plane = mine(launch);
#if OPS > 1
    if (plane.op == 1) return tile<Op1, BEGIN>(launch, plane);
#endif
#if OPS > 2
    if (plane.op == 2) return tile<Op2, BEGIN>(launch, plane);
#endif
#if OPS > 3
    if (plane.op == 3) return tile<Op3, BEGIN>(launch, plane);
#endif
    tile<Op0, BEGIN>(launch, plane);
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) pass(const __grid_constant__ Launch launch) { dispatch<false>(launch); }

#ifdef LONG
// What long separable kernels do before.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) pass_begin(const __grid_constant__ Launch launch) { dispatch<true>(launch); }
#endif
