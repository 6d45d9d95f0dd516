// Blocks filtered together with those that look like them, in two launches, the sums between them in device memory.
// CPU twin: crates/cpu/src/bm3d
//
//      begin    a block has the reference blocks that begin in its tile, and the keys around them in shared memory; a warp
//               takes one after another:
//                  looks   each lane compares with every 32nd place; the best 32 stand in the lanes, sorted; in other frames
//                          around the best of the frame before, the keys there being made by the warp
//                  filters lane 8 s + c has column c of blocks s, s + 4, s + 8 …, and after turning them row c
//                  adds    weights and weighed noise of a sample are one word of 64 bits, added to at once
//      run      a thread makes four samples of a row from their sums
//
// Sums are whole numbers, so that no order matters. Weights are the upper half of a word; the lower half, the noise, may be
// negative and then borrows one of them.

// The parameters:
//   Border, Last          what lies outside, and the last step
//   GROUP, RANGE, STEP    blocks in a group, how far away they are looked for, from one reference block to the next
//   FRAMES, NEAR          frames on either side, and how far blocks are looked for from one to the next
//   WIENER, LIMIT         whether it is the second step; the power of the noise, or the threshold
//   MOST, UNIT            the largest weight, and a sixteenth of sigma
//   AT                    in the lookups: 64 words of the window, and for groups of 1, 2, 4 … 32 the scales there and back
//   COSINES               in the literals: c(0) … c(7)
//   KEY_SHIFT, PITCH      bits that make keys of samples; bytes from one row of keys to the next
template <class P> struct Bm3d {
    typedef typename P::Border B;
    typedef Finish<typename P::Last> F;
    static constexpr int HEIGHT = P::HEIGHT, SIDE = 8, R = P::RANGE, WINDOW = 2 * R + 1, PITCH = P::PITCH;
    static constexpr int AROUND = R + SIDE - 1, TALL = HEIGHT + 2 * AROUND, SLOTS = P::GROUP > 4 ? P::GROUP / 4 : 1;
    static constexpr int TURNED = 4 * 72, WARPS = THREADS / 32;
    static constexpr int FRAMES = P::FRAMES, NEAR = P::NEAR, AROUND_NEAR = 2 * NEAR + 1;
    static constexpr int NEAR_SIDE = 2 * NEAR + SIDE, NEAR_PITCH = (NEAR_SIDE + 7) / 4 * 4;
    static constexpr u32 NONE = 0x7fffffffu;
    static_assert(NEAR_SIDE * NEAR_PITCH <= 4 * TURNED, "keys of another frame lie where blocks are turned");
    static_assert(PITCH % 4 == 0 && PITCH >= TILE_W + 2 * AROUND + 4, "a row is read in words");
    static_assert(TALL * PITCH + 4 * WARPS * TURNED <= SHARED_BYTES, "keys, and what blocks are turned in");

    static __device__ __forceinline__ float c(int k) { return __uint_as_float(k < 0 ? LITERAL[P::COSINES - k] ^ 0x80000000u : LITERAL[P::COSINES + k]); }

    static __device__ __forceinline__ float finite(float v) {
        if (sizeof(PIXEL) < 4) return v;
        return fabsf(v) <= 3.402823466e38f ? v : 0.0f;
    }
    // What is computed with, of a sample.
    static __device__ __forceinline__ float bounded(float v) {
        return sizeof(PIXEL) < 4 ? v : fminf(fmaxf(finite(v), -64.0f), 64.0f);
    }
    static __device__ __forceinline__ float plain(const PIXEL *sample) { return bounded((float)__ldg(sample)); }
    // The same of any place of the plane as it is continued to a block.
    static __device__ __forceinline__ float value(const Source &from, const Plane &plane, int x, int y) {
        return bounded(fetched<float, B>(from, plane, resolved<B>(x, plane.width), resolved<B>(y, plane.height)));
    }
    static __device__ __forceinline__ u8 key(float v) {
        if (sizeof(PIXEL) < 4) return min((u32)v >> P::KEY_SHIFT, 255u);
        return (u32)fminf(fmaxf(__fadd_rn(__fmul_rn(v, 255.0f), 0.5f), 0.0f), 255.0f);
    }

    // Four products, the last three fused.
    template <int A, int D, int E, int G> static __device__ __forceinline__ float odd(float w, float x, float y, float z) {
        return __fmaf_rn(z, c(G), __fmaf_rn(y, c(E), __fmaf_rn(x, c(D), __fmul_rn(w, c(A)))));
    }
    static __device__ __forceinline__ void forward(float *x) {
        float s[4], d[4];
#pragma unroll
        for (int i = 0; i < 4; i++) s[i] = __fadd_rn(x[i], x[7 - i]), d[i] = __fsub_rn(x[i], x[7 - i]);
        const float e0 = __fadd_rn(s[0], s[3]), e1 = __fadd_rn(s[1], s[2]), f0 = __fsub_rn(s[0], s[3]), f1 = __fsub_rn(s[1], s[2]);
        x[0] = __fmul_rn(__fadd_rn(e0, e1), c(4));
        x[4] = __fmul_rn(__fsub_rn(e0, e1), c(4));
        x[2] = __fmaf_rn(f1, c(6), __fmul_rn(f0, c(2)));
        x[6] = __fmaf_rn(f1, c(-2), __fmul_rn(f0, c(6)));
        x[1] = odd<1, 3, 5, 7>(d[0], d[1], d[2], d[3]);
        x[3] = odd<3, -7, -1, -5>(d[0], d[1], d[2], d[3]);
        x[5] = odd<5, -1, 7, 3>(d[0], d[1], d[2], d[3]);
        x[7] = odd<7, -5, 3, -1>(d[0], d[1], d[2], d[3]);
    }
    static __device__ __forceinline__ void backward(float *x) {
        const float a = __fmul_rn(x[0], c(4)), b = __fmul_rn(x[4], c(4)), e0 = __fadd_rn(a, b), e1 = __fsub_rn(a, b);
        const float f0 = __fmaf_rn(x[6], c(6), __fmul_rn(x[2], c(2))), f1 = __fmaf_rn(x[6], c(-2), __fmul_rn(x[2], c(6)));
        const float s[4] = {__fadd_rn(e0, f0), __fadd_rn(e1, f1), __fsub_rn(e1, f1), __fsub_rn(e0, f0)};
        const float d[4] = {
            odd<1, 3, 5, 7>(x[1], x[3], x[5], x[7]),
            odd<3, -7, -1, -5>(x[1], x[3], x[5], x[7]),
            odd<5, -1, 7, 3>(x[1], x[3], x[5], x[7]),
            odd<7, -5, 3, -1>(x[1], x[3], x[5], x[7]),
        };
#pragma unroll
        for (int i = 0; i < 4; i++) x[i] = __fadd_rn(s[i], d[i]), x[7 - i] = __fsub_rn(s[i], d[i]);
    }

    // The image of a frame so far from the centre; in the second step that of the estimate or of the noisy frame.
    static __device__ __forceinline__ Source image(const Launch &launch, const Plane &plane, int time, int noisy) {
        return source(launch, plane, P::WIENER ? REACH + 2 * time - noisy : REACH + time);
    }
    // When another frame is shown, by its number.
    static __device__ __forceinline__ int shown(int other) { return other < FRAMES ? -1 - other : 1 + other - FRAMES; }

    // Columns in lanes become rows in lanes, and the other way round.
    static __device__ __forceinline__ void turn(float *x, float *swap) {
        const int lane = threadIdx.x % 32, sub = lane / 8 * 72, column = lane % 8;
#pragma unroll
        for (int k = 0; k < 8; k++) swap[sub + 9 * k + column] = x[k];
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 8; k++) x[k] = swap[sub + 9 * column + k];
        __syncwarp();
    }

    // Sums and differences along a group of n.
    static __device__ __forceinline__ void along(float (&x)[SLOTS][8], int n) {
        const int sub = threadIdx.x % 32 / 8;
#pragma unroll
        for (int h = 1; h <= 2; h *= 2) {
            if (h >= n) continue;
#pragma unroll
            for (int i = 0; i < SLOTS; i++)
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    const float other = __shfl_xor_sync(~0u, x[i][k], 8 * h);
                    x[i][k] = sub & h ? __fsub_rn(other, x[i][k]) : __fadd_rn(x[i][k], other);
                }
        }
