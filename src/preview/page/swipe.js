// Swipes across sliders: one up or down scrolls the page and leaves their values, as browsers set them where a finger comes down.

/** Pixels from which on a finger moves along. */
const ALONG = 8;

/** Keeps sliders from what scrolls. */
export function guardSliders() {
  /** The slider under a finger that has not moved along it yet. @type {{slider: HTMLInputElement, value: string, x: number, hasChanged: boolean}|null} */
  let held = null;
  const pass = () => {
    const { slider, hasChanged } = held ?? {};
    held = null;
    if (slider && hasChanged) slider.dispatchEvent(new Event('input', { bubbles: true }));
  };
  addEventListener(
    'pointerdown',
    ({ target, pointerType, clientX }) => {
      const isSlider = target instanceof HTMLInputElement && target.type === 'range';
      if (isSlider && pointerType === 'touch') held = { slider: target, value: target.value, x: clientX, hasChanged: false };
    },
    true,
  );
  addEventListener(
    'input',
    event => {
      if (!held || event.target !== held.slider) return;
      event.stopImmediatePropagation();
      held.hasChanged = true;
    },
    true,
  );
  addEventListener('pointermove', ({ clientX }) => held && Math.abs(clientX - held.x) > ALONG && pass(), true);
  addEventListener('pointerup', pass, true);
  addEventListener(
    'pointercancel',
    () => {
      if (held) held.slider.value = held.value;
      held = null;
    },
    true,
  );
}
