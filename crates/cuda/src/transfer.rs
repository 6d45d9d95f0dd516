//! How frames come to the GPU and leave it.
//!
//! A frame of the host is copied in one piece. One that lies on the GPU already is taken where it lies, if its planes lie
//! by themselves and its memory goes on a little behind them; else it is copied there, and planes that share their rows
//! are set apart. Whatever is read is kept until the GPU has read it.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use cudarc::driver::result;

use super::error::Explained;
use super::image::{self, Image, ImageMemory, Pending, SLACK_BYTES};
use super::split::Splitter;
use super::stage::Cuda;
use super::stream::StreamRole;
use crate::backend::Delivery;
use crate::backend::Inputs;
use crate::frame::{Block, Format, Frame, Motion, Pool, Storage, Surface};

impl Cuda {
    /// Lets go of the memory of finished uploads.
    fn release(&mut self) -> Result<()> {
        self.store.give_back()?;
        while let Some((event, _)) = self.reading.front() {
            if !event.is_done()? {
                break;
            }
            self.reading.pop_front();
        }
        while let Some((event, _)) = self.telling.front() {
            if !event.is_done()? {
                break;
            }
            self.telling.pop_front();
        }
        Ok(())
    }

    /// Starts to bring the motion that a pass finds to the host, if it tells of it. What `motion` becomes has to be kept
    /// until the compute stream has done what it was told, also where this fails.
    pub(super) fn tell(&self, pass: usize, inputs: &Inputs<'_, Image>, motion: &mut Option<Motion>) -> Result<()> {
        let step = &self.steps[pass];
        let Some((name, planes, places)) = step.pass.told(&step.format) else { return Ok(()) };
        let between = self.between.as_ref().context("no scratch buffer for motion vectors")?;
        let number = |place: &usize| inputs.window[*place].map(|image| image.timing().number);
        let references: Vec<_> = places.iter().map(number).collect();
        let mut memory = self.pool.block(Motion::bytes(references.len(), &planes))?;
        // Memory of the pool may be made by another GPU, which then is the thread's.
        self.device.bind()?;
        let (mut copied, mut first) = (Ok(()), 0);
        for blocks in &planes {
            let bytes = Motion::bytes(references.len(), std::slice::from_ref(blocks));
            let from = between.address + step.kernel.between_start(blocks.plane) as u64;
            // SAFETY: the plane's part of the buffer begins with its vectors, which have as many bytes; the block holds
            // them, and is kept by the caller until the stream has done this. Nobody reads it before: the host meets
            // motion with frames that it has waited for, which come later in the stream.
            copied = copied.and_then(|()| unsafe {
                let to = &mut memory.bytes_mut()[first..first + bytes];
                result::memcpy_dtoh_async(to, from, self.streams.raw(StreamRole::Compute)).explain()
            });
            first += bytes;
        }
        *motion = Some(Motion::new(name, references, planes, memory));
        copied
    }

    /// Starts to bring a frame to the GPU, from wherever it lies.
    pub(super) fn send(&mut self, frame: &Frame) -> Result<Image> {
        self.device.bind()?;
        self.release()?;
        match frame.storage() {
            // Pieces are put together in memory that the GPU reads well.
            Storage::Host(_) if !frame.layout().is_in_one_piece() => self.send(&self.pool.copy(frame)?),
            Storage::Host(block) => self.copy_in(frame, block, &self.format.clone()),
            Storage::Device(surface) => self.adopt(frame, surface),
        }
    }

    /// Starts to bring a frame of another clip to the GPU, of the format of the frames that go into some pass. It comes from whatever
    /// memory its source has, which the GPU may read badly, so that it is copied on the host first.
    pub(super) fn send_beside(&mut self, frame: &Frame, format: &Arc<Format>) -> Result<Image> {
        self.device.bind()?;
        self.release()?;
        let copied = self.pool.copy(frame)?;
        // Memory of the pool may be made by another GPU, which then is the thread's.
        self.device.bind()?;
        match copied.storage() {
            Storage::Host(block) => self.copy_in(&copied, block, format),
            Storage::Device(_) => bail!("the frame is on a GPU, and is due on the host"),
        }
    }

