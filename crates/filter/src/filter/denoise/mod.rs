//! What takes noise away and leaves the rest.

pub(super) mod atadenoise;
pub(super) mod bilateral;
pub(super) mod bm3d;
pub(super) mod deband;
pub(super) mod deblock;
pub(super) mod degrain;
pub(super) mod grain;
pub(super) mod measured;
pub(super) mod nlmeans;
