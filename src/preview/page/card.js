// The card of one filter of the chain.

import { Control } from './control.js';
import { icon, make } from './dom.js';

/** Main parameters where they are not the first three. */
const MAIN = {
  atadenoise: ['0a', '0b', 's'],
  crop: ['w', 'h', 'x', 'y'],
  nlmeans: ['s', 'p', 'r'],
  pad: ['w', 'h', 'x', 'y'],
  unsharp: ['luma_amount', 'luma_msize_x', 'luma_msize_y'],
};

/** A filter: whether it is on, its parameters, and what moves and removes it. */
export class Card {
  /**
   * @param {any} spec the filter, as the program tells of it @param {boolean} hasAlpha whether the clip has opacity
   * @param {{set: (card: Card, parameter: string, value: string|null) => void, on: (card: Card, isOn: boolean) => void,
   *   fold: () => void, move: (card: Card, by: number) => void, remove: (card: Card) => void, grip: (card: Card, event: PointerEvent) => void}} calls
   */
  constructor(spec, hasAlpha, calls) {
    this.spec = spec;
    const { name } = spec;
    this.controls = spec.parameters.map(parameter => new Control(parameter, name, value => calls.set(this, parameter.name, value)));
    const shared = this.controls.filter(control => control.parameter.shared);
    const own = this.controls.filter(control => !control.parameter.shared);
    const names = MAIN[name] ?? own.slice(0, 3).map(control => control.parameter.name);
    const isMain = control => names.includes(control.parameter.name);
    const main = own.filter(isMain).sort((a, b) => names.indexOf(a.parameter.name) - names.indexOf(b.parameter.name));
    for (const control of main) control.caption();
    const others = own.filter(control => !isMain(control) && (hasAlpha || !control.parameter.name.startsWith('alpha_')));
    const folded = (title, controls) => {
      const details = make('details', {}, make('summary', {}, title), ...controls.map(control => control.element));
      details.hidden = controls.length === 0;
      return details;
    };
    /** Folded controls, which are shown where one of them is set. */
    this.details = [
      { element: folded(`${others.length} more`, others), controls: others },
      { element: folded('Where, when and how much', shared), controls: shared },
    ];
    const button = (drawing, label, act) =>
      make('button', { type: 'button', title: label, aria: { label: `${label}: ${name}` }, on: { click: act } }, icon(drawing));
    this.grip = make(
      'span',
      { className: 'grip', title: 'Drag', aria: { hidden: 'true' }, on: { pointerdown: event => calls.grip(this, event) } },
      icon('grip'),
    );
    this.on = make('input', {
      type: 'checkbox',
      role: 'switch',
      title: 'On or off',
      aria: { label: `${name} is on` },
      on: { change: () => calls.on(this, this.on.checked) },
    });
    this.up = button('up', 'Move up', () => calls.move(this, -1));
    this.down = button('down', 'Move down', () => calls.move(this, 1));
    this.cross = button('close', 'Remove', () => calls.remove(this));
    this.title = make(
      'button',
      {
        type: 'button',
        className: 'title',
        title: `${spec.summary}\n\n${spec.description}`,
        on: {
          click: () => {
            this.isFolded = !this.isFolded;
            calls.fold();
          },
        },
      },
      icon('open'),
      name,
    );
    this.summary = make('span', { className: 'summary' }, spec.summary);
    const head = make(
      'div',
      { className: 'head' },
      this.grip,
      this.on,
      make('h2', {}, this.title),
      this.summary,
      this.up,
      this.down,
      this.cross,
    );
    this.element = make(
      'li',
      { className: 'card', on: { keydown: event => this.#key(event, calls) } },
      head,
      ...main.map(control => control.element),
      ...this.details.map(({ element }) => element),
    );
    this.element.setAttribute('aria-label', name);
    this.isFolded = false;
  }

  /** Whether only its head is shown, with its text. */
  get isFolded() {
    return this.element.classList.contains('folded');
  }
  set isFolded(isFolded) {
    this.element.classList.toggle('folded', isFolded);
    this.title.setAttribute('aria-expanded', String(!isFolded));
    this.#tell();
  }

  #tell() {
    this.summary.textContent = this.isFolded ? (this.element.dataset.call ?? '') : this.spec.summary;
  }

  /** Gives its first control the focus. */
  focus() {
    (this.element.querySelector('.control :is(input, select)') ?? this.title).focus();
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Shows what the chain says of it.
   * @param {any} call @param {number} index @param {number} count how many filters there are @param {string} origin the key of the change
   */
  update(call, index, count, origin) {
    const values = new Map(call.arguments.map(argument => [argument.parameter, argument.value]));
    const preset = name => this.spec.parameters.find(parameter => parameter.name === name)?.preset ?? undefined;
    for (const control of this.controls) {
      const { name } = control.parameter;
      control.update(values.get(name), other => values.get(other) ?? preset(other), origin === `set ${index} ${name}`);
    }
    for (const { element, controls } of this.details) {
      const isSet = ({ parameter }) => values.has(parameter.name) && parameter.name !== 'enable';
      if (controls.some(isSet)) element.open = true;
    }
    this.on.checked = call.on;
    this.element.classList.toggle('off', !call.on);
    this.up.disabled = index === 0;
    this.down.disabled = index === count - 1;
    this.element.dataset.call = call.text;
    this.#tell();
  }

  #key(event, calls) {
    if (!event.altKey || event.ctrlKey || event.metaKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    calls.move(this, event.key === 'ArrowUp' ? -1 : 1);
  }
}
