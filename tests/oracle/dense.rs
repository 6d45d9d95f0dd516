//! Kernels of any shape, tap by tap.

use warpreel::pass::{Combine, Dense, Kernel};

use super::{Place, UNIT, Value, finish, sum};

/// What one sample is.
pub fn sample(op: &Dense, place: &Place) -> f32 {
    let sums: Vec<_> = op.kernels.iter().map(|kernel| kernel_sum(op, kernel, place)).collect();
    finish(op.finish, place.format, combine(op.combine, &sums), place.centre())
}

fn kernel_sum(op: &Dense, kernel: &Kernel, &Place { stack, y, x, .. }: &Place) -> Value {
    let [depth, height, width] = kernel.size;
    let (mut real, mut integer, mut ideal, mut absolute) = (0f32, 0i64, 0f64, 0f64);
    let mut weights = kernel.weights.iter();
    for t in 0..depth {
        for r in 0..height {
            for c in 0..width {
                let [at, ay, ax] = kernel.anchor.map(|anchor| anchor as isize);
                let sample = stack.sample(op.border, t as isize - at, y + r as isize - ay, x + c as isize - ax);
                let weight = *weights.next().expect("one weight a tap");
                real = weight.mul_add(sample, real);
                // Of real taps this may overflow, and is not read.
                integer = integer.wrapping_add((weight as i64).wrapping_mul(sample as i64));
                let product = f64::from(weight) * f64::from(sample);
                ideal += product;
                absolute += product.abs();
            }
        }
    }
    sum(op.arithmetic, real, integer, ideal, absolute, kernel.weights.len())
}

fn combine(combine: Combine, sums: &[Value]) -> Value {
    let mut sums = sums.iter().copied().map(|sum| match combine {
        Combine::Sum | Combine::Largest => sum,
        Combine::Magnitude => Value {
            exact: sum.exact * sum.exact,
            ideal: sum.ideal * sum.ideal,
            error: (2.0 * sum.ideal.abs() + sum.error) * sum.error * (1.0 + UNIT) + UNIT * sum.ideal.powi(2),
        },
        Combine::Max => Value { exact: sum.exact.abs(), ideal: sum.ideal.abs(), ..sum },
    });
    let first = sums.next().expect("a kernel");
    let joined = sums.fold(first, |a, b| match combine {
        Combine::Max | Combine::Largest => {
            Value { exact: a.exact.max(b.exact), ideal: a.ideal.max(b.ideal), error: a.error.max(b.error) }
        }
        _ => {
            let ideal = a.ideal + b.ideal;
            let error = a.error + b.error + UNIT * (ideal.abs() + a.error + b.error);
            Value { exact: a.exact + b.exact, ideal, error }
        }
    });
    if combine != Combine::Magnitude {
        return joined;
    }
    let ideal = joined.ideal.sqrt();
    // |√a − √b| ≤ √|a − b|, and ≤ |a − b| / √a where that is smaller.
    let error = joined.error.sqrt().min(joined.error / ideal.max(f64::MIN_POSITIVE));
    Value { exact: joined.exact.sqrt(), ideal, error: error + UNIT * (ideal + error) }
}
