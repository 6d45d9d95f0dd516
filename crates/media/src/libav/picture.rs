//! FFmpeg's frames: decoded pictures on their way to a [`Frame`], frames lent to encoders, and the properties that
//! travel between the two.

use std::ffi::c_int;
use std::sync::Arc;

use anyhow::Result;
use ffmpeg_next::decoder::Opened;
use ffmpeg_next::{ffi, frame};

use super::error::check;
use super::fields::Fields as _;
use super::image::{PlanePointers, StoredImage};
use super::packet::{Packet, known, raw_rational};
use super::pixel::Stored;
use super::{buffer, colour, version};
use crate::frame::{Block, Bundle, Colour, FieldOrder, Frame, FrameFields, Layout, Range};
use crate::still::StillMetadata;

/// One of FFmpeg's frames.
pub(crate) struct Picture {
    inner: frame::Video,
}

/// What a container's source hangs on frames, and a container's sink takes from them.
#[derive(Default)]
pub struct Carried {
    /// Side data, metadata, and whether the frame has fields.
    pub(crate) properties: Option<Picture>,
    /// Packets of copied streams that came before this frame in the file, with their stream's index there, in their
    /// stream's time base, counted from the beginning of the clip.
    pub(crate) packets: Vec<Packet>,
    /// Camera data, where the frame was a still.
    pub(crate) still: Option<Arc<StillMetadata>>,
}

impl Picture {
    /// A frame without a picture.
    pub fn new() -> Self {
        // SAFETY: the frame is there, and nobody else has it. `ffmpeg-next` would not look whether it is.
        let inner = unsafe {
            let raw = ffi::av_frame_alloc();
            assert!(!raw.is_null(), "out of memory");
            frame::Video::wrap(raw)
        };
        Self { inner }
    }

    /// A frame of a program of its own.
    pub(super) fn from_video(inner: frame::Video) -> Self {
        Self { inner }
    }

    /// The frame for a program of its own.
    pub(super) fn into_video(self) -> frame::Video {
        self.inner
    }

