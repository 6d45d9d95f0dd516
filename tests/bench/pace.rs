//! A stage that is slow on purpose is the one that the report names. How slow it is follows from what the others took
//! in the same run: it goes on with its work until it has worked many times as long as each of them, so that the
//! outcome does not depend on the machine or on what else runs there.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use anyhow::Result;
use warpreel::backend::{Backend, Cpu, Inputs};
use warpreel::bench::repetition::{Cost, Detail, stages};
use warpreel::bench::schema::{Record, Stage};
use warpreel::bench::second::SlowSecond;
use warpreel::bench::synthetic::{End, Synthetic};
use warpreel::bench::timeline::Timeline;
use warpreel::bench::verdict::{self, PaceLimit};
use warpreel::bench::work::Traffic;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{Attachment, Format, Frame, Pixel, Pool, Rational};
use warpreel::gauge::GaugeReading;
use warpreel::pass::{Answers, Questions};
use warpreel::pipeline::{Monitor, Pipeline};
use warpreel::plan::plan;
use warpreel::sink::Sink;
use warpreel::source::{CancelToken, Source};

use crate::program::{Bench, binary};

const FRAMES: u64 = 20;
const LIGHT: &str = "convolution=1 2 1 2 4 2 1 2 1";

/// What makes one stage slow.
#[derive(Clone)]
struct Brake {
    slow: &'static str,
    monitor: Arc<Monitor>,
}

impl Brake {
    /// How much longer the slow stage works than each of the others.
    const TIMES: f64 = 8.0;

    /// Works on, if this is the slow stage, until it has worked far longer than the others.
    fn hold(&self, stage: &str) {
        if stage != self.slow {
            return;
        }
        let begun = Instant::now();
        loop {
            sleep(Duration::from_millis(1));
            let all = self.monitor.read();
            let (own, others) = match stage {
                "decode" => (all.decode, [all.filter, all.encode]),
                "filter" => (all.filter, [all.decode, all.encode]),
                _ => (all.encode, [all.decode, all.filter]),
            };
            let own_s = own.busy_s + begun.elapsed().as_secs_f64();
            let is_far = |other: &GaugeReading| own_s > Self::TIMES * other.busy_s;
            // A slow source also lets what it gave come out, so that nothing is left to do when it ends.
            let is_out = stage != "decode" || all.encode.frames == all.decode.frames;
            if others.iter().all(is_far) && is_out {
                return;
            }
        }
    }
}

struct Slow<T>(T, Brake);

impl Source for Slow<Synthetic> {
    fn format(&self) -> &Arc<Format> {
        self.0.format()
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        self.1.hold("decode");
        self.0.next_frame(pool)
    }

    fn length(&self) -> Option<u64> {
        self.0.length()
    }
}

impl Backend for Slow<Cpu> {
    type Image = <Cpu as Backend>::Image;
    type Pending = <Cpu as Backend>::Pending;
    type Survey = <Cpu as Backend>::Survey;
    type Measure = <Cpu as Backend>::Measure;
    type Cells = <Cpu as Backend>::Cells;

    fn upload(&mut self, frame: Frame) -> Result<Self::Image> {
        self.0.upload(frame)
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Self::Image> {
        self.0.upload_beside(pass, frame)
    }

    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure> {
        self.0.measure(image, before)
    }

    fn read(&mut self, measure: Self::Measure) -> Result<u64> {
        self.0.read(measure)
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>) -> Result<Self::Image> {
        self.1.hold("filter");
        self.0.run(pass, inputs)
    }

    fn reduce(&mut self, image: &Self::Image) -> Result<Self::Cells> {
        self.0.reduce(image)
    }

    fn cells(&mut self, cells: Self::Cells) -> Result<Vec<u32>> {
        self.0.cells(cells)
    }

    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>, questions: Questions) -> Result<Self::Survey> {
        self.0.survey(pass, inputs, questions)
    }

    fn answers(&mut self, survey: Self::Survey) -> Result<Answers> {
        self.0.answers(survey)
    }

    fn download(&mut self, image: Self::Image) -> Result<Self::Pending> {
        self.0.download(image)
    }

    fn wait(&mut self, pending: Self::Pending) -> Result<Frame> {
        self.0.wait(pending)
    }

    fn in_flight(&self) -> usize {
        self.0.in_flight()
    }
}

impl Sink for Slow<()> {
    fn put(&mut self, _: Frame) -> Result<()> {
        self.1.hold("encode");
        Ok(())
    }

    fn finish(self: Box<Self>, _: Option<Attachment>) -> Result<()> {
        self.1.hold("encode");
        Ok(())
    }
}

