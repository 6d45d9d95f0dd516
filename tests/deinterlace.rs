//! Deinterlacers in jobs: which frames they get, and how the output is tagged.

use std::fs;
use std::sync::Arc;

use warpreel::engine::Engine;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{FieldOrder, Format, Frame, FrameFields, Pixel, Rational, Timing};
use warpreel::plan::plan;

use crate::agreement::Random;
use crate::program::{Bench, timed_checksums};

const FILTERS: [&str; 3] = ["bwdif=mode=send_frame", "yadif", "w3fdif=mode=frame"];

/// A clip of noise of that field order.
fn make(bench: &Bench, fields: &str) {
    let mut random = Random::new(7);
    let mut clip = format!("YUV4MPEG2 W32 H24 F25:1 I{fields} A1:1 C420mpeg2\n").into_bytes();
    for _ in 0..6 {
        clip.extend(b"FRAME\n");
        clip.extend((0..32 * 24 * 3 / 2).map(|_| random.below(256) as u8));
    }
    fs::write(bench.path("in.y4m"), clip).unwrap();
}

fn tag(bench: &Bench, chain: &str, options: &[&str]) -> String {
    let out = bench.pass(&[&["in.y4m", "-", "-q", "--backend", "cpu", "-f", chain], options].concat());
    let line = out.split(|&byte| byte == b'\n').next().unwrap();
    let words = String::from_utf8(line.to_vec()).unwrap();
    words.split(' ').find(|word| word.starts_with('I')).unwrap().to_owned()
}

#[test]
fn output_is_progressive_unless_a_part_stays_interlaced() {
    let bench = Bench::new();
    for fields in ["t", "b"] {
        make(&bench, fields);
        for chain in FILTERS {
            assert_eq!(tag(&bench, chain, &[]), "Ip", "{chain}");
            assert_eq!(tag(&bench, &format!("{chain},gaussian=1"), &[]), "Ip", "{chain}");
            assert_eq!(tag(&bench, chain, &["--compare", "split"]), format!("I{fields}"), "{chain}");
        }
        for part in ["planes=y", "roi=8x8+0+0", "mix=0.5"] {
            assert_eq!(tag(&bench, &format!("yadif={part}"), &[]), format!("I{fields}"), "{part}");
        }
        assert_eq!(tag(&bench, "yadif=planes=y,yadif=planes=uv", &[]), "Ip");
    }
}

#[cfg(feature = "libav")]
#[test]
fn encoders_and_conditions_know_it() {
    let bench = Bench::new();
    make(&bench, "t");
    assert_eq!(tag(&bench, "yadif=enable='lt(n,3)'", &[]), "It");
    for (chain, order) in [("yadif", "progressive"), ("yadif=planes=y", "tt")] {
        for codec in ["ffv1", "libx264"] {
            bench.pass(&["in.y4m", "out.mkv", "-y", "-q", "--codec", codec, "-f", chain]);
            let stream = ["-v", "error", "-show_entries", "stream=field_order", "-of", "csv=p=0", "out.mkv"];
            let output = bench.run("ffprobe", &stream, &[]);
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), order, "{chain}, {codec}");
        }
    }
}

/// Chunks that were deinterlaced make a progressive clip.
#[cfg(feature = "libav")]
#[test]
fn joined_chunks_are_progressive() {
    let bench = Bench::new();
    make(&bench, "t");
    bench.pass(&["in.y4m", "in.mkv", "-q", "--codec", "ffv1"]);
    for (chain, tag) in [("yadif", "Ip"), ("gaussian=1", "It")] {
        for chunk in [1, 2] {
            let (place, part) = (format!("{chunk}/2"), format!("part{chunk}.mkv"));
            bench.pass(&["in.mkv", &part, "-y", "-q", "--lossless", "--chunk", &place, "-f", chain]);
        }
        let whole = bench.pass(&["in.mkv", "-", "-q", "--container", "y4m", "-f", chain]);
        let joined = bench.pass(&["in.mkv", "-", "-q", "--container", "y4m", "--chunks-from", "part%d.mkv"]);
        let head = String::from_utf8_lossy(&joined[..60]).into_owned();
        assert!(head.contains(&format!(" {tag} ")), "{chain}: {head}");
        assert!(joined == whole, "{chain}");
    }
}

