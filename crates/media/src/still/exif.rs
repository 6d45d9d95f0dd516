//! Camera data: the directories of fields that EXIF and TIFF share (TIFF 6.0, section 2; EXIF 2.32, section 4.6).

use std::collections::BTreeMap;
use std::ops::Range;

use super::resolution::Resolution;

/// Directories that fields point to: EXIF, GPS, and the interoperability of EXIF.
const POINTERS: [u16; 3] = [0x8769, 0x8825, 0xA005];

pub(super) const ORIENTATION: u16 = 274;
pub(super) const X_RESOLUTION: u16 = 282;
pub(super) const Y_RESOLUTION: u16 = 283;
pub(super) const RESOLUTION_UNIT: u16 = 296;
const INCHES: u16 = 2;
const CENTIMETRES: u16 = 3;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;

/// Fields that say how large the picture is: the columns, the rows.
const SIZES: [(u16, bool); 4] = [(256, true), (257, false), (0xA002, true), (0xA003, false)];

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// A file or a block that consists of directories.
pub(super) struct ExifReader<'a> {
    bytes: &'a [u8],
    pub order: ByteOrder,
}

/// A field, and where its values are.
pub(super) struct ExifField {
    pub tag: u16,
    kind: u16,
    count: u32,
    data: Range<usize>,
}

/// The fields of a directory, and where the place of the next directory is written.
struct Listing {
    fields: Vec<ExifField>,
    next: usize,
}

/// A directory that can be written elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directory {
    order: ByteOrder,
    values: BTreeMap<u16, ExifValue>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ExifValue {
    Plain { kind: u16, count: u32, data: Vec<u8> },
    Directory(Directory),
}

impl ByteOrder {
    fn u16(self, bytes: [u8; 2]) -> u16 {
        if self == Self::Little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }
    }

    fn u32(self, bytes: [u8; 4]) -> u32 {
        if self == Self::Little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    }

    fn short(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    fn long(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }
}

