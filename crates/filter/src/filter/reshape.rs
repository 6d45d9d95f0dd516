//! Filters that give frames another size or shape, and filters that need whole frames.

use anyhow::Result;

use super::chain::Filter;
use super::change::Change;
use super::spec::{Extent, Group};
use super::time::{decimate, stabilize};
use super::{point, shape};
use crate::frame::Format;

impl Filter {
    /// The change that it makes to frames of a format; `None` for filters that keep size, shape and number of all frames.
    ///
    /// # Errors
    /// If the values do not fit the format: what is wrong, and what to type.
    pub fn change(&self, format: &Format) -> Result<Option<Change>> {
        self.spec.change.map(|change| change(self.values(), format)).transpose()
    }

    /// Whether it changes how many frames a second there are: by their times, or of each cycle of frames.
    pub fn changes_rate(&self) -> bool {
        self.spec.extent == Extent::Rate
    }

    /// The reason why it cannot be applied to each field of interlaced frames, whose formats are those of a field and of a frame:
    /// the parameter, or what it does to frames.
    pub fn field_obstacle(&self, formats: [&Format; 2]) -> Option<&'static str> {
        let is_shape = self.spec.extent == Extent::Picture;
        // Other colours or another depth leave samples where they are.
        let is_in_place = self.spec.name == shape::scale::SPEC.name || point::CONVERSIONS.contains(&self.spec.name);
        let is_in_place = is_in_place && formats.into_iter().all(|format| !self.resizes(format));
        let is_cycle = self.spec.name == decimate::SPEC.name;
        let obstacles = [
            (self.roi().is_some(), "roi"),
            (self.mask().is_some(), "mask"),
            (self.spec.group == Group::Layer && is_shape, "a picture over the frame"),
            (self.spec.name == stabilize::SPEC.name, "the motion of the picture"),
            (is_shape && !is_in_place, "a change of size"),
            (is_cycle, "a comparison of frames"),
        ];
        obstacles.into_iter().find_map(|(holds, what)| holds.then_some(what))
    }

    /// True if frames that come out are of another size; false also where values do not fit the format, which planning tells.
    fn resizes(&self, format: &Format) -> bool {
        let mut change = self.change(format).ok().flatten();
        let mut size = (format.width, format.height);
        while let Some(next) = change {
            size = (next.format.width, next.format.height);
            change = next.then.map(|then| *then);
        }
        size != (format.width, format.height)
    }
}
