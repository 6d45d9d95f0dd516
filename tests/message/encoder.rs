//! Encoders: their names, presets, rates, and those that need a GPU.

use super::bench;

#[test]
fn names_that_people_have_for_encoders_lead_to_them() {
    let bench = bench();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=128x96:d=0.2", "-pix_fmt", "yuv420p", "large.y4m"]);
    for (typed, codec) in [("x264", "h264"), ("h.264", "h264"), ("H265", "hevc"), ("x265", "hevc"), ("h264", "h264")] {
        bench.pass(&["large.y4m", "out.mkv", "-y", "--preset", "ultrafast", "--codec", typed]);
        let found = bench.run(
            "ffprobe",
            &["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "out.mkv"],
            b"",
        );
        assert_eq!(String::from_utf8(found.stdout).unwrap().trim(), codec, "{typed}");
    }
    for (typed, advice) in [
        ("copy", "filtered video is always encoded again; leave it out"),
        ("nvenc", "type --codec h264_nvenc, hevc_nvenc or av1_nvenc"),
        ("mp4", "that is a container; use it as the output's extension, or type --container"),
    ] {
        let line = bench.fail(&["in.y4m", "out2.mkv", "--codec", typed]);
        assert!(line.contains(&format!("--codec {typed}: ")) && line.contains(advice), "{line}");
    }
    let line = bench.fail(&["large.y4m", "out2.mkv", "-f", "scale=depth=f32", "--lossless"]);
    assert!(line.contains("loses bits; end the chain with scale=depth=16"), "{line}");
}

#[test]
fn a_wrong_preset_lists_the_good_ones() {
    let bench = bench();
    for (codec, preset, good) in [
        (
            "libx264",
            "quick",
            "type ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo",
        ),
        ("libx265", "5x", "type ultrafast, "),
        ("libsvtav1", "fast", "type a number from -2, slow, to 13, fast"),
        ("prores_ks", "best", "type auto, proxy, lt, standard, hq, 4444, 4444xq"),
    ] {
        let line = bench.fail(&["in.y4m", "out.mkv", "--codec", codec, "--preset", preset]);
        assert!(line.contains(&format!("{codec} has no --preset {preset}; {good}")), "{line}");
    }
    bench.pass(&["in.y4m", "out.mkv", "--codec", "libx264", "--preset", "0", "--pix-fmt", "yuv420p"]);
}

#[test]
fn a_quality_beyond_the_worst_is_refused() {
    let bench = bench();
    for (codec, crf, scale) in
        [("libx264", "99", "0 to 51"), ("libx265", "52", "0 to 51"), ("libvpx-vp9", "64", "0 to 63")]
    {
        let line = bench.fail(&["in.y4m", "out.mkv", "--codec", codec, "--crf", crf]);
        assert!(line.contains(&format!("{codec} takes --crf {scale}, not {crf}; the lower the better")), "{line}");
    }
    bench.pass(&["in.y4m", "out.mkv", "--codec", "libx264", "--crf", "51"]);
}

/// On a machine with a GPU that encodes there is nothing to refuse.
#[test]
fn encoders_of_a_gpu_that_is_not_there_lead_to_software() {
    let bench = bench();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=320x180:d=0.2", "-pix_fmt", "yuv420p", "large.y4m"]);
    let told = String::from_utf8(bench.pass(&["doctor"])).unwrap();
    let encoders = told.lines().find(|line| line.starts_with("encoders ")).unwrap();
    let known = String::from_utf8(bench.ffmpeg(&["-encoders"])).unwrap();
    for (encoder, software) in [("h264_nvenc", "libx264"), ("hevc_nvenc", "libx265"), ("av1_nvenc", "libsvtav1")] {
        let arguments = ["large.y4m", "out.mkv", "-y", "--codec", encoder, "-f", "gaussian=1"];
        if encoders.contains(encoder) {
            bench.pass(&arguments);
            continue;
        }
        assert!(told.contains(&format!("no {encoder}: it needs")), "{told}");
        let line = bench.fail(&arguments);
        if known.contains(encoder) {
            let advice =
                format!("the encoder {encoder} needs an NVIDIA GPU that supports it, and its driver; none was found");
            assert!(line.contains(&advice) && line.ends_with(&format!("; type --codec {software}")), "{line}");
        } else {
            assert!(line.contains("this FFmpeg has no video encoder"), "{line}");
        }
        let files = std::fs::read_dir(bench.path(".")).unwrap().flatten();
        let files: Vec<_> = files.filter(|file| file.file_name().to_string_lossy().contains("out")).collect();
        assert!(files.is_empty(), "{encoder}: {files:?}");
    }
}
