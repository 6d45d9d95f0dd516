//! Chunks of a clip: together they are what one run makes, byte for byte.

use std::ops::Range;
use std::process::Command;

use serde_json::Value;
use warpreel::job::{ChunkFeed, Job, Request, StoredChunk};

use crate::agreement::Random;
use crate::container::turn::clip as turned_clip;
use crate::program::{Bench, checksums};

pub const FRAMES: usize = 37;

/// A clip of moving bars with noise and two cuts, `frames` long, stored as `codec` says.
pub fn make(bench: &Bench, name: &str, frames: usize, codec: &str) {
    let mut random = Random::new(frames as u64);
    let mut clip = b"YUV4MPEG2 W32 H20 F25:1 Ip A1:1 C420jpeg\n".to_vec();
    for frame in 0..frames {
        let base = [40, 150, 90][3 * frame / frames.max(1)] + 5 * (frame % 4);
        clip.extend(b"FRAME\n");
        clip.extend((0..32 * 20 * 3 / 2).map(|at| (base + (at + frame) % 31 + random.below(20) as usize) as u8));
    }
    std::fs::write(bench.path("in.y4m"), clip).unwrap();
    if name != "in.y4m" {
        let arguments = format!("-i in.y4m {codec} {name}");
        bench.ffmpeg(&arguments.split_whitespace().collect::<Vec<_>>());
    }
}

/// The checksums of what becomes of a clip, with their times.
fn rows(bench: &Bench, clip: &str, chain: &str, more: &[&str]) -> Vec<String> {
    let all = [&[clip, "hash:", "-q", "--backend", "cpu", "-f", chain], more].concat();
    checksums(&bench.pass(&all))
}

/// Compares all chunks of a clip with what one run makes of it.
fn compare(bench: &Bench, clip: &str, chain: &str, count: usize, more: &[&str]) {
    let whole = rows(bench, clip, chain, more);
    let mut got = Vec::new();
    for index in 1..=count {
        got.extend(rows(bench, clip, chain, &[more, &["--chunk", &format!("{index}/{count}")]].concat()));
    }
    assert!(got == whole, "{clip} through {chain:?} in {count} with {more:?}: {got:#?} for {whole:#?}");
}

fn json(bench: &Bench, arguments: &[&str]) -> Value {
    serde_json::from_slice(&bench.pass(&[&["explain"], arguments, &["--json"]].concat())).unwrap()
}

/// Groups that are closed, open, without end, of one frame; times that are not even; no index, no key frames, images.
#[test]
fn of_all_kinds_of_clips() {
    let mut random = Random::new(5);
    for (name, codec) in [
        ("in.y4m", ""),
        ("closed.mkv", "-c:v libx264 -qp 0 -g 7 -bf 3"),
        ("open.mp4", "-c:v libx264 -qp 0 -g 9 -bf 3 -x264-params open-gop=1:scenecut=0"),
        ("endless.mkv", "-c:v libx264 -qp 0 -g 999 -sc_threshold 0"),
        ("hevc.mp4", "-c:v libx265 -x265-params lossless=1:keyint=8:open-gop=1:log-level=none"),
        ("all.avi", "-c:v ffv1"),
        ("mpeg4.avi", "-c:v mpeg4 -q:v 2 -g 8 -bf 2"),
        ("late.ts", "-c:v libx264 -qp 0 -g 10 -bf 2 -muxdelay 3"),
        ("uneven.mkv", "-vf select='not(eq(mod(n,5),3))' -fps_mode vfr -c:v libx264 -qp 0 -g 6 -bf 2"),
        ("late.mp4", "-f lavfi -i anullsrc=d=2 -map 0 -map 1 -c:a aac -output_ts_offset 1.7 -c:v libx264 -g 8 -bf 2"),
        ("vp9.webm", "-c:v libvpx-vp9 -b:v 200k -g 9 -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 16"),
        ("one.nut", "-frames:v 1 -c:v ffv1"),
        ("image%02d.png", ""),
    ] {
        let bench = Bench::new();
        make(&bench, name, FRAMES, codec);
        for (chain, most) in [("tmix=frames=7,tmedian=1", 6), ("gaussian=1", 9)] {
            let frames = rows(&bench, name, chain, &[]).len();
            compare(&bench, name, chain, random.range(1..=most).min(frames), &[]);
        }
    }
}

