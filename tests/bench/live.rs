//! The screen of `--live`, from readings that are made up.

use std::time::Duration;

use warpreel::bench::live::{Screen, memory_bytes};
use warpreel::gauge::GaugeReading;
use warpreel::pipeline::{LaneReading, Readings};

use crate::program::{Bench, sample};

/// A run at 10 fps whose encoder is busy all the time.
fn readings(seconds: f64) -> Readings {
    let reading = |ahead: u64, busy: f64, starved: f64, blocked: f64| GaugeReading {
        frames: (10.0 * seconds) as u64 + ahead,
        busy_s: busy * seconds,
        starved_s: starved * seconds,
        blocked_s: blocked * seconds,
    };
    Readings {
        decode: reading(9, 0.1, 0.0, 0.9),
        filter: reading(5, 0.5, 0.25, 0.25),
        encode: reading(0, 1.0, 0.0, 0.0),
    }
}

#[test]
fn a_moment() {
    let mut screen = Screen::new(Some(600));
    screen.lines(readings(1.0), Duration::from_secs(1), Some(64_000_000));
    let lines = screen.lines(readings(2.0), Duration::from_secs(2), Some(64_000_000));
    let text = lines.join("\n");
    for words in [
        "frame 20 of 600  10.0 fps now, 10.0 on average, 58 s left",
        "filter  ███████████████░░░░░░░░░░░░░░░   50 %  starved  25 %  blocked  25 %",
        "encode  ██████████████████████████████  100 %",
        "4 frames from decode to filter, 5 from filter to encode",
        "memory  64.0 MB; pace: encode (encoding and writing)",
        "up to 10.0 fps",
    ] {
        assert!(text.contains(words), "{words:?} is missing:\n{text}");
    }
}

#[test]
fn the_graph_holds_a_minute_and_the_screen_keeps_its_height() {
    let mut screen = Screen::new(None);
    let first = screen.lines(Readings::default(), Duration::ZERO, None);
    assert!(first[0].starts_with("frame 0 ") && !first[0].contains("left"), "{first:?}");
    for moment in 1..400 {
        let seconds = f64::from(moment) / 2.0;
        let lines = screen.lines(readings(seconds), Duration::from_secs_f64(seconds), memory_bytes());
        assert_eq!(lines.len(), first.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:#?}");
        let graph = lines.last().expect("a graph").chars().filter(|c| ('▁'..='█').contains(c)).count();
        assert_eq!(graph, (moment as usize + 1).div_ceil(2).min(60), "two moments a column");
    }
}

#[test]
fn a_short_last_moment_does_not_jump() {
    let mut screen = Screen::new(None);
    for moment in 1..=10 {
        screen.lines(readings(f64::from(moment) / 2.0), Duration::from_millis(500 * moment as u64), None);
    }
    // A burst of three frames at the end, in 10 ms.
    let mut last = readings(5.0);
    last.encode.frames += 3;
    let lines = screen.lines(last, Duration::from_millis(5010), None);
    assert!(lines[0].contains("frame 53  15.7 fps now"), "{lines:#?}");
    assert!(lines[6].contains("up to 15.7 fps"), "{lines:#?}");
}

/// Where several GPUs filter, each has a line.
#[test]
fn gpus() {
    let mut screen = Screen::new(None);
    assert!(screen.gpu_lines(Vec::new(), Duration::from_millis(500)).is_empty());
    let lanes = |seconds: f64| {
        let lane = |gpu: usize| {
            let (frames, share) = ((40.0 * seconds) as u64 * (gpu as u64 + 1), 1.0 / (gpu as f64 + 1.0));
            let reading = GaugeReading {
                frames,
                busy_s: seconds * share,
                starved_s: seconds * (1.0 - share),
                ..GaugeReading::default()
            };
            LaneReading { gpu, name: format!("GPU {gpu}"), reading }
        };
        vec![lane(0), lane(1)]
    };
    screen.gpu_lines(lanes(1.0), Duration::from_secs(1));
    let lines = screen.gpu_lines(lanes(2.0), Duration::from_secs(2)).to_vec();
    assert_eq!(
        lines,
        [
            "GPU 0   ██████████████████████████████  100 %  starved   0 %  40.0 fps",
            "GPU 1   ███████████████░░░░░░░░░░░░░░░   50 %  starved  50 %  80.0 fps",
        ]
    );
    assert_eq!(screen.gpu_lines(lanes(2.1), Duration::from_millis(2010)), lines, "a short moment tells little");
}

#[test]
fn it_needs_a_terminal() {
    let folder = Bench::new();
    let error = folder.fail(&[&sample("one-frame.mp4").display().to_string(), "null:", "--live"]);
    assert!(error.contains("--live") && error.contains("terminal"), "{error}");
}

/// Where several decoders work side by side, one line is theirs.
#[test]
fn decoders() {
    let mut screen = Screen::new(None);
    assert_eq!(screen.decoder_line(Vec::new(), Duration::from_millis(500)), None);
    let read = |seconds: f64| {
        let one = |busy: f64| GaugeReading { busy_s: busy * seconds, blocked_s: 0.1 * seconds, ..Default::default() };
        [1.0, 0.5, 0.75].map(one).to_vec()
    };
    screen.decoder_line(read(1.0), Duration::from_secs(1));
    let line = screen.decoder_line(read(2.0), Duration::from_secs(2)).expect("a line").to_owned();
    assert_eq!(line, "3 decoders  ███████████████████████░░░░░░░   75 %, least  50 %  blocked  10 %");
    assert!(line.chars().count() <= 80);
    // The last moment of a run may be short, and tells little by itself.
    assert_eq!(screen.decoder_line(read(2.5), Duration::from_millis(2010)), Some(&*line));
}
