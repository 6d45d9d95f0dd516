//! A still picture, or another clip, over a part of the plane: rows are copied, and blended where the picture lies.

use anyhow::{Result, ensure};
use bytemuck::Pod;

use super::guide::{Averaged, Guided};
use super::operation::{Setting, Staged};
use super::scratch::Scratch;
use super::simd::{Simd, quiet};
use super::walk::{Band, BandFilter, PlaneStage};
use super::window::PlaneWindow;
use crate::pass::{self, ClipOpacity, OverlayBase, OverlayPart, OverlaySamples};

/// The samples of a picture and their opacity.
type Parts<'a, P> = (&'a [P], &'a [P]);

/// Samples that a picture can be laid over.
pub trait Covered: Averaged {
    /// The numbers of a picture.
    type Part: Pod;

    /// A sample of a clip.
    fn part(self) -> Self::Part;
    /// An opacity of a clip, `most` being the largest sample.
    fn opacity(self, most: u32) -> Self::Part;
    /// An opacity that all samples of a clip have.
    fn even(opacity: f32) -> Self::Part;
    /// The samples of a still picture and their opacity, if they are for these.
    fn parts(picture: &OverlaySamples) -> Option<Parts<'_, Self::Part>>;
    /// A row of a picture over a row of colours without opacity; all rows are equally long. `most` is the largest sample.
    fn lay(samples: &[Self::Part], opacity: &[Self::Part], most: u32, to: &mut [Self]);
    /// The opacity of a picture over a frame that has `below`, before [`Covered::lay`].
    fn beside(opacity: Self::Part, below: Self, most: u32) -> Self::Part;
    /// A row of opacity over opacity.
    fn cover(opacity: &[Self::Part], most: u32, to: &mut [Self]);
}

/// The quotient that is rounded, as bytes have it.
#[inline(always)]
fn by_255(sum: u16) -> u16 {
    // No sum exceeds 255 · 255.
    let sum = sum + 128;
    (sum + (sum >> 8)) >> 8
}

impl Covered for u8 {
    type Part = u16;

    #[inline(always)]
    fn part(self) -> u16 {
        self.into()
    }

    #[inline(always)]
    fn opacity(self, _: u32) -> u16 {
        self.into()
    }

    fn even(opacity: f32) -> u16 {
        opacity as u16
    }

    fn parts(picture: &OverlaySamples) -> Option<Parts<'_, u16>> {
        whole(picture)
    }

    #[inline(always)]
    fn lay(samples: &[u16], opacity: &[u16], _: u32, to: &mut [u8]) {
        for ((to, &s), &a) in to.iter_mut().zip(samples).zip(opacity) {
            // Both are bytes, which the compiler is not to lose sight of.
            let (s, a) = (s & 255, a & 255);
            *to = by_255(u16::from(*to) * (255 - a) + s * a) as u8;
        }
    }

    #[inline(always)]
    fn beside(opacity: u16, below: u8, most: u32) -> u16 {
        pass::Overlay::beside(opacity.into(), below.into(), most) as u16
    }

    #[inline(always)]
    fn cover(opacity: &[u16], _: u32, to: &mut [u8]) {
        for (to, &a) in to.iter_mut().zip(opacity) {
            *to += by_255((255 - u16::from(*to)) * (a & 255)) as u8;
        }
    }
}

impl Covered for u16 {
    type Part = u16;

    #[inline(always)]
    fn part(self) -> u16 {
        self
    }

    #[inline(always)]
    fn opacity(self, most: u32) -> u16 {
        self.min(most as u16)
    }

    fn even(opacity: f32) -> u16 {
        opacity as u16
    }

    fn parts(picture: &OverlaySamples) -> Option<Parts<'_, u16>> {
        whole(picture)
    }

    #[inline(always)]
    fn lay(samples: &[u16], opacity: &[u16], most: u32, to: &mut [u16]) {
        // A division by a number that is known becomes a product.
        match most {
            0x1ff => deep::<0x1ff>(samples, opacity, to),
            0x3ff => deep::<0x3ff>(samples, opacity, to),
            0x7ff => deep::<0x7ff>(samples, opacity, to),
            0xfff => deep::<0xfff>(samples, opacity, to),
            0x1fff => deep::<0x1fff>(samples, opacity, to),
            0x3fff => deep::<0x3fff>(samples, opacity, to),
            0x7fff => deep::<0x7fff>(samples, opacity, to),
            _ => deep::<0xffff>(samples, opacity, to),
        }
    }

    #[inline(always)]
    fn beside(opacity: u16, below: u16, most: u32) -> u16 {
        pass::Overlay::beside(opacity.into(), below.into(), most) as u16
    }

    #[inline(always)]
    fn cover(opacity: &[u16], most: u32, to: &mut [u16]) {
        for (to, &a) in to.iter_mut().zip(opacity) {
            *to += (most.saturating_sub(u32::from(*to)) * u32::from(a) / most) as u16;
        }
    }
}

impl Covered for f32 {
    type Part = f32;

    #[inline(always)]
    fn part(self) -> f32 {
        self
    }

    #[inline(always)]
    fn opacity(self, _: u32) -> f32 {
        if self > 0.0 { self.min(1.0) } else { 0.0 }
    }

    fn even(opacity: f32) -> f32 {
        opacity
    }

