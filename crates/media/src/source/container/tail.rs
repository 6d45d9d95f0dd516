//! How a file ends by its own structure, where FFmpeg's readers do not look.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;

/// Why a file is not all of what its container describes; `None` where nothing speaks against it, or it cannot be read.
/// `container` is FFmpeg's name of the format, and `place` where its reader has stopped.
pub(super) fn fault_of_file(path: &Path, container: &str, place: Option<u64>) -> Option<&'static str> {
    fault(&mut regular(path)?, container, place)
}

/// The file at a path; `None` for what may block, such as a named pipe, and where it cannot be opened.
fn regular(path: &Path) -> Option<File> {
    path.metadata().ok().filter(|found| found.is_file())?;
    File::open(path).ok()
}

/// As [`fault_of_file`], of what is known of any input.
pub(super) fn fault(input: &mut (impl Read + Seek), container: &str, place: Option<u64>) -> Option<&'static str> {
    let found = match container {
        "avi" => is_riff_cut(input).map(|is_cut| is_cut.then_some("the container is larger than the file")),
        "gif" => is_gif_cut(input, place).map(|is_cut| is_cut.then_some("its trailer is missing")),
        "nut" => is_nut_cut(input).map(|is_cut| is_cut.then_some("its index at the end is missing")),
        "ogg" => is_ogg_cut(input).map(|is_cut| is_cut.then_some("no page is marked as the last")),
        "apng" => has_no_end(input, &[0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82])
            .map(|is_cut| is_cut.then_some("its last chunk is missing")),
        _ => return None,
    };
    found.ok()?
}

/// Reads the last bytes of a file, as many as there are up to `count`.
fn last(file: &mut (impl Read + Seek), count: u64) -> Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(count)))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether one of the RIFF chunks that follow each other goes on behind the end of the file. A writer that could not go back
/// has left sizes of 0 or the largest.
fn is_riff_cut(file: &mut (impl Read + Seek)) -> Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut place = 0;
    while place + 8 <= length {
        file.seek(SeekFrom::Start(place))?;
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        if &head[..4] != b"RIFF" || size == 0 || size == u32::MAX {
            return Ok(false);
        }
        place += 8 + u64::from(size) + u64::from(size % 2);
    }
    // The byte that makes a size even may be missing.
    Ok(place > length + 1)
}

/// Whether the reader stopped elsewhere than behind a trailer.
fn is_gif_cut(file: &mut (impl Read + Seek), place: Option<u64>) -> Result<bool> {
    const TRAILER: u8 = 0x3b;

    let Some(before) = place.and_then(|place| place.checked_sub(1)) else { return Ok(false) };
    file.seek(SeekFrom::Start(before))?;
    let mut byte = [0];
    file.read_exact(&mut byte)?;
    Ok(byte[0] != TRAILER)
}

/// Whether the file does not end with an index: its last 12 bytes tell how far before the end that begins, and a checksum.
fn is_nut_cut(file: &mut (impl Read + Seek)) -> Result<bool> {
    const INDEX: [u8; 8] = 0x4e58_dd67_2f23_e64e_u64.to_be_bytes();

    let length = file.seek(SeekFrom::End(0))?;
    let end = last(file, 12)?;
    let Some(back) = end.first_chunk().map(|bytes| u64::from_be_bytes(*bytes)) else { return Ok(true) };
    let Some(place) = length.checked_sub(back) else { return Ok(true) };
    file.seek(SeekFrom::Start(place))?;
    let mut code = [0; 8];
    Ok(file.read_exact(&mut code).is_err() || code != INDEX)
}

/// Whether the last page is whole and says that it is the last of its stream.
fn is_ogg_cut(file: &mut (impl Read + Seek)) -> Result<bool> {
    /// No page is larger.
    const PAGE: u64 = 65_307;
    const LAST: u8 = 4;

    let bytes = last(file, PAGE)?;
    let Some(at) = bytes.windows(4).rposition(|code| code == b"OggS") else { return Ok(true) };
    let Some((head, body)) = bytes[at..].split_at_checked(27) else { return Ok(true) };
    let segments = usize::from(head[26]);
    let is_whole = body.get(..segments).is_some_and(|sizes| {
        let data: usize = sizes.iter().map(|size| usize::from(*size)).sum();
        body.len() >= segments + data
    });
    Ok(!is_whole || head[5] & LAST == 0)
}

/// Whether a file ends with other bytes.
fn has_no_end(file: &mut (impl Read + Seek), end: &[u8]) -> Result<bool> {
    Ok(last(file, end.len() as u64)? != end)
}

/// As [`is_torn`], of a file.
pub(super) fn is_file_torn(path: &Path, container: &str) -> bool {
    regular(path).is_some_and(|mut file| is_torn(&mut file, container))
}

/// Whether the last MPEG packet is incomplete; `false` for other containers, and where the input cannot be read.
pub(super) fn is_torn(input: &mut (impl Read + Seek), container: &str) -> bool {
    let found = match container {
        "mpegts" => is_transport_cut(input),
        "mpeg" => is_program_cut(input),
        _ => return false,
    };
    found.unwrap_or(false)
}

/// Whether an MPEG transport stream is no number of packets, and does not end with whole ones either, as where its beginning is
/// missing. They have 188 bytes, with a time before or a code behind them 192 or 204.
fn is_transport_cut(file: &mut (impl Read + Seek)) -> Result<bool> {
    const PACKETS: usize = 5;
    const SYNC: u8 = 0x47;

    let length = file.seek(SeekFrom::End(0))?;
    let bytes = last(file, 204 * PACKETS as u64)?;
    let ends_whole = |(size, at): (usize, usize)| {
        length.is_multiple_of(size as u64)
            || bytes.len() >= size * PACKETS && (1..=PACKETS).all(|back| bytes[bytes.len() - back * size + at] == SYNC)
    };
    Ok(![(188, 0), (192, 4), (204, 0)].into_iter().any(ends_whole))
}

/// Whether an MPEG program stream ends within a packet: no pack near the end is followed by whole packets up to there.
fn is_program_cut(file: &mut (impl Read + Seek)) -> Result<bool> {
    /// Two packets of the largest size.
    const KEPT: u64 = 1 << 17;
    const PACK: [u8; 4] = [0, 0, 1, 0xba];

    let bytes = last(file, KEPT)?;
    let mut packs = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&PACK)).peekable();
    Ok(packs.peek().is_some() && !packs.any(|at| is_whole_from(&bytes[at..])))
}

/// Whether packs and packets of a program stream follow each other up to the end.
fn is_whole_from(mut bytes: &[u8]) -> bool {
    const END: u8 = 0xb9;

    loop {
        // Writers fill up with zeros.
        if bytes.iter().all(|byte| *byte == 0) {
            return true;
        }
        let size = match bytes {
            [0, 0, 1, END, ..] => 4,
            // MPEG-2, with stuffing, and MPEG-1.
            [0, 0, 1, 0xba, mark, rest @ ..] if mark >> 6 == 1 => match rest.get(8) {
                Some(stuffing) => 14 + usize::from(stuffing & 7),
                None => return false,
            },
            [0, 0, 1, 0xba, ..] => 12,
            [0, 0, 1, 0xbb..=0xff, high, low, ..] => match u16::from_be_bytes([*high, *low]) {
                // Of unknown length.
                0 => return true,
                length => 6 + usize::from(length),
            },
            _ => return false,
        };
        match bytes.get(size..) {
            Some(rest) => bytes = rest,
            None => return false,
        }
    }
}
