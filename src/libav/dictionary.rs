//! FFmpeg's lists of keys and values: options and metadata.

use std::ffi::{CStr, CString};
use std::ptr;

use anyhow::{Context, Result};
use ffmpeg_sys_next as ffi;

use super::error::check;

/// An owned list of options.
pub(crate) struct Dictionary {
    raw: *mut ffi::AVDictionary,
}

impl Dictionary {
    pub fn new() -> Self {
        Self { raw: ptr::null_mut() }
    }

    /// Adds a value, or replaces the one of that key.
    ///
    /// # Errors
    /// If key or value holds a zero byte, or memory runs out.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        set(&mut self.raw, key, value)
    }

    /// Where FFmpeg takes options from, leaving those that nobody knew.
    pub(super) fn as_mut_ptr(&mut self) -> *mut *mut ffi::AVDictionary {
        &mut self.raw
    }

    /// The keys that are left.
    pub fn keys(&self) -> Vec<String> {
        // SAFETY: the dictionary is alive while `self` is.
        unsafe { entries(self.raw) }.into_iter().map(|(key, _)| key).collect()
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        // SAFETY: the dictionary belongs to `self` and is freed once; null is allowed.
        unsafe { ffi::av_dict_free(&mut self.raw) };
    }
}

/// Sets a key of a dictionary that belongs to one of FFmpeg's structures.
pub(super) fn set(dictionary: &mut *mut ffi::AVDictionary, key: &str, value: &str) -> Result<()> {
    let (raw_key, raw_value) = (CString::new(key)?, CString::new(value)?);
    // SAFETY: both are strings that end with a zero and are copied by the function.
    check(unsafe { ffi::av_dict_set(dictionary, raw_key.as_ptr(), raw_value.as_ptr(), 0) })
        .with_context(|| format!("set {key}={value}"))?;
    Ok(())
}

/// All keys and values.
///
/// # Safety
/// The dictionary must be null or alive.
pub(super) unsafe fn entries(dictionary: *const ffi::AVDictionary) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let mut entry: *const ffi::AVDictionaryEntry = ptr::null();
    loop {
        // SAFETY: the caller vouches for the dictionary; the entry is null or came from it.
        entry = unsafe { ffi::av_dict_get(dictionary, c"".as_ptr(), entry, ffi::AV_DICT_IGNORE_SUFFIX) };
        // SAFETY: an entry that is not null is alive while the dictionary is.
        let Some(found) = (unsafe { entry.as_ref() }) else { return entries };
        // SAFETY: keys and values are strings that end with a zero.
        let text = |raw| unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned();
        entries.push((text(found.key), text(found.value)));
    }
}
