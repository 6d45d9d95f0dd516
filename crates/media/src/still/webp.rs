//! WebP: EXIF, XMP and the profile of colours in chunks of their own, the resolution in EXIF.

use anyhow::Result;
use img_parts::riff::{RiffChunk, RiffContent};
use img_parts::webp::{CHUNK_VP8X, CHUNK_XMP, WebP};
use img_parts::{Bytes, ImageEXIF, ImageICC};

use super::metadata::StillMetadata;

/// Bit of the header that says that there is XMP.
const HAS_XMP: u8 = 4;

pub(super) fn read(image: &[u8]) -> Option<StillMetadata> {
    let webp = WebP::from_bytes(Bytes::copy_from_slice(image)).ok()?;
    let xmp = webp.chunk_by_id(CHUNK_XMP).and_then(|chunk| chunk.content().data()).map(|data| data.to_vec());
    Some(StillMetadata { exif: webp.exif().map(Vec::from), xmp, resolution: None })
}

pub(super) fn write(metadata: &StillMetadata, image: &[u8], profile: Option<&[u8]>) -> Result<Vec<u8>> {
    let mut webp = WebP::from_bytes(Bytes::copy_from_slice(image))?;
    if let Some(xmp) = &metadata.xmp {
        let content = RiffContent::Data(xmp.clone().into());
        webp.chunks_mut().push(RiffChunk::new(CHUNK_XMP, content));
    }
    if let Some(profile) = profile {
        webp.set_icc_profile(Some(Bytes::copy_from_slice(profile)));
    }
    // Also without EXIF this writes the header that names the chunks.
    webp.set_exif(metadata.exif_with_resolution().map(Bytes::from));
    let header = webp.chunks_mut().iter_mut().find(|chunk| chunk.id() == CHUNK_VP8X);
    if let (Some(RiffContent::Data(data)), true) = (header.map(RiffChunk::content_mut), metadata.xmp.is_some()) {
        let mut changed = data.to_vec();
        changed.first_mut().into_iter().for_each(|flags| *flags |= HAS_XMP);
        *data = changed.into();
    }
    Ok(webp.encoder().bytes().into())
}
