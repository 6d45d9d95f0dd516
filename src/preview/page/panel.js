// The panels below the picture: scopes, the kernel's drawing, the cost, and what `explain` says.

import { drawing, send } from './api.js';
import { Axes } from './axis.js';
import { byId, make } from './dom.js';
import { Quality } from './quality.js';
import { Scope } from './scope.js';

/** The fewest milliseconds from a picture to its scopes. */
const REST = 100;

/** The panels, of which one is shown. */
export class Panels {
  #timer = 0;
  #rest = REST;
  /** Frames and names of the sides that were measured. */
  #measured = [];
  /** What the scopes show. */
  #scoped = {};
  #url = '';
  #drawn = '';
  /** The chain whose costs are shown. */
  #costed = '';
  /** @type {Scope} */
  scope;
  /** @type {Axes} */
  axes;
  /** The scope that is drawn. */
  #kind = 'histogram';

  /** @param {any} clip @param {import('./picture.js').Picture} picture @param {import('./chain.js').Chain} chain @param {import('./layout.js').Layout} layout */
  constructor(clip, picture, chain, layout) {
    this.clip = clip;
    this.picture = picture;
    this.chain = chain;
    this.layout = layout;
    this.fit(clip);
    this.quality = new Quality(byId('quality'), clip);
    this.tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[role=tab]')]);
    for (const tab of this.tabs) {
      tab.addEventListener('click', () => this.#open(tab));
      tab.addEventListener('keydown', event => this.#key(event, tab));
    }
    this.choice = byId('kernel-call');
    this.choice.addEventListener('change', () => this.#kernel());
  }

  /** Takes pictures of another shape. @param {any} shape */
  fit(shape) {
    this.scope = new Scope(shape, this.picture.painter);
    this.axes = new Axes(shape, this.picture.painter);
    this.#scoped = {};
  }

  #open(tab) {
    for (const other of this.tabs) {
      const isOpen = other === tab;
      other.setAttribute('aria-selected', String(isOpen));
      other.tabIndex = isOpen ? 0 : -1;
    }
    const panel = byId(tab.getAttribute('aria-controls'));
    for (const other of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[role=tabpanel]'))) other.hidden = other !== panel;
    panel.setAttribute('aria-labelledby', tab.id);
    this.#kind = tab.dataset.scope ?? this.#kind;
    tab.focus();
    this.layout.draw(true);
  }

  /** Draws what an opened drawer shows, at once: never the picture of another tab. */
  opened() {
    this.#draw();
    this.#kernel();
  }

  #key(event, tab) {
    const at = this.tabs.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#open(this.tabs.at(to % this.tabs.length));
  }

  /** Draws the scopes of what is shown, and measures it, soon, and not so often that pictures wait for them. */
  scopes() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      const began = performance.now();
      this.#draw();
      this.#rest = Math.max(REST, 4 * (performance.now() - began));
    }, this.#rest);
  }

  #draw() {
    const { ends, outer } = this.picture;
    if (!ends) return;
    this.#measure(ends);
    if (!this.layout.isOpen || byId('panel-scopes').hidden) return;
    for (const [at, side] of ['before', 'after'].entries()) {
      const [frame, kind, name] = [ends[at], this.#kind, outer[at].name];
      const last = this.#scoped[side];
      if (last?.frame === frame && last.kind === kind && last.name === name) continue;
      this.#scoped[side] = { frame, kind, name };
      const canvas = byId(`scope-${side}`);
      const part = name => canvas.closest('figure').querySelector(`figcaption ${name}`);
      part('b').textContent = name;
      part('span').textContent = this.scope.draw(kind, frame, canvas);
      this.axes.draw(kind, canvas.closest('figure'));
      canvas.setAttribute('aria-label', `${kind} ${name.toLowerCase()}`);
    }
  }

