//! The curve by which new samples are weighted, and what it does to waves.

use std::f64::consts::TAU;

use svg::node::element::Group;

use super::super::shape::SamplingCurve;
use super::chart::{Area, Axes, card, inside, ticks};

/// Points of a curve.
const POINTS: usize = 401;

/// How far it reaches to either side: half a sample where the nearest is taken.
fn reach(curve: &SamplingCurve) -> f64 {
    curve.support().max(0.5)
}

/// Its value at a distance; 0 beyond its reach.
fn value(curve: &SamplingCurve, distance: f64) -> f64 {
    if distance.abs() > reach(curve) { 0.0 } else { curve.at(distance) }
}

/// What becomes of the amplitude of waves of a frequency in cycles per sample: `|∫ curve(x) cos(2πfx) dx|`, the area under the
/// curve being 1, by the trapezoidal rule.
fn magnitude(curve: &SamplingCurve, frequency: f64) -> f64 {
    const STEPS: usize = 1200;

    let step = reach(curve) / STEPS as f64;
    let integral = |frequency: f64| -> f64 {
        let term = |i: usize| {
            let weight = if i == 0 || i == STEPS { 0.5 } else { 1.0 };
            weight * curve.at(i as f64 * step) * libm::cos(TAU * frequency * i as f64 * step)
        };
        (0..=STEPS).map(term).sum()
    };
    (integral(frequency) / integral(0.0)).abs()
}

/// A card with the curve.
pub(super) fn weights(curve: &SamplingCurve, area: Area) -> Group {
    let end = reach(curve) + 0.25;
    let place = |i: usize| end * (2.0 * i as f64 / (POINTS - 1) as f64 - 1.0);
    let points: Vec<_> = (0..POINTS).map(|i| (place(i), value(curve, place(i)))).collect();
    let low = points.iter().fold(0f64, |low, (_, value)| low.min(*value));
    let (low, high) = (if low < 0.0 { low - 0.06 } else { 0.0 }, 1.08);
    let axes = Axes::new(inside(area), (-end, end), (low, high));
    let names = ["distance, samples of the coarser grid", "weight"];
    let group = axes.draw(card(area, "Weight of a sample"), names, [&ticks(-end, end, 8), &ticks(low, high, 5)], true);
    group.add(axes.curve(&points, "curve0"))
}

/// A card with what remains of waves.
pub(super) fn waves(curve: &SamplingCurve, area: Area) -> Group {
    let frequency = |i: usize| i as f64 / (POINTS - 1) as f64;
    let points: Vec<_> = (0..POINTS).map(|i| (frequency(i), magnitude(curve, frequency(i)))).collect();
    let top = 1.08 * points.iter().fold(1f64, |largest, (_, value)| largest.max(*value));
    let axes = Axes::new(inside(area), (0.0, 1.0), (0.0, top));
    let names = ["frequency, cycles per sample of the coarser grid", "output / input"];
    let group = card(area, "Magnitude of the frequency response, mirror images from 0.5 on");
    let group = axes.draw(group, names, [&ticks(0.0, 1.0, 5), &ticks(0.0, top, 5)], true);
    group.add(axes.curve(&[(0.0, 1.0), (0.5, 1.0), (0.5, 0.0), (1.0, 0.0)], "same")).add(axes.curve(&points, "curve0"))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::{SamplingCurve, magnitude};

    #[test]
    fn responses_are_those_of_the_textbook() {
        let sinc = |f: f64| if f == 0.0 { 1.0 } else { libm::sin(PI * f) / (PI * f) };
        for step in 0..=20 {
            let f = f64::from(step) / 20.0;
            // A box and a triangle.
            assert!((magnitude(&SamplingCurve::Point, f) - sinc(f).abs()).abs() < 1e-5, "{f}");
            assert!((magnitude(&SamplingCurve::Bilinear, f) - sinc(f).powi(2)).abs() < 1e-5, "{f}");
            // A cubic B-spline is a box four times.
            assert!((magnitude(&SamplingCurve::Bicubic(1.0, 0.0), f) - sinc(f).powi(4)).abs() < 1e-5, "{f}");
        }
        // Longer sincs come nearer to the ideal.
        let at = |lobes: u32, f: f64| magnitude(&SamplingCurve::Lanczos(lobes), f);
        assert!(at(6, 0.4) > at(3, 0.4) && at(6, 0.65) < at(3, 0.65) && (at(16, 0.3) - 1.0).abs() < 0.02);
    }
}
