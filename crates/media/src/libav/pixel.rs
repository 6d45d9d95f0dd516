//! Pixel formats: FFmpeg's many as [`Stored`], each with the planar [`Pixel`] that holds the same samples.

use std::ffi::c_int;
use std::fmt;
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use ffmpeg_next::ffi::{self, AVPixelFormat};
use ffmpeg_next::format::pixel::Descriptor;
use ffmpeg_next::{format, software};

use super::repack::Component;
use crate::frame::{Family, Pixel, Sample};

/// How pixels are stored outside this program: one of FFmpeg's pixel formats that can become planar frames.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    format: AVPixelFormat,
    pixel: Pixel,
    how: How,
}

/// What it takes to make planes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Nothing: it is planar, in this machine's byte order.
    Native,
    /// Every sample is found at a fixed step; only the places and the byte order differ.
    Repack,
    /// Palettes, single bits and samples of fewer than 8 bits: libswscale.
    Scale,
}

impl Stored {
    /// A pixel format by FFmpeg's name; `None` where there is none that can become planar frames.
    pub fn named(name: &str) -> Option<Self> {
        Self::parse(name).ok()
    }

    /// Names that people have for formats, in small letters, and FFmpeg's.
    const SPOKEN: &[(&[&str], &str)] = &[
        (&["10", "10bit", "10-bit", "420p10", "p10", "main10"], "yuv420p10"),
        (&["12", "12bit", "12-bit", "420p12"], "yuv420p12"),
        (&["16", "16bit", "16-bit"], "yuv420p16"),
        (&["8", "8bit", "8-bit", "420", "4:2:0", "yuv420", "420p", "yuv", "i420", "yv12"], "yuv420p"),
        (&["422", "4:2:2", "yuv422", "422p"], "yuv422p"),
        (&["422p10", "yuv422-10"], "yuv422p10"),
        (&["444", "4:4:4", "yuv444", "444p"], "yuv444p"),
        (&["rgb", "rgb8", "rgb888"], "rgb24"),
        (&["grey", "grayscale", "greyscale", "mono", "y8"], "gray"),
    ];

    /// A pixel format by FFmpeg's name; without `le` or `be` the order is this machine's: `yuv420p10`, `nv12`.
    ///
    /// # Errors
    /// If there is no such format, naming the nearest, or it cannot become planar frames.
    pub fn parse(name: &str) -> Result<Self> {
        match name.parse::<format::Pixel>() {
            Ok(format) => {
                return Self::new(format.into()).with_context(|| {
                    format!("pixel format {name:?} cannot be filtered; convert it with ffmpeg first")
                });
            }
            Err(error @ format::pixel::ParsePixelError::NulError(_)) => {
                return Err(error).with_context(|| format!("unknown pixel format {name:?}"));
            }
            Err(format::pixel::ParsePixelError::UnknownFormat) => {}
        }
        let spoken = Self::SPOKEN.iter().find(|(names, _)| names.contains(&name.to_ascii_lowercase().as_str()));
        let near = Self::all()
            .iter()
            .map(|stored| stored.name().trim_end_matches(Self::ORDER))
            .map(|known| (strsim::jaro_winkler(name, known), known))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match spoken.map(|(_, meant)| (1.0, *meant)).or(near) {
            Some((likeness, known)) if likeness > 0.7 => {
                bail!("unknown pixel format {name:?}; did you mean {known:?}? list them with: ffmpeg -pix_fmts")
            }
            _ => bail!("unknown pixel format {name:?}; list them with: ffmpeg -pix_fmts"),
        }
    }

    /// The planar format in this machine's byte order that holds these pixels, where FFmpeg has one.
    pub fn planar(pixel: Pixel) -> Option<Self> {
        Self::all().iter().find(|stored| stored.how == How::Native && stored.pixel == pixel).copied()
    }