impl<'a> ExifReader<'a> {
    /// `None` where the bytes begin otherwise.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let order = match bytes.get(..4)? {
            b"II*\0" => ByteOrder::Little,
            b"MM\0*" => ByteOrder::Big,
            _ => return None,
        };
        Some(Self { bytes, order })
    }

    fn u16(&self, at: usize) -> Option<u16> {
        Some(self.order.u16(*self.bytes.get(at..)?.first_chunk()?))
    }

    fn u32(&self, at: usize) -> Option<u32> {
        Some(self.order.u32(*self.bytes.get(at..)?.first_chunk()?))
    }

    fn place(&self, at: usize) -> Option<usize> {
        usize::try_from(self.u32(at)?).ok()
    }

    /// The directory at a place. Fields whose values lie outside are left out.
    fn listing(&self, at: usize) -> Option<Listing> {
        let count = usize::from(self.u16(at)?);
        let places = (0..count).map(|index| at + 2 + 12 * index);
        let fields = places.filter_map(|place| self.field(place)).collect();
        Some(Listing { fields, next: at + 2 + 12 * count })
    }

    fn field(&self, at: usize) -> Option<ExifField> {
        let (tag, kind, count) = (self.u16(at)?, self.u16(at + 2)?, self.u32(at + 4)?);
        let bytes = usize::try_from(count).ok()?.checked_mul(unit(kind)?)?;
        let from = if bytes <= 4 { at + 8 } else { self.place(at + 8)? };
        let data = from..from.checked_add(bytes)?;
        self.bytes.get(data.clone())?;
        Some(ExifField { tag, kind, count, data })
    }

    /// The first directory and those that it points to, each with where the place of the next one is written.
    fn listings(&self) -> Vec<Listing> {
        let first = self.place(4).and_then(|at| self.listing(at));
        let mut found: Vec<_> = first.into_iter().collect();
        // One more can be pointed to by that of EXIF.
        for step in 0..2 {
            let Some(from) = found.get(step) else { break };
            // A tag counts once, so that a hostile file cannot have thousands of directories read.
            let pointers = POINTERS.iter().filter_map(|tag| from.fields.iter().find(|field| field.tag == *tag));
            let more: Vec<_> = pointers.filter_map(|field| self.listing(self.place(field.data.start)?)).collect();
            found.extend(more);
        }
        found
    }

    fn number(&self, field: &ExifField) -> Option<u32> {
        match (field.kind, field.count) {
            (SHORT, 1..) => self.u16(field.data.start).map(u32::from),
            (LONG, 1..) => self.u32(field.data.start),
            _ => None,
        }
    }

    fn ratio(&self, field: &ExifField) -> Option<f64> {
        let is_ratio = field.kind == RATIONAL && field.count > 0;
        let (above, below) = (self.u32(field.data.start)?, self.u32(field.data.start + 4)?);
        (is_ratio && below != 0).then(|| f64::from(above) / f64::from(below))
    }

    fn first(&self, tag: u16) -> Option<ExifField> {
        let first = self.listing(self.place(4)?)?;
        first.fields.into_iter().find(|field| field.tag == tag)
    }

    /// How the picture is turned when it is shown, by the codes 1 to 8.
    pub fn orientation(&self) -> Option<u16> {
        let code = self.number(&self.first(ORIENTATION)?)?;
        u16::try_from(code).ok().filter(|code| (1..=8).contains(code))
    }

    /// Pixels an inch.
    pub fn resolution(&self) -> Option<Resolution> {
        let ratio = |tag| self.ratio(&self.first(tag)?);
        let (x, y) = (ratio(X_RESOLUTION)?, ratio(Y_RESOLUTION)?);
        let unit = self.first(RESOLUTION_UNIT).and_then(|field| self.number(&field));
        Resolution::new(x, y, if unit == Some(u32::from(CENTIMETRES)) { 2.54 } else { 1.0 })
    }

    /// The values of a field of the first directory.
    pub fn data(&self, tag: u16) -> Option<&'a [u8]> {
        self.bytes.get(self.first(tag)?.data)
    }

    /// The first directory and those that it points to, of whose first fields those that `keep` names.
    pub fn directory(&self, keep: impl Fn(u16) -> bool) -> Option<Directory> {
        let first = self.listing(self.place(4)?)?;
        Some(self.copied(&first, &keep, 0, &mut self.bytes.len()))
    }

    /// Of `left` bytes of values at most: fields of a hostile file can share theirs, and be far larger together than it.
    fn copied(&self, listing: &Listing, keep: &dyn Fn(u16) -> bool, depth: usize, left: &mut usize) -> Directory {
        let mut values = BTreeMap::new();
        for field in listing.fields.iter().filter(|field| depth > 0 || keep(field.tag)) {
            let is_double = values.contains_key(&field.tag) || values.len() == Directory::MOST;
            let Some(data) = self.bytes.get(field.data.clone()).filter(|_| !is_double) else { continue };
            let Some(rest) = left.checked_sub(data.len()) else { continue };
            *left = rest;
            let value = match POINTERS.contains(&field.tag) {
                true if depth < 2 => {
                    let inner = self.place(field.data.start).and_then(|at| self.listing(at));
                    let Some(inner) = inner else { continue };
                    ExifValue::Directory(self.copied(&inner, keep, depth + 1, left))
                }
                true => continue,
                false => ExifValue::Plain { kind: field.kind, count: field.count, data: data.to_vec() },
            };
            values.insert(field.tag, value);
        }
        Directory { order: self.order, values }
    }
}

/// Makes a block true of a picture that is stored as it is shown, of this size: the orientation, the size, and the preview,
/// which is of the picture as it was. Everything else stays where it is, as makers' notes demand.
pub(super) fn make_upright(block: &mut [u8], (width, height): (usize, usize), is_transposed: bool) {
    let Some(reader) = ExifReader::new(block) else { return };
    let order = reader.order;
    let (listings, mut edits) = (reader.listings(), Vec::new());
    for (index, listing) in listings.iter().enumerate() {
        if index == 0 {
            edits.push((listing.next, vec![0; 4]));
        }
        for field in &listing.fields {
            let is_width = SIZES.iter().find(|(tag, _)| *tag == field.tag).map(|(_, is_width)| *is_width);
            let value = match (is_width, field.tag) {
                (Some(true), _) => width,
                (Some(false), _) => height,
                (None, ORIENTATION) if index == 0 => 1,
                _ => continue,
            };
            let bytes = match (field.kind, field.count, u16::try_from(value), u32::try_from(value)) {
                (SHORT, 1, Ok(value), _) => order.short(value).to_vec(),
                (LONG, 1, _, Ok(value)) => order.long(value).to_vec(),
                _ => continue,
            };
            edits.push((field.data.start, bytes));
        }
    }
    let first = |tag| reader.first(tag).filter(|field| field.kind == RATIONAL).map(|field| field.data);
    if let (true, Some(x), Some(y)) = (is_transposed, first(X_RESOLUTION), first(Y_RESOLUTION)) {
        edits.push((x.start, block[y.clone()].to_vec()));
        edits.push((y.start, block[x].to_vec()));
    }
    for (at, bytes) in edits {
        if let Some(place) = block.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(&bytes);
        }
    }
}

