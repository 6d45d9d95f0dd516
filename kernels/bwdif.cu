// Rows of fields from weights of three fields, kept within the change over time. CPU twin: crates/cpu/src/bwdif.rs

template <class P> struct Bwdif : Rows<Bwdif<P>> {
    // Without fields before: row y from the rows beside it and those three away.
    static __device__ __forceinline__ void alone(const Launch &launch, const Plane &plane, int x, int y, Number (&v)[4]) {
        const int h = plane.height;
        auto own = [&](int row) { return four(launch, plane, REACH, x, beside(row, h)); };
        Quad<Number> near = own(y - 1) + own(y + 1);
        Quad<Number> far = own(y > 2 ? y - 3 : y + 1) + own(y + 3 < h ? y + 3 : y - 1);
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = scaled(near.v[k] * (Number)5077 + far.v[k] * (Number)-981);
    }

    static __device__ __forceinline__ void make(const Launch &launch, const Plane &plane, int x, int y, Number (&v)[4]) {
        if (plane.fields & OPENS) return alone(launch, plane, x, y, v);
        const int h = plane.height, up = beside(y - 1, h), down = beside(y + 1, h);
        auto own = [&](int row) { return four(launch, plane, REACH, x, row); };
        auto before = [&](int row) { return four(launch, plane, REACH - 1, x, row); };
        auto after = [&](int row) { return four(launch, plane, REACH + 1, x, row); };
        auto both = [&](int row) { return before(row) + own(row); };
        const bool inside = y >= 4 && y + 5 <= h, checked = y >= 2 && y + 3 <= h;
        Quad<Number> c = own(up), e = own(down), pc = before(up), pe = before(down), nc = after(up), ne = after(down);
        Quad<Number> p = before(y), q = own(y), above = {}, below = {}, far = {}, three = {};
        if (checked) above = both(y - 2), below = both(y + 2);
        if (inside) far = both(y - 4) + both(y + 4), three = own(y - 3) + own(y + 3);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            Bound bound(c.v[k], e.v[k], pc.v[k], pe.v[k], nc.v[k], ne.v[k], p.v[k], q.v[k]);
            Number width = checked ? bound.checked(c.v[k], e.v[k], above.v[k], below.v[k]) : bound.width;
            Number near = c.v[k] + e.v[k], predicted = half(near);
            if (inside) {
                Number fine = (p.v[k] + q.v[k]) * (Number)5570 + (above.v[k] + below.v[k]) * (Number)-3801;
                fine = quarter(fine + far.v[k] * (Number)1016);
                fine = scaled(fine + (near * (Number)4309 + three.v[k] * (Number)-213));
                Number spatial = scaled(near * (Number)5077 + three.v[k] * (Number)-981);
                predicted = apart(c.v[k], e.v[k]) > bound.change ? fine : spatial;
            }
            v[k] = bound.width > (Number)0 ? bound.within(predicted, width) : bound.mean;
        }
    }
};
