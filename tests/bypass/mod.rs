//! Filters that act on a part of a clip, run as a user would: what they leave alone is what went in, and the rest is what
//! the whole filter gives.

mod part;
mod time;

use warpreel::frame::{Pixel, Sample};

use crate::agreement::Random;
use crate::program::Bench;

/// A raw clip of noise, as the program reads it.
pub struct Clip {
    pub pixel: Pixel,
    pub width: usize,
    pub height: usize,
    pub frames: usize,
    bench: Bench,
}

impl Clip {
    pub fn new(pixel: Pixel, (width, height): (usize, usize), frames: usize) -> Self {
        let clip = Self { pixel, width, height, frames, bench: Bench::new() };
        let mut random = Random::new(7);
        let mut bytes = Vec::new();
        for _ in 0..frames * clip.frame_samples() {
            match pixel.sample {
                Sample::U8 => bytes.push(random.below(256) as u8),
                Sample::U16 => bytes.extend((random.below(1 << pixel.depth) as u16).to_le_bytes()),
                Sample::F32 => bytes.extend(random.real(-0.1, 1.1).to_le_bytes()),
            }
        }
        std::fs::write(clip.bench.path("in.raw"), bytes).expect("a file");
        clip
    }

    fn spec(&self) -> String {
        let suffix = if self.pixel.sample == Sample::U8 { "" } else { "le" };
        format!("{}{suffix}:{}x{}@25", self.pixel.name(), self.width, self.height)
    }

    /// Width and height of a plane.
    pub fn plane_size(&self, plane: usize) -> (usize, usize) {
        let (w, h) = self.pixel.subsampling(plane);
        (self.width.div_ceil(1 << w), self.height.div_ceil(1 << h))
    }

    fn frame_samples(&self) -> usize {
        (0..self.pixel.planes()).map(|plane| self.plane_size(plane)).map(|(width, height)| width * height).sum()
    }

    /// Where a file of the clip's folder is.
    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.bench.path(name)
    }

    /// What a chain makes of a file of such frames.
    pub fn from(&self, input: &str, chain: &str, output: &str) -> Vec<Vec<f32>> {
        let arguments = ["-y", "--raw", &self.spec(), "--container", "raw", input, output, "-f", chain];
        self.bench.pass(&arguments);
        self.read(output)
    }

    /// What a chain makes of the clip: all samples of each frame.
    pub fn through(&self, chain: &str) -> Vec<Vec<f32>> {
        self.from("in.raw", chain, "out.raw")
    }

    /// Why a chain is refused.
    pub fn refusal(&self, chain: &str) -> String {
        self.bench.fail(&["--raw", &self.spec(), "in.raw", "null:", "-f", chain])
    }

    /// The samples of a file.
    pub fn read(&self, name: &str) -> Vec<Vec<f32>> {
        let bytes = std::fs::read(self.bench.path(name)).expect("a file");
        let samples: Vec<f32> = match self.pixel.sample {
            Sample::U8 => bytes.iter().map(|&byte| byte.into()).collect(),
            Sample::U16 => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]).into()).collect(),
            Sample::F32 => bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("4"))).collect(),
        };
        let frames: Vec<Vec<f32>> = samples.chunks(self.frame_samples()).map(<[f32]>::to_vec).collect();
        assert_eq!(frames.len(), self.frames, "one frame in, one frame out");
        frames
    }

    /// Fails unless each sample of `got` is, to the bit, what `wanted` gives for a frame, plane, row and column.
    pub fn compare(
        &self,
        got: &[Vec<f32>],
        what: &str,
        mut wanted: impl FnMut(usize, usize, usize, usize, usize) -> Want,
    ) {
        for (frame, samples) in got.iter().enumerate() {
            let mut at = 0;
            for plane in 0..self.pixel.planes() {
                let (width, height) = self.plane_size(plane);
                for y in 0..height {
                    for x in 0..width {
                        let (found, place) = (samples[at], format!("{what}: frame {frame} plane {plane} {x},{y}"));
                        match wanted(frame, plane, y, x, at) {
                            Want::Exactly(sample) => assert_eq!(found.to_bits(), sample.to_bits(), "{place}"),
                            Want::Rounded(value) if self.pixel.sample == Sample::F32 => {
                                assert!((f64::from(found) - value).abs() < 1e-6, "{place}: {found} is not {value}");
                            }
                            Want::Rounded(value) => {
                                assert!(
                                    (f64::from(found) - value).abs() < 0.5 + 0.01,
                                    "{place}: {found} is not {value}"
                                );
                            }
                        }
                        at += 1;
                    }
                }
            }
        }
    }
}

/// What a sample has to be.
pub enum Want {
    /// This one.
    Exactly(f32),
    /// The sample that is nearest to this.
    Rounded(f64),
}
