//! Second clips through the program: FFmpeg's bytes, times of both clips, parts and chunks, other sizes and colours, and what is refused.

use warpreel::pass::ComposeMode;

use crate::container::turn;
use crate::program::{Bench, timed_checksums};

const SIZE: &str = "62x42";

/// A clip of `frames` frames of a picture that moves, at a rate, as FFV1.
fn make(bench: &Bench, name: &str, picture: &str, rate: u32, frames: u32, pixel: &str) {
    let source = format!("{picture}=size={SIZE}:rate={rate},noise=alls=40:allf=t");
    let count = frames.to_string();
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        &source,
        "-frames:v",
        &count,
        "-pix_fmt",
        pixel,
        "-c:v",
        "ffv1",
        "-level",
        "3",
        name,
    ]);
}

/// Raw frames of ours and of FFmpeg's, of `first` and `second`.
fn both(bench: &Bench, [first, second]: [&str; 2], chain: &str, theirs: &str) -> [Vec<u8>; 2] {
    bench.pass(&[first, "out.raw", "-y", "--backend", "cpu", "-f", chain]);
    let ours = std::fs::read(bench.path("out.raw")).expect("an output");
    let inputs = ["-i", first, "-i", second, "-lavfi", theirs, "-fps_mode", "passthrough", "-f", "rawvideo", "-"];
    [ours, bench.ffmpeg(&inputs)]
}

#[test]
fn every_mode_gives_ffmpegs_bytes() {
    let bench = Bench::new();
    let formats = ["yuv420p", "gray12le", "gbrp14le", "yuva444p", "yuv422p10le"];
    for pixel in formats {
        make(&bench, &format!("a-{pixel}.mkv"), "testsrc2", 25, 3, pixel);
        make(&bench, &format!("b-{pixel}.mkv"), "mandelbrot", 25, 3, pixel);
    }
    for (index, mode) in ComposeMode::ALL.iter().map(|mode| mode.name()).enumerate() {
        for (turn, opacity) in ["", ":all_opacity=0.4"].into_iter().enumerate() {
            let pixel = formats[(index + 2 * turn) % formats.len()];
            let clips = [format!("a-{pixel}.mkv"), format!("b-{pixel}.mkv")];
            let [first, second] = &clips;
            let options = format!("all_mode={mode}{opacity}");
            let theirs = format!("[0][1]blend={options}");
            let [ours, theirs] = both(&bench, [first, second], &format!("blend=clip={second}:{options}"), &theirs);
            assert!(!ours.is_empty() && ours == theirs, "{options} in {pixel}");
        }
    }
}

/// Rates that differ, times between frames, a second clip that ends early or goes on, and filters before that change times.
#[test]
fn frames_meet_by_their_times() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "testsrc2", 25, 60, "yuv420p");
    make(&bench, "b.mkv", "mandelbrot", 10, 12, "yuv420p");
    make(&bench, "fast.mkv", "mandelbrot", 60, 200, "yuv420p");
    // Frames of uneven length.
    let uneven = "select='not(mod(n,3))+eq(mod(n,7),1)',setpts=PTS*0.9";
    bench.ffmpeg(&["-i", "a.mkv", "-vf", uneven, "-fps_mode", "passthrough", "-c:v", "ffv1", "uneven.mkv"]);
    for (clips, before, theirs, options) in [
        (["a.mkv", "b.mkv"], "", "[0][1]", ""),
        (["a.mkv", "b.mkv"], "", "[0][1]", ":eof_action=pass"),
        (["a.mkv", "fast.mkv"], "", "[0][1]", ""),
        (["uneven.mkv", "b.mkv"], "", "[0][1]", ""),
        (["b.mkv", "uneven.mkv"], "", "[0][1]", ":eof_action=pass"),
        (["fast.mkv", "uneven.mkv"], "", "[0][1]", ":eof_action=pass"),
        (["a.mkv", "b.mkv"], "fps=30,", "[0]fps=30[x];[x][1]", ""),
        (["a.mkv", "fast.mkv"], "bwdif=send_field:deint=all,", "[0]bwdif=send_field:deint=all[x];[x][1]", ""),
    ] {
        let blend = format!("blend=all_mode=difference{options}");
        let ours = format!("{before}blend=clip={}:all_mode=difference{options}", clips[1]);
        let [ours, theirs] = both(&bench, clips, &ours, &format!("{theirs}{blend}"));
        // FFmpeg goes on with the last frame of the first clip where the second is longer.
        assert!(!ours.is_empty() && theirs.starts_with(&ours), "{clips:?} {before}{options}");
    }
    // Frames on which the filter does not act are not met, and the later ones meet theirs.
    let [some, all] = ["blend=b.mkv:difference:enable='gte(n,20)'", "blend=b.mkv:difference"].map(|chain| {
        bench.pass(&["a.mkv", "out.raw", "-y", "--backend", "cpu", "-f", chain]);
        std::fs::read(bench.path("out.raw")).expect("an output")
    });
    let bytes = some.len() / 60;
    assert!(some[20 * bytes..] == all[20 * bytes..] && some[..20 * bytes] != all[..20 * bytes]);
}

