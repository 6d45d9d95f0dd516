// Marked pixels: their samples of every side stay on the picture.

import { byId, icon, make, say } from './dom.js';

/** The most marks. */
const MOST = 9;

/** Pixels that were marked. */
export class Marks {
  /** @type {{x: number, y: number, element: any}[]} */
  #all = [];

  /**
   * @param {any} clip @param {import('./stage.js').Stage} stage @param {import('./probe.js').Probe} probe
   * @param {() => void} changed hears of another list
   */
  constructor(clip, stage, probe, changed) {
    this.clip = clip;
    this.stage = stage;
    this.probe = probe;
    this.changed = changed;
    this.layer = byId('pixels');
  }

  /** Takes pictures of another shape: marks stay at their places in them. @param {any} shape */
  fit(shape) {
    for (const mark of this.#all) {
      mark.x = Math.floor((mark.x * shape.width) / this.clip.width);
      mark.y = Math.floor((mark.y * shape.height) / this.clip.height);
    }
    this.clip = shape;
  }

  /** Marks a pixel of the clip, or takes its mark away. @param {number} x @param {number} y */
  toggle(x, y) {
    if (x < 0) {
      say('Point at a pixel to mark it');
      return;
    }
    const old = this.#all.find(mark => mark.x === x && mark.y === y);
    if (old) {
      this.#remove(old);
      return;
    }
    if (this.#all.length === MOST) {
      say(`No more than ${MOST} marks; remove one`);
      return;
    }
    this.#add(x, y);
    say(`Pixel ${x}, ${y} is marked`);
    this.changed();
  }

  #add(x, y) {
    const close = make('button', { type: 'button', title: 'Remove', on: { click: () => this.#remove(mark) } }, icon('close'));
    const element = make('div', { className: 'mark', role: 'group' }, make('span', { className: 'spot' }), make('span', { className: 'text' }, make('output', {}), close));
    const mark = { x, y, element };
    this.#all.push(mark);
    this.layer.append(element);
    this.update();
  }

  #remove(mark) {
    mark.element.remove();
    this.#all = this.#all.filter(other => other !== mark);
    this.stage.element.focus({ preventScroll: true });
    this.update();
    this.changed();
  }

  /** Tells the samples of what is shown now. */
  update() {
    this.#all.forEach(({ x, y, element }, at) => {
      element.setAttribute('aria-label', `Mark ${at + 1}, pixel ${x}, ${y}`);
      const [output, close] = element.querySelectorAll('output, button');
      close.setAttribute('aria-label', `Remove mark ${at + 1}`);
      const values = this.probe.values(x, y);
      if (values) output.replaceChildren(make('b', {}, String(at + 1)), ...this.probe.spans(values));
    });
    this.lay();
  }

  /** Puts all in their places: the text to the side where there is room. */
  lay() {
    const { clientWidth, clientHeight } = this.stage.element;
    for (const { x, y, element } of this.#all) {
      const place = this.stage.place(x, y);
      const [left, top] = [place.x + place.width / 2, place.y + place.height / 2];
      element.hidden = left < 0 || top < 0 || left > clientWidth || top > clientHeight;
      Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
      element.classList.toggle('left', left > clientWidth / 2);
      element.classList.toggle('above', top > clientHeight - 40);
      const spot = element.querySelector('.spot');
      Object.assign(spot.style, { width: `${Math.max(9, place.width)}px`, height: `${Math.max(9, place.height)}px` });
    }
  }

  /** Marks as a word of the address. @returns {Record<string, string>} */
  get words() {
    return this.#all.length ? { marks: this.#all.map(({ x, y }) => `${x},${y}`).join(' ') } : {};
  }

  /** Takes them from there, as far as they are pixels of the clip. @param {Record<string, string>} words */
  take({ marks }) {
    for (const [, x, y] of (marks ?? '').matchAll(/(\d{1,6}),(\d{1,6})/g))
      if (Number(x) < this.clip.width && Number(y) < this.clip.height && this.#all.length < MOST) this.#add(Number(x), Number(y));
  }
}
