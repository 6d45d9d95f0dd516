// The canvases of before, after, the pinned chain and a difference, of the size in pixels that frames have after the chain.

import { Painter } from './colour.js';
import { byId } from './dom.js';

/**
 * Frames of one number: the original, that of the edited chain, and that of the pinned one, where there is one.
 * @typedef {{before: import('./film.js').Frame, after: import('./film.js').Frame, pinned?: import('./film.js').Frame}} Shot
 */

/** A canvas that holds a picture of a clip. */
class Sheet {
  /** @type {ImageData} */
  image;
  /** Those of `image`, red in the lowest byte. @type {Int32Array} */
  pixels;
  /** Of which frame `pixels` are, and how many of its rows. @type {{frame: import('./film.js').Frame|null, rows: number}} */
  painted;

  constructor(id) {
    this.canvas = byId(id);
    this.context = this.canvas.getContext('2d', { alpha: false });
  }

  /** Makes it a picture of this size. */
  resize(width, height) {
    Object.assign(this.canvas, { width, height });
    this.image = this.context.createImageData(width, height);
    this.pixels = new Int32Array(this.image.data.buffer);
    this.painted = { frame: null, rows: 0 };
    /** The frame on the canvas. */
    this.frame = null;
  }

  /** Makes colours of the first rows of a frame, as far as that has not been done. */
  paint(painter, frame, rows) {
    if (this.painted.frame !== frame) this.painted = { frame, rows: 0 };
    if (rows > this.painted.rows) this.painted.rows = painter.paint(frame, this.pixels, this.painted.rows, rows);
  }

  /** Puts a frame on the canvas. */
  show(painter, frame) {
    if (this.frame === frame) return;
    this.paint(painter, frame, painter.height);
    this.frame = frame;
    this.put();
  }

  put() {
    this.context.putImageData(this.image, 0, 0);
  }
}

/** Draws a frame of any size on a canvas. @param {import('./film.js').Frame} frame @param {any} clip @param {HTMLCanvasElement} canvas */
export function draft(frame, clip, canvas) {
  const { width, height } = frame.shape;
  Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = context.createImageData(width, height);
  new Painter(frame.shape, clip.height).paint(frame, new Int32Array(image.data.buffer), 0, height);
  context.putImageData(image, 0, 0);
}

/** The frames that are shown. */
export class Picture {
  /** @type {Shot|null} */
  shown = null;
  gain = 8;
  /** Names of the canvases that are seen. @type {string[]} */
  #seen = ['before', 'after'];
  /** Canvases and names of the sides, from left to right. @type {{pane: string, name: string}[]} */
  row = [];
  /** @type {Painter} */
  painter;
  /** True to tone-map HDR. @type {boolean|null} */
  #tone = null;

  /** @param {any} clip as the program tells of it */
  constructor(clip) {
    this.clip = clip;
    this.sheets = Object.fromEntries(['before', 'after', 'pinned', 'difference'].map(id => [id, new Sheet(id)]));
    this.#fit(clip);
  }

  /** Makes room for frames of this shape. */
  #fit(shape) {
    this.shape = shape;
    this.painter = new Painter(shape, this.clip.height);
    this.#tone ??= this.painter.tone !== null;
    if (!this.#tone) this.painter.tone = null;
    for (const sheet of Object.values(this.sheets)) sheet.resize(shape.width, shape.height);
  }

  /** Switches tone mapping of HDR. @param {boolean} isMapped */
  map(isMapped) {
    this.#tone = isMapped;
    this.#fit(this.shape);
    this.#paint();
  }

  /**
   * Paints what is seen.
   * @param {string[]} seen names of canvases @param {{pane: string, name: string}[]} row the sides: the difference is that of the outer ones
   */
  see(seen, row) {
    this.#seen = seen;
    this.row = row;
    this.#paint();
  }

  /** @param {string} name of a canvas @returns {import('./film.js').Frame|undefined} the frame of it */
  frame(name) {
    return this.shown?.[name];
  }

  /** @param {Shot} shot frames of the same shape @returns {boolean} whether that is another than before */
  show(shot) {
    const isOther = shot.after.shape !== this.shape;
    if (isOther) this.#fit(shot.after.shape);
    this.shown = shot;
    this.#paint();
    return isOther;
  }

  /** Takes the frame of the edited chain for that of the pinned one, which is the same chain. */
  pin() {
    if (this.shown) this.shown = { ...this.shown, pinned: this.shown.after };
  }

  /** Exchanges the frames of the edited chain and the pinned one. */
  exchange() {
    const { shown } = this;
    if (shown?.pinned && shown.pinned.shape === shown.after.shape) this.shown = { ...shown, after: shown.pinned, pinned: shown.after };
    this.#paint();
  }

  /**
   * Makes colours of what has come of a frame that is about to be shown.
   * @param {'before'|'after'|'pinned'} side @param {import('./film.js').Frame} frame @param {number} rows how many are there
   */
  prepare(side, frame, rows) {
    if (!this.#seen.includes(side) || this.painter.isFloat || frame.shape !== this.shape || frame === this.shown?.[side]) return;
    this.sheets[side].paint(this.painter, frame, rows);
  }

  /** @param {number} gain how many times the difference is shown, 1 to 64 */
  amplify(gain) {
    this.gain = gain;
    this.#paint();
  }

  /** The first and the last side. */
  get outer() {
    return [this.row[0], this.row[this.row.length - 1]];
  }

  /** Frames of the outer sides, once both are there. @returns {[import('./film.js').Frame, import('./film.js').Frame]|null} */
  get ends() {
    const ends = this.outer.map(side => this.frame(side?.pane));
    return ends.every(frame => frame?.shape === this.shape) ? /** @type {any} */ (ends) : null;
  }

  #paint() {
    if (!this.shown) return;
    for (const name of this.#seen) {
      const frame = this.frame(name);
      if (frame?.shape === this.shape) this.sheets[name].show(this.painter, frame);
    }
    const ends = this.ends;
    if (!this.#seen.includes('difference') || !ends) return;
    this.painter.difference(...ends, this.gain, this.sheets.difference.pixels);
    this.sheets.difference.put();
  }
}
