# SPDX-License-Identifier: Apache-2.0
"""Tables made from records: the stable JSON rows, and the tables that people read."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from aesforge.records.record import Figure, How, Record

BULK_BLOCKS = 120  # figures called "bulk" (sw/harness/speed.c)
BLOCK_BYTES = 16

Row = dict[str, str | int | float | bool | None]


@dataclass(frozen=True)
class Cell:
    """Where records meet: one variant on one platform."""

    accelerator: str
    variant: str
    platform: str

    @property
    def label(self) -> str:
        """Accelerator and variant as one word."""
        return f"{self.accelerator}/{self.variant}"


class Results:
    """Records by cell and question."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._by_cell: dict[Cell, dict[str, Record]] = {}
        self._steady_curves: dict[Cell, list[Record]] = {}
        for record in records:
            cell = Cell(record.accelerator, record.variant, record.platform)
            self._by_cell.setdefault(cell, {})[record.question] = record
            if record.question == "ecc_ct" and record.counts:
                self._steady_curves.setdefault(cell, []).append(record)

    @property
    def cells(self) -> list[Cell]:
        """Every cell, in the order of the records."""
        return list(self._by_cell)

    def record(self, cell: Cell, question: str) -> Record | None:
        """Return the record of a question."""
        return self._by_cell.get(cell, {}).get(question)

    def curve_spreads(self, cell: Cell) -> dict[str, tuple[int, int]]:
        """Return random calls and the spread of their cycles, by function of a curve."""
        return {
            name: (record.counts["runs"], spread)
            for record in self._steady_curves.get(cell, [])
            for name, spread in record.counts.items()
            if name not in ("runs", "spread_max")
        }

    def any_record(self, cell: Cell) -> Record:
        """Return some record of a cell, the least successful first."""
        order = ("error", "failed", "absent", "skipped", "passed")
        return min(self._by_cell[cell].values(), key=lambda record: order.index(record.status))

    def verified(self, cell: Cell) -> bool:
        """Whether every vector that applies has passed on this platform."""
        record = self.record(cell, "test")
        return record is not None and record.status == "passed"

    def figure(
        self,
        cell: Cell,
        direction: str,
        mode: str = "ecb",
        blocks: int = BULK_BLOCKS,
        bits: int = 128,
        question: str = "speed",
    ) -> Figure | None:
        """Return one measured call."""
        record = self.record(cell, question)
        for figure in record.figures if record else []:
            if (figure.direction, figure.mode, figure.blocks, figure.key_bits) == (
                direction,
                mode,
                blocks,
                bits,
            ):
                return figure
        return None

    def message_cycles(self, cell: Cell, blocks: int) -> int | None:
        """Cycles of key set-up and ECB encryption of a message, AES-128."""
        set_up = self.figure(cell, "encrypt", "key-setup", 0)
        message = self.figure(cell, "encrypt", "ecb", blocks)
        return set_up.cycles + message.cycles if set_up and message else None


def json_rows(records: Sequence[Record]) -> list[Row]:
    """Return one row for each measured call (docs/json.md); a cell without any gives one row."""
    results = Results(records)
    rows: list[Row] = []
    for cell in results.cells:
        speed = results.record(cell, "speed")
        worst = results.any_record(cell)
        ct = results.record(cell, "ct")
        base: Row = {
            "accelerator": cell.accelerator,
            "variant": cell.variant,
            "platform": cell.platform,
            "kind": worst.kind,
            "status": worst.status,
            "reason": worst.reason,
            "verified": results.verified(cell),
            "constant_time": ct.counts.get("spread_max") == 0 if ct and ct.counts else None,
            "code_bytes": speed.counts.get("code_bytes") if speed else None,
            "table_bytes": speed.counts.get("table_bytes") if speed else None,
        }
        gcm, curves = results.record(cell, "gcm"), results.record(cell, "ecc")
        asked = (speed, gcm, results.record(cell, "modes"))
        figures = [figure for record in asked if record for figure in record.figures]
        keys = ("direction", "key_bits", "mode", "blocks", "cycles", "instructions")
        empty = dict.fromkeys((*keys, "cycles_per_block", "instructions_per_block"))
        rows += [{**base, **_figure_row(figure)} for figure in figures]
        functions = curve_functions(curves) if curves else []
        rows += [{**base, **empty, **_curve_row(results, cell, name)} for name in functions]
        hashed = results.record(cell, "sha256")
        messages = [_hash_row(hashed, n) for n in _lengths(hashed)] if hashed else []
        rows += [{**base, **empty, **row} for row in messages]
        if not figures and not functions and not messages:
            rows.append({**base, **empty})
    return rows


