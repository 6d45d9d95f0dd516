//! Each frame composed with the one before, or with that of another clip, sample by sample: the modes of FFmpeg's `blend`.

use anyhow::{Result, ensure};

use super::cost::Operations;
use super::operation::Operation;
use super::reach::Reach;
use crate::frame::{Format, Sample};

/// With `a` for the sample of the frame in the middle of the window, `b` for that of its partner, `M` for the largest
/// sample of the format (floats: 1), `H` for mid-grey (integers: `2^(depth − 1)`, floats: 1/2) and `F` for `M + 1` (floats: 1), the
/// mode gives `v`, and the result is `a + (v − a) · opacity`; only that of `normal` is `a · opacity + b · (1 − opacity)`.
///
/// - Integers: `a` and `b` above `M` count as `M`; `v` is exact but for quotients, which are rounded towards zero, and is
///   clipped to 0 to `M`. The last step is in `f32`, each operation rounded, and its result is rounded down.
/// - Floats: every operation is rounded to `f32`, none is fused, and nothing is clipped; a NaN becomes `0x7fc0_0000`.
///
/// `min(p, q)` is `q` if `p > q` and else `p`; `max(p, q)` is `p` if `p > q` and else `q`; `|p|` is `p` if `p ≥ 0` and else `0 − p`.
/// Products and quotients are evaluated from left to right. The definitions are those of FFmpeg's `blend`, whose bytes these
/// are at 8 to 14 bits; at 16 bits its products overflow, and floats it computes partly in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compose {
    /// How `v` is made.
    pub mode: ComposeMode,
    /// Share of the result, 0 to 1; the rest is `a`.
    pub opacity: f32,
    /// The frame that `b` is of.
    pub partner: ComposePartner,
}

/// The frame that each frame is composed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComposePartner {
    /// The frame before.
    #[default]
    Before,
    /// The second input of the pass: a frame of another clip.
    Second,
}

/// The list of modes: variant, name and formula.
macro_rules! modes {
    ($($Mode:ident $name:literal $formula:literal)*) => {
        /// How two samples become one; the names are FFmpeg's.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ComposeMode {
            $(#[doc = concat!("`", $formula, "`")] $Mode,)*
        }

        impl ComposeMode {
            /// All modes.
            pub const ALL: &'static [Self] = &[$(Self::$Mode,)*];

            /// FFmpeg's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Mode => $name,)*
                }
            }

            /// The mode of that name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|mode| mode.name() == name).copied()
            }
        }
    };
}

modes! {
    Multiply "multiply" "a · b / M"
    Multiply128 "multiply128" "(a − H) · b / (F / 8) + H, for integers in f32, cut off"
    Negation "negation" "M − |M − a − b|"
    Extremity "extremity" "|M − a − b|"
    Screen "screen" "M − (M − a) · (M − b) / M"
    Overlay "overlay" "a < H: 2 · (a · b / M), else M − 2 · ((M − a) · (M − b) / M)"
    HardLight "hardlight" "b < H: 2 · (b · a / M), else M − 2 · ((M − b) · (M − a) / M)"
    HardMix "hardmix" "a < M − b: 0, else M"
    Heat "heat" "a = 0: 0, else M − min((M − b) · (M − b) / a, M)"
    Freeze "freeze" "b = 0: 0, else M − min((M − a) · (M − a) / b, M)"
    Divide "divide" "b = 0: M, else M · a / b"
    Dodge "dodge" "dodge(a, b) = a if a ≥ M, else min(M, b · F / (M − a))"
    Burn "burn" "burn(a, b) = a if a ≤ 0, else max(0, M − (M − b) · F / a)"
    SoftLight "softlight" "a · a / M + 2 · (b · (a · (M − a) / M) / M)"
    Exclusion "exclusion" "a + b − 2 · a · b / M"
    PinLight "pinlight" "b < H: min(a, 2 · b), else max(a, 2 · (b − H))"
    Reflect "reflect" "b = M: b, else min(M, a · a / (M − b))"
    Glow "glow" "a = M: a, else min(M, b · b / (M − a))"
    And "and" "bits in both; floats: of their encodings"
    Or "or" "bits in either; floats: of their encodings"
    Xor "xor" "bits in one of them; floats: of their encodings"
    VividLight "vividlight" "a < H: burn(2 · a, b), else dodge(2 · (a − H), b)"
    LinearLight "linearlight" "b < H: b + 2 · a − M, else b + 2 · (a − H)"
    SoftDifference "softdifference" "a > b: 0 if b = M, else (a − b) · M / (M − b); a ≤ b: 0 if b = 0, else (b − a) · M / b"
    Geometric "geometric" "root of a · b in f32, rounded to nearest, ties to even; floats below 0 count as 0"
    Harmonic "harmonic" "a = b = 0: 0, else 2 · a · b / (a + b)"
    HardOverlay "hardoverlay" "a = M: M, else min(M, a > H: M · b / (2 · M − 2 · a), a ≤ H: 2 · a · b / M)"
    Normal "normal" "a, its share against b"
    Addition "addition" "min(M, a + b)"
    Average "average" "(a + b) / 2"
    Subtract "subtract" "max(0, a − b)"
    Difference "difference" "|a − b|"
    Darken "darken" "min(a, b)"
    Lighten "lighten" "max(a, b)"
    GrainExtract "grainextract" "H + a − b"
    GrainMerge "grainmerge" "a + b − H"
    Phoenix "phoenix" "min(a, b) − max(a, b) + M"
}

impl Operation for Compose {
    fn kind(&self) -> &'static str {
        "compose"
    }

    fn check(&self, _: &Format, _: usize) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.opacity), "the opacity is not from 0 to 1");
        Ok(())
    }

    /// A product or a quotient, and the share of the result.
    fn least(&self, _: Sample, samples: u64) -> Operations {
        Operations { real: self.operations(samples), ..Operations::NONE }
    }

    fn reach(&self) -> Reach {
        match self.partner {
            ComposePartner::Before => Reach { before: [1, 0, 0], after: [0; 3] },
            ComposePartner::Second => Reach::default(),
        }
    }

    fn second_input(&self) -> bool {
        self.partner == ComposePartner::Second
    }

    fn shape(&self) -> String {
        match self.opacity {
            1.0 => self.mode.name().to_owned(),
            opacity => format!("{opacity} of {}", self.mode.name()),
        }
    }

    /// The two frames and the result.
    fn bytes(&self, sample: Sample, samples: u64) -> u64 {
        3 * samples * sample.bytes() as u64
    }

    fn operations(&self, samples: u64) -> u64 {
        4 * samples
    }
}
