//! The browser of this machine.

use std::env;

/// Opens a page there; `false` where there is no screen or no browser. Does not block.
pub(super) fn open(address: &str) -> bool {
    has_display() && open::that_detached(address).is_ok()
}

/// Whether there is a screen that a browser could open on.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
