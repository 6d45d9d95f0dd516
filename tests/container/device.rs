//! Which frames an encoder of a GPU has from the GPU's memory, found out without one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::bail;
use warpreel::frame::{EncodingDevice, EncodingLane, Family, Format, Pixel, Rational, Sample, Turn};
use warpreel::libav::encoder_works;
use warpreel::sink::container::Feed;

use super::*;

/// A device that counts how often it is asked for a place for an encoder, and has none.
#[derive(Default)]
struct Crowded(AtomicUsize);

impl EncodingDevice for Crowded {
    fn lane(&self, _: &Arc<Format>) -> Result<Box<dyn EncodingLane>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        bail!("there is no room for an encoder")
    }
}

/// What comes of an output for frames of a pixel, and how often the device was asked.
fn asked(path: &Path, pixel: Pixel, encoding: &Encoding) -> (Result<Out>, usize) {
    asked_for(path, Format::new(pixel, 320, 180, Rational::new(25, 1)), encoding)
}

fn asked_for(path: &Path, format: Format, encoding: &Encoding) -> (Result<Out>, usize) {
    let device = Arc::new(Crowded::default());
    let made = Out::with(file(path), &Arc::new(format), None, encoding, Feed::Device(device.clone()));
    (made, device.0.load(Ordering::Relaxed))
}

fn by(codec: &str) -> Encoding {
    Encoding { codec: Some(codec.to_owned()), ..Encoding::default() }
}

fn yuv(log2_chroma_w: u8, log2_chroma_h: u8, depth: u8) -> Pixel {
    Pixel::integer(Family::Yuv, log2_chroma_w, log2_chroma_h, depth)
}

fn has(encoder: &str) -> bool {
    let has = ffmpeg(Path::new("."), "-encoders").contains(encoder);
    if !has {
        println!("skipped: this FFmpeg has no {encoder}");
    }
    has
}

#[test]
fn what_an_encoder_takes_whole_stays_on_the_device() {
    for encoder in ["h264_nvenc", "hevc_nvenc", "av1_nvenc"].into_iter().filter(|encoder| has(encoder)) {
        for pixel in [yuv(1, 1, 8), yuv(1, 1, 10), yuv(0, 0, 8), yuv(0, 0, 10)] {
            let folder = tempfile::tempdir().unwrap();
            let (made, count) = asked(&folder.path().join("out.mkv"), pixel, &by(encoder));
            assert_eq!(count, 1, "{encoder} of {}", pixel.name());
            // Where there is no such encoder at all, that is what has to be told.
            let wanted = if encoder_works(encoder) { "there is no room for an encoder" } else { "needs an NVIDIA GPU" };
            let error = format!("{:#}", made.err().expect("an error"));
            assert!(error.contains(wanted) && !error.contains('\n'), "{error}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written before");
        }
        // The words of 16 bits that it has for 10 are not another wish.
        let named = |pixel: Pixel, name: &str| {
            let folder = tempfile::tempdir().unwrap();
            let encoding = Encoding { pix_fmt: Some(name.to_owned()), ..by(encoder) };
            asked(&folder.path().join("out.mkv"), pixel, &encoding).1
        };
        assert_eq!((named(yuv(1, 1, 8), "nv12"), named(yuv(1, 1, 8), "yuv420p")), (1, 1));
        assert_eq!((named(yuv(1, 1, 10), "p010le"), named(yuv(0, 0, 10), "yuv444p16le")), (1, 1));
        assert_eq!((named(yuv(1, 1, 8), "p010le"), named(yuv(1, 1, 10), "p016le")), (0, 0), "converted on the host");
        assert_eq!((named(yuv(0, 0, 8), "yuv420p"), named(yuv(1, 1, 10), "yuv420p")), (0, 0));
    }
}

#[test]
fn what_is_converted_comes_from_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.mkv");
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let pixels = [
        yuv(1, 1, 12),
        yuv(1, 1, 16),
        yuv(1, 0, 8),
        yuv(1, 0, 10),
        yuv(0, 0, 12),
        yuv(0, 0, 16),
        Pixel::gray(8),
        Pixel::gray(10),
        Pixel::integer(Family::Rgb, 0, 0, 8),
        Pixel { alpha: true, ..yuv(1, 1, 8) },
        float,
    ];
    for pixel in pixels.into_iter().filter(|_| has("hevc_nvenc")) {
        assert_eq!(asked(&path, pixel, &by("hevc_nvenc")).1, 0, "{}", pixel.name());
    }
    // What a container cannot say is turned is turned there too.
    let mut turned = Format::new(yuv(1, 1, 8), 320, 180, Rational::new(25, 1));
    turned.turn = Turn::of_matrix([0, 1, -1, 0]).expect("a quarter");
    if has("hevc_nvenc") {
        assert_eq!(asked_for(&path, turned.clone(), &by("hevc_nvenc")).1, 0);
        assert_eq!(asked_for(&path.with_extension("mp4"), turned, &by("hevc_nvenc")).1, 1);
    }
}

#[test]
fn encoders_of_the_processor_ask_for_no_device() {
    let folder = tempfile::tempdir().unwrap();
    for (index, codec) in ["libx264", "libx265", "ffv1"].into_iter().enumerate() {
        let (made, count) = asked(&folder.path().join(format!("{index}.mkv")), yuv(1, 1, 8), &by(codec));
        assert_eq!((made.expect("an output").reads_device(), count), (false, 0), "{codec}");
    }
}
