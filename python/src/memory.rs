//! The memory of arrays, read and written where it lies: the one file of the module with `unsafe`.
//!
//! Addresses come from NumPy, which says of each array how far its elements reach. Each access claims its elements, see
//! [`super::claim`], so that no two calls of this module write the same elements, or one writes what another reads. Python code
//! that writes an array meanwhile is not seen, as with NumPy's own functions; the documentation says so.

use std::sync::Arc;

use anyhow::{Context, Result};
use numpy::ndarray::{ArrayView2, ShapeBuilder};
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NPY_TYPES};
use numpy::{PyArray2, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use warpreel::frame::{Block, Memory, Plane};

use super::claim::{Access, Claim, Elements};
use super::picture::Picture;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `uint8`.
    U8,
    /// `uint16`.
    U16,
    /// `float32`.
    F32,
    /// `float64`, computed as `float32`.
    F64,
}

/// An element of an array, read as a sample and written from one.
pub trait Element: Copy + Send + Sync {
    /// What frames hold.
    type Sample: bytemuck::Pod + Send + Sync;
    /// The sample.
    fn sample(self) -> Self::Sample;
    /// The element.
    fn of(sample: Self::Sample) -> Self;
    /// A sample times a factor.
    fn times(sample: Self::Sample, factor: f64) -> Self::Sample;
}

macro_rules! element {
    ($($element:ty => $sample:ty),*) => {$(
        impl Element for $element {
            type Sample = $sample;
            fn sample(self) -> $sample {
                self as $sample
            }
            fn of(sample: $sample) -> Self {
                sample as Self
            }
            fn times(sample: $sample, factor: f64) -> $sample {
                (sample as f64 * factor) as $sample
            }
        }
    )*};
}

element!(u8 => u8, u16 => u16, f32 => f32, f64 => f32);

/// Where an array lies, and what keeps it there.
#[derive(Clone)]
pub struct Place {
    /// The first element.
    origin: *mut u8,
    /// Elements along each axis.
    pub shape: Vec<usize>,
    /// From one element to the next along each axis, in bytes; may be negative.
    pub strides: Vec<isize>,
    /// Of the elements.
    pub kind: Kind,
    /// Whether it may be written, and no two elements share memory.
    pub is_writable: bool,
    /// Keeps the memory: an array that something refers to is not resized.
    owner: Arc<Py<PyUntypedArray>>,
}

// SAFETY: the address is only used under the rules of this file's head, which do not depend on threads; the owner is a
// reference that may be dropped anywhere.
unsafe impl Send for Place {}
// SAFETY: as above; what is written through a shared reference is claimed before.
unsafe impl Sync for Place {}

impl Place {
    /// Of an array; `None` where its elements are of another type or byte order.
    pub fn of(array: &Bound<'_, PyUntypedArray>) -> Option<Self> {
        let dtype = array.dtype();
        let number = dtype.num();
        let kinds = [
            (NPY_TYPES::NPY_UBYTE, Kind::U8),
            (NPY_TYPES::NPY_USHORT, Kind::U16),
            (NPY_TYPES::NPY_FLOAT, Kind::F32),
            (NPY_TYPES::NPY_DOUBLE, Kind::F64),
        ];
        let (_, kind) = kinds.into_iter().find(|(known, _)| *known as i32 == number)?;
        if dtype.is_native_byteorder() == Some(false) {
            return None;
        }
        let raw = array.as_array_ptr();
        // SAFETY: the array is alive, and its head is not changed while the interpreter is held.
        let (origin, flags) = unsafe { ((*raw).fields.data.cast::<u8>(), (*raw).fields.flags) };
        let (shape, strides) = (array.shape().to_vec(), array.strides().to_vec());
        let is_writable = flags & NPY_ARRAY_WRITEABLE != 0 && is_apart(&shape, &strides, kind.bytes());
        Some(Self { origin, shape, strides, kind, is_writable, owner: Arc::new(array.clone().unbind()) })
    }

