//! FFmpeg's timeline editing: for which frames of a clip a filter acts, as an expression of `av_expr`.

use std::ffi::CString;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use ffmpeg_next::ffi;

use super::error;
use crate::frame::{Format, Timing};

/// An expression that is right, as it was typed. What it can name, as in FFmpeg's `enable`:
///
/// | name | value |
/// |---|---|
/// | `t` | the frame's presentation time in the clip in seconds, also where a part of it is read; NAN where the clip has no time base |
/// | `n` | the frame's number in the clip, from 0, likewise |
/// | `w`, `h` | luma pixels across and down |
///
/// FFmpeg's `pos`, the place in the file, is not there: frames do not carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    text: Arc<str>,
}

impl Condition {
    /// The longest text: FFmpeg's evaluator calls itself for each term of a sum, and must not run out of stack. Some
    /// versions refuse sums of more than a hundred terms by themselves.
    const MAX_BYTES: usize = 4096;

    /// Reads an expression with FFmpeg's own parser.
    ///
    /// # Errors
    /// What is wrong with it, in FFmpeg's words; also if it is longer than 4096 bytes.
    pub fn parse(text: &str) -> Result<Self> {
        ensure!(text.len() <= Self::MAX_BYTES, "it is longer than {} bytes", Self::MAX_BYTES);
        Parsed::new(text)?;
        Ok(Self { text: text.into() })
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Gets ready for the first frame of a clip.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn watch(&self, format: &Format) -> Result<Watch> {
        let parsed = Parsed::new(&self.text).with_context(|| format!("evaluate enable={:?}", self.text))?;
        let base = format.time_base;
        let seconds = if base.den == 0 { f64::NAN } else { f64::from(base.num) / f64::from(base.den) };
        Ok(Watch { parsed, seconds, size: [format.width as f64, format.height as f64] })
    }
}

/// A condition over one clip. It has a memory, because FFmpeg's expressions can keep values from frame to frame.
pub struct Watch {
    parsed: Parsed,
    /// How long a unit of the time base is.
    seconds: f64,
    size: [f64; 2],
}

impl Watch {
    /// Whether the condition holds for the clip's next frame; asked once for each frame, in order. As in FFmpeg, it
    /// holds where the expression's magnitude is at least one half, and not where it is NAN.
    pub fn holds(&mut self, timing: &Timing) -> bool {
        let [width, height] = self.size;
        let time = timing.pts.saturating_add(timing.offset) as f64 * self.seconds;
        let value = self.parsed.value([time, timing.number as f64, width, height]);
        value.abs() >= 0.5
    }
}

/// An expression in FFmpeg's form.
struct Parsed {
    raw: NonNull<ffi::AVExpr>,
}

// SAFETY: the expression is memory of its own, which nobody else refers to and no thread keeps anything of.
unsafe impl Send for Parsed {}

impl Parsed {
    fn new(text: &str) -> Result<Self> {
        super::log::install();
        let typed = CString::new(text).context("it contains a zero byte")?;
        let names = [c"t".as_ptr(), c"n".as_ptr(), c"w".as_ptr(), c"h".as_ptr(), ptr::null()];
        let mut raw = ptr::null_mut();
        super::log::complaint();
        // SAFETY: the text and the names end with a zero, the list of names with a null, and all live through the
        // call, after which nothing refers to them; there are no functions of our own, so their lists are null.
        let code = unsafe {
            ffi::av_expr_parse(
                &mut raw,
                typed.as_ptr(),
                names.as_ptr(),
                ptr::null(),
                ptr::null(),
                ptr::null(),
                ptr::null(),
                0,
                ptr::null_mut(),
            )
        };
        let raw = NonNull::new(raw).filter(|_| code >= 0);
        raw.map(|raw| Self { raw }).with_context(|| {
            // FFmpeg's message begins with where it comes from, in brackets.
            let complaint = super::log::complaint();
            let words = complaint.as_deref().map(|line| line.split_once("] ").map_or(line, |(_, words)| words));
            words.map_or_else(|| format!("FFmpeg cannot parse it ({})", error::text(code)), error::sentence)
        })
    }

    fn value(&mut self, [t, n, w, h]: [f64; 4]) -> f64 {
        let values = [t, n, w, h, 0.0];
        // SAFETY: the expression is alive and nobody else uses it; there is a value for each name in `new`, and a zero
        // behind the last.
        unsafe { ffi::av_expr_eval(self.raw.as_ptr(), values.as_ptr(), ptr::null_mut()) }
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        // SAFETY: the expression came from `av_expr_parse` and is freed once.
        unsafe { ffi::av_expr_free(self.raw.as_ptr()) };
    }
}
