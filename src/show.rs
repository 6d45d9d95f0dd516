//! The subcommand `preview`: what was typed becomes a page, and the browser is pointed at it.

use anyhow::Result;
use log::{info, warn};
use warpreel::cli::PreviewWords;
use warpreel::preview::{Preview, PreviewOptions};
use warpreel::source::CancelToken;

use super::typed;

/// Shows a clip until the user stops it; `print` is told the address.
pub fn run(words: PreviewWords, interrupt: &CancelToken, print: fn(&str) -> Result<()>) -> Result<()> {
    let PreviewWords { input, reading, chain, execution, no_open, port, token, output_dir, memory, scratch } = words;
    let request = typed::preview(input, reading, chain, execution)?;
    let (memory_bytes, scratch_bytes) = ((memory as usize) << 20, u64::from(scratch) << 20);
    let options = PreviewOptions { request, port, memory_bytes, output_dir, token_file: token, scratch_bytes };
    let mut preview = Preview::open(options, interrupt)?;
    let address = preview.address();
    print(&format!("{address}\n"))?;
    let is_shown = !no_open && preview.show();
    if !no_open && !is_shown {
        let port = preview.port();
        warn!(
            "no browser was found; open the address above; from another machine, first: ssh -L {port}:127.0.0.1:{port} HOST"
        );
    }
    info!("press Ctrl-C to close the page");
    preview.serve()
}
