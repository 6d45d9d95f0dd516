//! Colour tags in FFmpeg's structures. They are read and written as numbers: streams hold code points that FFmpeg's
//! enumerations lack, and a Rust `enum` must never hold those.

use ffmpeg_sys_next as ffi;

use crate::frame::{Colour, Range};

/// Where one of FFmpeg's structures keeps its five tags.
pub(super) struct Tags {
    range: *mut u32,
    primaries: *mut u32,
    transfer: *mut u32,
    matrix: *mut u32,
    siting: *mut u32,
}

impl Tags {
    /// # Safety
    /// The frame must be alive as long as the tags are used, and not be written by anybody else meanwhile.
    pub unsafe fn of_frame(raw: *mut ffi::AVFrame) -> Self {
        // SAFETY: the caller vouches for the frame; only addresses are taken.
        unsafe {
            Self {
                range: (&raw mut (*raw).color_range).cast(),
                primaries: (&raw mut (*raw).color_primaries).cast(),
                transfer: (&raw mut (*raw).color_trc).cast(),
                matrix: (&raw mut (*raw).colorspace).cast(),
                siting: (&raw mut (*raw).chroma_location).cast(),
            }
        }
    }

    /// # Safety
    /// As [`Tags::of_frame`], for the context of a codec.
    pub unsafe fn of_codec(raw: *mut ffi::AVCodecContext) -> Self {
        // SAFETY: the caller vouches for the context; only addresses are taken.
        unsafe {
            Self {
                range: (&raw mut (*raw).color_range).cast(),
                primaries: (&raw mut (*raw).color_primaries).cast(),
                transfer: (&raw mut (*raw).color_trc).cast(),
                matrix: (&raw mut (*raw).colorspace).cast(),
                siting: (&raw mut (*raw).chroma_sample_location).cast(),
            }
        }
    }

    /// The tags; the range is [`Range::Unspecified`] where the structure does not say.
    pub fn read(&self) -> Colour {
        // SAFETY: whoever made `self` vouched for the structure; its enumerations have the size of a `u32`.
        let code = |field: *mut u32| u8::try_from(unsafe { field.read() }).ok();
        let range = match code(self.range) {
            Some(1) => Range::Limited,
            Some(2) => Range::Full,
            _ => Range::Unspecified,
        };
        Colour {
            range,
            primaries: code(self.primaries).unwrap_or(2),
            transfer: code(self.transfer).unwrap_or(2),
            matrix: code(self.matrix).unwrap_or(2),
            siting: code(self.siting).unwrap_or(0),
        }
    }

    /// Replaces all tags.
    pub fn write(&self, colour: Colour) {
        let range = match colour.range {
            Range::Unspecified => 0,
            Range::Limited => 1,
            Range::Full => 2,
        };
        let tags = [
            (self.range, range),
            (self.primaries, colour.primaries),
            (self.transfer, colour.transfer),
            (self.matrix, colour.matrix),
            (self.siting, colour.siting),
        ];
        for (field, code) in tags {
            // SAFETY: as in `read`, and nobody else writes the structure meanwhile.
            unsafe { field.write(u32::from(code)) };
        }
    }
}
