//! Packets that the reader marks as corrupt, where a restart of the clock may be the only reason: the reader of MPEG-TS marks the
//! last packets before a restart, because packet counters jump there too.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Marked packets whose reason is not known yet.
#[derive(Default)]
pub(super) struct Suspects {
    waiting: VecDeque<Suspect>,
    /// Packets of the video that wait, or that were marked for a restart alone.
    pub doubts: u64,
}

struct Suspect {
    stream: usize,
    is_video: bool,
    /// Where it was read, for the message.
    spot: String,
    /// Packets of its stream that were read since.
    followers: usize,
}

impl Suspects {
    /// Parsers hold one packet back, so that the packet before the marked one may have the mark.
    const FOLLOWERS: usize = 2;

    /// A packet of a stream is marked.
    pub fn add(&mut self, stream: usize, is_video: bool, spot: String) {
        self.doubts += u64::from(is_video);
        self.waiting.push_back(Suspect { stream, is_video, spot, followers: 0 });
    }

    /// A packet of a stream was read, at which times restart or not. Returns the spots of packets that are damaged.
    pub fn follow(&mut self, stream: usize, restarts: bool) -> Vec<String> {
        if restarts {
            self.waiting.clear();
        }
        let mut damaged = Vec::new();
        self.waiting.retain_mut(|suspect| {
            suspect.followers += usize::from(suspect.stream == stream);
            let is_waiting = suspect.followers < Self::FOLLOWERS;
            if !is_waiting {
                self.doubts -= u64::from(suspect.is_video);
                damaged.push(std::mem::take(&mut suspect.spot));
            }
            is_waiting
        });
        damaged
    }

    /// Nothing follows: the spots of all that wait.
    pub fn finish(&mut self) -> Vec<String> {
        self.doubts -= self.waiting.iter().filter(|suspect| suspect.is_video).count() as u64;
        self.waiting.drain(..).map(|suspect| suspect.spot).collect()
    }
}

/// Whether another transport stream begins in a file within three units of the stream whose packet is stored at `place`: files were
/// put behind each other there. All packet counters are then 0 from a program table on.
pub(super) fn is_joined(path: &Path, place: u64) -> bool {
    const BYTES: usize = 188;
    const FARTHEST: u64 = 16 << 20;
    const TABLE: u16 = 0;
    const FILLER: u16 = 0x1fff;

    let Ok(mut file) = File::open(path) else { return false };
    if file.seek(SeekFrom::Start(place)).is_err() {
        return false;
    }
    let mut reader = BufReader::with_capacity(1 << 16, file.take(FARTHEST));
    let mut packet = [0; BYTES];
    let (mut own, mut units) = (None, 0);
    // The streams that have come since a program table whose counter is 0, where all of theirs are.
    let mut restarted: Option<BTreeSet<u16>> = None;
    while reader.read_exact(&mut packet).is_ok() && packet[0] == 0x47 {
        let stream = u16::from_be_bytes([packet[1] & 0x1f, packet[2]]);
        let (is_start, counter) = (packet[1] & 0x40 != 0, packet[3] & 15);
        let own = *own.get_or_insert(stream);
        units += usize::from(is_start && stream == own);
        if units > 3 {
            return false;
        }
        match &mut restarted {
            _ if stream == FILLER => {}
            Some(streams) if streams.contains(&stream) => {}
            Some(streams) if counter == 0 => {
                streams.insert(stream);
                if stream == own {
                    return is_start;
                }
            }
            _ => restarted = (stream == TABLE && counter == 0).then(|| BTreeSet::from([stream])),
        }
    }
    false
}
