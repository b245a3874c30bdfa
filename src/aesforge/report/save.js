// SPDX-License-Identifier: Apache-2.0
// Every table of the page as a file, with the words and signs of the command line's tables.
const LATEX = {
  ...{ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" },
  ...{ "<": "\\textless{}", ">": "\\textgreater{}" },
};
const latex = (text) => text.replace(/[\\~^<>&%$#_{}]/g, (sign) => LATEX[sign] || `\\${sign}`);
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What a cell says, without what only eyes need. */
function plain(cell) {
  const copy = cell.cloneNode(true);
  for (const part of copy.querySelectorAll("small, .why, .tag")) part.remove();
  const text = copy.textContent.replace(/\u2264\s*/g, "<=").replace(/(\d)\u202f(?=\d)/g, "$1");
  return text.replace(/[\u2013\u2212]/g, "-").replace(/\s+/g, " ").trim();
}

/** Heads (text, whether numbers) and rows of what a table shows. */
function contents(table) {
  const said = (row) => [...row.cells].filter((cell) => !cell.classList.contains("track"));
  const heads = said(table.tHead.rows[0]);
  const texts = (row) => Object.assign(heads.map(() => ""), said(row).map(plain));
  const rows = [...table.tBodies[0].rows].filter((row) => getComputedStyle(row).display !== "none");
  return {
    heads: heads.map((cell) => [plain(cell), cell.classList.contains("num")]),
    rows: rows.map(texts),
  };
}

function asCsv({ heads, rows }) {
  const lines = [heads.map(([name]) => name), ...rows];
  return lines.map((line) => `${line.map(quoted).join(",")}\n`).join("");
}

function asLatex({ heads, rows }, title) {
  const line = (cells) => `${cells.map(latex).join(" & ")} \\\\\n`;
  const columns = heads.map(([, number]) => (number ? "r" : "l")).join("");
  const head = line(heads.map(([name]) => name));
  return (
    `% ${title}\n\\begin{tabular}{${columns}}\n\\toprule\n${head}\\midrule\n` +
    `${rows.map(line).join("")}\\bottomrule\n\\end{tabular}\n`
  );
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `aesforge-${name}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Put the two buttons after each table that has none. */
function offerTables() {
  for (const box of document.querySelectorAll("main .scroll")) {
    const table = box.querySelector("table");
    if (!table || box.nextElementSibling?.classList.contains("save")) continue;
    const name = esc(table.id);
    box.insertAdjacentHTML(
      "afterend",
      `<p class="save">This table as <button type="button" data-save="${name}.csv">CSV</button> ` +
        `<button type="button" data-save="${name}.tex">LaTeX</button></p>`,
    );
  }
}

function saveTable(file) {
  const [name, kind] = file.split(".");
  const table = byId(name);
  const found = contents(table);
  const title = table.closest("details")?.querySelector("summary") || table.closest("section");
  const heading = plain(title.querySelector("h2") || title);
  save(file, kind === "csv" ? asCsv(found) : asLatex(found, heading));
}
