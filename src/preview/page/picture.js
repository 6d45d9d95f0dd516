// The canvases of before, after and their difference, of the size in pixels that frames have after the chain.

import { Painter } from './colour.js';
import { byId } from './dom.js';

/** A canvas that holds a picture of a clip. */
class Sheet {
  constructor(id) {
    this.canvas = byId(id);
    this.context = this.canvas.getContext('2d', { alpha: false });
  }

  /** Makes it a picture of this size. */
  resize(width, height) {
    Object.assign(this.canvas, { width, height });
    this.image = this.context.createImageData(width, height);
    this.pixels = new Int32Array(this.image.data.buffer);
    /** Of which frame `pixels` are, and how many of its rows. */
    this.painted = { frame: null, rows: 0 };
  }

  /** Makes colours of the first rows of a frame, as far as that has not been done. */
  paint(painter, frame, rows) {
    if (this.painted.frame !== frame) this.painted = { frame, rows: 0 };
    if (rows > this.painted.rows) this.painted.rows = painter.paint(frame, this.pixels, this.painted.rows, rows);
  }

  put() {
    this.context.putImageData(this.image, 0, 0);
  }
}

/** What is shown: a frame before and after. */
export class Picture {
  /** @type {{before: import('./film.js').Frame, after: import('./film.js').Frame}|null} */
  shown = null;
  gain = 8;
  #hasDifference = false;
  /** True to tone-map HDR. @type {boolean|null} */
  #tone = null;

  /** @param {any} clip as the program tells of it */
  constructor(clip) {
    this.clip = clip;
    [this.before, this.after, this.apart] = ['before', 'after', 'difference'].map(id => new Sheet(id));
    this.#fit(clip);
  }

  /** Makes room for frames of this shape. */
  #fit(shape) {
    this.shape = shape;
    this.painter = new Painter(shape, this.clip.height);
    this.#tone ??= this.painter.tone !== null;
    if (!this.#tone) this.painter.tone = null;
    for (const sheet of [this.before, this.after, this.apart]) sheet.resize(shape.width, shape.height);
  }

  /** Switches tone mapping of HDR. @param {boolean} isMapped */
  map(isMapped) {
    this.#tone = isMapped;
    const { shown } = this;
    this.#fit(this.shape);
    this.shown = null;
    if (shown) this.show(shown.before, shown.after);
  }

  /** Whether the difference is drawn. */
  set hasDifference(value) {
    this.#hasDifference = value;
    this.#difference();
  }

  /**
   * @param {import('./film.js').Frame} before @param {import('./film.js').Frame} after of the same shape
   * @returns {boolean} whether that is another than before
   */
  show(before, after) {
    const isOther = after.shape !== this.shape;
    if (isOther) this.#fit(after.shape);
    const last = isOther ? null : this.shown;
    this.shown = { before, after };
    for (const [sheet, frame, old] of [
      [this.before, before, last?.before],
      [this.after, after, last?.after],
    ]) {
      if (frame === old) continue;
      sheet.paint(this.painter, frame, this.painter.height);
      sheet.put();
    }
    this.#difference();
    return isOther;
  }

  /**
   * Makes colours of what has come of a frame that is about to be shown.
   * @param {'before'|'after'} side @param {import('./film.js').Frame} frame @param {number} rows how many are there
   */
  prepare(side, frame, rows) {
    if (this.painter.isFloat || frame.shape !== this.shape || frame === this.shown?.[side]) return;
    this[side].paint(this.painter, frame, rows);
  }

  /** @param {number} gain how many times the difference is shown, 1 to 64 */
  amplify(gain) {
    this.gain = gain;
    this.#difference();
  }

  #difference() {
    if (!this.#hasDifference || !this.shown) return;
    this.painter.difference(this.shown.before, this.shown.after, this.gain, this.apart.pixels);
    this.apart.put();
  }
}
