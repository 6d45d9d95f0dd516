//! A machine that comes late, or fails.

use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use anyhow::Context;

use super::super::request::Choice;
use super::*;
use crate::pipeline::Monitor;
use crate::sink::null::Null;

const CHAIN: &str = "tmix=3,gaussian=2";

/// A clip whose machine is not made before the channel is closed.
fn held() -> Result<(Scrubber, Sender<()>)> {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/ten-bit.mp4").display().to_string();
    let request = Request { input, ..Request::default() };
    let mut clip = Scrubber::open(request.clone(), 64 << 20, &CancelToken::default())?;
    let PlannedChain { text, planned, .. } = clip.ready(CHAIN)?;
    let (release, held) = channel::<()>();
    clip.workshop.order(&text, move || {
        let _ = held.recv();
        ChosenBackend::choose(&Request { backend: Choice::Cpu, ..request }, &planned, None)
    });
    clip.ordered = Some(text);
    Ok((clip, release))
}

fn samples(scrubbed: &Scrubbed) -> Result<Vec<Vec<u8>>> {
    let rows = |frame: &Frame| Ok(frame.host()?.rows(0).flatten().copied().collect());
    scrubbed.frames.iter().map(rows).collect()
}

#[test]
fn the_cpu_answers_until_the_machine_is_ready() -> Result<()> {
    let nobody = CancelToken::default();
    let (mut clip, release) = held()?;
    let early = clip.filtered(CHAIN, 2..5, &nobody)?;
    assert_eq!((early.frames.len(), early.costs.len()), (3, 2));
    let who = clip.backend().context("somebody filtered")?;
    assert!(who.starts_with("cpu, ") && who.ends_with("(until the GPU is ready)"), "{who}");
    drop(release);
    let machine = clip.workshop.take(CHAIN, Duration::from_secs(60)).context("the machine")?;
    clip.ordered = None;
    clip.use_machine(&CHAIN.into(), machine?);
    // Frames that were kept are not made again.
    clip.kept = KeptFrames::new(64 << 20);
    let late = clip.filtered(CHAIN, 2..5, &nobody)?;
    assert!(clip.backend().is_some_and(|who| !who.contains("ready")), "{:?}", clip.backend());
    assert_eq!(samples(&early)?, samples(&late)?);
    Ok(())
}

#[test]
fn a_machine_that_fails_is_an_error_once() -> Result<()> {
    let (mut clip, nobody) = (held()?.0, CancelToken::default());
    let text: Arc<str> = "gaussian=1".into();
    clip.workshop.order(&text, || bail!("no room on the GPU"));
    clip.ordered = Some(text.clone());
    clip.request.backend = Choice::Cuda;
    let error = clip.filtered(&text, 0..1, &nobody).err().context("an error")?;
    assert_eq!(error.to_string(), "no room on the GPU");
    clip.request.backend = Choice::Auto;
    assert_eq!(clip.filtered(&text, 0..1, &nobody)?.frames.len(), 1);
    Ok(())
}

#[test]
fn nobody_waits_for_a_machine_that_nobody_wants() -> Result<()> {
    let (mut clip, _release) = held()?;
    let interrupt = CancelToken::default();
    interrupt.cancel();
    let error = clip.filtered(CHAIN, 0..1, &interrupt).err().context("an error")?;
    assert!(error.is::<Interrupted>(), "{error:#}");
    Ok(())
}

#[test]
fn a_frame_that_is_not_wanted_any_more_ends_within_its_bands() -> Result<()> {
    const LONG: &str = "bilateral=sigma_s=20";
    let (mut clip, nobody) = (held()?.0, CancelToken::default());
    clip.request.backend = Choice::Cpu;
    assert_eq!(clip.filtered(LONG, 0..1, &nobody)?.frames.len(), 1);
    let planned = clip.ready(LONG)?.planned;
    let backend = &mut clip.machine.as_mut().context("the machine")?.backend;
    let gone = CancelToken::default();
    gone.cancel();
    backend.stop_within_frames(&gone);
    // The pipeline itself, which stops between frames, is not told.
    let mut strip = ReelStrip::new(&mut clip.reel, &planned.plan, 0..1, None, &nobody);
    let run = backend.run(&mut strip, &planned.plan, Box::new(Null), &Monitor::default(), &nobody);
    assert!(run.is_err_and(|error| error.is::<Interrupted>()));
    Ok(())
}
