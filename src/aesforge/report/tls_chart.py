# SPDX-License-Identifier: Apache-2.0
"""The chart of docs/tls.md: where the time of a handshake goes, with a unit and without.

Of each core the stack's own crypto and the unit with the shortest handshake, in milliseconds at the
clock that the whole system closes; then the units alone, on a scale of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from aesforge.base.paths import ROOT
from aesforge.catalog import platform
from aesforge.records.record import Record
from aesforge.report.pictures import FONT, INK, PAPER, SOFT
from aesforge.stacks import own, tls_figures
from aesforge.stacks.agreed import SERVER
from aesforge.stacks.tls import PHASES
from aesforge.synth.synthesis import SynthRecord

PICTURE = ROOT / "results" / "tls.svg"

# Pixels: the picture, the names' column, the longest bar, a bar and its row.
_WIDTH, _LEFT, _LONGEST, _BAR, _ROW = 760, 250, 420, 16, 24
_COLOURS = ("#8a8f94", "#0a6c74", "#3f9496", "#7fb9b5", "#b9d8d2", "#d8a24a", "#f0d29a")


@dataclass(frozen=True)
class _Bar:
    """A handshake: its name, and the milliseconds of each phase."""

    name: str
    parts: tuple[float, ...]

    @property
    def total(self) -> float:
        """Milliseconds."""
        return sum(self.parts)


def svg(found: Sequence[Record], placed: Sequence[SynthRecord]) -> str:
    """Return the picture; equal records give equal bytes."""
    asked = [entry for entry in found if entry.question == tls_figures.question(SERVER)]
    pairs: list[_Bar] = []
    best: list[_Bar] = []
    for name in sorted({entry.platform for entry in asked}):
        bars = [(e.variant, _bar(e, placed)) for e in asked if e.platform == name]
        units = [bar for variant, bar in bars if bar and variant not in own.NAMES]
        alone = [bar for variant, bar in bars if bar and variant == own.NAME]
        fastest = sorted(units, key=lambda bar: bar.total)[:1]
        pairs += [*alone, *fastest]
        best += fastest
    lines: list[str] = []
    seen = [n for n in range(len(PHASES)) if any(bar.parts[n] for bar in pairs)]
    y = _legend(lines, seen, 24)
    y = _bars(lines, "The stack's own crypto, and the fastest unit", pairs, y + 18)
    y = _bars(lines, "The units alone", best, y + 18) + 8
    title = f"{SERVER.title}: milliseconds of a handshake"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y}" width="{_WIDTH}"'
        f' height="{y}" role="img" font-family="{FONT}" font-size="13">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{_WIDTH}" height="{y}" fill="{PAPER}"/>'
    )
    return "\n".join([head, *lines, "</svg>", ""])


def _bar(entry: Record, placed: Sequence[SynthRecord]) -> _Bar | None:
    """Return the bar of a record, or None without a published clock."""
    chosen = tls_figures.system_of(entry)
    core = platform.find(entry.platform)
    mhz = tls_figures.clock(*chosen, core, placed) if chosen else None
    if not mhz:
        return None
    parts = [entry.counts.get(f"handshake: {name}", 0) / mhz / 1000 for name in PHASES]
    label = f"{entry.platform}, {entry.accelerator} / {entry.variant}"
    return _Bar(label, (*parts[1:], parts[0]))


def _names() -> list[str]:
    return [*PHASES[1:], PHASES[0]]


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{INK}"{more}>{escape(text)}</text>'


def _legend(lines: list[str], seen: Sequence[int], y: int) -> int:
    """Name the colours of the phases that are there, four a row; return where the last row is."""
    for place, number in enumerate(seen):
        row, column = divmod(place, 4)
        x, at = 12 + 184 * column, y + 22 * row
        lines.append(
            f'<rect x="{x}" y="{at - 11}" width="13" height="13" fill="{_colour(number)}"/>'
        )
        lines.append(_text(x + 20, at, _names()[number]))
    return y + 22 * (max(0, len(seen) - 1) // 4)


def _colour(number: int) -> str:
    """The colour of a phase; the rest, which is last, is grey."""
    return _COLOURS[0] if number == len(PHASES) - 1 else _COLOURS[number + 1]


def _bars(lines: list[str], title: str, bars: Sequence[_Bar], y: int) -> int:
    """Draw bars on one scale below a title; return where they end."""
    y += 14
    lines.append(_text(12, y, title, ' font-weight="bold"'))
    y += 10
    most = max((bar.total for bar in bars), default=1.0)
    for bar in bars:
        lines.append(_text(_LEFT - 10, y + _BAR - 3, bar.name, ' text-anchor="end"'))
        x = float(_LEFT)
        for number, part in enumerate(bar.parts):
            width = _LONGEST * part / most
            if width > 0:
                lines.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}"'
                    f' fill="{_colour(number)}"/>'
                )
            x += width
        said = f"{bar.total:.0f} ms"
        lines.append(
            f'<text x="{x + 8:.1f}" y="{y + _BAR - 3}" fill="{SOFT}">{escape(said)}</text>'
        )
        y += _ROW
    return y
