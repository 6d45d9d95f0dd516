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
        frame.host()?.pieces().for_each(|piece| self.0.update(piece));
        Ok(())
    }

    /// In hexadecimal.
    pub fn finish(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0.finalize().into()))
    }
}
