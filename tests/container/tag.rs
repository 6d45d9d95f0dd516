//! Tags that follow into the output, samples that follow where there is no tag, or a line that says what is lost.

use crate::program::{Bench, checksums};

/// A clip of a quarter of a second with colours at all places, as FFV1.
fn clip(bench: &Bench, filter: &str, coding: &[&str], name: &str) {
    let picture = "testsrc2=s=256x128:r=25:d=0.24,gblur=0.7";
    let start = ["-f", "lavfi", "-i", picture, "-vf", filter, "-c:v", "ffv1", "-level", "3", "-slices", "4"];
    bench.ffmpeg(&[&start[..], coding, &[name]].concat());
}

/// A clip that is tagged as BT.709, which players do not guess of its size.
fn high_definition(bench: &Bench, pixel: &str) {
    let filter = format!("format=gbrp,scale=out_color_matrix=bt709:out_range=limited,format={pixel}");
    clip(bench, &filter, &["-colorspace", "bt709", "-color_range", "tv"], "in.mkv");
}

fn said(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.warpreel(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

/// All frames as RGB, by a matrix.
fn seen(bench: &Bench, name: &str, matrix: &str) -> Vec<u8> {
    let scale = format!("scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp:in_color_matrix={matrix}");
    bench.ffmpeg(&["-i", name, "-vf", &scale, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
}

/// How near two pictures are, in dB.
fn psnr(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let sum: f64 = one.iter().zip(other).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
    20.0 * 255f64.log10() - 10.0 * (sum / one.len() as f64).max(1e-9).log10()
}

#[test]
fn lossy_samples_get_the_matrix_that_players_guess() {
    let bench = Bench::new();
    high_definition(&bench, "yuv420p");
    let wanted = seen(&bench, "in.mkv", "bt709");
    for (name, codec) in
        [("a.avi", "mpeg4"), ("a.wmv", "wmv2"), ("a.ogv", "libtheora"), ("a.mpg", "mpeg1video"), ("a.flv", "flv")]
    {
        let line = said(&bench, &["in.mkv", name, "--codec", codec]);
        assert_eq!(line.matches("the matrix becomes bt601, as players expect").count(), 1, "{line}");
        let found = psnr(&seen(&bench, name, "bt601"), &wanted);
        assert!(found > 30.0, "{name}: {found} dB");
    }
    for (name, codec) in [("b.mp4", "mpeg4"), ("b.mkv", "mpeg4"), ("b.mpg", "mpeg2video"), ("b.avi", "libx264")] {
        let line = said(&bench, &["in.mkv", name, "--codec", codec]);
        assert!(!line.contains("matrix"), "{line}");
        let found = psnr(&seen(&bench, name, "bt709"), &wanted);
        assert!(found > 30.0, "{name}: {found} dB");
    }
}

#[test]
fn rgb_gets_the_matrix_that_players_guess_of_its_size() {
    let bench = Bench::new();
    for (size, guessed) in [("1280x536", "bt709"), ("720x576", "bt601"), ("1024x640", "bt709"), ("640x480", "bt601")] {
        let picture = format!("testsrc2=s={size}:r=25:d=0.04,gblur=0.7,format=rgb24");
        bench.ffmpeg(&["-f", "lavfi", "-i", &picture, "-frames:v", "1", "in.png"]);
        bench.pass(&["in.png", "out.avi", "-y", "--codec", "mpeg4"]);
        let found = psnr(&seen(&bench, "out.avi", guessed), &seen(&bench, "in.png", "bt709"));
        assert!(found > 30.0, "{size}: {found} dB");
    }
}

#[test]
fn lossless_samples_stay_and_a_line_names_the_tags_that_are_lost() {
    let bench = Bench::new();
    let hdr = ["-colorspace", "bt709", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-color_range", "tv"];
    clip(&bench, "format=yuv422p,setfield=tff", &hdr, "in.mkv");
    let sums = |name: &str| checksums(&bench.ffmpeg(&["-i", name, "-f", "framehash", "-"])).len();
    for codec in ["huffyuv", "ffvhuff", "rawvideo", "magicyuv"] {
        let line = said(&bench, &["in.mkv", "out.avi", "-y", "--codec", codec]);
        let wanted = "colour tags are dropped (matrix bt709, primaries bt2020, transfer pq)";
        assert_eq!(line.matches(wanted).count(), 1, "{line}");
        assert_eq!(line.matches("has no tag of fields").count(), 1, "{line}");
        assert_eq!(sums("out.avi"), 6);
        let plain = |name| bench.ffmpeg(&["-i", name, "-pix_fmt", "yuv422p", "-f", "rawvideo", "-"]);
        assert!(plain("out.avi") == plain("in.mkv"), "{codec}");
    }
    // Of high definition players guess right.
    let large = ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=0.08", "-pix_fmt", "yuv422p", "-c:v", "ffv1"];
    bench.ffmpeg(&[&large[..], &["-colorspace", "bt709", "-color_primaries", "bt709", "large.mkv"]].concat());
    let line = said(&bench, &["large.mkv", "large.avi", "--codec", "huffyuv"]);
    assert!(!line.contains("tags are dropped"), "{line}");
}

#[test]
fn raw_frames_come_back_from_every_container() {
    let bench = Bench::new();
    for pixel in ["yuv420p", "yuv422p", "yuv444p", "gbrp", "gray", "yuv422p10le"] {
        clip(&bench, &format!("format={pixel}"), &[], "in.mkv");
        for name in ["out.avi", "out.mov", "raw.mkv", "out.nut"] {
            bench.pass(&["in.mkv", name, "-y", "--codec", "rawvideo"]);
            let found = psnr(&seen(&bench, name, "bt601"), &seen(&bench, "in.mkv", "bt601"));
            assert!(found > 33.0, "{pixel} {name}: {found} dB");
        }
    }
}

#[test]
fn grey_of_limited_range_keeps_black_and_white() {
    let bench = Bench::new();
    clip(&bench, "format=gray,geq=lum='16+219*(X/(W-1))'", &["-color_range", "tv"], "in.mkv");
    for (name, options) in [
        ("a.avi", &["--codec", "huffyuv"][..]),
        ("b.avi", &["--codec", "huffyuv", "--pix-fmt", "rgb24"]),
        ("c.rgb", &["--pix-fmt", "rgb24"]),
        ("d.mov", &["--codec", "qtrle"]),
        ("e.mov", &["--codec", "jpeg2000"]),
    ] {
        bench.pass(&[&["in.mkv", name], options].concat());
        let found = match name {
            "c.rgb" => std::fs::read(bench.path(name)).unwrap(),
            _ => seen(&bench, name, "bt601"),
        };
        // The first and the last pixel of the first row.
        assert!(found[0] <= 2 && found[255 * 3] >= 253, "{name}: {} to {}", found[0], found[255 * 3]);
    }
}

#[test]
fn jpeg_2000_is_given_samples_that_its_encoder_can_code() {
    let bench = Bench::new();
    for pixel in ["yuv422p10le", "gray10le", "gbrp10le"] {
        clip(&bench, &format!("format={pixel}"), &[], "in.mkv");
        let line = said(&bench, &["in.mkv", "out.mov", "-y", "--codec", "jpeg2000"]);
        assert_eq!(line.matches("bits").count(), 1, "{line}");
        let found = psnr(&seen(&bench, "out.mov", "bt601"), &seen(&bench, "in.mkv", "bt601"));
        assert!(found > 36.0, "{pixel}: {found} dB");
    }
}

#[test]
fn the_shape_of_pixels_follows_or_is_said() {
    let bench = Bench::new();
    for (shape, codec, name, is_kept) in [
        ("16/15", "mpeg2video", "a.mpg", false),
        ("2/3", "mpeg2video", "b.mpg", true),
        ("8/9", "mpeg2video", "c.ts", true),
        ("4/3", "mpeg2video", "d.mxf", false),
        ("4/3", "mpeg2video", "e.mkv", true),
        ("4/3", "mpeg1video", "f.mpg", true),
        ("2/1", "mpeg1video", "g.mpg", false),
        ("4/3", "flv", "h.flv", false),
        ("4/3", "dnxhd", "i.mxf", false),
        ("4/3", "libx264", "j.ts", true),
        ("4/3", "libwebp", "k.webp", false),
    ] {
        clip(&bench, &format!("format=yuv422p,setsar={shape}"), &[], "in.mkv");
        let line = said(&bench, &["in.mkv", name, "-y", "--codec", codec, "--frames", "1"]);
        let entries = ["-v", "error", "-show_entries", "stream=sample_aspect_ratio", "-of", "csv=p=0", name];
        let found = String::from_utf8(bench.run("ffprobe", &entries, b"").stdout).unwrap();
        let number = |text: &str, parting: char| -> Option<f64> {
            let (wide, high) = text.trim().trim_end_matches(',').split_once(parting)?;
            Some(wide.parse::<f64>().ok()? / high.parse::<f64>().ok()?)
        };
        let (wanted, found) = (number(shape, '/').unwrap(), number(found.lines().next().unwrap(), ':').unwrap_or(1.0));
        assert_eq!((found / wanted - 1.0).abs() < 0.02, is_kept, "{name}: {found} of {wanted}");
        assert_eq!(line.matches("the pixel aspect ratio").count(), usize::from(!is_kept), "{name}: {line}");
    }
}
