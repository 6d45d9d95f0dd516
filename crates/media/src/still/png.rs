//! PNG: EXIF in the chunk `eXIf`, XMP in a text, the resolution in `pHYs`.

use anyhow::Result;
use img_parts::png::{Png, PngChunk};
use img_parts::{Bytes, ImageEXIF};

use super::metadata::StillMetadata;
use super::resolution::Resolution;

const PHYSICAL: [u8; 4] = *b"pHYs";
const TEXT: [u8; 4] = *b"iTXt";
/// The keyword, not compressed, without a language.
const XMP: &[u8] = b"XML:com.adobe.xmp\0\0\0\0\0";

pub(super) fn read(image: &[u8]) -> Option<StillMetadata> {
    let png = Png::from_bytes(Bytes::copy_from_slice(image)).ok()?;
    let resolution = png.chunk_by_type(PHYSICAL).and_then(|chunk| {
        let (x, rest) = chunk.contents().split_first_chunk()?;
        let (y, unit) = rest.split_first_chunk()?;
        Resolution::of_metre(u32::from_be_bytes(*x), u32::from_be_bytes(*y)).filter(|_| unit == [1])
    });
    let xmp = png.chunks_by_type(TEXT).find_map(|chunk| chunk.contents().strip_prefix(XMP).map(<[u8]>::to_vec));
    Some(StillMetadata { exif: png.exif().map(Vec::from), xmp, resolution })
}

pub(super) fn write(metadata: &StillMetadata, image: &[u8]) -> Result<Vec<u8>> {
    let mut png = Png::from_bytes(Bytes::copy_from_slice(image))?;
    // All of it goes between the header and the picture.
    let mut insert = |kind, contents: Vec<u8>| {
        png.remove_chunks_by_type(kind);
        let at = png.chunks().len().min(1);
        png.chunks_mut().insert(at, PngChunk::new(kind, contents.into()));
    };
    if let Some(xmp) = &metadata.xmp {
        insert(TEXT, [XMP, xmp].concat());
    }
    if let Some(resolution) = metadata.resolution {
        let [x, y] = resolution.a_metre().map(u32::to_be_bytes);
        insert(PHYSICAL, [&x[..], &y, &[1]].concat());
    }
    if let Some(exif) = &metadata.exif {
        png.set_exif(Some(exif.clone().into()));
    }
    Ok(png.encoder().bytes().into())
}
