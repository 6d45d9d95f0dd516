//! Pictures and clips whose place follows the frame's number and time: FFmpeg's bytes, the definition for all formats, parts, chunks, runs
//! on several backends, turned clips, and expressions that fail.

use std::fs;
use std::sync::Arc;

use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Format, Frame, Pixel, Pool, Rational};
use warpreel::pipeline::{Sharing, WhenLost};
use warpreel::plan::{Plan, plan};

use super::moving::{PAIRS, make, theirs};
use super::{KINDS, Kind, Logo, laid, raw};
use crate::agreement::Random;
use crate::container::turn;
use crate::oracle::samples;
use crate::program::{Bench, sample, timed_checksums};
use crate::stage::{clip, frames, shared, through, try_shared};

/// Places here, and where FFmpeg counts frames from 1, there.
const PATHS: [(&str, &str); 7] = [
    ("x='-30+t*350':y='3+t*40'", "x='-30+t*350':y='3+t*40'"),
    ("x='W-n*9':y='n*n-7'", "x='W-(n-1)*9':y='(n-1)*(n-1)-7'"),
    ("x='(W-w)/2+20*sin(t*25)':y='H-h-t*90'", "x='(W-w)/2+20*sin(t*25)':y='H-h-t*90'"),
    ("x='if(gt(t,0.1),0/0,8)':y=-3", "x='if(gt(t,0.1),0/0,8)':y=-3"),
    ("x='y*2-9':y='t*70-5.5'", "x='y*2-9':y='t*70-5.5'"),
    ("x='if(isnan(x),-12,x+2*t*25)':y=1", "x='if(isnan(x),-12,x+2*t*25)':y=1"),
    ("x='st(0,ld(0)+1)*3-14':y='t-h/2'", "x='st(0,ld(0)+1)*3-14':y='t-h/2'"),
];

/// So many random frames of a format, one after another.
fn noise(random: &mut Random, kind: Kind, size: (usize, usize), count: usize) -> Vec<Vec<u64>> {
    let samples: usize = kind.planes().iter().map(|(x, y)| size.0.div_ceil(*x) * size.1.div_ceil(*y)).sum();
    (0..count).map(|_| (0..samples).map(|_| random.below(kind.most() + 1)).collect()).collect()
}

fn write(bench: &Bench, kind: Kind, clip: &[Vec<u64>]) {
    let bytes: Vec<u8> = clip.iter().flat_map(|frame| kind.bytes(frame)).collect();
    fs::write(bench.path("in.raw"), bytes).unwrap();
}

#[test]
fn stills_have_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut random = Random::new(93);
    for kind in KINDS.into_iter().filter(|kind| kind.peer.is_some()) {
        let Some((picture, blending)) = kind.peer else { continue };
        let size = (random.range(20..=90), random.range(10..=50));
        write(&bench, kind, &noise(&mut random, kind, size, 6));
        let logo = {
            let (width, height) = (random.range(1..=60), random.range(1..=40));
            Logo::new(&mut random, width, height)
        };
        logo.write(&bench, "logo.png");
        let opacity = logo.opacity(kind, 1.0);
        let colours = (0..3).flat_map(|plane| logo.plane(kind, plane, &opacity).0);
        let planes: Vec<u64> = colours.chain(opacity.iter().copied()).collect();
        fs::write(bench.path("planes.raw"), kind.bytes(&planes)).unwrap();
        let [frame, layer] = [size, (logo.width, logo.height)].map(|(width, height)| format!("{width}x{height}"));
        for (here, there) in PATHS {
            let format = format!("{}:{frame}@25", kind.name);
            let ours = raw(&bench, "in.raw", &format!("overlay=logo.png:{here}"), &["--raw", &format]);
            let graph = format!("[0][1]overlay={there}:format={blending}");
            let from = ["-cpuflags", "0", "-f", "rawvideo", "-pix_fmt", kind.name, "-s", &frame, "-i", "in.raw"];
            let beside = ["-f", "rawvideo", "-pix_fmt", picture, "-s", &layer, "-i", "planes.raw"];
            let made = ["-filter_complex", &graph, "-f", "rawvideo", "-pix_fmt", kind.name, "-"];
            let theirs = bench.ffmpeg(&[&from[..], &beside, &made].concat());
            assert!(!ours.is_empty() && ours == theirs, "{here}: {layer} over {} {frame}", kind.name);
        }
    }
}

#[test]
fn clips_have_ffmpegs_bytes() {
    let bench = Bench::new();
    let mut random = Random::new(94);
    for (index, (first, second, blending)) in PAIRS.into_iter().enumerate() {
        let mut side = |least, most| random.range(least..=most);
        let (size, other) = ((side(16, 90), side(16, 50)), (side(16, 60), side(16, 40)));
        make(&bench, "a.mkv", first, &format!("{}x{}", size.0, size.1), 25, 6);
        make(&bench, "b.mkv", second, &format!("{}x{}", other.0, other.1), 25, 6);
        for (here, there) in PATHS.into_iter().skip(index % 2).step_by(2) {
            let ours = raw(&bench, "a.mkv", &format!("overlay=b.mkv:{here}"), &[]);
            let graph = format!("[0][1]overlay={there}:format={blending},format={first}");
            let theirs = theirs(&bench, ["a.mkv", "b.mkv"], &graph);
            assert!(!ours.is_empty() && ours == theirs, "{here}: {second} of {other:?} over {first} of {size:?}");
        }
    }
}

