//! A plane that an op looks at beside its own, of the same frames: luma for chroma, the first colour for the others.

use anyhow::{Result, ensure};

use crate::frame::{Format, Pixel};

/// Another plane, seen at the places of the op's own.
///
/// A place `(x, y)` covers `k = 2^finer[0]` columns and `l = 2^finer[1]` rows of the guide, those from `k x` and `l y` on;
/// the last column and the last row stand for those beyond them. The guide's sample `g` of the place is their mean:
///
/// - of integers `g = ⌊(Σ + k l / 2) / (k l)⌋`, exact;
/// - of floats in `f32`, each operation rounded: their sum from +0 on, row by row, times `1 / (k l)`. A float that is
///   infinite or no number counts as 0.
///
/// What lies outside the own plane is what the op's border says of places: the guide's sample of the place that stands for
/// it, or the border's constant, which is then the guide's sample too. A frame beyond the clip's ends that
/// [`super::TimeBorder`] makes neutral holds the guide's own neutral samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Which plane.
    pub plane: usize,
    /// How many samples it has for one of the own plane across and down, as powers of two.
    pub finer: [u32; 2],
}

impl Guide {
    /// The most powers of two by which it is finer along an axis.
    pub const FINEST: u32 = 2;

    /// The first plane, for any other; `None` for itself.
    pub fn first(pixel: Pixel, plane: usize) -> Option<Self> {
        (plane > 0).then(|| Self::of(pixel, plane, 0))
    }

    /// Plane `guide`, for another plane.
    pub fn of(pixel: Pixel, plane: usize, guide: usize) -> Self {
        Self { plane: guide, finer: finer(pixel, plane, guide) }
    }

    /// Fails unless it is another plane of such frames, of no fewer samples.
    ///
    /// # Errors
    /// If there is no such plane, or it is the op's own, or it has other samples for one of it.
    pub(super) fn check(self, format: &Format, plane: usize) -> Result<()> {
        let (guide, pixel) = (self.plane, format.pixel);
        ensure!(guide < pixel.planes(), "its guide is plane {guide}, which {format} does not have");
        ensure!(guide != plane, "its guide is the plane itself");
        let [own, other] = [plane, guide].map(|plane| pixel.subsampling(plane));
        ensure!(other.0 <= own.0 && other.1 <= own.1, "its guide, plane {guide}, has fewer samples");
        let (got, known) = (self.finer, finer(pixel, plane, guide));
        ensure!(got == known, "its guide is finer by powers {known:?} of two, not {got:?}");
        ensure!(got.iter().all(|power| *power <= Self::FINEST), "its guide has too many samples for one of it");
        Ok(())
    }
}

/// By how many powers of two plane `guide` is finer than another.
fn finer(pixel: Pixel, plane: usize, guide: usize) -> [u32; 2] {
    let [own, guide] = [plane, guide].map(|plane| pixel.subsampling(plane));
    [own.0.saturating_sub(guide.0), own.1.saturating_sub(guide.1)].map(u32::from)
}
