//! `warpreel preview`: a page in the browser that shows what a chain does to a clip, before and after, and follows every
//! change.
//!
//! The [`Preview`] is a small server on a loopback address. Its pages lie below a random token, so that no other program and
//! no page of another site can guess them, and it answers only who calls it by a loopback name: a site that has its own name
//! resolve to this machine is refused. What it reads is the named input, and of the files that chains name those that the
//! command line named. It answers with samples as they are, and with what the rest of the library says: the table of filters,
//! the parser, the plan. The page makes pictures of them.
//!
//! | file | what it holds |
//! |---|---|
//! | `server` | connections: their number, their time limits, who may call |
//! | `route` | which request is answered by what |
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
//! in a [`FrameStore`], of [`PreviewOptions::scratch_bytes`] at most, from which the studio takes it.

mod answer;
mod browser;
mod catalogue;
mod chain;
mod clip;
mod errand;
mod output;
mod page;
mod route;
mod server;
mod speed;
mod still;
mod studio;
mod survey;
mod token;
mod wording;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::job::{FrameStore, Request, Scrubber, chain_defaults, parse_chain};
use crate::source::CancelToken;

use browser::Redirect;
use catalogue::Catalogue;
use chain::ChainReader;
use errand::Errands;
use output::OutputFolder;
use route::{Allowance, Desk};
use speed::Stopwatch;
use studio::Studio;
use survey::SurveyBoard;
use token::token;

/// What is previewed, and how.
pub struct PreviewOptions {
    /// The input, how it is read, the chain to begin with, and what filters. The output is nothing here.
    pub request: Request,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The most memory of frames that are kept.
    pub memory_bytes: usize,
    /// Folder that jobs of the page write in; default: the clip's.
    pub output_dir: Option<PathBuf>,
    /// File that keeps the token of the address, made if it is missing; default: a new token each time.
    pub token_file: Option<PathBuf>,
    /// The most that decoded frames take on disk, as [`FrameStore::open`] says; 0 for none.
    pub scratch_bytes: u64,
}

/// A clip that is shown.
pub struct Preview {
    listener: TcpListener,
    address: SocketAddr,
    desk: Arc<Desk>,
    interrupt: CancelToken,
    /// File that the browser was started with, deleted with this.
    redirect: Option<Redirect>,
}

impl Preview {
    /// Opens the clip, and a port. Blocks while a piped input has not begun.
    ///
    /// # Errors
    /// As [`crate::job::Job::open`] where the input and the chain are concerned, or if the port is taken.
    pub fn open(options: PreviewOptions, interrupt: &CancelToken) -> Result<Self> {
        let PreviewOptions { request, port, memory_bytes, output_dir, token_file, scratch_bytes } = options;
        let token = token(token_file.as_deref())?;
        let defaults = chain_defaults(request.border.as_deref(), request.planes.as_deref())?;
        parse_chain(&request.chain, request.border.as_deref(), request.planes.as_deref())?;
        let mut scrubber = Scrubber::open(request.clone(), memory_bytes, interrupt)?;
        let format = scrubber.format().clone();
        let store = FrameStore::open(&request, &format, scratch_bytes).map(Arc::new);
        if let Some(store) = &store {
            scrubber.take_from(store.clone());
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener =
            listener.with_context(|| format!("open port {port}; type another one, or --port 0 for any free port"))?;
        let address = listener.local_addr().context("read the port number")?;
        let chain = ChainReader::new(&request, defaults, &format)?;
        let studio = Studio::start(scrubber)?;
        let stopwatch = Stopwatch::new();
        let occupations = [studio.occupation(), stopwatch.occupation()];
        let survey = SurveyBoard::start(&request, &format, store, occupations, interrupt)?;
        let folder = OutputFolder::new(&request, output_dir.as_deref());
        let errands = Errands::default();
        let (catalogue, allowance) = (Catalogue::new(), Allowance::new());
        let desk = Desk {
            request,
            format,
            token,
            address,
            catalogue,
            chain,
            studio,
            survey,
            folder,
            errands,
            stopwatch,
            allowance,
        };
        Ok(Self { listener, address, desk: Arc::new(desk), interrupt: interrupt.clone(), redirect: None })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.address, self.desk.token)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
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
        let desk = self.desk.clone();
        let outcome = server::serve(self.listener, self.desk, &self.interrupt);
        desk.stopwatch.end();
        desk.errands.end();
        outcome
    }
}
