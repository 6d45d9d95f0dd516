//! Where a stream is cut so that several decoders work on it side by side: at key frames, by the times of packets alone.

/// A part of a stream for one decoder, which owns the pictures that are shown in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// When the key frame is shown at which decoding begins, and before which no picture belongs to it; `None` for the
    /// beginning of the file.
    pub from: Option<i64>,
    /// When the next segment begins; `None` for all to the end of the file.
    pub to: Option<i64>,
}

/// Cuts a stream into segments while its packets are read in their order in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segmenter {
    /// Packets that a segment has at least.
    least: u64,
    /// When the segment begins that is not complete.
    from: Option<i64>,
    /// How many packets it has.
    packets: u64,
    /// The latest time of all packets.
    latest: Option<i64>,
    /// Whether there will be no more seams.
    is_closed: bool,
}

impl Segmenter {
    /// Begins with a key frame that is shown at `from`, or with the beginning of the file. Segments have `least` packets at
    /// least, but for the last.
    pub fn new(from: Option<i64>, least: u64) -> Self {
        Self { least, from, packets: 0, latest: None, is_closed: false }
    }

    /// Takes note of the next packet; the segment that ends before it, if one does. A seam lies at a key frame before which
    /// no packet stands that is shown later: so whatever is shown from there on is decoded from there on. A packet
    /// without a time ends the cutting.
    pub fn packet(&mut self, pts: Option<i64>, is_key: bool) -> Option<Segment> {
        let Some(pts) = pts else {
            self.is_closed = true;
            return None;
        };
        let is_seam =
            !self.is_closed && is_key && self.packets >= self.least && self.latest.is_some_and(|late| late < pts);
        let complete = is_seam.then_some(Segment { from: self.from, to: Some(pts) });
        if is_seam {
            (self.from, self.packets) = (Some(pts), 0);
        }
        self.packets += 1;
        self.latest = self.latest.max(Some(pts));
        complete
    }

    /// Times begin again, so that they do not tell pictures apart any more: there will be no more seams.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// The last segment.
    pub fn end(self) -> Segment {
        Segment { from: self.from, to: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The segments of packets, which are times and whether they are key frames.
    fn cut(packets: &[(i64, bool)], least: u64) -> Vec<Segment> {
        let mut segmenter = Segmenter::new(None, least);
        let mut segments: Vec<_> = packets.iter().filter_map(|(pts, key)| segmenter.packet(Some(*pts), *key)).collect();
        segments.push(segmenter.end());
        segments
    }

    /// The times at which segments begin, but for the first.
    fn seams(packets: &[(i64, bool)], least: u64) -> Vec<i64> {
        cut(packets, least).iter().filter_map(|segment| segment.from).collect()
    }

    #[test]
    fn where_times_begin_again_all_is_one_segment() {
        let mut segmenter = Segmenter::new(None, 10);
        let seams: Vec<_> = (0..40).filter_map(|pts| segmenter.packet(Some(pts), pts % 10 == 0)).collect();
        assert_eq!(seams.len(), 3);
        segmenter.close();
        assert!((0..400).all(|pts| segmenter.packet(Some(pts), pts % 10 == 0).is_none()));
        assert_eq!(segmenter.end(), Segment { from: Some(30), to: None });
    }

    #[test]
    fn seams_lie_at_key_frames() {
        let packets: Vec<_> = (0..100).map(|pts| (pts, pts % 10 == 0)).collect();
        assert_eq!(seams(&packets, 1), (1..10).map(|ten| 10 * ten).collect::<Vec<_>>());
        assert_eq!(seams(&packets, 25), [30, 60, 90]);
        assert!(seams(&packets, 100).is_empty());
        assert!(seams(&packets[..1], 1).is_empty());
        assert_eq!(cut(&[], 1), [Segment { from: None, to: None }]);
    }

    /// Each segment begins where the one before ends, and no time belongs to two or to none.
    #[test]
    fn segments_lie_side_by_side() {
        // I2 B0 B1 P5 B3 B4 | I8 B6 B7 …: an open group of pictures.
        let shape = [(2, true), (0, false), (1, false), (5, false), (3, false), (4, false)];
        let packets: Vec<_> = (0..9).flat_map(|group| shape.map(|(pts, key)| (6 * group + pts, key))).collect();
        for least in 1..20 {
            let segments = cut(&packets, least);
            assert_eq!((segments[0].from, segments.last().and_then(|last| last.to)), (None, None));
            assert!(segments.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].to.is_some()), "{segments:?}");
            for pts in 0..54 {
                let owns = |segment: &&Segment| {
                    segment.from.is_none_or(|from| from <= pts) && segment.to.is_none_or(|to| pts < to)
                };
                assert_eq!(segments.iter().filter(owns).count(), 1, "{pts} of {segments:?}");
            }
        }
        assert_eq!(seams(&packets, 1)[0], 8, "leading pictures belong to the segment before");
    }

    /// What is shown later than a key frame and decoded before it could not be decoded from there on.
    #[test]
    fn a_key_frame_behind_a_later_picture_is_no_seam() {
        assert_eq!(seams(&[(0, true), (12, false), (10, true), (11, false), (20, true)], 1), [20]);
        // Times that begin anew, as where streams were put one behind the other.
        let twice: Vec<_> = (0..2).flat_map(|_| (0..40).map(|pts| (pts, pts % 10 == 0))).collect();
        assert_eq!(seams(&twice, 1), [10, 20, 30]);
        assert_eq!(cut(&twice, 1).last(), Some(&Segment { from: Some(30), to: None }));
    }

    #[test]
    fn a_packet_without_a_time_ends_the_cutting() {
        let mut segmenter = Segmenter::new(Some(5), 1);
        assert_eq!(segmenter.packet(Some(5), true), None);
        assert_eq!(segmenter.packet(Some(9), true), Some(Segment { from: Some(5), to: Some(9) }));
        assert_eq!(segmenter.packet(None, false), None);
        assert_eq!(segmenter.packet(Some(20), true), None);
        assert_eq!(segmenter.end(), Segment { from: Some(9), to: None });
    }
}
