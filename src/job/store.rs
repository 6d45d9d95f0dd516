//! Decoded frames of a clip on disk, so that none is decoded again: written in order by whoever reads the clip through,
//! read at any place by whoever looks at it.
//!
//! Frame after frame lies there, its planes and rows one after the other without padding. Beside the file 24 bytes a
//! frame are kept in memory: its time, a checksum, as a disk may fail long after it took the bytes, and where the clip
//! was damaged last, as what decoders make up depends on their threads.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};

use super::input::is_stream;
use super::request::Request;
use super::stamp::FileStamp;
use crate::frame::{Format, Frame, FrameFields, Layout, Pool, Timing};

/// Frames of a clip in a file without a name, which is gone as soon as nobody has it open. One writes, others read.
pub struct FrameStore {
    file: File,
    format: Arc<Format>,
    frame_bytes: usize,
    /// The most frames.
    room: usize,
    input: String,
    /// The clip when the store was made.
    stamp: FileStamp,
    state: Mutex<StoreState>,
}

#[derive(Default)]
struct StoreState {
    frames: Vec<StoredFrame>,
    /// Whether no more are taken.
    is_closed: bool,
    /// Whether none is given any more.
    is_broken: bool,
}

/// Whether the clip is damaged where a frame was decoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Integrity {
    Whole,
    Damaged,
}

/// What is known of a frame that lies in the file.
#[derive(Clone, Copy)]
struct StoredFrame {
    /// When it is shown, counted from the beginning of the clip.
    time: i64,
    duration: i64,
    fields: Option<FrameFields>,
    sum: u32,
    /// The last frame up to this one with which damage was met; `u32::MAX` where there was none.
    damaged: u32,
}

impl FrameStore {
    /// The most frames, however small they are.
    const MOST: usize = 1 << 20;
    /// How many frames earlier than it is shown damage may be met, at the most: decoders hold back 16 to bring them
    /// into order.
    const LEAD: usize = 32;

