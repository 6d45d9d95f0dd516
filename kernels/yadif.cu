// Rows of fields along edges, kept within the change over time. CPU twin: crates/cpu/src/yadif.rs
//
// Parameter: SPATIAL, whether there is a spatial check.

template <class P> struct Yadif : Rows<Yadif<P>> {
    // Twelve samples of a row from column x - 4 on; 0 outside.
    static __device__ __forceinline__ void twelve(const Launch &launch, const Plane &plane, int x, int y, Number (&to)[12]) {
#pragma unroll
        for (int part = 0; part < 3; part++) {
            int from = x + 4 * part - 4;
            Quad<Number> q = {};
            if (from >= 0 && from < (int)plane.width) q = four(launch, plane, REACH, from, y);
#pragma unroll
            for (int k = 0; k < 4; k++) to[4 * part + k] = q.v[k];
        }
    }

    // The prediction for column k along the edge that is found.
    static __device__ __forceinline__ Number along(const Number (&above)[12], const Number (&below)[12], int k) {
        auto apart_by = [&](int j, int i) { return apart(above[4 + k + i + j], below[4 + k + i - j]); };
        auto score = [&](int j) { return apart_by(j, -1) + apart_by(j, 0) + apart_by(j, 1); };
        auto mean = [&](int j) { return half(above[4 + k + j] + below[4 + k - j]); };
        Number best = score(0) - (Number)(sizeof(PIXEL) == 4 ? 0 : 1), predicted = mean(0);
#pragma unroll
        for (int side = -1; side <= 1; side += 2) {
            Number near = score(side);
            if (!(best > near)) continue;
            best = near, predicted = mean(side);
            Number far = score(2 * side);
            if (near > far) best = far, predicted = mean(2 * side);
        }
        return predicted;
    }

    static __device__ __forceinline__ void make(const Launch &launch, const Plane &plane, int x, int y, Number (&v)[4]) {
        const int h = plane.height, last = h - 1, up = beside(y - 1, h), down = beside(y + 1, h);
        auto before = [&](int row) { return four(launch, plane, REACH - 1, x, row); };
        auto after = [&](int row) { return four(launch, plane, REACH + 1, x, row); };
        auto both = [&](int row) {
            row = min(max(row, 0), last);
            return before(row) + four(launch, plane, REACH, x, row);
        };
        Number above[12], below[12];
        twelve(launch, plane, x, up, above), twelve(launch, plane, x, down, below);
        Quad<Number> pc = before(up), pe = before(down), nc = after(up), ne = after(down);
        Quad<Number> p = before(y), q = four(launch, plane, REACH, x, y), high = {}, low = {};
        const bool checked = P::SPATIAL && y != 1 && y + 2 != h;
        if (checked) high = both(y ? y - 2 : y + 2), low = both(y == last ? y - 2 : y + 2);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            Number c = above[4 + k], e = below[4 + k];
            Bound bound(c, e, pc.v[k], pe.v[k], nc.v[k], ne.v[k], p.v[k], q.v[k]);
            Number width = checked ? bound.checked(c, e, high.v[k], low.v[k]) : bound.width;
            bool edges = x + k >= 3 && x + k < (int)plane.width - 3;
            v[k] = bound.within(edges ? along(above, below, k) : half(c + e), width);
        }
    }
};
