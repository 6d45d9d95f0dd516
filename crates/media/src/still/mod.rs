//! What stills have besides their picture: camera data (EXIF), descriptions (XMP) and the resolution in print. FFmpeg's
//! encoders write none of it, so it is read from the files of the input and put into those of the output.

mod exif;
mod jpeg;
mod png;
mod tiff;
mod webp;

use anyhow::Result;

use self::exif::{Directory, Reader};
use crate::frame::Turn;

/// Camera data, descriptions and resolution of a still.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StillMetadata {
    /// A block of directories, as in a TIFF file.
    exif: Option<Vec<u8>>,
    xmp: Option<Vec<u8>>,
    density: Option<Density>,
}

/// Pixels an inch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Density {
    pub x: f64,
    pub y: f64,
}

/// A file format of stills that holds some of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StillKind {
    Jpeg,
    Png,
    WebP,
    Tiff,
    Bmp,
}

impl Density {
    /// Most pixels an inch.
    const MOST: f64 = 1e6;

    /// So many pixels a unit, of which an inch has so many; `None` where that is no resolution.
    fn new(x: f64, y: f64, units: f64) -> Option<Self> {
        let is_sound = |value: f64| value * units >= 1.0 && value * units <= Self::MOST;
        (is_sound(x) && is_sound(y)).then_some(Self { x: x * units, y: y * units })
    }

    /// Pixels a metre.
    fn of_metre(x: u32, y: u32) -> Option<Self> {
        Self::new(f64::from(x), f64::from(y), 0.0254)
    }

    fn a_metre(self) -> [u32; 2] {
        [self.x, self.y].map(|value| (value / 0.0254).round() as u32)
    }
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

    fn of(image: &[u8]) -> Option<Self> {
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
    fn holds_exif(self) -> bool {
        self != Self::Bmp
    }

    /// Whether it holds the profile of its colours.
    pub fn holds_profile(self) -> bool {
        self != Self::Bmp
    }
}

impl StillMetadata {
    /// Most bytes of a block in JPEG, which has one segment for it.
    const SEGMENT_BYTES: usize = 65_000;

    /// That of a file; `None` where there is none.
    pub fn read(image: &[u8]) -> Option<Self> {
        let mut found = match StillKind::of(image)? {
            StillKind::Jpeg => jpeg::read(image),
            StillKind::Png => png::read(image),
            StillKind::WebP => webp::read(image),
            StillKind::Tiff => tiff::read(image),
            StillKind::Bmp => Some(Self { density: bmp_density(image), ..Self::default() }),
        }?;
        found.exif = found.exif.filter(|block| Reader::new(block).is_some());
        let in_exif = || Reader::new(found.exif.as_deref()?)?.density();
        found.density = found.density.or_else(in_exif);
        (found != Self::default()).then_some(found)
    }

    /// How the picture is turned when it is shown, where that is said.
    pub fn turn(&self) -> Option<Turn> {
        let turn = |transposed, mirrored, flipped| Some(Turn { transposed, mirrored, flipped });
        match Reader::new(self.exif.as_deref()?)?.orientation()? {
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
        lost.extend(self.density.filter(|_| kind.is_none()).map(|density| format!("{:.0} dpi", density.x)));
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
            exif::make_upright(block, size, turn.transposed);
        }
        if let Some(text) = &mut upright.xmp {
            forget_orientation(text);
        }
        if turn.transposed {
            upright.density = upright.density.map(|Density { x, y }| Density { x: y, y: x });
        }
        upright
    }

    /// A file that FFmpeg wrote with all of this that its format holds, and a profile of its colours where FFmpeg wrote none.
    ///
    /// # Errors
    /// If the file is not what its format demands.
    pub fn write(&self, image: &[u8], profile: Option<&[u8]>) -> Result<Vec<u8>> {
        Ok(match StillKind::of(image) {
            Some(StillKind::Jpeg) => jpeg::write(self, image)?,
            Some(StillKind::Png) => png::write(self, image)?,
            Some(StillKind::WebP) => webp::write(self, image, profile)?,
            Some(StillKind::Tiff) => tiff::write(self, image, profile)?,
            Some(StillKind::Bmp) => with_bmp_density(image, self.density),
            None => image.to_vec(),
        })
    }

    /// The camera data with the resolution, for formats that have no other place for it.
    fn exif_with_density(&self) -> Option<Vec<u8>> {
        let reader = self.exif.as_deref().and_then(Reader::new);
        if self.density.is_none() || reader.as_ref().is_some_and(|reader| reader.density().is_some()) {
            return self.exif.clone();
        }
        let mut directory = reader.and_then(|reader| reader.directory(|_| true)).unwrap_or_else(Directory::new);
        self.density.into_iter().for_each(|density| directory.set_density(density));
        Some(directory.block())
    }
}

/// Where BMP has its pixels a metre.
const BMP_DENSITY: usize = 38;

fn bmp_density(image: &[u8]) -> Option<Density> {
    let number = |at: usize| Some(u32::from_le_bytes(*image.get(at..)?.first_chunk()?));
    // Older headers end before it.
    number(14).filter(|length| *length >= 40)?;
    Density::of_metre(number(BMP_DENSITY)?, number(BMP_DENSITY + 4)?)
}

fn with_bmp_density(image: &[u8], density: Option<Density>) -> Vec<u8> {
    let mut image = image.to_vec();
    if let (Some(density), Some(place)) = (density, image.get_mut(BMP_DENSITY..BMP_DENSITY + 8)) {
        place.copy_from_slice(&density.a_metre().map(u32::to_le_bytes).concat());
    }
    image
}

/// Makes the orientation in a description that of a picture which is stored as it is shown.
fn forget_orientation(xmp: &mut [u8]) {
    const HEADS: [&[u8]; 3] = [b"tiff:Orientation=\"", b"tiff:Orientation='", b"<tiff:Orientation>"];

    for head in HEADS {
        let found = xmp.windows(head.len()).position(|window| window == head);
        if let Some(code) = found.and_then(|at| xmp.get_mut(at + head.len())).filter(|code| code.is_ascii_digit()) {
            *code = b'1';
        }
    }
}

#[cfg(test)]
mod tests;
