// Time: the slider with thumbnails and cuts, stepping, and the range of the loop.

import { bytes, read } from './api.js';
import { byId, make, say } from './dom.js';

/** Half the width of a slider's thumb, which its track is shorter by on either side. */
const THUMB = 8;

/** Waits, and until the page is seen: a hidden one keeps no clip open. @param {number} milliseconds */
async function visible(milliseconds) {
  do await new Promise(resolve => setTimeout(resolve, milliseconds));
  while (document.hidden);
}

/** Which frame is shown, out of how many. */
export class Timeline {
  frame = 0;
  /** How many there are. */
  frames = 0;
  #cuts = [];
  #strip = { every: 1, width: 96, height: 54, ready: 0, keys: [], done: false };
  /** @type {Map<number|string, Promise<ImageBitmap>>} by the number of the frame, or by `key` and the index of a key frame */
  #thumbs = new Map();

  /**
   * @param {any} clip @param {(frame: number) => void} moved hears of the frame that is wanted
   * @param {(clip: any) => void} heard gets new facts of the clip
   */
  constructor(clip, moved, heard) {
    this.heard = heard;
    this.rate = clip.rate;
    this.moved = moved;
    this.slider = byId('frame');
    this.clock = byId('clock');
    this.field = byId('goto');
    this.field.addEventListener('keydown', event => {
      if (event.key === 'Enter') this.#jump();
      if (event.key === 'Enter' || event.key === 'Escape') {
        this.field.value = '';
        byId('stage').focus({ preventScroll: true });
      }
    });
    this.from = byId('loop-from');
    this.to = byId('loop-to');
    this.loop = byId('loop');
    this.canvas = byId('thumbs');
    this.resize(clip.frames);
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    const steps = { first: () => 0, back: () => this.frame - 1, on: () => this.frame + 1, last: () => this.frames - 1 };
    for (const [id, to] of Object.entries(steps)) byId(id).addEventListener('click', () => this.go(to()));
    new ResizeObserver(() => this.#draw()).observe(this.canvas);
    if (!clip.settled) this.#follow();
    this.#look();
  }

  /** @param {number} frames how many there are */
  resize(frames) {
    const isWhole = this.frames === 0 || Number(this.to.value) === this.frames - 1;
    this.frames = Math.max(1, frames);
    for (const field of [this.slider, this.from, this.to]) field.max = String(this.frames - 1);
    if (isWhole) this.to.value = String(this.frames - 1);
    if (this.frame >= this.frames) this.go(this.frames - 1);
    this.#mark();
    this.tell();
  }

  /** Wants this frame, or the nearest that there is. @param {number} frame */
  go(frame) {
    const wanted = Math.min(this.frames - 1, Math.max(0, frame));
    this.set(wanted);
    this.moved(wanted);
  }

  /** Shows that this frame is there. @param {number} frame */
  set(frame) {
    this.frame = frame;
    this.slider.value = String(frame);
    this.tell();
  }

  /** Goes to the frame or the time that was typed. */
  #jump() {
    const text = this.field.value.trim();
    if (text === '') return;
    const [, hours, minutes, seconds] = text.match(/^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?|\.\d+)s?$/) ?? [];
    const isFrame = /^#?\d+$/.test(text);
    if (!isFrame && (seconds === undefined || !this.rate)) {
      say(`"${text}" is no frame and no time; type 120, 1:02.5 or 3s`, true);
      return;
    }
    const time = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
    const frame = isFrame ? Number(text.replace('#', '')) : Math.floor(time * this.rate + 1e-6);
    if (frame >= this.frames) say(`the clip ends at frame ${this.frames - 1}`);
    this.go(frame);
  }

  /** The cut before (-1) or behind (1) this frame, or an end. @param {number} by */
  cut(by) {
    if (this.#cuts.length === 0) {
      say(this.#strip.done ? 'No cuts in this clip' : 'No cuts found yet; the clip is still being searched');
      return;
    }
    const cuts = [0, ...this.#cuts, this.frames - 1];
    this.go((by > 0 ? cuts.find(cut => cut > this.frame) : cuts.findLast(cut => cut < this.frame)) ?? this.frame);
  }

  /** The frames that play: the loop's, in order, or all. */
  get range() {
    if (!this.loop.checked) return { from: 0, to: this.frames - 1, isLoop: false };
    const within = field => Math.min(this.frames - 1, Math.max(0, Math.floor(Number(field.value)) || 0));
    const ends = [within(this.from), within(this.to)].sort((a, b) => a - b);
    return { from: ends[0], to: ends[1], isLoop: true };
  }

  /** Begins or ends the loop here. @param {'from'|'to'} end */
  bound(end) {
    this[end].value = String(this.frame);
    this.loop.checked = true;
    this.#mark();
  }

  /** @param {number} [time] of the frame, in seconds, where it is known */
  tell(time) {
    const seconds = time ?? (this.rate ? this.frame / this.rate : null);
    const text = seconds === null ? '' : ` · ${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;
    this.clock.textContent = `${this.frame} / ${this.frames - 1}${text}`;
    this.slider.setAttribute('aria-valuetext', `frame ${this.frame} of ${this.frames - 1}`);
  }

  /** Asks how many frames there are until that does not change any more, or nobody answers. */
  async #follow() {
    let clip;
    do {
      await visible(500);
      clip = await read('clip').catch(() => null);
      if (clip) {
        this.resize(clip.frames);
        this.heard(clip);
      }
    } while (clip && !clip.settled);
  }

  /** Looks for thumbnails and cuts until all are there, or nobody answers. */
  async #look() {
    for (;;) {
      const strip = await read('thumbs').catch(() => null);
      if (!strip) return;
      const isMore = strip.ready !== this.#strip.ready || strip.keys.length !== this.#strip.keys.length || strip.done !== this.#strip.done;
      this.#strip = strip;
      this.#cuts = strip.cuts;
      this.canvas.parentElement.classList.toggle('bare', strip.done && !strip.ready && !strip.keys.length);
      this.#mark();
      if (isMore) this.#draw();
      if (strip.done) return;
      await visible(this.#strip.ready ? 1000 : 250);
    }
  }

  #place(frame) {
    return `calc(${THUMB}px + (100% - ${2 * THUMB}px) * ${frame / Math.max(1, this.frames - 1)})`;
  }

  #mark() {
    const marks = this.#cuts.map(cut => {
      const mark = make('span', { className: 'cut', title: `Cut at frame ${cut}` });
      mark.style.left = this.#place(cut);
      return mark;
    });
    const { from, to, isLoop } = this.range;
    if (isLoop) {
      const band = make('span', { className: 'band' });
      Object.assign(band.style, { left: this.#place(from), right: `calc(100% - ${this.#place(to)})` });
      marks.push(band);
    }
    byId('marks').replaceChildren(...marks);
  }

  /** Shows the loop's range anew. */
  mark() {
    this.#mark();
  }

  /** @param {number} index @returns {Promise<ImageBitmap>} */
  #thumb(index) {
    return this.#kept(index * this.#strip.every, `thumbs/${index}`);
  }

  /** The thumbnail of the key frame next to a frame, for a place whose own is not there yet; null where there is none. */
  #nearby(frame) {
    const far = this.#strip.keys.map(key => Math.abs(key - frame));
    const index = far.indexOf(Math.min(...far));
    return index < 0 ? null : this.#kept(`key ${index}`, `thumbs/key/${index}`);
  }

  /** @param {number|string} name @param {string} path @returns {Promise<ImageBitmap>} */
  #kept(name, path) {
    const kept = this.#thumbs.get(name);
    if (kept) return kept;
    const thumb = this.#load(path);
    this.#thumbs.set(name, thumb);
    thumb.catch(() => this.#thumbs.delete(name));
    return thumb;
  }

  async #load(path) {
    const { width, height } = this.#strip;
    const rgb = await bytes(path);
    const image = new ImageData(width, height);
    for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4)
      image.data.set([rgb[from], rgb[from + 1], rgb[from + 2], 255], to);
    return createImageBitmap(image);
  }

  /** Draws as many thumbnails as there is room for, each that of the frame in its middle. */
  async #draw() {
    const { width, height, every, ready, done } = this.#strip;
    const [wide, high] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if ((!ready && !this.#strip.keys.length) || !wide || !high) return;
    const ratio = devicePixelRatio;
    if (this.canvas.width !== Math.round(wide * ratio))
      Object.assign(this.canvas, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    const context = this.canvas.getContext('2d');
    const count = Math.max(1, Math.ceil((wide * height) / (high * width)));
    const cell = this.canvas.width / count;
    await Promise.all(
      Array.from({ length: count }, async (_, slot) => {
        const frame = ((slot + 0.5) / count) * (this.frames - 1);
        const index = Math.round(frame / every);
        const isThere = index < ready || (done && ready > 0);
        const thumb = await (isThere ? this.#thumb(Math.min(index, ready - 1)) : this.#nearby(frame))?.catch(() => null);
        if (!thumb) return;
        // Cut at the sides where the cell is narrower than the thumbnail.
        const part = Math.min(1, cell / ((this.canvas.height * width) / height));
        context.drawImage(thumb, (width * (1 - part)) / 2, 0, width * part, height, slot * cell, 0, cell, this.canvas.height);
      }),
    );
  }
}
