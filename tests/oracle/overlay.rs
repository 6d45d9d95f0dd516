//! A picture over samples: whole numbers in `i128`, floats in the prescribed `f32`, which `f64` bounds.

use warpreel::frame::Sample;
use warpreel::pass::{Border, Overlay, OverlayBase, OverlaySamples};

use super::{Place, UNIT, guide};

/// What one sample is.
pub fn sample(op: &Overlay, place: &Place) -> f32 {
    let (d, x, y) = (place.centre(), place.x as usize, place.y as usize);
    if !op.columns.contains(&x) || !op.rows.contains(&y) {
        return d;
    }
    let at = (y - op.rows.start) * op.columns.len() + x - op.columns.start;
    let below = match op.base {
        OverlayBase::Colour(beside) => Some(guide::sample(beside, Border::Clamp, place, 0, place.y, place.x)),
        OverlayBase::Opaque | OverlayBase::Opacity => None,
    };
    let is_opacity = op.base == OverlayBase::Opacity;
    match &op.picture {
        OverlaySamples::Whole { samples, opacity } => {
            let most = i128::from(place.format.pixel.peak() as u32);
            let (d, a) = (d as i128, i128::from(opacity[at]));
            let divided = |sum: i128| match place.format.pixel.sample {
                // The nearest whole number, since no sum lies half way: 255 is odd.
                Sample::U8 => (2 * sum + 255) / 510,
                _ => sum / most,
            };
            let made = if is_opacity {
                d + divided((most - d).max(0) * a)
            } else {
                let s = i128::from(samples[at]);
                let e = below.map_or(most, |below| (below as i128).min(most));
                // The part of the picture in what both together cover.
                let b = match below {
                    Some(_) if a > 0 && a < most => most * most * a / (most * a + most * e - a * e),
                    _ => a,
                };
                divided(d * (most - b) + s * b)
            };
            made as f32
        }
        OverlaySamples::Real { samples, opacity } => {
            let a = opacity[at];
            match (a, is_opacity) {
                (0.0, _) => return d,
                (1.0, true) => return 1.0,
                (1.0, false) => return samples[at],
                _ => {}
            }
            let (value, ideal, size) = if is_opacity {
                let wide = f64::from(d);
                (d + (1.0 - d) * a, wide + (1.0 - wide) * f64::from(a), 1.0 + wide.abs())
            } else {
                let e = below.map_or(0.0, |below| if below.is_finite() { below.clamp(0.0, 1.0) } else { 0.0 });
                let b = if below.is_some() { a / ((a + e) - a * e) } else { a };
                if b == 1.0 {
                    return samples[at];
                }
                let [a, e, s, d64] = [a, e, samples[at], d].map(f64::from);
                let exact = if below.is_some() { a / (a + e - a * e) } else { a };
                (d * (1.0 - b) + samples[at] * b, d64 * (1.0 - exact) + s * exact, d64.abs() + s.abs())
            };
            let error = 16.0 * UNIT * size + f64::from(f32::MIN_POSITIVE);
            let is_off = value.is_finite() && (f64::from(value) - ideal).abs() > error;
            assert!(!is_off, "{value} is more than {error:e} from {ideal}");
            if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value }
        }
    }
}
