//! JPEG: EXIF and XMP in segments APP1, the resolution in the header of JFIF.

use anyhow::Result;
use img_parts::jpeg::{Jpeg, JpegSegment, markers};
use img_parts::{Bytes, ImageEXIF};

use super::metadata::StillMetadata;
use super::resolution::Resolution;

const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const JFIF: &[u8] = b"JFIF\0";

pub(super) fn read(image: &[u8]) -> Option<StillMetadata> {
    let jpeg = Jpeg::from_bytes(Bytes::copy_from_slice(image)).ok()?;
    let segments = |marker| jpeg.segments_by_marker(marker).map(JpegSegment::contents);
    let resolution = segments(markers::APP0).find_map(|header| {
        let [_, _, unit, x, y, x_low, y_low] = *header.strip_prefix(JFIF)?.first_chunk()?;
        let [x, y] = [[x, y], [x_low, y_low]].map(|pair| f64::from(u16::from_be_bytes(pair)));
        match unit {
            1 => Resolution::new(x, y, 1.0),
            2 => Resolution::new(x, y, 2.54),
            _ => None,
        }
    });
    let xmp = segments(markers::APP1).find_map(|segment| segment.strip_prefix(XMP).map(<[u8]>::to_vec));
    Some(StillMetadata { exif: jpeg.exif().map(Vec::from), xmp, resolution })
}

pub(super) fn write(metadata: &StillMetadata, image: &[u8]) -> Result<Vec<u8>> {
    let mut jpeg = Jpeg::from_bytes(Bytes::copy_from_slice(image))?;
    let is_small = |block: &&Vec<u8>| block.len() <= StillMetadata::SEGMENT_BYTES;
    if let Some(resolution) = metadata.resolution {
        let segments = jpeg.segments_mut();
        segments.retain(|segment| segment.marker() != markers::APP0 || !segment.contents().starts_with(JFIF));
        let [x, y] = [resolution.x, resolution.y].map(|value| (value.round().min(65535.0) as u16).to_be_bytes());
        let header = [JFIF, &[1, 2, 1], &x, &y, &[0, 0]].concat();
        segments.insert(0, JpegSegment::new_with_contents(markers::APP0, header.into()));
    }
    jpeg.set_exif(metadata.exif.as_ref().filter(is_small).map(|block| block.clone().into()));
    if let Some(xmp) = metadata.xmp.as_ref().filter(is_small) {
        let segments = jpeg.segments_mut();
        let is_head = |segment: &JpegSegment| [markers::APP0, markers::APP1].contains(&segment.marker());
        let at = segments.iter().position(|segment| !is_head(segment)).unwrap_or(segments.len());
        segments.insert(at, JpegSegment::new_with_contents(markers::APP1, [XMP, xmp].concat().into()));
    }
    Ok(jpeg.encoder().bytes().into())
}
