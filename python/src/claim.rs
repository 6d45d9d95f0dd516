//! Which elements of arrays are read and written by calls of this module that run: none is written by one and used by another.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Use of elements by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Others may read them too.
    Read,
    /// Nobody else uses them.
    Write,
}

/// Elements in memory: rows of elements, both equally far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// Address of the lowest byte.
    low: usize,
    /// Address behind the highest byte.
    high: usize,
    /// From a row to the next; 0 for a single row.
    pitch: usize,
    /// From the first byte of a row to behind its last.
    row: usize,
    /// Greatest common divisor of the steps; 0 for a single element.
    step: usize,
    /// Of an element.
    bytes: usize,
}

impl Elements {
    /// All bytes from an address on.
    pub fn all(low: usize, bytes: usize) -> Self {
        Self { low, high: low + bytes, pitch: 0, row: bytes, step: 0, bytes }
    }

    /// Rows of elements of `bytes` bytes from an address on; steps in bytes and counts of rows, and of elements in a row.
    pub fn grid(start: usize, y: (isize, usize), x: (isize, usize), bytes: usize) -> Self {
        let span = |(stride, count): (isize, usize)| stride.unsigned_abs() * count.saturating_sub(1);
        let below = |axis: (isize, usize)| if axis.0 < 0 { span(axis) } else { 0 };
        let step = |axis: (isize, usize)| if axis.1 > 1 { axis.0.unsigned_abs() } else { 0 };
        let low = start - below(y) - below(x);
        let row = span(x) + bytes;
        Self { low, high: low + span(y) + row, pitch: step(y), row, step: divisor(step(y), step(x)), bytes }
    }

    /// Returns whether some memory may belong to both. Elements that interleave, and rows side by side, are apart.
    pub fn meet(&self, other: &Self) -> bool {
        if self.high <= other.low || other.high <= self.low {
            return false;
        }
        // Whether pieces of both that repeat at the same distance miss each other.
        let miss = |period: usize, own: usize, others: usize| {
            let from = (other.low as i128 - self.low as i128).rem_euclid(period.max(1) as i128) as usize;
            period > 0 && from >= own && from + others <= period
        };
        let pitch = if self.pitch == 0 || other.pitch == 0 { self.pitch.max(other.pitch) } else { self.pitch };
        let is_beside = (other.pitch == 0 || other.pitch == pitch) && miss(pitch, self.row, other.row);
        !is_beside && !miss(divisor(self.step, other.step), self.bytes, other.bytes)
    }
}

/// The greatest common divisor; of 0 and another, the other.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Claims of one process.
struct Claims {
    /// Its number: a process that was forked has the memory of its parent, and none of its calls.
    process: u32,
    claims: Vec<(u64, Elements, Access)>,
}

static CLAIMS: Mutex<Claims> = Mutex::new(Claims { process: 0, claims: Vec::new() });

/// Elements that a call uses until this is dropped.
pub struct Claim(u64);

impl Claim {
    /// Claims elements; `None` where another call writes some of them, or uses some that are to be written.
    pub fn take(elements: Elements, access: Access) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);

        let mut known = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
        let Claims { process, claims } = &mut *known;
        if std::mem::replace(process, std::process::id()) != std::process::id() {
            claims.clear();
        }
        let conflicts = |(_, other, theirs): &(u64, Elements, Access)| {
            (access == Access::Write || *theirs == Access::Write) && elements.meet(other)
        };
        if claims.iter().any(conflicts) {
            return None;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        claims.push((number, elements, access));
        Some(Self(number))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        CLAIMS.lock().unwrap_or_else(PoisonError::into_inner).claims.retain(|(number, ..)| *number != self.0);
    }
}
