// The page of `warpreel preview`: puts its parts together.

import { Watch } from './alive.js';
import { Latest, read, send } from './api.js';
import { Chain } from './chain.js';
import { Clips } from './clip.js';
import { Deck } from './deck.js';
import { byId, say } from './dom.js';
import { takeFiles } from './drop.js';
import { Film } from './film.js';
import { returnFocus } from './focus.js';
import { Job } from './job.js';
import { Layout } from './layout.js';
import { Loupe } from './loupe.js';
import { Marks } from './mark.js';
import { showing } from './line.js';
import { Memory } from './memory.js';
import { takeOut } from './out.js';
import { Pair } from './pair.js';
import { Panels } from './panel.js';
import { Picker } from './picker.js';
import { Picture, draft } from './picture.js';
import { Player } from './player.js';
import { Probe } from './probe.js';
import { Regions } from './region.js';
import { Rough } from './rough.js';
import { shortcuts } from './shortcut.js';
import { Stage } from './stage.js';
import { guardSliders } from './swipe.js';
import { ChainText } from './text.js';
import { Timeline } from './timeline.js';

/** Milliseconds until a dropped request is repeated. */
const REST = 50;
/** Milliseconds from which on work on a picture is stopped when a newer one is wanted: quicker pictures follow a slider. */
const GRACE = 500;

/** Tells of an error, unless it is that something newer was asked for. */
const fail = error => {
  if (error.status !== 409 && error.name !== 'AbortError') say(error.message, true);
};

