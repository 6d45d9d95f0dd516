//! Rectangles, masks and doses, sample by sample: the original, the whole result, or what lies between them by `f64`.

use warpreel::frame::{Family, Pixel, Sample};

use crate::agreement::Random;

use super::{Clip, Want};

fn pixels() -> [Pixel; 5] {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::integer(Family::Rgb, 0, 0, 16) };
    let alpha = Pixel { alpha: true, ..Pixel::integer(Family::Yuv, 1, 0, 16) };
    [Pixel::gray(8), Pixel::yuv420p(8), Pixel::yuv420p(10), alpha, float]
}

/// The pixels along one side that one sample stands for.
fn pixels_of(sample: usize, shift: u8, side: usize) -> std::ops::Range<usize> {
    sample << shift..((sample + 1) << shift).min(side)
}

#[test]
fn only_the_rectangle_is_changed() {
    for pixel in pixels() {
        let clip = Clip::new(pixel, (45, 27), 2);
        let original = clip.read("in.raw");
        for chain in ["gaussian=2", "open=1:planes=all", "tmix=3", "invert=mix=0.5:planes=0", "median=1:mix=0.5"] {
            let whole = clip.through(chain);
            for (x, y, w, h) in
                [(0, 0, 45, 27), (7, 3, 20, 11), (8, 4, 1, 1), (1, 1, 1, 1), (44, 26, 1, 1), (0, 13, 45, 2)]
            {
                let got = clip.through(&format!("{chain}:roi={w}x{h}+{x}+{y}"));
                clip.compare(&got, &format!("{chain} in {w}x{h}+{x}+{y}"), |frame, plane, row, column, at| {
                    let (across, down) = pixel.subsampling(plane);
                    let inside = (x..x + w).contains(&(column << across)) && (y..y + h).contains(&(row << down));
                    Want::Exactly(if inside { whole[frame][at] } else { original[frame][at] })
                });
            }
        }
    }
}

#[test]
fn all_ways_to_type_a_rectangle() {
    let clip = Clip::new(Pixel::gray(8), (45, 27), 1);
    let wanted = clip.through("gaussian=2:roi=20x11+7+3");
    for text in [r"7\\:3\\:20\\:11", "'7 3 20 11'", "'7,3,20,11'", "7|3|20|11", r"\'7:3:20:11\'"] {
        assert_eq!(clip.through(&format!("gaussian=2:roi={text}")), wanted, "{text}");
    }
    let error = clip.refusal("gaussian=2:roi=20x11+30+3");
    assert!(error.contains("roi=20x11+30+3 exceeds the frames, which are 45x27"), "{error}");
    let error = clip.refusal("gaussian=2:roi=20x11+45+3");
    assert!(error.contains("roi=20x11+45+3 is outside the frames, which are 45x27"), "{error}");
}

/// A mask of levels of 16 bits; 0 and 65535 are frequent.
fn write_mask(clip: &Clip, name: &str) -> Vec<u16> {
    let mut random = Random::new(11);
    let levels: Vec<u16> =
        (0..clip.width * clip.height).map(|_| *random.one_of(&[0, 0xffff, 0x8000, 0x1234, 0xfedc])).collect();
    let bytes: Vec<u8> = levels.iter().flat_map(|level| level.to_be_bytes()).collect();
    let file = std::fs::File::create(clip.path(name)).expect("a file");
    let mut encoder = png::Encoder::new(file, clip.width as u32, clip.height as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes)).expect("a picture");
    levels
}

#[test]
fn masks_rectangles_and_doses_multiply() {
    for pixel in pixels() {
        let clip = Clip::new(pixel, (45, 27), 2);
        let levels = write_mask(&clip, "mask.png");
        let original = clip.read("in.raw");
        for chain in ["gaussian=2:planes=all", "open=1", "tmix=3:planes=0"] {
            let whole = clip.through(chain);
            let several = chain.starts_with("open");
            for (roi, mix) in [(None, 1.0), (Some((7, 3, 20, 11)), 1.0), (Some((2, 2, 40, 20)), 0.375)] {
                // The dose of one step is in the step; its own tests see to it.
                if mix != 1.0 && !several {
                    continue;
                }
                let mut text = format!("{chain}:mask={}:mix={mix}", clip.path("mask.png").display());
                if let Some((x, y, w, h)) = roi {
                    text += &format!(":roi={w}x{h}+{x}+{y}");
                }
                clip.compare(&clip.through(&text), &text, |frame, plane, row, column, at| {
                    let (across, down) = pixel.subsampling(plane);
                    let (a, b) = (original[frame][at], whole[frame][at]);
                    let inside = roi.is_none_or(|(x, y, w, h)| {
                        (x..x + w).contains(&(column << across)) && (y..y + h).contains(&(row << down))
                    });
                    let (columns, rows) = (pixels_of(column, across, clip.width), pixels_of(row, down, clip.height));
                    let count = (columns.len() * rows.len()) as f64;
                    let sum: f64 = rows
                        .flat_map(|y| columns.clone().map(move |x| (x, y)))
                        .map(|(x, y)| f64::from(levels[y * clip.width + x]) / 65535.0)
                        .sum();
                    match if inside { sum / count * mix } else { 0.0 } {
                        0.0 => Want::Exactly(a),
                        1.0 => Want::Exactly(b),
                        weight => Want::Rounded(f64::from(a) + weight * (f64::from(b) - f64::from(a))),
                    }
                });
            }
        }
    }
}

#[test]
fn several_steps_can_be_dosed() {
    for pixel in pixels() {
        let clip = Clip::new(pixel, (45, 27), 2);
        let original = clip.read("in.raw");
        for chain in ["close=2", "open=1:radius_t=1"] {
            let whole = clip.through(chain);
            let got = clip.through(&format!("{chain}:mix=0.25"));
            clip.compare(&got, chain, |frame, plane, _, _, at| {
                let (a, b) = (f64::from(original[frame][at]), f64::from(whole[frame][at]));
                if pixel.is_alpha(plane) { Want::Exactly(a as f32) } else { Want::Rounded(a + 0.25 * (b - a)) }
            });
            assert_eq!(clip.through(&format!("{chain}:mix=0")), original);
            assert_eq!(clip.through(&format!("{chain}:mix=1")), whole);
        }
    }
}

#[test]
fn a_mask_of_another_size_is_refused_with_both_sizes() {
    let clip = Clip::new(Pixel::gray(8), (45, 27), 1);
    let larger = Clip::new(Pixel::gray(8), (46, 27), 1);
    write_mask(&larger, "mask.png");
    let error = clip.refusal(&format!("box=mask={}", larger.path("mask.png").display()));
    assert!(error.contains("is 46x27 and the frames are 45x27"), "{error}");
    assert!(error.contains("-vf scale=45:27 mask-45x27.png"), "{error}");
}
