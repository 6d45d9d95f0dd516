//! `--max-memory`: what a job takes for frames, windows and scratch, and what it says where that is too much.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, ensure};
use warpreel::frame::{Allocator, Heap, Memory};

use crate::program::Bench;

/// Memory for so many blocks.
pub struct FewBlocks(AtomicUsize);

impl FewBlocks {
    pub fn new(blocks: usize) -> Box<Self> {
        Box::new(Self(AtomicUsize::new(blocks)))
    }
}

impl Allocator for FewBlocks {
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        ensure!(left.is_ok(), "no memory for {bytes} bytes");
        Heap.allocate(bytes)
    }
}

/// A folder with a grey clip of 256 by 256 samples, which is 64 KiB a frame.
fn bench() -> Bench {
    let bench = Bench::new();
    let frame = [&b"FRAME\n"[..], &[99; 256 * 256]].concat();
    fs::write(bench.path("in.y4m"), [b"YUV4MPEG2 W256 H256 Cmono\n".to_vec(), frame.repeat(60)].concat()).unwrap();
    bench
}

#[test]
fn windows_beyond_the_limit_are_an_error_that_says_what_to_type() {
    let bench = bench();
    let arguments = ["in.y4m", "out.y4m", "--backend", "cpu", "--threads", "1", "-f", "tmix=41"];
    let error = bench.fail(&[&arguments[..], &["--max-memory", "1M"]].concat());
    assert!(error.contains("a frame needs 0.1 MiB, "), "{error}");
    assert!(
        error.contains("MiB are in use, and --max-memory is 1.0 MiB; type a larger --max-memory, fewer"),
        "{error}"
    );
    assert_eq!(bench.names(), ["in.y4m"]);
    for enough in ["8MiB", "90%", "1GB"] {
        bench.pass(&[&arguments[..], &["--max-memory", enough, "-y"]].concat());
    }
}

/// Frames of a decoder count, and the advice is one.
#[test]
fn decoded_frames_count() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=640x360:d=2", "-c:v", "libx264", "in.mp4"]);
    let error = bench.fail(&["in.mp4", "out.mp4", "--backend", "cpu", "-f", "gaussian", "--max-memory", "1M"]);
    assert!(error.contains("--max-memory is 1.0 MiB; type a larger --max-memory, "), "{error}");
    assert!(!error.contains("free some"), "{error}");
    assert_eq!(bench.names(), ["in.mp4"]);
}

#[test]
fn scratch_counts_too() {
    let bench = bench();
    let arguments = ["in.y4m", "null:", "--backend", "cpu", "--threads", "2", "-f", "nlmeans=s=4"];
    let sizes = (0..).map(|step| format!("{}KiB", 1024 + 256 * step)).take(200);
    let mut errors = Vec::new();
    for size in sizes {
        let outcome = bench.warpreel(&[&arguments[..], &["--max-memory", &size]].concat());
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        if outcome.status.success() {
            assert!(
                errors.iter().any(|error: &String| error.contains("scratch memory of a filter needs ")),
                "{errors:?}"
            );
            return;
        }
        assert_eq!(outcome.status.code(), Some(1), "{size}: {said}");
        assert!(said.contains("type a larger --max-memory"), "{size}: {said}");
        errors.push(said);
    }
    panic!("50 MiB are not enough: {errors:?}");
}

#[test]
fn sizes_that_are_none_are_refused() {
    let bench = bench();
    for text in ["2", "much", "200%"] {
        let error = bench.refuse(&["in.y4m", "null:", "--max-memory", text]);
        assert!(error.contains(&format!("{text:?} is not a size; type --max-memory 2GiB, 512M or 50%")), "{error}");
    }
}
