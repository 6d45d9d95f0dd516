//! Frames that were decoded once and lie on disk: they are those that would be decoded.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Stdio};
use std::slice;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use serde_json::Value;
use warpreel::frame::{Frame, Timing};
use warpreel::job::{FieldChoice, FrameStore, Request, Scrubber, Survey, Tolerance, TypedCut};

use crate::agreement::Random;
use crate::chunk::{FRAMES, make};
use crate::engine::bytes;
use crate::program::{Bench, binary, checksums};
use crate::scrub::{compare, open, request, sums, wanted};

/// Bytes of a frame of these clips.
const FRAME_BYTES: u64 = 32 * 20 * 3 / 2;

/// A file in memory.
fn memory() -> File {
    memfd_create("frames", MemfdFlags::ALLOW_SEALING).unwrap().into()
}

/// A clip whose frames come from a store over a file, which was filled, and that store.
fn filled(request: &Request, file: File, most_bytes: u64) -> (Scrubber, Arc<FrameStore>) {
    let mut scrubber = open(request.clone());
    let gauge = scrubber.gauge();
    while !gauge.length().is_settled {
        thread::yield_now();
    }
    let store = Arc::new(FrameStore::over(file, request, scrubber.format(), most_bytes).unwrap());
    let mut survey = Survey::open(request, 10, &Default::default()).unwrap();
    survey.keep_in(store.clone());
    while survey.look().unwrap().is_some() {}
    scrubber.take_from(store.clone());
    (scrubber, store)
}

/// Makes zeros of a clip, as of the same time: nobody notices, and nobody can decode it.
fn blot(bench: &Bench, clip: &str) {
    let path = bench.path(clip);
    let found = fs::metadata(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.write_all_at(&vec![0; found.len() as usize], 0).unwrap();
    file.set_modified(found.modified().unwrap()).unwrap();
}

/// What there is to a frame: its number, its time, and its samples.
fn told(frame: &Frame) -> (u64, i64, i64, i64, bool, Vec<u8>) {
    let Timing { number, pts, offset, duration, is_margin, .. } = frame.timing;
    (number, pts, offset, duration, is_margin, bytes(frame))
}

fn frame(scrubber: &mut Scrubber, number: u64) -> Option<Frame> {
    scrubber.frames(number..number + 1).unwrap().pop()
}

#[test]
fn of_all_kinds_of_clips() {
    let mut random = Random::new(51);
    for (name, codec) in [
        ("open.mp4", "-c:v libx264 -qp 0 -g 9 -bf 3 -x264-params open-gop=1:scenecut=0"),
        ("endless.mkv", "-c:v libx264 -qp 0 -g 999 -sc_threshold 0"),
        ("pyramid.mp4", "-c:v libx264 -qp 20 -g 30 -bf 7 -x264-params b-pyramid=normal:b-adapt=0:scenecut=0"),
        ("fields.mkv", "-c:v libx264 -qp 0 -g 12 -bf 2 -flags +ildct+ilme -x264-params tff=1"),
        ("hevc.mp4", "-c:v libx265 -x265-params qp=20:keyint=30:bframes=4:log-level=none"),
        ("ten.mkv", "-vf scale=33:21 -pix_fmt yuv422p10le -c:v ffv1 -g 5"),
        ("mpeg4.avi", "-c:v mpeg4 -q:v 2 -g 8 -bf 2"),
        ("late.ts", "-c:v libx264 -qp 0 -g 10 -bf 2 -muxdelay 3"),
        ("uneven.mkv", "-vf select='not(eq(mod(n,5),3))' -fps_mode vfr -c:v libx264 -qp 0 -g 6 -bf 2"),
    ] {
        let bench = Bench::new();
        make(&bench, name, FRAMES, codec);
        let chain = "tmix=frames=5,gaussian=1";
        let (before, after) = (wanted(&bench, name, "", &[]), wanted(&bench, name, chain, &[]));
        let (mut scrubber, store) = filled(&request(&bench, name), memory(), 1 << 20);
        assert_eq!(store.frames(), before.len() as u64, "{name}");
        compare(&mut scrubber, &before, chain, &after, &mut random, 6);
        let mut decoding = open(request(&bench, name));
        for number in (0..before.len() as u64).rev() {
            let [one, other] = [&mut scrubber, &mut decoding].map(|clip| told(&frame(clip, number).unwrap()));
            assert!(one == other, "{name}, {number}: {:?}, decoded {:?}", &one.1, &other.1);
        }
        blot(&bench, name);
        for (number, sum) in before.iter().enumerate() {
            let shown = frame(&mut scrubber, number as u64).unwrap();
            assert_eq!(sums(&[shown])[0], *sum, "{name}, {number}: it came from the store");
        }
        assert!(frame(&mut scrubber, before.len() as u64).is_none(), "{name} ends there");
    }
}

/// Frames that lie in the clip as they are, and images, are read from there.
#[test]
fn of_clips_that_need_none() {
    let bench = Bench::new();
    make(&bench, "image%02d.png", FRAMES, "");
    let (mut scrubber, store) = filled(&request(&bench, "in.y4m"), memory(), 1 << 20);
    assert_eq!((store.frames(), store.bytes()), (0, 0));
    let before = wanted(&bench, "in.y4m", "", &[]);
    assert_eq!(sums(&[frame(&mut scrubber, 20).unwrap()]), before[20..21]);
    let images = request(&bench, "image%02d.png");
    assert!(FrameStore::over(memory(), &images, open(images.clone()).format(), 1 << 20).is_none());
}

/// Frames around a part are decoded, those of the part are not, and each has its number and time.
#[test]
fn of_a_part() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    make(&bench, "uneven.ts", FRAMES, "-vf select='not(eq(mod(n,5),3))' -fps_mode vfr -c:v libx264 -qp 0 -g 6 -bf 2");
    let (mut random, chain) = (Random::new(52), r"tmix=frames=9,invert=enable='gt(mod(n\,3)\,0)'");
    for (clip, start, count) in [("in.mkv", "0.3", 20), ("in.mkv", "#7", 9), ("uneven.ts", "0.3", 12)] {
        let cut = TypedCut { start: Some(start.to_owned()), frames: Some(count), ..TypedCut::default() };
        let (count, more) = (count as usize, ["--start", start, "--frames", &count.to_string()]);
        let (before, after) = (wanted(&bench, clip, "", &more), wanted(&bench, clip, chain, &more));
        let part = Request { cut, ..request(&bench, clip) };
        let (mut scrubber, store) = filled(&part, memory(), 1 << 20);
        assert_eq!((store.frames(), before.len()), (count as u64, count), "{clip} from {start}");
        compare(&mut scrubber, &before, chain, &after, &mut random, 6);
        let mut decoding = open(part);
        let whole = fs::read(bench.path(clip)).unwrap();
        let decoded: Vec<_> = (0..count as u64).map(|number| told(&frame(&mut decoding, number).unwrap())).collect();
        blot(&bench, clip);
        for (number, decoded) in decoded.iter().enumerate().rev() {
            assert!(told(&frame(&mut scrubber, number as u64).unwrap()) == *decoded, "{clip} from {start}: {number}");
        }
        fs::write(bench.path(clip), whole).unwrap();
    }
}

