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
let picked = false; // whether the reader chose it
let strange = []; // what the address asks for that there is not

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
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
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

/** What the form asks for; a limit that is no number is said and left out. */
function request() {
  const wrong = [];
  const limit = (name, least = 0) => {
    const text = field[name].value.trim().replace(/[\s\u202f]/g, "");
    const good = /^\d*[.,]?\d+$/.test(text) && !/,\d{3}$/.test(text);
    const value = text === "" ? null : good ? Number(text.replace(",", ".")) : NaN;
    const bad = value !== null && !(value >= least);
    field[name].setAttribute("aria-invalid", bad);
    if (bad) {
      const why = Number.isNaN(value) ? "is no number like 1000 or 0.5" : `is not above 0`;
      wrong.push({ name, text: `\u201c${field[name].value.trim()}\u201d ${why}: left out` });
    }
    return bad ? null : value;
  };
  const asked = {
    core: field.core.value,
    device: field.device.value,
    mode: field.mode.value,
    way: field.way.value,
    bits: field.bits.value,
    minMbit: limit("minMbit"),
    maxSize: limit("maxSize"),
    maxCode: limit("maxCode"),
    clock: limit("clock", Number.MIN_VALUE),
    constant: field.constant.checked,
    bounds: field.bounds.checked,
  };
  for (const place of form.querySelectorAll("[data-wrong]")) {
    const found = wrong.find(({ name }) => name === place.dataset.wrong);
    place.textContent = found ? found.text : "";
  }
  return { ...asked, wrong };
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

/** Mbit/s; null where a part is not known. */
const mbit = (mhz, cycles) => (mhz && cycles ? (8 * mhz) / cycles : null);

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
      const rate = mbit(mhz, cycles);
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
  if (isBound(point) && !asked.bounds && (asked.clock !== null || asked.minMbit !== null)) {
    whyNot("its clock is known as an upper bound only");
    return found;
  }
  if (asked.clock !== null && point.site.mhz !== null && point.site.mhz < asked.clock) {
    limit("my clock", asked.clock, point.site.mhz, "MHz", false);
  }
  if (asked.minMbit !== null && point.rate === null) whyNot("no clock known: give yours");
  else limit("rate", asked.minMbit, point.rate, "Mbit/s", false);
  return found;
}