#pragma unroll
        for (int h = 1; h < SLOTS; h *= 2) {
            if (4 * h >= n) continue;
#pragma unroll
            for (int i = 0; i < SLOTS; i++) {
                if (i & h) continue;
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    const float a = x[i][k], b = x[i + h][k];
                    x[i][k] = __fadd_rn(a, b), x[i + h][k] = __fsub_rn(a, b);
                }
            }
        }
    }

    template <class T> static __device__ __forceinline__ T total(T v) {
#pragma unroll
        for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
        return v;
    }

    // Two words of a row of keys that begins at any byte.
    static __device__ __forceinline__ uint2 eight(const u32 *keys, int at) {
        const u32 a = keys[at / 4], b = keys[at / 4 + 1], c = keys[at / 4 + 2];
        return make_uint2(__funnelshift_r(a, b, 8 * (at % 4)), __funnelshift_r(b, c, 8 * (at % 4)));
    }

    // Makes the keys around a place of another frame.
    static __device__ __forceinline__ void look_near(const Source &from, const Plane &plane, const int (&start)[2], int wide, int high, u8 *keys) {
        __syncwarp();
#pragma unroll 1
        for (int i = threadIdx.x % 32; i < NEAR_SIDE * NEAR_SIDE; i += 32) {
            const int across = i % NEAR_SIDE, down = i / NEAR_SIDE, x = start[0] - NEAR + across, y = start[1] - NEAR + down;
            const bool is = (u32)x < (u32)wide && (u32)y < (u32)high;
            keys[down * NEAR_PITCH + across] = is ? key(value(from, plane, x, y)) : 0;
        }
        __syncwarp();
    }

    // The blocks that look like the one at a place of the keys, (x, y) in the plane: lane i has the rank of number i. It has
    // also where blocks of the other frame i are looked for.
    static __device__ __forceinline__ u32 looked(const Launch &launch, const Plane &plane, const u32 *keys, int at, int x, int y, int wide, int high, float *swap, int (&starts)[2]) {
        const int lane = threadIdx.x % 32;
        uint2 own[SIDE];
#pragma unroll
        for (int r = 0; r < SIDE; r++) own[r] = eight(keys, at + r * PITCH);
        u32 best = NONE;
        int start[2] = {x, y};
#pragma unroll 1
        for (int frame = 0; frame <= 2 * FRAMES; frame++) {
            const bool is_other = FRAMES && frame;
            if (is_other) {
                if (frame == 1 + FRAMES) start[0] = x, start[1] = y;
                if (lane == frame - 1) starts[0] = start[0], starts[1] = start[1];
                const Source from = image(launch, plane, shown(frame - 1), 0);
                if (!from.samples) continue;
                look_near(from, plane, start, wide, high, reinterpret_cast<u8 *>(swap));
            }
            const u32 *words = is_other ? reinterpret_cast<const u32 *>(swap) : keys;
            const int middle = is_other ? NEAR * NEAR_PITCH + NEAR : at, pitch = is_other ? NEAR_PITCH : PITCH, reach = is_other ? NEAR : R;
            const int count = is_other ? AROUND_NEAR * AROUND_NEAR : WINDOW * WINDOW;
            const int base = is_other ? 1 + WINDOW * WINDOW + (frame - 1) * AROUND_NEAR * AROUND_NEAR : 1;
            u32 nearest = NONE;
#pragma unroll 1
            for (int first = 0; first < count; first += 32) {
                const int number = first + lane;
                const int down = (is_other ? number / AROUND_NEAR : number / WINDOW) - reach, across = (is_other ? number % AROUND_NEAR : number % WINDOW) - reach;
                u32 rank = NONE;
                if (down <= reach && (u32)(start[0] + across) <= (u32)(wide - SIDE) && (u32)(start[1] + down) <= (u32)(high - SIDE)) {
                    u32 sum = 0;
#pragma unroll
                    for (int r = 0; r < SIDE; r++) {
                        const uint2 other = eight(words, middle + (down + r) * pitch + across);
                        sum += __vsadu4(own[r].x, other.x) + __vsadu4(own[r].y, other.y);
                    }
                    rank = sum << 16 | (is_other || down || across ? base + number : 0);
                }
                nearest = min(nearest, rank);
                if (!__any_sync(~0u, rank < __shfl_sync(~0u, best, P::GROUP - 1))) continue;
                // The largest first, so that of each two the smaller is one of the best 32.
#pragma unroll
                for (int k = 2; k <= 32; k *= 2)
#pragma unroll
                    for (int j = k / 2; j; j /= 2) {
                        const u32 other = __shfl_xor_sync(~0u, rank, j);
                        rank = (lane & j) == 0 == ((lane & k) == 0) ? max(rank, other) : min(rank, other);
                    }
                best = min(best, rank);
#pragma unroll
                for (int j = 16; j; j /= 2) {
                    const u32 other = __shfl_xor_sync(~0u, best, j);
                    best = lane & j ? max(best, other) : min(best, other);
                }
            }
            if (is_other) {
#pragma unroll
                for (int d = 16; d; d /= 2) nearest = min(nearest, __shfl_xor_sync(~0u, nearest, d));
                const int number = (int)(nearest & 65535u) - base;
                start[0] += number % AROUND_NEAR - NEAR, start[1] += number / AROUND_NEAR - NEAR;
                __syncwarp();
            }
        }
        return best;
    }

    // Reads the blocks of a group and transforms them. Blocks lie inside the plane, unless that is smaller than one.
    static __device__ __forceinline__ void read(const Launch &launch, const Plane &plane, int noisy, const int (&places)[SLOTS][3], int n, float base, float scale, float *swap, float (&x)[SLOTS][8]) {
        const int lane = threadIdx.x % 32;
        float *const own = swap + lane / 8 * 72 + lane % 8;
        const bool is_small = plane.width < SIDE || plane.height < SIDE;
        const Source centre = image(launch, plane, 0, noisy);
#pragma unroll
        for (int i = 0; i < SLOTS; i++) {
            const bool is = lane / 8 + 4 * i < n;
            const int column = places[i][0] + lane % 8, row = places[i][1];
            const Source from = FRAMES ? image(launch, plane, places[i][2], noisy) : centre;
            if (is_small) {
#pragma unroll 1
                for (int k = 0; k < 8; k++) own[9 * k] = is ? value(from, plane, column, row + k) : base;
            }
            const PIXEL *samples = at(from, is_small ? 0 : column, is_small ? 0 : row);
#pragma unroll
            for (int k = 0; k < 8; k++) {
                const float v = is_small ? own[9 * k] : is ? plain(samples) : base;
                x[i][k] = __fmul_rn(__fsub_rn(v, base), scale);
                samples += is_small ? 0 : from.stride;
            }
#pragma unroll 1
            for (int axis = 0; axis < 2; axis++) {
                forward(x[i]);
                if (!axis) turn(x[i], swap);
            }
        }
        along(x, n);
    }

    // Filters the group of the reference block at (x, y).
    static __device__ __forceinline__ void filter(const Launch &launch, const Plane &plane, u32 best, const int (&starts)[2], int x, int y, float *swap) {
        const int lane = threadIdx.x % 32, sub = lane / 8, column = lane % 8;
        const int known = __popc(__ballot_sync(~0u, lane < P::GROUP && best != NONE)), size = 31 - __clz(known), n = 1 << size;
        int places[SLOTS][3];
#pragma unroll
        for (int i = 0; i < SLOTS; i++) {
            const int number = (int)(__shfl_sync(~0u, best, (sub + 4 * i) % 32) & 65535u) - 1;
            places[i][0] = number < 0 ? x : x + number % WINDOW - R;
            places[i][1] = number < 0 ? y : y + number / WINDOW - R;
            places[i][2] = 0;
            if (!FRAMES) continue;
            const bool is_other = number >= WINDOW * WINDOW && sub + 4 * i < n;
            const int index = is_other ? number - WINDOW * WINDOW : 0, other = index / (AROUND_NEAR * AROUND_NEAR), place = index % (AROUND_NEAR * AROUND_NEAR);
            const int left = __shfl_sync(~0u, starts[0], other), top = __shfl_sync(~0u, starts[1], other);
            if (is_other) places[i][0] = left + place % AROUND_NEAR - NEAR, places[i][1] = top + place / AROUND_NEAR - NEAR, places[i][2] = shown(other);
        }
        const float *table = reinterpret_cast<const float *>(launch.lookups + P::AT);
        const float scale = __ldg(table + 64 + size), unscale = __ldg(table + 70 + size);
        const Source centre = image(launch, plane, 0, 0);
        const float base = value(centre, plane, x, y), limit = __uint_as_float(P::LIMIT);
        float noise[SLOTS][8], weight;
        if (P::WIENER) {
            float part[SLOTS][8];
            int sum = lane ? 0 : 256;
            // First the estimate, which says what part of each coefficient is noise, then the noisy frame.
#pragma unroll 1
            for (int turn = 0; turn < 2; turn++) {
                read(launch, plane, turn, places, n, base, scale, swap, noise);
#pragma unroll
                for (int i = 0; i < SLOTS; i++)
#pragma unroll
                    for (int k = 0; k < 8; k++) {
                        if (turn) {
                            noise[i][k] = __fmul_rn(noise[i][k], part[i][k]);
                            continue;
                        }
                        const bool first = !lane && !i && !k;
                        const float square = __fmul_rn(noise[i][k], noise[i][k]), kept = __fdiv_rn(square, __fadd_rn(square, limit));
                        if (!first && sub + 4 * i < n) sum += __float2int_rn(__fmul_rn(__fmul_rn(kept, kept), 256.0f));
                        part[i][k] = first ? 0.0f : __fsub_rn(1.0f, kept);
                    }
            }
            weight = __fdiv_rn(__fmul_rn(__uint_as_float(P::MOST), 256.0f), __int2float_rn(total(sum)));
        } else {
            read(launch, plane, 0, places, n, base, scale, swap, noise);
            int count = 0;
#pragma unroll
            for (int i = 0; i < SLOTS; i++)
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    const bool kept = !lane && !i && !k || !(fabsf(noise[i][k]) < limit);
                    if (kept && sub + 4 * i < n) count++;
                    if (kept) noise[i][k] = 0.0f;
                }
            weight = __fdiv_rn(__uint_as_float(P::MOST), __int2float_rn(total(count)));
        }
        along(noise, n);
        float weights[8];
