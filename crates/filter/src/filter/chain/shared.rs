//! Parameters that all filters share, or that the defaults of a chain stand in for.

use anyhow::{Result, ensure};

use super::super::choice::{Planes, letter};
use super::super::condition::Condition;
use super::super::mask::Mask;
use super::super::region::Region;
use super::super::spec::Terms;
use super::super::value::Value;
use super::Filter;
use crate::frame::Pixel;
use crate::pass::TimeBorder;

impl Filter {
    /// How much of the result there is beside the unfiltered frame, 0 to 1.
    pub(super) fn mix(&self) -> f64 {
        self.values.typed("mix").unwrap_or(1.0)
    }

    /// For which frames it acts; all where there is no condition.
    pub fn enable(&self) -> Option<&Condition> {
        match self.values.find("enable") {
            Some(Value::Condition(condition)) => Some(condition),
            _ => None,
        }
    }

    /// The part of the picture that it changes; all of it where there is none.
    pub fn roi(&self) -> Option<&Region> {
        match self.values.find("roi") {
            Some(Value::Region(region)) => Some(region),
            _ => None,
        }
    }

    /// How much of the result there is at each pixel; all of it where there is no mask.
    pub fn mask(&self) -> Option<&Mask> {
        match self.values.find("mask") {
            Some(Value::Mask(mask)) => Some(mask),
            _ => self.defaults.mask.as_deref().filter(|_| self.knows("mask")),
        }
    }

    /// What lies before the first frame and after the last.
    pub fn border_t(&self) -> TimeBorder {
        let own = match self.values.find("border_t") {
            Some(Value::TimeBorder(mode)) => *mode,
            _ => TimeBorder::default(),
        };
        let is_free = self.knows("border_t") && !self.is_given("border_t");
        self.defaults.border_t.filter(|_| is_free).unwrap_or(own)
    }

    /// Whether it has a parameter.
    fn knows(&self, name: &str) -> bool {
        self.spec.parameters().any(|parameter| parameter.name == name)
    }

    /// The scene score above which a frame begins a clip of its own, 0 to 1; `None` where no cuts are looked for.
    pub fn scene(&self) -> Option<f64> {
        self.values.typed("scene").filter(|&threshold| threshold > 0.0)
    }

    /// Which planes are filtered.
    pub(super) fn planes(&self) -> Planes {
        match self.values.find("planes") {
            Some(Value::Planes(planes)) => planes.clone(),
            _ => self.defaults.planes.clone().unwrap_or(match self.spec.terms {
                Terms::Own => Planes::Colour,
                Terms::Ffmpeg => Planes::All,
            }),
        }
    }

    /// Refuses letters of planes that such frames have not.
    ///
    /// # Errors
    /// If none of the letters that were asked for names a plane.
    pub fn check_planes(&self, pixel: Pixel) -> Result<()> {
        let Planes::Letters(letters) = self.planes() else { return Ok(()) };
        let known: String = (0..pixel.planes()).map(|plane| letter(pixel, plane)).collect();
        ensure!(
            letters.contains(|c| known.contains(c)),
            "planes={letters} names no plane of {}; type letters out of {known}",
            pixel.name()
        );
        Ok(())
    }
}
