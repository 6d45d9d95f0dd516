//! File formats of stills that hold some of the metadata.

/// A file format of stills that holds some of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StillKind {
    Jpeg,
    Png,
    WebP,
    Tiff,
    Bmp,
}

impl StillKind {
    /// That of a codec by FFmpeg's name, if its packets are files.
    pub fn of_codec(name: &str) -> Option<Self> {
        Some(match name {
            "mjpeg" => Self::Jpeg,
            "png" => Self::Png,
            "webp" => Self::WebP,
            "tiff" => Self::Tiff,
            "bmp" => Self::Bmp,
            _ => return None,
        })
    }

    /// That of a file, by its first bytes.
    pub(super) fn of(image: &[u8]) -> Option<Self> {
        Some(match image {
            [0xFF, 0xD8, ..] => Self::Jpeg,
            [0x89, b'P', b'N', b'G', ..] => Self::Png,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Self::WebP,
            [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => Self::Tiff,
            [b'B', b'M', ..] => Self::Bmp,
            _ => return None,
        })
    }

    /// Whether it holds camera data and descriptions; all hold the resolution.
    pub(super) fn holds_exif(self) -> bool {
        self != Self::Bmp
    }

    /// Whether it holds the profile of its colours.
    pub fn holds_profile(self) -> bool {
        self != Self::Bmp
    }
}
