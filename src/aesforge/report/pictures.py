# SPDX-License-Identifier: Apache-2.0
"""Block and timing diagrams as SVG, each from a source in the repository.

A block diagram is a TOML file: boxes and wires in pixels, x to the right, y down. Its SVG has the
same name and is in the same folder. schemdraw draws it. `problems` measures what an eye would
complain about. Timing diagrams are made from the interfaces that the report shows.
`aesforge pictures` writes every SVG anew; tests/tool/test_pictures.py compares.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

import schemdraw
from pydantic import BaseModel, ConfigDict, Field, model_validator
from schemdraw.backends import svgtext
from schemdraw.elements import Element
from schemdraw.segments import Segment, SegmentCircle, SegmentPoly, SegmentText

from aesforge.base import toml
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.build.codegen import write_if_changed
from aesforge.report import timing

Point = tuple[float, float]

FONT = "Helvetica, Arial, sans-serif"
SIZE = 13.0  # pixels of a letter
SMALL = 12.0  # of what is written on wires and frames
WIDER = 1.17  # of the widest font that a reader may have in place of Arial
LINE = 16.0  # from one line of text to the next
GAP = 5.0  # between a wire and its text
ROOM = 4.0  # least distance between a text and its box

INK, SOFT, PAPER = "#1d2124", "#5b6166", "#ffffff"
FILLS = {
    "logic": "#f1f2ef",
    "register": "#d9e8f7",
    "memory": "#dcefdc",
    "sbox": "#fbe6c2",
    "product": "#eadff5",
    "outside": PAPER,
    "mux": "#f1f2ef",
    "xor": PAPER,
    "text": PAPER,
}
Kind = Literal["logic", "register", "memory", "sbox", "product", "outside", "mux", "xor", "text"]
OUT = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}
_END = re.compile(r"([a-z]\w*)\.([NESW])([+-]\d+)?")

# Signals of a timing diagram outside the report's page: its colours in light.
WAVE_STYLE = f"""
.wave{{font:12px {FONT}}}
text{{fill:{INK}}} .name{{fill:{SOFT}}} .unit .name{{fill:#0a6c74}}
.trace{{fill:none;stroke:{INK};stroke-width:1.4}} .unit .trace{{stroke:#0a6c74}}
.value{{fill:#f5f5f1;stroke:{INK};stroke-width:1.2}}
.unit .value{{fill:#e3f0f0;stroke:#0a6c74}} .grid{{stroke:#c9cbc6;stroke-dasharray:2 3}}
""".replace("\n", "")


class PictureError(AesforgeError):
    """A source of a picture that cannot be drawn; the message names it."""

    exit_status = 6


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Area:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Area", room: float = 0) -> bool:
        """Tell whether both have more than `room` less than nothing between them."""
        return (
            self.left < other.right + room
            and other.left < self.right + room
            and self.top < other.bottom + room
            and other.top < self.bottom + room
        )

    def holds(self, other: "Area") -> bool:
        """Tell whether the other is inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


class _Placed(_Table):
    at: Point  # the middle
    size: Point

    @property
    def area(self) -> Area:
        (x, y), (w, h) = self.at, self.size
        return Area(x - w / 2, y - h / 2, x + w / 2, y + h / 2)


class Box(_Placed):
    """A part; a multiplexer narrows from its inputs on the left to its output on the right."""

    id: str = Field(pattern=r"^[a-z]\w*$")
    kind: Kind = "logic"
    text: str = ""

    def end(self, side: str, offset: float) -> Point:
        """Return a point on a side, so far from its middle."""
        (x, y), (w, h) = self.at, self.size
        dx, dy = OUT[side]
        high = h / 2 - abs(dy) * self.cut * (0.5 + offset / w)  # a multiplexer's slope
        return (x + dx * w / 2 + abs(dy) * offset, y + dy * high + abs(dx) * offset)

    @property
    def solid(self) -> Area:
        """What no wire may run through: a multiplexer without its slopes."""
        whole = self.area
        return Area(whole.left, whole.top + self.cut, whole.right, whole.bottom - self.cut)

    @property
    def cut(self) -> float:
        """How much lower a multiplexer is at its output, on each side."""
        return min(self.size[1] / 4, self.size[0] / 2) if self.kind == "mux" else 0


class Frame(_Placed):
    """A line around parts; its text is in the upper left corner."""

    text: str


class Wire(_Table):
    """A right-angled line from one part to another.

    An end is `id.SIDE`, `id.SIDE+pixels`, or a point: a branch of the wire there.
    """

    start: str | Point
    end: str | Point
    bend: float | None = None  # where the middle part of three is; else halfway
    via: list[Point] = []  # all corners, where they cannot be guessed
    text: str = ""
    text_at: Point | None = None  # the text's middle
    arrow: Literal["->", "<->", "-"] = "->"


class Picture(_Table):
    """A block diagram."""

    title: str  # for those who do not see it, and on the page
    size: Point
    box: list[Box]
    frame: list[Frame] = []
    wire: list[Wire] = []

    @model_validator(mode="after")
    def _ends_exist(self) -> "Picture":
        if len(self.boxes) != len(self.box):
            raise ValueError("two boxes have the same id")
        for wire in self.wire:
            self.corners(wire)
        return self

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """Boxes by id."""
        return {box.id: box for box in self.box}

    def _end(self, end: str | Point) -> tuple[Point, Point | None]:
        """Return an end and the direction in which the wire leaves it."""
        if not isinstance(end, str):
            return end, None
        match = _END.fullmatch(end)
        if not match or match[1] not in self.boxes:
            raise ValueError(f"there is no end '{end}'")
        return self.boxes[match[1]].end(match[2], float(match[3] or 0)), OUT[match[2]]

    def corners(self, wire: Wire) -> list[Point]:
        """Return all points of a wire."""
        (start, out), (end, back) = self._end(wire.start), self._end(wire.end)
        if wire.via:
            points = [start, *wire.via, end]
        elif wire.bend is None and (start[0] == end[0] or start[1] == end[1]):
            points = [start, end]
        else:
            if out is None:  # a branch leaves towards where the other end expects it
                out = (0.0, 1.0) if back and back[0] else (1.0, 0.0)
            if back is None:
                back = (0.0, 1.0) if out[0] else (1.0, 0.0)
            points = [start, *_between(start, end, bool(out[0]), bool(back[0]), wire.bend), end]
        if any(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(points)):
            raise ValueError(f"the wire {wire.start} to {wire.end} is not right-angled")
        return points


def _between(
    start: Point, end: Point, flat: bool, flat_end: bool, bend: float | None
) -> list[Point]:
    """Return the corners between two ends that a wire leaves horizontally (flat) or vertically."""
    if flat and flat_end:
        x = (start[0] + end[0]) / 2 if bend is None else bend
        return [(x, start[1]), (x, end[1])]
    if not flat and not flat_end:
        y = (start[1] + end[1]) / 2 if bend is None else bend
        return [(start[0], y), (end[0], y)]
    return [(end[0], start[1])] if flat else [(start[0], end[1])]


# Texts --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    """Lines around a middle, or from a left end."""

    lines: Sequence[str]
    at: Point
    size: float
    color: str = INK
    left: bool = False

    @cached_property
    def width(self) -> float:
        """The widest line: as in Arial, and a sixth more where a wider font takes its place."""
        arial = max(float(svgtext.string_width(line, self.size, "Arial")) for line in self.lines)
        return arial * WIDER

    @property
    def area(self) -> Area:
        """What the letters cover."""
        (x, y), height = self.at, LINE * (len(self.lines) - 1) + self.size
        left = x if self.left else x - self.width / 2
        return Area(left, y - height / 2, left + self.width, y + height / 2)

    def segments(self) -> Iterator[SegmentText]:
        """Yield one text a line."""
        x, y = self.at
        for number, line in enumerate(self.lines):
            lower = y + LINE * (number - (len(self.lines) - 1) / 2) + 0.35 * self.size
            side: Literal["left", "center"] = "left" if self.left else "center"
            yield SegmentText(
                (x, -lower), line, align=(side, "base"), fontsize=self.size, font=FONT,
                color=self.color,
            )  # fmt: skip


def _texts(picture: Picture) -> Iterator[tuple[str, Text]]:
    """Yield the texts that are not inside a box, with a name for messages."""
    for frame in picture.frame:
        lines = frame.text.split("\n")
        down = 6 + (LINE * (len(lines) - 1) + SMALL) / 2
        at = (frame.area.left + 9, frame.area.top + down)
        yield frame.text, Text(lines, at, SMALL, SOFT, left=True)
    for wire in picture.wire:
        if wire.text:
            yield wire.text, _wire_text(picture, wire)


def _wire_text(picture: Picture, wire: Wire) -> Text:
    """Put a wire's text above or to the right of its longest part."""
    lines = wire.text.split("\n")
    if wire.text_at is not None:
        return Text(lines, wire.text_at, SMALL, SOFT)
    points = picture.corners(wire)
    (x1, y1), (x2, y2) = max(pairwise(points), key=lambda p: _length(*p))
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if y1 == y2:
        return Text(lines, (x, y - GAP + 1 - (LINE * (len(lines) - 1) + SMALL) / 2), SMALL, SOFT)
    return Text(lines, (x + GAP, y), SMALL, SOFT, left=True)


def _length(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


# What an eye would complain about -----------------------------------------------------------------


def problems(picture: Picture) -> list[str]:
    """List overlaps, clipped texts and wires that cross each other or run through boxes."""
    found = [
        f"boxes {a.id} and {b.id} overlap"
        for a, b in combinations(picture.box, 2)
        if a.area.meets(b.area, 4)
    ]
    for box in picture.box:
        if box.text:
            inside = Text(box.text.split("\n"), box.at, SIZE).area
            room = ROOM if box.kind != "text" else 0
            if not box.area.holds(
                Area(inside.left - room, inside.top, inside.right + room, inside.bottom)
            ):
                found.append(f"the text of {box.id} is larger than the box")
    lines = [(wire, picture.corners(wire)) for wire in picture.wire]
    for wire, points in lines:
        name = f"the wire {wire.start} to {wire.end}"
        for a, b in pairwise(points):
            part = _area(a, b)
            found += [f"{name} runs through {x.id}" for x in picture.box if part.meets(x.solid, -1)]
    for (one, first), (other, second) in combinations(lines, 2):
        if _cross(first, second):
            found.append(f"wires {one.start} to {one.end} and {other.start} to {other.end} cross")
    texts = list(_texts(picture))
    for (name, text), (other_name, other_text) in combinations(texts, 2):
        if text.area.meets(other_text.area, 1):
            found.append(f"texts '{name}' and '{other_name}' overlap")
    whole = Area(0, 0, *picture.size)
    for name, text in texts:
        found += [f"text '{name}' is in {b.id}" for b in picture.box if text.area.meets(b.area, 1)]
        found += [
            f"text '{name}' is on the wire {wire.start} to {wire.end}"
            for wire, points in lines
            if any(text.area.meets(_area(a, b), 1) for a, b in pairwise(points))
        ]
        found += [
            f"text '{name}' is on the edge of '{frame.text}'"
            for frame in picture.frame
            if text.area.meets(frame.area) and not frame.area.holds(text.area)
        ]
        if not whole.holds(text.area):
            found.append(f"text '{name}' is outside")
    parts = [box.area for box in picture.box] + [frame.area for frame in picture.frame]
    parts += [_area(a, b) for _, points in lines for a, b in pairwise(points)]
    if not all(whole.holds(part) for part in parts):
        found.append("something is outside")
    return found


def _area(a: Point, b: Point) -> Area:
    return Area(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))


def _cross(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Tell whether wires meet anywhere but where one begins: that is a branch."""
    for a, b in pairwise(first):
        for c, d in pairwise(second):
            one, other = _area(a, b), _area(c, d)
            left, right = max(one.left, other.left), min(one.right, other.right)
            top, bottom = max(one.top, other.top), min(one.bottom, other.bottom)
            if left > right or top > bottom:
                continue
            if first[0] == second[0]:  # the same source: they may share a piece
                continue
            if (left, top) == (right, bottom) and (left, top) in (first[0], second[0]):
                continue
            return True
    return False


# Drawing ------------------------------------------------------------------------------------------


def svg(picture: Picture) -> str:
    """Return a block diagram as SVG; equal pictures give equal bytes."""
    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    schemdraw.svgconfig.useBatik = True  # base lines that every renderer understands
    drawing = schemdraw.Drawing(show=False, inches_per_unit=1 / 72, margin=0, unit=1)
    whole = Element()
    whole.segments += list(_segments(picture))
    drawing.add(whole.at((0, 0)))
    root = ElementTree.fromstring(drawing.get_imagedata("svg"))
    width, height = picture.size
    shapes = "\n".join(_text(child) for child in root)
    return _page(picture.title, width, height, "", shapes)


def _segments(picture: Picture) -> Iterator[Any]:
    """Yield everything in the order in which it is painted."""
    for frame in picture.frame:
        yield _rectangle(frame.area, PAPER, SOFT, dashed=True)
    for wire in picture.wire:
        points = [(x, -y) for x, y in picture.corners(wire)]
        arrow = None if wire.arrow == "-" else wire.arrow
        yield Segment(points, color=INK, lw=1.3, arrow=arrow, arrowwidth=7, arrowlength=8)
        for end in (wire.start, wire.end):
            if not isinstance(end, str):
                yield SegmentCircle((end[0], -end[1]), 2.6, color=INK, fill=INK, lw=0.5)
    for box in picture.box:
        yield from _box(box)
    for _, text in _texts(picture):
        yield from text.segments()


def _box(box: Box) -> Iterator[Any]:
    """Yield a box and its text."""
    area = box.area
    if box.kind == "xor":
        (x, y), r = box.at, box.size[0] / 2
        yield SegmentCircle((x, -y), r, color=INK, fill=PAPER, lw=1.3)
        yield Segment([(x - r, -y), (x + r, -y)], color=INK, lw=1.3)
        yield Segment([(x, -y - r), (x, -y + r)], color=INK, lw=1.3)
        return
    if box.kind == "mux":
        cut = box.cut
        yield SegmentPoly(
            [
                (area.left, -area.top), (area.right, -area.top - cut),
                (area.right, -area.bottom + cut), (area.left, -area.bottom),
            ],
            color=INK, fill=FILLS["mux"], lw=1.3,
        )  # fmt: skip
    elif box.kind != "text":
        yield _rectangle(area, FILLS[box.kind], INK)
    if box.kind == "register":  # the mark of a clock
        x, y = area.left + min(12, box.size[0] / 2), -area.bottom
        yield Segment([(x - 5, y), (x, y + 6), (x + 5, y)], color=INK, lw=1.1)
    if box.text:
        up = 2.0 if box.kind == "register" else 0.0
        at = (box.at[0], box.at[1] - up)
        yield from Text(box.text.split("\n"), at, SIZE).segments()


def _rectangle(area: Area, fill: str, color: str, *, dashed: bool = False) -> SegmentPoly:
    corners = [
        (area.left, -area.top), (area.right, -area.top),
        (area.right, -area.bottom), (area.left, -area.bottom),
    ]  # fmt: skip
    return SegmentPoly(
        corners, color=color, fill=fill, lw=1.0 if dashed else 1.3, ls="--" if dashed else None
    )


def _text(element: ElementTree.Element) -> str:
    """Return a shape without the name space that the root already has."""
    for part in element.iter():
        part.tag = part.tag.rpartition("}")[2]
    return ElementTree.tostring(element, encoding="unicode").strip()


def _page(title: str, width: float, height: float, style: str, shapes: str) -> str:
    """Return an SVG file: white paper, so that ink is legible on a dark page too."""
    said = title.replace("&", "&amp;").replace("<", "&lt;")
    return (
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img">\n<title>{said}</title>\n'
        f"{f'<style>{style}</style>{chr(10)}' if style else ''}"
        f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{PAPER}"/>\n{shapes}\n</svg>\n'
    )


def timing_svg(interface: timing.Interface) -> str:
    """Return a timing diagram of the report as a file of its own."""
    root = ElementTree.fromstring(timing.svg(interface))
    width, height = float(root.get("width", 0)) + 24, float(root.get("height", 0)) + 20
    shapes = "\n".join(_text(child) for child in root)
    moved = f'<g class="wave" transform="translate(12 10)">\n{shapes}\n</g>'
    title = f"{interface.title}: timing"
    return _page(title, width, height, WAVE_STYLE, moved)


# Files --------------------------------------------------------------------------------------------


def load(path: Path) -> Picture:
    """Read a diagram's source; PictureError if it is wrong."""
    return toml.load(path, Picture, "the other pictures show the keys")


def sources(root: Path = ROOT) -> list[Path]:
    """List the sources of all block diagrams."""
    own = root.glob("accelerators/*/diagram*.toml")
    return sorted([*own, *root.glob("docs/pictures/*.toml")])


def made(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Yield every SVG that is made from a source, with its current text."""
    for path in sources(root):
        picture = load(path)
        if wrong := problems(picture):
            raise PictureError(f"{path.relative_to(root)}: {wrong[0]}")
        yield path.with_suffix(".svg"), svg(picture)
    for interface in timing.interfaces():
        yield root / f"docs/pictures/timing-{interface.port}.svg", timing_svg(interface)


def stale(path: Path, text: str) -> bool:
    """Tell whether a picture is not there or is not what its source says."""
    return not path.is_file() or path.read_text(encoding="utf-8") != text


def write(root: Path = ROOT) -> list[Path]:
    """Write every picture that is not what its source says; return those."""
    changed = [(path, text) for path, text in made(root) if stale(path, text)]
    for path, text in changed:
        write_if_changed(path, text)
    return [path for path, _ in changed]
