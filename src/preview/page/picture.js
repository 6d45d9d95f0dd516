// The canvases of before, after, the pinned chain and a difference, of the size in pixels that frames have after the chain.

import { Painter } from './colour.js';
import { byId } from './dom.js';
import { Raster } from './raster.js';

/**
 * Frames of one number: the original, that of the edited chain, and that of the pinned one, where there is one.
 * @typedef {{before: import('./film.js').Frame, after: import('./film.js').Frame, pinned?: import('./film.js').Frame}} Shot
 */

/** @typedef {import('./colour.js').Span} Span */

/** A canvas that holds a picture of a clip: made by the graphics card, or else here. */
class Sheet {
  /** What is put on the canvas where the card does not make it. @type {ImageData|null} */
  image = null;
  /** Those of `image`, red in the lowest byte. @type {Int32Array} */
  pixels;
  /** Which frame is painted, how many of its rows, and which columns. @type {{frame: import('./film.js').Frame|null, rows: number, span: Span}} */
  painted;
  /** The frame on the canvas. @type {import('./film.js').Frame|null} */
  frame = null;
  /** @type {Painter} */
  painter;
  /** Columns on the canvas. @type {Span|null} */
  #shown = null;
  /** All columns. @type {Span} */
  #whole = { left: 0, right: 0 };

  /** @param {string} id @param {() => void} restored hears that what was painted is lost */
  constructor(id, restored) {
    this.canvas = byId(id);
    this.raster = Raster.of(this.canvas, () => {
      this.fit(this.painter);
      restored();
    });
    this.context = this.raster ? null : this.canvas.getContext('2d', { alpha: false });
  }

  /** Takes pictures of another shape. @param {Painter} painter */
  fit(painter) {
    const { width, height } = painter;
    this.painter = painter;
    if (this.raster && Math.max(width, height) > this.raster.longest) this.#leave();
    Object.assign(this.canvas, { width, height });
    this.raster?.fit(painter);
    this.image = this.raster && painter.isPlain ? null : new ImageData(width, height);
    if (this.image) this.pixels = new Int32Array(this.image.data.buffer);
    this.#whole = { left: 0, right: width };
    this.painted = { frame: null, rows: 0, span: this.#whole };
    this.frame = null;
  }

  /** Goes on without the card, with a canvas of its own kind. */
  #leave() {
    const canvas = this.canvas.cloneNode();
    this.canvas.replaceWith(canvas);
    [this.canvas, this.raster, this.context] = [canvas, null, canvas.getContext('2d', { alpha: false })];
  }

  /** Makes colours of the first rows of a frame, as far as that has not been done. */
  paint(frame, rows, span = this.#whole) {
    const { painter, painted } = this;
    const isCovered = painted.span.left <= span.left && painted.span.right >= span.right;
    if (painted.frame !== frame || !isCovered) Object.assign(painted, { frame, rows: 0, span });
    if (rows <= painted.rows) return;
    if (this.image) {
      painted.rows = painter.paint(frame, this.pixels, painted.rows, rows, span);
      return;
    }
    const end = painter.end(rows);
    this.raster?.take(painter.whole(frame), painted.rows, end);
    painted.rows = end;
  }

  /** Puts a frame on the canvas. */
  show(frame, span = this.#whole) {
    const { painted } = this;
    this.paint(frame, this.painter.height, span);
    if (this.frame === frame && this.#shown === painted.span) return;
    [this.frame, this.#shown] = [frame, painted.span];
    this.#put(painted.span);
  }

  /** Puts the distance of two frames on the canvas. */
  subtract(before, after, gain) {
    const { painter } = this;
    if (this.image) {
      painter.difference(before, after, gain, this.pixels);
      this.#put(this.#whole);
      return;
    }
    [before, after].forEach((frame, at) => this.raster?.take(painter.whole(frame), 0, painter.height, at ? 'first' : 'second'));
    this.raster?.draw(gain);
  }

  #put({ left, right }) {
    if (!this.raster) this.context.putImageData(this.image, 0, 0, left, 0, right - left, this.painter.height);
    else if (this.image) this.raster.put(this.pixels);
    else this.raster.draw();
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
  /** Columns that are seen of each canvas while it plays. @type {Record<string, Span>} */
  #spans = {};
  /** Room for `colours`. @type {Int32Array|null} */
  #rows = null;
  /** True to tone-map HDR. @type {boolean|null} */
  #tone = null;

  /** @param {any} clip as the program tells of it */
  constructor(clip) {
    this.clip = clip;
    const restored = () => {
      for (const sheet of Object.values(this.sheets)) sheet.frame = null;
      this.#paint();
    };
    this.sheets = Object.fromEntries(['before', 'after', 'pinned', 'difference'].map(id => [id, new Sheet(id, restored)]));
    this.#fit(clip);
  }

  /** Makes room for frames of this shape. */
  #fit(shape) {
    this.shape = shape;
    this.painter = new Painter(shape, this.clip.height);
    this.#tone ??= this.painter.tone !== null;
    if (!this.#tone) this.painter.tone = null;
    for (const sheet of Object.values(this.sheets)) sheet.fit(this.painter);
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

  /**
   * Colours of some rows of a side, a pixel each, red in the lowest byte, at their places in a picture of all rows.
   * @param {string} name of its canvas @param {number} from @param {number} to @returns {Int32Array}
   */
  colours(name, from, to) {
    const { painter } = this;
    if (!this.#rows || this.#rows.length !== painter.width * painter.height) this.#rows = new Int32Array(painter.width * painter.height);
    const top = (Math.max(0, from) >> painter.down) << painter.down;
    painter.paint(/** @type {import('./film.js').Frame} */ (this.frame(name)), this.#rows, top, Math.min(painter.height, to + (1 << painter.down)));
    return this.#rows;
  }

  /**
   * @param {Shot} shot frames of the same shape
   * @param {Record<string, Span>} [spans] columns that are seen of each canvas; all unless given
   * @returns {boolean} whether the shape is another than before
   */
  show(shot, spans = {}) {
    const isOther = shot.after.shape !== this.shape;
    if (isOther) this.#fit(shot.after.shape);
    this.shown = shot;
    this.uncover(isOther ? {} : spans);
    return isOther;
  }

  /** Takes the frame of the edited chain for that of the pinned one, which is the same chain. */
  pin() {
    if (this.shown) this.shown = { ...this.shown, pinned: this.shown.after };
  }

  /** Empties the canvas of what was pinned: something else follows. */
  forget() {
    if (this.shown) this.shown = { ...this.shown, pinned: undefined };
    this.sheets.pinned.fit(this.painter);
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
    this.sheets[side].paint(frame, rows);
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

  /** Paints what is seen of these columns. @param {Record<string, Span>} spans as of `show` */
  uncover(spans) {
    this.#spans = spans;
    this.#paint();
  }

  #paint() {
    if (!this.shown) return;
    for (const name of this.#seen) {
      const frame = this.frame(name);
      if (frame?.shape === this.shape) this.sheets[name].show(frame, this.#spans[name]);
    }
    const ends = this.ends;
    if (!this.#seen.includes('difference') || !ends) return;
    this.sheets.difference.subtract(...ends, this.gain);
  }
}
