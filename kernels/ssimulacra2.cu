// SSIMULACRA2 of two frames, a scale at a time. CPU twin: crates/metric/src/ssimulacra2
//
//   light     samples or linear light become XYB, and light of half the size: a thread takes a column of two rows
//   across    XYB, squares and products are blurred across: a thread takes a place
//   compare   they are blurred down and compared: eight lanes take a row of 256 columns, each every eighth one
//   rows      the sums of 256 columns become those of rows

constexpr int REACH = 4;             // of the blur
constexpr u32 TILE = 256;            // columns that eight lanes sum in f32
constexpr int TALL = THREADS / 8;    // rows of a block that compares
constexpr u32 FIGURES = 18;          // three channels, of which error, ringing and blurring, and their 4th powers
constexpr float BIAS = 0.0037930734f;

// Taps of the blur, the outermost first.
__device__ __constant__ float TAPS[REACH + 1] = {0.009414368f, 0.036011115f, 0.10933528f, 0.2129286f, 0.2646211f};

struct Light {
    Source planes[2][3];    // of the first scale: red, green and blue, or luma and chroma
    const float *linear[2]; // of the others: red, green and blue
    float *colours[2];      // X, Y and B
    float *half[2];         // red, green and blue of half the size, or none
    u32 width, height;
    u32 chroma_width, chroma_height;
    u32 yuv, across, down, left;     // whether there is chroma; its steps; whether it is sited at the left
    float luma[2], chroma[2];        // offset and factor
    float weights[4];
};
static_assert(sizeof(Light) == 208, "as LightArguments in crates/cuda/src/metric/perception.rs");

struct Compare {
    const float *colours[2];
    float *blurred;         // for each channel both pictures, the sum of their squares, and their product
    double *tiles;          // for each row and tile the figures
    double *rows;           // for each row the figures
    u32 width, height;
    u32 wanted;             // two bits a channel: the error; ringing and blurring
    u32 count;              // tiles in a row
};
static_assert(sizeof(Compare) == 56, "as CompareArguments in crates/cuda/src/metric/perception.rs");

// sRGB's transfer function; the polynomial of crates/metric/src/ssimulacra2/linear.rs.
__device__ __forceinline__ float light(float value) {
    value = fminf(fmaxf(value, 0.0f), 1.0f);
    const float base = (value + 0.055f) * (1.0f / 1.055f);
    float curve = 0.15155066549777985f;
    curve = __fmaf_rn(curve, base, -0.8501326441764832f);
    curve = __fmaf_rn(curve, base, 2.097269296646118f);
    curve = __fmaf_rn(curve, base, -3.0180587768554688f);
    curve = __fmaf_rn(curve, base, 2.864215850830078f);
    curve = __fmaf_rn(curve, base, -1.99899423122406f);
    curve = __fmaf_rn(curve, base, 1.4232971668243408f);
    curve = __fmaf_rn(curve, base, 0.3389175236225128f);
    curve = __fmaf_rn(curve, base, -0.00823032483458519f);
    curve = __fmaf_rn(curve, base, 0.00016555610636714846f);
    return value <= 0.04045f ? value * (1.0f / 12.92f) : curve;
}

__device__ __forceinline__ float cube_root(float value) {
    const u32 bits = __float_as_uint(value);
    const u32 third = (bits >> 2) + (bits >> 4) + (bits >> 6) + (bits >> 8) + (bits >> 10);
    float root = __uint_as_float(0x549d0000u - third);
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const float cube = root * root * root;
        root *= __fmaf_rn(-value, cube, 4.0f) * (1.0f / 3.0f);
    }
    return value * root * root;
}

// The two samples around a place of a plane that is smaller by a step, and how far it is from the first to the second.
struct Between {
    u32 first, second;
    float beyond;
};
__device__ __forceinline__ Between between(u32 place, u32 step, bool is_on_first, u32 side) {
    const u32 shift = is_on_first ? 0 : step - 1, twice = 2 * place + 2 * step - shift;
    const u32 index = twice / (2 * step), rest = twice % (2 * step);
    return {min(index > 0 ? index - 1 : 0, side - 1), min(index, side - 1), (float)rest / (float)(2 * step)};
}

// Chroma of a column between two rows.
__device__ __forceinline__ float chroma_column(const Light &launch, const Source &from, const Between &rows, u32 x) {
    const float a = finite(__ldg(row_of(from, rows.first) + x)), b = finite(__ldg(row_of(from, rows.second) + x));
    return (a + rows.beyond * (b - a) - launch.chroma[0]) * launch.chroma[1];
}

