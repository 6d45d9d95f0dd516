// The control of one parameter: a slider and a number, a switch, a choice, or text.

import { icon, make } from './dom.js';

/** Letters of a default that fit into the field of a number. */
const LONGEST = 10;

let made = 0;

/** A parameter's label, its control, and a button that gives it its default. */
export class Control {
  /**
   * @param {any} parameter as the program tells of it @param {string} filter
   * @param {(value: string|null) => void} change null: the default
   */
  constructor(parameter, filter, change) {
    this.parameter = parameter;
    this.change = change;
    const id = `control-${++made}`;
    const { name, help, range, unit, derived } = parameter;
    const facts = [range, unit && `in ${unit}`, derived && `default ${derived}`].filter(Boolean).join(', ');
    const title = [help, facts].filter(Boolean).join('; ');
    this.reset = make(
      'button',
      {
        type: 'button',
        className: 'reset',
        title: 'Default',
        aria: { label: `Default of ${name}` },
        on: {
          click: () => {
            this.#last = null;
            change(null);
          },
        },
      },
      icon('reset'),
    );
    this.body = this.#body(id, filter);
    const label = make('label', { for: id, title }, name);
    this.element = make(
      'div',
      { className: `control ${parameter.kind}`, data: { parameter: name, hint: `${name}: ${title}` } },
      label,
      this.body,
      this.reset,
    );
  }

  /** Says below it in a few words what it does. */
  caption() {
    const [words] = this.parameter.help.split(/[;(:,]/);
    if (words) this.element.append(make('small', { aria: { hidden: 'true' } }, words.trim()));
  }

  /** What this control sent last, which its own answer need not set again. @type {string|null|undefined} */
  #last = undefined;

  #send(value) {
    this.#last = value;
    this.change(value === '' ? null : value);
  }

  #body(id, filter) {
    const { kind, words, derived } = this.parameter;
    if (kind === 'number' || kind === 'count') return this.#slider(id, filter);
    if (kind === 'switch') {
      this.field = make('input', {
        id,
        type: 'checkbox',
        role: 'switch',
        on: { change: () => this.#send(this.field.checked ? '1' : '0') },
      });
      return this.field;
    }
    if (kind === 'word') {
      this.field = make(
        'select',
        { id, on: { change: () => this.#send(this.field.value) } },
        ...words.map(word => make('option', { value: word }, word)),
      );
      return this.field;
    }
    this.field = make('input', {
      id,
      type: 'text',
      spellcheck: false,
      autocomplete: 'off',
      placeholder: derived ?? '',
      on: { input: () => this.#send(this.field.value) },
    });
    if (this.parameter.name === 'roi') {
      const draw = () => this.element.dispatchEvent(new CustomEvent('draw', { bubbles: true }));
      const button = { type: 'button', className: 'word', title: 'Draw it on the picture', aria: { label: `roi of ${filter}: draw` }, on: { click: draw } };
      return make('span', { className: 'with-button' }, this.field, make('button', button, icon('region')));
    }
    if (!words.length) return this.field;
    const list = make('datalist', { id: `${id}-words` }, ...words.map(word => make('option', { value: word })));
    this.field.setAttribute('list', list.id);
    return make('span', { className: 'with-list' }, this.field, list);
  }

  #slider(id, filter) {
    const { name, kind, derived } = this.parameter;
    this.slider = make('input', {
      id,
      type: 'range',
      on: {
        input: () => {
          this.#skip();
          this.field.type = 'number';
          this.field.value = this.slider.value;
          this.slider.removeAttribute('aria-valuetext');
          this.#send(this.slider.value);
        },
        change: () => this.#stretch(Number(this.slider.value)),
      },
    });
    this.field = make('input', {
      type: 'number',
      step: { odd: '2', multiples: String(this.parameter.unit_step) }[this.parameter.steps] ?? (kind === 'count' ? '1' : 'any'),
      min: this.parameter.steps === 'odd' ? String(Math.max(1, this.parameter.low)) : '',
      // What does not fit is said by the hint.
      placeholder: derived && derived.length > LONGEST ? 'auto' : (derived ?? ''),
      aria: { label: `${name} of ${filter}, number` },
      on: { input: () => this.#typed() },
    });
    // What may be typed instead of a number: a strength that follows the noise of the clip.
    const words = this.parameter.words.map(word =>
      make(
        'button',
        {
          type: 'button',
          className: 'word',
          aria: { label: `${name} of ${filter}: ${word}` },
          on: {
            click: () => {
              this.#last = null;
              this.change(word);
            },
          },
        },
        word,
      ),
    );
    return make('span', { className: words.length ? 'slider with-word' : 'slider' }, this.slider, this.field, ...words);
  }

  /** Previous value of the slider. */
  #stood = 0;

  /** Moves the slider on to the next number that the chain accepts, in the same direction. */
  #skip() {
    const { steps } = this.parameter;
    const value = Number(this.slider.value);
    const [min, max] = [Number(this.slider.min), Number(this.slider.max)];
    const isTaken = { odd: number => number === 0 || number % 2 === 1, powers: number => Number.isInteger(Math.log2(number)) }[steps];
    if (isTaken) {
      const by = value < this.#stood ? -1 : 1;
      let on = value;
      while (!isTaken(on) && on >= min && on <= max) on += by;
      if (on < min || on > max) on = this.#stood;
      this.slider.value = String(on);
    }
    this.#stood = Number(this.slider.value);
  }

  #typed() {
    const { value } = this.field;
    if (value === '' && this.field.validity.badInput) return;
    this.slider.removeAttribute('aria-valuetext');
    if (value !== '' && !Number.isNaN(Number(value))) {
      this.#stretch(Number(value));
      this.slider.value = value;
      this.#stood = Number(this.slider.value);
    }
    this.#send(value);
  }

  /** Lets the slider reach as far as is useful: all of a range of at most 100, else some times the value, and growing. */
  #stretch(value) {
    const { kind, preset } = this.parameter;
    const low = this.parameter.low ?? -Infinity;
    const high = this.parameter.high ?? Infinity;
    const reach = Math.max(4 * Math.abs(value), 4 * Math.abs(Number(preset ?? 0)) || 0, 10);
    let [min, max] = high - low <= 100 ? [low, high] : [Math.max(low, -reach), Math.min(high, Math.max(reach, low + 10))];
    const unit = this.parameter.unit_step;
    const step = unit ?? 10 ** Math.floor(Math.log10((max - min) / 100));
    if (unit) [min, max] = [Math.ceil(min / unit) * unit, Math.floor(max / unit) * unit];
    Object.assign(this.slider, { min: String(min), max: String(max), step: String(kind === 'count' ? Math.max(1, step) : step) });
  }