    /// Side data, metadata and field flags, without the picture.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn properties(&self) -> Result<Self> {
        let mut copy = Self::new();
        // SAFETY: both frames are alive, and nobody else has the first.
        check(unsafe { ffi::av_frame_copy_props(copy.inner.as_mut_ptr(), self.inner.as_ptr()) })?;
        Ok(copy)
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        let fields = self.raw();
        (usize::try_from(fields.width).unwrap_or(0), usize::try_from(fields.height).unwrap_or(0))
    }

    /// How its pixels are stored, if this program can read them.
    pub fn stored(&self) -> Option<Stored> {
        Stored::from_number(self.raw().format)
    }

    /// Presentation time in the stream's time base, where one is known or could be guessed.
    pub fn pts(&self) -> Option<i64> {
        self.inner.timestamp()
    }

    /// In the stream's time base; 0 where unknown.
    pub fn duration(&self) -> i64 {
        known(version::duration(self.raw())).unwrap_or(0).max(0)
    }

    /// Whether the decoder had to make up some of it.
    pub fn is_damaged(&self) -> bool {
        self.raw().decode_error_flags != 0 || self.inner.is_corrupt()
    }

    /// Whether the decoder calls it corrupt, also only because a picture it refers to may not have been decoded.
    pub fn is_marked_corrupt(&self) -> bool {
        self.inner.is_corrupt()
    }

    /// Takes that mark away.
    pub fn unmark_corrupt(&mut self) {
        // SAFETY: the frame is alive, and nobody else reads or writes its fields while it is borrowed.
        unsafe { (*self.inner.as_mut_ptr()).flags &= !ffi::AV_FRAME_FLAG_CORRUPT };
    }

    /// What its colours mean.
    pub fn colour(&self) -> Colour {
        let mut colour = colour::of_frame(self.raw());
        if colour.range == Range::Unspecified && self.stored().is_some_and(Stored::is_full_range) {
            colour.range = Range::Full;
        }
        colour
    }

    /// Whether it has fields, and which comes first.
    pub fn fields_order(&self) -> FieldOrder {
        fields_order(self.raw())
    }

    /// The same, and whether it is to be shown for longer than a frame.
    pub fn frame_fields(&self) -> FrameFields {
        let (is_interlaced, top_first) = version::fields(self.raw());
        FrameFields { is_interlaced, top_first, repeats: self.raw().repeat_pict != 0 }
    }

    /// The data of one kind of side data.
    pub fn side_data(&self, kind: ffi::AVFrameSideDataType) -> Option<&[u8]> {
        // SAFETY: the frame is alive; side data that is found lives as long as it, with the size it names.
        unsafe {
            let side = ffi::av_frame_get_side_data(self.inner.as_ptr(), kind).as_ref()?;
            Some(if side.size == 0 { &[] } else { std::slice::from_raw_parts(side.data, side.size) })
        }
    }

    /// Where it lies; `None` where it is no picture that this program can read.
    pub(super) fn image(&self) -> Option<StoredImage<'_>> {
        let (stored, fields) = (self.stored()?, self.raw());
        if fields.data[0].is_null() {
            return None;
        }
        let mut planes = PlanePointers { data: [std::ptr::null_mut(); 4], linesize: [0; 4] };
        planes.data.copy_from_slice(&fields.data[..4]);
        planes.linesize.copy_from_slice(&fields.linesize[..4]);
        // SAFETY: planes come into a frame by a decoder, which gives it all rows of the size and pixel that it names, by `own`,
        // or from a program whose frame the adapter checked against its buffers; they stay as long as the frame keeps its buffers, of which `self` is borrowed.
        Some(unsafe { StoredImage::new(stored, (fields.width, fields.height), planes) })
    }

    /// The block's address if the picture lies in one buffer.
    pub(super) fn address(&self) -> Option<usize> {
        let fields = self.raw();
        if !fields.buf[1].is_null() {
            return None;
        }
        // SAFETY: a buffer that is not null is alive while its picture is.
        unsafe { fields.buf[0].as_ref() }.map(|buffer| buffer.data as usize)
    }

    /// A picture for an encoder that reads `frame` where it lies. `properties` are what came with the frame.
    ///
    /// # Errors
    /// If the frame is not on the host, frames are not stored so, or memory runs out.
    pub fn lend(frame: &Frame, stored: Stored, properties: Option<&Self>) -> Result<Self> {
        let image = StoredImage::of_frame(frame, stored)?;
        Self::describe(frame, stored, properties)?.own(image.planes(), frame.host()?.block().clone())
    }

    /// A picture for an encoder over a block that holds `like` packed as `stored`, its rows aligned.
    ///
    /// # Errors
    /// If the block is too small, or memory runs out.
    pub(super) fn over(block: Arc<Block>, like: &Frame, stored: Stored, properties: Option<&Self>) -> Result<Self> {
        let size = (like.format().width, like.format().height);
        let planes = StoredImage::within(stored, size, Layout::ALIGN_BYTES, block.bytes())?.planes();
        Self::describe(like, stored, properties)?.own(planes, block)
    }

    /// A picture without samples for an encoder: all else that it is told of `frame`, which came with `properties`.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn describe(frame: &Frame, stored: Stored, properties: Option<&Self>) -> Result<Self> {
        let mut picture = match properties {
            Some(properties) => properties.properties()?,
            None => Self::new(),
        };
        if frame.format().turn.is_none() {
            // What was turned already is not turned again.
            // SAFETY: the frame is alive, and nobody else has it.
            unsafe {
                let kind = ffi::AVFrameSideDataType::AV_FRAME_DATA_DISPLAYMATRIX;
                ffi::av_frame_remove_side_data(picture.inner.as_mut_ptr(), kind);
            }
        }
        let fields = picture.fields_mut();
        fields.format = stored.raw() as c_int;
        fields.width = frame.format().width as c_int;
        fields.height = frame.format().height as c_int;
        fields.pict_type = ffi::AVPictureType::AV_PICTURE_TYPE_NONE;
        version::forget_key(fields);
        fields.quality = 0;
        fields.repeat_pict = 0;
        fields.sample_aspect_ratio = raw_rational(frame.format().aspect).into();
        if properties.is_none() {
            let order = frame.format().fields;
            let are_two = matches!(order, FieldOrder::TopFirst | FieldOrder::BottomFirst);
            version::set_fields(fields, (are_two, order == FieldOrder::TopFirst));
        }
        Ok(picture)
    }

    /// Tags the picture as the encoder will store it.
    pub fn set_colour(&mut self, colour: Colour) {
        colour::tag_frame(self.fields_mut(), colour);
    }

    /// The quantizer of encoders that take it frame by frame, in FFmpeg's unit.
    pub fn set_quality(&mut self, quality: c_int) {
        self.fields_mut().quality = quality;
    }

    /// Presentation time and duration, in the encoder's time base.
    pub fn set_time(&mut self, pts: i64, duration: i64) {
        let fields = self.fields_mut();
        fields.pts = pts;
        version::set_duration(fields, duration);
    }

    /// Gives the picture its planes, which lie in `block`.
    fn own(mut self, planes: PlanePointers, block: Arc<Block>) -> Result<Self> {
        let (base, length) = (block.bytes().as_ptr().cast_mut(), block.bytes().len());
        // SAFETY: the block keeps its memory where it is, and lives as long as the buffer. Blocks that are shared are not
        // written any more, also not by encoders, which see the buffer as read-only.
        let buffer = unsafe { buffer::over(base, length, Box::new(block)) }?;
        let fields = self.fields_mut();
        fields.buf[0] = buffer;
        fields.data[..4].copy_from_slice(&planes.data);
        fields.linesize[..4].copy_from_slice(&planes.linesize);
        fields.extended_data = fields.data.as_mut_ptr();
        Ok(self)
    }

    /// The frame as `ffmpeg-next` has it.
    pub(super) fn inner(&self) -> &frame::Video {
        &self.inner
    }

    /// FFmpeg's structure.
    pub(super) fn raw(&self) -> &ffi::AVFrame {
        self.inner.fields()
    }

    /// Whether its samples lie on a device.
    pub fn is_on_device(&self) -> bool {
        self.raw().format == ffi::AVPixelFormat::AV_PIX_FMT_CUDA as c_int
    }

    /// Gives back what its samples lie in, if that is a device, which has few places for pictures.
    pub fn leave_device(&mut self) {
        if self.is_on_device() {
            *self = Self::new();
        }
    }

    /// Takes the next picture out of a decoder.
    pub(super) fn receive(&mut self, from: &mut Opened) -> Result<(), ffmpeg_next::Error> {
        from.receive_frame(&mut self.inner)
    }

    /// The same, to be filled in.
    pub(super) fn fields_mut(&mut self) -> &mut ffi::AVFrame {
        // SAFETY: the frame is alive while `self` is, and nobody else has it.
        unsafe { &mut *self.inner.as_mut_ptr() }
    }
}

/// Whether a frame has fields, and which comes first.
pub(super) fn fields_order(frame: &ffi::AVFrame) -> FieldOrder {
    match version::fields(frame) {
        (false, _) => FieldOrder::Progressive,
        (true, false) => FieldOrder::BottomFirst,
        (true, true) => FieldOrder::TopFirst,
    }
}

impl Carried {
    /// What came with a frame, if its source was a container.
    pub(crate) fn of(attachment: &crate::frame::Attachment) -> Option<&Self> {
        Bundle::parts(attachment).last()?.downcast_ref()
    }

    /// The packets that came with it, and with those before it that were dropped.
    pub(crate) fn packets(attachment: &crate::frame::Attachment) -> impl Iterator<Item = &Packet> {
        let parts = Bundle::parts(attachment).iter();
        parts.filter_map(|part| part.downcast_ref::<Self>()).flat_map(|carried| &carried.packets)
    }
}
