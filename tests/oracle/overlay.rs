//! A picture, or another clip, over samples: whole numbers in `i128`, floats in the prescribed `f32`, which `f64` bounds.

use warpreel::frame::Sample;
use warpreel::pass::{Border, ClipOpacity, Overlay, OverlayBase, OverlaySamples};

use super::{Place, UNIT, guide};

/// The place of the picture's sample that lies over a place of the plane, from the picture's first sample as it is stored on.
fn within(op: &Overlay, place: &Place) -> Option<(usize, usize)> {
    let (x, y) = (place.x as usize, place.y as usize);
    let size = (op.columns.len(), op.rows.len());
    let Some(motion) = op.motion else {
        return (op.columns.contains(&x) && op.rows.contains(&y)).then(|| (x - op.columns.start, y - op.rows.start));
    };
    // As all of it is shown, and back.
    let (across, down) = motion.turn.shown((x, y), motion.plane);
    let luma = [motion.subsampling.0, motion.subsampling.1].map(|power| 1i32 << power);
    let left = across as i32 - place.place.left.div_euclid(luma[0]);
    let top = down as i32 - place.place.top.div_euclid(luma[1]);
    let (width, height) = motion.turn.size(size);
    let inside = (0..width as i32).contains(&left) && (0..height as i32).contains(&top);
    inside.then(|| motion.turn.stored((left as usize, top as usize), (width, height)))
}

/// What one sample is.
pub fn sample(op: &Overlay, place: &Place) -> f32 {
    let d = place.centre();
    let Some((column, row)) = within(op, place) else { return d };
    let at = row * op.columns.len() + column;
    let is_opacity = op.base == OverlayBase::Opacity;
    // The plane of opacity has no samples over it.
    let (s, a) = match &op.picture {
        OverlaySamples::Whole { samples, opacity } => {
            (samples.get(at).copied().unwrap_or_default().into(), opacity[at].into())
        }
        OverlaySamples::Real { samples, opacity } => (samples.get(at).copied().unwrap_or_default(), opacity[at]),
        OverlaySamples::Clip(clip) => {
            let images = &place.stack.frames;
            let Some(second) = &images[images.len() / 2 - 1] else { return d };
            let most = if place.format.pixel.sample == Sample::F32 { 1.0 } else { place.format.pixel.peak() };
            let opacity = match clip.opacity {
                ClipOpacity::Even(opacity) => opacity,
                ClipOpacity::FromRow(first) => match second[(first + row) * op.columns.len() + column] {
                    opacity if opacity.is_nan() => 0.0,
                    opacity => opacity.clamp(0.0, most),
                },
            };
            (second[at], opacity)
        }
    };
    let below = match op.base {
        OverlayBase::Colour(beside) => Some(guide::sample(beside, Border::Clamp, place, 0, place.y, place.x)),
        OverlayBase::Opaque | OverlayBase::Opacity => None,
    };
    if place.format.pixel.sample != Sample::F32 {
        let most = i128::from(place.format.pixel.peak() as u32);
        let (d, s, a) = (d as i128, s as i128, a as i128);
        let divided = |sum: i128| match place.format.pixel.sample {
            // The nearest whole number, since no sum lies half way: 255 is odd.
            Sample::U8 => (2 * sum + 255) / 510,
            _ => sum / most,
        };
        if is_opacity {
            return (d + divided((most - d).max(0) * a)) as f32;
        }
        let e = below.map_or(most, |below| (below as i128).min(most));
        // The part of the picture in what both together cover.
        let b = match below {
            Some(_) if a > 0 && a < most => most * most * a / (most * a + most * e - a * e),
            _ => a,
        };
        return divided(d * (most - b) + s * b) as f32;
    }
    match (a, is_opacity) {
        (0.0, _) => return d,
        (1.0, true) => return 1.0,
        (1.0, false) => return s,
        _ => {}
    }
    let (value, ideal, size) = if is_opacity {
        let wide = f64::from(d);
        (d + (1.0 - d) * a, wide + (1.0 - wide) * f64::from(a), 1.0 + wide.abs())
    } else {
        let e = below.map_or(0.0, |below| if below.is_finite() { below.clamp(0.0, 1.0) } else { 0.0 });
        let b = if below.is_some() { a / ((a + e) - a * e) } else { a };
        if b == 1.0 {
            return s;
        }
        let [wide_a, e, wide_s, wide_d] = [a, e, s, d].map(f64::from);
        let exact = if below.is_some() { wide_a / (wide_a + e - wide_a * e) } else { wide_a };
        (d * (1.0 - b) + s * b, wide_d * (1.0 - exact) + wide_s * exact, wide_d.abs() + wide_s.abs())
    };
    let error = 16.0 * UNIT * size + f64::from(f32::MIN_POSITIVE);
    let is_off = value.is_finite() && (f64::from(value) - ideal).abs() > error;
    assert!(!is_off, "{value} is more than {error:e} from {ideal}");
    if value.is_nan() { f32::from_bits(0x7fc0_0000) } else { value }
}
