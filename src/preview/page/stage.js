// The place of the picture: split, side by side, difference or blink; zoom and panning; the handle between its sides.

import { byId, radios } from './dom.js';
import { Gestures } from './gesture.js';

/** Steps of the zoom: 0 fits, else pixels of the screen for one of the clip. */
const ZOOMS = [0, 1, 2, 4, 8];
/** @type {Stage['mode'][]} */
const VIEWS = ['split', 'three', 'side', 'difference', 'blink'];
/** Milliseconds that a side is shown where both blink. */
const BLINK = 500;
const PANES = ['before', 'after', 'pinned', 'difference'];

/** Shows the canvases. Places are in pixels of CSS, from the stage's corner. */
export class Stage {
  /** @type {'split'|'three'|'side'|'difference'|'blink'} */
  mode = 'split';
  /** Canvas and name of each side, from left to right: two, or three where three are shown. */
  sides = [
    { pane: 'before', name: 'Before' },
    { pane: 'after', name: 'After' },
  ];
  /** Whether the right side of a blinking picture is shown. */
  #isRight = false;
  #blinking = 0;
  zoom = 0;
  isHeld = false;
  /** Place of the pointer over the picture, or null. @type {{x: number, y: number}|null} */
  pointer = null;
  /** The clip's pixel in the middle of a pane, when zoomed. */
  #middle;
  /**
   * @param {any} clip
   * @param {{modeChanged: (mode: string) => void, pointed: (x: number, y: number) => void, laid: () => void}} calls
   *   `pointed` is told the clip's pixel under the pointer, `laid` that pixels have moved
   */
  constructor(clip, calls) {
    this.clip = clip;
    /** How much wider than high a pixel is. */
    this.aspect = clip.aspect || 1;
    this.calls = calls;
    this.#middle = { x: clip.width / 2, y: clip.height / 2 };
    this.element = byId('stage');
    this.tags = ['left', 'middle', 'right'].map(name => byId(`tag-${name}`));
    this.compare = byId('compare');
    this.dividers = [byId('divider'), byId('divider-second')];
    this.showView = radios('view', mode => this.view(/** @type {Stage['mode']} */ (mode)));
    this.showZoom = radios('zoom', zoom => this.scaleTo(Number(zoom)));
    this.compare.addEventListener('input', () => this.lay());
    new ResizeObserver(() => this.lay()).observe(this.element);
    new Gestures(this);
    this.#holdButton();
    this.view('split');
  }

  /** Takes pictures of another shape; what was in the middle stays there. @param {any} shape */
  fit(shape) {
    this.#middle.x *= shape.width / this.clip.width;
    this.#middle.y *= shape.height / this.clip.height;
    this.clip = shape;
    this.aspect = shape.aspect || 1;
    this.lay();
  }

