# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams of the interfaces: interfaces.toml drawn as SVG in the page's colours.

A wave is one character a clock: 0 and 1 are levels, a letter a value, '.' the same as before, '-'
nobody's concern, 'p' a clock. tests/rtl/test_timing.py plays every drawing against the RTL.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from aesforge.base import toml

FOLDER = Path(__file__).parent

LEAST_W = 336  # pixels that a diagram shrinks to on a phone; then it scrolls
NAME_W = 138  # pixels: column of names
CYCLE_W = 46
ROW_H = 27
LEVEL_H = 17
SLOPE = 3


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Signal(_Table):
    """A signal of an interface; `by`: who drives it."""

    name: str
    wave: str = Field(pattern=r"^[01a-zA-Z.p-]+$")
    by: str = Field(pattern="^(core|unit)$")


class Interface(_Table):
    """A port and one typical exchange on it."""

    title: str
    port: str  # adapter, or "fu" for the functional-unit port itself
    text: str
    latency: int = 0  # of the unit that answers, cycles
    params: dict[str, int] = {}  # of the adapter
    values: dict[str, int] = {}  # letter: the number on the wires
    labels: dict[str, str] = {}  # letter: what is written instead of the number
    signal: list[Signal] = Field(min_length=2)

    @cached_property
    def clocks(self) -> int:
        """How many clocks are drawn."""
        return len(self.signal[0].wave)

    def written(self, letter: str) -> str:
        """What stands in a value: its label, its number, or its 32-bit words from the lowest."""
        if letter in self.labels:
            return self.labels[letter]
        number = self.values[letter]
        words = [number & 0xFFFF_FFFF]
        while number := number >> 32:
            words.append(number & 0xFFFF_FFFF)
        return ", ".join(map(str, words))


class _Interfaces(_Table):
    """interfaces.toml."""

    interface: list[Interface]


@dataclass(frozen=True)
class Drawing:
    """An interface as the page shows it."""

    title: str
    svg: str
    html: str


def interfaces(path: Path = FOLDER / "interfaces.toml") -> list[Interface]:
    """Read the drawings' data."""
    return toml.load(path, _Interfaces, "the other interfaces show the keys").interface


def drawings() -> list[Drawing]:
    """Return every interface as SVG."""
    return [Drawing(found.title, svg(found), _marked(found.text)) for found in interfaces()]


def _marked(text: str) -> str:
    """Return a text as HTML; what stands in backquotes is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def svg(interface: Interface) -> str:
    """Return an interface's diagram."""
    width = NAME_W + CYCLE_W * interface.clocks + 6
    height = ROW_H * len(interface.signal) + 10
    grid = "".join(
        f'<line class="grid" x1="{NAME_W + CYCLE_W * at}" y1="2"'
        f' x2="{NAME_W + CYCLE_W * at}" y2="{height - 4}"/>'
        for at in range(1, interface.clocks)
    )
    rows = "".join(
        f'<g class="{signal.by}" transform="translate(0 {6 + ROW_H * at})">'
        f'<text class="name" x="0" y="{LEVEL_H - 3}">{escape(signal.name)}</text>'
        f'<g transform="translate({NAME_W} 0)">{_trace(signal.wave, interface)}</g></g>'
        for at, signal in enumerate(interface.signal)
    )
    return (
        f'<svg class="wave" role="img" aria-label="{escape(interface.title)}, timing" '
        f'style="min-width:{min(width, LEAST_W)}px" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{grid}{rows}</svg>'
    )


def _trace(wave: str, interface: Interface) -> str:
    """Return a signal's line and values."""
    if wave.startswith("p"):
        return f'<path class="trace" d="{_clock(len(wave))}"/>'
    drawn: list[str] = []
    level: list[str] = []
    for begin, length, what in _runs(wave):
        left, right = CYCLE_W * begin, CYCLE_W * (begin + length)
        if what in "01":
            y = 0 if what == "1" else LEVEL_H
            level.append(f"{'L' if level else 'M'}{left} {y}H{right}")
        elif what == "-":
            drawn.append(f'<path class="grid" d="M{left} {LEVEL_H / 2}H{right}"/>')
        else:
            drawn.append(_value(left, right, interface.written(what)))
        if what not in "01" and level:
            drawn.append(f'<path class="trace" d="{"".join(level)}"/>')
            level = []
    if level:
        drawn.append(f'<path class="trace" d="{"".join(level)}"/>')
    return "".join(drawn)


def _runs(wave: str) -> Sequence[tuple[int, int, str]]:
    """Return (first clock, clocks, character) of each stretch of a wave."""
    runs: list[tuple[int, int, str]] = []
    for at, what in enumerate(wave):
        same = what == "." or (runs and what in "01-" and runs[-1][2] == what)
        if same and runs:
            begin, length, before = runs[-1]
            runs[-1] = (begin, length + 1, before)
        else:
            runs.append((at, 1, what))
    return runs


def _clock(clocks: int) -> str:
    half = CYCLE_W // 2
    return f"M0 {LEVEL_H}" + f"V0h{half}V{LEVEL_H}h{half}" * clocks


def _value(left: float, right: float, text: str) -> str:
    middle = LEVEL_H / 2
    corners = (
        *((left, middle), (left + SLOPE, 0), (right - SLOPE, 0), (right, middle)),
        *((right - SLOPE, LEVEL_H), (left + SLOPE, LEVEL_H)),
    )
    shape = " ".join(f"{x:g},{y:g}" for x, y in corners)
    return (
        f'<polygon class="value" points="{shape}"/><text x="{(left + right) / 2:g}"'
        f' y="{LEVEL_H - 4}" text-anchor="middle">{escape(text)}</text>'
    )
