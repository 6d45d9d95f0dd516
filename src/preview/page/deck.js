// The cards of a chain, in its order: they follow the text, and change it.

import { Card } from './card.js';
import { byId, say } from './dom.js';
import { drag } from './drag.js';

/** Cards from which on those of a new chain are folded. */
const MANY = 8;

/** All cards. */
export class Deck {
  /** @type {Card[]} */
  cards = [];
  /**
   * A move on its way: the card keeps its place in the list of elements until the program has answered.
   * @type {{card: Card, to: number}|null}
   */
  #moved = null;
  /** Place of a card that is being added, which gets the focus. */
  #added = -1;

  /** @param {Map<string, any>} filters by name @param {import('./chain.js').Chain} chain @param {boolean} hasAlpha whether the clip has opacity */
  constructor(filters, chain, hasAlpha) {
    this.hasAlpha = hasAlpha;
    this.filters = filters;
    this.chain = chain;
    this.list = byId('cards');
    this.hint = byId('hint');
    const tell = event => {
      this.hint.textContent = event.target.closest?.('[data-hint]')?.dataset.hint ?? '';
    };
    this.list.addEventListener('focusin', tell);
    this.list.addEventListener('pointerover', tell);
    this.calls = {
      set: (card, parameter, value) => {
        const call = this.cards.indexOf(card);
        chain.edit([{ set: { call, parameter, value } }], `set ${call} ${parameter}`);
      },
      on: (card, on) => chain.edit([{ switch: { call: this.cards.indexOf(card), on } }], ''),
      fold: () => this.#tellFolding(),
      move: (card, by) => this.#move(card, this.cards.indexOf(card) + by),
      remove: card => this.#remove(card),
      grip: (card, event) => {
        const others = this.cards.filter(other => other !== card).map(other => other.element);
        drag({ grip: card.grip, element: card.element, others, list: this.list, event }, to => this.#move(card, to));
      },
    };
    for (const isFolded of [true, false])
      byId(isFolded ? 'fold-all' : 'unfold-all').addEventListener('click', () => {
        for (const card of this.cards) card.isFolded = isFolded;
        this.#tellFolding();
      });
  }

  /** Adds a filter at the end. @param {string[]} texts of its call: the first valid one is taken */
  add(texts) {
    const at = this.cards.length;
    this.#added = at;
    this.chain.edit(
      texts.map(text => ({ insert: { at, text } })),
      '',
    );
  }

  #tellFolding() {
    byId('folding').hidden = this.cards.length < 2;
    byId('card-count').textContent = `${this.cards.length} filters`;
    byId('fold-all').disabled = this.cards.every(card => card.isFolded);
    byId('unfold-all').disabled = this.cards.every(card => !card.isFolded);
  }

  /** Shows the chain. @param {string} origin the key of the change */
  update(origin) {
    const { calls } = this.chain.good;
    if (this.#moved) {
      const { card, to } = this.#moved;
      this.#moved = null;
      this.cards.splice(to, 0, ...this.cards.splice(this.cards.indexOf(card), 1));
    }
    const had = this.cards.length;
    this.cards = this.#matched(calls);
    if (had === 0 && calls.length > MANY) for (const card of this.cards) card.isFolded = true;
    const elements = this.cards.map(card => card.element);
    // Only what has moved is put elsewhere, so that the focus stays.
    for (const child of [...this.list.children]) if (!elements.includes(child)) child.remove();
    elements.forEach((element, index) => {
      if (this.list.children[index] === element) return;
      const focus = element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
      this.list.insertBefore(element, this.list.children[index] ?? null);
      focus?.focus();
    });
    calls.forEach((call, index) => this.cards[index].update(call, index, calls.length, origin));
    byId('empty').hidden = calls.length > 0;
    this.#tellFolding();
    if (this.#added >= 0 && this.cards.length > this.#added) {
      this.cards[this.#added].focus();
      this.#added = -1;
    }
  }

  /** The cards for these calls: those that are there already, as far as their names follow each other. */
  #matched(calls) {
    const old = [...this.cards];
    return calls.map((call, index) => {
      const left = calls.length - index;
      while (old.length > 0 && old[0].spec.name !== call.name && old.length >= left) old.shift();
      return old[0]?.spec.name === call.name ? old.shift() : new Card(this.filters.get(call.name), this.hasAlpha, this.calls);
    });
  }

  #move(card, to) {
    const call = this.cards.indexOf(card);
    if (to < 0 || to >= this.cards.length || to === call || this.#moved) return;
    const focus = card.element.contains(document.activeElement) ? document.activeElement : null;
    this.#moved = { card, to };
    this.chain.edit([{ move: { call, to } }], '');
    say(`${card.spec.name} is now ${to + 1} of ${this.cards.length}`);
    // A button that is disabled at an end loses the focus: its counterpart takes it.
    if (focus === card.up && to === 0) card.down.focus();
    if (focus === card.down && to === this.cards.length - 1) card.up.focus();
  }

  #remove(card) {
    const call = this.cards.indexOf(card);
    const next = this.cards[call + 1] ?? this.cards[call - 1];
    (next?.cross ?? byId('add')).focus();
    this.chain.edit([{ remove: { call } }], '');
    say(`${card.spec.name} is removed`);
  }
}
