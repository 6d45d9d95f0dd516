// The focus after a pointer's click: it goes to the picture, so that keys work on.

import { TAKES_TEXT } from './key.js';

/** Elements that keep the focus of a click: menus, dialogs, and the sliders of filters, which arrow keys move on. */
const KEEPS = 'dialog, .menu, #cards input[type=range], [tabindex="0"]:not([role=tab], #stage)';

/** Gives the picture the focus after clicks on buttons, switches and choices. @param {HTMLElement} stage */
export function returnFocus(stage) {
  let isPointer = false;
  addEventListener('pointerdown', () => (isPointer = true), true);
  addEventListener('keydown', () => (isPointer = false), true);
  const give = ({ target }) => {
    if (!isPointer || !(target instanceof Element) || target.closest(KEEPS)) return;
    // A label passes the focus on after its click.
    setTimeout(() => {
      const takesText = document.activeElement?.matches(TAKES_TEXT);
      if (!takesText && !document.querySelector('dialog[open]')) stage.focus({ preventScroll: true });
    });
  };
  document.addEventListener('click', give);
  // A list is closed when something is chosen.
  document.addEventListener('change', ({ target }) => {
    if (isPointer && target instanceof HTMLSelectElement && !target.closest('dialog')) stage.focus({ preventScroll: true });
  });
}
