// The dialog that runs the whole clip: its output, its progress, what sets its pace, and a way to stop it.

import { Latest, ROOT, read, send } from './api.js';
import { byId, make, say } from './dom.js';

/** Milliseconds between questions how far it is. */
const REST = 300;

/** The job. */
export class Job {
  #isWatched = false;
  /** Last proposed output; typed text is not replaced. */
  #proposed = { output: '', codec: '' };
  #asking = new Latest();
  /** True while a job runs. */
  #isRunning = false;
  /** Fault of the output, if known. */
  #fault = '';

  /**
   * @param {any} clip @param {import('./chain.js').Chain} chain
   * @param {{written: () => void, compared: (result: any) => void}} calls `written` hears that a clip was written, `compared` that this one is
   *   to be compared with the original
   */
  constructor(clip, chain, calls) {
    this.chain = chain;
    this.calls = calls;
    this.clip = clip;
    const part = name => byId(`job-${name}`);
    this.output = part('output');
    this.overwrite = part('overwrite');
    this.bar = part('progress');
    this.message = part('message');
    this.start = part('start');
    this.stop = part('stop');
    this.compare = part('compare');
    this.codec = part('codec');
    this.pixels = part('pix-fmt');
    this.quality = part('quality');
    this.lossless = part('lossless');
    this.outlook = part('outlook');
    this.output.value = clip.output;
    this.#proposed.output = clip.output;
    byId('open-job').addEventListener('click', () => this.open());
    this.start.addEventListener('click', () => this.#run());
    this.compare.addEventListener('click', () => this.#compare());
    this.stop.addEventListener('click', () => send('stop', {}).catch(error => this.#tell(error.message, true)));
    for (const field of [this.output, this.overwrite, this.codec, this.pixels, this.quality, this.lossless])
      field.addEventListener('input', () => this.#look());
  }

  /** Options of a run. */
  get errand() {
    return {
      chain: this.chain.text,
      output: this.output.value,
      overwrite: this.overwrite.checked,
      codec: this.codec.value || null,
      pix_fmt: this.pixels.value || null,
      quality: Number(this.quality.value) || null,
      lossless: this.lossless.checked,
    };
  }

  /** Command-line options for the controls. @returns {string[]} */
  get options() {
    const { codec, pix_fmt, quality, lossless, overwrite } = this.errand;
    const named = { '--codec': codec, '--pix-fmt': pix_fmt, '--quality': lossless ? null : quality };
    const words = Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [name, String(value)]));
    return [...words, ...(lossless ? ['--lossless'] : []), ...(overwrite ? ['-y'] : [])];
  }

  /** Shows the dialog, and how far the job is. */
  open() {
    byId('job').showModal();
    this.#propose();
    this.#watch();
  }

  #tell(text, isError = false) {
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.classList.toggle('error', isError);
  }

  /** Proposes an output that the program accepts, unless one was typed. */
  async #propose() {
    const old = this.#proposed;
    if (this.output.value === old.output && this.codec.value === old.codec) {
      const { output, codec } = await send('proposal', { text: this.chain.text }).catch(() => old);
      if (this.output.value === old.output && this.codec.value === old.codec) {
        this.#proposed = { output, codec: codec ?? '' };
        [this.output.value, this.codec.value] = [output, codec ?? ''];
      }
    }
    this.#look();
  }

  /** Shows the forecast of the job. */
  #look() {
    this.#asking.run(async () => {
      if (this.#isRunning) return;
      const { lines, fault } = await send('outlook', this.errand).catch(error => ({ lines: [], fault: error.message }));
      if (this.#isRunning) return;
      this.outlook.replaceChildren(...lines.map(line => make('li', {}, line)));
      const isTold = this.message.classList.contains('error') && this.message.textContent === this.#fault;
      if (fault) this.#tell(fault, true);
      else if (isTold) this.#tell('');
      this.#fault = fault ?? '';
    });
  }

  async #run() {
    try {
      await send('run', this.errand);
      this.#watch();
    } catch (error) {
      this.#tell(error.message, true);
    }
  }

  /** Has the clip that was written compared with the original. */
  async #compare() {
    try {
      const { place } = await send('result', {});
      const [result, { frames }] = [await read(`${ROOT}clips/${place}/clip`), await read('run')];
      byId('job').close();
      this.calls.compared({ ...result, place, written: frames });
    } catch (error) {
      this.#tell(error.message, true);
    }
  }

  /** Shows how far it is until it is over. */
  async #watch() {
    if (this.#isWatched) return;
    this.#isWatched = true;
    let wasRunning = false;
    try {
      for (let state = await read('run'); ; state = await read('run')) {
        this.#show(state);
        if (state.state !== 'running') {
          // The program lists it, and opens it anew where a tab shows what it replaced.
          if (wasRunning && state.state === 'done') await send('result', {}).then(this.calls.written, () => {});
          if (wasRunning && !byId('job').open) say(this.message.textContent, state.state === 'failed');
          break;
        }
        wasRunning = true;
        await new Promise(resolve => setTimeout(resolve, REST));
      }
    } catch (error) {
      this.#tell(error.message, true);
    }
    this.#isWatched = false;
  }

  #show({ state, input, frames, of, fps, pace, seconds, message }) {
    const isRunning = state === 'running';
    this.#isRunning = isRunning;
    this.start.disabled = isRunning;
    this.stop.disabled = !isRunning;
    this.compare.hidden = state !== 'done' || input !== this.clip.input;
    this.bar.max = of || 1;
    this.bar.value = state === 'idle' ? 0 : frames;
    byId('open-job').textContent = isRunning ? `Running ${Math.floor((100 * frames) / (of || 1))} %` : 'Run…';
    const whose = input && input !== this.clip.input ? `${input}: ` : '';
    const rate = `${whose}${frames} of ${of || '?'} frames, ${fps.toFixed(fps < 10 ? 1 : 0)} a second, ${seconds.toFixed(1)} s`;
    if (isRunning) this.#tell(`${rate}${pace ? `; ${pace} sets the pace` : ''}`);
    else if (state !== 'idle')
      this.#tell(
        [{ done: 'Done', failed: 'Failed', stopped: 'Stopped' }[state], state === 'failed' ? whose : rate, message].filter(Boolean).join('. '),
        state === 'failed',
      );
  }
}
