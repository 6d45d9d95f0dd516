// What each key does.

import { byId } from './dom.js';
import { keys } from './key.js';

/** Keys for several clips. @param {import('./clip.js').Clips} clips */
const several = clips => [
  { keys: ['v'], name: 'v', what: 'open another clip', act: () => clips.open() },
  { keys: ['PageDown'], name: 'PageDown', what: 'the next clip', act: () => clips.step(1) },
  { keys: ['PageUp'], name: 'PageUp', what: 'the clip before', act: () => clips.step(-1) },
];

/**
 * Makes the keys of the page work.
 * @param {{chain: import('./chain.js').Chain, clips: import('./clip.js').Clips, job: import('./job.js').Job, layout: import('./layout.js').Layout, loupe: import('./loupe.js').Loupe, mark: () => void, pair: import('./pair.js').Pair, picker: import('./picker.js').Picker,
 *   player: import('./player.js').Player, stage: import('./stage.js').Stage, timeline: import('./timeline.js').Timeline}} parts
 */
export function shortcuts({ chain, clips, job, layout, loupe, mark, pair, picker, player, stage, timeline }) {
  document.addEventListener('keydown', event => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    chain.travel(event.shiftKey ? 1 : -1);
  });
  const step = by => timeline.go(timeline.frame + by);
  const zoom = to => stage.scaleTo(to, stage.pointer ?? undefined);
  keys([
    { keys: [' '], name: 'Space', what: 'play and pause', act: () => player.toggle() },
    { keys: [',', 'ArrowLeft'], name: ',  ←', what: 'one frame back', act: () => step(-1) },
    { keys: ['.', 'ArrowRight'], name: '.  →', what: 'one frame on', act: () => step(1) },
    { keys: ['Home'], name: 'Home', what: 'the first frame', act: () => timeline.go(0) },
    { keys: ['End'], name: 'End', what: 'the last frame', act: () => timeline.go(timeline.frames - 1) },
    { keys: ['j'], name: 'j', what: 'go to a frame or a time', act: () => byId('goto').focus() },
    { keys: ['<'], name: '<', what: 'the cut before', act: () => timeline.cut(-1) },
    { keys: ['>'], name: '>', what: 'the next cut', act: () => timeline.cut(1) },
    { keys: ['['], name: '[', what: 'the loop begins here', act: () => timeline.bound('from') },
    { keys: [']'], name: ']', what: 'the loop ends here', act: () => timeline.bound('to') },
    {
      keys: ['b'],
      name: 'b',
      what: 'the original, while it is held down',
      act: () => stage.hold(true),
      up: () => stage.hold(false),
    },
    { keys: ['s'], name: 's', what: 'split', act: () => stage.view('split') },
    { keys: ['i'], name: 'i', what: 'side by side', act: () => stage.view('side') },
    { keys: ['d'], name: 'd', what: 'difference', act: () => stage.view('difference') },
    { keys: ['k'], name: 'k', what: 'blink', act: () => stage.view('blink') },
    { keys: ['t'], name: 't', what: 'before, A and B', act: () => pair.isOn && stage.view('three') },
    { keys: ['p'], name: 'p', what: 'pin this chain, and compare it', act: () => pair.pin() },
    { keys: ['e'], name: 'e', what: 'edit the other chain, A or B', act: () => pair.turn() },
    { keys: ['x'], name: 'x', what: 'swap left and right', act: () => pair.swap() },
    { keys: ['o'], name: 'o', what: 'loupe', act: () => loupe.toggle() },
    { keys: ['m'], name: 'm', what: 'mark the pixel of the probe, or end that', act: mark },
    { keys: ['0'], name: '0', what: 'the whole picture', act: () => zoom(0) },
    { keys: ['1'], name: '1', what: 'pixel for pixel, 1:1, at the pointer', act: () => zoom(1) },
    { keys: ['2'], name: '2', what: '2:1', act: () => zoom(2) },
    { keys: ['4'], name: '4', what: '4:1', act: () => zoom(4) },
    { keys: ['8'], name: '8', what: '8:1', act: () => zoom(8) },
    { keys: ['+', '='], name: '+', what: 'nearer', act: () => stage.step(1, stage.pointer ?? undefined) },
    { keys: ['-'], name: '-', what: 'farther', act: () => stage.step(-1, stage.pointer ?? undefined) },
    {
      keys: ['c'],
      name: 'c',
      what: 'to the handle between before and after',
      act: () => {
        stage.view('split');
        byId('compare').focus();
      },
    },
    { keys: ['f'], name: 'f', what: 'the whole screen', act: () => layout.fill() },
    { keys: ['h'], name: 'h', what: 'hide the filters, or show them', act: () => layout.fold() },
    { keys: ['g'], name: 'g', what: 'scopes, kernel and cost', act: () => layout.draw() },
    { keys: ['l'], name: 'l', what: 'shade around the picture', act: () => layout.shade() },
    { keys: ['/'], name: '/', what: 'to the text of the chain', act: () => byId('chain').focus() },
    { keys: ['a'], name: 'a', what: 'add a filter', act: () => picker.open() },
    ...(clips.isLong ? several(clips) : []),
    { keys: ['r'], name: 'r', what: 'run the whole clip', act: () => job.open() },
    { keys: ['?'], name: '?', what: 'these keys', act: () => byId('help').showModal() },
  ]);
}
