//! Opening a file as often as it is read.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::libav::input::InputContext;
use crate::libav::whitelist::is_list;

/// Opens a file.
///
/// # Errors
/// If it is none that can be read.
pub(super) fn open_path(path: &Path) -> Result<InputContext> {
    let metadata = std::fs::metadata(path)?;
    ensure!(!metadata.is_dir(), "it is a folder; name a file, or images in it such as {:?}", path.join("%04d.png"));
    if metadata.is_file() {
        ensure!(metadata.len() > 0, "the file is empty");
        let mut start = [0; PLAYLIST.len()];
        let is_playlist = File::open(path)?.read_exact(&mut start).is_ok() && start == *PLAYLIST;
        // FFmpeg would wait for the network, which it is not allowed to use.
        ensure!(!is_playlist, "it is a playlist; name one of its files");
    }
    if is_list(path) {
        log::info!("{path:?} is a list of files, which are opened and read one after the other");
    }
    InputContext::open_path(path, None)
}

/// How playlists of streams begin.
const PLAYLIST: &[u8; 7] = b"#EXTM3U";
