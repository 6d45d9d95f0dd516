//! Cores and nodes.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use anyhow::{Result, bail, ensure};

use super::api::{Api, VSCore, VSNode, VideoFormat, VideoInfo};
use super::c_text;
use super::frame::Picture;

/// The core of a call.
#[derive(Clone, Copy)]
pub struct Core<'a> {
    pub(super) api: &'static Api,
    pub(super) raw: *mut VSCore,
    call: PhantomData<&'a ()>,
}

impl Core<'_> {
    /// # Safety
    /// Both are what a callback got, and the lifetime is not longer than the callback.
    pub(super) unsafe fn new(api: *const Api, raw: *mut VSCore) -> Self {
        // SAFETY: the table lives for as long as the library is loaded.
        Self { api: unsafe { &*api }, raw, call: PhantomData }
    }

    /// Writes a line to VapourSynth's log: of information, or of a warning.
    pub fn log(&self, is_warning: bool, text: &str) {
        let text = c_text(text);
        // SAFETY: the core lives as long as the call, and the text is read before this returns.
        unsafe { (self.api.log_message)(if is_warning { 2 } else { 1 }, text.as_ptr(), self.raw) };
    }

    /// Whether a format has these properties; VapourSynth fills in the rest.
    ///
    /// # Errors
    /// If it has no such format.
    pub fn format(&self, family: c_int, sample: c_int, bits: c_int, subsampling: [c_int; 2]) -> Result<VideoFormat> {
        let mut format = VideoFormat {
            color_family: 0,
            sample_type: 0,
            bits_per_sample: 0,
            bytes_per_sample: 0,
            sub_sampling_w: 0,
            sub_sampling_h: 0,
            num_planes: 0,
        };
        let [w, h] = subsampling;
        // SAFETY: the place for the format lives through the call.
        let is_known = unsafe { (self.api.query_video_format)(&mut format, family, sample, bits, w, h, self.raw) };
        ensure!(is_known != 0, "VapourSynth has no format of family {family} with {bits} bits");
        Ok(format)
    }
}

/// A node of video.
pub struct Node {
    pub(super) api: &'static Api,
    pub(super) raw: NonNull<VSNode>,
}

// SAFETY: the functions that take a node may be called from any thread, and references are counted atomically.
unsafe impl Send for Node {}
// SAFETY: as above.
unsafe impl Sync for Node {}

impl Node {
    /// # Safety
    /// The reference is the caller's own, and is not used again.
    pub(super) unsafe fn owning(api: &'static Api, raw: *mut VSNode) -> Option<Self> {
        Some(Self { api, raw: NonNull::new(raw)? })
    }

    /// What its frames are.
    pub fn info(&self) -> VideoInfo {
        // SAFETY: the node lives, and the record that is pointed to lives with it; it is copied here.
        unsafe { *(self.api.get_video_info)(self.raw.as_ptr()) }
    }

    /// Frame `n`, computed now: for functions that make filters, and never for filters. Blocks until it is there.
    ///
    /// # Errors
    /// As the node says.
    pub fn fetch(&self, n: c_int) -> Result<Picture> {
        let mut message = [0u8; 1024];
        let size = message.len() as c_int;
        // SAFETY: the node lives, and the message is as long as it is said to be.
        let raw = unsafe { (self.api.get_frame)(n, self.raw.as_ptr(), message.as_mut_ptr().cast(), size) };
        // SAFETY: the reference is the caller's.
        match unsafe { Picture::owning(self.api, raw) } {
            Some(picture) => Ok(picture),
            None => {
                let text = message.split(|byte| *byte == 0).next().unwrap_or_default();
                bail!("frame {n} of the clip: {}", String::from_utf8_lossy(text))
            }
        }
    }

    /// Gives the reference away.
    pub(super) fn into_raw(self) -> *mut VSNode {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }
}

impl Clone for Node {
    fn clone(&self) -> Self {
        // SAFETY: the node lives; what comes back is a reference of its own to the same node.
        let raw = unsafe { (self.api.add_node_ref)(self.raw.as_ptr()) };
        Self { api: self.api, raw: NonNull::new(raw).unwrap_or(self.raw) }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        // SAFETY: the reference is given back once.
        unsafe { (self.api.free_node)(self.raw.as_ptr()) };
    }
}

/// No frame.
pub(super) const NONE: *const super::api::VSFrame = ptr::null();
