//! Colours mapped to colours, of all planes of a size at once: some samples of a row become colours, are mapped, and become
//! samples.

mod beside;
mod curves;
mod lattice;
mod shade;
mod vibrance;

use anyhow::Result;

use super::joint::{JointPlanes, JointStage};
use super::operation::{Setting, Staged};
use super::simd::{Level, Sample, Simd};
use super::walk::{JointBand, PlaneStage};
use super::window::PlaneWindow;
use crate::frame::{Family, Format};
use crate::pass::{ColourMap, ColourMatrix, Grade, Vibrance};
use beside::Beside;
use curves::Pieces;
use lattice::{CHUNK, Colours, Points};
use shade::{Shaded, read};

/// A map of colours in the form that the loops read.
enum Lookup {
    Lattice(Points),
    Curves(Pieces),
    Vibrance(Vibrance),
}

/// Planes of one size, the first of which leads.
struct GradedPlanes {
    lookup: Lookup,
    strength: f32,
    matrix: Option<ColourMatrix>,
    format: Format,
    lead: usize,
    level: Level,
    band_rows: usize,
}

/// As many samples of a row as are looked up at once, from one on; 0 beyond the last.
#[inline(always)]
fn some<'a, T: Sample>(row: &'a [T], x: usize, spare: &'a mut [T; CHUNK]) -> &'a [T] {
    let rest = &row[x..];
    if rest.len() >= CHUNK {
        return &rest[..CHUNK];
    }
    spare[..rest.len()].copy_from_slice(rest);
    spare[rest.len()..].fill(T::of(0.0));
    spare
}

impl GradedPlanes {
    /// The planes of red, green and blue.
    const RGB: [usize; 3] = [2, 0, 1];

    /// Reads colours of row `y` from column `x` on.
    #[inline(always)]
    fn given<S: Simd, T: Shaded>(
        &self,
        simd: S,
        windows: &[PlaneWindow<T>],
        (x, y): (usize, usize),
        colours: &mut Colours,
    ) {
        let pixel = self.format.pixel;
        let unit = simd.splat(if T::IS_REAL { 1.0 } else { 1.0 / pixel.peak() });
        for (plane, to) in Self::RGB.into_iter().zip(&mut colours.given) {
            let mut spare = [T::of(0.0); CHUNK];
            let row = some(windows[plane].centre(y), x, &mut spare);
            for k in (0..CHUNK).step_by(S::LANES) {
                simd.store(simd.mul(read(simd, &row[k..]), unit), &mut to[k..]);
            }
        }
    }

    /// Makes colours of luma and chroma of some places.
    #[inline(always)]
    fn coloured<S: Simd>(simd: S, matrix: &ColourMatrix, [luma, blue, red]: [&[f32]; 3], colours: &mut Colours) {
        let (black, luma_unit) = (simd.splat(matrix.black), simd.splat(matrix.luma));
        let (middle, chroma_unit) = (simd.splat(matrix.middle), simd.splat(matrix.chroma));
        let (from_v, from_u) = (simd.splat(matrix.red), simd.splat(matrix.blue));
        let (green_u, green_v) = (simd.splat(matrix.green[0]), simd.splat(matrix.green[1]));
        for k in (0..CHUNK).step_by(S::LANES) {
            let y = simd.mul(simd.sub(simd.load(&luma[k..]), black), luma_unit);
            let u = simd.mul(simd.sub(simd.load(&blue[k..]), middle), chroma_unit);
            let v = simd.mul(simd.sub(simd.load(&red[k..]), middle), chroma_unit);
            let g = simd.sub(y, simd.mul(u, green_u));
            let [to_r, to_g, to_b] = &mut colours.given;
            simd.store(simd.add(y, simd.mul(v, from_v)), &mut to_r[k..]);
            simd.store(simd.sub(g, simd.mul(v, green_v)), &mut to_g[k..]);
            simd.store(simd.add(y, simd.mul(u, from_u)), &mut to_b[k..]);
        }
    }

    /// Mixes what was found with what was given.
    #[inline(always)]
    fn mix<S: Simd>(&self, simd: S, colours: &mut Colours) {
        let (wet, dry) = (simd.splat(self.strength), simd.splat(1.0 - self.strength));
        for (given, found) in colours.given.iter().zip(&mut colours.found) {
            for k in (0..CHUNK).step_by(S::LANES) {
                let [given, there] = [simd.load(&given[k..]), simd.load(&found[k..])];
                simd.store(simd.add(simd.mul(given, dry), simd.mul(there, wet)), &mut found[k..]);
            }
        }
    }

