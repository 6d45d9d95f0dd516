//! The record of a chunk in its file, and the checksum that shows whether the file is what was stored.
//!
//! A container has the record as its comment. The checksum is known only when the file is complete, so that its digits are
//! then written over those of [`ChunkRecord::OPEN`]. Bare samples, and containers without a place for it, have a file beside
//! them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use md5::{Digest, Md5};

use super::kind::OutputKind;
use super::record::{ChunkRecord, hexadecimal};
use crate::libav::stored;
use crate::source::CancelToken;

/// Where a record is looked for: headers are in front, also those of mp4.
const FRONT: u64 = 8 << 20;

/// The file beside a chunk that has no place for its record.
pub(super) fn sidecar(path: &Path) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(".chunk");
    name.into()
}

/// Whether a chunk is samples alone.
pub(super) fn is_bare(path: &Path) -> bool {
    path.to_str().is_some_and(|name| OutputKind::of(name, None).is_plain())
}

/// Writes the checksum of a chunk's file that is complete into its record, which is in the file or goes beside it.
///
/// # Errors
/// If the file cannot be read or written.
pub(super) fn close(path: &Path, record: &ChunkRecord) -> Result<()> {
    let name = || format!("record which chunk {path:?} holds");
    let is_inside = !is_bare(path) && inside(path).is_ok_and(|inside| inside.as_ref() == Some(record));
    let Some(sum) = sum(path, record, &CancelToken::default()).with_context(name)? else { return Ok(()) };
    let closed = ChunkRecord { sum, ..record.clone() };
    if is_inside && patch(path, record, &closed).with_context(name)? {
        return Ok(());
    }
    fs::write(sidecar(path), closed.text()? + "\n").with_context(name)
}

/// True if a file holds a chunk, all of it, as it was stored. Blocks while it is read.
pub fn is_whole_chunk(path: &Path, interrupt: &CancelToken) -> bool {
    let Ok(Some(record)) = read(path) else { return false };
    record.sum != ChunkRecord::OPEN && sum(path, &record, interrupt).is_ok_and(|sum| sum == Some(record.sum))
}

/// The record of a chunk; `None` where there is none.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn read(path: &Path) -> Result<Option<ChunkRecord>> {
    let beside = match fs::read_to_string(sidecar(path)) {
        Ok(text) => ChunkRecord::parse(&text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("read {:?}", sidecar(path))),
    };
    if is_bare(path) {
        return Ok(beside);
    }
    Ok(inside(path)?.filter(|record| beside.is_none() || record.sum != ChunkRecord::OPEN).or(beside))
}

/// The record in the comment of a file.
fn inside(path: &Path) -> Result<Option<ChunkRecord>> {
    Ok(stored::comment(path)?.and_then(|text| ChunkRecord::parse(&text)))
}

/// The checksum of a record and of what is stored: packets of the video with their times, or the file's bytes where it
/// is samples alone. Blocks until all of it is read; `None` where the user asked to stop.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn sum(path: &Path, record: &ChunkRecord, interrupt: &CancelToken) -> Result<Option<String>> {
    let mut sum = Md5::new();
    sum.update(ChunkRecord { sum: ChunkRecord::OPEN.to_owned(), ..record.clone() }.text()?);
    let is_stopped = || interrupt.is_cancelled();
    if is_bare(path) {
        let mut file = BufReader::new(File::open(path)?);
        let mut piece = vec![0; 1 << 20];
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(Some(hexadecimal(sum))),
                _ if is_stopped() => return Ok(None),
                count => sum.update(&piece[..count]),
            }
        }
    }
    let is_complete = stored::for_each_packet(path, |packet| {
        let times = packet.times.map(|time| time.unwrap_or(i64::MIN));
        sum.update(format!("{times:?} {}", packet.bytes));
        sum.update(packet.data);
        if is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(is_complete.then(|| hexadecimal(sum)))
}

/// Writes one record over another of the same length; `false` where the file's beginning has no such text.
fn patch(path: &Path, open: &ChunkRecord, closed: &ChunkRecord) -> Result<bool> {
    let (open, closed) = (open.text()?, closed.text()?);
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut front = Vec::new();
    Read::by_ref(&mut file).take(FRONT).read_to_end(&mut front)?;
    let Some(at) = find(&front, open.as_bytes()).filter(|_| open.len() == closed.len()) else { return Ok(false) };
    front[at..at + closed.len()].copy_from_slice(closed.as_bytes());
    let mut until = at + closed.len();
    if front.starts_with(NUT) {
        let Some(end) = restore_nut_checksum(&mut front, at) else { return Ok(false) };
        until = until.max(end);
    }
    file.seek(SeekFrom::Start(at as u64))?;
    file.write_all(&front[at..until])?;
    Ok(true)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// How files of NUT begin.
const NUT: &[u8] = b"nut/multimedia container\0";

/// How a packet begins in NUT that has metadata.
const NUT_INFO: [u8; 8] = [0x4e, 0x49, 0xab, 0x68, 0xb5, 0x96, 0xba, 0x78];

/// Writes the checksum of the metadata packet of NUT around a place anew; where the packet ends. `None` if there is no such
/// packet.
fn restore_nut_checksum(file: &mut [u8], at: usize) -> Option<usize> {
    let begin = file[..at].windows(8).rposition(|window| window == NUT_INFO)? + 8;
    // Seven bits in each byte, the highest bit of all but the last set.
    let digits = file[begin..].iter().position(|byte| byte & 0x80 == 0)? + 1;
    let length = file[begin..begin + digits]
        .iter()
        .try_fold(0usize, |sum, byte| sum.checked_mul(128).map(|sum| sum + usize::from(byte & 0x7f)))?;
    // A long packet has a checksum of its head, too.
    let data = begin + digits + if length > 4096 { 4 } else { 0 };
    let end = data.checked_add(length)?;
    let sum = nut_checksum(file.get(data..end.checked_sub(4)?)?);
    file.get_mut(end - 4..end)?.copy_from_slice(&sum.to_be_bytes());
    (at < end).then_some(end)
}

/// The cyclic redundancy check of NUT: polynomial 0x04C11DB7 from 0 on, the highest bit first.
fn nut_checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum: u32, _| sum << 1 ^ if sum >> 31 == 1 { 0x04c1_1db7 } else { 0 })
    })
}
