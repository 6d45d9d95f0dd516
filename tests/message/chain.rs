//! Chains: empty ones, those in files, and which of several is wrong.

use crate::program::checksums;

use super::bench;

#[test]
fn an_empty_chain_is_refused() {
    let bench = bench();
    for arguments in [
        &["in.y4m", "null:", "-f", ""][..],
        &["in.y4m", "null:", "-f", " \n"],
        &["explain", "-f", ""],
        &["bench", "in.y4m", "-f", ""],
        &["bench", "-f", ""],
    ] {
        let line = bench.refuse(arguments);
        assert_eq!(
            line,
            "error: -f is empty; type -f gaussian=sigma=2, -f @FILE for a file of filters, or no -f to filter nothing"
        );
    }
    assert!(bench.refuse(&["in.y4m", "null:", "-f", "box", "-f", ""]).starts_with("error: -f number 2 is empty; type"));
    bench.pass(&["in.y4m", "null:"]);
}

#[test]
fn a_chain_from_a_file_is_taken_everywhere() {
    let bench = bench();
    std::fs::write(bench.path("taps.txt"), "0.25 0.5 0.25\n").unwrap();
    std::fs::write(bench.path("chain.txt"), "# soft\ngaussian=1\nkernel=taps.txt # and softer\n").unwrap();
    let typed = bench.pass(&["in.y4m", "hash:", "-f", "gaussian=1,kernel=taps.txt"]);
    let read = bench.pass(&["in.y4m", "hash:", "-f", "@chain.txt"]);
    assert_eq!(checksums(&typed), checksums(&read));
    let told = String::from_utf8(bench.pass(&["explain", "-f", "@chain.txt"])).unwrap();
    assert!(told.contains("kernel=taps.txt"), "{told}");
    bench.pass(&["bench", "in.y4m", "-f", "@chain.txt", "--repetitions", "1", "--warmup", "0", "--backend", "cpu"]);
    let before = std::fs::read(bench.path("chain.txt")).unwrap();
    for file in ["chain.txt", "taps.txt"] {
        let line = bench.fail(&["in.y4m", file, "--container", "raw", "-y", "-f", "@chain.txt"]);
        assert!(line.contains(&format!("would replace \"{file}\", which the chain reads")), "{line}");
        let line = bench.fail(&["in.y4m", "null:", "-y", "-f", "@chain.txt", "--stats", file]);
        assert!(line.contains(file), "{line}");
    }
    assert_eq!(std::fs::read(bench.path("chain.txt")).unwrap(), before);
    let line = bench.refuse(&["in.y4m", "null:", "-f", "@nosuch.txt"]);
    assert!(line.contains("\"nosuch.txt\" cannot be read: no such file"), "{line}");
}

