//! Families of encoders as a table: how each is told of quality, speed, light and losslessness. An encoder that is in no
//! row works too, with its own options by name.

use crate::frame::Format;
use crate::libav::light::{Content, Mastering};

/// Encoders that are told in one way.
pub(super) struct EncoderFamily {
    names: Names,
    /// The option of constant quality, and its value where none is given.
    pub quality: Option<Quality>,
    /// The option that a preset is, and its value where none is given and the encoder's own is slow.
    pub speed: Option<(&'static str, Option<&'static str>)>,
    /// How nothing is lost.
    pub lossless: Lossless,
    /// The options that the library under the encoder takes as one text.
    pub inner: Option<Inner>,
    /// An option that the frames ask for, whatever the user wants.
    pub own: fn(&Format, is_lossless: bool) -> Option<(&'static str, &'static str)>,
    /// Whether it can code fields rather than frames.
    pub codes_fields: bool,
    /// Whether its rate control understands true times; the others take the time base for the frame rate.
    pub knows_times: bool,
}

/// How an encoder is told a constant quality.
#[derive(Clone, Copy)]
pub(super) struct Quality {
    /// The option that takes it.
    pub option: &'static str,
    /// What is taken unless something else is asked for.
    pub usual: f32,
    /// The highest number, which is the worst quality; encoders take more and do as if it were this.
    pub worst: f32,
}

