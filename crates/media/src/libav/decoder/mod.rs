//! Packets turned into pictures.

mod frame;

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use ffmpeg_next::codec::Id;
use ffmpeg_next::decoder::Opened;
use ffmpeg_next::{Discard, decoder, ffi};

use super::codec;
use super::convert::Converter;
use super::damage::Concealments;
use super::error::{self, NoMemory, explain};
use super::fields::Fields as _;
use super::hardware::Hardware;
use super::input::InputContext;
use super::loan::{self, Loan};
use super::log;
use super::naming::{self, naming};
use super::on_device::OnDevice;
use super::opacity::with_opacity;
use super::outcome::Outcome;
use super::packet::Packet;
use super::picture::Picture;
use super::pixel::Stored;
use super::replay::Replay;
use super::unreferenced::marks_unreferenced;
use super::version;
use crate::frame::{DecodingLane, FieldOrder, Format, Pool};

/// A decoder of one video stream, on as many threads as it is told, or on a device.
pub(crate) struct Decoder {
    /// It is freed first: until then its threads use the loan, its messages name it, and it refers to the device.
    opened: Opened,
    /// Counts the pictures of which the decoder had to make up a part, by the address of the loan; so it is dropped before
    /// another decoder may have a loan there.
    concealed: Concealments,
    /// What the context's `opaque` points to.
    loan: Arc<Loan>,
    /// Whether the stream says for certain which pictures no other refers to.
    marks_unreferenced: bool,
    /// For pictures that are not stored as frames are.
    converter: Option<(Stored, Arc<Format>, Converter)>,
    device: Option<OnDevice>,
    replay: Replay,
    /// Whether decoding began in the middle of the stream, at a key frame.
    has_landed: bool,
}

impl Decoder {
    /// A decoder for a stream, on `threads` threads; 0 for one a core.
    ///
    /// # Errors
    /// If FFmpeg has no decoder for it.
    pub fn open(input: &InputContext, stream: usize, threads: usize) -> Result<Self> {
        Self::begin(input, stream, threads, None)
    }

    /// A decoder that works on a device, as far as the device knows the codec; see [`Outcome::Refused`]. Takes some tenths of
    /// a second.
    ///
    /// # Errors
    /// If FFmpeg has no decoder for the stream, or none works there.
    pub fn open_on(lane: Box<dyn DecodingLane>, input: &InputContext, stream: usize) -> Result<Self> {
        Self::begin(input, stream, 1, Some(Hardware::new(lane)?))
    }

    fn begin(input: &InputContext, stream: usize, threads: usize, hardware: Option<Hardware>) -> Result<Self> {
        let loan = Arc::new(Loan::default());
        let concealed = Concealments::new(Arc::as_ptr(&loan) as usize);
        let is_live = input.is_live();
        let stream = input.raw_stream(stream);
        let parameters = stream.parameters();
        let id = parameters.id();
        let codec = with_opacity(&stream, id)
            .or_else(|| decoder::find(id))
            .with_context(|| format!("this FFmpeg has no decoder for {}", id.name()))?;
        concealed.begin(codec::is_intra(id));
        let marks_unreferenced = marks_unreferenced(&parameters);
        let mut context = codec::context(codec)?;
        context.set_parameters(parameters).map_err(explain)?;
        context.set_frame_rate(Some(stream.avg_frame_rate()));
        let mut decoder = context.decoder();
        decoder.set_packet_time_base(stream.time_base());
        // SAFETY: the context is alive, nobody else has it, and it is not yet open; the result keeps the loan for longer.
        let raw = unsafe { &mut *decoder.as_mut_ptr() };
        raw.thread_count = c_int::try_from(threads).unwrap_or(0);
        // Each thread with a frame of its own would hold that frame back.
        raw.thread_type = if is_live { ffi::FF_THREAD_SLICE } else { ffi::FF_THREAD_FRAME | ffi::FF_THREAD_SLICE };
        // Without it frame threads would wait for each other whenever one wants memory.
        version::allow_concurrent_callbacks(raw);
        // Checksums of slices, chunks and pictures are compared where there are any.
        raw.err_recognition |= ffi::AV_EF_CRCCHECK;
        // Without it a crop at the left that is no multiple of a vector would be left out.
        raw.flags |= ffi::AV_CODEC_FLAG_UNALIGNED as c_int;
        raw.opaque = Arc::as_ptr(&loan).cast_mut().cast();
        raw.get_buffer2 = Some(loan::get_buffer);
        if let Some(hardware) = &hardware {
            hardware.serve(raw)?;
        }
        let opened = naming(naming::DECODER, || decoder.open_as(codec)).map_err(explain);
        let opened = opened.with_context(|| format!("open the decoder of {}", id.name()))?;
        let device = hardware.map(OnDevice::new);
        Ok(Self {
            opened,
            loan,
            concealed,
            marks_unreferenced,
            converter: None,
            device,
            replay: Replay::default(),
            has_landed: false,
        })
    }