  /** @param {'split'|'three'|'side'|'difference'|'blink'} mode */
  view(mode) {
    this.mode = mode;
    clearInterval(this.#blinking);
    if (mode === 'blink')
      this.#blinking = setInterval(() => {
        this.#isRight = !this.#isRight;
        this.lay();
      }, BLINK);
    this.showView(mode);
    this.element.dataset.mode = mode;
    this.calls.modeChanged(mode);
    this.lay();
  }

  /** Shows the original alone while `isHeld`. @param {boolean} isHeld */
  hold(isHeld) {
    this.isHeld = isHeld;
    this.calls.modeChanged(this.mode);
    this.element.classList.toggle('held', isHeld);
    byId('hold').setAttribute('aria-pressed', String(isHeld));
    this.lay();
  }

  /**
   * Zooms, and leaves the pixel at a place where it is.
   * @param {number} zoom of ZOOMS @param {{x: number, y: number}} [place] the middle unless given
   */
  scaleTo(zoom, place) {
    const box = this.#boxes()[0];
    const at = place ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const pixel = this.pixel(at, true);
    this.zoom = zoom;
    this.showZoom(String(zoom));
    if (zoom && pixel) {
      const pane = this.#boxes()[this.#paneAt(at)];
      const scale = this.#scale();
      this.#middle = {
        x: pixel.x - (at.x - pane.x - pane.width / 2) / scale.x,
        y: pixel.y - (at.y - pane.y - pane.height / 2) / scale.y,
      };
    }
    this.lay();
  }

  /** One step nearer (1) or farther (-1) than it looks now. @param {number} by @param {{x: number, y: number}} [place] */
  step(by, place) {
    const [now, fit] = [this.#scale().y * devicePixelRatio, this.#fit() * devicePixelRatio];
    if (by > 0) this.scaleTo(ZOOMS.find(zoom => zoom > now * 1.01) ?? this.zoom, place);
    else this.scaleTo(ZOOMS.findLast(zoom => zoom < now * 0.99 && zoom > fit) ?? 0, place);
  }

  /** Moves so that a pixel of the clip is seen. @param {number} x @param {number} y */
  reveal(x, y) {
    if (!this.zoom) return;
    const [box] = this.#boxes();
    const scale = this.#scale();
    const [wide, high] = [box.width / scale.x / 2 - 1, box.height / scale.y / 2 - 1];
    this.#middle.x = Math.min(x + wide, Math.max(x - wide, this.#middle.x));
    this.#middle.y = Math.min(y + high, Math.max(y - high, this.#middle.y));
    this.lay();
  }

  /** View, zoom and handle as words of the address. @returns {Record<string, string>} */
  get words() {
    const { x, y } = this.#middle;
    const words = { view: this.mode, zoom: String(this.zoom), handle: Number(this.compare.value).toFixed(1) };
    return this.zoom ? { ...words, at: `${Math.round(x)},${Math.round(y)}` } : words;
  }

  /** Takes them from there, as far as they are valid. @param {Record<string, string>} words */
  take({ view, zoom, handle, at }) {
    const [, x, y] = at?.match(/^(\d{1,6}),(\d{1,6})$/) ?? [];
    if (handle && Number(handle) >= 0) this.compare.value = handle;
    const known = VIEWS.find(mode => mode === view);
    if (known) this.view(known);
    if (ZOOMS.includes(Number(zoom))) this.scaleTo(Number(zoom));
    if (x && y) this.#middle = { x: Number(x), y: Number(y) };
    this.lay();
  }

  /** Columns that are seen of a canvas, where it is divided. @type {Record<string, import('./colour.js').Span>} */
  spans = {};

  /** Where after begins in a split, in pixels of the clip. */
  get edge() {
    return this.#edge;
  }
  #edge = 0;

  /** Where a pixel of the clip lies in the first pane: its corner and its size. @param {number} x @param {number} y */
  place(x, y) {
    const [box] = this.#boxes();
    const scale = this.#scale();
    const { left, top } = this.#corner(box);
    return { x: box.x + left + x * scale.x, y: box.y + top + y * scale.y, width: scale.x, height: scale.y };
  }

  /** The pixel of the clip at a place. @param {{x: number, y: number}} at @param {boolean} [isOutsideToo] */
  pixel(at, isOutsideToo = false) {
    const box = this.#boxes()[this.#paneAt(at)];
    const { left, top } = this.#corner(box);
    const scale = this.#scale();
    const [x, y] = [(at.x - box.x - left) / scale.x, (at.y - box.y - top) / scale.y];
    if (isOutsideToo) return { x, y };
    return x >= 0 && y >= 0 && x < this.clip.width && y < this.clip.height ? { x: Math.floor(x), y: Math.floor(y) } : null;
  }

  /** The places of the panes: one, or two beside or above each other. */
  #boxes() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (this.mode !== 'side' || this.isHeld) return [{ x: 0, y: 0, width, height }];
    const [wide, high] = [this.clip.width * this.aspect, this.clip.height];
    const isBeside = Math.min(width / 2 / wide, height / high) >= Math.min(width / wide, height / 2 / high);
    const [w, h] = isBeside ? [Math.floor(width / 2), height] : [width, Math.floor(height / 2)];
    return [
      { x: 0, y: 0, width: w, height: h },
      { x: isBeside ? width - w : 0, y: isBeside ? 0 : height - h, width: w, height: h },
    ];
  }

  #paneAt(at) {
    const boxes = this.#boxes();
    return boxes.length > 1 && at.x >= boxes[1].x && at.y >= boxes[1].y ? 1 : 0;
  }

  /** How high a pixel of the clip is in CSS where all of the picture is seen. */
  #fit() {
    const [box] = this.#boxes();
    return Math.min(box.width / this.clip.width / this.aspect, box.height / this.clip.height) || 1;
  }

  /** Pixels of CSS for one of the clip. Where the picture fits, its pixels have their shape; zoomed they are square. */
  #scale() {
    if (this.zoom) return { x: this.zoom / devicePixelRatio, y: this.zoom / devicePixelRatio };
    return { x: this.#fit() * this.aspect, y: this.#fit() };
  }

  /** Where the picture's corner lies in a pane. */
  #corner(box) {
    const scale = this.#scale();
    const along = (room, size, middle) => {
      if (size <= room) return Math.round((room - size) / 2);
      return Math.round(Math.min(0, Math.max(room - size, room / 2 - middle)));
    };
    return {
      left: along(box.width, this.clip.width * scale.x, this.#middle.x * scale.x),
      top: along(box.height, this.clip.height * scale.y, this.#middle.y * scale.y),
    };
  }

  /** Puts all in its place. */
  lay() {
    const boxes = this.#boxes();
    const scale = this.#scale();
    const { left, top } = this.#corner(boxes[0]);
    const [width, height] = [this.clip.width * scale.x, this.clip.height * scale.y];
    const from = Math.max(0, left);
    const to = Math.min(boxes[0].width, left + width);
    const edges = this.#edges(from, to, left, scale.x);
    const parts = this.#parts(boxes, edges);
    for (const name of PANES) {
      const part = parts.find(({ pane }) => pane === name);
      const [pane, canvas] = [byId(`pane-${name}`), byId(name)];
      const canvases = name === 'after' ? [canvas, byId('rough')] : [canvas];
      const box = part?.box ?? boxes[0];
      Object.assign(pane.style, {
        left: `${box.x}px`,
        top: `${box.y}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
        visibility: part ? 'visible' : 'hidden',
        clipPath: part?.ends ? `inset(0 ${Math.max(0, box.width - part.ends[1])}px 0 ${Math.max(0, part.ends[0])}px)` : '',
      });
      for (const { style } of canvases) Object.assign(style, { width: `${width}px`, height: `${height}px`, transform: `translate(${left}px, ${top}px)` });
      canvas.classList.toggle('exact', scale.y * devicePixelRatio >= 1);
    }
    this.spans = Object.fromEntries(
      parts.flatMap(({ pane, ends }) => {
        const columns = ends?.map(end => Math.round((end - left) / scale.x));
        const within = column => Math.min(this.clip.width, Math.max(0, column));
        return columns ? [[pane, { left: within(columns[0]), right: within(columns[1]) }]] : [];
      }),
    );
    this.#name(parts);
    const isDivided = edges.length > 0;
    for (const element of [...this.dividers, this.compare]) element.hidden = !isDivided;
    this.dividers[1].hidden = edges.length < 2;
    edges.forEach((edge, at) => (this.dividers[at].style.left = `${edge}px`));
    const thumb = 28;
    const band = edges.length > 1 ? (to - from) / 3 : 0;
    Object.assign(this.compare.style, { left: `${from + band / 2 - thumb / 2}px`, width: `${to - from - band + thumb}px` });
    this.element.classList.toggle('zoomed', this.zoom > 0);
    this.compare.setAttribute('aria-valuetext', `${this.sides[0].name} up to pixel ${this.#edge} of ${this.clip.width}`);
    this.calls.laid();
  }

  /** Where sides meet, left to right, in pixels of CSS: one edge of two, two of three, which stay a third apart. */
  #edges(from, to, left, scale) {
    if (!['split', 'three'].includes(this.mode) || this.isHeld) return [];
    const isThree = this.sides.length > 2;
    const share = Number(this.compare.value) / 100;
    const band = isThree ? (to - from) / 3 : 0;
    const first = from + (to - from - band) * share;
    const snapped = (isThree ? [first, first + band] : [first]).map(edge =>
      Math.min(this.clip.width, Math.max(0, Math.round((edge - left) / scale))),
    );
    [this.#edge] = snapped;
    return snapped.map(edge => left + edge * scale);
  }

  /**
   * Panes that are seen: the box of each, and the ends that it is cut to.
   * @returns {{pane: string, name: string, box: any, ends?: number[]}[]}
   */
  #parts(boxes, edges) {
    if (this.isHeld) return [{ pane: 'before', name: 'Before', box: boxes[0] }];
    const [left, right] = [this.sides[0], this.sides[this.sides.length - 1]];
    if (this.mode === 'difference') return [{ pane: 'difference', name: `${left.name} − ${right.name}`, box: boxes[0] }];
    if (this.mode === 'blink') return [{ ...(this.#isRight ? right : left), box: boxes[0] }];
    if (this.mode === 'side') return [left, right].map((side, at) => ({ ...side, box: boxes[at] }));
    const ends = [0, ...edges, boxes[0].width];
    return this.sides.map((side, at) => ({ ...side, box: boxes[0], ends: [ends[at], ends[at + 1]] }));
  }

  /** Tells whether the edited chain's picture is a draft now. @param {boolean} isRough */
  rough(isRough) {
    this.#isRough = isRough;
    this.lay();
  }
  #isRough = false;

  /** Writes on the picture what is where. */
  #name(parts) {
    const names = parts.map(({ pane, name }) => (pane === 'after' && this.#isRough ? `${name} · draft, a quarter of the size` : name));
    const [left, middle, right] = { 1: [names[0]], 2: [names[0], '', names[1]], 3: names }[names.length];
    [left, middle, right].forEach((name, at) => {
      this.tags[at].textContent = name ?? '';
      this.tags[at].hidden = !name;
    });
  }

  /** Where a pointer is. @param {PointerEvent|WheelEvent|MouseEvent} event */
  where(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left - this.element.clientLeft, y: event.clientY - box.top - this.element.clientTop };
  }

  /** Moves the picture under a pointer, if it is zoomed. @param {number} right @param {number} down in pixels of CSS */
  pan(right, down) {
    if (!this.zoom) return;
    const scale = this.#scale();
    const [box] = this.#boxes();
    const along = (middle, moved, room, size) => {
      const half = Math.min(size, room) / 2;
      return Math.min(size - half, Math.max(half, middle - moved));
    };
    this.#middle.x = along(this.#middle.x, right / scale.x, box.width / scale.x, this.clip.width);
    this.#middle.y = along(this.#middle.y, down / scale.y, box.height / scale.y, this.clip.height);
    this.lay();
  }

  #holdButton() {
    const button = byId('hold');
    button.addEventListener('pointerdown', event => {
      button.setPointerCapture(event.pointerId);
      this.hold(true);
    });
    for (const end of ['pointerup', 'pointercancel', 'blur']) button.addEventListener(end, () => this.hold(false));
    button.addEventListener('keydown', event => {
      if ([' ', 'Enter'].includes(event.key)) this.hold(true);
    });
    button.addEventListener('keyup', () => this.hold(false));
  }
}
