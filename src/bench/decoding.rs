//! How fast a file is decoded, by how many decoders: over all of them, and by each of them for itself, which is what the
//! machine can do at best.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::schema::DecodeRate;
use super::statistic::Estimate;
use crate::backend::cuda::{DecodingGpu, Device};
use crate::frame::Pool;
use crate::libav::Strictness;
use crate::source::container::{Container, Medium, Options, decode_whole};
use crate::source::{DecodeLanes, Source};
use crate::thread::cores;

/// What is measured.
pub struct DecodeMethod {
    /// The GPU, where its decoders are wanted too.
    pub device: Option<Device>,
    /// Whether decoders in software are wanted.
    pub is_software_wanted: bool,
    /// How many decoders at a time; 0 for several numbers up to what the machine has.
    pub lanes: usize,
    /// How often each figure is measured, in turns with the others.
    pub repetitions: usize,
}

/// One row: decoders, how many, and what came of it so far, in frames a second.
struct DecodeRow {
    decoder: &'static str,
    lanes: usize,
    device: Option<Arc<DecodingGpu>>,
    together: Vec<f64>,
    apart: Vec<f64>,
}

/// Measures how fast a file is decoded. Blocks until that is done.
///
/// # Errors
/// If it cannot be opened or decoded.
pub fn measure(path: &Path, method: &DecodeMethod) -> Result<Vec<DecodeRate>> {
    let cores = cores();
    let mut rows = Vec::new();
    let mut add = |decoder, most: usize, device: Option<&Arc<DecodingGpu>>| {
        let counts = if method.lanes > 0 { vec![method.lanes] } else { counts(most) };
        rows.extend(counts.into_iter().map(|lanes| DecodeRow {
            decoder,
            lanes,
            device: device.cloned(),
            together: Vec::new(),
            apart: Vec::new(),
        }));
    };
    if method.is_software_wanted {
        add("software", cores, None);
    }
    if let Some(device) = &method.device {
        let clip = open(path)?;
        let (format, codec) = (clip.format(), clip.codec().unwrap_or_default());
        let engines = device.decodable(&codec, format.pixel, (format.width, format.height))?;
        let engines = engines.with_context(|| format!("GPU {} cannot decode {path:?}", device.ordinal))?.engines;
        add("nvdec", engines, Some(&device.decoding()));
    }
    for _ in 0..method.repetitions.max(1) {
        for row in &mut rows {
            let threads = cores.div_ceil(row.lanes);
            let lanes = || DecodeLanes { count: row.lanes, device: row.device.clone().map(|device| device as _) };
            let (pictures, took) = decode_whole(path, &lanes(), threads)?;
            row.apart.push(pictures as f64 / took.as_secs_f64());
            row.together.push(together(path, lanes())?);
        }
    }
    let rate = |row: DecodeRow| {
        let DecodeRow { decoder, lanes, together, apart, .. } = row;
        let [fps, apart_fps] = [Estimate::of(&together), Estimate::of(&apart)];
        let share = if apart_fps.median > 0.0 { fps.median / apart_fps.median } else { 0.0 };
        DecodeRate { decoder: decoder.to_owned(), lanes, fps, apart_fps, share }
    };
    Ok(rows.into_iter().map(rate).collect())
}

/// Frames a second of a file over several decoders.
fn together(path: &Path, lanes: DecodeLanes) -> Result<f64> {
    let mut clip = open(path)?;
    let count = lanes.count;
    let is_one = count == 1 && lanes.device.is_none();
    if !is_one {
        let told = clip.decode_in_lanes(lanes);
        ensure!(told.is_ok(), "{path:?} cannot be decoded by several decoders: {}", told.err().unwrap_or_default());
    }
    let (pool, began, mut frames) = (Pool::heap(), Instant::now(), 0u64);
    while clip.next_frame(&pool)?.is_some() {
        frames += 1;
    }
    Ok(frames as f64 / began.elapsed().as_secs_f64())
}

fn open(path: &Path) -> Result<Container> {
    let options = Options { strict: Strictness::Lenient, ..Options::default() };
    Container::open(Medium::Path(path.to_owned()), options)
}

/// 1, 2, 4 and so on, and the most.
fn counts(most: usize) -> Vec<usize> {
    let mut counts: Vec<_> =
        std::iter::successors(Some(1), |count| Some(2 * count)).take_while(|count| *count < most).collect();
    counts.push(most.max(1));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_decoders_end_with_the_most() {
        assert_eq!(
            [counts(1), counts(2), counts(7), counts(8)],
            [vec![1], vec![1, 2], vec![1, 2, 4, 7], vec![1, 2, 4, 8]]
        );
    }
}
