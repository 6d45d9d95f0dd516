// Tiles in shared memory, for the kernels that sum samples of a neighbourhood: dense.cu, separable.cu, long.cu.

// A tile T has ROWS rows of COLUMNS samples, LEFT and TOP of them before the first output, and after them the places of
// the rows and columns. Each thread makes 4 samples of R rows. crates/cuda/src/geometry.rs says how large it is.

// The bytes that a tile takes.
template <class T, class E> constexpr int TILE_BYTES = T::ROWS * T::COLUMNS * 4 / E::LANES + 4 * (T::ROWS + T::COLUMNS);

// Whether a tile holds what taps reach that are NX across and NY down, the sample itself at AX and AY.
template <class T> constexpr bool holds(int nx, int ax, int ny, int ay) {
    return T::LEFT >= ax && T::COLUMNS >= T::LEFT + TILE_W + nx - 1 - ax && T::TOP >= ay && T::ROWS >= T::TOP + 8 * T::R + ny - 1 - ay;
}

// Whether a frame is there, in rows that can be read 16 bytes at a time.
__device__ __forceinline__ bool regular(const Source &from) { return from.wide && from.samples; }

// Fills the tile that begins at (x, y), for outputs from column `begin` of the plane on. `fast` gives 16 bytes of it for
// a place inside the plane, and may be asked if the frames are regular; `slow` gives one sample for a place that
// resolved() gave.
//
// A tile at an edge must not take longer than the others, because all would wait for it in the end: its rows and columns
// are resolved once, what lies inside is read as anywhere else, and only the few columns outside are read slowly, a
// sample a thread. UNROLL reads are under way at once inside; code of reads takes long to compile.
template <class T, class E, class B, int UNROLL, class FAST, class SLOW>
__device__ __forceinline__ void fill(bool regular, const Plane &plane, int x, int y, int begin, FAST fast, SLOW slow) {
    constexpr u32 CHUNKS = T::COLUMNS / E::STEP;
    const int width = plane.width, height = plane.height;
    const bool chunked = regular && width >= E::STEP;
    if (chunked && x >= 0 && y >= 0 && x + T::COLUMNS <= width && y + T::ROWS <= height) {
#pragma unroll UNROLL
        for (u32 i = threadIdx.x; i < T::ROWS * CHUNKS; i += THREADS) shared[i] = fast(x + i % CHUNKS * E::STEP, y + i / CHUNKS);
        return;
    }
    int *rows = reinterpret_cast<int *>(shared + T::ROWS * CHUNKS), *columns = rows + T::ROWS;
#pragma unroll 1
    for (int i = threadIdx.x; i < T::ROWS + T::COLUMNS; i += THREADS) {
        bool row = i < T::ROWS;
        rows[i] = resolved<B>(row ? y + i : x + i - T::ROWS, row ? height : width);
    }
    __syncthreads();
    const u32 chunks = chunked ? T::ROWS * CHUNKS : 0;
#pragma unroll 1
    for (u32 i = threadIdx.x; i < chunks; i += THREADS) {
        // Read from inside in any case, so that no read waits for a decision.
        int sx = x + (int)(i % CHUNKS * E::STEP), row = rows[i / CHUNKS];
        uint4 chunk = fast(min(max(sx, 0), width - E::STEP & -E::STEP), max(row, 0));
        if (sx >= 0 && sx + E::STEP <= width && (!B::CONSTANT || row >= 0)) shared[i] = chunk;
    }
    // Columns before the first and after the last chunk inside, as far as they are needed; all of a row of constants.
    auto *slots = reinterpret_cast<typename E::Slot *>(shared);
    int left = min(max(0, -x), T::COLUMNS), right = max(0, (width - x) / E::STEP) * E::STEP;
    int end = min(T::COLUMNS, width - begin + T::COLUMNS - TILE_W + 3 & -4);
    if (!chunked || B::CONSTANT && (y < 0 || y + T::ROWS > height)) left = right = 0;
    u32 count = left + max(0, end - right);
#pragma unroll 1
    for (u32 i = threadIdx.x; i < T::ROWS * count; i += THREADS) {
        int row = i / count, column = i % count;
        if (column >= left) column += right - left;
        int chunk = x + column / E::STEP * E::STEP;
        bool done = chunked && chunk >= 0 && chunk + E::STEP <= width && (!B::CONSTANT || rows[row] >= 0);
        if (!done) slots[row * T::COLUMNS + column] = E::slot(slow(columns[column], rows[row]));
    }
}
