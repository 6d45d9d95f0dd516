//! Chunks that are joined: the very file of one run, or its times, sound and tags with the packets of the chunks.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use warpreel::job::{ChunkFeed, Encoding, Fidelity, Job, Report, Request, StoredChunk};
use warpreel::pipeline::Monitor;
use warpreel::source::CancelToken;

use crate::chunk::{FRAMES, make};
use crate::program::{Bench, checksums, sample};

/// A clip with sound and subtitles, filtered in chunks and joined, is the file that one run makes.
#[test]
fn joined() {
    let bench = Bench::new();
    let clip = sample("bigbuckbunny-720p.mp4");
    bench.ffmpeg(&["-ss", "2", "-t", "2.5", "-i", clip.to_str().unwrap(), "-vf", "scale=160:90", "-g", "9", "in.mp4"]);
    let chain = ["-f", "tmix=5,gaussian=1", "--backend", "cpu", "-q"];
    let encoding = ["--crf", "30", "--preset", "veryfast"];
    for index in 1..=4 {
        let (name, chunk) = (format!("part{index:02}.nut"), format!("{index}/4"));
        bench.pass(&[&["in.mp4", &name, "--lossless", "--chunk", &chunk], &chain[..]].concat());
    }
    let same = |one: &[&str], joined: &[&str]| {
        bench.pass(&[&["in.mp4", "one.mp4", "-y"], &chain[..], &encoding, one].concat());
        bench.pass(
            &[&["in.mp4", "joined.mp4", "-y", "-q", "--chunks-from", "part%02d.nut"], &encoding[..], joined].concat(),
        );
        assert!(std::fs::read(bench.path("one.mp4")).unwrap() == std::fs::read(bench.path("joined.mp4")).unwrap());
    };
    same(&[], &[]);
    same(&["--compare", "split"], &["--compare", "split"]);
    let join = ["in.mp4", "bad.mp4", "--chunks-from", "part%02d.nut"];
    let (last, spare) = (bench.path("part04.nut"), bench.path("part05.nut"));
    std::fs::copy(&last, &spare).unwrap();
    assert!(bench.fail(&join).contains("part05.nut\" holds chunk 4/4, and chunk 5 is due"));
    std::fs::remove_file(&last).unwrap();
    assert!(bench.fail(&join).contains("chunk 4 of \"part%02d.nut\" is missing; make it with --chunk 4/N"));
    std::fs::remove_file(&spare).unwrap();
    assert!(bench.fail(&join).contains("part03.nut\" is chunk 3 of 4, and no other is there; make --chunk 4/4"));
    let other = sample("ten-bit.mp4");
    bench.pass(&[other.to_str().unwrap(), "part01.nut", "-y", "-q", "--lossless", "--chunk", "1/4"]);
    assert!(bench.fail(&join).contains("part01.nut\" is of another clip than \"in.mp4\""));
    assert!(!bench.path("bad.mp4").exists());
}

