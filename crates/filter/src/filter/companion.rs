//! Clips that filters read beside their own.

use super::chain::Filter;
use super::value::Value;
use crate::pass::{ClipFit, CompanionClip, PastEnd};

impl Filter {
    /// The clip that it reads beside its own, if it reads one, scaled to it.
    pub fn companion(&self) -> Option<CompanionClip> {
        let path = self.spec.own.iter().find_map(|parameter| match self.given(parameter.name)? {
            Value::Clip(path) => Some(path.clone()),
            Value::Moving(moving) => Some(moving.path.clone()),
            _ => None,
        })?;
        let values = self.values();
        let past_end = match values.typed_word("eof_action") {
            _ if values.typed_switch("shortest") == Some(true) => PastEnd::End,
            Some("endall") => PastEnd::End,
            Some("pass") => PastEnd::Pass,
            _ => PastEnd::Repeat,
        };
        Some(CompanionClip { path, fit: ClipFit::Scaled, past_end, clips: self.clips().cloned() })
    }
}
