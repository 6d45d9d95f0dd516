// The keys of the page, and the dialog that lists them.

import { byId, make } from './dom.js';

/** Elements that use keys themselves. */
export const TAKES_TEXT = 'input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select';
const TAKES_SPACE = 'button, summary, input, select, a';
const TAKES_ARROWS = 'input, textarea, select, [role=tab], [role=separator], pre, #kernel-frame';

/**
 * Makes keys work.
 * @param {{keys: string[], name: string, what: string, act: () => void, up?: () => void}[]} table
 *   `keys` as `KeyboardEvent.key` names them, `name` for the list of keys
 */
export function keys(table) {
  const rows = [
    ...table,
    { name: 'Alt+↑  Alt+↓', what: 'in a card: move the filter up or down' },
    { name: 'Shift+↑ ↓ ← →', what: 'on the picture: move the probe; with Ctrl too by ten' },
    { name: 'Ctrl+Z  Ctrl+Shift+Z', what: 'undo and redo' },
  ];
  byId('keys').replaceChildren(...rows.flatMap(({ name, what }) => [make('dt', {}, make('kbd', {}, name)), make('dd', {}, what)]));
  const help = byId('help');
  byId('open-help').addEventListener('click', () => help.showModal());
  for (const button of document.querySelectorAll('[data-close]'))
    button.addEventListener('click', () => button.closest('dialog')?.close());
  const find = event => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !byId('single-keys').checked || document.querySelector('dialog[open]'))
      return null;
    if (target.matches(TAKES_TEXT)) return null;
    if (key === ' ' && target.matches(TAKES_SPACE)) return null;
    if (/^(Arrow|Home|End|Page)/.test(key) && target.matches(TAKES_ARROWS)) return null;
    return table.find(entry => entry.keys.includes(key));
  };
  document.addEventListener('keydown', event => {
    const entry = find(event);
    if (!entry || (event.repeat && entry.up)) return;
    event.preventDefault();
    entry.act();
  });
  // What a key holds down ends when it goes up, wherever the focus is by then.
  document.addEventListener('keyup', event => table.find(entry => entry.keys.includes(event.key))?.up?.());
}
