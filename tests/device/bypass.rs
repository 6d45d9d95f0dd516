//! Filters that act on a part of a clip, on the GPU and on the CPU: the whole program's pipeline, the same listing.

use std::path::Path;

use warpreel::job::{Choice, Encoding, FieldChoice, Job, Request, TypedCut};
use warpreel::pipeline::Monitor;

use crate::program::sample;

use super::device;

/// The checksums of a sample clip after a chain.
fn listing(folder: &Path, clip: &str, chain: &str, backend: Choice, in_flight: usize) -> String {
    listing_of(folder, clip, chain, backend, Request { in_flight, ..Request::default() })
}

/// The same of a part, or of fields.
fn listing_of(folder: &Path, clip: &str, chain: &str, backend: Choice, request: Request) -> String {
    let path = folder.join("listing");
    let request = Request {
        input: sample(clip).to_string_lossy().into_owned(),
        output: format!("hash:{}", path.display()),
        chain: if chain.is_empty() { Vec::new() } else { vec![chain.to_owned()] },
        backend,
        overwrite: warpreel::job::Overwrite::Replace,
        ..request
    };
    let job = Job::open(request, Default::default()).unwrap_or_else(|error| panic!("{chain}: {error:#}"));
    job.run(&Monitor::default()).unwrap_or_else(|error| panic!("{chain}: {error:#}"));
    std::fs::read_to_string(&path).expect("a listing")
}

/// A mask that fades from left to right.
fn mask(folder: &Path, width: u32, height: u32) -> String {
    let path = folder.join(format!("{width}x{height}.png"));
    let row = (0..width).map(|x| (x * 255 / (width - 1)) as u8);
    let levels: Vec<u8> = (0..height).flat_map(|_| row.clone()).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).expect("a file"), width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&levels)).expect("a picture");
    path.to_string_lossy().into_owned()
}

#[test]
fn listings() {
    if device().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (clip, width, height) in [("variable-rate.mkv", 320, 180), ("odd-size.mkv", 175, 99), ("ten-bit.mp4", 320, 180)]
    {
        let mask = mask(folder.path(), width, height);
        let chains = [
            "gaussian=2:enable=0".to_owned(),
            "gaussian=2:enable='between(t,0.1,0.3)'".to_owned(),
            "tmix=5:enable='not(mod(n,3))',sobel=enable='mod(n,2)'".to_owned(),
            "sobel=enable='mod(n,2)',tmix=5,unsharp=enable='not(mod(n,3))'".to_owned(),
            "median3d=1:2:enable='gt(n,4)',open=1:radius_t=1:mix=0.3:enable='lt(n,20)'".to_owned(),
            "gaussian=3:roi=101x51+7+9,close=1:mix=0.6,invert=roi=1x1+3+3".to_owned(),
            format!("gaussian=4:mask={mask},tmix=3:mask={mask}:roi=90x60+10+10:enable='mod(n,2)'"),
        ];
        for chain in &chains {
            let wanted = listing(folder.path(), clip, chain, Choice::Cpu, 1);
            for in_flight in [1, 3, 8] {
                let got = listing(folder.path(), clip, chain, Choice::Cuda, in_flight);
                assert_eq!(got, wanted, "{chain} on {clip}, {in_flight} in flight");
            }
        }
        let untouched = listing(folder.path(), clip, "", Choice::Cpu, 1);
        assert_eq!(listing(folder.path(), clip, &chains[0], Choice::Cuda, 8), untouched, "{clip}");
    }
}

