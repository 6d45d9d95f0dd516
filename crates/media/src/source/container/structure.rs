//! FileStructure of files whose FFmpeg readers skip unreadable data without a report: tags of FLV, data packets of ASF, triplets of
//! MXF, and elements of Matroska, whose clusters may have checksums.
//!
//! Elements follow each other without a gap, so anything else between two of them is damage. They are checked as far as the
//! reader has come, with a file handle of its own.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;

/// Check of a file's elements, up to where its reader is.
pub(super) struct FileStructure {
    file: File,
    kind: ElementKind,
    next: NextElement,
}

/// The kind of elements.
#[derive(Clone, Copy)]
enum ElementKind {
    Flv,
    /// Data packets of the same size, from `first` to `end`.
    Asf {
        first: u64,
        end: u64,
        size: u64,
    },
    Mxf,
    Matroska,
}

/// The next element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextElement {
    At(u64),
    /// Somewhere from here on.
    Behind(u64),
    /// Anywhere: the reader has moved to another part of the file.
    Unknown,
    /// There are no more elements that can be checked.
    End,
}

/// An element that was looked at.
enum ElementState {
    /// It is sound, and the next begins here.
    Sound(u64),
    /// It is damaged, and the next begins here.
    Damaged(&'static str, u64),
    /// There is no element here.
    Missing,
    /// It has no known size, or the file ends in it.
    Open,
}

const CLUSTER: [u8; 4] = [0x1f, 0x43, 0xb6, 0x75];
const SEGMENT: [u8; 4] = [0x18, 0x53, 0x80, 0x67];
const EBML: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];
/// Elements of a segment: seek heads, information, clusters, tracks, cues, attachments, chapters, tags, and fillers.
const TOP_LEVEL: [u32; 9] = [
    0x114d_9b74,
    0x1549_a966,
    u32::from_be_bytes(CLUSTER),
    0x1654_ae6b,
    0x1c53_bb6b,
    0x1941_a469,
    0x1043_a770,
    0x1254_c367,
    0xec,
];
/// How keys of MXF begin.
const KEY: [u8; 4] = [0x06, 0x0e, 0x2b, 0x34];
/// How data packets of ASF begin.
const PACKET: [u8; 3] = [0x82, 0, 0];

impl FileStructure {
    /// The structure of a file; `None` where it is of another container than those above, or has no elements that can be
    /// checked. `container` is FFmpeg's name of the format.
    pub fn of(path: &Path, container: &str) -> Option<Self> {
        let kind = match container {
            "flv" => ElementKind::Flv,
            "asf" => ElementKind::Asf { first: 0, end: 0, size: 0 },
            "mxf" => ElementKind::Mxf,
            "matroska,webm" => ElementKind::Matroska,
            _ => return None,
        };
        if !path.metadata().ok()?.is_file() {
            return None;
        }
        let mut structure = Self { file: File::open(path).ok()?, kind, next: NextElement::Unknown };
        let (kind, first) = structure.begin().ok()??;
        (structure.kind, structure.next) = (kind, NextElement::At(first));
        Some(structure)
    }

    /// The reader has moved to another part of the file.
    pub fn forget(&mut self) {
        if self.next != NextElement::End {
            self.next = NextElement::Unknown;
        }
    }

    /// Whether the header promises data behind the end of the file.
    pub fn is_cut(&self) -> bool {
        let ElementKind::Asf { end, .. } = self.kind else { return false };
        self.file.metadata().is_ok_and(|found| found.len() < end)
    }

