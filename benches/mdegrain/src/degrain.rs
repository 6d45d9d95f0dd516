//! Super, Analyse for six frames around, Degrain: what VapourSynth runs for MDegrain3.

use std::num::NonZeroU8;

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use smallvec::SmallVec;
use zoomvtools::{
    Analyse, AnalyseOptions, ColorFamily, Degrain, DegrainOptions, FakeGroupOfPlanes, FrameView, MV_DEFAULT_SCD1,
    MV_DEFAULT_SCD2, PlaneSelection, ReduceFilter, Resolution, SampleType, SearchType, Subpel, SubpelMethod, Super,
    SuperOptions, VideoFormat, VideoInfo,
};

use super::picture::Picture;

/// Frames on either side.
const RADIUS: usize = 3;
/// How far the picture goes on beyond its edges, in luma samples: MVTools' default.
const PADDING: usize = 16;

/// What is typed, with MVTools' names; defaults are MVTools'.
#[derive(Args)]
pub struct Settings {
    /// How wide and high blocks are, in luma samples: 8 or 16 (blksize)
    #[arg(long, default_value = "8", value_parser = ["8", "16"])]
    block: String,

    /// How many samples of a block are its neighbour's too, half of it at most (overlap)
    #[arg(long, default_value = "0")]
    overlap: usize,

    /// Whether motion ends at samples (1) or between them too (2)
    #[arg(long, default_value = "2", value_parser = ["1", "2"])]
    pel: String,

    /// From which difference on a block counts nothing, a sum over 8x8 samples
    #[arg(long, default_value = "400")]
    thsad: u64,

    /// Above which difference a block has changed, a sum over 8x8 samples
    #[arg(long, default_value_t = MV_DEFAULT_SCD1)]
    thscd1: u64,

    /// Of how many of 256 blocks more have to have changed for a frame to count nothing
    #[arg(long, default_value_t = MV_DEFAULT_SCD2)]
    thscd2: u64,

    /// How motion is looked for: 2 logarithmic, 3 exhaustive, 4 hexagon, 5 uneven hexagons
    #[arg(long, default_value = "4", value_parser = clap::value_parser!(i64).range(0..=7))]
    search: i64,

    /// How far, or in how many steps (searchparam)
    #[arg(long, default_value = "2")]
    searchparam: i32,

    /// How much better motion has to be to be taken over motion that is known, in 1/256
    #[arg(long, default_value = "50", value_parser = clap::value_parser!(u16).range(0..=256))]
    pnew: u16,

    /// Look for motion, and weigh blocks, by luma alone (chroma=False)
    #[arg(long)]
    luma: bool,

    /// Let no vector cost more for being unlike its neighbours (truemotion=False, but for pnew)
    #[arg(long)]
    free: bool,
}

/// The filter for clips of one size and length.
pub struct MDegrain3 {
    super_filter: Super,
    /// Backward and forward for each distance, as Degrain wants them.
    searches: Vec<Analyse>,
    degrain: Degrain<RADIUS>,
    length: usize,
}

impl MDegrain3 {
    /// Width and height are luma samples, and `length` frames; what MVTools does not take is an error.
    pub fn new(width: usize, height: usize, length: usize, settings: &Settings) -> Result<MDegrain3> {
        let byte = NonZeroU8::MIN;
        let format = VideoFormat {
            color_family: ColorFamily::Yuv,
            sample_type: SampleType::Integer,
            bits_per_sample: byte.saturating_add(7),
            bytes_per_sample: byte,
            sub_sampling_w: 1,
            sub_sampling_h: 1,
        };
        let info = VideoInfo { format, resolution: Resolution { width, height }, num_frames: length };
        let block: usize = settings.block.parse().context("--block")?;
        let super_filter = Super::new(
            info,
            SuperOptions {
                hpad: PADDING,
                vpad: PADDING,
                pel: Subpel::try_from(settings.pel.parse::<i64>().context("--pel")?)?,
                levels: 0,
                chroma: true,
                sharp: SubpelMethod::Wiener,
                rfilter: ReduceFilter::Bilinear,
            },
        )?;
        let resolution = super_filter.output_resolution();
        let search = |delta: usize, is_backward: bool| {
            let options = AnalyseOptions {
                blk_size_x: Some(block),
                overlap_x: Some(settings.overlap),
                search_type: Some(SearchType::try_from(settings.search)?),
                search_param: Some(settings.searchparam),
                penalty_new: Some(settings.pnew),
                chroma: Some(!settings.luma),
                truemotion: !settings.free,
                delta_frame: delta as isize,
                is_backward,
                ..AnalyseOptions::default()
            };
            Analyse::new(VideoInfo { resolution, ..info }, super_filter.super_info(), options)
        };
        let both = (1..=RADIUS).flat_map(|delta| [(delta, true), (delta, false)]);
        let searches = both.map(|(delta, is_backward)| search(delta, is_backward)).collect::<Result<Vec<Analyse>>>()?;
        let found: SmallVec<_> = searches.iter().map(Analyse::analysis_data).collect();
        let options = DegrainOptions {
            thsad: settings.thsad,
            thsad_chroma: settings.thsad,
            plane: PlaneSelection::All,
            limit: 255,
            limit_chroma: 255,
            thscd1: settings.thscd1,
            thscd2: settings.thscd2,
        };
        let degrain = Degrain::new(info, resolution.width, super_filter.super_info(), found, options)?;
        Ok(MDegrain3 { super_filter, searches, degrain, length })
    }

    /// Memory for [`MDegrain3::filter`], a super frame for each frame.
    pub fn super_frames(&self) -> Result<Vec<Picture>> {
        let Resolution { width, height } = self.super_filter.output_resolution();
        (0..self.length).map(|_| Picture::black(width, height)).collect()
    }

    /// Filters a clip into `means`, on the threads of the pool in which it is called; blocks until all is done.
    pub fn filter(&self, frames: &[Picture], supers: &mut [Picture], means: &mut [Picture]) -> Result<()> {
        supers.par_iter_mut().zip(frames).with_max_len(1).try_for_each(|(into, frame)| {
            let pitch = into.pitch();
            self.super_filter.render_frame(&frame.view(), None, &mut into.planes_mut(), pitch)
        })?;
        let supers: Vec<FrameView<'_, u8>> = supers.iter().map(Picture::view).collect();
        means.par_iter_mut().zip(frames).enumerate().with_max_len(1).try_for_each(|(number, (into, frame))| {
            let mut vectors = Vec::with_capacity(2 * RADIUS);
            let mut references = Vec::with_capacity(2 * RADIUS);
            for search in &self.searches {
                let reference = search.reference_frame_number(number).and_then(|other| supers.get(other));
                let found = search.analyse_frame(number, &supers[number], reference, None, None)?;
                let mut blocks = FakeGroupOfPlanes::new(&found.analysis_data);
                blocks.update(&found.vectors.block_data)?;
                vectors.push(blocks);
                references.push(reference);
            }
            let pitch = into.pitch();
            self.degrain.render_frame(&frame.view(), &mut into.planes_mut(), pitch, &vectors, &references)
        })
    }
}
