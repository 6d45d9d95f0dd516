//! What a running job shows of itself with `--live`: lines of text, made anew for each moment. Drawing them is the
//! program's business.

use std::collections::VecDeque;
use std::fs;
use std::time::Duration;

use super::number::short;
use super::verdict;
use crate::gauge::GaugeReading;
use crate::pipeline::{LaneReading, Readings};

/// The screen of one run.
pub struct Screen {
    length: Option<u64>,
    /// The moment before, and the one before that.
    earlier: [(Readings, Duration); 2],
    /// Frames a second of each moment, the latest last.
    rates: VecDeque<f64>,
    /// What each of several GPUs had done, and when that was read.
    gpus: (Vec<LaneReading>, Duration),
    gpu_lines: Vec<String>,
    /// The same of several decoders.
    decoders: (Vec<GaugeReading>, Duration),
    decoder_line: Option<String>,
}

impl Screen {
    /// How often it should be drawn: twice a second.
    pub const PERIOD: Duration = Duration::from_millis(500);
    /// Moments of a minute.
    const MOMENTS: usize = 120;
    /// Columns of the graph and of the bars: with the words beside them no line is longer than 80.
    const COLUMNS: usize = 60;
    const BAR: usize = 30;

    /// A screen for a clip of `length` frames, if that is known.
    pub fn new(length: Option<u64>) -> Self {
        let (rates, gpus, gpu_lines, decoders, decoder_line) = Default::default();
        Self { length, earlier: Default::default(), rates, gpus, gpu_lines, decoders, decoder_line }
    }

    /// The lines of this moment; always as many. `at` is the time since the run started, `memory_bytes` what the
    /// program holds, where that is known.
    pub fn lines(&mut self, now: Readings, at: Duration, memory_bytes: Option<u64>) -> Vec<String> {
        let [mut last, mut before] = self.earlier;
        // The last moment of a run may be short, and tells little by itself: it goes with the one before.
        if at.saturating_sub(last.1) < Self::PERIOD / 2 {
            (last, before) = (before, before);
            self.rates.pop_back();
        } else {
            before = last;
        }
        let (earlier, earlier_at) = last;
        let seconds = at.saturating_sub(earlier_at).as_secs_f64().max(1e-3);
        let frames = now.encode.frames;
        let fps = frames.saturating_sub(earlier.encode.frames) as f64 / seconds;
        self.rates.push_back(fps);
        if self.rates.len() > Self::MOMENTS {
            self.rates.pop_front();
        }
        let mean = frames as f64 / at.as_secs_f64().max(1e-3);
        let place = match self.length {
            Some(length) => format!("frame {frames} of {}", length.max(frames)),
            None => format!("frame {frames}"),
        };
        let left = self
            .length
            .filter(|_| mean > 0.0)
            .map_or(String::new(), |length| format!(", {:.0} s left", length.saturating_sub(frames) as f64 / mean));
        let mut lines = vec![format!("{place}  {} fps now, {} on average{left}", short(fps), short(mean))];
        let stages = [
            ("decode", now.decode, earlier.decode),
            ("filter", now.filter, earlier.filter),
            ("encode", now.encode, earlier.encode),
        ];
        lines.extend(stages.iter().map(|(name, now, earlier)| stage(name, now, earlier, seconds)));
        let between = |one: &GaugeReading, other: &GaugeReading| one.frames.saturating_sub(other.frames);
        let (first, second) = (between(&now.decode, &now.filter), between(&now.filter, &now.encode));
        lines.push(format!("in flight  {first} frames from decode to filter, {second} from filter to encode"));
        let memory = memory_bytes.map_or("unknown".to_owned(), |bytes| format!("{} MB", short(bytes as f64 / 1e6)));
        lines.push(format!("memory  {memory}; pace: {}", verdict::described(now.pace_since(&earlier))));
        lines.push(self.graph());
        self.earlier = [(now, at), before];
        lines
    }

