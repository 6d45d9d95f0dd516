//! Memory that runs out while a clip is decoded: an error that says so, never damage, never a frame less.

use super::*;
use crate::budget::FewBlocks;

#[test]
fn memory_that_runs_out_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    for (name, codec) in [
        ("a.mkv", "libx264"),
        ("b.mkv", "mpeg4"),
        ("c.mkv", "libx265 -x265-params log-level=none"),
        ("d.mkv", "libvpx-vp9 -deadline realtime"),
        ("e.mkv", "ffv1"),
        // Stored in no way that frames are, so that it is decoded elsewhere and copied.
        ("f.mkv", "rawvideo -pix_fmt nv12"),
    ] {
        ffmpeg(folder.path(), &format!("-f lavfi -i testsrc2=s=176x144:r=25:d=3 -c:v {codec} {name}"));
        for threads in [1, 3] {
            for blocks in [0, 1, 5, 20] {
                let pool = Pool::new(FewBlocks::new(blocks));
                let options = Options { threads, salvage: Salvage::On, ..Options::default() };
                let mut source = open(folder.path().join(name), options).unwrap();
                let mut frames = Vec::new();
                let error = loop {
                    match source.next_frame(&pool) {
                        Ok(Some(frame)) => frames.push(frame),
                        Ok(None) => panic!("{name} ends after {} frames in {blocks} blocks", frames.len()),
                        Err(error) => break format!("{error:#}"),
                    }
                };
                let place = format!("{name} on {threads} threads with {blocks} blocks: {error}");
                for word in ["frame ", name, "needs more memory", "no memory for"] {
                    assert!(error.contains(word), "{place}");
                }
                assert_eq!(error.contains("--threads 1"), threads != 1, "{place}");
                assert!(!error.contains("damage") && !error.contains("ends early"), "{place}");
                assert_eq!(source.defects().damaged_packets, 0, "{place}");
            }
        }
    }
}