#pragma unroll
        for (int k = 0; k < 8; k++) weights[k] = fmaxf(rintf(__fmul_rn(weight, __ldg(table + 8 * k + column))), 1.0f);
        u64 *sums = reinterpret_cast<u64 *>(plane.between);
#pragma unroll
        for (int i = 0; i < SLOTS; i++) {
#pragma unroll 1
            for (int axis = 0; axis < 2; axis++) {
                backward(noise[i]);
                if (!axis) turn(noise[i], swap);
            }
            const int left = places[i][0] + column;
            if (sub + 4 * i >= n || places[i][2] || left >= (int)plane.width) continue;
#pragma unroll
            for (int k = 0; k < 8; k++) {
                const int row = places[i][1] + k;
                if (row >= (int)plane.height) continue;
                const float v = rintf(fminf(fmaxf(__fmul_rn(noise[i][k], unscale), -511.0f), 511.0f));
                const long long weighed = __float2int_rz(__fmul_rn(v, weights[k]));
                atomicAdd(sums + ((u64)row * plane.stride + left), ((u64)__float2uint_rz(weights[k]) << 32) + (u64)weighed);
            }
        }
    }

    static __device__ __forceinline__ void begin(const Launch &launch, const Plane &plane, int x, int y) {
        u8 *const bytes = reinterpret_cast<u8 *>(shared);
        const u32 *const keys = reinterpret_cast<const u32 *>(shared);
        float *const swap = reinterpret_cast<float *>(bytes + TALL * PITCH) + threadIdx.x / 32 * TURNED;
        const int wide = max((int)plane.width, SIDE), high = max((int)plane.height, SIDE);
        const int left = x - AROUND, top = y - AROUND;
        const Source from = image(launch, plane, 0, 0);
#pragma unroll 1
        for (int i = threadIdx.x; i < TALL * PITCH; i += THREADS) {
            const int column = left + i % PITCH, row = top + i / PITCH;
            const bool is = (u32)column < (u32)wide && (u32)row < (u32)high;
            bytes[i] = is ? key(value(from, plane, column, row)) : 0;
        }
        __syncthreads();
        // The reference blocks whose number times the step lies in the tile; the last of a row or column begins before.
        const int x0 = (x + P::STEP - 1) / P::STEP, y0 = (y + P::STEP - 1) / P::STEP;
        const int x1 = min((x + TILE_W + P::STEP - 1) / P::STEP, (wide - SIDE + P::STEP - 1) / P::STEP + 1);
        const int y1 = min((y + HEIGHT + P::STEP - 1) / P::STEP, (high - SIDE + P::STEP - 1) / P::STEP + 1);
        const int count = x1 > x0 && y1 > y0 ? (x1 - x0) * (y1 - y0) : 0;
#pragma unroll 1
        for (int i = threadIdx.x / 32; i < count; i += WARPS) {
            const int column = min((x0 + i % (x1 - x0)) * P::STEP, wide - SIDE), row = min((y0 + i / (x1 - x0)) * P::STEP, high - SIDE);
            int starts[2] = {0, 0};
            const u32 best = looked(launch, plane, keys, (row - top) * PITCH + column - left, column, row, wide, high, swap, starts);
            filter(launch, plane, best, starts, column, row, swap);
        }
    }

    static __device__ __forceinline__ void run(const Launch &launch, const Plane &plane, int x, int y) {
        x += 4 * (threadIdx.x % 32), y += threadIdx.x / 32;
        const Source noisy = image(launch, plane, 0, 1);
        const u64 *sums = reinterpret_cast<const u64 *>(plane.between);
#pragma unroll 1
        for (int r = 0; r < HEIGHT; r += 8) {
            if (x >= (int)plane.width || y + r >= (int)plane.height) return;
            float cleaned[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const int column = min(x + k, (int)plane.width - 1);
                const u64 sum = sums[(u64)(y + r) * plane.stride + column];
                const int weighed = (int)(u32)sum;
                const u32 weight = (u32)((sum - (u64)(long long)weighed) >> 32);
                float noise = __fmul_rn(__fdiv_rn(__int2float_rn(weighed), __uint2float_rn(weight)), __uint_as_float(P::UNIT));
                if (sizeof(PIXEL) < 4) noise = __fsub_rn(__fadd_rn(noise, 98304.0f), 98304.0f);
                cleaned[k] = __fsub_rn(finite((float)*at(noisy, column, y + r)), noise);
            }
            F::store(launch, plane, x, y + r, cleaned);
        }
    }
};
