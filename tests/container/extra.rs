//! Several videos in one file: with `--video all` each is filtered as if it were alone, and its frames keep their times.

use std::thread;
use std::time::Duration;

use warpreel::job::{Choice, Interruption, Job, Request, VideoChoice};
use warpreel::pipeline::Monitor;
use warpreel::source::CancelToken;

use crate::program::Bench;

/// The time in seconds and the sum of each frame of a video of a file, as FFmpeg decodes it.
fn frames(bench: &Bench, name: &str, number: usize) -> Vec<(f64, String)> {
    let stream = format!("v:{number}");
    let times = ["-v", "error", "-select_streams", &stream, "-show_entries", "frame=pts_time", "-of", "csv=p=0", name];
    let times = String::from_utf8(bench.run("ffprobe", &times, b"").stdout).unwrap();
    let times = times.lines().filter_map(|line| line.trim_end_matches(',').parse::<f64>().ok());
    let map = format!("0:{stream}");
    let sums = bench.ffmpeg(&["-i", name, "-map", &map, "-fps_mode", "passthrough", "-f", "framemd5", "-"]);
    let sums = String::from_utf8(sums).unwrap();
    let sums =
        sums.lines().filter(|line| !line.starts_with('#')).map(|line| line.rsplit(' ').next().unwrap().to_owned());
    times.zip(sums).collect()
}

/// A file with a video of 128x72 at 25 frames a second, one of 64x48 in 4:4:4 at 30, which has `second` seconds, and sound.
fn two(bench: &Bench, second: &str) {
    let small = format!("testsrc=s=64x48:r=30:d={second}");
    let inputs = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=2", "-f", "lavfi", "-i", &small];
    let sound = ["-f", "lavfi", "-i", "sine=d=2", "-map", "0", "-map", "1", "-map", "2", "-c:a", "pcm_s16le"];
    let coding =
        ["-c:v", "ffv1", "-pix_fmt:v:0", "yuv420p", "-pix_fmt:v:1", "yuv444p10le", "-metadata:s:1", "title=small"];
    bench.ffmpeg(&[&inputs[..], &sound, &coding, &["two.mkv", "-y"]].concat());
}

fn assert_same(found: &[(f64, String)], wanted: &[(f64, String)], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for ((time, sum), (wanted_time, wanted_sum)) in found.iter().zip(wanted) {
        assert!((time - wanted_time).abs() < 0.0021 && sum == wanted_sum, "{what}: {time} {wanted_time}");
    }
}

#[test]
fn each_video_is_filtered_as_if_it_were_alone() {
    let bench = Bench::new();
    // The second ends before the first, and after it.
    for second in ["0.7", "3"] {
        two(&bench, second);
        for number in ["0", "1"] {
            let map = format!("0:v:{number}");
            bench.ffmpeg(&["-i", "two.mkv", "-map", &map, "-c", "copy", &format!("{number}.mkv"), "-y"]);
        }
        for part in [&[][..], &["--start", "0.3", "--duration", "0.35"]] {
            let chain = ["--lossless", "-y", "-f", "tmix=3,gaussian=1,hflip"];
            bench.pass(&[&["two.mkv", "out.mkv", "--video", "all"][..], &chain, part].concat());
            for number in 0..2 {
                let (alone, filtered) = (format!("{number}.mkv"), format!("f{number}.mkv"));
                bench.pass(&[&[alone.as_str(), &filtered][..], &chain, part].concat());
                let what = format!("{second}, {part:?}, video {number}");
                assert_same(&frames(&bench, "out.mkv", number), &frames(&bench, &filtered, 0), &what);
            }
        }
    }
    let title =
        ["-v", "error", "-select_streams", "v:1", "-show_entries", "stream_tags=title", "-of", "csv=p=0", "out.mkv"];
    assert_eq!(bench.run("ffprobe", &title, b"").stdout.trim_ascii(), b"small");
}

/// Sizes may change, other containers hold them too, packets are in the order of their times, and lines say what becomes of each.
#[test]
fn other_containers_hold_several_videos() {
    let bench = Bench::new();
    two(&bench, "2");
    for name in ["out.mp4", "out.mov", "out.ts", "out.webm"] {
        let quick: &[&str] = if name.ends_with("webm") { &["--preset", "8"] } else { &[] };
        let all =
            [&["two.mkv", name, "--video", "all", "-f", "scale=96:48", "--pix-fmt", "yuv420p"][..], quick].concat();
        let said = String::from_utf8(bench.warpreel(&all).stderr).unwrap();
        assert_eq!(said.matches("stream 1 (video, ffv1) becomes ").count(), 1, "{said}");
        assert!(said.contains(", video 2 as ") && !said.contains("unfiltered"), "{said}");
        let shown =
            ["-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of", "csv=p=0", name];
        let sizes = String::from_utf8(bench.run("ffprobe", &shown, b"").stdout).unwrap();
        assert!(sizes.lines().filter(|line| line.contains("96,48")).count() >= 2, "{name}: {sizes}");
        assert_eq!((frames(&bench, name, 0).len(), frames(&bench, name, 1).len()), (50, 60), "{name}");
    }
    let order = ["-v", "error", "-show_entries", "packet=stream_index,dts_time", "-of", "csv=p=0", "out.ts"];
    let order = String::from_utf8(bench.run("ffprobe", &order, b"").stdout).unwrap();
    let times =
        order.lines().filter(|line| !line.starts_with('2')).filter_map(|line| line.split(',').nth(1)?.parse().ok());
    let times: Vec<f64> = times.collect();
    assert!(times.len() >= 110 && times.windows(2).all(|pair| pair[1] > pair[0] - 0.2), "{times:?}");
}