async function begin() {
  /** Takes a chain that was dropped, once there is a page. @type {(text: string) => void} */
  let load = () => {};
  takeFiles(text => load(text));
  const clips = new Clips();
  const [clip, table] = await Promise.all([read('clip'), read('filters'), clips.ready]);
  /** What frames are after the chain. */
  let shape = clip;
  const tellFacts = backend => {
    const [name, size] = [shape.format.split(' ')[0], `${shape.width}x${shape.height}`];
    const now = name === clip.pixel.name ? size : `${name} ${size}`;
    const isSame = shape.pixel.depth === clip.pixel.depth && shape.colour.range === clip.colour.range;
    const matched = isSame ? 'scaled' : 'converted';
    const format = shape === clip ? clip.format : `${clip.format} → ${now}; original ${matched} to match`;
    byId('clip-facts').textContent = [format, ...clip.notes, backend].filter(Boolean).join(' · ');
  };
  tellFacts(clip.backend);

  const filters = new Map(table.groups.flatMap(group => group.filters.map(filter => [filter.name, filter])));
  const film = new Film(clip);
  const picture = new Picture(clip);
  const latest = new Latest();
  /** What stops the work on the picture that is being made, and when that began. */
  let making = { stop: new AbortController(), since: 0 };
  let grace = 0;
  const refresh = () => {
    if (latest.isBusy) {
      const { stop, since } = making;
      clearTimeout(grace);
      grace = setTimeout(() => stop.abort(), rough.isShown ? 0 : since + GRACE - performance.now());
    }
    latest.run(draw);
  };
  /** Keeps the state of the page, once there is one. */
  let keep = () => {};
  /**
   * The picture that was asked for before the program had said what its chain is.
   * @type {{number: number, text: string, taken: ReturnType<Film['take']>|null, making: typeof making}}
   */
  let ahead = { number: -1, text: '', taken: null, making };
  const begun = () => ({ stop: new AbortController(), since: performance.now() });
  /** @param {number} number @param {string} chainText @param {AbortSignal} signal */
  const take = (number, chainText, signal) =>
    film.take(number, 1, { chain: chainText }, 'main', (frame, rows) => picture.prepare('after', frame, rows), signal);
  const chain = new Chain({
    changed: origin => {
      pair.check();
      // What takes the program longest is asked for first.
      refresh();
      text.update(origin);
      deck.update(origin);
      regions.update();
      panels.update();
      keep();
    },
    expected: text => {
      // A draft goes before, and is not known yet.
      if (latest.isBusy || player.isOn || rough.has(chain.good)) return;
      const own = begun();
      const taken = take(timeline.frame, text, own.stop.signal);
      taken.catch(() => {});
      ahead = { number: timeline.frame, text, taken, making: own };
    },
    refused: (error, origin) => {
      text.refuse(error, origin);
      keep();
    },
    failed: fail,
  });
  /** @type {Probe} */
  let probe;
  /** @type {Player} */
  let player;
  /** @type {Loupe} */
  let loupe;
  /** @type {Marks} */
  let marks;
  /** @type {Regions} */
  let regions;
  /** @type {Panels} */
  let panels;
  /** @type {Pair} */
  let pair;
  /** @type {Rough} */
  let rough;
  /** Puts the sides that are compared in their places. */
  function arrange() {
    if (!pair) return;
    stage.sides = pair.row(stage.mode === 'three').map(side => ({ pane: pair.sheet(side), name: pair.name(side) }));
    const panes = stage.sides.map(side => side.pane);
    const seen = stage.mode === 'difference' ? ['difference'] : panes;
    picture.see(stage.isHeld ? ['before'] : seen, stage.sides);
    stage.lay();
    tell();
    panels.scopes();
  }
  /** Tells the samples of what is shown. */
  function tell() {
    for (const part of [probe, loupe, marks]) part.update();
  }
  const stage = new Stage(clip, {
    modeChanged: mode => {
      byId('gain-label').hidden = mode !== 'difference';
      arrange();
    },
    pointed: (x, y) => {
      probe?.move(x, y);
      loupe?.move(x, y);
    },
    laid: () => {
      for (const part of [probe, marks, regions]) part?.lay();
      // While it plays only the visible part of each side is painted.
      if (player?.isOn) picture.uncover(stage.spans);
      keep();
    },
  });
  probe = new Probe(clip, picture, stage);
  loupe = new Loupe(clip, picture, stage, probe);
  marks = new Marks(clip, stage, probe, () => keep());
  const layout = new Layout(() => panels?.opened());
  panels = new Panels(clip, picture, chain, layout);
  pair = new Pair(clip, chain, {
    changed: () => {
      if (!pair.isOn && stage.mode === 'three') stage.view('split');
      arrange();
      refresh();
      keep();
    },
    pinned: () => picture.pin(),
    exchanged: () => picture.exchange(),
    replaced: () => picture.forget(),
  });
  arrange();
  const text = new ChainText(chain);
  load = typed => chain.restore(typed);
  const deck = new Deck(filters, chain, clip.pixel.alpha);
  regions = new Regions(clip, chain, stage, deck);
  const timeline = new Timeline(
    clip,
    () => refresh(),
    told => {
      clip.notes = told.notes;
      tellFacts(clip.backend);
    },
  );
  const job = new Job(clip, chain, {
    written: () => clips.refresh(),
    compared: result => {
      pair.compare(result, timeline.frames);
      stage.element.focus({ preventScroll: true });
    },
  });
  const sketch = async (filter, canvas) => {
    try {
      const { frames } = await film.take(timeline.frame, 1, { chain: `scale=240:-2:bilinear,${filter.example}` }, 'sketch');
      draft(frames[0], clip, canvas);
      return true;
    } catch {
      // Some filters do not fit a small picture.
      return false;
    }
  };
  const added = filter => {
    // A filter that cannot do without parameters begins as its example.
    deck.add([filter.name, filter.example]);
    say(`${filter.name} is added`);
  };
  rough = new Rough(clip, film, stage, refresh);
  const picker = new Picker(table, added, sketch);

  /** Shows a frame before and after, and says on the stage what it is. */
  function show(number, shot, chainText) {
    if (picture.show(shot, player.isOn ? stage.spans : {})) {
      ({ shape } = shot.after);
      for (const part of [stage, probe, loupe, marks, panels]) part.fit(shape);
      tellFacts(clip.backend);
    }
    stage.element.dataset.frame = String(number);
    stage.element.dataset.chain = chainText;
    stage.element.dataset.other = pair.result?.name ?? pair.pinned?.good.text ?? '';
    tell();
    panels.scopes();
    keep();
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
    making = taken ? ahead.making : begun();
    const { signal } = making.stop;
    ahead.taken = null;
    stage.element.setAttribute('aria-busy', 'true');
    const { good } = chain;
    const drafted = rough.begin(number, good, making.stop);
    try {
      const { edited, pinned: other } = pair;
      const format = chain.good.output?.format ?? clip.format;
      const still = (side, sheet) =>
        film.still(number, pair.order(side), format, sheet, (frame, rows) => picture.prepare(sheet, frame, rows), signal);
      const [before, after, pinned] = await Promise.all([
        still('before', 'before'),
        taken ?? drafted.then(() => take(number, wanted, signal)),
        pair.isOn ? still(pair.other, 'pinned') : undefined,
      ]);
      // Meanwhile the chains may have changed places: another picture follows.
      const isSame = edited === pair.edited && other === pair.pinned;
      rough.end();
      if (!player.isOn && isSame) show(number, { before, after: after.frames[0], pinned }, wanted);
      rough.learn(good, after.costs);
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
    clearTimeout(grace);
    rough.end();
    stage.element.removeAttribute('aria-busy');
  }

  const play = byId('play');
  player = new Player(film, timeline, chain, {
    show: (number, shot, chainText) => {
      timeline.set(number);
      show(number, shot, chainText);
    },
    sources: () => {
      const sides = new Set([...pair.row(stage.mode === 'three'), pair.edited]);
      return Object.fromEntries([...sides].map(side => [pair.sheet(side), pair.order(side)]));
    },
    turned: isOn => {
      if (!isOn) picture.uncover({});
      play.textContent = isOn ? 'Pause' : 'Play';
      play.classList.toggle('strong', isOn);
      if (!isOn) refresh();
    },
    told: tellRemark,
    paced: (fps, dropped) => {
      byId('pace').textContent = `${fps.toFixed(1)} fps${dropped ? ` · ${dropped} dropped` : ''}`;
    },
    failed: error => {
      if (error.status === 416) timeline.resize(error.body.frames);
      else fail(error);
    },
  });
  byId('real-time').addEventListener('change', event => {
    player.isRealTime = event.target.checked;
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
  takeOut(clip, job, chain, picture, stage, timeline, pair);
  shortcuts({ chain, clips, job, layout, loupe, mark: () => marks.toggle(probe.x, probe.y), pair, picker, player, stage, timeline });
  returnFocus(stage.element);
  guardSliders();

  const kept = () => ({
    words: { chain: chain.text, frame: String(timeline.frame), ...stage.words, ...pair.words, ...marks.words },
    good: chain.good.text,
    past: chain.past,
  });
  const memory = new Memory(
    clip,
    kept,
    words => {
      place(words);
      if (words.chain !== undefined && words.chain !== chain.text) chain.restore(words.chain);
      else refresh();
    },
  );
  keep = () => memory.keep();
  /** Takes a frame and a view from the address. */
  function place(words) {
    const frame = Number(words.frame);
    if (Number.isInteger(frame) && frame >= 0 && words.frame) timeline.set(frame);
    stage.take(words);
  }
  new Watch(clip, {
    chain: () => chain.text,
    command: () => showing(clip, chain.good.text),
    returned: () => chain.restore(chain.text),
  });

  const size = `${clip.width}x${clip.height}`;
  const state = memory.first();
  // Places in the picture of another clip count for one of the same size.
  if ((state.words.size ?? size) !== size) for (const word of ['at', 'marks']) delete state.words[word];
  clips.state = () => {
    const { words, ...rest } = kept();
    return { words: { ...words, size }, ...rest };
  };
  place(state.words);
  marks.take(state.words);
  await pair.take(state.words);
  if (stage.mode === 'three' && !pair.isOn) stage.view('split');
  const wanted = state.words.chain ?? clip.chain;
  const first = await send('chain', { text: wanted });
  if (!first.ok && state.good !== undefined) {
    const good = await send('chain', { text: state.good });
    if (good.ok) {
      chain.begin(good, state.past);
      chain.restore(wanted);
      return;
    }
  }
  if (first.ok) {
    chain.begin(first, state.past);
  } else {
    byId('chain').value = wanted;
    chain.begin(first, state.past);
    refresh();
  }
}

begin().catch(fail);
