//! FFmpeg's frames: decoded pictures on their way to a [`Frame`], frames lent to encoders, and the properties that
//! travel between the two.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use anyhow::{Result, ensure};
use ffmpeg_sys_next as ffi;

use super::colour::Tags;
use super::convert::{Image, image_to_read};
use super::error::check;
use super::packet::{Packet, known, raw_rational};
use super::pixel::Stored;
use super::version;
use crate::frame::{Block, Colour, FieldOrder, Frame, Range};

/// One of FFmpeg's frames.
pub(crate) struct Picture {
    raw: *mut ffi::AVFrame,
}

// SAFETY: a frame has no tie to a thread; its buffers are counted with atomics.
unsafe impl Send for Picture {}
// SAFETY: `&Picture` only reads.
unsafe impl Sync for Picture {}

/// What a container's source hangs on frames, and a container's sink takes from them.
pub struct Carried {
    /// Side data, metadata, and whether the frame has fields.
    pub(crate) properties: Option<Picture>,
    /// Packets of copied streams that came before this frame in the file, with their stream's index there, in their
    /// stream's time base, counted from the beginning of the clip.
    pub(crate) packets: Vec<Packet>,
}

impl Picture {
    /// A frame without a picture.
    pub fn new() -> Self {
        // SAFETY: the function has no conditions.
        let raw = unsafe { ffi::av_frame_alloc() };
        assert!(!raw.is_null(), "out of memory");
        Self { raw }
    }

    /// Side data, metadata and field flags, without the picture.
    pub fn properties(&self) -> Result<Self> {
        let copy = Self::new();
        // SAFETY: both frames are alive.
        check(unsafe { ffi::av_frame_copy_props(copy.raw, self.raw) })?;
        Ok(copy)
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        let fields = self.fields();
        (usize::try_from(fields.width).unwrap_or(0), usize::try_from(fields.height).unwrap_or(0))
    }

    /// How its pixels are stored, if this program can read them.
    pub fn stored(&self) -> Option<Stored> {
        Stored::from_number(self.fields().format)
    }

    /// Presentation time in the stream's time base, where one is known or could be guessed.
    pub fn pts(&self) -> Option<i64> {
        known(self.fields().best_effort_timestamp)
    }

    /// In the stream's time base; 0 where unknown.
    pub fn duration(&self) -> i64 {
        known(version::duration(self.fields())).unwrap_or(0).max(0)
    }

    /// Whether the decoder had to make up some of it.
    pub fn is_damaged(&self) -> bool {
        self.fields().decode_error_flags != 0 || self.fields().flags & ffi::AV_FRAME_FLAG_CORRUPT != 0
    }

    /// What its colours mean.
    pub fn colour(&self) -> Colour {
        // SAFETY: the frame is alive while `self` is, and is only read.
        let mut colour = unsafe { Tags::of_frame(self.raw) }.read();
        if colour.range == Range::Unspecified && self.stored().is_some_and(Stored::is_full_range) {
            colour.range = Range::Full;
        }
        colour
    }

    /// Whether it has fields, and which comes first.
    pub fn fields_order(&self) -> FieldOrder {
        match version::fields(self.fields()) {
            (false, _) => FieldOrder::Progressive,
            (true, false) => FieldOrder::BottomFirst,
            (true, true) => FieldOrder::TopFirst,
        }
    }

    /// The data of one kind of side data.
    pub fn side_data(&self, kind: ffi::AVFrameSideDataType) -> Option<&[u8]> {
        // SAFETY: the frame is alive; side data that is found lives as long as it, with the size it names.
        unsafe {
            let side = ffi::av_frame_get_side_data(self.raw, kind).as_ref()?;
            Some(std::slice::from_raw_parts(side.data, side.size))
        }
    }

    /// Where its planes lie.
    pub fn image(&self) -> Image {
        let fields = self.fields();
        let mut image = Image { data: [std::ptr::null_mut(); 4], linesize: [0; 4] };
        image.data.copy_from_slice(&fields.data[..4]);
        image.linesize.copy_from_slice(&fields.linesize[..4]);
        image
    }

    /// A picture for an encoder that reads `frame` where it lies. `properties` are what came with the frame.
    ///
    /// # Errors
    /// If the frame is not on the host, or memory runs out.
    pub fn lend(frame: Frame, stored: Stored, properties: Option<&Self>) -> Result<Self> {
        let mut picture = Self::describe(&frame, stored, properties)?;
        let image = image_to_read(&frame)?;
        let memory = frame.host()?.bytes();
        let (base, length) = (memory.as_ptr(), memory.len());
        picture.own(image, base.cast_mut(), length, Box::new(frame))?;
        Ok(picture)
    }

