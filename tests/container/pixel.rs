//! Stored pixels against planar frames: nothing is lost, and samples land where FFmpeg puts them.

use std::process::{Command, Stdio};
use std::sync::Arc;

use warpreel::frame::{Format, Frame, Pool, Range, Rational, Sample, Timing};
use warpreel::libav::{Converter, Stored};

/// A frame of noise that uses all bits of the depth and none above.
fn noise(format: &Arc<Format>, seed: u64, pool: &Pool) -> Frame {
    let mut state = seed | 1;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let mut frame = pool.frame(format).unwrap();
    let mask = if format.pixel.depth >= 16 { 0xffff } else { (1 << format.pixel.depth) - 1 };
    match format.pixel.sample {
        Sample::U8 => frame.planes_mut::<u8>().iter_mut().for_each(|plane| {
            (0..plane.height).for_each(|y| plane.row_mut(y).iter_mut().for_each(|s| *s = next() as u8))
        }),
        Sample::U16 => frame.planes_mut::<u16>().iter_mut().for_each(|plane| {
            (0..plane.height).for_each(|y| plane.row_mut(y).iter_mut().for_each(|s| *s = (next() & mask) as u16))
        }),
        Sample::F32 => frame.planes_mut::<f32>().iter_mut().for_each(|plane| {
            (0..plane.height).for_each(|y| plane.row_mut(y).iter_mut().for_each(|s| *s = next() as f32 / 2e9))
        }),
    }
    frame.freeze(Timing::default())
}

fn samples(frame: &Frame) -> Vec<u8> {
    (0..frame.plane_count())
        .flat_map(|plane| frame.host().expect("a frame on the host").rows(plane).flatten().copied().collect::<Vec<_>>())
        .collect()
}

fn format(stored: Stored, width: usize, height: usize) -> Arc<Format> {
    let mut format = Format::new(stored.pixel(), width, height, Rational::new(25, 1));
    if stored.is_full_range() {
        format.colour.range = Range::Full;
    }
    Arc::new(format)
}

#[test]
fn every_lossless_format_survives_both_ways() {
    let pool = Pool::heap();
    let mut tried = 0;
    for stored in Stored::all().iter().copied().filter(|stored| stored.is_lossless()) {
        for (width, height) in [(66, 18), (7, 5), (1, 1), (2, 3)] {
            let format = format(stored, width, height);
            let frame = noise(&format, tried, &pool);
            let mut packed = vec![0xa5; stored.packed_bytes(width, height)];
            Converter::from_planar(stored, &format).unwrap().pack(&frame, &mut packed).unwrap();
            let back = Converter::to_planar(stored, &format).unwrap().unpack(&packed, &pool).unwrap();
            let back = back.freeze(Timing::default());
            assert!(samples(&frame) == samples(&back), "{stored:?} at {width}x{height}");
            tried += 1;
        }
    }
    assert!(tried > 400, "only {tried} formats and sizes");
}