/** The order of what fits: measured clocks, then area, block RAM, code, cycles, name. */
function price(one, other) {
  const doubt = (p) => Number(isBound(p) && !field.bounds.checked);
  const size = (p) => [p.size ?? Infinity, p.site.bram || 0, p.code || 0];
  const costs = (p) => [doubt(p), ...size(p), p.cycles ?? Infinity];
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

/** Mark what nothing on the same core beats in both area and time; bounds decide if asked. */
function markFronts(points, bounds) {
  const known = points.filter((p) => p.size !== null && p.cycles !== null);
  const cores = [...new Set(known.map((p) => p.cell.platform))];
  for (const core of cores) {
    const every = known.filter((p) => p.cell.platform === core);
    const measured = every.some((p) => p.clockOf === "whole");
    const group = !bounds && measured ? every.filter((p) => !isBound(p)) : every;
    const counted = !bounds && group.some(isBound); // without a measured clock: cycles
    const timed = !counted && group.every((p) => p.mhz !== null);
    const time = (p) => (timed ? p.cycles / p.mhz : p.cycles);
    for (const p of group) {
      p.timed = timed;
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

// The words of `aesforge explore`, in its order but for the rate, which a phone shows too.
const COLUMNS = [
  {
    ...{ id: "design", head: "design", tag: "accelerator/variant", by: (p) => p.label },
    show: (p) =>
      // A word joiner behind each hyphen: the slash is the only place to break a name.
      `<span class="dot ${p.front ? "front" : ""}"></span>` +
      esc(p.label).replace("/", "/<wbr>").replaceAll("-", "-\u2060") +
      p.misses.map((miss) => `<span class="why">${esc(miss.reason)}</span>`).join(""),
  },
  {
    ...{ id: "core", head: "core", tag: "", by: (p) => p.cell.platform, cores: true },
    show: (p) => p.cell.platform,
  },
  {
    ...{ id: "rate", head: "Mbit/s", tag: "computed", num: true, by: (p) => p.rate },
    show: (p) => sourced(bounded(p) + figure(p.rate), rateSources(p)),
  },
  {
    ...{ id: "size", head: () => unit(), tag: "synthesis", num: true, by: (p) => p.size },
    show: (p) => sourced(figure(p.size), synthesised(p)),
  },
  {
    ...{ id: "cycles", head: () => `${field.mode.value} c/B`, tag: "counted", num: true },
    ...{ by: (p) => p.cycles },
    show: (p) => sourced(figure(p.cycles), measured(p.cell, speedQuestion())),
  },
  {
    ...{ id: "mhz", head: "MHz", tag: "placed, routed", num: true, by: (p) => p.mhz },
    show: (p) =>
      sourced(p.mhz === null ? NOTHING : bounded(p) + p.mhz.toFixed(1), synthesised(p)),
  },
  {
    ...{ id: "clock", head: "clock of", tag: "see below", by: (p) => p.clockOf },
    show: (p) => p.clockOf || "unknown",
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
    ...{ id: "area", head: "area of", tag: "see below", minor: true, by: (p) => p.site.areaOf },
    show: (p) => p.site.areaOf || "unknown",
  },
  {
    ...{ id: "density", head: () => `Mbit/s per 1000 ${unit()}`, tag: "computed", num: true },
    ...{ minor: true, by: (p) => p.density },
    show: (p) => sourced(bounded(p) + figure(p.density), rateSources(p)),
  },
  {
    ...{ id: "code", head: "code B", tag: "with tables", num: true, by: (p) => p.code },
    show: (p) => sourced(figure(p.code), measured(p.cell, speedQuestion())),
  },
  {
    ...{ id: "energy", head: "energy proxy", tag: "kcell \u00d7 c/B", num: true },
    ...{ minor: true, by: (p) => p.energy, show: (p) => sourced(figure(p.energy), rateSources(p)) },
  },
  {
    ...{ id: "steady", head: "const. time", tag: "measured" },
    by: (p) => String(p.cell.constantTime),
    show: (p) => {
      const [text, kind] = TIME[p.cell.constantTime];
      return sourced(`<span class="${kind}">${text}</span>`, measured(p.cell, "ct"));
    },
  },
];

/** An upper bound says so. */
const bounded = (point) => (point.mhz !== null && isBound(point) ? "\u2264\u2009" : "");

const NAMES = { minMbit: "Mbit/s", maxSize: "area", maxCode: "code and tables", clock: "my clock" };

function renderAnswer(points, asked) {
  const box = byId("answer");
  byId("wrong").innerHTML = [
    ...strange.map((text) => `<li>There is no ${esc(text)}, as the address asks: left out.</li>`),
    ...asked.wrong.map(({ name, text }) => `<li>${NAMES[name]}: ${esc(text)}.</li>`),
  ].join("");
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
  const looser = asked.bounds ? [] : designs({ ...asked, bounds: true });
  const maybe = looser.filter((p) => !p.misses.length && isBound(p)).sort(price)[0];
  if (maybe) {
    const rate = `${bounded(maybe)}${figure(maybe.rate)} Mbit/s`;
    const name = `${esc(maybe.label)} on ${maybe.cell.platform}`;
    ways.push(`<li>If upper bounds of clocks count, ${name} fits: ${rate}.</li>`);
  }
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
  byId("points").classList.toggle("whole", field.why.checked);
  const out = points.filter((p) => p.misses.length).length;
  const hint = `${out} more do not fit: tick \u201cshow what does not fit\u201d above.`;
  byId("out").textContent = field.why.checked || !out ? "" : hint;
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

// All of it ---------------------------------------------------------------------------------------

function render() {
  const asked = request();
  for (const place of document.querySelectorAll("[data-unit]")) place.textContent = unit();
  const points = designs(asked);
  markFronts(points, asked.bounds);
  const fits = points.filter((p) => !p.misses.length && p.cell.kind !== "software").sort(price);
  if (!picked || !points.some((p) => p.key === chosen)) {
    [chosen, picked] = [fits.length ? fits[0].key : "", false];
  }
  renderGlance();
  renderAnswer(points, asked);
  renderPoints(points);
  const clocks = [...new Set(points.map((p) => p.clockOf))].map(
    (name) => `${name || "unknown"}: ${D.clocks[name]}`,
  );
  const areas = [...new Set(points.map((p) => p.site.areaOf))].map(
    (name) => `${name || "unknown"}: ${D.areas[name]}`,
  );
  byId("clocks").textContent =
    `Clock of \u2013 ${clocks.join("; ")}. Area of \u2013 ${areas.join("; ")}. ` +
    "c/B: cycles a byte. The energy proxy knows neither activity nor wires: it is no energy.";
  renderPhases();
  offerTables();
  writeState();
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
  [chosen, picked] = [key, true];
  return render();
}

/** Fill a selection; what is selected at the start is what Reset returns to. */
function options(select, values, first) {
  select.innerHTML = values
    .map(([value, text]) => {
      const now = value === first ? " selected" : "";
      return `<option value="${esc(value)}"${now}>${esc(text)}</option>`;
    })
    .join("");
}

function renderUnits() {
  const rows = D.units.map(
    (found) =>
      `<tr><td>${esc(found.name)}</td><td>${found.kind}</td>` +
      `<td class="wrap">${esc(found.summary)}</td>` +
      `<td class="wrap">${found.variants.map(esc).join(", ")}</td></tr>`,
  );
  byId("unit-list").innerHTML =
    "<thead><tr><th>accelerator</th><th>kind</th><th>what it is</th><th>variants</th></tr>" +
    `</thead><tbody>${rows.join("")}</tbody>`;
}

function start() {
  const software = new Set(D.cells.filter((c) => c.kind === "software").map((c) => c.accelerator));
  byId("lede").textContent =
    `${D.units.length} accelerators beside ${software.size} software ciphers on ` +
    `${D.platforms.length} soft cores: cycles counted in simulation, area and clock from ` +
    `synthesis, rates computed from both. Click a number to see its source.`;
  byId("made").textContent =
    `Made from ${D.counts.records} measured and ${D.counts.synthesis} synthesis records and ` +
    `${D.counts.proofs} kept proof runs; no figure in it was typed in by hand. Apache-2.0.`;
  byId("citation").textContent = D.citation;
  const named = (name) => [name, name];
  options(field.core, [["", "any"], ...D.platforms.map(named)], D.platforms[0]);
  options(field.device, D.devices.map(({ name }) => named(name)), usualDevice());
  options(field.mode, D.modes.map((mode) => [mode.name, mode.name.toUpperCase()]), "ctr");
  // A budget to begin with, where there is a clock to judge it by.
  const timed = D.sites.some((site) => site.device === field.device.value && site.mhz !== null);
  field.minMbit.defaultValue = timed ? "10" : "";
  form.addEventListener("input", render);
  let before = narrow();
  window.addEventListener("resize", () => {
    if (narrow() !== before) render();
    before = narrow();
  });
  window.addEventListener("hashchange", () => {
    if (!location.hash.includes("=")) return;
    strange = readState();
    render();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    startAgain();
    strange = [];
    setTimeout(render); // the fields are reset after this event
  });
  byId("design").addEventListener("input", (event) => choose(event.target.value));
  document.addEventListener("click", clicked);
  strange = readState();
  renderUnits();
  renderEvidence();
  renderPromises();
  renderPapers();
  const charts = render();
  performance.mark("usable");
  charts.then(renderModules).then(renderToggles).then(() => {
    offerTables();
    performance.mark("ready");
    document.body.setAttribute("data-ready", "yes");
  });
}

/** The device with most clocks of whole systems, else the first. */
function usualDevice() {
  const count = (name) =>
    D.sites.filter((site) => site.device === name && site.clockOf === "whole").length;
  const names = D.devices.map(({ name }) => name);
  return names.reduce((best, name) => (count(name) > count(best) ? name : best), names[0]);
}

function clicked(event) {
  const at = (selector) => event.target.closest(selector);
  const source = at("[data-source]");
  if (source) return showSource(source.dataset.source.split("|"));
  const file = at("[data-save]");
  if (file) return saveTable(file.dataset.save);
  if (at("#save-citation")) return save("CITATION.cff", D.citation);
  const section = at("nav a");
  if (section) {
    event.preventDefault(); // the address keeps what the reader asked for
    return document.querySelector(section.getAttribute("href")).scrollIntoView();
  }
  const go = at("[data-go]");
  if (go) {
    field.core.value = go.dataset.go;
    return render();
  }
  const head = at("[data-column]");
  if (head) {
    const name = head.dataset.column;
    const again = sort.column === name;
    sort.down = again ? !sort.down : false;
    sort.column = name;
    return render();
  }
  const row = at("tr[data-key]");
  if (row) return choose(row.dataset.key);
  if (event.target === byId("source")) byId("source").close();
  return null;
}

start();
