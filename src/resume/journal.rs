//! The record beside the parts of a job: what it was made from, with which options, and where it was cut.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use warpreel::job::{Encoding, Fidelity, FieldChoice, Request, Tolerance, TypedCut, parse_chain};

/// Its name in the folder of the parts.
pub const NAME: &str = "job.json";

/// A job, its files and its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// Version of the program.
    warpreel: String,
    /// The input, and the files that the chain reads.
    files: BTreeMap<String, FileState>,
    /// Options that change frames or how they are coded.
    options: BTreeMap<String, String>,
    pub encoder: String,
    /// Ending of the parts.
    pub ending: String,
    /// As `--chunk` takes them.
    pub parts: Vec<String>,
}

/// A file as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileState {
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl FileState {
    fn of(path: &str) -> Result<Self> {
        let found = fs::metadata(path).with_context(|| format!("open {path:?}"))?;
        let modified = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        Ok(Self { bytes: found.len(), modified: u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX) })
    }
}

impl Journal {
    /// Of a request, without its parts.
    ///
    /// # Errors
    /// If a file is not there, or the chain cannot be parsed.
    pub fn of(request: &Request, encoder: &str) -> Result<Self> {
        let mut files = BTreeMap::new();
        for name in request.chain_files().into_iter().chain([request.input.clone()]) {
            // The images of a sequence are compared when the parts are joined.
            if Path::new(&name).exists() {
                files.insert(name.clone(), FileState::of(&name)?);
            }
        }
        Ok(Self {
            warpreel: env!("CARGO_PKG_VERSION").to_owned(),
            files,
            options: options(request)?,
            encoder: encoder.to_owned(),
            ending: String::new(),
            parts: Vec::new(),
        })
    }

    /// The same with its parts, and the ending of their files.
    pub fn cut(self, parts: Vec<String>, ending: &str) -> Self {
        Self { parts, ending: ending.to_owned(), ..self }
    }

    /// That of the parts in a folder, if there are some.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| format!("read {path:?}"))?,
        };
        let advice = "it is damaged, or of another version; remove the folder to begin anew";
        serde_json::from_str(&text).map(Some).with_context(|| format!("read {path:?}: {advice}"))
    }

    /// Writes it, so that it is whole or not there.
    ///
    /// # Errors
    /// If that fails.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let write = || -> Result<()> {
            let temporary = folder.join(".part-job.part");
            let mut file = File::create(&temporary)?;
            file.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, folder.join(NAME))?;
            Ok(())
        };
        write().with_context(|| format!("write {:?}", folder.join(NAME)))
    }

    /// The first difference to the same command typed now, in words; `None` where there is none.
    pub fn difference(&self, now: &Self) -> Option<String> {
        let shown = |value: Option<&String>| value.map_or("nothing".to_owned(), |value| format!("{value:?}"));
        if self.warpreel != now.warpreel {
            return Some(format!("it was begun by warpreel {}, and this is {}", self.warpreel, now.warpreel));
        }
        for name in self.options.keys().chain(now.options.keys()) {
            let (before, after) = (self.options.get(name), now.options.get(name));
            if before != after {
                return Some(format!("{name} was {}, and is {}", shown(before), shown(after)));
            }
        }
        for name in self.files.keys().chain(now.files.keys()) {
            match (self.files.get(name), now.files.get(name)) {
                (Some(before), Some(after)) if before.bytes != after.bytes => {
                    return Some(format!("{name:?} had {} bytes, and has {}", before.bytes, after.bytes));
                }
                (Some(before), Some(after)) if before != after => return Some(format!("{name:?} was written since")),
                (Some(_), Some(_)) => {}
                (before, _) => {
                    let what = if before.is_some() { "was read then" } else { "was not read then" };
                    return Some(format!("{name:?} {what}"));
                }
            }
        }
        (self.encoder != now.encoder).then(|| format!("the encoder was {}, and is {}", self.encoder, now.encoder))
    }
}

/// Options by their names, as far as they were typed.
fn options(request: &Request) -> Result<BTreeMap<String, String>> {
    // Every field by its name, so that a new one is not forgotten.
    let Request {
        raw,
        fps,
        cut: TypedCut { start, end, duration, frames },
        fields,
        tolerance,
        chain,
        border,
        planes,
        encoding,
        // Where it is done and how fast changes no frame.
        backend: _,
        device: _,
        decoder: _,
        decode_lanes: _,
        gpus: _,
        threads: _,
        in_flight: _,
        trace: _,
        // Refused with `--resume`, or not of the parts.
        videos: _,
        video: _,
        chunk: _,
        chunks_from: _,
        conceal: _,
        network: _,
        compare: _,
        metrics: _,
        overwrite: _,
        output: _,
        // Among the files.
        input: _,
    } = request;
    let Encoding {
        codec,
        quality,
        crf,
        preset,
        bitrate,
        pix_fmt,
        fidelity,
        container,
        options,
        // Of the join, which is made anew.
        wishes: _,
        // Set by each job.
        comment: _,
        strict: _,
        is_chunk: _,
        is_live: _,
        threads: _,
    } = encoding;
    let filters = parse_chain(chain, border.as_deref(), planes.as_deref())?;
    let chain = filters.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let fields = match fields {
        FieldChoice::Auto => None,
        FieldChoice::Frame => Some("frame".to_owned()),
        FieldChoice::Separate => Some("separate".to_owned()),
    };
    let tolerance = match tolerance {
        Tolerance::Normal => None,
        Tolerance::Strict => Some("--strict".to_owned()),
        Tolerance::Salvage => Some("--salvage".to_owned()),
    };
    let own: Vec<String> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let all = [
        ("-f", Some(chain)),
        ("--border", border.clone()),
        ("--planes", planes.clone()),
        ("--fields", fields),
        ("damage", tolerance),
        ("--raw", raw.clone()),
        ("--fps", fps.clone()),
        ("--start", start.clone()),
        ("--end", end.clone()),
        ("--duration", duration.clone()),
        ("--frames", frames.map(|frames| frames.to_string())),
        ("--codec", codec.clone()),
        ("--quality", quality.map(|quality| quality.to_string())),
        ("--crf", crf.map(|crf| crf.to_string())),
        ("--preset", preset.clone()),
        ("--bitrate", bitrate.clone()),
        ("--pix-fmt", pix_fmt.clone()),
        ("--lossless", (*fidelity == Fidelity::Lossless).then(|| "on".to_owned())),
        ("--container", container.clone()),
        ("--encoder-option", (!own.is_empty()).then(|| own.join(" "))),
    ];
    Ok(all
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .filter(|(_, value)| !value.is_empty())
        .collect())
}
