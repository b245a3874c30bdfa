// SPDX-License-Identifier: Apache-2.0
// The charts: rows for each, drawn by Vega; names placed beside their points.
const drawn = {}; // chart: its view, and whether it was made for a phone
const narrow = () => byId("pareto").clientWidth < 480; // pixels: a phone
const ROW = 22; // pixels of a bar's row

/** Draw a chart in a place: named rows of data, signals; `bars`: how many rows of bars it has. */
async function draw(id, chart, { datasets, signals = {}, bars = 0, change = () => {} }, title) {
  byId(id).setAttribute("aria-label", title);
  const old = drawn[id];
  if (old && old.narrow === narrow()) {
    for (const [rows, values] of Object.entries(datasets)) old.view.data(rows, values);
    for (const [name, value] of Object.entries(signals)) old.view.signal(name, value);
    if (bars) old.view.height(ROW * bars);
    await old.view.runAsync();
    return old.view;
  }
  if (old) old.view.finalize();
  const spec = { ...JSON.parse(CHARTS[chart]), datasets, ...(bars && { height: ROW * bars }) };
  for (const param of spec.params || []) param.value = signals[param.name] ?? param.value;
  if (narrow()) {
    Object.assign(spec.config.axis, { labelFontSize: 10, titleFontSize: 10 });
    spec.config.legend.columns = 2;
  }
  change(spec);
  const { view } = await vegaEmbed(byId(id), spec, {
    ...{ actions: false, renderer: "svg", ast: true, tooltip: { theme: "custom" } },
    logLevel: 1, // errors alone: that a layer has no rows is no matter for a warning
  });
  drawn[id] = { view, narrow: narrow() };
  return view;
}

const small = () => (narrow() ? 10 : 12); // pixels: a name's letters

/** Area against time, a panel for each core; all have the same scales. */
async function renderPareto(points, asked) {
  const known = points.filter((p) => p.size > 0 && p.cycles !== null);
  const software = points.filter(
    (p) => p.cell.kind === "software" && p.cell.verified && p.cycles !== null,
  );
  const timed = known.length > 0 && known.every((p) => p.mhz !== null);
  const y = (p) => (timed ? p.rate : p.cycles);
  const cores = D.platforms.filter((name) => known.some((p) => p.cell.platform === name));
  const what = timed ? "Mbit/s, computed (up is faster)" : "Cycles a byte (down is faster)";
  byId("plot-said").textContent =
    `${what} against ${unit()} of the unit, both logarithmic and the same for every core: ` +
    `${device().summary}; AES-${asked.bits}, ${MODES[asked.mode].summary}.`;
  const ids = cores.map((name) => `pareto-${name}`);
  for (const id of Object.keys(drawn).filter((n) => n.startsWith("pareto-") && !ids.includes(n))) {
    drawn[id].view.finalize();
    delete drawn[id];
  }
  if ([...byId("pareto").children].map((panel) => panel.dataset.core).join() !== cores.join()) {
    for (const id of ids) delete drawn[id];
    byId("pareto").innerHTML = cores
      .map(
        (name) =>
          `<figure data-core="${name}"><h3>${name}</h3>` +
          `<div class="chart" role="img" id="pareto-${name}"></div><ol class="key"></ol></figure>`,
      )
      .join("");
  }
  const heights = [...known, ...software].map(y).filter((value) => value > 0);
  const end = (of, values, by) => of(...values) * by;
  const signals = {
    xLow: end(Math.min, known.map((p) => p.size), 0.8),
    xHigh: end(Math.max, known.map((p) => p.size), 1.35),
    yLow: end(Math.min, heights, 0.75),
    yHigh: end(Math.max, heights, 1.35),
  };
  for (const name of cores) {
    const on = (p) => p.cell.platform === name;
    const usable = software.filter((p) => on(p) && y(p) !== null);
    const best = usable.sort((a, b) => (timed ? y(b) - y(a) : y(a) - y(b)))[0];
    await panel(name, known.filter(on), best, y, timed, signals);
  }
}

