//! Streams from and into the network: how they are opened, and what they cannot do.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::kind::{Destination, OutputKind};
use super::request::{Request, TypedNetwork};
use super::time;
use super::usage::Usage;
use crate::libav::address::Address;
use crate::source::container::LiveInput;

/// Longest time without an answer or a packet.
///
/// # Errors
/// If what was typed is no time.
pub(super) fn timeout(request: &Request) -> Result<Duration, Usage> {
    let Some(text) = &request.network.timeout else { return Ok(TypedNetwork::TIMEOUT) };
    let timeout = time::parse(text, "--timeout").map_err(Usage::of)?;
    match timeout.is_zero() {
        true => Err(Usage::of(anyhow!("--timeout {text} is no time to wait; type --timeout 10s"))),
        false => Ok(timeout),
    }
}

/// The first option for addresses that was typed, and whether it is for inputs alone.
fn typed(TypedNetwork { timeout, reconnect, drop_late }: &TypedNetwork) -> Option<(&'static str, bool)> {
    let late = drop_late.then_some(("--drop-late", true));
    let again = reconnect.map(|_| ("--reconnect", true));
    late.or(again).or_else(|| timeout.as_ref().map(|_| ("--timeout", false)))
}

/// The input of a request, where it is an address.
///
/// # Errors
/// If it cannot be opened here.
pub(super) fn input(request: &Request) -> Result<Option<LiveInput>> {
    let name = &request.input;
    if !Address::is(name) {
        return Ok(None);
    }
    let address = Address::to_read(name).with_context(|| format!("open {name:?}"))?;
    let TypedNetwork { reconnect, drop_late, .. } = request.network;
    let timeout = timeout(request)?;
    Ok(Some(LiveInput { address, timeout, reconnects: reconnect.unwrap_or(0), drop_late }))
}

/// Refuses what an address cannot do, and options for addresses where there is none.
///
/// # Errors
/// [`Usage`], with what to type.
pub(super) fn check(request: &Request) -> Result<()> {
    let (is_live, sends) = (Address::is(&request.input), Address::is(&request.output));
    if let Some((option, is_of_input)) = typed(&request.network)
        && !(is_live || sends && !is_of_input)
    {
        let end = if is_of_input { "the input is no address" } else { "neither input nor output is an address" };
        bail!(Usage::of(anyhow!("{option} has no effect: {end}, such as udp://127.0.0.1:5000; leave it out")));
    }
    check_capture(&request.input)?;
    if is_live {
        let cut = &request.cut;
        let refused = [
            (cut.start.is_some(), "--start", "is read from where it is"),
            (request.chunk.is_some(), "--chunk", "is read once"),
            (request.chunks_from.is_some(), "--chunks-from", "is read once"),
            (request.gpus.is_some(), "--gpus", "is filtered frame by frame"),
            (request.raw.is_some(), "--raw", "says its format"),
        ];
        if let Some((_, option, why)) = refused.into_iter().find(|(is_typed, ..)| *is_typed) {
            let name = &request.input;
            bail!(Usage::of(anyhow!("{option} does not go with {name:?}, which {why}; leave {option} out")));
        }
    }
    if let Some(name) = request.output.strip_prefix("hash:").filter(|name| Address::is(name)) {
        bail!(Usage::of(anyhow!("checksums are not sent to {name:?}; type hash:FILE, or hash: for stdout")));
    }
    if let Destination::Address(name) = request.destination() {
        ensure!(
            request.kind() == OutputKind::Container,
            Usage::of(anyhow!("{name:?} takes a container; type --container nut, or leave --container out"))
        );
        ensure!(request.chunk.is_none(), Usage::of(anyhow!("--chunk makes a file; name one such as part1.nut")));
        Address::to_write(name).with_context(|| format!("write {name:?}"))?;
    }
    Ok(())
}

/// Refuses an address where a clip is read more than once, or several are.
///
/// # Errors
/// If it is one.
pub fn check_is_no_address(name: &str) -> Result<(), Usage> {
    match Address::is(name) {
        true => Err(Usage::of(anyhow!(
            "{name:?} is a stream, which a job reads or writes once; type warpreel {name} OUTPUT, or name a file here"
        ))),
        false => Ok(()),
    }
}

/// Refuses cameras and screens, with the command that pipes them.
fn check_capture(input: &str) -> Result<()> {
    let is_camera = input.starts_with("/dev/video") && !Path::new(input).is_file();
    let is_display = input.strip_prefix(':').is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    let is_screen = (is_display || ["x11grab", "screen", "desktop"].contains(&input)) && !Path::new(input).exists();
    if !is_camera && !is_screen {
        return Ok(());
    }
    let (what, device) = match (is_camera, is_display) {
        (true, _) => ("a camera", format!("-f v4l2 -i {input}")),
        (false, true) => ("a screen", format!("-f x11grab -i {input}")),
        (false, false) => ("a screen", "-f x11grab -i :0.0".to_owned()),
    };
    bail!(Usage::of(anyhow!("{input:?} is {what}; pipe it: ffmpeg {device} -c copy -f nut - | warpreel - …")));
}
