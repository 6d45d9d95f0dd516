//! Memory for what kernels count: it stays on the device until all is there, and is then copied into the host's pinned memory.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use cudarc::driver::result;

use crate::frame::Memory;
use crate::pass::{Answers, Questions};

use super::device::Device;
use super::error::Explained;
use super::memory::{DeviceBuffer, Pinned};
use super::stream::{Event, StreamRole, Streams};

const ANSWER_BYTES: usize = Answers::COUNT * size_of::<u64>();

/// Where in the device's memory other counts begin.
const COUNTS: usize = ANSWER_BYTES.next_multiple_of(256);

/// Pinned memory that no answer is written to any more, or only by work that is queued before its next use.
type Slots = Arc<Mutex<Vec<Pinned>>>;

/// The answers on the device, and behind them what is counted on the way; all of it is used in the compute stream alone.
pub(super) struct AnswerMemory {
    memory: DeviceBuffer,
    slots: Slots,
}

impl AnswerMemory {
    /// Memory with so many bytes for what is counted on the way.
    pub(super) fn new(device: &Device, count_bytes: usize) -> Result<Self> {
        let memory = DeviceBuffer::new(&device.context, COUNTS + count_bytes)?;
        Ok(Self { memory, slots: Slots::default() })
    }

    /// Memory on the GPU.
    pub(super) fn bytes(&self) -> usize {
        self.memory.bytes
    }

    /// The address of what is counted on the way.
    pub(super) fn counts(&self) -> u64 {
        self.memory.address + COUNTS as u64
    }

    /// The address of the answers to a question.
    pub(super) fn answers(&self, question: Questions) -> u64 {
        self.memory.address + (question.place().start * size_of::<u64>()) as u64
    }

    /// A place on the host, and answers on the device that are 0.
    pub(super) fn begin(&self, device: &Device, streams: &Streams) -> Result<AnswerSlot> {
        let known = self.slots.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let answers = match known {
            Some(answers) => answers,
            None => Pinned::new(&device.context, ANSWER_BYTES)?,
        };
        let slot = AnswerSlot { answers: Some(answers), home: self.slots.clone() };
        self.clear(streams, 0, ANSWER_BYTES)?;
        Ok(slot)
    }

    /// Sets the first bytes of what is counted on the way to 0.
    pub(super) fn clear_counts(&self, streams: &Streams, bytes: usize) -> Result<()> {
        self.clear(streams, COUNTS, bytes)
    }

    fn clear(&self, streams: &Streams, start: usize, bytes: usize) -> Result<()> {
        let address = self.memory.address + start as u64;
        // SAFETY: the buffer holds the bytes, and only kernels and copies in this stream use it.
        unsafe { result::memset_d8_async(address, 0, bytes, streams.raw(StreamRole::Compute)) }.explain()?;
        Ok(())
    }

    /// Copies the answers to their place. They are there when an event that is recorded after this is done.
    pub(super) fn end(&self, streams: &Streams, slot: &mut AnswerSlot) -> Result<()> {
        let host = slot.answers.as_mut().context("the answers have a place")?;
        // SAFETY: both sides hold the bytes; the slot is read only after the event that the caller records after this, and is
        // written again only by work that is queued behind this.
        let copy = unsafe {
            let to = &mut host.bytes_mut()[..ANSWER_BYTES];
            result::memcpy_dtoh_async(to, self.memory.address, streams.raw(StreamRole::Compute))
        };
        copy.explain()?;
        Ok(())
    }
}

/// Memory that answers are being written to. Dropping it lets later work of the compute stream write there.
pub(super) struct AnswerSlot {
    answers: Option<Pinned>,
    home: Slots,
}

impl Drop for AnswerSlot {
    fn drop(&mut self) {
        self.home.lock().unwrap_or_else(PoisonError::into_inner).extend(self.answers.take());
    }
}

/// Answers that are being counted. They may be dropped unread; the stage that counts waits for its kernels in its end.
pub struct SurveyUnderWay {
    slot: AnswerSlot,
    done: Arc<Event>,
    questions: Questions,
    /// Number of the frame, for messages.
    pub(super) number: u64,
}

impl SurveyUnderWay {
    pub(super) fn new(slot: AnswerSlot, done: Arc<Event>, questions: Questions, number: u64) -> Self {
        Self { slot, done, questions, number }
    }

    /// The answers. Blocks until they are there.
    pub(super) fn finish(self) -> Result<Answers> {
        self.done.wait()?;
        let memory = self.slot.answers.as_ref().context("measurement buffer already released")?;
        let values = bytemuck::cast_slice::<u8, u64>(&memory.bytes()[..ANSWER_BYTES]);
        let mut answers = Answers::NONE;
        self.questions.each().for_each(|question| answers.set(question, &values[question.place()]));
        Ok(answers)
    }
}
