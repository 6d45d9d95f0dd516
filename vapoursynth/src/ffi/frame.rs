//! Frames: given out, which are read where they are, and new ones, which are written where they are.

use std::ffi::{CStr, c_int};
use std::ptr::NonNull;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use super::api::{Api, VSFrame, VideoFormat};
use super::map::{self, Arguments};
use super::node::Core;
use warpreel_frame::Memory;

/// A frame that was given out: nobody writes it any more.
pub struct Picture {
    api: &'static Api,
    raw: NonNull<VSFrame>,
}

// SAFETY: a frame that was given out is only read, and its functions may be called from any thread.
unsafe impl Send for Picture {}
// SAFETY: as above.
unsafe impl Sync for Picture {}

impl Picture {
    /// # Safety
    /// The reference is the caller's own, and is not used again.
    pub(super) unsafe fn owning(api: &'static Api, raw: *const VSFrame) -> Option<Self> {
        Some(Self { api, raw: NonNull::new(raw.cast_mut())? })
    }

    /// What its samples are, and its width and height.
    pub fn format(&self) -> (VideoFormat, c_int, c_int) {
        // SAFETY: the frame lives, and so does the record of its format, which is copied here.
        unsafe {
            let raw = self.raw.as_ptr();
            let format = *(self.api.get_video_frame_format)(raw);
            (format, (self.api.get_frame_width)(raw, 0), (self.api.get_frame_height)(raw, 0))
        }
    }

    /// A property that is a whole number.
    pub fn property(&self, name: &str) -> Option<i64> {
        // SAFETY: the frame lives, and its map of properties with it; the lifetime is that of the borrow.
        let properties: Arguments<'_> = unsafe {
            let map = (self.api.get_frame_properties_ro)(self.raw.as_ptr());
            map::Arguments::new(self.api, map)
        };
        properties.integer(name)
    }

    /// A property that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        // SAFETY: as above.
        let properties: Arguments<'_> = unsafe {
            let map = (self.api.get_frame_properties_ro)(self.raw.as_ptr());
            map::Arguments::new(self.api, map)
        };
        properties.numbers(name).first().copied()
    }

    /// The strides of some planes in bytes, and their memory, a piece for each; in this order.
    ///
    /// # Errors
    /// If there is no such plane.
    pub fn memory(self: &Arc<Self>, planes: &[usize]) -> Result<(Vec<usize>, impl Memory + use<>)> {
        let raw = self.raw.as_ptr();
        // SAFETY: the frame lives; a plane beyond its last gives null.
        let place = |plane: c_int| unsafe { ((self.api.get_read_ptr)(raw, plane), extent(self.api, raw, plane)) };
        let (count, mut strides, mut pieces) = (self.format().0.num_planes, Vec::new(), Vec::new());
        for &plane in planes {
            let plane = c_int::try_from(plane).unwrap_or(c_int::MAX);
            ensure!(plane < count, "the frame has {count} planes");
            let (start, (stride, bytes)) = place(plane);
            pieces.push((NonNull::new(start.cast_mut()).context("the frame has no samples")?, bytes));
            strides.push(stride);
        }
        Ok((strides, Lent { pieces, _picture: self.clone() }))
    }

    /// Gives the reference away.
    pub(super) fn into_raw(self) -> *const VSFrame {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: the reference is given back once.
        unsafe { (self.api.free_frame)(self.raw.as_ptr()) };
    }
}

/// The stride of a plane that there is, and the bytes of its rows.
///
/// # Safety
/// The frame lives and has the plane.
unsafe fn extent(api: &Api, raw: *const VSFrame, plane: c_int) -> (usize, usize) {
    // SAFETY: as the caller promises.
    let (stride, height) = unsafe { ((api.get_stride)(raw, plane), (api.get_frame_height)(raw, plane)) };
    let stride = usize::try_from(stride).unwrap_or(0);
    (stride, stride.saturating_mul(usize::try_from(height).unwrap_or(0)))
}

/// The planes of a frame that was given out.
struct Lent {
    pieces: Vec<(NonNull<u8>, usize)>,
    _picture: Arc<Picture>,
}

// SAFETY: the memory belongs to a frame that is kept here, and no thread writes it.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

// SAFETY: the planes stay where they are for as long as the frame lives, which is kept, and nobody writes them; planes lie
// apart. There is nothing to be written.
unsafe impl Memory for Lent {
    fn bytes(&self) -> &[u8] {
        self.piece(0).unwrap_or_default()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut []
    }

    fn piece(&self, index: usize) -> Option<&[u8]> {
        let (start, bytes) = *self.pieces.get(index)?;
        // SAFETY: a plane is `height` rows of `stride` bytes from its pointer on.
        Some(unsafe { std::slice::from_raw_parts(start.as_ptr(), bytes) })
    }

    fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        self.pieces.iter().map(|_| <&mut [u8]>::default()).collect()
    }
}

/// What a property of a new frame is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Property {
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
}

/// A new frame, which is written before it is given out.
pub struct Canvas {
    api: &'static Api,
    raw: NonNull<VSFrame>,
}

// SAFETY: a new frame belongs to whoever made it, in any thread.
unsafe impl Send for Canvas {}
// SAFETY: what a shared reference allows is asking where its planes are, and that only once (`Canvas::new`).
unsafe impl Sync for Canvas {}

impl Canvas {
    /// A frame of a format and size, with the properties of another but for `changed`; the strides of its planes in bytes; and
    /// their memory, a piece for each. Planes are in the order of `planes`. Samples are whatever memory held.
    ///
    /// # Errors
    /// If VapourSynth makes no such frame.
    pub fn new(
        core: Core<'_>,
        (format, width, height): (VideoFormat, c_int, c_int),
        properties: &Picture,
        changed: &[(&CStr, Property)],
        planes: &[usize],
    ) -> Result<(Arc<Self>, Vec<usize>, impl Memory + use<>)> {
        let api = core.api;
        // SAFETY: the core and the frame live, and the format is one that VapourSynth gave for a node or a frame.
        let raw = unsafe { (api.new_video_frame)(&format, width, height, properties.raw.as_ptr(), core.raw) };
        let raw = NonNull::new(raw).context("VapourSynth made no frame")?;
        let canvas = Arc::new(Self { api, raw });
        for (name, value) in changed {
            // SAFETY: the frame lives, and nobody else has seen it; its properties live with it. 0 replaces what is there.
            unsafe {
                let properties = (api.get_frame_properties_rw)(raw.as_ptr());
                match *value {
                    Property::Int(value) => (api.map_set_int)(properties, name.as_ptr(), value, 0),
                    Property::Float(value) => (api.map_set_float)(properties, name.as_ptr(), value, 0),
                };
            }
        }
        let (mut strides, mut pieces) = (Vec::new(), Vec::new());
        for (at, &plane) in planes.iter().enumerate() {
            ensure!(!planes[..at].contains(&plane), "plane {plane} is named twice");
            let plane = c_int::try_from(plane).unwrap_or(c_int::MAX);
            ensure!(plane < format.num_planes, "the frame has {} planes", format.num_planes);
            // SAFETY: the frame lives, has the plane, and nobody else has seen it.
            let (start, (stride, bytes)) =
                unsafe { ((api.get_write_ptr)(raw.as_ptr(), plane), extent(api, raw.as_ptr(), plane)) };
            pieces.push((NonNull::new(start).context("the new frame has no samples")?, bytes));
            strides.push(stride);
        }
        Ok((canvas.clone(), strides, Blank { pieces, _canvas: canvas }))
    }

    /// The frame, complete. It fails where its memory is still held by somebody who might write it.
    ///
    /// # Errors
    /// See above.
    pub fn finish(self: Arc<Self>) -> Result<Picture> {
        let canvas = Arc::into_inner(self).context("the new frame is still being written")?;
        let (api, raw) = (canvas.api, canvas.raw);
        std::mem::forget(canvas);
        Ok(Picture { api, raw })
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        // SAFETY: the reference is given back once.
        unsafe { (self.api.free_frame)(self.raw.as_ptr()) };
    }
}

/// The planes of a new frame.
struct Blank {
    pieces: Vec<(NonNull<u8>, usize)>,
    _canvas: Arc<Canvas>,
}

// SAFETY: the memory belongs to a frame that is kept here, and there is one such value for each frame.
unsafe impl Send for Blank {}
// SAFETY: as above.
unsafe impl Sync for Blank {}

// SAFETY: the planes stay where they are for as long as the frame lives, which is kept; they lie apart, and nobody else reads or
// writes them until this value is dropped, before which `Canvas::finish` gives nothing out. Any bytes are samples.
unsafe impl Memory for Blank {
    fn bytes(&self) -> &[u8] {
        self.piece(0).unwrap_or_default()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.pieces_mut().into_iter().next().unwrap_or_default()
    }

    fn piece(&self, index: usize) -> Option<&[u8]> {
        let (start, bytes) = *self.pieces.get(index)?;
        // SAFETY: a plane is `height` rows of `stride` bytes from its pointer on.
        Some(unsafe { std::slice::from_raw_parts(start.as_ptr(), bytes) })
    }

    fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        let piece = |&(start, bytes): &(NonNull<u8>, usize)| {
            // SAFETY: as above, and no two planes share a byte.
            unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), bytes) }
        };
        self.pieces.iter().map(piece).collect()
    }
}
