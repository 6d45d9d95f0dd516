//! A line for each frame of each repetition, for whoever wants to do his own statistics.

use anyhow::{Context, Result};

use super::repetition::Detail;
use super::timeline::Timeline;
use crate::source::FrameTime;

/// The times of all frames that were counted, in milliseconds: a column for each stage, one for the way from
/// the decoder to the output, and one for each pass; and where the clip's packets are known, whether decoding can begin with the
/// frame, and the bytes of its packet.
/// Frames are numbered by their position in the clip, so the first ones of a filter stage are missing.
///
/// # Errors
/// If a line cannot be put together.
pub fn print(details: &[Detail], passes: &[String], packets: &[FrameTime]) -> Result<String> {
    let wrong = "print the times of frames";
    let mut csv = csv::Writer::from_writer(Vec::new());
    let stages: Vec<&str> = details
        .first()
        .map_or(Vec::new(), |detail| detail.timeline.tracks.iter().map(|track| track.name.as_str()).collect());
    let mut header = vec!["repetition".to_owned(), "frame".to_owned()];
    header.extend(stages.iter().map(|stage| format!("{stage}_ms")));
    header.push("decoder_to_output_ms".to_owned());
    header.extend(passes.iter().enumerate().map(|(index, pass)| format!("pass {} {pass} ms", index + 1)));
    if !packets.is_empty() {
        header.extend(["key_frame", "packet_bytes"].map(str::to_owned));
    }
    csv.write_record(&header).context(wrong)?;
    for (repetition, detail) in details.iter().enumerate() {
        for frame in 0..detail.timeline.frames as usize {
            let Timeline { tracks, latency_us, passes, .. } = &detail.timeline;
            let columns = tracks.iter().map(|track| &track.per_frame_us).chain([latency_us]).chain(passes);
            let times = columns.map(|times| {
                let time = times.get(frame).filter(|us| !us.is_nan());
                time.map_or(String::new(), |us| format!("{:.4}", us / 1e3))
            });
            let packet = packets.get(detail.timeline.lead as usize + frame);
            let packet = packet.map(|packet| [u8::from(packet.is_key).to_string(), packet.bytes.to_string()]);
            let unknown = (!packets.is_empty()).then(Default::default);
            let line = [(repetition + 1).to_string(), (detail.timeline.lead + frame as u64).to_string()]
                .into_iter()
                .chain(times)
                .chain(packet.or(unknown).into_iter().flatten());
            csv.write_record(line).context(wrong)?;
        }
    }
    String::from_utf8(csv.into_inner().context(wrong)?).context(wrong)
}
