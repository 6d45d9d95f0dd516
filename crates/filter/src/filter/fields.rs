//! Filters that need whole frames of interlaced clips.

use super::chain::Filter;
use super::spec::Group;

impl Filter {
    /// Whether it makes progressive frames of interlaced ones.
    pub fn is_deinterlacer(&self) -> bool {
        self.spec.group == Group::Deinterlace
    }

    /// The parameter that says which field is first, if it takes the top one in frames that are not marked as interlaced and
    /// nobody said so.
    pub fn assumed_parity(&self) -> Option<&'static str> {
        let is = |name, word| self.values().typed_word(name) == Some(word);
        match () {
            () if !self.is_deinterlacer() => None,
            () if is("parity", "auto") && is("deint", "all") => Some("parity"),
            () if is("order", "auto") => Some("order"),
            () => None,
        }
    }
}
