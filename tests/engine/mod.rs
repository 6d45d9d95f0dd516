//! The engine as a library's user meets it: arrays in, arrays out, and everything that the pipeline can do.

mod adjustable;
mod chosen;
mod clip;
mod example;
mod face;
mod session;
mod storage;

use std::sync::Arc;

use warpreel::frame::{Format, Frame, Pixel, Rational, Timing};

/// A small clip of moving noise, one plane of 8 bits, with a cut in the middle.
pub fn noise(format: &Arc<Format>, length: u64) -> Vec<Frame> {
    let mut state = 7u32;
    let mut sample = |number: u64, at: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let light = if number < length / 2 { 40 } else { 160 };
        (light + (at as u64 + 3 * number) % 32) as u8 + (state >> 27) as u8
    };
    let frame = |number| {
        let samples = (0..format.samples()).map(|at| sample(number, at)).collect();
        Frame::from_samples(format, Timing::at(number), samples).expect("as many samples as the format has")
    };
    (0..length).map(frame).collect()
}

/// Those of the chains that this build can read: conditions are for FFmpeg.
pub fn readable<'a>(chains: &[&'a str]) -> Vec<&'a str> {
    chains.iter().copied().filter(|chain| cfg!(feature = "libav") || !chain.contains("enable")).collect()
}

pub fn format(pixel: Pixel, width: usize, height: usize) -> Arc<Format> {
    Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)))
}

/// All samples of a frame.
pub fn bytes(frame: &Frame) -> Vec<u8> {
    let host = frame.host().expect("a frame on the host");
    (0..frame.plane_count()).flat_map(|plane| host.rows(plane).flatten()).copied().collect()
}
