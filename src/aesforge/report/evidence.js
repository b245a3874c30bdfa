// SPDX-License-Identifier: Apache-2.0
// What was checked of each design, what each unit promises, and the papers.
function renderEvidence() {
  const sets = (row, question) => (row[question] ? Object.values(row[question].sets) : []);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  // One figure for each core, or a dash; "not tested" if none was asked.
  const on = (entry, question, cell) => {
    if (!entry.platforms.length) return "on no core";
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
  const calm = (entry) =>
    on(entry, "irq", (row) => {
      const { offsets, bad } = row.irq;
      const text = bad ? `${bad} wrong` : grouped(offsets);
      return `<span class="${bad ? "no" : "yes"}">${text}</span>`;
    });
  const of = (some, all) => (all ? `${some} of ${all}` : "\u2013");
  const rows = D.evidence.map((entry) => {
    const cells = [
      answers("test")(entry),
      answers("gcm")(entry),
      steady(entry),
      calm(entry),
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
    ["accelerator/variant", "&nbsp;"],
    ["verified: vectors right", D.platforms.join(" \u00b7 ")],
    ["AES-GCM: answers right", "the same"],
    ["constant time", "equal over random runs, the same"],
    ["interrupts at every offset", "offsets right, the same"],
    ["proofs", "hold, of all"],
    ["bugs in proofs", "refuted, of tried"],
    ["bugs for the bench", "planted"],
    ["Monte Carlo", "blocks on the RTL"],
  ];
  byId("evidence").innerHTML =
    `<thead><tr>${heads.map(([name, tag]) => `<th>${name}<small>${tag}</small></th>`).join("")}` +
    `</tr></thead><tbody>${rows.join("")}</tbody>`;
  const shared = D.shared;
  const asked = D.evidence.filter((entry) => entry.platforms.length);
  const right = (row) => row.test && row.test.status === "passed" && !row.test.wrong;
  const verified = asked.filter((entry) => entry.platforms.every(right)).length;
  byId("checked-said").textContent =
    `${verified} of ${asked.length} variants have their vectors right on every core that they ` +
    `were measured on. Of the RTL that units share ` +
    `(adapters, fields, ports) ${shared.proved} of ${shared.proofs} proofs that were run here ` +
    `hold, and ${shared.caught} of ${shared.bugs} planted bugs are refuted. What no record shows ` +
    `is said to be so. None of this speaks of power or fault attacks.`;
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
        `<div class="scroll"><table id="paper-${paper.id}">` +
        `<thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody>` +
        `</table></div>${notes.join("")}</details>`
      );
    })
    .join("");
}
