//! The chain of filters as passes: lowered to the arithmetic of [`crate::pass`], factored where that is exact,
//! checked against the format before the first frame, and explained.
//!
//! A plan depends on the chain and the format alone, never on the machine, and so neither do the bytes. Each filter's
//! result is a frame of the format that it has there, rounded as such; neighbours are joined only where that changes no byte.
//!
//! A step may change how many frames there are: one that makes a frame of each field, or one with a rate. Such steps part the
//! plan into sections, each with numbers, times and conditions of its own. A change of the rate computes nothing: its pass
//! copies and never runs, so that backends know nothing of rates, and the engine gives an image on as often as its time says.

mod bypass;
mod chain;
mod count;
mod explain;
mod factor;
mod guard;
mod join;
mod lookaround;
mod lower;
mod note;
mod planned;
mod remap;
mod report;
mod roofline;
mod tone;

pub use crate::pass::Operations;
pub use bypass::Bypass;
pub use chain::plan;
pub use explain::{ConditionReport, Explanation, PassReport, paragraph};
pub use guard::{Cuts, Guard, Mean, Steady};
pub use join::Step;
pub use lookaround::Lookaround;
pub use note::Note;
pub use planned::Plan;
pub use report::{FilterReport, PlaneReport};
pub use roofline::Roofline;
