//! How fast decoders are that nobody waits for: each decodes all of a clip, and what it makes is thrown away.

use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};

use super::path::open_path;
use crate::libav::decoder::Decoder;
use crate::libav::input::InputContext;
use crate::libav::outcome::Outcome;
use crate::libav::packet::Packet;
use crate::libav::picture::Picture;
use crate::source::DecodeLanes;

/// Decodes all of a file by each of several decoders at once, on the host with `threads` threads each. Returns how many
/// pictures all of them made together, and how long that took from when all were open. Blocks until they are done.
///
/// # Errors
/// If the file cannot be opened or decoded, or the device does not know its codec.
pub fn decode_whole(path: &Path, lanes: &DecodeLanes, threads: usize) -> Result<(u64, Duration)> {
    let open = || -> Result<(InputContext, usize, Decoder)> {
        let input = open_path(path)?;
        let video = input.best_video().context("no video stream")?;
        let decoder = match &lanes.device {
            Some(device) => Decoder::open_on(device.lane()?, &input, video)?,
            None => Decoder::open(&input, video, threads)?,
        };
        Ok((input, video, decoder))
    };
    let start = Barrier::new(lanes.count);
    let work = || {
        let opened = open();
        start.wait();
        let began = Instant::now();
        let (mut input, video, mut decoder) = opened?;
        let (mut packet, mut picture, mut count) = (Packet::new(), Picture::new(), 0);
        loop {
            match decoder.receive(&mut picture)? {
                Outcome::Done => count += 1,
                Outcome::End => return anyhow::Ok((count, began.elapsed())),
                Outcome::Damaged(_) => {}
                Outcome::Refused => return Err(anyhow!("the GPU cannot decode it")),
                Outcome::Again => {
                    let is_packet = input.read_of(video, &mut packet);
                    decoder.send(Some(&packet).filter(|_| is_packet))?;
                }
            }
        }
    };
    ensure!(lanes.count > 0, "there are no decoders");
    let outcomes: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..lanes.count).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a decoder thread exited unexpectedly"))))
            .collect()
    });
    let (mut count, mut longest) = (0, Duration::ZERO);
    for outcome in outcomes {
        let (pictures, took) = outcome.with_context(|| format!("decode {path:?}"))?;
        count += pictures;
        longest = longest.max(took);
    }
    Ok((count, longest))
}
