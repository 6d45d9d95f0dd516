// Places of the panels: folded, resized, full screen, and the shade around the picture.

import { byId } from './dom.js';

const KEY = 'warpreel layout';
const SHADES = ['dark', 'grey', 'light'];
/** Least and largest size in pixels of the filters' width and the drawer's height, and their defaults. */
const LIMITS = { side: { low: 260, high: 720, usual: 350 }, drawer: { low: 120, high: 620, usual: 210 } };

/** Sizes and states of the panels, kept for later visits. */
export class Layout {
  #sizes = { side: LIMITS.side.usual, drawer: LIMITS.drawer.usual };
  #shade = 'dark';

  /** @param {() => void} opened hears of a drawer that is opened */
  constructor(opened) {
    this.opened = opened;
    this.panels = byId('panels');
    const kept = this.#kept();
    for (const name of ['side', 'drawer']) this.#resize(name, Number(kept[name]) || LIMITS[name].usual);
    this.shade(SHADES.includes(kept.shade) ? kept.shade : 'dark');
    this.fold(kept.isFolded === true);
    this.draw(kept.isOpen === true);
    byId('fold').addEventListener('click', () => this.fold());
    byId('drawer').addEventListener('click', () => this.draw());
    byId('shade').addEventListener('click', () => this.shade());
    byId('full').addEventListener('click', () => this.fill());
    this.#edge('side', event => innerWidth - event.clientX);
    const tabs = this.panels.querySelector('.tabs');
    this.#edge('drawer', event => this.panels.getBoundingClientRect().bottom - event.clientY - tabs.clientHeight);
    document.addEventListener('fullscreenchange', () => {
      if (!document.fullscreenElement) this.#bare(false);
    });
  }

  /** Whether the drawer of scopes is open. */
  get isOpen() {
    return this.panels.classList.contains('open');
  }

  /** Folds the filters, or shows them. @param {boolean} [isFolded] */
  fold(isFolded = !document.body.classList.contains('folded')) {
    document.body.classList.toggle('folded', isFolded);
    byId('fold').setAttribute('aria-pressed', String(!isFolded));
    this.#keep();
  }

  /** Opens the drawer, or closes it. @param {boolean} [isOpen] */
  draw(isOpen = !this.isOpen) {
    this.panels.classList.toggle('open', isOpen);
    byId('drawer').setAttribute('aria-expanded', String(isOpen));
    byId('drawer').querySelector('span').textContent = isOpen ? 'Close' : 'Open';
    if (isOpen) this.opened();
    this.#keep();
  }

  /** Sets the shade around the picture, or the next one. @param {string} [shade] */
  shade(shade = SHADES[(SHADES.indexOf(this.#shade) + 1) % SHADES.length]) {
    this.#shade = shade;
    byId('stage').dataset.shade = shade;
    byId('shade').title = `Shade around the picture: ${shade} (l)`;
    this.#keep();
  }

  /** Gives the picture the whole screen, or ends that. */
  async fill() {
    const isFull = document.body.classList.contains('bare');
    this.#bare(!isFull);
    try {
      if (isFull) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen();
    } catch {
      // Where the browser refuses, the picture fills its window.
    }
  }

  #bare(isBare) {
    document.body.classList.toggle('bare', isBare);
    byId('full').setAttribute('aria-pressed', String(isBare));
  }

  #resize(name, size) {
    const { low, high } = LIMITS[name];
    const fits = Math.round(Math.min(high, Math.max(low, size)));
    this.#sizes[name] = fits;
    document.body.style.setProperty(`--${name}`, `${fits}px`);
    const edge = byId(`${name}-edge`);
    for (const [key, value] of Object.entries({ valuenow: fits, valuemin: low, valuemax: high })) edge.setAttribute(`aria-${key}`, String(value));
  }

  /** Makes an edge resize its panel. @param {'side'|'drawer'} name @param {(event: PointerEvent) => number} size that a pointer means */
  #edge(name, size) {
    const edge = byId(`${name}-edge`);
    edge.addEventListener('pointerdown', event => {
      event.preventDefault();
      edge.setPointerCapture(event.pointerId);
    });
    edge.addEventListener('pointermove', event => {
      if (edge.hasPointerCapture(event.pointerId)) this.#resize(name, size(event));
    });
    edge.addEventListener('pointerup', () => this.#keep());
    edge.addEventListener('dblclick', () => this.#resize(name, LIMITS[name].usual));
    edge.addEventListener('keydown', event => {
      const by = { ArrowLeft: 16, ArrowUp: 16, ArrowRight: -16, ArrowDown: -16 }[event.key];
      if (!by) return;
      event.preventDefault();
      this.#resize(name, this.#sizes[name] + by);
      this.#keep();
    });
  }

  #kept() {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
    } catch {
      return {};
    }
  }

  #keep() {
    const isFolded = document.body.classList.contains('folded');
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...this.#sizes, shade: this.#shade, isFolded, isOpen: this.isOpen }));
    } catch {
      // Without storage the layout is that of this visit.
    }
  }
}
