//! Where an encoder reads frames, and why: the one place that chooses.

use std::sync::Arc;

use super::backend::ChosenBackend;
use super::output::Begun;
use super::request::Request;
use super::vectors::VectorFiles;
use crate::frame::EncodingDevice;
use crate::sink::container::Feed;

/// Where an encoder may read frames: on the GPU that filters, or why not.
pub(super) struct EncoderPlace(Result<Arc<dyn EncodingDevice>, &'static str>);

impl EncoderPlace {
    /// Chooses for frames that `machine` filters and beside which `vectors` are written.
    pub(super) fn choose(request: &Request, machine: &ChosenBackend, vectors: &VectorFiles) -> Self {
        Self(match (obstacle(request, machine, vectors), machine.encoding()) {
            (Some(obstacle), _) => Err(obstacle),
            (None, Some(device)) => Ok(device),
            (None, None) => Err("fields are filtered separately and interleaved on the host"),
        })
    }

    /// How the pictures of the output may come.
    pub(super) fn feed(&self) -> Feed {
        self.0.as_ref().map_or(Feed::Host, |device| Feed::Device(device.clone()))
    }

    /// Says which way frames go to an encoder of the GPU.
    pub(super) fn tell(&self, begun: &Begun) {
        let Some(encoder) = begun.encoder.as_deref().filter(|name| name.ends_with("_nvenc")) else { return };
        match self.0 {
            Ok(_) if begun.reads_device => log::info!("encoder: {encoder}, frames stay on the GPU"),
            Ok(_) => log::info!("encoder: {encoder}, through host memory (frames are converted or rotated there)"),
            Err(reason) => log::info!("encoder: {encoder}, through host memory ({reason})"),
        }
    }
}

/// What needs frames on the host; `None` if nothing does.
fn obstacle(request: &Request, machine: &ChosenBackend, vectors: &VectorFiles) -> Option<&'static str> {
    match machine.devices().len() {
        0 => return Some("frames are filtered on the CPU"),
        1 => {}
        _ => return Some("several GPUs share the frames"),
    }
    if request.compare.is_some() {
        return Some("--compare combines pictures there");
    }
    if !request.metrics.is_empty() {
        return Some("--metrics measures frames there");
    }
    if request.chunk.is_some() {
        return Some("the checksum of a chunk is computed there");
    }
    (!vectors.is_empty()).then_some("motion vectors are written")
}
