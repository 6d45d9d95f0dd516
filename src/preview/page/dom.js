// Elements: found, made, and the line that tells of what happened.

/**
 * The element of this id.
 * @param {string} id
 * @returns {any}
 */
export const byId = id => document.getElementById(id);

/**
 * An element with these properties (`data`, `aria` and `role` as attributes, `on` as listeners) and children.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node|string)} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'aria') for (const [key, text] of Object.entries(value)) element.setAttribute(`aria-${key}`, text);
    else if (name === 'on') for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'role' || name === 'list' || name === 'for') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/**
 * A drawing out of the page's set.
 * @param {string} name @returns {SVGElement}
 */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(space, 'svg');
  const use = document.createElementNS(space, 'use');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#icon-${name}`);
  drawing.append(use);
  return drawing;
}

/** Timer that takes a line away. */
let timer = 0;

/**
 * Says a line in the place that screen readers listen to.
 * @param {string} text
 * @param {boolean} [isError] whether it is shown as an error, and stays until the next line
 */
export function say(text, isError = false) {
  const place = byId('status');
  place.textContent = text;
  place.classList.toggle('error', isError);
  clearTimeout(timer);
  if (text && !isError)
    timer = setTimeout(() => {
      place.textContent = '';
    }, 4000);
}

/**
 * The radio buttons of a name: calls back with the value that is chosen.
 * @param {string} name
 * @param {(value: string) => void} chosen
 * @returns {(value: string) => void} puts the one of this value on, or none where none has it
 */
export function radios(name, chosen) {
  const all = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(`input[name="${name}"]`)]);
  for (const radio of all) radio.addEventListener('change', () => chosen(radio.value));
  return value => {
    for (const radio of all) radio.checked = radio.value === value;
  };
}
