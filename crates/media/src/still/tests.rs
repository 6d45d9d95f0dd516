use super::exif::{Directory, Reader};
use super::*;

/// A block in big-endian order: orientation 6, 300 x 150 pixels an inch, a directory of EXIF with the size, and a preview.
fn block() -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08".to_vec();
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value.to_be_bytes()].concat()
    };
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
    assert_eq!(Reader::new(&block()).unwrap().density(), Density::new(300.0, 150.0, 1.0));
}

#[test]
fn a_turned_picture_is_not_turned_again() {
    let still = StillMetadata { exif: Some(block()), ..StillMetadata::default() };
    let upright = still.upright(still.turn().unwrap(), (3000, 4000)).exif.unwrap();
    assert_eq!(upright.len(), block().len());
    let reader = Reader::new(&upright).unwrap();
    assert_eq!(reader.orientation(), Some(1));
    assert_eq!(reader.density(), Density::new(150.0, 300.0, 1.0));
    assert_eq!(&upright[84..88], &3000u32.to_be_bytes());
    assert_eq!(&upright[96..98], &4000u16.to_be_bytes());
    assert_eq!(&upright[70..74], &[0; 4], "the preview is gone");
}

/// Directories move, in both orders of bytes, and say the same.
#[test]
fn a_directory_is_written_elsewhere() {
    let block = block();
    let directory = Reader::new(&block).unwrap().directory(|tag| tag != 274).unwrap();
    let mut little = Directory::new();
    little.take(directory.clone());
    for written in [directory.block(), little.block()] {
        let reader = Reader::new(&written).unwrap();
        assert_eq!((reader.orientation(), reader.density()), (None, Density::new(300.0, 150.0, 1.0)));
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
                let directory = Reader::new(&damaged).and_then(|reader| reader.directory(|_| true));
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