/** One core's panel: draw it, then place a name at every point. */
async function panel(name, known, best, y, timed, signals) {
  const ordered = [...known].sort((a, b) => b.front - a.front || a.size - b.size || y(b) - y(a));
  const rows = ordered.map((p) => ({
    ...{ x: p.size, y: y(p), front: Boolean(p.front), fits: !p.misses.length },
    ...{ chosen: p.key === chosen, measured: !isBound(p) },
    step: Boolean(p.front && p.timed === timed),
    label: p.label,
    core: p.cell.platform,
    area: `${figure(p.size)} ${unit()}, ${D.areas[p.site.areaOf]}`,
    cycles: figure(p.cycles),
    rate: p.rate === null ? "no clock known" : `${bounded(p)}${figure(p.rate)} Mbit/s`,
    clock: p.mhz === null ? "none known" : `${figure(p.mhz)} MHz, ${D.clocks[p.clockOf]}`,
  }));
  const datasets = { points: rows, software: best ? [{ y: y(best) }] : [], names: [] };
  const title = `${byId("plot-said").textContent} On ${name}.`;
  const view = await draw(`pareto-${name}`, "pareto", { datasets, signals }, title);
  const [across, down] = [view.scale("x"), view.scale("y")];
  const frame = { left: 0, top: 0, right: view.width(), bottom: view.height() };
  const dots = rows.map((row, at) => ({
    ...{ x: across(row.x), y: down(row.y), text: narrow() ? String(at + 1) : row.label, row },
  }));
  const names = [];
  const taken = [];
  if (best) {
    const text = `best software: ${best.label}`;
    const box = placeOnLine(down(y(best)), text, dots, frame, small());
    const middle = (box.top + box.bottom) / 2;
    taken.push(box);
    names.push({ x: 1, y: 1, x2: box.left, y2: middle, text, align: "left", far: false });
  }
  placeNames(dots, taken, frame, small()).forEach((box, at) => {
    if (!box) return;
    const { x, text, row } = dots[at];
    const middle = (box.top + box.bottom) / 2;
    const right = box.right < x;
    const edge = right ? box.right : box.left > x ? box.left : x;
    const align = right ? "right" : box.left > x ? "left" : "center";
    const strong = row.front || row.chosen;
    names.push({ x: row.x, y: row.y, x2: edge, y2: middle, text, align, far: box.far, strong });
  });
  const inData = (row) => ({
    ...{ ...row, x2: across.invert(row.x2), y2: down.invert(row.y2), size: small() },
  });
  view.data("names", names.map(inData));
  await view.runAsync();
  byId(`pareto-${name}`).nextElementSibling.innerHTML = narrow()
    ? rows.map((row) => `<li>${esc(row.label)}</li>`).join("")
    : "";
}

/** The core that parts without a core of their own speak of. */
const core = () => field.core.value || (chosen && chosen.split(" ")[1]) || D.platforms[0] || "";
const onCore = () => D.cells.filter((cell) => cell.platform === core());

/** As many lines of other designs as still have their names apart. */
const OTHERS = 10;

/** Whole messages: best software, the quickest units of the first picture, the chosen design. */
async function renderLengths() {
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
  const usual = D.glance[`${core()} ${field.device.value}`] || [];
  const lastOf = (cell) => cell.lengths.at(-1)[1] / cell.lengths.at(-1)[0];
  const shown = units
    .filter((cell) => cell !== mine && usual.includes(labelOf(cell)))
    .sort((a, b) => lastOf(a) - lastOf(b))
    .slice(0, OTHERS);
  const curves = [
    ...shown.flatMap((cell) => cell.lengths.map(row(labelOf(cell), "other"))),
    ...best.map(row("best software", "software")),
    ...(mine ? mine.lengths.map(row(labelOf(mine), "chosen")) : []),
  ];
  const from = mine ? mine.crossover : null;
  const beats = `${chosen.split(" ")[0]} beats software from ${from} B`;
  const crossings = from > 0 ? [{ bytes: from, label: beats }] : [];
  for (const place of document.querySelectorAll("[data-core]:not(figure)")) {
    place.textContent = core();
  }
  const select = byId("design");
  select.innerHTML = units
    .map((cell) => {
      const now = cell === mine ? " selected" : "";
      return `<option value="${esc(keyOf(cell))}"${now}>${esc(labelOf(cell))}</option>`;
    })
    .join("");
  if (!mine) select.selectedIndex = -1;
  const ends = curves.filter((found) => found.last);
  const text = (found) => (narrow() ? found.label.replace("best ", "").split("/")[0] : found.label);
  const room = Math.max(0, ...ends.map((found) => textWidth(text(found), small()))) + 16;
  const padding = { left: 4, right: room, top: 4, bottom: 4 };
  const change = (spec) => Object.assign(spec, { padding });
  const title = `Cycles a byte by message length on ${core()}`;
  const given = { datasets: { curves, crossings, names: [] }, change };
  const view = await draw("lengths", "lengths", given, title);
  const down = view.scale("y");
  ends.sort((a, b) => down(a.y) - down(b.y));
  const places = spread(ends.map((found) => down(found.y)));
  const names = ends.map((found, at) => ({
    ...found, text: text(found), y2: down.invert(places[at]), size: small(),
  }));
  view.data("names", names);
  await view.runAsync();
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
  return draw("breakdown", "breakdown", { datasets: { parts }, bars: cells.length }, said);
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
    const from = cell.crossover ? `${cell.crossover} B` : "never";
    figures.push(`<td class="num">${cell.crossover === null ? NOTHING : from}</td>`);
    return `<tr class="${kind}"><td>${esc(labelOf(cell))}</td>${figures.join("")}</tr>`;
  });
  byId("phases-head").textContent = `Every phase on ${core()}, AES-128, counted`;
  byId("phases").innerHTML =
    `<thead><tr><th>accelerator/variant<small>&nbsp;</small></th>${heads.join("")}` +
    `<th class="num">beats software from<small>bytes</small></th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody>`;
}

