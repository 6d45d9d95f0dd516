//! What the program answers to what was typed wrongly: what is wrong, where, and what to type.

mod chain;
mod encoder;
mod everyday;
mod gpu;
mod install;
mod option;
mod pipe;
mod place;
mod task;
mod width;

use crate::program::Bench;

/// A folder with `in.y4m`, two grey frames.
fn bench() -> Bench {
    let bench = Bench::new();
    let mut clip = b"YUV4MPEG2 W8 H4 F25:1 Ip A1:1 Cmono\n".to_vec();
    for frame in 0..2u8 {
        clip.extend(b"FRAME\n");
        clip.extend([80 + 40 * frame; 32]);
    }
    std::fs::write(bench.path("in.y4m"), clip).unwrap();
    bench
}
