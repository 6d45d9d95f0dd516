// The clips of the command line: a list that another one is opened from, on a page of its own.

import { ROOT, read } from './api.js';
import { byId, make, say } from './dom.js';
import { addressed, hand, handed } from './memory.js';

/** Milliseconds between questions for the facts of clips, while the list is open. */
const REST = 500;

/** Size, rate, duration and bytes of a clip, as far as they are known. @param {any} facts */
function told(facts) {
  if (!facts) return '…';
  if (facts.fault) return facts.fault;
  const { width, height, rate, frames, bytes } = facts;
  const seconds = rate && frames ? frames / rate : null;
  const minutes = seconds === null ? '' : `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
  const [unit, divisor] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  const weight = bytes ? `${(bytes / divisor).toFixed(1)} ${unit}` : '';
  return [`${width}x${height}`, rate && `${Number(rate.toFixed(3))} fps`, minutes, weight].filter(Boolean).join(' · ');
}

/** The list, and the button that shows it. */
export class Clips {
  /** All clips, as the program lists them. @type {any[]} */
  #all = [];
  #current = 0;
  /** Indices of those that match the search. @type {number[]} */
  #found = [];
  /** The chosen one of those. */
  #active = 0;
  #isSettled = false;
  /** State of this page, once it has one. @type {(() => import('./memory.js').PageState)|null} */
  state = null;

  constructor() {
    this.dialog = byId('clips');
    this.button = byId('open-clips');
    this.search = byId('clip-search');
    this.list = byId('clip-list');
    this.button.addEventListener('click', () => this.open());
    this.search.addEventListener('input', () => this.#find());
    this.search.addEventListener('keydown', event => this.#key(event));
    /** Resolves with the names of all. */
    this.ready = this.#ask();
  }

  /** Whether there are several. */
  get isLong() {
    return this.#all.length > 1;
  }

  /** Shows the list. */
  open() {
    this.search.value = '';
    this.#find();
    this.#point(this.#found.indexOf(this.#current));
    this.dialog.showModal();
    this.search.focus();
    this.#reveal();
    this.#follow();
  }

  /** Opens the next clip (1), or the one before (-1); those that cannot be opened are passed over. @param {number} by */
  step(by) {
    let to = this.#current + by;
    while (this.#all[to]?.facts?.fault) to += by;
    if (this.#all[to]) this.#go(to, false);
    else say(by > 0 ? 'This is the last clip' : 'This is the first clip');
  }

  /** Lists what has come since. */
  refresh() {
    return this.#ask().catch(() => {});
  }

  async #ask() {
    const { clips, current, settled } = await read('clips');
    [this.#all, this.#current, this.#isSettled] = [clips, current, settled];
    const { name } = clips[current];
    document.title = `${name} – warpreel preview`;
    byId('clip-name').textContent = name;
    this.button.hidden = !this.isLong;
    byId('clip-count').textContent = `${current + 1} of ${clips.length}`;
  }

  /** Shows facts as the program finds them out, while the list is open. */
  async #follow() {
    while (this.dialog.open && !this.#isSettled) {
      await this.#ask().catch(() => {});
      this.#fill();
      await new Promise(resolve => setTimeout(resolve, REST));
    }
  }

  /** Lists the clips whose names have all typed words. */
  #find() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const names = this.#all.map(clip => clip.name);
    // A name that occurs twice is told with its folder.
    const shown = ({ name, input }) => (names.filter(other => other === name).length > 1 ? input : name);
    this.#found = [...this.#all.keys()].filter(index => words.every(word => this.#all[index].input.toLowerCase().includes(word)));
    this.list.replaceChildren(
      ...this.#found.map((index, row) =>
        make(
          'li',
          {
            id: `clip-${row}`,
            role: 'option',
            title: this.#all[index].input,
            aria: { selected: 'false', ...(index === this.#current ? { current: 'true' } : {}) },
            on: {
              click: event => this.#go(index, event.ctrlKey || event.metaKey),
              auxclick: event => event.button === 1 && this.#go(index, true),
              pointermove: () => this.#point(row),
            },
          },
          make('b', {}, shown(this.#all[index])),
          make('small', {}),
        ),
      ),
    );
    byId('clip-none').hidden = this.#found.length > 0;
    this.#fill();
    this.#point(0);
  }

  /** Writes what is known of each. */
  #fill() {
    this.#found.forEach((index, row) => {
      const { facts } = this.#all[index];
      const small = this.list.children[row].querySelector('small');
      small.textContent = told(facts);
      small.classList.toggle('error', Boolean(facts?.fault));
    });
  }

  #point(row) {
    this.list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = Math.max(0, row);
    const option = this.list.children[this.#active];
    option?.setAttribute('aria-selected', 'true');
    if (option) this.search.setAttribute('aria-activedescendant', option.id);
    else this.search.removeAttribute('aria-activedescendant');
  }

  #reveal() {
    this.list.children[this.#active]?.scrollIntoView({ block: 'nearest' });
  }

  #key(event) {
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#point(Math.min(this.#found.length - 1, this.#active + to));
      this.#reveal();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (this.#found.length) this.#go(this.#found[this.#active], event.ctrlKey || event.metaKey);
    } else if (event.key === 'Escape') {
      // Of itself it would only empty the field.
      event.preventDefault();
      this.dialog.close();
    }
  }

  /** Opens a clip in this tab or a new one, with the chain and the view of this page. */
  #go(index, isNewTab) {
    this.dialog.close();
    if (index === this.#current && !isNewTab) return;
    const { input, place } = this.#all[index];
    // A page without a clip passes on what it got.
    const state = this.state?.() ?? handed() ?? { words: {} };
    const address = `${ROOT}clips/${place}/${addressed(state.words)}`;
    if (isNewTab) {
      open(address, '_blank', 'noopener');
      return;
    }
    hand(input, state);
    location.replace(address);
  }
}
