//! Which encoder, which pixel format: what was asked for, filled up with what fits.

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::codec::Id;

use super::alias;
use super::family::EncoderFamily;
use super::opacity::OpacityLoss;
use super::{profile, storage, tag, usual};
use crate::frame::{Family, FieldOrder, Format, Pixel, Range, Sample};
use crate::libav::codec::{Codec, Compromise};
use crate::libav::encoder::Coding;
use crate::libav::muxer::Muxer;
use crate::libav::pixel::Stored;
use crate::libav::{Strictness, SurfacePool};
use crate::sink::encoding::{Encoding, Fidelity};

/// The encoder for a container: the one that was asked for, that of the source's codec, or the usual one.
pub(super) fn codec(
    muxer: Muxer,
    named: &str,
    format: &Format,
    source: Option<Id>,
    encoding: &Encoding,
) -> Result<Codec> {
    usual::check(muxer, named)?;
    let codec = match &encoding.codec {
        Some(name) => Codec::find(alias::meant(name)?)?,
        None => usual::codec(muxer, named, format, source, encoding)?,
    };
    if muxer.holds(codec.id()) == Some(false) {
        let able = ["libx264", "libx265", "libvpx-vp9", "libsvtav1", "libaom-av1", "prores_ks", "ffv1", "png"];
        let able: Vec<_> = able
            .into_iter()
            .filter(|name| Codec::find(name).is_ok_and(|codec| muxer.holds(codec.id()) == Some(true)))
            .collect();
        let container = muxer.name();
        ensure!(!able.is_empty(), usual::no_video(muxer));
        let others = [("matroska", "mkv"), ("avi", "avi"), ("mov", "mov")];
        let holder = others
            .iter()
            .find(|(name, _)| Muxer::find(Some(name), "").is_ok_and(|other| other.holds(codec.id()) == Some(true)));
        let advice = holder.map(|(_, ending)| format!(", or take .{ending}")).unwrap_or_default();
        bail!("the container {container} cannot hold {}; it can hold {}{advice}", codec.name(), able.join(", "));
    }
    Ok(codec)
}

/// The pixel formats that players of a lossy codec expect, for pictures that have colour at every pixel; `None` where the
/// frames are no such pictures, or something else was asked for.
fn playable(
    codec: Codec,
    choice: &[Stored],
    format: &Format,
    source: Option<Id>,
    encoding: &Encoding,
) -> Option<Vec<Stored>> {
    const LOSSY: [Id; 5] = [Id::H264, Id::HEVC, Id::AV1, Id::VP8, Id::VP9];
    let is_picture = format.pixel.family == Family::Rgb || source == Some(Id::MJPEG);
    let is_free = encoding.pix_fmt.is_none()
        && encoding.fidelity == Fidelity::Lossy
        && encoding.strict == Strictness::Lenient
        && codec.name() != "libx264rgb";
    if !(is_picture && is_free && LOSSY.contains(&codec.id())) {
        return None;
    }
    let is_quarter = |pixel: Pixel| {
        pixel.family == Family::Yuv
            && (pixel.log2_chroma_w, pixel.log2_chroma_h) == (1, 1)
            && pixel.sample != Sample::F32
    };
    let fits = |stored: &&Stored| is_quarter(stored.pixel()) && stored.is_planar_native() && !stored.is_full_range();
    let quarters: Vec<_> = choice.iter().filter(fits).copied().collect();
    let deepest =
        quarters.iter().map(|stored| stored.pixel().depth).filter(|depth| *depth <= format.pixel.depth).max()?;
    Some(quarters.into_iter().filter(|stored| stored.pixel().depth == deepest).collect())
}

/// Whether an encoder keeps opacity in a container. That of some lies beside their packets, where few have a place.
fn keeps_opacity(codec: Codec, muxer: Muxer) -> bool {
    let is_placed = !codec.has_alpha_beside() || ["matroska", "webm"].contains(&muxer.name());
    is_placed && codec.pixels().iter().any(|stored| stored.pixel().alpha)
}

