// Planes joined for hardware encoders: the two chroma planes of 4:2:0 take turns in the rows of one, and each sample is
// shifted up to where they expect its value. The CPU stage has no twin: such planes exist on a GPU alone. The reverse
// of split.cu.
//
//   Y Y Y Y Y Y        NV12, P010:  Y Y Y Y Y Y     a thread makes 4 samples of a row, or 4 pairs of them; a block 128
//   U U U         ->                U V U V U V     of 8 rows; the planes that are made are the third dimension of the
//   V V V                                           grid, and those smaller than the first leave blocks idle
//
// Compiled by NVRTC with -D:
//   PIXEL   u8, u16 or float: the type of a sample

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

constexpr u32 SAMPLES = 4;

struct Plane {
    const PIXEL *first;
    const PIXEL *second;          // null where the first fills the rows alone
    PIXEL *to;
    u32 first_stride, second_stride, to_stride;   // from one row to the next, in samples
    u32 width, height;            // of the first, which are those of the second
    u32 unused;
};

struct Launch {
    Plane planes[3];
    u32 shift;                    // zero bits below a sample's value
    u32 unused;
};
static_assert(sizeof(Plane) == 48 && sizeof(Launch) == 152, "as in crates/cuda/src/join.rs");

// Two samples that are written at once: rows of pairs begin at a multiple of a pair.
struct alignas(2 * sizeof(PIXEL)) Pair {
    PIXEL first, second;
};

__device__ __forceinline__ u8 raised(u8 v, u32) { return v; }
__device__ __forceinline__ u16 raised(u16 v, u32 shift) { return v << shift; }
__device__ __forceinline__ float raised(float v, u32) { return v; }

extern "C" __global__ void join(const __grid_constant__ Launch launch) {
    const Plane &plane = launch.planes[blockIdx.z];
    const u32 y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= plane.height) return;
    const PIXEL *first = plane.first + (size_t)y * plane.first_stride;
    const PIXEL *second = plane.second ? plane.second + (size_t)y * plane.second_stride : nullptr;
    PIXEL *to = plane.to + (size_t)y * plane.to_stride;
    // Neighbours take neighbouring samples, so that a warp reads and writes whole lines.
    const u32 start = blockIdx.x * blockDim.x * SAMPLES + threadIdx.x;
#pragma unroll
    for (u32 i = 0; i < SAMPLES; i++) {
        const u32 x = start + i * blockDim.x;
        if (x >= plane.width) return;
        const PIXEL value = raised(first[x], launch.shift);
        if (second) {
            reinterpret_cast<Pair *>(to)[x] = Pair{value, raised(second[x], launch.shift)};
        } else {
            to[x] = value;
        }
    }
}
