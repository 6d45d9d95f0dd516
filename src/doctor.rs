//! What was found on this machine, and how to install what is missing.

/// d
pub fn examine() -> String {
    "nothing\n".into()
}
