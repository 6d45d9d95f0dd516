// The dialog that adds a filter: a list that is searched, with descriptions.

import { byId, make } from './dom.js';

/** A word without its ending, which is what its forms have in common. */
const stem = word => word.replace(/(ing|ers|er|ed|es|e|s)$/, '');

/** Lists the filters, those that match what is typed. */
export class Picker {
  #found = [];
  #active = 0;

  /** @param {{title: string, filters: any[]}[]} groups @param {(filter: any) => void} chosen */
  constructor(groups, chosen) {
    this.all = groups.flatMap(group => group.filters.map(filter => ({ filter, group: group.title })));
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

  /**
   * Every word must be found, in whatever form: denoise finds denoising. What has it in its name comes first, then what other
   * programs call so, then summaries.
   */
  #find() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rank = ({ filter, group }) => {
      const names = [filter.name, filter.elsewhere.join(' '), filter.summary, group, filter.description];
      const places = names.map(text => text.toLowerCase());
      const ranks = words.map(word => {
        if (places[0].startsWith(word)) return -1;
        const short = stem(word);
        const place = places.findIndex(text => text.includes(word) || (short.length > 3 && text.includes(short)));
        return place < 0 ? Infinity : place;
      });
      return Math.max(-1, ...ranks);
    };
    const ranked = this.all.map(entry => ({ entry, rank: rank(entry) })).filter(item => item.rank < Infinity);
    this.#found = ranked.sort((a, b) => a.rank - b.rank).map(item => item.entry);
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
    this.about.textContent =
      this.#found[index]?.filter.description ||
      this.#found[index]?.filter.summary ||
      'No filter found by name or description.';
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
