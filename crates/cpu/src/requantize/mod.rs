//! Samples of another depth, type or range.

mod diffused;

use anyhow::Result;

use diffused::Diffused;

use super::finish::VECTORS;
use super::operation::{Converting, Setting, Staged};
use super::simd::{Sample, Simd};
use super::tail::Tail;
use super::walk::{Band, BandFilter, PlaneStage};
use crate::frame;
use crate::pass::{self, BayerMatrix, Dither};

/// Thresholds of a row of the matrix: as many as the widest vectors have lanes.
type Thresholds = [f32; BayerMatrix::SIDE];

/// Dithering of a plane.
enum Added {
    Nothing,
    /// Thresholds by rows of the matrix.
    Matrix(Box<[Thresholds; BayerMatrix::SIDE]>),
    /// Noise of this key.
    Noise(u32),
}

/// A plane whose samples are converted.
pub struct Requantized {
    scale: f32,
    offset: f32,
    /// The largest sample; `None` for floats.
    peak: Option<f32>,
    /// The dithering.
    added: Added,
}

impl Requantized {
    fn new(op: &pass::Requantize) -> Self {
        let row = |matrix: BayerMatrix, y| std::array::from_fn(|x| matrix.threshold(x, y));
        let added = match op.dither {
            Dither::None | Dither::Diffused => Added::Nothing,
            Dither::Ordered(matrix) => Added::Matrix(Box::new(std::array::from_fn(|y| row(matrix, y)))),
            Dither::Random(key) => Added::Noise(key),
        };
        Self {
            scale: op.scale,
            offset: op.offset,
            peak: (op.to.sample != frame::Sample::F32).then(|| op.to.peak()),
            added,
        }
    }

    /// Whole vectors of row `y` from column `x` on, a multiple of their length.
    #[inline(always)]
    fn vectors<S: Simd, T: Sample, U: Sample>(&self, simd: S, [x, y]: [usize; 2], from: &[T], to: &mut [U]) {
        let (scale, offset) = (simd.splat(self.scale), simd.splat(self.offset));
        let peak = simd.splat(self.peak.unwrap_or(0.0));
        for n in 0..VECTORS {
            let at = n * S::LANES;
            let mut value = simd.mul_add(T::read(simd, &from[at..]), scale, offset);
            match &self.added {
                Added::Nothing => {}
                Added::Matrix(rows) => {
                    let row = &rows[y % BayerMatrix::SIDE];
                    value = simd.add(value, simd.load(&row[(x + at) % BayerMatrix::SIDE..]));
                }
                Added::Noise(key) => {
                    let mut noise: Thresholds = [0.0; BayerMatrix::SIDE];
                    for (i, noise) in noise[..S::LANES].iter_mut().enumerate() {
                        *noise = Dither::noise(*key, x + at + i, y);
                    }
                    value = simd.add(value, simd.load(&noise));
                }
            }
            if self.peak.is_some() {
                value = simd.nearest(simd.smaller(simd.larger(value, simd.splat(0.0)), peak));
            }
            U::write(simd, value, peak, &mut to[at..]);
        }
    }
}

impl<T: Sample, U: Sample> BandFilter<T, U> for Requantized {
    #[inline(always)]
    fn band<S: Simd>(&self, simd: S, band: Band<T, U>) {
        let Band { window, first, mut out, .. } = band;
        let columns = VECTORS * S::LANES;
        for y in 0..out.height {
            let (from, to) = (window.centre(first + y), out.row_mut(y));
            let mut x = 0;
            while x + columns <= to.len() {
                self.vectors(simd, [x, first + y], &from[x..x + columns], &mut to[x..x + columns]);
                x += columns;
            }
            if x < to.len() {
                let (last, mut made) = (Tail::<T>::of(&from[x..to.len()]), Tail::<U>::new());
                self.vectors(simd, [x, first + y], &last.0[..columns], &mut made.0[..columns]);
                made.put(&mut to[x..]);
            }
        }
    }
}

impl<T: Sample> Staged<T> for pass::Requantize {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        Ok(self.converting(setting))
    }
}

impl<T: Sample, U: Sample> Converting<T, U> for pass::Requantize {
    fn converting(&self, setting: &Setting) -> Box<dyn PlaneStage<T, U>> {
        if self.dither == Dither::Diffused {
            // Each sample waits for those before.
            return setting.bands_of(setting.height(), Diffused { op: *self });
        }
        setting.bands(Requantized::new(self))
    }
}
