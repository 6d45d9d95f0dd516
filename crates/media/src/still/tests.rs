//! Blocks of camera data and files of stills, whole, damaged and hostile.

use img_parts::png::{Png, PngChunk};

use super::exif::{Directory, ExifReader};
use super::metadata::forget_orientation;
use super::resolution::Resolution;
use super::*;
use crate::frame::Turn;

/// A block in big-endian order: orientation 6, 300 x 150 pixels an inch, a directory of EXIF with the size, and a preview.
fn block() -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08".to_vec();
    block.extend(5u16.to_be_bytes());
    block.extend(entry(274, 3, 1, 6 << 16));
    block.extend(entry(282, 5, 1, 104));
    block.extend(entry(283, 5, 1, 112));
    block.extend(entry(296, 3, 1, 2 << 16));
    block.extend(entry(0x8769, 4, 1, 74));
    block.extend(120u32.to_be_bytes());
    assert_eq!(block.len(), 74);
    block.extend(2u16.to_be_bytes());
    block.extend(entry(0xA002, 4, 1, 4000));
    block.extend(entry(0xA003, 3, 1, 3000 << 16));
    block.extend(0u32.to_be_bytes());
    assert_eq!(block.len(), 104);
    block.extend([300u32, 1, 150, 1].map(u32::to_be_bytes).concat());
    // The preview's directory is empty.
    block.extend([0; 6]);
    block
}

#[test]
fn what_a_block_says_is_read() {
    let still = StillMetadata { exif: Some(block()), ..StillMetadata::default() };
    assert_eq!(still.turn(), Some(Turn { transposed: true, mirrored: true, flipped: false }));
    assert_eq!(ExifReader::new(&block()).unwrap().resolution(), Resolution::new(300.0, 150.0, 1.0));
}

#[test]
fn a_turned_picture_is_not_turned_again() {
    let still = StillMetadata { exif: Some(block()), ..StillMetadata::default() };
    let upright = still.upright(still.turn().unwrap(), (3000, 4000)).exif.unwrap();
    assert_eq!(upright.len(), block().len());
    let reader = ExifReader::new(&upright).unwrap();
    assert_eq!(reader.orientation(), Some(1));
    assert_eq!(reader.resolution(), Resolution::new(150.0, 300.0, 1.0));
    assert_eq!(&upright[84..88], &3000u32.to_be_bytes());
    assert_eq!(&upright[96..98], &4000u16.to_be_bytes());
    assert_eq!(&upright[70..74], &[0; 4], "the preview is gone");
}

/// Directories move, in both orders of bytes, and say the same.
#[test]
fn a_directory_is_written_elsewhere() {
    let block = block();
    let directory = ExifReader::new(&block).unwrap().directory(|tag| tag != 274).unwrap();
    let mut little = Directory::new();
    little.take(directory.clone());
    for written in [directory.block(), little.block()] {
        let reader = ExifReader::new(&written).unwrap();
        assert_eq!((reader.orientation(), reader.resolution()), (None, Resolution::new(300.0, 150.0, 1.0)));
        let again = reader.directory(|_| true).unwrap();
        let mut order = Directory::new();
        order.take(again);
        assert_eq!(order, little);
    }
}

/// No byte of a block, and no end, makes reading or changing it fail.
#[test]
fn damaged_blocks_are_read() {
    let block = block();
    for at in 0..block.len() {
        for value in [0, 1, 0x7F, 0xFF] {
            let mut damaged = block.clone();
            damaged[at] = value;
            for damaged in [damaged, block[..at].to_vec()] {
                let still = StillMetadata { exif: Some(damaged.clone()), ..StillMetadata::default() };
                let upright = still.upright(still.turn().unwrap_or_default(), (7, 5));
                assert_eq!(upright.exif.map(|block| block.len()), Some(damaged.len()));
                let directory = ExifReader::new(&damaged).and_then(|reader| reader.directory(|_| true));
                directory.iter().for_each(|directory| drop(directory.block()));
            }
        }
    }
}

#[test]
fn descriptions_lose_their_orientation() {
    let mut text = *b"<x tiff:Orientation=\"6\"/><tiff:Orientation>8</tiff:Orientation>";
    forget_orientation(&mut text);
    assert_eq!(&text, b"<x tiff:Orientation=\"1\"/><tiff:Orientation>1</tiff:Orientation>");
}

/// An entry of a directory in big-endian order.
fn entry(tag: u16, kind: u16, count: u32, value: u32) -> Vec<u8> {
    [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value.to_be_bytes()].concat()
}

const XMP: &[u8] = b"<x tiff:Orientation='6'/>";

fn png_of(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut png = Png::from_bytes(b"\x89PNG\r\n\x1A\n".as_slice().into()).unwrap();
    png.chunks_mut().extend(chunks.iter().map(|(kind, contents)| PngChunk::new(*kind, contents.clone().into())));
    png.encoder().bytes().into()
}

fn png_chunks() -> Vec<([u8; 4], Vec<u8>)> {
    vec![
        (*b"IHDR", b"\0\0\0\x01\0\0\0\x01\x08\0\0\0\0".to_vec()),
        (*b"pHYs", b"\0\0\x2E\x23\0\0\x17\x12\x01".to_vec()),
        (*b"eXIf", block()),
        (*b"iTXt", [b"XML:com.adobe.xmp\0\0\0\0\0", XMP].concat()),
        (*b"IDAT", vec![1, 2, 3]),
        (*b"IEND", Vec::new()),
    ]
}

