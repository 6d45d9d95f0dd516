//! libswscale between two pixel formats of one size.

use std::ffi::c_int;

use anyhow::{Context, Result, anyhow};
use ffmpeg_next::ffi;
use ffmpeg_next::software::scaling::{self, Flags};

use super::error::check;
use super::image::{StoredImage, StoredImageMut};
use super::pixel::Stored;
use crate::frame::{Format, Range};

/// libswscale at its most exact, and the same on every machine.
const EXACT: Flags = Flags::BICUBIC
    .union(Flags::ACCURATE_RND)
    .union(Flags::BITEXACT)
    .union(Flags::FULL_CHR_H_INT)
    .union(Flags::FULL_CHR_H_INP);

/// Turns pictures of one pixel format and size into another.
pub(super) struct Scaler {
    context: scaling::Context,
    from: Stored,
    to: Stored,
    width: c_int,
    height: c_int,
}

// SAFETY: the context has no tie to the thread that made it, and only one thread at a time can have the `&mut`.
unsafe impl Send for Scaler {}

impl Scaler {
    /// From pictures of one pixel format and this size to another, without a word on their colours.
    ///
    /// # Errors
    /// If libswscale cannot do it.
    pub fn between(from: Stored, to: Stored, format: &Format) -> Result<Self> {
        let (width, height) = (u32::try_from(format.width)?, u32::try_from(format.height)?);
        // What only its name calls full range would be converted: ranges are given apart.
        let known = |stored: Stored| stored.known_without_range();
        let context = scaling::Context::get(known(from), width, height, known(to), width, height, EXACT)
            .map_err(|_| anyhow!("libswscale cannot turn {} into {}", from.name(), to.name()))?;
        Ok(Self { context, from, to, width: c_int::try_from(width)?, height: c_int::try_from(height)? })
    }

    /// What it reads.
    pub fn from(&self) -> Stored {
        self.from
    }

    /// What it writes.
    pub fn to(&self) -> Stored {
        self.to
    }

    /// Says what the colours mean: the code point of the matrix, and the ranges of both sides.
    pub fn set_colours(&mut self, matrix: u8, from: Range, to: Range) {
        let full = |range| c_int::from(range == Range::Full);
        let matrix = match matrix {
            1 => ffi::SWS_CS_ITU709,
            7 => ffi::SWS_CS_SMPTE240M,
            9 | 10 => ffi::SWS_CS_BT2020,
            _ => ffi::SWS_CS_ITU601,
        };
        // SAFETY: the context is alive, and nobody else uses it; the table of coefficients lives as long as the program.
        unsafe {
            let (context, table) = (self.context.as_mut_ptr(), ffi::sws_getCoefficients(matrix));
            // Not supported between formats of one colour family, where it is not needed either.
            ffi::sws_setColorspaceDetails(context, table, full(from), table, full(to), 0, 1 << 16, 1 << 16);
        }
    }

    /// Turns a whole picture.
    ///
    /// # Errors
    /// If either is another kind of picture, or libswscale fails.
    pub fn run(&mut self, from: &StoredImage<'_>, to: &mut StoredImageMut<'_>) -> Result<()> {
        from.ensure_is(self.from, self.width, self.height)?;
        to.as_image().ensure_is(self.to, self.width, self.height)?;
        let (source, target) = (from.planes(), to.as_image().planes());
        let data = source.data.map(<*mut u8>::cast_const);
        // SAFETY: both are pictures of the context's formats and size, the second one writable, and the context is alive.
        // `ffmpeg-next` does this only with frames, and forgets whether it failed.
        let rows = unsafe {
            let (from, to) = (source.linesize.as_ptr(), target.linesize.as_ptr());
            ffi::sws_scale(self.context.as_mut_ptr(), data.as_ptr(), from, 0, self.height, target.data.as_ptr(), to)
        };
        check(rows).context("convert pixels with libswscale")?;
        Ok(())
    }
}