def _lengths(record: Record) -> list[int]:
    """The bytes of the messages whose SHA-256 was timed."""
    found = re.findall(r"\b(\d+)_cycles\b", " ".join(record.counts))
    return sorted(map(int, found))


def _hash_row(record: Record, length: int) -> Row:
    """The digest of a message of so many bytes."""
    counts = record.counts
    return {
        "mode": f"sha256-{length}",
        "cycles": counts[f"{length}_cycles"],
        "instructions": counts[f"{length}_instructions"],
        "verified": record.status == "passed",
        "constant_time": counts["spread_max"] == 0,
    }


def _curve_row(results: Results, cell: Cell, name: str) -> Row:
    """One function of a curve: how the whole call is counted, and over which random operands."""
    record = results.record(cell, "ecc")
    counts = record.counts if record else {}
    runs, spread = results.curve_spreads(cell).get(name, (0, 0))
    return {
        "mode": name,
        "cycles": counts.get(f"{name}_cycles"),
        "instructions": counts.get(f"{name}_instructions"),
        "code_bytes": counts.get("code_bytes"),
        "table_bytes": counts.get("table_bytes"),
        "verified": bool(record and record.status == "passed" and counts.get("right")),
        "constant_time": spread == 0 if runs else None,
    }


def _figure_row(figure: Figure) -> Row:
    """One measured call; key set-up counts the whole call as one block."""
    blocks = max(1, figure.blocks)
    return {
        "direction": figure.direction,
        "key_bits": figure.key_bits,
        "mode": figure.mode,
        "blocks": figure.blocks,
        "cycles": figure.cycles,
        "instructions": figure.instructions,
        "busy_cycles": figure.cycles - figure.waited,
        "cycles_per_block": round(figure.cycles / blocks, 2),
        "instructions_per_block": round(figure.instructions / blocks, 2),
    }


def crossovers(records: Sequence[Record]) -> list[Record]:
    """Return, for each unit on each platform, from which message length it beats the best software.

    Compared are key set-up and ECB encryption with AES-128, over the lengths measured of both; the
    best verified software baseline of the same platform, whatever its kind, stands for software.
    Count `crossover_bytes` is the shortest length from which on the unit is always faster, 0 if it
    is slower at the longest. There is no record where no length was measured of both.
    """
    results = Results(records)
    derived: list[Record] = []
    lengths = sorted(
        {f.blocks for r in records for f in r.figures if f.mode == "ecb" and f.key_bits == 128}
    )
    software = [c for c in results.cells if results.any_record(c).kind == "software"]
    for cell in results.cells:
        speed = results.record(cell, "speed")
        if speed is None or speed.status != "passed" or speed.kind == "software":
            continue
        peers = [s for s in software if s.platform == cell.platform and results.verified(s)]
        crossover, measured = 0, False
        for blocks in reversed(lengths):
            mine = results.message_cycles(cell, blocks)
            theirs = [t for p in peers if (t := results.message_cycles(p, blocks)) is not None]
            if mine is None or not theirs:
                continue
            measured = True
            if mine >= min(theirs):
                break
            crossover = blocks * BLOCK_BYTES
        if measured:
            derived.append(
                Record(
                    accelerator=cell.accelerator,
                    kind=speed.kind,
                    variant=cell.variant,
                    platform=cell.platform,
                    question="crossover",
                    status="passed",
                    how=How(
                        inputs_sha256=speed.how.inputs_sha256, flags={"against": "best software"}
                    ),
                    counts={"crossover_bytes": crossover},
                )
            )
    return derived


_APART = ("ecc", "ecc_ct", "sha256")  # questions with tables of their own

