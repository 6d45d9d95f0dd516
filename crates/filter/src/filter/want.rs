//! What a filter wants of one plane.

use crate::pass::{Border, Combine, Finish, Op};

use super::curve::Curve;
use super::pick::Pick;
use super::steady::Steady;
use super::stencil::{Matrix, Row, Shape, Stencil};

/// What a filter wants of one plane.
#[derive(Clone, Debug, PartialEq)]
pub enum Want {
    /// Nothing: the plane passes through.
    Copy,
    /// Sums of the samples around.
    Stencil(Stencil),
    /// Something of each sample by itself.
    Points(Curve),
    /// One of the samples around; several one after another, at least one.
    Picks(Vec<Pick>),
    /// The brightness of the frames around.
    Steady(Steady),
    /// An operation as passes have it, for planes of this very format. All that is asked of it are its facts, so that a
    /// filter of an operation of its own needs nothing else here. Its border is what lies outside unless the user says.
    Operation(Op),
    /// An operation without a border, and then something of each rounded sample by itself, in a pass of its own.
    OperationThen(Op, Curve),
}

impl Want {
    /// Rows across and down, scaled so that a constant plane keeps its value.
    pub fn smooth(x: Row, y: Row) -> Self {
        Self::smooth_in_time(Row::identity(), x, y)
    }

    /// Rows in time, across and down, scaled so that a constant clip keeps its value.
    pub fn smooth_in_time(t: Row, x: Row, y: Row) -> Self {
        let gain = t.sum() * y.sum() * x.sum();
        // Whole taps stay whole while 8-bit samples can be summed exactly; beyond that they may overflow even f32.
        if gain * 255.0 < 2f64.powi(31) {
            return Self::Stencil(Stencil::scaled(Shape::Product { t, y, x }, 1.0 / gain));
        }
        let [t, y, x] = [t, y, x].map(Row::normalised);
        Self::Stencil(Stencil::scaled(Shape::Product { t, y, x }, 1.0))
    }

    /// One kernel, its sum scaled.
    pub fn kernel(matrix: Matrix, scale: f64) -> Self {
        Self::Stencil(Stencil::scaled(Shape::Kernels(vec![matrix], Combine::Sum), scale))
    }

    /// What lies outside the plane unless the user says; `None` is [`Border::Reflect101`].
    pub(super) fn border(&self) -> Option<Border> {
        match self {
            Self::Operation(op) | Self::OperationThen(op, _) => op.facts().border(),
            Self::Copy | Self::Stencil(_) | Self::Points(_) | Self::Picks(_) | Self::Steady(_) => None,
        }
    }

    /// Whether every number is finite in `f32`.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Stencil(stencil) => stencil.is_finite(),
            Self::Points(curve) => curve.is_finite(),
            Self::Operation(op) => op.facts().finish().is_none_or(Finish::is_finite),
            Self::OperationThen(op, curve) => op.facts().finish().is_none_or(Finish::is_finite) && curve.is_finite(),
            Self::Copy | Self::Picks(_) | Self::Steady(_) => true,
        }
    }

    /// So much of it, and the rest of the sample itself, `mix` from 0 to 1; and how much of that is left for others to
    /// do, 1 for nothing: the samples of the first of several steps are gone in the last.
    pub(super) fn mixed(self, mix: f64) -> (Self, f64) {
        let done = match self {
            _ if mix == 1.0 => self,
            _ if mix == 0.0 => Self::Copy,
            Self::Copy => Self::Copy,
            Self::Stencil(stencil) => {
                let Stencil { scale, dry, bias, .. } = stencil;
                let (scale, dry, bias) = (mix * scale, mix * dry + (1.0 - mix), mix * bias);
                Self::Stencil(Stencil { scale, dry, bias, ..stencil })
            }
            Self::Points(curve) => Self::Points(Curve { mix: mix * curve.mix, ..curve }),
            Self::Steady(steady) => Self::Steady(Steady { mix: mix * steady.mix, ..steady }),
            Self::Picks(picks) => match <[Pick; 1]>::try_from(picks) {
                Ok([pick]) => Self::Picks(vec![Pick { mix: mix * pick.mix, ..pick }]),
                Err(picks) => return (Self::Picks(picks), mix),
            },
            Self::OperationThen(op, curve) => return (Self::OperationThen(op, curve), mix),
            Self::Operation(op) if op.before().is_some() => return (Self::Operation(op), mix),
            Self::Operation(mut op) => {
                let Some(finish) = op.finish_mut() else { return (Self::Operation(op), mix) };
                let part = |number: f32| (mix * f64::from(number)) as f32;
                let dry = (mix * f64::from(finish.dry) + (1.0 - mix)) as f32;
                *finish = Finish { scale: part(finish.scale), dry, bias: part(finish.bias) };
                Self::Operation(op)
            }
        };
        (done, 1.0)
    }

    /// The unfiltered sample, and `amount` times what the smoothing took away from it.
    #[must_use]
    pub fn sharpened(self, amount: f64) -> Self {
        match self {
            Self::Stencil(stencil) if amount != 0.0 => {
                Self::Stencil(Stencil { scale: -amount * stencil.scale, dry: 1.0 + amount, ..stencil })
            }
            _ => Self::Copy,
        }
    }
}
