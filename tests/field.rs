//! Interlaced clips: each field is filtered as a picture of its own.

use std::fs;

use crate::agreement::Random;
use crate::program::Bench;

const WIDTH: usize = 46;
const HEIGHT: usize = 32;
const FRAMES: usize = 12;

/// Width and height of the planes of 4:2:0.
fn planes(height: usize) -> [(usize, usize); 3] {
    [(WIDTH, height), (WIDTH / 2, height / 2), (WIDTH / 2, height / 2)]
}

fn frame_bytes(height: usize) -> usize {
    planes(height).iter().map(|(width, height)| width * height).sum()
}

fn header(height: usize, fields: &str) -> Vec<u8> {
    format!("YUV4MPEG2 W{WIDTH} H{height} F25:1 I{fields} A1:1 C420mpeg2\n").into_bytes()
}

fn write(bench: &Bench, name: &str, height: usize, fields: &str, frames: &[Vec<u8>]) {
    let mut clip = header(height, fields);
    for frame in frames {
        clip.extend(b"FRAME\n");
        clip.extend(frame);
    }
    fs::write(bench.path(name), clip).unwrap();
}

/// A clip of noise: as `top.y4m` and `bottom.y4m` its fields, as `in.y4m` the frames, tagged as `fields` says.
fn make(bench: &Bench, fields: &str) {
    let mut random = Random::new(5);
    let frames: Vec<Vec<u8>> =
        (0..FRAMES).map(|_| (0..frame_bytes(HEIGHT)).map(|_| random.below(256) as u8).collect()).collect();
    write(bench, "in.y4m", HEIGHT, fields, &frames);
    for (name, field) in [("top.y4m", 0), ("bottom.y4m", 1)] {
        let taken: Vec<Vec<u8>> = frames.iter().map(|frame| rows(frame, field, 1)).collect();
        write(bench, name, HEIGHT / 2, "p", &taken);
    }
}

/// Every other row of each plane, of samples of so many bytes.
fn rows(frame: &[u8], field: usize, sample: usize) -> Vec<u8> {
    let mut taken = Vec::new();
    let mut rest = frame;
    for (width, height) in planes(HEIGHT) {
        let (plane, behind) = rest.split_at(sample * width * height);
        rest = behind;
        taken.extend(plane.chunks(sample * width).skip(field).step_by(2).flatten());
    }
    taken
}

fn filtered(bench: &Bench, clip: &str, chain: &str, options: &[&str]) -> Vec<u8> {
    bench.pass(&[&[clip, "-", "--container", "raw", "-q", "--backend", "cpu", "-f", chain], options].concat())
}

/// Asserts that each field's rows of filtered frames, in samples of so many bytes, are those of its clip alone.
fn assert_fields(bench: &Bench, chain: &str, whole: &[u8], sample: usize) {
    for (field, clip) in ["top.y4m", "bottom.y4m"].into_iter().enumerate() {
        let alone = filtered(bench, clip, &chain.replace("in.y4m", clip), &[]);
        assert_eq!(whole.len(), 2 * alone.len(), "{chain}");
        let pairs = whole.chunks(sample * frame_bytes(HEIGHT)).zip(alone.chunks(sample * frame_bytes(HEIGHT / 2)));
        for (number, (frame, wanted)) in pairs.enumerate() {
            assert!(rows(frame, field, sample) == wanted, "{chain}: field {field} of frame {number}");
        }
    }
}

#[test]
fn fields_are_clips_of_their_own() {
    let bench = Bench::new();
    make(&bench, "t");
    for chain in [
        "gaussian=2",
        "median=2,unsharp",
        "tmix=frames=5",
        "sobel=mix=0.5",
        "tdiff",
        r"gaussian3d=1:1:enable='gt(n\,3)*lt(t\,0.4)'",
        "invert",
        "open=1:planes=y,motion",
    ] {
        let whole = filtered(&bench, "in.y4m", chain, &[]);
        assert_fields(&bench, chain, &whole, 1);
        assert_eq!(whole.len(), FRAMES * frame_bytes(HEIGHT), "{chain}");
    }
}

