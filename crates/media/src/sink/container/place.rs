//! Where a container goes, and how names say so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::libav::address::Address;
use crate::libav::muxer::Muxer;
use crate::sequence::{self, Pattern};

/// Where a container goes.
pub enum Place {
    /// A file, or for a sequence of images a pattern such as `out%04d.png`.
    File {
        /// Where to write.
        write_to: PathBuf,
        /// The name that it will have in the end, which decides the container and stands in messages.
        named: PathBuf,
    },
    /// A stream that is written once from its beginning, and its name for messages.
    Stream(Box<dyn Write + Send>, String),
    /// A stream into the network.
    Live {
        /// Where to.
        address: Address,
        /// Longest time that it may take nothing.
        timeout: Duration,
        /// True for a dry run, which opens nothing.
        is_dry_run: bool,
    },
    /// Nowhere, to learn what would become of an input; nothing is made.
    Nowhere {
        /// The name that decides the container and stands in messages.
        named: String,
        /// Whether the name is that of a stream.
        is_stream: bool,
    },
}

/// Whether an output of this name is a sequence of files; `container` as in [`super::Encoding`].
///
/// # Errors
/// If neither tells which container it is, or images have a name that looks like a pattern and is none.
pub fn is_sequence(named: &Path, container: Option<&str>) -> Result<bool> {
    let muxer = Muxer::find(container, &named.to_string_lossy())?;
    ensure!(!muxer.is_images() || !sequence::is_mistyped(named), sequence::EXPECTED);
    Ok(muxer.names_files() && Pattern::of(named).is_some())
}

/// The container of an output to an address: the one that was asked for, that of the path's ending on the web, or the usual one of
/// the scheme.
///
/// # Errors
/// If there is none of that name, or it is not one stream of bytes.
pub(super) fn muxer_of(address: &Address, container: Option<&str>) -> Result<Muxer> {
    if address.is_published() {
        let usual = address.usual_container();
        let is_usual = container.is_none_or(|container| container == usual);
        ensure!(is_usual, "{usual} sends each stream in packets of its own, in no container; leave --container out");
        return Muxer::published(usual);
    }
    let by_path = || Muxer::find(None, address.path()).ok().filter(|_| address.is_web());
    match container {
        None => by_path().map_or_else(|| Muxer::find(Some(address.usual_container()), ""), Ok),
        Some(container) => Muxer::find(Some(container), ""),
    }
}

/// How the names of a container's files end: as `container` says if that is one of its endings, else as they usually do.
///
/// # Errors
/// If there is no such container, or its files have no ending of their own.
pub fn ending(container: &str) -> Result<String> {
    let muxer = Muxer::find(Some(container), "")?;
    let mut endings = muxer.endings().filter(|_| !muxer.is_images());
    let usual = endings.next().with_context(|| format!("the container {container} has no file extension; use mkv"))?;
    Ok(if endings.any(|ending| ending == container) { container } else { usual }.to_owned())
}