/// Behind a deinterlacer frames are progressive, as in FFmpeg.
#[test]
fn deinterlaced_frames_are_not_marked() {
    let bench = Bench::new();
    make(&bench, "b");
    let run = |chain: &str| bench.pass(&["in.y4m", "-", "-q", "--container", "raw", "--backend", "cpu", "-f", chain]);
    for chain in FILTERS {
        assert!(run(&format!("{chain},yadif=deint=interlaced")) == run(chain), "{chain}");
        // The next one takes the top field as the first, as of any progressive frame.
        assert!(run(&format!("{chain},yadif")) == run(&format!("{chain},yadif=parity=tff")), "{chain}");
    }
}

#[test]
fn whole_frames_are_filtered() {
    let bench = Bench::new();
    make(&bench, "t");
    let run = |chain: &str, options: &[&str]| {
        bench.pass(&[&["in.y4m", "-", "-q", "--container", "raw", "--backend", "cpu", "-f", chain], options].concat())
    };
    for chain in FILTERS {
        let both = format!("{chain},gaussian=1");
        assert!(run(&both, &[]) == run(&both, &["--fields", "frame"]), "{both}");
        let err = bench.refuse(&["in.y4m", "null:", "-f", &format!("gaussian=1,{chain}")]);
        let name = chain.split('=').next().unwrap();
        assert!(err.contains(&format!("gaussian before {name} would mix")) && err.contains("--fields frame"), "{err}");
        let err = bench.refuse(&["in.y4m", "null:", "--fields", "separate", "-f", chain]);
        assert!(err.contains("leave out --fields separate"), "{err}");
        run(&format!("gaussian=1,{chain}"), &["--fields", "frame"]);
    }
}

/// One for one, and two for one.
const MODES: [&str; 6] =
    ["bwdif=mode=send_frame", "yadif", "w3fdif=mode=frame", "bwdif", "yadif=mode=send_field", "w3fdif=filter=simple"];

#[test]
fn what_is_not_offered_says_what_to_type() {
    let bench = Bench::new();
    make(&bench, "t");
    let said = "\"w3fdif\" makes two frames of one, and a chunk takes one for one; type mode=frame";
    let err = bench.refuse(&["in.y4m", "null:", "-f", "w3fdif", "--chunk", "1/2"]);
    assert!(err.contains(said), "{err}");
    for chain in ["bwdif=mix=0.5", "w3fdif=roi=8x8+0+0"] {
        let error = parse(chain, &Defaults::default()).expect_err(chain).to_string();
        assert!(error.contains("type mode=send_frame (w3fdif: mode=frame)"), "{error}");
    }
}

/// Frames of fields are shown midway to the next frame, as far behind the last one as it is behind the one before; parts are
/// slices of the whole.
#[test]
fn fields_are_shown_when_ffmpeg_shows_them() {
    let bench = Bench::new();
    let source = "testsrc2=size=64x48:rate=25,noise=alls=30:allf=t,setfield=tff,setpts='(N+floor(N/3)*2)/25/TB'";
    let frames = ["-f", "lavfi", "-i", source, "-frames:v", "9", "-fps_mode", "passthrough", "-pix_fmt", "yuv420p"];
    bench.ffmpeg(&[&frames[..], &["-c:v", "ffv1", "-level", "3", "in.mkv"]].concat());
    for filter in ["bwdif", "yadif=1", "w3fdif"] {
        let theirs = ["-i", "in.mkv", "-vf", filter, "-fps_mode", "passthrough", "-f", "framemd5", "-"];
        let theirs = timed_checksums(&bench.ffmpeg(&theirs));
        let run = |options: &[&str]| {
            timed_checksums(
                &bench.pass(&[&["in.mkv", "hash:", "-q", "--backend", "cpu", "-f", filter], options].concat()),
            )
        };
        let ours = run(&[]);
        assert_eq!(ours.len(), 18);
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert!((ours.0 - theirs.0).abs() < 1e-3 && ours.1 == theirs.1, "{filter} {number}: {ours:?}, {theirs:?}");
        }
        let part = run(&["--start", "#2", "--frames", "4"]);
        let sums = |rows: &[(f64, String)]| rows.iter().map(|(_, sum)| sum.clone()).collect::<Vec<_>>();
        assert_eq!(sums(&part), sums(&ours[4..12]), "{filter}");
        for (part, whole) in part.iter().zip(&ours[4..12]) {
            assert!((part.0 + ours[4].0 - whole.0).abs() < 1e-3, "{filter}: {part:?}, {whole:?}");
        }
    }
}

