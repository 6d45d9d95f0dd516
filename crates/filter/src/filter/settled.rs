//! Filters that suit how noisy a clip is, once that is known.

use super::chain::Filter;
use super::denoise::measured::{MOST, SPEC};
use crate::frame::Pixel;

impl Filter {
    /// Whether it is for whoever has the clip to measure how noisy it is, and to ask for [`Filter::settled`].
    pub fn is_measured(&self) -> bool {
        self.spec.name == SPEC.name && self.values().word("strength") == "auto" && !self.is_given("luma")
    }

    /// The scene score above which a frame is to be measured anew, where that was typed; 0 for never.
    pub fn cut(&self) -> Option<f64> {
        self.values().typed("scene").filter(|_| self.is_given("scene"))
    }

    /// The same for planes as noisy as `deviations` says, one number for each, in steps of 8 bits.
    #[must_use]
    pub fn settled(&self, pixel: Pixel, deviations: &[f64]) -> Self {
        let most = |is_chroma: bool| {
            let planes = deviations.iter().enumerate();
            let kind = planes.filter(|(plane, _)| pixel.is_chroma(*plane) == is_chroma && !pixel.is_alpha(*plane));
            kind.map(|(_, deviation)| (deviation.min(MOST) * 10.0).round() / 10.0).reduce(f64::max)
        };
        let numbers = [("luma", most(false)), ("chroma", most(true).filter(|_| !self.is_given("chroma")))];
        self.with(numbers.into_iter().filter_map(|(name, number)| Some((name, number?))))
    }
}
