//! Before and after in one picture.

use std::fs;

use crate::agreement::Random;
use crate::container::turn::clip as turned_clip;
use crate::program::Bench;

/// A clip's frames as raw samples.
struct Clip<'a> {
    /// FFmpeg's name of the pixel format.
    pixel: &'a str,
    width: usize,
    height: usize,
    /// By how many powers of two chroma is narrower and lower.
    chroma: (usize, usize),
    planes: usize,
    bytes: usize,
    /// White in luma.
    white: u32,
    /// White in the other planes, the last of which may be opacity.
    rest: &'a [u32],
}

const CLIPS: [Clip<'static>; 8] = [
    Clip { pixel: "yuv420p", white: 235, rest: &[128, 128], ..PLAIN },
    Clip { pixel: "yuv420p", width: 20, white: 235, rest: &[128, 128], ..PLAIN },
    Clip { pixel: "yuv411p", width: 37, chroma: (2, 0), white: 235, rest: &[128, 128], ..PLAIN },
    Clip { pixel: "yuvj420p", rest: &[128, 128], ..PLAIN },
    Clip { pixel: "yuv444p10le", chroma: (0, 0), bytes: 2, white: 940, rest: &[512, 512], ..PLAIN },
    Clip { pixel: "gray", chroma: (0, 0), planes: 1, rest: &[], ..PLAIN },
    Clip { pixel: "gbrp", chroma: (0, 0), rest: &[255, 255], ..PLAIN },
    Clip { pixel: "yuva420p", planes: 4, white: 235, rest: &[128, 128, 255], ..PLAIN },
];

const PLAIN: Clip<'static> =
    Clip { pixel: "", width: 19, height: 5, chroma: (1, 1), planes: 3, bytes: 1, white: 255, rest: &[] };

impl Clip<'_> {
    /// Chroma's share of an axis, for a plane.
    fn coarser(&self, plane: usize) -> (usize, usize) {
        if matches!(plane, 1 | 2) { self.chroma } else { (0, 0) }
    }

    fn rows(&self, plane: usize) -> usize {
        self.height.div_ceil(1 << self.coarser(plane).1)
    }

    /// Bytes of a row of a picture so wide.
    fn row(&self, plane: usize, width: usize) -> usize {
        width.div_ceil(1 << self.coarser(plane).0) * self.bytes
    }

    fn frame(&self, width: usize) -> usize {
        (0..self.planes).map(|plane| self.row(plane, width) * self.rows(plane)).sum()
    }

    /// Every row of every plane of every frame, with its plane.
    fn split<'b>(&self, clip: &'b [u8], width: usize) -> Vec<(usize, &'b [u8])> {
        let mut rows = Vec::new();
        for mut frame in clip.chunks(self.frame(width)) {
            for plane in 0..self.planes {
                let (taken, left) = frame.split_at(self.row(plane, width) * self.rows(plane));
                rows.extend(taken.chunks(self.row(plane, width)).map(|row| (plane, row)));
                frame = left;
            }
        }
        rows
    }

    fn half(&self) -> usize {
        self.width.next_multiple_of(1 << self.chroma.0)
    }

    /// Both side by side, each made of whole samples of chroma.
    fn side(&self, before: &[u8], after: &[u8]) -> Vec<u8> {
        let pairs = self.split(before, self.width).into_iter().zip(self.split(after, self.width));
        let half = |plane, row: &[u8]| {
            let mut row = row.to_vec();
            while row.len() < self.row(plane, self.half()) {
                row.extend_from_within(row.len() - self.bytes..);
            }
            row
        };
        pairs.flat_map(|((plane, left), (_, right))| [half(plane, left), half(plane, right)].concat()).collect()
    }

    /// One half of each, and a line of two pixels between, which chroma widens to whole samples.
    fn halves(&self, before: &[u8], after: &[u8]) -> Vec<u8> {
        let pairs = self.split(before, self.width).into_iter().zip(self.split(after, self.width));
        let line = 2_usize.next_multiple_of(1 << self.chroma.0);
        let begin = ((self.width - line) / 2) >> self.chroma.0 << self.chroma.0;
        let whole = |(plane, left): (usize, &[u8]), right: &[u8]| {
            let [from, to] = [begin, begin + line].map(|x| self.row(plane, x));
            let white = if plane == 0 { self.white } else { self.rest[plane - 1] };
            let white = &white.to_le_bytes()[..self.bytes];
            let line: Vec<u8> = white.iter().copied().cycle().take(to - from).collect();
            [&left[..from], &line, &right[to..]].concat()
        };
        pairs.flat_map(|(left, (_, right))| whole(left, right)).collect()
    }
}

const FRAMES: usize = 9;

/// The same job without filters, with them, and with both in one, side by side and split; `chain` is `-f`, a chain and a cut.
fn four(bench: &Bench, arguments: &[&str], chain: &[&str]) -> [Vec<u8>; 4] {
    let output = |more: &[&str]| bench.pass(&[arguments, &["--container", "raw"], more].concat());
    let [side, split] = ["side", "split"].map(|how| output(&[chain, &["--compare", how]].concat()));
    [output(&chain[2..]), output(chain), side, split]
}

