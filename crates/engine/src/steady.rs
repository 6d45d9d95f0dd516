//! Brightness evened out: each frame's factor, from the means of the frames around. All in `f64`, in a fixed order, and
//! with roots and powers that are computed and not asked of the machine, so that every machine gives the same.

use std::collections::VecDeque;

use super::scene::Scene;
use super::window::Window;
use crate::frame::Format;
use crate::pass::TimeBorder;
use crate::plan::{Mean, Steady};

/// How bright a frame is above black, whose samples, `samples` in number, sum to `sum`.
pub fn brightness(steady: &Steady, samples: usize, sum: u64) -> f64 {
    (sum as f64 / samples as f64 - steady.black).max(0.0)
}

/// The factor of a frame as bright as `own`, in a window of frames as bright as `around` says, oldest first: those of
/// [`Steady::size`], and 0 for a frame of no light.
pub fn brightness_factor(steady: &Steady, own: f64, around: &[f64]) -> f32 {
    (if own > 0.0 { average(steady.mean, around) / own } else { 1.0 }) as f32
}

/// Images that wait for the frames behind them to be measured.
pub(super) struct Steadied<I> {
    steady: Steady,
    samples: usize,
    levels: Window<f64>,
    images: VecDeque<(I, Scene)>,
}

impl<I> Steadied<I> {
    pub(super) fn new(steady: Steady, format: &Format, border: TimeBorder) -> Self {
        let (levels, images) = (Window::new(steady.reach(), border), VecDeque::new());
        Self { steady, samples: format.brightness_samples(), levels, images }
    }

    /// Adds the clip's next image, whose samples sum to `sum`.
    pub(super) fn push(&mut self, image: I, scene: Scene, sum: u64) {
        self.levels.push(brightness(&self.steady, self.samples, sum), scene);
        self.images.push_back((image, scene));
    }

    /// No more images come.
    pub(super) fn end(&mut self) {
        self.levels.end();
    }

    /// The next image and its factor, once that is known.
    pub(super) fn next(&mut self) -> Option<(I, Scene, f32)> {
        let places = self.levels.places()?;
        let level = |place: Option<&f64>| place.copied().unwrap_or(0.0);
        let own = level(places[self.steady.reach()]);
        let around: Vec<f64> = places.into_iter().take(self.steady.size).map(level).collect();
        let factor = brightness_factor(&self.steady, own, &around);
        self.levels.slide();
        let (image, scene) = self.images.pop_front()?;
        Some((image, scene, factor))
    }
}

/// The average of some levels, at least one, each from 0 to 65535.
fn average(mean: Mean, levels: &[f64]) -> f64 {
    let count = levels.len() as f64;
    let largest = levels.iter().copied().fold(0.0, f64::max);
    let of = |f: fn(f64) -> f64| levels.iter().map(|&level| f(level)).sum::<f64>() / count;
    match mean {
        Mean::Arithmetic => of(|level| level),
        Mean::Geometric => libm::exp(of(libm::log)),
        Mean::Harmonic => 1.0 / of(|level| 1.0 / level),
        Mean::Quadratic => of(|level| level * level).sqrt(),
        Mean::Cubic => libm::cbrt(of(|level| level * level * level)),
        Mean::Power if largest == 0.0 => 0.0,
        // Relative to the largest, so that many powers of a large level do not overflow.
        Mean::Power => {
            let powers = levels.iter().map(|level| libm::pow(level / largest, count)).sum::<f64>();
            largest * libm::pow(powers / count, 1.0 / count)
        }
        Mean::Median => {
            let mut sorted = levels.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Mean; 7] =
        [Mean::Arithmetic, Mean::Geometric, Mean::Harmonic, Mean::Quadratic, Mean::Cubic, Mean::Power, Mean::Median];

    fn near(got: f64, wanted: f64) {
        assert!((got - wanted).abs() <= wanted.abs() * 1e-12, "{got} is not {wanted}");
    }

    #[test]
    fn averages_are_those_of_the_names() {
        let levels = [1.0, 4.0, 9.0, 2.0];
        let wanted = [
            4.0,
            72f64.powf(0.25),
            4.0 / (1.0 + 0.25 + 1.0 / 9.0 + 0.5),
            (102.0f64 / 4.0).sqrt(),
            (802.0f64 / 4.0).powf(1.0 / 3.0),
            (6834.0f64 / 4.0).powf(0.25),
            4.0,
        ];
        for (mean, wanted) in ALL.into_iter().zip(wanted) {
            near(average(mean, &levels), wanted);
        }
    }

    #[test]
    fn equal_levels_are_their_own_average() {
        for mean in ALL {
            for (level, count) in [(1.0, 2), (65535.0, 129), (1e-6, 129), (117.3, 5)] {
                near(average(mean, &vec![level; count]), level);
            }
        }
    }

    #[test]
    fn darkness_gives_numbers() {
        for mean in ALL {
            let (dark, half) = (average(mean, &[0.0; 5]), average(mean, &[0.0, 0.0, 3.0, 200.0, 9.0]));
            assert_eq!(dark, 0.0, "{mean:?}");
            assert!(half.is_finite() && half >= 0.0, "{mean:?}: {half}");
        }
        assert_eq!(average(Mean::Geometric, &[0.0, 5.0]), 0.0);
        assert_eq!(average(Mean::Harmonic, &[0.0, 5.0]), 0.0);
    }
}