/// Advice for lost opacity, to append to a line.
fn opacity_advice(muxer: Muxer) -> String {
    let keeps = |name: &&str| {
        Codec::find(name).is_ok_and(|codec| muxer.holds(codec.id()) == Some(true) && keeps_opacity(codec, muxer))
    };
    match ["prores_ks", "libvpx-vp9", "ffv1"].iter().find(|name| keeps(name)) {
        Some(name) => format!("; --codec {name} keeps opacity"),
        None => "; .mov with --codec prores_ks keeps opacity".to_owned(),
    }
}

/// A pixel format that an encoder is given.
pub(super) struct PixelChoice {
    pub stored: Stored,
    /// Waits for the first frame that loses opacity; whether one does is known from its samples.
    pub opacity_loss: OpacityLoss,
}

impl From<Stored> for PixelChoice {
    fn from(stored: Stored) -> Self {
        Self { stored, opacity_loss: OpacityLoss::default() }
    }
}

impl PixelChoice {
    /// A choice that loses what `losses` names: opacity is said when a frame has some, the others at once.
    fn lossy(codec: Codec, muxer: Muxer, format: &Format, stored: Stored, losses: &[&str]) -> Self {
        let (name, from, to) = (codec.name(), format.pixel.name(), stored.name());
        let line = |losses: &str| format!("the encoder {name} does not support {from}; {to} loses {losses}");
        let others: Vec<_> = losses.iter().copied().filter(|loss| *loss != "opacity").collect();
        // Images of RGB show what a viewer shows of the clip.
        let is_shown = muxer.is_images() && others == ["exact colours"];
        match others.is_empty() {
            false if is_shown => log::info!("{}", line("exact colours")),
            false => log::warn!("{}", line(&others.join(", "))),
            true => {}
        }
        let opacity_loss = losses.contains(&"opacity").then(|| line("opacity") + &opacity_advice(muxer));
        Self { stored, opacity_loss: OpacityLoss::whole(opacity_loss) }
    }
}

