//! Camera data, descriptions and resolution of a still.

use super::exif::{Directory, ExifReader, make_upright};
use super::kind::StillKind;
use super::resolution::Resolution;
use crate::frame::Turn;

/// Camera data, descriptions and resolution of a still.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StillMetadata {
    /// A block of directories, as in a TIFF file.
    pub(super) exif: Option<Vec<u8>>,
    pub(super) xmp: Option<Vec<u8>>,
    pub(super) resolution: Option<Resolution>,
}

impl StillMetadata {
    /// Most bytes of a block in JPEG, which has one segment for it.
    pub(super) const SEGMENT_BYTES: usize = 65_000;

    /// How the picture is turned when it is shown, where that is said.
    pub fn turn(&self) -> Option<Turn> {
        let turn = |transposed, mirrored, flipped| Some(Turn { transposed, mirrored, flipped });
        match ExifReader::new(self.exif.as_deref()?)?.orientation()? {
            2 => turn(false, true, false),
            3 => turn(false, true, true),
            4 => turn(false, false, true),
            5 => turn(true, false, false),
            6 => turn(true, true, false),
            7 => turn(true, true, true),
            8 => turn(true, false, true),
            _ => turn(false, false, false),
        }
    }

    /// What the format of a still cannot hold of it, in words; `None` for other formats.
    pub fn loss(&self, kind: Option<StillKind>) -> Option<String> {
        let is_large = |block: &Vec<u8>| kind == Some(StillKind::Jpeg) && block.len() > Self::SEGMENT_BYTES;
        let holds = kind.is_some_and(StillKind::holds_exif);
        let is_lost = |block: &Option<Vec<u8>>| block.as_ref().is_some_and(|block| !holds || is_large(block));
        let mut lost = Vec::new();
        if is_lost(&self.exif) {
            lost.push("EXIF".to_owned());
        }
        if is_lost(&self.xmp) {
            lost.push("XMP".to_owned());
        }
        lost.extend(self.resolution.filter(|_| kind.is_none()).map(|resolution| format!("{:.0} dpi", resolution.x)));
        (!lost.is_empty()).then(|| lost.join(", "))
    }

    /// What there is, in words: `EXIF, 300 dpi`.
    pub fn in_words(&self) -> String {
        self.loss(None).unwrap_or_default()
    }

    /// The same of a picture that is stored as it is shown, and was turned for that; its size now.
    pub fn upright(&self, turn: Turn, size: (usize, usize)) -> Self {
        let mut upright = self.clone();
        if let Some(block) = &mut upright.exif {
            make_upright(block, size, turn.transposed);
        }
        if let Some(text) = &mut upright.xmp {
            forget_orientation(text);
        }
        if turn.transposed {
            upright.resolution = upright.resolution.map(|Resolution { x, y }| Resolution { x: y, y: x });
        }
        upright
    }

    /// The camera data with the resolution, for formats that have no other place for it.
    pub(super) fn exif_with_resolution(&self) -> Option<Vec<u8>> {
        let reader = self.exif.as_deref().and_then(ExifReader::new);
        if self.resolution.is_none() || reader.as_ref().is_some_and(|reader| reader.resolution().is_some()) {
            return self.exif.clone();
        }
        let mut directory = reader.and_then(|reader| reader.directory(|_| true)).unwrap_or_else(Directory::new);
        self.resolution.into_iter().for_each(|resolution| directory.set_resolution(resolution));
        Some(directory.block())
    }
}

/// Makes the orientation in a description that of a picture which is stored as it is shown.
pub(super) fn forget_orientation(xmp: &mut [u8]) {
    const HEADS: [&[u8]; 3] = [b"tiff:Orientation=\"", b"tiff:Orientation='", b"<tiff:Orientation>"];

    for head in HEADS {
        let found = xmp.windows(head.len()).position(|window| window == head);
        if let Some(code) = found.and_then(|at| xmp.get_mut(at + head.len())).filter(|code| code.is_ascii_digit()) {
            *code = b'1';
        }
    }
}
