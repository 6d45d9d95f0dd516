"use strict";
// Draws the figures that stand in the page. Nothing is fetched; nothing is computed that is not in the result.
const { record, sentences, pieces, seconds, comparison, remarks, roof } = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
// How wide a picture over the whole card is, in pixels: pictures are drawn anew when the window changes, so that words keep their size.
let wide = 1000;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
function shape(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const text = (x, y, words, more) => shape("text", { x, y, ...more }, words);
const tip = (words) => shape("title", {}, words);
const picture = (width, height, label) => shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
// Of a stage of one of several GPUs, `GPU 1 upload`, the last word counts; all decoders have the colour of decoding.
const color = (stage) => `var(--${stage.startsWith("decoder") ? "decode" : stage.split(" ").pop()})`;
const card = (title, about, ...children) =>
  element("section", { class: "card" }, element("h2", {}, title), about ? element("p", { class: "soft" }, about) : null, ...children);
function number(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
const percent = (part) => (part === null || part === undefined ? "–" : (100 * part).toFixed(1) + " %");
const clipped = (name, length) => (name.length > length ? name.slice(0, length - 1) + "…" : name);
function table(head, rows) {
  const line = (cell, cells) => element("tr", {}, ...cells.map((words) => element(cell, {}, String(words))));
  return element("table", {}, element("thead", {}, line("th", head)), element("tbody", {}, ...rows.map((row) => line("td", row))));
}

function summary(run, said, label) {
  const figure = (value, unit) => element("div", {}, element("b", {}, value), element("span", {}, unit));
  return element("section", { class: "card" },
    element("h1", {}, (label ? label + ": " : "") + (run.chain || "no filter")),
    element("p", { class: "soft" }, `${run.input}, ${run.format}, to ${run.output}${run.output_format ? ` as ${run.output_format}` : ""}; by ${run.backend}`),
    element("div", { class: "figures" },
      figure(number(run.fps.mean), "frames per second"),
      figure(number(run.megapixel_s), "Mpixel/s"),
      figure(number(run.gb_s), "GB/s by the passes"),
      figure(number(run.gop_s), "Gop/s by the passes")),
    element("p", { class: "verdict" }, run.verdict),
    ...[said.rate, said.opening, said.usage, said.tracing].filter(Boolean).map((words) => element("p", { class: "soft" }, words)),
    ...run.remarks.map((remark) => element("p", { class: "remark" }, remark)));
}

function timeline(run, pieces, title, about) {
  if (!pieces?.length) return null;
  const lanes = run.stages.map((stage) => stage.name).filter((name) => pieces.some((piece) => piece.stage === name));
  const end = Math.max(...pieces.map((piece) => piece.start_ms + piece.length_ms));
  const [left, row, width] = [74, 26, wide];
  const height = lanes.length * row + 24;
  const x = (ms) => left + ((width - left) * Math.min(Math.max(ms, 0), end)) / end;
  const svg = picture(width, height, title);
  lanes.forEach((lane, index) => {
    svg.append(text(0, index * row + 16, lane), shape("line", { class: "axis", x1: left, x2: width, y1: (index + 1) * row, y2: (index + 1) * row }));
  });
  for (const piece of pieces) {
    const lane = lanes.indexOf(piece.stage);
    if (lane < 0) continue;
    const [from, to] = [x(piece.start_ms), x(piece.start_ms + piece.length_ms)];
    const isWait = piece.name === "wait";
    svg.append(shape("rect", {
      x: from, y: lane * row + 4, width: Math.max(to - from, 0.6), height: row - 8, rx: 1.5,
      fill: color(piece.stage), "fill-opacity": isWait ? 0.12 : 0.55 + 0.45 * (piece.frame % 2),
    }, tip(`${piece.name}, frame ${piece.frame}: ${number(piece.length_ms)} ms`)));
  }
  const steps = width < 600 ? 2 : 5;
  for (let step = 0; step <= steps; step++) {
    const ms = (end * step) / steps;
    svg.append(text(x(ms), height - 4, number(ms) + " ms", { class: "soft", "text-anchor": step === steps ? "end" : step ? "middle" : "start" }));
  }
  return card(title, about, svg);
}

function histogram(name, times, fill) {
  const [width, height, floor] = [330, 150, 122];
  const svg = picture(width, height, "histogram of " + name);
  const { from_ms, step_ms, counts } = times.bins;
  const most = Math.max(...counts, 1);
  const step = width / Math.max(counts.length, 1);
  const end = (index) => (index + 1 < counts.length ? from_ms + (index + 1) * step_ms : Math.max(from_ms + counts.length * step_ms, times.max_ms));
  counts.forEach((count, index) => {
    const tall = count ? Math.max((floor - 8) * (count / most), 1) : 0;
    svg.append(shape("rect", { x: index * step + 0.5, y: floor - tall, width: step - 1, height: tall, fill }, tip(`up to ${number(end(index))} ms: ${count}`)));
  });
  svg.append(shape("line", { class: "axis", x1: 0, x2: width, y1: floor, y2: floor }));
  if (counts.length) {
    svg.append(text(1, floor + 16, number(from_ms) + " ms", { class: "soft", "text-anchor": "start" }));
    svg.append(text(width, floor + 16, number(times.max_ms) + " ms", { class: "soft", "text-anchor": "end" }));
  }
  const about = `p50 ${number(times.p50_ms)}, p90 ${number(times.p90_ms)}, p99 ${number(times.p99_ms)} ms; ${times.count.toLocaleString("en")} frames`;
  return element("figure", {}, element("b", {}, clipped(name, 44)), svg, element("figcaption", {}, about));
}

function histograms(run) {
  const stages = run.stages.map((stage) => histogram(stage.name, stage.per_frame, color(stage.name)));
  const passes = run.passes.length > 1 ? run.passes.map((pass) => histogram(pass.name, pass.per_frame, color("filter"))) : [];
  return card("Time for a frame", "One histogram for each stage; the last bar counts all longer times.", element("div", { class: "pair" }, ...stages, ...passes));
}

function stages(run) {
  // Too few times say nothing of a percentile.
  const known = (t, least, value) => (t.count >= least && value ? number(value) : "–");
  const times = (t) => [known(t, 2, t.p50_ms), known(t, 10, t.p90_ms), known(t, 100, t.p99_ms), known(t, 1000, t.p999_ms), number(t.max_ms), `${number(t.mean_ms)} ± ${number(t.deviation_ms)}`];
  const hasDevice = run.stages.some((stage) => stage.name.endsWith("compute"));
  const ifDevice = (words) => (hasDevice ? [words] : []);
  const head = ["stage", "busy", "starved", "blocked", ...ifDevice("waits for GPU"), "idle", "p50 ms", "p90", "p99", "p99.9", "max", "mean ± dev", ...ifDevice("of the bus")];
  const rows = run.stages.map((stage) => [stage.name, percent(stage.busy), percent(stage.starved), percent(stage.blocked), ...ifDevice(percent(stage.device)),
    percent(stage.idle), ...times(stage.per_frame), ...ifDevice(percent(stage.share))]);
  if (run.latency) rows.push(["decoder to output", "", "", "", ...ifDevice(""), "", ...times(run.latency), ...ifDevice("")]);
  const passes = run.passes.map((pass) => [clipped(pass.name, 40), ...times(pass.per_frame), number(pass.gb_s), number(pass.gop_s), number(pass.least_ms), `${percent(pass.share)} (${pass.bound})`]);
  return card("Stages and passes", "A thread's time is busy, starved (waiting for the stage before), blocked (waiting for the stage after) or idle (not started, or done). Times of decode are those of the call that receives a frame, while the decoder's threads work on others; decoder to output is from the end of that call until the frame is written.", table(head, rows),
    passes.length ? element("div", { style: "margin-top:16px" }, table(["pass", "p50 ms", "p90", "p99", "p99.9", "max", "mean ± dev", "GB/s", "Gop/s", "least ms", "of its limit"], passes)) : null);
}

// The slowest frames, each with what took the time.
function slowest(run) {
  if (!run.slowest) return null;
  const rows = run.slowest.map((slow) => [slow.frame, slow.repetition, number(slow.ms), number(slow.usual_ms), slow.why + (slow.is_key ? "; a key frame" : "") + (slow.is_cut ? "; a shot begins with it" : "") + (slow.packet_bytes && slow.why.includes("decoding") ? `; a packet of ${number(slow.packet_bytes / 1e3)} kB` : "")]);
  const lines = table(["frame", "repetition", "ms", "usually", "why"], rows);
  lines.classList.add("words");
  return card("Slowest frames", "Time from the frame before to this one, where they leave, and what took it.", lines);
}

// How near the run comes to each limit of the machine: a bar from 0 to 100 %.
function bounds(run) {
  if (!run.bounds.length) return null;
  const [left, right, row] = [86, 64, 42];
  const [near, far] = [run.bounds.filter((bound) => bound.share >= 0.01), run.bounds.filter((bound) => bound.share < 0.01).map((bound) => bound.name)];
  const svg = picture(wide, near.length * row, "limits of the run");
  const whole = wide - left - right;
  near.forEach((bound, index) => {
    const top = index * row;
    svg.append(text(0, top + 15, bound.name));
    svg.append(shape("rect", { class: "empty", x: left, y: top + 3, width: whole, height: 16, rx: 3 }));
    svg.append(shape("rect", { x: left, y: top + 3, width: Math.max(whole * Math.min(bound.share, 1), 1), height: 16, rx: 3, fill: bound.share > 1 ? "var(--warn)" : color("filter"), "fill-opacity": index ? 0.45 : 1 }));
    svg.append(text(wide, top + 15, percent(bound.share), { "text-anchor": "end" }));
    svg.append(text(left, top + 32, clipped(`${bound.limit}: ${number(bound.fps)} fps`, Math.floor((wide - left) / 5.6)), { class: "soft" }));
  });
  const away = far.length ? element("p", { class: "soft" }, `Less than 1 % of: ${far.join(", ")}.`) : null;
  return card("Limits of this run", "Share of each limit that the run reaches, closest limit first. Stages were measured alone in the same call.", svg, away);
}

// CPU time by stage: a bar for each, and how fast the job would be without it.
function cpu(run) {
  if (!run.cpu) return null;
  const [left, right, row] = [86, 64, 26];
  const svg = picture(wide, run.cpu.stages.length * row, "CPU time");
  run.cpu.stages.forEach((stage, index) => {
    const [top, whole] = [index * row, wide - left - right];
    svg.append(text(0, top + 15, stage.stage), shape("rect", { class: "empty", x: left, y: top + 3, width: whole, height: 16, rx: 3 }));
    svg.append(shape("rect", { x: left, y: top + 3, width: Math.max(whole * stage.share, 1), height: 16, rx: 3, fill: stage.stage === "other" ? "var(--soft)" : color(stage.stage) }));
    svg.append(text(wide, top + 15, percent(stage.share), { "text-anchor": "end" }));
  });
  const rows = run.cpu.stages.map((stage) => {
    const [alone, without] = [(run.alone || []).find((one) => one.stage === stage.stage), (run.predictions || []).find((one) => one.without === stage.stage)];
    return [stage.stage, number(stage.cores), number((1e3 * stage.cores) / run.fps.mean), stage.threads, percent(stage.busiest), percent(stage.no_core),
      alone ? number(alone.fps) : "–", without ? `${number(without.fps)} (${without.limit})` : "–"];
  });
  const used = `${number(run.cpu.used)} of ${run.cpu.cores} cores are used`;
  return card("CPU time", `${used}. Shares are of the program's CPU time, each stage with all its threads.`, svg,
    element("div", { style: "margin-top:12px" }, table(["stage", "cores", "ms a frame", "threads", "busiest thread", "without a core", "alone, fps", "predicted without it, fps (limit)"], rows)));
}

const total = (needed) => needed.dot8 + needed.dot16 + needed.word + needed.real;
// Where a piece of work lies under the roofs: operations that cannot be left out, a byte and a second.
function point(name, needed, bytes, ms, fill) {
  const operations = total(needed);
  return { name, needed, fill, x: operations / bytes, y: operations / (ms * 1e6) };
}

// Puts words beside a place so that they cover no others: on its right or left, or further up or down, with a line.
function labels(svg, left, width, taken) {
  return (cx, cy, words) => {
    const long = 6.8 * words.length;
    const tries = [0, -14, 14, -28, 28, -42, 42, -56, 56, -70, 70].flatMap((dy) => [[dy, 1], [dy, -1]]);
    const box = ([dy, side]) => (side > 0 ? [cx + 10, cx + 10 + long, cy + dy] : [cx - 10 - long, cx - 10, cy + dy]);
    const isFree = ([from, to, at]) => from >= left && to <= width && at > 4 && !taken.some(([f, t, a]) => from < t + 4 && to > f - 4 && Math.abs(at - a) < 13);
    const found = tries.find((place) => isFree(box(place))) || [0, 1];
    const [from, to, at] = box(found);
    taken.push([from, to, at]);
    if (found[0]) svg.append(shape("line", { class: "axis", x1: cx, y1: cy, x2: found[1] > 0 ? from - 2 : to + 2, y2: at }));
    svg.append(text(found[1] > 0 ? from : to, at + 4, words, { "text-anchor": found[1] > 0 ? "start" : "end" }));
  };
}

function roofline(points) {
  const usable = points.filter((point) => point.x > 0 && point.y > 0);
  const kinds = [["dot8", "8-bit products"], ["dot16", "whole numbers"], ["word", "32-bit whole numbers"], ["real", "f32"]];
  const roofs = [];
  for (const [kind, name] of kinds) {
    const rate = roof[kind + "_gop_s"];
    if (!(rate > 0) || !usable.some((point) => point.needed[kind] > 0)) continue;
    const same = roofs.find((other) => other.rate === rate);
    if (same) same.name += ", " + name;
    else roofs.push({ name, rate });
  }
  const memory = roof.memory_gb_s;
  if (!usable.length || !(memory > 0) || !roofs.length) return null;
  const [width, height, left, floor] = [wide, 380, 62, 346];
  const rates = roofs.map(({ rate }) => rate);
  const [top, low] = [Math.max(...rates), Math.min(...rates)];
  const xs = usable.map((point) => point.x);
  const [x0, x1] = [Math.log10(Math.min(...xs, low / memory) / 4), Math.log10(Math.max(...xs, top / memory) * 6)];
  const [y0, y1] = [Math.log10(Math.min(...usable.map((point) => point.y), memory * 10 ** x0) / 2), Math.log10(top * 2.5)];
  const x = (value) => left + ((width - left) * (Math.log10(value) - x0)) / (x1 - x0);
  const y = (value) => floor - ((floor - 10) * (Math.log10(value) - y0)) / (y1 - y0);
  const svg = picture(width, height, "roofline");
  for (let power = Math.ceil(x0); power <= x1; power++) {
    svg.append(shape("line", { class: "axis", x1: x(10 ** power), x2: x(10 ** power), y1: 10, y2: floor }));
    svg.append(text(x(10 ** power), floor + 16, (10 ** power).toLocaleString("en"), { class: "soft", "text-anchor": "middle" }));
  }
  for (let power = Math.ceil(y0); power <= y1; power++) {
    svg.append(shape("line", { class: "axis", x1: left, x2: width, y1: y(10 ** power), y2: y(10 ** power) }));
    svg.append(text(left - 6, y(10 ** power) + 4, (10 ** power).toLocaleString("en"), { class: "soft", "text-anchor": "end" }));
  }
  const taken = [];
  const corner = top / memory;
  svg.append(shape("line", { class: "roof", x1: x(10 ** x0), y1: y(memory * 10 ** x0), x2: x(corner), y2: y(top) }));
  const angle = (-180 / Math.PI) * Math.atan2(y(memory * 10 ** x0) - y(top), x(corner) - x(10 ** x0));
  const slope = [x(10 ** x0) + 10, y(memory * 10 ** x0) - 12];
  svg.append(text(...slope, `memory, ${number(memory)} GB/s`, { transform: `rotate(${angle} ${slope[0]} ${slope[1]})` }));
  let above = -Infinity;
  for (const { rate, name } of roofs.sort((a, b) => b.rate - a.rate)) {
    svg.append(shape("line", { class: "roof", x1: x(rate / memory), y1: y(rate), x2: width, y2: y(rate) }));
    const words = `${name}, ${number(rate)} Gop/s`;
    // Roofs that lie close together are named below each other.
    const at = Math.max(y(rate) - 5, above + 13);
    above = at;
    taken.push([width - 6.8 * words.length, width, at - 4]);
    svg.append(text(width, at, words, { "text-anchor": "end" }));
  }
  for (const { x: at, y: rate, name, fill } of usable) {
    svg.append(shape("circle", { cx: x(at), cy: y(rate), r: 5.5, fill }, tip(`${name}: ${number(rate)} Gop/s at ${number(at)} operations a byte`)));
    taken.push([x(at) - 6, x(at) + 6, y(rate)]);
  }
  const label = labels(svg, left, width, taken);
  usable.forEach((point) => label(x(point.x), y(point.y), clipped(point.name, width < 600 ? 16 : 34)));
  svg.append(text(width, floor + 32, "operations a byte", { class: "soft", "text-anchor": "end" }), text(0, 8, "Gop/s", { class: "soft" }));
  return card("Roofline", "Limits of memory and arithmetic, both measured in this run, and the work below them, counting only operations that no implementation can omit. A box in integers is a running sum.", svg);
}

function compared(runs) {
  const [width, row] = [wide, 34];
  const most = Math.max(...runs.map((run) => run.fps.max));
  const svg = picture(width, row * 2 + 8, "comparison");
  runs.forEach((run, index) => {
    const x = (fps) => 30 + ((width - 190) * fps) / most;
    const [middle, fill] = [index * row + 18, `var(--${"ab"[index]})`];
    svg.append(text(0, middle + 4, "AB"[index]), shape("rect", { x: 30, y: middle - 11, width: x(run.fps.mean) - 30, height: 22, rx: 3, fill }));
    svg.append(shape("line", { x1: x(run.fps.min), x2: x(run.fps.max), y1: middle, y2: middle, stroke: "var(--ink)", "stroke-width": 1.5 }));
    svg.append(text(x(run.fps.max) + 10, middle + 4, `${number(run.fps.mean)} ± ${number(run.fps.deviation)} fps`));
  });
  return card("Comparison", comparison, svg, ...(remarks || []).map((remark) => element("p", { class: "remark" }, remark)));
}

function ladder() {
  const rows = record.ladder.map((rung) => {
    const cpu = record.ladder.find((other) => other.name === "cpu" && other.width === rung.width && other.height === rung.height);
    const isFirst = rung === record.ladder.find((other) => other.width === rung.width && other.height === rung.height);
    return [isFirst ? `${rung.width}×${rung.height}` : "", rung.name, number(rung.per_plane.p50_ms), number(rung.megapixel_s), number(rung.gb_s), number(rung.gop_s),
      number(rung.operations_per_byte), percent(rung.memory_share), percent(rung.arithmetic_share), cpu ? number(cpu.per_plane.p50_ms / rung.per_plane.p50_ms) : "–"];
  });
  return card("The ladder: " + clipped(record.ladder[0].kernel, 60), "From the textbook's first version to the production kernel; 8-bit planes.",
    table(["plane", "rung", "p50 ms", "Mpixel/s", "GB/s", "GFLOP/s", "op/byte", "of memory", "of arithmetic", "× cpu"], rows), climb(),
    ...record.remarks.map((remark) => element("p", { class: "remark" }, remark)));
}

// How fast each rung is, a group of bars for each size.
function climb() {
  const sizes = [...new Set(record.ladder.map((rung) => `${rung.width}×${rung.height}`))];
  const names = [...new Set(record.ladder.map((rung) => rung.name))];
  const most = Math.max(...record.ladder.map((rung) => rung.megapixel_s));
  const [left, row, gap] = [96, 15, 12];
  const svg = picture(wide, sizes.length * (names.length * row + gap), "ladder");
  const shade = (name) => 0.25 + (0.75 * (names.indexOf(name) + 1)) / names.length;
  let top = 0;
  for (const size of sizes) {
    svg.append(text(0, top + 11, size));
    for (const rung of record.ladder.filter((rung) => `${rung.width}×${rung.height}` === size)) {
      const long = Math.max((wide - left - 190) * (rung.megapixel_s / most), 1);
      const fill = rung.name === "cpu" ? color("decode") : color("filter");
      svg.append(shape("rect", { x: left, y: top + 1, width: long, height: row - 3, rx: 2, fill, "fill-opacity": rung.name === "cpu" ? 1 : shade(rung.name) }));
      svg.append(text(left + long + 6, top + 11, `${rung.name}, ${number(rung.megapixel_s)} Mpixel/s`, { class: "soft" }));
      top += row;
    }
    top += gap;
  }
  return element("div", { style: "margin-top:16px" }, svg);
}

function limits() {
  const { host, device } = record.limits;
  const line = (what, value, unit) => [what, number(value), unit];
  const rows = [
    line("copy, one core", host.copy_one_core_gb_s, "GB/s"), line("copy, all threads", host.copy_all_cores_gb_s, "GB/s"), line("copy of 128 MiB, all threads", host.memory_gb_s, "GB/s"),
    line("f32 multiply-adds, one core", host.real_one_core_gop_s, "GFLOP/s"), line("f32 multiply-adds, all threads", host.real_all_cores_gop_s, "GFLOP/s"),
    line("8-bit multiply-adds, all threads", host.integer_all_cores_gop_s, "Gop/s"), line("16-bit multiply-adds, all threads", host.dot16_all_cores_gop_s, "Gop/s"), line("pipe", host.pipe_gb_s, "GB/s"),
  ];
  if (device) rows.push(
    line("GPU memory, copy", device.copy_gb_s, "GB/s"), line("GPU f32 multiply-adds", device.real_gop_s, "GFLOP/s"), line("GPU 8-bit dot products", device.integer_gop_s, "Gop/s"),
    line("GPU 16-bit dot products", device.dot16_gop_s, "Gop/s"), line("GPU 32-bit multiply-adds", device.word_gop_s, "Gop/s"),
    line("launch", device.launch_us, "µs"), line("pinned to GPU", device.pinned_up_gb_s, "GB/s"), line("GPU to pinned", device.pinned_down_gb_s, "GB/s"),
    line("both at once, each way", device.duplex_gb_s, "GB/s"), line("pinned to GPU, 64 KiB pieces", device.piece_up_gb_s, "GB/s"),
    line("ordinary memory to GPU", device.pageable_up_gb_s, "GB/s"), line("GPU to ordinary memory", device.pageable_down_gb_s, "GB/s"));
  return card("Limits of the machine", "The best of several tries, in the same run. Copies count bytes read and written.", table(["", "", ""], rows.filter(([, value]) => value !== "0")),
    ...(record.ladder.length ? [] : record.remarks).map((remark) => element("p", { class: "remark" }, remark)));
}

function machine() {
  const { processor, cores, instructions, system, gpu, libraries } = record.machine;
  const about = `${processor}, ${cores} cores, ${instructions}; ${system}` + (gpu ? `; ${gpu.name}, driver for CUDA ${gpu.driver}` : "");
  return card("Machine", null, element("p", {}, about), element("p", { class: "soft" }, libraries.join(", ")),
    element("p", {}, element("code", {}, record.command.join(" "))), element("p", { class: "soft" }, `${record.program}, ${record.date}`));
}

function draw() {
  // Less the margins of page and card, as the style has them.
  wide = Math.max(Math.min(page.clientWidth, 1120) - (page.clientWidth > 600 ? 90 : 50), 280);
  page.replaceChildren();
  const isPair = record.runs.length === 2;
  if (isPair) page.append(compared(record.runs));
  const points = [];
  record.runs.forEach((run, index) => {
    page.append(...[summary(run, sentences[index], isPair ? "AB"[index] : ""), cpu(run), bounds(run), timeline(run, pieces[index], "Overlap", "Work of each stage on a dozen frames; neighbouring frames differ in shade."),
      timeline(run, seconds[index], "The slowest second", "Work of each stage in the second in which the fewest frames were written; the shortest pieces are left out where there are many. bench --trace writes all of it for ui.perfetto.dev."), histograms(run), stages(run), slowest(run)].filter(Boolean));
    const fill = isPair ? `var(--${"ab"[index]})` : color("filter");
    run.passes.forEach((pass) => points.push(point(pass.name, pass.needed, pass.bytes, pass.per_frame.p50_ms, fill)));
  });
  if (record.ladder.length) page.append(ladder());
  const largest = Math.max(0, ...record.ladder.map((rung) => rung.width * rung.height));
  const isShown = (rung) => rung.width * rung.height === largest && (rung.name !== "cpu" || !record.limits.device);
  for (const rung of record.ladder.filter(isShown)) {
    const bytes = rung.gb_s * rung.per_plane.p50_ms * 1e6;
    points.push(point(rung.name, rung.needed, bytes, rung.per_plane.p50_ms, color("filter")));
  }
  const lines = roofline(points);
  if (lines) page.append(lines);
  page.append(limits(), machine());
}

draw();
addEventListener("resize", draw);
document.body.dataset.state = "drawn";
