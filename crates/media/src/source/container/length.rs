//! The number of frames that a clip will have.

use super::Container;
use super::density::{self, Density};
use crate::source::Concealing;

impl Container {
    /// The number of frames that will be read, as far as it is known or can be estimated.
    pub(super) fn expected_frames(&self) -> Option<u64> {
        if let Some(portion) = self.portion {
            return Some(portion.frames);
        }
        let stream = self.input.stream(self.video);
        let limit = self.options.frames.unwrap_or(u64::MAX);
        let is_whole = self.options.start.is_none() && self.options.duration.is_none();
        let images = self.sequence.as_ref().map(|images| match self.options.conceal {
            Concealing::On => images.span(),
            Concealing::Off => images.length,
        });
        if let Some(frames) = images.or(stream.frames).filter(|_| is_whole) {
            return Some(frames.min(limit));
        }
        let guessed = stream.rate.value()?;
        let count = || density::count(self.path.as_deref()?, self.video);
        let counted = self.density.get_or_init(|| count().filter(|_| self.sequence.is_none()));
        let rate = match *counted {
            Some(Density::All(frames)) if is_whole => return Some(frames.min(limit)),
            Some(Density::All(frames)) => self.whole_s().map_or(guessed, |seconds| frames as f64 / seconds),
            Some(Density::Rate(rate)) => rate,
            None => guessed,
        };
        // What is nearly the guess is the guess.
        let rate = if (rate / guessed - 1.0).abs() < 0.02 { guessed } else { rate };
        Some(((self.promised_s()? * rate).round() as u64).min(limit))
    }
}
