//! FFmpeg's lists of keys and values: options, which are this program's own, and metadata, which are anybody's.

use std::ffi::{CStr, CString};
use std::ptr;

use anyhow::{Context, Result, ensure};
use ffmpeg_next::{Dictionary, DictionaryRef, ffi};

use super::error::check;

/// Options for FFmpeg; it leaves those that nobody knew.
///
/// # Errors
/// If a key or value holds a zero byte, at which the list of `ffmpeg-next` would panic.
pub(super) fn options<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Dictionary<'static>> {
    let mut options = Dictionary::new();
    for (key, value) in pairs {
        ensure!(!key.contains('\0') && !value.contains('\0'), "set {key}={value}: the option contains a zero byte");
        options.set(key, value);
    }
    Ok(options)
}

/// Keys and values as a file has them, in their order. They are bytes, because nothing makes them UTF-8; the lists of
/// `ffmpeg-next` call them `str` all the same.
#[derive(Clone, Default)]
pub(super) struct Metadata {
    entries: Vec<(CString, CString)>,
}

impl Metadata {
    /// Keys and values of this program.
    pub fn of(entries: &[(&CStr, &CStr)]) -> Self {
        Self { entries: entries.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect() }
    }

    /// A copy of a list.
    pub fn read(list: &DictionaryRef<'_>) -> Self {
        let mut entries = Vec::new();
        let mut entry: *const ffi::AVDictionaryEntry = ptr::null();
        loop {
            // SAFETY: the list is null or borrowed for the call; the entry is null or came from it just before, and
            // one that is not null has a key and a value, which end with a zero.
            unsafe {
                entry = ffi::av_dict_get(list.as_ptr(), c"".as_ptr(), entry, ffi::AV_DICT_IGNORE_SUFFIX);
                let Some(found) = entry.as_ref() else { return Self { entries } };
                entries.push((CStr::from_ptr(found.key).to_owned(), CStr::from_ptr(found.value).to_owned()));
            }
        }
    }

    /// Keys and values as text; bytes that are no UTF-8 are replaced.
    pub fn texts(&self) -> impl Iterator<Item = (String, String)> {
        let text = |bytes: &CString| bytes.to_string_lossy().into_owned();
        self.entries.iter().map(move |(key, value)| (text(key), text(value)))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    fn place(&self, key: &CStr) -> Option<usize> {
        self.entries.iter().position(|(known, _)| known.as_bytes().eq_ignore_ascii_case(key.to_bytes()))
    }

    /// The value of a key, in small or large letters.
    pub fn get(&self, key: &CStr) -> Option<&CStr> {
        Some(&self.entries[self.place(key)?].1)
    }

    /// Forgets a key. As in FFmpeg, the last takes its place.
    pub fn remove(&mut self, key: &CStr) {
        if let Some(place) = self.place(key) {
            self.entries.swap_remove(place);
        }
    }

    /// Adds a value, or replaces that of the key.
    pub fn set(&mut self, key: &CStr, value: &CStr) {
        self.remove(key);
        self.entries.push((key.to_owned(), value.to_owned()));
    }

    /// The same as a list of FFmpeg's; of equal keys the last counts.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn to_list(&self) -> Result<Dictionary<'static>> {
        let mut raw = ptr::null_mut();
        let mut set = || {
            self.entries.iter().try_for_each(|(key, value)| {
                // SAFETY: the list began as null and only this function changes it; both texts end with a zero and are
                // copied.
                check(unsafe { ffi::av_dict_set(&mut raw, key.as_ptr(), value.as_ptr(), 0) }).map(drop)
            })
        };
        let done = set();
        // SAFETY: nobody else has the list.
        let list = unsafe { Dictionary::own(raw) };
        done.context("copy metadata").map(|()| list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What FFmpeg's own functions make of the same steps.
    #[test]
    fn metadata_keep_the_order_that_ffmpeg_gives_them() -> Result<()> {
        let mut list = options([("title", "a"), ("encoder", "b"), ("language", "c"), ("handler", "d")])?;
        let mut metadata = Metadata::read(&list);
        metadata.remove(c"Encoder");
        metadata.remove(c"nothing");
        metadata.set(c"TITLE", c"\xff");
        // SAFETY: the list is alive and belongs to this test alone; texts end with a zero.
        unsafe {
            let mut raw = list.disown();
            ffi::av_dict_set(&mut raw, c"Encoder".as_ptr(), ptr::null(), 0);
            ffi::av_dict_set(&mut raw, c"TITLE".as_ptr(), c"\xff".as_ptr(), 0);
            list = Dictionary::own(raw);
        }
        assert_eq!(metadata.entries, Metadata::read(&list).entries);
        let same = metadata.to_list()?;
        assert_eq!(metadata.entries, Metadata::read(&same).entries);
        assert_eq!(metadata.get(c"title"), Some(c"\xff"));
        assert_eq!(metadata.get(c"encoder"), None);
        Ok(())
    }

    #[test]
    fn options_with_a_zero_byte_are_errors() {
        assert!(options([("a\0", "b")]).is_err() && options([("a", "\0b")]).is_err());
    }
}
