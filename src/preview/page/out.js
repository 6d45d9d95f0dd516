// What is taken out of the page: lines that are copied, pictures and recipes that are saved.

import { still } from './api.js';
import { byId, make, say } from './dom.js';
import { command, python, recipe } from './line.js';

/** Copies a line. @param {string} text @param {string} [remark] shown before it */
export async function copy(text, remark = '') {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied${remark && `, ${remark}`}: ${text}`, remark !== '');
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
 * @param {any} clip @param {import('./job.js').Job} job @param {import('./chain.js').Chain} chain @param {import('./picture.js').Picture} picture
 * @param {import('./stage.js').Stage} stage @param {{frame: number}} timeline @param {import('./pair.js').Pair} pair
 */
export function takeOut(clip, job, chain, picture, stage, timeline, pair) {
  const output = () => byId('job-output').value || clip.output;
  const remark = () => (chain.isWrong ? 'with the last valid chain, because the typed one has an error' : '');
  const offer = (id, line) =>
    byId(id).addEventListener('click', () => copy(line(clip, output(), chain.good.active, job.options), remark()));
  offer('copy-command', command);
  offer('copy-python', python);
  const menu = byId('save');
  const stem = clip.name.replace(/\.[^.]*$/, '') || 'clip';
  /** Saves a picture as the program writes it. */
  const savePicture = async which => {
    const { frame } = timeline;
    const edge = { before: picture.shape.width, after: 0, split: stage.edge }[which];
    say('Saving…');
    try {
      if (which === 'split' && pair.result) {
        say(`A split with ${pair.result.name} is not saved; its frames are in the file`, true);
        return;
      }
      const [left, right] = pair.sides.map(side => (side === 'before' ? '' : pair.good(side).text));
      // Of a split both sides are those of the handle.
      const wanted = which === 'split' ? { chain: right, against: left || null } : { chain: chain.good.text, against: null };
      save(await still({ number: frame, ...wanted, edge }), `${stem}-${frame}-${which}.png`);
    } catch (error) {
      say(error.message, true);
    }
  };
  menu.addEventListener('click', async event => {
    const which = event.target.dataset?.save;
    if (!which) return;
    menu.open = false;
    menu.querySelector('summary').focus();
    if (which === 'recipe') save(new Blob([recipe(chain.good.calls.filter(call => call.on))], { type: 'text/plain' }), `${stem}.txt`);
    else await savePicture(which);
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
