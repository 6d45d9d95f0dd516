//! A line for each frame of each repetition, for whoever wants to do his own statistics.

use std::path::Path;

use anyhow::{Context, Result};

use super::repetition::Detail;

/// Writes the times of all frames that were counted, in milliseconds: a column for each stage, and one for each pass.
/// Frames are numbered by their position in the clip, so the first ones of a filter stage are missing.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, details: &[Detail], passes: &[String]) -> Result<()> {
    let wrong = || format!("write the times of frames to {path:?}");
    let mut csv = csv::Writer::from_path(path).with_context(wrong)?;
    let stages: Vec<&str> = details
        .first()
        .map_or(Vec::new(), |detail| detail.timeline.tracks.iter().map(|track| track.name.as_str()).collect());
    let mut header = vec!["repetition".to_owned(), "frame".to_owned()];
    header.extend(stages.iter().map(|stage| format!("{stage}_ms")));
    header.extend(passes.iter().enumerate().map(|(index, pass)| format!("pass {} {pass} ms", index + 1)));
    csv.write_record(&header).with_context(wrong)?;
    for (repetition, detail) in details.iter().enumerate() {
        for frame in 0..detail.timeline.frames as usize {
            let columns = detail.timeline.tracks.iter().map(|track| &track.per_frame_us).chain(&detail.timeline.passes);
            let times = columns.map(|times| {
                let time = times.get(frame).filter(|us| !us.is_nan());
                time.map_or(String::new(), |us| format!("{:.4}", us / 1e3))
            });
            let line = [(repetition + 1).to_string(), (detail.timeline.lead + frame as u64).to_string()]
                .into_iter()
                .chain(times);
            csv.write_record(line).with_context(wrong)?;
        }
    }
    csv.flush().with_context(wrong)
}
