//! Frames of `ffmpeg-next` and frames of this project, for programs that decode or encode themselves.

use std::ops::Range as Span;
use std::slice;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use ffmpeg_next::ffi;
use ffmpeg_next::frame::Video;

use super::convert::Converter;
use super::error::NoMemory;
use super::image::roomy;
use super::packet::{known, rational};
use super::picture::{Carried, Picture, fields_order};
use super::pixel::Stored;
use crate::frame::{Block, Format, Frame, Layout, Memory, PlaneLayout, Pool, Range, Rational, Timing};

/// Turns the frames of one clip that `ffmpeg-next` decoded into frames that engines take, and frames back. `ffmpeg-next` must be of
/// the version that this crate uses.
///
/// Planar samples of the machine's byte order are not copied: the frame keeps FFmpeg's. Others, such as NV12, RGB24 or
/// 10 bits in the other byte order, are unpacked into memory of a pool.
///
/// ```
/// use ffmpeg_next::format::Pixel;
/// use ffmpeg_next::frame::Video;
/// use warpreel_frame::Rational;
/// use warpreel_media::libav::VideoAdapter;
///
/// let mut picture = Video::new(Pixel::NV12, 64, 48);
/// (0..2).for_each(|plane| picture.data_mut(plane).fill(90));
/// picture.set_pts(Some(7));
/// let mut adapter = VideoAdapter::new(&picture, Rational::new(25, 1), Rational::new(1, 25))?;
/// let frame = adapter.frame(picture)?;
/// assert_eq!(frame.format().to_string(), "yuv420p 64x48 at 25 fps");
/// assert_eq!((frame.timing.pts, frame.host()?.plane::<u8>(2).row(3)[4]), (7, 90));
/// let again = VideoAdapter::video(&frame)?;
/// assert_eq!((again.format(), again.pts(), again.data(1)[0]), (Pixel::YUV420P, Some(7), 90));
/// # anyhow::Ok(())
/// ```
pub struct VideoAdapter {
    stored: Stored,
    format: Arc<Format>,
    converter: Converter,
    pool: Pool,
    next: u64,
}

impl VideoAdapter {
    /// An adapter for frames like `video`: of its pixel format, size, colours and fields. `rate` is frames a second, `0/1`
    /// where it is unknown, and `time_base` the unit of the frames' times, in seconds.
    ///
    /// # Errors
    /// If the frame lies on a device, its pixel format is none that this program reads, or its size is 0 or more than
    /// [`Format::MAX_SIDE`].
    pub fn new(video: &Video, rate: Rational, time_base: Rational) -> Result<Self> {
        let fields = fields(video)?;
        let Some(stored) = Stored::from_number(fields.format) else {
            bail!("frames of {:?} cannot be filtered; scale them to a planar pixel format first", video.format());
        };
        let (width, height) = (video.width() as usize, video.height() as usize);
        let mut format = Format::try_new(stored.pixel(), width, height, rate)?;
        format.colour = super::colour::of_frame(fields);
        if format.colour.range == Range::Unspecified && stored.is_full_range() {
            format.colour.range = Range::Full;
        }
        format.time_base = time_base;
        format.aspect = rational(fields.sample_aspect_ratio);
        format.fields = fields_order(fields);
        format.check()?;
        let format = Arc::new(format);
        let converter = Converter::to_planar(stored, &format)?;
        Ok(Self { stored, format, converter, pool: Pool::heap(), next: 0 })
    }

    /// The format of the frames that [`VideoAdapter::frame`] makes, from which an engine is built.
    pub fn format(&self) -> &Arc<Format> {
        &self.format
    }

    /// The next frame of the clip. Its number counts the calls from 0; its time is that of `video`, or where that has none as
    /// many units of the time base as its number. Side data and metadata travel with it.
    ///
    /// # Errors
    /// If it has another pixel format or size than the first, its planes lie outside its buffers, or memory runs out.
    pub fn frame(&mut self, video: Video) -> Result<Frame> {
        let number = self.next;
        let frame = self.turned(video).with_context(|| format!("take frame {number}"))?;
        self.next += 1;
        Ok(frame)
    }

