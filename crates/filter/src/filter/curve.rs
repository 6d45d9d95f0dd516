//! What a filter wants of each sample by itself, in `f64` and in the units of the samples.

/// Operations in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Run in order.
    pub tones: Vec<Tone>,
    /// How much of the result there is beside the sample itself, 0 to 1.
    pub mix: f64,
}

/// One operation on a sample `v`.
#[derive(Clone, Debug, PartialEq)]
pub enum Tone {
    /// `v · factor`.
    Multiply(f64),
    /// `v + term`.
    Add(f64),
    /// `|v|`.
    Absolute,
    /// Kept between the two, both included.
    Clamp(f64, f64),
    /// `above` from `level` on, else `below`.
    Threshold {
        /// Where it changes.
        level: f64,
        /// Below the level.
        below: f64,
        /// From the level on.
        above: f64,
    },
    /// `v` to this power, which is positive; 0 where `v` is negative.
    Power(f64),
    /// Straight lines between values at equal distances from 0 to 1, at least two; the ends hold beyond.
    Lookup(Vec<f64>),
}

impl Curve {
    /// These operations, undiluted.
    pub fn new(tones: Vec<Tone>) -> Self {
        Self { tones, mix: 1.0 }
    }

    /// What becomes of one sample, before it is rounded.
    pub fn value(&self, sample: f64) -> f64 {
        let result = self.tones.iter().fold(sample, |v, tone| tone.value(v));
        result * self.mix + sample * (1.0 - self.mix)
    }

    /// Whether every number is finite in `f32`.
    pub fn is_finite(&self) -> bool {
        let fits = |number: f64| (number as f32).is_finite();
        self.tones.iter().all(|tone| match tone {
            Tone::Multiply(number) | Tone::Add(number) | Tone::Power(number) => fits(*number),
            Tone::Absolute => true,
            Tone::Clamp(low, high) => fits(*low) && fits(*high),
            Tone::Threshold { level, below, above } => [level, below, above].iter().all(|number| fits(**number)),
            Tone::Lookup(values) => values.iter().all(|number| fits(*number)),
        })
    }
}

impl Tone {
    fn value(&self, v: f64) -> f64 {
        match self {
            Self::Multiply(factor) => v * factor,
            Self::Add(term) => v + term,
            Self::Absolute => v.abs(),
            Self::Clamp(low, high) => v.max(*low).min(*high),
            Self::Threshold { level, below, above } => *(if v >= *level { above } else { below }),
            Self::Power(exponent) => libm::pow(v.max(0.0), *exponent),
            Self::Lookup(values) => {
                let place = (v * (values.len() - 1) as f64).clamp(0.0, (values.len() - 1) as f64);
                let i = (place as usize).min(values.len() - 2);
                values[i] + (place - i as f64) * (values[i + 1] - values[i])
            }
        }
    }
}
