//! Frames of a clip in any order: they are those of a run from its beginning.

use std::ops::Range;

use md5::{Digest, Md5};
use warpreel::frame::Frame;
use warpreel::job::{Choice, FieldChoice, Interrupted, Request, Scrubber, Survey, Tolerance, TypedCut, Usage};

use crate::agreement::Random;
use crate::chunk::{FRAMES, make};
use crate::engine::bytes;
use crate::program::{Bench, checksums};

/// Room for some frames of such clips, so that others are read again.
const ROOM: usize = 24 << 10;

/// Of a clip of a test, filtered on the CPU.
pub fn request(bench: &Bench, clip: &str) -> Request {
    let input = bench.path(clip).to_str().unwrap().to_owned();
    Request { input, backend: Choice::Cpu, ..Request::default() }
}

/// Opens it with little room.
pub fn open(request: Request) -> Scrubber {
    Scrubber::open(request, ROOM, &Default::default()).unwrap()
}

/// The sums of frames as `hash:` prints them.
pub fn sums(frames: &[Frame]) -> Vec<String> {
    frames.iter().map(|frame| format!("{:032x}", u128::from_be_bytes(Md5::digest(bytes(frame)).into()))).collect()
}

/// The sums of what the program makes of a clip.
pub fn wanted(bench: &Bench, clip: &str, chain: &str, more: &[&str]) -> Vec<String> {
    let chain: &[&str] = if chain.is_empty() { &[] } else { &["-f", chain] };
    let rows = checksums(&bench.pass(&[&[clip, "hash:", "-q", "--backend", "cpu"], chain, more].concat()));
    rows.iter().map(|row| row.rsplit(' ').next().unwrap().to_owned()).collect()
}

/// Looks at places of a clip, before and after, in no order.
pub fn compare(
    scrubber: &mut Scrubber,
    before: &[String],
    chain: &str,
    after: &[String],
    random: &mut Random,
    looks: usize,
) {
    for _ in 0..looks {
        let first = random.below(before.len() as u64) as usize;
        let count = random.range(1..=3).min(before.len() - first);
        let range = first as u64..(first + count) as u64;
        assert_eq!(sums(&scrubber.frames(range.clone()).unwrap()), before[first..first + count], "{range:?}");
        let made = scrubber.filtered(chain, range.clone(), &Default::default()).unwrap();
        assert_eq!(sums(&made.frames), after[first..first + count], "{chain} {range:?}");
    }
}

/// Of chains that change the size: what a run makes, and the original scaled to match, by triangles.
#[test]
fn of_another_size() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let mut scrubber = open(request(&bench, "in.mkv"));
    let before = wanted(&bench, "in.mkv", "", &[]);
    for (chain, like) in [
        ("tmix=3,scale=48:30:lanczos,tdiff", "scale=48:30:bilinear"),
        ("crop=16:12,tmix=3", "scale=16:12:bilinear"),
        ("scale=chroma=444", "scale=chroma=444:filter=bilinear"),
        ("hflip,tmix=3", ""),
    ] {
        let after = wanted(&bench, "in.mkv", chain, &[]);
        compare(&mut scrubber, &before, chain, &after, &mut Random::new(3), 9);
        let scaled = wanted(&bench, "in.mkv", like, &[]);
        for range in [30..33, 2..3, 0..FRAMES as u64] {
            let wanted = &scaled[range.start as usize..range.end as usize];
            assert_eq!(sums(&scrubber.matched(chain, range).unwrap()), wanted, "{chain}");
        }
    }
    assert!(scrubber.matched("crop=99:99", 0..1).err().is_some_and(|error| error.is::<Usage>()));
}

#[test]
fn of_all_kinds_of_clips() {
    let mut random = Random::new(41);
    for (name, codec) in [
        ("in.y4m", ""),
        ("open.mp4", "-c:v libx264 -qp 0 -g 9 -bf 3 -x264-params open-gop=1:scenecut=0"),
        ("endless.mkv", "-c:v libx264 -qp 0 -g 999 -sc_threshold 0"),
        ("pyramid.mp4", "-c:v libx264 -qp 20 -g 30 -bf 7 -x264-params b-pyramid=normal:b-adapt=0:scenecut=0"),
        ("fields.mkv", "-c:v libx264 -qp 0 -g 12 -bf 2 -flags +ildct+ilme -x264-params tff=1"),
        ("hevc.mp4", "-c:v libx265 -x265-params qp=20:keyint=30:bframes=4:log-level=none"),
        ("layers.mp4", "-c:v libx265 -x265-params qp=20:keyint=30:bframes=4:temporal-layers=1:log-level=none"),
        ("mpeg4.avi", "-c:v mpeg4 -q:v 2 -g 8 -bf 2"),
        ("late.ts", "-c:v libx264 -qp 0 -g 10 -bf 2 -muxdelay 3"),
        ("uneven.mkv", "-vf select='not(eq(mod(n,5),3))' -fps_mode vfr -c:v libx264 -qp 0 -g 6 -bf 2"),
        ("image%02d.png", ""),
    ] {
        let bench = Bench::new();
        make(&bench, name, FRAMES, codec);
        let chain = "tmix=frames=5,gaussian=1";
        let (before, after) = (wanted(&bench, name, "", &[]), wanted(&bench, name, chain, &[]));
        compare(&mut open(request(&bench, name)), &before, chain, &after, &mut random, 8);
    }
}

