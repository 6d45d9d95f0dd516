// Axes, units and legend of the scopes.

import { make } from './dom.js';

/** Colours of planes, as the scopes draw them. */
export const COLOURS = {
  y: [230, 230, 230],
  u: [90, 150, 255],
  v: [255, 110, 110],
  r: [255, 80, 80],
  g: [80, 220, 90],
  b: [90, 140, 255],
  a: [160, 160, 160],
};
const NAMES = { y: 'Y', u: 'Cb', v: 'Cr', r: 'R', g: 'G', b: 'B', a: 'Alpha' };

/** Quarters of an axis, with the values of samples there. */
const quarters = peak => [0, 0.25, 0.5, 0.75, 1].map(part => ({ part, text: String(Math.round(part * (peak + 1)) - (part === 1 ? 1 : 0)) }));

/** Axes of the scopes of a clip. */
export class Axes {
  /** @param {any} clip @param {import('./colour.js').Painter} painter */
  constructor(clip, painter) {
    this.clip = clip;
    this.isFloat = painter.isFloat;
    this.depth = clip.pixel.depth;
    const { range } = clip.colour;
    /** Whether the samples of luma lie between black and white of limited range. */
    this.isLimited = range === 'limited' || (range !== 'full' && painter.isYuv);
  }

  /** Marks along the axis of samples. @param {boolean} isEight whether values of 8 bits are drawn, as colours are */
  #marks(isEight) {
    if (this.isFloat && !isEight) return [0, 0.25, 0.5, 0.75, 1].map(part => ({ part, text: String(part) }));
    const depth = isEight ? 8 : this.depth;
    const marks = quarters(2 ** depth - 1);
    if (isEight || !this.isLimited) return marks;
    const unit = 2 ** (depth - 8);
    const ends = [16, 235].map(value => ({ part: value / 255, text: String(value * unit), isEnd: true }));
    // Black and white of limited range take the place of both ends.
    return [...ends, ...marks.slice(1, -1)];
  }

  /** What the samples of an axis are. */
  get #unit() {
    return this.isFloat ? 'sample' : `sample, ${this.depth} bits`;
  }

  /**
   * Puts axes and legend into a figure.
   * @param {string} kind of the scope @param {HTMLElement} figure
   */
  draw(kind, figure) {
    const part = name => /** @type {HTMLElement} */ (figure.querySelector(`.${name}`));
    const [left, bottom, legend] = ['left', 'bottom', 'legend'].map(part);
    const marks = kind === 'vectorscope' ? [] : this.#marks(kind === 'parade');
    const isAcross = kind === 'histogram';
    const tick = side => mark => {
      const element = make('span', { className: mark.isEnd ? 'end' : '' }, mark.text);
      // The marks of both ends stay within the axis.
      const along = 100 * mark.part;
      if (side === 'bottom') element.style.bottom = `clamp(0px, ${along}% - 5px, 100% - 11px)`;
      else Object.assign(element.style, { left: `${along}%`, transform: `translateX(-${along}%)` });
      return element;
    };
    left.replaceChildren(...(isAcross ? [] : marks.map(tick('bottom'))));
    bottom.replaceChildren(...(isAcross ? marks.map(tick('left')) : []));
    const letters = this.clip.planes.map(plane => plane.letter);
    const main = ['y', 'g'].find(letter => letters.includes(letter)) ?? letters[0];
    const shown = { histogram: letters, waveform: [main], parade: ['r', 'g', 'b'], vectorscope: [] }[kind];
    const keys = shown.map(letter => {
      const key = make('span', { className: 'key' }, NAMES[letter] ?? letter.toUpperCase());
      key.style.setProperty('--key', `rgb(${COLOURS[letter].join(' ')})`);
      return key;
    });
    const unit = { histogram: `count (root) by ${this.#unit}`, waveform: `${this.#unit}, by column`, parade: '8 bits, by column', vectorscope: 'Cb → · Cr ↑ · boxes: 75 % bars' };
    legend.replaceChildren(...keys, make('span', {}, unit[kind]));
  }
}