/// Chunks are joined while others are made; what is not what it was, and what does not come, is an error.
#[test]
fn joined_while_they_are_made() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let text = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    let chunks: Vec<StoredChunk> = (1..=3)
        .map(|index| {
            let (name, chunk) = (format!("part{index}.nut"), format!("{index}/3"));
            let options = ["-f", "tmix=3", "--lossless", "--stats", "stats.json", "--chunk", &chunk, "-q", "-y"];
            bench.pass(&[&["in.mkv", &name], &options[..]].concat());
            let stats: Value = serde_json::from_slice(&std::fs::read(bench.path("stats.json")).unwrap()).unwrap();
            StoredChunk { path: bench.path(&name), md5: Some(stats["chunk"]["md5"].as_str().unwrap().to_owned()) }
        })
        .collect();
    let join = |chain: &[&str], add: &(dyn Fn(ChunkFeed) + Sync)| -> anyhow::Result<Report> {
        let chain = chain.iter().map(ToString::to_string).collect();
        let encoding = Encoding { fidelity: Fidelity::Lossless, ..Encoding::default() };
        let (input, output) = (text("in.mkv"), text("joined.nut"));
        let request = Request { input, output, chain, encoding, ..Request::default() };
        let (feed, queue) = ChunkFeed::new(None);
        thread::scope(|scope| {
            scope.spawn(|| add(feed));
            Job::join(request, queue, Default::default())?.run(&Monitor::default())
        })
    };
    let slowly = |feed: &ChunkFeed, chunks: &[StoredChunk]| {
        for chunk in chunks {
            thread::sleep(Duration::from_millis(100));
            feed.add(chunk.clone());
        }
    };
    let fails = |add: &(dyn Fn(ChunkFeed) + Sync), wanted: &str| {
        let said = format!("{:#}", join(&[], add).unwrap_err());
        assert!(said.contains(wanted), "{said}");
        assert!(!bench.names().iter().any(|name| name.contains("joined")), "{:?}", bench.names());
    };
    fails(&drop, "the missing chunks are no longer being made");
    fails(&|feed| slowly(&feed, &chunks[..2]), "the missing chunks are no longer being made");
    fails(&ChunkFeed::end, "the chunks end before frame 0");
    let other = StoredChunk { md5: Some("0".repeat(32)), ..chunks[1].clone() };
    let spoilt = [&chunks[..1], &[other], &chunks[2..]].concat();
    fails(&|feed| slowly(&feed, &spoilt), "part2.nut\" does not hold the filtered frames; make it again");
    let twice = [&chunks[..], &chunks[2..]].concat();
    let ended = |feed: ChunkFeed, chunks: &[StoredChunk]| {
        slowly(&feed, chunks);
        feed.end();
    };
    fails(&|feed| ended(feed, &twice), "has frames after the clip's last");
    let other = sample("ten-bit.mp4");
    bench.pass(&[other.to_str().unwrap(), "ten.nut", "-q", "--lossless", "--frames", "3"]);
    let ten_bits = StoredChunk { path: bench.path("ten.nut"), md5: None };
    fails(
        &|feed| ended(feed, std::slice::from_ref(&ten_bits)),
        "has yuv420p10 320x180 frames, and the clip yuv420p 32x20",
    );
    let absent = StoredChunk { path: PathBuf::from("nowhere.nut"), md5: None };
    fails(&|feed| slowly(&feed, std::slice::from_ref(&absent)), "nowhere.nut");
    assert!(join(&["invert"], &drop).unwrap_err().to_string().contains("already filtered; leave out -f"));
    let all = |feed: ChunkFeed| {
        slowly(&feed, &chunks);
        feed.end();
    };
    let report = join(&[], &all).unwrap();
    assert_eq!(report.frames, FRAMES as u64);
    bench.pass(&["in.mkv", "one.nut", "-f", "tmix=3", "-q", "--lossless"]);
    let [one, joined] = ["one.nut", "joined.nut"].map(|name| bench.ffmpeg(&["-i", name, "-f", "framemd5", "-"]));
    assert_eq!(String::from_utf8(joined).unwrap(), String::from_utf8(one).unwrap());
}

/// Stopped while it waits for a chunk, between a frame of the clip and its picture, a join keeps what is complete.
#[test]
fn stopped_while_it_waits_for_a_chunk() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    bench.pass(&["in.mkv", "part1.nut", "--lossless", "--chunk", "1/3", "-q"]);
    let text = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    let encoding = Encoding { fidelity: Fidelity::Lossless, ..Encoding::default() };
    let request = Request { input: text("in.mkv"), output: text("joined.nut"), encoding, ..Request::default() };
    let (feed, queue) = ChunkFeed::new(None);
    feed.add(StoredChunk { path: bench.path("part1.nut"), md5: None });
    let interrupt = CancelToken::default();
    let job = Job::join(request, queue, interrupt.clone()).unwrap();
    let monitor = Arc::new(Monitor::default());
    let of_first = checksums(&bench.pass(&["part1.nut", "hash:"])).len() as u64;
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            let patience = Instant::now() + Duration::from_secs(60);
            while monitor.read().encode.frames < of_first && Instant::now() < patience {
                thread::sleep(Duration::from_millis(5));
            }
            interrupt.cancel();
        });
        job.run(&monitor).unwrap()
    });
    drop(feed);
    assert_eq!((report.frames, report.interrupted.is_some()), (of_first, true));
    let kept = bench.pass(&["joined.partial.nut", "hash:"]);
    assert_eq!(checksums(&kept).len() as u64, of_first);
}

