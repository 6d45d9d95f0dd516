//! The filter thread: an engine between two channels.

use anyhow::{Result, anyhow};
use crossbeam_channel::{Receiver, Sender, TryRecvError};

use super::message::{Message, Stopped};
use super::monitor::Gauge;
use crate::backend::Backend;
use crate::engine::{Engine, Observer, Outlet};
use crate::frame::Frame;
use crate::plan::Plan;

/// Filters what comes in until it ends, and passes the end on. Blocks.
pub(super) fn run<B: Backend>(
    backend: &mut B,
    plan: &Plan,
    input: &Receiver<Message>,
    output: &Sender<Message>,
    gauge: &Gauge,
) -> Result<()> {
    let mut engine = Engine::observed(backend, plan.clone(), gauge)?;
    let send = |message| gauge.blocked(|| output.send(message)).map_err(|_| anyhow!(Stopped));
    let mut out = |frame: Frame| {
        gauge.count();
        send(Message::Frame(frame))
    };
    gauge.begin();
    loop {
        match receive(&mut engine, &mut out, input, gauge)? {
            Message::Frame(frame) => engine.push(frame, &mut out)?,
            Message::End(trailer) => {
                engine.finish(&mut out)?;
                return send(Message::End(trailer));
            }
        }
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
