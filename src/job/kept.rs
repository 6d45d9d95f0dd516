//! Frames that are kept because they may be wanted again, as many as there is room for.

use std::collections::BTreeMap;

use crate::frame::Frame;

/// Frames by what they are known by; what was not asked for the longest makes room.
pub(super) struct KeptFrames<K> {
    frames: BTreeMap<K, Keep>,
    /// How many times something was put or asked for.
    clock: u64,
    bytes: usize,
    /// The most bytes, which one frame alone may exceed.
    room: usize,
}

struct Keep {
    frame: Frame,
    used: u64,
}

impl<K: Ord + Clone> KeptFrames<K> {
    /// With room for so many bytes of samples.
    pub(super) fn new(room: usize) -> Self {
        Self { frames: BTreeMap::new(), clock: 0, bytes: 0, room }
    }

    /// The frame of that name.
    pub(super) fn get(&mut self, key: &K) -> Option<Frame> {
        self.clock += 1;
        let keep = self.frames.get_mut(key)?;
        keep.used = self.clock;
        Some(keep.frame.clone())
    }

    /// Keeps a frame, and lets others go where room is short.
    pub(super) fn put(&mut self, key: K, frame: Frame) {
        self.clock += 1;
        let bytes = frame.format().packed_bytes();
        let before = self.frames.insert(key, Keep { frame, used: self.clock });
        self.bytes += if before.is_some() { 0 } else { bytes };
        while self.bytes > self.room && self.frames.len() > 1 {
            let oldest = self.frames.iter().min_by_key(|(_, keep)| keep.used).map(|(key, _)| key.clone());
            let gone = oldest.and_then(|key| self.frames.remove(&key));
            self.bytes -= gone.map_or(self.bytes, |gone| gone.frame.format().packed_bytes());
        }
    }
}
