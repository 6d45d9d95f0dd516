//! What is wrong with a clip: damage, an early end, frames of another kind.

use std::ffi::c_int;
use std::sync::PoisonError;

use anyhow::{Error, Result, bail, ensure};

use super::structure::FileStructure;
use super::tape::StreamTape;
use super::{Container, suspect, tail};
use crate::frame::budget::OverBudget;
use crate::libav::error::NoMemory;
use crate::libav::{Strictness, error, log};
use crate::source::{Concealing, Salvage, cut};

impl Container {
    /// Damage is described so many times, then only counted.
    const WARNINGS: usize = 20;

    /// What may be missing at the end of a damaged file before it counts as cut short: some lost packets, and an
    /// audio stream that is longer than the video.
    const LOSS_S: f64 = 1.0;

    /// All damage that the decoder has met, also in pictures that are still to be taken.
    pub(super) fn damage_known(&self) -> u64 {
        self.defects.damaged_packets + self.suspects.doubts + self.marked.max(self.concealed())
    }

    /// How many pictures decoders have mended.
    pub(super) fn concealed(&self) -> u64 {
        self.decoder.concealed() + self.ahead.mended
    }

    /// Checks the file up to where its reader is, which has returned a packet that is stored at `packet`. Where FFmpeg's reader
    /// logged an error, or the file's structure is broken, something before it is lost.
    pub(super) fn check_reader(&mut self, packet: Option<u64>) -> Result<()> {
        let complaint = log::container_complaint();
        let fault = self.structure.as_mut().and_then(|structure| {
            // Where packets were read ahead, the reader is farther.
            let reached = packet.map(|packet| packet + 1).or_else(|| self.input.place());
            structure.check(reached?, packet)
        });
        let Some(complaint) = complaint.or(fault.map(str::to_owned)) else { return Ok(()) };
        self.defects.damaged_packets += 1;
        self.report(format!("{}: the file is damaged: {complaint}", self.spot()))
    }

    /// Reports packets that the reader has marked as corrupt, once a restart of times cannot be the reason; `restarts` says
    /// whether times restart at the packet that was read.
    pub(super) fn check_marked(&mut self, is_video: bool, restarts: bool) -> Result<()> {
        let stream = self.packet.stream();
        let mut damaged = self.suspects.follow(stream, restarts);
        if self.packet.is_corrupt() && !restarts && !self.is_joined() {
            let spot = self.spot();
            match self.input.may_restart() {
                true => self.suspects.add(stream, is_video, spot),
                false => damaged.push(spot),
            }
        }
        self.report_marked(damaged)
    }

    /// Whether files were put behind each other at the packet that was read.
    fn is_joined(&self) -> bool {
        let place = self.path.as_ref().zip(self.packet.place());
        self.input.container() == "mpegts" && place.is_some_and(|(path, place)| suspect::is_joined(path, place))
    }

    /// Checks what the reader has passed at the end of the file.
    pub(super) fn check_tail(&mut self) -> Result<()> {
        let damaged = self.suspects.finish();
        self.report_marked(damaged)?;
        self.check_reader(None)
    }

    fn report_marked(&mut self, spots: Vec<String>) -> Result<()> {
        for spot in spots {
            self.defects.damaged_packets += 1;
            self.report(format!("{spot}: a packet is damaged or incomplete"))?;
        }
        Ok(())
    }

    /// Where reading is: `near frame 81 of "in.mkv", at 3.240 s`.
    pub(super) fn spot(&self) -> String {
        self.spot_at(self.timeline.reached())
    }

    /// The same for a time in the clip's unit, from the part's beginning.
    pub(super) fn spot_at(&self, time: i64) -> String {
        let time = self.timeline.offset() + time;
        let seconds = time as f64 * self.unit().value().unwrap_or(0.0);
        format!("near frame {} of {}, at {seconds:.3} s", self.position(), self.name)
    }