__device__ __forceinline__ float chroma(const Light &launch, const Source &from, const Between &rows, u32 x) {
    if (launch.across == 1) return chroma_column(launch, from, rows, x);
    if (launch.across == 2 && launch.left) {
        const float here = chroma_column(launch, from, rows, x / 2);
        if (x % 2 == 0) return here;
        return 0.5f * (here + chroma_column(launch, from, rows, min(x / 2 + 1, launch.chroma_width - 1)));
    }
    const Between columns = between(x, launch.across, launch.left, launch.chroma_width);
    const float a = chroma_column(launch, from, rows, columns.first), b = chroma_column(launch, from, rows, columns.second);
    return a + columns.beyond * (b - a);
}

struct Colour {
    float v[3];
};

// Linear light of a place of the frame.
__device__ __forceinline__ Colour frame_light(const Light &launch, int picture, u32 x, u32 y) {
    const Source (&planes)[3] = launch.planes[picture];
    const float black = launch.luma[0], scale = launch.luma[1];
    Colour to;
    if (!launch.yuv) {
#pragma unroll
        for (int c = 0; c < 3; c++) to.v[c] = light((finite(__ldg(row_of(planes[c], y) + x)) - black) * scale);
        return to;
    }
    const Between rows = between(y, launch.down, false, launch.chroma_height);
    const float u = chroma(launch, planes[1], rows, x), v = chroma(launch, planes[2], rows, x);
    const float luma = (finite(__ldg(row_of(planes[0], y) + x)) - black) * scale;
    to.v[0] = light(luma + launch.weights[0] * v);
    to.v[1] = light(luma + launch.weights[1] * u + launch.weights[2] * v);
    to.v[2] = light(luma + launch.weights[3] * u);
    return to;
}

// Linear light of a place of a picture of a later scale.
__device__ __forceinline__ Colour small_light(const Light &launch, int picture, u32 x, u32 y) {
    const u64 plane = (u64)launch.width * launch.height, place = (u64)y * launch.width + x;
    const float *from = launch.linear[picture];
    return {{from[place], from[plane + place], from[2 * plane + place]}};
}

// XYB, made positive.
__device__ __forceinline__ Colour perceived(const Colour &light) {
    const float r = light.v[0], g = light.v[1], b = light.v[2], root = cube_root(BIAS);
    const float red = cube_root(__fmaf_rn(r, 0.3f, __fmaf_rn(g, 0.622f, __fmaf_rn(b, 0.078f, BIAS)))) - root;
    const float medium = cube_root(__fmaf_rn(r, 0.23f, __fmaf_rn(g, 0.692f, __fmaf_rn(b, 0.078f, BIAS)))) - root;
    const float mixed = __fmaf_rn(r, 0.24342269f, __fmaf_rn(g, 0.20476745f, __fmaf_rn(b, 0.55180986f, BIAS)));
    const float blue = cube_root(mixed) - root;
    const float x = 0.5f * (red - medium), y = 0.5f * (red + medium);
    return {{__fmaf_rn(x, 14.0f, 0.42f), y + 0.01f, blue - y + 0.55f}};
}

template <Colour (*READ)(const Light &, int, u32, u32)> __device__ __forceinline__ void lighten(const Light &launch) {
    const u32 x = blockIdx.x * 32 + threadIdx.x % 32, top = 2 * (blockIdx.y * (THREADS / 32) + threadIdx.x / 32);
    const int picture = blockIdx.z;
    const u32 width = launch.width, height = launch.height;
    const u64 plane = (u64)width * height;
    const bool is_inside = x < width && top < height, has_second = top + 1 < height;
    Colour half = {};
#pragma unroll
    for (int line = 0; line < 2; line++) {
        Colour own = {};
        if (is_inside && top + line < height) {
            own = READ(launch, picture, x, top + line);
            const Colour to = perceived(own);
            const u64 place = (u64)(top + line) * width + x;
#pragma unroll
            for (int c = 0; c < 3; c++) launch.colours[picture][c * plane + place] = to.v[c];
        }
#pragma unroll
        for (int c = 0; c < 3; c++) {
            // A column without a neighbour counts twice, and so does a row.
            float next = __shfl_down_sync(~0u, own.v[c], 1);
            if (x + 1 >= width) next = own.v[c];
            const float sum = (has_second ? 0.25f : 0.5f) * (own.v[c] + next);
            if (line == 0) half.v[c] = sum;
            else if (has_second) half.v[c] = half.v[c] + sum;
        }
    }
    if (!launch.half[picture] || !is_inside || x % 2) return;
    const u32 half_width = (width + 1) / 2, half_height = (height + 1) / 2;
#pragma unroll
    for (int c = 0; c < 3; c++) launch.half[picture][((u64)c * half_height + top / 2) * half_width + x / 2] = half.v[c];
}

extern "C" __global__ void __launch_bounds__(THREADS) metric_light_of_frame(const __grid_constant__ Light launch) {
    lighten<frame_light>(launch);
}

extern "C" __global__ void __launch_bounds__(THREADS) metric_light_of_half(const __grid_constant__ Light launch) {
    lighten<small_light>(launch);
}

