//! Colour tags in FFmpeg's structures. They are read and written as numbers: streams hold code points that FFmpeg's
//! enumerations lack, and a Rust `enum` must never hold those. The safe types of `ffmpeg-next` are such enumerations.

use std::marker::PhantomData;

use ffmpeg_next::{StreamMut, ffi};

use crate::frame::{Colour, Range};

/// Where a structure that is borrowed for `'a` keeps its five tags; `P` is a pointer to a `u32`.
struct ColourTags<'a, P> {
    range: P,
    primaries: P,
    transfer: P,
    matrix: P,
    siting: P,
    structure: PhantomData<&'a ()>,
}

/// The [`ColourTags`] of a borrowed structure, `const` to read or `mut` to write.
macro_rules! tags {
    ($kind:tt $structure:ident, $siting:ident) => {
        ColourTags {
            range: (&raw $kind $structure.color_range).cast(),
            primaries: (&raw $kind $structure.color_primaries).cast(),
            transfer: (&raw $kind $structure.color_trc).cast(),
            matrix: (&raw $kind $structure.colorspace).cast(),
            siting: (&raw $kind $structure.$siting).cast(),
            structure: PhantomData,
        }
    };
}

/// What the colours of a frame mean; the range is [`Range::Unspecified`] where it does not say.
pub(super) fn of_frame(frame: &ffi::AVFrame) -> Colour {
    let tags: ColourTags<'_, *const u32> = tags!(const frame, chroma_location);
    tags.read()
}

/// Replaces all tags of a frame.
pub(super) fn tag_frame(frame: &mut ffi::AVFrame, colour: Colour) {
    let tags: ColourTags<'_, *mut u32> = tags!(mut frame, chroma_location);
    tags.write(colour);
}

/// Replaces all tags of a codec's context.
pub(super) fn tag_codec(context: &mut ffi::AVCodecContext, colour: Colour) {
    let tags: ColourTags<'_, *mut u32> = tags!(mut context, chroma_sample_location);
    tags.write(colour);
}

/// The range of a stream of an output, as its parameters have it.
pub(super) fn range_of_stream(stream: &mut StreamMut<'_>) -> Range {
    // SAFETY: nobody else uses the stream while it is borrowed, and it always has parameters; the enumeration is read as a
    // number.
    let code = unsafe { (&raw const (*(*stream.as_mut_ptr()).codecpar).color_range).cast::<u32>().read() };
    range(u8::try_from(code).ok())
}

fn range(code: Option<u8>) -> Range {
    match code {
        Some(1) => Range::Limited,
        Some(2) => Range::Full,
        _ => Range::Unspecified,
    }
}

/// Replaces all tags of a stream of an output.
pub(super) fn tag_stream(stream: &mut StreamMut<'_>, colour: Colour) {
    // SAFETY: nobody else uses the stream while it is borrowed, and it always has parameters.
    let parameters = unsafe { &mut *(*stream.as_mut_ptr()).codecpar };
    let tags: ColourTags<'_, *mut u32> = ColourTags {
        range: (&raw mut parameters.color_range).cast(),
        primaries: (&raw mut parameters.color_primaries).cast(),
        transfer: (&raw mut parameters.color_trc).cast(),
        matrix: (&raw mut parameters.color_space).cast(),
        siting: (&raw mut parameters.chroma_location).cast(),
        structure: PhantomData,
    };
    tags.write(colour);
}

impl ColourTags<'_, *const u32> {
    fn read(self) -> Colour {
        // SAFETY: the pointers were taken from a structure that is borrowed for the life of `self`; its enumerations
        // have the size of a `u32`, and every bit pattern is one.
        let code = |field: *const u32| u8::try_from(unsafe { field.read() }).ok();
        Colour {
            range: range(code(self.range)),
            primaries: code(self.primaries).unwrap_or(2),
            transfer: code(self.transfer).unwrap_or(2),
            matrix: code(self.matrix).unwrap_or(2),
            siting: code(self.siting).unwrap_or(0),
        }
    }
}

impl ColourTags<'_, *mut u32> {
    fn write(self, colour: Colour) {
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
            // SAFETY: as in `read`, and the structure is borrowed for writing.
            unsafe { field.write(u32::from(code)) };
        }
    }
}
