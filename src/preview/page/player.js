// Playing: frames in batches, one batch ahead, at the clip's rate or what the machine reaches.

/** The most bytes of batches that are there at a time: one that is shown and one ahead, each before and after. */
const ROOM = 32 << 20;

/** About how many milliseconds a batch takes, so that slow chains show each frame soon. */
const SPAN = 400;

/** Milliseconds until a dropped request is repeated. */
const REST = 50;

/**
 * Frames one after the other, and the chain that made them.
 * @typedef {{first: number, chain: string, costs: any, shots: any[]}} Batch
 */

const tick = () => new Promise(resolve => requestAnimationFrame(resolve));

/** Plays a clip. */
export class Player {
  isOn = false;
  /** When the last frames were shown. @type {number[]} */
  #shown = [];
  /** How often it began or stopped: what was begun earlier is over. */
  #turn = 0;
  /** Frames of the next batch. */
  #batch = 1;
  /** Whether frames are dropped where the machine is too slow. */
  isRealTime = false;
  /** How many were. */
  #dropped = 0;
  /** A frame, and when it was shown: others are due by it. @type {{frame: number, at: number}|null} */
  #origin = null;
  /** Milliseconds that the last batch took. */
  #took = 0;

  /**
   * @param {import('./film.js').Film} film @param {import('./timeline.js').Timeline} timeline @param {import('./chain.js').Chain} chain
   * @param {{show: (number: number, shot: import('./picture.js').Shot, chain: string) => void, sources: () => Record<string, import('./film.js').Origin>, turned: (isOn: boolean) => void, told: (costs: any) => void, paced: (fps: number, dropped: number) => void,
   *   failed: (error: import('./api.js').Refusal) => void}} calls
   */
  constructor(film, timeline, chain, calls) {
    this.film = film;
    this.timeline = timeline;
    this.chain = chain;
    this.calls = calls;
    const most = Math.floor(ROOM / (4 * film.size));
    /** The most frames of a batch. */
    this.most = Math.max(1, Math.min(most, 24));
    /** Milliseconds from frame to frame. */
    this.pause = 1000 / (film.clip.rate || 25);
  }

  toggle() {
    if (this.isOn) this.stop();
    else this.#play();
  }

  stop() {
    if (!this.isOn) return;
    this.isOn = false;
    this.#turn++;
    this.calls.turned(false);
  }

  async #play() {
    const turn = ++this.#turn;
    const isOver = () => turn !== this.#turn;
    this.isOn = true;
    this.calls.turned(true);
    this.#shown = [];
    [this.#dropped, this.#origin] = [0, null];
    const { from, to } = this.timeline.range;
    const { frame } = this.timeline;
    try {
      /** @type {Promise<Batch>|null} */
      let next = this.#get(frame < from || frame >= to ? from : frame, 1);
      let due = performance.now();
      while (next) {
        const batch = await next;
        if (isOver()) return;
        next = this.#after(batch);
        // A refusal of what is ahead is met when it is its turn.
        next?.catch(() => {});
        for (let index = 0; index < batch.shots.length; index++) {
          do await tick();
          while (performance.now() < due - 4);
          if (isOver()) return;
          due = Math.max(due + this.pause, performance.now() - this.pause);
          this.#origin ??= { frame: batch.first + index, at: performance.now() };
          if (index === 0) this.calls.told(batch.costs);
          this.calls.show(batch.first + index, batch.shots[index], batch.chain);
          this.#count();
        }
      }
    } catch (error) {
      if (isOver()) return;
      this.calls.failed(error);
    }
    this.stop();
  }

  /** The batch behind this one, at the loop's start behind its end; null at the end of the clip. */
  #after({ first, shots }) {
    const { from, to, isLoop } = this.timeline.range;
    const start = first + shots.length;
    if (start <= to && shots.length > 0) return this.#get(this.#due(start, to), this.#batch);
    this.#origin = null;
    return isLoop ? this.#get(from, this.#batch) : null;
  }

  /** The frame that is due when the next batch has come, `start` where none is dropped. */
  #due(start, to) {
    if (!this.isRealTime || !this.#origin) return start;
    const { frame, at } = this.#origin;
    const due = frame + Math.floor((performance.now() + this.#took - at) / this.pause);
    const next = Math.max(start, Math.min(to, due));
    this.#dropped += next - start;
    return next;
  }

  /** Requests frames again if the program dropped the request, until playback stops. */
  async #get(first, most) {
    const turn = this.#turn;
    for (;;) {
      try {
        return await this.#take(first, most);
      } catch (error) {
        if (error.status !== 409 || turn !== this.#turn) throw error;
        await new Promise(resolve => setTimeout(resolve, REST));
      }
    }
  }

  async #take(first, most) {
    const count = Math.max(1, Math.min(most, this.timeline.range.to - first + 1));
    const began = performance.now();
    const { text } = this.chain.good;
    const sources = Object.entries(this.calls.sources());
    const taken = await Promise.all(
      sources.map(([name, origin]) => this.film.take(first, count, origin, `play-${name}`)),
    );
    this.#took = performance.now() - began;
    this.#batch = Math.max(1, Math.min(this.most, Math.floor((SPAN * count) / this.#took)));
    const least = Math.min(...taken.map(({ frames }) => frames.length));
    const shot = (_, index) => Object.fromEntries(sources.map(([name], at) => [name, taken[at].frames[index]]));
    const { costs } = taken[sources.findIndex(([name]) => name === 'after')];
    return { first, chain: text, costs, shots: Array.from({ length: least }, shot) };
  }

  #count() {
    this.#shown.push(performance.now());
    if (this.#shown.length > 25) this.#shown.shift();
    const passed = this.#shown[this.#shown.length - 1] - this.#shown[0];
    if (passed > 0) this.calls.paced(((this.#shown.length - 1) * 1000) / passed, this.#dropped);
  }
}
