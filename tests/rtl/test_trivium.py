# SPDX-License-Identifier: Apache-2.0
"""rtl/masked/trivium.sv: published key streams, the model's, and nothing without a seed."""

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import simulator_support as simulator
from aesforge.build import library
from aesforge.model import trivium
from aesforge.verify import lint
from marks_support import slow_unless

MAIN = Path(__file__).parent / "masked" / "trivium_main.cpp"
WIDTHS = (64, 96, 128)
BUGS = ("BUG_TRIVIUM_TAP", "BUG_TRIVIUM_AND", "BUG_TRIVIUM_EARLY", "BUG_TRIVIUM_KEEPS")

# eSTREAM's verified test vectors for Trivium (80-bit key and IV): key and stream as bytes, IV zero.
PUBLISHED = (
    ("00000000000000000000", "fbe0bf265859051b517a2e4e239fc97f"),
    ("80000000000000000000", "38eb86ff730d7a9caf8df13a4420540d"),
)

Step = tuple[str, int, int]  # a letter of trivium_main.cpp, key, IV
NOTHING: Step = ("n", 0, 0)


def number(octets: str) -> int:
    """Return a key of eSTREAM as the RTL takes it: the last byte's highest bit is K1."""
    return int.from_bytes(bytes.fromhex(octets), "little")


def simulate(
    scratch: Path, steps: Sequence[Step], width: int = 128, bug: str = ""
) -> list[tuple[int, int]]:
    """Return valid_o and random_o after each step."""
    lines = []
    for letter, key, iv in steps:
        words = [value >> at & 0xFFFFFFFF for value in (key, iv) for at in (0, 32, 64)]
        lines.append(f"{letter} {' '.join(f'{word:x}' for word in words)}")
    simulation = simulator.program(MAIN, "trivium", bug, f"-GWidth={width}")
    return [
        (int(valid), sum(int(w, 16) << 32 * at for at, w in enumerate(rest)))
        for valid, *rest in simulator.run(simulation, scratch, lines)
    ]


def expected(steps: Sequence[Step], width: int) -> list[tuple[int, int]]:
    """Return what the model says of the same steps; a seed is that of the step behind `s`."""
    found: list[tuple[int, int]] = []
    source: Iterator[int] | None = None
    left = 0
    asked = False
    for letter, key, iv in steps:
        bits = 0
        if letter != "n":
            source = None
        elif asked:
            source, left = trivium.stream(key, iv), trivium.WARM_UP // width + 1
        elif source is not None and left == 0:
            bits = sum(bit << at for at, bit in enumerate(itertools.islice(source, width)))
        found.append((int(source is not None and left == 0), bits))
        left = max(left - 1, 0)
        asked = letter == "s"
    return found


def run_of(rng: random.Random) -> list[Step]:
    """Return seeds, pauses, clears and resets in no order, with a few cycles of key stream."""
    steps: list[Step] = [("r", 0, 0)]
    for _ in range(40):
        letters = rng.choice("sssscbr") + "n" * rng.choice((1, 5, 12, 25, 40))
        steps += [(letter, rng.getrandbits(80), rng.getrandbits(80)) for letter in letters]
    return steps


@pytest.mark.parametrize("width", WIDTHS)
def test_published_streams(tmp_path: Path, width: int) -> None:
    """Model and RTL give the published key streams, from the first bit on."""
    for key, stream in PUBLISHED:
        bits = list(itertools.islice(trivium.stream(number(key), 0), 128))
        octets = sum(bit << at for at, bit in enumerate(bits)).to_bytes(16, "little")
        assert octets.hex() == stream
        warm = trivium.WARM_UP // width + 1
        steps = [("r", 0, 0), ("s", 0, 0), ("n", number(key), 0), *[NOTHING] * warm]
        printed = simulate(tmp_path, steps, width)
        assert printed[:-1] == [(0, 0)] * (warm + 2)
        valid, first = printed[-1]
        assert valid and first.to_bytes(width // 8, "little").hex() == stream[: width // 4]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_model_in_every_cycle(tmp_path: Path, width: int) -> None:
    """Whatever the order of seeds, clears and resets: the same bits, valid in the same cycles."""
    steps = run_of(random.Random(width))
    wanted = expected(steps, width)
    assert sum(valid for valid, _ in wanted) > 100
    assert simulate(tmp_path, steps, width) == wanted


def test_nothing_without_a_seed(tmp_path: Path) -> None:
    """Neither after reset nor after a clear that comes with a seed."""
    steps = [("r", 0, 0), *[NOTHING] * 40, ("s", 1, 2), *[NOTHING] * 20, ("b", 1, 2)]
    printed = simulate(tmp_path, [*steps, *[NOTHING] * 40])
    assert printed[:42] == [(0, 0)] * 42 and printed[len(steps) - 1 :] == [(0, 0)] * 41
    assert printed[len(steps) - 2][0] == 1


@pytest.mark.parametrize("bug", slow_unless(BUGS[:2].__contains__, BUGS))
def test_a_planted_bug_is_seen(tmp_path: Path, bug: str) -> None:
    """In the same run."""
    steps = run_of(random.Random(64))
    assert simulate(tmp_path, steps, 64, bug) != expected(steps, 64)


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_readers_have_nothing_to_say(tool: str, tmp_path: Path) -> None:
    """All four tools read the module without a warning."""
    files = library.library().files(["trivium"])
    assert lint.lint(tool, files, "trivium", scratch=tmp_path).messages == ()