/// Conditions, scenes and fields are those of the clip.
#[test]
fn of_all_kinds_of_chains() {
    let bench = Bench::new();
    make(&bench, "in.mp4", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let (mut random, before) = (Random::new(53), wanted(&bench, "in.mp4", "", &[]));
    let (mut scrubber, _) = filled(&request(&bench, "in.mp4"), memory(), 1 << 20);
    for chain in [
        r"invert=enable='gt(mod(n\,3)\,0)'",
        r"invert=enable='between(t\,0.5\,0.9)'",
        r"tmix=frames=5:scene=0.2,deflicker=size=6",
        "tmix=frames=129",
    ] {
        compare(&mut scrubber, &before, chain, &wanted(&bench, "in.mp4", chain, &[]), &mut random, 4);
    }
    let separate = wanted(&bench, "in.mp4", "tmix=3", &["--fields", "separate"]);
    let fields = Request { fields: FieldChoice::Separate, ..request(&bench, "in.mp4") };
    compare(&mut filled(&fields, memory(), 1 << 20).0, &before, "tmix=3", &separate, &mut random, 4);
}

/// The bytes of a clip with some wrong ones, about in its middle.
fn damaged(clip: &[u8], seed: u64) -> Vec<u8> {
    let (mut random, mut clip) = (Random::new(seed), clip.to_vec());
    let at = clip.len() / 2 + random.below(clip.len() as u64 / 8) as usize;
    clip[at..at + 60].iter_mut().for_each(|byte| *byte = random.below(256) as u8);
    clip
}

/// What decoders make of damage depends on their threads, and may be something else each time; frames that nobody can
/// decode have numbers where packets are counted, and none where frames are. Where damage does not reach, what is shown
/// is what would be decoded, or what a run makes of that time.
#[test]
fn of_damaged_clips() {
    let codecs = ["-c:v ffv1 -g 1", "-c:v libx264 -qp 20 -g 5 -bf 2", "-c:v mpeg2video -q:v 2 -g 6 -bf 2"];
    for (codec, seed) in codecs.into_iter().flat_map(|codec| (0..6).map(move |seed| (codec, seed))) {
        let (bench, frames) = (Bench::new(), 150);
        make(&bench, "in.mkv", frames, codec);
        let clean = checksums(&bench.pass(&["in.mkv", "hash:", "-q", "--backend", "cpu"]));
        fs::write(bench.path("in.mkv"), damaged(&fs::read(bench.path("in.mkv")).unwrap(), 54 + seed)).unwrap();
        let run = checksums(&bench.pass(&["in.mkv", "hash:", "-q", "--salvage", "--backend", "cpu"]));
        let find = |rows: &[String], millis: i64| {
            let is_then =
                |row: &&String| row.split(", ").nth(2).is_some_and(|pts| pts.trim() == (millis / 40).to_string());
            rows.iter().find(is_then).map(|row| row.rsplit(' ').next().unwrap().to_owned())
        };
        let salvaging = Request { tolerance: Tolerance::Salvage, ..request(&bench, "in.mkv") };
        let (mut scrubber, store) = filled(&salvaging, memory(), 1 << 20);
        assert_eq!(store.frames(), run.len() as u64);
        let mut decoding = open(salvaging);
        for number in (0..scrubber.length().frames.unwrap()).rev() {
            let [shown, decoded] = [&mut scrubber, &mut decoding].map(|clip| frame(clip, number));
            let Some(shown) = shown else { continue };
            let [of_the_run, of_the_clean] = [&run, &clean].map(|rows| find(rows, shown.timing.pts));
            let is_of_the_run = of_the_run.as_ref() == Some(&sums(slice::from_ref(&shown))[0]);
            let is_decoded = decoded.is_some_and(|decoded| told(&decoded) == told(&shown));
            let is_touched = of_the_run != of_the_clean;
            assert!(is_of_the_run || is_decoded || is_touched, "{codec}, seed {seed}: frame {number}");
            assert_eq!(shown.timing.number, number);
        }
        // Before and behind the damage nothing is decoded.
        let ends = [0, 1, 20, scrubber.length().frames.unwrap() - 1];
        let sound = ends.map(|number| told(&frame(&mut scrubber, number).unwrap()));
        blot(&bench, "in.mkv");
        frame(&mut scrubber, 50).unwrap();
        assert!(ends.map(|number| told(&frame(&mut scrubber, number).unwrap())) == sound, "{codec}, seed {seed}");
    }
}

/// However long the clip is, the store has the room that was given, and uses it.
#[test]
fn its_room_is_bounded() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 12 -bf 2");
    let (mut random, before) = (Random::new(55), wanted(&bench, "in.mkv", "", &[]));
    let after = wanted(&bench, "in.mkv", "tmix=3", &[]);
    for frames in [1, 14, FRAMES as u64 - 1, FRAMES as u64] {
        let file = memory();
        let own = file.try_clone().unwrap();
        let (mut scrubber, store) = filled(&request(&bench, "in.mkv"), file, (frames + 1) * FRAME_BYTES - 1);
        assert_eq!((store.frames(), store.bytes()), (frames, frames * FRAME_BYTES));
        assert_eq!(own.metadata().unwrap().len(), frames * FRAME_BYTES);
        compare(&mut scrubber, &before, "tmix=3", &after, &mut random, 6);
    }
    let clip = request(&bench, "in.mkv");
    let format = open(clip.clone()).format().clone();
    assert!(FrameStore::over(memory(), &clip, &format, FRAME_BYTES - 1).is_none(), "no frame fits");
    assert!(FrameStore::open(&clip, &format, 0, 1).is_none());
}