#[test]
fn of_all_kinds_of_chains() {
    let bench = Bench::new();
    make(&bench, "in.mp4", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let (mut random, before) = (Random::new(42), wanted(&bench, "in.mp4", "", &[]));
    let mut scrubber = open(request(&bench, "in.mp4"));
    for chain in [
        "",
        "gaussian=1",
        r"invert=enable='gt(mod(n\,3)\,0)'",
        r"tmix=frames=5:scene=0.2,deflicker=size=6",
        r"gaussian=1:enable='st(0\,ld(0)+1)*gt(ld(0)\,4)'",
        "tmix=frames=129",
        "gaussian=1",
    ] {
        let after = wanted(&bench, "in.mp4", chain, &[]);
        compare(&mut scrubber, &before, chain, &after, &mut random, 4);
    }
    let separate = wanted(&bench, "in.mp4", "tmix=3", &["--fields", "separate"]);
    let request = Request { fields: FieldChoice::Separate, ..request(&bench, "in.mp4") };
    compare(&mut open(request), &before, "tmix=3", &separate, &mut random, 4);
}

#[test]
fn of_a_part() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let (mut random, chain) = (Random::new(43), r"tmix=frames=9,invert=enable='gt(mod(n\,3)\,0)'");
    let cut = TypedCut { start: Some("0.3".to_owned()), frames: Some(20), ..TypedCut::default() };
    for clip in ["in.mkv", "in.y4m"] {
        let more = ["--start", "0.3", "--frames", "20"];
        let (before, after) = (wanted(&bench, clip, "", &more), wanted(&bench, clip, chain, &more));
        let mut scrubber = open(Request { cut: cut.clone(), ..request(&bench, clip) });
        compare(&mut scrubber, &before, chain, &after, &mut random, 6);
        assert_eq!(scrubber.length().frames, Some(20));
        assert!(scrubber.frames(20..21).unwrap().is_empty(), "the part ends there");
    }
}

/// However much is looked at, what is kept has the room that was given, and uses it.
#[test]
fn memory_is_bounded() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 12 -bf 2");
    make(&bench, "in.y4m", FRAMES, "");
    let mut random = Random::new(44);
    for (clip, room) in [("in.mkv", 64 << 10), ("in.mkv", 200 << 10), ("in.y4m", 100 << 10)] {
        let mut scrubber = Scrubber::open(request(&bench, clip), room, &Default::default()).unwrap();
        let mut largest = 0;
        for _ in 0..150 {
            let (first, sigma) = (random.below(FRAMES as u64), random.range(1..=9));
            let range = first..first + random.range(1..=5) as u64;
            match random.below(3) {
                0 => scrubber.frames(range).unwrap(),
                _ => scrubber.filtered(&format!("gaussian={sigma},tmix=3"), range, &Default::default()).unwrap().frames,
            };
            assert!(scrubber.kept_bytes() <= room, "{} bytes of {room} are kept", scrubber.kept_bytes());
            largest = largest.max(scrubber.kept_bytes());
        }
        // Frames of this size lie in two pages at the most.
        assert!(largest + 2 * 8192 >= room, "only {largest} bytes of {room} are used");
    }
}

/// A clip of which nobody can say how long it is says so, and does not promise to find out.
#[test]
fn a_length_that_cannot_be_found() {
    let bench = Bench::new();
    // Its packets do not tell when frames are shown, so that all of it is decoded to find them.
    make(&bench, "in.avi", FRAMES, "-c:v mpeg4 -q:v 2 -g 8 -bf 2");
    let mut bytes = std::fs::read(bench.path("in.avi")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 400].iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55);
    std::fs::write(bench.path("in.avi"), bytes).unwrap();
    let strict = Request { tolerance: Tolerance::Strict, ..request(&bench, "in.avi") };
    let mut scrubber = open(strict);
    let gauge = scrubber.gauge();
    while !gauge.length().is_settled {
        std::thread::yield_now();
    }
    assert!(!scrubber.length().is_known);
    assert_eq!(scrubber.frames(0..1).unwrap().len(), 1, "what can be read is shown");
    assert!(scrubber.frames(20..21).is_err(), "nobody knows where that is");
    make(&bench, "one.ts", 12, "-c:v libx264 -g 4 -bf 2");
    let once = std::fs::read(bench.path("one.ts")).unwrap();
    std::fs::write(bench.path("twice.ts"), [&once[..], &once[..]].concat()).unwrap();
    let mut scrubber = open(request(&bench, "twice.ts"));
    assert_eq!(scrubber.frames(0..1).unwrap().len(), 1, "the first is shown");
    let said = scrubber.frames(18..19).err().unwrap().to_string();
    assert!(said.contains("restart after 12 frames") && said.contains("ffmpeg -i IN -c copy"), "{said}");
}

