//! Where a container goes, and how names say so.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

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