/// What is known of a clip beyond a frame's window: times, numbers, scenes, brightness, fields.
#[test]
fn of_all_kinds_of_chains() {
    let bench = Bench::new();
    make(&bench, "in.mp4", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let mut random = Random::new(6);
    for chain in [
        r"invert=enable='between(t\,0.5\,1.2)'",
        r"invert=enable='gt(mod(n\,3)\,0)'",
        r"tmix=frames=5:enable='gt(n\,20)':mix=0.4,deflicker=size=9",
        r"tmix=frames=5:scene=0.2,tmedian=2:scene=0.2,tdiff,deflicker=size=6:scene=0.2",
        "tmix=frames=129",
        "nlmeans=r=3:p=3:frames=1",
        "degrain=frames=2",
    ] {
        compare(&bench, "in.mp4", chain, random.range(2..=5), &[]);
    }
    compare(&bench, "in.mp4", "tmix=5,gaussian=1", 4, &["--fields", "separate"]);
    compare(&bench, "in.mp4", "tmix=5", 4, &["--compare", "side"]);
}

/// Chunks are of what is left by a cut, and see what lies around it.
#[test]
fn of_a_part() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let cuts: [&[&str]; 4] =
        [&["--start", "0.3", "--frames", "20"], &["--start=#7", "--end=#30"], &["--frames", "11"], &["--start", "0.5"]];
    for cut in cuts {
        for clip in ["in.mkv", "in.y4m"] {
            compare(&bench, clip, r"tmix=frames=9,invert=enable='gt(mod(n\,3)\,0)'", 3, cut);
        }
    }
}

/// Any number of chunks up to that of frames: they lie side by side, begin at key frames where there are some near, and are
/// about as long as each other.
#[test]
fn seams() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 5 -sc_threshold 0");
    for count in 1..=FRAMES {
        let told = json(&bench, &["in.mkv", "-f", "tmix=5", "--chunk", &count.to_string()]);
        let number = |chunk: &Value, key: &str| chunk[key].as_u64().unwrap() as usize;
        let chunks = told["chunks"].as_array().unwrap();
        assert_eq!(chunks.len(), count);
        let mut next = 0;
        for (index, chunk) in chunks.iter().enumerate() {
            let (first, frames) = (number(chunk, "first"), number(chunk, "frames"));
            assert_eq!((first, &chunk["chunk"]), (next, &Value::from(format!("{}/{count}", index + 1))));
            next += frames;
            let (before, after) = (first.min(2), (FRAMES - next).min(2));
            assert_eq!((number(chunk, "before"), number(chunk, "after")), (before, after), "{chunk}");
            assert_eq!(number(chunk, "key_frame"), (first - before) / 5 * 5, "{chunk}");
            assert!(frames >= 1 && frames < 2 * FRAMES.div_ceil(count) + 1, "{chunk}");
            // With five or six frames in a chunk each seam has a key frame near it.
            assert!(!(2..=6).contains(&count) || first.is_multiple_of(5), "{chunk}");
        }
        assert_eq!(next, FRAMES);
    }
    let wanted = "37 frames cannot be cut into 38 chunks; type a number up to 37";
    assert!(bench.fail(&["in.mkv", "null:", "--chunk", "1/38"]).contains(wanted));
    assert!(bench.fail(&["explain", "in.mkv", "--chunk", "38"]).contains(wanted));
}

/// What `explain` says of a chunk can be typed instead, and `--stats` has what FFmpeg says of the file.
#[test]
fn places_and_sums() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let chain = r"tmix=3,invert=enable='gt(mod(n\,3)\,0)'";
    let told = json(&bench, &["in.mkv", "-f", chain, "--chunk", "2/3"]);
    let place = told["chunks"][0]["place"].as_str().unwrap();
    let options = ["-f", chain, "--backend", "cpu", "-q", "--stats", "stats.json", "-y"];
    for (output, choice) in [("a.nut", "2/3"), ("b.nut", place)] {
        bench.pass(&[&["in.mkv", output, "--lossless", "--chunk", choice], &options[..]].concat());
        let stats: Value = serde_json::from_slice(&std::fs::read(bench.path("stats.json")).unwrap()).unwrap();
        let documented = include_str!("../docs/cluster.md");
        let command = documented.split('`').find(|code| code.ends_with("| md5sum")).expect("a command that forms it");
        let mut shell = Command::new("sh");
        shell.current_dir(bench.path("")).args(["-c", &command.replace("part3.nut", output)]);
        let sum = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        assert_eq!(sum.split(' ').next(), stats["chunk"]["md5"].as_str());
        assert_eq!((&stats["frames"], &stats["chunk"]["place"]), (&told["chunks"][0]["frames"], &Value::from(place)));
    }
    assert!(std::fs::read(bench.path("a.nut")).unwrap() == std::fs::read(bench.path("b.nut")).unwrap());
    let job = json(&bench, &["in.mkv", "out.nut", "-f", chain, "--chunk", "2/3"]);
    assert_eq!(job["chunk"], told["chunks"][0]);
    let said = String::from_utf8(bench.pass(&["explain", "in.mkv", "-f", chain, "--chunk", "3"])).unwrap();
    let lines = said.lines().filter(|line| line.starts_with("chunk "));
    assert_eq!(lines.count(), 3, "{said}");
}

