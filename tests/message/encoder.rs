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
        ("copy", "filtered video is always encoded anew; leave it out"),
        ("nvenc", "type --codec h264_nvenc, hevc_nvenc or av1_nvenc"),
        ("mp4", "that is a container; give the output a name that ends so, or type --container"),
    ] {
        let line = bench.fail(&["in.y4m", "out2.mkv", "--codec", typed]);
        assert!(line.contains(&format!("--codec {typed}: ")) && line.contains(advice), "{line}");
    }
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
        assert!(line.contains(&format!("--preset {preset} is none of {codec}; {good}")), "{line}");
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
    let told = String::from_utf8(bench.pass(&["doctor"])).unwrap();
    let encoders = told.lines().find(|line| line.starts_with("encoders ")).unwrap();
    let output = bench.warpreel(&["in.y4m", "out.mkv", "--codec", "h264_nvenc"]);
    assert_eq!(encoders.contains("h264_nvenc"), output.status.success(), "{encoders}");
    let has_encoder = String::from_utf8(bench.ffmpeg(&["-encoders"])).unwrap().contains("h264_nvenc");
    if !output.status.success() && has_encoder {
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("needs an NVIDIA GPU") && stderr.ends_with("; type --codec libx264\n"), "{stderr}");
        assert!(told.contains("no h264_nvenc: it needs"), "{told}");
    }
}
