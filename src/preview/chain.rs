//! Texts of chains: read, changed, explained.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};

use super::clip::ShapeAnswer;
use super::draft::draft;
use super::still;
use crate::filter::{self, CallPlace, ChainOrigin, Defaults, Edit, FILTERS, Filter, Kind, SyntaxError};
use crate::frame::Format;
use crate::job::{Request, Usage, plan_for};

/// Reads the chains of the page.
pub(super) struct ChainReader {
    request: Request,
    defaults: Defaults,
    format: Arc<Format>,
    /// The chain of the command line, in one text.
    first: String,
    /// Files that chains may name.
    files: BTreeSet<String>,
    /// The last text that was right, and what it makes of the clip's frames.
    admitted: Mutex<Option<(String, Arc<Format>)>>,
}

/// What is said of a text.
#[derive(Serialize)]
pub(super) struct ChainAnswer {
    ok: bool,
    text: String,
    /// The text without filters that are switched off.
    active: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ChainFault>,
    calls: Vec<CallAnswer>,
    explain: String,
    notes: Vec<String>,
    latency: usize,
    /// What the chain makes of frames, where that is of another size.
    output: Option<ShapeAnswer>,
    /// A chain for a picture of a quarter of the width and height, where that shows about the same.
    draft: Option<String>,
}

/// What is wrong, and where in the text, in units of UTF-16 as scripts count them.
#[derive(Serialize)]
pub(super) struct ChainFault {
    message: String,
    caret: String,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct CallAnswer {
    name: &'static str,
    text: String,
    on: bool,
    arguments: Vec<ArgumentAnswer>,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct ArgumentAnswer {
    parameter: &'static str,
    value: String,
    start: usize,
    end: usize,
}

/// A change that the page asks for.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum TypedEdit {
    Set { call: usize, parameter: String, value: Option<String> },
    Remove { call: usize },
    Move { call: usize, to: usize },
    Insert { at: usize, text: String },
    Switch { call: usize, on: bool },
}

impl From<TypedEdit> for Edit {
    fn from(typed: TypedEdit) -> Self {
        match typed {
            TypedEdit::Set { call, parameter, value } => Self::Set(call, parameter, value),
            TypedEdit::Remove { call } => Self::Remove(call),
            TypedEdit::Move { call, to } => Self::Move(call, to),
            TypedEdit::Insert { at, text } => Self::Insert(at, text),
            TypedEdit::Switch { call, on } => Self::Switch(call, on),
        }
    }
}

impl ChainReader {
    /// For the clip of a request. Its chain names the files that others may name too.
    pub(super) fn new(request: &Request, defaults: Defaults, format: &Arc<Format>) -> Result<Self> {
        let texts = request.chain.iter().map(|text| filter::expanded(text).map_err(|error| Usage::at(&error)));
        let first = texts.collect::<Result<Vec<_>, _>>()?.join(",");
        let mut files: BTreeSet<String> = request.chain_files().into_iter().collect();
        files.extend(filter::files(&first));
        let request = request.clone();
        Ok(Self { request, defaults, format: format.clone(), first, files, admitted: Mutex::default() })
    }

    /// The chain of the command line.
    pub(super) fn first(&self) -> &str {
        &self.first
    }

    /// What a text says. Blocks while files that it names are read.
    pub(super) fn read(&self, text: &str) -> ChainAnswer {
        match self.answer(text) {
            Ok(answer) => answer,
            Err(error) => ChainAnswer {
                ok: false,
                text: text.to_owned(),
                active: String::new(),
                error: Some(ChainFault::of(text, &error)),
                calls: Vec::new(),
                explain: String::new(),
                notes: Vec::new(),
                latency: 0,
                output: None,
                draft: None,
            },
        }
    }

    /// The same of a text after a change. Blocks likewise.
    pub(super) fn edit(&self, text: &str, change: TypedEdit) -> ChainAnswer {
        match filter::edited(text, &change.into()) {
            Ok(changed) => self.read(&changed),
            Err(_) => self.read(text),
        }
    }

    /// What is wrong with a text, if anything is.
    ///
    /// # Errors
    /// That.
    pub(super) fn check(&self, text: &str) -> Result<(), Box<ChainAnswer>> {
        self.filters(text).map(drop).map_err(|_| Box::new(self.read(text)))
    }

    /// Whether a text is the last that was right, so that it need not be checked again. Does not block.
    pub(super) fn has_admitted(&self, text: &str) -> bool {
        self.admitted.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|(known, _)| known == text)
    }

    /// What the last text that was right makes of the clip's frames.
    pub(super) fn output(&self) -> Arc<Format> {
        let admitted = self.admitted.lock().unwrap_or_else(PoisonError::into_inner);
        admitted.as_ref().map_or(&self.format, |(_, format)| format).clone()
    }

