//! Containers, codecs and what travels with the picture, on real files that FFmpeg makes.

mod damage;
mod device;
mod edge;
mod extra;
mod follow;
mod matrix;
mod memory;
mod mux;
mod pass;
mod pixel;
mod quality;
mod range;
mod seam;
mod sound;
mod still;
mod tag;
mod travel;
pub mod turn;
mod usual;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use warpreel::frame::{Frame, Pool};
use warpreel::sink::Sink;
use warpreel::sink::container::{Container as Out, Encoding, Place};
use warpreel::source::container::{Container as In, Medium, Options};
use warpreel::source::{Concealing, Defects, Salvage, Source};

/// The sample clip: 132 frames of 720p with sound.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/bigbuckbunny-720p.mp4")
}

/// Runs FFmpeg, in a folder, with arguments parted by spaces; `|` stands for a space within one.
fn ffmpeg(folder: &Path, arguments: &str) -> String {
    run("ffmpeg", folder, &format!("-nostdin -v error -y {arguments}"))
}

fn ffprobe(folder: &Path, arguments: &str) -> String {
    run("ffprobe", folder, &format!("-v error {arguments}"))
}

fn run(program: &str, folder: &Path, arguments: &str) -> String {
    let output = Command::new(program)
        .args(arguments.split_whitespace().map(|argument| argument.replace('|', " ")))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{program} {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Checksums of packets or frames, without the comments.
fn framemd5(folder: &Path, arguments: &str) -> Vec<String> {
    let text = ffmpeg(folder, &format!("{arguments} -f framemd5 -"));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Just the checksums and sizes.
fn sums(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| line.split(',').skip(4).take(2).collect::<Vec<_>>().join(",")).collect()
}

/// Time and duration of all packets of one stream, in seconds, in the order of presentation.
fn times(file: &Path, stream: &str) -> Vec<(f64, f64)> {
    let folder = file.parent().unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let text = ffprobe(
        folder,
        &format!("-select_streams {stream} -show_entries packet=pts_time,duration_time -of csv=p=0 {name}"),
    );
    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
    let mut times: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim_end_matches(',').split_once(','))
        .map(|(pts, duration)| (number(pts), number(duration)))
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times
}

fn open(path: impl Into<PathBuf>, options: Options) -> Result<In> {
    In::open(Medium::Path(path.into()), options)
}

/// All frames of a clip.
fn frames(path: impl Into<PathBuf>, options: Options) -> Result<Vec<Frame>> {
    let pool = Pool::heap();
    let mut source = open(path, options)?;
    let mut frames = Vec::new();
    while let Some(frame) = source.next_frame(&pool)? {
        frames.push(frame);
    }
    Ok(frames)
}

fn file(path: &Path) -> Place {
    Place::File { write_to: path.to_owned(), named: path.to_owned() }
}

/// A clip from one file to another, without filters: how many frames it had, and what was wrong with it.
fn pass(from: &Path, options: Options, to: &Path, encoding: &Encoding) -> Result<(u64, Defects)> {
    let pool = Pool::heap();
    let mut source = open(from, options)?;
    let mut sink = Box::new(Out::create(file(to), source.format(), Some(source.source_info()), encoding)?);
    let mut count = 0;
    while let Some(frame) = source.next_frame(&pool)? {
        sink.put(frame)?;
        count += 1;
    }
    sink.finish(source.trailer())?;
    Ok((count, source.defects()))
}

fn lossless() -> Encoding {
    Encoding { fidelity: warpreel::sink::container::Fidelity::Lossless, ..Encoding::default() }
}

/// As fast as the encoder goes.
fn quick() -> Encoding {
    Encoding { preset: Some("ultrafast".into()), ..Encoding::default() }
}
