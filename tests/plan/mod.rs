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
mod samples;

use std::sync::Arc;

use warpreel::frame::{Format, Pixel, Rational};
use warpreel::pass::Op;
use warpreel::plan::{Plan, plan};

use super::filter::chain;

/// The plan of a chain that must be right, for small frames.
fn planned(text: &str, pixel: Pixel) -> Plan {
    let format = Arc::new(Format::new(pixel, 64, 48, Rational::new(25, 1)));
    plan(&chain(text), &format).unwrap_or_else(|err| panic!("{text}: {err:#}"))
}

/// The op for the first plane of the only pass.
fn op(text: &str, pixel: Pixel) -> Op {
    let plan = planned(text, pixel);
    assert_eq!(plan.steps().len(), 1, "{text}");
    plan.steps()[0].pass.planes[0].op.clone()
}