/// A small file of each format, with everything that it holds.
fn small_files() -> [Vec<u8>; 5] {
    let segment = |marker: u8, parts: &[&[u8]]| {
        let contents = parts.concat();
        [&[0xFF, marker][..], &(contents.len() as u16 + 2).to_be_bytes(), &contents].concat()
    };
    let jpeg = [
        vec![0xFF, 0xD8],
        segment(0xE0, &[b"JFIF\0\x01\x02\x01\x01\x2C\0\x96\0\0"]),
        segment(0xE1, &[b"Exif\0\0", &block()]),
        segment(0xE1, &[b"http://ns.adobe.com/xap/1.0/\0", XMP]),
        segment(0xDA, &[&[1, 1, 0, 0, 63, 0]]),
        vec![0x55, 0xFF, 0xD9],
    ];
    let chunk = |kind: &[u8], contents: &[u8]| {
        [kind, &(contents.len() as u32).to_le_bytes(), contents, &[0][..contents.len() % 2]].concat()
    };
    let webp = [
        b"WEBP".to_vec(),
        chunk(b"VP8X", b"\x0C\0\0\0\0\0\0\0\0\0"),
        chunk(b"VP8 ", b"\x50\x5A\0\x9D\x01\x2A\x01\0\x01\0"),
        chunk(b"EXIF", &block()),
        chunk(b"XMP ", XMP),
    ];
    let mut bmp = b"BM".to_vec();
    bmp.resize(60, 0);
    bmp[14] = 40;
    bmp[38..46].copy_from_slice(&[0x23, 0x2E, 0, 0, 0x12, 0x17, 0, 0]);
    [jpeg.concat(), png_of(&png_chunks()), chunk(b"RIFF", &webp.concat()), block(), bmp]
}

/// What a file has is read; put into a file of another format, it is read there again.
#[test]
fn all_formats_hold_what_others_have() {
    let files = small_files();
    let same = |one: f64, other: f64| (one - other).abs() < 0.02;
    for (from, file) in files.iter().enumerate() {
        let found = read(file).unwrap();
        for (to, other) in files.iter().enumerate() {
            let again = read(&write(&found, other, None).unwrap()).unwrap();
            let (old, new) = (found.resolution.unwrap(), again.resolution.unwrap());
            assert!(same(old.x, new.x) && same(old.y, new.y), "{from} to {to}: {old:?}, {new:?}");
            // TIFF has the fields of the picture besides, BMP holds neither.
            if [from, to].iter().all(|kind| *kind < 3) {
                assert_eq!((&again.exif, &again.xmp), (&found.exif, &found.xmp), "{from} to {to}");
            }
        }
    }
}

/// Neither a byte nor an end of a file makes reading it fail in another way than by telling less, also where the parts
/// have right checksums; and what was read can be written into every format, and takes no more room than it had.
#[test]
fn damaged_files_are_read_and_written_elsewhere() {
    let files = small_files();
    let mut damaged = Vec::new();
    for file in &files {
        for at in 0..file.len() {
            damaged.push(file[..at].to_vec());
            damaged.extend([0, 1, 0x7F, 0x80, 0xFF].map(|value| {
                let mut file = file.clone();
                file[at] = value;
                file
            }));
        }
    }
    for number in 0..png_chunks().len() {
        for at in 0..png_chunks()[number].1.len() {
            let mut chunks = png_chunks();
            chunks[number].1[at] ^= 0xFF;
            damaged.push(png_of(&chunks));
            chunks[number].1.truncate(at);
            damaged.push(png_of(&chunks));
        }
    }
    let mut count = 0;
    for file in damaged {
        // A file that an encoder wrote is whole, but that is no reason to panic where it is not.
        drop(write(&read(&files[0]).unwrap(), &file, Some(b"profile")));
        let Some(found) = read(&file) else { continue };
        count += 1;
        let upright = found.upright(found.turn().unwrap_or_default(), (7, 5));
        for other in &files {
            let written = write(&upright, other, Some(b"profile")).unwrap();
            assert!(written.len() <= other.len() + 2 * file.len() + 200, "{}", written.len());
        }
    }
    assert!(count > 2000, "{count} of them say something");
}

/// Fields that share their values, and directories that point to each other, do not multiply.
#[test]
fn hostile_directories_stay_small() {
    const FIELDS: u16 = 2000;
    let directory = |from: u16, field: &dyn Fn(u16) -> Vec<u8>| {
        [FIELDS.to_be_bytes().to_vec(), (from..from + FIELDS).flat_map(field).collect(), vec![0; 4]].concat()
    };
    let head = b"MM\0*\0\0\0\x08";
    let shared = [&head[..], &directory(1000, &|tag| entry(tag, 1, 20_000, 8))].concat();
    let circle = [&head[..], &directory(0, &|tag| entry([0x8769, 0x8825][usize::from(tag % 2)], 4, 1, 8))].concat();
    // The directory of EXIF is copied whole.
    let mut inner = [&head[..], &1u16.to_be_bytes(), &entry(0x8769, 4, 1, 26), &[0; 4]].concat();
    inner.extend(directory(1000, &|tag| entry(tag, 1, 20_000, 8)));
    for block in [shared, circle, inner] {
        let written = ExifReader::new(&block).unwrap().directory(|_| true).unwrap().block();
        assert!(written.len() <= 2 * block.len(), "{} of {}", written.len(), block.len());
        let mut still = StillMetadata { exif: Some(block.clone()), ..StillMetadata::default() };
        still = still.upright(Turn::default(), (7, 5));
        assert_eq!(still.exif.as_ref().map(Vec::len), Some(block.len()));
        let file = write(&still, &small_files()[3], None).unwrap();
        assert!(file.len() <= 3 * block.len(), "{} of {}", file.len(), block.len());
    }
}
