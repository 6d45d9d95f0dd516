//! Decodes with `ffmpeg-next`, filters, and gives the frames back to `ffmpeg-next`: for programs that have such a loop.
//!
//!     cargo run --example decoded_frames -- in.mp4

use anyhow::{Context, Result};
use ffmpeg_next::frame::Video;
use ffmpeg_next::{codec, format, media};
use warpreel::libav::VideoAdapter;
use warpreel::prelude::*;

fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("name a video, such as in.mp4")?;
    let mut file = format::input(&path)?;
    let stream = file.streams().best(media::Type::Video).context("it has no video")?;
    let (index, rate, unit) = (stream.index(), stream.avg_frame_rate(), stream.time_base());
    let ratio = |ratio: ffmpeg_next::Rational| Rational::new(ratio.numerator(), ratio.denominator());
    let mut decoder = codec::Context::from_parameters(stream.parameters())?.decoder().video()?;
    let (mut filter, mut ready, mut frames) = (None, Vec::new(), 0);
    let mut packets = file.packets().filter(|(stream, _)| stream.index() == index);
    loop {
        match packets.next() {
            Some((_, packet)) => decoder.send_packet(&packet)?,
            None => decoder.send_eof()?,
        }
        let mut video = Video::empty();
        while decoder.receive_frame(&mut video).is_ok() {
            let video = std::mem::replace(&mut video, Video::empty());
            if filter.is_none() {
                let adapter = VideoAdapter::new(&video, ratio(rate), ratio(unit))?;
                let engine = Engine::builder("tmix=3,gaussian=1", adapter.format()).build()?;
                filter = Some((adapter, engine));
            }
            let Some((adapter, engine)) = &mut filter else { continue };
            engine.push(adapter.frame(video)?, &mut ready)?;
        }
        let is_end = decoder.receive_frame(&mut video) == Err(ffmpeg_next::Error::Eof);
        if let (true, Some((_, engine))) = (is_end, &mut filter) {
            engine.finish(&mut ready)?;
        }
        for frame in ready.drain(..) {
            let video = VideoAdapter::video(&frame)?;
            println!("{:?} {:?} {}x{}", video.pts(), video.format(), video.width(), video.height());
            frames += 1;
        }
        if is_end {
            break;
        }
    }
    println!("{frames} frames");
    Ok(())
}
