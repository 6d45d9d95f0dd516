//! The scale of quality from 1 to 100, and its setting in each encoder's own measure.

use std::fmt;

use anyhow::{Result, bail, ensure};

/// An option with its value.
type Pair = (String, String);

/// The quality of videos unless another is given: as near to the source as libx264 at crf 18.
pub(super) const USUAL: u8 = 80;
/// The quality of stills unless another is given.
pub(super) const USUAL_OF_STILLS: u8 = 95;

/// How constant quality is set in an encoder.
#[derive(Clone, Copy)]
pub(super) struct Quality {
    /// What is set.
    pub setting: QualitySetting,
    /// The setting at quality 100.
    pub best: f32,
    /// The setting at quality 80, the default of videos.
    pub usual: f32,
    /// The setting at quality 1.
    pub worst: f32,
    /// Whether nothing is set unless a quality is given: the encoder's own default is good, or follows the input.
    pub is_left: bool,
}

/// What a quality sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum QualitySetting {
    /// An option of this name, with decimals.
    Number {
        option: &'static str,
        /// Digits behind the point.
        digits: usize,
        /// Beside it: options without which it would be ignored.
        beside: &'static [(&'static str, &'static str)],
    },
    /// FFmpeg's fixed quantizer: `q`, in FFmpeg's program `-q:v`.
    Quantizer {
        /// Digits behind the point that count.
        digits: usize,
    },
    /// One of several profiles, the best first.
    Profile { option: &'static str, values: &'static [&'static str] },
    /// Bits per pixel, where an encoder has nothing but a rate.
    BitsPerPixel,
}

/// FFmpeg's unit of fixed quantizers.
const QUANTIZER_UNIT: f32 = 118.0;

/// A setting as a typed number or by the common scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum QualityLevel {
    /// From 1 to 100.
    Common(u8),
    /// The encoder's own number.
    Own(f32),
}

impl Quality {
    /// An encoder that takes its quality as an option from `best` to `worst`, whole numbers.
    pub const fn option(option: &'static str, best: f32, usual: f32, worst: f32) -> Self {
        Self { setting: QualitySetting::Number { option, digits: 0, beside: &[] }, best, usual, worst, is_left: false }
    }

    /// An encoder with a fixed quantizer.
    pub const fn quantizer(best: f32, usual: f32, worst: f32) -> Self {
        Self { setting: QualitySetting::Quantizer { digits: 0 }, best, usual, worst, is_left: false }
    }

