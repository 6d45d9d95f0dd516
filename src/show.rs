//! The subcommand `preview`: what was typed becomes a page, and the browser is pointed at it.

use std::env;

use anyhow::Result;
use log::{info, warn};
use warpreel::cli::PreviewWords;
use warpreel::preview::{Preview, PreviewOptions};
use warpreel::source::Interrupt;

use crate::typed;

/// Shows a clip until the user stops it.
pub fn run(words: PreviewWords, interrupt: &Interrupt) -> Result<()> {
    let PreviewWords { input, reading, chain, execution, no_open, port, memory } = words;
    let request = typed::preview(input, reading, chain, execution)?;
    let preview = Preview::open(PreviewOptions { request, port, memory_bytes: (memory as usize) << 20 }, interrupt)?;
    let address = preview.address();
    crate::print(&format!("{address}\n"))?;
    let is_shown = !no_open && has_display() && open::that_detached(&address).is_ok();
    if !no_open && !is_shown {
        let port = preview.port();
        warn!(
            "no browser was found here; open the address above, from another machine after: ssh -L {port}:127.0.0.1:{port} HOST"
        );
    }
    info!("the page is there until Ctrl-C");
    preview.serve()
}

/// Whether there is a screen that a browser could open on.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