/// How the encoder takes the frames, without loss where it can.
pub(super) fn pixel(
    codec: Codec,
    muxer: Muxer,
    format: &Format,
    source: Option<Id>,
    encoding: &Encoding,
) -> Result<PixelChoice> {
    let known = codec.pixels();
    let mut choice = if known.is_empty() { Stored::all().to_vec() } else { known };
    let name = codec.name();
    if !keeps_opacity(codec, muxer) {
        choice.retain(|stored| !stored.pixel().alpha);
    }
    choice.retain(|stored| storage::is_readable(codec, muxer, *stored));
    // Grey in YUV keeps its samples; in RGB grey of limited range loses some.
    let has = |family| choice.iter().any(|stored| stored.pixel().family == family && !stored.is_full_range());
    if format.pixel.family == Family::Gray
        && encoding.pix_fmt.is_none()
        && format.range() == Range::Limited
        && !has(Family::Gray)
        && has(Family::Yuv)
    {
        choice.retain(|stored| stored.pixel().family == Family::Yuv);
    }
    // Viewers take images for RGB, but for those whose YUV has one meaning.
    let has_yuv = [Id::MJPEG, Id::LJPEG, Id::WEBP].contains(&codec.id());
    let is_rgb = |stored: &Stored| stored.pixel().family == Family::Rgb && !stored.is_palette() && stored.is_lossless();
    if muxer.is_images()
        && format.pixel.family == Family::Yuv
        && encoding.pix_fmt.is_none()
        && !has_yuv
        && choice.iter().any(is_rgb)
    {
        choice.retain(is_rgb);
    }
    // Grey with opacity has no planar format of FFmpeg's; any that holds the same stands for it.
    let like = Stored::planar(format.pixel)
        .or_else(|| Stored::all().iter().copied().find(|stored| stored.pixel() == format.pixel))
        .with_context(|| {
            let hint =
                if format.pixel.sample == Sample::F32 { "; end the chain with scale=depth=16, or 8 to 14" } else { "" };
            format!("FFmpeg has no pixel format for {}{hint}", format.pixel.name())
        })?;
    if let Some(quarters) = playable(codec, &choice, format, source, encoding)
        && !quarters.iter().any(|stored| stored.pixel() == format.pixel)
        && let Some(Compromise { stored, losses }) = Compromise::find(&quarters, like)
    {
        let (from, to) = (format.pixel.name(), stored.name());
        log::info!(
            "{from} is encoded as {to}, which players expect; keep full colour resolution with --pix-fmt or --lossless"
        );
        let unexpected: Vec<_> = losses.into_iter().filter(|loss| ["bits", "opacity"].contains(loss)).collect();
        return Ok(PixelChoice::lossy(codec, muxer, format, stored, &unexpected));
    }
    let is_free = encoding.pix_fmt.is_none() && encoding.strict == Strictness::Lenient;
    if let Some(palette) = choice.iter().find(|stored| stored.is_palette())
        && codec.id() == Id::GIF
        && is_free
        && format.pixel.family != Family::Gray
    {
        log::info!(
            "{} is reduced to 256 colours, chosen again when the picture changes: {name} holds no more",
            format.pixel.name()
        );
        let line = "pixels of GIF are opaque or transparent: those in between lose their opacity; .webm keeps it";
        return Ok(PixelChoice { stored: *palette, opacity_loss: OpacityLoss::partial(line.to_owned()) });
    }
    let chosen = match &encoding.pix_fmt {
        Some(wanted) => {
            let wanted = Stored::parse(wanted)?;
            if !choice.contains(&wanted) {
                let names: Vec<_> = choice.iter().map(|stored| stored.name()).collect();
                bail!("the encoder {name} does not support {}; it supports {}", wanted.name(), names.join(", "));
            }
            Some(wanted)
        }
        None => {
            let same = choice.iter().copied().filter(|stored| stored.pixel() == format.pixel && stored.is_lossless());
            // What only its name calls full range would be taken for it.
            same.min_by_key(|stored| {
                let is_misnamed = stored.is_full_range() && format.colour.range != Range::Full;
                (is_misnamed, !stored.is_planar_native(), stored.is_full_range())
            })
        }
    };
    if let Some(stored) = chosen.filter(|stored| stored.pixel() == format.pixel) {
        return Ok(stored.into());
    }
    let choice = chosen.map_or(choice, |stored| vec![stored]);
    let best =
        Compromise::find(&choice, like).with_context(|| format!("the encoder {name} supports no pixel format"))?;
    if best.losses.is_empty() {
        return Ok(best.stored.into());
    }
    let loss = format!(
        "the encoder {name} does not support {}; {} loses {}",
        format.pixel.name(),
        best.stored.name(),
        best.losses.join(", ")
    );
    let is_asked_for = chosen.is_some();
    if is_asked_for && encoding.fidelity == Fidelity::Lossy {
        let (from, to) = (format.pixel.name(), best.stored.name());
        log::info!("{from} becomes {to}, as --pix-fmt asks: it loses {}", best.losses.join(", "));
        return Ok(best.stored.into());
    }
    if encoding.fidelity == Fidelity::Lossless || (encoding.strict == Strictness::Strict && !is_asked_for) {
        bail!("{loss}; choose another encoder with --codec, such as ffv1 in mkv");
    }
    Ok(PixelChoice::lossy(codec, muxer, format, best.stored, &best.losses))
}

/// Whether the encoder reads frames where they lie on a GPU: it takes them there, and they would not be converted into
/// `stored` on the host.
pub(super) fn reads_device(codec: Codec, stored: Stored, format: &Format) -> bool {
    // NVENC has the 10 bits of 4:4:4 in words of 16, which FFmpeg takes for as many bits.
    let keeps = |surface: Stored| [format.pixel, surface.pixel()].contains(&stored.pixel());
    codec.reads_device() && SurfacePool::stored(format.pixel).is_some_and(keeps)
}

