//! FFmpeg's video encoders, and which of their pixel formats loses least.

use std::ffi::{CString, c_int, c_void};
use std::ptr;

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::codec::Id;
use ffmpeg_next::{encoder, ffi, media};

use super::pixel::Stored;
use super::version;

/// One of FFmpeg's video encoders.
#[derive(Clone, Copy)]
pub(crate) struct Codec {
    inner: ffmpeg_next::Codec,
}

/// A codec's context that is not open yet.
///
/// # Errors
/// If memory runs out.
pub(super) fn context(codec: ffmpeg_next::Codec) -> Result<ffmpeg_next::codec::Context> {
    // SAFETY: the codec is one of FFmpeg's; the context is there, and nobody else has it. `ffmpeg-next` would not look
    // whether it is.
    unsafe {
        let raw = ffi::avcodec_alloc_context3(codec.as_ptr());
        ensure!(!raw.is_null(), "out of memory");
        Ok(ffmpeg_next::codec::Context::wrap(raw, None))
    }
}

impl Codec {
    /// A video encoder by FFmpeg's name.
    ///
    /// # Errors
    /// If this FFmpeg has none of that name, naming the nearest.
    pub fn find(name: &str) -> Result<Self> {
        let raw_name = CString::new(name).with_context(|| format!("unknown video encoder {name:?}"))?;
        let inner = encoder::find_by_name(name).or_else(|| {
            // SAFETY: the name ends with a zero, and descriptors live as long as the program.
            let descriptor = unsafe { ffi::avcodec_descriptor_get_by_name(raw_name.as_ptr()).as_ref() };
            // `h264` names a codec, not an encoder.
            Some(Self::preferred(descriptor?.id.into())?.inner)
        });
        if let Some(inner) = inner.filter(|codec| codec.medium() == media::Type::Video) {
            return Ok(Self { inner });
        }
        let small = name.to_ascii_lowercase();
        if small != name {
            return Self::find(&small);
        }
        let all: Vec<_> = Self::all().collect();
        let near = all
            .iter()
            .map(|codec| (strsim::jaro_winkler(name, codec.name()), codec.name()))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match near {
            Some((likeness, known)) if likeness > 0.8 => {
                bail!(
                    "this FFmpeg has no video encoder {name:?}; did you mean {known:?}? list them with: ffmpeg -encoders"
                )
            }
            _ => bail!("this FFmpeg has no video encoder {name:?}; list them with: ffmpeg -encoders"),
        }
    }

    /// The encoder of a codec: the fast one where FFmpeg's first choice is another, else that.
    pub fn preferred(id: Id) -> Option<Self> {
        let fast: &[_] = if id == Id::AV1 { &["libsvtav1", "libaom-av1"] } else { &[] };
        let fast = fast.iter().find_map(|name| encoder::find_by_name(name));
        fast.or_else(|| encoder::find(id)).map(|inner| Self { inner })
    }

    fn all() -> impl Iterator<Item = Self> {
        let mut state: *mut c_void = ptr::null_mut();
        std::iter::from_fn(move || {
            // SAFETY: the state starts as null and is only changed by the function; codecs live as long as the program.
            unsafe {
                let raw = ffi::av_codec_iterate(&mut state);
                (!raw.is_null()).then(|| Self { inner: ffmpeg_next::Codec::wrap(raw) })
            }
        })
        .filter(|codec| codec.inner.is_encoder() && codec.inner.medium() == media::Type::Video)
    }

    /// FFmpeg's name of the encoder.
    pub fn name(&self) -> &str {
        self.inner.name()
    }

    /// What it encodes to.
    pub fn id(self) -> Id {
        self.inner.id()
    }

    /// Whether it loses nothing, whatever its options are.
    pub fn is_lossless(self) -> bool {
        let props = self.props();
        // 256 colours are a loss.
        if self.id() == Id::GIF {
            return false;
        }
        props & ffi::AV_CODEC_PROP_LOSSLESS as c_int != 0 && props & ffi::AV_CODEC_PROP_LOSSY as c_int == 0
    }

    /// Whether it codes single pictures, which are viewed one by one.
    pub fn is_still(self) -> bool {
        [Id::WEBP, Id::JPEG2000, Id::JPEGLS, Id::JPEGXL].contains(&self.id())
    }

    fn props(self) -> c_int {
        // SAFETY: descriptors live as long as the program.
        unsafe { ffi::avcodec_descriptor_get(self.id().into()).as_ref() }.map_or(0, |descriptor| descriptor.props)
    }

    /// Whether it codes opacity apart, into data beside the packets of colour.
    pub fn has_alpha_beside(self) -> bool {
        [Id::VP8, Id::VP9].contains(&self.id())
    }

    /// The pixel formats that it takes and this program can make; empty where it takes any.
    pub fn pixels(self) -> Vec<Stored> {
        version::pixel_formats(self.inner).into_iter().filter_map(Stored::new).collect()
    }

    /// Whether it takes pictures that lie on a device of CUDA.
    pub fn reads_device(self) -> bool {
        version::pixel_formats(self.inner).contains(&ffi::AVPixelFormat::AV_PIX_FMT_CUDA)
    }

    /// The codec as `ffmpeg-next` has it.
    pub(super) fn inner(self) -> ffmpeg_next::Codec {
        self.inner
    }
}

/// What of a picture would be lost if `from` were stored as the best of `choice`, in words; nothing if all is kept.
pub(crate) struct Compromise {
    pub stored: Stored,
    pub losses: Vec<&'static str>,
}

impl Compromise {
    /// The best of several pixel formats for pictures that are stored as `from`.
    pub fn find(choice: &[Stored], from: Stored) -> Option<Self> {
        let mut list: Vec<_> = choice.iter().map(|stored| stored.raw()).collect();
        list.push(ffi::AVPixelFormat::AV_PIX_FMT_NONE);
        let alpha = c_int::from(from.pixel().alpha);
        let mut loss = 0;
        // SAFETY: the list ends with `AV_PIX_FMT_NONE`, and the number of the loss may be written.
        let best = unsafe { ffi::avcodec_find_best_pix_fmt_of_list(list.as_ptr(), from.raw(), alpha, &mut loss) };
        let stored = choice.iter().find(|stored| stored.raw() == best)?;
        let words = [
            (ffi::FF_LOSS_RESOLUTION, "resolution of colour"),
            (ffi::FF_LOSS_DEPTH, "bits"),
            (ffi::FF_LOSS_COLORSPACE, "exact colours"),
            (ffi::FF_LOSS_ALPHA, "opacity"),
            (ffi::FF_LOSS_COLORQUANT, "colours outside a palette"),
            (ffi::FF_LOSS_CHROMA, "colour"),
        ];
        let losses = words.into_iter().filter(|(bit, _)| loss & bit != 0).map(|(_, word)| word).collect();
        Some(Self { stored: *stored, losses })
    }
}

/// Whether no picture of the codec refers to another.
pub(super) fn is_intra(id: Id) -> bool {
    // SAFETY: descriptors are constants of FFmpeg's.
    let descriptor = unsafe { ffi::avcodec_descriptor_get(id.into()).as_ref() };
    // Contexts of FFV1 last longer than a picture, and errors of theirs are damage all the same.
    id == Id::FFV1 || descriptor.is_some_and(|found| found.props & ffi::AV_CODEC_PROP_INTRA_ONLY as c_int != 0)
}
