//! Reads what a file stores, without decoding it: its comment, and the packets of its video.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::input::{InputContext, ReadOutcome};
use super::packet::Packet;

/// A packet as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct StoredPacket<'a> {
    /// Presentation and decoding time in the stream's time base.
    pub times: [Option<i64>; 2],
    /// Size in bytes as the container reports it.
    pub bytes: usize,
    /// Encoded data.
    pub data: &'a [u8],
}

/// The comment of a file; `None` where it has none.
///
/// # Errors
/// If the file cannot be opened as a container.
pub fn comment(path: &Path) -> Result<Option<String>> {
    Ok(InputContext::open_path(path, None)?.comment())
}

/// Passes each packet of the best video stream to `visit`, in stored order, until it breaks. Blocks while the file is read.
/// Returns `false` where `visit` broke before the end.
///
/// # Errors
/// If the file cannot be opened, has no video, or ends within a packet.
pub fn for_each_packet(path: &Path, mut visit: impl FnMut(StoredPacket<'_>) -> ControlFlow<()>) -> Result<bool> {
    let mut input = InputContext::open_path(path, None)?;
    let video = input.best_video().context("there is no video")?;
    let mut packet = Packet::new();
    loop {
        match input.read(&mut packet) {
            ReadOutcome::Packet if packet.stream() == video => {
                let times = [packet.pts(), packet.dts()];
                if visit(StoredPacket { times, bytes: packet.bytes(), data: packet.data() }).is_break() {
                    return Ok(false);
                }
            }
            ReadOutcome::Packet => {}
            ReadOutcome::End if input.io_error().is_none() => return Ok(true),
            ReadOutcome::End | ReadOutcome::Torn | ReadOutcome::Failed(_) => bail!("it ends early"),
        }
    }
}
