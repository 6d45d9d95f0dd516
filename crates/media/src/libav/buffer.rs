//! FFmpeg's counted buffers over memory of this program.

use std::ffi::c_void;

use anyhow::{Result, ensure};
use ffmpeg_next::ffi;

use super::error::NoMemory;

/// A buffer over `length` bytes from `base`, with one reference to it. `owner` keeps them, and is dropped with the last
/// reference, on whatever thread that is. FFmpeg sees the buffer as read-only.
///
/// # Errors
/// [`NoMemory`].
///
/// # Safety
/// The bytes must stay where they are for as long as the owner lives, and nobody may write them while somebody else
/// reads them.
pub(super) unsafe fn over<T: Send + Sync>(
    base: *mut u8,
    length: usize,
    owner: Box<T>,
) -> Result<*mut ffi::AVBufferRef> {
    let opaque = Box::into_raw(owner);
    // SAFETY: the caller vouches for the bytes; `release` drops the owner exactly once, with the type that it has here.
    // Without a buffer nobody else has the owner.
    unsafe {
        let buffer =
            ffi::av_buffer_create(base, length, Some(release::<T>), opaque.cast(), ffi::AV_BUFFER_FLAG_READONLY);
        if buffer.is_null() {
            drop(Box::from_raw(opaque));
        }
        ensure!(!buffer.is_null(), NoMemory);
        Ok(buffer)
    }
}

/// Drops the owner of a buffer.
unsafe extern "C" fn release<T>(opaque: *mut c_void, _data: *mut u8) {
    // SAFETY: `opaque` is the box that was given to `av_buffer_create` together with this very function.
    drop(unsafe { Box::from_raw(opaque.cast::<T>()) });
}
