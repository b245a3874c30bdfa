# SPDX-License-Identifier: Apache-2.0
"""What the report shows, out of records and manifests, as one JSON object for its page.

Rates are not in it: the page divides clocks by cycles itself, since its reader may change the
clock. `sources` says of each record how it was made.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.bench import montecarlo
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Claim
from aesforge.probing import probe, ttest
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.records.rows import BLOCK_BYTES, Cell, Results, Table
from aesforge.report import explore, figures, papers
from aesforge.report.explore import DesignPoint, Silicon
from aesforge.synth import flow, synthesis
from aesforge.synth.synthesis import SynthRecord
from aesforge.verify import prove
from aesforge.verify.prove import ProofResult

Json = dict[str, object]

KEY_BITS = (128, 192, 256)

# Counts of a record that are numbers of answers checked, by question.
_CHECKED = {
    "test": ("FIPS", "KAT", "MMT", "MCT", "CTR", "lengths"),
    "gcm": ("CAVP", "Wycheproof", "GHASH", "random", "forged", "refused"),
}


def collect(
    records: Sequence[Record], placed: Sequence[SynthRecord], proofs: Sequence[ProofResult]
) -> Json:
    """Return everything that the page needs."""
    by_bits = {bits: explore.points(records, placed, bits) for bits in KEY_BITS}
    results = Results(records)
    cells = [cell for cell in results.cells if _measured(results, cell)]
    places = {cell: number for number, cell in enumerate(cells)}
    devices = Silicon(placed).devices
    return {
        "cells": [_cell(results, cell, by_bits) for cell in cells],
        "sites": [_site(places[_cell_of(point)], point) for point in by_bits[128]],
        "devices": [
            {
                "name": name,
                "summary": flow.TARGETS[name].summary,
                "unit": explore.lut_name(name),
                "placed": bool(flow.TARGETS[name].tool),
            }
            for name in devices
        ],
        "platforms": _platforms(by_bits[128]),
        "units": [_unit(found, placed) for found in manifest.discover() if _is_unit(found)],
        "glance": _glance(by_bits[128]),
        "modes": [
            {"name": mode.name, "summary": mode.summary, "oneWay": mode.one_way}
            for mode in explore.MODES.values()
        ],
        "clocks": explore.CLOCKS,
        "areas": explore.AREAS,
        "modules": list(_modules(placed)),
        "evidence": _evidence(results, cells, proofs),
        "promises": _promises(results, cells, proofs),
        "shared": _shared(proofs),
        "toggles": _toggles(),
        "papers": _papers(),
        "sources": dict(_sources(records, placed)),
        "citation": (ROOT / "CITATION.cff").read_text(encoding="utf-8"),
        "counts": {"records": len(records), "synthesis": len(placed), "proofs": len(proofs)},
    }


def _platforms(points: Iterable[DesignPoint]) -> list[str]:
    """Return the cores; that on which most units were placed is first."""
    units = [point for point in points if point.kind != explore.SOFTWARE]
    whole = Counter(point.platform for point in units if point.clock_of == "whole")
    return sorted({point.platform for point in points}, key=lambda name: (-whole[name], name))


def _glance(points: Iterable[DesignPoint]) -> dict[str, list[str]]:
    """Return the units of the first picture, by core and device: those of the README's table."""
    places: dict[str, list[DesignPoint]] = {}
    for point in points:
        places.setdefault(f"{point.platform} {point.device}", []).append(point)
    return {place: [p.label for p in figures.fastest(found)] for place, found in places.items()}


def _is_unit(found: Accelerator) -> bool:
    return found.manifest.kind != explore.SOFTWARE


def _unit(found: Accelerator, placed: Iterable[SynthRecord]) -> Json:
    """What an accelerator is, and the fastest that one of its variants was placed alone."""
    known = {variant.name for variant in found.manifest.variant}
    alone = [
        (point.fmax_mhz, point.first)
        for point in synthesis.points(placed)
        if (point.first.accelerator, point.first.scope) == (found.name, synthesis.UNIT)
        and point.first.variant in known
        and point.fmax_mhz
    ]
    row: Json = {
        "name": found.name,
        "kind": found.manifest.kind,
        "summary": found.manifest.summary,
        "variants": [variant.name for variant in found.manifest.variant],
    }
    if not alone:
        return row
    mhz, entry = max(alone, key=lambda pair: pair[0])
    lut = entry.lut6 if entry.lut4 is None else entry.lut4
    area = {"size": entry.gates if lut is None else lut, "bram": entry.bram}
    place = {"variant": entry.variant, "device": entry.target, "mhz": mhz}
    unit = explore.lut_name(entry.target)
    return {**row, "alone": {**place, **area, "unit": unit, "source": _synth_key(entry)}}


