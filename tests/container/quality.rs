//! The scale of quality: every encoder's default is as near to the source as libx264's at crf 18, and follows `--quality`.

use crate::extent;
use crate::program::Bench;

/// Clips of a second, of which the first frame alone says little of a quality: one scaled, one at full detail, one with noise.
fn clips(bench: &Bench) -> [&'static str; 3] {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/bigbuckbunny-720p.mp4");
    let filters = ["scale=352:288", "crop=352:288:400:200", "crop=352:288:600:300,noise=alls=8:allf=t"];
    let names = ["scaled.mkv", "crop.mkv", "noisy.mkv"];
    for (name, filter) in names.iter().zip(filters) {
        bench.ffmpeg(&["-i", sample, "-an", "-frames:v", "24", "-vf", filter, "-c:v", "ffv1", name]);
    }
    names
}

/// How near a file is to its source, in dB over all planes.
fn psnr(bench: &Bench, name: &str, source: &str) -> f64 {
    let graph = "[0:v]settb=1/25,setpts=N,format=yuv420p[a];[1:v]settb=1/25,setpts=N[b];[a][b]psnr";
    let arguments = ["-v", "info", "-i", name, "-i", source, "-lavfi", graph, "-f", "null", "-"];
    let said = String::from_utf8(bench.run("ffmpeg", &arguments, b"").stderr).unwrap();
    let found = said.split("average:").nth(1).and_then(|rest| rest.split_whitespace().next());
    found.and_then(|found| found.parse().ok()).unwrap_or_else(|| panic!("{name}: {said}"))
}

/// Whether FFmpeg has an encoder.
fn has(bench: &Bench, encoder: &str) -> bool {
    let known = String::from_utf8(bench.ffmpeg(&["-encoders"])).unwrap();
    known.lines().any(|line| line.split_whitespace().nth(1) == Some(encoder))
}

#[test]
fn every_default_is_as_near_as_that_of_libx264() {
    let bench = Bench::new();
    let clips = clips(&bench);
    let bound: Vec<_> = clips
        .iter()
        .map(|clip| {
            bench.pass(&[clip, "x264.mkv", "-y", "--codec", "libx264"]);
            psnr(&bench, "x264.mkv", clip) - 1.0
        })
        .collect();
    let mut poor = Vec::new();
    for (index, (encoder, name, wanted)) in [
        ("libx265", "a.mkv", "hevc crf 18"),
        ("libvpx-vp9", "a.webm", "vp9 crf 22"),
        ("libvpx", "b.webm", "vp8 crf 12"),
        ("libsvtav1", "b.mkv", "av1 crf 18"),
        ("mpeg1video", "a.mpg", "mpeg1video q 2"),
        ("mpeg2video", "b.mpg", "mpeg2video q 2"),
        ("mpeg2video", "c.mxf", "mpeg2video q 2"),
        ("mpeg4", "d.mp4", "mpeg4 q 2"),
        ("libxvid", "e.avi", "mpeg4 q 2"),
        ("msmpeg4", "f.avi", "msmpeg4v3 q 2"),
        ("wmv2", "g.wmv", "wmv2 q 2"),
        ("flv", "h.flv", "flv1 q 2"),
        ("h263", "i.3gp", "h263 q 2"),
        ("h263p", "i.avi", "h263p q 2"),
        ("mjpeg", "j.mov", "mjpeg q 2"),
        ("libtheora", "k.ogv", "theora q 10"),
        ("snow", "l.avi", "snow q 1"),
        ("asv2", "n.avi", "asv2 q 2.4"),
        ("prores_ks", "o.mov", "prores"),
        ("prores", "p.mov", "prores"),
        ("dnxhd", "q.mov", "dnxhd profile dnxhr_hq"),
        ("cfhd", "r.avi", "cfhd quality 0"),
        ("jpeg2000", "s.mov", "jpeg2000"),
        ("vc2", "t.mov", "dirac 12672000 bit/s"),
    ]
    .into_iter()
    .enumerate()
    {
        if !has(&bench, encoder) {
            continue;
        }
        // One clip for each encoder, in turns.
        for (clip, bound) in extent::sample(clips.iter().zip(&bound).cycle().skip(index % 3).take(3)) {
            let output = bench.warpreel(&[clip, name, "-y", "--codec", encoder]);
            let said = String::from_utf8(output.stderr).unwrap();
            if !output.status.success() {
                poor.push(format!("{encoder}: {said}"));
                continue;
            }
            let last = said.lines().last().unwrap_or_default();
            let found = psnr(&bench, name, clip);
            if !last.contains(&format!("{name}: {wanted}")) || found < *bound {
                poor.push(format!("{encoder} {clip}: {found:.2} dB, at least {bound:.2}; {last}"));
            }
        }
    }
    assert!(poor.is_empty(), "{}", poor.join("\n"));
}

/// It does not come as near as libx264 with any quantizer: its default is its best.
#[test]
fn the_default_of_a_poor_encoder_is_its_best() {
    let bench = Bench::new();
    let [clip, ..] = clips(&bench);
    if !has(&bench, "svq1") {
        return;
    }
    bench.pass(&[clip, "a.mov", "--codec", "svq1"]);
    let found = psnr(&bench, "a.mov", clip);
    for quantizer in ["q=1", "q=2", "q=3"] {
        bench.pass(&[clip, "b.mov", "-y", "--codec", "svq1", "--encoder-option", quantizer]);
        let other = psnr(&bench, "b.mov", clip);
        assert!(found >= other - 0.01 && found > 38.0, "{found}, {quantizer}: {other}");
    }
}

#[test]
fn the_scale_and_the_encoders_own_number_are_followed() {
    let bench = Bench::new();
    let [clip, ..] = clips(&bench);
    for (name, codec) in [
        ("a.mp4", "libx264"),
        ("a.mpg", "mpeg2video"),
        ("a.avi", "mpeg4"),
        ("a.mkv", "mjpeg"),
        ("a.ogv", "libtheora"),
        ("a.mov", "prores_ks"),
    ] {
        if !has(&bench, codec) {
            continue;
        }
        let near = ["20", "50", "80"].map(|quality| {
            bench.pass(&[clip, name, "-y", "--codec", codec, "--quality", quality]);
            psnr(&bench, name, clip)
        });
        assert!(near.is_sorted() && near[2] > near[0] + 3.0, "{codec}: {near:?}");
    }
    for (arguments, wanted) in [
        (&["--crf", "3"][..], "mpeg2video q 3"),
        (&["--encoder-option", "q=3"], "mpeg2video q 3"),
        (&["--encoder-option", "qscale=4"], "mpeg2video q 4"),
        (&["--bitrate", "2M"], "mpeg2video 2M bit/s"),
    ] {
        let output = bench.warpreel(&[&[clip, "b.mpg", "-y", "--codec", "mpeg2video"], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.success() && said.contains(&format!("b.mpg: {wanted}, 24 frames")),
            "{arguments:?}: {said}"
        );
    }
    for (arguments, wanted) in [
        (&["--encoder-option", "q=3"][..], "type --quality 1 to 100, or --crf N"),
        (&["--quality", "80", "--codec", "ffv1"], "it loses nothing"),
        (&["--crf", "40", "--codec", "mpeg2video"], "mpeg2video takes --crf 1 to 31, not 40; the lower the better"),
    ] {
        let said = bench.fail(&[&[clip, "c.mkv"], arguments].concat());
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    for arguments in [&["--quality", "0"][..], &["--quality", "101"], &["--quality", "80", "--crf", "20"]] {
        bench.refuse(&[&[clip, "c.mkv"], arguments].concat());
    }
}
