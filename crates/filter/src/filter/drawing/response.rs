//! What a linear kernel does to waves: the magnitude of its discrete-time Fourier transform (Oppenheim and Schafer,
//! Discrete-Time Signal Processing, section 2.6), `|Σ tap[n] e^(−2πi f n)|`, in each dimension.

use super::super::stencil::{Matrix, Row, Shape, Stencil};

/// One linear kernel, the factor of its sum and the unfiltered sample included; an offset is not.
#[derive(Clone, Debug)]
pub struct Response<'a> {
    taps: PlaneTaps<'a>,
    scale: f64,
    dry: f64,
}

#[derive(Clone, Debug)]
enum PlaneTaps<'a> {
    /// Along t, y, x.
    Product([&'a Row; 3]),
    Matrix(&'a Matrix),
}

/// A complex number: real part, imaginary part.
type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// `e^(−2πi f n)` for each place `n`, counted from the anchor, of a row of `length`.
fn wave(length: usize, anchor: usize, frequency: f64) -> Vec<Complex> {
    let turn = |i: usize| -std::f64::consts::TAU * frequency * (i as f64 - anchor as f64);
    (0..length).map(|i| (libm::cos(turn(i)), libm::sin(turn(i)))).collect()
}

fn transform(weights: &[f64], wave: &[Complex]) -> Complex {
    weights.iter().zip(wave).fold((0.0, 0.0), |(re, im), (w, (c, s))| (re + w * c, im + w * s))
}

impl<'a> Response<'a> {
    /// The kernels of a stencil, each by itself: how several become one need not be linear.
    pub fn of(stencil: &'a Stencil) -> Vec<Self> {
        let Stencil { scale, dry, .. } = *stencil;
        match &stencil.shape {
            Shape::Product { t, y, x } => vec![Self { taps: PlaneTaps::Product([t, y, x]), scale, dry }],
            Shape::Kernels(kernels, _) => {
                kernels.iter().map(|kernel| Self { taps: PlaneTaps::Matrix(kernel), scale, dry }).collect()
            }
        }
    }

    /// How many taps in t, y, x.
    pub fn size(&self) -> [usize; 3] {
        match &self.taps {
            PlaneTaps::Product(rows) => rows.map(|row| row.weights.len()),
            PlaneTaps::Matrix(matrix) => matrix.size,
        }
    }

    /// The index of the tap that meets the sample itself, in t, y, x.
    pub fn anchor(&self) -> [usize; 3] {
        match &self.taps {
            PlaneTaps::Product(rows) => rows.map(|row| row.anchor),
            PlaneTaps::Matrix(matrix) => matrix.anchor,
        }
    }

    /// The tap at an index in t, y, x, which is inside.
    pub fn tap(&self, at: [usize; 3]) -> f64 {
        let weight = match &self.taps {
            PlaneTaps::Product(rows) => rows.iter().zip(at).map(|(row, i)| row.weights[i]).product(),
            PlaneTaps::Matrix(matrix) => matrix.weights[(at[0] * matrix.size[1] + at[1]) * matrix.size[2] + at[2]],
        };
        weight * self.scale + if at == self.anchor() { self.dry } else { 0.0 }
    }

    /// What becomes of the amplitude of waves along one axis (0 is t, 1 y, 2 x), `frequencies` in cycles per sample or
    /// frame, where nothing changes along the others.
    pub fn along(&self, axis: usize, frequencies: &[f64]) -> Vec<f64> {
        let row = self.projected(axis);
        let anchor = self.anchor()[axis];
        let value = |&frequency: &f64| self.magnitude(transform(&row, &wave(row.len(), anchor, frequency)));
        frequencies.iter().map(value).collect()
    }

    /// The taps along one axis, summed over the others.
    fn projected(&self, axis: usize) -> Vec<f64> {
        match &self.taps {
            PlaneTaps::Product(rows) => {
                let rest: f64 = (0..3).filter(|other| *other != axis).map(|other| rows[other].sum()).product();
                rows[axis].weights.iter().map(|weight| rest * weight).collect()
            }
            PlaneTaps::Matrix(matrix) => {
                let [depth, height, width] = matrix.size;
                let mut row = vec![0.0; [depth, height, width][axis]];
                for (i, weight) in matrix.weights.iter().enumerate() {
                    row[[i / (height * width), i / width % height, i % width][axis]] += weight;
                }
                row
            }
        }
    }

    /// Of a sum, with the last step's factors.
    fn magnitude(&self, (re, im): Complex) -> f64 {
        libm::hypot(self.scale * re + self.dry, self.scale * im)
    }

    /// The same for waves in the picture that do not change in time: rows of `down`, columns of `across`, both in cycles
    /// per sample.
    pub fn flat(&self, down: &[f64], across: &[f64]) -> Vec<f64> {
        let ([_, height, width], [_, y, x]) = (self.size(), self.anchor());
        let down: Vec<_> = down.iter().map(|&frequency| wave(height, y, frequency)).collect();
        let across: Vec<_> = across.iter().map(|&frequency| wave(width, x, frequency)).collect();
        match &self.taps {
            PlaneTaps::Product([t, y, x]) => {
                let still = (t.sum(), 0.0);
                let rows: Vec<_> = down.iter().map(|wave| times(still, transform(&y.weights, wave))).collect();
                let columns: Vec<_> = across.iter().map(|wave| transform(&x.weights, wave)).collect();
                rows.iter().flat_map(|row| columns.iter().map(|column| self.magnitude(times(*row, *column)))).collect()
            }
            PlaneTaps::Matrix(matrix) => {
                let mut still = vec![0.0; height * width];
                for frame in matrix.weights.chunks(height * width) {
                    still.iter_mut().zip(frame).for_each(|(sum, weight)| *sum += weight);
                }
                // The transform of each row at each frequency across.
                let rows: Vec<Vec<Complex>> =
                    still.chunks(width).map(|row| across.iter().map(|wave| transform(row, wave)).collect()).collect();
                let at = |wave: &Vec<Complex>, column: usize| {
                    let terms = rows.iter().zip(wave).map(|(row, phase)| times(row[column], *phase));
                    terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
                };
                let columns = 0..across.len();
                down.iter()
                    .flat_map(|wave| columns.clone().map(move |column| (wave, column)))
                    .map(|(wave, column)| self.magnitude(at(wave, column)))
                    .collect()
            }
        }
    }
}
