//! Frames that wait for what was asked of their fields, or of how much they change.

use super::scene::Scene;
use crate::backend::Backend;
use crate::pass::Scan;

/// A frame whose fields are to be chosen.
pub(super) struct AskedFields<B: Backend> {
    /// The frame before, the frame, and the frame after.
    pub images: [B::Image; 3],
    pub scan: Scan,
    pub scene: Scene,
    pub number: u64,
    /// What was asked; `None` for a frame that stays as it is.
    pub survey: Option<B::Survey>,
}

/// A frame whose cycle is not complete, or waits for answers.
pub(super) struct AskedChange<B: Backend> {
    pub image: B::Image,
    pub scene: Scene,
    pub number: u64,
    pub position: u64,
    /// How much it differs from the one before; `None` if there is none.
    pub survey: Option<B::Survey>,
}