    /// The same decoder, of the same stream, without the device: it begins anew where that can be done, and gives the
    /// pictures that were not given yet. Says why.
    ///
    /// # Errors
    /// If FFmpeg has no decoder for the stream, or too much would have to be decoded again.
    pub fn soften(&mut self, input: &InputContext, stream: usize, threads: usize) -> Result<String> {
        let Some(OnDevice { refusal, sent, .. }) = &mut self.device else { bail!("no GPU device") };
        let refusal = refusal.take().unwrap_or_else(|| "the reason is unknown".to_owned());
        let again = sent.take().with_context(|| {
            format!("{refusal}, and the last key frame is too far back to decode again; type --decoder software")
        })?;
        let softened = Self::open(input, stream, threads)?;
        let pool = self.loan.pool();
        let has_landed = self.has_landed;
        *self = Self { replay: self.replay.over(again), ..softened };
        if has_landed {
            self.give_unrecovered();
        }
        pool.iter().for_each(|pool| self.set_pool(pool));
        Ok(refusal)
    }

    /// Whether it works on a device.
    pub fn is_on_device(&self) -> bool {
        self.device.is_some()
    }

    /// Leaves out pictures that are shown before then, and what is wrong with them, as of those before a key frame at which
    /// decoding begins.
    pub fn begin_at(&mut self, pts: i64) {
        self.replay.begin_at(pts);
    }

    /// Begins in the middle of the stream, at a key frame that is shown at `pts` and is the next packet: leaves out the
    /// pictures that need what was not decoded. In H.264 a key frame may promise only that pictures recover later on.
    pub fn land(&mut self, pts: Option<i64>) {
        let marks_recovery = self.opened.id() == Id::H264;
        self.replay.land(pts, marks_recovery);
        if marks_recovery {
            self.give_unrecovered();
        }
    }

    /// Has FFmpeg give pictures that have not recovered, with a mark. Otherwise it drops each that is decoded before the key
    /// frame is given, also those behind the key frame, which are whole.
    fn give_unrecovered(&mut self) {
        self.has_landed = true;
        // SAFETY: the context is open and nobody else has it; its threads take over the flag with the next packet.
        unsafe { (*self.opened.as_mut_ptr()).flags |= ffi::AV_CODEC_FLAG_OUTPUT_CORRUPT as c_int };
    }

    /// From now on pictures are decoded into memory of this pool, where the codec can.
    pub fn set_pool(&mut self, pool: &Pool) {
        self.loan.set_pool(pool);
    }

    /// The pool that it was given last.
    pub fn pool(&self) -> Option<Pool> {
        self.loan.pool()
    }

    /// Whether pictures to which no other refers are left out of the packets that are given from now on. Where it is not
    /// certain which those are, none is.
    pub fn spare_unreferenced(&mut self, is_on: bool) {
        let is_on = is_on && self.marks_unreferenced;
        self.opened.skip_frame(if is_on { Discard::NonReference } else { Discard::Default });
    }

