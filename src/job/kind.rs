//! What an output is: its name and `--container` decide, here and for all who ask.

use std::path::Path;

use crate::libav::address::Address;

/// How frames leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Not at all.
    Null,
    /// As checksums.
    Hash,
    /// As y4m.
    Y4m,
    /// As their samples alone.
    Raw,
    /// Encoded, in a container or a sequence of images.
    Container,
}

/// Where the bytes of an output go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination<'a> {
    /// Nowhere: nothing is written.
    Nowhere,
    /// The standard output.
    Stdout,
    /// The network, at this address.
    Address(&'a str),
    /// A file, a pipe or a device of this name, or a sequence of files.
    Path(&'a Path),
}

impl OutputKind {
    /// Of an output of this name; `container` is what was typed, if anything was.
    pub fn of(output: &str, container: Option<&str>) -> Self {
        if output == "null:" {
            return Self::Null;
        }
        if output.starts_with("hash:") {
            return Self::Hash;
        }
        let extension = Path::new(output).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match (container, extension.to_ascii_lowercase().as_str()) {
            (None, _) if Address::is(output) => Self::Container,
            (Some("y4m" | "yuv4mpegpipe"), _) | (None, "y4m") => Self::Y4m,
            (Some("raw" | "rawvideo"), _) | (None, "raw" | "yuv" | "rgb" | "gray") => Self::Raw,
            (None, _) if output == "-" => Self::Y4m,
            _ => Self::Container,
        }
    }

    /// Whether samples are written as they are.
    pub fn is_plain(self) -> bool {
        matches!(self, Self::Y4m | Self::Raw)
    }
}

impl<'a> Destination<'a> {
    /// Of an output of this name.
    pub fn of(output: &'a str) -> Self {
        match output {
            "null:" => Self::Nowhere,
            "-" | "hash:" => Self::Stdout,
            address if Address::is(address) => Self::Address(address),
            path => Self::Path(Path::new(path.strip_prefix("hash:").unwrap_or(path))),
        }
    }
}