    /// FFmpeg's name, with the byte order where there is one: `yuv420p10le`.
    pub fn name(self) -> &'static str {
        self.known().descriptor().map_or("?", Descriptor::name)
    }

    /// The planar pixel that holds the same samples: same depth, same subsampling. Samples of fewer than 8 bits
    /// become 8, palettes become RGB with alpha.
    pub fn pixel(self) -> Pixel {
        self.pixel
    }

    /// Whether frames hold it as it is, so that nothing needs a [`super::Converter`].
    pub fn is_planar_native(self) -> bool {
        self.how == How::Native
    }

    /// Whether it turns into planes and back without loss.
    pub fn is_lossless(self) -> bool {
        self.how != How::Scale
    }

    /// Whether each pixel is the number of a colour.
    pub fn is_palette(self) -> bool {
        descriptor(self.format).is_some_and(|found| found.flags & ffi::AV_PIX_FMT_FLAG_PAL as u64 != 0)
    }

    /// Whether its name says full range, as `yuvj420p` does.
    pub fn is_full_range(self) -> bool {
        self.name().starts_with("yuvj")
    }

    /// Bytes of one picture without padding; 0 where that is more than FFmpeg can hold.
    pub fn packed_bytes(self, width: usize, height: usize) -> usize {
        self.bytes(width, height, 1)
    }

    /// Bytes of one picture whose rows are aligned to `align`; 0 where that is more than FFmpeg can hold.
    pub(super) fn bytes(self, width: usize, height: usize, align: usize) -> usize {
        let (Ok(width), Ok(height)) = (c_int::try_from(width), c_int::try_from(height)) else { return 0 };
        // SAFETY: the function only computes.
        let bytes = unsafe { ffi::av_image_get_buffer_size(self.format, width, height, align as c_int) };
        usize::try_from(bytes).unwrap_or(0)
    }

    /// Of each plane, how many bytes a row has without padding, and how many rows there are; zeros where there is no
    /// plane, or no such picture.
    pub(super) fn rows(self, width: c_int, height: c_int) -> [(usize, usize); 4] {
        let mut linesize = [0; 4];
        // SAFETY: the array has the four entries that the function fills.
        let code = unsafe { ffi::av_image_fill_linesizes(linesize.as_mut_ptr(), self.format, width) };
        if code < 0 {
            return [(0, 0); 4];
        }
        let height = usize::try_from(height).unwrap_or(0);
        if self.is_palette() {
            // Behind the picture lie 256 colours of four bytes.
            return [(usize::try_from(linesize[0]).unwrap_or(0), height), (1024, 1), (0, 0), (0, 0)];
        }
        let narrow = self.known().descriptor().map_or(0, Descriptor::log2_chroma_h);
        let count = |plane| if [1, 2].contains(&plane) { height.div_ceil(1 << narrow) } else { height };
        std::array::from_fn(|plane| (usize::try_from(linesize[plane]).unwrap_or(0), count(plane)))
    }

    /// Every pixel format that can become planar frames.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Stored>> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut all: Vec<_> = (0..AVPixelFormat::AV_PIX_FMT_NB as c_int).filter_map(Stored::from_number).collect();
            // The `yuvj` formats lie before their equals; what only the range tells apart is named without the `j`.
            all.sort_by_key(|stored| stored.is_full_range());
            all
        })
    }

    const ORDER: &str = if cfg!(target_endian = "little") { "le" } else { "be" };

    pub(crate) fn new(format: AVPixelFormat) -> Option<Self> {
        let descriptor = descriptor(format)?;
        let flag = |flag: c_int| descriptor.flags & flag as u64 != 0;
        let is_xyz = format::Pixel::from(format).descriptor().is_some_and(|known| known.name().starts_with("xyz"));
        if flag(ffi::AV_PIX_FMT_FLAG_HWACCEL) || flag(ffi::AV_PIX_FMT_FLAG_BAYER) || is_xyz {
            return None;
        }
        let palette = flag(ffi::AV_PIX_FMT_FLAG_PAL);
        let components = &descriptor.comp[..usize::from(descriptor.nb_components)];
        let depth = components.iter().map(|c| c.depth).max()?;
        let sample = match (depth, flag(ffi::AV_PIX_FMT_FLAG_FLOAT)) {
            (..=8, false) => Sample::U8,
            (9..=16, false) => Sample::U16,
            (32, true) => Sample::F32,
            _ => return None,
        };
        let family = match components.len() {
            _ if palette || flag(ffi::AV_PIX_FMT_FLAG_RGB) => Family::Rgb,
            1 | 2 => Family::Gray,
            _ => Family::Yuv,
        };
        let pixel = Pixel {
            family,
            alpha: palette || flag(ffi::AV_PIX_FMT_FLAG_ALPHA),
            log2_chroma_w: if family == Family::Yuv { descriptor.log2_chroma_w } else { 0 },
            log2_chroma_h: if family == Family::Yuv { descriptor.log2_chroma_h } else { 0 },
            sample,
            depth: depth.max(8) as u8,
        };
        let foreign = flag(ffi::AV_PIX_FMT_FLAG_BE) != cfg!(target_endian = "big") && depth > 8;
        let how = if palette
            || flag(ffi::AV_PIX_FMT_FLAG_BITSTREAM)
            || components.iter().any(|c| c.depth != depth)
            || depth < 8
        {
            if !software::scaling::support::input(format.into()) {
                return None;
            }
            How::Scale
        } else {
            let places = components.iter().enumerate().map(|(index, c)| Component::new(pixel, index, c, foreign));
            let places = places.collect::<Option<Vec<_>>>()?;
            if !Component::are_regular(&places, pixel) {
                return None;
            }
            if places.iter().all(Component::is_native) { How::Native } else { How::Repack }
        };
        (components.len() == pixel.planes() || palette).then_some(Self { format, pixel, how })
    }

    /// The format of a number in one of FFmpeg's structures.
    pub(crate) fn from_number(number: c_int) -> Option<Self> {
        Self::new(format_of(number)?)
    }

    pub(super) fn raw(self) -> AVPixelFormat {
        self.format
    }

    /// The format as `ffmpeg-next` has it.
    pub(super) fn known(self) -> format::Pixel {
        self.format.into()
    }

    /// The same, but `yuv420p` for `yuvj420p`: a format that says nothing of range.
    pub(super) fn known_without_range(self) -> format::Pixel {
        let plain = self.name().strip_prefix("yuvj").map(|rest| format!("yuv{rest}"));
        plain.and_then(|name| name.parse().ok()).unwrap_or_else(|| self.known())
    }

    pub(super) fn how(self) -> How {
        self.how
    }

    /// Where the samples of each component lie.
    pub(super) fn components(self) -> Vec<Component> {
        let Some(descriptor) = descriptor(self.format) else { return Vec::new() };
        let foreign = (descriptor.flags & ffi::AV_PIX_FMT_FLAG_BE as u64 != 0) != cfg!(target_endian = "big");
        let components = &descriptor.comp[..usize::from(descriptor.nb_components)];
        components.iter().enumerate().filter_map(|(index, c)| Component::new(self.pixel, index, c, foreign)).collect()
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stored({})", self.name())
    }
}

/// The number of a pixel format as FFmpeg's enumeration.
fn format_of(number: c_int) -> Option<AVPixelFormat> {
    if !(0..AVPixelFormat::AV_PIX_FMT_NB as c_int).contains(&number) {
        return None;
    }
    // SAFETY: the enumeration was made from the headers of this very library; its values are contiguous from 0 to
    // `AV_PIX_FMT_NB`, and the number lies between.
    Some(unsafe { std::mem::transmute::<c_int, AVPixelFormat>(number) })
}

fn descriptor(format: AVPixelFormat) -> Option<&'static ffi::AVPixFmtDescriptor> {
    // SAFETY: the descriptor is an entry of a table that lives as long as the program.
    format::Pixel::from(format).descriptor().map(|descriptor| unsafe { &*descriptor.as_ptr() })
}
