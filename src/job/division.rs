//! How a clip is divided into chunks, as it is typed.

use std::str::FromStr;

use anyhow::{Context, Error, Result};

use crate::source::Portion;

/// How a clip is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Into so many chunks.
    Count(u64),
    /// Into chunks of about so many frames.
    Length(u64),
}

/// Which chunk of a clip: `3/8`, the third of eight, or as [`super::Chunk::place`] says it, which spares looking through the
/// clip again: `3/8@500+250:256000..384000`, 250 frames behind 500 others, shown from the one time on and before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkChoice {
    /// From 1 to `count`.
    pub(super) index: u64,
    pub(super) count: u64,
    /// Its frames, where they are known.
    pub(super) portion: Option<Portion>,
}

impl FromStr for ChunkChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            if let Some((index, count)) =
                text.split_once('/').and_then(|(index, count)| Some((number(index)?, number(count)?)))
                && count > 0
            {
                return format!(
                    "--chunk {text}: there is no chunk {index} of {count}; type --chunk 1/{count} to {count}/{count}"
                );
            }
            let example = text.parse::<u64>().ok().filter(|count| *count > 0).unwrap_or(8);
            format!("--chunk {text:?} is not a chunk; type --chunk 1/{example} for the first of {example}")
        };
        let parse = || {
            let (name, place) = text.split_once('@').map_or((text, None), |(name, place)| (name, Some(place)));
            let (index, count) = name.split_once('/')?;
            let (index, count) = (number(index)?, number(count)?);
            let portion = match place {
                Some(place) => Some(portion(place)?),
                None => None,
            };
            (1..=count).contains(&index).then_some(Self { index, count, portion })
        };
        parse().with_context(wrong)
    }
}

/// Digits alone.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// `500+250:256000..384000`.
fn portion(text: &str) -> Option<Portion> {
    let (frames, times) = text.split_once(':')?;
    let ((first, frames), (from, to)) = (frames.split_once('+')?, times.split_once("..")?);
    let (first, frames) = (number(first)?, number(frames)?);
    let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
    let from: i64 = from.parse().ok()?;
    // Sums of them are taken.
    let is_small = |ticks: i64| ticks.unsigned_abs() < 1 << 60;
    let is_sound = frames > 0 && first.max(frames) < 1 << 60 && is_small(from) && to.is_none_or(is_small);
    (is_sound && to.is_none_or(|to| from < to)).then_some(Portion { first, frames, from, to })
}