# Tables for people --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A title, column heads (name, right-aligned) and rows of text.

    On a narrow terminal the columns `spare` are left out first, the last of them before the others.
    Rows whose numbers are in `marked` stand out.
    """

    title: str
    heads: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[str, ...], ...]
    spare: tuple[str, ...] = ()
    marked: frozenset[int] = frozenset()

    def columns(self, kept: Sequence[int]) -> "Table":
        """Return the table with these columns only."""
        heads = tuple(self.heads[place] for place in kept)
        lines = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return replace(self, heads=heads, rows=lines)

    def markdown(self) -> str:
        """Return the table as GitHub Markdown."""
        head = "| " + " | ".join(name for name, _ in self.heads) + " |"
        rule = "|" + "|".join("---:" if right else "---" for _, right in self.heads) + "|"
        body = ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join([f"**{self.title}**", "", head, rule, *body]) + "\n"


def _per_block(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    return f"{figure.cycles / max(1, figure.blocks):.1f}".removesuffix(".0")


def _busy(figure: Figure | None) -> str:
    """Cycles a block in which the core could do nothing else."""
    if figure is None:
        return "-"
    return _per_block(figure.model_copy(update={"cycles": figure.cycles - figure.waited}))


def _crossover(results: Results, cell: Cell) -> str:
    """From which length a unit beats software; "never" only where both were measured."""
    found = results.record(cell, "crossover")
    if found is None:
        return "-"
    length = found.counts["crossover_bytes"]
    return f"{length} B" if length else "never"


def _sorted_labels(results: Results) -> list[tuple[str, str, str]]:
    """(kind, accelerator, variant), units before software."""
    keys = {(results.any_record(c).kind, c.accelerator, c.variant) for c in results.cells}
    return sorted(keys)


def speed_table(records: Sequence[Record], platforms: Sequence[str]) -> Table:
    """Cycles per AES-128 block in bulk ECB, both directions, on every platform."""
    results = Results(records)
    heads = [("accelerator / variant", False)]
    for name in platforms:
        heads += [(f"{name} enc", True), ("dec", True)]
    heads += [("verified", False), ("constant time", False)]
    rows: list[tuple[str, ...]] = []
    asked = {(r.accelerator, r.variant) for r in records if r.question not in _APART}
    for _, accelerator, variant in _sorted_labels(results):
        if (accelerator, variant) not in asked:
            continue
        cells = [Cell(accelerator, variant, name) for name in platforms]
        present = [cell for cell in cells if cell in results.cells]
        row = [f"{accelerator} / {variant}"]
        for cell in cells:
            row += [_per_block(results.figure(cell, d)) for d in ("encrypt", "decrypt")]
        row += [_verdict(results, present), _constant(results, present)]
        rows.append(tuple(row))
    title = f"Cycles per AES-128 block, ECB, {BULK_BLOCKS} blocks in one call, zero-wait memory"
    return Table(title, tuple(heads), tuple(rows))


def _verdict(results: Results, cells: Sequence[Cell]) -> str:
    """Whether the vectors passed wherever the variant is offered, or why there is no figure."""
    offered = [cell for cell in cells if results.any_record(cell).status != "skipped"]
    cells = offered or cells
    tests = [results.record(cell, "test") for cell in cells]
    statuses = {record.status for record in tests if record}
    if statuses == {"passed"} and all(tests):
        every = all("KAT" in record.counts for record in tests if record)
        if left_out := max(record.counts.get("left_out", 0) for record in tests if record):
            return f"all but {left_out:,}: keys that it lacks"
        return "all vectors" if every else "core vectors"
    for cell in cells:
        record = results.any_record(cell)
        if record.status != "passed":
            return f"{record.status}: {record.reason}"[:60]
    return "not tested"


def _constant(results: Results, cells: Sequence[Cell]) -> str:
    """On which platforms the cycle counts did not depend on keys and data."""
    found = {cell.platform: results.record(cell, "ct") for cell in cells}
    spread = {
        name: record.counts["spread_max"]
        for name, record in found.items()
        if record and record.counts
    }
    if not spread:
        return "not tested"
    if not any(spread.values()):
        return "yes"
    return "not on " + ", ".join(name for name, value in spread.items() if value)


def interrupt_tables(records: Sequence[Record], platforms: Sequence[str]) -> list[Table]:
    """Offsets at which an interrupt was tried, where the question was asked; or no table."""
    results = Results(records)
    lines: list[tuple[str, ...]] = []
    for _, accelerator, variant in _sorted_labels(results):
        cells = [Cell(accelerator, variant, name) for name in platforms]
        found = [results.record(cell, "irq") for cell in cells]
        if any(record and record.counts for record in found):
            lines.append((f"{accelerator} / {variant}", *map(_offsets, found)))
    heads = (("accelerator / variant", False), *((name, True) for name in platforms))
    title = (
        "Interrupts: offsets tried in key set-ups and block calls; what is not listed: not tested"
    )
    return [Table(title, heads, tuple(lines))] if lines else []


def _offsets(record: Record | None) -> str:
    """How many offsets were tried on a platform, and if any how many of them went wrong."""
    if record is None or not record.counts:
        return "-" if record and record.status == "skipped" else "not tested"
    bad = f"{record.counts['bad']:,} wrong of " if record.counts["bad"] else ""
    return f"{bad}{record.counts['offsets']:,}"


# Texts that AES-GCM is timed with, in blocks: 16, 64, 1500 and 4096 bytes.
_GCM_SHORT = ((1, "16 B"), (4, "64 B"), (94, "1500 B"))
_GCM_LONG = 256


def gcm_tables(records: Sequence[Record], platforms: Sequence[str]) -> list[Table]:
    """AES-128-GCM and GHASH on each platform where the question was asked."""
    results = Results(records)
    heads = (
        *(("accelerator / variant", False), ("GHASH/block", True), ("key", True)),
        *((f"enc {name}", True) for _, name in _GCM_SHORT),
        *(("enc 4 KiB, c/B", True), ("dec 4 KiB, c/B", True), ("AES-256, c/B", True)),
        *(("code B", True), ("answers", False), ("constant time", False)),
    )
    tables: list[Table] = []
    for platform in platforms:
        lines: list[tuple[str, ...]] = []
        for _, accelerator, variant in _sorted_labels(results):
            cell = Cell(accelerator, variant, platform)
            record = results.record(cell, "gcm")
            if record and record.counts:
                lines.append((f"{accelerator} / {variant}", *_gcm_line(results, cell, record)))
        if lines:
            title = f"{platform}: AES-128-GCM, 13 bytes of AAD; cycles, and cycles a byte (c/B)"
            tables.append(Table(title, heads, tuple(lines)))
    return tables


def _gcm_line(results: Results, cell: Cell, record: Record) -> tuple[str, ...]:
    """One variant's figures."""

    def figure(
        mode: str, blocks: int, direction: str = "encrypt", bits: int = 128
    ) -> Figure | None:
        return results.figure(cell, direction, mode, blocks, bits, "gcm")

    def whole(found: Figure | None) -> str:
        return str(found.cycles) if found else "-"

    def a_byte(found: Figure | None) -> str:
        return f"{found.cycles / (found.blocks * BLOCK_BYTES):.1f}" if found else "-"

    return (
        _per_block(figure("ghash", BULK_BLOCKS)),
        whole(figure("gcm-key-setup", 0)),
        *(whole(figure("gcm", blocks)) for blocks, _ in _GCM_SHORT),
        a_byte(figure("gcm", _GCM_LONG)),
        a_byte(figure("gcm", _GCM_LONG, "decrypt")),
        a_byte(figure("gcm", _GCM_LONG, bits=256)),
        str(record.counts["code_bytes"]),
        _answers(record),
        "no" if record.counts["spread_max"] else "yes",
    )


