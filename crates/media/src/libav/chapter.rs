//! Chapters: named parts of a file.

use std::ffi::{c_int, c_uint};
use std::ptr;

use anyhow::{Result, ensure};
use ffmpeg_next::{Dictionary, ffi, format};

use super::dictionary::Metadata;
use super::error::check;
use super::packet::{rational, raw_rational, rescale};
use crate::frame::Rational;

/// One chapter of a file.
#[derive(Clone)]
pub(super) struct Chapter {
    id: i64,
    time_base: Rational,
    /// In `time_base`, as the end.
    start: i64,
    end: i64,
    metadata: Metadata,
}

impl Chapter {
    /// A chapter of an input.
    pub fn of(chapter: &ffmpeg_next::Chapter<'_>) -> Self {
        Self {
            id: chapter.id(),
            time_base: rational(chapter.time_base()),
            start: chapter.start(),
            end: chapter.end(),
            metadata: Metadata::read(&chapter.metadata()),
        }
    }

    /// What of it lies in the part that begins at `start_us`, counted from there; `None` if nothing does.
    pub fn within(self, start_us: i64, length_us: Option<i64>) -> Option<Self> {
        const MICROSECOND: Rational = Rational::new(1, 1_000_000);

        let offset = rescale(start_us, MICROSECOND, self.time_base);
        let length = length_us.map_or(i64::MAX, |length| rescale(length, MICROSECOND, self.time_base));
        let (start, end) = (self.start.saturating_sub(offset), self.end.saturating_sub(offset));
        if end <= 0 && start < 0 || start >= length {
            return None;
        }
        Some(Self { start: start.max(0), end: end.min(length), ..self })
    }

    /// Adds it to an output. FFmpeg has no public function for it, and that of `ffmpeg-next` takes chapters of equal
    /// numbers for one and knows only titles. Muxers and `avformat_free_context` expect the chapter, and the list, in
    /// memory of FFmpeg's allocator.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn append(&self, output: &mut format::context::Output) -> Result<()> {
        let metadata = self.metadata.to_list()?;
        // SAFETY: the output is borrowed; the memory comes zeroed and of the right size from FFmpeg's allocator, and the
        // list grows by FFmpeg's own function. On failure the chapter is freed, and its metadata.
        unsafe {
            let output = output.as_mut_ptr();
            let chapter: *mut ffi::AVChapter = ffi::av_mallocz(size_of::<ffi::AVChapter>()).cast();
            ensure!(!chapter.is_null(), "out of memory");
            (*chapter).id = self.id;
            (*chapter).time_base = raw_rational(self.time_base).into();
            (*chapter).start = self.start;
            (*chapter).end = self.end;
            (*chapter).metadata = metadata.disown();
            let mut count = (*output).nb_chapters as c_int;
            let added = ffi::av_dynarray_add_nofree((&raw mut (*output).chapters).cast(), &mut count, chapter.cast());
            if added < 0 {
                drop(Dictionary::own(ptr::replace(&raw mut (*chapter).metadata, ptr::null_mut())));
                ffi::av_free(chapter.cast());
            }
            check(added)?;
            (*output).nb_chapters = count as c_uint;
        }
        Ok(())
    }
}