    fn turned(&mut self, video: Video) -> Result<Frame> {
        let (format, size) = (fields(&video)?.format, (video.width() as usize, video.height() as usize));
        ensure!(
            Stored::from_number(format) == Some(self.stored) && size == (self.format.width, self.format.height),
            "it is {:?} {}x{}, and the first was {} {}x{}; make a new adapter for it",
            video.format(),
            size.0,
            size.1,
            self.stored.name(),
            self.format.width,
            self.format.height
        );
        let picture = Picture::from_video(video);
        let spans = spans(picture.raw(), self.stored)?;
        let timing = Timing {
            number: self.next,
            pts: picture.pts().or(known(picture.raw().pts)).unwrap_or(self.next as i64),
            duration: picture.duration(),
            fields: Some(picture.frame_fields()),
            attachment: Some(Arc::new(Carried { properties: Some(picture.properties()?), ..Carried::default() })),
            ..Timing::default()
        };
        match self.layout(picture.raw(), &spans) {
            Some(layout) => {
                let block = Block::lent(VideoMemory { picture, spans }, drop);
                Frame::from_block(self.format.clone(), timing, layout, Arc::new(block))
            }
            None => {
                let image = picture.image().context("it has no samples")?;
                Ok(self.converter.unpack_close(&image, &self.pool)?.freeze(timing))
            }
        }
    }

    /// Where the planes lie, each in a piece of its own, if engines can read them there.
    fn layout(&self, fields: &ffi::AVFrame, spans: &[Span<usize>]) -> Option<Layout> {
        let sample = self.format.pixel.sample.bytes();
        let is_apart = |one: &Span<usize>, other: &Span<usize>| one.end <= other.start || other.end <= one.start;
        let are_apart =
            spans.iter().enumerate().all(|(index, span)| spans[..index].iter().all(|other| is_apart(span, other)));
        if !self.stored.is_planar_native() || !are_apart {
            return None;
        }
        let plane = |(index, span): (usize, &Span<usize>)| {
            let stride = usize::try_from(fields.linesize[index]).ok()?;
            let is_aligned = span.start.is_multiple_of(sample) && stride.is_multiple_of(sample);
            let size = self.format.plane_size(index);
            is_aligned.then(|| PlaneLayout::new(0, stride / sample, size).in_piece(index))
        };
        spans.iter().enumerate().map(plane).collect::<Option<Vec<_>>>().map(Layout::new)
    }

    /// A frame for an encoder, a filter graph or a scaler of `ffmpeg-next`, over the same samples where their memory ends far
    /// enough behind the last row for FFmpeg, which reads whole vectors; else over a copy. FFmpeg sees them as read-only.
    /// Times are in the frame's time base; side data and metadata are those that came with it.
    ///
    /// # Errors
    /// If the frame lies on a device, FFmpeg has no pixel format for it, or memory runs out.
    pub fn video(frame: &Frame) -> Result<Video> {
        let format = frame.format();
        let stored = Stored::planar(format.pixel)
            .with_context(|| format!("FFmpeg has no pixel format for {}", format.pixel.name()))?;
        let carried = frame.timing.attachment.as_ref().and_then(Carried::of);
        let frame = roomy(frame, &Pool::heap())?;
        let mut picture = Picture::lend(&frame, stored, carried.and_then(|carried| carried.properties.as_ref()))?;
        picture.set_colour(format.colour);
        picture.set_time(frame.timing.pts, frame.timing.duration);
        Ok(picture.into_video())
    }
}

/// The samples of one of FFmpeg's frames, a piece for each plane.
struct VideoMemory {
    picture: Picture,
    /// Addresses of the planes, within the frame's buffers, no two of which share a byte.
    spans: Vec<Span<usize>>,
}

