//! Files that tell of a run: `--stats`, `--trace`, `--svg`, and those of `bench`. Where one would destroy something, the run
//! does not begin; otherwise it stands under its name when it is complete, as every output does.

use std::path::Path;

use anyhow::{Result, anyhow, bail, ensure};
use warpreel::job::Usage;
use warpreel::sequence::Pattern;
use warpreel::sink::file_set::FileSet;
use warpreel::sink::target::same_place;
use warpreel::sink::{Output, Overwrite, Target};

/// A report that is still to be written. Dropping it leaves nothing.
pub struct PendingReport(ReportPlace);

/// Where a report goes.
enum ReportPlace {
    File(Target),
    Stdout,
}

/// What a run reads and writes beside its reports, as it was typed.
#[derive(Default)]
pub struct Surroundings<'a> {
    /// Inputs, outputs, and files of the chain.
    pub files: Vec<&'a str>,
    /// What stdout holds, if that is something else.
    pub stdout: Option<&'static str>,
}

impl PendingReport {
    /// Gets ready to write reports, each by its option and, if it is wanted, its path; `-` is stdout.
    ///
    /// # Errors
    /// If a report is one of the run's files or another report, if it exists and must not be replaced, if it cannot be
    /// written, or if stdout holds something else.
    pub fn open<const N: usize>(
        reports: [(&str, Option<&Path>); N],
        surroundings: &Surroundings<'_>,
        overwrite: Overwrite,
    ) -> Result<[Option<Self>; N]> {
        let wanted: Vec<(&str, &Path)> =
            reports.iter().filter_map(|(option, path)| path.map(|path| (*option, path))).collect();
        for (index, (option, path)) in wanted.iter().enumerate() {
            if let Some(other) = surroundings.stdout.filter(|_| is_stdout(path)) {
                bail!(Usage::of(anyhow!("{option} - and {other} would both go to stdout; name a file")));
            }
            for file in surroundings.files.iter().filter(|_| !is_stdout(path)) {
                ensure!(!is_part(file, path), "{option} {path:?} would replace {file:?}; name another file");
            }
            for (other, taken) in &wanted[..index] {
                ensure!(!same_place(taken, path), "{other} and {option} are both {path:?}; name another file");
            }
        }
        let open = |path| {
            if is_stdout(path) {
                Ok(ReportPlace::Stdout)
            } else {
                Target::create(path, overwrite).map(ReportPlace::File)
            }
        };
        let mut opened = [const { None }; N];
        for (report, (_, path)) in opened.iter_mut().zip(reports) {
            *report = path.map(open).transpose()?.map(Self);
        }
        Ok(opened)
    }

    /// Writes all of it, and gives it its name. A named pipe waits for its reader.
    ///
    /// # Errors
    /// If that fails.
    pub fn write(self, text: &str) -> Result<()> {
        let mut output = match self.0 {
            ReportPlace::File(target) => Output::file(target)?,
            ReportPlace::Stdout => Output::stdout()?,
        };
        output.write_bytes(text.as_bytes())?;
        output.finish()
    }
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether a path is what was typed as a clip, or one of the files of a sequence.
fn is_part(clip: &str, path: &Path) -> bool {
    if clip == "-" {
        return false;
    }
    let clip = Path::new(clip.strip_prefix("hash:").unwrap_or(clip));
    let folder = |path: &Path| Path::new(".").join(path).parent().and_then(|folder| folder.canonicalize().ok());
    let is_numbered = || {
        let number = Pattern::of(clip)?.number(path.file_name()?.to_str()?);
        number.filter(|_| folder(clip) == folder(path))
    };
    let is_linked = || {
        let mut files = FileSet::default();
        files.add(clip, Pattern::of(clip).is_some() && !clip.exists());
        files.find(path, false).is_some()
    };
    same_place(clip, path) || is_numbered().is_some() || is_linked()
}