  /** Tells how far the outer sides are apart. @param {[import('./film.js').Frame, import('./film.js').Frame]} ends their frames */
  #measure(ends) {
    const [one, other] = this.picture.outer;
    const key = [...ends, one.name, other.name];
    if (key.every((part, at) => part === this.#measured[at])) return;
    this.#measured = key;
    const isScaled = ends[0].shape.format !== this.clip.format && [one, other].some(side => side.pane === 'before');
    this.quality.tell(...ends, `${one.name} → ${other.name}`, isScaled);
  }

  /** Shows what the program says of the chain. */
  update() {
    const { explain, notes, calls, latency } = this.chain.good;
    const lines = [...notes, ...(latency ? [`latency: ${latency} frames`] : [])];
    byId('explain').textContent = [explain.trimEnd(), ...lines].join('\n');
    const at = Math.max(0, this.choice.selectedIndex);
    this.choice.replaceChildren(...calls.map((call, index) => make('option', { value: call.text }, `${index + 1}: ${call.text}`)));
    this.choice.selectedIndex = Math.min(at, calls.length - 1);
    this.choice.disabled = calls.length === 0;
    this.#kernel();
  }

  /** Chooses whose kernel is drawn. @param {number} index */
  point(index) {
    if (index < 0 || index === this.choice.selectedIndex) return;
    this.choice.selectedIndex = index;
    this.#kernel();
  }

  async #kernel() {
    if (!this.layout.isOpen || byId('panel-kernel').hidden) return;
    const call = this.choice.value;
    if (call === this.#drawn) return;
    this.#drawn = call;
    const [image, note] = [byId('kernel'), byId('kernel-note')];
    try {
      if (!call) throw new Error('No filter, no kernel.');
      const picture = await drawing(call);
      if (call !== this.#drawn) return;
      URL.revokeObjectURL(this.#url);
      this.#url = URL.createObjectURL(picture);
      Object.assign(image, { src: this.#url, alt: `Kernel and frequency response of ${call}`, hidden: false });
      note.textContent = '';
    } catch (error) {
      if (call !== this.#drawn) return;
      image.hidden = true;
      note.textContent = error.message;
    }
  }

  /**
   * Shows what a picture took. One that the program had kept took nothing: what was told of the chain before stays.
   * @param {any} costs of the frame that is shown, after @param {string} chain
   */
  cost(costs, chain) {
    if (!costs || (costs.passes.length === 0 && chain === this.#costed)) return;
    this.#costed = chain;
    if (chain !== this.#timed) this.#tellSpeed('');
    if (costs.passes.length === 0) {
      byId('costs').replaceChildren();
      byId('cost-sum').textContent = 'This frame was cached; the next filtered frame shows its cost.';
      byId('expected').textContent = '';
      return;
    }
    const most = costs.passes.reduce((a, pass) => Math.max(a, pass.ms), 0.001);
    byId('costs').replaceChildren(
      ...costs.passes.map((pass, index) => {
        const bar = make('span', { className: 'bar' });
        bar.style.width = `${(100 * pass.ms) / most}%`;
        return make(
          'tr',
          {},
          make('td', {}, `${index + 1}. ${pass.name}`),
          make('td', { className: 'number' }, pass.ms.toFixed(2)),
          make('td', { className: 'bars' }, bar),
        );
      }),
    );
    const finding = costs.finding ? ` ${costs.finding}` : '';
    byId('cost-sum').textContent = `This frame, with all frames it needed: ${costs.ms.toFixed(1)} ms.${finding}`;
    byId('expected').textContent = `this frame: ${costs.ms.toFixed(1)} ms`;
  }

  /** The chain that the speed was measured for. */
  #timed = '';

  #tellSpeed(text) {
    byId('speed').textContent = text;
  }

  /** Measures the speed of a run and shows it. @param {any} errand options of the run */
  async time(errand) {
    const button = byId('time-speed');
    button.disabled = true;
    this.#timed = errand.chain;
    this.#tellSpeed('Measuring…');
    try {
      const { frames, chain, decoded, encoded, encoder, fault } = await send('speed', errand);
      const fps = number => `${number.toFixed(number < 10 ? 1 : 0)} fps`;
      const parts = [chain && `filters alone ${fps(chain)}`, `with decoding ${fps(decoded)}`];
      if (encoded) parts.push(`with encoding (${encoder}) ${fps(encoded)}`);
      else if (fault) parts.push(`encoding was not measured: ${fault}`);
      // The chain may have changed meanwhile.
      const isOld = this.#timed !== this.chain.good.text;
      this.#tellSpeed(isOld ? '' : `A run, measured over ${frames} frames: ${parts.filter(Boolean).join(', ')}.`);
    } catch (error) {
      this.#tellSpeed(error.message);
    }
    button.disabled = false;
  }
}