    /// A store for the clip of a request, whose frames are of that format: a file in the user's cache folder, or where
    /// that cannot be had, in the folder for temporary files. It is one of `stores` that take `most_bytes` together at most,
    /// and half of what is free on that disk now. `None` where no frame fits, the clip comes through a pipe or is a sequence of images, or there
    /// is no such folder.
    pub fn open(request: &Request, format: &Arc<Format>, most_bytes: u64, stores: u64) -> Option<Self> {
        // Nothing is touched where there is nothing to be kept.
        if most_bytes / stores.max(1) < format.packed_bytes() as u64 {
            return None;
        }
        let file = match unnamed() {
            Ok(file) => file,
            Err(error) => {
                log::debug!("decoded frames are not cached on disk: {error:#}");
                return None;
            }
        };
        let free = rustix::fs::fstatvfs(&file).map_or(0, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        Self::over(file, request, format, bounded(most_bytes, free) / stores.max(1))
    }

    /// The same in a file that is there, whatever is free on its disk. It is empty, and nobody else writes it.
    pub fn over(file: File, request: &Request, format: &Arc<Format>, most_bytes: u64) -> Option<Self> {
        let frame_bytes = format.packed_bytes();
        let room = usize::try_from(most_bytes.checked_div(frame_bytes as u64)?).unwrap_or(usize::MAX).min(Self::MOST);
        let stamp = FileStamp::of(&request.input).filter(|_| room > 0 && !is_stream(&request.input))?;
        let (format, input) = (format.clone(), request.input.clone());
        Some(Self { file, format, frame_bytes, room, input, stamp, state: Mutex::default() })
    }

    /// How many frames it has.
    pub fn frames(&self) -> u64 {
        self.lock().frames.len() as u64
    }

    /// The bytes of those frames on the disk.
    pub fn bytes(&self) -> u64 {
        self.frames() * self.frame_bytes as u64
    }

    fn lock(&self) -> MutexGuard<'_, StoreState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next frame of the clip, with which damage was met or not; none behind the first for which there is no
    /// room, or that the disk refuses. Called by one thread. Blocks while the disk does.
    pub(super) fn put(&self, frame: &Frame, integrity: Integrity) {
        let (number, last) = {
            let state = self.lock();
            if state.is_closed {
                return;
            }
            (state.frames.len(), state.frames.last().map_or(u32::MAX, |last| last.damaged))
        };
        let stored = if number < self.room { Some(self.write(number, frame)) } else { None };
        let mut state = self.lock();
        match stored {
            Some(Ok(stored)) => {
                let damaged = if integrity == Integrity::Damaged { number as u32 } else { last };
                state.frames.push(StoredFrame { damaged, ..stored });
            }
            Some(Err(error)) => {
                state.is_closed = true;
                log::warn!("frames from {number} are not cached on disk and will be decoded again: {error:#}");
                // What of it has come to lie there is of no use. Whether the disk gives it back is its own affair.
                let _ = self.file.set_len(self.offset(number));
            }
            None => {
                state.is_closed = true;
                log::debug!("the first {number} frames fill the disk cache; raise the limit with --scratch");
            }
        }
    }

    fn write(&self, number: usize, frame: &Frame) -> Result<StoredFrame> {
        ensure!(frame.format() == &self.format, "frame {number} has another format");
        let (host, mut packed) = (frame.host()?, Vec::new());
        let bytes = match host.packed_bytes() {
            Some(bytes) => bytes,
            None => {
                packed.reserve_exact(self.frame_bytes);
                host.pieces().for_each(|row| packed.extend_from_slice(row));
                &packed
            }
        };
        self.file.write_all_at(bytes, self.offset(number)).context("write to the cache folder")?;
        let Timing { pts, offset, duration, fields, .. } = frame.timing;
        Ok(StoredFrame { time: pts + offset, duration, fields, sum: crc32fast::hash(bytes), damaged: u32::MAX })
    }

    fn offset(&self, number: usize) -> u64 {
        (number * self.frame_bytes) as u64
    }

    /// The frame that is shown at `time`, as frame `number` of the clip, in memory of that pool; `None` where there is
    /// none, the clip has changed, or damage was met since the key frame before it, which is shown at `key`. Blocks
    /// while the disk does.
    pub(super) fn frame(&self, time: i64, number: u64, key: Option<i64>, pool: &Pool) -> Option<Frame> {
        let (place, stored) = {
            let state = self.lock();
            let place_of = |time| state.frames.partition_point(|stored| stored.time < time);
            let place = place_of(time);
            let stored = *state.frames.get(place).filter(|stored| stored.time == time && !state.is_broken)?;
            let is_mended = || key.is_some_and(|key| stored.damaged as usize + Self::LEAD < place_of(key));
            if stored.damaged < u32::MAX && !is_mended() {
                return None;
            }
            (place, stored)
        };
        if FileStamp::of(&self.input).as_ref() != Some(&self.stamp) {
            return None;
        }
        let timing =
            Timing { number, pts: time, duration: stored.duration, fields: stored.fields, ..Timing::default() };
        match self.read(place, stored.sum, timing, pool) {
            Ok(frame) => Some(frame),
            Err(error) => {
                let mut state = self.lock();
                (state.is_closed, state.is_broken) = (true, true);
                log::warn!("the disk cache cannot be read; frames are decoded again: {error:#}");
                None
            }
        }
    }

    fn read(&self, place: usize, sum: u32, timing: Timing, pool: &Pool) -> Result<Frame> {
        let mut frame = pool.frame_in(&self.format, Layout::packed(&self.format))?;
        let bytes = frame.packed_bytes_mut().context("a packed frame")?;
        self.file.read_exact_at(bytes, self.offset(place)).with_context(|| format!("frame {}", timing.number))?;
        ensure!(crc32fast::hash(bytes) == sum, "frame {} is damaged in the cache", timing.number);
        Ok(frame.freeze(timing))
    }
}

/// What may be taken of a disk of which so much is free.
fn bounded(most_bytes: u64, free_bytes: u64) -> u64 {
    most_bytes.min(free_bytes / 2)
}

/// A file in the user's cache folder, or else in the folder for temporary files, that has no name.
fn unnamed() -> Result<File> {
    let folders = directories::ProjectDirs::from("", "", "warpreel");
    let own = |folder: &Path| {
        fs::create_dir_all(folder).with_context(|| format!("create {folder:?}"))?;
        tempfile::tempfile_in(folder).with_context(|| format!("create a file in {folder:?}"))
    };
    let temporary = std::env::temp_dir();
    match folders.context("no cache folder was found").and_then(|folders| own(folders.cache_dir())) {
        Ok(file) => Ok(file),
        Err(error) => own(&temporary).with_context(|| format!("{error:#}")),
    }
}

#[cfg(test)]
mod tests {
    use super::bounded;

    #[test]
    fn half_of_what_is_free_stays_so() {
        let found = [(100, 1000), (600, 1000), (0, 1000), (100, 0), (u64::MAX, 3)];
        assert_eq!(found.map(|(most, free)| bounded(most, free)), [100, 500, 0, 0, 1]);
    }
}
