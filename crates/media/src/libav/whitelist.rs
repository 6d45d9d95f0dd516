//! Which of FFmpeg's readers may be used.

use std::ffi::{CStr, c_void};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::ptr;

use ffmpeg_next::ffi;

use crate::shell::quoted;

/// FFmpeg's readers of text that names other files, hosts or programs: what such a text opens, its author decides.
const REACHING: [&str; 13] = [
    "applehttp",
    "avisynth",
    "concat",
    "dash",
    "hls",
    "imf",
    "rtp",
    "rtsp",
    "sap",
    "sdp",
    "vapoursynth",
    "vobsub",
    "webm_dash_manifest",
];

/// Whether a file is a list of files by its name, which is how a user says that others are to be opened.
pub(crate) fn is_list(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ffconcat"))
}

/// Why a file is not read that describes streams of other hosts, as SDP does, and what to type; `None` for all others.
pub(super) fn description(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    // As far as FFmpeg looks for the line.
    let mut beginning = Vec::new();
    File::open(path).ok()?.take(2048).read_to_end(&mut beginning).ok()?;
    let is_description = beginning.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"c=IN IP"));
    let name = path.to_str().filter(|_| is_description)?;
    Some(format!(
        "it describes streams of other hosts; to receive them, type warpreel {} …",
        quoted(&format!("sdp:{name}"))
    ))
}

/// FFmpeg's names of all formats that are read, separated by commas, with one of [`REACHING`] that the user asked for.
pub(super) fn formats(list: Option<&str>) -> String {
    let mut state: *mut c_void = ptr::null_mut();
    let all = std::iter::from_fn(|| {
        // SAFETY: the state begins as null and is only changed by the function; formats live as long as the program, and their
        // names end with a zero.
        unsafe {
            let format = ffi::av_demuxer_iterate(&mut state).as_ref()?;
            Some(CStr::from_ptr(format.name).to_string_lossy().into_owned())
        }
    });
    let reaches = |name: &String| name.split(',').any(|name| REACHING.contains(&name) && list != Some(name));
    all.filter(|name| !reaches(name)).collect::<Vec<_>>().join(",")
}
