//! Summary of repetitions: a run as it is written down.

use anyhow::{Result, bail, ensure};

use super::{Opened, Runner, Subject};
use crate::bench::bound::{self, Use};
use crate::bench::cpu::{CountedCpu, CpuTime};
use crate::bench::evidence::Evidence;
use crate::bench::repetition::{Cost, Detail, pass, stages};
use crate::bench::schema::{FirstCosts, Limits, Overhead, PassTimes, Repetition, Run};
use crate::bench::statistic::{Distribution, Estimate, median};
use crate::bench::verdict;
use crate::bench::work::{Work, roofline};
use crate::thread::cores;

impl Runner {
    /// Brings the times together.
    ///
    /// # Errors
    /// If nothing was measured.
    pub fn result(&self, limits: &Limits) -> Result<Run> {
        let (Some(opened), Some(first)) = (&self.opened, &self.first) else { bail!("nothing was run") };
        let costs: Vec<&Cost> = if self.plain.is_empty() {
            self.details.iter().map(|detail| &detail.cost).collect()
        } else {
            self.plain.iter().collect()
        };
        let repetitions: Vec<Repetition> = costs.iter().map(|cost| cost.repetition()).collect();
        ensure!(repetitions.iter().all(|repetition| repetition.frames > 0), "the clip has no frames to measure");
        let rates: Vec<f64> = repetitions.iter().map(|one| one.frames as f64 / one.seconds).collect();
        let fps = Estimate::of(&rates);
        let is_decoded_on_gpu = opened.is_decoded_on_gpu();
        // Copies of what is made of one frame that comes in are timed together.
        let copies = opened.traffic.of_incoming(opened.format.packed_bytes());
        let stages = stages(&self.details, limits, copies, is_decoded_on_gpu);
        let (cores, share) = (cores(), median(&costs.iter().map(|cost| cost.cores).collect::<Vec<_>>()));
        let others = Cost::others(&costs);
        let cpu = self.cpu(share * cores as f64, others);
        let measured = self.alone.clone().unwrap_or_default();
        let (alone, without) = (&measured.alone[..], &measured.without[..]);
        let evidence = Evidence { fps: fps.mean, stages: &stages, cpu: cpu.as_ref(), alone, without };
        let is_job = matches!(self.subject, Subject::Job);
        let predictions = if is_job { evidence.predictions() } else { Vec::new() };
        let bounds = bound::bounds(
            &Use {
                fps: fps.mean,
                traffic: opened.traffic,
                work: &opened.work,
                stages: &stages,
                alone,
                is_job,
                pipes: opened.pipes,
                // Stages that may not use all cores cannot come near that limit.
                cores: if self.request.threads.is_below(cores) { 0.0 } else { share },
                gpus: opened.gpus.len(),
                is_decoded_on_gpu,
            },
            limits,
        );
        let total = |of: fn(&Work) -> u64| opened.work.iter().map(|work| work.runs * of(work) as f64).sum::<f64>();
        let pixels = (opened.output.width * opened.output.height) as f64;
        let [format, output_format] = [&opened.format, &opened.output].map(|format| format.to_string());
        let again = |of: fn(&Detail) -> f64| median(&self.details.iter().map(of).collect::<Vec<_>>());
        let open_s = |detail: &Detail| detail.cost.open_s;
        let frame_s = |detail: &Detail| detail.timeline.first_frame_us / 1e6;
        let mut run = Run {
            chain: self.request.chain.join(","),
            input: match self.subject {
                Subject::Job => self.request.input.clone(),
                Subject::Stage(_) => "synthetic".to_owned(),
            },
            output: self.request.output.clone(),
            output_format: (output_format != format).then_some(output_format),
            format,
            backend: opened.backend.clone(),
            gpus: opened.gpus.clone(),
            gain: None,
            lead_frames: self.lead,
            megapixel_s: fps.mean * pixels / 1e6,
            gb_s: fps.mean * total(|work| work.bytes) / 1e9,
            gop_s: fps.mean * total(|work| work.operations) / 1e9,
            verdict: verdict::sentence(&stages, cpu.as_ref(), &predictions, fps.mean),
            remarks: verdict::remarks(&repetitions, &fps, others),
            stages,
            alone: alone.to_vec(),
            predictions,
            cpu: None,
            latency: Distribution::of_us(
                self.details.iter().flat_map(|detail| detail.timeline.latency_us.iter().copied()),
            ),
            slowest: self.slowest.clone(),
            passes: self.passes(opened, limits),
            bounds,
            overhead: self.overhead(),
            first: FirstCosts {
                open_s: open_s(first),
                open_again_s: again(open_s),
                frame_s: frame_s(first),
                frame_again_s: again(frame_s),
            },
            repetitions,
            fps,
        };
        run.remarks.extend(cpu.as_ref().and_then(CpuTime::remark));
        let fault = self.alone.as_ref().err();
        run.remarks.extend(fault.map(|fault| format!("the stages alone were not measured: {fault}")));
        run.remarks.extend(bound::faults(&run));
        run.cpu = cpu;
        Ok(run)
    }

    /// CPU time by stage, where the whole program used so many cores, and others so many.
    fn cpu(&self, used: f64, others: Option<f64>) -> Option<CpuTime> {
        let counted: Vec<CountedCpu> = self.details.iter().filter_map(|detail| detail.cpu.clone()).collect();
        CpuTime::of(&counted, cores(), used, others)
    }

    fn passes(&self, opened: &Opened, limits: &Limits) -> Vec<PassTimes> {
        let roof = roofline(limits);
        let times =
            |index: usize| self.details.iter().flat_map(move |detail| detail.timeline.passes[index].iter().copied());
        let both = opened.passes.iter().zip(&opened.work).enumerate();
        // One that only repeats and drops frames takes no time.
        let both = both.filter(|(_, (_, work))| work.runs > 0.0);
        both.map(|(index, (name, work))| pass(name, work, Distribution::of_us(times(index)), &roof)).collect()
    }

    /// What measuring costs, if each repetition was run twice.
    fn overhead(&self) -> Option<Overhead> {
        let pairs = self.details.iter().map(|detail| &detail.cost).zip(&self.plain);
        let ratios = |of: fn(&Cost) -> f64| {
            let ratios: Vec<f64> = pairs.clone().map(|(with, without)| of(with) / of(without).max(1e-9)).collect();
            let estimate = Estimate::of(&ratios);
            [estimate.median, estimate.min, estimate.max]
        };
        let (time, processor_time) = (ratios(|cost| cost.seconds), ratios(|cost| cost.processor_s));
        (!self.plain.is_empty()).then_some(Overhead { pairs: self.plain.len(), time, processor_time })
    }
}