/// Time and duration of all packets of the pictures in the order of presentation, and decoding times in that of the file.
fn times(bench: &Bench, name: &str) -> (Vec<(f64, f64)>, Vec<f64>) {
    let entries = ["-select_streams", "v", "-show_entries", "packet=pts_time,dts_time,duration_time"];
    let path = bench.path(name);
    let arguments = [&["-v", "error"], &entries[..], &["-of", "csv=p=0", path.to_str().unwrap()]].concat();
    let listing = bench.run("ffprobe", &arguments, &[]);
    let rows: Vec<Vec<f64>> = String::from_utf8(listing.stdout)
        .unwrap()
        .lines()
        .map(|line| line.split(',').map(|field| field.parse().unwrap_or(0.0)).collect())
        .collect();
    let mut shown: Vec<_> = rows.iter().map(|row| (row[0], row[2])).collect();
    shown.sort_by(|one, other| one.0.total_cmp(&other.0));
    (shown, rows.iter().map(|row| row[1]).collect())
}

/// Chunks that are encoded already are joined as packets: times, sound and tags are those of one run, pictures those of the
/// chunks.
#[test]
fn joined_as_packets() {
    let bench = Bench::new();
    let clip = sample("bigbuckbunny-720p.mp4");
    let cut = ["-ss", "2", "-t", "2.5", "-i", clip.to_str().unwrap(), "-vf", "scale=160:90", "-g", "9"];
    bench.ffmpeg(&[&cut[..], &["-metadata", "title=Rabbit", "in.mp4"]].concat());
    let uneven = ["-vf", "select='not(eq(mod(n,5),3))'", "-fps_mode", "vfr", "-c:a", "copy", "-c:v", "libx264"];
    bench.ffmpeg(
        &[&["-i", "in.mp4"], &uneven[..], &["-video_track_timescale", "90000", "-g", "8", "uneven.mkv"]].concat(),
    );
    let chain = ["-f", "tmix=3", "--backend", "cpu", "-q", "-y"];
    let x264: &[&str] = &["--codec", "libx264", "--crf", "30", "--encoder-option", "bf=3"];
    let cases: [(&str, &str, &[&str]); 5] = [
        ("in.mp4", "mp4", x264),
        ("in.mp4", "mkv", x264),
        ("uneven.mkv", "mkv", x264),
        ("uneven.mkv", "mp4", x264),
        ("in.mp4", "mov", &["--codec", "prores_ks"]),
    ];
    for (clip, container, encoding) in cases {
        let mut sums = Vec::new();
        // NUT has no name for ProRes; that Matroska rounds times does not matter.
        let parts = if container == "mov" { "part%d.mkv" } else { "part%d.nut" };
        for index in 1..=3 {
            let (name, chunk) = (parts.replace("%d", &index.to_string()), format!("{index}/3"));
            bench.pass(&[&[clip, &name, "--chunk", &chunk], &chain[..], encoding].concat());
            sums.extend(bench.ffmpeg(&["-i", &name, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]));
        }
        let [joined, one] = ["joined", "one"].map(|name| format!("{name}.{container}"));
        bench.pass(&[clip, &joined, "--chunks-from", parts, "--codec", "copy", "-q", "-y"]);
        bench.pass(&[&[clip, &one], &chain[..], encoding].concat());
        let pictures = bench.ffmpeg(&["-i", &joined, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]);
        assert!(pictures == sums, "{clip} {container}");
        let ((shown, decoded), (due, _)) = (times(&bench, &joined), times(&bench, &one));
        assert_eq!(shown, due, "{clip} {container}");
        // Matroska does not store when packets are decoded.
        let ascends = decoded.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(ascends || container == "mkv", "{clip} {container}: {decoded:?}");
        let rest =
            |name: &str| bench.ffmpeg(&["-i", name, "-map", "0", "-map", "-0:v", "-c", "copy", "-f", "framemd5", "-"]);
        assert!(rest(&joined) == rest(&one), "{clip} {container}");
        let tags = |name: &str| bench.ffmpeg(&["-i", name, "-f", "ffmetadata", "-"]);
        assert!(tags(&joined) == tags(&one), "{clip} {container}");
    }
}