    /// The picture of a filter's kernel.
    ///
    /// # Errors
    /// If there is nothing to draw.
    pub(super) fn draw(&self, call: &str) -> Result<String> {
        self.filters(call).map_err(|error| anyhow!("{error}"))?;
        filter::draw(call).map_err(|error| anyhow!("{}; {}", error.message, error.hint))
    }

    fn filters(&self, text: &str) -> Result<Vec<Filter>, SyntaxError> {
        self.admit(text)?;
        let filters = filter::parse(text, &self.defaults)?;
        // What does not fit the clip is refused where it is planned.
        let planned = plan_for(&filters, &self.format, &self.request).map(|plan| plan.output());
        let admitted = (text.to_owned(), planned.unwrap_or_else(|_| self.format.clone()));
        *self.admitted.lock().unwrap_or_else(PoisonError::into_inner) = Some(admitted);
        Ok(filters)
    }

    fn answer(&self, text: &str) -> Result<ChainAnswer, SyntaxError> {
        self.admit(text)?;
        let text = filter::expanded(text)?;
        let filters = self.filters(&text)?;
        let plan = plan_for(&filters, &self.format, &self.request);
        let plan = plan.map_err(|error| fault(&text, &format!("{error:#}"), "change the chain"))?;
        let explanation = plan.explain(None);
        let notes = explanation.filters.iter().filter_map(|filter| filter.note.clone());
        let dropped = explanation.dropped.iter().map(|name| format!("\"{name}\" changes no sample and is omitted"));
        let calls = filter::places(&text, &self.defaults)?;
        let output = plan.output();
        let is_changed = !output.samples_match(&self.format);
        let active = active(&text, &calls);
        Ok(ChainAnswer {
            draft: draft(&active, &self.defaults, &self.format),
            output: is_changed.then(|| ShapeAnswer::of(&still::shown(&output))),
            ok: true,
            error: None,
            calls: calls.iter().map(|call| CallAnswer::of(&text, call)).collect(),
            notes: notes.chain(dropped).collect(),
            latency: explanation.latency_frames,
            explain: explanation.to_string(),
            active,
            text,
        })
    }

    /// Refuses files that the command line did not name, before any is opened.
    fn admit(&self, text: &str) -> Result<(), SyntaxError> {
        let why = "the page opens only files from the command line";
        if let Some(file) = filter::files(text).into_iter().find(|file| !self.files.contains(file)) {
            return Err(fault(text, &format!("{file:?}: {why}"), "name it there: warpreel preview INPUT -f CHAIN"));
        }
        let Ok(calls) = filter::places(text, &self.defaults) else { return Ok(()) };
        for call in calls {
            let writes = |parameter: &str| {
                let spec = FILTERS.iter().find(|spec| spec.name == call.name);
                spec.is_some_and(|spec| spec.parameters().any(|p| p.name == parameter && p.kind == Kind::Written))
            };
            if let Some(argument) = call.arguments.iter().find(|argument| writes(argument.parameter)) {
                let message = format!("{}={:?}: the page writes only the output", argument.parameter, argument.value);
                return Err(fault(text, &message, "leave it out, and type it on the command line"));
            }
        }
        Ok(())
    }
}

/// A text without the filters that are switched off.
fn active(text: &str, calls: &[CallPlace]) -> String {
    let off = calls.iter().enumerate().rev().filter(|(_, call)| !call.is_on());
    off.fold(text.to_owned(), |text, (at, _)| filter::edited(&text, &Edit::Remove(at)).unwrap_or(text))
}

/// A fault of a text as a whole.
fn fault(text: &str, message: &str, hint: &str) -> SyntaxError {
    let (message, hint) = (message.to_owned(), hint.to_owned());
    SyntaxError { text: text.to_owned(), origin: ChainOrigin::Nowhere, span: 0..text.len(), message, hint }
}

/// Where a byte of a text is for a script.
fn place(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).encode_utf16().count()
}

impl ChainFault {
    fn of(text: &str, error: &SyntaxError) -> Self {
        // A fault in a file has its place there.
        let span = if error.text == text { error.span.clone() } else { 0..text.len() };
        let [start, end] = [span.start, span.end].map(|at| place(text, at));
        Self { message: error.to_string(), caret: error.caret(), start, end }
    }
}

impl CallAnswer {
    fn of(text: &str, call: &CallPlace) -> Self {
        let argument = |argument: &filter::ArgumentPlace| ArgumentAnswer {
            parameter: argument.parameter,
            value: argument.value.clone(),
            start: place(text, argument.span.start),
            end: place(text, argument.span.end),
        };
        Self {
            name: call.name,
            text: text[call.span.clone()].to_owned(),
            on: call.is_on(),
            arguments: call.arguments.iter().map(argument).collect(),
            start: place(text, call.span.start),
            end: place(text, call.span.end),
        }
    }
}
