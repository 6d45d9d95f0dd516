//! Strengths that follow the noise of the clip, measured in its first frames where the filter is made.

use std::sync::Arc;

use anyhow::Result;
use warpreel_cpu::Cpu;
use warpreel_engine::Scores;
use warpreel_filter::backend::Backend;
use warpreel_filter::filter::Filter;
use warpreel_filter::noise::NoiseMeter;
use warpreel_frame::{Format, Pool};

use crate::exchange::taken;
use crate::ffi::Node;

/// The scene score above which a frame is not measured any more, unless a filter says otherwise.
const CUT: f64 = 0.4;

/// How much is measured at most: seconds, frames, and bytes of frames, as by the program.
const SECONDS: f64 = 2.0;
const FRAMES: usize = 50;
const BYTES: usize = 256 << 20;

/// The filters with their strengths set for the noise of the clip's first scene. Blocks while it is measured.
///
/// # Errors
/// If frames cannot be made.
pub fn settled(clip: &Node, format: &Arc<Format>, filters: Vec<Filter>) -> Result<Vec<Filter>> {
    if !filters.iter().any(Filter::is_measured) {
        return Ok(filters);
    }
    let typed = filters.iter().filter(|filter| filter.is_measured()).map(Filter::cut);
    let threshold = typed.map(|typed| typed.unwrap_or(CUT)).fold(0.0, f64::max);
    let most = format.rate.value().map_or(FRAMES, |rate| (SECONDS * rate).ceil() as usize);
    let most = most.clamp(2, FRAMES).min((BYTES / format.packed_bytes().max(1)).max(2));
    let count = clip.info().num_frames.min(most as i32);
    let (mut meter, mut scores, pool) = (NoiseMeter::new(format), Scores::new(format), Pool::heap());
    let mut judge = Cpu::new(Arc::from([]), format.clone(), pool.clone(), 1)?;
    let mut before = None;
    for n in 0..count {
        let frame = taken(&Arc::new(clip.fetch(n)?), format, n, &pool)?;
        if let Some(before) = before.as_ref().filter(|_| threshold > 0.0) {
            let difference = judge.measure(&frame, Some(before))?;
            if scores.next(judge.read(difference)?) > threshold {
                break;
            }
        }
        meter.push(&frame)?;
        before = Some(frame);
    }
    if meter.frames() == 0 {
        return Ok(filters);
    }
    let deviations = meter.deviations();
    let settle = |filter: Filter| {
        if filter.is_measured() { filter.settled(format.pixel, &deviations) } else { filter }
    };
    Ok(filters.into_iter().map(settle).collect())
}
