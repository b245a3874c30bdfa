// SPDX-License-Identifier: Apache-2.0
// The first picture: rate, area and the core's clock of each accelerator, one row each.
const GLANCE_MODES = ["ctr", "gcm"];
const KEPT_TICKS = [0, 50, 100]; // percent of the core's clock

const siteOf = (cell) =>
  D.sites.find((site) => site.device === field.device.value && D.cells[site.cell] === cell);
const isBound = (point) => ["unit", "apart"].includes(point.clockOf);
const mark = (row) => (row.bound ? "\u2264\u2009" : "");
const times = (factor) => `${factor.toFixed(1)}x`;
const inMbit = (rate) => rate.toFixed(rate < 100 ? 1 : 0);

/** What a core's rows show; `software` has the best rate of each mode. */
function glance(name) {
  const on = D.cells.filter((cell) => cell.platform === name);
  const rates = (cell, mhz) =>
    GLANCE_MODES.map((mode) => {
      const cycles = cyclesOf(cell, mode, "encrypt", 128);
      return mbit(mhz, cycles);
    });
  const soft = on.filter((cell) => cell.kind === "software" && cell.verified && siteOf(cell));
  const bare = soft.length ? siteOf(soft[0]).mhz : null;
  const software = GLANCE_MODES.map(
    (_, at) => Math.max(0, ...soft.map((cell) => rates(cell, bare)[at])) || null,
  );
  const labels = D.glance[`${name} ${field.device.value}`] || [];
  const rows = labels.map((label) => {
    const cell = on.find((found) => labelOf(found) === label);
    const site = siteOf(cell);
    const kept = bare && site.mhz ? (100 * site.mhz) / bare : null;
    const point = { site, cell, key: keyOf(cell), label, mhz: site.mhz, size: site.size };
    return { ...point, bound: isBound(site), rates: rates(cell, site.mhz), kept };
  });
  return { name, rows, software, bare };
}

/** A logarithmic scale: per cent of the track's width, and its decades. */
function decades(values) {
  const known = values.filter((value) => value > 0).map(Math.log10);
  const [low, high] = [Math.min(...known) - 0.2, Math.max(...known) + 0.2];
  const at = (value) => (100 * (Math.log10(value) - low)) / (high - low);
  const ticks = [];
  for (let power = Math.ceil(low); power <= high; power += 1) ticks.push(10 ** power);
  return { at, ticks };
}

const short = (value) => (value < 1000 ? value : `${value / 1000}k`);
const lines = (scale) =>
  scale.ticks.map((tick) => `<i class="line" style="left:${scale.at(tick)}%"></i>`).join("");
const numbers = (scale, text = short) =>
  scale.ticks.map((t) => `<span style="left:${scale.at(t)}%">${text(t)}</span>`).join("");
const dot = (scale, value, kind) =>
  value ? `<i class="spot ${kind}" style="left:${scale.at(value)}%"></i>` : "";

function renderGlance() {
  const all = D.platforms.map(glance);
  const rates = all.flatMap((on) => [...on.software, ...on.rows.flatMap((row) => row.rates)]);
  const scales = {
    rate: decades(rates),
    area: decades(all.flatMap((on) => on.rows.map((row) => row.size))),
    kept: { at: (percent) => Math.min(100, percent), ticks: KEPT_TICKS },
  };
  const shown = all.filter((on) => !field.core.value || on.name === field.core.value);
  const button = (name) =>
    `<button type="button" data-go="${name}" aria-pressed="${name === field.core.value}">` +
    `${name || "all"}</button>`;
  byId("cores").innerHTML = ["", ...D.platforms].map(button).join("");
  byId("glance-all").innerHTML = shown.map((on) => glanceOf(on, scales)).join("");
}

/** One core: three figures in words, then a row for each accelerator. */
function glanceOf(core, scales) {
  const percent = (tick) => (tick === 100 ? "100&thinsp;%" : tick);
  const mode = (name) => `<i class="spot ${name}"></i>${name.toUpperCase()}, Mbit/s`;
  const heads = [
    ["accelerator / variant", ""],
    [numbers(scales.rate), "track"],
    ...GLANCE_MODES.map((name) => [mode(name), "num"]),
    [numbers(scales.area), "track"],
    [`${unit()} added`, "num"],
    ["block RAM", "num"],
    [numbers(scales.kept, percent), "track"],
    ["clock kept", "num"],
    ["core MHz", "num"],
  ].map(([text, kind]) => {
    return `<th class="${kind}">${kind === "track" ? `<div>${text}</div>` : text}</th>`;
  });
  const rows = [
    softwareRow(core, scales),
    ...core.rows.map((row) => unitRow(row, core, scales)),
    ...D.units.filter((u) => !core.rows.some((r) => r.cell.accelerator === u.name)).map(elsewhere),
  ];
  return (
    `<figure class="glance"><h3>AES-128 on ${core.name}, ${esc(field.device.value)}</h3>` +
    `${said(core)}<div class="scroll"><table id="glance-${core.name}"><thead>` +
    `<tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div></figure>`
  );
}

