//! Frames that begin a shot, among the slowest.

use std::time::Instant;

use anyhow::Result;

use super::alone::MOST;
use super::slow::SlowFrame;
use crate::job::{DecoderChoice, Request, Survey, TypedCut};
use crate::source::CancelToken;

/// Tells each frame whether it begins a shot, by its scene score: it and two frames before it are decoded. Frames stay unknown
/// where the part that is measured begins at a time, or after about two seconds.
///
/// # Errors
/// If the clip cannot be read as before, or it is interrupted.
pub fn find(request: &Request, frames: &mut [SlowFrame], interrupt: &CancelToken) -> Result<()> {
    let from = match &request.cut.start {
        None => Some(0),
        Some(start) => start.strip_prefix('#').and_then(|number| number.parse::<u64>().ok()),
    };
    let (Some(from), began) = (from, Instant::now()) else { return Ok(()) };
    for frame in frames {
        if began.elapsed() > MOST || interrupt.is_cancelled() {
            break;
        }
        let number = from + frame.frame;
        let first = number.saturating_sub(2);
        let cut =
            TypedCut { start: Some(format!("#{first}")), frames: Some(number - first + 1), ..TypedCut::default() };
        let part = Request { cut, decoder: DecoderChoice::Software, ..request.clone() };
        let mut survey = Survey::open(&part, u64::MAX, interrupt)?;
        let mut last = None;
        while let Some(found) = survey.look()? {
            last = Some(found.is_cut);
        }
        // Before the first frame there is none.
        frame.is_cut = last.filter(|_| number > 0);
    }
    Ok(())
}
