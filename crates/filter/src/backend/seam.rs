//! The seam between what is to be done and who does it: the verbs of a [`Backend`], and what a pass is run on.

use anyhow::{Context, Result, ensure};

use crate::frame::Frame;
use crate::pass::{Answers, Correction, OverlayPlace, Pass, Questions, Scan};

/// The verbs of the data path: four that frames go through, and six that ask how bright they are or what is in them. Only
/// [`Backend::wait`], [`Backend::read`], [`Backend::cells`] and [`Backend::answers`] block for what was asked before; the others may do their work at once (the
/// CPU) or leave it under way (a GPU).
pub trait Backend {
    /// A frame where the backend keeps frames; nothing writes it, and clones share it.
    type Image: Clone + Send;
    /// A frame on its way back.
    type Pending: Send;
    /// A sum on its way back.
    type Measure: Send;
    /// A small picture on its way back.
    type Cells: Send;
    /// Answers on their way back.
    type Survey: Send;

    /// Takes a frame in, from wherever it lies.
    ///
    /// # Errors
    /// If the frame is not of the backend's format, or lies where the backend cannot read it; if memory runs out or the
    /// device fails.
    fn upload(&mut self, frame: Frame) -> Result<Self::Image>;

    /// Takes in a frame of another clip for a pass that reads one beside its own ([`Pass::companion`]): of the format of the frames that
    /// go into the pass, on the host.
    ///
    /// # Errors
    /// As [`Backend::upload`].
    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Self::Image>;

    /// Runs the pass at position `pass` of the list that the backend was made for. The result carries the timing of the
    /// window's centre.
    ///
    /// # Errors
    /// If the inputs are not those of the pass; if memory runs out or the device fails.
    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>) -> Result<Self::Image>;

    /// Asks for a sum over the planes that make up brightness ([`crate::frame::Pixel::brightness_planes`]): of all
    /// samples, or with `before` of the absolute differences between the samples of the two images. Sums are whole
    /// numbers, so that every backend gives the same. A float sample counts as
    /// `clamp(sample, 0, 1) · 65535` in `f32`, rounded to the nearest whole number, ties to even; NaN as 0.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure>;

    /// The sum that was asked for. Blocks until it is there.
    ///
    /// # Errors
    /// If the device failed.
    fn read(&mut self, measure: Self::Measure) -> Result<u64>;

    /// Asks for sums over the cells of a frame ([`super::Reduction::of`] its format): of the samples that [`Backend::measure`] counts,
    /// over all planes that make up brightness. They are whole numbers, so that every backend gives the same.
    ///
    /// # Errors
    /// If the backend sees no whole frames; if memory runs out or the device fails.
    fn reduce(&mut self, image: &Self::Image) -> Result<Self::Cells>;

    /// The sums that were asked for, row by row. Blocks until they are there.
    ///
    /// # Errors
    /// If the device failed.
    fn cells(&mut self, cells: Self::Cells) -> Result<Vec<u32>>;

    /// Asks what has to be known of the window of a pass before it is known what to do ([`Pass::matching`],
    /// [`Pass::decimation`]). Answers are whole
    /// numbers, so that every backend gives the same. `inputs` are those of the pass, but what depends on the answers.
    ///
    /// # Errors
    /// If the pass asks nothing, or the backend sees no whole frames; if memory runs out or the device fails.
    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>, questions: Questions) -> Result<Self::Survey>;

    /// The answers, at least those to what was asked. Blocks until they are there.
    ///
    /// # Errors
    /// If the device failed.
    fn answers(&mut self, survey: Self::Survey) -> Result<Answers>;

    /// Asks for a frame back, also one that was never run through a pass; others may still hold clones of the image.
    ///
    /// # Errors
    /// If memory runs out or the device fails.
    fn download(&mut self, image: Self::Image) -> Result<Self::Pending>;

    /// The frame that was asked for. Blocks until it is there.
    ///
    /// # Errors
    /// If the device failed.
    fn wait(&mut self, pending: Self::Pending) -> Result<Frame>;

    /// How many downloads, and how many measured images, should be under way before the oldest is waited for; 0 where
    /// nothing runs ahead.
    fn in_flight(&self) -> usize;
}

