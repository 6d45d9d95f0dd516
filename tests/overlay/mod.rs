//! Pictures over clips, through the program: FFmpeg's bytes, the definition for all formats, parts of clips, turned clips, and files
//! that are no pictures.

mod moving;
mod scaled;
mod sliding;

use std::fs;

use crate::agreement::Random;
use crate::container::turn;
use crate::program::Bench;

/// A clip's format as FFmpeg calls it, and how its planes are made.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    /// FFmpeg's format of the picture, and of the blending; none where its `overlay` has no such planes.
    peer: Option<(&'static str, &'static str)>,
    depth: u32,
    /// Columns and rows of pixels to a sample of chroma.
    grain: (usize, usize),
}

const fn kind(
    name: &'static str,
    depth: u32,
    grain: (usize, usize),
    peer: Option<(&'static str, &'static str)>,
) -> Kind {
    Kind { name, peer, depth, grain }
}

/// With opacity of their own last: FFmpeg's rule for subsampled planes and for more than 8 bits is another there.
const KINDS: [Kind; 18] = [
    kind("yuv420p", 8, (2, 2), Some(("yuva420p", "yuv420"))),
    kind("yuv422p", 8, (2, 1), Some(("yuva422p", "yuv422"))),
    kind("yuv444p", 8, (1, 1), Some(("yuva444p", "yuv444"))),
    kind("gbrp", 8, (1, 1), Some(("gbrap", "gbrp"))),
    kind("yuv420p10le", 10, (2, 2), Some(("yuva420p10le", "yuv420p10"))),
    kind("yuv422p10le", 10, (2, 1), Some(("yuva422p10le", "yuv422p10"))),
    kind("yuva444p", 8, (1, 1), Some(("yuva444p", "yuv444"))),
    kind("gbrap", 8, (1, 1), Some(("gbrap", "gbrp"))),
    kind("gray", 8, (1, 1), None),
    kind("gray12le", 12, (1, 1), None),
    kind("yuv440p", 8, (1, 2), None),
    kind("yuv411p", 8, (4, 1), None),
    kind("yuv420p9le", 9, (2, 2), None),
    kind("yuv420p16le", 16, (2, 2), None),
    kind("yuv444p14le", 14, (1, 1), None),
    kind("gbrp12le", 12, (1, 1), None),
    kind("gbrp16le", 16, (1, 1), None),
    kind("gbrap10le", 10, (1, 1), None),
];

impl Kind {
    fn most(self) -> u64 {
        (1 << self.depth) - 1
    }

    fn has_alpha(self) -> bool {
        self.name.contains("yuva") || self.name.contains("gbrap")
    }

    /// Planes, each with the columns and rows of pixels to a sample.
    fn planes(self) -> Vec<(usize, usize)> {
        let colours = match self.name {
            name if name.starts_with("gray") => vec![(1, 1)],
            _ => vec![(1, 1), self.grain, self.grain],
        };
        colours.into_iter().chain(self.has_alpha().then_some((1, 1))).collect()
    }

    fn bytes(self, samples: &[u64]) -> Vec<u8> {
        let width = if self.depth > 8 { 2 } else { 1 };
        samples.iter().flat_map(|sample| sample.to_le_bytes().into_iter().take(width)).collect()
    }
}

/// A picture of 16-bit RGBA.
struct Logo {
    width: usize,
    height: usize,
    pixels: Vec<[u64; 4]>,
}

impl Logo {
    /// Random colours; many pixels are opaque, and many cannot be seen.
    fn new(random: &mut Random, width: usize, height: usize) -> Self {
        let mut sample = || match random.below(4) {
            0 => 0,
            1 => 65535,
            _ => random.below(65536),
        };
        Self { width, height, pixels: (0..width * height).map(|_| [(); 4].map(|()| sample())).collect() }
    }

