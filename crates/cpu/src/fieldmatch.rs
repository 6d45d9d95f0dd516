//! Rows of two frames as one, as whoever runs the pass chose them.

use anyhow::Result;

use super::operation::{Setting, Staged};
use super::simd::{Sample, Simd};
use super::walk::{Band, BandFilter, PlaneStage};
use crate::pass::{Fieldmatch, Weave};

/// A plane of rows of two frames.
pub struct WovenPlane;

impl<T: Sample> BandFilter<T> for WovenPlane {
    #[inline(always)]
    fn band<S: Simd>(&self, _: S, band: Band<T>) {
        let Band { window, first, mut out, .. } = band;
        let middle = window.planes.len() / 2;
        for row in 0..out.height {
            let y = first + row;
            let place = match window.scan.weave {
                Some(Weave { rows, from_next }) if y % 2 == rows => {
                    if from_next {
                        middle + 1
                    } else {
                        middle - 1
                    }
                }
                _ => middle,
            };
            // Beyond the ends of a clip there is the frame itself.
            let place = if window.planes[place].is_some() { place } else { middle };
            out.row_mut(row).copy_from_slice(window.row(place, y));
        }
    }
}

impl<T: Sample> Staged<T> for Fieldmatch {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(setting.bands(WovenPlane))
    }
}
