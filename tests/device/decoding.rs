//! Decoders of the GPU against those of the processor, bit for bit, where the GPU has any.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use warpreel::job::{Choice, DecoderChoice, Encoding, FieldChoice, Job, Request, TypedCut};
use warpreel::pipeline::Monitor;

use super::device;

const FRAMES: usize = 330;

/// A clip of moving noise, stored by an encoder with options.
fn encoded(
    folder: &Path,
    name: &str,
    (width, height, depth): (usize, usize, u8),
    codec: &str,
    options: &str,
) -> PathBuf {
    let kind = if depth == 8 { "jpeg".to_owned() } else { format!("p{depth}") };
    let mut clip = format!("YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420{kind}\n").into_bytes();
    let mut state = 1u32;
    let noise: Vec<u32> = (0..width * height * 3)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 24
        })
        .collect();
    let samples = width * height + 2 * width.div_ceil(2) * height.div_ceil(2);
    for frame in 0..FRAMES {
        clip.extend(b"FRAME\n");
        for at in 0..samples {
            let value = ((at % width) as u32 + 3 * frame as u32 + noise[at + frame % 7 * 31] / 8) % 220 + 16;
            match depth {
                8 => clip.push(value as u8),
                _ => clip.extend(((value << (depth - 8)) as u16).to_le_bytes()),
            }
        }
    }
    let (source, path) = (folder.join("in.y4m"), folder.join(name));
    fs::write(&source, clip).expect("a file");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let options = options.split_whitespace().filter_map(|pair| pair.split_once('='));
    let options = options.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let encoding = Encoding { codec: Some(codec.to_owned()), options, ..Encoding::default() };
    let (input, output) = (text(&source), text(&path));
    let request = Request { input, output, encoding, backend: Choice::Cpu, ..Request::default() };
    Job::open(request, Default::default()).and_then(|job| job.run(&Monitor::default())).expect("an encoded clip");
    path
}

/// The checksums of what becomes of a clip, and what decoded it.
fn rows(clip: &Path, decoder: DecoderChoice, lanes: usize, more: &Request) -> (String, String) {
    let listing = clip.with_extension("txt");
    let request = Request {
        input: clip.to_str().expect("UTF-8").to_owned(),
        output: format!("hash:{}", listing.display()),
        overwrite: warpreel::job::Overwrite::Replace,
        backend: Choice::Cuda,
        decoder,
        decode_lanes: lanes,
        ..more.clone()
    };
    let job = Job::open(request, Default::default()).unwrap_or_else(|error| panic!("{clip:?}: {error:#}"));
    let decoder = job.decoder().unwrap_or_default().to_owned();
    job.run(&Monitor::default()).unwrap_or_else(|error| panic!("{clip:?} by {decoder}: {error:#}"));
    (fs::read_to_string(listing).expect("a listing"), decoder)
}

#[test]
fn decoders_of_the_gpu_give_the_same_samples() {
    let Some(device) = device() else { return };
    if device.decoding_capabilities().is_empty() {
        println!("skipped: the GPU has no decoders");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let chain = |text: &str| Request { chain: vec![text.to_owned()], ..Request::default() };
    let cut = TypedCut { start: Some("3.1".to_owned()), frames: Some(120), ..TypedCut::default() };
    let requests = [
        chain("gaussian=1"),
        Request::default(),
        Request { cut, ..chain("tmix=frames=5,gaussian=1") },
        Request { fields: FieldChoice::Separate, ..chain("tmix=frames=3") },
    ];
    for (name, shape, codec, options) in [
        ("closed.mp4", (320, 180, 8), "libx264", "preset=veryfast g=25 bf=3"),
        ("pyramid.mkv", (322, 184, 8), "libx264", "preset=fast g=60 bf=5 x264-params=open-gop=1:b-pyramid=normal"),
        ("endless.mkv", (176, 144, 8), "libx264", "preset=veryfast g=9999 sc_threshold=0"),
        (
            "hevc.mp4",
            (320, 200, 8),
            "libx265",
            "preset=ultrafast x265-params=keyint=48:open-gop=1:bframes=4:log-level=none",
        ),
        ("hevc10.mkv", (642, 364, 10), "libx265", "preset=ultrafast x265-params=keyint=40:log-level=none"),
        ("vp9.webm", (320, 180, 8), "libvpx-vp9", "deadline=realtime cpu-used=8 g=50"),
    ] {
        let clip = encoded(folder.path(), name, shape, codec, options);
        for request in &requests {
            let (wanted, software) = rows(&clip, DecoderChoice::Software, 0, request);
            assert!(software.starts_with("software") && wanted.lines().count() > 100, "{name}: {software}");
            for lanes in [1, 3] {
                let (got, decoder) = rows(&clip, DecoderChoice::Nvdec, lanes, request);
                assert!(decoder.starts_with("nvdec"), "{name}: {decoder}");
                assert!(got == wanted, "{name} through {:?} by {decoder} differs", request.chain);
            }
        }
    }
}

/// What the GPU does not decode is decoded by software, and said; or where the GPU was asked for, is an error.
#[test]
fn what_the_gpu_does_not_decode() {
    let Some(_) = device() else { return };
    let folder = TempDir::new().expect("a folder");
    let clip = encoded(folder.path(), "all.mkv", (64, 48, 8), "ffv1", "");
    let (_, decoder) =
        rows(&clip, DecoderChoice::Auto, 0, &Request { chain: vec!["gaussian".into()], ..Request::default() });
    assert!(
        decoder.starts_with("software (GPU 0 does not decode ffv1") || decoder.contains("decoding library"),
        "{decoder}"
    );
    let request = Request {
        input: clip.to_str().expect("UTF-8").to_owned(),
        output: "null:".to_owned(),
        decoder: DecoderChoice::Nvdec,
        ..Request::default()
    };
    let error = Job::open(request, Default::default()).err().expect("an error").to_string();
    assert!(error.contains("--decoder nvdec") && error.contains("--decoder software"), "{error}");
}
