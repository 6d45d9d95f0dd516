//! One clip on several GPUs. Where there is one alone, two stages on it stand for two GPUs, and the test says so.

use std::sync::Arc;

use anyhow::{Result, bail};
use warpreel::backend::cuda::{Device, Properties, Tracing};
use warpreel::backend::{Backend, Cuda, Inputs};
use warpreel::frame::{Format, Frame, Pixel, Pool, Rational};
use warpreel::job::{Choice, FieldChoice, GpuChoice, Request};
use warpreel::pass::{Answers, Questions};
use warpreel::pipeline::{FilterLane, Lanes, Pipeline, Sharing, WhenLost};
use warpreel::plan::{Plan, plan};

use super::device;
use crate::filter::chain;
use crate::scene::{assert_same, filtered, filtered_as, scenes};
use crate::stage::{Basket, Shelf};

const CHAINS: [&str; 11] = [
    "gaussian=2",
    "tmix=frames=5,sobel",
    "tmix=frames=5:scene=0.2,tmedian=1:scene=0.1",
    "deflicker=size=5:scene=0.2:range=limited",
    "tmix=frames=3:enable='st(0,ld(0)+n);mod(ld(0),2)':mix=0.5",
    "gain=0.9,tmedian=1:scene=0.1,deflicker=size=4:mode=pm:mix=0.5,box3d=radius_t=2:scene=0.3:border_t=reflect101",
    "bm3d=sigma=12:radius=2:scene=0.2:mix=0.5,degrain=frames=1",
    "framerate=60",
    "tmix=3,framerate=18:scene=2",
    "decimate",
    "fieldmatch=combmatch=full,decimate=cycle=4,tmix=3",
];

fn clip(length: usize) -> Vec<Frame> {
    let format = Arc::new(Format::new(Pixel::yuv420p(8), 318, 44, Rational::new(25, 1)));
    let cuts = [(9, 0.1), (1, 0.4), (1, 0.95), (12, 0.2), (2, 0.9), (15, 0.3)];
    let all: Vec<Frame> = scenes(&format, &cuts.repeat(length.div_ceil(40)));
    all.into_iter().take(length).collect()
}

/// Both GPUs; where there is one alone, that one twice.
fn two() -> Option<[Device; 2]> {
    let first = device()?.clone();
    let second = Device::open(1).unwrap_or_else(|error| {
        println!("only one GPU, on which two stages stand for two: {error:#}");
        first.clone()
    });
    Some([first, second])
}

/// A stage that fails at its count of passes.
struct Fragile {
    stage: Cuda,
    left: Option<usize>,
}

impl Backend for Fragile {
    type Image = <Cuda as Backend>::Image;
    type Pending = <Cuda as Backend>::Pending;
    type Survey = <Cuda as Backend>::Survey;
    type Measure = <Cuda as Backend>::Measure;
    type Cells = <Cuda as Backend>::Cells;

    fn upload(&mut self, frame: Frame) -> Result<Self::Image> {
        self.stage.upload(frame)
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Self::Image> {
        self.stage.upload_beside(pass, frame)
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>) -> Result<Self::Image> {
        if let Some(left) = &mut self.left {
            let Some(less) = left.checked_sub(1) else { bail!("it fell off the bus") };
            *left = less;
        }
        self.stage.run(pass, inputs)
    }

    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure> {
        self.stage.measure(image, before)
    }

    fn read(&mut self, measure: Self::Measure) -> Result<u64> {
        self.stage.read(measure)
    }

    fn reduce(&mut self, image: &Self::Image) -> Result<Self::Cells> {
        self.stage.reduce(image)
    }

    fn cells(&mut self, cells: Self::Cells) -> Result<Vec<u32>> {
        self.stage.cells(cells)
    }

    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>, questions: Questions) -> Result<Self::Survey> {
        self.stage.survey(pass, inputs, questions)
    }

    fn answers(&mut self, survey: Self::Survey) -> Result<Answers> {
        self.stage.answers(survey)
    }

    fn download(&mut self, image: Self::Image) -> Result<Self::Pending> {
        self.stage.download(image)
    }

    fn wait(&mut self, pending: Self::Pending) -> Result<Frame> {
        self.stage.wait(pending)
    }

    fn in_flight(&self) -> usize {
        self.stage.in_flight()
    }
}