    fn copy_in(&mut self, frame: &Frame, block: &Block, format: &Arc<Format>) -> Result<Image> {
        image::check_reach(frame.layout())?;
        let (layout, start_bytes, span) = image::placed(frame.layout(), format.pixel.sample.bytes());
        let buffer = self.store.take(start_bytes + span.len() + SLACK_BYTES, StreamRole::Upload)?;
        let start = self.begin(StreamRole::Upload, None)?;
        let bytes = &block.bytes()[span];
        // SAFETY: the buffer is as long as what is copied to it and nothing else uses it, as the store promises; the
        // host's memory is kept in `reading` until the event is done.
        let copy = unsafe {
            let to = buffer.address + start_bytes as u64;
            result::memcpy_htod_async(to, bytes, self.streams.raw(StreamRole::Upload)).explain()
        };
        let ready = self.queued(copy, StreamRole::Upload, frame.timing.number, 0, start)?;
        self.reading.push_back((ready.clone(), frame.storage().clone()));
        let samples = ImageMemory::Own(buffer);
        Ok(Image::new(samples, (format, layout), frame.timing.clone(), ready, &self.store))
    }

    /// Blocks until all frames that lie on the host have been read, so that whoever lent their memory may write it again.
    ///
    /// # Errors
    /// If the GPU failed.
    pub fn read_through(&self) -> Result<()> {
        self.device.bind()?;
        // Uploads are done in order.
        self.reading.back().map_or(Ok(()), |(event, _)| event.wait())
    }

    fn adopt(&mut self, frame: &Frame, surface: &Arc<dyn Surface>) -> Result<Image> {
        image::check_reach(frame.layout())?;
        let (theirs, ours) = (surface.device(), self.device.ordinal);
        ensure!(theirs == ours, "it is on GPU {theirs}, and this stage runs on GPU {ours}");
        let start = self.begin(StreamRole::Upload, None)?;
        // SAFETY: a surface promises that what its `ready` names is live for as long as itself, and it is of this GPU.
        unsafe { self.streams.join_foreign(StreamRole::Upload, surface.ready()) }?;
        let (number, timing) = (frame.timing.number, frame.timing.clone());
        let (layout, start_bytes, span) = image::placed(frame.layout(), self.format.pixel.sample.bytes());
        if frame.layout().is_planar() && span.end + SLACK_BYTES <= surface.bytes() {
            let ready = self.queued(Ok(()), StreamRole::Upload, number, 0, start)?;
            let samples = ImageMemory::Lent(surface.clone());
            return Ok(Image::new(samples, (&self.format, frame.layout().clone()), timing, ready, &self.store));
        }
        let (buffer, layout, copy) = if frame.layout().is_planar() {
            let buffer = self.store.take(start_bytes + span.len() + SLACK_BYTES, StreamRole::Upload)?;
            let [to, from] = [buffer.address + start_bytes as u64, surface.address() + span.start as u64];
            // SAFETY: the surface holds the span, as the frame's layout was checked against it, and the buffer is as long;
            // nothing else uses the buffer, and the surface is kept in `reading` until the event is done.
            let copy = unsafe { result::memcpy_dtod_async(to, from, span.len(), self.streams.raw(StreamRole::Upload)) };
            (buffer, layout, copy.explain())
        } else {
            let bytes = self.layout.total_bytes(self.format.pixel.sample.bytes()) + SLACK_BYTES;
            let buffer = self.store.take(bytes, StreamRole::Upload)?;
            if self.splitter.is_none() {
                let splitter = Splitter::new(&self.device, self.format.pixel.sample);
                self.splitter = Some(splitter.context("prepare the deinterleave kernel")?);
            }
            let splitter = self.splitter.as_ref().context("the deinterleave kernel was not loaded")?;
            let stream = self.streams.raw(StreamRole::Upload);
            let [from, to] = [(frame.layout(), surface.address()), (&self.layout, buffer.address)];
            // SAFETY: the stage keeps its stream, which has been told to wait for the surface. Both layouts were checked
            // against their memory and are of one format; nothing else uses the buffer, and the surface is kept in
            // `reading` until the event is done.
            let split = unsafe { splitter.start(stream, from, to) };
            (buffer, self.layout.clone(), split)
        };
        let ready = self.queued(copy, StreamRole::Upload, number, 0, start)?;
        self.reading.push_back((ready.clone(), frame.storage().clone()));
        Ok(Image::new(ImageMemory::Own(buffer), (&self.format, layout), timing, ready, &self.store))
    }

