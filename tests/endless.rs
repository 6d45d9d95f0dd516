//! What a user types or names must not keep the program busy for ever, nor end it without a message.

use std::fs;
use std::process::{Command, Stdio};

use crate::program::{Bench, binary, checksums, ended};

/// A folder with a small clip.
fn bench() -> Bench {
    let bench = Bench::new();
    let frames: Vec<u8> = (0..4).flat_map(|n| [&b"FRAME\n"[..], &[40 * n; 64]].concat()).collect();
    fs::write(bench.path("in.y4m"), [&b"YUV4MPEG2 W8 H8 F25:1 Ip A1:1 Cmono\n"[..], &frames].concat()).unwrap();
    bench
}

#[test]
fn conditions_end() {
    let bench = bench();
    for text in [
        "while(1,1)",
        "whi le (1,1)",
        "while(lt(ld(0),1e18),st(0,ld(0)+1))",
        "st(1,0);while(1,while(1,0))",
        "while(while(1,1)+1,1)",
        "taylor(while(1,1),1)",
    ] {
        let arguments = ["in.y4m", "null:", "-f", &format!("invert=enable='{text}'")];
        let output = bench.watched(&arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}: {stderr}");
        assert!(stderr.contains("on frame 0: its loops did not end after "), "{text}: {stderr}");
        let shared = bench.watched(&[&arguments[..], &["--start", "0.04"]].concat());
        assert_eq!(shared.status.code(), Some(1), "{text}");
    }
    // Rounds within rounds: each is bounded, all of them are not.
    for text in ["taylor(X,1)", "root(X,9)"] {
        let nested = (0..6).fold("random(0)".to_owned(), |inner, _| text.replace('X', &inner));
        let output = bench.watched(&["in.y4m", "null:", "-f", &format!("invert=enable='{nested}'")]);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{nested}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Bounded, loops are what they are in FFmpeg.
#[test]
fn loops_that_end_have_their_value() {
    let bench = bench();
    let hashes = |chain: &str| checksums(&bench.pass(&["in.y4m", "hash:", "-f", chain]));
    let (all, none) = (hashes("invert"), hashes("gain=1"));
    for (text, holds) in [
        ("st(0,0);while(lt(ld(0),10),st(0,ld(0)+1))", true),
        ("st(0,0);while(lt(ld(0),10),st(0,ld(0)+1));eq(ld(0),10)", true),
        ("gt(taylor(1,1),2.7)", true),
        ("gt(taylor(1,1),2.8)", false),
        ("lt(abs(root(ld(0)-2,5)-2),0.01)", true),
        ("while(0,1)", false),
    ] {
        let found = hashes(&format!("invert=enable='{text}'"));
        assert_eq!(&found, if holds { &all } else { &none }, "{text}");
    }
}

#[test]
fn headers_of_numpy_files_are_bounded() {
    let bench = bench();
    let plain = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }";
    for (header, fits) in [
        (plain.to_owned(), true),
        ("{".repeat(16), false),
        ("(".repeat(40), false),
        ("[{(".repeat(3000), false),
        (format!("{{'descr': {}", "[('a', ".repeat(30)), false),
        (format!("{{'shape': ({})}}", "-+".repeat(4000)), false),
        (" ".repeat(60_000), false),
    ] {
        let length = (header.len() as u16).to_le_bytes();
        let file = [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), &1f64.to_le_bytes()].concat();
        fs::write(bench.path("k.npy"), file).unwrap();
        let output = bench.watched(&["in.y4m", "null:", "-f", "kernel=file=k.npy"]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), fits, "{header:.40}: {stderr}");
        assert!(fits || stderr.contains("is not a NumPy file"), "{header:.40}: {stderr}");
    }
}

#[test]
fn long_chains_run_or_are_refused() {
    let bench = bench();
    let chain = |filter: &str, count| vec![filter; count].join(",");
    bench.pass(&["in.y4m", "null:", "-f", &chain("gaussian=1", 256)]);
    bench.pass(&["in.y4m", "null:", "-f", &chain("median=1,tmix=3", 128)]);
    // Those join.
    bench.pass(&["in.y4m", "null:", "-f", &chain("invert", 3001)]);
    for count in [257, 700, 5000] {
        let line = bench.fail(&["in.y4m", "null:", "-f", &chain("gaussian=1", count)]);
        assert!(line.contains(&format!("the chain becomes {count} passes, and 256 are the most")), "{line}");
    }
}

/// With room for frames and no room for what a filter needs beside them.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_is_not_there_is_an_error() {
    let bench = Bench::new();
    let run = |megabytes: usize, chain: &str| {
        let program = binary().display().to_string();
        let raw = "--raw gray:8000x8000 --frames 1 --threads 1 --backend cpu";
        let command = format!("ulimit -v {}; exec '{program}' - null: {raw} -f '{chain}' </dev/zero", megabytes * 1024);
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(bench.path("")).stdin(Stdio::null());
        ended(shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap(), chain)
    };
    let enough = (500..6000).step_by(100).find(|&megabytes| run(megabytes, "gain=0.5").status.success());
    let enough = enough.expect("some memory is enough for frames");
    for (chain, name) in
        [("nlmeans=s=10", "nlmeans"), ("bm3d=sigma=20", "bm3d"), ("gaussian=sigma=10:boxes=3", "gaussian")]
    {
        let output = run(enough + 120, chain);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{chain}: {stderr}");
        let line = stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(line.contains(name) && line.contains("bytes of scratch memory"), "{chain}: {stderr}");
    }
}