    /// Writes what was found as samples of a plane.
    #[inline(always)]
    fn put<S: Simd, T: Shaded>(&self, simd: S, plane: usize, colours: &Colours, to: &mut [T]) {
        let mut spare = [T::of(0.0); CHUNK];
        let pixel = self.format.pixel;
        let peak = simd.splat(pixel.peak());
        let half = simd.splat(if self.matrix.is_some() { 0.5 } else { 0.0 });
        let is_whole = to.len() == CHUNK;
        let row: &mut [T] = if is_whole { &mut *to } else { &mut spare };
        match &self.matrix {
            None => {
                let found = &colours.found[[1, 2, 0][plane]];
                for k in (0..CHUNK).step_by(S::LANES) {
                    let number = simd.load(&found[k..]);
                    let number = if T::IS_REAL { number } else { simd.mul(number, peak) };
                    T::put(simd, number, half, peak, &mut row[k..]);
                }
            }
            Some(matrix) => {
                let [r, g, b] = &colours.found;
                let [wr, wg, wb] = matrix.weights;
                let (wr, wg, wb) = (simd.splat(wr), simd.splat(wg), simd.splat(wb));
                let (span, black) = (simd.splat(matrix.span), simd.splat(matrix.black));
                // Chroma is a colour less luma.
                let (colour, back) = if plane == 1 { (b, matrix.back[0]) } else { (r, matrix.back[1]) };
                let (back, chroma_span) = (simd.splat(back), simd.splat(matrix.chroma_span));
                let middle = simd.splat(matrix.middle);
                for k in (0..CHUNK).step_by(S::LANES) {
                    let red_green = simd.add(simd.mul(simd.load(&r[k..]), wr), simd.mul(simd.load(&g[k..]), wg));
                    let luma = simd.add(red_green, simd.mul(simd.load(&b[k..]), wb));
                    let number = if plane == 0 {
                        simd.add(simd.mul(luma, span), black)
                    } else {
                        let part = simd.mul(simd.sub(simd.load(&colour[k..]), luma), back);
                        simd.add(simd.mul(part, chroma_span), middle)
                    };
                    T::put(simd, number, half, peak, &mut row[k..]);
                }
            }
        }
        if !is_whole {
            to.copy_from_slice(&spare[..to.len()]);
        }
    }
}

impl<T: Shaded> JointPlanes<T> for GradedPlanes {
    fn level(&self) -> Level {
        self.level
    }

    fn band_rows(&self) -> usize {
        self.band_rows
    }

    #[inline(always)]
    fn made<S: Simd>(&self, simd: S, band: JointBand<T>) {
        let JointBand { windows, first, outs, scratch } = band;
        let (width, _) = self.format.plane_size(self.lead);
        let rows = outs.first().map_or(0, |(_, out)| out.height);
        let mut colours = Colours::NONE;
        let mut beside = self.matrix.map(|matrix| Beside::new(matrix, &self.format, self.lead));
        for y in 0..rows {
            if !scratch.goes_on() {
                return;
            }
            let stride = width.next_multiple_of(CHUNK);
            if let Some(beside) = &mut beside {
                beside.rows(simd, windows, first + y, stride, scratch.spare.elements(4 * (stride + CHUNK)));
            }
            for x in (0..width).step_by(CHUNK) {
                match &beside {
                    None => self.given(simd, windows, (x, first + y), &mut colours),
                    Some(beside) => {
                        let lines = scratch.spare.elements::<f32>(4 * (stride + CHUNK));
                        let rows = [0, 1, 2].map(|n| &lines[n * stride + x..][..CHUNK]);
                        GradedPlanes::coloured(simd, &beside.matrix, rows, &mut colours);
                    }
                }
                match &self.lookup {
                    Lookup::Lattice(points) => points.look_up(simd, &mut colours),
                    Lookup::Curves(pieces) => pieces.look_up(simd, &mut colours),
                    Lookup::Vibrance(vibrance) => vibrance::saturate(simd, vibrance, &mut colours),
                }
                if self.strength != 1.0 {
                    self.mix(simd, &mut colours);
                }
                for (plane, out) in outs.iter_mut() {
                    let row = &mut out.row_mut(y)[x..];
                    let count = row.len().min(CHUNK);
                    self.put(simd, *plane, &colours, &mut row[..count]);
                }
            }
        }
    }
}

impl<T: Shaded> Staged<T> for Grade {
    fn stage(&self, setting: &Setting) -> Result<Box<dyn PlaneStage<T>>> {
        debug_assert!(self.matrix.is_some() || setting.pixel().family == Family::Rgb, "the pass was checked");
        Ok(Box::new(JointStage(GradedPlanes {
            lookup: match &self.map {
                ColourMap::Lattice(lattice, mode) => Lookup::Lattice(Points::new(lattice, *mode)),
                ColourMap::Curves(curves) => Lookup::Curves(Pieces::new(curves)),
                ColourMap::Vibrance(vibrance) => Lookup::Vibrance(*vibrance),
            },
            strength: self.strength,
            matrix: self.matrix,
            format: setting.format.clone(),
            lead: setting.plane,
            level: setting.level,
            band_rows: setting.band_rows(),
        })))
    }
}
