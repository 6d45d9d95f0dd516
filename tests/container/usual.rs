//! What is written where nothing was asked for: the input's codec, pixels that players expect, the fast encoder, and the
//! line that says so.

use crate::program::Bench;

/// Codec and pixel format of a file's video.
fn video(bench: &Bench, name: &str) -> String {
    let arguments = ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=codec_name,pix_fmt"];
    let text = bench.run("ffprobe", &[&arguments[..], &["-of", "csv=p=0", name]].concat(), b"").stdout;
    String::from_utf8(text).unwrap().lines().next().unwrap_or_default().trim_end_matches(',').to_owned()
}

const PICTURE: [&str; 4] = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.2"];

#[test]
fn the_codec_follows_the_input_where_the_container_allows() {
    let bench = Bench::new();
    let ten = "yuv420p10le";
    for (name, codec, pixel) in [
        ("hevc.mp4", "libx265", ten),
        ("vp9.webm", "libvpx-vp9", "yuv420p"),
        ("av1.mkv", "libsvtav1", ten),
        ("avc.mkv", "libx264", "yuv420p"),
        ("mpeg2.mkv", "mpeg2video", "yuv420p"),
        ("ffv1.mkv", "ffv1", "yuv420p"),
        ("prores.mov", "prores_ks", "yuv422p10le"),
    ] {
        bench.ffmpeg(&[&PICTURE[..], &["-c:v", codec, "-pix_fmt", pixel, name]].concat());
    }
    for (from, to, wanted) in [
        ("hevc.mp4", "a.mp4", "hevc,yuv420p10le"),
        ("hevc.mp4", "a.mkv", "hevc,yuv420p10le"),
        ("hevc.mp4", "a.ts", "hevc,yuv420p10le"),
        ("hevc.mp4", "a.webm", "vp9,yuv420p10le"),
        ("vp9.webm", "b.webm", "vp9,yuv420p"),
        ("vp9.webm", "b.mp4", "vp9,yuv420p"),
        ("vp9.webm", "b.mov", "h264,yuv420p"),
        ("av1.mkv", "c.mp4", "av1,yuv420p10le"),
        ("av1.mkv", "c.ts", "h264,yuv420p10le"),
        ("avc.mkv", "d.mp4", "h264,yuv420p"),
        ("avc.mkv", "d.webm", "vp9,yuv420p"),
        ("mpeg2.mkv", "e.mkv", "h264,yuv420p"),
        ("ffv1.mkv", "f.mkv", "ffv1,yuv420p"),
        ("ffv1.mkv", "f.mp4", "h264,yuv420p"),
        ("prores.mov", "g.mov", "prores,yuv422p10le"),
        ("prores.mov", "g.mp4", "h264,yuv422p10le"),
    ] {
        bench.pass(&[from, to]);
        assert_eq!(video(&bench, to), wanted, "{from} to {to}");
    }
}

/// Where a codec has no place for opacity, the line that says so names one of the container that has.
#[test]
fn lost_opacity_comes_with_what_to_type() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "color=red@0.5:s=64x64:d=0.1,format=yuva444p", "-c:v", "ffv1", "in.mkv"]);
    for (to, encoder) in [("a.mov", "prores_ks"), ("a.mkv", ""), ("a.webm", ""), ("a.mp4", "prores_ks")] {
        let said = bench.run(crate::program::binary(), &["in.mkv", to], b"");
        let said = String::from_utf8(said.stderr).unwrap();
        let advice = said.lines().find(|line| line.contains("loses")).unwrap_or_default();
        assert_eq!(advice.contains("keeps opacity"), !encoder.is_empty(), "{to}: {said}");
        assert!(advice.contains(encoder), "{to}: {said}");
        if to != "a.mp4" && !encoder.is_empty() {
            bench.pass(&["in.mkv", to, "-y", "--codec", encoder]);
            assert!(video(&bench, to).contains("yuva"), "{to}: {}", video(&bench, to));
        }
    }
}