    /// Writes it as a PNG file.
    fn write(&self, bench: &Bench, name: &str) {
        let bytes: Vec<u8> = self.pixels.iter().flatten().flat_map(|sample| (*sample as u16).to_be_bytes()).collect();
        fs::write(bench.path("logo.raw"), bytes).unwrap();
        let size = format!("{}x{}", self.width, self.height);
        let from = ["-f", "rawvideo", "-pix_fmt", "rgba64be", "-s", &size, "-i", "logo.raw"];
        bench.ffmpeg(&[&from[..], &["-frames:v", "1", "-y", name]].concat());
    }

    /// Its opacity in steps of a format.
    fn opacity(&self, kind: Kind, share: f64) -> Vec<u64> {
        let step = |pixel: &[u64; 4]| (pixel[3] as f64 / 65535.0 * share * kind.most() as f64).round() as u64;
        self.pixels.iter().map(step).collect()
    }

    /// A plane of colour of BT.601 in limited range, or of RGB and grey in full range, and the columns and rows that it has.
    fn plane(&self, kind: Kind, plane: usize, opacity: &[u64]) -> (Vec<u64>, usize, usize) {
        let (across, down) = kind.planes()[plane];
        let (width, height) = (self.width.div_ceil(across), self.height.div_ceil(down));
        let unit = f64::from(1u32 << (kind.depth - 8));
        let level = |at: usize| {
            let [r, g, b] = [0, 1, 2].map(|channel| self.pixels[at][channel] as f64 / 65535.0);
            let y = 0.299 * r + 0.587 * g + 0.114 * b;
            match (&kind.name[..1], plane) {
                ("g", 0) if kind.name.starts_with("gray") => y * kind.most() as f64,
                ("g", _) => [g, b, r][plane] * kind.most() as f64,
                (_, 0) => (16.0 + 219.0 * y) * unit,
                (_, 1) => (128.0 + 224.0 * (b - y) / 1.772) * unit,
                _ => (128.0 + 224.0 * (r - y) / 1.402) * unit,
            }
        };
        let mean = |x: usize, y: usize| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for row in y * down..((y + 1) * down).min(self.height) {
                for column in x * across..((x + 1) * across).min(self.width) {
                    let at = row * self.width + column;
                    sum += level(at) * opacity[at] as f64;
                    weight += opacity[at] as f64;
                }
            }
            match weight > 0.0 {
                _ if (across, down) == (1, 1) => level(y * self.width + x),
                true => sum / weight,
                false => 128.0 * unit,
            }
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        (places.map(|(x, y)| mean(x, y).round() as u64).collect(), width, height)
    }

    /// The opacity of a sample of a plane, as FFmpeg has it; of planes that it does not take, the mean, cut off.
    fn covering(&self, kind: Kind, (across, down): (usize, usize), opacity: &[u64], x: usize, y: usize) -> u64 {
        let at = |column: usize, row: usize| opacity[row * self.width + column];
        let (left, top) = (x * across, y * down);
        if across > 2 {
            let columns = left..(left + across).min(self.width);
            return columns.clone().map(|column| at(column, top)).sum::<u64>() / columns.len() as u64;
        }
        let inner_x = x + 1 < self.width.div_ceil(across) && across == 2;
        let inner_y = y + 1 < self.height.div_ceil(down) && down == 2;
        let next = top + if kind.depth == 8 { 1 } else { 2 };
        match (across, down) {
            (1, 1) => at(left, top),
            (2, 2) if inner_x && inner_y => {
                (at(left, top) + at(left + 1, top) + at(left, next) + at(left + 1, next)) / 4
            }
            _ => {
                let beside = if inner_x { (at(left, top) + at(left + 1, top)) / 2 } else { at(left, top) };
                let below = if inner_y { (at(left, top) + at(left, next)) / 2 } else { at(left, top) };
                (beside + below) / 2
            }
        }
    }
}

/// Divides by the largest sample: to nearest at 8 bits, cut off above.
fn divided(kind: Kind, sum: u64) -> u64 {
    if kind.depth == 8 { (2 * sum + 255) / 510 } else { sum / kind.most() }
}

