//! A whole job, as the program does it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpreel::job::{Job, Report};
use warpreel::pipeline::Monitor;
use warpreel::source::CancelToken;

use super::chain::Chain;
use super::error::{raised, raised_for};
use super::option::{Call, path, request};

/// Filters a whole video, as the program does it: decoding, filtering and encoding side by side; sound, subtitles, tags
/// and times are carried over. The bytes are the program's.
///
/// :param input: the file.
/// :param output: the file to write, ``"null:"`` for none, ``"hash:FILE"`` for checksums.
/// :param chain: a ``Chain``, with its backend, border, planes and fields, or text for one, or a list of texts; None filters
///     nothing.
/// :param progress: called some times a second, and at the end, with the frames that are written and how many there will be,
///     None where that is not known. What it raises stops the job.
/// :param options: as on the command line, with ``_`` for ``-``: ``quality=90``, ``backend="cpu"``, ``start="1:30"``,
///     ``overwrite=True``, ``encoder_option={"tune": "grain"}``.
/// :returns: what ``--stats`` writes, as a dict: ``frames``, ``seconds``, ``fps``, ``backend``, ``streams``, and more;
///     ``remark`` is the advice on a denoiser whose typed strength is far from the noise of the clip, or None.
///     ``metrics="psnr,ssim"`` compares the frames with those of the input; the figures come under ``metrics``.
/// :raises TypeError: for an option that there is not.
/// :raises FileExistsError: if the output exists and ``overwrite=True`` was not given.
/// :raises KeyboardInterrupt: after Ctrl-C; what was written stays as ``NAME.partial.EXT``.
///
/// >>> import warpreel
/// >>> stats = warpreel.run("samples/ten-bit.mp4", "null:", "gaussian=2", backend="cpu")
/// >>> stats["frames"], stats["passes"]
/// (24, ['gaussian=2'])
#[pyfunction]
#[pyo3(signature = (input, output, chain = None, *, progress = None, **options))]
pub fn run<'py>(
    input: &Bound<'py, PyAny>,
    output: &Bound<'py, PyAny>,
    chain: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = input.py();
    let (input, output) = (path(input)?, path(output)?);
    let own = match chain.map(|chain| chain.cast::<Chain>()) {
        Some(Ok(chain)) => Some(chain.get().for_job(py)?),
        _ => None,
    };
    // What is said beside a chain counts more than what it was made with.
    let given = match (&own, options) {
        (Some((_, own)), options) => {
            options.map_or(Ok(()), |options| own.update(options.as_mapping()))?;
            Some(own)
        }
        (None, options) => options,
    };
    let mut request = request(Call::Run, &input, &output, given)?;
    let mut texts = match (own, chain) {
        (Some((texts, _)), _) => texts,
        (None, Some(chain)) => texts(chain)?,
        (None, None) => Vec::new(),
    };
    texts.append(&mut request.chain);
    request.chain = texts;
    told(py, &watched(py, |interrupt| Job::open(request, interrupt), progress, &[&input, &output])?)
}

/// Chains as text.
fn texts(chain: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let one = chain.extract::<String>().map(|text| vec![text]);
    one.or_else(|_| chain.extract::<Vec<String>>()).map_err(|_| {
        let got = chain.get_type();
        PyTypeError::new_err(format!(
            "expected a Chain, a text such as \"gaussian=2,sobel\", or a list of texts, got {got}"
        ))
    })
}

/// What `--stats` writes, as a dict.
pub fn told<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(report).context("print statistics").map_err(raised)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Opens and runs a job in a thread of its own, so that this one hears signals and tells of progress. Errors of the system
/// that concern one of the files name it.
pub fn watched(
    py: Python<'_>,
    open: impl FnOnce(CancelToken) -> Result<Job> + Send + 'static,
    progress: Option<&Bound<'_, PyAny>>,
    files: &[&str],
) -> PyResult<Report> {
    const BETWEEN: Duration = Duration::from_millis(50);

    let (interrupt, monitor) = (CancelToken::default(), Arc::new(Monitor::default()));
    let (length, (sender, mut outcome)) = (Arc::new(OnceLock::new()), mpsc::channel::<Result<Report>>());
    let work = {
        let (interrupt, monitor, length) = (interrupt.clone(), monitor.clone(), length.clone());
        move || {
            let run = || {
                let job = open(interrupt)?;
                length.set(job.length()).ok();
                job.run(&monitor)
            };
            // Nobody listens if the interpreter is on its way out.
            sender.send(run()).ok();
        }
    };
    thread::Builder::new().name("job".into()).spawn(work)?;
    let tell = |frames: u64, of: Option<u64>| progress.map_or(Ok(()), |tell| tell.call1((frames, of)).map(drop));
    let mut stopped = None;
    let report = loop {
        let outcome = &mut outcome;
        match py.detach(move || outcome.recv_timeout(BETWEEN)) {
            Ok(report) => break report,
            Err(RecvTimeoutError::Disconnected) => break Err(anyhow!("the job's thread exited unexpectedly")),
            Err(RecvTimeoutError::Timeout) if stopped.is_some() => {}
            Err(RecvTimeoutError::Timeout) => {
                let told = || tell(monitor.read().encode.frames, length.get().copied().flatten());
                if let Err(exception) = py.check_signals().and_then(|()| told()) {
                    interrupt.cancel();
                    stopped = Some(exception);
                }
            }
        }
    };
    if let Some(exception) = stopped {
        return Err(exception);
    }
    let report = report.map_err(|error| raised_for(error, files))?;
    tell(report.frames, Some(report.frames))?;
    Ok(report)
}