/// What two stages make of a clip, the second of which may fail after so many passes.
fn shared(
    devices: &[Device; 2],
    plan: &Plan,
    clip: &[Frame],
    sharing: Sharing,
    left: Option<usize>,
) -> Result<Vec<Frame>> {
    let pool = Pool::new(devices[0].allocator());
    let lane = |(gpu, device): (usize, &Device)| {
        let prepared = device.prepare(&plan.passes(), plan.format())?;
        let stage = Cuda::new(device, prepared, pool.clone(), Cuda::IN_FLIGHT, Tracing::Off)?;
        let backend = Fragile { stage, left: left.filter(|_| gpu == 1) };
        Ok(FilterLane { gpu, name: format!("GPU {gpu}"), backend })
    };
    let lanes = devices.iter().enumerate().map(lane).collect::<Result<_>>()?;
    let frames = Arc::default();
    let sink = Box::new(Basket(Arc::clone(&frames)));
    let (mut lanes, mut shelf) = (Lanes { lanes, sharing }, Shelf(plan.format().clone(), clip.to_vec().into()));
    Pipeline::new(plan, &pool).share(&mut shelf, &mut lanes, sink)?;
    let frames = std::mem::take(&mut *frames.lock().expect("the run is over"));
    Ok(frames)
}

fn numbered(clip: Vec<Frame>) -> Vec<Frame> {
    let mut clip = clip;
    for (number, frame) in clip.iter_mut().enumerate() {
        (frame.timing.number, frame.timing.pts) = (number as u64, number as i64);
    }
    clip
}

/// Runs of any length, on pinned memory that both share.
#[test]
fn runs_of_frames() {
    let Some(devices) = two() else { return };
    let clip = numbered(clip(75));
    for text in CHAINS {
        let plan = plan(&chain(text), clip[0].format()).expect("a plan");
        let (wanted, _) = filtered(text, &clip, Choice::Cpu, 1);
        for run_frames in [1, 7, 20, 100] {
            let sharing = Sharing { run_frames, when_lost: WhenLost::Fail };
            let got = shared(&devices, &plan, &clip, sharing, None).expect("a clip");
            assert_same(&got, &wanted, &format!("{text} in runs of {run_frames}"));
        }
    }
}

#[test]
fn a_gpu_that_fails() {
    let Some(devices) = two() else { return };
    let clip = numbered(clip(75));
    let plan = plan(&chain(CHAINS[1]), clip[0].format()).expect("a plan");
    let (wanted, _) = filtered(CHAINS[1], &clip, Choice::Cpu, 1);
    for left in [0, 5, 23] {
        let sharing = |when_lost| Sharing { run_frames: 6, when_lost };
        let got = shared(&devices, &plan, &clip, sharing(WhenLost::GoOn), Some(left)).expect("the other is left");
        assert_same(&got, &wanted, &format!("after {left} passes"));
        let error = shared(&devices, &plan, &clip, sharing(WhenLost::Fail), Some(left)).expect_err("one fails");
        let text = format!("{error:#}");
        assert!(text.starts_with("GPU 1 failed at frame ") && text.ends_with("it fell off the bus"), "{text}");
    }
}

/// The whole job, where there are two: every chain, fields, and what is told of each.
#[test]
fn jobs_on_all_gpus() {
    if device().is_none() {
        return;
    }
    let gpus = Properties::find_all().expect("there is one").len();
    if gpus < 2 {
        println!("skipped: a job on several GPUs, because there is one");
    }
    let clip = clip(400);
    for text in CHAINS {
        let needs_frames = ["fieldmatch", "decimate"].iter().any(|name| text.contains(name));
        let separate = (!needs_frames).then_some(FieldChoice::Separate);
        for fields in [Some(FieldChoice::Frame), separate].into_iter().flatten() {
            let on_cpu = Request { backend: Choice::Cpu, fields, ..Request::default() };
            let (wanted, _) = filtered_as(on_cpu, text, &clip);
            let on_all = Request { gpus: Some(GpuChoice::All), fields, trace: true, ..Request::default() };
            let (got, report) = filtered_as(on_all, text, &clip);
            assert_same(&got, &wanted, &format!("{text}, {fields:?}"));
            let frames: Vec<u64> = report.gpus.iter().map(|lane| lane.reading.frames).collect();
            assert_eq!(frames.len(), if gpus < 2 { 0 } else { gpus }, "{:?}", report.gpus);
            assert!(gpus < 2 || frames.iter().sum::<u64>() == got.len() as u64, "{frames:?}");
        }
    }
}
