//! A backend that is chosen at run time.

use anyhow::{Result, bail};

use super::{Backend, Cpu, Cuda, Inputs, cuda};
use crate::frame::{Frame, Pool};
use crate::pass::{Answers, Questions};

/// Something of the CPU, or of a GPU.
#[derive(Clone, Debug)]
pub enum Either<C, G> {
    /// Of the CPU.
    Cpu(C),
    /// Of a GPU.
    Cuda(G),
}

use Either::{Cpu as OnCpu, Cuda as OnCuda};

impl<C, G> Either<C, G> {
    fn cpu(&self) -> Option<&C> {
        match self {
            OnCpu(of) => Some(of),
            OnCuda(_) => None,
        }
    }

    fn cuda(&self) -> Option<&G> {
        match self {
            OnCpu(_) => None,
            OnCuda(of) => Some(of),
        }
    }
}

/// The CPU, or a GPU: one type for engines over whichever was chosen at run time ([`super::ChooseBackend`]).
pub struct AnyBackend {
    stage: Either<Box<Cpu>, Box<Cuda>>,
    name: String,
    pool: Pool,
}

impl AnyBackend {
    /// The CPU; `reason` is why no GPU filters where one might have. `pool` is the stage's own.
    pub fn on_cpu(cpu: Cpu, pool: Pool, reason: Option<&str>) -> Self {
        Self { name: cpu_name(&cpu, reason), stage: OnCpu(Box::new(cpu)), pool }
    }

    /// A GPU. `pool` is the stage's own.
    pub fn on_cuda(cuda: Cuda, pool: Pool) -> Self {
        Self { name: cuda_name([cuda.device().name.as_str()]), stage: OnCuda(Box::new(cuda)), pool }
    }

    /// Who filters, and why: `cpu, 8 threads, avx2 (no NVIDIA driver was found …)`, or `cuda, NVIDIA L4`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a GPU filters.
    pub fn is_on_gpu(&self) -> bool {
        self.cuda().is_some()
    }

    /// The stage of the CPU, if that filters.
    pub fn cpu(&self) -> Option<&Cpu> {
        self.stage.cpu().map(Box::as_ref)
    }

    /// The stage of a GPU, if one filters.
    pub fn cuda(&self) -> Option<&Cuda> {
        self.stage.cuda().map(Box::as_ref)
    }

    /// Pool of the finished frames. A GPU reads frames that were made in it without an extra copy.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

/// Name of the stage of the CPU, with the reason for it.
pub(crate) fn cpu_name(cpu: &Cpu, reason: Option<&str>) -> String {
    let plural = if cpu.threads() == 1 { "" } else { "s" };
    let reason = reason.map_or(String::new(), |reason| format!(" ({reason})"));
    format!("cpu, {} thread{plural}, {}{reason}", cpu.threads(), cpu.level())
}

/// A reason for the CPU in four words at the most.
#[cfg(feature = "libav")]
pub(crate) fn brief_reason(reason: &str) -> &str {
    if reason.split_whitespace().count() <= 4 { reason } else { "no GPU; see -v" }
}

/// Name of the stage of one GPU or several.
pub(crate) fn cuda_name<'a>(devices: impl IntoIterator<Item = &'a str>) -> String {
    format!("cuda, {}", devices.into_iter().collect::<Vec<_>>().join(" and "))
}

/// What was made by a backend of the other kind.
fn foreign<T>() -> Result<T> {
    bail!("this was made by another backend; pass it to the backend that made it")
}