/// Which encoders are of a family.
enum Names {
    Are(&'static [&'static str]),
    Start(&'static str),
    End(&'static str),
    All,
}

/// How an encoder is told to lose nothing.
pub(super) enum Lossless {
    /// It cannot; what to take instead.
    Never(&'static str),
    /// It never loses anything.
    Always,
    /// By options, and by words among its inner ones.
    By { options: &'static [(&'static str, &'static str)], inner: &'static [&'static str] },
}

/// Options that are one text, `key=value:key=value`.
pub(super) struct Inner {
    /// The option that takes them.
    pub option: &'static str,
    /// Those that are always given.
    pub always: &'static [&'static str],
    /// How light is told, where it can be.
    pub light: Option<Light>,
    /// The key of the number of threads, where FFmpeg's own has no effect.
    pub threads: Option<&'static str>,
}

/// How light is told, as `key=value`.
#[derive(Clone, Copy)]
pub(super) struct Light {
    /// The display that a clip was mastered on.
    pub display: fn(&Mastering) -> String,
    /// Its brightest pixel, and the brightest average of a frame.
    pub brightest: fn(&Content) -> String,
}

/// What is known of an encoder that is in no row; the rows below say where they differ.
const OTHER: EncoderFamily = EncoderFamily {
    names: Names::All,
    quality: None,
    speed: None,
    lossless: Lossless::Never("ffv1 in mkv, or libx264"),
    inner: None,
    own: |_, _| None,
    codes_fields: false,
    knows_times: false,
};

const INNER: Inner = Inner { option: "", always: &[], light: None, threads: None };

/// The first row that has an encoder's name is its family.
static FAMILIES: [EncoderFamily; 12] = [
    EncoderFamily {
        names: Names::Are(&["libx264", "libx264rgb"]),
        quality: Some(Quality { option: "crf", usual: 18.0, worst: 51.0 }),
        speed: Some(("preset", None)),
        lossless: Lossless::By { options: &[("qp", "0")], inner: &[] },
        inner: Some(Inner {
            option: "x264-params",
            light: Some(Light {
                display: |display| format!("mastering-display={}", display.in_steps()),
                brightest: |light| brightest("cll", light),
            }),
            ..INNER
        }),
        codes_fields: true,
        knows_times: true,
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libx265"]),
        quality: Some(Quality { option: "crf", usual: 20.0, worst: 51.0 }),
        speed: Some(("preset", None)),
        lossless: Lossless::By { options: &[], inner: &["lossless=1"] },
        inner: Some(Inner {
            option: "x265-params",
            // It would write to stderr on its own.
            always: &["log-level=error"],
            light: Some(Light {
                display: |display| format!("master-display={}", display.in_steps()),
                brightest: |light| brightest("max-cll", light),
            }),
            threads: Some("pools"),
        }),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libsvtav1"]),
        quality: Some(Quality { option: "crf", usual: 30.0, worst: 63.0 }),
        speed: Some(("preset", Some("8"))),
        lossless: Lossless::Never("libaom-av1 or ffv1"),
        inner: Some(Inner {
            option: "svtav1-params",
            light: Some(Light {
                display: |display| format!("mastering-display={}", display.in_numbers()),
                brightest: |light| brightest("content-light", light),
            }),
            threads: Some("lp"),
            ..INNER
        }),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libaom-av1"]),
        quality: Some(Quality { option: "crf", usual: 28.0, worst: 63.0 }),
        speed: Some(("cpu-used", Some("6"))),
        // libaom 3.14 smooths some frames in time even so.
        lossless: Lossless::By { options: &[("arnr-max-frames", "0")], inner: &["lossless=1"] },
        inner: Some(Inner { option: "aom-params", ..INNER }),
        own: |_, _| Some(("row-mt", "1")),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libvpx-vp9"]),
        quality: Some(Quality { option: "crf", usual: 31.0, worst: 63.0 }),
        speed: Some(("cpu-used", Some("4"))),
        lossless: Lossless::By { options: &[("lossless", "1")], inner: &[] },
        own: |_, _| Some(("row-mt", "1")),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libvpx"]),
        quality: Some(Quality { option: "crf", usual: 31.0, worst: 63.0 }),
        speed: Some(("cpu-used", None)),
        // It refuses opacity with the hidden frames that it would else make.
        own: |format, is_lossless| (format.pixel.alpha && !is_lossless).then_some(("auto-alt-ref", "0")),
        ..OTHER
    },
    EncoderFamily {
        names: Names::End("_nvenc"),
        quality: Some(Quality { option: "cq", usual: 20.0, worst: 51.0 }),
        speed: Some(("preset", None)),
        lossless: Lossless::By { options: &[("tune", "lossless")], inner: &[] },
        knows_times: true,
        ..OTHER
    },
    EncoderFamily { names: Names::Are(&["librav1e"]), speed: Some(("speed", Some("8"))), ..OTHER },
    EncoderFamily { names: Names::Are(&["prores_ks"]), speed: Some(("profile", None)), codes_fields: true, ..OTHER },
    EncoderFamily { names: Names::Start("prores"), codes_fields: true, ..OTHER },
    EncoderFamily {
        names: Names::Are(&["ffv1"]),
        lossless: Lossless::Always,
        // Version 3 has slices, which threads can share, and checksums; but of frames that are smaller than its grid of
        // slices FFmpeg 5.1 loses some, and later ones refuse them. 8.0 takes version 3 unless told otherwise.
        own: |format, _| Some(("level", if format.width.min(format.height) >= 64 { "3" } else { "1" })),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["png", "apng", "rawvideo", "utvideo", "huffyuv", "ffvhuff", "tiff", "bmp", "v210"]),
        lossless: Lossless::Always,
        ..OTHER
    },
];

fn brightest(key: &str, light: &Content) -> String {
    format!("{key}={},{}", light.brightest, light.average)
}

impl EncoderFamily {
    /// The family of an encoder by FFmpeg's name.
    pub(super) fn of(encoder: &str) -> &'static Self {
        FAMILIES.iter().find(|family| family.names.hold(encoder)).unwrap_or(&OTHER)
    }
}

impl Names {
    fn hold(&self, name: &str) -> bool {
        match self {
            Self::Are(names) => names.contains(&name),
            Self::Start(part) => name.starts_with(part),
            Self::End(part) => name.ends_with(part),
            Self::All => true,
        }
    }
}
