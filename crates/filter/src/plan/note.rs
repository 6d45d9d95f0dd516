//! How an op came about, for whoever asks.

/// How an op came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Taps that the filter asked for; 0 for a copy.
    pub taps_before: usize,
    /// How far the product of the factors is from what was asked for, relative to it; `None` where none were sought.
    pub residual: Option<f64>,
    /// Why the op is what it is, in words.
    pub reason: String,
}

impl Note {
    pub(super) fn new(taps_before: usize, residual: Option<f64>, reason: impl Into<String>) -> Self {
        Self { taps_before, residual, reason: reason.into() }
    }

    /// For an op that nobody had to make.
    pub(super) fn given() -> Self {
        Self::new(0, None, "copied")
    }

    /// Of an op that does what `next` was about too.
    pub(super) fn and(self, next: Self) -> Self {
        let residual = self.residual.into_iter().chain(next.residual).reduce(f64::max);
        let both = format!("{}; then {}", self.reason, next.reason);
        let reason = if self.reason.ends_with(&next.reason) { self.reason } else { both };
        Self::new(self.taps_before + next.taps_before, residual, reason)
    }

    /// For a plane that is done before the others.
    pub(super) fn waiting() -> Self {
        Self::new(0, None, "not selected or done")
    }
}