/** The t-test of a netlist that the reader chooses: of all wires over time, and of each wire. */
async function renderToggles() {
  const select = byId("netlist");
  const all = [...new Set(D.toggles.map(({ of }) => of))];
  byId("toggles").hidden = !all.length;
  document.querySelector('nav a[href="#toggles"]').hidden = !all.length;
  if (!all.length) return;
  if (!select.options.length) {
    select.innerHTML = all.map((of) => `<option>${esc(of)}</option>`).join("");
    select.addEventListener("input", renderToggles);
  }
  const tests = D.toggles.filter(({ of }) => of === select.value);
  const most = tests[0].sums.map((_, at) => Math.max(...tests.map((t) => t.sums[at].length)));
  const begins = most.map((_, at) => most.slice(0, at).reduce((sum, n) => sum + n, 0));
  const label = (tested) =>
    tested.replace(/^BUG_(MASKED_)?(.*)$/, (_, __, name) => `flaw: ${name.toLowerCase().replaceAll("_", " ")}`);
  const steps = tests.flatMap(({ tested, sums }) =>
    sums.flatMap((row, at) =>
      row.map((y, step) => ({
        ...{ label: label(tested), cycle: at, step: begins[at] + step, y: Math.max(y, 1) },
      })),
    ),
  );
  const cycles = begins.map((step, at) => ({ step, label: narrow() ? `${at}` : `cycle ${at}` }));
  const wires = tests.flatMap(({ tested, wires }) =>
    wires.map((y, at) => ({ label: label(tested), rank: at + 1, y: Math.max(y, 1) })),
  );
  const missed = tests.filter((t) => t.passed && t.tested !== "as it is").map((t) => t.tested);
  const design = tests.find((t) => t.tested === "as it is");
  const worst = (what) =>
    Math.max(design.worst[`${what} alone`], design.worst[`${what} stream`]).toFixed(1);
  byId("toggles-said").textContent =
    `${select.value}, as it is: largest |t| ${worst("sum")} of all wires and ${worst("wire")} of ` +
    `one wire, ${grouped(design.traces)} traces. ` +
    (missed.length
      ? `Controls that the test does not see: ${missed.join(", ")}.`
      : "The test sees every control.");
  const title = byId("toggles-said").textContent;
  const change = (spec) => Object.assign(spec.config.legend, { columns: narrow() ? 1 : 4 });
  const over = { steps, cycles, limits: [{ y: 4.5 }] };
  await draw("sums", "sums", { datasets: over, change }, title);
  await draw("wires", "wires", { datasets: { wires, limits: [{ y: 6 }] }, change }, title);
}

/** Gates by module, all units on one scale; and the same as a table. */
function renderModules() {
  const label = (entry) => `${entry.accelerator}/${entry.variant}`;
  const order = [...D.modules].sort((a, b) => a.total - b.total);
  const sum = (entry) => entry.parts.reduce((total, [, gates]) => total + gates, 0);
  const most = Math.max(...order.map(sum));
  const width = byId("modules").clientWidth - 250; // pixels that the longest bar has
  const modules = order.flatMap((entry) => {
    let end = 0;
    return entry.parts.map(([module, gates], at) => {
      const begin = end;
      end += gates;
      const named = !narrow() && (gates / most) * width > 7.5 * module.length + 12;
      const rank = Math.min(at, 3);
      const share = gates / sum(entry);
      return { label: label(entry), module, gates, share, begin, end, named, rank };
    });
  });
  const said = (entry) => grouped(entry.total) + (narrow() ? "" : " GE");
  const totals = order.map((entry) => ({
    ...{ label: label(entry), end: sum(entry), said: said(entry) },
  }));
  byId("gates").hidden = !modules.length;
  if (!modules.length) return null;
  const rows = modules.map(
    (m) =>
      `<tr><td>${esc(m.label)}</td><td>${esc(m.module)}</td>` +
      `<td class="num">${figure(m.gates)}</td>` +
      `<td class="num">${Math.round(100 * m.share)} %</td></tr>`,
  );
  byId("module-list").innerHTML =
    `<thead><tr><th>variant or part</th><th>module</th><th class="num">GE</th>` +
    `<th class="num">share</th></tr></thead><tbody>${rows.join("")}</tbody>`;
  const change = (spec) => {
    if (narrow()) spec.padding.right = 46;
  };
  const given = { datasets: { modules, totals }, bars: order.length, change };
  return draw("modules", "modules", given, "Gates by module");
}
