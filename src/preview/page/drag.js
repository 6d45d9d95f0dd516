// Moving a card by its grip: the list scrolls where the pointer comes near its ends.

/** Distance from an end of the list, in pixels, from which on it scrolls, and its largest step. */
const EDGE = 48;
const STEP = 16;

/** What scrolls around a list. */
function scrollerOf(list) {
  return list.scrollHeight > list.clientHeight + 1 ? list : document.scrollingElement;
}

/**
 * Moves an element with the pointer that holds its grip.
 * @param {{grip: HTMLElement, element: HTMLElement, others: HTMLElement[], list: HTMLElement, event: PointerEvent}} held
 * @param {(to: number) => void} dropped hears of the new place among the others
 */
export function drag({ grip, element, others, list, event }, dropped) {
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  element.classList.add('dragged');
  const scroller = scrollerOf(list);
  const [from, scrolled] = [event.clientY, scroller.scrollTop];
  let [pointer, to, timer] = [from, 0, 0];
  const lay = () => {
    element.style.transform = `translateY(${pointer - from + scroller.scrollTop - scrolled}px)`;
    to = others.filter(other => {
      const box = other.getBoundingClientRect();
      return box.top + box.height / 2 < pointer;
    }).length;
    others.forEach((other, index) => {
      other.classList.toggle('place-above', index === to);
      other.classList.toggle('place-below', index === to - 1 && to === others.length);
    });
  };
  const scroll = () => {
    const box = scroller === list ? list.getBoundingClientRect() : { top: 0, bottom: innerHeight };
    const near = Math.max(0, pointer - (box.bottom - EDGE)) - Math.max(0, box.top + EDGE - pointer);
    const before = scroller.scrollTop;
    scroller.scrollTop += Math.sign(near) * Math.min(STEP, Math.ceil(Math.abs(near) / 3));
    if (scroller.scrollTop !== before) lay();
    timer = requestAnimationFrame(scroll);
  };
  const move = moved => {
    pointer = moved.clientY;
    lay();
  };
  const end = ended => {
    cancelAnimationFrame(timer);
    grip.removeEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) grip.removeEventListener(name, end);
    element.classList.remove('dragged');
    element.style.transform = '';
    for (const other of others) other.classList.remove('place-above', 'place-below');
    if (ended.type === 'pointerup') dropped(to);
  };
  lay();
  timer = requestAnimationFrame(scroll);
  grip.addEventListener('pointermove', move);
  for (const name of ['pointerup', 'pointercancel']) grip.addEventListener(name, end);
}
