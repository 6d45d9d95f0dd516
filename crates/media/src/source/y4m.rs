//! Clips in y4m, from a file or a pipe. Frames are read straight into pool memory, packed as they are in the stream.
//! The grammar of the header is in [`crate::y4m`].

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use super::cut::CutRange;
use super::{Cut, Defects, FrameIndex, Input, Portion, Salvage, Source};
use crate::frame::{Attachment, Format, Frame, FrameMut, Layout, Margin, Pool, Timing};
use crate::y4m::{self, Header, Tags};

/// A y4m clip that is being read.
pub struct Y4m {
    input: Input,
    format: Arc<Format>,
    layout: Layout,
    tags: Tags,
    /// The tags of every frame that says nothing about itself.
    plain: Attachment,
    range: CutRange,
    is_over: bool,
    /// The frame that comes next, from 0 in the stream.
    number: u64,
    /// Frames of the whole stream: as the header says, else as the file's size says.
    total: Option<u64>,
    promised: Option<u64>,
    salvage: Salvage,
    defects: Defects,
}

/// What stands where a frame should begin.
enum Start {
    /// A frame, with what its line says beyond `FRAME`.
    Frame(Vec<u8>),
    /// The end of the clip.
    End,
    /// The input ends in the middle of the line.
    Broken,
}

impl Y4m {
    /// Whether `input` starts as y4m does; nothing is taken. Blocks until 10 bytes are there.
    ///
    /// # Errors
    /// If reading fails.
    pub fn recognise(input: &mut Input) -> Result<bool> {
        let start = input.peek(y4m::MAGIC.len()).map(|start| start == y4m::MAGIC);
        start.with_context(|| format!("read {}", input.name()))
    }

    /// Reads the header. Blocks until it is there.
    ///
    /// # Errors
    /// If there is none, or it cannot be understood.
    pub fn open(mut input: Input, cut: Cut, salvage: Salvage) -> Result<Self> {
        let name = input.name().to_owned();
        let line = input.line(y4m::LINE_LIMIT_BYTES).with_context(|| format!("read the header of {name}"))?;
        let line = match line {
            Some(line) => line,
            None => {
                let start = input.peek(y4m::MAGIC.len()).with_context(|| format!("read the header of {name}"))?;
                ensure!(!start.is_empty(), "open {name}: it is empty");
                // What is wrong with the start comes first; a good start can only be too long or too short.
                if !y4m::MAGIC.starts_with(start) {
                    Header::parse(start).with_context(|| format!("open {name}"))?;
                }
                bail!("open {name}: the y4m header does not end within {} bytes", y4m::LINE_LIMIT_BYTES);
            }
        };
        let header = Header::parse(&line).with_context(|| format!("open {name}"))?;
        let format = Arc::new(header.format);
        if header.rate_is_a_guess {
            log::warn!("{name} has no frame rate; using {}", format.rate);
        }
        let wanted = cut.range(format.rate);
        let line = if cut == Cut::default() { line } else { y4m::without_length(&line) };
        let tags = Tags { header: line.into(), frame: Vec::new() };
        let frame_bytes = (y4m::FRAME.len() + 1 + format.packed_bytes()) as u64;
        let total = header.length.or_else(|| Some(input.remaining()? / frame_bytes));
        Ok(Self {
            layout: Layout::packed(&format),
            plain: Arc::new(tags.clone()),
            range: CutRange::new(wanted),
            is_over: false,
            number: 0,
            promised: header.length,
            defects: Defects::default(),
            input,
            format,
            tags,
            total,
            salvage,
        })
    }

    /// Reads the line before a frame.
    fn start(&mut self) -> Result<Start> {
        let line = self.input.line(y4m::LINE_LIMIT_BYTES)?;
        if let Some(parameters) = line.as_deref().and_then(|line| line.strip_prefix(y4m::FRAME))
            && (parameters.is_empty() || parameters.starts_with(b" "))
        {
            return Ok(Start::Frame(parameters.to_vec()));
        }
        let found = match line {
            Some(line) if line.starts_with(y4m::MAGIC) => {
                bail!("a second y4m stream begins here; filter one at a time")
            }
            Some(line) => line,
            None => {
                let rest = self.input.peek(y4m::FRAME.len() + 1)?.to_vec();
                if rest.is_empty() {
                    return Ok(Start::End);
                }
                if b"FRAME ".starts_with(&rest) || self.input.interrupted() {
                    return Ok(Start::Broken);
                }
                rest
            }
        };
        bail!("expected \"FRAME\", found \"{}\"", found[..found.len().min(16)].escape_ascii());
    }