/// What to type where an encoder does not accept a clip whose sides are odd; `None` where they are not, or nothing helps.
pub(super) fn even(codec: Codec, stored: Stored, muxer: Muxer, format: &Format) -> Option<String> {
    let Pixel { log2_chroma_w, log2_chroma_h, .. } = stored.pixel();
    let is_odd = |side: usize, log2: u8| !side.is_multiple_of(1 << log2);
    if !is_odd(format.width, log2_chroma_w) && !is_odd(format.height, log2_chroma_h) {
        return None;
    }
    let whole = Pixel { log2_chroma_w: 0, log2_chroma_h: 0, ..stored.pixel() };
    let whole = codec.pixels().into_iter().find(|stored| stored.pixel() == whole && !stored.is_full_range());
    let mut ways: Vec<_> = whole.map(|stored| format!("--pix-fmt {}", stored.name())).into_iter().collect();
    let able = |name| Codec::find(name).is_ok_and(|codec| muxer.holds(codec.id()) == Some(true));
    ways.extend(["libvpx-vp9", "ffv1"].into_iter().filter(|name| able(*name)).map(|name| format!("--codec {name}")));
    (!ways.is_empty()).then(|| format!("for odd sides add {}", ways.join(" or ")))
}

/// To multiples of which width and height frames are padded for an encoder that accepts no odd sides; `None` where it
/// accepts them, or no sample may be added.
pub(super) fn padding(codec: Codec, stored: Stored, encoding: &Encoding) -> Option<(usize, usize)> {
    let name = codec.name();
    let is_even = ["libx264", "libx265", "libsvtav1"].contains(&name) || name.ends_with("_nvenc");
    let Pixel { log2_chroma_w, log2_chroma_h, .. } = stored.pixel();
    let may_grow = encoding.fidelity == Fidelity::Lossy && encoding.strict == Strictness::Lenient;
    (is_even && may_grow).then_some((1 << log2_chroma_w, 1 << log2_chroma_h))
}

/// Whether the encoder should code fields rather than frames.
pub(super) fn coding(codec: Codec, format: &Format) -> Coding {
    let has_fields = matches!(format.fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
    let codes_fields = EncoderFamily::of(codec.name()).codes_fields && profile::codes_fields(codec, format);
    if has_fields && codes_fields { Coding::Fields } else { Coding::Frames }
}

/// Says where an encoder loses that frames have fields, or the clip that it lost nothing.
pub(super) fn tell_losses(codec: Codec, muxer: Muxer, format: &Format, source: Option<Id>, encoding: &Encoding) {
    let name = codec.name();
    let has_fields = matches!(format.fields, FieldOrder::TopFirst | FieldOrder::BottomFirst);
    let is_film = !muxer.is_images() && codec.id() != Id::GIF;
    if has_fields && is_film && !codec.is_lossless() && coding(codec, format) == Coding::Frames {
        let advice = match codec.id() {
            Id::DNXHD => "DNxHD has fields at 1920x1080 only",
            _ if muxer.holds(Id::H264) == Some(true) => "take --codec libx264 to code fields",
            _ => "take .mkv or .mp4 with --codec libx264 to code fields",
        };
        log::warn!("interlaced: the encoder {name} codes whole frames, not fields; {advice}");
    }
    if codec.id() == Id::DVVIDEO {
        match format.fields {
            FieldOrder::TopFirst => log::warn!(
                "the field order, top first, becomes bottom first, the only one of DV; take --codec libx264 or prores_ks in .mov"
            ),
            FieldOrder::Progressive => log::info!("progressive frames are marked interlaced: DV has no other tag"),
            FieldOrder::BottomFirst | FieldOrder::Unspecified | FieldOrder::Mixed => {}
        }
    }
    let has_tag = codec.id() == Id::FFV1 || tag::IN_CONTAINER.contains(&muxer.name());
    if has_fields && is_film && codec.is_lossless() && !has_tag {
        let container = muxer.name();
        log::warn!("interlaced: {name} in {container} has no tag of fields; take --codec ffv1, or .mkv");
    }
    let is_asked = encoding.codec.is_some() || encoding.crf.is_some() || encoding.quality.is_some();
    let is_lossy = !codec.is_lossless() && encoding.fidelity == Fidelity::Lossy && encoding.bitrate.is_none();
    if let Some(source) = source.filter(|source| usual::is_lossless(*source))
        && is_lossy
        && is_film
        && !is_asked
    {
        log::info!("the input is lossless ({}), and {name} is not; --lossless keeps every sample", source.name());
    }
}
