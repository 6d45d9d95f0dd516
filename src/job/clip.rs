//! Clips frame by frame, for programs that filter, make or look at frames themselves, between a source and a sink that are
//! those of a job.

use std::sync::Arc;

use anyhow::Result;

use super::decoding::ChosenDecoder;
use super::input::{self, Inheritance};
use super::output;
use super::request::Request;
use crate::backend::cuda::Device;
use crate::frame::{DecodingDevice, Format};
use crate::libav::Stored;
use crate::sink::Sink;
use crate::source::{CancelToken, Source};

/// A clip that is being read, and what an output can inherit of it.
///
/// ```
/// use warpreel::frame::Pool;
/// use warpreel::job::{Reader, Request, open_sink};
///
/// let request = Request { input: "samples/ten-bit.mp4".to_owned(), output: "null:".to_owned(), ..Request::default() };
/// let mut reader = Reader::open(&request, &Default::default())?;
/// let mut sink = open_sink(&request, &reader.lineage())?;
/// let pool = Pool::heap();
/// while let Some(frame) = reader.source().next_frame(&pool)? {
///     sink.put(frame)?;
/// }
/// sink.finish(reader.source().trailer())?;
/// # anyhow::Ok(())
/// ```
pub struct Reader {
    source: Box<dyn Source>,
    lineage: Lineage,
    decoder: Option<String>,
}

/// What an output is told of where its frames come from.
#[derive(Clone)]
pub struct Lineage {
    format: Arc<Format>,
    stored: Option<Stored>,
    source_info: Inheritance,
}

impl Reader {
    /// Opens the input of a request, whose frames come to lie on the host. Blocks while a piped input has not begun.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned; [`super::Usage`] if the GPU's decoders were asked for.
    pub fn open(request: &Request, interrupt: &CancelToken) -> Result<Self> {
        let (mut source, source_info) = input::open(request, interrupt)?;
        let decoder = ChosenDecoder::on_host(request, source.as_mut())?;
        Ok(Self::over(source, source_info, decoder))
    }

    /// The same for frames that are wanted on a GPU: those that it decodes lie there, each plane by itself, the others
    /// on the host. It decodes whatever it can, unless software was asked for.
    ///
    /// # Errors
    /// As [`super::Job::open`], where the input is concerned; also if the GPU's decoders were asked for and cannot be
    /// used.
    pub fn open_on(request: &Request, interrupt: &CancelToken, device: &Device) -> Result<Self> {
        let early = ChosenDecoder::early_on(request, device);
        let place = early.clone().map(|device| device as Arc<dyn DecodingDevice>);
        let (mut source, source_info) = input::open_on(request, interrupt, place)?;
        let decoder = ChosenDecoder::on_device(request, source.as_mut(), device, early)?;
        Ok(Self::over(source, source_info, decoder))
    }

    fn over(source: Box<dyn Source>, source_info: Inheritance, decoder: ChosenDecoder) -> Self {
        let lineage =
            Lineage { format: source.format().clone(), stored: source.stored().and_then(Stored::named), source_info };
        Self { source, lineage, decoder: decoder.name }
    }

    /// What decodes, and why: `nvdec, 3 lanes`, `software (GPU 0 does not decode ffv1 of …)`; `None` where frames are
    /// not coded.
    pub fn decoder(&self) -> Option<&str> {
        self.decoder.as_deref()
    }

    /// The clip.
    pub fn source(&mut self) -> &mut dyn Source {
        self.source.as_mut()
    }

    /// What an output inherits.
    pub fn lineage(&self) -> Lineage {
        self.lineage.clone()
    }
}

impl Lineage {
    /// Of frames that a program makes.
    pub fn of(format: Arc<Format>) -> Self {
        Self { format, stored: None, source_info: None }
    }

    /// The same for other frames of its clip: filtered ones, of another size or shape.
    #[must_use]
    pub fn with_format(self, format: Arc<Format>) -> Self {
        Self { format, ..self }
    }

    /// What the frames are.
    pub fn format(&self) -> &Arc<Format> {
        &self.format
    }

    /// The tags of the file, such as its title, as names and values.
    pub fn tags(&self) -> Vec<(String, String)> {
        self.source_info.as_ref().map_or_else(Vec::new, |source_info| source_info.tag_texts())
    }
}

/// Starts the output of a request, for frames of the lineage's format. Audio, subtitles and data of the lineage come along
/// with the frames of its own clip, and the rest with its trailer.
///
/// # Errors
/// As [`super::Job::open`], where the output is concerned.
pub fn open_sink(request: &Request, lineage: &Lineage) -> Result<Box<dyn Sink>> {
    output::check(request)?;
    output::create_alone(request, &lineage.format, lineage.stored, lineage.source_info.clone())
}
