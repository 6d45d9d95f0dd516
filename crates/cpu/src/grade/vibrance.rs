//! Vibrance of some colours at once.

use super::super::simd::Simd;
use super::lattice::{CHUNK, Colours};
use super::shade::finite;
use crate::pass::Vibrance;

/// Makes the colours that are given more or less saturated.
#[inline(always)]
pub fn saturate<S: Simd>(simd: S, vibrance: &Vibrance, colours: &mut Colours) {
    let Vibrance { intensity, turn, weights } = vibrance;
    let [red, green, blue] = *weights;
    let (red, green, blue, one) = (simd.splat(red), simd.splat(green), simd.splat(blue), simd.splat(1.0));
    for k in (0..CHUNK).step_by(S::LANES) {
        let Colours { given: [r, g, b], found, .. } = colours;
        let (r, g, b) =
            (finite(simd, simd.load(&r[k..])), finite(simd, simd.load(&g[k..])), finite(simd, simd.load(&b[k..])));
        let most = simd.larger(simd.larger(r, g), b);
        let saturation = simd.sub(most, simd.smaller(simd.smaller(r, g), b));
        let luma = simd.add(simd.add(simd.mul(g, green), simd.mul(r, red)), simd.mul(b, blue));
        for ((found, given), (intensity, turn)) in found.iter_mut().zip([r, g, b]).zip(intensity.iter().zip(turn)) {
            let rest = simd.sub(one, simd.mul(simd.splat(*turn), saturation));
            let factor = simd.add(one, simd.mul(simd.splat(*intensity), rest));
            simd.store(simd.add(luma, simd.mul(simd.sub(given, luma), factor)), &mut found[k..]);
        }
    }
}