#[test]
fn before_and_after_are_the_same_frame() {
    let mut random = Random::new(7);
    for clip in &CLIPS {
        let bench = Bench::new();
        let depth = if clip.bytes == 2 { 1024 } else { 256 };
        let samples = FRAMES * clip.frame(clip.width) / clip.bytes;
        let noise = (0..samples).flat_map(|_| random.below(depth).to_le_bytes()[..clip.bytes].to_vec());
        fs::write(bench.path("in.bin"), noise.collect::<Vec<u8>>()).unwrap();
        let raw = format!("{}:{}x{}", clip.pixel, clip.width, clip.height);
        let input = ["in.bin", "-", "--raw", &raw];
        for chain in [
            &["-f", "tmix=5:enable='gt(n,3)',box=1:mix=0.5"][..],
            &["-f", "tmedian=radius=2,box=2:roi=8x4+2+0", "--start=#2", "--frames", "4"],
            &["-f", "deflicker=size=5,tmix=3:scene=0.01"],
        ] {
            // What is left out of the part is left out of the clip without filters too.
            let [before, after, side, split] = four(&bench, &input, chain);
            assert!(before.len() == after.len() && before != after, "{} {chain:?}", clip.pixel);
            assert!(side == clip.side(&before, &after), "side: {} {chain:?}", clip.pixel);
            assert!(split == clip.halves(&before, &after), "split: {} {chain:?}", clip.pixel);
        }
    }
}

#[test]
fn narrow_pictures_have_no_line_and_wide_ones_no_place() {
    let bench = Bench::new();
    fs::write(bench.path("in.bin"), [10, 20, 30]).unwrap();
    let input = ["in.bin", "-", "--raw", "gray:3x1", "-f", "invert", "--container", "raw", "--compare"];
    assert_eq!(bench.pass(&[&input[..], &["split"]].concat()), [10, 235, 225]);
    assert_eq!(bench.pass(&[&input[..], &["side"]].concat()), [10, 20, 30, 245, 235, 225]);
    fs::write(bench.path("wide.bin"), [0; 9000]).unwrap();
    let wide = ["wide.bin", "out.mkv", "--raw", "gray:9000x1", "--compare"];
    let line = bench.fail(&[&wide[..], &["side"]].concat());
    assert!(line.contains("18000 pixels wide; the limit is 16384; type --compare split"), "{line}");
    bench.pass(&[&wide[..], &["split", "--lossless"]].concat());
}

/// Side by side is as pictures are shown, and the output does not turn them again.
#[test]
fn turned_pictures_are_compared_as_they_are_shown() {
    let bench = Bench::new();
    turned_clip(&bench, "64x36", "yuv420p", [0, 1, -1, 0], "in.mp4");
    let clip = Clip { pixel: "yuv420p", width: 36, height: 64, white: 235, rest: &[128, 128], ..PLAIN };
    let chain = ["-f", "tmix=3,box=2"];
    let [before, after, side, split] = four(&bench, &["in.mp4", "-"], &chain);
    assert!(before.len() == 5 * clip.frame(36) && side == clip.side(&before, &after));
    assert!(split == clip.halves(&before, &after));
    bench.pass(&["in.mp4", "out.mp4", "-f", "box=2", "--compare", "side"]);
    let probe = ["-v", "error", "-show_entries", "stream=width,height:stream_side_data=rotation", "-of", "csv=p=0"];
    let found = bench.run("ffprobe", &[&probe[..], &["out.mp4"]].concat(), b"").stdout;
    assert_eq!(String::from_utf8_lossy(&found).trim(), "72,64");
}

/// Fields keep their rows, pixels their shape, sound its place, and one line tells of it.
#[test]
fn fields_pixels_and_companions_stay() {
    let bench = Bench::new();
    let mut clip = b"YUV4MPEG2 W20 H8 F25:1 It A16:15 C420mpeg2\n".to_vec();
    let mut random = Random::new(3);
    for _ in 0..6 {
        clip.extend(b"FRAME\n");
        clip.extend((0..20 * 8 * 3 / 2).map(|_| random.below(256) as u8));
    }
    fs::write(bench.path("in.y4m"), clip).unwrap();
    let planes = Clip { pixel: "yuv420p", width: 20, height: 8, white: 235, rest: &[128, 128], ..PLAIN };
    let [before, after, side, split] = four(&bench, &["in.y4m", "-"], &["-f", "box=1"]);
    assert!(side == planes.side(&before, &after) && split == planes.halves(&before, &after));
    let same = bench.pass(&["in.y4m", "-", "--container", "raw", "--compare", "side"]);
    assert!(same == planes.side(&before, &before), "without filters both are the same");
    let header = bench.pass(&["in.y4m", "-", "-f", "box=1", "--compare", "side"]);
    assert!(header.starts_with(b"YUV4MPEG2 W40 H8 F25:1 It A16:15 C420mpeg2\n"));

    let sound = ["-f", "lavfi", "-i", "sine", "-i", "in.y4m", "-shortest", "-c:v", "ffv1", "-c:a", "flac", "in.mkv"];
    bench.ffmpeg(&sound);
    let output = bench.warpreel(&["in.mkv", "out.mkv", "-f", "box=1", "--compare", "split", "--lossless"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let last = said.lines().last().unwrap();
    assert!(last.contains("FLAC copied, left half before, right half after"), "{said}");
    assert!(said.contains("left half before, right half after: yuv420p 20x8"), "{said}");
}
