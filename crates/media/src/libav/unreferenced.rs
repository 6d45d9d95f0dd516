//! Pictures to which no other refers, and which a decoder may therefore leave out.

use ffmpeg_next::codec::{Id, Parameters};
use ffmpeg_next::ffi;

use super::fields::Fields as _;

/// Whether a picture that is marked as one to which no other refers can be left out, and all others stay what they are. In
/// HEVC the mark holds within a temporal layer, so that there has to be one alone. Of fields only one may be marked.
pub(super) fn marks_unreferenced(parameters: &Parameters) -> bool {
    let fields = parameters.fields();
    let is_progressive = fields.field_order == ffi::AVFieldOrder::AV_FIELD_PROGRESSIVE;
    match parameters.id() {
        Id::H264 => is_progressive,
        Id::HEVC => is_progressive && extradata(parameters).is_some_and(has_one_layer),
        _ => false,
    }
}

/// Whether an HEVC configuration record (ISO/IEC 14496-15, 8.3.3) says that there is one temporal layer.
fn has_one_layer(record: &[u8]) -> bool {
    record.first() == Some(&1) && record.get(21).is_some_and(|layers| layers >> 3 & 7 == 1)
}

/// What the container says for the decoder.
fn extradata(parameters: &Parameters) -> Option<&[u8]> {
    let fields = parameters.fields();
    let length = usize::try_from(fields.extradata_size).ok()?;
    // SAFETY: where it is not null, so many bytes belong to the parameters, and nobody writes them while those are borrowed.
    (!fields.extradata.is_null()).then(|| unsafe { std::slice::from_raw_parts(fields.extradata, length) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits 3 to 5 of byte 21 count the layers.
    #[test]
    fn layers_are_counted() {
        let record = |version: u8, byte: u8| {
            let mut record = [0; 23];
            (record[0], record[21]) = (version, byte);
            record
        };
        assert!(has_one_layer(&record(1, 0b1100_1011)));
        assert!(!has_one_layer(&record(1, 0b1101_0011)));
        assert!(!has_one_layer(&record(1, 0b1100_0011)));
        assert!(!has_one_layer(&record(0, 0b1100_1011)));
        assert!(!has_one_layer(&record(1, 0b1100_1011)[..21]));
        assert!(!has_one_layer(&[]));
    }
}