/// Images of one kind; places without an image stay so.
fn of_kind<'a, I, T: 'a>(
    images: &[Option<&'a I>],
    pick: impl Fn(&'a I) -> Option<&'a T>,
) -> Result<Vec<Option<&'a T>>> {
    images
        .iter()
        .map(|image| image.map_or(Ok(None), |image| pick(image).map_or_else(foreign, |own| Ok(Some(own)))))
        .collect()
}

/// Passes the inputs on with the images of one kind.
fn with_inputs<'a, I, T: 'a, R>(
    inputs: &Inputs<'a, I>,
    pick: impl Fn(&'a I) -> Option<&'a T>,
    act: impl FnOnce(&Inputs<'_, T>) -> Result<R>,
) -> Result<R> {
    let (window, second) = (of_kind(inputs.window, &pick)?, of_kind(inputs.second, &pick)?);
    let Inputs { factor, scan, correction, place, number, .. } = *inputs;
    act(&Inputs { window: &window, second: &second, factor, scan, correction, place, number })
}

impl Backend for AnyBackend {
    type Image = Either<Frame, cuda::Image>;
    type Pending = Either<Frame, cuda::Pending>;
    type Measure = Either<u64, cuda::Measure>;
    type Cells = Either<Vec<u32>, cuda::CellSums>;
    type Survey = Either<Answers, cuda::SurveyUnderWay>;

    fn upload(&mut self, frame: Frame) -> Result<Self::Image> {
        match &mut self.stage {
            OnCpu(cpu) => cpu.upload(frame).map(OnCpu),
            OnCuda(cuda) => cuda.upload(frame).map(OnCuda),
        }
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Self::Image> {
        match &mut self.stage {
            OnCpu(cpu) => cpu.upload_beside(pass, frame).map(OnCpu),
            OnCuda(cuda) => cuda.upload_beside(pass, frame).map(OnCuda),
        }
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>) -> Result<Self::Image> {
        match &mut self.stage {
            OnCpu(cpu) => with_inputs(inputs, Either::cpu, |inputs| cpu.run(pass, inputs)).map(OnCpu),
            OnCuda(cuda) => with_inputs(inputs, Either::cuda, |inputs| cuda.run(pass, inputs)).map(OnCuda),
        }
    }

    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure> {
        let [image, before] = [Some(image), before];
        match &mut self.stage {
            OnCpu(cpu) => match of_kind(&[image, before], Either::cpu)?[..] {
                [Some(image), before] => cpu.measure(image, before).map(OnCpu),
                _ => foreign(),
            },
            OnCuda(cuda) => match of_kind(&[image, before], Either::cuda)?[..] {
                [Some(image), before] => cuda.measure(image, before).map(OnCuda),
                _ => foreign(),
            },
        }
    }

    fn read(&mut self, measure: Self::Measure) -> Result<u64> {
        match (&mut self.stage, measure) {
            (OnCpu(cpu), OnCpu(measure)) => cpu.read(measure),
            (OnCuda(cuda), OnCuda(measure)) => cuda.read(measure),
            _ => foreign(),
        }
    }

    fn reduce(&mut self, image: &Self::Image) -> Result<Self::Cells> {
        match (&mut self.stage, image) {
            (OnCpu(cpu), OnCpu(image)) => cpu.reduce(image).map(OnCpu),
            (OnCuda(cuda), OnCuda(image)) => cuda.reduce(image).map(OnCuda),
            _ => foreign(),
        }
    }

    fn cells(&mut self, cells: Self::Cells) -> Result<Vec<u32>> {
        match (&mut self.stage, cells) {
            (OnCpu(cpu), OnCpu(cells)) => cpu.cells(cells),
            (OnCuda(cuda), OnCuda(cells)) => cuda.cells(cells),
            _ => foreign(),
        }
    }

    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>, questions: Questions) -> Result<Self::Survey> {
        match &mut self.stage {
            OnCpu(cpu) => with_inputs(inputs, Either::cpu, |inputs| cpu.survey(pass, inputs, questions)).map(OnCpu),
            OnCuda(cuda) => {
                with_inputs(inputs, Either::cuda, |inputs| cuda.survey(pass, inputs, questions)).map(OnCuda)
            }
        }
    }

    fn answers(&mut self, survey: Self::Survey) -> Result<Answers> {
        match (&mut self.stage, survey) {
            (OnCpu(cpu), OnCpu(survey)) => cpu.answers(survey),
            (OnCuda(cuda), OnCuda(survey)) => cuda.answers(survey),
            _ => foreign(),
        }
    }

    fn download(&mut self, image: Self::Image) -> Result<Self::Pending> {
        match (&mut self.stage, image) {
            (OnCpu(cpu), OnCpu(image)) => cpu.download(image).map(OnCpu),
            (OnCuda(cuda), OnCuda(image)) => cuda.download(image).map(OnCuda),
            _ => foreign(),
        }
    }

    fn wait(&mut self, pending: Self::Pending) -> Result<Frame> {
        match (&mut self.stage, pending) {
            (OnCpu(cpu), OnCpu(pending)) => cpu.wait(pending),
            (OnCuda(cuda), OnCuda(pending)) => cuda.wait(pending),
            _ => foreign(),
        }
    }

    fn in_flight(&self) -> usize {
        match &self.stage {
            OnCpu(cpu) => cpu.in_flight(),
            OnCuda(cuda) => cuda.in_flight(),
        }
    }
}