/// Filters behind see a clip of twice as many frames, with numbers and times of its own: a chain is one run after the other.
#[test]
fn a_chain_sees_the_frames_of_fields() {
    let bench = Bench::new();
    make(&bench, "t");
    let raw = |input: &str, chain: &str, options: &[&str]| {
        let call = [input, "-", "-q", "--container", "yuv4mpegpipe", "--backend", "cpu", "-f", chain];
        bench.pass(&[&call[..], options].concat())
    };
    let behind = [
        "tmix=3",
        "invert=enable='mod(n,2)'",
        "tmix=5:scene=0.1,invert=enable='gt(t,0.05)*lt(t,0.11)'",
        "scale=32:24:enable=1",
        "deflicker=size=3",
        "bm3d=radius=1:block_step=8",
        "yadif=mode=send_field:parity=bff,tmix=3",
    ];
    for fields in ["bwdif", "yadif=1:enable='lt(n,3)'", "w3fdif=deint=interlaced", "yadif=mode=send_field:planes=y"] {
        std::fs::write(bench.path("fields.y4m"), raw("in.y4m", fields, &[])).unwrap();
        for chain in behind {
            let chain = chain.replace(":enable=1", "");
            // Fields that are left are those of the clip in one run, and whole frames in the other.
            let once = raw("in.y4m", &format!("{fields},{chain}"), &["--fields", "frame"]);
            let twice = raw("fields.y4m", &chain, &["--fields", "frame"]);
            assert!(once == twice, "{fields},{chain}: {} and {} bytes", once.len(), twice.len());
        }
    }
}

#[test]
fn an_original_is_compared_with_both_frames_of_it() {
    let bench = Bench::new();
    make(&bench, "t");
    let rows = |chain: &[&str]| {
        let call =
            [&["in.y4m", "-", "-q", "--container", "raw", "--backend", "cpu", "--fields", "frame"], chain].concat();
        bench.pass(&call)
    };
    let (originals, made) = (rows(&[]), rows(&["-f", "bwdif"]));
    let both = rows(&["-f", "bwdif", "--compare", "side"]);
    assert_eq!(both.len() % made.len(), 0, "pictures are wider");
    assert_eq!(made.len(), 2 * originals.len());
    let wide = both.len() / made.len();
    assert!(wide >= 2 && both.len() == wide * made.len());
}

#[test]
fn a_clip_that_is_not_marked_is_remarked_on() {
    let bench = Bench::new();
    make(&bench, "p");
    for (chain, warns) in [("yadif", true), ("yadif=parity=bff", false), ("yadif=deint=interlaced", false)] {
        let output = bench.warpreel(&["in.y4m", "null:", "--backend", "cpu", "-f", chain]);
        let said = String::from_utf8_lossy(&output.stderr).contains("type parity=bff if motion judders");
        assert_eq!(said, warns, "{chain}");
    }
}

/// Frames of rows `10 · number` and `10 · number + 1` in turns.
fn frame(format: &Arc<Format>, number: u8, fields: Option<FrameFields>) -> Frame {
    let samples = (0..format.height).map(|y| 10 * number + (y % 2) as u8).collect();
    Frame::from_samples(format, Timing { fields, ..Timing::at(number.into()) }, samples).unwrap()
}