    /// Checks elements that begin before `reached`, where the reader is; `packet` is where the element of its last packet
    /// begins, where that is known. Returns the first fault.
    pub fn check(&mut self, reached: u64, packet: Option<u64>) -> Option<&'static str> {
        let mut fault = None;
        loop {
            let at = match self.next {
                NextElement::At(at) if at < reached => at,
                NextElement::Behind(from) => match self.find(from, reached, packet) {
                    Some(at) => at,
                    None => return fault,
                },
                NextElement::Unknown => match self.find(packet.unwrap_or(reached), reached, packet) {
                    Some(at) => at,
                    None => return fault,
                },
                _ => return fault,
            };
            match self.element(at) {
                Ok(ElementState::Sound(next)) => self.next = NextElement::At(next),
                Ok(ElementState::Damaged(found, next)) => {
                    fault.get_or_insert(found);
                    self.next = NextElement::At(next);
                }
                Ok(ElementState::Missing) => {
                    fault.get_or_insert("data is missing or unreadable");
                    self.next = NextElement::Behind(at + 1);
                }
                // What a read fails for, the reader finds too.
                Ok(ElementState::Open) | Err(_) => self.next = NextElement::End,
            }
        }
    }

    /// The kind of elements with their sizes, and where the first element begins.
    fn begin(&mut self) -> Result<Option<(ElementKind, u64)>> {
        Ok(match self.kind {
            ElementKind::Flv => {
                let head = self.bytes::<9>(0)?;
                let first = u64::from(u32::from_be_bytes([head[5], head[6], head[7], head[8]])) + 4;
                head.starts_with(b"FLV").then_some((ElementKind::Flv, first))
            }
            ElementKind::Mxf => (self.bytes::<4>(0)? == KEY).then_some((ElementKind::Mxf, 0)),
            ElementKind::Asf { .. } => self.data_packets()?,
            ElementKind::Matroska => {
                let (id, size, head) = self.ebml(0)?;
                let Some(size) = size.filter(|_| id == u32::from_be_bytes(EBML)) else { return Ok(None) };
                let segment = head + size;
                let (id, _, head) = self.ebml(segment)?;
                (id == u32::from_be_bytes(SEGMENT)).then_some((ElementKind::Matroska, segment + head))
            }
        })
    }

    /// Finds the data packets of ASF, if all are of one size and begin alike.
    fn data_packets(&mut self) -> Result<Option<(ElementKind, u64)>> {
        const HEADER: [u8; 4] = [0x30, 0x26, 0xb2, 0x75];
        const PROPERTIES: [u8; 4] = [0xa1, 0xdc, 0xab, 0x8c];
        const DATA: [u8; 4] = [0x36, 0x26, 0xb2, 0x75];

        let long = |bytes: &[u8; 24]| bytes.last_chunk().map_or(0, |size| u64::from_le_bytes(*size));
        let header = self.bytes::<24>(0)?;
        if !header.starts_with(&HEADER) {
            return Ok(None);
        }
        let (mut at, data, mut size) = (30, long(&header), 0);
        while at < data {
            let object = self.bytes::<24>(at)?;
            if object.starts_with(&PROPERTIES) {
                let sizes = self.bytes::<8>(at + 92)?;
                let [least, most] = [&sizes[..4], &sizes[4..]]
                    .map(|bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
                size = if least == most { least } else { 0 };
            }
            at = at.saturating_add(long(&object).max(24));
        }
        let object = self.bytes::<24>(data)?;
        let (first, end) = (data + 50, data.saturating_add(long(&object)));
        let is_even = object.starts_with(&DATA) && size > 0 && end > first && self.bytes::<3>(first)? == PACKET;
        Ok(is_even.then_some((ElementKind::Asf { first, end, size }, first)))
    }

    /// Looks at the element at a place.
    fn element(&mut self, at: u64) -> Result<ElementState> {
        Ok(match self.kind {
            ElementKind::Flv => {
                let [tag, a, b, c] = self.bytes(at)?;
                let size = u64::from(u32::from_be_bytes([0, a, b, c]));
                // Sound, pictures and data, which may be encrypted.
                if matches!(tag & !0x20, 8 | 9 | 15 | 18) {
                    ElementState::Sound(at + 15 + size)
                } else {
                    ElementState::Missing
                }
            }
            ElementKind::Asf { end, size, .. } => {
                if at + size > end {
                    return Ok(ElementState::Open);
                }
                let next = at + size;
                if self.bytes::<3>(at)? == PACKET {
                    ElementState::Sound(next)
                } else {
                    ElementState::Damaged("a data packet has no header", next)
                }
            }
            ElementKind::Mxf => {
                let [key @ .., first] = self.bytes::<17>(at)?;
                if !key.starts_with(&KEY) {
                    return Ok(ElementState::Missing);
                }
                let count = usize::from(first & 0x7f);
                match first {
                    ..0x80 => ElementState::Sound(at + 17 + u64::from(first)),
                    0x80 | 0x89.. => ElementState::Open,
                    _ => {
                        let size = self.bytes::<8>(at + 17)?[..count].iter().fold(0, |sum, b| sum << 8 | u64::from(*b));
                        ElementState::Sound((at + 17 + count as u64).saturating_add(size))
                    }
                }
            }
            ElementKind::Matroska => {
                let (id, size, head) = self.ebml(at)?;
                let (Some(size), true) = (size, TOP_LEVEL.contains(&id)) else {
                    // Behind a segment others may follow.
                    let is_other = [EBML, SEGMENT].contains(&id.to_be_bytes()) || TOP_LEVEL.contains(&id);
                    return Ok(if is_other { ElementState::Open } else { ElementState::Missing });
                };
                let next = (at + head).saturating_add(size);
                if id == u32::from_be_bytes(CLUSTER) && !self.is_cluster_sound(at + head, size)? {
                    return Ok(ElementState::Damaged("the checksum of a cluster does not match", next));
                }
                ElementState::Sound(next)
            }
        })
    }

    /// Whether the checksum of a cluster matches, if it has one.
    fn is_cluster_sound(&mut self, at: u64, size: u64) -> Result<bool> {
        const CHECKSUM: [u8; 2] = [0xbf, 0x84];

        let [first, second, sum @ ..] = self.bytes::<6>(at)?;
        if [first, second] != CHECKSUM || size < 6 {
            return Ok(true);
        }
        let mut hasher = crc32fast::Hasher::new();
        let (mut rest, mut buffer) = (size - 6, vec![0; 1 << 16]);
        self.file.seek(SeekFrom::Start(at + 6))?;
        while rest > 0 {
            let piece = &mut buffer[..usize::try_from(rest).unwrap_or(usize::MAX).min(1 << 16)];
            self.file.read_exact(piece)?;
            hasher.update(piece);
            rest -= piece.len() as u64;
        }
        Ok(hasher.finalize() == u32::from_le_bytes(sum))
    }

    /// Number and size of an EBML element, and the bytes of both; the size is `None` where it is unknown.
    fn ebml(&mut self, at: u64) -> Result<(u32, Option<u64>, u64)> {
        let [first, ..] = self.bytes::<1>(at)?;
        let id_bytes = u64::from(first.leading_zeros()).min(3) + 1;
        let mut id = 0;
        for place in 0..id_bytes {
            id = id << 8 | u32::from(self.bytes::<1>(at + place)?[0]);
        }
        let [first, ..] = self.bytes::<1>(at + id_bytes)?;
        let size_bytes = u64::from(first.leading_zeros()) + 1;
        if size_bytes > 8 {
            return Ok((id, None, id_bytes));
        }
        let mut size = u64::from(first) & ((1 << (8 - size_bytes)) - 1);
        for place in 1..size_bytes {
            size = size << 8 | u64::from(self.bytes::<1>(at + id_bytes + place)?[0]);
        }
        let is_known = size != (1 << (7 * size_bytes)) - 1;
        Ok((id, is_known.then_some(size), id_bytes + size_bytes))
    }

    /// Finds the next element from a place on, before `reached`.
    fn find(&mut self, from: u64, reached: u64, packet: Option<u64>) -> Option<u64> {
        let found = match self.kind {
            ElementKind::Flv => packet.filter(|packet| *packet >= from && *packet < reached),
            ElementKind::Asf { first, size, .. } => {
                Some(first + from.saturating_sub(first).div_ceil(size) * size).filter(|at| *at < reached)
            }
            ElementKind::Mxf => self.search(KEY, from, reached),
            ElementKind::Matroska => self.search(CLUSTER, from, reached),
        };
        if found.is_none() {
            // The reader may have read a part of the element's head already.
            self.next = NextElement::Behind(from.max(reached.saturating_sub(4)));
        }
        found
    }

    /// Finds an element that begins with `wanted` from a place on, before `reached`, and is followed by another.
    fn search(&mut self, wanted: [u8; 4], mut from: u64, reached: u64) -> Option<u64> {
        const PIECE: u64 = 1 << 20;

        while from < reached {
            let mut bytes = Vec::new();
            let most = (reached - from).min(PIECE);
            self.file.seek(SeekFrom::Start(from)).ok()?;
            (&self.file).take(most + 3).read_to_end(&mut bytes).ok()?;
            let found: Vec<_> = bytes.windows(4).enumerate().filter(|(_, found)| *found == wanted).collect();
            for (at, _) in found {
                let at = from + at as u64;
                if self.is_chained(at) {
                    return Some(at);
                }
            }
            from += most;
        }
        None
    }

    /// Whether another element, or the end of the file, follows the one at a place, whose first bytes may be chance.
    fn is_chained(&mut self, at: u64) -> bool {
        match self.element(at) {
            Ok(ElementState::Sound(next) | ElementState::Damaged(_, next)) => match self.element(next) {
                Ok(ElementState::Missing) => false,
                Ok(_) => true,
                Err(_) => self.file.metadata().is_ok_and(|found| found.len() == next),
            },
            _ => false,
        }
    }

    fn bytes<const N: usize>(&mut self, at: u64) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
