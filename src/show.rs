//! The subcommand `preview`: what was typed becomes a page, and the browser is pointed at it.

use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use log::{info, warn};
use warpreel::cli::PreviewWords;
use warpreel::job::{Reader, Request, Usage};
use warpreel::preview::{Preview, PreviewOptions};
use warpreel::sequence::is_sequence;
use warpreel::source::CancelToken;

use super::batch::FolderSearch;
use super::typed;

/// Shows clips until the user stops it; `print` is told the address.
pub fn run(words: PreviewWords, interrupt: &CancelToken, print: fn(&str) -> Result<()>) -> Result<()> {
    let PreviewWords {
        inputs,
        recursive,
        reading,
        chain,
        execution,
        no_open,
        port,
        token,
        output_dir,
        memory,
        scratch,
    } = words;
    let request = typed::preview(inputs.first().cloned().unwrap_or_default(), reading, chain, execution)?;
    let mut inputs = clips(&inputs, recursive, &request, interrupt)?.into_iter();
    let request = Request { input: inputs.next().unwrap_or_default(), ..request };
    let others = inputs.collect();
    let (memory_bytes, scratch_bytes) = ((memory as usize) << 20, u64::from(scratch) << 20);
    let options = PreviewOptions { request, others, port, memory_bytes, output_dir, token_file: token, scratch_bytes };
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

/// The clips that were typed, and those of the folders among them.
fn clips(inputs: &[String], recursive: bool, request: &Request, interrupt: &CancelToken) -> Result<Vec<String>> {
    let is_alone = inputs.len() == 1;
    ensure!(
        is_alone || inputs.iter().all(|input| input != "-"),
        Usage::of(anyhow!("a pipe is shown by itself; leave out -, or the other inputs"))
    );
    for input in inputs.iter().filter(|_| !is_alone) {
        check(input, request, interrupt)?;
    }
    let search = FolderSearch::new(recursive, "", request, interrupt);
    let found = search.expand(inputs);
    // Advice on folders of images is for a job.
    let found =
        found.map_err(|error| anyhow!(format!("{error:#}").replace("type warpreel ", "type warpreel preview ")))?;
    Ok(found.into_iter().map(|item| item.input).collect())
}

/// Refuses one of several inputs if it is no file.
fn check(input: &str, request: &Request, interrupt: &CancelToken) -> Result<()> {
    let path = Path::new(input);
    if path.exists() || is_sequence(path) {
        return Ok(());
    }
    Reader::open(&Request { input: input.to_owned(), ..request.clone() }, interrupt)?;
    Ok(())
}
