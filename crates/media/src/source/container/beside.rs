//! A container whose pictures are decoded elsewhere: by several decoders side by side, on the host or on a device. It reads
//! the file itself for everything else, and keeps in step with them.

use std::sync::atomic::AtomicU64;

use anyhow::Result;

use super::budget::FrameBudget;
use super::lane::{LaneEvent, LanePicture, LaneStream};
use super::parallel::ParallelDecoder;
use super::{Container, PacketRead};
use crate::frame::Pool;
use crate::source::DecodeLanes;

impl Container {
    /// Frames that wait for those before them take so many bytes of the host at most.
    const ROOM_BYTES: usize = 1 << 30;

    /// So many of them wait for each decoder at most. Decoders that are equally fast and end their segments one after the
    /// other have half a segment waiting each; encoders make one of 250 pictures unless told otherwise.
    const LANE_FRAMES: usize = 192;

    /// As the source's.
    pub(super) fn lane(&mut self, lanes: DecodeLanes) -> Result<(), &'static str> {
        if self.path.is_none() {
            return Err("a pipe is read once");
        }
        if self.sequence.is_some() {
            return Err("each image is a separate file");
        }
        // Pictures are told apart by their times.
        match (self.input.may_restart(), &lanes.device) {
            (true, Some(_)) => return Err("timestamps may restart in such a file; pipe it in instead"),
            (true, None) => {
                log::info!("{}: timestamps may restart in such a file, so one decoder decodes it", self.name)
            }
            (false, _) => self.ahead.lanes = Some(lanes),
        }
        Ok(())
    }

    /// Makes ready for the first frame.
    pub(super) fn begin_ahead(&mut self, pool: &Pool) {
        if self.ahead.lanes.is_some() {
            self.ahead.pool = Some(pool.clone());
            // The picture that told what the clip is comes again.
            (self.is_ready, self.placed) = (false, None);
        }
    }

    /// The next picture of the decoders beside; `false` at the end, or where the user asked to stop.
    pub(super) fn take_ahead(&mut self) -> Result<bool> {
        loop {
            if self.is_interrupted() {
                return Ok(false);
            }
            let decoder = match &mut self.ahead.decoder {
                Some(decoder) => decoder,
                None => {
                    let started = self.start_ahead()?;
                    self.ahead.decoder.insert(started)
                }
            };
            match decoder.next() {
                Some(LaneEvent::Picture(picture)) => {
                    let LanePicture { picture, frame } = *picture;
                    (self.picture, self.lifted) = (picture, Some(frame));
                    let pts = self.picture.pts();
                    self.read_beside(pts)?;
                    return Ok(true);
                }
                Some(LaneEvent::Damaged(code)) => self.damage(code)?,
                Some(LaneEvent::Mended(count)) => self.ahead.mended += count,
                Some(LaneEvent::Softened(reason)) => self.tell_softened(&reason),
                Some(LaneEvent::Failed(error)) => return Err(self.blame(error)),
                Some(LaneEvent::End) => {}
                None => {
                    self.read_beside(Some(i64::MAX))?;
                    return Ok(false);
                }
            }
        }
    }

    fn start_ahead(&self) -> Result<ParallelDecoder> {
        let lanes = self.ahead.lanes.clone().unwrap_or(DecodeLanes { count: 1, device: None });
        let room = lanes.device.as_ref().map_or(Self::ROOM_BYTES, |device| device.room_bytes());
        let most = (room / self.format.packed_bytes().max(1)).min(lanes.count * Self::LANE_FRAMES) as u64;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = match self.options.threads {
            0 => cores.div_ceil(lanes.count),
            threads => threads.div_ceil(lanes.count),
        };
        let stream = LaneStream {
            path: self.path.clone().unwrap_or_default(),
            video: self.video,
            format: self.format.clone(),
            pool: self.ahead.pool.clone().unwrap_or_else(Pool::heap),
            device: lanes.device,
            threads,
            budget: FrameBudget::new(most.max(2 * lanes.count as u64)),
            refusals: AtomicU64::new(0),
        };
        ParallelDecoder::start(stream, lanes.count, self.ahead.landing, &self.ahead.gauges)
    }

    /// Reads the file for what is no video, up to what is decoded with a picture that is shown at `pts`, and as far as it
    /// has been read for a picture before.
    fn read_beside(&mut self, pts: Option<i64>) -> Result<()> {
        let Some(pts) = pts else { return Ok(()) };
        while !self.ending.is_reached() && self.ahead.read.is_none_or(|read| read < pts) {
            if let PacketRead::Video = self.read()? {
                self.ahead.read = self.packet.dts().or(self.packet.pts()).max(self.ahead.read);
            }
        }
        Ok(())
    }

    /// Goes on where a device cannot.
    pub(super) fn soften(&mut self) -> Result<()> {
        self.picture.leave_device();
        let softened = self.decoder.soften(&self.input, self.video, self.options.threads);
        let reason = softened.map_err(|error| self.blame(error))?;
        self.tell_softened(&reason);
        Ok(())
    }

    /// Says that a device decodes no more, and why.
    fn tell_softened(&self, reason: &str) {
        let (name, number) = (&self.name, self.position());
        log::warn!("{name}: the GPU cannot decode near frame {number} ({reason}); decoding there on the CPU");
    }
}
