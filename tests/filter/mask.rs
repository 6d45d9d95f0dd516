//! Masks from PNG files of every kind, and rectangles.

use std::path::Path;

use warpreel::filter::{Mask, Region};
use warpreel::frame::{Format, Pixel, Rational};

/// Writes a PNG file of 3×1 pixels.
fn write(
    path: &Path,
    color: png::ColorType,
    depth: png::BitDepth,
    set: impl Fn(&mut png::Encoder<std::fs::File>),
    data: &[u8],
) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).expect("a file"), 3, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    set(&mut encoder);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(data)).expect("a picture");
}

#[test]
fn every_kind_of_png_is_read() {
    use png::BitDepth::{Eight, One, Sixteen, Two};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mask.png");
    let levels = |color, depth, set: &dyn Fn(&mut png::Encoder<std::fs::File>), data: &[u8]| {
        write(&path, color, depth, set, data);
        let mask = Mask::read(path.to_str().expect("UTF-8")).expect("a mask");
        assert_eq!((mask.width, mask.height), (3, 1));
        mask.levels
    };
    let plain: &dyn Fn(&mut png::Encoder<std::fs::File>) = &|_| {};
    assert_eq!(levels(Grayscale, Eight, plain, &[0, 128, 255]), [0, 128 * 257, 65535]);
    assert_eq!(levels(Grayscale, Sixteen, plain, &[0, 1, 0x12, 0x34, 255, 255]), [1, 0x1234, 65535]);
    assert_eq!(levels(Grayscale, One, plain, &[0b1010_0000]), [65535, 0, 65535]);
    assert_eq!(levels(Grayscale, Two, plain, &[0b0001_1000]), [0, 85 * 257, 170 * 257]);
    let colours = [255, 0, 0, 0, 255, 0, 255, 255, 255];
    let lumas = [0.2126, 0.7152, 1.0].map(|part: f64| (part * 65535.0).round() as u16);
    assert_eq!(levels(Rgb, Eight, plain, &colours), lumas);
    let palette: &dyn Fn(&mut png::Encoder<std::fs::File>) = &|encoder| encoder.set_palette(colours.to_vec());
    assert_eq!(levels(Indexed, Two, palette, &[0b0001_1000]), lumas);
    let transparent: &dyn Fn(&mut png::Encoder<std::fs::File>) = &|encoder| {
        encoder.set_palette(colours.to_vec());
        encoder.set_trns(vec![255, 0, 255]);
    };
    assert_eq!(levels(Indexed, Two, transparent, &[0b0001_1000]), [lumas[0], 0, 65535]);
    assert_eq!(levels(GrayscaleAlpha, Eight, plain, &[255, 0, 255, 51, 51, 255]), [0, 51 * 257, 51 * 257]);
    assert_eq!(levels(Rgba, Eight, plain, &[255, 255, 255, 0, 9, 9, 9, 255, 255, 255, 255, 102])[0], 0);
}

#[test]
fn what_is_no_mask_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mask.png");
    let read = || Mask::read(path.to_str().expect("UTF-8")).expect_err("no mask");
    assert_eq!(read(), "cannot be read: no such file or directory");
    write(&path, png::ColorType::Grayscale, png::BitDepth::Eight, |_| {}, &[0, 1, 2]);
    let whole = std::fs::read(&path).expect("the file");
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).expect("a file");
        // The last chunk only says that it is the last.
        match Mask::read(path.to_str().expect("UTF-8")) {
            Ok(mask) => assert!(mask.levels == [0, 257, 514] && length + 12 >= whole.len(), "{length} bytes"),
            Err(error) => assert!(error.starts_with("is not a PNG file: "), "{error}"),
        }
    }
    let mut huge = whole;
    huge[16..20].copy_from_slice(&20_000u32.to_be_bytes());
    std::fs::write(&path, &huge).expect("a file");
    assert!(read().starts_with("is "), "{}", read());
}

#[test]
fn rectangles_are_read_and_printed() {
    for (text, wanted) in [
        ("640x360+10+20", (10, 20, 640, 360)),
        (" 1x2 + 3 + 4 ", (3, 4, 1, 2)),
        ("10:20:640:360", (10, 20, 640, 360)),
        ("1, 2, 3, 4", (1, 2, 3, 4)),
    ] {
        let region = Region::parse(text).expect(text);
        assert_eq!((region.x, region.y, region.width, region.height), wanted, "{text}");
        assert_eq!(Region::parse(&region.to_string()), Ok(region));
    }
    for text in
        ["", "1:2:3", "1:2:3:4:5", "-1:0:2:2", "3x4", "3x4+1", "3x4+1+1+1", "axb+c+d", "1.5:0:2:2", "99999x1+0+0"]
    {
        assert_eq!(Region::parse(text), Err("is not a rectangle".to_owned()), "{text}");
    }
    for text in ["0x3+1+1", "1:1:3:0"] {
        assert_eq!(Region::parse(text), Err("is empty".to_owned()), "{text}");
    }
}

#[test]
fn subsampled_planes_hold_the_samples_that_begin_inside() {
    let format = Format::new(Pixel::yuv420p(8), 45, 27, Rational::new(25, 1));
    for x in 0..6 {
        for width in 1..6 {
            let region = Region { x, y: 2 * x, width, height: 2 * width };
            let begins = |pixel: usize, start: usize, length: usize| (start..start + length).contains(&pixel);
            let columns: Vec<usize> = (0..23).filter(|sample| begins(2 * sample, x, width)).collect();
            let rows: Vec<usize> = (0..14).filter(|sample| begins(2 * sample, 2 * x, 2 * width)).collect();
            let (across, down) = region.within(&format, 1);
            assert_eq!((across.collect::<Vec<_>>(), down.collect::<Vec<_>>()), (columns, rows), "{region}");
            assert_eq!(region.within(&format, 0), (x..x + width, 2 * x..2 * x + 2 * width));
        }
    }
}
