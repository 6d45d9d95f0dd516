//! Packets: compressed pictures, and whatever the copied streams hold.

use std::ffi::c_int;

use ffmpeg_sys_next as ffi;

use super::error::check;
use crate::frame::Rational;

/// One packet of one stream. Its data is shared and never written.
pub struct Packet {
    raw: *mut ffi::AVPacket,
}

// SAFETY: a packet has no tie to a thread; its data is counted with atomics and is not written through it.
unsafe impl Send for Packet {}
// SAFETY: `&Packet` only reads.
unsafe impl Sync for Packet {}

impl Packet {
    /// An empty packet.
    pub(crate) fn new() -> Self {
        // SAFETY: the function has no conditions.
        let raw = unsafe { ffi::av_packet_alloc() };
        assert!(!raw.is_null(), "out of memory");
        Self { raw }
    }

    /// Another packet with the same data.
    pub(crate) fn share(&self) -> anyhow::Result<Self> {
        let copy = Self::new();
        // SAFETY: both packets are alive, and the first is blank.
        check(unsafe { ffi::av_packet_ref(copy.raw, self.raw) })?;
        Ok(copy)
    }

    /// Forgets its data.
    pub(crate) fn clear(&mut self) {
        // SAFETY: the packet is alive.
        unsafe { ffi::av_packet_unref(self.raw) };
    }

    /// The stream it belongs to, by its index in the file.
    pub(crate) fn stream(&self) -> usize {
        usize::try_from(self.fields().stream_index).unwrap_or(usize::MAX)
    }

    pub(crate) fn set_stream(&mut self, index: usize) {
        self.fields_mut().stream_index = index as c_int;
    }

    /// Presentation time in the stream's time base, where there is one.
    pub(crate) fn pts(&self) -> Option<i64> {
        known(self.fields().pts)
    }

    /// Decoding time in the stream's time base, where there is one.
    pub(crate) fn dts(&self) -> Option<i64> {
        known(self.fields().dts)
    }

    pub(crate) fn set_times(&mut self, pts: Option<i64>, dts: Option<i64>) {
        let fields = self.fields_mut();
        fields.pts = pts.unwrap_or(ffi::AV_NOPTS_VALUE);
        fields.dts = dts.unwrap_or(ffi::AV_NOPTS_VALUE);
    }

    /// In the stream's time base; 0 where unknown.
    pub(crate) fn duration(&self) -> i64 {
        self.fields().duration
    }

    pub(crate) fn set_duration(&mut self, duration: i64) {
        self.fields_mut().duration = duration;
    }

    /// Whether the demuxer found it damaged or cut short.
    pub(crate) fn is_corrupt(&self) -> bool {
        self.fields().flags & ffi::AV_PKT_FLAG_CORRUPT != 0
    }

    /// All times in another unit, rounded to nearest.
    pub(crate) fn rescale(&mut self, from: Rational, to: Rational) {
        // SAFETY: the packet is alive.
        unsafe { ffi::av_packet_rescale_ts(self.raw, raw_rational(from), raw_rational(to)) };
    }

    /// Forgets its place in the file it came from.
    pub(crate) fn uproot(&mut self) {
        self.fields_mut().pos = -1;
    }

    pub(super) fn as_ptr(&self) -> *const ffi::AVPacket {
        self.raw
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut ffi::AVPacket {
        self.raw
    }

    fn fields(&self) -> &ffi::AVPacket {
        // SAFETY: the packet is alive while `self` is.
        unsafe { &*self.raw }
    }

    fn fields_mut(&mut self) -> &mut ffi::AVPacket {
        // SAFETY: the packet is alive while `self` is, and nobody else has it.
        unsafe { &mut *self.raw }
    }
}

impl Drop for Packet {
    fn drop(&mut self) {
        // SAFETY: the packet belongs to `self` and is freed once.
        unsafe { ffi::av_packet_free(&mut self.raw) };
    }
}

/// A time, unless it is FFmpeg's value for none.
pub(crate) fn known(time: i64) -> Option<i64> {
    (time != ffi::AV_NOPTS_VALUE).then_some(time)
}

/// `value` in another unit, rounded to nearest.
pub(crate) fn rescale(value: i64, from: Rational, to: Rational) -> i64 {
    if from.den == 0 || to.num == 0 {
        return value;
    }
    // SAFETY: the function only computes, and neither divisor is 0.
    unsafe { ffi::av_rescale_q(value, raw_rational(from), raw_rational(to)) }
}

pub(super) fn raw_rational(ratio: Rational) -> ffi::AVRational {
    ffi::AVRational { num: ratio.num, den: ratio.den }
}

pub(super) fn rational(raw: ffi::AVRational) -> Rational {
    Rational::new(raw.num, raw.den)
}