    fn parts(picture: &OverlaySamples) -> Option<Parts<'_, f32>> {
        match picture {
            OverlaySamples::Real { samples, opacity } => Some((samples, opacity)),
            OverlaySamples::Whole { .. } | OverlaySamples::Clip(_) => None,
        }
    }

    #[inline(always)]
    fn lay(samples: &[f32], opacity: &[f32], _: u32, to: &mut [f32]) {
        for ((to, &s), &a) in to.iter_mut().zip(samples).zip(opacity) {
            let laid = quiet(*to * (1.0 - a) + s * a);
            *to = if a == 0.0 {
                *to
            } else if a == 1.0 {
                s
            } else {
                laid
            };
        }
    }

    #[inline(always)]
    fn beside(opacity: f32, below: f32, _: u32) -> f32 {
        if opacity == 0.0 || opacity == 1.0 {
            return opacity;
        }
        let below = if below.is_finite() { below.clamp(0.0, 1.0) } else { 0.0 };
        opacity / ((opacity + below) - opacity * below)
    }

    #[inline(always)]
    fn cover(opacity: &[f32], _: u32, to: &mut [f32]) {
        for (to, &a) in to.iter_mut().zip(opacity) {
            let laid = quiet(*to + (1.0 - *to) * a);
            *to = if a == 0.0 {
                *to
            } else if a == 1.0 {
                1.0
            } else {
                laid
            };
        }
    }
}

fn whole(picture: &OverlaySamples) -> Option<Parts<'_, u16>> {
    match picture {
        OverlaySamples::Whole { samples, opacity } => Some((samples, opacity)),
        OverlaySamples::Real { .. } | OverlaySamples::Clip(_) => None,
    }
}

/// A row over samples of more than a byte, `MOST` the largest.
#[inline(always)]
fn deep<const MOST: u32>(samples: &[u16], opacity: &[u16], to: &mut [u16]) {
    for ((to, &s), &a) in to.iter_mut().zip(samples).zip(opacity) {
        // The largest that 16 bits hold times itself fits.
        let (s, a) = (u32::from(s), u32::from(a).min(MOST));
        *to = ((u32::from(*to) * (MOST - a) + s * a) / MOST) as u16;
    }
}

/// A plane with a picture over it.
struct CoveredPlane {
    op: pass::Overlay,
    guided: Option<Guided>,
    width: usize,
    most: u32,
    /// True if a second clip is opaque everywhere, so that its rows are copied.
    is_opaque: bool,
}

impl CoveredPlane {
    /// Lays a row of the picture, row `y` of the plane, over the samples below it, `to`.
    #[inline(always)]
    fn row<T: Covered>(
        &self,
        window: &PlaneWindow<T>,
        part: &OverlayPart,
        y: usize,
        scratch: &mut Scratch,
        to: &mut [T],
    ) {
        let (row, first, count) = (y - part.rows.start + part.first.1, part.first.0, to.len());
        let within = first..first + count;
        let Scratch { ring, spare, .. } = scratch;
        let (read, beside) = ring.elements::<T::Part>(3 * count).split_at_mut(2 * count);
        let (samples, opacity) = match self.op.clip() {
            Some(clip) => {
                // Frames without a partner stay as they are.
                let Some(second) = &window.planes[window.planes.len() / 2 - 1] else { return };
                if self.is_opaque && self.op.base != OverlayBase::Opacity {
                    to.copy_from_slice(&second.row(row)[within]);
                    return;
                }
                let (samples, opacity) = read.split_at_mut(count);
                samples.iter_mut().zip(&second.row(row)[within.clone()]).for_each(|(to, sample)| *to = sample.part());
                match clip.opacity {
                    ClipOpacity::Even(all) => opacity.fill(T::even(all)),
                    ClipOpacity::FromRow(below) => {
                        let from = second.row(below + row)[within].iter();
                        opacity.iter_mut().zip(from).for_each(|(to, sample)| *to = sample.opacity(self.most));
                    }
                }
                (&*samples, &*opacity)
            }
            None => {
                // It was made for such samples.
                let Some((samples, opacity)) = T::parts(&self.op.picture) else { return };
                let from = row * self.op.columns.len() + first;
                let at = from..from + count;
                // Opacity has no samples.
                (samples.get(at.clone()).unwrap_or_default(), &opacity[at])
            }
        };
        match &self.guided {
            _ if self.op.base == OverlayBase::Opacity => T::cover(opacity, self.most, to),
            None => T::lay(samples, opacity, self.most, to),
            Some(guided) => {
                let below = &mut spare.elements::<T>(self.width)[..self.width];
                guided.row(window, window.planes.len() / 2, y, below);
                let beside = &mut beside[..count];
                for ((beside, &opacity), &below) in beside.iter_mut().zip(opacity).zip(&below[part.columns.clone()]) {
                    *beside = T::beside(opacity, below, self.most);
                }
                T::lay(samples, beside, self.most, to);
            }
        }
    }
}

impl<T: Covered> BandFilter<T> for CoveredPlane {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, scratch, .. } = band;
        let part = self.op.part(window.place);
        for y in 0..out.height {
            let to = out.row_mut(y);
            to.copy_from_slice(window.centre(first + y));
            if let Some(part) = part.as_ref().filter(|part| part.rows.contains(&(first + y))) {
                self.row(window, part, first + y, scratch, &mut to[part.columns.clone()]);
            }
        }
    }
}

impl<T: Covered> Staged<T> for pass::Overlay {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        let clip = self.clip();
        ensure!(clip.is_some() || T::parts(&self.picture).is_some(), "a picture for other samples");
        let most = setting.pixel().peak();
        let is_opaque = clip.is_some_and(|clip| clip.opacity == ClipOpacity::Even(most));
        let guided = match self.base {
            OverlayBase::Colour(guide) => Some(Guided::new(guide, setting)),
            OverlayBase::Opaque | OverlayBase::Opacity => None,
        };
        Ok(setting.bands(CoveredPlane {
            op: self.clone(),
            guided,
            width: setting.width(),
            most: most as u32,
            is_opaque,
        }))
    }
}