    /// Profiles, the best first.
    pub const fn profile(option: &'static str, values: &'static [&'static str]) -> Self {
        let worst = values.len() as f32 - 1.0;
        Self { setting: QualitySetting::Profile { option, values }, best: 0.0, usual: 0.0, worst, is_left: true }
    }

    /// A rate that follows the size and the rate of frames.
    pub const fn bits_per_pixel(best: f32, usual: f32, worst: f32) -> Self {
        Self { setting: QualitySetting::BitsPerPixel, best, usual, worst, is_left: false }
    }

    /// The same with digits behind the point.
    pub const fn with_digits(mut self, digits: usize) -> Self {
        match self.setting {
            QualitySetting::Number { option, beside, .. } => {
                self.setting = QualitySetting::Number { option, digits, beside };
            }
            QualitySetting::Quantizer { .. } => self.setting = QualitySetting::Quantizer { digits },
            QualitySetting::Profile { .. } | QualitySetting::BitsPerPixel => {}
        }
        self
    }

    /// The same with options without which it would be ignored.
    pub const fn beside(mut self, beside: &'static [(&'static str, &'static str)]) -> Self {
        if let QualitySetting::Number { option, digits, .. } = self.setting {
            self.setting = QualitySetting::Number { option, digits, beside };
        }
        self
    }

    /// The same for an encoder whose own default is kept.
    pub const fn left(mut self) -> Self {
        self.is_left = true;
        self
    }

    /// The encoder's own number for a quality from 1 to 100: between the three that are known, in even steps, or in even
    /// ratios where steps of the measure are ratios.
    pub fn own(&self, quality: u8) -> f32 {
        let quality = f32::from(quality.clamp(1, 100));
        let usual = f32::from(USUAL);
        let (from, to, part) = if quality <= usual {
            (self.worst, self.usual, (quality - 1.0) / (usual - 1.0))
        } else {
            (self.usual, self.best, (quality - usual) / (100.0 - usual))
        };
        match self.setting {
            QualitySetting::Quantizer { .. } | QualitySetting::BitsPerPixel => from * (to / from).powf(part),
            QualitySetting::Number { .. } | QualitySetting::Profile { .. } => from + (to - from) * part,
        }
    }

    /// The number as the encoder takes it.
    fn rounded(&self, own: f32) -> f32 {
        let digits = match self.setting {
            QualitySetting::Number { digits, .. } | QualitySetting::Quantizer { digits } => digits,
            QualitySetting::Profile { .. } | QualitySetting::BitsPerPixel => 0,
        };
        let unit = 10f32.powi(digits as i32);
        match self.setting {
            QualitySetting::BitsPerPixel => own,
            _ => (own * unit).round() / unit,
        }
    }

    /// Refuses a number that is none of the encoder's measure.
    fn check(&self, encoder: &str, number: f32) -> Result<()> {
        if matches!(self.setting, QualitySetting::Profile { .. } | QualitySetting::BitsPerPixel) {
            bail!("the encoder {encoder} has no --crf; type --quality 1 to 100, or --bitrate");
        }
        let is_low_better = self.best <= self.worst;
        // What is better than the best of the scale is mostly lossless.
        let (low, high) = match self.setting {
            QualitySetting::Quantizer { .. } if is_low_better => (1.0, self.worst),
            _ if is_low_better => (0.0, self.worst),
            _ => (0.0, self.best),
        };
        let better = if is_low_better { "lower" } else { "higher" };
        ensure!(
            (low..=high).contains(&number),
            "{encoder} takes --crf {low} to {high}, not {number}; the {better} the better"
        );
        Ok(())
    }

    /// The options of an encoder for a quality of pictures of so many pixels a second.
    ///
    /// # Errors
    /// If the number is none of the encoder's measure.
    pub fn options(&self, encoder: &str, level: QualityLevel, pixels_per_second: f64) -> Result<Vec<Pair>> {
        let own = match level {
            QualityLevel::Common(quality) => self.rounded(self.own(quality)),
            QualityLevel::Own(number) => {
                self.check(encoder, number)?;
                number
            }
        };
        let pair = |key: &str, value: String| (key.to_owned(), value);
        Ok(match self.setting {
            QualitySetting::Number { option, beside, .. } => {
                let beside = beside.iter().map(|(key, value)| pair(key, (*value).to_owned()));
                std::iter::once(pair(option, own.to_string())).chain(beside).collect()
            }
            QualitySetting::Quantizer { .. } => fixed_quantizer(own),
            QualitySetting::Profile { option, values } => {
                let index = (own.max(0.0) as usize).min(values.len() - 1);
                vec![pair(option, values[index].to_owned())]
            }
            QualitySetting::BitsPerPixel => {
                let bits = (f64::from(own) * pixels_per_second).clamp(64e3, 2e9);
                vec![pair("b", format!("{:.0}", bits))]
            }
        })
    }
}

/// FFmpeg's options for a fixed quantizer.
pub(super) fn fixed_quantizer(number: f32) -> Vec<Pair> {
    let pair = |key: &str, value: String| (key.to_owned(), value);
    let mut options =
        vec![pair("flags", "+qscale".to_owned()), pair("global_quality", format!("{:.0}", number * QUANTIZER_UNIT))];
    if number < 2.0 {
        // Nothing below 2 is taken otherwise.
        options.push(pair("qmin", "1".to_owned()));
    }
    options
}

/// A fixed quantizer among options, in FFmpeg's words: `q 2`.
pub(super) fn quantizer_in_words(options: &[Pair]) -> Option<String> {
    let found = |key: &str| options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    found("flags").filter(|flags| flags.contains("qscale"))?;
    let number: f32 = found("global_quality")?.parse().ok()?;
    Some(format!("q {}", (number / QUANTIZER_UNIT * 10.0).round() / 10.0))
}

impl fmt::Display for QualitySetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { option, .. } | Self::Profile { option, .. } => write!(f, "`{option}`"),
            Self::Quantizer { .. } => f.write_str("`q`"),
            Self::BitsPerPixel => f.write_str("bits per pixel"),
        }
    }
}
