// The dialog that adds a filter: a list that is searched, with descriptions.

import { send } from './api.js';
import { byId, make } from './dom.js';
import { Search } from './search.js';

/** Milliseconds until the picture of a filter is drawn. */
const REST = 120;

/** Lists the filters, those that match what is typed. */
export class Picker {
  #found = [];
  #active = 0;
  #timer = 0;

  /** @param {any} table the filters, as the program tells of them @param {(filter: any) => void} chosen
   * @param {(filter: any, canvas: HTMLCanvasElement) => Promise<boolean>} sketch draws the current frame as a filter's example makes it
   */
  constructor(table, chosen, sketch) {
    this.index = new Search(table);
    this.sketch = sketch;
    this.canvas = byId('sketch');
    this.chosen = chosen;
    this.dialog = byId('picker');
    this.search = byId('search');
    this.list = byId('found');
    this.about = byId('about');
    this.search.addEventListener('input', () => this.#find());
    this.search.addEventListener('keydown', event => this.#key(event));
  }

  open() {
    this.search.value = '';
    this.#find();
    this.dialog.showModal();
    this.search.focus();
    this.#point(0);
  }

  /** Lists the filters for the typed words; every word must be found. */
  #find() {
    this.#found = this.index.find(this.search.value);
    this.list.replaceChildren(
      ...this.#found.map(({ filter, group }, index) =>
        make(
          'li',
          {
            id: `found-${index}`,
            role: 'option',
            aria: { selected: 'false' },
            on: { click: () => this.#choose(index), pointermove: () => this.#point(index) },
          },
          make('b', {}, filter.name),
          make('span', {}, filter.summary),
          make('small', {}, group),
        ),
      ),
    );
    this.list.scrollTop = 0;
    this.#point(0);
  }

  #point(index) {
    this.list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = index;
    const option = this.list.children[index];
    option?.setAttribute('aria-selected', 'true');
    if (option) this.search.setAttribute('aria-activedescendant', option.id);
    else this.search.removeAttribute('aria-activedescendant');
    const filter = this.#found[index]?.filter;
    this.about.textContent = filter?.description || filter?.summary || '';
    this.#draw(filter);
    if (!filter) this.#advise(this.search.value.trim());
  }

  /** Says what the program knows of a name that is not a filter here. */
  async #advise(word) {
    const { error } = await send('chain', { text: word.toLowerCase() }).catch(() => ({ error: null }));
    if (this.search.value.trim() === word && this.#found.length === 0) this.about.textContent = error?.message ?? 'No filter found.';
  }

  /** Draws a small picture of the current frame with a filter. */
  async #draw(filter) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const isDrawn = filter && this.dialog.open && (await this.sketch(filter, this.canvas));
      if (this.#found[this.#active]?.filter !== filter) return;
      this.canvas.hidden = !isDrawn;
      this.canvas.dataset.filter = filter?.name ?? '';
    }, REST);
  }

  #key(event) {
    const last = this.#found.length - 1;
    const to = { ArrowDown: this.#active + 1, ArrowUp: this.#active - 1, PageDown: this.#active + 8, PageUp: this.#active - 8 }[
      event.key
    ];
    if (to !== undefined) {
      event.preventDefault();
      this.#point(Math.max(0, Math.min(last, to)));
      this.list.children[this.#active]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#choose(this.#active);
    } else if (event.key === 'Escape') {
      // Of itself it would only empty the field.
      event.preventDefault();
      this.dialog.close();
    }
  }

  #choose(index) {
    const entry = this.#found[index];
    if (!entry) return;
    this.dialog.close();
    this.chosen(entry.filter);
  }
}