def _answers(record: Record) -> str:
    """Whether all answers were right, and how many cases were left out for their keys."""
    if wrong := record.counts["wrong"]:
        return f"{wrong} wrong"
    left_out = record.counts.get("left_out", 0)
    return f"right, {left_out:,} left out" if left_out else "right"


# The other modes, each timed on 64 bytes and on 4096; keys of 32 bytes are wrapped.
_MODES_SHOWN = (("ccm", "CCM"), ("cmac", "CMAC"), ("xts", "XTS"), ("gcm-siv", "GCM-SIV"))
_WRAPPED_BLOCKS = 2


def mode_tables(records: Sequence[Record], platforms: Sequence[str]) -> list[Table]:
    """CCM, CMAC, XTS, GCM-SIV and key wrap on each platform where the question was asked."""
    results = Results(records)
    heads = (
        ("accelerator / variant", False),
        *((f"{name} 64 B", True) for _, name in _MODES_SHOWN),
        *((f"{name} 4 KiB, c/B", True) for _, name in _MODES_SHOWN),
        *(("KW of 32 B", True), ("answers", False), ("constant time", False)),
    )
    tables: list[Table] = []
    for platform in platforms:
        lines: list[tuple[str, ...]] = []
        for _, accelerator, variant in _sorted_labels(results):
            cell = Cell(accelerator, variant, platform)
            record = results.record(cell, "modes")
            if record and record.counts:
                lines.append((f"{accelerator} / {variant}", *_mode_line(results, cell, record)))
        if lines:
            title = f"{platform}: AES-128, encryption; cycles, and cycles a byte (c/B)"
            tables.append(Table(title, heads, tuple(lines)))
    return tables


