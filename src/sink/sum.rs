//! The checksum of frames one after the other.

use anyhow::Result;
use md5::{Digest, Md5};

use crate::frame::Frame;

/// The MD5 of the samples of all frames one after the other, planar and without padding, as `ffmpeg -f md5` prints it of
/// rawvideo.
#[derive(Clone, Default)]
pub struct FrameSum(Md5);

impl FrameSum {
    /// Takes one frame more.
    ///
    /// # Errors
    /// If its samples are not in the host's memory.
    pub fn add(&mut self, frame: &Frame) -> Result<()> {
        let samples = frame.host()?;
        match samples.packed_bytes() {
            Some(samples) => self.0.update(samples),
            None => {
                let rows = (0..frame.plane_count()).flat_map(|plane| samples.rows(plane));
                rows.for_each(|row| self.0.update(row));
            }
        }
        Ok(())
    }

    /// In hexadecimal.
    pub fn finish(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0.finalize().into()))
    }
}
