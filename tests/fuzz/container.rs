//! The reader of containers over files that are damaged anyhow, from a path and from a stream.

use std::time::Duration;

use warpreel::frame::Pool;
use warpreel::libav::{self, Strictness};
use warpreel::source::container::{Container, Medium, Options};
use warpreel::source::{Concealing, Salvage, Source};

use super::folder;

/// Names of the files: the ending is a hint for FFmpeg's probe alone.
const NAMES: [&str; 8] = ["in.mkv", "in.mp4", "in.ts", "in.avi", "in.nut", "in.flv", "in.ogg", "in.gif"];

/// Frames that are read at most; damage makes clips long.
const FRAMES: usize = 200;

pub fn run(bytes: &[u8]) {
    libav::log::install();
    let (choice, bytes) = folder::choice(bytes);
    let path = folder::write(NAMES[usize::from(choice % 8)], bytes);
    let is_set = |bit: u8| choice & 1 << bit != 0;
    let options = Options {
        strict: if is_set(3) { Strictness::Strict } else { Strictness::Lenient },
        salvage: if is_set(4) { Salvage::On } else { Salvage::Off },
        conceal: if is_set(5) { Concealing::On } else { Concealing::Off },
        start: is_set(6).then_some(Duration::from_millis(60)),
        threads: 1,
        ..Options::default()
    };
    let medium = match is_set(7) {
        true => Medium::Stream(Box::new(std::io::Cursor::new(bytes.to_vec())), "stdin".to_owned()),
        false => Medium::Path(path),
    };
    let Ok(mut source) = Container::open(medium, options) else { return };
    let pool = Pool::heap();
    let mut end = i64::MIN;
    for _ in 0..FRAMES {
        match source.next_frame(&pool) {
            Ok(Some(frame)) => {
                let time = frame.timing.pts;
                assert!(time > end, "times do not increase: {time} after {end}");
                end = time;
            }
            Ok(None) => break,
            Err(error) => {
                assert!(!format!("{error:#}").contains('\n'), "{error:#}");
                break;
            }
        }
    }
    let _ = (source.trailer(), source.defects());
}