    /// A line for each of several GPUs; none where one filters.
    pub fn gpu_lines(&mut self, now: Vec<LaneReading>, at: Duration) -> &[String] {
        let (before, before_at) = &self.gpus;
        let seconds = at.saturating_sub(*before_at).as_secs_f64();
        // The last moment of a run may be short, and tells little by itself.
        if seconds >= Self::PERIOD.as_secs_f64() / 2.0 || self.gpu_lines.is_empty() {
            let line = |(index, lane): (usize, &LaneReading)| {
                let earlier = before.get(index).map_or_else(GaugeReading::default, |lane| lane.reading);
                let fps = lane.reading.frames.saturating_sub(earlier.frames) as f64 / seconds.max(1e-3);
                let part = |now: f64, earlier: f64| ((now - earlier) / seconds.max(1e-3)).clamp(0.0, 1.0);
                let busy = part(lane.reading.busy_s, earlier.busy_s);
                let starved = 100.0 * part(lane.reading.starved_s, earlier.starved_s);
                format!("GPU {:<2}  {}  starved {starved:>3.0} %  {} fps", lane.gpu, bar(busy), short(fps))
            };
            self.gpu_lines = now.iter().enumerate().map(line).collect();
            self.gpus = (now, at);
        }
        &self.gpu_lines
    }

    /// A line for several decoders; none where the decoding thread does all.
    pub fn decoder_line(&mut self, now: Vec<GaugeReading>, at: Duration) -> Option<&str> {
        let (before, before_at) = &self.decoders;
        let seconds = at.saturating_sub(*before_at).as_secs_f64();
        if !now.is_empty() && (seconds >= Self::PERIOD.as_secs_f64() / 2.0 || self.decoder_line.is_none()) {
            let parts = |of: fn(&GaugeReading) -> f64| -> Vec<f64> {
                let earlier = before.iter().map(of).chain(std::iter::repeat(0.0));
                now.iter()
                    .zip(earlier)
                    .map(|(now, earlier)| ((of(now) - earlier) / seconds.max(1e-3)).min(1.0))
                    .collect()
            };
            let mean = |parts: Vec<f64>| parts.iter().sum::<f64>() / parts.len() as f64;
            let busy = parts(|reading| reading.busy_s);
            let least = 100.0 * busy.iter().copied().fold(1.0, f64::min);
            let blocked = 100.0 * mean(parts(|reading| reading.blocked_s));
            let (count, busy) = (now.len(), bar(mean(busy)));
            let line = format!("{count} decoders  {busy}, least {least:>3.0} %  blocked {blocked:>3.0} %");
            (self.decoder_line, self.decoders) = (Some(line), (now, at));
        }
        self.decoder_line.as_deref()
    }

    /// The last minute as a row of bars.
    fn graph(&self) -> String {
        const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let most = self.rates.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let moments: Vec<f64> = self.rates.iter().copied().collect();
        let columns = moments.rchunks(Self::MOMENTS / Self::COLUMNS).rev().map(|moments| {
            let mean = moments.iter().sum::<f64>() / moments.len() as f64;
            BARS[((mean / most * BARS.len() as f64) as usize).min(BARS.len() - 1)]
        });
        format!("{:>60}  up to {} fps", columns.collect::<String>(), short(most))
    }
}

/// `filter  ██████████░░░░  74 %  starved 20 %  blocked 3 %`.
fn stage(name: &str, now: &GaugeReading, earlier: &GaugeReading, seconds: f64) -> String {
    let part = |now: f64, earlier: f64| ((now - earlier) / seconds).clamp(0.0, 1.0);
    let busy = part(now.busy_s, earlier.busy_s);
    format!(
        "{name}  {}  starved {:>3.0} %  blocked {:>3.0} %",
        bar(busy),
        100.0 * part(now.starved_s, earlier.starved_s),
        100.0 * part(now.blocked_s, earlier.blocked_s)
    )
}

/// `██████████░░░░  74 %`.
fn bar(part: f64) -> String {
    let full = (part * Screen::BAR as f64).round() as usize;
    format!("{}{}  {:>3.0} %", "█".repeat(full), "░".repeat(Screen::BAR - full), 100.0 * part)
}

/// What this program holds in memory, in bytes; `None` where the system does not tell.
pub fn memory_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
