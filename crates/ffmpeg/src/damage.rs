//! Damage that decoders report in their log alone: pictures of which they conceal a part.
//!
//! With frame threads the flags of pictures are lost on the way. Failing checksums and truncated pictures have no flag at all.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// All decoders that are open, by what their contexts call `opaque`.
static WATCHED: Mutex<Vec<(usize, Arc<Tally>)>> = Mutex::new(Vec::new());

/// Message of FFmpeg's older decoders when they have concealed a part of a picture.
const CONCEALING: &[u8] = b"concealing %d DC";

/// Errors that decoders log for sound streams: an encoder did what the standard forbids, or pictures refer to others before the
/// key frame at which decoding began.
const HARMLESS: &[&[u8]] = &[
    b"mmco: unref short failure",
    b"co located POCs unavailable",
    b"number of reference frames ",
    b"SEI type ",
    b"sei type ",
    b"Could not find ref with POC",
    b"Error constructing the frame RPS",
    b"Unsupported",
    b"get_buffer() failed",
    b"thread_get_buffer() failed",
    b"hardware accelerator failed",
    b"Failed setup for format",
];

/// Counts of one decoder.
#[derive(Default)]
struct Tally {
    /// Pictures that were mended.
    mended: AtomicU64,
    /// Packets with errors.
    faulty: AtomicU64,
    /// Set where each picture is coded by itself.
    is_intra: AtomicBool,
    /// Set where errors count in the other codecs too.
    is_settled: AtomicBool,
    /// Set from the first error of a packet to the next packet.
    is_counted: AtomicBool,
}

impl Tally {
    fn counts_errors(&self) -> bool {
        self.is_intra.load(Ordering::Relaxed) || self.is_settled.load(Ordering::Relaxed)
    }
}

/// Counts the pictures that a decoder had to mend, for as long as it is kept.
pub struct Concealments {
    counts: Arc<Tally>,
}

impl Concealments {
    /// Watches the decoder whose context calls this `opaque`, which nothing else may do while this is kept.
    pub fn new(opaque: usize) -> Self {
        let counts = Arc::new(Tally::default());
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push((opaque, counts.clone()));
        Self { counts }
    }

    /// How many pictures there were so far.
    pub fn count(&self) -> u64 {
        let Tally { mended, faulty, .. } = &*self.counts;
        mended.load(Ordering::Relaxed).max(faulty.load(Ordering::Relaxed))
    }

    /// Sets whether every picture can be decoded by itself, so that an error is always damage.
    pub fn begin(&self, is_intra: bool) {
        self.counts.is_intra.store(is_intra, Ordering::Relaxed);
    }

    /// Decoding begins at another place: where that is a key frame, pictures before it may refer to what is not there.
    pub fn restart(&self) {
        self.counts.is_settled.store(false, Ordering::Relaxed);
    }

    /// A picture that is wanted has come: errors count from now on.
    pub fn settle(&self) {
        self.counts.is_settled.store(true, Ordering::Relaxed);
    }

    /// A packet was given up with this error code, which reports the damage by itself.
    pub fn given_up(&self, code: c_int) -> c_int {
        let fewer = |count: u64| Some(count.saturating_sub(1));
        // The function always gives a number.
        self.counts.faulty.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).ok();
        code
    }

    /// The decoder is given a packet.
    pub fn begin_packet(&self) {
        self.counts.is_counted.store(false, Ordering::Relaxed);
    }
}

impl Drop for Concealments {
    fn drop(&mut self) {
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|(_, known)| !Arc::ptr_eq(known, &self.counts));
    }
}

/// Counts a message of a codec, whose format begins with `words`, if it reports damage.
pub(crate) fn count_message(opaque: usize, words: &[u8], is_error: bool) {
    let is_mended = words.starts_with(CONCEALING);
    if !is_mended && (!is_error || HARMLESS.iter().any(|harmless| words.starts_with(harmless))) {
        return;
    }
    let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, counts) in watched.iter().filter(|(known, _)| *known == opaque) {
        if is_mended {
            counts.mended.fetch_add(1, Ordering::Relaxed);
        } else if counts.counts_errors() && !counts.is_counted.swap(true, Ordering::Relaxed) {
            counts.faulty.fetch_add(1, Ordering::Relaxed);
        }
    }
}