/// A disk that takes no more, loses what it took, or gives something else, is noticed, and what is shown is right.
#[test]
fn of_a_disk_that_fails() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 12 -bf 2");
    let (mut random, before) = (Random::new(56), wanted(&bench, "in.mkv", "", &[]));
    let after = wanted(&bench, "in.mkv", "tmix=3", &[]);
    let mut check = |scrubber: &mut Scrubber| compare(scrubber, &before, "tmix=3", &after, &mut random, 8);

    let full = memory();
    full.set_len(10 * FRAME_BYTES + 100).unwrap();
    fcntl_add_seals(&full, SealFlags::GROW).unwrap();
    let (mut scrubber, store) = filled(&request(&bench, "in.mkv"), full, 1 << 20);
    assert_eq!(store.frames(), 10, "the eleventh had no place");
    check(&mut scrubber);

    let short = memory();
    let own = short.try_clone().unwrap();
    let (mut scrubber, store) = filled(&request(&bench, "in.mkv"), short, 1 << 20);
    assert_eq!(store.frames(), FRAMES as u64);
    own.set_len(FRAMES as u64 / 2 * FRAME_BYTES).unwrap();
    check(&mut scrubber);

    let other = memory();
    let own = other.try_clone().unwrap();
    let (mut scrubber, _) = filled(&request(&bench, "in.mkv"), other, 1 << 20);
    (0..FRAMES as u64).for_each(|number| own.write_all_at(&[0; 16], number * FRAME_BYTES + 300).unwrap());
    check(&mut scrubber);
}