#[test]
fn which_of_several_chains_is_wrong_and_where_is_said() {
    let bench = bench();
    let line = bench.refuse(&["in.y4m", "null:", "-f", "box", "-f", "gaussian,gausian"]);
    assert!(line.contains("\"gausian\" at character 10 of -f number 2; did you mean"), "{line}");
    let output = bench.warpreel(&["in.y4m", "null:", "-f", "gaussian,gausian"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.ends_with("\ngaussian,gausian\n         ^^^^^^^\n"), "{stderr}");
    std::fs::write(bench.path("chain.txt"), "gaussian=1\n  gausian # ?\n").unwrap();
    let output = bench.warpreel(&["in.y4m", "null:", "-f", "box", "-f", "@chain.txt"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("at line 2, character 3 of chain.txt; did you mean"), "{stderr}");
    assert!(stderr.ends_with("\n  gausian # ?\n  ^^^^^^^\n"), "{stderr}");
}

#[test]
fn taps_that_may_not_be_meant_are_told_of_once() {
    let bench = bench();
    let heavy = "kernel=1 2 1 2 4 2 1 2 1";
    let stderr = |arguments: &[&str]| String::from_utf8(bench.warpreel(arguments).stderr).unwrap();
    let told = stderr(&["in.y4m", "null:", "-f", heavy]);
    assert_eq!(told.matches("9 taps in one row").count(), 1, "{told}");
    assert_eq!(stderr(&["in.y4m", "null:", "-q", "-f", heavy]), "");
    let told = stderr(&["in.y4m", "null:", "-f", "kernel='1 2 1; 2 4 2; 1 2 1'"]);
    assert!(!told.contains("taps"), "{told}");
    let told = String::from_utf8(bench.pass(&["explain", "-f", heavy])).unwrap();
    assert_eq!(told.matches("9 taps in one row").count(), 1, "{told}");
}

#[test]
fn what_ffmpeg_does_before_comes_through_a_pipe() {
    let bench = bench();
    let line = bench.refuse(&["in.y4m", "null:", "-f", "vignette=0.5"]);
    let pipe = line.split("use FFmpeg first: ffmpeg ").nth(1).expect("a pipe").split(" - |").next().unwrap();
    let made = bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc=s=64x48:d=0.2",
        "-f",
        "lavfi",
        "-i",
        "sine=d=0.2",
        "-shortest",
        "av.mkv",
    ]);
    assert!(made.is_empty());
    let typed: Vec<&str> = pipe.split(' ').map(|word| if word == "IN" { "av.mkv" } else { word }).collect();
    let piped = bench.ffmpeg(&[&typed[..], &["-"]].concat());
    let output = bench.run(crate::program::binary(), &["-", "out.mkv", "-f", "box"], &piped);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Slips whose answer is what to type, as it is understood.
#[test]
fn slips_in_a_chain_come_back_mended() {
    let bench = bench();
    for (typed, answer) in [
        ("hqdn3d", "type \"denoise\""),
        ("QTGMC", "type \"bwdif=mode=send_frame\""),
        ("dfttest", "type \"denoise\""),
        ("knlm", "type \"nlmeans=s=auto\""),
        ("overlay=10:10", "the picture comes first: type overlay=logo.png:10:10"),
        ("subtitles=a.srt", "use FFmpeg first"),
        ("select=1", "use FFmpeg first"),
        ("deblock", "use FFmpeg first"),
        ("vdecimate", "did you mean \"decimate\"?"),
        ("pullup", "type \"fieldmatch,decimate\""),
        ("chromashift", "use FFmpeg first"),
        ("gaussian=2 unsharp", "filters are separated by commas: type \"gaussian=2,unsharp\""),
        ("gaussian=2;unsharp", "filters are separated by commas: type \"gaussian=2,unsharp\""),
        ("gaussian=2|unsharp", "filters are separated by commas: type \"gaussian=2,unsharp\""),
        ("gaussian=sigma:2", "type gaussian=sigma=2"),
        ("gaussian=size=5", "type gaussian=sigma=1.1"),
        ("median=size=5", "type median=radius=2"),
        ("unsharp=0.5", "type unsharp=luma_amount=0.5"),
        ("invert:enable='between(t,1,2)'", "type \"invert=enable='between(t,1,2)'\""),
        ("box=2:enable='t>1s'", "type 'gt(t,1)'"),
        ("offset=20", "type offset=level=0.0784"),
        ("denoise=6", "bm3d=sigma=6"),
        ("bad.txt", "type @bad.txt"),
    ] {
        let line = bench.refuse(&["in.y4m", "null:", "-f", typed]);
        assert!(line.contains(answer), "{typed}: {line}");
    }
    for chain in [
        "denoise",
        "bwdif=mode=send_frame",
        "nlmeans=s=auto",
        "gaussian=2,unsharp",
        "gaussian=sigma=1.1",
        "median=radius=2",
        "unsharp=luma_amount=0.5",
        "invert=enable='between(t,1,2)'",
        "box=2:enable='gt(t,1)'",
        "offset=level=0.0784",
        "bm3d=sigma=6",
    ] {
        bench.pass(&["explain", "-f", chain]);
    }
}
