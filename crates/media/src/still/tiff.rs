//! TIFF: camera data, XMP, the resolution and the profile of colours are fields beside those of the picture.

use anyhow::{Context, Result};

use super::exif::{ExifReader, ORIENTATION, RESOLUTION_UNIT, X_RESOLUTION, Y_RESOLUTION};
use super::metadata::StillMetadata;

const XMP: u16 = 700;
const PROFILE: u16 = 34675;
const BYTE: u16 = 1;
const UNDEFINED: u16 = 7;
const SOFTWARE: u16 = 305;

/// Fields of the first directory that say something of the picture, not of how it is stored: names and descriptions, the
/// camera, times, artist, ratings, copyright, IPTC, EXIF and GPS, and texts of Windows.
const DESCRIPTIVE: [u16; 23] = [
    269, 270, 271, 272, 285, 305, 306, 315, 316, 0x4746, 0x4749, 33432, 33723, 0x8769, 0x8825, 0x9003, 0x9004, 0x9C9B,
    0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xC614,
];

pub(super) fn read(image: &[u8]) -> Option<StillMetadata> {
    let reader = ExifReader::new(image)?;
    // The name of the program that wrote the file is not a fact of the picture.
    let camera = reader.directory(|tag| (DESCRIPTIVE.contains(&tag) && tag != SOFTWARE) || tag == ORIENTATION)?;
    let exif = (!camera.is_empty()).then(|| {
        let resolution = |tag| [X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT, ORIENTATION].contains(&tag);
        reader.directory(|tag| DESCRIPTIVE.contains(&tag) || resolution(tag)).map(|directory| directory.block())
    });
    Some(StillMetadata {
        exif: exif.flatten(),
        xmp: reader.data(XMP).map(<[u8]>::to_vec),
        resolution: reader.resolution(),
    })
}

pub(super) fn write(metadata: &StillMetadata, image: &[u8], profile: Option<&[u8]>) -> Result<Vec<u8>> {
    let own = ExifReader::new(image).context("the TIFF file has no header")?;
    let mut directory = own.directory(|_| true).context("the TIFF file has no directory")?;
    let camera = metadata.exif.as_deref().and_then(ExifReader::new);
    if let Some(camera) = camera.and_then(|reader| reader.directory(|tag| DESCRIPTIVE.contains(&tag))) {
        directory.take(camera);
    }
    if let Some(xmp) = &metadata.xmp {
        directory.set_bytes(XMP, BYTE, xmp);
    }
    if let Some(profile) = profile.filter(|_| own.data(PROFILE).is_none()) {
        directory.set_bytes(PROFILE, UNDEFINED, profile);
    }
    if let Some(resolution) = metadata.resolution {
        directory.set_resolution(resolution);
    }
    // The new directory goes behind the picture, which stays where the fields say.
    let mut file = image.to_vec();
    let place = directory.append(&mut file);
    let place = if image.starts_with(b"II") { place.to_le_bytes() } else { place.to_be_bytes() };
    file[4..8].copy_from_slice(&place);
    Ok(file)
}
