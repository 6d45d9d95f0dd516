//! Pictures that are shown otherwise than they are stored: turned where an output cannot say so, and counted as shown.

use crate::program::{Bench, checksums};

/// What the matrix in the header of an mp4 file says: a, b, c, d; and what FFmpeg's filters call it.
const TURNS: [([i32; 4], &str); 6] = [
    ([0, 1, -1, 0], "90° clockwise"),
    ([-1, 0, 0, -1], "180°"),
    ([0, -1, 1, 0], "90° counter-clockwise"),
    ([-1, 0, 0, 1], "mirrored"),
    ([1, 0, 0, -1], "upside down"),
    ([0, 1, 1, 0], "90° clockwise and mirrored"),
];

/// Makes a clip whose header says how it is turned.
pub fn clip(bench: &Bench, size: &str, pixel: &str, [a, b, c, d]: [i32; 4], name: &str) {
    let source = format!("testsrc2=s={size}:r=25:d=0.2");
    bench.ffmpeg(&["-f", "lavfi", "-i", &source, "-pix_fmt", pixel, "-c:v", "libx264", "-qp", "0", name]);
    let path = bench.path(name);
    let mut bytes = std::fs::read(&path).unwrap();
    let word = |number: i32| number.to_be_bytes();
    let plain = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30].map(word).concat();
    let turned = [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30].map(word).concat();
    let header = bytes.windows(4).position(|window| window == b"tkhd").unwrap();
    let matrix = header + bytes[header..].windows(plain.len()).position(|window| window == plain).unwrap();
    bytes[matrix..matrix + plain.len()].copy_from_slice(&turned);
    std::fs::write(path, bytes).unwrap();
}

/// Sizes and checksums of a clip's frames as FFmpeg shows them.
fn shown(bench: &Bench, name: &str) -> Vec<String> {
    sums(&bench.ffmpeg(&["-i", name, "-map", "0:v", "-f", "framemd5", "-"]))
}

fn sums(listing: &[u8]) -> Vec<String> {
    checksums(listing).iter().map(|line| line.split(',').skip(4).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn outputs_that_cannot_say_so_get_turned_pictures() {
    let bench = Bench::new();
    for (matrix, name) in TURNS {
        for (size, pixel) in [("64x36", "yuv420p"), ("64x36", "yuv420p10le"), ("64x36", "yuv444p"), ("62x34", "gray")] {
            clip(&bench, size, pixel, matrix, "in.mp4");
            let wanted = shown(&bench, "in.mp4");
            assert_eq!(sums(&bench.pass(&["in.mp4", "hash:"])), wanted, "{name} {pixel}");
            for to in ["a.mkv", "a.avi", "a.y4m"] {
                // AVI cannot say that grey is of full range, so that samples are converted there.
                if (to, pixel) == ("a.avi", "gray") {
                    continue;
                }
                let lossless: &[&str] = if to == "a.y4m" { &[] } else { &["--codec", "ffv1"] };
                let output = bench.warpreel(&[&["in.mp4", to, "-y"], lossless].concat());
                let said = String::from_utf8(output.stderr).unwrap();
                assert!(output.status.success() && said.contains(name), "{name} {pixel} {to}: {said}");
                assert_eq!(shown(&bench, to), wanted, "{name} {pixel} {to}");
            }
        }
    }
    clip(&bench, "64x36", "yuv420p", TURNS[0].0, "in.mp4");
    bench.pass(&["in.mp4", "p%d.png"]);
    let probe = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "p1.png"];
    assert_eq!(bench.run("ffprobe", &probe, b"").stdout.trim_ascii(), b"36,64");
}

#[test]
fn colours_of_half_rows_become_colours_of_every_pixel() {
    let bench = Bench::new();
    clip(&bench, "64x36", "yuv422p", TURNS[0].0, "in.mp4");
    bench.pass(&["in.mp4", "a.mkv", "--codec", "ffv1"]);
    let luma = |name: &str, filter: &str| {
        sums(&bench.ffmpeg(&["-noautorotate", "-i", name, "-vf", filter, "-f", "framemd5", "-"]))
    };
    assert_eq!(luma("a.mkv", "extractplanes=y"), luma("in.mp4", "extractplanes=y,transpose=clock"));
    let wide = "format=yuv444p,transpose=clock";
    let wanted = bench.ffmpeg(&["-noautorotate", "-i", "in.mp4", "-vf", wide, "-frames:v", "1", "-f", "rawvideo", "-"]);
    let found = bench.ffmpeg(&["-i", "a.mkv", "-frames:v", "1", "-f", "rawvideo", "-"]);
    assert_eq!(found.len(), wanted.len());
    let mean = |bytes: &[u8]| bytes[64 * 36..].iter().map(|&byte| f64::from(byte)).sum::<f64>() / (2.0 * 64.0 * 36.0);
    assert!((mean(&found) - mean(&wanted)).abs() < 1.0);
}

#[test]
fn containers_that_can_say_so_keep_pictures_as_they_are() {
    let bench = Bench::new();
    clip(&bench, "64x36", "yuv420p", TURNS[0].0, "in.mp4");
    for to in ["a.mp4", "a.mov"] {
        bench.pass(&["in.mp4", to, "--codec", "libx264", "--lossless"]);
        let stored = |name: &str| sums(&bench.ffmpeg(&["-noautorotate", "-i", name, "-f", "framemd5", "-"]));
        assert_eq!(stored(to), stored("in.mp4"), "{to}");
        assert_eq!(shown(&bench, to), shown(&bench, "in.mp4"), "{to}");
    }
}

#[test]
fn rectangles_and_masks_count_in_pixels_as_they_are_shown() {
    let bench = Bench::new();
    for (matrix, name) in TURNS {
        clip(&bench, "64x36", "yuv420p", matrix, "in.mp4");
        bench.ffmpeg(&["-i", "in.mp4", "-c:v", "ffv1", "upright.mkv"]);
        let is_tall = name.contains("90°");
        let (width, height) = if is_tall { (36, 64) } else { (64, 36) };
        let mask =
            format!("gradients=s={width}x{height}:d=0.04:x0=0:y0=0:x1={width}:y1={height}:n=2:c0=black:c1=white");
        bench.ffmpeg(&["-f", "lavfi", "-i", &mask, "-frames:v", "1", "mask.png"]);
        for chain in ["invert=roi=20x10+4+6", "invert=roi=7x5+11+3", "invert=mask=mask.png", "box=2:roi=20x10+4+6"] {
            let wanted = sums(&bench.pass(&["upright.mkv", "hash:", "-f", chain]));
            assert_eq!(sums(&bench.pass(&["in.mp4", "hash:", "-f", chain])), wanted, "{name} {chain}");
            bench.pass(&["in.mp4", "a.mp4", "-y", "--codec", "libx264", "--lossless", "-f", chain]);
            assert_eq!(shown(&bench, "a.mp4"), wanted, "{name} {chain} in mp4");
        }
        let outside = format!("invert=roi=8x8+{}+0", width - 4);
        assert!(bench.fail(&["in.mp4", "null:", "-f", &outside]).contains(&format!("{width}x{height}")), "{name}");
    }
}