/// Pictures that are shown turned are turned once, where they are joined.
#[test]
fn of_a_turned_clip() {
    let bench = Bench::new();
    for matrix in [[0, 1, -1, 0], [-1, 0, 0, -1]] {
        turned_clip(&bench, "64x36", "yuv420p", matrix, "in.mp4");
        compare(&bench, "in.mp4", "tmix=3", 2, &[]);
        for (chunk, to) in [("part%d.nut", "mkv"), ("part%d.mkv", "mp4"), ("part%d.mp4", "avi")] {
            for index in 1..=2 {
                let (name, chosen) = (chunk.replace("%d", &index.to_string()), format!("{index}/2"));
                bench.pass(&["in.mp4", &name, "-f", "tmix=3", "--lossless", "--chunk", &chosen, "-y", "-q"]);
            }
            let [one, joined] = ["one", "joined"].map(|name| format!("{name}.{to}"));
            let encoding = ["--codec", "ffv1", "-q", "-y"];
            let encoding = if to == "mp4" { &encoding[2..] } else { &encoding[..] };
            bench.pass(&[&["in.mp4", &one, "-f", "tmix=3"], encoding].concat());
            bench.pass(&[&["in.mp4", &joined, "--chunks-from", chunk], encoding].concat());
            let shown = |name: &str| checksums(&bench.ffmpeg(&["-i", name, "-f", "framemd5", "-"]));
            assert_eq!(shown(&one), shown(&joined), "{chunk} {to}");
        }
    }
}

/// What no chunk can know, and what does not go together.
#[test]
fn refusals() {
    let bench = Bench::new();
    make(&bench, "in.y4m", 5, "");
    let chunk = ["in.y4m", "null:", "--chunk", "1/2"];
    let cases: [(&[&str], &str); 8] = [
        (&["-f", r"invert=enable='st(0\,ld(0)+1);lt(mod(ld(0)\,5)\,2)'"], "keeps state from the clip's first frame"),
        (&["-f", "degrain=vectors=v.json"], "every chunk would write vectors=\"v.json\""),
        (&["--audio", "all"], "cannot be used with"),
        (&["--chunks-from", "part%d.nut"], "cannot be used with"),
        (&["--start=#1", "--chunk", "1/2"], "cannot be used multiple times"),
        (&["-f", "denoise=light", "--chunk=3"], "cannot be used multiple times"),
        (&["--compare", "no"], "--compare \"no\" is unknown; type --compare side or split"),
        (&["--frames", "x"], "--frames \"x\" is not a number"),
    ];
    for (more, wanted) in cases {
        let said = bench.refuse(&[&chunk[..], more].concat());
        assert!(said.contains(wanted), "{more:?}: {said}");
    }
    for text in ["3", "a/3", "1/", "/3", "1/3@", "1/3@0+0:0..9", "1/3@0+4:9..9", "1/3@-1+4:0..9", "+1/3"] {
        let said = bench.refuse(&["in.y4m", "null:", "--chunk", text]);
        assert!(said.contains(&format!("--chunk {text:?} is not a chunk; type --chunk 1/")), "{said}");
    }
    for text in ["0/3", "4/3"] {
        let said = bench.refuse(&["in.y4m", "null:", "--chunk", text]);
        assert!(said.contains("of 3; type --chunk 1/3 to 3/3"), "{said}");
    }
    for text in ["1/3@0+4:-9..", "9/9@999999999999999999+1:0..", "2/2@4+9:4..", "2/2@4+9:4..1152921504606846000"] {
        let output = bench.warpreel(&["in.y4m", "null:", "--chunk", text]);
        assert!(output.status.code().is_some_and(|code| code < 2), "{text}: {output:?}");
    }
    let clip = std::fs::read(bench.path("in.y4m")).unwrap();
    let piped = bench.run(crate::program::binary(), &["-", "null:", "--chunk", "1/2"], &clip);
    assert!(String::from_utf8_lossy(&piped.stderr).contains("name a file to cut it into chunks"), "{piped:?}");
    make(&bench, "one.ts", 12, "-c:v libx264 -g 4 -bf 2");
    let once = std::fs::read(bench.path("one.ts")).unwrap();
    std::fs::write(bench.path("twice.ts"), [&once[..], &once[..]].concat()).unwrap();
    for index in 1..=2 {
        let said = bench.fail(&["twice.ts", "null:", "--chunk", &format!("{index}/2")]);
        assert!(
            said.contains("timestamps of \"twice.ts\" restart after 12 frames, so frames cannot be found by time"),
            "{said}"
        );
    }
    assert!(bench.refuse(&["in.y4m", "null:", "--chunks-from", "part.nut"]).contains("as in part%d.nut"));
    assert!(bench.fail(&["in.y4m", "null:", "--chunks-from", "part%d.nut"]).contains("chunk 1 of"));
    assert!(bench.refuse(&["explain", "--chunk", "3"]).contains("type warpreel explain INPUT --chunk"));
}

