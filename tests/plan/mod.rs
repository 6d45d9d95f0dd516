//! Chains as passes, and `explain`.

#[cfg(feature = "cli")]
mod bypass;
mod explain;
#[cfg(feature = "cli")]
mod ffmpeg;
mod guard;
#[cfg(feature = "cli")]
mod join;
mod lowering;
#[cfg(feature = "cli")]
mod pair;
#[cfg(feature = "cli")]
mod remap;
mod samples;

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::pass::{ComposeMode, Op};
use warpreel::plan::{Plan, plan};

use super::filter::chain;

/// The plan of a chain that must be right, for small frames.
fn planned(text: &str, pixel: Pixel) -> Plan {
    let format = Arc::new(Format::new(pixel, 64, 48, Rational::new(25, 1)));
    plan(&chain(text), &format).unwrap_or_else(|err| panic!("{text}: {err:#}"))
}

/// Modes of `tblend` that are products, quotients or bits; the others are sums and ranks of two frames.
pub fn composed_modes() -> impl Iterator<Item = ComposeMode> {
    let of = |mode: &ComposeMode| planned(&format!("tblend={}:opacity=0.5", mode.name()), Pixel::gray(8));
    let is_composed = move |mode: &ComposeMode| matches!(of(mode).steps()[0].pass.planes[0].op, Op::Compose(_));
    let modes: Vec<_> = ComposeMode::ALL.iter().copied().filter(is_composed).collect();
    assert_eq!(modes.len(), 27);
    modes.into_iter()
}

/// The op for the first plane of the only pass.
fn op(text: &str, pixel: Pixel) -> Op {
    let plan = planned(text, pixel);
    assert_eq!(plan.steps().len(), 1, "{text}");
    plan.steps()[0].pass.planes[0].op.clone()
}