    /// Starts to bring an image to where finished frames are wanted.
    pub(super) fn fetch(&mut self, image: Image) -> Result<Pending> {
        self.check_own(&image)?;
        if self.delivery == Delivery::Device {
            let image = self.owned(image)?;
            return Ok(Pending::there(image));
        }
        let bytes = image.layout().total_bytes(image.format().pixel.sample.bytes());
        let mut block = self.pool.block(bytes + Pool::SLACK_BYTES)?;
        // Memory of the pool may be made by another GPU, which then is the thread's.
        self.device.bind()?;
        self.streams.join(StreamRole::Download, image.ready())?;
        let start = self.begin(StreamRole::Download, Some(image.ready()))?;
        let range = image.range();
        // SAFETY: the image's memory holds the range, and so does the block, in which the planes lie as in the image;
        // both are kept in the pending frame until the event is done.
        let copy = unsafe {
            let to = &mut block.bytes_mut()[range.clone()];
            result::memcpy_dtoh_async(to, image.address() + range.start as u64, self.streams.raw(StreamRole::Download))
                .explain()
        };
        let done = self.queued(copy, StreamRole::Download, image.timing().number, 0, start)?;
        Ok(Pending::copied(block, image, done))
    }

    /// An image in memory of the stage's, as it is or copied on the GPU: who reads what is delivered, and until when,
    /// the stage knows, and whoever lent it memory does not.
    fn owned(&mut self, image: Image) -> Result<Image> {
        if !image.is_lent() {
            return Ok(image);
        }
        self.device.bind()?;
        let (layout, start_bytes, span) = image::placed(image.layout(), image.format().pixel.sample.bytes());
        image.join(&self.streams)?;
        let buffer = self.store.take(start_bytes + span.len() + SLACK_BYTES, StreamRole::Compute)?;
        let [to, from] = [buffer.address + start_bytes as u64, image.address() + span.start as u64];
        // SAFETY: the image's memory holds the span, and the buffer is as long; nothing else uses the buffer. The image
        // is kept until the event is done, behind which the store keeps what was lent.
        let copy = unsafe { result::memcpy_dtod_async(to, from, span.len(), self.streams.raw(StreamRole::Compute)) };
        let timing = image.timing().clone();
        let ready = self.queued(copy.explain(), StreamRole::Compute, timing.number, 0, None)?;
        self.store.launched(&ready);
        let format = image.format().clone();
        Ok(Image::new(ImageMemory::Own(buffer), (&format, layout), timing, ready, &self.store))
    }

    /// The frame that was under way. Where it stays on the GPU it is given before it is done; so that the host does not
    /// run ahead of the GPU for ever, the frame is waited for that was given as many before as are to be in flight.
    pub(super) fn deliver(&mut self, pending: Pending) -> Result<Frame> {
        if self.delivery == Delivery::Device {
            self.delivered.push_back(pending.made().clone());
            while self.delivered.len() > self.in_flight
                && let Some(oldest) = self.delivered.pop_front()
            {
                oldest.wait()?;
            }
        }
        pending.finish()
    }
}
