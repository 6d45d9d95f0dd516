//! Which chunk of which clip a file holds, as the file says it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Result, bail};
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};

use super::division::ChunkChoice;
use super::input;
use super::request::{FieldChoice, Request};
use super::shape::ChunkFormat;
use crate::filter::Filter;
use crate::sequence::{self, Pattern};
use crate::source::{CutPoint, Portion};

/// What a chunk's file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ChunkRecord {
    /// Version of the program that filtered it.
    pub warpreel: String,
    /// As [`super::Chunk::place`].
    pub place: String,
    /// Checksum of the clip's file.
    pub clip: String,
    /// Which part of the clip was cut into chunks, and how raw frames were read.
    pub part: String,
    /// The chain of filters.
    pub chain: String,
    /// Checksums of the files that the chain reads.
    pub files: Vec<String>,
    /// Other options that change frames.
    pub options: String,
    /// What the chain makes of the clip's frames, where it changes their size or shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<ChunkFormat>,
    /// Checksum of this record, with [`ChunkRecord::OPEN`] here, and of the stored packets or samples.
    pub sum: String,
}

impl ChunkRecord {
    /// The checksum of a file that is not complete.
    pub(super) const OPEN: &str = "00000000000000000000000000000000";

    /// What a record begins with, in a file's comment and in a file of its own.
    const HEAD: &str = "warpreel-chunk ";

    /// The record of a chunk that is about to be filtered.
    ///
    /// # Errors
    /// If the clip, or a file that the chain reads, cannot be read.
    pub(super) fn of(
        request: &Request,
        filters: &[Filter],
        place: String,
        frames: Option<ChunkFormat>,
    ) -> Result<Self> {
        let files = request.chain_files();
        let files: Result<Vec<_>> = files.iter().map(|file| identity(Path::new(file))).collect();
        Ok(Self {
            warpreel: env!("CARGO_PKG_VERSION").to_owned(),
            place,
            clip: identity(Path::new(&request.input))?,
            part: part(request)?,
            chain: filters.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
            files: files?,
            options: options(request),
            frames,
            sum: Self::OPEN.to_owned(),
        })
    }

    /// One line of text.
    pub(super) fn text(&self) -> Result<String> {
        Ok(format!("{}{}", Self::HEAD, serde_json::to_string(self)?))
    }

    /// What such a line says; `None` for any other.
    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text.trim_end().strip_prefix(Self::HEAD)?).ok()
    }

    /// Its place in the clip.
    pub(super) fn choice(&self) -> Result<(ChunkChoice, Portion)> {
        let choice: ChunkChoice = self.place.parse()?;
        Ok((choice, choice.portion.context("no frames are named")?))
    }
}

/// Which part of a clip is read, and how. Equal parts are equal, however they are typed.
///
/// # Errors
/// If it is typed wrongly.
pub(super) fn part(request: &Request) -> Result<String> {
    let cut = input::resolve(&request.cut)?;
    let point = |point| match point {
        CutPoint::Time(time) => format!("{} s", time.as_secs_f64()),
        CutPoint::Frame(number) => format!("#{number}"),
    };
    let start = Some(cut.start).filter(|start| *start != Default::default());
    let pairs = [
        ("--start", start.map(point)),
        ("--end", cut.end.map(point)),
        ("--duration", cut.duration.map(|time| format!("{} s", time.as_secs_f64()))),
        ("--frames", cut.frames.map(|frames| frames.to_string())),
        ("--raw", request.raw.clone()),
        ("--fps", request.fps.clone()),
    ];
    Ok(typed(&pairs))
}

/// Options that change frames and are no filters.
fn options(request: &Request) -> String {
    let fields = match request.fields {
        FieldChoice::Auto => None,
        FieldChoice::Frame => Some("frame".to_owned()),
        FieldChoice::Separate => Some("separate".to_owned()),
    };
    let compare = request.compare.map(|pairing| format!("{pairing:?}").to_lowercase());
    let Request { border, planes, encoding, .. } = request;
    let pairs = [
        ("--fields", fields),
        ("--compare", compare),
        ("--border", border.clone()),
        ("--planes", planes.clone()),
        ("--pix-fmt", encoding.pix_fmt.clone()),
    ];
    typed(&pairs)
}

/// Options as they are typed.
fn typed(pairs: &[(&str, Option<String>)]) -> String {
    let given = pairs.iter().filter_map(|(option, value)| Some(format!("{option} {}", value.as_ref()?)));
    given.collect::<Vec<_>>().join(" ")
}

/// The checksum of a file's size, its first and its last MiB; of numbered images, of their numbers, sizes and the first.
///
/// # Errors
/// If it cannot be read.
pub(super) fn identity(path: &Path) -> Result<String> {
    const EDGE: u64 = 1 << 20;

    let mut sum = Md5::new();
    let mut first = path.to_owned();
    if sequence::is_sequence(path) && !path.exists() {
        let pattern = Pattern::of(path).with_context(|| format!("{path:?} is no pattern"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut images = Vec::new();
        for entry in std::fs::read_dir(folder).with_context(|| format!("read the folder {folder:?}"))? {
            let entry = entry.with_context(|| format!("read the folder {folder:?}"))?;
            let number = entry.file_name().to_str().and_then(|name| pattern.number(name));
            if let Some(number) = number {
                images.push((number, entry.metadata()?.len(), entry.path()));
            }
        }
        images.sort_unstable();
        images.iter().for_each(|(number, bytes, _)| sum.update(format!("{number} {bytes} ")));
        match images.into_iter().next() {
            Some((_, _, path)) => first = path,
            None => bail!("{path:?} names no image"),
        }
    }
    let mut hash = || -> std::io::Result<()> {
        let mut file = File::open(&first)?;
        let bytes = file.metadata()?.len();
        sum.update(bytes.to_string());
        let mut edge = Vec::new();
        Read::by_ref(&mut file).take(EDGE).read_to_end(&mut edge)?;
        file.seek(SeekFrom::Start(bytes.saturating_sub(EDGE)))?;
        file.take(EDGE).read_to_end(&mut edge)?;
        sum.update(&edge);
        Ok(())
    };
    hash().with_context(|| format!("read {first:?}"))?;
    Ok(hexadecimal(sum))
}

/// A checksum in hexadecimal digits.
pub(super) fn hexadecimal(sum: Md5) -> String {
    format!("{:032x}", u128::from_be_bytes(sum.finalize().into()))
}
