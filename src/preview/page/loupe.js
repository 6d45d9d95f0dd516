// The loupe: the pixels around the pointer, of each side, with the value of each sample.

import { byId, make } from './dom.js';

/** Pixels across and down. */
const [ACROSS, DOWN] = [9, 7];
/** The same where the picture is narrow: a phone. */
const [FEW, NARROW] = [5, 600];
/** The largest and the smallest side of a pixel on the screen, and the smallest that has room for a value. */
const [LARGE, SMALL, READABLE] = [32, 12, 24];

/** Shows pixels under the pointer, or under the probe. */
export class Loupe {
  #at = { x: -1, y: -1 };
  #across = ACROSS;
  #down = DOWN;
  /** Letter of the plane whose samples are written. */
  #letter = '';

  /**
   * @param {any} clip @param {import('./picture.js').Picture} picture @param {import('./stage.js').Stage} stage
   * @param {import('./probe.js').Probe} probe
   */
  constructor(clip, picture, stage, probe) {
    this.clip = clip;
    this.picture = picture;
    this.stage = stage;
    this.probe = probe;
    this.element = byId('loupe');
    this.canvas = this.element.querySelector('canvas');
    this.button = byId('loupe-switch');
    this.choice = byId('loupe-plane');
    this.button.addEventListener('click', () => this.toggle());
    this.choice.addEventListener('change', () => {
      this.#letter = this.choice.value;
      this.update();
    });
    this.#offer();
  }

  get isOn() {
    return !this.element.hidden;
  }

  /** Takes pictures of another shape. @param {any} shape */
  fit(shape) {
    this.clip = shape;
    this.#offer();
  }

  /** Planes to choose from: luma or green first. */
  #offer() {
    const letters = this.clip.planes.map(plane => plane.letter);
    if (!letters.includes(this.#letter)) this.#letter = ['y', 'g'].find(letter => letters.includes(letter)) ?? letters[0];
    this.choice.replaceChildren(...letters.map(letter => make('option', { value: letter }, letter.toUpperCase())));
    this.choice.value = this.#letter;
    this.choice.hidden = letters.length < 2;
  }

  /** Shows it, or takes it away. */
  toggle() {
    this.element.hidden = this.isOn;
    this.button.setAttribute('aria-pressed', String(this.isOn));
    if (this.#at.x < 0) this.#at = { x: this.clip.width >> 1, y: this.clip.height >> 1 };
    this.update();
  }

  /** @param {number} x @param {number} y a pixel of the clip */
  move(x, y) {
    this.#at = { x, y };
    // Away from what is looked at.
    const { pointer } = this.stage;
    const { clientWidth: width, clientHeight: height } = this.stage.element;
    if (pointer && this.isOn) {
      const isNear = pointer.x > width - this.element.offsetWidth - 40 && pointer.y > height - this.element.offsetHeight - 40;
      const isFar = pointer.x < this.element.offsetWidth + 40 && pointer.y > height - this.element.offsetHeight - 40;
      if (isNear || isFar) this.element.classList.toggle('left', isNear);
    }
    this.update();
  }

  /** Draws the pixels of what is shown now. */
  update() {
    if (!this.isOn || !this.picture.shown) return;
    const sides = this.picture.row.filter(({ pane }) => this.picture.frame(pane)?.shape === this.picture.shape);
    const isNarrow = this.stage.element.clientWidth < NARROW;
    [this.#across, this.#down] = isNarrow ? [FEW, FEW] : [ACROSS, DOWN];
    const room = (this.stage.element.clientWidth - 24) / Math.max(1, sides.length) / this.#across;
    const cell = Math.max(SMALL, Math.min(isNarrow ? READABLE : LARGE, Math.floor(room)));
    const [wide, high] = [cell * this.#across, cell * this.#down];
    const gap = 6;
    const ratio = devicePixelRatio;
    const width = sides.length * wide + (sides.length - 1) * gap;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(high * ratio) });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${high}px` });
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    sides.forEach(({ pane }, at) => this.#draw(context, pane, at * (wide + gap), cell));
    const place = `${this.#at.x}, ${this.#at.y}`;
    this.element.querySelector('.where').textContent = `${sides.map(({ name }) => name).join(' | ')} · ${place}`;
    this.canvas.setAttribute('aria-label', `Pixels around ${place}`);
  }

  /** The pixels of one side, from `left` on. */
  #draw(context, pane, left, cell) {
    const { width, height } = this.clip;
    const from = { x: this.#at.x - (this.#across >> 1), y: this.#at.y - (this.#down >> 1) };
    const colours = this.picture.colours(pane, from.y, from.y + this.#down);
    for (let row = 0; row < this.#down; row++) {
      for (let column = 0; column < this.#across; column++) {
        const [x, y] = [from.x + column, from.y + row];
        const isInside = x >= 0 && y >= 0 && x < width && y < height;
        const colour = isInside ? colours[y * width + x] : 0;
        const [red, green, blue] = [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
        const corner = /** @type {[number, number]} */ ([left + column * cell, row * cell]);
        context.fillStyle = isInside ? `rgb(${red} ${green} ${blue})` : '#000';
        context.fillRect(...corner, cell, cell);
        if (!isInside || cell < READABLE) continue;
        context.fillStyle = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128 ? '#000' : '#fff';
        this.#write(context, this.probe.sample(pane, this.#letter, x, y), corner, cell);
      }
    }
    context.strokeStyle = '#fff';
    context.lineWidth = 2;
    context.strokeRect(left + (this.#across >> 1) * cell, (this.#down >> 1) * cell, cell, cell);
    context.strokeStyle = '#000';
    context.lineWidth = 1;
    context.strokeRect(left + (this.#across >> 1) * cell - 1.5, (this.#down >> 1) * cell - 1.5, cell + 3, cell + 3);
  }

  /** Writes a value into a pixel, as large as it fits. */
  #write(context, text, [x, y], cell) {
    const size = Math.min(13, Math.floor((1.5 * (cell - 3)) / Math.max(3, text.length)));
    context.font = `${Math.max(7, size)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, x + cell / 2, y + cell / 2 + 0.5, cell - 2);
  }
}
