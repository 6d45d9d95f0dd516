//! Pictures moved against the camera's motion, frame by frame: the correction is known only when a frame is there.

use anyhow::{Result, ensure};

use super::affine::Affine;

/// By how much a frame is moved: first turned about its centre, then shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    /// Right and down, in luma pixels.
    pub shift: [f64; 2],
    /// Sine of the angle, clockwise.
    pub sine: f64,
    /// Its cosine.
    pub cosine: f64,
}

impl Correction {
    /// No motion.
    pub const NONE: Self = Self { shift: [0.0; 2], sine: 0.0, cosine: 1.0 };
}

impl Default for Correction {
    fn default() -> Self {
        Self::NONE
    }
}

/// Extension of the source beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpEdge {
    /// The fill colour.
    Fill,
    /// The nearest sample of the edge.
    Clamp,
    /// The picture mirrored about the samples of its edge, which are there once.
    Mirror,
}

impl WarpEdge {
    /// The place inside `0 ..= last` of a sample at any place.
    #[inline(always)]
    pub fn inside(self, place: i32, last: i32) -> i32 {
        match self {
            Self::Mirror if last > 0 => {
                let phase = place.rem_euclid(2 * last);
                phase.min(2 * last - phase)
            }
            _ => place.clamp(0, last),
        }
    }
}

/// Placement by the correction that a pass is run with, of a plane that keeps its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stabilized {
    /// By how many powers of two the plane has fewer columns and rows than the picture.
    pub finer: [u8; 2],
    /// How much larger the picture is shown, 1 to 2.
    pub zoom: f64,
    /// Extension beyond the edges.
    pub edge: WarpEdge,
}

impl Stabilized {
    /// The largest enlargement.
    pub const MOST_ZOOM: f64 = 2.0;

    pub(super) fn check(&self) -> Result<()> {
        let zoom = self.zoom;
        ensure!((1.0..=Self::MOST_ZOOM).contains(&zoom), "an enlargement of {zoom} is not 1 to {}", Self::MOST_ZOOM);
        ensure!(self.finer.iter().all(|power| *power <= 4), "its plane is too coarse");
        Ok(())
    }

    /// Places in a plane of `size`. With `X` and `Y` the distance of a sample from the centre in luma pixels, `Z` the
    /// enlargement, `c`, `s`, `dx` and `dy` cosine, sine and shift of the correction, it is made of what lies
    /// `(c (X/Z − dx) + s (Y/Z − dy), c (Y/Z − dy) − s (X/Z − dx))` from the centre. Steps are rounded to 1/65536 of a
    /// sample, and so is the place of the first sample, which is chosen so that the centre is exact. Shifts of 2²³ samples and
    /// more are as far as that.
    pub fn affine(&self, size: (usize, usize), correction: &Correction) -> Affine {
        let Correction { shift, sine, cosine } = *correction;
        let [wide, high] = self.finer.map(|power| f64::from(1u32 << power));
        let fixed = |place: f64| {
            let most = Affine::MOST as f64 / 65536.0;
            // Far outside is far enough.
            (place.clamp(-most / 2.0, most / 2.0) * 65536.0).round_ties_even() as i64
        };
        let across = [cosine / self.zoom, -sine * (wide / high) / self.zoom].map(fixed);
        let down = [sine * (high / wide) / self.zoom, cosine / self.zoom].map(fixed);
        let [x, y] = shift;
        let moved = [-(cosine * x + sine * y) / wide, -(cosine * y - sine * x) / high];
        let [last_column, last_row] = [size.0, size.1].map(|length| length as i64 - 1);
        let centre = [last_column, last_row];
        let first = [0, 1].map(|axis| {
            // In halves of 1/65536.
            let doubled = 65536 * centre[axis] - across[axis] * last_column - down[axis] * last_row;
            doubled.div_euclid(2) + fixed(moved[axis])
        });
        Affine { first, across, down }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_correction_each_sample_stays_where_it_is() {
        for size in [(1, 1), (2, 3), (1920, 1080), (7, 16384)] {
            let placement = Stabilized { finer: [1, 0], zoom: 1.0, edge: WarpEdge::Mirror };
            let affine = placement.affine(size, &Correction::NONE);
            assert_eq!(affine, Affine { first: [0; 2], across: [65536, 0], down: [0, 65536] }, "{size:?}");
        }
    }

    #[test]
    fn a_shift_moves_the_picture_by_luma_pixels() {
        let placement = Stabilized { finer: [1, 0], zoom: 1.0, edge: WarpEdge::Fill };
        let correction = Correction { shift: [3.0, -2.0], ..Correction::NONE };
        assert_eq!(placement.affine((8, 8), &correction).first, [-3 * 65536 / 2, 2 * 65536]);
    }

    #[test]
    fn places_outside_are_mirrored_about_the_edge() {
        let mirrored: Vec<i32> = (-5..9).map(|place| WarpEdge::Mirror.inside(place, 2)).collect();
        assert_eq!(mirrored, [1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0]);
        assert_eq!(
            (WarpEdge::Mirror.inside(-3, 0), WarpEdge::Clamp.inside(-3, 4), WarpEdge::Clamp.inside(9, 4)),
            (0, 0, 4)
        );
    }
}
