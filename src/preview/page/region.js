// Regions: the rectangle of each filter that has a `roi`, on the picture, where it is drawn, moved and resized.

import { byId, make, say } from './dom.js';

/**
 * A rectangle of pixels.
 * @typedef {{x: number, y: number, width: number, height: number}} Rectangle
 */

/** What of a region a handle moves: north, south, west and east. */
const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** @param {string} text @returns {Rectangle|null} what the program takes it for: WxH+X+Y, or X Y W H */
function rectangle(text) {
  const [, ...size] = text.match(/^\D*(\d+)x(\d+)\+(\d+)\+(\d+)\D*$/) ?? [];
  const [, ...list] = text.match(/^\D*(\d+)[ :\\]+(\d+)[ :\\]+(\d+)[ :\\]+(\d+)\D*$/) ?? [];
  if (size.length === 0 && list.length === 0) return null;
  const [x, y, width, height] = size.length ? [size[2], size[3], size[0], size[1]] : list;
  return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** All regions of a chain. */
export class Regions {
  /** Number of the filter whose region has handles, or -1. */
  #active = -1;
  /** Number of the filter whose region is about to be drawn, or -1. */
  #awaited = -1;
  /** Elements by the number of the filter. @type {Map<number, any>} */
  #boxes = new Map();
  /** What is being moved, before the chain has it. @type {{call: number, now: Rectangle}|null} */
  #live = null;
  /** The pointer's way since it went down. @type {{call: number, edges: string, from: {x: number, y: number}, old: Rectangle}|null} */
  #drag = null;

  /** How often the pointer went down: what it moves is one step of undo. */
  #count = 0;

  /** @param {any} clip @param {import('./chain.js').Chain} chain @param {import('./stage.js').Stage} stage @param {import('./deck.js').Deck} deck */
  constructor(clip, chain, stage, deck) {
    this.clip = clip;
    this.chain = chain;
    this.stage = stage;
    this.deck = deck;
    this.layer = byId('regions');
    const cards = byId('cards');
    const point = ({ target }) => {
      const call = deck.cards.findIndex(card => card.element.contains(target));
      if (call >= 0) this.#point(call);
    };
    cards.addEventListener('focusin', point);
    cards.addEventListener('pointerover', point);
    cards.addEventListener('draw', ({ target }) => this.#await(deck.cards.findIndex(card => card.element.contains(target))));
    this.layer.addEventListener('pointerdown', event => this.#down(event));
    this.layer.addEventListener('pointermove', event => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) this.layer.addEventListener(end, () => this.#up());
    // A press beside it leaves the picture to other uses.
    stage.element.addEventListener('pointerdown', event => {
      if (!event.target.closest('.region')) this.#point(-1);
    });
    document.addEventListener('keydown', event => {
      if (event.key === 'Escape' && this.#awaited >= 0) this.#await(-1);
    });
  }

  /** Whether coordinates of the chain are those of the picture: it is neither turned nor of another size. */
  get #isStraight() {
    return !this.clip.turned && !this.chain.good.output;
  }

  /** Follows the chain. */
  update() {
    const wanted = new Map();
    this.chain.good.calls.forEach((call, index) => {
      const text = call.arguments.find(argument => argument.parameter === 'roi')?.value;
      const found = text && call.on && this.#isStraight ? rectangle(text) : null;
      if (found) wanted.set(index, { name: call.name, place: found });
    });
    for (const [index, box] of this.#boxes) {
      if (wanted.has(index)) continue;
      box.remove();
      this.#boxes.delete(index);
    }
    for (const [index, { name, place }] of wanted) {
      const box = this.#boxes.get(index) ?? this.#box(index);
      box.dataset.name = name;
      box.place = place;
    }
    if (!this.#drag) this.#live = null;
    this.lay();
  }

  #box(call) {
    const handles = HANDLES.map(edges => make('span', { className: `handle ${edges}`, data: { edges } }));
    const box = make(
      'div',
      { className: 'region', tabIndex: 0, role: 'group', data: { call: String(call) }, on: { keydown: event => this.#key(event, call), focus: () => this.#point(call) } },
      make('span', { className: 'label' }),
      ...handles,
    );
    this.#boxes.set(call, box);
    this.layer.append(box);
    return box;
  }

  /** Puts all in their places. */
  lay() {
    for (const [call, box] of this.#boxes) {
      const { x, y, width, height } = this.#live?.call === call ? this.#live.now : box.place;
      const from = this.stage.place(x, y);
      Object.assign(box.style, {
        left: `${from.x}px`,
        top: `${from.y}px`,
        width: `${from.width * width}px`,
        height: `${from.height * height}px`,
      });
      box.classList.toggle('active', call === this.#active);
      const text = `${width}x${height}+${x}+${y}`;
      box.firstChild.textContent = `${box.dataset.name} ${text}`;
      box.setAttribute('aria-label', `Region of ${box.dataset.name}, ${text}. Arrow keys move it, with Shift they resize it, with Ctrl by ten; Delete removes it`);
    }
  }

  /** Gives the region of a filter handles; none where the number is -1. */
  #point(call) {
    if (this.#drag) return;
    this.#active = call;
    this.lay();
  }

  /** Waits for a region to be drawn; for none where the number is -1. */
  #await(call) {
    if (call >= 0 && !this.#isStraight) {
      const why = this.clip.turned ? 'it counts in the clip as it is stored, and the picture is turned' : 'the chain changes the size of the picture';
      say(`Type this region: ${why}`, true);
      return;
    }
    this.#awaited = call;
    this.layer.classList.toggle('drawing', call >= 0);
    if (call < 0) {
      say('');
      return;
    }
    this.stage.element.focus({ preventScroll: true });
    say(`Draw the region of ${this.chain.good.calls[call].name} on the picture; Escape cancels`);
  }

  /** The pixel under a pointer, within the picture. */
  #pixel(event) {
    const { x, y } = /** @type {{x: number, y: number}} */ (this.stage.pixel(this.stage.where(event), true));
    return { x: clamp(x, 0, this.clip.width), y: clamp(y, 0, this.clip.height) };
  }

  #down(event) {
    const box = event.target.closest('.region');
    if (event.button > 0 || (this.#awaited < 0 && !box)) return;
    event.stopPropagation();
    event.preventDefault();
    const from = this.#pixel(event);
    const isNew = this.#awaited >= 0;
    const call = isNew ? this.#awaited : Number(box.dataset.call);
    const corner = { x: Math.floor(Math.min(from.x, this.clip.width - 1)), y: Math.floor(Math.min(from.y, this.clip.height - 1)), width: 1, height: 1 };
    this.#active = call;
    this.#count++;
    this.#drag = { call, edges: isNew ? 'draw' : (event.target.dataset.edges ?? ''), from, old: isNew ? corner : box.place };
    (isNew ? this.layer : box).setPointerCapture(event.pointerId);
    if (!isNew) box.focus({ preventScroll: true });
  }

  #move(event) {
    if (!this.#drag) return;
    event.stopPropagation();
    const { call, edges, from, old } = this.#drag;
    const at = this.#pixel(event);
    const by = { x: Math.round(at.x - from.x), y: Math.round(at.y - from.y) };
    this.#set(call, edges === 'draw' ? this.#between(old, at) : this.#moved(old, edges, by));
  }

  #up() {
    if (!this.#drag) return;
    this.#drag = null;
    if (this.#awaited >= 0) this.#await(-1);
  }

  /** The rectangle from a pixel to a place. @returns {Rectangle} */
  #between(corner, at) {
    const along = (first, place, most) => {
      const other = clamp(Math.floor(place), 0, most - 1);
      return [Math.min(first, other), Math.abs(first - other) + 1];
    };
    const [x, width] = along(corner.x, at.x, this.clip.width);
    const [y, height] = along(corner.y, at.y, this.clip.height);
    return { x, y, width, height };
  }

  /** A rectangle whose edges, or the whole, have moved within the picture. @returns {Rectangle} */
  #moved({ x, y, width, height }, edges, by) {
    const along = (from, size, low, high, moved, most) => {
      if (edges === '') return [clamp(from + moved, 0, Math.max(0, most - size)), size];
      if (edges.includes(low)) {
        const start = clamp(from + moved, 0, from + size - 1);
        return [start, from + size - start];
      }
      return [from, edges.includes(high) ? clamp(size + moved, 1, Math.max(1, most - from)) : size];
    };
    const [left, wide] = along(x, width, 'w', 'e', by.x, this.clip.width);
    const [top, high] = along(y, height, 'n', 's', by.y, this.clip.height);
    return { x: left, y: top, width: wide, height: high };
  }

  /** Gives a filter this region. */
  #set(call, now) {
    this.#live = { call, now };
    const value = `${now.width}x${now.height}+${now.x}+${now.y}`;
    this.chain.edit([{ set: { call, parameter: 'roi', value } }], `roi ${call} ${this.#count}`);
    this.lay();
  }

  #key(event, call) {
    if (event.altKey || event.metaKey) return;
    const { place } = this.#boxes.get(call);
    if (event.key === 'Delete') {
      event.preventDefault();
      this.chain.edit([{ set: { call, parameter: 'roi', value: null } }], '');
      this.stage.element.focus({ preventScroll: true });
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const by = event.ctrlKey ? 10 : 1;
    const now = this.#live && this.#live.call === call ? this.#live.now : place;
    this.#set(call, this.#moved(now, event.shiftKey ? 'es' : '', { x: step[0] * by, y: step[1] * by }));
  }
}
