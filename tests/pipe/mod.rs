//! y4m, raw, `hash:`, `null:`, and outputs that are never half-written. The `ffmpeg` program is the other side.

mod cut;
mod hash;
mod header;
mod input;
mod raw;
mod target;
mod y4m;

use std::fs::{self, File};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::Result;
use tempfile::TempDir;
use warpreel::frame::{Format, Frame, Layout, Pool, Timing};
use warpreel::sink::{self, Output, Overwrite, Sink, Target};
use warpreel::source::{self, CancelToken, Cut, Input, Salvage, Source};

/// What the `ffmpeg` program prints on stdout.
fn ffmpeg(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin"]).args(arguments).stderr(Stdio::inherit());
    let output = command.output().expect("the ffmpeg program runs");
    assert!(output.status.success(), "ffmpeg {arguments:?}");
    output.stdout
}

/// The `ffmpeg` arguments that make a small clip of noise, the same one each time.
fn clip(width: usize, height: usize, frames: usize, pix_fmt: &str) -> Vec<String> {
    let graph =
        format!("testsrc2=s=64x48:r=25,scale={width}:{height},noise=alls=40:allf=t:all_seed=7,format={pix_fmt}");
    let frames = frames.to_string();
    ["-f", "lavfi", "-i", &graph, "-frames:v", &frames].map(str::to_owned).to_vec()
}

/// That clip in a format that `ffmpeg` writes to a pipe.
fn made(width: usize, height: usize, frames: usize, pix_fmt: &str, kind: &str) -> Vec<u8> {
    let clip = clip(width, height, frames, pix_fmt);
    let mut arguments: Vec<&str> = clip.iter().map(String::as_str).collect();
    arguments.extend(["-strict", "-1", "-f", kind, "-"]);
    ffmpeg(&arguments)
}

/// A folder that disappears with the test.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// The bytes as a file that is read.
fn input(bytes: &[u8]) -> Input {
    let folder = folder();
    let path = folder.path().join("clip");
    fs::write(&path, bytes).expect("the clip can be written");
    // The open file outlives its name.
    Input::file(&path, CancelToken::default()).expect("the clip can be opened")
}

/// The bytes as a pipe that a thread writes in pieces, slowly if they are small.
fn piped(bytes: Vec<u8>, piece: usize) -> Input {
    use std::io::Write;

    let (reader, mut writer) = std::io::pipe().expect("a pipe can be made");
    std::thread::spawn(move || {
        for piece in bytes.chunks(piece) {
            // A reader that has seen enough closes the pipe.
            if writer.write_all(piece).is_err() {
                return;
            }
            std::thread::yield_now();
        }
    });
    let file = File::from(OwnedFd::from(reader));
    Input::new(file, "pipe".to_owned(), CancelToken::default()).expect("a pipe can be read")
}

fn open(bytes: &[u8]) -> Result<source::y4m::Y4m> {
    source::y4m::Y4m::open(input(bytes), Cut::default(), Salvage::Off)
}

/// All frames that are left.
fn frames(source: &mut dyn Source) -> Result<Vec<Frame>> {
    let pool = Pool::heap();
    let mut frames = Vec::new();
    while let Some(frame) = source.next_frame(&pool)? {
        frames.push(frame);
    }
    Ok(frames)
}

/// The samples of all planes without padding.
fn samples(frame: &Frame) -> Vec<u8> {
    (0..frame.plane_count())
        .flat_map(|plane| frame.host().expect("a frame on the host").rows(plane))
        .flatten()
        .copied()
        .collect()
}

/// The same picture with padding between its rows, which holds poison.
fn padded(frame: &Frame) -> Frame {
    let mut copy = Pool::heap().frame_in(frame.format(), Layout::aligned(frame.format())).expect("memory");
    copy.bytes_mut().fill(0xA5);
    let planes = copy.layout().planes.clone();
    let sample = frame.format().pixel.sample.bytes();
    for (index, plane) in planes.iter().enumerate() {
        for (y, row) in frame.host().expect("a frame on the host").rows(index).enumerate() {
            let start = plane.offset_bytes + y * plane.stride * sample;
            copy.bytes_mut()[start..start + row.len()].copy_from_slice(row);
        }
    }
    copy.freeze(frame.timing.clone())
}

/// A frame of one value.
fn flat(format: &Arc<Format>, value: u8, pts: i64) -> Frame {
    let mut frame = Pool::heap().frame(format).expect("memory");
    frame.bytes_mut().fill(value);
    frame.freeze(Timing { number: pts.unsigned_abs(), pts, duration: 1, ..Timing::default() })
}

fn target(path: &Path) -> Output {
    Output::file(Target::create(path, Overwrite::Refuse).expect("a new file")).expect("it opens")
}

/// What a sink writes for these frames.
fn written(make: impl FnOnce(Output) -> Box<dyn Sink>, frames: impl IntoIterator<Item = Frame>) -> Vec<u8> {
    let folder = folder();
    let path = folder.path().join("out");
    let mut sink = make(target(&path));
    for frame in frames {
        sink.put(frame).expect("a frame is written");
    }
    assert!(!path.exists(), "the final name stands before the end");
    sink.finish(None).expect("the output is finished");
    fs::read(&path).expect("the output is there")
}

fn written_y4m(format: &Arc<Format>, frames: impl IntoIterator<Item = Frame>) -> Vec<u8> {
    written(|output| Box::new(sink::y4m::Y4m::create(output, format).expect("y4m holds it")), frames)
}

/// The message of an error, with all that is known about it.
fn message<T>(result: Result<T>) -> String {
    format!("{:#}", result.err().expect("an error"))
}
