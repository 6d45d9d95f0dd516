//! Metadata that stills have besides their picture: camera data (EXIF), descriptions (XMP) and the resolution in print.
//! FFmpeg's encoders write none of it, so it is read from the files of the input and put into those of the output.

mod bmp;
mod exif;
mod jpeg;
mod kind;
mod metadata;
mod png;
mod resolution;
mod tiff;
mod webp;

use anyhow::Result;

use self::exif::ExifReader;

pub(crate) use self::kind::StillKind;
pub(crate) use self::metadata::StillMetadata;

/// The metadata of a file; `None` where there is none.
pub(crate) fn read(image: &[u8]) -> Option<StillMetadata> {
    let mut found = match StillKind::of(image)? {
        StillKind::Jpeg => jpeg::read(image),
        StillKind::Png => png::read(image),
        StillKind::WebP => webp::read(image),
        StillKind::Tiff => tiff::read(image),
        StillKind::Bmp => bmp::read(image),
    }?;
    found.exif = found.exif.filter(|block| ExifReader::new(block).is_some());
    let in_exif = || ExifReader::new(found.exif.as_deref()?)?.resolution();
    found.resolution = found.resolution.or_else(in_exif);
    (found != StillMetadata::default()).then_some(found)
}

/// A file that FFmpeg wrote with all of the metadata that its format holds, and a profile of its colours where FFmpeg
/// wrote none.
///
/// # Errors
/// If the file is not what its format demands.
pub(crate) fn write(metadata: &StillMetadata, image: &[u8], profile: Option<&[u8]>) -> Result<Vec<u8>> {
    Ok(match StillKind::of(image) {
        Some(StillKind::Jpeg) => jpeg::write(metadata, image)?,
        Some(StillKind::Png) => png::write(metadata, image)?,
        Some(StillKind::WebP) => webp::write(metadata, image, profile)?,
        Some(StillKind::Tiff) => tiff::write(metadata, image, profile)?,
        Some(StillKind::Bmp) => bmp::write(metadata, image),
        None => image.to_vec(),
    })
}

#[cfg(test)]
mod tests;
