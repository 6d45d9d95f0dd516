//! Filters that do not suit the frames of a clip, and which of their values is at fault.

use std::fmt;
use std::ops::Range;

use super::chain::Filter;
use super::choice::Defaults;
use super::edit::places;
use super::point;
use super::syntax::SyntaxError;

/// Context of an error: the filter that does not suit the frames at its place of a chain, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    call: String,
    /// The values that depend on the frames; all of the call where there are none.
    span: Range<usize>,
}

impl Filter {
    /// The context of an error of this filter.
    pub fn misfit(&self) -> Misfit {
        let names: &[&str] = match (self.spec.change, self.enable()) {
            // All of them say together what the colours are.
            (Some(_), None) if point::CONVERSIONS.contains(&self.spec.name) => &[],
            (Some(_), None) => &["w", "h", "x", "y", "fit", "chroma", "fps", "range", "rangein"],
            (Some(_), Some(_)) => &["enable"],
            (None, _) => &["roi", "mask", "mix", "planes"],
        };
        let call = self.text.clone();
        let known = places(&call, &Defaults::default()).unwrap_or_default();
        let values = known.iter().flat_map(|call| &call.arguments);
        let spans = values.filter(|value| names.contains(&value.parameter)).map(|value| value.span.clone());
        let span = spans.reduce(|all, span| all.start.min(span.start)..all.end.max(span.end));
        Misfit { span: span.unwrap_or(0..call.len()), call }
    }
}

impl Misfit {
    /// Two lines for a terminal: the filter, and carets below what does not fit.
    pub fn caret(&self) -> String {
        SyntaxError::new(&self.call, &self.span, "", "").caret()
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan \"{}\"", self.call)
    }
}