const track = (scale, marks) =>
  `<td class="track" aria-hidden="true"><div>${lines(scale)}${marks}</div></td>`;
const cells = (texts) => texts.map((text) => `<td class="num">${text}</td>`).join("");
const spots = (scale, rates, kind) =>
  rates.map((rate, at) => dot(scale, rate, `${GLANCE_MODES[at]} ${kind}`)).join("");

function softwareRow({ software, bare }, scales) {
  const bar = bare ? `<i class="kept soft" style="width:100%"></i>` : "";
  return (
    `<tr class="soft"><td>best software</td>` +
    track(scales.rate, spots(scales.rate, software, "soft")) +
    cells(software.map((rate) => (rate === null ? NOTHING : inMbit(rate)))) +
    track(scales.area, "") +
    cells([0, 0]) +
    track(scales.kept, bar) +
    cells(bare ? ["100 %", Math.round(bare)] : [NOTHING, NOTHING]) +
    "</tr>"
  );
}

function unitRow(row, core, scales) {
  const kind = row.bound ? "bound" : "";
  const keys = rateSources(row);
  const gains = row.rates.map((rate, at) => {
    if (rate === null) return NOTHING;
    const best = core.software[at];
    const gain = best ? ` <span>(${times(rate / best)})</span>` : "";
    return sourced(mark(row) + inMbit(rate), keys) + gain;
  });
  const why = row.size === null ? "not synthesised" : "no clock known";
  const rates = row.mhz ? spots(scales.rate, row.rates, kind) : `<em>${why}</em>`;
  const width = row.kept === null ? 0 : scales.kept.at(row.kept);
  const bar = width ? `<i class="kept ${kind}" style="width:${width}%"></i>` : "";
  return (
    `<tr class="${kind} ${row.key === chosen ? "chosen" : ""}" data-key="${esc(row.key)}">` +
    `<td>${esc(row.cell.accelerator)} / ${esc(row.cell.variant)}</td>` +
    track(scales.rate, rates) +
    cells(gains) +
    track(scales.area, dot(scales.area, row.size, kind)) +
    cells([sourced(figure(row.size), synthesised(row)), figure(row.site.bram)]) +
    track(scales.kept, bar) +
    cells([
      row.kept === null ? NOTHING : `${mark(row)}${Math.round(row.kept)} %`,
      row.mhz ? sourced(mark(row) + Math.round(row.mhz), synthesised(row)) : NOTHING,
    ]) +
    "</tr>"
  );
}

/** An accelerator that is not measured on this core: what it closes alone. */
function elsewhere({ name, kind, alone }) {
  const told = alone
    ? `${grouped(alone.size)} ${alone.unit}, ${alone.bram} block RAM, ` +
      `${sourced(`${alone.mhz.toFixed(0)} MHz`, [alone.source])} ` +
      `(${esc(alone.variant)}, ${esc(alone.device)})`
    : "not synthesised";
  return (
    `<tr class="away"><td>${esc(name)}</td>` +
    `<td colspan="9">${kind}, not measured on this core; alone: ${told}</td></tr>`
  );
}

/** The three figures in words; what is an upper bound is in none. */
function said(core) {
  const sure = core.rows.filter((row) => !row.bound && row.kept !== null);
  if (!sure.length) {
    return (
      `<p class="note">No unit is placed together with ${core.name} on this device: every clock ` +
      `and rate here is an upper bound (\u2264), or not known (${NOTHING}).</p>`
    );
  }
  const best = (of) => sure.reduce((a, b) => (of(b) > of(a) ? b : a));
  const gains = (row) => row.rates.map((rate, at) => (rate || 0) / (core.software[at] || Infinity));
  const most = (row) => Math.max(...gains(row));
  const [fast, least, kept] = [best(most), best((row) => -row.size), best((row) => row.kept)];
  const at = gains(fast).indexOf(most(fast));
  const worst = Math.round(Math.min(...sure.map((row) => row.kept)));
  const ram = least.site.bram ? ` and ${least.site.bram} block RAM` : "";
  const tiles = [
    [
      times(most(fast)),
      `the best software\u2019s rate: ${esc(fast.label)}, ` +
        `${inMbit(fast.rates[at])} Mbit/s in ${GLANCE_MODES[at].toUpperCase()}`,
    ],
    [`${figure(least.size)} ${unit()}`, `added${ram} by the smallest: ${esc(least.label)}`],
    [
      `${Math.round(kept.kept)}\u202f%`,
      `of the core\u2019s clock kept at best: ${esc(kept.label)}; at worst ${worst}\u202f%`,
    ],
  ].map(([big, text]) => `<p><strong>${big}</strong> ${text}</p>`);
  return `<div class="tiles">${tiles.join("")}</div>`;
}
