// A draft of a quarter of the width and height, shown while a chain takes long.

import { byId } from './dom.js';
import { draft } from './picture.js';

/** Milliseconds of a chain's filters from which on its pictures have a draft. */
const SLOW = 400;

/** What shows drafts over the picture of the edited chain. */
export class Rough {
  /** Names of filters that took long together. @type {Set<string>} */
  #slow = new Set();
  /** Timer of a picture of a chain that may take long. */
  #timer = 0;
  /** Counts pictures. */
  #number = 0;

  /**
   * @param {any} clip @param {import('./film.js').Film} film @param {import('./stage.js').Stage} stage
   * @param {() => void} failing hears that a picture takes long and should be asked for again, behind its draft
   */
  constructor(clip, film, stage, failing) {
    this.clip = clip;
    this.film = film;
    this.stage = stage;
    this.failing = failing;
    this.canvas = byId('rough');
  }

  /** Whether pictures of a chain have drafts. @param {any} good as the program answered */
  has(good) {
    return Boolean(good.draft) && this.#slow.has(names(good));
  }

  /** Whether a draft is shown. */
  get isShown() {
    return !this.canvas.hidden;
  }

  /**
   * Shows the draft of a picture that is about to be asked for, where there is one; done once it is there, so that its work goes before.
   * @param {number} number of the frame @param {any} good its chain @param {AbortController} stop ends the work on both
   */
  async begin(number, good, stop) {
    this.end();
    if (!good.draft) return;
    const own = this.#number;
    if (!this.has(good)) {
      this.#timer = setTimeout(() => {
        this.#slow.add(names(good));
        stop.abort();
        this.failing();
      }, SLOW);
      return;
    }
    // Without one the picture itself comes.
    const taken = await this.film.take(number, 1, { chain: good.draft }, 'draft', undefined, stop.signal).catch(() => null);
    if (taken && own === this.#number) this.#show(taken.frames[0]);
  }

  #show(frame) {
    draft(frame, this.clip, this.canvas);
    this.canvas.hidden = false;
    this.stage.rough(true);
  }

  /** Learns from a picture. @param {any} good its chain @param {any} costs what it took, as the program tells */
  learn(good, costs) {
    const took = (costs?.passes ?? []).reduce((sum, pass) => sum + pass.ms, 0);
    // One that was kept took nothing.
    if (took >= SLOW) this.#slow.add(names(good));
    else if (took > 0) this.#slow.delete(names(good));
  }

  /** Takes the draft away: the picture has come, or another one is wanted. */
  end() {
    clearTimeout(this.#timer);
    this.#number++;
    if (!this.isShown) return;
    this.canvas.hidden = true;
    this.stage.rough(false);
  }
}

/** Names of the filters of a chain. */
const names = good => good.calls.flatMap(call => (call.on ? [call.name] : [])).join();