/// A frame with a picture over it, by the definition.
fn laid(kind: Kind, frame: &[u64], size: (usize, usize), logo: &Logo, place: (i64, i64), share: f64) -> Vec<u64> {
    let (opacity, most) = (logo.opacity(kind, share), kind.most());
    let mut made = frame.to_vec();
    let planes = kind.planes();
    let samples = |(across, down): (usize, usize)| size.0.div_ceil(across) * size.1.div_ceil(down);
    let alpha: usize = planes[..planes.len() - 1].iter().map(|grain| samples(*grain)).sum();
    // Places are whole samples of chroma in all planes.
    let cut = |place: i64, grain: usize| place.div_euclid(grain as i64) * grain as i64;
    let place = (cut(place.0, kind.grain.0), cut(place.1, kind.grain.1));
    let mut first = 0;
    for (plane, grain) in planes.iter().copied().enumerate() {
        let is_opacity = kind.has_alpha() && plane == planes.len() - 1;
        let (wide, high) = (size.0.div_ceil(grain.0), size.1.div_ceil(grain.1));
        let (colours, width, height) = match is_opacity {
            true => (Vec::new(), logo.width, logo.height),
            false => logo.plane(kind, plane, &opacity),
        };
        let (left, top) = (place.0 / grain.0 as i64, place.1 / grain.1 as i64);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let (column, row) = (left + x as i64, top + y as i64);
            if column < 0 || row < 0 || column >= wide as i64 || row >= high as i64 {
                continue;
            }
            let within = row as usize * wide + column as usize;
            let (at, a) = (first + within, logo.covering(kind, grain, &opacity, x, y));
            let d = frame[at];
            if is_opacity {
                made[at] = d + divided(kind, (most - d) * a);
                continue;
            }
            let e = if kind.has_alpha() { frame[alpha + within] } else { most };
            let b = match kind.has_alpha() && a > 0 && a < most {
                true => most * most * a / (most * (a + e) - a * e),
                false => a,
            };
            made[at] = divided(kind, d * (most - b) + colours[y * width + x] * b);
        }
        first += samples(grain);
    }
    made
}

/// What a chain makes of one frame.
fn made(bench: &Bench, kind: Kind, frame: &[u64], size: (usize, usize), chain: &str) -> Vec<u8> {
    fs::write(bench.path("in.raw"), kind.bytes(frame)).unwrap();
    raw(bench, "in.raw", chain, &["--raw", &format!("{}:{}x{}@25", kind.name, size.0, size.1)])
}

/// One random clip of a frame, picture and place: ours, and the definition's; and FFmpeg's of the definition's planes.
fn compared(bench: &Bench, random: &mut Random, kind: Kind) {
    let (width, height) = (random.range(1..=90), random.range(1..=50));
    let logo = {
        let (width, height) = (random.range(1..=60), random.range(1..=40));
        Logo::new(random, width, height)
    };
    logo.write(bench, "logo.png");
    let place = (random.range(0..=110) as i64 - 40, random.range(0..=70) as i64 - 30);
    let share = *random.one_of(&[1.0, 1.0, 0.5, 0.3]);
    let count: usize = kind.planes().iter().map(|(x, y)| width.div_ceil(*x) * height.div_ceil(*y)).sum();
    let frame: Vec<u64> = (0..count).map(|_| random.below(kind.most() + 1)).collect();
    let size = format!("{width}x{height}");
    let chain = format!("overlay=logo.png:x={}:y={}:opacity={share}", place.0, place.1);
    let what = format!("{chain} of {}x{} over {} {size}", logo.width, logo.height, kind.name);
    let ours = made(bench, kind, &frame, (width, height), &chain);
    let wanted = kind.bytes(&laid(kind, &frame, (width, height), &logo, place, share));
    assert!(ours == wanted, "{what}: not the definition");

    let Some((picture, blending)) = kind.peer else { return };
    let opacity = logo.opacity(kind, share);
    let colours = (0..3).flat_map(|plane| logo.plane(kind, plane, &opacity).0);
    fs::write(bench.path("planes.raw"), kind.bytes(&colours.chain(opacity.iter().copied()).collect::<Vec<_>>()))
        .unwrap();
    let layer = format!("{}x{}", logo.width, logo.height);
    let graph = format!("[0][1]overlay=x={}:y={}:format={blending}", place.0, place.1);
    let from = ["-cpuflags", "0", "-f", "rawvideo", "-pix_fmt", kind.name, "-s", &size, "-i", "in.raw"];
    let beside = ["-f", "rawvideo", "-pix_fmt", picture, "-s", &layer, "-i", "planes.raw", "-filter_complex", &graph];
    let theirs = bench.ffmpeg(&[&from[..], &beside, &["-f", "rawvideo", "-pix_fmt", kind.name, "-"]].concat());
    assert!(ours == theirs, "{what}: not FFmpeg's bytes");
}

