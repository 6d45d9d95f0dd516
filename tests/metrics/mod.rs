//! `warpreel metrics`: the arithmetic against a slow definition of its own and against FFmpeg, and the subcommand as a user
//! meets it.

mod agreement;
mod file;
mod message;
mod oracle;
mod peer;
mod perceived;
mod perception;
mod run;
mod summer;

use crate::program::Bench;

/// The lines of JSON that `metrics` prints for two clips.
fn json(bench: &Bench, arguments: &[&str]) -> Vec<serde_json::Value> {
    let text = bench.pass(&[&["metrics", "--json", "-"], arguments].concat());
    let text = String::from_utf8(text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A y4m clip of 8-bit grey frames, each of one sample throughout.
fn grey(size: (usize, usize), samples: &[u8]) -> Vec<u8> {
    let (width, height) = size;
    let mut clip = format!("YUV4MPEG2 W{width} H{height} F25:1 Ip Cmono\n").into_bytes();
    for &sample in samples {
        clip.extend(b"FRAME\n");
        clip.extend(std::iter::repeat_n(sample, width * height));
    }
    clip
}
