# SPDX-License-Identifier: Apache-2.0
"""Cures of cores (platforms/*/cures.toml): each one's test fails without it and passes with it.

The sequences are in tests/system/firmware/cures.c; each runs on the cured core, and on the core
with one cure left out, where it must go wrong: a wrong result, a trap or a hang.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import platform_support as support
from aesforge.base.errors import ManifestError, UsageError
from aesforge.build import simulate
from aesforge.catalog import platform
from aesforge.catalog.platform import Platform
from platform_support import PLATFORMS

OPERANDS = ((0x12345678, 0x00000123), (0xFFFFFFFF, 0x80000001), (0xDEADBEEF, 0x0BADCAFE))
CYCLES = 20_000  # a right run takes some hundreds

DEVICE_CASE = 61  # reads twenty words and writes them again

Waits = tuple[int, int, int]  # instruction, data, seed
NO_WAIT: Waits = (0, 0, 0)
DATA_WAIT: Waits = (0, 2, 0)

# Case number in cures.c: what is before or around the custom instruction.
STALLS = {
    0: "divu",
    1: "divu, dependent",
    2: "mulhu",
    3: "mulhu, dependent",
    4: "misaligned lw",
    6: "csrr cycle",
    7: "csrr instret",
}
STALLS_OF_DATA_BUS = {8: "lw", 9: "sw"}
THIRD = {
    20: "addi",
    21: "addi, 1 between",
    22: "lw",
    23: "lw, 1 between",
    24: "mul",
    25: "mul, 1 between",
    26: "custom",
    27: "custom, 1 between",
    28: "divu",
}
JUMPS = {40: "jalr", 41: "jalr, 1 between"}
ACCESSES = {60: "loads and stores in memory", 61: "accesses of a device"}
RIGHT_ANYWAY = {
    5: "misaligned lw, dependent",
    10: "lw, dependent",
    29: "third operand, addi, 2 between",
    42: "jalr, 2 between",
}
EVERY_CASE = STALLS | STALLS_OF_DATA_BUS | THIRD | JUMPS | ACCESSES | RIGHT_ANYWAY

CURED = [found for found in PLATFORMS if found.cures]


@cache
def with_cure(name: str) -> Platform:
    """Return the platform that has a cure of this name."""
    return next(found for found in CURED if name in [cure.name for cure in found.cures])


def right(
    found: Platform, executable: Path, folder: Path, case: int, waits: Sequence[Waits]
) -> bool:
    """Tell whether a case is right with all operands and wait states."""
    made = support.firmware(found, "cures.c")
    for iwait, dwait, seed in waits:
        for operands in OPERANDS:
            result, output = support.run(
                executable,
                made,
                folder,
                given=[case, *operands, *(range(20) if case == DEVICE_CASE else ())],
                iwait=iwait,
                dwait=dwait,
                seed=seed,
                max_cycles=CYCLES,
            )
            if (result.status, result.exit) != ("exit", 0):
                assert (result.status, result.exit) != ("exit", 2), "no such case"
                return False
            if case == DEVICE_CASE and output != support.words(*range(20)):
                return False
    return True


def shown(cure: str, case: int, folder: Path, waits: Waits, delay: int = 0) -> None:
    """Assert that a case goes wrong without a cure and right with all of them."""
    found = with_cure(cure)
    broken = support.model(found, delay=delay, without_cures=[cure])
    assert not right(found, broken, folder, case, [waits]), f"right without {cure}"
    assert right(found, support.model(found, delay=delay), folder, case, [waits])


def cases(names: dict[int, str]) -> pytest.MarkDecorator:
    """Run a test for each case, under the case's name."""
    return pytest.mark.parametrize("case", names, ids=lambda case: names[case].replace(", ", "-"))


@cases(STALLS)
def test_issue_while_ex_stalls(case: int, tmp_path: Path) -> None:
    """After an instruction that stalls EX: the result is kept, the operands are the newest."""
    shown("issue-while-ex-stalls", case, tmp_path, NO_WAIT)


@cases(STALLS_OF_DATA_BUS)
def test_issue_while_data_bus_waits(case: int, tmp_path: Path) -> None:
    """The same after loads and stores when the data bus has wait states."""
    shown("issue-while-ex-stalls", case, tmp_path, DATA_WAIT)


@cases(THIRD)
def test_third_operand_forwarding(case: int, tmp_path: Path) -> None:
    """The third operand is the newest value, whatever produced it and how long ago."""
    shown("third-operand-forwarding", case, tmp_path, NO_WAIT)


@cases(JUMPS)
def test_jump_to_offloaded_result(case: int, tmp_path: Path) -> None:
    """A jump goes where a custom instruction says."""
    shown("jump-to-offloaded-result", case, tmp_path, NO_WAIT)


@cases(ACCESSES)
def test_access_behind_waiting_result(case: int, tmp_path: Path) -> None:
    """A load or store after a slow custom instruction happens once, and the core goes on."""
    waits = DATA_WAIT if case == 60 else NO_WAIT
    shown("access-behind-waiting-result", case, tmp_path, waits, delay=4)


@pytest.mark.parametrize("found", CURED, ids=lambda found: found.name)
@pytest.mark.parametrize("delay", [0, 4])
def test_cured_core(found: Platform, delay: int, tmp_path: Path) -> None:
    """With all cures every case is right, whatever the memory's and the unit's timing."""
    executable = support.model(found, delay=delay)
    waits = [NO_WAIT, DATA_WAIT, (1, 1, 0), *((3, 3, seed) for seed in range(1, 4))]
    wrong = [
        name
        for case, name in EVERY_CASE.items()
        if not right(found, executable, tmp_path, case, waits)
    ]
    assert wrong == []


@pytest.mark.parametrize("found", CURED, ids=lambda found: found.name)
def test_each_cure_names_its_test(found: Platform) -> None:
    """The test that a cure names exists in this file."""
    for cure in found.cures:
        file, _, function = cure.test.partition("::")
        assert Path(__file__).name == Path(file).name
        assert callable(globals()[function])


def test_cure_that_does_not_apply(tmp_path: Path) -> None:
    """A cure whose text is not there exactly once stops the build and says which and where."""
    found = CURED[0]
    cure = found.cures[0]
    for find, times in (("no such text", 0), ("assign", 2)):
        changed = cure.model_copy(update={"find": find})
        broken = Platform(found.folder, found.manifest, (changed,))
        with pytest.raises(ManifestError, match=f"{cure.name}.*instead of once") as caught:
            simulate.build_model(broken, support.UNIT)
        assert (" 0 times" in str(caught.value)) == (times == 0)
    broken = Platform(found.folder, found.manifest, (cure.model_copy(update={"file": "none.sv"}),))
    with pytest.raises(ManifestError, match=r"no file 'none\.sv'"):
        broken.cured()
    with pytest.raises(UsageError, match="no cure other"):
        found.cured(without=["other"])
    copy = tmp_path / found.name
    copy.mkdir()
    (copy / "platform.toml").write_text((found.folder / "platform.toml").read_text())
    (copy / "cures.toml").write_text((found.folder / "cures.toml").read_text() * 2)
    with pytest.raises(ManifestError, match="cure named twice"):
        platform.load(copy)