/// Covers are no films, and stay as they are.
#[test]
fn covers_stay_copied_beside_several_videos() {
    let bench = Bench::new();
    two(&bench, "1");
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=32x32:d=0.04", "cover.png"]);
    let map = ["-map", "0", "-map", "1", "-c", "copy", "-c:v:0", "libx264", "-c:v:1", "libx264", "-c:a", "aac"];
    bench.ffmpeg(
        &[&["-i", "two.mkv", "-i", "cover.png"][..], &map, &["-disposition:v:2", "attached_pic", "in.mp4"]].concat(),
    );
    bench.pass(&["in.mp4", "out.mp4", "--video", "all", "-f", "gaussian=2"]);
    let cover = |name: &str| bench.ffmpeg(&["-i", name, "-map", "0:v:2", "-c", "copy", "-f", "md5", "-"]);
    assert_eq!(cover("in.mp4"), cover("out.mp4"));
    assert_ne!(frames(&bench, "in.mp4", 1), frames(&bench, "out.mp4", 1));
}

#[test]
fn what_does_not_go_with_several_videos_is_refused() {
    let bench = Bench::new();
    two(&bench, "1");
    for (arguments, fault) in [
        (&["two.mkv", "null:"][..], "--video all has no effect on outputs of one video"),
        (&["two.mkv", "a.mkv", "--frames", "3"], "--video all needs a part in seconds"),
        (&["two.mkv", "a.mkv", "--start", "#3"], "--video all needs a part in seconds"),
        (&["two.mkv", "a%d.png"], "images hold one video; take .mkv, or leave it out with --drop 1"),
        (&["two.mkv", "a.flv"], "stream 1 (video, ffv1) cannot be written"),
        (&["two.mkv", "a.mkv", "--chunk", "1/2"], "cannot be used with"),
        (&["two.mkv", "a.mkv", "--chunks-from", "part%d.nut"], "--video all filters whole clips"),
        (&["-", "a.mkv"], "--video all reads the input once for each video; name a file"),
    ] {
        let output =
            bench.run(crate::program::binary(), &[arguments, &["--video", "all"]].concat(), b"YUV4MPEG2 W8 H8 F25:1\n");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(fault), "{arguments:?}: {said}");
        assert!(!bench.path(arguments[1]).exists());
    }
    // What was left out is not filtered.
    bench.pass(&["two.mkv", "a%d.png", "--video", "all", "--drop", "1"]);
}

/// A failure of one video is that of the job: its own cause is given, and nothing has the output's name.
#[test]
fn a_failure_of_one_video_is_that_of_all() {
    let bench = Bench::new();
    two(&bench, "2");
    let packets =
        ["-v", "error", "-select_streams", "v:1", "-show_entries", "packet=pos,size", "-of", "csv=p=0", "two.mkv"];
    let packets = String::from_utf8(bench.run("ffprobe", &packets, b"").stdout).unwrap();
    let line: Vec<usize> = packets.lines().nth(40).unwrap().split(',').filter_map(|part| part.parse().ok()).collect();
    let mut file = std::fs::read(bench.path("two.mkv")).unwrap();
    let middle = line[1] + line[0] / 2;
    file[middle..middle + 20].iter_mut().for_each(|byte| *byte ^= 0x5A);
    std::fs::write(bench.path("bad.mkv"), file).unwrap();
    let said = bench.fail(&["bad.mkv", "out.mkv", "--video", "all", "-f", "gaussian=1", "--strict"]);
    assert!(said.contains("damaged") && !said.contains("another video"), "{said}");
    assert!(bench.names().iter().all(|name| !name.starts_with("out")), "{:?}", bench.names());
    let said = bench.fail(&["two.mkv", "/dev/full", "--container", "matroska", "--video", "all"]);
    assert!(said.contains("No space left"), "{said}");
}

/// What is stopped ends with all of its videos at about the same time.
#[test]
fn an_interrupt_ends_all_videos() {
    let bench = Bench::new();
    let inputs =
        ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=60", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=50:d=60"];
    bench.ffmpeg(&[&inputs[..], &["-map", "0", "-map", "1", "-c:v", "mpeg4", "long.mkv"]].concat());
    let path = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    let request = Request {
        input: path("long.mkv"),
        output: path("out.mkv"),
        chain: vec!["nlmeans".to_owned()],
        videos: VideoChoice::All,
        backend: Choice::Cpu,
        ..Request::default()
    };
    let interrupt = CancelToken::default();
    let job = Job::open(request, interrupt.clone()).unwrap();
    let monitor = Monitor::default();
    let report = thread::scope(|scope| {
        let running = scope.spawn(|| job.run(&monitor));
        while monitor.read().encode.frames < 5 && !running.is_finished() {
            thread::sleep(Duration::from_millis(2));
        }
        interrupt.cancel();
        running.join().unwrap().unwrap()
    });
    let kept = report.interrupted.and_then(|Interruption { kept, .. }| kept).unwrap();
    assert!(kept.ends_with("out.partial.mkv") && !bench.path("out.mkv").exists());
    let [first, second] = [0, 1].map(|number| frames(&bench, "out.partial.mkv", number));
    let ends = [first.last().unwrap().0, second.last().unwrap().0];
    assert!(ends[0] < 50.0 && ends[1] < ends[0] + 0.5, "{ends:?}");
}
