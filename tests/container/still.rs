//! Outputs that are pictures: GIF with colours of its own, one still, pictures one after the other through a pipe.

use crate::program::{Bench, checksums};

/// The first frame of a clip as packed RGB.
fn first(bench: &Bench, name: &str, pixel: &str) -> Vec<u8> {
    bench.ffmpeg(&["-i", name, "-frames:v", "1", "-pix_fmt", pixel, "-f", "rawvideo", "-"])
}

/// The mean squared difference of two pictures.
fn error(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum::<f64>() / one.len() as f64
}

#[test]
fn gif_has_colours_of_its_own() {
    let bench = Bench::new();
    let slope = "gradients=s=128x96:r=10:d=0.3:n=3:c0=navy:c1=teal:c2=olive:seed=3";
    bench.ffmpeg(&["-f", "lavfi", "-i", slope, "-c:v", "ffv1", "-pix_fmt", "bgr0", "-level", "1", "slope.mkv"]);
    bench.pass(&["slope.mkv", "own.gif"]);
    bench.pass(&["slope.mkv", "fixed.gif", "--pix-fmt", "bgr8"]);
    let wanted = first(&bench, "slope.mkv", "rgb24");
    let (own, fixed) =
        (error(&first(&bench, "own.gif", "rgb24"), &wanted), error(&first(&bench, "fixed.gif", "rgb24"), &wanted));
    assert!(own < fixed / 5.0 && own < 60.0, "{own}, with fixed colours {fixed}");
    let count = ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", "own.gif"];
    assert_eq!(bench.run("ffprobe", &count, b"").stdout.trim_ascii(), b"3");
}

#[test]
fn gif_keeps_few_colours_and_holes() {
    let bench = Bench::new();
    // Other colours in the middle.
    let scenes = "color=red:s=32x32:r=10:d=0.2,split[a][c];smptehdbars=s=32x32:r=10:d=0.2[b];\
                  [a][b][c]concat=n=3,format=rgb24";
    bench.ffmpeg(&["-f", "lavfi", "-i", scenes, "p%d.png"]);
    bench.pass(&["p%d.png", "a.gif"]);
    let frames = |name: &str| {
        let listing = bench.ffmpeg(&["-i", name, "-pix_fmt", "rgb24", "-f", "framemd5", "-"]);
        checksums(&listing).iter().map(|line| line.rsplit(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(frames("a.gif"), frames("p%d.png"));
    let hole = "color=red:s=32x32:r=10:d=0.1,format=rgba,geq=r='r(X,Y)':g=0:b=0:a='if(lt(X,16),0,255)'";
    bench.ffmpeg(&["-f", "lavfi", "-i", hole, "hole%d.png"]);
    bench.pass(&["hole%d.png", "b.gif"]);
    let found = first(&bench, "b.gif", "rgba");
    assert_eq!((found[3], &found[4 * 31..4 * 32]), (0, &[255, 0, 0, 255][..]));
}

#[test]
fn one_still_holds_one_frame() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-c:v", "libx264", "in.mp4"]);
    bench.pass(&["in.mp4", "out.png", "--frames", "1"]);
    bench.pass(&["in.mp4", "out.jpg", "--start", "0.16"]);
    assert_eq!(first(&bench, "out.png", "gray").len(), 64 * 36);
    let error = bench.fail(&["in.mp4", "more.png"]);
    assert!(error.contains("--frames 1") && error.contains("%04d.png"), "{error}");
    assert_eq!(bench.names(), ["in.mp4", "out.jpg", "out.png"]);
}

#[test]
fn pictures_go_through_a_pipe_one_after_the_other() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-c:v", "libx264", "in.mp4"]);
    for (codec, demuxer) in [(&["--codec", "png"][..], "png_pipe"), (&[], "jpeg_pipe")] {
        let bytes = bench.pass(&[&["in.mp4", "-", "--container", "image2pipe"], codec].concat());
        let listing = bench.run("ffmpeg", &["-v", "error", "-f", demuxer, "-i", "-", "-f", "framemd5", "-"], &bytes);
        assert_eq!(checksums(&listing.stdout).len(), 5, "{demuxer}");
    }
}

/// Players show delays of a hundredth for a tenth.
#[test]
fn gif_of_a_high_rate_keeps_its_times() {
    let bench = crate::program::Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x48:r=60:d=1", "-c:v", "ffv1", "in.mkv"]);
    let output = bench.warpreel(&["in.mkv", "out.gif"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.matches("GIF shows at most 50 frames a second").count() == 1, "{said}");
    let entries = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", "-min_delay", "0", "out.gif"];
    let times = String::from_utf8(bench.run("ffprobe", &entries, b"").stdout).unwrap();
    let times: Vec<f64> = times.lines().map(|line| line.trim_end_matches(',').parse().unwrap()).collect();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] > 0.0199), "{times:?}");
    assert!(times.len() > 35 && *times.last().unwrap() > 0.94, "{times:?}");
    // Each picture is that of its time.
    let sum = |name: &str, time: f64| {
        let at = format!("{time}");
        let picture =
            ["-ss", &at, "-i", name, "-frames:v", "1", "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-"];
        bench.ffmpeg(&picture)[0]
    };
    assert!(sum("out.gif", 0.5).abs_diff(sum("in.mkv", 0.5)) < 4);
}