    /// A picture for an encoder over a block that holds it packed as `image`.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn over(
        block: Arc<Block>,
        image: Image,
        like: &Frame,
        stored: Stored,
        properties: Option<&Self>,
    ) -> Result<Self> {
        let mut picture = Self::describe(like, stored, properties)?;
        let (base, length) = (block.bytes().as_ptr(), block.bytes().len());
        picture.own(image, base.cast_mut(), length, Box::new(block))?;
        Ok(picture)
    }

    fn describe(frame: &Frame, stored: Stored, properties: Option<&Self>) -> Result<Self> {
        let mut picture = match properties {
            Some(properties) => properties.properties()?,
            None => Self::new(),
        };
        let fields = picture.fields_mut();
        fields.format = stored.raw() as c_int;
        fields.width = frame.format().width as c_int;
        fields.height = frame.format().height as c_int;
        fields.pict_type = ffi::AVPictureType::AV_PICTURE_TYPE_NONE;
        version::forget_key(fields);
        fields.quality = 0;
        fields.repeat_pict = 0;
        fields.sample_aspect_ratio = raw_rational(frame.format().aspect);
        if properties.is_none() {
            let order = frame.format().fields;
            let are_two = matches!(order, FieldOrder::TopFirst | FieldOrder::BottomFirst);
            version::set_fields(fields, (are_two, order == FieldOrder::TopFirst));
        }
        Ok(picture)
    }

    /// Tags the picture as the encoder will store it.
    pub fn set_colour(&mut self, colour: Colour) {
        // SAFETY: the frame is alive while `self` is, and nobody else has it.
        unsafe { Tags::of_frame(self.raw) }.write(colour);
    }

    /// Presentation time and duration, in the encoder's time base.
    pub fn set_time(&mut self, pts: i64, duration: i64) {
        let fields = self.fields_mut();
        fields.pts = pts;
        version::set_duration(fields, duration);
    }

    /// Gives the picture its planes and their owner, who is dropped with the last reference to them.
    fn own<T: Send + Sync>(&mut self, image: Image, base: *mut u8, length: usize, owner: Box<T>) -> Result<()> {
        let opaque = Box::into_raw(owner);
        // SAFETY: `base` is the start of `length` bytes that live as long as the owner, who is dropped exactly once by
        // `release`, with the type that it has here. Encoders see the buffer as read-only.
        let buffer = unsafe {
            ffi::av_buffer_create(base, length, Some(release::<T>), opaque.cast(), ffi::AV_BUFFER_FLAG_READONLY)
        };
        if buffer.is_null() {
            // SAFETY: without a buffer nobody else has the owner.
            drop(unsafe { Box::from_raw(opaque) });
        }
        ensure!(!buffer.is_null(), "out of memory");
        let fields = self.fields_mut();
        fields.buf[0] = buffer;
        fields.data[..4].copy_from_slice(&image.data);
        fields.linesize[..4].copy_from_slice(&image.linesize);
        fields.extended_data = fields.data.as_mut_ptr();
        Ok(())
    }

    pub(super) fn as_ptr(&self) -> *const ffi::AVFrame {
        self.raw
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut ffi::AVFrame {
        self.raw
    }

    pub(super) fn fields(&self) -> &ffi::AVFrame {
        // SAFETY: the frame is alive while `self` is.
        unsafe { &*self.raw }
    }

    fn fields_mut(&mut self) -> &mut ffi::AVFrame {
        // SAFETY: the frame is alive while `self` is, and nobody else has it.
        unsafe { &mut *self.raw }
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: the frame belongs to `self` and is freed once.
        unsafe { ffi::av_frame_free(&mut self.raw) };
    }
}

/// Drops the owner of a buffer.
unsafe extern "C" fn release<T>(opaque: *mut c_void, _data: *mut u8) {
    // SAFETY: `opaque` is the box that was given to `av_buffer_create` together with this very function.
    drop(unsafe { Box::from_raw(opaque.cast::<T>()) });
}

impl Carried {
    /// What came with a frame, if its source was a container.
    pub(crate) fn of(attachment: &crate::frame::Attachment) -> Option<&Self> {
        attachment.downcast_ref()
    }
}
