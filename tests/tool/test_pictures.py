# SPDX-License-Identifier: Apache-2.0
"""Pictures: every SVG is what its source says, is legible, and is on the page that it serves."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from aesforge.base.errors import ManifestError
from aesforge.base.paths import ROOT
from aesforge.build import new
from aesforge.catalog import manifest
from aesforge.report import pictures
from aesforge.report.pictures import Picture

WIDEST = 830  # pixels of a README's column

BOXES = [
    {"id": "a", "at": [60, 50], "size": [60, 30], "text": "one"},
    {"id": "b", "at": [200, 50], "size": [60, 30], "text": "two"},
    {"id": "c", "at": [130, 120], "size": [60, 30], "text": "three"},
]
WIRES: list[dict[str, Any]] = [{"start": "a.E", "end": "b.W", "text": "32"}]
GOOD: dict[str, Any] = {"title": "t", "size": [260, 160], "box": BOXES, "wire": WIRES}


def picture(**changes: Any) -> Picture:
    """Return the small picture with some keys changed."""
    return Picture.model_validate({**GOOD, **changes})


@pytest.mark.parametrize("path", pictures.sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_diagram_is_legible(path: Path) -> None:
    """No overlap, no clipped text, no crossing, and no wider than a page."""
    found = pictures.load(path)
    assert pictures.problems(found) == []
    assert found.size[0] <= WIDEST


def test_pictures_are_current() -> None:
    """Every SVG is what its source says, and each SVG of a page has a source."""
    made = dict(pictures.made())
    for path, text in made.items():
        name = path.relative_to(ROOT)
        assert not pictures.stale(path, text), f"{name} is stale: run `aesforge pictures`"
    there = {*ROOT.glob("docs/**/*.svg"), *ROOT.glob("accelerators/**/*.svg")}
    assert there == set(made)


def test_pictures_do_not_depend_on_when_they_are_made() -> None:
    """Two runs give the same bytes, and those are XML."""
    first = list(pictures.made())
    assert first == list(pictures.made())
    for _, text in first:
        assert ElementTree.fromstring(text).tag.endswith("svg")


def test_a_stale_picture_is_seen(tmp_path: Path) -> None:
    """A missing file and one changed letter are stale; what was written is not."""
    source = tmp_path / "docs/pictures/small.toml"
    source.parent.mkdir(parents=True)
    source.write_text(
        'title = "t"\nsize = [90, 50]\n'
        'box = [{ id = "a", at = [45, 25], size = [60, 30], text = "one" }]\n'
    )
    target = source.with_suffix(".svg")
    assert target in pictures.write(tmp_path)
    assert pictures.write(tmp_path) == []
    target.write_text(target.read_text().replace("one", "two"))
    assert pictures.write(tmp_path) == [target]


def test_every_accelerator_has_its_diagram() -> None:
    """In its own folder, and on its page."""
    for accelerator in manifest.discover():
        if accelerator.manifest.rtl:
            assert (accelerator.folder / "diagram.toml").is_file(), accelerator.name


def test_a_new_accelerator_has_its_diagram(tmp_path: Path) -> None:
    """The template's SVG is what its source says."""
    folder = new.create("my_unit", tmp_path)
    made = dict(pictures.made(tmp_path))
    assert (folder / "diagram.svg").read_text() == made[folder / "diagram.svg"]


def test_every_picture_is_on_a_page() -> None:
    """Each SVG is shown, with a text for those who do not see it; each one shown is there."""
    shown = set()
    for page in (ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("accelerators/*/*.md")):
        for said, name in re.findall(r"!\[([^\]]*)\]\(([^)]+\.svg)\)", page.read_text()):
            target = (page.parent / name).resolve()
            assert said and target.is_file(), f"{page.relative_to(ROOT)}: {name}"
            shown.add(target)
    assert {path for path, _ in pictures.made()} <= shown


def test_the_small_picture_is_good() -> None:
    """So that what is planted below is what is found."""
    assert pictures.problems(picture()) == []


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"box": [*BOXES[:2], {**BOXES[2], "at": [190, 60]}]}, "boxes b and c overlap"),
        ({"box": [{**BOXES[0], "text": "far too long"}, *BOXES[1:]]}, "the text of a is larger"),
        ({"box": [{**BOXES[0], "text": "1\n2\n3"}, *BOXES[1:]]}, "the text of a is larger"),
        ({"wire": [{"start": "a.W", "end": "b.E"}]}, "the wire a.W to b.E runs through a"),
        (
            {"wire": [*WIRES, {"start": "c.N", "end": [130, 20]}]},
            "text '32' is on the wire c.N",
        ),
        (
            {"wire": [{"start": "a.E", "end": "b.W"}, {"start": "c.N", "end": [130, 20]}]},
            "wires a.E to b.W and c.N to (130.0, 20.0) cross",
        ),
        (
            {"wire": [*WIRES, {"start": "a.S", "end": "b.S", "bend": 75, "text": "x",
                               "text_at": [130, 41]}]},
            "texts '32' and 'x' overlap",
        ),
        ({"wire": [{**WIRES[0], "text_at": [60, 50]}]}, "text '32' is in a"),
        (
            {"frame": [{"text": "", "at": [130, 60], "size": [220, 50]}]},
            "text '32' is on the edge of ''",
        ),
        ({"wire": [{**WIRES[0], "text_at": [130, 158]}]}, "text '32' is outside"),
        ({"size": [260, 130]}, "something is outside"),
    ],
)  # fmt: skip
def test_what_an_eye_would_see_is_found(changes: dict[str, Any], found: str) -> None:
    """Each planted fault is named."""
    assert any(line.startswith(found) for line in pictures.problems(picture(**changes)))


def test_wires_are_right_angled() -> None:
    """Corners follow from the sides that a wire leaves and reaches, or are given."""
    cases: list[tuple[dict[str, Any], list[tuple[float, float]]]] = [
        ({"start": "a.E", "end": "b.W"}, [(90, 50), (170, 50)]),
        ({"start": "a.S", "end": "c.W"}, [(60, 65), (60, 120), (100, 120)]),
        ({"start": "a.E", "end": "c.W", "bend": 95}, [(90, 50), (95, 50), (95, 120), (100, 120)]),
        ({"start": "a.S", "end": "b.S", "bend": 80}, [(60, 65), (60, 80), (200, 80), (200, 65)]),
        ({"start": [100, 50], "end": "c.N"}, [(100, 50), (130, 50), (130, 105)]),
        ({"start": "a.S+10", "end": [100, 90]}, [(70, 65), (70, 90), (100, 90)]),
    ]
    for wire, corners in cases:
        found = picture(wire=[wire])
        assert found.corners(found.wire[0]) == corners


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('wire = [{ start = "z.E", end = "a.W" }]', "there is no end 'z.E'"),
        ('wire = [{ start = "a.E", end = "a.W", via = [[1, 2]] }]', "is not right-angled"),
        ('colour = "red"', "unknown key"),
    ],
)
def test_a_wrong_source_is_an_error(tmp_path: Path, line: str, message: str) -> None:
    """The message names what is wrong."""
    path = tmp_path / "wrong.toml"
    path.write_text(
        f'title = "t"\nsize = [90, 50]\n{line}\n'
        'box = [{ id = "a", at = [45, 25], size = [60, 30] }]\n'
    )
    with pytest.raises(ManifestError, match=message):
        pictures.load(path)
