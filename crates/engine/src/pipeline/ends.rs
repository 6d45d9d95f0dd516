//! The threads at both ends: one reads, one writes.

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender};

use super::message::{ClipEnd, Message, Stopped};
use super::monitor::Monitor;
use super::outcome::RunOutcome;
use crate::frame::{Frame, Pool};
use crate::gauge::{Gauge, NO_FRAME};
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// Reads a clip to its end. Blocks.
pub(super) fn decode(source: &mut dyn Source, pool: &Pool, output: &Sender<Message>, gauge: &Gauge) -> Result<()> {
    let send = |message| gauge.blocked(|| output.send(message).map_err(|_| anyhow!(Stopped)));
    let number = |next: &Result<Option<Frame>>| match next {
        Ok(Some(frame)) => frame.timing.number,
        _ => NO_FRAME,
    };
    gauge.begin();
    while let Some(frame) = gauge.busy_for("decode", number, || source.next_frame(pool))? {
        gauge.count();
        send(Message::Frame(frame))?;
    }
    send(Message::End(ClipEnd { trailer: source.trailer(), until: source.until() }))
}

/// Writes what comes in until it ends. Blocks.
pub(super) fn encode(
    mut sink: Box<dyn Sink>,
    input: &Receiver<Message>,
    monitor: &Monitor,
    interrupt: &CancelToken,
) -> Result<RunOutcome> {
    let gauge = &monitor.encode;
    let mut rest = Vec::new();
    gauge.begin();
    loop {
        let message = gauge.starved(|| input.recv()).map_err(|_| anyhow!(Stopped))?;
        let is_interrupted = interrupt.is_cancelled();
        let late = match message {
            Message::Frame(frame) if is_interrupted => {
                rest.extend(frame.timing.attachment.clone());
                continue;
            }
            Message::Frame(frame) => {
                let number = frame.timing.number;
                gauge.busy("encode", number, || sink.put(frame))?;
                monitor.count();
                continue;
            }
            Message::End(ClipEnd { trailer, .. }) if !is_interrupted => {
                monitor.look();
                gauge.busy("finish", NO_FRAME, || sink.finish(trailer))?;
                return Ok(RunOutcome::Complete);
            }
            Message::End(ClipEnd { trailer, .. }) => Vec::from_iter(trailer),
            Message::Interrupted(late) => late,
        };
        rest.extend(late);
        monitor.look();
        let kept = gauge.busy("finish", NO_FRAME, || sink.finish_partial(&rest))?;
        return Ok(RunOutcome::Interrupted { kept });
    }
}
