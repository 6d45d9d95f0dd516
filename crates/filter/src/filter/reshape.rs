//! Filters that give frames another size or shape, and filters that need whole frames.

use anyhow::Result;

use super::chain::Filter;
use super::change::Change;
use super::point;
use super::spec::{Extent, Group};
use super::time::{decimate, stabilize};
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

    /// The reason why it cannot be applied to each field of interlaced frames: the parameter, or what it does to frames.
    pub fn field_obstacle(&self) -> Option<&'static str> {
        let is_shape = self.spec.extent == Extent::Picture;
        let is_cycle = self.spec.name == decimate::SPEC.name;
        let obstacles = [
            (self.roi().is_some(), "roi"),
            (self.mask().is_some(), "mask"),
            (is_shape && point::CONVERSIONS.contains(&self.spec.name), "a conversion of colours"),
            (self.spec.group == Group::Layer && is_shape, "a picture over the frame"),
            (self.spec.name == stabilize::SPEC.name, "the motion of the picture"),
            (is_shape, "a change of size"),
            (is_cycle, "a comparison of frames"),
        ];
        obstacles.into_iter().find_map(|(holds, what)| holds.then_some(what))
    }
}
