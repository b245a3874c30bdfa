// SPDX-License-Identifier: Apache-2.0
// What the reader asked for, in the page's address: a link opens the page as it was.
const KEPT = ["core", "device", "mode", "way", "bits", "minMbit", "maxSize", "maxCode", "clock"];
const TICKS = ["constant", "bounds", "why"];

function byDefault(name) {
  if (field[name].tagName !== "SELECT") return field[name].defaultValue;
  const options = [...field[name].options];
  return (options.find((option) => option.defaultSelected) || options[0]).value;
}

/** Put into the address what is not as at the start. */
function writeState() {
  const state = new URLSearchParams();
  for (const name of KEPT) {
    if (field[name].value !== byDefault(name)) state.set(name, field[name].value);
  }
  for (const name of TICKS) if (field[name].checked) state.set(name, "on");
  if (sort.column) state.set("sort", (sort.down ? "-" : "") + sort.column);
  if (picked) state.set("design", chosen);
  const text = state.toString();
  if (!text && !location.hash.includes("=")) return; // the address of a section stays
  history.replaceState(null, "", location.href.split("#")[0] + (text ? `#${text}` : ""));
}

/** Set the form as the address says; return what it asks for that there is not. */
function readState() {
  if (!location.hash.includes("=")) return [];
  const unknown = [];
  startAgain();
  form.reset();
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const column = value.replace(/^-/, "");
    if (name === "sort" && COLUMNS.some((c) => c.id === column)) {
      Object.assign(sort, { column, down: value.startsWith("-") });
    } else if (name === "design" && D.cells.some((cell) => keyOf(cell) === value)) {
      [chosen, picked] = [value, true];
    } else if (TICKS.includes(name)) field[name].checked = value === "on";
    else if (KEPT.includes(name)) {
      field[name].value = value;
      if (field[name].value === value) continue;
      field[name].value = byDefault(name);
      unknown.push(`${name} \u201c${value}\u201d`);
    } else unknown.push(`${name} \u201c${value}\u201d`);
  }
  return unknown;
}

/** Forget what is no field of the form. */
function startAgain() {
  Object.assign(sort, { column: "", down: false });
  [chosen, picked] = ["", false];
}