/// Chunks that do not belong together, and what packets cannot be.
#[test]
fn packets_that_cannot_be_joined() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    let store = |name: &str, chunk: &str, more: &[&str]| {
        let common = ["in.mkv", name, "--chunk", chunk, "-q", "-y", "--codec", "libx264"];
        bench.pass(&[&common[..], more].concat());
    };
    let all = || (1..=3).for_each(|index| store(&format!("part{index}.nut"), &format!("{index}/3"), &[]));
    let join = ["in.mkv", "bad.mkv", "--chunks-from", "part%d.nut", "--codec", "copy"];
    let fails = |wanted: &str| {
        let said = bench.fail(&join);
        assert!(said.contains(wanted) && said.trim().lines().count() < 4, "{said}");
        assert!(!bench.path("bad.mkv").exists());
    };
    all();
    store("part2.nut", "2/3", &["--preset", "ultrafast"]);
    fails("part2.nut\" has other encoder settings than the chunks before");
    store("part2.nut", "3/3", &[]);
    fails("part2.nut\" holds chunk 3/3, and chunk 2 is due");
    store("part2.nut", "1/3", &[]);
    fails("part2.nut\" holds chunk 1/3, and chunk 2 is due");
    all();
    // Whoever adds chunks by a program answers for their order; what is wrong with their frames is found all the same.
    let fed = |numbers: &[usize], wanted: &str| {
        let encoding = Encoding { codec: Some("copy".into()), ..Encoding::default() };
        let text = |name: &str| bench.path(name).to_str().unwrap().to_owned();
        let request = Request { input: text("in.mkv"), output: text("bad.mkv"), encoding, ..Request::default() };
        let (feed, queue) = ChunkFeed::new(None);
        for number in numbers {
            feed.add(StoredChunk { path: bench.path(&format!("part{number}.nut")), md5: None });
        }
        feed.end();
        let job = Job::join(request, queue, Default::default());
        let said = format!("{:#}", job.and_then(|job| job.run(&Monitor::default())).unwrap_err());
        assert!(said.contains(wanted), "{numbers:?}: {said}");
        assert!(!bench.path("bad.mkv").exists());
    };
    fed(&[1, 3], "frames are missing before");
    fed(&[1, 1], "has a frame that is not in the clip, or a frame twice");
    fed(&[1, 2], "frames before the clip");
    fed(&[1, 2, 3, 3], "part3.nut\" has");
    std::fs::remove_file(bench.path("part3.nut")).unwrap();
    fails("part2.nut\" is chunk 2 of 3, and no other is there; make --chunk 3/3");
    all();
    std::fs::copy(bench.path("part3.nut"), bench.path("part4.nut")).unwrap();
    fails("part4.nut\" holds chunk 3/3, and chunk 4 is due");
    std::fs::remove_file(bench.path("part4.nut")).unwrap();
    let whole = std::fs::read(bench.path("part2.nut")).unwrap();
    std::fs::write(bench.path("part2.nut"), &whole[..whole.len() * 2 / 3]).unwrap();
    bench.fail(&join);
    assert!(!bench.path("bad.mkv").exists());
    all();
    for (more, wanted) in [
        (&["--crf", "20"][..], "--crf has no effect: --codec copy joins chunks as they are"),
        (&["--lossless"], "--lossless has no effect"),
        (&["--compare", "side"], "--compare has no effect"),
    ] {
        let said = bench.refuse(&[&join[..], more].concat());
        assert!(said.contains(wanted), "{said}");
    }
    for (output, wanted) in
        [("bad.y4m", "--codec has no effect"), ("bad%02d.png", "holds pictures"), ("bad.webm", "webm cannot hold h264")]
    {
        let said = bench.warpreel(&["in.mkv", output, "--chunks-from", "part%d.nut", "--codec", "copy"]);
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(said.contains(wanted), "{output}: {said}");
    }
    assert!(bench.fail(&["in.mkv", "bad.mkv", "--codec", "copy"]).contains("always encoded again"));
    assert!(!bench.names().iter().any(|name| name.contains("bad")), "{:?}", bench.names());
}

