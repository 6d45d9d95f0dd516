"use strict";
// Draws the figures that stand in the page. Nothing is fetched; nothing is computed that is not in the result.
const { record, comparison, remarks } = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
page.replaceChildren();

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
const color = (stage) => `var(--${stage})`;
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
const legend = (names) =>
  element("p", { class: "soft" }, ...names.flatMap((name) => [element("span", { class: "key", style: `background:${color(name)}` }), name]));

function summary(run, label) {
  const figure = (value, unit) => element("div", {}, element("b", {}, value), element("span", {}, unit));
  const spread = run.fps.mean > 0 ? (100 * run.fps.deviation) / run.fps.mean : 0;
  return element("section", { class: "card" },
    element("h1", {}, (label ? label + ": " : "") + (run.chain || "no filter")),
    element("p", { class: "soft" }, `${run.input}, ${run.format}, to ${run.output}; by ${run.backend}`),
    element("div", { class: "figures" },
      figure(number(run.fps.mean), `frames a second ± ${spread.toFixed(1)} %`),
      figure(number(run.megapixel_s), "Mpixel/s"),
      figure(number(run.gb_s), "GB/s by the passes"),
      figure(number(run.gop_s), "GFLOP/s by the passes"),
      figure(number(1e3 * run.first.open_s) + " ms", `to open first; ${number(1e3 * run.first.open_again_s)} again`)),
    element("p", { class: "verdict" }, run.verdict),
    ...run.remarks.map((remark) => element("p", { class: "remark" }, remark)));
}

function timeline(run) {
  const pieces = run.timeline;
  if (!pieces.length) return null;
  const lanes = run.stages.map((stage) => stage.name);
  const end = Math.max(...pieces.map((piece) => piece.start_ms + piece.length_ms));
  const [left, row, width] = [74, 26, 1060];
  const height = lanes.length * row + 24;
  const x = (ms) => left + ((width - left) * Math.min(Math.max(ms, 0), end)) / end;
  const svg = picture(width, height, "timeline");
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
  for (let step = 0; step <= 5; step++) {
    const ms = (end * step) / 5;
    svg.append(text(x(ms), height - 4, number(ms) + " ms", { class: "soft", "text-anchor": step === 5 ? "end" : step ? "middle" : "start" }));
  }
  return card("Overlap", "What each stage did while a dozen frames went through; neighbouring frames differ in shade.", svg);
}

function histogram(name, times, fill) {
  const [width, height, floor] = [330, 150, 122];
  const svg = picture(width, height, "histogram of " + name);
  const most = Math.max(...times.bins.map((bin) => bin.count), 1);
  const step = width / Math.max(times.bins.length, 1);
  times.bins.forEach((bin, index) => {
    const tall = bin.count ? Math.max((floor - 8) * (bin.count / most), 1) : 0;
    svg.append(shape("rect", { x: index * step + 0.5, y: floor - tall, width: step - 1, height: tall, fill }, tip(`up to ${number(bin.to_ms)} ms: ${bin.count}`)));
  });
  svg.append(shape("line", { class: "axis", x1: 0, x2: width, y1: floor, y2: floor }));
  if (times.bins.length) {
    svg.append(text(0, floor + 16, number(times.bins[0].to_ms) + " ms", { class: "soft" }));
    svg.append(text(width, floor + 16, number(times.max_ms) + " ms", { class: "soft", "text-anchor": "end" }));
  }
  const about = `p50 ${number(times.p50_ms)}, p90 ${number(times.p90_ms)}, p99 ${number(times.p99_ms)} ms; ${times.count} frames`;
  return element("figure", {}, element("b", {}, clipped(name, 44)), svg, element("figcaption", {}, about));
}

function histograms(run) {
  const stages = run.stages.map((stage) => histogram(stage.name, stage.per_frame, color(stage.name)));
  const passes = run.passes.length > 1 ? run.passes.map((pass) => histogram(pass.name, pass.per_frame, color("filter"))) : [];
  return card("Time for a frame", "One histogram a stage; the last bar holds all that took longer.", element("div", { class: "pair" }, ...stages, ...passes));
}

