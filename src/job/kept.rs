//! Frames that are kept because they may be wanted again, as many as there is room for.

use std::hash::Hash;

use lru::LruCache;

use crate::frame::{Frame, Storage};

/// Frames by what they are known by; what was not asked for the longest makes room.
pub(super) struct KeptFrames<K: Hash + Eq> {
    frames: LruCache<K, Frame>,
    bytes: usize,
    /// The most bytes, which one frame alone may exceed.
    room: usize,
}

impl<K: Hash + Eq> KeptFrames<K> {
    /// With room for so many bytes.
    pub(super) fn new(room: usize) -> Self {
        Self { frames: LruCache::unbounded(), bytes: 0, room }
    }

    /// The frame of that name.
    pub(super) fn get(&mut self, key: &K) -> Option<Frame> {
        self.frames.get(key).cloned()
    }

    /// Keeps a frame, and lets others go where room is short.
    pub(super) fn put(&mut self, key: K, frame: Frame) {
        self.bytes += bytes(&frame);
        self.bytes -= self.frames.put(key, frame).as_ref().map_or(0, bytes);
        while self.bytes > self.room && self.frames.len() > 1 {
            self.bytes -= self.frames.pop_lru().map_or(0, |(_, gone)| bytes(&gone));
        }
    }

    /// The memory of the frames that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The memory that holds a frame, what lies between and behind its rows included.
pub(super) fn bytes(frame: &Frame) -> usize {
    match frame.storage() {
        Storage::Host(block) => block.bytes().len(),
        Storage::Device(surface) => surface.bytes(),
    }
}
