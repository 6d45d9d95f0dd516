// What is taken out of the page: lines that are copied, pictures and recipes that are saved.

import { byId, make, say } from './dom.js';
import { command, python, recipe } from './line.js';

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}`);
  } catch {
    say(`The browser refused to copy; copy this line: ${text}`, true);
  }
}

function save(blob, name) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  say(`Saved ${name}`);
}

/**
 * Makes the buttons work.
 * @param {any} clip @param {import('./chain.js').Chain} chain @param {import('./picture.js').Picture} picture
 * @param {import('./stage.js').Stage} stage @param {{frame: number}} timeline
 */
export function takeOut(clip, chain, picture, stage, timeline) {
  const output = () => byId('job-output').value || clip.output;
  byId('copy-command').addEventListener('click', () => copy(command(clip, output(), chain.good.text)));
  byId('copy-python').addEventListener('click', () => copy(python(clip, output(), chain.good.text)));
  const menu = byId('save');
  const stem = clip.name.replace(/\.[^.]*$/, '') || 'clip';
  menu.addEventListener('click', async event => {
    const which = event.target.dataset?.save;
    if (!which) return;
    menu.open = false;
    menu.querySelector('summary').focus();
    if (which === 'recipe') save(new Blob([recipe(chain.good.calls)], { type: 'text/plain' }), `${stem}.txt`);
    else save(await picture.png(which, stage.edge), `${stem}-${timeline.frame}-${which}.png`);
  });
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  document.addEventListener('pointerdown', event => {
    if (!menu.contains(event.target)) menu.open = false;
  });
}
