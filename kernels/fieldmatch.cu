// Rows of two frames as one: plane.fields says which, as crates/cuda/src/field.rs writes it. CPU twin: crates/cpu/src/fieldmatch.rs
//
//   a thread makes 4 samples of 4 rows, 8 rows apart

constexpr u32 WOVEN = 8;         // rows of that parity (REBUILT) come from another frame
constexpr u32 FROM_AFTER = 16;   // which is the one after; else the one before

template <class P> struct Fieldmatch : OneLaunch {
    static constexpr int HEIGHT = 32;
    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        if (x >= (int)plane.width) return;
        const bool other = plane.fields & WOVEN && (y & 1) == (int)(plane.fields & REBUILT);
        int frame = other ? plane.fields & FROM_AFTER ? REACH + 1 : REACH - 1 : REACH;
        // Beyond the ends of a clip there is the frame itself.
        if (!source(launch, plane, frame).samples) frame = REACH;
        for (int r = 0; r < HEIGHT && y + r < (int)plane.height; r += 8) kept(launch, plane, x, y + r, frame);
    }
};