/// With `shortest` the clip ends with the second one, as in FFmpeg; parts and chunks are slices of what is left.
#[test]
fn shortest_ends_the_clip_with_the_second_one() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "testsrc2", 25, 60, "yuv420p");
    make(&bench, "b.mkv", "mandelbrot", 10, 12, "yuv420p");
    make(&bench, "slow.mkv", "mandelbrot", 5, 4, "yuv420p");
    bench.ffmpeg(&["-i", "b.mkv", "-frames:v", "1", "one.png"]);
    bench.ffmpeg(&["-i", "b.mkv", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "b.avi"]);
    bench.ffmpeg(&["-i", "b.mkv", "-pix_fmt", "yuv420p", "b.y4m"]);
    bench.ffmpeg(&[
        "-i",
        "a.mkv",
        "-vf",
        "select='not(mod(n,3))'",
        "-fps_mode",
        "passthrough",
        "-c:v",
        "ffv1",
        "c.mkv",
    ]);
    for (clips, before, theirs, options) in [
        (["a.mkv", "b.mkv"], "", "[0][1]", "shortest=1"),
        (["a.mkv", "b.mkv"], "", "[0][1]", "eof_action=endall"),
        (["a.mkv", "b.mkv"], "atadenoise=s=5,", "[0]atadenoise=s=5[x];[x][1]", "shortest=1"),
        (["a.mkv", "slow.mkv"], "", "[0][1]", "shortest=1"),
        (["a.mkv", "b.mkv"], "fps=30,", "[0]fps=30[x];[x][1]", "shortest=1"),
        (["c.mkv", "b.mkv"], "", "[0][1]", "shortest=1"),
        (["a.mkv", "b.avi"], "", "[0][1]", "shortest=1"),
        (["a.mkv", "b.y4m"], "", "[0][1]", "shortest=1"),
    ] {
        let blend = format!("all_mode=difference:{options}");
        let ours = format!("{before}blend={}:{blend}", clips[1]);
        let [ours, theirs] = both(&bench, clips, &ours, &format!("{theirs}blend={blend}"));
        assert_eq!(ours.len(), theirs.len(), "{clips:?} {before}{options}");
        // Colours of MJPEG are converted, by each in its own way.
        assert!(!ours.is_empty() && (ours == theirs || clips[1] == "b.avi"), "{clips:?} {before}{options}");
    }
    let sums = |arguments: &[&str]| -> Vec<String> {
        timed_checksums(&bench.pass(arguments)).into_iter().map(|(_, sum)| sum).collect()
    };
    let options = ["-q", "--backend", "cpu", "-f", "tmix=3,blend=b.mkv:difference:shortest=1,tmix=3"];
    let whole = sums(&[&["a.mkv", "hash:"][..], &options].concat());
    assert_eq!(whole.len(), 28, "the last frame of b is shown at 1.1 s");
    let mut parts = sums(&[&["a.mkv", "hash:", "--frames", "9"][..], &options].concat());
    parts.extend(sums(&[&["a.mkv", "hash:", "--start", "#9", "--end", "1.0"][..], &options].concat()));
    parts.extend(sums(&[&["a.mkv", "hash:", "--start", "1.0", "--end", "#50"][..], &options].concat()));
    assert_eq!(parts, whole, "parts");
    for number in 1..=2 {
        let (chunk, name) = (format!("{number}/2"), format!("part{number}.nut"));
        bench.pass(&[&["a.mkv", &name, "--codec", "ffv1", "--chunk", &chunk][..], &options].concat());
    }
    let told = bench.fail(&["a.mkv", "hash:", "-q", "--chunks-from", "part%d.nut"]);
    assert!(told.contains("--end 1.12 s"), "{told}");
    let joined = sums(&["a.mkv", "hash:", "-q", "--chunks-from", "part%d.nut", "--end", "1.12"]);
    assert_eq!(joined, whole, "chunks");
    let piped = ["-", "hash:", "-f", "blend=b.mkv:difference:shortest=1"];
    let told = bench.refuse(&piped);
    assert!(told.contains("the clip is a pipe") && told.contains("type --end"), "{told}");
    // A picture has no end.
    let all = sums(&["a.mkv", "hash:", "-q", "--backend", "cpu", "-f", "overlay=one.png:shortest=1"]);
    assert_eq!(all.len(), 60);
    let late = ["a.mkv", "hash:", "--start", "2", "-f", "blend=b.mkv:difference:shortest=1"];
    let told = bench.refuse(&late);
    assert!(told.contains("\"b.mkv\" ends before 1.12 s, and --start is later"), "{told}");
    let neither = ["a.mkv", "hash:", "--start", "#2", "--end", "#9", "-f", "blend=b.mkv:difference:shortest=1"];
    let told = bench.refuse(&neither);
    assert!(told.contains("type --start as a time"), "{told}");
}