/// A lossless chunk holds every kind of pixel.
#[test]
fn of_every_pixel() {
    for format in [
        "gray",
        "gray12le",
        "yuv420p",
        "yuv411p",
        "yuv444p16le",
        "yuva444p10le",
        "gbrp",
        "gbrap12le",
        "gbrpf32le",
        "grayf32le",
        "rgb24",
    ] {
        let bench = Bench::new();
        let raw = format!("{format}:24x10@30000/1001");
        let random = &mut Random::new(9);
        let bytes: Vec<u8> = (0..24 * 10 * 16 * 6).map(|_| random.below(4) as u8).collect();
        std::fs::write(bench.path("in.raw"), bytes).unwrap();
        let one = |output: &str, more: &[&str]| {
            bench
                .pass(&[&["in.raw", output, "-y", "-q", "--backend", "cpu", "--salvage", "--raw", &raw], more].concat())
        };
        // No container of FFmpeg 5.1 has a place for floats.
        let ending = if format.contains("f32") { "raw" } else { "nut" };
        let chain = ["-f", "tmix=3"];
        let whole = one("-", &[&chain[..], &["--container", "raw"]].concat());
        for index in 1..=2 {
            one(
                &format!("part{index}.{ending}"),
                &[&chain[..], &["--lossless", "--chunk", &format!("{index}/2")]].concat(),
            );
        }
        assert!(one("-", &["--chunks-from", &format!("part%d.{ending}"), "--container", "raw"]) == whole, "{format}");
    }
}

