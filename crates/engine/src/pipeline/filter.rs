//! The filter thread: an engine between two channels.

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender, TryRecvError};

use super::held::HeldAttachments;
use super::message::{ClipEnd, Message, Stopped};
use crate::backend::Backend;
use crate::frame::Frame;
use crate::gauge::Gauge;
use crate::plan::Plan;
use crate::source::CancelToken;
use crate::{Engine, Observer, Outlet};

/// Filters what comes in until it ends or the user stops it, and passes the end on. Blocks.
pub(super) fn run<B: Backend>(
    backend: &mut B,
    plan: &Plan,
    input: &Receiver<Message>,
    output: &Sender<Message>,
    gauge: &Gauge,
    interrupt: &CancelToken,
) -> Result<()> {
    let mut engine = Engine::observed(backend, plan.clone(), gauge)?;
    let mut onward = Onward { output, gauge, held: HeldAttachments::default() };
    gauge.begin();
    loop {
        let message = receive(&mut engine, &mut onward, input, gauge)?;
        let is_interrupted = interrupt.is_cancelled();
        match message {
            Message::Frame(frame) => {
                // Frames of a margin do not come out, and nothing that is to be kept comes with them.
                if !frame.timing.is_margin {
                    onward.held.see(frame.timing.number, frame.timing.attachment.clone());
                }
                // The sink would drop what came of it.
                if !is_interrupted {
                    engine.push(frame, &mut onward)?;
                }
            }
            Message::End(ClipEnd { trailer, until }) if !is_interrupted => {
                engine.go_on_at(until);
                engine.finish(&mut onward)?;
                let trailer = onward.held.end(trailer);
                return onward.send(Message::End(ClipEnd { trailer, until }));
            }
            Message::End(ClipEnd { trailer, .. }) => {
                let rest = onward.held.rest().chain(trailer).collect();
                return onward.send(Message::Interrupted(rest));
            }
            Message::Interrupted(rest) => return onward.send(Message::Interrupted(rest)),
        }
    }
}

/// Where frames go on.
struct Onward<'a> {
    output: &'a Sender<Message>,
    gauge: &'a Gauge,
    held: HeldAttachments,
}

impl Onward<'_> {
    fn send(&self, message: Message) -> Result<()> {
        self.gauge.blocked(|| self.output.send(message).map_err(|_| anyhow!(Stopped)))
    }
}

impl Outlet for Onward<'_> {
    fn put(&mut self, mut frame: Frame) -> Result<()> {
        self.held.let_go(&mut frame);
        self.gauge.count();
        self.send(Message::Frame(frame))
    }
}

/// The next message. While none is there, frames under way are delivered: a live input is not held back.
fn receive<B: Backend, O: Observer>(
    engine: &mut Engine<B, O>,
    out: &mut impl Outlet,
    input: &Receiver<Message>,
    gauge: &Gauge,
) -> Result<Message> {
    loop {
        match input.try_recv() {
            Ok(message) => return Ok(message),
            Err(TryRecvError::Disconnected) => return Err(anyhow!(Stopped)),
            Err(TryRecvError::Empty) if engine.advance(out)? => {}
            Err(TryRecvError::Empty) => return gauge.starved(|| input.recv()).map_err(|_| anyhow!(Stopped)),
        }
    }
}
