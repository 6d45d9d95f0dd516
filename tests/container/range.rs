//! Black and white in the output: the picture that a viewer sees by the tags is the source's.

use crate::program::Bench;

/// A ramp from black to white beside colours, from RGB, tagged as it is stored.
fn clip(bench: &Bench, name: &str, range: &str, matrix: &str, pixel: &str) {
    let picture =
        "gradients=s=96x64:r=10:d=0.3:n=4:c0=black:c1=white:c2=red:c3=blue:x0=0:y0=0:x1=95:y1=63:speed=0.00001";
    let scale = format!("format=gbrp,scale=out_range={range}:out_color_matrix={matrix},format={pixel}");
    let tag = if range == "full" { "pc" } else { "tv" };
    let coding = ["-c:v", "ffv1", "-level", "1", "-color_range", tag, "-colorspace", matrix];
    let input = ["-f", "lavfi", "-i", picture, "-vf", scale.as_str()];
    bench.ffmpeg(&[&input[..], &coding, &[name]].concat());
}

/// The first frame as RGB, by the tags of the file; `matrix` where it has none.
fn seen(bench: &Bench, name: &str, matrix: &str) -> Vec<u8> {
    let known = ["-v", "error", "-select_streams", "v", "-show_entries", "stream=color_space", "-of", "csv=p=0", name];
    let known = String::from_utf8(bench.run("ffprobe", &known, b"").stdout).unwrap();
    let is_known = ["bt709", "bt470bg", "smpte170m", "gbr"].iter().any(|space| known.contains(space));
    let scale = if is_known { String::new() } else { format!(":in_color_matrix={matrix}") };
    let scale = format!("scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp{scale}");
    bench.ffmpeg(&["-i", name, "-frames:v", "1", "-vf", &scale, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
}

/// The root of the mean squared difference of two pictures.
fn error(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let sum: f64 = one.iter().zip(other).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
    (sum / one.len() as f64).sqrt()
}

fn told(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.warpreel(arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {told}");
    told
}

#[test]
fn every_output_shows_what_the_clip_shows() {
    let bench = Bench::new();
    let cases = [
        ("mp4", "libx264", ""),
        ("mp4", "libx265", ""),
        ("webm", "libvpx-vp9", ""),
        ("webm", "libvpx", "full"),
        ("mkv", "ffv1", ""),
        ("avi", "ffv1", "full"),
        ("avi", "huffyuv", "full"),
        ("mov", "prores_ks", "full"),
        ("mpg", "mpeg1video", "full"),
        ("mpg", "mpeg2video", "full"),
        ("mkv", "mpeg2video", "full"),
        ("mp4", "mpeg4", "full"),
        ("ogv", "libtheora", "full"),
        ("wmv", "wmv2", "full"),
        ("avi", "msmpeg4", "full"),
        ("avi", "mjpeg", "limited"),
        ("jpg", "mjpeg", "limited"),
        ("webp", "libwebp", "full"),
        ("tiff", "tiff", "none"),
        ("png", "png", "none"),
        ("bmp", "bmp", "none"),
    ];
    for (range, matrix) in [("full", "smpte170m"), ("limited", "smpte170m"), ("limited", "bt709"), ("full", "bt709")] {
        clip(&bench, "in.mkv", range, matrix, "yuv420p");
        let wanted = seen(&bench, "in.mkv", matrix);
        for (index, (ending, codec, changes)) in cases.into_iter().enumerate() {
            let name = format!("{range}-{matrix}-{index}.{ending}");
            let mut typed = vec!["in.mkv", name.as_str(), "--codec", codec];
            if ["jpg", "webp", "tiff", "png", "bmp"].contains(&ending) {
                typed.extend(["--frames", "1"]);
            }
            let said = told(&bench, &typed);
            // Players guess the matrix of such sizes where the output has no tag of it.
            let has_guess = ["libtheora", "wmv2", "msmpeg4", "mpeg1video"].contains(&codec);
            let is_bt601 = has_guess || ["jpg", "webp"].contains(&ending) || ["mjpeg", "libvpx"].contains(&codec);
            let distance = error(&seen(&bench, &name, if is_bt601 { "bt601" } else { matrix }), &wanted);
            assert!(distance < 4.0, "{range} {matrix} as {codec} in {ending}: {distance}\n{said}");
            // One line where the range changes, and none elsewhere.
            let lines = said.matches("samples become ").count();
            assert_eq!(lines, usize::from(changes == range), "{range} as {codec} in {ending}: {said}");
        }
    }
}

#[test]
fn a_pixel_format_of_full_range_is_full_range() {
    let bench = Bench::new();
    clip(&bench, "in.mkv", "limited", "smpte170m", "yuv420p");
    bench.pass(&["in.mkv", "out.mkv", "--pix-fmt", "yuvj420p", "--codec", "libx264"]);
    let distance = error(&seen(&bench, "out.mkv", "bt601"), &seen(&bench, "in.mkv", "bt601"));
    assert!(distance < 3.0, "{distance}");
    let text = String::from_utf8(bench.pass(&["explain", "in.mkv", "out.mov", "--codec", "prores_ks"])).unwrap();
    assert!(!text.contains("range"), "{text}");
    clip(&bench, "full.mkv", "full", "smpte170m", "yuv420p");
    let text = String::from_utf8(bench.pass(&["explain", "full.mkv", "out.mov", "--codec", "prores_ks"])).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(", limited range"), "{text}");
}

/// Grey without a tag is full range.
#[test]
fn grey_keeps_its_levels() {
    let bench = Bench::new();
    let levels = [0, 16, 128, 235, 255];
    let frame: Vec<u8> = levels.iter().flat_map(|level| [*level; 64 * 16]).collect();
    for (name, codec) in [("a.mp4", "libx264"), ("b.mov", "prores_ks"), ("c.mkv", "ffv1"), ("d.avi", "mjpeg")] {
        let typed = ["-", name, "--raw", "gray:64x80", "--codec", codec];
        let output = bench.run(crate::program::binary(), &typed, &frame);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let seen = seen(&bench, name, "bt601");
        let found: Vec<u8> = (0..5).map(|band| seen[3 * 64 * (16 * band + 8) + 96]).collect();
        assert!(found.iter().zip(levels).all(|(found, level)| found.abs_diff(level) <= 2), "{name}: {found:?}");
    }
}

#[test]
fn bits_that_are_lost_are_dithered() {
    let bench = Bench::new();
    clip(&bench, "in.mkv", "full", "smpte170m", "yuv420p10le");
    for (name, more) in [("out.y4m", &[][..]), ("out.mkv", &["--codec", "ffv1"]), ("out.yuv", &["--container", "raw"])]
    {
        let said = told(&bench, &[&["in.mkv", name, "--pix-fmt", "yuv420p"], more].concat());
        assert_eq!(said.matches("becomes yuv420p").count(), 1, "{name}: {said}");
    }
    bench.pass(&["in.mkv", "up.y4m", "--pix-fmt", "yuv444p10"]);
    let distance = error(&seen(&bench, "out.y4m", "bt601"), &seen(&bench, "in.mkv", "bt601"));
    assert!(distance < 2.0, "{distance}");
}

/// Floats, which FFmpeg has no pixel format of YUV for, are written as whole numbers in every output, and look like the clip.
#[test]
fn floats_are_written_everywhere() {
    let bench = Bench::new();
    for (range, pixel) in [("limited", "yuv420p"), ("full", "yuv444p10le"), ("limited", "yuv422p10le")] {
        clip(&bench, "in.mkv", range, "smpte170m", pixel);
        let wanted = seen(&bench, "in.mkv", "bt601");
        for (name, kept, more) in [
            ("a.mp4", "yuv4..p10", &[][..]),
            ("b.mkv", "yuv4..p16", &["--codec", "ffv1"]),
            ("c.mov", "yuv4..p1.", &["--codec", "prores_ks"]),
            ("d.mpg", "yuv420p", &[]),
            ("e.png", "rgb48", &["--frames", "1"]),
            ("f.jpg", "yuvj4..p", &["--frames", "1"]),
        ] {
            let said = told(&bench, &[&["in.mkv", name, "-y", "-f", "scale=depth=f32"], more].concat());
            assert_eq!(said.matches("loses").count(), 1, "{name}: {said}");
            let stored = ["-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", name];
            let stored = String::from_utf8(bench.run("ffprobe", &stored, b"").stdout).unwrap();
            let fits = |(found, due): (char, char)| found == due || due == '.';
            assert!(
                stored.len() > kept.len() && stored.chars().zip(kept.chars()).all(fits),
                "{pixel} {name}: {stored}"
            );
            let distance = error(&seen(&bench, name, "bt601"), &wanted);
            assert!(distance < 4.0, "{range} {pixel} {name}: {distance}");
        }
    }
}

#[test]
fn odd_sides_are_padded_where_players_expect_it() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=63x65:r=10:d=0.2,format=rgba", "in%d.png"]);
    let said = told(&bench, &["in%d.png", "out.mp4"]);
    assert!(said.contains("63x65 becomes 64x66, the edge repeated"), "{said}");
    let typed = ["-v", "error", "-show_entries", "stream=width,height,pix_fmt", "-of", "csv=p=0", "out.mp4"];
    assert_eq!(bench.run("ffprobe", &typed, b"").stdout.trim_ascii(), b"64,66,yuv420p");
    bench.pass(&["in%d.png", "out.webm"]);
    let typed = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "out.webm"];
    assert_eq!(bench.run("ffprobe", &typed, b"").stdout.trim_ascii(), b"63,65");
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=0.2,format=rgba,colorchannelmixer=aa=0.5", "a%d.png"]);
    let said = told(&bench, &["a%d.png", "a.mp4"]);
    assert!(said.contains("opacity"), "{said}");
}