#[test]
fn ffmpeg_and_the_definition_give_the_same() {
    let bench = Bench::new();
    let mut random = Random::new(91);
    for kind in KINDS {
        for _ in 0..8 {
            compared(&bench, &mut random, kind);
        }
    }
}

fn raw(bench: &Bench, input: &str, chain: &str, more: &[&str]) -> Vec<u8> {
    let all = [input, "-", "--container", "raw", "-q", "--backend", "cpu", "-f", chain];
    bench.pass(&[&all[..], more].concat())
}

/// A clip of ten frames, 64x48, and a picture.
fn clip(bench: &Bench, pixel: &str) {
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-c:v", "ffv1", "-pix_fmt", pixel];
    bench.ffmpeg(&[&source[..], &["-y", "in.mkv"]].concat());
    Logo::new(&mut Random::new(8), 21, 15).write(bench, "logo.png");
}

/// A part of the result is the result of a part, with other filters around it too.
#[test]
fn parts_and_chains_are_the_same() {
    let bench = Bench::new();
    clip(&bench, "yuv420p");
    for chain in [
        "overlay=logo.png:W-w-4:4",
        "gaussian=1,overlay=logo.png:x=(W-w)/2:y=(H-h)/2,tmix=3",
        "overlay=logo.png:x=y:y=9:enable='gt(n,3)'",
        "scale=32:24,overlay=logo.png:opacity=0.4,gamma=1.2",
    ] {
        let whole = raw(&bench, "in.mkv", chain, &[]);
        let bytes = whole.len() / 10;
        let part = raw(&bench, "in.mkv", chain, &["--start", "#3", "--frames", "4"]);
        assert!(part == whole[3 * bytes..7 * bytes], "{chain}");
        assert!(raw(&bench, "in.mkv", chain, &["--threads", "3"]) == whole, "{chain}");
    }
}

/// Names of FFmpeg's, places that name each other, and a picture that lies outside.
#[test]
fn places_follow_the_frames_and_the_picture() {
    let bench = Bench::new();
    clip(&bench, "yuv420p");
    let at = |place: &str| raw(&bench, "in.mkv", &format!("overlay=logo.png:{place}"), &[]);
    let corner = at("x=42:y=32");
    for place in
        ["main_w-overlay_w-1:main_h-overlay_h-1", "x=W-w:y=H-h", "x=W-21.3:y=H-16", "x=y+10:y=32", "x=42:y=x-10"]
    {
        assert!(at(place) == corner, "{place}");
    }
    let first = raw(&bench, "in.mkv", "overlay=logo.png", &[]);
    assert!(first == at("0:0") && first != corner);
    let untouched = bench.pass(&["in.mkv", "-", "--container", "raw", "-q", "--backend", "cpu"]);
    for place in ["x=W", "x=-w-1", "y=H:x=3", "y=-40", "x=5:opacity=0"] {
        assert!(at(place) == untouched, "{place}");
    }
    let some = at("x=4:y=4:enable='eq(n,2)'");
    let (all, bytes) = (at("x=4:y=4"), untouched.len() / 10);
    assert!(some[..2 * bytes] == untouched[..2 * bytes] && some[3 * bytes..] == untouched[3 * bytes..]);
    assert!(some[2 * bytes..3 * bytes] == all[2 * bytes..3 * bytes]);
}

