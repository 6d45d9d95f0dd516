// Pointers on the stage: panning, two fingers that zoom, the wheel, and the lines of the handle.

/** Share by which two fingers have to grow apart, or together, for a step of the zoom. */
const PINCH = 1.5;

/** Listens to the pointers of a stage. */
export class Gestures {
  /** The pointers that are down: where each is. @type {Map<number, {x: number, y: number, isDivider: boolean}>} */
  #down = new Map();
  #wheeled = 0;
  /** How far two fingers were apart at the last step of the zoom; 0 where there are not two. */
  #span = 0;
  /** How far right of the handle's middle a divider is held. */
  #grab = 0;

  /** @param {import('./stage.js').Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { element, compare, dividers } = stage;
    element.addEventListener('pointerdown', event => {
      if (event.target === compare || event.target.closest('button, select') || event.button > 0) return;
      element.setPointerCapture(event.pointerId);
      const at = stage.where(event);
      this.#down.set(event.pointerId, { ...at, isDivider: dividers.includes(event.target) });
      this.#grab = at.x - this.#thumb();
      this.#point(event);
    });
    element.addEventListener('pointerleave', () => (stage.pointer = null));
    element.addEventListener('pointermove', event => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) {
      element.addEventListener(end, event => {
        this.#down.delete(event.pointerId);
        this.#span = 0;
      });
    }
    element.addEventListener('wheel', event => this.#wheel(event), { passive: false });
    element.addEventListener('dblclick', event => {
      if (event.target !== compare) stage.scaleTo(stage.zoom ? 0 : 1, stage.where(event));
    });
  }

  #move(event) {
    const at = this.stage.where(event);
    this.stage.pointer = at;
    const last = this.#down.get(event.pointerId);
    if (last?.isDivider) this.#drag(at.x);
    else if (last && this.#down.size === 1) this.stage.pan(at.x - last.x, at.y - last.y);
    if (last) Object.assign(last, at);
    if (last && this.#down.size === 2) this.#pinch();
    this.#point(event);
  }

  #wheel(event) {
    if (!event.ctrlKey && !this.stage.zoom && event.deltaY > 0) return;
    event.preventDefault();
    // A trackpad sends many: one step at a time.
    if (event.timeStamp - this.#wheeled < 150) return;
    this.#wheeled = event.timeStamp;
    this.stage.step(event.deltaY < 0 ? 1 : -1, this.stage.where(event));
  }

  /** A step of the zoom where two fingers have moved far enough from, or to, each other. */
  #pinch() {
    const [one, other] = this.#down.values();
    const span = Math.hypot(one.x - other.x, one.y - other.y);
    const grown = span / (this.#span || span);
    this.#span ||= span;
    if (grown < PINCH && grown > 1 / PINCH) return;
    this.#span = span;
    this.stage.step(grown > 1 ? 1 : -1, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  }

  #point(event) {
    if (event.target === this.stage.compare) return;
    const pixel = this.stage.pixel(this.stage.where(event));
    if (pixel) this.stage.calls.pointed(pixel.x, pixel.y);
  }

  /** The ends of the handle's way. */
  get #way() {
    const { style } = this.stage.compare;
    return { from: parseFloat(style.left) + 14, width: parseFloat(style.width) - 28 };
  }

  /** Where the handle's middle is. */
  #thumb() {
    const { from, width } = this.#way;
    return from + (width * Number(this.stage.compare.value)) / 100;
  }

  #drag(x) {
    const { from, width } = this.#way;
    this.stage.compare.value = String(((x - this.#grab - from) / width) * 100);
    this.stage.lay();
  }
}