impl Directory {
    /// Most fields.
    const MOST: usize = u16::MAX as usize;

    pub fn new() -> Self {
        Self { order: ByteOrder::Little, values: BTreeMap::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Sets the resolution.
    pub fn set_resolution(&mut self, resolution: Resolution) {
        for (tag, value) in [(X_RESOLUTION, resolution.x), (Y_RESOLUTION, resolution.y)] {
            let below = if (value - value.round()).abs() < 0.01 { 1 } else { 1000 };
            let above = (value * f64::from(below)).round() as u32;
            let data = [self.order.long(above), self.order.long(below)].concat();
            self.values.insert(tag, ExifValue::Plain { kind: RATIONAL, count: 1, data });
        }
        let data = self.order.short(INCHES).to_vec();
        self.values.insert(RESOLUTION_UNIT, ExifValue::Plain { kind: SHORT, count: 1, data });
    }

    /// Sets a field of bytes of a kind.
    pub fn set_bytes(&mut self, tag: u16, kind: u16, bytes: &[u8]) {
        let Ok(count) = u32::try_from(bytes.len()) else { return };
        self.values.insert(tag, ExifValue::Plain { kind, count, data: bytes.to_vec() });
    }

    /// Takes the fields of another, whose values go before its own.
    pub fn take(&mut self, other: Self) {
        self.values.extend(other.reordered(self.order).values);
        while self.values.len() > Self::MOST {
            self.values.pop_last();
        }
    }

    fn reordered(mut self, order: ByteOrder) -> Self {
        if self.order == order {
            return self;
        }
        self.order = order;
        for value in self.values.values_mut() {
            match value {
                ExifValue::Directory(inner) => *inner = inner.clone().reordered(order),
                ExifValue::Plain { kind, data, .. } => {
                    let number = if [5, 10].contains(kind) { 4 } else { unit(*kind).unwrap_or(1) };
                    data.chunks_exact_mut(number).for_each(<[u8]>::reverse);
                }
            }
        }
        self
    }

    /// A block of this directory and those that it points to.
    pub fn block(&self) -> Vec<u8> {
        let head: &[u8] = if self.order == ByteOrder::Little { b"II*\0" } else { b"MM\0*" };
        let mut block = [head, &self.order.long(8)].concat();
        self.append(&mut block);
        block
    }

    /// Writes the directory behind what is there; gives its place.
    pub fn append(&self, to: &mut Vec<u8>) -> u32 {
        let at = even(to);
        let count = self.values.len();
        to.extend(self.order.short(count as u16));
        to.resize(to.len() + 12 * count + 4, 0);
        for (index, (tag, value)) in self.values.iter().enumerate() {
            let (kind, count, data) = match value {
                ExifValue::Plain { kind, count, data } => (*kind, *count, data.clone()),
                ExifValue::Directory(inner) => (LONG, 1, self.order.long(inner.append(to)).to_vec()),
            };
            let mut last = [0; 4];
            if data.len() <= 4 {
                last[..data.len()].copy_from_slice(&data);
            } else {
                last = self.order.long(even(to) as u32);
                to.extend(data);
            }
            let entry = at + 2 + 12 * index;
            let head = [self.order.short(*tag), self.order.short(kind)].concat();
            to[entry..entry + 12].copy_from_slice(&[&head[..], &self.order.long(count), &last].concat());
        }
        at as u32
    }
}

/// Pads to an even length, which it gives.
fn even(bytes: &mut Vec<u8>) -> usize {
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes.len()
}

/// Bytes of a value of a kind.
fn unit(kind: u16) -> Option<usize> {
    const UNITS: [usize; 14] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

    UNITS.get(usize::from(kind)).copied().filter(|unit| *unit > 0)
}
