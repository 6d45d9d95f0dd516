//! Kinds of files in a folder: videos by their ending, or by their content where the ending is unknown.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use warpreel::frame::Pool;
use warpreel::job::{Reader, Request};
use warpreel::source::CancelToken;

/// Endings of videos: a file that has one is filtered, and fails if it is none.
const VIDEOS: &[&str] = &[
    "3g2", "3gp", "amv", "asf", "av1", "avi", "dav", "divx", "dv", "f4v", "flv", "gif", "gxf", "h264", "264", "h265",
    "265", "hevc", "ivf", "m1v", "m2t", "m2ts", "m2v", "m4v", "mjpeg", "mjpg", "mkv", "mov", "mp4", "mpe", "mpeg",
    "mpg", "mts", "mxf", "nut", "obu", "ogm", "ogv", "qt", "rm", "rmvb", "tod", "vc1", "vob", "webm", "wmv", "wtv",
    "y4m",
];

/// Endings of what is no video, and is not opened: pictures, sound, subtitles, documents, archives, unfinished downloads.
const OTHERS: &[&str] = &[
    "apng",
    "arw",
    "avif",
    "bmp",
    "cr2",
    "cr3",
    "dng",
    "dpx",
    "exr",
    "heic",
    "heif",
    "ico",
    "jp2",
    "jpe",
    "jpeg",
    "jpg",
    "jxl",
    "nef",
    "pbm",
    "pfm",
    "pgm",
    "png",
    "pnm",
    "ppm",
    "psd",
    "svg",
    "tga",
    "thm",
    "tif",
    "tiff",
    "webp",
    "aac",
    "ac3",
    "aif",
    "aiff",
    "alac",
    "ape",
    "dts",
    "eac3",
    "flac",
    "m4a",
    "mka",
    "mp2",
    "mp3",
    "oga",
    "ogg",
    "opus",
    "wav",
    "wma",
    "ass",
    "idx",
    "lrc",
    "mks",
    "smi",
    "srt",
    "ssa",
    "sub",
    "sup",
    "vtt",
    "conf",
    "csv",
    "cube",
    "doc",
    "docx",
    "edl",
    "ffconcat",
    "htm",
    "html",
    "ini",
    "json",
    "log",
    "m3u",
    "m3u8",
    "md",
    "md5",
    "nfo",
    "pdf",
    "py",
    "rtf",
    "sh",
    "sha256",
    "toml",
    "txt",
    "url",
    "vpy",
    "xml",
    "yaml",
    "yml",
    "7z",
    "gz",
    "iso",
    "rar",
    "tar",
    "torrent",
    "xz",
    "zip",
    "zst",
    "!ut",
    "aria2",
    "crdownload",
    "download",
    "filepart",
    "opdownload",
    "part",
    "partial",
    "temp",
    "tmp",
    "bak",
    "db",
    "exe",
    "lnk",
];

/// Endings of raw frames.
const RAW: [&str; 4] = ["gray", "raw", "rgb", "yuv"];

/// Endings that videos share with texts.
const SHARED: &str = "ts";

/// Kinds of files for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Video,
    /// Raw frames, whose format nobody typed.
    Raw,
    Other,
}

impl FileKind {
    /// The kind of a file that exists. `is_raw` is true where `--raw` was typed: raw frames are then the only videos. Blocks
    /// while a file of an unknown ending is opened.
    pub fn of(path: &Path, is_raw: bool, interrupt: &CancelToken) -> Self {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let has = |endings: &[&str]| endings.contains(&ending.as_str());
        match (has(&RAW), is_raw) {
            (true, true) => return Self::Video,
            (true, false) if is_y4m(path) => return Self::Video,
            (true, false) => return Self::Raw,
            (false, true) => return Self::Other,
            (false, false) => {}
        }
        let is_video = has(VIDEOS) || ending == SHARED && !is_text(path);
        let is_unknown = !is_video && ending != SHARED && !has(OTHERS);
        if is_video || is_unknown && !is_text(path) && moves(path, interrupt) { Self::Video } else { Self::Other }
    }
}

/// The first bytes of a file.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    File::open(path).ok().and_then(|file| file.take(512).read_to_end(&mut head).ok());
    head
}

fn is_y4m(path: &Path) -> bool {
    head(path).starts_with(b"YUV4MPEG2 ")
}

/// True if a file begins as a text does. FFmpeg would show texts as pictures of a terminal.
fn is_text(path: &Path) -> bool {
    let head = head(path);
    let is_plain = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    !head.is_empty() && head.iter().all(is_plain) && !head.starts_with(b"YUV4MPEG2 ")
}

/// True if a file decodes to more than one picture.
fn moves(path: &Path, interrupt: &CancelToken) -> bool {
    let Some(input) = path.to_str() else { return false };
    let request = Request { input: input.to_owned(), output: "null:".to_owned(), ..Request::default() };
    let Ok(mut reader) = Reader::open(&request, interrupt) else { return false };
    let pool = Pool::heap();
    (0..2).all(|_| reader.source().next_frame(&pool).is_ok_and(|frame| frame.is_some()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{OTHERS, RAW, SHARED, VIDEOS};

    #[test]
    fn each_ending_has_one_kind() {
        let all: Vec<&str> = VIDEOS.iter().chain(OTHERS).chain(&RAW).copied().chain([SHARED]).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(all.iter().all(|ending| ending.chars().all(|letter| !letter.is_ascii_uppercase())));
    }
}
