// The field of the chain's text, and what is wrong with it.

import { byId, make } from './dom.js';

/** The text field, a line that grows. */
export class ChainText {
  /** @param {import('./chain.js').Chain} chain */
  constructor(chain) {
    this.chain = chain;
    this.field = byId('chain');
    this.fault = byId('fault');
    this.field.addEventListener('input', () => {
      this.#fit();
      chain.type(this.field.value);
    });
    this.field.addEventListener('keydown', event => {
      if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
    });
    new ResizeObserver(() => this.#fit()).observe(this.field);
    byId('undo').addEventListener('click', () => chain.travel(-1));
    byId('redo').addEventListener('click', () => chain.travel(1));
  }

  /** Shows the chain's text. @param {string} origin the key of the change: what was typed here stays as it is */
  update(origin) {
    if (origin !== 'text') this.field.value = this.chain.text;
    this.#fit();
    this.field.removeAttribute('aria-invalid');
    this.fault.replaceChildren();
    byId('undo').disabled = !this.chain.canUndo;
    byId('redo').disabled = !this.chain.canRedo;
  }

  /** Shows what is wrong. @param {{message: string, caret?: string}} error @param {string} origin */
  refuse(error, origin) {
    if (origin !== 'text') this.field.value = this.chain.text;
    this.#fit();
    this.field.setAttribute('aria-invalid', 'true');
    const caret = error.caret ? [make('pre', { tabIndex: 0, role: 'group', aria: { label: 'The place' } }, error.caret)] : [];
    this.fault.replaceChildren(make('p', {}, error.message), ...caret);
  }

  #fit() {
    this.field.style.height = 'auto';
    this.field.style.height = `${this.field.scrollHeight + 2}px`;
  }
}
