//! `warpreel preview`: a page in the browser that shows what a chain does to a clip, before and after, and follows every
//! change.
//!
//! The [`Preview`] is a small server on a loopback address. Its pages lie below a random token, so that no other program and
//! no page of another site can guess them, and it answers only who calls it by a loopback name: a site that has its own name
//! resolve to this machine is refused. What it reads is the named inputs, and of the files that chains name those that the
//! command line named: the page names a clip by its place in the list, never by a path. It answers with samples as they are, and with what the rest of the library says: the table of filters,
//! the parser, the plan. The page makes pictures of them.
//!
//! | file | what it holds |
//! |---|---|
//! | `server` | connections: their number, their time limits, who may call |
//! | `site` | requests: to the list of clips, to what all share, or to a clip |
//! | `list` | the clips of the command line, and which are open |
//! | `route` | which request about a clip is answered by what |
//! | `studio` | the one thread that decodes and filters; what is overtaken is dropped |
//! | `chain` | texts of chains: read, changed, explained |
//! | `catalogue` | the table of filters |
//! | `clip` | what the clip is |
//! | `survey` | thumbnails and cuts, found beside all else |
//! | `errand` | the whole job, run from the page |
//! | `output` | folder and proposed name of its output |
//! | `still` | a frame as a PNG |
//! | `speed` | measured speed of a run |
//! | `token` | the secret part of the address |
//! | `wording` | its messages in the words of the page |
//! | `page/` | the page itself |
//!
//! Memory: frames that are kept take what [`PreviewOptions::memory_bytes`] says; beside them are those of the window under
//! way, and of answers that are being written, of which each connection has one at the most. Disk: what `survey` decodes is kept
//! in a [`crate::job::FrameStore`], of [`PreviewOptions::scratch_bytes`] at most, from which the studio takes it.

mod answer;
mod browser;
mod catalogue;
mod chain;
mod clip;
mod draft;
mod errand;
mod list;
mod output;
mod page;
mod route;
mod server;
mod site;
mod speed;
mod still;
mod studio;
mod survey;
mod token;
mod wording;

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::job::{Request, parse_chain};
use crate::source::CancelToken;

use browser::Redirect;
use list::{ClipLimits, ClipList};
use site::PreviewSite;
use token::token;

/// What is previewed, and how.
pub struct PreviewOptions {
    /// The input, how it is read, the chain to begin with, and what filters. The output is nothing here.
    pub request: Request,
    /// Further inputs, read alike; the page lists them, and opens them on demand.
    pub others: Vec<String>,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The most memory of frames that are kept, of all clips.
    pub memory_bytes: usize,
    /// Folder that jobs of the page write in; default: the clip's.
    pub output_dir: Option<PathBuf>,
    /// File that keeps the token of the address, made if it is missing; default: a new token each time.
    pub token_file: Option<PathBuf>,
    /// The most that decoded frames of all clips take on disk, as [`crate::job::FrameStore::open`] says; 0 for none.
    pub scratch_bytes: u64,
}

/// A clip that is shown, or several.
pub struct Preview {
    listener: TcpListener,
    site: Arc<PreviewSite>,
    interrupt: CancelToken,
    /// File that the browser was started with, deleted with this.
    redirect: Option<Redirect>,
}

impl Preview {
    /// Opens the first clip that can be opened, and a port. Blocks while a piped input has not begun.
    ///
    /// # Errors
    /// As [`crate::job::Job::open`] where the input and the chain are concerned, if none of several inputs can be opened, or
    /// if the port is taken.
    pub fn open(options: PreviewOptions, interrupt: &CancelToken) -> Result<Self> {
        let PreviewOptions { request, others, port, memory_bytes, output_dir, token_file, scratch_bytes } = options;
        let token = token(token_file.as_deref())?;
        parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
        let limits = ClipLimits { memory_bytes, scratch_bytes, output_dir };
        let list = ClipList::open(request, others, limits, interrupt)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener =
            listener.with_context(|| format!("open port {port}; type another one, or --port 0 for any free port"))?;
        let address = listener.local_addr().context("read the port number")?;
        let site = Arc::new(PreviewSite { address, token, list });
        Ok(Self { listener, site, interrupt: interrupt.clone(), redirect: None })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.site.address, self.site.token)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.site.address.port()
    }

    /// Opens it in the browser of this machine; `false` where there is no screen or no browser. Does not block.
    pub fn show(&mut self) -> bool {
        self.redirect = browser::open(&self.address());
        self.redirect.is_some()
    }

    /// Answers until the user stops it. Blocks.
    ///
    /// # Errors
    /// If the system refuses threads or connections.
    pub fn serve(self) -> Result<()> {
        let site = self.site.clone();
        let outcome = server::serve(self.listener, self.site, &self.interrupt);
        site.list.end();
        outcome
    }
}