def _measured(results: Results, cell: Cell) -> bool:
    speed = results.record(cell, "speed")
    return speed is not None and speed.status == "passed"


def _cell_of(point: DesignPoint) -> Cell:
    return Cell(point.accelerator, point.variant, point.platform)


# Cycles and code ----------------------------------------------------------------------------------


def _cell(results: Results, cell: Cell, by_bits: dict[int, list[DesignPoint]]) -> Json:
    """What is known of a variant on a platform, whatever the device."""
    mine = {
        bits: next(point for point in points if _cell_of(point) == cell)
        for bits, points in by_bits.items()
    }
    point = mine[128]
    crossover = results.record(cell, "crossover")
    return {
        "accelerator": cell.accelerator,
        "variant": cell.variant,
        "platform": cell.platform,
        "kind": point.kind,
        "summary": _summary(cell),
        "cycles": {bits: _rounded(found.cycles_per_byte) for bits, found in mine.items()},
        "keys": {bits: dict(found.key_cycles) for bits, found in mine.items()},
        "code": dict(point.code),
        "gcmCode": point.gcm_code,
        "verified": point.verified,
        "constantTime": point.constant_time,
        "lengths": list(_lengths(results, cell)),
        "crossover": crossover.counts["crossover_bytes"] if crossover else None,
        "phases": dict(_phases(results, cell)),
    }


def _rounded(values: object) -> dict[str, float]:
    assert isinstance(values, dict)
    return {name: round(value, 4) for name, value in values.items()}


def _summary(cell: Cell) -> str:
    """The manifest's words."""
    try:
        found, variant = papers.find(f"{cell.accelerator}/{cell.variant}")
        return variant.summary or found.manifest.summary
    except UsageError:
        return ""


def _lengths(results: Results, cell: Cell) -> Iterator[tuple[int, int]]:
    """Yield (bytes, cycles) of whole messages, AES-128-ECB: key set-up and encryption."""
    speed = results.record(cell, "speed")
    found = {
        f.blocks
        for f in (speed.figures if speed else [])
        if (f.mode, f.key_bits, f.direction) == ("ecb", 128, "encrypt")
    }
    for blocks in sorted(found):
        cycles = results.message_cycles(cell, blocks)
        if cycles is not None:
            yield blocks * BLOCK_BYTES, cycles


# Phases of a call, as the breakdown shows them: name, direction, mode, blocks, question.
_PHASES = (
    ("key enc", "encrypt", "key-setup", 0, "speed"),
    ("key dec", "decrypt", "key-setup", 0, "speed"),
    ("1 block", "encrypt", "ecb", 1, "speed"),
    ("ECB enc", "encrypt", "ecb", 120, "speed"),
    ("ECB dec", "decrypt", "ecb", 120, "speed"),
    ("CBC enc", "encrypt", "cbc", 120, "speed"),
    ("CBC dec", "decrypt", "cbc", 120, "speed"),
    ("CTR", "encrypt", "ctr", 120, "speed"),
    ("GHASH", "encrypt", "ghash", 120, "gcm"),
    ("GCM 4 KiB", "encrypt", "gcm", 256, "gcm"),
    ("GCM key", "encrypt", "gcm-key-setup", 0, "gcm"),
)


def _phases(results: Results, cell: Cell) -> Iterator[tuple[str, float]]:
    """Yield cycles of key set-up, and cycles a block of everything else, AES-128."""
    for name, direction, mode, blocks, question in _PHASES:
        found = results.figure(cell, direction, mode, blocks, 128, question)
        if found is not None:
            yield name, round(found.cycles / max(1, found.blocks), 2)


# Silicon ------------------------------------------------------------------------------------------


def _site(cell: int, point: DesignPoint) -> Json:
    """A cell on a device: clock and area."""
    area = point.area
    return {
        "cell": cell,
        "device": point.device,
        "mhz": point.clock_mhz,
        "clockOf": point.clock_of,
        "spread": point.spread_mhz,
        "size": area.size,
        "ff": area.ff,
        "bram": area.bram,
        "dsp": area.dsp,
        "areaOf": point.area_of,
        "cells": point.system.cells,
        "hardware": point.hardware,
        "path": point.critical_path_ns,
    }


def _modules(placed: Iterable[SynthRecord]) -> Iterator[Json]:
    """Yield gates by module of each unit where they were counted, `cmos` alone."""
    for entry in placed:
        if entry.status == "passed" and entry.scope == synthesis.UNIT and entry.target == "cmos":
            parts: dict[str, float] = {}
            for name, gates in entry.modules.items():
                parts[_plain(name)] = parts.get(_plain(name), 0) + gates
            yield {
                "accelerator": entry.accelerator,
                "variant": entry.variant,
                "total": entry.gates,
                "parts": sorted(parts.items(), key=lambda part: -part[1]),
                "source": _synth_key(entry),
            }


