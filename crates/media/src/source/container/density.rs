//! How many frames a file has, where its header does not say and its rate is a guess.

use std::path::Path;

use crate::libav::input::{InputContext, ReadOutcome};
use crate::libav::packet::Packet;

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Density {
    /// All frames of the file.
    All(u64),
    /// Frames a second at its beginning.
    Rate(f64),
}

/// How much is read for it: some hundredths of a second.
const BYTES: usize = 32 << 20;
const PACKETS: u64 = 5000;

/// Counts the packets of a video stream at the beginning of a file; `None` where they tell nothing.
pub(super) fn count(path: &Path, video: usize) -> Option<Density> {
    // What is no file would lose what is read.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut input = InputContext::open_path(path, None).ok()?;
    let unit = input.stream(video).time_base.value()?;
    let mut packet = Packet::new();
    let (mut frames, mut bytes, mut span) = (0, 0, None);
    loop {
        match input.read(&mut packet) {
            ReadOutcome::Packet => {}
            ReadOutcome::End if input.io_error().is_none() && frames > 0 => return Some(Density::All(frames)),
            ReadOutcome::End | ReadOutcome::Torn | ReadOutcome::Failed(_) => return None,
        }
        bytes += packet.bytes();
        if packet.stream() == video && !packet.is_discarded() {
            frames += 1;
            let time = packet.pts()?;
            let (first, last) = span.unwrap_or((time, time));
            span = Some((first.min(time), last.max(time + packet.duration())));
        }
        if bytes > BYTES || frames > PACKETS {
            let (first, last) = span?;
            let seconds = (last - first) as f64 * unit;
            return (frames > 100 && seconds > 1.0).then(|| Density::Rate(frames as f64 / seconds));
        }
    }
}
