//! Light of HDR: the transfers of BT.2100, the curves that compress it, and the tables of both. Powers are computed by `libm` and
//! not asked of the machine, so that every machine has the same tables.

use libm::{exp, log2, pow};

use crate::pass::{ColourSteps, LogTable, SystemGamma};

/// A transfer of HDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HdrTransfer {
    /// Perceptual quantization: SMPTE ST 2084.
    Pq,
    /// Hybrid log-gamma: ARIB STD-B67.
    Hlg,
}

/// Constants of PQ.
const PQ: [f64; 5] = [2610.0 / 16384.0, 2523.0 / 32.0, 3424.0 / 4096.0, 2413.0 / 128.0, 2392.0 / 128.0];

/// Luminance of coded PQ, in cd/m² (BT.2100, table 4: EOTF); what is outside 0 to 1 counts as the end.
fn pq_luminance(coded: f64) -> f64 {
    let [m1, m2, c1, c2, c3] = PQ;
    let power = pow(coded.clamp(0.0, 1.0), 1.0 / m2);
    10000.0 * pow((power - c1).max(0.0) / (c2 - c3 * power), 1.0 / m1)
}

/// PQ of a luminance in cd/m².
fn pq_coded(luminance: f64) -> f64 {
    let [m1, m2, c1, c2, c3] = PQ;
    let power = pow(luminance / 10000.0, m1);
    pow((c1 + c2 * power) / (1.0 + c3 * power), m2)
}

/// Light of a scene of coded HLG, 1 at a coded 1 (BT.2100, table 5: the inverse of the OETF).
fn hlg_light(coded: f64) -> f64 {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73);
    let coded = coded.max(0.0);
    if coded <= 0.5 { coded * coded / 3.0 } else { (exp((coded - c) / a) + b) / 12.0 }
}

impl HdrTransfer {
    /// Of a code point of H.273.
    pub(super) fn of(code: u8) -> Option<Self> {
        match code {
            16 => Some(Self::Pq),
            18 => Some(Self::Hlg),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pq => "PQ",
            Self::Hlg => "HLG",
        }
    }

    /// Light of coded values: of PQ in units of `target` cd/m².
    pub(super) fn linear(self, target: f64) -> Vec<f32> {
        let light = |n: usize| {
            let coded = n as f64 / f64::from(ColourSteps::WHITE);
            match self {
                Self::Pq => pq_luminance(coded) / target,
                Self::Hlg => hlg_light(coded),
            }
        };
        (0..ColourSteps::ENTRIES).map(|n| light(n) as f32).collect()
    }

    /// Light of a display of so many cd/m², in units of `target` cd/m², by that of a scene, of which `weights` is the luminance:
    /// the OOTF of BT.2100 with the system gamma `1.2 · 1.111^log2(peak / 1000)` of BT.2390 for other displays than of 1000 cd/m².
    pub(super) fn system(self, weights: [f64; 3], peak: f64, target: f64) -> Option<SystemGamma> {
        let gamma = 1.2 * pow(1.111, log2(peak / 1000.0));
        let factors = || LogTable::of(-30, |luminance| (peak / target * pow(luminance, gamma - 1.0)) as f32);
        (self == Self::Hlg).then(|| SystemGamma { weights: weights.map(|w| w as f32), factors: factors() })
    }
}

/// A curve that compresses light of up to a peak above 1 into 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToneCurve {
    Bt2390,
    Hable,
    Mobius,
    Reinhard,
    Clip,
}

impl ToneCurve {
    pub(super) fn named(name: &str) -> Self {
        match name {
            "hable" => Self::Hable,
            "mobius" => Self::Mobius,
            "reinhard" => Self::Reinhard,
            "clip" => Self::Clip,
            _ => Self::Bt2390,
        }
    }

    /// Light after the curve, at most 1; all in units of `target` cd/m². Below a peak of at most 1 light stays as it is.
    fn of(self, light: f64, peak: f64, target: f64) -> f64 {
        let made = match self {
            _ if peak <= 1.0 => light,
            Self::Clip => light,
            Self::Bt2390 => bt2390(light.min(peak), peak, target),
            Self::Reinhard => light / (light + 1.0) * (peak + 1.0) / peak,
            Self::Hable => hable(light) / hable(peak),
            Self::Mobius => mobius(light, peak),
        };
        made.min(1.0)
    }

    /// The factor of a colour by the largest of its numbers.
    pub(super) fn gain(self, peak: f64, target: f64) -> LogTable<f32> {
        LogTable::of(-24, |light| (self.of(light, peak, target) / light) as f32)
    }
}

/// The EETF of BT.2390, annex 5, with a black of 0: identity in PQ up to a knee, and a Hermite spline from there to white.
fn bt2390(light: f64, peak: f64, target: f64) -> f64 {
    let whole = pq_coded(peak * target);
    let (coded, most) = (pq_coded(light * target) / whole, pq_coded(target) / whole);
    let knee = 1.5 * most - 0.5;
    if coded < knee {
        return light;
    }
    let t = (coded - knee) / (1.0 - knee);
    let (t2, t3) = (t * t, t * t * t);
    let spline = (2.0 * t3 - 3.0 * t2 + 1.0) * knee + (t3 - 2.0 * t2 + t) * (1.0 - knee) + (3.0 * t2 - 2.0 * t3) * most;
    pq_luminance(spline * whole) / target
}

/// Hable's curve (Uncharted 2), not yet brought to white.
fn hable(light: f64) -> f64 {
    let (a, b, c, d, e, f) = (0.15, 0.50, 0.10, 0.20, 0.02, 0.30);
    (light * (a * light + c * b) + d * e) / (light * (a * light + b) + d * f) - e / f
}

/// Identity up to 0.3, and a Möbius transform from there to white at the peak, of the same slope at 0.3: FFmpeg's `tonemap`.
fn mobius(light: f64, peak: f64) -> f64 {
    let j = 0.3;
    if light <= j {
        return light;
    }
    let a = -j * j * (peak - 1.0) / (j * j - 2.0 * j + peak);
    let b = (j * j - 2.0 * j * peak + peak) / (peak - 1.0).max(1e-6);
    (b * b + 2.0 * b * j + j * j) / (b - a) * (light + a) / (light + b)
}

/// Coded values of light for a display of BT.1886 whose black is 0: a power of 1/2.4.
pub(super) fn bt1886() -> LogTable<i16> {
    let white = f64::from(ColourSteps::WHITE);
    let coded = |light: f64| (pow(light.min(1.0), 1.0 / 2.4) * white).round() as i16;
    let mut table = LogTable::of(-32, coded);
    table.values[0] = 0;
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_rise_from_black_to_white() {
        for curve in ["bt2390", "hable", "mobius", "reinhard", "clip"].map(ToneCurve::named) {
            for peak in [0.5, 1.0, 1.01, 5.0, 50.0] {
                let light = |n: i32| curve.of(f64::from(n) / 100.0, peak, 203.0);
                let is_rising = (0..6000).all(|n| light(n) <= light(n + 1) + 1e-12);
                assert!(is_rising && light(0).abs() < 1e-12, "{curve:?} of {peak}");
                let white = curve.of(peak, peak, 203.0);
                assert!((white - peak.min(1.0)).abs() < 1e-9, "{curve:?} of {peak}: {white}");
            }
        }
    }
}
