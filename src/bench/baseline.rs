//! Results that later ones are compared with, by name.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::bound;
use super::compare::Comparison;
use super::schema::Record;
use crate::job::Usage;

/// A result under a name.
#[derive(Clone, Debug)]
pub struct Baseline {
    name: String,
    path: PathBuf,
}

impl Baseline {
    /// The baseline of a name, in the user's data folder; a name with a slash or that ends in `.json` is that file.
    ///
    /// # Errors
    /// If it cannot be the name of a file.
    pub fn named(name: &str) -> Result<Self> {
        let path = if name.contains('/') || name.ends_with(".json") {
            PathBuf::from(name)
        } else {
            let is_plain = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
            if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
                bail!(Usage::of(anyhow!(
                    "{name:?} cannot be the name of a baseline; type letters, digits, - and _, or the path of a .json file"
                )));
            }
            let folders = directories::ProjectDirs::from("", "", "warpreel").context("no data folder was found")?;
            folders.data_dir().join("baselines").join(format!("{name}.json"))
        };
        Ok(Self { name: name.to_owned(), path })
    }

    /// Its result.
    ///
    /// # Errors
    /// If there is none.
    pub fn load(&self) -> Result<Record> {
        let Self { name, path } = self;
        let text = fs::read_to_string(path)
            .with_context(|| format!("read baseline {name:?} from {path:?}; write it with --save-baseline {name}"))?;
        let mut record = Record::parse(&text).with_context(|| format!("read {path:?}"))?;
        ensure!(!record.runs.is_empty(), "{path:?} has neither a job nor a filter stage");
        bound::remember(&mut record);
        Ok(record)
    }

    /// Writes a result, in place of the one that has this name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, record: &Record) -> Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(|| format!("create {folder:?}"))?;
        let mut file =
            tempfile::NamedTempFile::new_in(folder).with_context(|| format!("create a file in {folder:?}"))?;
        std::io::Write::write_all(&mut file, record.print()?.as_bytes()).context("write a baseline")?;
        file.persist(&self.path).with_context(|| format!("write {:?}", self.path))?;
        Ok(())
    }

    /// The comparison of a new result with it.
    pub fn compare(&self, before: &Record, now: &Record) -> Option<Comparison> {
        Comparison::of_records(before, now, [self.name.clone(), "now".to_owned()])
    }
}