/// A clip that is written anew is read anew.
#[test]
fn of_a_clip_that_changes() {
    let bench = Bench::new();
    make(&bench, "other.mkv", FRAMES, "-vf negate -c:v libx264 -qp 0 -g 6 -bf 2");
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let (mut scrubber, _) = filled(&request(&bench, "in.mkv"), memory(), 1 << 20);
    let [old, new] = ["in.mkv", "other.mkv"].map(|clip| wanted(&bench, clip, "", &[]));
    assert_eq!(sums(&[frame(&mut scrubber, 30).unwrap()]), old[30..31]);
    fs::copy(bench.path("other.mkv"), bench.path("in.mkv")).unwrap();
    assert_eq!(sums(&[frame(&mut scrubber, 20).unwrap()]), new[20..21]);
}

/// The program, and its page.
struct Served {
    program: Child,
    address: String,
}

impl Served {
    fn start(bench: &Bench, more: &[&str]) -> Self {
        let mut program = Command::new(binary())
            .args([&["preview", "in.mkv", "--no-open", "--backend", "cpu"], more].concat())
            .env("XDG_CACHE_HOME", bench.path("cache"))
            .current_dir(bench.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { program, address: address.trim().trim_start_matches("http://").to_owned() }
    }

    /// What is told once the clip has been looked through.
    fn survey(&self) -> Value {
        loop {
            let (host, token) = self.address.split_once('/').unwrap();
            let mut stream = TcpStream::connect(host).unwrap();
            write!(stream, "GET /{token}thumbs HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            let told: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
            if told["done"] == true {
                return told;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(mut self) {
        self.program.kill().unwrap();
        self.program.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
    }
}

/// Frames lie in the user's cache folder, under no name, so that nothing is left however the program ends.
#[test]
fn nothing_is_left() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 12 -bf 2");
    let served = Served::start(&bench, &["--scratch", "0"]);
    assert_eq!(served.survey()["stored_bytes"], 0);
    served.kill();
    assert!(!bench.path("cache").exists(), "nothing is touched where nothing is to be kept");

    let served = Served::start(&bench, &[]);
    assert_eq!(served.survey()["stored_bytes"], FRAMES as u64 * FRAME_BYTES);
    let files = || fs::read_dir(bench.path("cache/warpreel")).unwrap().count();
    assert_eq!(files(), 0, "it has no name");
    let open = fs::read_dir(format!("/proc/{}/fd", served.program.id())).unwrap();
    let open: Vec<_> = open.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok()).collect();
    let folder = fs::canonicalize(bench.path("cache/warpreel")).unwrap();
    assert_eq!(open.iter().filter(|path| path.starts_with(&folder)).count(), 1, "{open:?}");
    served.kill();
    assert_eq!(files(), 0);
}

/// Where there can be no cache folder, the folder for temporary files serves.
#[test]
fn without_a_cache_folder() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 12 -bf 2");
    fs::write(bench.path("cache"), "no folder").unwrap();
    let served = Served::start(&bench, &["--scratch", "1"]);
    assert_eq!(served.survey()["stored_bytes"], FRAMES as u64 * FRAME_BYTES);
    served.kill();
}
