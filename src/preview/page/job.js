// The dialog that runs the whole clip: its progress, what sets its pace, and a way to stop it.

import { read, send } from './api.js';
import { byId, say } from './dom.js';

/** Milliseconds between questions how far it is. */
const REST = 300;

/** The job. */
export class Job {
  #isWatched = false;

  /** @param {any} clip @param {import('./chain.js').Chain} chain */
  constructor(clip, chain) {
    this.chain = chain;
    [this.output, this.overwrite, this.bar, this.message, this.start, this.stop] = [
      'output',
      'overwrite',
      'progress',
      'message',
      'start',
      'stop',
    ].map(name => byId(`job-${name}`));
    this.output.value = clip.output;
    byId('open-job').addEventListener('click', () => this.open());
    this.start.addEventListener('click', () => this.#run());
    this.stop.addEventListener('click', () => send('stop', {}).catch(error => this.#tell(error.message, true)));
  }

  /** Shows the dialog, and how far the job is. */
  open() {
    byId('job').showModal();
    this.#watch();
  }

  #tell(text, isError = false) {
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.classList.toggle('error', isError);
  }

  async #run() {
    try {
      await send('run', { chain: this.chain.good.text, output: this.output.value, overwrite: this.overwrite.checked });
      this.#watch();
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

  #show({ state, frames, of, fps, pace, seconds, message }) {
    const isRunning = state === 'running';
    this.start.disabled = isRunning;
    this.stop.disabled = !isRunning;
    this.bar.max = of || 1;
    this.bar.value = state === 'idle' ? 0 : frames;
    byId('open-job').textContent = isRunning ? `Running ${Math.floor((100 * frames) / (of || 1))} %` : 'Run…';
    const rate = `${frames} of ${of || '?'} frames, ${fps.toFixed(fps < 10 ? 1 : 0)} a second, ${seconds.toFixed(1)} s`;
    if (isRunning) this.#tell(`${rate}${pace ? `; ${pace} sets the pace` : ''}`);
    else if (state !== 'idle')
      this.#tell(
        [{ done: 'Done', failed: 'Failed', stopped: 'Stopped' }[state], rate, message].filter(Boolean).join('. '),
        state === 'failed',
      );
  }
}
