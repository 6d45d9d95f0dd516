//! Clips where pictures may be.

use std::sync::Arc;

use super::choice::Defaults;
use super::clip;
use super::picture::is_png;
use crate::pass::ClipShape;

/// A clip that may be laid over another.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingPicture {
    /// The file that it comes from, as typed.
    pub path: Arc<str>,
    /// Its size and opacity.
    pub shape: ClipShape,
}

impl MovingPicture {
    /// Looks into a file that is no PNG file, if clips can be opened. Blocks.
    ///
    /// # Errors
    /// Why it is no PNG file, where it pretends to be one or nothing opens clips; else why it is no clip.
    pub(super) fn read(path: &str, defaults: &Defaults, fault: String) -> Result<Self, String> {
        let Some(clips) = defaults.clips.as_ref().filter(|_| !is_png(path)) else { return Err(fault) };
        let name = clip::named(path)?;
        let shape = clips.shape(path).map_err(|error| format!("is no picture and no video: {}", error.root_cause()))?;
        Ok(Self { path: name, shape })
    }
}
