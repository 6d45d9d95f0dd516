//! Families of encoders as a table: how each is told of quality, speed, light and losslessness. An encoder that is in no
//! row works too, with its own options by name.

use super::quality::Quality;
use crate::frame::Format;
use crate::libav::light::{Content, Mastering};

/// Encoders that are told in one way.
pub(super) struct EncoderFamily {
    names: Names,
    /// How constant quality is set; `None` where there is no choice of it.
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
    // FFmpeg's own default would be 200 kbit/s.
    quality: Some(Quality::bits_per_pixel(8.0, 3.0, 0.05)),
    speed: None,
    lossless: Lossless::Never("ffv1 in mkv, or libx264"),
    inner: None,
    own: |_, _| None,
    codes_fields: false,
    knows_times: false,
};

const INNER: Inner = Inner { option: "", always: &[], light: None, threads: None };

/// The first row that has an encoder's name is its family.
static FAMILIES: [EncoderFamily; 28] = [
    EncoderFamily {
        names: Names::Are(&["libx264", "libx264rgb"]),
        quality: Some(Quality::option("crf", 6.0, 18.0, 51.0)),
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
        quality: Some(Quality::option("crf", 6.0, 18.0, 51.0)),
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
        quality: Some(Quality::option("crf", 4.0, 18.0, 63.0)),
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
        quality: Some(Quality::option("crf", 4.0, 20.0, 63.0)),
        speed: Some(("cpu-used", Some("6"))),
        // libaom 3.14 smooths some frames in time even so.
        lossless: Lossless::By { options: &[("arnr-max-frames", "0")], inner: &["lossless=1"] },
        inner: Some(Inner { option: "aom-params", ..INNER }),
        own: |_, _| Some(("row-mt", "1")),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libvpx-vp9"]),
        quality: Some(Quality::option("crf", 4.0, 22.0, 63.0)),
        speed: Some(("cpu-used", Some("4"))),
        lossless: Lossless::By { options: &[("lossless", "1")], inner: &[] },
        own: |_, _| Some(("row-mt", "1")),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libvpx"]),
        // Without a rate to spend it would be held to 256 kbit/s.
        quality: Some(Quality::option("crf", 4.0, 12.0, 63.0).beside(&[("b", "1000000000")])),
        speed: Some(("cpu-used", None)),
        // It refuses opacity with the hidden frames that it would else make.
        own: |format, is_lossless| (format.pixel.alpha && !is_lossless).then_some(("auto-alt-ref", "0")),
        ..OTHER
    },
    EncoderFamily {
        names: Names::End("_nvenc"),
        quality: Some(Quality::option("cq", 6.0, 18.0, 51.0)),
        speed: Some(("preset", None)),
        lossless: Lossless::By { options: &[("tune", "lossless")], inner: &[] },
        knows_times: true,
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["librav1e"]),
        quality: Some(Quality::option("qp", 20.0, 60.0, 255.0)),
        speed: Some(("speed", Some("8"))),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["prores_ks"]),
        quality: Some(Quality::quantizer(2.0, 8.0, 64.0).left()),
        speed: Some(("profile", None)),
        codes_fields: true,
        ..OTHER
    },
    EncoderFamily {
        names: Names::Start("prores"),
        quality: Some(Quality::profile("profile", &["3", "2", "1", "0"])),
        codes_fields: true,
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["mpeg2video", "mpeg4"]),
        quality: Some(Quality::quantizer(1.0, 2.0, 31.0)),
        codes_fields: true,
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&[
            "mpeg1video",
            // It accepts the flags of fields, and codes frames.
            "libxvid",
            "h261",
            "msmpeg4v2",
            "msmpeg4",
            "wmv1",
            "wmv2",
            "flv",
            "rv10",
            "rv20",
            "speedhq",
            "mjpeg",
            "amv",
        ]),
        quality: Some(Quality::quantizer(1.0, 2.0, 31.0)),
        ..OTHER
    },
    // Strong colours overflow at 1, and 2 alone is up to 1 dB further from the source than libx264.
    EncoderFamily {
        names: Names::Are(&["h263p", "h263"]),
        quality: Some(Quality::quantizer(1.0, 2.0, 31.0)),
        own: |_, _| Some(("trellis", "1")),
        ..OTHER
    },
    // Strong colours overflow below that, and it takes parts of a quantizer.
    EncoderFamily {
        names: Names::Are(&["asv2"]),
        quality: Some(Quality::quantizer(2.4, 2.4, 31.0).with_digits(1)),
        ..OTHER
    },
    EncoderFamily { names: Names::Are(&["asv1"]), quality: Some(Quality::quantizer(3.0, 3.0, 31.0)), ..OTHER },
    EncoderFamily { names: Names::Are(&["snow", "svq1"]), quality: Some(Quality::quantizer(1.0, 1.0, 31.0)), ..OTHER },
    EncoderFamily {
        names: Names::Are(&["roqvideo"]),
        quality: Some(Quality::quantizer(1.0, 1.0, 31.0).left()),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["jpeg2000"]),
        quality: Some(Quality::quantizer(1.0, 1.0, 31.0).left()),
        lossless: Lossless::By { options: &[("pred", "dwt53")], inner: &[] },
        ..OTHER
    },
    EncoderFamily { names: Names::Are(&["libtheora"]), quality: Some(Quality::quantizer(10.0, 10.0, 1.0)), ..OTHER },
    EncoderFamily {
        names: Names::Start("libwebp"),
        quality: Some(Quality::option("quality", 100.0, 80.0, 1.0)),
        lossless: Lossless::By { options: &[("lossless", "1")], inner: &[] },
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["libjxl"]),
        quality: Some(Quality::option("distance", 0.1, 1.9, 9.0).with_digits(2)),
        lossless: Lossless::By { options: &[("distance", "0")], inner: &[] },
        ..OTHER
    },
    EncoderFamily { names: Names::Are(&["cfhd"]), quality: Some(Quality::option("quality", 0.0, 0.0, 12.0)), ..OTHER },
    EncoderFamily {
        names: Names::Are(&["dnxhd"]),
        quality: Some(Quality::profile("profile", &["dnxhr_hq", "dnxhr_sq", "dnxhr_lb"])),
        codes_fields: true,
        ..OTHER
    },
    EncoderFamily { names: Names::Are(&["vc2"]), quality: Some(Quality::bits_per_pixel(10.0, 5.0, 0.5)), ..OTHER },
    EncoderFamily { names: Names::Are(&["dvvideo"]), quality: None, codes_fields: true, ..OTHER },
    // Nothing to choose: a fixed rate, a fixed codebook.
    EncoderFamily {
        names: Names::Are(&[
            "cinepak",
            "a64multi",
            "a64multi5",
            "hap",
            "msvideo1",
            "rpza",
            "smc",
            "flashsv2",
            "cljr",
            "gif",
            "xface",
        ]),
        quality: None,
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&["ffv1"]),
        quality: None,
        lossless: Lossless::Always,
        // Version 3 has slices, which threads can share, and checksums; but of frames that are smaller than its grid of
        // slices FFmpeg 5.1 loses some, and later ones refuse them. 8.0 takes version 3 unless told otherwise.
        own: |format, _| Some(("level", if format.width.min(format.height) >= 64 { "3" } else { "1" })),
        ..OTHER
    },
    EncoderFamily {
        names: Names::Are(&[
            "png",
            "apng",
            "rawvideo",
            "utvideo",
            "huffyuv",
            "ffvhuff",
            "tiff",
            "bmp",
            "v210",
            "exr",
            "jpegls",
            "libopenjpeg",
        ]),
        quality: None,
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

#[cfg(test)]
mod tests {
    use super::super::quality::{QualityLevel, QualitySetting};
    use super::*;

    /// The table of docs/encoding.md, from the rows above.
    fn page() -> String {
        let mut page =
            String::from("| encoders | set | 100 | 90 | 80 | 60 | 40 | 1 |\n|---|---|---|---|---|---|---|---|\n");
        for family in &FAMILIES {
            let Some(quality) = family.quality else { continue };
            let names = match family.names {
                Names::Are(names) => names.join(", "),
                Names::Start(part) => format!("{part}…"),
                Names::End(part) => format!("…{part}"),
                Names::All => continue,
            };
            let number = |level: u8| match quality.setting {
                QualitySetting::Profile { values, .. } => {
                    let options = quality.options("", QualityLevel::Common(level), 1.0).unwrap();
                    values.iter().find(|value| options[0].1 == **value).map(ToString::to_string).unwrap()
                }
                QualitySetting::Quantizer { digits } => format!("{:.digits$}", quality.own(level)),
                QualitySetting::BitsPerPixel => format!("{:.2}", quality.own(level)),
                QualitySetting::Number { .. } => {
                    quality.options("", QualityLevel::Common(level), 1.0).unwrap()[0].1.clone()
                }
            };
            let numbers: Vec<_> = [100, 90, 80, 60, 40, 1].into_iter().map(number).collect();
            let left = if quality.is_left { "; unset by default" } else { "" };
            page += &format!("| {names} | {}{left} | {} |\n", quality.setting, numbers.join(" | "));
        }
        page
    }

    #[test]
    fn the_page_of_encoding_has_the_table_of_qualities() {
        const BEGIN: &str = "<!-- the table of qualities -->\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/encoding.md");
        let found = std::fs::read_to_string(path).unwrap();
        let (before, rest) = found.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(BEGIN).unwrap();
        let written = format!("{before}{BEGIN}{}{BEGIN}{after}", page());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, &written).unwrap();
        }
        let is_update = std::env::var_os("UPDATE_DOCS").is_some();
        assert!(
            is_update || found == written,
            "docs/encoding.md is out of date; type: UPDATE_DOCS=1 cargo test the_page_of_encoding"
        );
    }

    /// A better quality never sets what is worse.
    #[test]
    fn the_scale_of_quality_is_monotonic() {
        for family in &FAMILIES {
            let Some(quality) = family.quality else { continue };
            let own: Vec<_> = (1..=100).map(|level| quality.own(level)).collect();
            let sign = if quality.best < quality.worst { -1.0 } else { 1.0 };
            assert!(own.windows(2).all(|pair| (pair[1] - pair[0]) * sign >= -1e-4), "{own:?}");
            for (level, wanted) in [(1, quality.worst), (80, quality.usual), (100, quality.best)] {
                assert!((quality.own(level) - wanted).abs() < 1e-3, "{level}: {}", quality.own(level));
            }
        }
    }
}