def _mode_line(results: Results, cell: Cell, record: Record) -> tuple[str, ...]:
    """One variant's figures."""

    def cycles(mode: str, blocks: int) -> int | None:
        found = results.figure(cell, "encrypt", mode, blocks, 128, "modes")
        return found.cycles if found else None

    def shown(value: int | None, count: int = 0) -> str:
        if value is None:
            return "-"
        return f"{value / count:.1f}" if count else str(value)

    return (
        *(shown(cycles(mode, 4)) for mode, _ in _MODES_SHOWN),
        *(shown(cycles(mode, 256), 4096) for mode, _ in _MODES_SHOWN),
        shown(cycles("kw", _WRAPPED_BLOCKS)),
        _answers(record),
        _of_inputs(record),
    )


def hash_tables(records: Sequence[Record], platforms: Sequence[str]) -> list[Table]:
    """SHA-256 of messages of three lengths on each platform where the question was asked."""
    results = Results(records)
    asked = [entry for entry in records if entry.question == "sha256"]
    lengths = sorted({length for entry in asked for length in _lengths(entry)})
    heads = (
        ("accelerator / variant", False),
        *((f"{length} B", True) for length in lengths),
        *((f"{length} B, c/B", True) for length in lengths[-1:]),
        *(("answers", False), ("constant time", False)),
    )
    tables: list[Table] = []
    for platform in platforms:
        lines: list[tuple[str, ...]] = []
        for _, accelerator, variant in _sorted_labels(results):
            record = results.record(Cell(accelerator, variant, platform), "sha256")
            if record and record.counts:
                cycles = [record.counts[f"{length}_cycles"] for length in lengths]
                line = (f"{accelerator} / {variant}", *map(str, cycles))
                a_byte = f"{cycles[-1] / lengths[-1]:.1f}"
                constant = "no" if record.counts["spread_max"] else "yes"
                lines.append((*line, a_byte, _answers(record), constant))
        if lines:
            title = f"{platform}: SHA-256 of a message; cycles, and cycles a byte (c/B)"
            tables.append(Table(title, heads, tuple(lines)))
    return tables


def _of_inputs(record: Record) -> str:
    """Whether the times of random inputs were equal, and how many inputs each call had."""
    verdict = "no" if record.counts.get("spread_max") else "yes"
    runs = record.counts.get("runs")
    return f"{verdict}, {runs:,} inputs" if runs else verdict


_LONG_BLOCKS = 256  # 4 KiB


def long_tables(records: Sequence[Record], platforms: Sequence[str]) -> list[Table]:
    """ECB, CTR and CBC at 4 KiB on each platform, and what a mode takes beyond the cipher."""
    results = Results(records)
    heads = (
        ("accelerator / variant", False),
        *((name, True) for name in ("ECB enc", "CTR", "beyond ECB", "CBC enc")),
        *((name, True) for name in ("ECB dec", "CBC dec", "beyond ECB dec")),
    )
    tables: list[Table] = []
    for platform in platforms:
        lines: list[tuple[str, ...]] = []
        for _, accelerator, variant in _sorted_labels(results):
            cell = Cell(accelerator, variant, platform)
            ctr = results.figure(cell, "encrypt", "ctr", _LONG_BLOCKS)
            if ctr is not None:
                lines.append((f"{accelerator} / {variant}", *_long_line(results, cell)))
        if lines:
            title = f"{platform}: AES-128 at 4 KiB, cycles a block"
            tables.append(Table(title, heads, tuple(lines), ("CBC enc",)))
    return tables


def _long_line(results: Results, cell: Cell) -> tuple[str, ...]:
    """One variant's figures."""

    def figure(direction: str, mode: str) -> Figure | None:
        return results.figure(cell, direction, mode, _LONG_BLOCKS)

    def beyond(direction: str, mode: str) -> str:
        text, bare = figure(direction, mode), figure(direction, "ecb")
        if text is None or bare is None:
            return "-"
        return f"{(text.cycles - bare.cycles) / _LONG_BLOCKS:.1f}"

    ways = (("encrypt", "ecb"), ("encrypt", "ctr"), ("encrypt", "cbc"))
    first, ctr, chained = (_per_block(figure(*way)) for way in ways)
    back, cbc = (_per_block(figure("decrypt", mode)) for mode in ("ecb", "cbc"))
    over = beyond("encrypt", "ctr"), beyond("decrypt", "cbc")
    return (first, ctr, over[0], chained, back, cbc, over[1])


