// The page of `warpreel preview`: puts its parts together.

import { Latest, read, send } from './api.js';
import { Chain } from './chain.js';
import { Deck } from './deck.js';
import { byId, say } from './dom.js';
import { Film } from './film.js';
import { Job } from './job.js';
import { keys } from './key.js';
import { takeOut } from './out.js';
import { Panels } from './panel.js';
import { Picker } from './picker.js';
import { Picture } from './picture.js';
import { Player } from './player.js';
import { Probe } from './probe.js';
import { Stage } from './stage.js';
import { ChainText } from './text.js';
import { Timeline } from './timeline.js';

/** Milliseconds until a dropped request is repeated. */
const REST = 50;

/** Tells of an error, unless it is that something newer was asked for. */
const fail = error => {
  if (error.status !== 409) say(error.message, true);
};

async function begin() {
  const [clip, table] = await Promise.all([read('clip'), read('filters')]);
  document.title = `${clip.name} – warpreel preview`;
  byId('clip-name').textContent = clip.name;
  /** What frames are after the chain. */
  let shape = clip;
  const tellFacts = backend => {
    const [name, size] = [shape.format.split(' ')[0], `${shape.width}x${shape.height}`];
    const now = name === clip.pixel.name ? size : `${name} ${size}`;
    const format = shape === clip ? clip.format : `${clip.format} → ${now}; original scaled to match`;
    byId('clip-facts').textContent = [format, ...clip.notes, backend].filter(Boolean).join(' · ');
  };
  tellFacts(clip.backend);

  const filters = new Map(table.groups.flatMap(group => group.filters.map(filter => [filter.name, filter])));
  const film = new Film(clip);
  const picture = new Picture(clip);
  const latest = new Latest();
  const refresh = () => latest.run(draw);
  /** The picture that was asked for before the program had said what its chain is. */
  let ahead = { number: -1, text: '', taken: null };
  const take = (number, chainText) =>
    film.take(number, 1, chainText, 'main', (frame, rows) => picture.prepare('after', frame, rows));
  const chain = new Chain({
    changed: origin => {
      // What takes the program longest is asked for first.
      refresh();
      text.update(origin);
      deck.update(origin);
      panels.update();
    },
    expected: text => {
      if (latest.isBusy || player.isOn) return;
      ahead = { number: timeline.frame, text, taken: take(timeline.frame, text) };
      ahead.taken.catch(() => {});
    },
    refused: (error, origin) => text.refuse(error, origin),
    failed: fail,
  });
  /** @type {Probe|null} */
  let probe = null;
  const stage = new Stage(clip, {
    modeChanged: mode => {
      picture.hasDifference = mode === 'difference';
      byId('gain-label').hidden = mode !== 'difference';
    },
    pointed: (x, y) => probe?.move(x, y),
    laid: () => probe?.lay(),
  });
  probe = new Probe(clip, picture, stage);
  const panels = new Panels(clip, picture, chain);
  const text = new ChainText(chain);
  const deck = new Deck(filters, chain);
  const timeline = new Timeline(
    clip,
    () => refresh(),
    told => {
      clip.notes = told.notes;
      tellFacts(clip.backend);
    },
  );
  const job = new Job(clip, chain);
  const picker = new Picker(table.groups, filter => {
    const at = chain.good.calls.length;
    // A filter that cannot do without parameters begins as its example.
    chain.edit(
      [filter.name, filter.example].map(call => ({ insert: { at, text: call } })),
      '',
    );
    say(`${filter.name} is added`);
  });

  /** Shows a frame before and after, and says on the stage what it is. */
  function show(number, before, after, chainText) {
    if (picture.show(before, after)) {
      ({ shape } = after);
      for (const part of [stage, probe, panels]) part.fit(shape);
      tellFacts(clip.backend);
    }
    stage.element.dataset.frame = String(number);
    stage.element.dataset.chain = chainText;
    probe.update();
    panels.scopes();
  }

  /** Timer that requests a provisional picture again. */
  let later = 0;
  /** Shows remarks on the filters' strengths. */
  const tellRemark = costs => {
    const until = 'Strength of an earlier shot, until the clip is measured up to this frame.';
    byId('remark').textContent = [costs?.provisional ? until : '', costs?.remark].filter(Boolean).join(' ');
  };

  /** Asks for the picture that is wanted now, and shows it. */
  async function draw() {
    if (player.isOn) return;
    clearTimeout(later);
    const number = timeline.frame;
    const wanted = chain.good.text;
    const taken = ahead.number === number && ahead.text === wanted ? ahead.taken : null;
    ahead.taken = null;
    stage.element.setAttribute('aria-busy', 'true');
    try {
      const [before, after] = await Promise.all([
        film.before(number, chain.good, (frame, rows) => picture.prepare('before', frame, rows)),
        taken ?? take(number, wanted),
      ]);
      if (!player.isOn) show(number, before, after.frames[0], wanted);
      panels.cost(after.costs, wanted);
      tellRemark(after.costs);
      if (after.costs?.provisional) later = setTimeout(refresh, 1000);
      timeline.tell(after.costs?.time);
      if (byId('status').classList.contains('error')) say('');
      // What filters is chosen with the first picture.
      if (!clip.backend) {
        clip.backend = (await read('clip')).backend;
        tellFacts(clip.backend);
      }
    } catch (error) {
      if (error.status === 416 && error.body.frames > 0) timeline.resize(error.body.frames);
      else if (error.status === 422 && error.body.error) text.refuse(error.body.error, 'text');
      else if (error.status === 409) {
        await new Promise(resolve => setTimeout(resolve, REST));
        refresh();
      } else fail(error);
    }
    stage.element.removeAttribute('aria-busy');
  }

  const play = byId('play');
  const player = new Player(film, timeline, chain, {
    show: (number, before, after, chainText) => {
      timeline.set(number);
      show(number, before, after, chainText);
    },
    turned: isOn => {
      play.textContent = isOn ? 'Pause' : 'Play';
      play.classList.toggle('strong', isOn);
      if (!isOn) refresh();
    },
    told: tellRemark,
    paced: fps => {
      byId('pace').textContent = `${fps.toFixed(1)} fps`;
    },
    failed: error => {
      if (error.status === 416) timeline.resize(error.body.frames);
      else fail(error);
    },
  });
  play.addEventListener('click', () => player.toggle());
  for (const id of ['loop', 'loop-from', 'loop-to']) byId(id).addEventListener('input', () => timeline.mark());
  timeline.moved = () => {
    player.stop();
    refresh();
  };

  byId('tone-label').hidden = !clip.colour.hdr;
  byId('tone').addEventListener('change', event => picture.map(event.target.checked));
  byId('time-speed').addEventListener('click', () => panels.time(job.errand));
  byId('gain').addEventListener('change', event => picture.amplify(Number(event.target.value)));
  byId('add').addEventListener('click', () => picker.open());
  byId('cards').addEventListener('focusin', event =>
    panels.point(deck.cards.findIndex(card => card.element.contains(event.target))),
  );
  takeOut(clip, job, chain, picture, stage, timeline);
  document.addEventListener('keydown', event => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    chain.travel(event.shiftKey ? 1 : -1);
  });
  const step = by => timeline.go(timeline.frame + by);
  keys([
    { keys: [' '], name: 'Space', what: 'play and pause', act: () => player.toggle() },
    { keys: [',', 'ArrowLeft'], name: ',  ←', what: 'one frame back', act: () => step(-1) },
    { keys: ['.', 'ArrowRight'], name: '.  →', what: 'one frame on', act: () => step(1) },
    { keys: ['Home'], name: 'Home', what: 'the first frame', act: () => timeline.go(0) },
    { keys: ['End'], name: 'End', what: 'the last frame', act: () => timeline.go(timeline.frames - 1) },
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
    { keys: ['1'], name: '1', what: 'the whole picture', act: () => stage.scaleTo(0) },
    { keys: ['2'], name: '2', what: 'pixel for pixel, 1:1', act: () => stage.scaleTo(1) },
    { keys: ['3'], name: '3', what: '8:1', act: () => stage.scaleTo(8) },
    { keys: ['+', '='], name: '+', what: 'nearer', act: () => stage.step(1) },
    { keys: ['-'], name: '-', what: 'farther', act: () => stage.step(-1) },
    {
      keys: ['c'],
      name: 'c',
      what: 'to the handle between before and after',
      act: () => {
        stage.view('split');
        byId('compare').focus();
      },
    },
    { keys: ['/'], name: '/', what: 'to the text of the chain', act: () => byId('chain').focus() },
    { keys: ['a'], name: 'a', what: 'add a filter', act: () => picker.open() },
    { keys: ['r'], name: 'r', what: 'run the whole clip', act: () => job.open() },
    { keys: ['?'], name: '?', what: 'these keys', act: () => byId('help').showModal() },
  ]);

  const first = await send('chain', { text: clip.chain });
  if (first.ok) {
    chain.begin(first);
  } else {
    byId('chain').value = clip.chain;
    text.refuse(first.error, 'text');
    refresh();
  }
}

begin().catch(fail);