    /// A packet could not be decoded.
    pub(super) fn damage(&mut self, code: c_int) -> Result<()> {
        if let Some(number) = self.sequence.as_mut().and_then(|sequence| sequence.failed()) {
            return self.lose_image(number, &error::text(code));
        }
        self.defects.damaged_packets += 1;
        self.report(format!("{}: a packet is damaged: {}", self.spot(), error::text(code)))
    }

    /// Looks whether the decoder had to make up a part of this picture, or of one that it has decoded ahead.
    pub(super) fn count_mended(&mut self) -> Result<()> {
        self.marked += u64::from(self.picture.is_damaged());
        let mended = self.marked.max(self.concealed().saturating_sub(self.mended));
        if mended > self.defects.concealed_frames {
            self.defects.concealed_frames = mended;
            self.mend_image()?;
            self.report(format!("{}: the decoder concealed a damaged frame", self.spot()))?;
        }
        Ok(())
    }

    /// Says what is wrong, or fails if damage is an error.
    pub(super) fn report(&mut self, warning: String) -> Result<()> {
        if self.options.strict == Strictness::Strict {
            bail!("{warning}; leave out --strict to continue with what can be decoded");
        }
        // Packets that are damaged one behind the other at the same frame are one line.
        if self.defects.warnings.last() == Some(&warning) {
            return Ok(());
        }
        match self.defects.warnings.len() {
            count if count < Self::WARNINGS => ::log::warn!("{warning}"),
            Self::WARNINGS => {
                ::log::warn!("{}: further damage is counted, not reported", self.name);
                self.defects.warnings.push("further damage was only counted".to_owned());
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.defects.warnings.push(warning);
        Ok(())
    }

    /// How many seconds the whole file has, by its header.
    pub(super) fn whole_s(&self) -> Option<f64> {
        let stream = self.input.stream(self.video);
        let seconds = match stream.duration {
            Some(duration) => duration as f64 * stream.time_base.value()?,
            None => self.input.duration_us()? as f64 / 1e6,
        };
        Some(seconds).filter(|seconds| *seconds > 0.0)
    }

    /// How many seconds of the clip the container promises, after the cut.
    pub(super) fn promised_s(&self) -> Option<f64> {
        let total = self.whole_s()?;
        let after = (total - self.options.start.unwrap_or_default().as_secs_f64()).max(0.0);
        Some(self.options.duration.map_or(after, |duration| duration.as_secs_f64().min(after)))
    }

    /// Where damage made the demuxer lose its way: how many seconds of the promised clip did not come. A container's
    /// duration alone proves nothing, as another stream may be longer.
    fn lost_s(&self) -> Option<f64> {
        // A clock that jumps promises nothing.
        if self.seams.offset(self.video) != 0 {
            return None;
        }
        let came = self.timeline.reached().max(self.last.reached()) as f64 * self.format.time_base.value()?;
        let lost = self.promised_s()? - came;
        let is_damaged = self.damage_known() > 0 && self.options.frames.is_none();
        (is_damaged && lost > Self::LOSS_S).then_some(lost)
    }

    /// The decoder has given its last picture.
    pub(super) fn end(&mut self) -> Result<()> {
        self.is_over = true;
        // The part is complete; only frames around it are missing.
        if self.cut.is_some() {
            return Ok(());
        }
        if self.is_interrupted() {
            self.cut = Some(self.timeline.reached());
            return Ok(());
        }
        if let Some(live) = self.live.take() {
            self.end_live(&live);
            self.live = Some(live);
            return self.check_start();
        }
        let tape = self.tape.clone();
        let mut tape = tape.as_ref().map(|tape| tape.lock().unwrap_or_else(PoisonError::into_inner));
        let mut tape = tape.as_deref_mut();
        let is_torn = self.is_torn(tape.as_deref_mut());
        let mut reason = self.ending.is_early(&self.input, self.video, self.damage_known(), is_torn);
        let gap = self.sequence.as_ref().and_then(|sequence| sequence.gap);
        if let Some(gap) = gap.filter(|_| self.options.conceal == Concealing::Off) {
            reason = Some(format!("image {gap} is missing, and later ones exist"));
        }
        if let (None, Some(lost)) = (&reason, self.lost_s()) {
            reason = Some(format!("the last {lost:.1} s were lost after damage in the file"));
        }
        let Some(reason) = reason else {
            self.check_length(tape)?;
            return self.check_start();
        };
        let message = format!("{} ends early, after {} frames: {reason}", self.name, self.number);
        if self.options.salvage == Salvage::Off {
            let other = if gap.is_some() { ", or --conceal to repeat the image before what is missing" } else { "" };
            bail!("{message}; add --salvage to keep the readable part{other}");
        }
        ::log::warn!("{message}");
        self.defects.truncated = true;
        self.defects.warnings.push(message);
        self.check_start()
    }

    /// Whether the last MPEG packet is incomplete.
    fn is_torn(&self, tape: Option<&mut StreamTape>) -> bool {
        let container = self.input.container();
        match tape.filter(|tape| tape.is_over()) {
            Some(tape) => tail::is_torn(tape, &container),
            None => self.path.as_ref().is_some_and(|path| tail::is_file_torn(path, &container)),
        }
    }

    /// Looks whether the whole file came, where only its structure or its header tells.
    fn check_length(&mut self, tape: Option<&mut StreamTape>) -> Result<()> {
        let container = self.input.container();
        let place = self.input.place();
        let path = self.path.as_ref().filter(|_| self.sequence.is_none());
        let fault = match tape {
            // A reader may stop before the end of the stream; that of GIF does so behind the trailer.
            Some(tape) if tape.is_over() || container == "gif" => tail::fault(tape, &container, place),
            _ => path.and_then(|path| tail::fault_of_file(path, &container, place)),
        };
        let mut fault = fault.map(str::to_owned);
        if self.structure.as_ref().is_some_and(FileStructure::is_cut) {
            fault = Some("the container is larger than the file".to_owned());
        }
        if let (None, Some(lost_s)) = (&fault, self.unreached_s()) {
            fault = Some(format!("its header promises {lost_s:.1} s more"));
        }
        let Some(fault) = fault else { return Ok(()) };
        self.defects.truncated = true;
        self.report(format!("{} seems to end early, after {} frames: {fault}", self.name, self.number))
    }

    /// How much longer than all of its streams the clip is by its header, in seconds; `None` where that is little.
    fn unreached_s(&self) -> Option<f64> {
        // A clock that jumps promises nothing, nor does one without a packet.
        let promised = self.input.promised_us().filter(|_| !self.input.may_restart() && self.sequence.is_none())?;
        // Matroska counts from 0, others from where the file starts.
        let reached = self.ending.reached_us()?;
        let reached = reached.max(reached.saturating_sub(self.input.start_us()));
        let lost_s = (promised - reached) as f64 / 1e6;
        (lost_s > Self::LOSS_S / 2.0).then_some(lost_s)
    }

    /// Fails where a start was asked for and no frame came from there on.
    fn check_start(&self) -> Result<()> {
        ensure!(self.number > 0 || !self.timeline.has_start, cut::missed(&self.name));
        Ok(())
    }

    /// What failed at the next frame; where it was memory, with what to type.
    pub(super) fn blame(&self, error: Error) -> Error {
        let image = self.sequence.as_ref().and_then(|sequence| Some(sequence.number(self.picture.pts()?)));
        let file = image.map(|number| format!(" ({:?})", self.image_file(number))).unwrap_or_default();
        let place = format!("frame {} of {}{file}", self.position(), self.name);
        if let Some(over) = error.chain().find_map(|cause| cause.downcast_ref::<OverBudget>()) {
            // It says what to type.
            return Error::new(over.clone()).context(place);
        }
        if error.downcast_ref::<NoMemory>().is_none() {
            return error.context(place);
        }
        let fewer = if self.options.threads == 1 { "" } else { ", or decode fewer frames at a time with --threads 1" };
        error.context(format!("{place} needs more memory than is free; free some{fewer}"))
    }
}