/// Another depth and other colours, which have neither neighbours nor size: each field's rows are those of its clip alone.
#[test]
fn fields_are_converted() {
    let bench = Bench::new();
    make(&bench, "t");
    for (chain, sample) in [
        ("scale=depth=10", 2),
        ("scale=depth=10,gaussian=1,scale=depth=8:dither=error_diffusion", 1),
        ("gaussian=1,colorspace=bt709:iall=bt601-6-625", 1),
        ("scale=depth=10,blend=in.y4m:average,median", 2),
    ] {
        let whole = filtered(&bench, "in.y4m", chain, &[]);
        assert_eq!(whole.len(), FRAMES * sample * frame_bytes(HEIGHT), "{chain}");
        assert_fields(&bench, chain, &whole, sample);
    }
    // The size of a frame is not that of a field, nor the other way round.
    for scale in ["scale=64:48", "scale=46:16", "scale=46:32:depth=10"] {
        let error = bench.refuse(&["in.y4m", "out.y4m", "-f", scale]);
        let fault = format!("a change of size of {scale} cannot be applied to fields; type --fields frame");
        assert!(error.contains(&fault), "{error}");
    }
}

/// At another rate, and with filters before and behind that, each field's rows are those of its clip alone.
#[test]
fn fields_get_another_rate() {
    let bench = Bench::new();
    make(&bench, "t");
    for chain in [
        "fps=50",
        "fps=10",
        "framerate=40:scene=100",
        "gaussian=1,fps=50,tmix=3",
        "scale=depth=8,framerate=50:scene=100,median",
    ] {
        assert_fields(&bench, chain, &filtered(&bench, "in.y4m", chain, &[]), 1);
    }
}

/// A cut between frames is one for both fields, also where the fields alone would score otherwise.
#[test]
fn scenes_and_brightness_are_those_of_frames() {
    let bench = Bench::new();
    let frames: Vec<Vec<u8>> = (0..FRAMES)
        .map(|number| {
            let level = if number < 6 { 20 } else { 220 };
            (0..HEIGHT * WIDTH * 3 / 2).map(|at| level + (at % 7) as u8 + 3 * (number % 2) as u8).collect()
        })
        .collect();
    write(&bench, "in.y4m", HEIGHT, "b", &frames);
    for chain in ["tmix=frames=3:scene=0.3", "deflicker=size=3:scene=0.3"] {
        let got = filtered(&bench, "in.y4m", chain, &[]);
        // Nothing here looks at a neighbour in space, so that fields and frames are the same.
        assert!(got == filtered(&bench, "in.y4m", chain, &["--fields", "frame"]), "{chain}");
    }
}

#[test]
fn tags_decide_unless_something_is_typed() {
    let bench = Bench::new();
    for (tag, typed, separates) in [
        ("t", "auto", true),
        ("b", "auto", true),
        ("p", "auto", false),
        ("m", "auto", false),
        ("t", "frame", false),
        ("p", "separate", true),
    ] {
        make(&bench, tag);
        let arguments = ["in.y4m", "out.y4m", "-y", "--backend", "cpu", "-f", "gaussian=2", "--fields", typed];
        let output = bench.warpreel(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let is_told = said.matches("interlaced: each field is filtered separately").count();
        assert_eq!(is_told, usize::from(separates && typed == "auto"), "{tag} {typed}: {said}");
        assert_eq!(said.contains("some frames are interlaced"), tag == "m", "{said}");
        let made = fs::read(bench.path("out.y4m")).unwrap();
        assert!(made.starts_with(&header(HEIGHT, tag)), "the tag stays");
        let whole = filtered(&bench, "in.y4m", "gaussian=2", &["--fields", "frame"]);
        let is_whole = made.ends_with(&whole[whole.len() - frame_bytes(HEIGHT)..]);
        assert_eq!(is_whole, !separates, "{tag} {typed}");
    }
}

#[test]
fn what_cannot_be_is_told() {
    let bench = Bench::new();
    write(&bench, "odd.y4m", 30, "t", &[vec![9; frame_bytes(30)]]);
    make(&bench, "t");
    let error = bench.fail(&["odd.y4m", "out.y4m", "-f", "gaussian=2"]);
    assert!(error.contains("must be a multiple of 4; type --fields frame"), "{error}");
    let error = bench.refuse(&["in.y4m", "out.y4m", "-f", "gaussian=2:roi=8x8+0+0"]);
    assert!(error.contains("roi of gaussian") && error.contains("type --fields frame"), "{error}");
    // Without a filter there is nothing to separate.
    bench.pass(&["odd.y4m", "out.y4m"]);
}
