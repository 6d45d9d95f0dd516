//! Some colours at once along three curves: places in vectors, then the pieces of each, whose numbers are put beside each other.

use super::super::simd::Simd;
use super::lattice::{CHUNK, Colours};
use crate::pass::ToneCurves;

/// The curves of red, green and blue.
pub struct Pieces {
    curves: ToneCurves,
    last: f32,
}

impl Pieces {
    pub fn new(curves: &ToneCurves) -> Self {
        Self { curves: curves.clone(), last: (curves.size - 1) as f32 }
    }

    /// Maps the colours that are given.
    #[inline(always)]
    pub fn look_up<S: Simd>(&self, simd: S, colours: &mut Colours) {
        let ToneCurves { size, pieces, low, scale, ahead } = &self.curves;
        let Colours { given, found, .. } = colours;
        let axes = pieces.chunks_exact(*size).zip(low).zip(scale);
        for (((pieces, low), scale), (given, found)) in axes.zip(given.iter().zip(found)) {
            let (mut places, mut parts, mut numbers) = ([0i32; CHUNK], [0.0f32; CHUNK], [[0.0f32; CHUNK]; 4]);
            for k in (0..CHUNK).step_by(S::LANES) {
                let place = simd.mul(simd.sub(simd.load(&given[k..]), simd.splat(*low)), simd.splat(*scale));
                let place = simd.smaller(simd.larger(place, simd.splat(0.0)), simd.splat(self.last));
                let whole = simd.whole(simd.add(place, simd.splat(*ahead)));
                simd.store(simd.sub(place, simd.float(whole)), &mut parts[k..]);
                simd.store_integers(whole, &mut places[k..]);
            }
            let [c0, c1, c2, c3] = &mut numbers;
            let beside = c0.iter_mut().zip(c1.iter_mut()).zip(c2.iter_mut().zip(c3.iter_mut()));
            for (((c0, c1), (c2, c3)), place) in beside.zip(&places) {
                [*c0, *c1, *c2, *c3] = pieces[*place as usize];
            }
            for k in (0..CHUNK).step_by(S::LANES) {
                let part = simd.load(&parts[k..]);
                let [c0, c1, c2, c3] = &numbers;
                let sum = simd.add(simd.mul(simd.load(&c3[k..]), part), simd.load(&c2[k..]));
                let sum = simd.add(simd.mul(sum, part), simd.load(&c1[k..]));
                simd.store(simd.add(simd.mul(sum, part), simd.load(&c0[k..])), &mut found[k..]);
            }
        }
    }
}
