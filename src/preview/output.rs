//! Output of the page's jobs: its options, the folder that it must be in, a proposed name, and the streams that it gets.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::wording::with_controls;
use crate::job::{DryRun, Encoding, Fidelity, OutputKind, Overwrite, Request, Tolerance};
use crate::sequence;
use crate::source::CancelToken;

/// A job as the page requests it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TypedErrand {
    pub(super) chain: String,
    output: String,
    #[serde(default)]
    overwrite: bool,
    codec: Option<String>,
    pix_fmt: Option<String>,
    quality: Option<u8>,
    #[serde(default)]
    lossless: bool,
}

/// Forecast of a job.
#[derive(Debug, Default, Serialize)]
pub(super) struct OutlookAnswer {
    /// One line per stream.
    lines: Vec<String>,
    /// Reason that it would fail.
    fault: Option<String>,
}

/// An output that the program would accept.
#[derive(Debug, Serialize)]
pub(super) struct ProposalAnswer {
    output: String,
    codec: Option<String>,
}

/// The folder that jobs of the page write in, and the clip that they read.
pub(super) struct OutputFolder {
    request: Request,
    /// As typed, or the clip's; empty for the working directory.
    folder: PathBuf,
}

impl OutputFolder {
    /// The typed folder, or the clip's.
    pub(super) fn new(request: &Request, typed: Option<&Path>) -> Self {
        let beside = Path::new(&request.input).parent().map(Path::to_owned).unwrap_or_default();
        Self { request: request.clone(), folder: typed.map_or(beside, Path::to_owned) }
    }

    /// The job that the page asks for.
    ///
    /// # Errors
    /// If the clip is piped, or the output has no name or is not in the folder.
    pub(super) fn request(&self, typed: TypedErrand) -> Result<Request> {
        let TypedErrand { chain, output, overwrite, codec, pix_fmt, quality, lossless } = typed;
        ensure!(self.request.input != "-", "a pipe can be read only once; run the job on a file");
        let name = output.trim();
        ensure!(!name.is_empty() && name != "-", "the output has no name; type one, such as {}", self.named("out.mp4"));
        self.admit(name)?;
        let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let quality = quality.filter(|_| !lossless);
        ensure!(quality.is_none_or(|quality| (1..=100).contains(&quality)), "the quality is from 1 to 100, the best");
        let fidelity = if lossless { Fidelity::Lossless } else { Fidelity::Lossy };
        let encoding =
            Encoding { codec: given(codec), pix_fmt: given(pix_fmt), quality, fidelity, ..Encoding::default() };
        let overwrite = if overwrite { Overwrite::Replace } else { Overwrite::Refuse };
        let chain = Some(chain).filter(|text| !text.trim().is_empty()).into_iter().collect();
        Ok(Request { output: name.to_owned(), chain, overwrite, encoding, trace: false, ..self.request.clone() })
    }