/// Flags come from the frame, and from the clip where it has none; what passes through is the frame itself.
#[test]
fn an_engine_heeds_flags() {
    let pixel = Pixel::gray(8);
    let format = Arc::new(Format { fields: FieldOrder::BottomFirst, ..Format::new(pixel, 1, 9, Rational::new(25, 1)) });
    let mut engine = Engine::cpu("yadif=deint=interlaced", &format).unwrap();
    let interlaced = |top_first| Some(FrameFields { is_interlaced: true, top_first, repeats: false });
    let progressive = |repeats| Some(FrameFields { repeats, ..FrameFields::default() });
    let all = [None, interlaced(true), interlaced(false), progressive(false), interlaced(true), progressive(true)];
    let frames: Vec<Frame> = all.iter().zip(0..).map(|(fields, number)| frame(&format, number, *fields)).collect();
    let given: Vec<_> = frames.iter().map(|frame| frame.host().unwrap().bytes().as_ptr()).collect();
    let made = engine.clip(frames).unwrap();
    // The field that stays is not changed; which of them it is shows where nothing moves within the frame.
    let kept = |frame: &Frame| {
        let plane = frame.host().unwrap().plane::<u8>(0);
        let base = 10 * frame.timing.number as u8;
        [0, 1].map(|field: u8| (usize::from(field)..9).step_by(2).all(|y| plane.row(y)[0] == base + field))
    };
    let found: Vec<_> = made.iter().map(kept).collect();
    assert_eq!(found[..3], [[false, true], [true, false], [false, true]]);
    // A progressive frame passes through, and so does one beside a progressive frame that repeats a field.
    for number in [3, 4, 5] {
        assert_eq!(made[number].host().unwrap().bytes().as_ptr(), given[number], "frame {number}");
    }
    assert!(made.iter().all(|frame| frame.format().fields == FieldOrder::Progressive));
    assert!(made.iter().all(|frame| frame.timing.fields.is_none()));
}

/// The first frame of a scene is rebuilt as the first of a clip, unless it is the only one.
#[test]
fn scenes_are_clips() {
    let format = Arc::new(Format::new(Pixel::gray(8), 16, 16, Rational::new(25, 1)));
    let mut random = Random::new(3);
    let mut of = |level: u8| -> Vec<u8> { (0..256).map(|_| level + random.below(40) as u8).collect() };
    let clip: Vec<Vec<u8>> = [10, 10, 10, 200, 200, 10, 10].map(&mut of).into();
    let run = |chain: &str, frames: &[Vec<u8>]| -> Vec<Vec<u8>> {
        let mut engine = Engine::cpu(chain, &format).unwrap();
        let frames = frames.iter().zip(0..);
        let frames =
            frames.map(|(samples, number)| Frame::from_samples(&format, Timing::at(number), samples.clone()).unwrap());
        let made = engine.clip(frames).unwrap();
        made.iter().map(|frame| frame.host().unwrap().rows(0).flatten().copied().collect()).collect()
    };
    for filter in MODES {
        let mark = if filter.contains('=') { ':' } else { '=' };
        let scenes = run(&format!("{filter}{mark}scene=0.3"), &clip);
        let apart = [&clip[..3], &clip[3..5], &clip[5..]].map(|scene| run(filter, scene)).concat();
        assert!(scenes == apart, "{filter}");
        assert!(scenes != run(filter, &clip), "{filter}");
    }
}

/// A plan says what the frames become.
#[test]
fn a_plan_knows_the_fields_of_its_output() {
    let format =
        Format { fields: FieldOrder::TopFirst, ..Format::new(Pixel::yuv420p(8), 32, 32, Rational::new(25, 1)) };
    let format = Arc::new(format);
    for (chain, progressive) in
        [("yadif", true), ("gaussian=1", false), ("yadif=planes=u", false), ("invert,yadif", true)]
    {
        let plan = plan(&parse(chain, &Defaults::default()).unwrap(), &format).unwrap();
        let wanted = if progressive { FieldOrder::Progressive } else { FieldOrder::TopFirst };
        assert_eq!(plan.output().fields, wanted, "{chain}");
        assert_eq!(plan.explain(None).to_string().contains("output: progressive"), progressive, "{chain}");
    }
}
