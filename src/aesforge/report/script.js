// SPDX-License-Identifier: Apache-2.0
// The report's page: what its reader asks for is judged here as `aesforge pick` judges it.
const D = JSON.parse(document.getElementById("data").textContent);
const CHARTS = JSON.parse(document.getElementById("charts").textContent);
const MODES = Object.fromEntries(D.modes.map((mode) => [mode.name, mode]));
const BLOCK_BYTES = 16;
const LONG = 4096; // bytes that key set-up is spread over in the breakdown

const form = document.getElementById("filter");
const field = form.elements;
const byId = (id) => document.getElementById(id);
const sort = { column: "", down: false };
let chosen = ""; // label and core of the highlighted design

// Small things ------------------------------------------------------------------------------------

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const esc = (text) => String(text).replace(/[&<>"]/g, (found) => ESCAPES[found]);
const NOTHING = "\u2013"; // where there is no figure
const grouped = (value) => Math.round(value).toLocaleString("en").replace(/,/g, "\u202f");

/** A figure with three digits where one is not enough. */
function figure(value) {
  if (value === null || value === undefined) return NOTHING;
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return grouped(value);
  return value.toFixed(size >= 10 ? 1 : 2);
}

/** A limit to three digits, rounded away from the one that the figure breaks. */
function allowed(value, limit) {
  if (!value || Number.isInteger(value)) return value;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
  const rounded = (value > limit ? Math.ceil : Math.floor)(value / step) * step;
  return Number(rounded.toPrecision(10));
}

/** A number that says where it is from when it is clicked. */
function sourced(text, keys) {
  const known = keys.filter((key) => key in D.sources);
  if (!known.length) return text;
  return `<button type="button" class="n" data-source="${esc(known.join("|"))}">${text}</button>`;
}

const labelOf = (cell) => `${cell.accelerator}/${cell.variant}`;
const keyOf = (cell) => `${labelOf(cell)} ${cell.platform}`;
const device = () => D.devices.find((found) => found.name === field.device.value);
const unit = () => (device() ? device().unit : "LUT4");

// Design points -----------------------------------------------------------------------------------

/** What the form asks for; a limit that is not a number is marked and left out. */
function request() {
  const limit = (name) => {
    const text = field[name].value.trim().replace(",", ".");
    const value = text === "" ? null : Number(text);
    const wrong = value !== null && !(value >= 0);
    field[name].setAttribute("aria-invalid", wrong);
    return wrong ? null : value;
  };
  return {
    core: field.core.value,
    device: field.device.value,
    mode: field.mode.value,
    way: field.way.value,
    bits: field.bits.value,
    minMbit: limit("minMbit"),
    maxSize: limit("maxSize"),
    maxCode: limit("maxCode"),
    clock: limit("clock") || null,
    constant: field.constant.checked,
  };
}

/** Cycles a byte of a cell, the slower direction for both; null if not recorded. */
function cyclesOf(cell, mode, way, bits) {
  const found = cell.cycles[bits] || {};
  const there = found[mode] ?? null;
  const back = found[`${mode}-decrypt`] ?? null;
  if (way === "encrypt" || (way === "both" && MODES[mode].oneWay)) return there;
  if (way === "decrypt") return back;
  return there && back ? Math.max(there, back) : null;
}

function codeOf(cell, mode, way) {
  if (mode === "gcm") return cell.gcmCode;
  return cell.code[way === "both" && MODES[mode].oneWay ? "encrypt" : way] ?? null;
}

/** Every design on the asked core and device, with what it misses of the request. */
function designs(asked) {
  return D.sites
    .filter((site) => site.device === asked.device)
    .map((site) => ({ site, cell: D.cells[site.cell] }))
    .filter(({ cell }) => !asked.core || cell.platform === asked.core)
    .map(({ site, cell }) => {
      const cycles = cyclesOf(cell, asked.mode, asked.way, asked.bits);
      let mhz = site.mhz;
      let clockOf = site.clockOf;
      if (asked.clock !== null) {
        clockOf = mhz === null ? "given" : clockOf;
        mhz = mhz === null ? asked.clock : Math.min(mhz, asked.clock);
      }
      const rate = cycles && mhz ? (8 * mhz) / cycles : null;
      const point = {
        ...{ site, cell, cycles, mhz, clockOf, rate },
        label: labelOf(cell),
        key: keyOf(cell),
        size: site.size,
        code: codeOf(cell, asked.mode, asked.way),
        density: rate && site.size ? (1000 * rate) / site.size : null,
        energy: cycles && site.cells ? (cycles * site.cells) / 1000 : null,
      };
      return { ...point, misses: misses(point, asked) };
    });
}

/** The constraints that a design does not meet; one without `value` cannot be relaxed. */
function misses(point, asked) {
  const found = [];
  const whyNot = (reason) => found.push({ value: null, reason });
  const limit = (name, bound, value, of, most) => {
    if (bound === null) return;
    if (value === null) whyNot(`${of} not recorded`);
    else if (most ? value > bound : value < bound) {
      const reason = `${figure(value)} ${of}, ${most ? "at most" : "at least"} ${figure(bound)}`;
      found.push({ name, bound, value, of, reason });
    }
  };
  if (!point.cell.verified) whyNot("not verified with every vector");
  if (asked.constant && !point.cell.constantTime) {
    whyNot(point.cell.constantTime === false ? "time depends on data" : "time not examined");
  }
  if (point.site.areaOf === "") {
    whyNot("not synthesised for this device");
    return found;
  }
  if (point.cycles === null) {
    whyNot("not recorded in this mode");
    return found;
  }
  limit("area", asked.maxSize, point.size, unit(), true);
  limit("code and tables", asked.maxCode, point.code, "bytes", true);
  if (asked.clock !== null && point.site.mhz !== null && point.site.mhz < asked.clock) {
    limit("my clock", asked.clock, point.site.mhz, "MHz", false);
  }
  if (asked.minMbit !== null && point.rate === null) whyNot("no clock known: give yours");
  else limit("rate", asked.minMbit, point.rate, "Mbit/s", false);
  return found;
}

/** The order of what fits: area, block RAM, code, cycles, name. */
function price(one, other) {
  const costs = (p) => [p.size ?? Infinity, p.site.bram || 0, p.code || 0, p.cycles ?? Infinity];
  const mine = costs(one);
  const theirs = costs(other);
  for (let at = 0; at < mine.length; at += 1) {
    if (mine[at] !== theirs[at]) return mine[at] < theirs[at] ? -1 : 1;
  }
  return one.label < other.label ? -1 : one.label > other.label ? 1 : 0;
}

const strain = (point) =>
  point.misses.reduce((product, miss) => {
    const [low, high] = [miss.value, miss.bound].sort((a, b) => a - b);
    return product * (low > 0 ? high / low : Infinity);
  }, 1);

/** The fewest constraints to relax, each with the design that would then fit first. */
function relaxations(points) {
  const best = new Map();
  for (const point of points) {
    if (!point.misses.length || point.misses.some((miss) => miss.value === null)) continue;
    const names = point.misses.map((miss) => miss.name).join();
    if (!best.has(names) || strain(point) < strain(best.get(names))) best.set(names, point);
  }
  const fewest = Math.min(...[...best.values()].map((point) => point.misses.length));
  return [...best.values()]
    .filter((point) => point.misses.length === fewest)
    .sort((a, b) => strain(a) - strain(b));
}

/** Mark what nothing on the same core beats in both area and time. */
function markFronts(points) {
  const known = points.filter((p) => p.size !== null && p.cycles !== null);
  const cores = [...new Set(known.map((p) => p.cell.platform))];
  for (const core of cores) {
    const group = known.filter((p) => p.cell.platform === core);
    const timed = group.every((p) => p.mhz !== null);
    const time = (p) => (timed ? p.cycles / p.mhz : p.cycles);
    for (const p of group) {
      p.front = !group.some(
        (q) =>
          q.size <= p.size && time(q) <= time(p) && (q.size < p.size || time(q) < time(p)),
      );
    }
  }
}

// Sources of numbers ------------------------------------------------------------------------------

const measured = (cell, question) => [`${question} ${keyOf(cell)}`];
function synthesised(point) {
  const { site, cell } = point;
  const whole = `synth ${cell.accelerator}/${site.hardware} ${cell.platform} ${site.device}`;
  const alone = `synth ${cell.accelerator}/${site.hardware} unit ${site.device}`;
  const core = `synth none/ ${cell.platform} ${site.device}`;
  return [whole, alone, core];
}

const rateSources = (point) => [...measured(point.cell, speedQuestion()), ...synthesised(point)];
const speedQuestion = () => (field.mode.value === "gcm" ? "gcm" : "speed");

function showSource(keys) {
  const shown = keys.map((key) => {
    const source = D.sources[key];
    const facts = { "made by": source.how, command: `<code>${esc(source.command)}</code>` };
    for (const part of ["tools", "flags"]) {
      for (const [name, value] of Object.entries(source[part])) facts[esc(name)] = esc(value);
    }
    facts["inputs, SHA-256"] = `<code>${source.sha256.slice(0, 32)}\u2026</code>`;
    facts.record = `<code>results/${source.file}</code>`;
    const lines = Object.entries(facts).map(([name, text]) => `<dt>${name}</dt><dd>${text}</dd>`);
    return `<h4>${esc(source.what)}</h4><dl>${lines.join("")}</dl>`;
  });
  const dialog = byId("source");
  dialog.innerHTML =
    `<h3 id="source-head">Where this number is from</h3>${shown.join("")}` +
    `<form method="dialog" style="all: unset"><button>Close</button></form>`;
  dialog.showModal();
}

// The budget --------------------------------------------------------------------------------------

const TIME = { true: ["yes", "yes"], false: ["NO", "no"], null: ["not tested", ""] };

const COLUMNS = [
  {
    ...{ id: "design", head: "Design", tag: "accelerator/variant", by: (p) => p.label },
    show: (p) =>
      `<span class="dot ${p.front ? "front" : ""}"></span>${esc(p.label)}` +
      p.misses.map((miss) => `<span class="why">${esc(miss.reason)}</span>`).join(""),
  },
  {
    ...{ id: "core", head: "Core", tag: "", by: (p) => p.cell.platform, cores: true },
    show: (p) => p.cell.platform,
  },
  {
    ...{ id: "size", head: () => unit(), tag: "synthesis", num: true, by: (p) => p.size },
    show: (p) => sourced(figure(p.size), synthesised(p)),
  },
  {
    ...{ id: "cycles", head: "Cycles/byte", tag: "counted", num: true, by: (p) => p.cycles },
    show: (p) => sourced(figure(p.cycles), measured(p.cell, speedQuestion())),
  },
  {
    ...{ id: "rate", head: "Mbit/s", tag: "computed", num: true, by: (p) => p.rate },
    show: (p) => sourced(bounded(p) + figure(p.rate), rateSources(p)),
  },
  {
    ...{ id: "mhz", head: "MHz", tag: "place and route", num: true, by: (p) => p.mhz },
    show: (p) =>
      sourced(p.mhz === null ? NOTHING : p.mhz.toFixed(1), synthesised(p)) +
      ` <span class="tag">${p.clockOf || "none"}</span>`,
  },
  {
    ...{ id: "ff", head: "FF", tag: "synthesis", num: true, minor: true, fpga: true },
    ...{ by: (p) => p.site.ff, show: (p) => sourced(figure(p.site.ff), synthesised(p)) },
  },
  {
    ...{ id: "bram", head: "BRAM", tag: "synthesis", num: true, minor: true, fpga: true },
    ...{ by: (p) => p.site.bram, show: (p) => sourced(figure(p.site.bram), synthesised(p)) },
  },
  {
    ...{ id: "code", head: "Code", tag: "bytes", num: true, by: (p) => p.code },
    show: (p) => sourced(figure(p.code), measured(p.cell, speedQuestion())),
  },
  {
    ...{ id: "density", head: () => `Mbit/s per 1000 ${unit()}`, tag: "computed", num: true },
    ...{ minor: true, by: (p) => p.density },
    show: (p) => sourced(figure(p.density), rateSources(p)),
  },
  {
    ...{ id: "energy", head: "Energy proxy", tag: "kcell \u00d7 cycles/byte", num: true },
    ...{ minor: true, by: (p) => p.energy, show: (p) => sourced(figure(p.energy), rateSources(p)) },
  },
  {
    ...{ id: "steady", head: "Constant time", tag: "measured" },
    by: (p) => String(p.cell.constantTime),
    show: (p) => {
      const [text, kind] = TIME[p.cell.constantTime];
      return sourced(`<span class="${kind}">${text}</span>`, measured(p.cell, "ct"));
    },
  },
];

/** An upper bound says so. */
const bounded = (point) =>
  point.rate !== null && ["unit", "apart"].includes(point.clockOf) ? "\u2264\u2009" : "";

function renderAnswer(points, asked) {
  const box = byId("answer");
  const fits = points.filter((p) => !p.misses.length).sort(price);
  box.className = fits.length ? "" : "none";
  if (fits.length) {
    const best = fits[0];
    const area = best.size ? `${figure(best.size)} ${unit()}` : "no added area";
    const rate = best.rate === null ? "" : `, ${bounded(best)}${figure(best.rate)} Mbit/s`;
    const clock = best.mhz === null ? "no clock known" : `at ${figure(best.mhz)} MHz`;
    box.innerHTML =
      `<p class="big"><strong>${esc(best.label)}</strong> on ${best.cell.platform}: ${area}, ` +
      `${figure(best.cycles)} cycles/byte${rate} ${clock}, ` +
      `${figure(best.code)} bytes of code.</p>` +
      `<p>The cheapest of ${fits.length} that fit, of ${points.length}. ` +
      `Clock: ${esc(D.clocks[best.clockOf])}.</p>`;
    return;
  }
  const ways = relaxations(points).map((p) => {
    const steps = p.misses.map((miss) => {
      const to = allowed(miss.value, miss.bound);
      const by = Number((to - miss.bound).toPrecision(10));
      return (
        `<strong>${miss.name}</strong> from ${figure(miss.bound)} to ` +
        `<strong>${to}</strong> (${by > 0 ? "+" : "\u2212"}${figure(Math.abs(by))} ${miss.of})`
      );
    });
    return `<li>Relax ${steps.join(" and ")}: ${esc(p.label)} on ${p.cell.platform} fits.</li>`;
  });
  box.innerHTML =
    `<p class="big">Nothing fits.</p>` +
    (ways.length ? `<ul>${ways.join("")}</ul>` : `<p>No other limit would help: see each row.</p>`);
}

function renderPoints(points) {
  const columns = COLUMNS.filter(
    (c) => (!c.fpga || unit() !== "GE") && (!c.cores || !field.core.value),
  );
  const heads = columns.map((c) => {
    const name = typeof c.head === "function" ? c.head() : c.head;
    const order = sort.column === c.id ? (sort.down ? "descending" : "ascending") : "none";
    const kind = `${c.num ? "num" : ""} ${c.minor ? "minor" : ""}`;
    return (
      `<th class="${kind}" aria-sort="${order}" data-column="${c.id}"><button type="button">` +
      `${name}</button><small>${c.tag || "&nbsp;"}</small></th>`
    );
  });
  const rows = sorted(points, columns).map((p) => {
    const cells = columns.map(
      (c) => `<td class="${c.num ? "num" : ""} ${c.minor ? "minor" : ""}">${c.show(p)}</td>`,
    );
    const kind = `${p.misses.length ? "out" : "fits"} ${p.key === chosen ? "chosen" : ""}`;
    return `<tr class="${kind}" data-key="${esc(p.key)}">${cells.join("")}</tr>`;
  });
  byId("points").innerHTML =
    `<thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody>`;
}

/** What fits first, the cheapest on top, unless a column was chosen. */
function sorted(points, columns) {
  const column = columns.find((c) => c.id === sort.column);
  if (!column) {
    const out = (p) => p.misses.length;
    return [...points].sort((a, b) => out(a) - out(b) || price(a, b));
  }
  const sign = sort.down ? -1 : 1;
  return [...points].sort((a, b) => {
    const [x, y] = [column.by(a) ?? null, column.by(b) ?? null];
    if (x === null || y === null) return (x === null) - (y === null);
    return x < y ? -sign : x > y ? sign : price(a, b);
  });
}

// Charts ------------------------------------------------------------------------------------------

const drawn = {}; // chart: its view, and whether it was made for a phone
const narrow = () => byId("pareto").clientWidth < 480; // pixels: a phone
const ROW = 22; // pixels of a bar's row

/** Draw a chart with named rows of data; `bars`: how many rows of bars it has. */
async function draw(name, datasets, title, bars = 0) {
  byId(name).setAttribute("aria-label", title);
  const old = drawn[name];
  if (old && old.narrow === narrow()) {
    for (const [rows, values] of Object.entries(datasets)) old.view.data(rows, values);
    if (bars) old.view.height(ROW * bars);
    await old.view.runAsync();
    return;
  }
  if (old) old.view.finalize();
  const spec = { ...JSON.parse(CHARTS[name]), datasets, ...(bars && { height: ROW * bars }) };
  if (narrow()) {
    Object.assign(spec.config.axis, { labelFontSize: 10, titleFontSize: 10 });
    spec.config.legend.columns = 2;
  }
  const { view } = await vegaEmbed(byId(name), spec, {
    ...{ actions: false, renderer: "svg", ast: true, tooltip: { theme: "custom" } },
    logLevel: 1, // errors alone: that a layer has no rows is no matter for a warning
  });
  drawn[name] = { view, narrow: narrow() };
}

function renderPareto(points, asked) {
  const known = points.filter((p) => p.size > 0 && p.cycles !== null);
  const software = points.filter(
    (p) => p.cell.kind === "software" && p.cell.verified && p.cycles !== null,
  );
  const timed = known.length > 0 && known.every((p) => p.mhz !== null);
  const y = (p) => (timed ? p.rate : p.cycles);
  const roomy = asked.core && !narrow(); // for names of the front
  const [low, high] = [Math.min, Math.max].map((end) => end(...known.map((p) => p.size)));
  const rows = known.map((p) => ({
    ...{ x: p.size, y: y(p), front: Boolean(p.front), fits: !p.misses.length },
    ...{ chosen: p.key === chosen, named: p.key === chosen || (p.front && roomy) },
    left: Math.log(p.size / low) > 0.7 * Math.log(high / low),
    label: p.label,
    core: p.cell.platform,
    area: `${figure(p.size)} ${unit()}, ${D.areas[p.site.areaOf]}`,
    cycles: figure(p.cycles),
    rate: p.rate === null ? "no clock known" : `${bounded(p)}${figure(p.rate)} Mbit/s`,
    clock: p.mhz === null ? "none known" : `${figure(p.mhz)} MHz, ${D.clocks[p.clockOf]}`,
  }));
  const usable = software.filter((p) => y(p) !== null);
  const best = usable.sort((a, b) => (timed ? y(b) - y(a) : y(a) - y(b)))[0];
  const line = best ? [{ y: y(best), label: `${best.label} on ${best.cell.platform}` }] : [];
  const what = timed ? "Mbit/s, computed (up is faster)" : "Cycles a byte (down is faster)";
  byId("plot-said").textContent =
    `${what} against ${unit()} of the unit, both logarithmic: ${device().summary}; ` +
    `AES-${asked.bits}, ${MODES[asked.mode].summary}.`;
  return draw("pareto", { points: rows, software: line }, byId("plot-said").textContent);
}

/** The core that parts without a core of their own speak of. */
const core = () => field.core.value || (chosen && chosen.split(" ")[1]) || D.platforms[0];
const onCore = () => D.cells.filter((cell) => cell.platform === core());

function renderLengths() {
  const software = onCore().filter((cell) => cell.kind === "software" && cell.verified);
  const lengths = [...new Set(software.flatMap((cell) => cell.lengths.map(([n]) => n)))];
  const row = (label, role) => ([bytes, cycles], at, all) => ({
    ...{ label, role, bytes, y: cycles / bytes, last: at === all.length - 1 },
  });
  const best = lengths
    .sort((a, b) => a - b)
    .map((bytes) => {
      const found = software.map((cell) => cell.lengths.find(([n]) => n === bytes));
      return [bytes, Math.min(...found.filter(Boolean).map(([, cycles]) => cycles))];
    });
  const units = onCore().filter((cell) => cell.kind !== "software" && cell.lengths.length);
  const mine = units.find((cell) => keyOf(cell) === chosen);
  const curves = [
    ...units
      .filter((cell) => cell !== mine)
      .flatMap((cell) => cell.lengths.map(row(labelOf(cell), "other"))),
    ...best.map(row("best software", "software")),
    ...(mine ? mine.lengths.map(row(labelOf(mine), "chosen")) : []),
  ];
  const from = mine ? mine.crossover : null;
  const crossings =
    from > 0 ? [{ bytes: from, label: `faster than all software from ${from} B` }] : [];
  for (const place of document.querySelectorAll("[data-core]")) place.textContent = core();
  const select = byId("design");
  select.innerHTML = units
    .map((cell) => {
      const now = cell === mine ? " selected" : "";
      return `<option value="${esc(keyOf(cell))}"${now}>${esc(labelOf(cell))}</option>`;
    })
    .join("");
  if (!mine) select.selectedIndex = -1;
  return draw("lengths", { curves, crossings }, `Cycles a byte by message length on ${core()}`);
}

function renderBreakdown(asked) {
  const mode = asked.mode === "block" ? "ecb" : asked.mode;
  const parts = [];
  const cells = onCore().filter((cell) => cell.cycles[128][mode]);
  const total = (cell) => cell.cycles[128][mode];
  cells.sort((a, b) => total(a) - total(b));
  for (const [place, cell] of cells.entries()) {
    const found = cell.cycles[128];
    const gcm = mode === "gcm";
    const key = cell.phases[gcm ? "GCM key" : "key, encrypt"] || 0;
    const tag = gcm ? Math.min(cell.phases.GHASH / BLOCK_BYTES, total(cell)) : 0;
    const cipher = Math.min(found.ecb, total(cell) - tag);
    const values = [key / LONG, cipher, total(cell) - tag - cipher, tag];
    ["key set-up", "cipher", "mode", "tag"].forEach((part, order) => {
      parts.push({ label: labelOf(cell), place, part, order, y: values[order] });
    });
  }
  const said =
    `Cycles a byte on ${core()}, AES-128, ${MODES[mode].summary}; the shortest bar is the fastest.`;
  byId("breakdown-said").textContent = said;
  return draw("breakdown", { parts }, said, cells.length);
}

function renderPhases() {
  const names = [...new Set(onCore().flatMap((cell) => Object.keys(cell.phases)))];
  const question = (name) => (name.startsWith("G") ? "gcm" : "speed");
  const heads = names.map((name) => {
    const key = name.includes("key");
    return `<th class="num">${name}<small>cycles${key ? "" : "/block"}</small></th>`;
  });
  const rows = onCore().map((cell) => {
    const figures = names.map((name) => {
      const value = cell.phases[name] ?? null;
      return `<td class="num">${sourced(figure(value), measured(cell, question(name)))}</td>`;
    });
    const kind = keyOf(cell) === chosen ? "chosen" : "";
    return `<tr class="${kind}"><td>${esc(labelOf(cell))}</td>${figures.join("")}</tr>`;
  });
  byId("phases-head").textContent = `Every phase on ${core()}, AES-128, counted`;
  byId("phases").innerHTML =
    `<thead><tr><th>Design<small>&nbsp;</small></th>${heads.join("")}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody>`;
}

function renderModules() {
  const width = byId("modules").clientWidth - 250; // pixels that the bars have
  const label = (entry) => `${entry.accelerator}/${entry.variant}`;
  const order = [...D.modules].sort((a, b) => a.total - b.total);
  const modules = order.flatMap((entry) => {
    const sum = entry.parts.reduce((total, [, gates]) => total + gates, 0);
    let end = 0;
    return entry.parts.map(([module, gates], at) => {
      const [begin, share] = [end, gates / sum];
      end += share;
      const named = !narrow() && share * width > 6.4 * module.length + 8;
      const rank = Math.min(at, 3);
      return { label: label(entry), module, gates, share, begin, end, named, rank };
    });
  });
  const totals = order.map((entry) => ({
    ...{ label: label(entry), said: `${figure(Math.round(entry.total))} GE` },
  }));
  byId("gates").hidden = !modules.length;
  if (!modules.length) return null;
  return draw("modules", { modules, totals }, "Gates by module", order.length);
}

// Evidence ----------------------------------------------------------------------------------------

function renderEvidence() {
  const sets = (row, question) => (row[question] ? Object.values(row[question].sets) : []);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  // One figure for each core, or a dash; "not tested" if none was asked.
  const on = (entry, question, cell) => {
    const rows = D.platforms.map((name) => entry.platforms.find((row) => row.platform === name));
    if (!rows.some((row) => row && row[question])) return "not tested";
    return rows
      .map((row) => {
        if (!row || !row[question]) return NOTHING;
        return sourced(cell(row), measured({ ...entry, ...row }, question));
      })
      .join(" \u00b7 ");
  };
  const answers = (question) => (entry) =>
    on(entry, question, (row) => {
      const { status, wrong } = row[question];
      const good = status === "passed" && !wrong;
      const text = good ? grouped(sum(sets(row, question))) : `${status}, ${wrong} wrong`;
      return `<span class="${good ? "yes" : "no"}">${text}</span>`;
    });
  const steady = (entry) =>
    on(entry, "ct", (row) => {
      const good = row.ct.spread === 0;
      return `<span class="${good ? "yes" : "no"}">${good ? grouped(row.ct.runs) : "NO"}</span>`;
    });
  const of = (some, all) => (all ? `${some} of ${all}` : "\u2013");
  const rows = D.evidence.map((entry) => {
    const cells = [
      answers("test")(entry),
      answers("gcm")(entry),
      steady(entry),
      of(entry.proved, entry.proofs),
      of(entry.caught, entry.proofBugs),
      entry.planted || "\u2013",
      entry.montecarlo ? grouped(entry.montecarlo) : "\u2013",
    ];
    return (
      `<tr><td>${esc(entry.accelerator)}/${esc(entry.variant)}</td>` +
      cells.map((text) => `<td>${text}</td>`).join("") +
      "</tr>"
    );
  });
  const heads = [
    ["Design", "&nbsp;"],
    ["Vectors right", D.platforms.join(" \u00b7 ")],
    ["AES-GCM answers right", "the same"],
    ["Equal time over", "random runs, the same"],
    ["Proofs", "hold, of all"],
    ["Bugs in proofs", "refuted, of tried"],
    ["Bugs for the bench", "planted"],
    ["Monte Carlo", "blocks on the RTL"],
  ];
  byId("evidence").innerHTML =
    `<thead><tr>${heads.map(([name, tag]) => `<th>${name}<small>${tag}</small></th>`).join("")}` +
    `</tr></thead><tbody>${rows.join("")}</tbody>`;
  const shared = D.shared;
  byId("checked-said").textContent =
    `Every variant runs its vectors on every core that offers it. Of the RTL that units share ` +
    `(adapters, fields, ports) ${shared.proved} of ${shared.proofs} proofs that were run here ` +
    `hold, and ${shared.caught} of ${shared.bugs} planted bugs are refuted. What no record shows ` +
    `is said to be so. None of this speaks of power or fault attacks: nothing is masked.`;
}

const STATUS = { shown: "yes", failed: "no", "no record": "", "not tested": "no" };

function renderPromises() {
  const item = (kind, chip, text, tag) =>
    `<li><span class="chip ${kind}">${chip}</span><span>${esc(text)}` +
    `${tag ? ` <span class="tag">${esc(tag)}</span>` : ""}</span></li>`;
  const groups = D.promises.map((entry) => {
    const lines = entry.claims.map((claim) => {
      const named = claim.variants.length ? ` (${claim.variants.join(", ")})` : "";
      return item(STATUS[claim.status], claim.status, claim.text, claim.test + named);
    });
    const holes = entry.skips.map((skip) =>
      item("", "left out", `${skip.what}: ${skip.because}; until ${skip.until}`),
    );
    return `<div><h4>${esc(entry.accelerator)}</h4><ul>${[...lines, ...holes].join("")}</ul></div>`;
  });
  byId("promises").innerHTML = groups.join("");
}

function renderPapers() {
  byId("paper-list").innerHTML = D.papers
    .map((paper) => {
      const heads = paper.table.heads;
      const head = heads.map(([name, num]) => `<th class="${num ? "num" : ""}">${esc(name)}</th>`);
      const rows = paper.table.rows.map((row) => {
        const cells = row.map((text, at) => {
          const kind = heads[at][1] ? "num" : at === 1 ? "wrap" : "";
          return `<td class="${kind}">${esc(text)}</td>`;
        });
        return `<tr>${cells.join("")}</tr>`;
      });
      const notes = paper.notes.map((note) => `<p class="note">${esc(note)}</p>`);
      return (
        `<details><summary>${esc(paper.title)}<span class="tag">${esc(paper.by)}</span></summary>` +
        `<div class="scroll"><table><thead><tr>${head.join("")}</tr></thead>` +
        `<tbody>${rows.join("")}</tbody></table></div>${notes.join("")}</details>`
      );
    })
    .join("");
}

// All of it ---------------------------------------------------------------------------------------

function render() {
  const asked = request();
  for (const place of document.querySelectorAll("[data-unit]")) place.textContent = unit();
  const points = designs(asked);
  markFronts(points);
  const fits = points.filter((p) => !p.misses.length && p.cell.kind !== "software").sort(price);
  if (!points.some((p) => p.key === chosen)) chosen = fits.length ? fits[0].key : "";
  renderAnswer(points, asked);
  renderPoints(points);
  const clocks = [...new Set(points.map((p) => p.clockOf))].map(
    (name) => `${name || "none"}: ${D.clocks[name]}`,
  );
  byId("clocks").textContent =
    `Clock of \u2013 ${clocks.join("; ")}. Area: ` +
    [...new Set(points.map((p) => D.areas[p.site.areaOf]))].join("; ") +
    ". The energy proxy knows neither activity nor wires: it is no energy.";
  renderPhases();
  return inTurn([
    () => renderPareto(points, asked),
    () => renderBreakdown(asked),
    () => renderLengths(),
  ]);
}

let turn = 0; // of the latest rendering: an older one draws no more charts

/** Draw charts one after the other, so that the page answers its reader in between. */
async function inTurn(charts) {
  turn += 1;
  const mine = turn;
  for (const chart of charts) {
    await new Promise((resolve) => setTimeout(resolve));
    if (turn !== mine) return;
    await chart();
  }
}

function choose(key) {
  chosen = key;
  return render();
}

function options(select, values) {
  select.innerHTML = values
    .map(([value, text]) => `<option value="${esc(value)}">${esc(text)}</option>`)
    .join("");
}

function start() {
  const units = new Set(D.evidence.filter((e) => e.kind !== "software").map((e) => e.accelerator));
  const software = new Set(D.cells.filter((c) => c.kind === "software").map((c) => c.accelerator));
  byId("lede").textContent =
    `${units.size} accelerators beside ${software.size} software ciphers on ` +
    `${D.platforms.length} soft cores. Cycles are counted in cycle-accurate simulation, area and ` +
    `clock come from synthesis, rates are computed from both. Click a number to see its source.`;
  byId("made").textContent =
    `Made from ${D.counts.records} measured and ${D.counts.synthesis} synthesis records and ` +
    `${D.counts.proofs} kept proof runs; no figure in it was typed in by hand. Apache-2.0.`;
  options(field.core, [["", "any"], ...D.platforms.map((name) => [name, name])]);
  field.core.value = D.platforms[D.platforms.length - 1] || "";
  options(field.device, D.devices.map((found) => [found.name, found.name]));
  options(field.mode, D.modes.map((mode) => [mode.name, mode.name.toUpperCase()]));
  field.mode.value = "ecb";
  // A budget to begin with, where there is a clock to judge it by.
  const timed = D.sites.some((site) => site.device === field.device.value && site.mhz !== null);
  field.minMbit.defaultValue = timed ? "20" : "";
  form.addEventListener("input", render);
  let before = narrow();
  window.addEventListener("resize", () => {
    if (narrow() !== before) render();
    before = narrow();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    sort.column = "";
    setTimeout(render); // the fields are reset behind this event
  });
  byId("design").addEventListener("input", (event) => choose(event.target.value));
  document.addEventListener("click", (event) => {
    const source = event.target.closest("[data-source]");
    if (source) return showSource(source.dataset.source.split("|"));
    const head = event.target.closest("[data-column]");
    if (head) {
      const name = head.dataset.column;
      const again = sort.column === name;
      sort.down = again ? !sort.down : false;
      sort.column = name;
      return render();
    }
    const row = event.target.closest("#points tbody tr");
    if (row) return choose(row.dataset.key);
    if (event.target === byId("source")) byId("source").close();
    return null;
  });
  renderEvidence();
  renderPromises();
  renderPapers();
  const charts = render();
  performance.mark("usable");
  charts.then(renderModules).then(() => {
    performance.mark("ready");
    document.body.setAttribute("data-ready", "yes");
  });
}

start();