/// Every format, also those that FFmpeg's `overlay` has not, at places that are typed.
#[test]
fn the_definition_gives_the_same() {
    let bench = Bench::new();
    let mut random = Random::new(95);
    for kind in KINDS {
        let size = (random.range(1..=90), random.range(1..=50));
        let clip = noise(&mut random, kind, size, 5);
        write(&bench, kind, &clip);
        let logo = {
            let (width, height) = (random.range(1..=60), random.range(1..=40));
            Logo::new(&mut random, width, height)
        };
        logo.write(&bench, "logo.png");
        let places: Vec<(i64, i64)> =
            (0..5).map(|_| (random.range(0..=150) as i64 - 60, random.range(0..=90) as i64 - 40)).collect();
        let typed = |of: fn(&(i64, i64)) -> i64| {
            places
                .iter()
                .enumerate()
                .map(|(n, place)| format!("eq(n,{n})*({})", of(place)))
                .collect::<Vec<_>>()
                .join("+")
        };
        let chain =
            format!("overlay=logo.png:x='{}':y='{}':opacity=0.7", typed(|place| place.0), typed(|place| place.1));
        let ours = raw(&bench, "in.raw", &chain, &["--raw", &format!("{}:{}x{}@25", kind.name, size.0, size.1)]);
        let frame = |(frame, place): (&Vec<u64>, &(i64, i64))| kind.bytes(&laid(kind, frame, size, &logo, *place, 0.7));
        let wanted: Vec<u8> = clip.iter().zip(&places).flat_map(frame).collect();
        assert!(ours == wanted, "{} {size:?}, {}x{} at {places:?}", kind.name, logo.width, logo.height);
    }
}

/// Numbers and times are those of the whole clip.
#[test]
fn parts_and_chunks_are_slices() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "62x42", 25, 60);
    make(&bench, "b.mkv", "yuva420p", "21x17", 10, 20);
    Logo::new(&mut Random::new(8), 21, 15).write(&bench, "logo.png");
    for chain in [
        "tmix=3,overlay=b.mkv:x='n*2-20':y='t*20':opacity=0.8,overlay=logo.png:x='W-t*40':y=4,gaussian=1",
        "overlay=logo.png:x='mod(n*5,W)':y='H-t*30':enable='mod(n,3)',scale=31:21,overlay=logo.png:x='t*9':width=9",
        "bwdif=1,overlay=logo.png:x=n:y='t*9'",
    ] {
        let sums = |more: &[&str]| -> Vec<String> {
            let all = ["a.mkv", "hash:", "-q", "--backend", "cpu", "--fields", "frame", "-f", chain];
            timed_checksums(&bench.pass(&[&all[..], more].concat())).into_iter().map(|(_, sum)| sum).collect()
        };
        let whole = sums(&[]);
        let parts = [("--start=#0", "17"), ("--start=#17", "1"), ("--start=#18", "42")];
        let parts: Vec<_> = parts.iter().flat_map(|(start, count)| sums(&[start, "--frames", count])).collect();
        assert_eq!(parts, whole, "{chain}");
        assert_eq!(sums(&["--threads", "3"]), whole, "{chain}");
        if !chain.starts_with("bwdif") {
            let chunks: Vec<_> = ["1/3", "2/3", "3/3"].iter().flat_map(|chunk| sums(&["--chunk", chunk])).collect();
            assert_eq!(chunks, whole, "{chain}");
        }
    }
    // A part of a place with a state begins with the clip; a chunk cannot.
    let recalls = "overlay=logo.png:x='if(isnan(x),0,x+1)+0*t'";
    let whole = raw(&bench, "a.mkv", recalls, &[]);
    let part = raw(&bench, "a.mkv", recalls, &["--start=#50", "--frames", "3"]);
    let bytes = whole.len() / 60;
    assert!(part == whole[50 * bytes..53 * bytes]);
    let said = bench.refuse(&["a.mkv", "out.mkv", "--chunk", "2/3", "-f", recalls]);
    assert!(said.contains("x=if(isnan(x),0,x+1)+0*t, y=0 keeps state from the clip's first frame"), "{said}");
}

fn planned(chain: &str, format: &Format) -> Plan {
    let chain = chain.replace("LOGO", &sample("logo.png").to_string_lossy());
    plan(&parse(&chain, &Defaults::default()).unwrap(), &Arc::new(format.clone())).unwrap()
}

