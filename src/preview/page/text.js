// The field of the chain's text, its error, and a draft that was not applied.

import { byId, icon, make } from './dom.js';

/** The text field, a line that grows. */
export class ChainText {
  /** @param {import('./chain.js').Chain} chain */
  constructor(chain) {
    this.chain = chain;
    this.field = byId('chain');
    this.fault = byId('fault');
    this.draft = byId('draft');
    this.field.addEventListener('input', () => {
      this.#fit();
      chain.type(this.field.value);
    });
    this.field.addEventListener('keydown', event => {
      if (event.key === 'Enter' && !event.shiftKey) event.preventDefault();
      if (event.key === 'Escape') this.fault.hidden = true;
    });
    // An error covers cards, so it can be closed; the red border stays.
    this.field.addEventListener('focus', () => {
      this.fault.hidden = false;
    });
    new ResizeObserver(() => this.#fit()).observe(this.field);
    byId('undo').addEventListener('click', () => chain.travel(-1));
    byId('redo').addEventListener('click', () => chain.travel(1));
    byId('restore').addEventListener('click', () => {
      chain.restore(chain.draft);
      this.field.value = chain.text;
      this.#fit();
      this.field.focus();
    });
    byId('discard').addEventListener('click', () => {
      chain.draft = '';
      this.#tellDraft();
    });
  }

  /** Shows the chain's text. @param {string} origin the key of the change: what was typed here stays as it is */
  update(origin) {
    if (origin !== 'text') this.field.value = this.chain.text;
    this.#fit();
    this.field.removeAttribute('aria-invalid');
    this.fault.replaceChildren();
    this.#tellPast();
    this.#tellDraft();
  }

  /** Shows what is wrong. @param {{message: string, caret?: string}} error @param {string} origin */
  refuse(error, origin) {
    if (origin !== 'text') this.field.value = this.chain.text;
    this.#fit();
    this.field.setAttribute('aria-invalid', 'true');
    const caret = error.caret ? [make('pre', { tabIndex: 0, role: 'group', aria: { label: 'The place' } }, error.caret)] : [];
    const close = make(
      'button',
      {
        type: 'button',
        className: 'close',
        title: 'Close (Esc)',
        aria: { label: 'Close the error' },
        on: {
          click: () => {
            this.fault.hidden = true;
          },
        },
      },
      icon('close'),
    );
    this.fault.hidden = false;
    this.fault.replaceChildren(close, make('p', {}, error.message), ...caret);
    this.#tellPast();
    this.#tellDraft();
  }

  #tellPast() {
    byId('undo').disabled = !this.chain.canUndo;
    byId('redo').disabled = !this.chain.canRedo;
  }

  /** Shows a draft that is not in the field. */
  #tellDraft() {
    const { draft, text } = this.chain;
    this.draft.hidden = draft === '' || draft === text;
    byId('draft-text').textContent = draft;
  }

  #fit() {
    this.field.style.height = 'auto';
    this.field.style.height = `${this.field.scrollHeight + 2}px`;
  }
}