/// Parts and chunks are slices of the whole, wherever the second clip is entered.
#[test]
fn parts_and_chunks_are_slices() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "testsrc2", 25, 150, "yuv420p");
    make(&bench, "b.mkv", "mandelbrot", 10, 45, "yuv420p");
    bench.ffmpeg(&[
        "-i",
        "a.mkv",
        "-vf",
        "select='eq(n,0)+gt(n,140)'",
        "-fps_mode",
        "passthrough",
        "-c:v",
        "ffv1",
        "rare.mkv",
    ]);
    let sums = |arguments: &[&str]| -> Vec<String> {
        timed_checksums(&bench.pass(arguments)).into_iter().map(|(_, sum)| sum).collect()
    };
    for chain in [
        "tmix=3,blend=b.mkv:difference",
        "blend=b.mkv:difference:eof_action=pass,tmix=3",
        "blend=rare.mkv:screen",
        "fps=30,blend=b.mkv:multiply:opacity=0.7",
    ] {
        let options = ["-q", "--backend", "cpu", "-f", chain];
        let whole = sums(&[&["a.mkv", "hash:"][..], &options].concat());
        let mut parts = Vec::new();
        for (start, count) in [(0, 40), (40, 1), (41, 79), (120, 30)] {
            let (start, count) = (format!("--start=#{start}"), format!("{count}"));
            parts.extend(sums(&[&["a.mkv", "hash:", &start, "--frames", &count][..], &options].concat()));
        }
        assert_eq!(parts, whole, "{chain}");
        // A chunk takes one frame for one.
        if chain.contains("fps") {
            continue;
        }
        for number in 1..=3 {
            let (chunk, name) = (format!("{number}/3"), format!("part{number}.nut"));
            bench.pass(&[&["a.mkv", &name, "-y", "--codec", "ffv1", "--chunk", &chunk][..], &options].concat());
        }
        bench.pass(&["a.mkv", "joined.mkv", "-y", "--codec", "ffv1", "--chunks-from", "part%d.nut", "-q"]);
        assert_eq!(sums(&["joined.mkv", "hash:", "-q"]), whole, "{chain} in chunks");
    }
}

/// Another size, depth, range or colour family becomes that of the frames.
#[test]
fn other_formats_are_converted() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "testsrc2", 25, 3, "yuv420p");
    make(&bench, "b.mkv", "mandelbrot", 25, 3, "yuv420p");
    let sums = |clip: &str, chain: &str| {
        bench.pass(&["a.mkv", "out.raw", "-y", "--backend", "cpu", "-f", &format!("{chain}blend={clip}:normal:0")]);
        std::fs::read(bench.path("out.raw")).expect("an output")
    };
    let plain = sums("b.mkv", "");
    bench.pass(&["b.mkv", "deep.mkv", "-f", "scale=depth=10", "--codec", "ffv1"]);
    bench.pass(&["b.mkv", "full.mkv", "-f", "scale=range=full:depth=16", "--codec", "ffv1"]);
    assert!(sums("deep.mkv", "") == plain, "more bits and back");
    let full = sums("full.mkv", "");
    let far = plain.iter().zip(&full).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(far <= Some(1), "{far:?} from the same in full range");
    // Another size than that of the frames, which is that of a filter before.
    bench.pass(&["b.mkv", "large.mkv", "-f", "scale=124:84:bilinear", "--codec", "ffv1"]);
    let small = sums("large.mkv", "crop=30:20:0:0,");
    assert_eq!(small.len(), 3 * (30 * 20 + 2 * 15 * 10));
    bench.ffmpeg(&["-i", "b.mkv", "-vf", "format=gbrp", "-c:v", "ffv1", "rgb.mkv"]);
    bench.ffmpeg(&["-i", "b.mkv", "-vf", "format=yuva420p", "-c:v", "ffv1", "alpha.mkv"]);
    assert!(sums("alpha.mkv", "") == plain, "opacity is left out");
    let rgb = sums("rgb.mkv", "");
    let mean = plain.iter().zip(&rgb).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / plain.len() as f64;
    assert!(mean < 3.0, "{mean} from the same as RGB");
}