    /// Refuses everything but files in the folder, and links that point out of it.
    fn admit(&self, name: &str) -> Result<()> {
        let shown = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let path = Path::new(name);
        let file = path.file_name().map(|file| file.to_string_lossy().into_owned());
        let elsewhere = || {
            let file = file.clone().unwrap_or_else(|| "out.mp4".to_owned());
            format!(
                "the page writes only in the folder {}; type {}, or start it with --output-dir FOLDER",
                shown.display(),
                self.named(&file)
            )
        };
        ensure!(!name.starts_with("hash:") && !name.starts_with("null:") && !name.contains("://"), elsewhere());
        ensure!(file.is_some() && !name.ends_with('/'), elsewhere());
        let own = shown.canonicalize().with_context(|| format!("find the folder {}", shown.display()))?;
        // The target of a link is written.
        let aim = match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => path.canonicalize().with_context(elsewhere)?,
            _ => path.to_owned(),
        };
        let parent = aim.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        ensure!(parent.canonicalize().is_ok_and(|parent| parent == own), elsewhere());
        Ok(())
    }

    fn named(&self, file: &str) -> String {
        self.folder.join(file).to_string_lossy().into_owned()
    }

    /// Forecast of a job. Blocks while it is opened.
    pub(super) fn outlook(&self, typed: TypedErrand) -> OutlookAnswer {
        let told = |error| OutlookAnswer { fault: Some(with_controls(&format!("{error:#}"))), ..Default::default() };
        let request = match self.request(typed) {
            Ok(request) => request,
            Err(error) => return told(error),
        };
        match DryRun::of(request, CancelToken::default(), |_| Ok(None)) {
            Ok(dry_run) => OutlookAnswer {
                lines: dry_run.streams.iter().map(|fate| with_controls(&fate.to_string())).collect(),
                fault: dry_run.obstacle.map(|obstacle| with_controls(&obstacle)),
            },
            Err(error) => told(error),
        }
    }

    /// Finds an output that loses nothing, in the clip's container if possible. Blocks while candidates are tried.
    pub(super) fn propose(&self, chain: &str) -> ProposalAnswer {
        let names = self.candidates();
        for tolerance in [Tolerance::Strict, Tolerance::Normal] {
            for (name, codec) in &names {
                // Existing files are skipped.
                for output in (1..100).map(|number| self.numbered(name, number)) {
                    let typed =
                        TypedErrand { chain: chain.to_owned(), output, codec: codec.clone(), ..Default::default() };
                    let output = typed.output.clone();
                    let Ok(request) = self.request(typed) else { break };
                    match DryRun::of(Request { tolerance, ..request }, CancelToken::default(), |_| Ok(None)) {
                        Ok(DryRun { obstacle: Some(_), .. }) => {}
                        Ok(_) => return ProposalAnswer { output, codec: codec.clone() },
                        Err(_) => break,
                    }
                }
            }
        }
        ProposalAnswer { output: self.first(), codec: None }
    }

    fn candidates(&self) -> Vec<(String, Option<String>)> {
        let input = Path::new(&self.request.input);
        let text = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
        let stem = text(input.file_stem()).filter(|_| self.request.input != "-").unwrap_or_else(|| "clip".to_owned());
        let ending = text(input.extension());
        let mut names = Vec::new();
        if sequence::is_sequence(input) {
            // The pattern stays, with a prefix.
            names.push((format!("filtered-{stem}.{}", ending.as_deref().unwrap_or("png")), None));
            names.push(("filtered.mkv".to_owned(), None));
        } else {
            let is_known = |ending: &String| OutputKind::of(&format!("out.{ending}"), None) == OutputKind::Container;
            names.extend(ending.filter(is_known).map(|ending| (format!("{stem}.filtered.{ending}"), None)));
            names.extend(["mp4", "mkv"].map(|ending| (format!("{stem}.filtered.{ending}"), None)));
            names.push((format!("{stem}.filtered.mkv"), Some("ffv1".to_owned())));
        }
        names
    }

    /// A name in the folder, with a number from 2 on.
    fn numbered(&self, name: &str, number: usize) -> String {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        match number {
            1 => self.named(name),
            _ if name.contains('%') => self.named(&format!("{number}-{name}")),
            _ => self.named(&format!("{stem}-{number}.{ending}")),
        }
    }

    /// The proposed name before a chain is known.
    pub(super) fn first(&self) -> String {
        self.candidates().first().map(|(name, _)| self.named(name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second reader would take frames from the page.
    #[test]
    fn piped_clips_have_no_jobs() {
        let folder = OutputFolder::new(&Request { input: "-".to_owned(), ..Request::default() }, None);
        let typed = TypedErrand { output: "out.mkv".to_owned(), ..TypedErrand::default() };
        let fault = folder.outlook(typed).fault;
        assert!(fault.as_ref().is_some_and(|fault| fault.contains("only once")), "{fault:?}");
        assert_eq!(folder.propose("").output, "clip.filtered.mp4");
    }
}
