//! Files that tell of a run: `--stats`, `--trace`, `--svg`, and those of `bench`. Where one would destroy something, the run
//! does not begin; otherwise it stands under its name when it is complete, as every output does.

use std::path::Path;

use anyhow::{Result, ensure};
use warpreel::sequence::Pattern;
use warpreel::sink::target::same_place;
use warpreel::sink::{Output, Overwrite, Target};

/// A report that is still to be written. Dropping it leaves nothing.
pub struct Report(Target);

impl Report {
    /// Gets ready to write reports, each by its option and, if it is wanted, its path. `clips` are what the run reads and
    /// writes beside them, as they were typed.
    ///
    /// # Errors
    /// If a report is one of the clips or another report, if it exists and must not be replaced, or if it cannot be
    /// written.
    pub fn open<const N: usize>(
        reports: [(&str, Option<&Path>); N],
        clips: &[Option<&str>],
        overwrite: Overwrite,
    ) -> Result<[Option<Self>; N]> {
        let wanted: Vec<(&str, &Path)> =
            reports.iter().filter_map(|(option, path)| path.map(|path| (*option, path))).collect();
        for (index, (option, path)) in wanted.iter().enumerate() {
            for clip in clips.iter().flatten() {
                ensure!(!is_part(clip, path), "{option} {path:?} would replace {clip:?}; name another file");
            }
            for (other, taken) in &wanted[..index] {
                ensure!(!same_place(taken, path), "{other} and {option} are both {path:?}; name another file");
            }
        }
        let mut targets = [const { None }; N];
        for (target, (_, path)) in targets.iter_mut().zip(reports) {
            *target = path.map(|path| Target::create(path, overwrite)).transpose()?.map(Self);
        }
        Ok(targets)
    }

    /// Writes all of it, and gives it its name. A named pipe waits for its reader.
    ///
    /// # Errors
    /// If that fails.
    pub fn write(self, text: &str) -> Result<()> {
        let mut output = Output::file(self.0)?;
        output.write_bytes(text.as_bytes())?;
        output.finish()
    }
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
    same_place(clip, path) || is_numbered().is_some()
}