/// What a pass is run on.
#[derive(Debug)]
pub struct Inputs<'a, I> {
    /// [`Pass::window`] places, the centre in the middle, never `None` there; `None` elsewhere is a frame of
    /// [`crate::frame::Pixel::neutral`] samples.
    pub window: &'a [Option<&'a I>],
    /// What a pass of two inputs has beside the window, nothing for other passes: for each of its places what went into the
    /// filter, or the step, whose result is there, or the frame of another clip; `None` as there.
    pub second: &'a [Option<&'a I>],
    /// Factor of [`crate::pass::Op::Gain`], and weight of [`crate::pass::Op::Crossfade`]; other ops do not
    /// read it.
    pub factor: f32,
    /// The fields of the frame in the middle and what is around it, which deinterlacers read; other ops do not.
    pub scan: Scan,
    /// By how much the frame in the middle is moved, which [`crate::pass::Placement::Stabilized`] reads; others do not.
    pub correction: Correction,
    /// Where the frame in the middle has a picture that moves, which [`crate::pass::Op::Overlay`] reads; others do not.
    pub place: OverlayPlace,
    /// Number of the frame in the middle among those at this place of the chain, which [`crate::pass::Op::Grain`] reads; other ops do not.
    pub number: u64,
}

impl<'a, I> Inputs<'a, I> {
    /// A window alone.
    pub fn new(window: &'a [Option<&'a I>]) -> Self {
        Self {
            window,
            second: &[],
            factor: 1.0,
            scan: Scan::default(),
            correction: Correction::NONE,
            place: OverlayPlace::default(),
            number: 0,
        }
    }

    /// All images as kernels count them: the window, and before each of its images the second one, if there is one. So the
    /// centre is the one in the middle.
    pub fn images(&self) -> Vec<Option<&'a I>> {
        let both = |(place, &image)| self.second.get(place).copied().into_iter().chain([image]);
        self.window.iter().enumerate().flat_map(both).collect()
    }

    /// The image in the middle.
    ///
    /// # Errors
    /// If the inputs are not as many as the pass takes, or none is in the middle.
    pub fn centre(&self, pass: &Pass) -> Result<&'a I> {
        let (got, size) = (self.window.len(), pass.window());
        ensure!(got == size, "{}: the window has {got} images; {size} are needed", pass.name);
        let (got, size_of_second) = (self.second.len(), pass.images() - size);
        ensure!(got == size_of_second, "{}: {got} second images; {size_of_second} are needed", pass.name);
        let alike = |(place, image): (usize, &Option<&I>)| image.is_some() == self.window[place].is_some();
        ensure!(self.second.iter().enumerate().all(alike), "{}: a second image is missing", pass.name);
        self.window[size / 2].with_context(|| format!("{}: the image in the middle is missing", pass.name))
    }
}

impl<I> Clone for Inputs<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Inputs<'_, I> {}

impl<B: Backend + ?Sized> Backend for &mut B {
    type Image = B::Image;
    type Pending = B::Pending;
    type Measure = B::Measure;
    type Cells = B::Cells;
    type Survey = B::Survey;

    fn upload(&mut self, frame: Frame) -> Result<Self::Image> {
        (**self).upload(frame)
    }

    fn upload_beside(&mut self, pass: usize, frame: Frame) -> Result<Self::Image> {
        (**self).upload_beside(pass, frame)
    }

    fn run(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>) -> Result<Self::Image> {
        (**self).run(pass, inputs)
    }

    fn measure(&mut self, image: &Self::Image, before: Option<&Self::Image>) -> Result<Self::Measure> {
        (**self).measure(image, before)
    }

    fn read(&mut self, measure: Self::Measure) -> Result<u64> {
        (**self).read(measure)
    }

    fn reduce(&mut self, image: &Self::Image) -> Result<Self::Cells> {
        (**self).reduce(image)
    }

    fn cells(&mut self, cells: Self::Cells) -> Result<Vec<u32>> {
        (**self).cells(cells)
    }

    fn survey(&mut self, pass: usize, inputs: &Inputs<'_, Self::Image>, questions: Questions) -> Result<Self::Survey> {
        (**self).survey(pass, inputs, questions)
    }

    fn answers(&mut self, survey: Self::Survey) -> Result<Answers> {
        (**self).answers(survey)
    }

    fn download(&mut self, image: Self::Image) -> Result<Self::Pending> {
        (**self).download(image)
    }

    fn wait(&mut self, pending: Self::Pending) -> Result<Frame> {
        (**self).wait(pending)
    }

    fn in_flight(&self) -> usize {
        (**self).in_flight()
    }
}
