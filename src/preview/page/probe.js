// The samples of every plane at one pixel, before and after.

import { byId, make, say } from './dom.js';

/** Tells the samples under the pointer, or where the arrow keys have moved it. */
export class Probe {
  x = -1;
  y = -1;

  /**
   * @param {any} clip @param {import('./picture.js').Picture} picture @param {import('./stage.js').Stage} stage
   */
  constructor(clip, picture, stage) {
    this.clip = clip;
    this.picture = picture;
    this.stage = stage;
    this.output = byId('probe-text');
    this.cross = byId('cross');
    stage.element.addEventListener('keydown', event => this.#key(event));
  }

  /** Takes pictures of another shape, and stays at its place in them. @param {any} shape */
  fit(shape) {
    if (this.x >= 0) {
      this.x = Math.floor((this.x * shape.width) / this.clip.width);
      this.y = Math.floor((this.y * shape.height) / this.clip.height);
    }
    this.clip = shape;
  }

  /** @param {number} x @param {number} y a pixel of the clip */
  move(x, y) {
    [this.x, this.y] = [x, y];
    this.update();
  }

  /** Tells the samples of what is shown now. */
  update() {
    this.lay();
    if (this.x < 0 || !this.picture.shown) return;
    const values = this.values(this.x, this.y);
    if (values) this.output.replaceChildren(make('span', { className: 'where' }, `${this.x}, ${this.y}`), ...this.spans(values));
  }

  /**
   * The samples of each plane at a pixel, of the sides from left to right; null while pictures of another shape come.
   * @param {number} x @param {number} y @returns {{letter: string, texts: string[]}[]|null}
   */
  values(x, y) {
    const { row, shape } = this.picture;
    const frames = row.map(({ pane }) => /** @type {import('./film.js').Frame} */ (this.picture.frame(pane)));
    if (frames.some(frame => frame?.shape !== shape)) return null;
    return this.clip.planes.map((plane, index) => {
      const at = this.#index(plane, x, y);
      return { letter: plane.letter, texts: frames.map(frame => this.#text(frame[index][at])) };
    });
  }

  /** Elements that tell of samples, which say whether the sides differ. @param {{letter: string, texts: string[]}[]} values */
  spans(values) {
    return values.map(({ letter, texts }) =>
      make(
        'span',
        { className: texts.every(text => text === texts[0]) ? 'same' : 'changed' },
        make('b', {}, letter.toUpperCase()),
        ` ${texts.join(' → ')}`,
      ),
    );
  }

  /** The sample of one plane of one side. @param {string} pane @param {string} letter @param {number} x @param {number} y */
  sample(pane, letter, x, y) {
    const index = this.clip.planes.findIndex(plane => plane.letter === letter);
    const frame = this.picture.frame(pane);
    return frame ? this.#text(frame[index][this.#index(this.clip.planes[index], x, y)]) : '';
  }

  /** Puts the cross where the probe is. */
  lay() {
    this.cross.hidden = this.x < 0;
    if (this.x < 0) return;
    const place = this.stage.place(this.x, this.y);
    const [wide, high] = [Math.max(place.width, 7), Math.max(place.height, 7)];
    Object.assign(this.cross.style, {
      left: `${place.x + (place.width - wide) / 2}px`,
      top: `${place.y + (place.height - high) / 2}px`,
      width: `${wide}px`,
      height: `${high}px`,
    });
  }

  /** Which sample of a plane stands for the pixel: each stands for as many as its plane has fewer. */
  #index(plane, x, y) {
    const along = (place, whole, size) => {
      let shift = 0;
      while (Math.ceil(whole / 2 ** shift) > size) shift++;
      return place >> shift;
    };
    return along(y, this.clip.height, plane.height) * plane.width + along(x, this.clip.width, plane.width);
  }

  #text(sample) {
    return this.clip.pixel.sample === 'f32' ? String(Number(sample.toPrecision(6))) : String(sample);
  }

  #key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move || event.target !== this.stage.element || event.altKey || !event.shiftKey) return;
    event.preventDefault();
    const by = event.ctrlKey || event.metaKey ? 10 : 1;
    const { width, height } = this.clip;
    const [x, y] = this.x < 0 ? [width >> 1, height >> 1] : [this.x, this.y];
    const clamp = (value, most) => Math.min(most - 1, Math.max(0, value));
    this.move(clamp(x + move[0] * by, width), clamp(y + move[1] * by, height));
    this.stage.reveal(this.x, this.y);
    say(this.output.textContent);
  }
}
