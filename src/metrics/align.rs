//! By how many frames one clip begins before another: small pictures of both, compared at every offset.

use anyhow::{Result, bail};
use bytemuck::Pod;

use crate::frame::{Frame, Host, Pool, Sample};
use crate::job::{Interrupted, Reader};
use crate::source::CancelToken;

/// Frames of each clip that are looked at.
const FRAMES: usize = 300;
/// Columns and rows of a small picture.
const SIDE: usize = 16;
/// Mean squared difference of small pictures of one scene in two encodings, at most, of a range from 0 to 1.
const ALIKE: f64 = 0.02 * 0.02;

/// Means of parts of luma, as fractions of the largest sample.
type Small = [f64; SIDE * SIDE];

/// By how many frames the second clip is behind the first: frame `n` of the first is frame `n + offset` of the second. Nothing where
/// no two parts are alike.
///
/// # Errors
/// If a clip cannot be read; [`Interrupted`] if that was asked for.
pub fn offset(readers: [Reader; 2], interrupt: &CancelToken) -> Result<Option<i64>> {
    let [a, b] = readers;
    let (a, b) = (smalls(a)?, smalls(b)?);
    if interrupt.is_cancelled() {
        bail!(Interrupted);
    }
    // Where fewer frames overlap, some may be alike by chance.
    let least = (a.len().min(b.len()) / 4).max(1);
    let (first, last) = (least as i64 - a.len() as i64, b.len() as i64 - least as i64);
    let mut found: Vec<(f64, i64)> =
        (first..=last).filter_map(|offset| Some((apart(&a, &b, offset)?, offset))).collect();
    // Of equal ones the nearest.
    found.sort_by(|(one, at), (other, place)| one.total_cmp(other).then(at.abs().cmp(&place.abs())));
    let usual = found.get(found.len() / 2).map_or(0.0, |(apart, _)| *apart);
    let is_alike = |apart: f64| apart <= ALIKE || 2.0 * apart <= usual;
    Ok(found.first().filter(|(apart, _)| is_alike(*apart)).map(|(_, offset)| *offset))
}

/// Mean squared difference of the frames that overlap at an offset.
fn apart(a: &[Small], b: &[Small], offset: i64) -> Option<f64> {
    let skip = |count: i64| usize::try_from(count).unwrap_or_default();
    let pairs = a.iter().skip(skip(-offset)).zip(b.iter().skip(skip(offset)));
    let square = |(a, b): (&Small, &Small)| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let (sum, count) = pairs.fold((0.0, 0usize), |(sum, count), pair| (sum + square(pair), count + 1));
    (count > 0).then(|| sum / (count * SIDE * SIDE) as f64)
}

/// Small pictures of the first frames of a clip.
fn smalls(mut reader: Reader) -> Result<Vec<Small>> {
    let pool = Pool::heap();
    let mut all = Vec::new();
    while all.len() < FRAMES
        && let Some(frame) = reader.source().next_frame(&pool)?
    {
        all.push(small(&frame)?);
    }
    Ok(all)
}

fn small(frame: &Frame) -> Result<Small> {
    let (host, pixel) = (frame.host()?, frame.format().pixel);
    let peak = f64::from(pixel.peak());
    Ok(match pixel.sample {
        Sample::U8 => means::<u8>(host, peak),
        Sample::U16 => means::<u16>(host, peak),
        Sample::F32 => means::<f32>(host, peak),
    })
}

fn means<T: Pod + Into<f64>>(host: Host<'_>, peak: f64) -> Small {
    let plane = host.plane::<T>(0);
    let mut means = [0.0; SIDE * SIDE];
    // Parts of small frames may share rows and columns.
    let part = |index: usize, side: usize| {
        let first = index * side / SIDE;
        first..((index + 1) * side / SIDE).max(first + 1)
    };
    for (index, mean) in means.iter_mut().enumerate() {
        let (rows, columns) = (part(index / SIDE, plane.height), part(index % SIDE, plane.width));
        let count = (rows.len() * columns.len()) as f64;
        let sum: f64 =
            rows.map(|y| plane.row(y)[columns.clone()].iter().map(|&sample| sample.into()).sum::<f64>()).sum();
        *mean = if sum.is_finite() { sum / count / peak } else { 0.0 };
    }
    means
}