/// Places are made before frames are shared out, so that several backends have those of one.
#[test]
fn runs_are_slices() {
    let format = Format::new(Pixel::yuv420p(8), 70, 41, Rational::new(25, 1));
    let mut random = Random::new(96);
    let given = frames(&format, &clip(&format, 40, |_, _, _, _| random.below(256) as f32), &Pool::heap());
    let planes = |frames: &[Frame]| -> Vec<Vec<Vec<f32>>> {
        frames.iter().map(|frame| (0..3).map(|plane| samples(frame, plane)).collect()).collect()
    };
    let still = planes(&through(&planned("overlay=LOGO:width=30", &format), &given));
    for chain in [
        "overlay=LOGO:x='n*3-20':y='t*20':width=30",
        "tmix=3,overlay=LOGO:x='if(isnan(x),-30,x+1)+0*n':width=30,tmix=5,overlay=LOGO:x=9:y='H-40*t':width=20",
        "overlay=LOGO:x='n*3-20':width=30:enable='mod(n,2)',bwdif=1,overlay=LOGO:x='t*50':y=20:width=9",
    ] {
        let plan = planned(chain, &format);
        let wanted = planes(&through(&plan, &given));
        assert!(wanted != still, "{chain}");
        for (lanes, run_frames) in [(1, 1), (2, 3), (3, 5)] {
            let sharing = Sharing { run_frames, when_lost: WhenLost::Fail };
            assert!(planes(&shared(&plan, &given, lanes, sharing)) == wanted, "{chain} in runs of {run_frames}");
        }
    }
    for chain in ["fps=60,overlay=LOGO:x=n", "bwdif=1,overlay=LOGO:x='st(0,t)'"] {
        let plan = planned(chain, &format);
        assert_eq!(plan.margin().before, u64::MAX, "{chain}");
        let sharing = Sharing { run_frames: 8, when_lost: WhenLost::Fail };
        let error = try_shared(&plan, &given, 2, sharing).expect_err(chain).to_string();
        assert!(error.contains(", y=0 counts frames behind a filter") && error.contains("leave out --gpus"), "{error}");
    }
    assert!(planned("overlay=LOGO:x=n", &format).margin().counts);
    assert_eq!(planned("overlay=LOGO:x=t", &format).margin(), Default::default());
}

/// Places are those of frames as they are shown.
#[test]
fn turned_clips_have_it_upright() {
    let bench = Bench::new();
    make(&bench, "b.mkv", "yuva420p", "21x17", 25, 10);
    Logo::new(&mut Random::new(8), 21, 15).write(&bench, "logo.png");
    for matrix in [[0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [0, 1, 1, 0]] {
        for (size, pixel) in [("64x36", "yuv420p"), ("64x36", "yuv420p10le"), ("62x34", "yuv444p")] {
            turn::clip(&bench, size, pixel, matrix, "turned.mp4");
            bench.ffmpeg(&["-y", "-i", "turned.mp4", "-c:v", "ffv1", "upright.mkv"]);
            for picture in ["b.mkv", "logo.png"] {
                let chain = format!("overlay={picture}:x='n*19-16':y='H-9-t*200'");
                let seen = raw(&bench, "turned.mp4", &chain, &[]);
                assert!(seen == raw(&bench, "upright.mkv", &chain, &[]), "{matrix:?} {size} {pixel} {picture}");
            }
        }
    }
}

/// What a place cannot be is said in one line, with the frame where it is not known before.
#[test]
fn faults_are_told_in_one_line() {
    let bench = Bench::new();
    make(&bench, "a.mkv", "yuv420p", "64x48", 25, 4);
    Logo::new(&mut Random::new(8), 21, 15).write(&bench, "logo.png");
    for (values, fault) in [
        ("width=10*t", "width=10*t of overlay is not an expression"),
        ("width=10*t", "the size is the same for all frames: type it without n and t"),
        ("height='h+n'", "type it without n and t"),
        ("x=pos", "type a place of n or t"),
        ("x=n+wide", "n, t (luma pixels)"),
    ] {
        let said = bench.refuse(&["a.mkv", "out.mkv", "-f", &format!("overlay=logo.png:{values}")]);
        assert!(said.contains(fault), "{values}: {said}");
    }
    let said = bench.fail(&["a.mkv", "out.mkv", "-f", "overlay=logo.png:y='n+if(eq(n,2),while(1,1),0)'"]);
    assert!(said.contains("overlay=logo.png:y='n+if(eq(n,2),while(1,1),0)'"), "{said}");
    assert!(said.contains("on frame 2") && said.contains("its loops did not end"), "{said}");
    make(&bench, "b.mkv", "yuva420p", "16x16", 25, 2);
    let said = bench.fail(&["a.mkv", "out.mkv", "-f", "overlay=b.mkv:width=16:height=9000:y=n"]);
    assert!(said.contains("b.mkv, 16x9000, is too large to move; type a smaller width and height"), "{said}");
    // Numbers that no place has are outside.
    let untouched = bench.pass(&["a.mkv", "-", "--container", "raw", "-q", "--backend", "cpu"]);
    for place in ["x='1e300+t'", "x='-1e300-n'", "y='n/0'", "y='0/0+n'", "x='W+t'", "y='-h-n'"] {
        assert!(raw(&bench, "a.mkv", &format!("overlay=logo.png:{place}"), &[]) == untouched, "{place}");
    }
}