    /// Gives it a packet; `None` once after the last.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn send(&mut self, packet: Option<&Packet>) -> Result<Outcome> {
        if self.replay.hold(packet)? {
            return Ok(Outcome::Done);
        }
        if let (Some(packet), Some(device)) = (packet, &mut self.device) {
            device.sent.push(packet, self.replay.given())?;
        }
        self.pass_on(packet)
    }

    fn pass_on(&mut self, packet: Option<&Packet>) -> Result<Outcome> {
        if self.device.is_some() {
            log::codec_complaint();
        }
        self.concealed.begin_packet();
        let sent = match packet {
            Some(packet) => self.opened.send_packet(packet.inner()),
            None => self.opened.send_eof(),
        };
        let outcome = self.outcome(sent)?;
        let is_wanted = packet.is_none_or(|packet| self.replay.is_wanted(packet.pts()));
        Ok(self.judged(outcome, is_wanted, None))
    }

    /// Takes a picture. One that is refused is given back to the device.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub fn receive(&mut self, picture: &mut Picture) -> Result<Outcome> {
        loop {
            let received = picture.receive(&mut self.opened);
            let outcome = self.outcome(received)?;
            match outcome {
                Outcome::Again => {
                    let Some((packet, is_last)) = self.replay.next() else { return Ok(outcome) };
                    let sent = self.pass_on(Some(&packet))?;
                    if is_last {
                        self.pass_on(None)?;
                    }
                    if sent != Outcome::Done {
                        return Ok(sent);
                    }
                }
                Outcome::Done if !self.is_whole(picture) || !self.replay.is_wanted(picture.pts()) => {}
                Outcome::Done => {
                    let pts = picture.pts();
                    let judged = self.judged(outcome, true, Some(picture));
                    if let Some(device) = self.device.as_mut().filter(|_| pts.is_none()) {
                        device.sent.give_up();
                    }
                    self.concealed.settle();
                    match judged {
                        Outcome::Done => self.replay.give(pts),
                        // No picture outlives the device that is left now.
                        _ => picture.leave_device(),
                    }
                    return Ok(judged);
                }
                _ => return Ok(self.judged(outcome, true, None)),
            }
        }
    }

    /// Whether a picture is whole although decoding began in the middle of the stream. One that is loses FFmpeg's mark.
    fn is_whole(&mut self, picture: &mut Picture) -> bool {
        let is_whole = self.replay.is_whole(picture.pts(), picture.is_marked_corrupt());
        if is_whole && self.has_landed {
            picture.unmark_corrupt();
        }
        is_whole
    }

    fn judged(&mut self, outcome: Outcome, is_wanted: bool, picture: Option<&Picture>) -> Outcome {
        self.device.as_mut().map_or(outcome, |device| device.judged(outcome, is_wanted, picture))
    }

    /// What a code of FFmpeg's means. That a picture had no memory comes before all else: decoders may call it damaged,
    /// or leave it out and say nothing.
    fn outcome(&self, result: Result<(), ffmpeg_next::Error>) -> Result<Outcome> {
        if let Some(error) = self.loan.failure() {
            return Err(error);
        }
        match result.map_or_else(c_int::from, |()| 0) {
            0.. => Ok(Outcome::Done),
            error::AGAIN => Ok(Outcome::Again),
            error::END => Ok(Outcome::End),
            code @ error::NO_MEMORY => Err(error::error(code).context(NoMemory)),
            code => Ok(Outcome::Damaged(self.concealed.given_up(code))),
        }
    }

    /// How many pictures the decoder has mended so far; some of them are still to be taken.
    pub fn concealed(&self) -> u64 {
        self.concealed.count()
    }

    /// Makes ready for another place of the file, where a key frame comes next: forgets all that it was given, unless the key
    /// frame does that by itself. On a GPU a decoder of H.264 would be made anew, which takes some hundredths of a second.
    pub fn leap(&mut self, key: &Packet) {
        if self.replay.is_ended() || self.opened.id() != Id::H264 || !key.is_h264_idr() {
            self.opened.flush();
        }
        self.forget();
    }

    /// Forgets all that it was given, for another place of the file.
    pub fn flush(&mut self) {
        self.opened.flush();
        self.forget();
    }

    fn forget(&mut self) {
        self.concealed.restart();
        self.replay = Replay::default();
        if let Some(device) = &mut self.device {
            device.sent.clear();
        }
    }

    /// Whether the stream says that it has fields, and which comes first.
    pub fn field_order(&self) -> FieldOrder {
        match self.opened.fields().field_order {
            ffi::AVFieldOrder::AV_FIELD_PROGRESSIVE => FieldOrder::Progressive,
            ffi::AVFieldOrder::AV_FIELD_TT | ffi::AVFieldOrder::AV_FIELD_BT => FieldOrder::TopFirst,
            ffi::AVFieldOrder::AV_FIELD_BB | ffi::AVFieldOrder::AV_FIELD_TB => FieldOrder::BottomFirst,
            ffi::AVFieldOrder::AV_FIELD_UNKNOWN => FieldOrder::Unspecified,
        }
    }

    /// The size and pixel of a stream of which no picture was decoded yet.
    pub fn announced(&self) -> Option<(Stored, usize, usize)> {
        let context = self.opened.fields();
        let stored = Stored::from_number(context.pix_fmt as c_int)?;
        Some((stored, usize::try_from(context.width).ok()?, usize::try_from(context.height).ok()?))
    }
}
