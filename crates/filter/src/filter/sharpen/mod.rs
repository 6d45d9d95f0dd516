//! What adds detail: the sample, and a multiple of what smoothing took away from it.

pub(super) mod cas;
pub(super) mod emboss;
pub(super) mod highboost;
#[expect(clippy::module_inception, reason = "the filter has the name of its group")]
pub(super) mod sharpen;
pub(super) mod unsharp;