function stages(run) {
  const head = ["stage", "busy", "starved", "blocked", "p50 ms", "p90", "p99", "max", "mean ± dev", "of limit"];
  const times = (t) => [number(t.p50_ms), number(t.p90_ms), number(t.p99_ms), number(t.max_ms), `${number(t.mean_ms)} ± ${number(t.deviation_ms)}`];
  const rows = run.stages.map((stage) => [stage.name, percent(stage.busy), percent(stage.starved), percent(stage.blocked), ...times(stage.per_frame), percent(stage.share)]);
  const passes = run.passes.map((pass) => [clipped(pass.name, 40), ...times(pass.per_frame), number(pass.gb_s), number(pass.gop_s), number(pass.least_ms), `${percent(pass.share)} (${pass.bound})`]);
  return card("Stages and passes", null, table(head, rows),
    passes.length ? element("div", { style: "margin-top:16px" }, table(["pass", "p50 ms", "p90", "p99", "max", "mean ± dev", "GB/s", "GFLOP/s", "least ms", "of limit"], passes)) : null);
}

function roofline(points) {
  const { host, device } = record.limits;
  const memory = device ? device.copy_gb_s : host.copy_all_cores_gb_s;
  const real = device ? device.real_gop_s : host.real_all_cores_gop_s;
  const integer = device ? device.integer_gop_s : host.integer_all_cores_gop_s;
  const usable = points.filter((point) => point.x > 0 && point.y > 0);
  if (!usable.length || !(memory > 0) || !(real > 0)) return null;
  const [width, height, left, floor] = [1060, 380, 62, 346];
  const top = Math.max(real, integer);
  const xs = [...usable.map((p) => p.x), top / memory];
  const [x0, x1] = [Math.log10(Math.min(...xs, Math.min(real, integer || real) / memory) / 6), Math.log10(Math.max(...xs) * 5)];
  const [y0, y1] = [Math.log10(Math.min(...usable.map((p) => p.y), memory * 10 ** x0) / 2), Math.log10(top * 2)];
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
  const roofs = [[real, "f32 multiply-adds"], [integer, "8-bit multiply-adds"]].filter(([rate]) => rate > 0);
  const corner = Math.min(top / memory, 10 ** x1);
  svg.append(shape("line", { class: "roof", x1: x(10 ** x0), y1: y(memory * 10 ** x0), x2: x(corner), y2: y(memory * corner) }));
  const slope = [x(10 ** x0) + 14, y(memory * 10 ** x0) - 12];
  svg.append(text(...slope, `memory, ${number(memory)} GB/s`, { transform: `rotate(${(-180 / Math.PI) * Math.atan2(y(memory * 10 ** x0) - y(memory * corner), x(corner) - x(10 ** x0))} ${slope[0]} ${slope[1]})` }));
  for (const [rate, name] of roofs) {
    svg.append(shape("line", { class: "roof", x1: x(rate / memory), y1: y(rate), x2: width, y2: y(rate) }));
    svg.append(text(width, y(rate) - 5, `${name}, ${number(rate)} Gop/s`, { "text-anchor": "end" }));
  }
  usable.forEach((point, index) => {
    const near = x(point.x) > width - 220;
    svg.append(shape("circle", { cx: x(point.x), cy: y(point.y), r: 5.5, fill: point.fill }, tip(`${point.name}: ${number(point.y)} Gop/s at ${number(point.x)} operations a byte`)));
    svg.append(text(x(point.x) + (near ? -10 : 10), y(point.y) + (index % 2 ? 14 : 4), clipped(point.name, 34), { "text-anchor": near ? "end" : "start" }));
  });
  svg.append(text(width, floor + 32, "operations a byte", { class: "soft", "text-anchor": "end" }), text(0, 8, "Gop/s", { class: "soft" }));
  return card("Roofline", "What memory and arithmetic allow, both measured in this run, and where the work lies below. Boxes are drawn with all their taps, though a running sum needs fewer.", svg);
}