  /**
   * Shows what the chain says.
   * @param {string|undefined} value undefined where nothing was typed for it
   * @param {(name: string) => string|undefined} other the value of another parameter of the filter
   * @param {boolean} isOwn whether this control made the change
   */
  update(value, other, isOwn) {
    const { preset, derived } = this.parameter;
    this.element.classList.toggle('set', value !== undefined);
    this.reset.disabled = value === undefined;
    const shown = value ?? preset ?? '';
    if (this.slider) {
      const number = this.#number(shown || other(derived?.match(/^as (\w+)$/)?.[1] ?? ''));
      if (isOwn && this.#last) return;
      this.#stretch(number);
      this.slider.value = String(number);
      this.#stood = Number(this.slider.value);
      this.slider.setAttribute('aria-valuetext', shown || derived || String(number));
      // A field that was just emptied stays so.
      if (isOwn && this.#last === '') return;
      this.field.type = shown === '' || !Number.isNaN(Number(shown)) ? 'number' : 'text';
      this.field.value = shown;
      return;
    }
    if (isOwn && this.#last !== null && this.field.type === 'text') return;
    if (this.field.type === 'checkbox') this.field.checked = shown === '1' || shown === 'true';
    else if (this.field.tagName === 'SELECT') this.#choose(shown);
    else this.field.value = value ?? preset ?? '';
  }

  /** Where the slider stands for a text; for none, and for what is no number, as near to 0 as it may. */
  #number(text) {
    const { low, high } = this.parameter;
    const number = Number(text || NaN);
    return Number.isNaN(number) ? Math.min(high ?? 0, Math.max(low ?? 0, 0)) : number;
  }

  #choose(word) {
    const { options } = this.field;
    if (![...options].some(option => option.value === word)) {
      this.field.prepend(make('option', { value: word }, word || `(${this.parameter.derived ?? 'default'})`));
    }
    this.field.value = word;
  }
}
