//! BMP: the resolution alone, in the header.

use super::metadata::StillMetadata;
use super::resolution::Resolution;

/// Where the pixels a metre are.
const RESOLUTION: usize = 38;

pub(super) fn read(image: &[u8]) -> Option<StillMetadata> {
    let number = |at: usize| Some(u32::from_le_bytes(*image.get(at..)?.first_chunk()?));
    // Older headers end before it.
    number(14).filter(|length| *length >= 40)?;
    let resolution = Resolution::of_metre(number(RESOLUTION)?, number(RESOLUTION + 4)?);
    Some(StillMetadata { resolution, ..StillMetadata::default() })
}

pub(super) fn write(metadata: &StillMetadata, image: &[u8]) -> Vec<u8> {
    let mut image = image.to_vec();
    if let (Some(resolution), Some(place)) = (metadata.resolution, image.get_mut(RESOLUTION..RESOLUTION + 8)) {
        place.copy_from_slice(&resolution.a_metre().map(u32::to_le_bytes).concat());
    }
    image
}
