//! Filters that need whole frames of interlaced clips.

use super::chain::Filter;
use super::spec::Group;

impl Filter {
    /// Whether it makes progressive frames of interlaced ones.
    pub fn is_deinterlacer(&self) -> bool {
        self.spec.group == Group::Deinterlace
    }

    /// Whether it deinterlaces frames that are not marked as interlaced, and nobody said which field is first.
    pub fn assumes_parity(&self) -> bool {
        let is = |name, word| self.values().typed_word(name) == Some(word);
        self.is_deinterlacer() && is("parity", "auto") && is("deint", "all")
    }
}
