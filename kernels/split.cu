// Planes that share their rows, set apart, each sample shifted down to its value. The CPU stage has no twin: such planes
// exist on a GPU alone, where hardware decoders leave them.
//
//   NV12, P010:  Y Y Y Y Y Y        a thread takes 4 samples of a row of one plane, a block 128 samples of 8 rows
//                U V U V U V   ->   the planes of a frame are the third dimension of the grid; those that are smaller
//                                   than the first leave blocks idle
//
// Compiled by NVRTC with -D:
//   PIXEL   u8, u16 or float: the type of a sample

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

constexpr u32 SAMPLES = 4;

struct Plane {
    const PIXEL *from;
    PIXEL *to;
    u32 from_stride, to_stride;   // from one row to the next, in samples
    u32 step;                     // from one sample to the next, in samples
    u32 width, height;
    u32 unused;
};

struct Launch {
    Plane planes[4];
    u32 shift;                    // zero bits below a sample's value
    u32 unused;
};
static_assert(sizeof(Plane) == 40 && sizeof(Launch) == 168, "as in crates/cuda/src/split.rs");

__device__ __forceinline__ u8 value(u8 v, u32) { return v; }
__device__ __forceinline__ u16 value(u16 v, u32 shift) { return v >> shift; }
__device__ __forceinline__ float value(float v, u32) { return v; }

extern "C" __global__ void split(const __grid_constant__ Launch launch) {
    const Plane &plane = launch.planes[blockIdx.z];
    const u32 y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= plane.height) return;
    const PIXEL *from = plane.from + (size_t)y * plane.from_stride;
    PIXEL *to = plane.to + (size_t)y * plane.to_stride;
    // Neighbours take neighbouring samples, so that a warp reads and writes whole lines.
    const u32 first = blockIdx.x * blockDim.x * SAMPLES + threadIdx.x;
#pragma unroll
    for (u32 i = 0; i < SAMPLES; i++) {
        const u32 x = first + i * blockDim.x;
        if (x < plane.width) to[x] = value(from[(size_t)x * plane.step], launch.shift);
    }
}
