//! What becomes of all that an input holds, in words, as it was decided.

use super::companion::Companions;
use super::still::StillWriter;
use crate::libav::muxer::Muxer;
use crate::libav::source_info::SourceInfo;
use crate::sink::fate::StreamFate;

/// Containers of which nobody expects that they hold more than pictures.
const PICTURES: [&str; 4] = ["image2", "image2pipe", "gif", "apng"];

/// What becomes of each stream, of which the filtered one has its words already, and of chapters and tags. Chapters that
/// are left out are told of at once.
pub(super) fn fates(
    muxer: Muxer,
    source_info: Option<&SourceInfo>,
    chosen: &Companions,
    video: String,
    stills: Option<&StillWriter>,
) -> Vec<StreamFate> {
    let Some(source_info) = source_info else { return vec![StreamFate::new("video", video)] };
    let fate = |index| match index == source_info.video {
        true => Some(video.clone()),
        false => chosen.fate(index),
    };
    let stream = |index| Some(StreamFate::new(source_info.title(index), fate(index)?));
    let mut fates: Vec<_> = (0..source_info.streams.len()).filter_map(stream).collect();
    let container = muxer.name();
    let (chapters, tags) = (source_info.chapters(), source_info.tags());
    if chapters > 0 {
        let fate = match keeps_chapters(muxer) {
            true => format!("{chapters} copied"),
            false => {
                if !PICTURES.contains(&container) {
                    log::warn!("chapters are dropped: the container {container} cannot hold them; mkv and mp4 can");
                }
                format!("{chapters} dropped: the container {container} cannot hold them")
            }
        };
        fates.push(StreamFate::new("chapters", fate));
    }
    if let Some(still) = &source_info.still {
        let loss = match stills {
            Some(writer) => writer.loss(still),
            None => Some(still.in_words()),
        };
        let fate = match loss {
            Some(loss) => format!("{loss} dropped: the output cannot hold it"),
            None => "copied".to_owned(),
        };
        fates.push(StreamFate::new(format!("image ({})", still.in_words()), fate));
    }
    if tags > 0 {
        let fate = match keeps_any_tag(muxer) {
            true => format!("{tags} copied"),
            false => format!("{tags} copied if the container {container} can hold them"),
        };
        fates.push(StreamFate::new("tags", fate));
    }
    fates
}

/// Whether FFmpeg writes chapters into a container.
fn keeps_chapters(muxer: Muxer) -> bool {
    ["matroska", "webm", "mp4", "mov", "ipod", "nut", "asf", "ogg"].contains(&muxer.name())
}

/// Whether FFmpeg writes tags of any name into a container.
fn keeps_any_tag(muxer: Muxer) -> bool {
    ["matroska", "webm", "nut", "asf", "ogg"].contains(&muxer.name())
}