def _plain(name: str) -> str:
    """Return a module's name without what Yosys adds for its parameters."""
    if name.startswith("$paramod"):
        name = re.sub(r"^\$paramod(\$[0-9a-f]+)?\\", "", name).split("\\")[0]
    return name.removeprefix("\\")


# Verification -------------------------------------------------------------------------------------


def _evidence(results: Results, cells: Sequence[Cell], proofs: Sequence[ProofResult]) -> list[Json]:
    """What was checked of each variant, and what was not."""
    chains = papers.Evidence(papers.published_records(), kept=False)
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        found.setdefault((cell.accelerator, cell.variant), []).append(cell)
    measured = {accelerator for accelerator, _ in found}
    for unit in manifest.discover():  # what no core runs has benches and proofs
        if _is_unit(unit) and unit.name not in measured:
            found |= {(unit.name, v.name): [] for v in unit.manifest.variant if v.by_default}
    return [_variant(results, *key, where, proofs, chains) for key, where in found.items()]


def _variant(
    results: Results,
    name: str,
    variant: str,
    cells: Sequence[Cell],
    proofs: Sequence[ProofResult],
    chains: papers.Evidence,
) -> Json:
    """One variant's evidence."""
    try:
        unit, _ = papers.find(f"{name}/{variant}")
    except UsageError:
        return {"accelerator": name, "variant": variant, "platforms": _checked(results, cells)}
    params = explore.rtl_params(unit, variant)
    twins = {v.name for v in unit.manifest.variant if explore.rtl_params(unit, v.name) == params}
    own = [result for result in proofs if result.owner == name and _speaks_of(result, twins)]
    blocks = sum(
        chains.chain(Cell(name, variant, montecarlo.PLATFORM), f"{direction}_{bits}") or 0
        for direction in ("encrypt", "decrypt")
        for bits in KEY_BITS
    )
    return {
        "accelerator": name,
        "variant": variant,
        "kind": unit.manifest.kind,
        "platforms": _checked(results, cells),
        "proved": sum(result.passed for result in own if not result.bug),
        "proofs": _asked_proofs(unit, own),
        "caught": sum(result.passed for result in own if result.bug),
        "proofBugs": sum(bool(result.bug) for result in own),
        "planted": sum(bug.bench != "none" for bug in unit.manifest.bug),
        "montecarlo": blocks,
    }


def _promises(results: Results, cells: Sequence[Cell], proofs: Sequence[ProofResult]) -> list[Json]:
    """What each unit's manifest promises, and what it leaves out."""
    found: list[Json] = []
    for unit in manifest.discover():
        claims, skips = unit.manifest.claim, unit.manifest.skip
        if claims or skips:
            own = [result for result in proofs if result.owner == unit.name]
            mine = [cell for cell in cells if cell.accelerator == unit.name]
            found.append(
                {
                    "accelerator": unit.name,
                    "claims": [_claim(results, claim, mine, own) for claim in claims],
                    "skips": [
                        {"what": skip.what, "because": skip.because, "until": skip.until}
                        for skip in skips
                    ],
                }
            )
    return found


def _shared(proofs: Sequence[ProofResult]) -> Json:
    """What is proved of the RTL that units share: adapters, fields, ports."""
    own = [result for result in proofs if result.owner == prove.SHARED]
    return {
        "proved": sum(result.passed for result in own if not result.bug),
        "proofs": sum(not result.bug for result in own),
        "caught": sum(result.passed for result in own if result.bug),
        "bugs": sum(bool(result.bug) for result in own),
    }


def _speaks_of(result: ProofResult, variants: Collection[str]) -> bool:
    """Tell whether a proof is not one of other variants alone (NAME/VARIANT)."""
    _, _, of = result.proof.partition("/")
    return not of or of in variants


def _asked_proofs(unit: Accelerator, own: Sequence[ProofResult]) -> int:
    """How many proofs there are, kept or not."""
    kept = {result.proof for result in own if not result.bug}
    return len(kept | {proof.name for proof in unit.manifest.proof})