/// Second clips of another size, rate and depth, behind filters that change the format, on some frames and in a rectangle.
#[test]
fn second_clips() {
    if device().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // Pixels with opacity of their own.
    let logo = folder.path().join("logo.mkv");
    let [input, output] = [&sample("logo.png"), &logo].map(|path| path.to_string_lossy().into_owned());
    let encoding = Encoding { codec: Some("ffv1".to_owned()), ..Encoding::default() };
    let request = Request { input, output, encoding, backend: Choice::Cpu, ..Request::default() };
    let job = Job::open(request, Default::default()).unwrap_or_else(|error| panic!("{error:#}"));
    job.run(&Monitor::default()).unwrap_or_else(|error| panic!("{error:#}"));
    for clip in ["variable-rate.mkv", "ten-bit.mp4"] {
        for (other, chain) in [
            ("odd-size.mkv", "blend=CLIP:screen"),
            ("odd-size.mkv", "gaussian=1,blend=CLIP:opacity=0.3:eof_action=pass,tmix=3"),
            ("variable-rate.mkv", "scale=160:90,blend=CLIP:softlight:opacity=0.4:roi=80x40+8+8,sobel"),
            ("ten-bit.mp4", "scale=depth=f32,blend=CLIP:difference:enable='mod(n,2)',scale=depth=10"),
            ("variable-rate.mkv", "bwdif=deint=all,blend=CLIP:grainmerge,fps=30,blend=CLIP:burn"),
            ("odd-size.mkv", "overlay=CLIP:x=W-w-9:y=7:width=W/3:opacity=0.6,gaussian=1"),
            ("variable-rate.mkv", "tmix=3,overlay=CLIP:-21:90:eof_action=pass"),
            ("odd-size.mkv", "overlay=LOGO:16:9,scale=depth=f32,overlay=LOGO:40:33:opacity=0.5,scale=depth=10"),
            ("odd-size.mkv", "overlay=LOGO:-9:-5:width=77:opacity=0.8:enable='mod(n,2)',gaussian=1,overlay=LOGO"),
            (
                "odd-size.mkv",
                "overlay=CLIP:x='n*31-300':y='H-t*250':opacity=0.6,tmix=3,overlay=LOGO:x='W-t*333':y=n-50",
            ),
            (
                "variable-rate.mkv",
                "scale=depth=f32,overlay=LOGO:x='n*9-99':y='20*sin(n)',scale=depth=10,overlay=CLIP:y=-n",
            ),
        ] {
            let chain = chain.replace("CLIP", &sample(other).to_string_lossy());
            let chain = chain.replace("LOGO", &logo.to_string_lossy());
            let wanted = listing(folder.path(), clip, &chain, Choice::Cpu, 1);
            for in_flight in [1, 8] {
                let got = listing(folder.path(), clip, &chain, Choice::Cuda, in_flight);
                assert_eq!(got, wanted, "{chain} on {clip}, {in_flight} in flight");
            }
        }
    }
    let of = |backend| {
        let chain = format!("blend={}:screen", sample("odd-size.mkv").display());
        let request = Request { fields: FieldChoice::Separate, ..Request::default() };
        listing_of(folder.path(), "variable-rate.mkv", &chain, backend, request)
    };
    assert_eq!(of(Choice::Cuda), of(Choice::Cpu), "fields");
}

#[test]
fn fields_and_parts() {
    if device().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let part = TypedCut { start: Some("0.3".to_owned()), frames: Some(9), ..TypedCut::default() };
    for clip in ["variable-rate.mkv", "ten-bit.mp4"] {
        for chain in [
            "gaussian=2",
            "median=1,tmix=5:scene=0.3",
            "deflicker=size=5,unsharp=enable='mod(n,2)'",
            "sobel=mix=0.4,tmedian=2",
        ] {
            for (fields, cut) in [
                (FieldChoice::Separate, TypedCut::default()),
                (FieldChoice::Frame, part.clone()),
                (FieldChoice::Separate, part.clone()),
            ] {
                let request = |in_flight| Request { fields, cut: cut.clone(), in_flight, ..Request::default() };
                let wanted = listing_of(folder.path(), clip, chain, Choice::Cpu, request(1));
                for in_flight in [1, 4] {
                    let got = listing_of(folder.path(), clip, chain, Choice::Cuda, request(in_flight));
                    assert_eq!(got, wanted, "{chain} on {clip}, {fields:?}, {cut:?}, {in_flight} in flight");
                }
            }
        }
    }
}