    /// Skips the frames before the first that is wanted; `false` where the clip ends before.
    fn advance(&mut self) -> Result<bool> {
        let bytes = self.format.packed_bytes() as u64;
        while self.number < self.range.read().start {
            match self.start()? {
                Start::Frame(_) if self.input.skip(bytes)? == bytes => self.number += 1,
                Start::End => return Ok(false),
                Start::Frame(_) | Start::Broken => return self.broken(),
            }
        }
        Ok(true)
    }

    /// The next frame's samples and parameters; `None` at the end.
    fn read(&mut self, pool: &Pool) -> Result<Option<(FrameMut, Vec<u8>)>> {
        let frames = self.range.read();
        self.is_over |= frames.is_empty() || self.number >= frames.end || self.input.interrupted();
        if self.is_over || !self.advance()? {
            return Ok(None);
        }
        let parameters = match self.start()? {
            Start::Frame(parameters) => parameters,
            Start::End => return Ok(None),
            Start::Broken => return self.broken().map(|_| None),
        };
        // No memory on the header's word alone.
        if self.number == frames.start && self.input.peek(1)?.is_empty() {
            return self.broken().map(|_| None);
        }
        let mut frame = pool.frame_in(&self.format, self.layout.clone())?;
        let bytes = frame.packed_bytes_mut().expect("the layout is packed");
        if self.input.fill(bytes)? < bytes.len() {
            return self.broken().map(|_| None);
        }
        Ok(Some((frame, parameters)))
    }

    /// The input ended in the middle of a frame: `false`, the clip ends here, where that is allowed.
    fn broken(&mut self) -> Result<bool> {
        if self.input.interrupted() {
            return Ok(false);
        }
        if self.salvage == Salvage::Off {
            bail!("the input ends in the middle of the frame; --salvage keeps the frames before it");
        }
        let warning = format!("{} ends in the middle of frame {}", self.input.name(), self.number);
        log::warn!("{warning}; the frames before it are kept");
        self.defects.truncated = true;
        self.defects.warnings.push(warning);
        Ok(false)
    }

    /// Says so when fewer frames came than the header promised.
    fn check_promise(&mut self) {
        let Some(promised) = self.promised.take() else { return };
        if self.number < promised.min(self.range.read().end) && !self.input.interrupted() && !self.defects.truncated {
            let (name, number) = (self.input.name(), self.number);
            let warning = format!("{name} ends after {number} frames; its header announced {promised}");
            log::warn!("{warning}");
            self.defects.warnings.push(warning);
        }
    }
}

impl Source for Y4m {
    fn format(&self) -> &Arc<Format> {
        &self.format
    }

    fn next_frame(&mut self, pool: &Pool) -> Result<Option<Frame>> {
        let read = self.read(pool).with_context(|| format!("frame {} of {}", self.number, self.input.name()))?;
        let Some((frame, parameters)) = read else {
            self.check_promise();
            if !self.input.interrupted() {
                self.range.check_start(self.input.name(), self.number)?;
            }
            self.is_over = true;
            return Ok(None);
        };
        let attachment: Attachment = match parameters.as_slice() {
            [] => self.plain.clone(),
            _ => Arc::new(Tags { frame: parameters, ..self.tags.clone() }),
        };
        let number = self.number;
        self.number += 1;
        Ok(Some(frame.freeze(Timing { attachment: Some(attachment), ..self.range.timing(number) })))
    }

    fn widen(&mut self, margin: Margin) {
        self.range.widen(margin);
    }

    fn index(&mut self) -> Result<FrameIndex> {
        self.range.index(self.total, self.input.name())
    }

    fn keep_to(&mut self, portion: Portion) {
        // What the header promises is the whole clip's length.
        self.tags.header = y4m::without_length(&self.tags.header).into();
        (self.plain, self.promised) = (Arc::new(self.tags.clone()), None);
        self.range.keep_to(portion);
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn length(&self) -> Option<u64> {
        self.range.length(self.total)
    }

    fn defects(&self) -> Defects {
        self.defects.clone()
    }
}