function compared(runs) {
  const [width, row] = [1060, 34];
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
    return [`${rung.width}×${rung.height}`, rung.name, number(rung.per_plane.p50_ms), number(rung.megapixel_s), number(rung.gb_s), number(rung.gop_s),
      number(rung.operations_per_byte), percent(rung.memory_share), percent(rung.arithmetic_share), cpu ? number(cpu.per_plane.p50_ms / rung.per_plane.p50_ms) : "–"];
  });
  return card("The ladder: " + clipped(record.ladder[0].kernel, 60), "From the textbook's first version to the production kernel; 8-bit planes.",
    table(["plane", "rung", "p50 ms", "Mpixel/s", "GB/s", "GFLOP/s", "op/byte", "of memory", "of arithmetic", "× cpu"], rows));
}

function limits() {
  const { host, device } = record.limits;
  const line = (what, value, unit) => [what, number(value), unit];
  const rows = [
    line("copy, one core", host.copy_one_core_gb_s, "GB/s"), line("copy, all threads", host.copy_all_cores_gb_s, "GB/s"),
    line("f32 multiply-adds, one core", host.real_one_core_gop_s, "GFLOP/s"), line("f32 multiply-adds, all threads", host.real_all_cores_gop_s, "GFLOP/s"),
    line("8-bit multiply-adds, all threads", host.integer_all_cores_gop_s, "Gop/s"), line("pipe", host.pipe_gb_s, "GB/s"),
  ];
  if (device) rows.push(
    line("GPU memory, copy", device.copy_gb_s, "GB/s"), line("GPU f32 multiply-adds", device.real_gop_s, "GFLOP/s"), line("GPU 8-bit dot products", device.integer_gop_s, "Gop/s"),
    line("launch", device.launch_us, "µs"), line("pinned to GPU", device.pinned_up_gb_s, "GB/s"), line("GPU to pinned", device.pinned_down_gb_s, "GB/s"),
    line("both at once, each way", device.duplex_gb_s, "GB/s"), line("pinned to GPU, 64 KiB pieces", device.piece_up_gb_s, "GB/s"),
    line("ordinary memory to GPU", device.pageable_up_gb_s, "GB/s"), line("GPU to ordinary memory", device.pageable_down_gb_s, "GB/s"));
  return card("Limits", "The best of several tries, in the same run. Copies count bytes read and written.", table(["", "", ""], rows));
}

function machine() {
  const { processor, cores, instructions, system, gpu, libraries } = record.machine;
  const about = `${processor}, ${cores} cores, ${instructions}; ${system}` + (gpu ? `; ${gpu.name}, driver for CUDA ${gpu.driver}` : "");
  return card("Machine", null, element("p", {}, about), element("p", { class: "soft" }, libraries.join(", ")),
    element("p", {}, element("code", {}, record.command.join(" "))), element("p", { class: "soft" }, `${record.program}, ${record.date}`));
}

const isPair = record.runs.length === 2;
if (isPair) page.append(compared(record.runs));
const points = [];
record.runs.forEach((run, index) => {
  page.append(...[summary(run, isPair ? "AB"[index] : ""), timeline(run), histograms(run), stages(run)].filter(Boolean));
  run.passes.forEach((pass) => points.push({ name: pass.name, x: pass.operations / pass.bytes, y: pass.gop_s, fill: isPair ? `var(--${"ab"[index]})` : color("filter") }));
});
if (record.ladder.length) page.append(ladder());
const largest = Math.max(0, ...record.ladder.map((rung) => rung.width * rung.height));
const isShown = (rung) => rung.width * rung.height === largest && (rung.name !== "cpu" || !record.limits.device);
record.ladder.filter(isShown).forEach((rung) => points.push({ name: rung.name, x: rung.operations_per_byte, y: rung.gop_s, fill: color("filter") }));
const roof = roofline(points);
if (roof) page.append(roof);
page.append(limits(), machine());
document.body.dataset.state = "drawn";