/// Where a clip ends fewer frames come, and wrong chains and stops are told from other faults.
#[test]
fn the_end_and_what_is_wrong() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let mut scrubber = open(request(&bench, "in.mkv"));
    let count = |range: Range<u64>, scrubber: &mut Scrubber| {
        let made = scrubber.filtered("tmix=3", range, &Default::default()).unwrap();
        made.frames.len()
    };
    let end = FRAMES as u64;
    assert_eq!(count(end - 2..end + 5, &mut scrubber), 2);
    assert_eq!(count(end..end + 5, &mut scrubber), 0);
    assert_eq!(count(u64::MAX - 1..u64::MAX, &mut scrubber), 0);
    let wrong = scrubber.filtered("gausian", 0..1, &Default::default()).err().unwrap();
    assert!(wrong.is::<Usage>() && wrong.to_string().contains("did you mean"), "{wrong}");
    let stop = warpreel::source::CancelToken::default();
    stop.cancel();
    let stopped = scrubber.filtered("gaussian=3", 3..4, &stop).err().unwrap();
    assert!(stopped.is::<Interrupted>(), "{stopped:#}");
    assert_eq!(count(3..4, &mut scrubber), 1, "and it goes on");
    std::fs::remove_file(bench.path("in.mkv")).unwrap();
    assert!((0..end).any(|number| scrubber.frames(number..number + 1).is_err()), "what is gone cannot be read");
}

/// A filter that suits the clip is settled by its beginning, as `explain` says.
#[test]
fn strength_is_measured() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let made = open(request(&bench, "in.mkv")).filtered("denoise", 1..2, &Default::default()).unwrap();
    let finding = made.finding.unwrap();
    let told = String::from_utf8(bench.pass(&["explain", "in.mkv", "-f", "denoise"])).unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&told).starts_with(&words(&finding)), "{finding} in {told}");
}

/// A typed strength far from the noise comes with a remark, also where frames were kept; other chains have none.
#[test]
fn a_strength_far_off_is_remarked_on() {
    let bench = Bench::new();
    let noise = "color=gray:s=96x64:r=25:d=0.4,format=yuv420p,noise=alls=20:allf=t";
    bench.ffmpeg(&["-f", "lavfi", "-i", noise, "-c:v", "ffv1", "noisy.mkv"]);
    let mut clip = open(request(&bench, "noisy.mkv"));
    let mut remark =
        |first: u64, chain: &str| clip.filtered(chain, first..first + 1, &Default::default()).unwrap().remark;
    for first in [3, 3, 0] {
        let said = remark(first, "nlmeans=s=1:p=3:r=3").unwrap();
        assert!(said.starts_with("nlmeans: the noise measures ") && said.ends_with(", or denoise"), "{said}");
        assert!(said.contains("s=1 removes little; type nlmeans=s=auto:p=3:r=3"), "{said}");
    }
    for chain in ["gaussian=1", "gaussian=0.5,nlmeans=s=1:p=3:r=3", "nlmeans=s=auto:p=3:r=3"] {
        assert_eq!(remark(3, chain), None, "{chain}");
    }
}

/// Where shots begin, and small pictures.
#[test]
fn surveys_find_cuts() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let mut survey = Survey::open(&request(&bench, "in.mkv"), 10, &Default::default()).unwrap();
    let (mut cuts, mut pictures, mut number) = (Vec::new(), Vec::new(), 0);
    while let Some(found) = survey.look().unwrap() {
        cuts.extend(found.is_cut.then_some(number));
        pictures.extend(found.thumbnail);
        number += 1;
    }
    assert_eq!((number, cuts), (FRAMES, vec![13, 25]), "the clip changes its brightness there");
    assert_eq!(pictures.len(), 4);
    let mean = |rgb: &[u8]| rgb.iter().map(|value| f64::from(*value)).sum::<f64>() / rgb.len() as f64;
    let means: Vec<f64> = pictures.iter().map(|picture| mean(&picture.rgb)).collect();
    assert_eq!(pictures[0].rgb.len(), 3 * 96 * 60);
    assert!(means[0] + 60.0 < means[2] && means[3] + 30.0 < means[2], "{means:?}");
}