/// The stages of a run of which one is slow.
fn run(slow: &'static str) -> Vec<Stage> {
    let format = Arc::new(Format::new(Pixel::gray(8), 32, 32, Rational::new(25, 1)));
    let plan = plan(&parse(LIGHT, &Defaults::default()).expect("a chain"), &format).expect("a plan");
    let brake = Brake { slow, monitor: Arc::new(Monitor::traced()) };
    let pool = Pool::heap();
    let mut source = Slow(Synthetic::new(format.clone(), End::Frames(FRAMES), CancelToken::default()), brake.clone());
    let cpu = Cpu::new(plan.passes(), format.clone(), pool.clone(), 1).expect("a stage");
    let (mut backend, sink) = (Slow(cpu, brake.clone()), Box::new(Slow((), brake.clone())));
    let monitor = &brake.monitor;
    Pipeline::new(&plan, &pool).monitor(monitor).run(&mut source, &mut backend, sink).expect("a run");
    let spans = monitor.trace.as_ref().expect("a trace").spans();
    let timeline = Timeline::of(&spans, &[LIGHT.to_owned()], 0);
    assert_eq!(timeline.frames, FRAMES);
    let cost = Cost {
        open_s: 0.0,
        frames: FRAMES,
        seconds: 0.0,
        wall_s: 0.0,
        processor_s: 0.0,
        cores: 0.0,
        others: None,
        usage: None,
    };
    stages(
        &[Detail { timeline, cost, cpu: None, slowest: Vec::new(), second: SlowSecond::default() }],
        &Default::default(),
        Traffic::even(format.packed_bytes()),
        false,
    )
}

fn part(stage: &Stage, part: Option<f64>) -> f64 {
    part.unwrap_or_else(|| panic!("a thread's waits are known: {stage:#?}"))
}

fn assert_pace(stages: &[Stage], name: &str) {
    let sentence = verdict::sentence(stages, None, &[], 1.0);
    let pace = verdict::pace(stages, None).expect("a pace");
    assert!(matches!(pace, PaceLimit::Stage(stage) if stage.name == name), "{sentence}");
    assert!(sentence.starts_with(&format!("{name} (")) && sentence.contains("sets the pace"), "{sentence}");
    let pace = stages.iter().find(|stage| stage.name == name).expect("a stage");
    let waits = part(pace, pace.starved) + part(pace, pace.blocked);
    assert!(pace.busy > waits, "the slow stage waits for nobody: {pace:#?}");
}

#[test]
fn a_slow_source() {
    let stages = run("decode");
    assert_pace(&stages, "decode");
    assert_eq!(stages[0].per_frame.count, FRAMES, "the call that finds the end is no frame's");
    for stage in &stages[1..] {
        assert!(part(stage, stage.starved) > 0.5, "who comes after waits: {stage:#?}");
    }
}

#[test]
fn a_slow_filter() {
    let stages = run("filter");
    assert_pace(&stages, "filter");
    let [decode, _, encode] = &stages[..] else { panic!("three threads") };
    assert!(part(decode, decode.blocked) > part(decode, decode.starved), "{decode:#?}");
    assert!(part(encode, encode.starved) > 0.5, "{encode:#?}");
}

#[test]
fn a_slow_encoder() {
    let stages = run("encode");
    assert_pace(&stages, "encode");
    for stage in &stages[..2] {
        // The last frames wait in the channels while those who gave them are done.
        assert!(part(stage, stage.blocked) + part(stage, stage.idle) > 0.5, "who comes before waits: {stage:#?}");
    }
}

/// The writer gives a frame when the one before has come out at the other end, and then waits for far longer than that
/// took: whatever else the machine does, all other stages together worked for less.
#[test]
fn a_slow_pipe() {
    let folder = Bench::new();
    let header = b"YUV4MPEG2 W32 H32 F25:1 Ip A1:1 Cmono\n";
    let frame = |number: u64| [&b"FRAME\n"[..], &[number as u8; 32 * 32]].concat();
    let made = Command::new("mkfifo").arg(folder.path("out.y4m")).status().expect("mkfifo");
    assert!(made.success());
    let arguments = ["bench", "-", "--output", "out.y4m", "-f", LIGHT, "--backend", "cpu", "--json", "out.json"];
    let mut child = Command::new(binary())
        .args(arguments)
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let out = folder.path("out.y4m");
    let writer = thread::spawn(move || {
        let begun = Instant::now();
        stdin.write_all(header)?;
        stdin.write_all(&frame(0))?;
        let mut output = BufReader::new(File::open(out)?);
        output.read_until(b'\n', &mut Vec::new())?;
        let mut trip = begun;
        for number in 0..FRAMES {
            output.read_exact(&mut frame(number))?;
            sleep(trip.elapsed().mul_f64(Brake::TIMES).max(Duration::from_millis(20)));
            trip = Instant::now();
            if number + 1 < FRAMES {
                stdin.write_all(&frame(number + 1))?;
            }
        }
        drop(stdin);
        output.read_to_end(&mut Vec::new())
    });
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(writer.join().expect("no panic").expect("everything is read and written"), 0, "nothing is left");
    let text = std::fs::read_to_string(folder.path("out.json")).expect("a result");
    let run = Record::parse(&text).expect("a result").runs.remove(0);
    assert_eq!(run.repetitions.len(), 1, "a pipe cannot be read twice");
    assert_pace(&run.stages, "decode");
    assert!(run.bounds.iter().any(|bound| bound.name == "pipe" && bound.share < 1.0), "{:#?}", run.bounds);
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(table.contains(&run.verdict) && table.contains("one repetition does not show"), "{table}");
}
