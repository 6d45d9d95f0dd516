//! Second clips that end the clip with them.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use log::info;

use super::super::input;
use super::super::request::{Request, TypedCut};
use super::super::usage::Usage;
use super::request;
use crate::filter::Filter;
use crate::frame::Rational;
use crate::pass::PastEnd;
use crate::source::{CancelToken, CutPoint};

/// A request whose clip ends where second clips of its chain end it: no frame is later than the last one of any of them.
/// Pictures have no end. Blocks while those clips, and the clip itself, are looked through.
///
/// # Errors
/// If one cannot be read, or ends before the part begins; if the clip is a pipe.
pub(in super::super) fn ended_request(
    request: Request,
    filters: &[Filter],
    interrupt: &CancelToken,
) -> Result<Request> {
    let mut cut = request.cut.clone();
    for filter in filters {
        let Some(path) = filter.companion().filter(|clip| clip.past_end == PastEnd::End).map(|clip| clip.path) else {
            continue;
        };
        let failing = || format!("{}: find the end of the second clip {path:?}", filter.spec.name);
        let Some(last) = last_frame(&path, interrupt).with_context(failing)? else { continue };
        ensure!(
            !input::is_stream(&request.input),
            Usage::of(anyhow!(
                "{} is to end the clip with {path:?}, and the clip is a pipe, whose frames are not known before they are read; \
                 name a file, or leave out shortest and type --end",
                filter.spec.name
            ))
        );
        if let Some(end) = first_after(&request, last, interrupt)? {
            info!("the clip ends with {path:?}, at {} s", end.as_secs_f64());
            cut = cut_at(&cut, end, &path)?;
        }
    }
    Ok(Request { cut, ..request })
}

/// Refuses second clips that end the clip, where frames are not read by times.
///
/// # Errors
/// If there is one in a chain.
pub fn check_no_end(filters: &[Filter]) -> Result<(), Usage> {
    let ends = |filter: &&Filter| filter.companion().is_some_and(|companion| companion.past_end == PastEnd::End);
    match filters.iter().find(ends) {
        None => Ok(()),
        Some(filter) => Err(Usage::of(anyhow!(
            "{} ends the clip with the second one, which a job can do and frames of one's own cannot; leave out \
             shortest and eof_action=endall, and give no frames after its end",
            filter.spec.name
        ))),
    }
}

/// The time of a frame, in units of its clip.
type FrameMoment = (i64, Rational);

/// When the last frame of a clip is shown; `None` of a picture.
fn last_frame(path: &str, interrupt: &CancelToken) -> Result<Option<FrameMoment>> {
    let (mut source, _) = input::open(&request(path, TypedCut::default()), interrupt)?;
    let frames = source.index()?.frames;
    let last = frames.iter().map(|frame| frame.time).max().filter(|_| frames.len() > 1);
    Ok(last.map(|last| (last, source.format().time_base)))
}

/// When the first frame of a request's clip is shown that is later; `None` if there is none.
fn first_after(request: &Request, (last, unit): FrameMoment, interrupt: &CancelToken) -> Result<Option<Duration>> {
    let whole = Request { cut: TypedCut::default(), ..request.clone() };
    let (mut source, _) = input::open(&whole, interrupt)?;
    let own = source.format().time_base;
    let scaled =
        |time: i64, unit: Rational, other: Rational| i128::from(time) * i128::from(unit.num) * i128::from(other.den);
    let last = scaled(last, unit, own);
    let later =
        source.index()?.frames.into_iter().map(|frame| frame.time).filter(|time| scaled(*time, own, unit) > last);
    // Rounded down to what is not later, as times of frames are that are typed by number.
    let micros = |time: i64| i128::from(time.max(0)) * 1_000_000 * i128::from(own.num) / i128::from(own.den.max(1));
    Ok(later.min().map(|time| Duration::from_micros(u64::try_from(micros(time)).unwrap_or(u64::MAX))))
}

/// A part without the frames from a time on, when the second clip has ended.
fn cut_at(cut: &TypedCut, end: Duration, path: &str) -> Result<TypedCut> {
    let known = input::resolve(cut)?;
    let typed = |time: Duration| Some(time.as_secs_f64().to_string());
    if let CutPoint::Time(start) = known.start {
        let until = end.as_secs_f64();
        ensure!(
            start < end,
            Usage::of(anyhow!(
                "the second clip {path:?} ends before {until} s, and --start is later; type an earlier time"
            ))
        );
    }
    Ok(match (known.end, known.start) {
        (Some(CutPoint::Time(before)), _) if before <= end => cut.clone(),
        (None | Some(CutPoint::Time(_)), _) => TypedCut { end: typed(end), ..cut.clone() },
        (Some(CutPoint::Frame(_)), CutPoint::Time(start)) => {
            let duration = known.duration.unwrap_or(Duration::MAX).min(end - start);
            TypedCut { duration: typed(duration), ..cut.clone() }
        }
        (Some(CutPoint::Frame(_)), CutPoint::Frame(_)) => {
            let advice = "type --start as a time, or --frames in place of --end";
            return Err(Usage::of(anyhow!("the second clip {path:?} ends the clip at a time; {advice}")).into());
        }
    })
}