#[test]
fn samples_land_where_ffmpeg_puts_them() {
    let pool = Pool::heap();
    let (width, height) = (34, 6);
    for name in [
        "nv12",
        "nv21",
        "p010",
        "p016",
        "p210",
        "yuyv422",
        "uyvy422",
        "rgb24",
        "bgr24",
        "bgr0",
        "rgb48",
        "bgr48",
        "rgba64",
        "ayuv64",
        "yuv420p10be",
        "gray16be",
        "gbrp12be",
    ] {
        let stored = Stored::parse(name).unwrap();
        let format = format(stored, width, height);
        let frame = noise(&format, 7, &pool);
        let mut packed = vec![0; stored.packed_bytes(width, height)];
        Converter::from_planar(stored, &format).unwrap().pack(&frame, &mut packed).unwrap();
        let planar = Stored::planar(format.pixel).unwrap();
        let path = std::env::temp_dir().join(format!("warpreel-pixel-{}-{name}.raw", std::process::id()));
        std::fs::write(&path, &packed).unwrap();
        let output = Command::new("ffmpeg")
            .args([
                "-v",
                "error",
                "-f",
                "rawvideo",
                "-pix_fmt",
                stored.name(),
                "-s",
                &format!("{width}x{height}"),
                "-i",
            ])
            .arg(&path)
            .args([
                "-vf",
                &format!("scale=flags=accurate_rnd+bitexact+full_chroma_int+full_chroma_inp,format={}", planar.name()),
            ])
            .args(["-f", "rawvideo", "-"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout == samples(&frame), "{name}");
    }
}

#[test]
fn formats_that_need_arithmetic_still_convert() {
    let pool = Pool::heap();
    for name in ["pal8", "monow", "monob", "rgb565", "rgb8"] {
        let stored = Stored::parse(name).unwrap();
        assert!(!stored.is_lossless(), "{name}");
        let format = format(stored, 16, 4);
        let packed = vec![0xff; stored.packed_bytes(16, 4)];
        let frame = Converter::to_planar(stored, &format).unwrap().unpack(&packed, &pool).unwrap();
        let frame = frame.freeze(Timing::default());
        let white = if name == "monow" { 0..=0 } else { 248..=255 };
        assert!(samples(&frame).iter().all(|s| white.contains(s)), "{name}: {:?}", samples(&frame));
    }
}

/// Palettes and colours of few bits, next to what FFmpeg makes packed bytes of them.
#[test]
fn few_colours_are_ffmpegs() {
    let folder = tempfile::tempdir().unwrap();
    let clip = "-f lavfi -i testsrc2=s=68x36:r=25:d=0.12,noise=alls=30,scale=67:35";
    for (pixel, codec, whole, planar) in [
        ("pal8", "png", "rgba", "gbrap"),
        ("pal8", "rawvideo", "rgba", "gbrap"),
        ("rgb565le", "rawvideo", "rgb24", "gbrp"),
        ("bgr565be", "rawvideo", "rgb24", "gbrp"),
        ("rgb555le", "rawvideo", "rgb24", "gbrp"),
        ("rgb444le", "rawvideo", "rgb24", "gbrp"),
        ("rgb8", "rawvideo", "rgb24", "gbrp"),
        ("bgr8", "rawvideo", "rgb24", "gbrp"),
        ("rgb4_byte", "rawvideo", "rgb24", "gbrp"),
    ] {
        super::ffmpeg(folder.path(), &format!("{clip} -pix_fmt {pixel} -c:v {codec} in.nut"));
        super::ffmpeg(folder.path(), &format!("-i in.nut -pix_fmt {whole} -f rawvideo packed.raw"));
        let packed = std::fs::read(folder.path().join("packed.raw")).unwrap();
        let frames = super::frames(folder.path().join("in.nut"), super::Options::default()).unwrap();
        assert_eq!((frames.len(), frames[0].format().pixel.name().as_str()), (3, planar), "{pixel}");
        let planes = if whole == "rgba" { 4 } else { 3 };
        // Planes lie as green, blue, red, opacity.
        let place = [1, 2, 0, 3];
        for (frame, picture) in frames.iter().zip(packed.chunks(67 * 35 * planes)) {
            for (plane, place) in place.into_iter().take(planes).enumerate() {
                let found: Vec<u8> =
                    frame.host().expect("a frame on the host").rows(plane).flatten().copied().collect();
                let wanted: Vec<u8> = picture.iter().skip(place).step_by(planes).copied().collect();
                assert!(found == wanted, "plane {plane} of {pixel} as {codec}");
            }
        }
    }
}

#[test]
fn names_are_found_and_mended() {
    assert_eq!(Stored::parse("yuv420p10").unwrap().name(), Stored::parse("yuv420p10le").unwrap().name());
    assert!(Stored::parse("yuv420p").unwrap().is_planar_native());
    assert!(!Stored::parse("nv12").unwrap().is_planar_native());
    assert_eq!(Stored::parse("nv12").unwrap().pixel(), Stored::parse("yuv420p").unwrap().pixel());
    assert_eq!(Stored::planar(Stored::parse("yuvj420p").unwrap().pixel()).unwrap().name(), "yuv420p");
    let error = Stored::parse("yuv420p1").unwrap_err().to_string();
    assert!(error.contains("did you mean \"yuv420p"), "{error}");
    for (spoken, meant) in
        [("10bit", "yuv420p10"), ("4:2:0", "yuv420p"), ("RGB", "rgb24"), ("8-bit", "yuv420p"), ("grey", "gray")]
    {
        let error = Stored::parse(spoken).unwrap_err().to_string();
        assert!(error.contains(&format!("did you mean {meant:?}?")) && Stored::parse(meant).is_ok(), "{error}");
    }
    assert!(Stored::parse("cuda").is_err() && Stored::parse("a\0b").is_err());
}

#[test]
fn wrong_lengths_are_errors() {
    let pool = Pool::heap();
    let stored = Stored::parse("nv12").unwrap();
    let format = format(stored, 16, 4);
    assert!(Converter::to_planar(stored, &format).unwrap().unpack(&[0; 95], &pool).is_err());
    let frame = noise(&format, 1, &pool);
    assert!(Converter::from_planar(stored, &format).unwrap().pack(&frame, &mut [0; 95]).is_err());
    assert!(Converter::to_planar(Stored::parse("nv16").unwrap(), &format).is_err());
}
