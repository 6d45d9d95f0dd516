//! A frame that waits for what was asked of its fields.

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
