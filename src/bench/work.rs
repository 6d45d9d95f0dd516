//! What a pass must do at the least, and how long the limits let that take.

use super::schema::Limits;
use crate::pass::{Arithmetic, Op, Pass, Separable, Taps};
use crate::plan::{PassReport, Plan, Roofline};

/// What one pass does for one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// Bytes read and written: each frame of the window once, the result once.
    pub bytes: u64,
    /// Operations as the plan counts them: two for each tap.
    pub operations: u64,
    /// Of these, what no implementation can leave out, in whole numbers: a box of any size is a running sum.
    pub integer: u64,
    /// The same in `f32`.
    pub real: u64,
}

/// How fast the machine that filters can be at best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceiling {
    /// Bytes read and written, in 10⁹ a second.
    pub memory_gb_s: f64,
    /// Operations in `f32`, in 10⁹ a second.
    pub real_gop_s: f64,
    /// Operations in integers, in 10⁹ a second.
    pub integer_gop_s: f64,
}

impl Ceiling {
    /// The GPU's where there is one, else the processor's.
    pub fn of(limits: &Limits) -> Self {
        let host = limits.host;
        match limits.device {
            Some(device) => Self {
                memory_gb_s: device.copy_gb_s,
                real_gop_s: device.real_gop_s,
                integer_gop_s: device.integer_gop_s.max(device.real_gop_s),
            },
            None => Self {
                memory_gb_s: host.copy_all_cores_gb_s,
                real_gop_s: host.real_all_cores_gop_s,
                integer_gop_s: host.integer_all_cores_gop_s.max(host.real_all_cores_gop_s),
            },
        }
    }
}

impl Ceiling {
    /// What `explain` takes: one rate of operations, that of the slower kind of numbers that the plan uses.
    pub fn roofline(&self, plan: &Plan) -> Roofline {
        let has_real = Work::of(plan).iter().any(|work| work.real > 0);
        let compute_gop_s = if has_real { self.real_gop_s } else { self.integer_gop_s };
        Roofline { memory_gb_s: self.memory_gb_s, compute_gop_s }
    }
}

impl Work {
    /// The work of each pass of a plan, in order.
    pub fn of(plan: &Plan) -> Vec<Self> {
        let explanation = plan.explain(None);
        let work = |(pass, report): (&Pass, &PassReport)| {
            let (mut integer, mut real) = (0, 0);
            for (plane, op) in pass.ops.iter().enumerate() {
                let (width, height) = plan.format.plane_size(plane);
                let samples = (width * height) as u64;
                integer += if pass.after[plane].is_some() { samples } else { 0 };
                match op {
                    Op::Copy => {}
                    // A look-up or a comparison for each sample; more depends on the method.
                    Op::Pointwise(_) | Op::Rank(_) => integer += samples,
                    Op::Blend(_) => real += report.planes[plane].operations,
                    // A difference, a product and a sum.
                    Op::Gain(_) => real += 3 * samples,
                    Op::Dense(op) => {
                        let taps: usize = op.kernels.iter().map(|kernel| kernel.weights.len()).sum();
                        *total(op.arithmetic, &mut integer, &mut real) += 2 * taps as u64 * samples;
                    }
                    Op::Separable(op) => {
                        *total(op.arithmetic, &mut integer, &mut real) += separable(op) * samples;
                    }
                }
            }
            Self { bytes: report.bytes, operations: report.operations, integer, real }
        };
        plan.passes.iter().zip(&explanation.passes).map(work).collect()
    }

    /// The least milliseconds for memory and for arithmetic.
    pub fn least_ms(&self, ceiling: &Ceiling) -> (f64, f64) {
        let arithmetic =
            self.integer as f64 / (ceiling.integer_gop_s * 1e6) + self.real as f64 / (ceiling.real_gop_s * 1e6);
        (self.bytes as f64 / (ceiling.memory_gb_s * 1e6), arithmetic)
    }
}

fn total<'a>(arithmetic: Arithmetic, integer: &'a mut u64, real: &'a mut u64) -> &'a mut u64 {
    match arithmetic {
        Arithmetic::Integer => integer,
        Arithmetic::Real => real,
    }
}

/// Operations for one sample. A box in integers needs one addition and one subtraction along each axis.
fn separable(op: &Separable) -> u64 {
    let axis = |taps: &Taps| {
        let is_box = op.arithmetic == Arithmetic::Integer && taps.weights.iter().all(|tap| *tap == taps.weights[0]);
        match taps.weights.len() {
            1 => 0,
            _ if is_box => 2,
            count => 2 * count as u64,
        }
    };
    [&op.t, &op.x, &op.y].map(axis).iter().sum()
}
