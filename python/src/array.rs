//! What an array is: a picture or a clip of some type and shape, and the frames in it.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use warpreel::frame::{
    Family, Format, Frame, FrameMut, Layout, Pixel, PlaneLayout, Pool, Rational, Sample, Storage, Timing,
};

use super::claim::Access;
use super::error::raised;
use super::guest;
use super::memory::{Element, Kind, Place};
use super::worker;

/// What an argument is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `(H, W)` or `(H, W, C)`.
    Image,
    /// `(T, H, W)` or `(T, H, W, C)`.
    Clip,
}

impl Form {
    fn text(self) -> &'static str {
        match self {
            Form::Image => "(H, W) or (H, W, C) with C = 1, 3 or 4",
            Form::Clip => "(T, H, W) or (T, H, W, C) with C = 1, 3 or 4",
        }
    }

    /// The axis of rows of an array of a shape.
    ///
    /// # Errors
    /// `ValueError` if it is no such array, with what was expected and what came.
    pub fn checked(self, shape: &[usize]) -> PyResult<usize> {
        let down = usize::from(self == Form::Clip);
        let fits = match shape.get(down + 2) {
            None => shape.len() == down + 2,
            Some(channels) => shape.len() == down + 3 && matches!(channels, 1 | 3 | 4),
        };
        let (expected, got) = (self.text(), shape_text(shape));
        if !fits {
            let other = if self == Form::Image && shape.len() >= 3 { "; for several frames call clip" } else { "" };
            return Err(PyValueError::new_err(format!("expected an array of {expected}, got {got}{other}")));
        }
        let is_side = |side: usize| (1..=Format::MAX_SIDE).contains(&side);
        if !is_side(shape[down]) || !is_side(shape[down + 1]) {
            let most = Format::MAX_SIDE;
            return Err(PyValueError::new_err(format!("expected 1 to {most} rows and columns, got {got}")));
        }
        Ok(down)
    }
}

/// An array of pictures.
pub struct Array {
    place: Place,
    /// Whether the first axis is time.
    form: Form,
    /// The axis of rows.
    down: usize,
    /// What stands for white in floats.
    peak: f64,
}

impl Array {
    const KINDS: &str = "uint8, uint16, float32 or float64 in native byte order";

    /// What a caller gave.
    ///
    /// # Errors
    /// `TypeError` and `ValueError`, with what was expected and what came.
    pub fn of(object: &Bound<'_, PyAny>, form: Form) -> PyResult<Self> {
        let Some(array) = guest::array(object)? else {
            let got = object.get_type().fully_qualified_name()?;
            return Err(PyTypeError::new_err(format!("expected an array of {}, got {got}", form.text())));
        };
        let Some(place) = Place::of(&array) else {
            let got = array.getattr("dtype")?;
            return Err(PyTypeError::new_err(format!("expected an array of {}, got {got}", Self::KINDS)));
        };
        let down = form.checked(&place.shape)?;
        Ok(Self { place, form, down, peak: 1.0 })
    }

    /// The same with `peak` for white where elements are floats.
    #[must_use]
    pub fn with_peak(self, peak: f64) -> Self {
        let is_float = matches!(self.place.kind, Kind::F32 | Kind::F64);
        Self { peak: if is_float { peak } else { 1.0 }, ..self }
    }

    /// `out`, or a new array, that takes what becomes of this one: frames of that width and height.
    ///
    /// # Errors
    /// If `out` is of another type or shape, or cannot be written.
    pub fn result(&self, py: Python<'_>, size: (usize, usize), out: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let shape = resized(&self.place.shape, self.down, size);
        let Some(out) = out else {
            let result = Self::of(Place::make(py, &shape, self.place.kind).as_any(), self.form)?;
            return Ok(result.with_peak(self.peak));
        };
        let taking = guest::writable(out)?.map(Bound::into_any);
        let result = Self::of(taking.as_ref().unwrap_or(out), self.form)?.with_peak(self.peak);
        if result.place.kind != self.place.kind || result.place.shape != shape {
            let (kind, got) = (self.place.kind.name(), result.describe());
            let why = if shape == self.place.shape { "as what goes in" } else { "as the chain makes frames" };
            let message = format!("expected out to be {kind} {}, {why}, got {got}", shape_text(&shape));
            return Err(PyValueError::new_err(message));
        }
        if !result.place.is_writable {
            return Err(PyValueError::new_err("expected out to be writable, with memory for each element, got other"));
        }
        Ok(result)
    }

