//! A stage that is slow on purpose is the one that the report names.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::{self, sleep};
use std::time::Duration;

use anyhow::Result;
use warpreel::bench::repetition::{Detail, stages};
use warpreel::bench::schema::{Record, Stage};
use warpreel::bench::synthetic::{End, Synthetic};
use warpreel::bench::verdict;
use warpreel::frame::{Attachment, Format, Frame, Pixel, Pool, Rational};
use warpreel::job::{Choice, Job, Request};
use warpreel::sink::Sink;
use warpreel::source::Source;

use crate::program::{Bench, binary};

const FRAMES: u64 = 20;
const SLOW: Duration = Duration::from_millis(15);
const QUICK: Duration = Duration::from_millis(1);

struct SlowSource(Synthetic, Duration);

impl Source for SlowSource {
    fn format(&self) -> &Arc<Format> {
        self.0.format()
    }

    fn next(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        sleep(self.1);
        self.0.next(pool)
    }

    fn length(&self) -> Option<u64> {
        self.0.length()
    }
}

struct SlowSink(Duration);

impl Sink for SlowSink {
    fn put(&mut self, _: Frame) -> Result<()> {
        sleep(self.0);
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        Ok(())
    }
}

/// The stages of a job whose source and sink take so long for a frame.
fn run(source: Duration, sink: Duration, side: usize, chain: &str) -> Vec<Stage> {
    let format = Arc::new(Format::new(Pixel::gray(8), side, side, Rational::new(25, 1)));
    let request = Request {
        chain: vec![chain.to_owned()],
        backend: Choice::Cpu,
        threads: 1,
        in_flight: 1,
        trace: true,
        ..Request::default()
    };
    let source = SlowSource(Synthetic::new(format.clone(), End::Frames(FRAMES)), source);
    let job = Job::between(request, Box::new(source), Box::new(SlowSink(sink)), Default::default()).expect("a job");
    let detail = Detail::of(job, &Default::default(), 0, 0.0).expect("a run");
    assert_eq!(detail.timeline.frames, FRAMES);
    stages(&[detail], &Default::default(), format.packed_bytes())
}

fn assert_pace(stages: &[Stage], name: &str) {
    let sentence = verdict::sentence(stages);
    assert_eq!(verdict::pace(stages).expect("a pace").name, name, "{sentence}");
    assert!(sentence.starts_with(&format!("{name} (")) && sentence.contains("sets the pace"), "{sentence}");
    let stage = |name: &str| stages.iter().find(|stage| stage.name == name).expect("a stage");
    let pace = stage(name);
    let [before, after] = [pace.starved, pace.blocked].map(|part| part.expect("a thread's waits are known"));
    assert!(pace.busy > before + after, "the slow stage waits for nobody: {pace:#?}");
}

const LIGHT: &str = "convolution=1 2 1 2 4 2 1 2 1";

#[test]
fn a_slow_source() {
    let stages = run(SLOW, QUICK, 32, LIGHT);
    assert_pace(&stages, "decode");
    let decode = &stages[0];
    assert!(decode.per_frame.p50_ms >= 15.0, "{decode:#?}");
    assert_eq!(decode.per_frame.count, FRAMES, "the call that finds the end is no frame's");
    assert!(stages[1].starved.expect("a thread") > 0.5 && stages[2].starved.expect("a thread") > 0.5);
}

#[test]
fn a_slow_encoder() {
    let stages = run(QUICK, SLOW, 32, LIGHT);
    assert_pace(&stages, "encode");
    // The channels fill before anybody is held up, so the stages before wait for most but not all of the time.
    assert!(stages[1].blocked.expect("a thread") > 0.3, "{:#?}", stages[1]);
}

#[test]
fn a_slow_filter() {
    // A thousand taps in `f32` on a quarter of a million samples: far more than a millisecond on any machine.
    let taps = (0..961).map(|i| format!("0.00{}", 1 + i % 9)).collect::<Vec<_>>().join(" ");
    let folder = Bench::new();
    std::fs::write(folder.path("taps.txt"), rows(&taps, 31)).expect("a file");
    let chain = format!("kernel=file={}", folder.path("taps.txt").display());
    assert_pace(&run(QUICK, QUICK, 512, &chain), "filter");
}

fn rows(taps: &str, width: usize) -> String {
    let taps: Vec<_> = taps.split(' ').collect();
    taps.chunks(width).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_slow_pipe() {
    let folder = Bench::new();
    let mut child = Command::new(binary())
        .args(["bench", "-", "-f", LIGHT, "--backend", "cpu", "--json", "out.json"])
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || {
        stdin.write_all(b"YUV4MPEG2 W32 H32 F25:1 Ip A1:1 Cmono\n")?;
        for frame in 0..FRAMES as u8 {
            sleep(SLOW);
            stdin.write_all(b"FRAME\n")?;
            stdin.write_all(&[frame; 32 * 32])?;
        }
        std::io::Result::Ok(())
    });
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("no panic").expect("everything is read");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let record = Record::parse(&std::fs::read_to_string(folder.path("out.json")).expect("a result")).expect("a result");
    assert_eq!(record.runs[0].repetitions.len(), 1, "a pipe cannot be read twice");
    assert_pace(&record.runs[0].stages, "decode");
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(table.contains(&record.runs[0].verdict) && table.contains("one repetition tells nothing"), "{table}");
}