#[test]
fn pictures_become_what_players_expect_and_more_is_kept_when_asked() {
    let bench = Bench::new();
    bench.ffmpeg(&[&PICTURE[..], &["p%d.png"]].concat());
    bench.ffmpeg(&[&PICTURE[..], &["in.gif"]].concat());
    bench.ffmpeg(&[&PICTURE[..], &["-pix_fmt", "rgb48", "deep%d.png"]].concat());
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x36:r=25:d=0.2",
        "-vf",
        "crop=63:35:exact=1",
        "-pix_fmt",
        "rgb24",
        "odd%d.png",
    ]);
    for (arguments, wanted, is_said) in [
        (&["p%d.png", "a.mp4"][..], "h264,yuv420p", true),
        (&["p%d.png", "a.webm"], "vp9,yuv420p", true),
        (&["in.gif", "b.mp4", "--codec", "libx265"], "hevc,yuv420p", true),
        (&["deep%d.png", "c.mp4", "--codec", "libx265"], "hevc,yuv420p12le", true),
        (&["p%d.png", "d.mp4", "--pix-fmt", "yuv444p"], "h264,yuv444p", false),
        (&["p%d.png", "e.mp4", "--lossless"], "h264,gbrp", false),
        (&["p%d.png", "f.mkv", "--codec", "ffv1"], "ffv1,bgr0", false),
        // Odd sides are made even.
        (&["odd%d.png", "g.mp4"], "h264,yuv420p", true),
    ] {
        let output = bench.warpreel(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {said}");
        assert_eq!(video(&bench, arguments[1]), wanted, "{arguments:?}");
        assert_eq!(said.contains("which players expect"), is_said, "{arguments:?}: {said}");
    }
}

#[test]
fn the_fast_encoder_of_a_codec_is_taken() {
    let bench = Bench::new();
    bench.ffmpeg(&[&PICTURE[..], &["-c:v", "libx264", "in.mp4"]].concat());
    let begun = std::time::Instant::now();
    bench.pass(&["in.mp4", "a.mp4", "--codec", "av1"]);
    assert_eq!(video(&bench, "a.mp4").split(',').next(), Some("av1"));
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    let found = bench.ffmpeg(&["-i", "a.mp4", "-c", "copy", "-f", "obu", "-"]);
    assert!(!found.is_empty());
}

#[test]
fn the_last_line_says_what_was_written() {
    let bench = Bench::new();
    let sound = ["-f", "lavfi", "-i", "sine=d=0.2"];
    bench.ffmpeg(&[&PICTURE[..], &sound, &["-c:v", "libx264", "-c:a", "aac", "in.mp4"]].concat());
    for (arguments, begin, end) in [
        (&["in.mp4", "out.mp4"][..], "out.mp4: h264 crf 18, 5 frames, ", "kB, AAC copied"),
        (&["in.mp4", "out.webm"], "out.webm: vp9 crf 22, 5 frames, ", "kB, aac as opus 64 kbit/s"),
        (&["in.mp4", "out.mkv", "--lossless", "--no-audio"], "out.mkv: ffv1 lossless, 5 frames, ", "kB"),
        (&["in.mp4", "b.mp4", "--bitrate", "1M", "--no-audio"], "b.mp4: h264 1M bit/s, 5 frames, ", "kB"),
        (&["in.mp4", "o%d.png", "--no-audio"], "o%d.png: png lossless, 5 frames", "5 frames"),
    ] {
        let said = String::from_utf8(bench.warpreel(arguments).stderr).unwrap();
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with(begin) && last.ends_with(end), "{said}");
        let quiet = bench.warpreel(&[arguments, &["-q", "-y"]].concat());
        assert!(quiet.stderr.is_empty(), "{}", String::from_utf8_lossy(&quiet.stderr));
    }
}