    /// A new array of C order, its elements whatever memory held.
    pub fn make<'py>(py: Python<'py>, shape: &[usize], kind: Kind) -> Bound<'py, PyUntypedArray> {
        // SAFETY: any bits are an element of these types.
        unsafe {
            match kind {
                Kind::U8 => PyArrayDyn::<u8>::new(py, shape, false).as_untyped().clone(),
                Kind::U16 => PyArrayDyn::<u16>::new(py, shape, false).as_untyped().clone(),
                Kind::F32 => PyArrayDyn::<f32>::new(py, shape, false).as_untyped().clone(),
                Kind::F64 => PyArrayDyn::<f64>::new(py, shape, false).as_untyped().clone(),
            }
        }
    }

    /// The array.
    pub fn owner(&self) -> &Py<PyUntypedArray> {
        &self.owner
    }

    /// The address of the first element.
    pub fn address(&self) -> usize {
        self.origin.addr()
    }

    /// From the first byte of an element to the last, as distances from the first element; empty where there is none.
    pub fn reach(&self) -> (isize, isize) {
        if self.shape.contains(&0) {
            return (0, 0);
        }
        let mut ends = (0, self.kind.bytes() as isize);
        for (&size, &stride) in self.shape.iter().zip(&self.strides) {
            let last = (size as isize - 1) * stride;
            if last < 0 { ends.0 += last } else { ends.1 += last }
        }
        ends
    }

    /// Whether an element of one may be an element of the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        let span = |place: &Self| {
            let (low, high) = place.reach();
            let at = |distance| place.address().wrapping_add_signed(distance);
            at(low)..at(high)
        };
        let (a, b) = (span(self), span(other));
        a.start < b.end && b.start < a.end
    }

    /// The bytes from `low` to `high`, distances from the first element, as memory of a frame that is read or written; `None`
    /// where others use some of them.
    ///
    /// # Panics
    /// If they reach beyond the elements.
    pub fn lend(&self, low: isize, high: isize, access: Access) -> Option<Block> {
        let (first, last) = self.reach();
        assert!(first <= low && low <= high && high <= last, "{low}..{high} of an array of {first}..{last}");
        // SAFETY: the array reaches from `first` to `last`, and so the sum stays within its memory.
        let origin = unsafe { self.origin.offset(low) };
        let bytes = (high - low) as usize;
        let claim = Claim::take(Elements::all(origin.addr(), bytes), access)?;
        let is_writable = self.is_writable && access == Access::Write;
        Some(Block::lent(Lent { origin, bytes, is_writable, _claim: claim, _owner: self.owner.clone() }, drop))
    }

    /// Claims `rows` rows of elements along the axes `down` and `across`, from a place on, for as long as the result is kept.
    ///
    /// # Errors
    /// If others use some of them.
    ///
    /// # Panics
    /// If a place lies outside.
    pub fn rows(&self, at: &[usize], (down, across): (usize, usize), rows: usize, access: Access) -> Result<Rows<'_>> {
        assert!(
            at.len() == self.shape.len() && at.iter().zip(&self.shape).all(|(place, size)| place < size),
            "a row of an array"
        );
        assert!(at[across] == 0 && at[down] + rows <= self.shape[down] && rows > 0, "rows of an array");
        assert!(access == Access::Read || self.is_writable, "an array that may only be read");
        let offset: isize = at.iter().zip(&self.strides).map(|(&place, &stride)| place as isize * stride).sum();
        // SAFETY: each place lies below the array's size along its axis.
        let start = unsafe { self.origin.offset(offset) };
        let (y, x) = ((self.strides[down], rows), (self.strides[across], self.shape[across]));
        let claim = Claim::take(Elements::grid(start.addr(), y, x, self.kind.bytes()), access);
        let claim = claim.context("the array is used by another call; give each call an array of its own")?;
        Ok(Rows { start, y, x, access, bytes: self.kind.bytes(), _claim: claim, _owner: self })
    }
}

/// Rows of elements of an array that are claimed.
pub struct Rows<'a> {
    /// The first element.
    start: *mut u8,
    /// From one row to the next in bytes, and how many there are.
    y: (isize, usize),
    /// The same of the elements of a row.
    x: (isize, usize),
    access: Access,
    /// Of an element.
    bytes: usize,
    _claim: Claim,
    _owner: &'a Place,
}