/// Frames of another size, shape and chroma: chunks are slices, and what is joined is what one run makes, sound, tags and
/// times of a clip of uneven rate with it. The record in a chunk says what its frames are, also beside bare samples.
#[test]
fn of_frames_that_change() {
    let bench = Bench::new();
    let uneven = "-f lavfi -i sine=d=1.5 -map 0 -map 1 -c:a aac -vf select='not(eq(mod(n,5),3))',setsar=16/15 -fps_mode vfr \
                  -c:v libx264 -qp 0 -g 6 -bf 2";
    make(&bench, "in.mkv", FRAMES, uneven);
    let chains = [
        "tmix=5,scale=48:-2:lanczos,tmedian=1",
        "scale=28:18:chroma=444,tmix=3",
        "gaussian=1,crop=17:11:3:5:exact=1,tmix=3",
        "tmix=3,transpose=clock,tdiff",
        "vflip,pad=48:32:-1:-1",
    ];
    for (number, chain) in chains.into_iter().enumerate() {
        compare(&bench, "in.mkv", chain, 4, &[]);
        let common = ["-y", "-q", "--backend", "cpu"];
        let compared: &[&str] = if number == 0 { &["--compare", "side"] } else { &[] };
        let encodings = [&["--codec", "ffv1"][..], &["--codec", "libx264", "--crf", "25"]];
        let encodings = encodings.map(|encoding| [&common[..], encoding, compared].concat());
        let wanted = encodings.each_ref().map(|encoding| {
            bench.pass(&[&["in.mkv", "one.nut", "-f", chain], &encoding[..]].concat());
            std::fs::read(bench.path("one.nut")).unwrap()
        });
        for ending in ["nut", "mkv", "raw", "y4m"] {
            let pattern = format!("part%d.{ending}");
            let lossless: &[&str] = if ["raw", "y4m"].contains(&ending) { &[] } else { &["--lossless"] };
            for index in 1..=3 {
                let (name, chunk) = (format!("part{index}.{ending}"), format!("{index}/3"));
                bench.pass(&[&["in.mkv", &name, "-f", chain, "--chunk", &chunk], &common[..], lossless].concat());
            }
            for (encoding, one) in encodings.iter().zip(&wanted) {
                bench.pass(&[&["in.mkv", "joined.nut", "--chunks-from", &pattern], &encoding[..]].concat());
                let joined = std::fs::read(bench.path("joined.nut")).unwrap();
                assert!(*one == joined, "{chain} {ending} {encoding:?}: {} and {} bytes", one.len(), joined.len());
            }
        }
        // Encoders pad odd sizes, and packets are then of another size than the frames.
        if chain.contains("exact") {
            continue;
        }
        for index in 1..=3 {
            let (name, chunk) = (format!("packed{index}.nut"), format!("{index}/3"));
            let encoding = ["--codec", "libx264", "--crf", "25", "-y", "-q"];
            bench.pass(&[&["in.mkv", &name, "-f", chain, "--chunk", &chunk], &encoding[..]].concat());
        }
        bench.pass(&["in.mkv", "packed.mkv", "--chunks-from", "packed%d.nut", "--codec", "copy", "-y", "-q"]);
        bench.pass(&["in.mkv", "one.mkv", "-f", chain, "--codec", "ffv1", "-y", "-q"]);
        let [packed, one] = ["packed.mkv", "one.mkv"].map(|name| {
            let entries = "stream=width,height,sample_aspect_ratio,pix_fmt:packet=pts_time";
            let arguments = ["-v", "error", "-select_streams", "v", "-show_entries", entries, "-of", "csv=p=0", name];
            let mut rows: Vec<_> = String::from_utf8(bench.run("ffprobe", &arguments, &[]).stdout)
                .unwrap()
                .lines()
                .map(str::to_owned)
                .collect();
            rows.sort();
            rows
        });
        assert_eq!(packed, one, "{chain}");
    }
    // A chunk of other frames than the record of the first says.
    bench.pass(&["in.mkv", "part2.nut", "-f", "scale=48:24", "--lossless", "--chunk", "2/3", "-y", "-q"]);
    let said = bench.fail(&["in.mkv", "bad.mkv", "--chunks-from", "part%d.nut"]);
    assert!(said.contains("part2.nut\" was filtered by scale=w=48:h=24, and"), "{said}");
    let of = |name: &str, chain: &str, chunk: &str, more: &[&str]| {
        bench.pass(&[&["in.mkv", name, "-f", chain, "--chunk", chunk, "-y", "-q"], more].concat());
    };
    // The samples of a chunk that were changed behind its record.
    of("wide1.y4m", "crop=20:20:0:0", "1/1", &[]);
    of("other.y4m", "crop=16:20:0:0", "1/1", &[]);
    std::fs::copy(bench.path("other.y4m"), bench.path("wide1.y4m")).unwrap();
    let said = bench.fail(&["in.mkv", "bad.mkv", "--chunks-from", "wide%d.y4m"]);
    assert!(said.contains("wide1.y4m\" is damaged: its checksum"), "{said}");
    assert!(!bench.path("bad.mkv").exists());
    let (feed, queue) = ChunkFeed::new(None);
    feed.add(StoredChunk { path: bench.path("other.y4m"), md5: None });
    feed.end();
    let text = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    let request = Request { input: text("in.mkv"), output: text("bad.mkv"), ..Default::default() };
    let said = format!("{:#}", Job::join(request, queue, Default::default()).err().unwrap());
    assert!(said.contains("has yuv420p 16x20 frames, and the clip yuv420p 32x20"), "{said}");
}

/// Damage at most costs what it would cost in one run: the range of a chunk never reaches into another.
#[test]
fn of_a_damaged_clip() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let mut clip = std::fs::read(bench.path("in.mkv")).unwrap();
    let hurt: Range<usize> = clip.len() / 2..clip.len() / 2 + 40;
    clip[hurt].fill(0x55);
    std::fs::write(bench.path("hurt.mkv"), clip).unwrap();
    let mut times = Vec::new();
    for index in 1..=4 {
        let rows = rows(&bench, "hurt.mkv", "gaussian=1", &["--chunk", &format!("{index}/4")]);
        times.extend(rows.iter().map(|row| row.split(',').nth(2).unwrap().trim().parse::<i64>().unwrap()));
    }
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
}