// A sum of nine weighted numbers, from the middle to both sides.
__device__ __forceinline__ float blurred(const float (&v)[2 * REACH + 1]) {
    float sum = v[REACH] * TAPS[REACH];
#pragma unroll
    for (int tap = REACH - 1; tap >= 0; tap--) sum = __fmaf_rn(v[tap] + v[2 * REACH - tap], TAPS[tap], sum);
    return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) metric_across(const __grid_constant__ Compare launch) {
    const u32 x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y, channel = blockIdx.z, width = launch.width;
    const u32 wanted = launch.wanted >> (2 * channel) & 3;
    if (x >= width || !wanted) return;
    const u64 plane = (u64)width * launch.height, row = channel * plane + (u64)y * width;
    const float *one = launch.colours[0] + row, *other = launch.colours[1] + row;
    float a[2 * REACH + 1], b[2 * REACH + 1];
#pragma unroll
    for (int i = 0; i <= 2 * REACH; i++) {
        // What lies outside is 0; before the first column the place is beyond all others.
        const u32 from = x + i - REACH;
        a[i] = from < width ? __ldg(one + from) : 0.0f;
        b[i] = from < width ? __ldg(other + from) : 0.0f;
    }
    float *to = launch.blurred + 4 * channel * plane + (u64)y * width + x;
    to[0] = blurred(a);
    to[plane] = blurred(b);
    if (!(wanted & 1)) return;
    float products[2 * REACH + 1];
#pragma unroll
    for (int i = 0; i <= 2 * REACH; i++) products[i] = a[i] * b[i];
#pragma unroll
    for (int i = 0; i <= 2 * REACH; i++) a[i] = a[i] * a[i] + b[i] * b[i];
    to[2 * plane] = blurred(a);
    to[3 * plane] = blurred(products);
}

// A place blurred down; rows outside are 0.
__device__ __forceinline__ float down(const float *from, u32 x, u32 y, u32 width, u32 height) {
    float v[2 * REACH + 1];
#pragma unroll
    for (int i = 0; i <= 2 * REACH; i++) {
        const u32 row = y + i - REACH;
        v[i] = row < height ? __ldg(from + (u64)row * width + x) : 0.0f;
    }
    return blurred(v);
}

__device__ __forceinline__ float fourth_power(float v) { return (v * v) * (v * v); }

extern "C" __global__ void __launch_bounds__(THREADS) metric_compare(const __grid_constant__ Compare launch) {
    const u32 lane = threadIdx.x % 8, y = blockIdx.y * TALL + threadIdx.x / 8, channel = blockIdx.z;
    const u32 width = launch.width, height = launch.height, wanted = launch.wanted >> (2 * channel) & 3;
    const u64 plane = (u64)width * height;
    const float *images = launch.blurred + 4 * channel * plane;
    const u64 row = channel * plane + (u64)y * width;
    const u32 left = blockIdx.x * TILE, end = wanted && y < height ? min(left + TILE, width) : 0;
    float totals[6] = {};
    for (u32 x = left + lane; x < end; x += 8) {
        const float a = down(images, x, y, width, height), b = down(images + plane, x, y, width, height);
        if (wanted & 1) {
            const float squares = down(images + 2 * plane, x, y, width, height);
            const float products = down(images + 3 * plane, x, y, width, height);
            const float apart = a - b;
            const float both = 2.0f * (products - a * b) + 0.0009f;
            const float all = squares - (a * a + b * b) + 0.0009f;
            const float error = fmaxf(1.0f - (1.0f - apart * apart) * both / all, 0.0f);
            totals[0] += error;
            totals[1] += fourth_power(error);
        }
        if (wanted & 2) {
            const float one = __ldg(launch.colours[0] + row + x), other = __ldg(launch.colours[1] + row + x);
            const float edge = (1.0f + fabsf(other - b)) / (1.0f + fabsf(one - a)) - 1.0f;
            const float ringing = fmaxf(edge, 0.0f), blurring = fmaxf(-edge, 0.0f);
            totals[2] += ringing;
            totals[3] += fourth_power(ringing);
            totals[4] += blurring;
            totals[5] += fourth_power(blurring);
        }
    }
#pragma unroll
    for (int kind = 0; kind < 6; kind++) {
        const double sum = sum_of_eight(totals[kind]);
        if (lane == 0 && y < height) launch.tiles[((u64)y * launch.count + blockIdx.x) * FIGURES + 6 * channel + kind] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) metric_rows(const __grid_constant__ Compare launch) {
    const u64 place = (u64)blockIdx.x * THREADS + threadIdx.x, y = place / FIGURES, figure = place % FIGURES;
    if (y >= launch.height) return;
    double sum = 0.0;
    for (u32 tile = 0; tile < launch.count; tile++) sum += launch.tiles[(y * launch.count + tile) * FIGURES + figure];
    launch.rows[place] = sum;
}