// SAFETY: `spans` found the planes within buffers that the frame refers to, which stay where they are for as long as it does.
// FFmpeg writes no buffer to which there are several references, and who gave the frame away has no other way to its
// samples. They are only read here.
unsafe impl Memory for VideoMemory {
    fn bytes(&self) -> &[u8] {
        self.piece(0).unwrap_or_default()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut []
    }

    fn piece(&self, index: usize) -> Option<&[u8]> {
        let span = self.spans.get(index)?;
        let start = self.picture.raw().data.get(index)?;
        // SAFETY: as above; the plane is as long as its span, and borrowed with `self`.
        Some(unsafe { slice::from_raw_parts(*start, span.len()) })
    }

    fn pieces_mut(&mut self) -> Vec<&mut [u8]> {
        self.spans.iter().map(|_| <&mut [u8]>::default()).collect()
    }
}

/// FFmpeg's structure.
///
/// # Errors
/// If memory ran out where the frame was made.
fn fields(video: &Video) -> Result<&ffi::AVFrame> {
    // SAFETY: a frame is alive while it is borrowed. `ffmpeg-next` lets its pointer be null where memory ran out.
    unsafe { video.as_ptr().as_ref() }.context(NoMemory)
}

/// The addresses from the first byte of each plane to the last.
///
/// # Errors
/// If one lies outside the frame's buffers: the safe functions of `ffmpeg-next` can change a frame's size alone.
fn spans(fields: &ffi::AVFrame, stored: Stored) -> Result<Vec<Span<usize>>> {
    let rows = stored.rows(fields.width, fields.height);
    let used = rows.iter().enumerate().filter(|(_, (bytes, count))| *bytes > 0 && *count > 0);
    used.map(|(plane, (bytes, count))| {
        let start = fields.data[plane] as usize;
        let pitch = fields.linesize[plane];
        let reach = (count - 1).checked_mul(pitch.unsigned_abs() as usize).context("its rows are too far apart")?;
        // Rows may go upwards.
        let first =
            if pitch < 0 { start.checked_sub(reach).context("its rows begin before its memory")? } else { start };
        let span =
            first..first.checked_add(reach).and_then(|last| last.checked_add(*bytes)).context("too many rows")?;
        // SAFETY: a buffer that is not null is alive while its frame is.
        let mut buffers = fields.buf.iter().filter_map(|buffer| unsafe { buffer.as_ref() });
        let holds = |buffer: &ffi::AVBufferRef| {
            let begin = buffer.data as usize;
            begin <= span.start && span.end <= begin.saturating_add(buffer.size)
        };
        ensure!(buffers.any(holds), "plane {plane} is not within the frame's buffers");
        Ok(span)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use ffmpeg_next::format::Pixel;

    use super::*;

    /// A picture whose samples count up along each plane's memory.
    fn counted(pixel: Pixel, width: u32, height: u32) -> Video {
        let mut video = Video::new(pixel, width, height);
        for plane in 0..video.planes() {
            video.data_mut(plane).iter_mut().enumerate().for_each(|(at, byte)| *byte = (at * 7 + plane) as u8);
        }
        video.set_pts(Some(40));
        video
    }

    fn adapter(video: &Video) -> VideoAdapter {
        VideoAdapter::new(video, Rational::new(25, 1), Rational::new(1, 1000)).expect("an adapter")
    }

    fn rows(frame: &Frame) -> Vec<Vec<u8>> {
        let host = frame.host().expect("the host's");
        (0..frame.plane_count()).map(|plane| host.rows(plane).collect::<Vec<_>>().concat()).collect()
    }

    /// Bytes of the rows of a planar picture.
    fn stored(video: &Video, bytes: impl Fn(usize) -> (usize, usize)) -> Vec<Vec<u8>> {
        let row = |plane: usize, y: usize| &video.data(plane)[y * video.stride(plane)..][..bytes(plane).0];
        (0..video.planes())
            .map(|plane| (0..bytes(plane).1).map(|y| row(plane, y)).collect::<Vec<_>>().concat())
            .collect()
    }

    #[test]
    fn planar_samples_stay_where_they_are() {
        let sizes = [(Pixel::YUV420P, 1, 1), (Pixel::YUV422P10LE, 2, 0), (Pixel::GRAY8, 1, 0), (Pixel::GBRP, 1, 0)];
        for (pixel, bytes, shift) in sizes {
            let video = counted(pixel, 37, 5);
            let half = |length: usize, is_half: bool| if is_half { length.div_ceil(2) } else { length };
            let is_yuv = matches!(pixel, Pixel::YUV420P | Pixel::YUV422P10LE);
            let size = |plane: usize| (bytes * half(37, is_yuv && plane > 0), half(5, shift == 1 && plane > 0));
            let (expected, address) = (stored(&video, size), video.data(0).as_ptr());
            let mut adapter = adapter(&video);
            let frame = adapter.frame(video).expect("a frame");
            assert_eq!(rows(&frame), expected, "{pixel:?}");
            assert_eq!(frame.host().expect("the host's").bytes().as_ptr(), address, "{pixel:?} was copied");
            assert_eq!((frame.timing.pts, frame.timing.number), (40, 0));
            let again = VideoAdapter::video(&frame).expect("a picture");
            assert_eq!((stored(&again, size), again.format(), again.pts()), (expected, pixel, Some(40)));
        }
    }

    #[test]
    fn other_pixels_are_unpacked() {
        let video = counted(Pixel::RGB24, 5, 3);
        let pixel = video.data(0)[video.stride(0) + 6..][..3].to_vec();
        let frame = adapter(&video).frame(video).expect("a frame");
        let at = |plane: usize| frame.host().expect("the host's").plane::<u8>(plane).row(1)[2];
        assert_eq!([at(2), at(0), at(1)], *pixel);
    }

    /// Safe functions of `ffmpeg-next` change the size of a picture without changing its memory.
    #[test]
    fn planes_beyond_the_memory_are_refused() {
        let mut video = counted(Pixel::YUV420P, 64, 48);
        video.set_height(4800);
        let error = format!("{:#}", adapter(&video).frame(video).expect_err("an error"));
        assert!(error.contains("take frame 0: plane 0 is not within the frame's buffers"), "{error}");
        let empty = VideoAdapter::new(&Video::empty(), Rational::new(25, 1), Rational::new(1, 25)).err();
        assert!(format!("{:#}", empty.expect("an error")).contains("cannot be filtered"));
    }

    #[test]
    fn a_picture_of_another_size_is_refused() {
        let (first, other) = (counted(Pixel::NV12, 64, 48), counted(Pixel::NV12, 64, 50));
        let error = format!("{:#}", adapter(&first).frame(other).expect_err("an error"));
        assert!(error.contains("it is NV12 64x50, and the first was nv12 64x48"), "{error}");
    }

    /// What the picture said of itself comes back with it: colours, fields, and tags that are not known here.
    #[test]
    fn tags_travel() {
        let mut video = counted(Pixel::YUV420P, 16, 16);
        video.set_color_range(ffmpeg_next::color::Range::JPEG);
        video.set_color_space(ffmpeg_next::color::Space::BT709);
        let frame = adapter(&video).frame(video).expect("a frame");
        assert_eq!((frame.format().colour.range, frame.format().colour.matrix), (Range::Full, 1));
        let again = VideoAdapter::video(&frame).expect("a picture");
        assert_eq!(again.color_range(), ffmpeg_next::color::Range::JPEG);
        assert_eq!(again.color_space(), ffmpeg_next::color::Space::BT709);
    }
}
