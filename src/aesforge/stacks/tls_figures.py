# SPDX-License-Identifier: Apache-2.0
"""Figures of TLS connections: tables, what a chart shows, kept results and published records."""

import dataclasses
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aesforge.base import files, proc
from aesforge.base.errors import UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.bench import job
from aesforge.catalog import manifest
from aesforge.catalog import platform as platforms
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.records.record import How, Record
from aesforge.records.rows import Table
from aesforge.stacks import bearssl, mbedtls, own, tls, wolfssl
from aesforge.stacks.agreed import SERVER, Agreed, Cipher, Group, Role, Stack, Version
from aesforge.stacks.tls import PHASES, TEXT_BYTES, Result
from aesforge.synth import synthesis

PUBLISHED = ROOT / "results" / "tls.jsonl"
KEPT = BUILD / "tls"
CONNECTIONS = 5  # of a published record, each with new keys: the median counts
_TARGET = "ecp5-85f"  # where the clock is from
_QUESTION = "tls"

Run = tuple[Accelerator, Variant, Result]


def median(results: Sequence[Result]) -> Result:
    """Return the connection whose handshake is the median; of an even number the earlier."""
    return sorted(results, key=lambda result: result.handshake)[(len(results) - 1) // 2]


def table(platform: Platform, agreed: Agreed, runs: Sequence[Run]) -> Table:
    """Return the cycles of connections, side by side, and milliseconds at the published clock."""
    heads: list[tuple[str, bool]] = [("cycles", False)]
    columns: list[list[str]] = []
    for accelerator, variant, result in runs:
        label = f"{accelerator.name}/{variant.name}"
        mhz = clock(accelerator, variant, platform)
        for what, total, parts in (
            ("handshake", result.handshake, result.in_handshake),
            ("data", result.bulk, result.in_bulk),
        ):
            heads.append((f"{label} {what}", True))
            at_clock = f"{total / mhz / 1000:,.1f}" if mhz else "-"
            cells = [*parts[1:], parts[0], total]
            columns.append([*(f"{cell:,}" for cell in cells), at_clock, f"{mhz:g}" if mhz else "-"])
    names = [*PHASES[1:], PHASES[0], "total", "ms on an ECP5", "at MHz (published)"]
    rows = [(name, *(column[i] for column in columns)) for i, name in enumerate(names)]
    done = [row for row in rows if set(row[1:]) != {"0"}]  # a server verifies nothing
    title = f"{agreed.title}, {TEXT_BYTES // 1024} KiB echoed, on {platform.name}"
    return Table(title, tuple(heads), tuple(done))


def shares(runs: Sequence[Run]) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the cycles of each phase, for a chart of where they went."""
    return [
        (f"{accelerator.name}/{variant.name} {what}", list(zip(PHASES, parts, strict=True)))
        for accelerator, variant, result in runs
        for what, parts in (("handshake", result.in_handshake), ("data", result.in_bulk))
    ]


def clock(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    placed: Sequence[synthesis.SynthRecord] | None = None,
) -> float | None:
    """Return the MHz that a whole system closes on an ECP5, by `placed` or what is published.

    None: there is no record of it.
    """
    if placed is None:
        placed = synthesis.read_published() if synthesis.PUBLISHED.is_file() else []
    is_unit = accelerator.manifest.kind != "software"
    named = (accelerator.name, variant.name) if is_unit else (synthesis.NONE, "")
    clocks = [
        entry.fmax_mhz
        for entry in placed
        if (entry.accelerator, entry.variant) == named
        and (entry.scope, entry.target) == (platform.name, _TARGET)
        and entry.fmax_mhz
    ]
    return statistics.median(clocks) if clocks else None


# Kept results -------------------------------------------------------------------------------------


def kept(inputs_sha256: str, agreed: Agreed) -> list[Result]:
    """Return the connections that a system has made with this OpenSSL, the latest last."""
    path = _kept_at(inputs_sha256, agreed)
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [_result(json.loads(line)) for line in lines]


def keep(agreed: Agreed, result: Result) -> None:
    """Keep a connection of the usual text, so that a published record need not repeat it."""
    path = _kept_at(result.inputs_sha256, agreed)
    results = [*kept(result.inputs_sha256, agreed), result][-CONNECTIONS:]
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(dataclasses.asdict(entry)) for entry in results]
    files.write_text(path, "".join(f"{line}\n" for line in lines))


def _kept_at(inputs_sha256: str, agreed: Agreed) -> Path:
    peer = proc.version_line("openssl", "version")
    return (
        KEPT / f"{proc.digest(inputs_sha256, question(agreed), str(TEXT_BYTES), peer)[:24]}.jsonl"
    )


def _result(values: dict[str, Any]) -> Result:
    phases = {name: tuple(values[name]) for name in ("in_handshake", "in_bulk")}
    return Result(**{**values, **phases})


# Published records --------------------------------------------------------------------------------


def question(agreed: Agreed) -> str:
    """Name an agreement among records; the stack only where it is not the default."""
    words = [_QUESTION, agreed.role, agreed.version, agreed.group, agreed.cipher]
    return " ".join([*words, *([agreed.stack] if agreed.stack is not SERVER.stack else [])])


def asked(text: str) -> Agreed:
    """Return the agreement that a question names."""
    _, role, version, group, cipher, *stack = text.split(" ")
    stacks = [Stack(name) for name in stack] or [SERVER.stack]
    return Agreed(Role(role), Version(version), Group(group), Cipher(cipher), *stacks)


def present_inputs(entry: Record) -> str:
    """Return the hash that a published record would have by this tree; UsageError if it is gone."""
    found, where = system_of(entry), platforms.find(entry.platform)
    if found is None:
        raise UsageError(f"there is no {entry.accelerator}/{entry.variant}")
    return tls.present_inputs(*found, where, asked(entry.question))


def _stack_version(stack: Stack) -> str:
    if stack is Stack.bearssl:
        return bearssl.version()
    return mbedtls.VERSION if stack is Stack.mbedtls else wolfssl.SOURCE.version


def record(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    agreed: Agreed,
    results: Sequence[Result],
) -> Record:
    """Return the record of some connections that agreed on the same."""
    middle = median(results)
    counts = {"connections": len(results), "text_bytes": TEXT_BYTES}
    for name, every in (
        ("handshake", [result.handshake for result in results]),
        ("data", [result.bulk for result in results]),
    ):
        counts |= {
            name: statistics.median_low(every),
            f"{name}_min": min(every),
            f"{name}_max": max(every),
        }
    phases = zip(PHASES, middle.in_handshake, middle.in_bulk, strict=True)
    for phase, in_handshake, in_data in phases:
        counts |= {f"handshake: {phase}": in_handshake, f"data: {phase}": in_data}
    counts |= {"code_bytes": middle.code_bytes, "ram_bytes": middle.ram_bytes}
    return Record(
        accelerator=accelerator.name,
        kind=accelerator.manifest.kind,
        variant=variant.name,
        platform=platform.name,
        question=question(agreed),
        status="passed",
        how=How(
            inputs_sha256=middle.inputs_sha256,
            tools={
                **job.tool_versions(platform),
                str(agreed.stack): _stack_version(agreed.stack),
                "openssl": proc.version_line("openssl", "version"),
            },
            flags={"memory": "wait states: fetch 0, data 0, fixed"},
        ),
        counts={name: count for name, count in counts.items() if count},
    )


# Forms of a stack's own crypto that each row is compared with, and what of a record.
_YARDSTICKS = (own.NAME, own.SIZE)
_COMPARED = {"handshake": "handshake", "16 KiB": "data"}
_HEADS = (
    *(("core", False), ("accelerator / variant", False), ("handshake", True), ("16 KiB", True)),
    *((("key pair", True), ("ECDH", True), ("signature", True), ("SHA-2", True))),
    *(("code, KiB", True), ("RAM, KiB", True)),
    *(("MHz", True), ("handshake, ms", True), ("Mbit/s", True)),
    *((f"{name} / this, {what}", True) for what in _COMPARED for name in _YARDSTICKS),
)


def page_table(
    found: Sequence[Record], placed: Sequence[synthesis.SynthRecord] | None = None
) -> str:
    """Return the Markdown of what is published: a table for each agreement."""
    parts: list[str] = []
    for each in sorted({entry.question for entry in found}):
        same = [entry for entry in found if entry.question == each]
        rows = [_row(entry, same, placed) for entry in sorted(same, key=_order)]
        parts.append(Table(asked(each).title, _HEADS, tuple(rows)).markdown())
    return "\n".join(parts)


def _order(entry: Record) -> tuple[str, int]:
    return entry.platform, entry.counts["handshake"]


def _times(entry: Record, same: Sequence[Record]) -> list[str]:
    """How many times the cycles the stack's own crypto takes on the same core, in both forms."""
    on_core = {one.variant: one.counts for one in same if one.platform == entry.platform}
    return [
        f"{on_core[name][what] / entry.counts[what]:.1f}" if name in on_core else "-"
        for what in _COMPARED.values()
        for name in _YARDSTICKS
    ]


def system_of(entry: Record) -> tuple[Accelerator, Variant] | None:
    """Return what a record measured, or None if it is no longer there."""
    if entry.variant in own.NAMES:
        return own.stack(Stack(entry.accelerator), entry.variant)
    units = {(a.name, v.name): (a, v) for a in manifest.discover() for v in a.manifest.variant}
    return units.get((entry.accelerator, entry.variant))


def _row(
    entry: Record, same: Sequence[Record], placed: Sequence[synthesis.SynthRecord] | None
) -> tuple[str, ...]:
    """Millions of cycles, what they are at the clock of the whole system, and of its own crypto."""
    counts = entry.counts
    chosen = system_of(entry)
    mhz = clock(*chosen, platforms.find(entry.platform), placed) if chosen else None
    signed = counts.get("handshake: ECDSA sign", 0) + counts.get("handshake: ECDSA verify", 0)
    phases = [counts.get(f"handshake: {name}", 0) for name in ("key pair", "ECDH")]
    cycles = [counts["handshake"], counts["data"], *phases, signed, counts["handshake: SHA-2"]]
    rate = 8 * counts["text_bytes"] / counts["data"]
    return (
        *(entry.platform, f"{entry.accelerator} / {entry.variant}"),
        *(f"{count / 1e6:.2f}" for count in cycles),
        *(f"{counts[size] / 1024:.1f}" for size in ("code_bytes", "ram_bytes")),
        f"{mhz:.1f}" if mhz else "-",
        f"{counts['handshake'] / mhz / 1000:.1f}" if mhz else "-",
        f"{rate * mhz:.2f}" if mhz else "-",
        *_times(entry, same),
    )
