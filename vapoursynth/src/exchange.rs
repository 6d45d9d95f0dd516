//! Frames of VapourSynth as frames of the filters, and results as frames of VapourSynth: where they are, without a copy, but
//! for float YUV, whose chroma is centred on another number here.

use std::sync::Arc;

use anyhow::Result;
use warpreel_frame::{Block, Format, Frame, FrameFields, FrameMut, Layout, PlaneLayout, PlaneMut, Pool, Timing};

use crate::ffi::{Canvas, Core, Picture, VideoInfo};
use crate::format::{FormatChange, field_properties, marked, order, raised};

/// Whether the samples of some plane are other numbers here.
fn is_raised(format: &Format) -> bool {
    (0..format.pixel.planes()).any(|plane| raised(format.pixel, plane).is_some())
}

/// Planes that lie apart, with strides in bytes.
fn layout(format: &Format, strides: &[usize]) -> Layout {
    let sample = format.pixel.sample.bytes();
    let plane = |(plane, stride): (usize, &usize)| {
        PlaneLayout::new(0, stride / sample, format.plane_size(plane)).in_piece(plane)
    };
    Layout::new(strides.iter().enumerate().map(plane).collect())
}

/// A frame that VapourSynth gave, as frame `n` of the clip.
///
/// # Errors
/// If it is not of the format, or memory runs out.
pub fn taken(picture: &Arc<Picture>, format: &Arc<Format>, n: i32, pool: &Pool) -> Result<Frame> {
    let (strides, memory) = picture.memory(order(format.pixel))?;
    let block = Arc::new(Block::lent(memory, drop));
    let timing = Timing::at(n.max(0) as u64);
    let lent = Frame::from_block(format.clone(), timing.clone(), layout(format, &strides), block)?;
    if !is_raised(format) {
        return Ok(lent);
    }
    let (host, mut frame) = (lent.host()?, pool.frame(format)?);
    for (plane, mut to) in frame.planes_mut::<f32>().into_iter().enumerate() {
        moved(|y| host.plane::<f32>(plane).row(y), &mut to, raised(format.pixel, plane));
    }
    Ok(frame.freeze(timing))
}

/// Copies rows, with something added where the plane's numbers differ.
fn moved<'a>(row: impl Fn(usize) -> &'a [f32], to: &mut PlaneMut<'_, f32>, up: Option<f32>) {
    for y in 0..to.height {
        match up {
            None => to.row_mut(y).copy_from_slice(row(y)),
            Some(up) => to.row_mut(y).iter_mut().zip(row(y)).for_each(|(to, from)| *to = from + up),
        }
    }
}

/// A new frame of VapourSynth.
pub struct Target {
    canvas: Arc<Canvas>,
    /// Its memory, until it is lent to who writes it.
    frame: Option<FrameMut>,
}

impl Target {
    /// A frame of a clip, with the properties of the frame that it is made of, as far as they hold for it. Where a
    /// frame is made of each field, `is_second` says of which; where fields were matched, `mark` says what the frame is.
    ///
    /// # Errors
    /// If VapourSynth makes none.
    pub fn new(
        core: Core<'_>,
        info: &VideoInfo,
        change: &FormatChange,
        source: &Picture,
        is_second: Option<bool>,
        mark: Option<FrameFields>,
    ) -> Result<Self> {
        let (format, shape) = (&change.to, (info.format, info.width, info.height));
        let mut changed = change.properties();
        changed.extend(is_second.into_iter().flat_map(|is_second| field_properties(source, is_second)));
        changed.extend(mark.map(marked));
        let (canvas, strides, memory) = Canvas::new(core, shape, source, &changed, order(format.pixel))?;
        let frame = FrameMut::new(format.clone(), layout(format, &strides), Block::lent(memory, drop))?;
        Ok(Self { canvas, frame: Some(frame) })
    }

    /// Its memory, for whoever writes the result there at once; `None` where results have other numbers.
    pub fn lend(&mut self) -> Option<FrameMut> {
        self.frame.take_if(|frame| !is_raised(frame.format()))
    }

    /// Takes memory back that was not written.
    pub fn take_back(&mut self, frame: Option<FrameMut>) {
        self.frame = self.frame.take().or(frame);
    }

    /// The frame. A result that was not written there at once is copied; of planes that are not filtered, `unfiltered`, the
    /// source's own samples.
    ///
    /// # Errors
    /// If the result is not on the host.
    pub fn finish(self, result: Frame, source: &Arc<Picture>, unfiltered: &[bool]) -> Result<Picture> {
        if let Some(mut frame) = self.frame {
            copy(&mut frame, &result)?;
            let format = frame.format().clone();
            if is_raised(&format) && unfiltered.contains(&true) {
                let (strides, memory) = source.memory(order(format.pixel))?;
                let block = Arc::new(Block::lent(memory, drop));
                let source = Frame::from_block(format.clone(), Timing::default(), layout(&format, &strides), block)?;
                let host = source.host()?;
                for (plane, mut to) in frame.planes_mut::<f32>().into_iter().enumerate() {
                    if unfiltered.get(plane) == Some(&true) {
                        moved(|y| host.plane::<f32>(plane).row(y), &mut to, None);
                    }
                }
            }
        }
        drop(result);
        self.canvas.finish()
    }
}

/// Copies the samples of a frame, with VapourSynth's numbers.
fn copy(to: &mut FrameMut, from: &Frame) -> Result<()> {
    let (host, pixel) = (from.host()?, from.format().pixel);
    if is_raised(from.format()) {
        for (plane, mut to) in to.planes_mut::<f32>().into_iter().enumerate() {
            moved(|y| host.plane::<f32>(plane).row(y), &mut to, raised(pixel, plane).map(|up| -up));
        }
        return Ok(());
    }
    match pixel.sample.bytes() {
        1 => rows::<u8>(to, &host),
        2 => rows::<u16>(to, &host),
        _ => rows::<f32>(to, &host),
    }
    Ok(())
}

fn rows<T: bytemuck::Pod>(to: &mut FrameMut, from: &warpreel_frame::Host<'_>) {
    for (plane, mut to) in to.planes_mut::<T>().into_iter().enumerate() {
        let from = from.plane::<T>(plane);
        (0..to.height).for_each(|y| to.row_mut(y).copy_from_slice(from.row(y)));
    }
}