#[test]
fn a_rate_without_a_unit_is_asked_about() {
    let bench = Bench::new();
    bench.ffmpeg(&[&PICTURE[..], &["-c:v", "libx264", "in.mp4"]].concat());
    let error = bench.refuse(&["in.mp4", "a.mp4", "--bitrate", "5000"]);
    assert!(error.contains("--bitrate 5000k") && error.contains("5M"), "{error}");
    for rate in ["800k", "1.5M", "500000", "1.5Mbps", "800 kbit/s"] {
        bench.pass(&["in.mp4", "a.mp4", "-y", "--bitrate", rate]);
    }
}

/// Losses are said where a frame has what is lost, and not for what its pixel format could hold.
#[test]
fn a_loss_is_said_only_of_what_is_there() {
    let bench = Bench::new();
    bench.ffmpeg(&[&PICTURE[..], &["opaque.gif"]].concat());
    bench.ffmpeg(&[&PICTURE[..], &["-pix_fmt", "rgba", "opaque%d.png"]].concat());
    bench.ffmpeg(&[&PICTURE[..], &["-pix_fmt", "rgba64be", "deep%d.png"]].concat());
    bench.ffmpeg(&[&PICTURE[..], &["-c:v", "libx264", "-pix_fmt", "yuv420p", "in.mp4"]].concat());
    // The last frame alone lets something through.
    let late = "format=rgba,geq=r=r(X\\,Y):g=g(X\\,Y):b=b(X\\,Y):a=255-lte(4\\,N)*gte(X\\,60)";
    bench.ffmpeg(&[&PICTURE[..], &["-vf", late, "late%d.png"]].concat());
    for (from, to, loses) in [
        ("opaque.gif", "a.mp4", false),
        ("opaque%d.png", "b.mp4", false),
        ("deep%d.png", "b.mov", false),
        ("opaque%d.png", "b.mkv", false),
        ("late%d.png", "c.mp4", true),
        ("late%d.png", "c.mkv", true),
        ("in.mp4", "d%d.png", false),
        ("in.mp4", "d.gif", false),
    ] {
        let output = bench.warpreel(&[from, to]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{from} {to}: {said}");
        assert_eq!(said.contains("loses opacity"), loses, "{from} {to}: {said}");
        let fewer_bits = from == "deep%d.png";
        assert_eq!(said.contains("warning"), loses || fewer_bits, "{from} {to}: {said}");
    }
}

/// GIF has transparent pixels, so that nothing is said of those; half of an opacity is lost.
#[test]
fn a_gif_says_that_half_an_opacity_is_lost() {
    let bench = Bench::new();
    for (name, opacity, loses) in [("half", 127, true), ("clear", 0, false), ("opaque", 255, false)] {
        let made = format!("format=rgba,geq=r=r(X\\,Y):g=g(X\\,Y):b=b(X\\,Y):a=if(lt(X\\,9)\\,{opacity}\\,255)");
        let from = format!("{name}.mkv");
        bench.ffmpeg(&[&PICTURE[..], &["-vf", &made, "-c:v", "ffv1", &from]].concat());
        let said = String::from_utf8(bench.warpreel(&[&from, &format!("{name}.gif")]).stderr).unwrap();
        assert_eq!(said.contains("lose their opacity"), loses, "{name}: {said}");
    }
}

/// A codec without quality is not followed where a quality is asked for.
#[test]
fn lossless_codecs_are_followed_unless_quality_is_given() {
    let bench = Bench::new();
    bench.ffmpeg(&[&PICTURE[..], &["-c:v", "ffv1", "-pix_fmt", "yuv420p", "in.mkv"]].concat());
    for (options, wanted) in [
        (&[][..], "ffv1,yuv420p"),
        (&["--crf", "25"], "h264,yuv420p"),
        (&["--quality", "70"], "h264,yuv420p"),
        (&["--bitrate", "1M"], "h264,yuv420p"),
        (&["--preset", "veryfast"], "h264,yuv420p"),
    ] {
        bench.pass(&[&["in.mkv", "out.mkv", "-y"], options].concat());
        assert_eq!(video(&bench, "out.mkv"), wanted, "{options:?}");
    }
}