    /// An array for one frame of that width and height, else as in this one.
    pub fn frame_result(&self, py: Python<'_>, size: (usize, usize)) -> PyResult<Self> {
        let shape = resized(&self.place.shape[self.down..], 0, size);
        Ok(Self::of(Place::make(py, &shape, self.place.kind).as_any(), Form::Image)?.with_peak(self.peak))
    }

    /// An array as one frame of this one.
    pub fn frame_like(&self, py: Python<'_>) -> PyResult<Self> {
        let (height, width) = (self.place.shape[self.down], self.place.shape[self.down + 1]);
        self.frame_result(py, (width, height))
    }

    /// `uint8 (480, 640, 3)`.
    pub fn describe(&self) -> String {
        format!("{} {}", self.place.kind.name(), shape_text(&self.place.shape))
    }

    /// Whether another is of the same type and shape.
    pub fn is_like(&self, other: &Self) -> bool {
        self.place.kind == other.place.kind && self.place.shape == other.place.shape
    }

    /// Whether memory of one may be memory of the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.place.overlaps(&other.place)
    }

    /// The array as Python has it.
    pub fn object(&self, py: Python<'_>) -> Py<PyAny> {
        self.place.owner().clone_ref(py).into_any()
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        if self.form == Form::Clip { self.place.shape[0] } else { 1 }
    }

    fn channels(&self) -> usize {
        self.place.shape.get(self.down + 2).copied().unwrap_or(1)
    }

    /// What its frames are: grey, RGB, or RGB with opacity; `depth` is the bits in use of `uint16`.
    pub fn format(&self, depth: u8) -> Format {
        let (width, height) = (self.place.shape[self.down + 1], self.place.shape[self.down]);
        format(self.place.kind, depth, self.channels(), width, height)
    }

    /// Frame `t`, where it lies if its planes lie as frames have them, with nothing between them, else copied into one of the pool.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn frame(&self, t: usize, format: &Arc<Format>, timing: Timing, pool: &Pool) -> Result<Frame> {
        if let Some((low, high, layout)) = self.layout(t)
            && self.is_dense(low, high)
            && let Some(block) = self.place.lend(low, high, Access::Read)
        {
            return Frame::from_block(format.clone(), timing, layout, Arc::new(block));
        }
        self.copy(t, format, timing, pool)
    }

    /// Frame `t`, copied into one of the pool.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn copy(&self, t: usize, format: &Arc<Format>, timing: Timing, pool: &Pool) -> Result<Frame> {
        let mut frame = pool.frame(format)?;
        match self.place.kind {
            Kind::U8 => self.load::<u8>(t, &mut frame)?,
            Kind::U16 => self.load::<u16>(t, &mut frame)?,
            Kind::F32 => self.load::<f32>(t, &mut frame)?,
            Kind::F64 => self.load::<f64>(t, &mut frame)?,
        }
        Ok(frame.freeze(timing))
    }

    /// The memory of frame `t`, to be written as a frame; `None` where its planes do not lie as frames have them, or another call
    /// uses it.
    pub fn slot(&self, t: usize, format: &Arc<Format>) -> Option<FrameMut> {
        let (low, high, layout) = self.layout(t).filter(|(low, high, _)| self.is_dense(*low, *high))?;
        FrameMut::new(format.clone(), layout, self.place.lend(low, high, Access::Write)?).ok()
    }

    /// Stores a frame as frame `t`, unless it lies there already.
    ///
    /// # Errors
    /// If the frame does not lie on the host, or frame `t` is used by another call or as a slot.
    pub fn store(&self, t: usize, frame: &Frame) -> Result<()> {
        if self.holds(t, frame) {
            return Ok(());
        }
        match self.place.kind {
            Kind::U8 => self.save::<u8>(t, frame),
            Kind::U16 => self.save::<u16>(t, frame),
            Kind::F32 => self.save::<f32>(t, frame),
            Kind::F64 => self.save::<f64>(t, frame),
        }
    }

    /// Returns whether a frame lies where frame `t` does.
    pub fn holds(&self, t: usize, frame: &Frame) -> bool {
        let (Some((low, ..)), Storage::Host(block)) = (self.layout(t), frame.storage()) else { return false };
        block.bytes().as_ptr().addr() == self.place.address().wrapping_add_signed(low)
    }

    /// Where the planes of frame `t` lie, and from where to where, in bytes from the first element.
    fn layout(&self, t: usize) -> Option<(isize, isize, Layout)> {
        let (place, down, bytes) = (&self.place, self.down, self.place.kind.bytes() as isize);
        let (height, width) = (place.shape[down], place.shape[down + 1]);
        let across = place.strides[down + 1];
        let packed = width as isize * bytes;
        let rows = if height == 1 { packed } else { place.strides[down] };
        let is_planar = (across == bytes || width == 1) && rows >= packed && rows % bytes == 0;
        if place.kind == Kind::F64 || self.peak != 1.0 || !is_planar {
            return None;
        }
        let start = if self.form == Form::Clip { t as isize * place.strides[0] } else { 0 };
        let step = place.strides.get(down + 2).copied().unwrap_or(0);
        let starts: Vec<isize> =
            (0..self.channels()).map(|plane| start + step * channel(self.channels(), plane) as isize).collect();
        let low = *starts.iter().min()?;
        let high = starts.iter().max()? + (height as isize - 1) * rows + packed;
        let is_aligned = place.address().wrapping_add_signed(low).is_multiple_of(bytes as usize) && step % bytes == 0;
        let plane = |start: isize| PlaneLayout::new((start - low) as usize, (rows / bytes) as usize, (width, height));
        is_aligned.then(|| (low, high, Layout::new(starts.into_iter().map(plane).collect())))
    }

    /// Returns whether a frame is all that lies between two places. What lies between its rows may be used by others.
    fn is_dense(&self, low: isize, high: isize) -> bool {
        let samples = self.place.shape[self.down] * self.place.shape[self.down + 1] * self.channels();
        (high - low) as usize == samples * self.place.kind.bytes()
    }

    /// The first element of a row of a plane.
    fn at(&self, t: usize, plane: usize, y: usize) -> Vec<usize> {
        let time = (self.form == Form::Clip).then_some(t);
        let channel = (self.place.shape.len() > self.down + 2).then(|| channel(self.channels(), plane));
        time.into_iter().chain([y, 0]).chain(channel).collect()
    }

    /// How many rows a thread copies at a time.
    const ROWS: usize = 64;

    fn load<E: Element>(&self, t: usize, frame: &mut FrameMut) -> Result<()> {
        let (mut bands, samples) = (Vec::new(), frame.format().samples());
        for (plane, out) in frame.planes_mut::<E::Sample>().into_iter().enumerate() {
            bands.extend(out.bands(Self::ROWS).into_iter().enumerate().map(|(n, band)| (plane, n * Self::ROWS, band)));
        }
        let axes = (self.down, self.down + 1);
        let outcome = Mutex::new(Ok(()));
        worker::share(bands, samples, |(plane, first, mut band)| {
            match self.place.rows(&self.at(t, plane, first), axes, band.height, Access::Read) {
                Ok(rows) => (0..band.height).for_each(|y| {
                    rows.read::<E>(y, band.row_mut(y));
                    if self.peak != 1.0 {
                        band.row_mut(y).iter_mut().for_each(|sample| *sample = E::times(*sample, 1.0 / self.peak));
                    }
                }),
                Err(error) => *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Err(error),
            }
        })?;
        outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn save<E: Element>(&self, t: usize, frame: &Frame) -> Result<()> {
        let host = frame.host()?;
        let height = self.place.shape[self.down];
        let rows = (0..self.channels()).flat_map(|plane| (0..height).step_by(Self::ROWS).map(move |y| (plane, y)));
        let axes = (self.down, self.down + 1);
        let outcome = Mutex::new(Ok(()));
        worker::share(rows.collect(), frame.format().samples(), |(plane, first)| {
            let samples = host.plane::<E::Sample>(plane);
            let count = Self::ROWS.min(height - first);
            match self.place.rows(&self.at(t, plane, first), axes, count, Access::Write) {
                Ok(mut rows) if self.peak == 1.0 => {
                    (0..count).for_each(|y| rows.write::<E>(y, samples.row(first + y)));
                }
                Ok(mut rows) => (0..count).for_each(|y| {
                    let row = samples.row(first + y).iter().map(|&sample| E::times(sample, self.peak));
                    rows.write::<E>(y, &row.collect::<Vec<_>>());
                }),
                Err(error) => *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Err(error),
            }
        })?;
        outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses a chain that gives arrays of another type than those that go in.
///
/// # Errors
/// `ValueError` with what to type.
pub fn check_samples(from: &Format, to: &Format) -> PyResult<()> {
    let (from, to) = (from.pixel, to.pixel);
    if from.sample == to.sample {
        return Ok(());
    }
    let depth = if from.sample == Sample::F32 { "f32".to_owned() } else { from.depth.to_string() };
    let message = format!(
        "expected a chain that ends with the type of the array, {}, got one that ends with {}; add scale=depth={depth}",
        from.name(),
        to.name()
    );
    Err(PyValueError::new_err(message))
}

/// What frames of arrays are: grey, RGB, or RGB with opacity; `depth` is the bits in use of `uint16`.
pub fn format(kind: Kind, depth: u8, channels: usize, width: usize, height: usize) -> Format {
    let (sample, depth) = match kind {
        Kind::U8 => (Sample::U8, 8),
        Kind::U16 => (Sample::U16, depth),
        Kind::F32 | Kind::F64 => (Sample::F32, 32),
    };
    let family = if channels == 1 { Family::Gray } else { Family::Rgb };
    let pixel = Pixel { family, alpha: channels == 4, log2_chroma_w: 0, log2_chroma_h: 0, sample, depth };
    Format::new(pixel, width, height, Rational::new(25, 1))
}

/// The channel of a plane: planes of colour are G, B, R.
pub fn channel(channels: usize, plane: usize) -> usize {
    if channels == 1 { 0 } else { [1, 2, 0, 3][plane] }
}

/// A frame of planes, each an array of a plane's size and of the samples' type.
///
/// # Errors
/// `ValueError` with what was expected and what came.
pub fn assembled(planes: &[Array], format: &Arc<Format>, pool: &Pool) -> PyResult<Frame> {
    let pixel = format.pixel;
    let kind = match pixel.sample {
        Sample::U8 => Kind::U8,
        Sample::U16 => Kind::U16,
        Sample::F32 => Kind::F32,
    };
    let sizes: Vec<_> = (0..pixel.planes()).map(|plane| format.plane_size(plane)).collect();
    let fits = |(array, (width, height)): (&Array, &(usize, usize))| {
        array.place.kind == kind && array.place.shape == [*height, *width]
    };
    if planes.len() != sizes.len() || !planes.iter().zip(&sizes).all(fits) {
        let shape = |(width, height): &(usize, usize)| format!("({height}, {width})");
        let expected = sizes.iter().map(shape).collect::<Vec<_>>().join(", ");
        let got = planes.iter().map(Array::describe).collect::<Vec<_>>().join(", ");
        let message = format!("expected {} planes of {expected} for {}, got {got}", kind.name(), pixel.name());
        return Err(PyValueError::new_err(message));
    }
    let made = || {
        let mut frame = pool.frame(format)?;
        match kind {
            Kind::U8 => copy_planes::<u8>(planes, &mut frame)?,
            Kind::U16 => copy_planes::<u16>(planes, &mut frame)?,
            Kind::F32 | Kind::F64 => copy_planes::<f32>(planes, &mut frame)?,
        }
        Ok(frame.freeze(Timing::default()))
    };
    made().map_err(raised)
}

fn copy_planes<E: Element>(planes: &[Array], frame: &mut FrameMut) -> Result<()> {
    for (array, mut plane) in planes.iter().zip(frame.planes_mut::<E::Sample>()) {
        let rows = array.place.rows(&[0, 0], (0, 1), plane.height, Access::Read)?;
        (0..plane.height).for_each(|y| rows.read::<E>(y, plane.row_mut(y)));
    }
    Ok(())
}

/// A shape with frames of another width and height; the axis of rows is `down`.
pub fn resized(shape: &[usize], down: usize, (width, height): (usize, usize)) -> Vec<usize> {
    let mut shape = shape.to_vec();
    shape[down..down + 2].copy_from_slice(&[height, width]);
    shape
}

/// A shape as Python prints it: `(480, 640)`.
pub fn shape_text(shape: &[usize]) -> String {
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("({}{comma})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}