impl Rows<'_> {
    /// Reads a row.
    ///
    /// # Panics
    /// If there is no such row, it is shorter, or `E` has another size than the elements.
    pub fn read<E: Element>(&self, y: usize, row: &mut [E::Sample]) {
        let (start, stride) = self.row::<E>(y, row.len());
        for (x, sample) in row.iter_mut().enumerate() {
            // SAFETY: `row` checked that all elements up to the row's length lie in the array; while they are claimed, nobody
            // writes them.
            *sample = unsafe { start.offset(x as isize * stride).cast::<E>().read_unaligned() }.sample();
        }
    }

    /// Writes a row.
    ///
    /// # Panics
    /// As [`Rows::read`]; also if the rows were claimed to be read.
    pub fn write<E: Element>(&mut self, y: usize, row: &[E::Sample]) {
        assert!(self.access == Access::Write, "rows that are read");
        let (start, stride) = self.row::<E>(y, row.len());
        for (x, sample) in row.iter().enumerate() {
            // SAFETY: as in `read`; the array may be written, and while its elements are claimed, nobody else touches them.
            unsafe { start.offset(x as isize * stride).cast::<E>().write_unaligned(E::of(*sample)) };
        }
    }

    /// The first element of a row, and how far its elements are apart.
    fn row<E>(&self, y: usize, length: usize) -> (*mut u8, isize) {
        assert_eq!(size_of::<E>(), self.bytes, "type of an element");
        assert!(y < self.y.1 && length <= self.x.1, "a row of an array");
        // SAFETY: the row is one of those that lie in the array.
        (unsafe { self.start.offset(y as isize * self.y.0) }, self.x.0)
    }
}

/// A plane of a frame as an array that may only be read, and that keeps the frame.
///
/// # Errors
/// If NumPy fails.
pub fn view<'py, T: numpy::Element>(plane: Plane<'_, T>, owner: &Bound<'py, Picture>) -> PyResult<Bound<'py, PyAny>> {
    let (shape, stride) = ((plane.height, plane.width), plane.stride());
    let view = ArrayView2::from_shape(shape.strides((stride, 1)), plane.samples());
    let view = view.map_err(|error| PyValueError::new_err(error.to_string()))?;
    // SAFETY: the samples are the frame's, whose memory stays where it is and is written by nobody; the owner holds a
    // clone of it, and the array holds the owner.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner.clone().into_any()) };
    array.call_method("setflags", (), Some(&[("write", false)].into_py_dict(owner.py())?))?;
    Ok(array.into_any())
}

/// A new array with these bytes, as many as it has.
///
/// # Errors
/// If there are more or fewer.
pub fn filled(py: Python<'_>, shape: &[usize], kind: Kind, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    let array = Place::make(py, shape, kind);
    let mut block = match Place::of(&array) {
        Some(place) => {
            let (low, high) = place.reach();
            place.lend(low, high, Access::Write)
        }
        None => None,
    }
    .ok_or_else(|| PyValueError::new_err("no such array"))?;
    if block.bytes().len() != bytes.len() {
        return Err(PyValueError::new_err(format!("{} bytes for {shape:?} of {}", bytes.len(), kind.name())));
    }
    block.bytes_mut().copy_from_slice(bytes);
    Ok(array.into_any().unbind())
}

/// A part of an array, as memory of a frame.
struct Lent {
    origin: *mut u8,
    bytes: usize,
    is_writable: bool,
    _claim: Claim,
    _owner: Arc<Py<PyUntypedArray>>,
}

// SAFETY: as for `Place`.
unsafe impl Send for Lent {}
// SAFETY: as for `Place`.
unsafe impl Sync for Lent {}

// SAFETY: the owner keeps the memory, which stays where it is, and while it is claimed no other call writes it, or touches it if
// this may be written. What may only be read gives nothing to write.
unsafe impl Memory for Lent {
    fn bytes(&self) -> &[u8] {
        // SAFETY: `Place::lend` checked that these bytes belong to the array; all are initialised, or of a result that is
        // written before it is read.
        unsafe { std::slice::from_raw_parts(self.origin, self.bytes) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let bytes = if self.is_writable { self.bytes } else { 0 };
        // SAFETY: as above, and the array may be written.
        unsafe { std::slice::from_raw_parts_mut(self.origin, bytes) }
    }
}

impl Kind {
    /// Size of an element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// NumPy's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::F32 => "float32",
            Self::F64 => "float64",
        }
    }
}

/// Whether each element surely has memory of its own: along the axes, from the narrowest step on, each step is beyond all
/// that lies below it.
fn is_apart(shape: &[usize], strides: &[isize], bytes: usize) -> bool {
    let axes = shape.iter().zip(strides).filter(|(size, _)| **size > 1);
    let mut axes: Vec<_> = axes.map(|(&size, &stride)| (stride.unsigned_abs(), size)).collect();
    axes.sort_unstable();
    let mut taken = bytes;
    for (stride, size) in axes {
        if stride < taken {
            return false;
        }
        taken += (size - 1) * stride;
    }
    true
}
