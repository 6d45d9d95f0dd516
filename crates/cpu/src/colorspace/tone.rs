//! Rows of colours of HDR as those of SDR, some colours at a time: each step of all of them before the next.

use std::sync::Arc;

use crate::pass::{ColourSteps, LogTable, SystemGamma, ToneSteps};

/// Colours that are on their way at once.
const CHUNK: usize = 64;

/// Numbers of colours on their way.
type Numbers = [f32; CHUNK];

/// The steps between coded colours of HDR and of SDR.
pub struct Toner(Arc<ToneSteps>);

/// The value of a table for each number.
#[inline(always)]
fn values<T: Copy>(table: &LogTable<T>, numbers: &Numbers, mut put: impl FnMut(usize, T)) {
    let (first, last) = (table.first(), LogTable::<T>::ENTRIES as i32 - 1);
    let mut places = [0i32; CHUNK];
    for (place, number) in places.iter_mut().zip(numbers) {
        *place = (((number.to_bits() as i32).max(first) - first) >> LogTable::<T>::SHIFT).min(last);
    }
    let values = &table.values[..LogTable::<T>::ENTRIES];
    for (n, place) in places.into_iter().enumerate() {
        put(n, values[place as usize]);
    }
}

impl Toner {
    pub fn new(steps: &Arc<ToneSteps>) -> Self {
        Self(steps.clone())
    }

    /// Makes coded colours of SDR of those of HDR: the first numbers of three rows.
    #[inline(always)]
    pub fn map(&self, colours: &mut [i16], stride: usize, width: usize) {
        let (red, rest) = colours.split_at_mut(stride);
        let (green, blue) = rest.split_at_mut(stride);
        let rows = red[..width].chunks_mut(CHUNK).zip(green[..width].chunks_mut(CHUNK));
        for ((red, green), blue) in rows.zip(blue[..width].chunks_mut(CHUNK)) {
            self.some([red, green, blue]);
        }
    }

    /// The same of a few colours.
    #[inline(always)]
    fn some(&self, colours: [&mut [i16]; 3]) {
        let ToneSteps { linear, system, gain, primaries, coded, .. } = &*self.0;
        // The length that an index of 15 bits cannot leave.
        let linear = &linear[..ColourSteps::ENTRIES];
        let mut light: [Numbers; 3] = [[0.0; CHUNK]; 3];
        for (light, row) in light.iter_mut().zip(&colours) {
            for (light, code) in light.iter_mut().zip(&**row) {
                *light = linear[code.max(&0).unsigned_abs() as usize];
            }
        }
        let mut level: Numbers = [0.0; CHUNK];
        if let Some(SystemGamma { weights: [wr, wg, wb], factors }) = system {
            for n in 0..CHUNK {
                level[n] = (light[0][n] * wr + light[1][n] * wg) + light[2][n] * wb;
            }
            multiply(&mut light, factors, &level);
        }
        for n in 0..CHUNK {
            level[n] = larger(larger(light[0][n], light[1][n]), light[2][n]);
        }
        multiply(&mut light, gain, &level);
        for (row, [wr, wg, wb]) in colours.into_iter().zip(primaries) {
            for n in 0..CHUNK {
                level[n] = (wr * light[0][n] + wg * light[1][n]) + wb * light[2][n];
            }
            values(coded, &level, |n, code| {
                if let Some(to) = row.get_mut(n) {
                    *to = code;
                }
            });
        }
    }
}

/// The larger of two numbers, of which none is NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Multiplies each colour by the factor that a table has for its level.
#[inline(always)]
fn multiply(light: &mut [Numbers; 3], factors: &LogTable<f32>, level: &Numbers) {
    let mut factor: Numbers = [0.0; CHUNK];
    values(factors, level, |n, value| factor[n] = value);
    for row in light {
        for (number, factor) in row.iter_mut().zip(&factor) {
            *number *= factor;
        }
    }
}