/// Chunks say what they hold, in every container and beside bare samples: what is not due is refused, and so is what is not
/// what was stored.
#[test]
fn chunks_that_are_not_due() {
    let bench = Bench::new();
    make(&bench, "in.mkv", FRAMES, "-c:v ffv1");
    bench.ffmpeg(&["-i", "in.mkv", "-vf", "negate", "-c:v", "ffv1", "other.mkv"]);
    let copied: &[&str] = &["--codec", "libx264"];
    let cases: [(&str, &[&str]); 6] = [
        ("nut", &["--lossless"]),
        ("mkv", &["--lossless"]),
        ("raw", &[]),
        ("y4m", &[]),
        ("nut", copied),
        ("mp4", copied),
    ];
    for (ending, encoding) in cases {
        let make = |number: &str, clip: &str, chunk: &str, chain: &str, more: &[&str]| {
            let name = format!("part{number}.{ending}");
            let common = [clip, &name, "--chunk", chunk, "-f", chain, "--backend", "cpu", "-q", "-y"];
            bench.pass(&[&common[..], encoding, more].concat());
        };
        let all = || (1..=3).for_each(|at| make(&at.to_string(), "in.mkv", &format!("{at}/3"), "tmix=3", &[]));
        let pattern = format!("part%d.{ending}");
        let out: &[&str] = if encoding == copied { &["--codec", "copy"] } else { &["--lossless"] };
        let join = [&["in.mkv", "out.mkv", "-q", "--chunks-from", &pattern], out].concat();
        let fails = |what: &str, wanted: &str| {
            let said = bench.fail(&join);
            assert!(said.contains(wanted), "{ending} {encoding:?} {what}: {said}");
            assert!(!bench.path("out.mkv").exists());
        };
        all();
        bench.pass(&join);
        std::fs::remove_file(bench.path("out.mkv")).unwrap();
        let name = |number: usize| bench.path(&format!("part{number}.{ending}"));
        let beside = |number: usize| bench.path(&format!("part{number}.{ending}.chunk"));
        let rename = |from: usize, to: usize| {
            std::fs::rename(name(from), name(to)).unwrap();
            std::fs::rename(beside(from), beside(to)).ok();
        };
        for (from, to) in [(1, 9), (2, 1), (9, 2)] {
            rename(from, to);
        }
        fails("swapped", &format!("part1.{ending}\" holds chunk 2/3, and chunk 1 is due"));
        all();
        make("2", "in.mkv", "2/3", "tmix=5", &[]);
        fails("another chain", "was filtered by tmix=frames=5, and");
        make("2", "other.mkv", "2/3", "tmix=3", &[]);
        fails("another clip", &format!("part2.{ending}\" is of another clip than \"in.mkv\""));
        make("2", "in.mkv", "2/3", "tmix=3", &["--border", "wrap"]);
        fails("other options", "was made with --border wrap, and");
        make("2", "in.mkv", "2/3", "tmix=3", &["--frames", "30"]);
        fails("another part", "is of another part of \"in.mkv\": --frames 30, and here nothing");
        make("2", "in.mkv", "2/4", "tmix=3", &[]);
        fails("another division", "is one of 4 chunks, and");
        all();
        let whole = std::fs::read(name(2)).unwrap();
        let mut hurt = whole.clone();
        let place = hurt.len() * 2 / 3;
        hurt[place] ^= 4;
        std::fs::write(name(2), hurt).unwrap();
        fails("a bit", &format!("part2.{ending}\" is damaged"));
        std::fs::write(name(2), &whole).unwrap();
        bench.pass(&join);
        std::fs::remove_file(bench.path("out.mkv")).unwrap();
        // As an older version made it, and as a program without --chunk does.
        std::fs::remove_file(beside(2)).ok();
        make("9", "in.mkv", "2/3", "tmix=3", &[]);
        std::fs::remove_file(beside(9)).ok();
        if ["nut", "mkv", "mp4"].contains(&ending) {
            let bare = name(2).to_str().unwrap().to_owned();
            bench.ffmpeg(&["-i", name(9).to_str().unwrap(), "-c", "copy", "-metadata", "comment=", &bare]);
        }
        std::fs::remove_file(name(9)).unwrap();
        fails("no record", &format!("part2.{ending}\" does not say which chunk it holds"));
        std::fs::remove_file(name(2)).unwrap();
        for number in [1, 3] {
            std::fs::remove_file(name(number)).unwrap();
            std::fs::remove_file(beside(number)).ok();
        }
    }
}