/// Clips that are shown turned meet as they are shown, as in FFmpeg.
#[test]
fn turned_clips_meet_as_they_are_shown() {
    let bench = Bench::new();
    let turns = [[1, 0, 0, 1], [0, 1, -1, 0], [0, -1, 1, 0], [-1, 0, 0, -1]];
    for (index, matrix) in turns.into_iter().enumerate() {
        let stored = if matrix[0] == 0 { "42x62" } else { SIZE };
        turn::clip(&bench, stored, "yuv420p", matrix, &format!("{index}.mp4"));
    }
    for (first, second) in (0..4).flat_map(|first| (0..4).map(move |second| (first, second))) {
        let clips = [format!("{first}.mp4"), format!("{second}.mp4")];
        let [a, b] = [clips[0].as_str(), clips[1].as_str()];
        let [ours, theirs] = both(&bench, [a, b], &format!("blend={b}:difference"), "[0][1]blend=all_mode=difference");
        assert!(!ours.is_empty() && ours == theirs, "{clips:?}");
    }
}

/// Clips of fields are blended as whole frames are.
#[test]
fn fields_are_those_of_frames() {
    let bench = Bench::new();
    make(&bench, "b.mkv", "mandelbrot", 10, 5, "yuv420p");
    let source = "testsrc2=size=62x44:rate=50,noise=alls=40:allf=t,interlace,setfield=tff";
    bench.ffmpeg(&["-f", "lavfi", "-i", source, "-frames:v", "9", "-c:v", "ffv1", "-field_order", "tt", "a.mkv"]);
    let sums = |fields: &str| {
        timed_checksums(&bench.pass(&[
            "a.mkv",
            "hash:",
            "-q",
            "--backend",
            "cpu",
            "--fields",
            fields,
            "-f",
            "blend=b.mkv:screen",
        ]))
    };
    assert_eq!(sums("separate"), sums("frame"));
}

#[test]
fn wrong_second_clips_are_refused() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "testsrc2", 25, 3, "yuv420p");
    std::fs::write(bench.path("text.txt"), "no clip").expect("a file");
    std::fs::create_dir(bench.path("folder")).expect("a folder");
    for (chain, answer) in [
        (
            "blend",
            "there is no second clip at character 1 of the chain; type blend=other.mp4:mode=screen, or tblend for the frame before",
        ),
        (
            "blend=nosuch.mkv",
            "cannot be read: no such file or directory at character 7 of the chain; type the name of a video file",
        ),
        ("blend=-", "would be read from stdin, and a second clip is a file"),
        ("blend=folder", "is a folder"),
        ("blend=a.mkv:screeen", "mode=screeen of blend is unknown"),
        ("blend=a.mkv:screen:repeatlast=0", "type eof_action=pass"),
        ("blend=a.mkv:screen:eof_action=end", "type repeat, endall, pass"),
        ("blend=a.mkv:c0_mode=screen", "type one blend for each mode, and its planes: blend=…:mode=screen:planes=y"),
        ("blend=a.mkv:all_expr=A", "expressions of samples are not offered"),
    ] {
        let told = bench.refuse(&["a.mkv", "out.mkv", "-f", chain]);
        assert!(told.contains(answer), "{chain}: {told}");
    }
    let told = bench.fail(&["a.mkv", "out.mkv", "-f", "blend=text.txt:screen"]);
    assert!(told.contains("blend=text.txt:screen: read the second clip \"text.txt\""), "{told}");
    assert!(!bench.path("out.mkv").exists(), "nothing is written");
    make(&bench, "b.mkv", "mandelbrot", 25, 3, "yuv420p");
    let told = bench.fail(&["a.mkv", "b.mkv", "-y", "-f", "blend=b.mkv:screen"]);
    assert!(told.contains("would replace"), "{told}");
}
