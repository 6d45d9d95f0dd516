//! Packets: compressed pictures, and whatever the copied streams hold.

use anyhow::Result;
use ffmpeg_next::packet::Ref as _;
use ffmpeg_next::{Rescale as _, ffi};

use super::error::check;
use crate::frame::Rational;

/// One packet of one stream. Its data is shared and never written.
pub struct Packet {
    inner: ffmpeg_next::Packet,
}

impl Packet {
    /// An empty packet.
    pub(crate) fn new() -> Self {
        Self { inner: ffmpeg_next::Packet::empty() }
    }

    /// Another packet with the same data.
    ///
    /// # Errors
    /// If memory runs out.
    pub(crate) fn share(&self) -> Result<Self> {
        // SAFETY: the pointer is that of a packet that is borrowed for the call.
        Self::refer(unsafe { &*self.inner.as_ptr() })
    }

    /// A packet with the data of one that FFmpeg keeps in a structure of its own.
    ///
    /// # Errors
    /// If memory runs out.
    pub(super) fn refer(kept: &ffi::AVPacket) -> Result<Self> {
        let mut packet = Self::new();
        // SAFETY: `kept` is one of FFmpeg's and only read, the other is blank. `ffmpeg-next` would copy all data.
        check(unsafe { ffi::av_packet_ref(ffmpeg_next::packet::Mut::as_mut_ptr(&mut packet.inner), kept) })?;
        Ok(packet)
    }

    /// Forgets its data.
    pub(crate) fn clear(&mut self) {
        self.inner = ffmpeg_next::Packet::empty();
    }

    /// Gives it other data. All else stays.
    ///
    /// # Errors
    /// If memory runs out.
    pub(crate) fn replace_data(&mut self, data: &[u8]) -> Result<()> {
        let length = std::ffi::c_int::try_from(data.len())?;
        let mut other = Self::new();
        // SAFETY: both packets are alive, and nobody else has them; the other is blank, and after its allocation has memory
        // of that length, which is written before anybody reads it. `ffmpeg-next` would not look whether it is there.
        unsafe {
            let raw = ffmpeg_next::packet::Mut::as_mut_ptr(&mut other.inner);
            check(ffi::av_new_packet(raw, length))?;
            std::ptr::copy_nonoverlapping(data.as_ptr(), (*raw).data, data.len());
            check(ffi::av_packet_copy_props(raw, self.inner.as_ptr()))?;
        }
        *self = other;
        Ok(())
    }

    /// The stream it belongs to, by its index in the file.
    pub(crate) fn stream(&self) -> usize {
        self.inner.stream()
    }

    pub(crate) fn set_stream(&mut self, index: usize) {
        self.inner.set_stream(index);
    }

    /// Presentation time in the stream's time base, where there is one.
    pub(crate) fn pts(&self) -> Option<i64> {
        self.inner.pts()
    }

    /// Decoding time in the stream's time base, where there is one.
    pub(crate) fn dts(&self) -> Option<i64> {
        self.inner.dts()
    }

    pub(crate) fn set_times(&mut self, pts: Option<i64>, dts: Option<i64>) {
        self.inner.set_pts(pts);
        self.inner.set_dts(dts);
    }

    /// In the stream's time base; 0 where unknown.
    pub(crate) fn duration(&self) -> i64 {
        self.inner.duration()
    }

    pub(crate) fn set_duration(&mut self, duration: i64) {
        self.inner.set_duration(duration);
    }

    /// Whether it is an H.264 picture before which nothing is referred to later (ITU-T H.264, 7.4.1.2.4), each unit behind a
    /// start code or behind its length in four bytes.
    pub(crate) fn is_h264_idr(&self) -> bool {
        const SLICE: u8 = 1;
        const IDR_SLICE: u8 = 5;

        let data = self.data();
        let kind = |unit: &[u8]| unit.first().map(|head| head & 31).filter(|kind| [SLICE, IDR_SLICE].contains(kind));
        let first = if data.starts_with(&[0, 0, 1]) || data.starts_with(&[0, 0, 0, 1]) {
            data.windows(3).enumerate().filter(|(_, code)| *code == [0, 0, 1]).find_map(|(at, _)| kind(&data[at + 3..]))
        } else {
            let mut rest = data;
            std::iter::from_fn(|| {
                let (length, behind) = rest.split_first_chunk()?;
                let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
                let unit = behind.get(..length)?;
                rest = &behind[length..];
                Some(unit)
            })
            .find_map(kind)
        };
        first == Some(IDR_SLICE)
    }

    /// Its data.
    pub(crate) fn data(&self) -> &[u8] {
        ffmpeg_next::packet::Packet::data(&self.inner).unwrap_or_default()
    }

    /// How long its data is.
    pub(crate) fn bytes(&self) -> usize {
        self.inner.size()
    }

    /// Where it is stored in its file, where that is known.
    pub(crate) fn place(&self) -> Option<u64> {
        u64::try_from(self.inner.position()).ok()
    }

    /// Whether the demuxer found it damaged or cut short.
    pub(crate) fn is_corrupt(&self) -> bool {
        self.inner.is_corrupt()
    }

    /// Whether decoding can begin with it.
    pub(crate) fn is_key(&self) -> bool {
        self.inner.is_key()
    }

    /// Whether what is decoded of it is not shown, as of what an edit list leaves out.
    pub(crate) fn is_discarded(&self) -> bool {
        // SAFETY: the pointer is that of a packet that is borrowed for the call. `ffmpeg-next` leaves this flag out.
        unsafe { (*self.inner.as_ptr()).flags & ffi::AV_PKT_FLAG_DISCARD != 0 }
    }

    /// Whether it starts before `end`, in `end_base`; its own times are in `time_base`. So does what has no time.
    pub(crate) fn starts_before(&self, time_base: Rational, end: i64, end_base: Rational) -> bool {
        let Some(start) = self.dts().or(self.pts()) else { return true };
        i128::from(start) * i128::from(time_base.num) * i128::from(end_base.den)
            < i128::from(end) * i128::from(end_base.num) * i128::from(time_base.den)
    }

    /// All times in another unit, rounded to nearest.
    pub(crate) fn rescale(&mut self, from: Rational, to: Rational) {
        self.inner.rescale_ts(raw_rational(from), raw_rational(to));
    }

    /// Forgets its place in the file it came from.
    pub(crate) fn uproot(&mut self) {
        self.inner.set_position(-1);
    }

    /// The packet as `ffmpeg-next` has it.
    pub(super) fn inner(&self) -> &ffmpeg_next::Packet {
        &self.inner
    }

    /// The packet as `ffmpeg-next` has it, to be filled or handed on.
    pub(super) fn inner_mut(&mut self) -> &mut ffmpeg_next::Packet {
        &mut self.inner
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
    value.rescale(raw_rational(from), raw_rational(to))
}

pub(super) fn raw_rational(ratio: Rational) -> ffmpeg_next::Rational {
    ffmpeg_next::Rational::new(ratio.num, ratio.den)
}

pub(super) fn rational(raw: impl Into<ffmpeg_next::Rational>) -> Rational {
    let raw = raw.into();
    Rational::new(raw.numerator(), raw.denominator())
}