def curve_tables(
    records: Sequence[Record], platforms: Sequence[str], prefixes: tuple[str, ...] = ("",)
) -> list[Table]:
    """Cycles of functions of curves, a line each: software, then units with their ratio.

    One table a platform; only functions whose name begins with one of `prefixes`.
    """
    results = Results(records)
    tables: list[Table] = []
    for platform in platforms:
        cells = [cell for cell in results.cells if cell.platform == platform]
        found = {cell: r for cell in cells if (r := results.record(cell, "ecc")) and r.counts}
        names = sorted({name for record in found.values() for name in curve_functions(record)})
        names = [name for name in names if name.startswith(prefixes)]
        columns = sorted(found, key=lambda cell: found[cell].kind != "software")
        software = [record for record in found.values() if record.kind == "software"]
        heads = [("function", False)]
        for cell in columns:
            wrong = found[cell].counts.get("wrong", 0)
            verdict = f", {wrong} vectors WRONG" if wrong else ""
            heads.append((f"{cell.label.replace('/', ' / ')}{verdict}", True))
            if found[cell].kind != "software":
                heads.append(("equal cycles", True))
        lines: list[tuple[str, ...]] = []
        for name in names:
            line = [name]
            for cell in columns:
                line.append(_curve_figure(found[cell], name, software))
                if found[cell].kind != "software":
                    line.append(_steady(results, cell, name))
            lines.append(tuple(line))
        if lines:
            title = f"{platform}: cycles a call (times faster than the C)"
            tables.append(Table(title, tuple(heads), tuple(lines)))
    return tables


def curve_functions(record: Record) -> list[str]:
    """The functions of a record of question ecc: names that have instructions counted."""
    suffix = "_instructions"
    return [key.removesuffix(suffix) for key in record.counts if key.endswith(suffix)]


def _curve_figure(record: Record, name: str, software: Sequence[Record]) -> str:
    cycles = record.counts.get(f"{name}_cycles")
    if cycles is None:
        return "-"
    best = [r.counts[f"{name}_cycles"] for r in software if f"{name}_cycles" in r.counts]
    if record.kind == "software" or not best:
        return f"{cycles:,}"
    return f"{cycles:,} ({min(best) / cycles:.1f}x)"


def _steady(results: Results, cell: Cell, name: str) -> str:
    """In how many calls with random operands the cycles were equal."""
    runs, spread = results.curve_spreads(cell).get(name, (0, 0))
    if spread:
        return f"NO, {spread} apart"
    return f"{runs} calls" if runs else "not tested"


def detail_table(records: Sequence[Record], platform: str) -> Table:
    """Latency, key set-up, modes, sizes and crossover of everything on one platform."""
    results = Results(records)
    waits = any(figure.waited for record in records for figure in record.figures)
    heads = (
        ("accelerator / variant", False),
        *((name, True) for name in ("core busy",) if waits),
        *((name, True) for name in ("1 block", "instr./block", "key enc", "key dec")),
        *((name, True) for name in ("CBC enc", "CBC dec", "CTR", "256-bit", "code B", "tables B")),
        ("beats software from", True),
    )
    rows: list[tuple[str, ...]] = []
    for _, accelerator, variant in _sorted_labels(results):
        cell = Cell(accelerator, variant, platform)
        speed = results.record(cell, "speed")
        if speed is None or speed.status != "passed":
            continue
        bulk = results.figure(cell, "encrypt")
        rows.append(
            (
                f"{accelerator} / {variant}",
                *((_busy(bulk),) if waits else ()),
                _per_block(results.figure(cell, "encrypt", "ecb", 1)),
                f"{bulk.instructions / bulk.blocks:.1f}" if bulk else "-",
                _per_block(results.figure(cell, "encrypt", "key-setup", 0)),
                _per_block(results.figure(cell, "decrypt", "key-setup", 0)),
                _per_block(results.figure(cell, "encrypt", "cbc", BULK_BLOCKS)),
                _per_block(results.figure(cell, "decrypt", "cbc", BULK_BLOCKS)),
                _per_block(results.figure(cell, "encrypt", "ctr", BULK_BLOCKS)),
                _per_block(results.figure(cell, "encrypt", bits=256)),
                str(speed.counts["code_bytes"]),
                str(speed.counts["table_bytes"]),
                _crossover(results, cell),
            )
        )
    title = f"{platform}: AES-128 cycles a block (bulk unless said otherwise), bytes"
    spare = ("CTR", "key enc", "CBC enc", "256-bit", "core busy", "key dec", "CBC dec", "tables B")
    return Table(title, heads, tuple(rows), (*spare, "instr./block"))