def _checked(results: Results, cells: Sequence[Cell]) -> list[Json]:
    """What each platform's records say."""
    found: list[Json] = []
    for cell in cells:
        row: Json = {"platform": cell.platform}
        for question, names in _CHECKED.items():
            entry = results.record(cell, question)
            if entry is not None:
                row[question] = {
                    "status": entry.status,
                    "sets": {n: entry.counts[n] for n in names if entry.counts.get(n)},
                    "wrong": entry.counts.get("wrong", 0),
                }
        ct = results.record(cell, "ct")
        if ct is not None and ct.counts:
            row["ct"] = {"runs": ct.counts.get("runs"), "spread": ct.counts.get("spread_max")}
        irq = results.record(cell, "irq")
        if irq is not None and irq.counts:
            row["irq"] = {name: irq.counts.get(name) for name in ("offsets", "bad")}
        found.append(row)
    return found


def _claim(
    results: Results,
    claim: Claim,
    cells: Sequence[Cell],
    own: Sequence[ProofResult],
) -> Json:
    """A promise and what became of it: shown, failed, no record, not tested."""
    row: Json = {"text": claim.text, "test": claim.test, "variants": claim.variants}
    cells = [cell for cell in cells if not claim.variants or cell.variant in claim.variants]
    if not claim.test:
        return {**row, "status": "not tested"}
    answers = [r.passed for r in own if r.proof.split("/")[0] == claim.test]
    answers += [
        entry.status == "passed"
        for cell in cells
        if (entry := results.record(cell, claim.test)) is not None and entry.status != "skipped"
    ]
    if claim.about == "power":
        answers = [
            entry.status == "passed"
            for entry in record.read_published(probe.PUBLISHED)
            if entry.accelerator == claim.test
        ]
    if not answers:
        return {**row, "status": "no record"}
    return {**row, "status": "shown" if all(answers) else "failed"}


def _toggles() -> list[Json]:
    """Every published t-test of toggles, and how it was made."""
    return [
        {
            "of": f"{entry.accelerator} on {entry.platform}",
            "tested": entry.variant,
            "passed": entry.status == "passed",
            "worst": entry.worst,
            "traces": entry.counts["traces"],
            "sums": entry.sums,
            "wires": entry.wires,
        }
        for entry in (ttest.read_published() if ttest.PUBLISHED.is_file() else ())
    ]


# Papers and sources -------------------------------------------------------------------------------


def _papers() -> list[Json]:
    """Every paper's table: published values apart from ours."""
    evidence = papers.Evidence(papers.published_records(), kept=False)
    found: list[Json] = []
    for paper in papers.choose([]):
        lines = papers.lines(paper, evidence)
        made, notes = papers.table(lines, repeat=False)
        found.append(
            {
                "id": paper.id,
                "title": paper.title,
                "by": f"{', '.join(paper.authors)}, {paper.year}. {paper.venue}",
                "table": _table(made),
                "notes": papers.footer(lines, notes),
            }
        )
    return found


def _table(made: Table) -> Json:
    return {"heads": [list(head) for head in made.heads], "rows": [list(row) for row in made.rows]}


def _sources(
    records: Iterable[Record], placed: Iterable[SynthRecord]
) -> Iterator[tuple[str, Json]]:
    """Yield how each record was made, under the key by which the page finds it."""
    for entry in records:
        name = f"{entry.accelerator}/{entry.variant}"
        command = f"aesforge bench --only {name} --platform {entry.platform}"
        yield (
            f"{entry.question} {name} {entry.platform}",
            {
                "what": f"{entry.question}: {name} on {entry.platform}",
                "how": "cycle-accurate simulation of the core",
                "file": record.PUBLISHED.name,
                "command": f"{command} --question {entry.question}",
                "sha256": entry.how.inputs_sha256,
                "tools": entry.how.tools,
                "flags": entry.how.flags,
            },
        )
    for point in synthesis.points(placed):
        first = point.first
        alone = first.scope == synthesis.UNIT
        of = f"{first.accelerator}/{first.variant}".rstrip("/")
        command = f"aesforge synth {'' if of == synthesis.NONE else of + ' '}-t {first.target}"
        yield (
            _synth_key(first),
            {
                "what": f"synthesis: {of}{'' if alone else f' in {first.scope}'}, {first.target}",
                "how": "placed and routed" if point.fmax_mhz else "mapped, not placed",
                "file": synthesis.PUBLISHED.name,
                "command": command + ("" if alone else f" --in {first.scope}"),
                "sha256": first.inputs_sha256,
                "tools": first.tool_versions,
                "flags": {"recipe": first.recipe, "seeds": str(point.seeds)}
                | ({"spread": f"+- {point.spread_mhz} MHz"} if point.spread_mhz else {}),
            },
        )


def _synth_key(entry: SynthRecord) -> str:
    return f"synth {entry.accelerator}/{entry.variant} {entry.scope} {entry.target}"


def known_proofs() -> list[ProofResult]:
    """Return the results of current proofs that are kept or published; none is run."""
    return prove.known()