/// Frames that are shown turned have the picture where and as it is seen.
#[test]
fn turned_clips_have_it_upright() {
    let bench = Bench::new();
    clip(&bench, "yuv420p");
    for matrix in [[0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [0, 1, 1, 0]] {
        for (size, pixel) in [("64x36", "yuv420p"), ("64x36", "yuv420p10le"), ("62x34", "yuv444p")] {
            turn::clip(&bench, size, pixel, matrix, "turned.mp4");
            bench.ffmpeg(&["-y", "-i", "turned.mp4", "-c:v", "ffv1", "upright.mkv"]);
            for place in ["x=W-w-3:y=5", "x=-4:y=H-9:opacity=0.6"] {
                let chain = format!("overlay=logo.png:{place}");
                let seen = raw(&bench, "turned.mp4", &chain, &[]);
                assert!(seen == raw(&bench, "upright.mkv", &chain, &[]), "{matrix:?} {size} {pixel} {place}");
            }
        }
    }
}

/// Files that are missing or no pictures, and places that are none: one line, and what to type.
#[test]
fn faults_are_told_in_one_line() {
    let bench = Bench::new();
    clip(&bench, "yuv420p");
    fs::write(bench.path("notes.txt"), "text").unwrap();
    let whole = fs::read(bench.path("logo.png")).unwrap();
    fs::write(bench.path("cut.png"), &whole[..whole.len() / 2]).unwrap();
    fs::write(bench.path("empty.png"), "").unwrap();
    // A picture of no rows: the second number of the header, and its check.
    let mut none = whole.clone();
    none[20..24].fill(0);
    fs::write(bench.path("none.png"), none).unwrap();
    for (chain, faults) in [
        ("overlay", &["overlay: there is no picture", "type overlay=logo.png:x=16:y=16"][..]),
        ("overlay=missing.png", &["picture=missing.png of overlay cannot be read: no such file", "name of a PNG file"]),
        ("overlay=notes.txt", &["is no picture and no video", "name a PNG file, or a video that plays"]),
        ("overlay=cut.png", &["is not a PNG file"]),
        ("overlay=empty.png", &["is not a PNG file"]),
        ("overlay=none.png", &["is not a PNG file"]),
        ("overlay=.", &["picture=. of overlay"]),
        ("overlay=10:20", &["the picture comes first: type overlay=logo.png:10:20"]),
        ("overlay=logo.png:x=wide", &["x=wide of overlay is not an expression", "type a number, or an expression of"]),
        ("overlay=logo.png:opacity=2", &["opacity=2 of overlay is out of range", "from 0 to 1"]),
        ("overlay=logo.png:mix=0.5", &["unknown parameter \"mix\" of overlay"]),
    ] {
        let said = bench.refuse(&["in.mkv", "null:", "-f", chain]);
        for fault in faults {
            assert!(said.contains(fault), "{chain}: {said}");
        }
    } // What depends on the frames is known when they are.
    for (place, fault) in [
        ("x=W/0*0", "x=W/0*0 is not a number here"),
        ("x=x", "x=x is not a number here"),
        ("y=W*99999", "type one within the size of frames"),
    ] {
        let said = bench.fail(&["in.mkv", "null:", "-f", &format!("overlay=logo.png:{place}")]);
        assert!(said.contains(fault), "{place}: {said}");
    }
}

/// The page of a filter whose example reads a file is there where the file is not.
#[test]
fn its_page_needs_no_picture() {
    let bench = Bench::new();
    for (name, word) in [("overlay", "opacity"), ("lut3d", "interp")] {
        let page = String::from_utf8(bench.pass(&["filters", name])).unwrap();
        assert!(page.starts_with(&format!("{name}: ")) && page.contains(word), "{page}");
    }
    assert!(bench.refuse(&["filters", "overlay=missing.png"]).contains("missing.png of overlay cannot be read"));
}
