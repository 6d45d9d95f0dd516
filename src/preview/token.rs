//! The secret part of the address.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

/// Length of a token: 128 bits in hexadecimal.
const DIGITS: usize = 32;

/// A new token, or the one of a file, which is made if it is missing. Arguments of programs are visible to all users of a
/// machine, so the token itself cannot be typed.
///
/// # Errors
/// If the file cannot be read or written, contains something else, or can be read by other users.
pub(super) fn token(file: Option<&Path>) -> Result<String> {
    let Some(file) = file else { return random() };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(mut made) => {
            let token = random()?;
            made.write_all(format!("{token}\n").as_bytes()).with_context(|| format!("write token file {file:?}"))?;
            Ok(token)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => kept(file),
        Err(error) => Err(error).with_context(|| format!("make token file {file:?}")),
    }
}

/// The token of a file.
fn kept(file: &Path) -> Result<String> {
    let facts = fs::metadata(file).with_context(|| format!("read token file {file:?}"))?;
    let is_token = |text: &str| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let foreign = || format!("{file:?} is not a token file; type the name of a new file, which --token makes");
    ensure!(facts.is_file() && facts.len() <= 2 * DIGITS as u64, foreign());
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o077 != 0 {
        bail!("other users can read token file {file:?}; type chmod 600 {}", file.display());
    }
    let text = fs::read(file).with_context(|| format!("read token file {file:?}"))?;
    let text = String::from_utf8_lossy(&text);
    ensure!(is_token(text.trim()), foreign());
    Ok(text.trim().to_owned())
}

/// 128 random bits in hexadecimal.
fn random() -> Result<String> {
    let (high, low) = (getrandom::u64(), getrandom::u64());
    let [high, low] = [high, low].map(|half| half.map_err(|error| anyhow!("read random numbers: {error}")));
    Ok(format!("{:016x}{:016x}", high?, low?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_the_token() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("token");
        let first = token(Some(&file))?;
        assert_eq!(token(Some(&file))?, first);
        assert_ne!(token(None)?, first);
        fs::write(&file, "secret")?;
        let fault = token(Some(&file)).expect_err("six letters").to_string();
        assert!(fault.contains("is not a token file"), "{fault}");
        fs::write(&file, "x".repeat(1 << 20))?;
        assert!(token(Some(&file)).is_err());
        assert!(token(Some(folder.path())).is_err());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() -> Result<()> {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir()?;
        let file = folder.path().join("token");
        token(Some(&file))?;
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
        let fault = token(Some(&file)).expect_err("a file for all").to_string();
        assert!(fault.contains("type chmod 600"), "{fault}");
        Ok(())
    }
}
