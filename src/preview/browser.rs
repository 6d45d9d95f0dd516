//! The browser of this machine.

use std::env;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use tempfile::{Builder, NamedTempFile};

/// A file that redirects to the page. All users of a machine can see the arguments of programs, so the browser gets its name
/// instead of the address; only its owner can read it.
pub(super) struct Redirect(NamedTempFile);

/// Opens a page there; `None` without a screen or a browser. The file is deleted with the returned value. Does not block.
pub(super) fn open(address: &str) -> Option<Redirect> {
    if !has_display() {
        return None;
    }
    let redirect = Redirect::to(address).map_err(|error| log::debug!("{error:#}")).ok()?;
    open::that_detached(redirect.0.path()).is_ok().then_some(redirect)
}

impl Redirect {
    /// Writes the file in `XDG_RUNTIME_DIR`, or in the folder for temporary files.
    fn to(address: &str) -> Result<Self> {
        let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
        let folder = own.unwrap_or_else(env::temp_dir);
        let file = Builder::new().prefix("warpreel-").suffix(".html").tempfile_in(folder);
        let mut file = file.context("make a page that leads to the preview")?;
        let page = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<title>warpreel preview</title>\n\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n<p><a href=\"{address}\">warpreel preview</a></p>\n"
        );
        file.write_all(page.as_bytes()).context("write a page that leads to the preview")?;
        Ok(Self(file))
    }
}

/// Whether there is a screen that a browser could open on.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_address_is_in_a_file_that_nobody_else_reads() -> Result<()> {
        let redirect = Redirect::to("http://127.0.0.1:1/secret/")?;
        let path = redirect.0.path().to_owned();
        assert!(std::fs::read_to_string(&path)?.contains("url=http://127.0.0.1:1/secret/\""));
        assert_eq!(std::fs::metadata(&path)?.permissions().mode() & 0o077, 0);
        assert!(!path.to_string_lossy().contains("secret"));
        drop(redirect);
        assert!(!path.exists());
        Ok(())
    }
}
