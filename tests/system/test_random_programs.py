# SPDX-License-Identifier: Apache-2.0
"""Random programs on every platform against the instruction-level model (docs/interrupts.md).

The default set takes the tests' own unit, which has every shape of operands, through all
configurations; `slow` adds every accelerator, planted bugs and cures left out.
"""

from functools import cache

import pytest

from aesforge.base.paths import ROOT
from aesforge.bench.questions import random as question
from aesforge.bench.questions.random import CONFIGURATIONS, RandomResult, Target
from aesforge.build import system
from aesforge.catalog import manifest, planted, platform
from aesforge.catalog.encoding import parse
from aesforge.catalog.manifest import Accelerator
from aesforge.catalog.platform import Platform
from aesforge.programs import randprog
from aesforge.programs.iss import CustomOperation, Iss

SHAPES = manifest.load(ROOT / "tests" / "fixtures" / "shapes")
PLATFORMS = platform.discover()
SEEDS = 36  # of each configuration: 216 a platform
SEEDS_TO_FAIL = 20

# Planted bugs of the adapters that legal programs on these cores show; the others need illegal
# instructions or another core's timing, and are in the adapters' own tests.
VISIBLE = {
    "pcpi": ("BUG_PCPI_OPERAND", "BUG_PCPI_REPEAT"),
    "cfu": ("BUG_CFU_SHALLOW",),
    "cvxif": ("BUG_XIF_KILL", "BUG_XIF_DROP"),
}

every_platform = pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)


def shapes_on(found: Platform) -> Target:
    """Return the tests' unit with all operations that a platform's port can feed."""
    variant = "three" if found.manifest.operands >= 3 else "two"
    return question.target(SHAPES, SHAPES.variant(variant), found)


def check(result: RandomResult, configuration: question.Configuration) -> None:
    """Fail with the first differing seed and where its reproducer is."""
    assert result.passed, f"{configuration.name}: {result.bad} bad, {result.first}"
    if configuration.irq_span:
        assert result.interrupts >= result.programs, "hardly any interrupt came"


@every_platform
@pytest.mark.parametrize("index", range(len(CONFIGURATIONS)), ids=[c.name for c in CONFIGURATIONS])
def test_random_programs(found: Platform, index: int) -> None:
    """Programs of seeds of their own in every configuration end as the model says."""
    configuration = CONFIGURATIONS[index]
    seeds = range(1000 * index, 1000 * index + SEEDS)
    result = question.run(shapes_on(found), configuration, seeds)
    check(result, configuration)
    assert result.programs == SEEDS
    assert 0.2 <= result.custom / result.instructions <= 0.4


@every_platform
def test_a_wrong_model_is_seen(found: Platform) -> None:
    """One wrong bit in the model of any operation shows, with a folder to look into it."""
    subject = shapes_on(found)
    for operation in subject.operations:
        wrong = question.altered(subject, operation.mnemonic)
        reproduce = operation is subject.operations[0]
        result = question.run(wrong, CONFIGURATIONS[0], range(3), reproduce=reproduce)
        assert not result.passed and result.bad == 3
        assert result.first is not None and result.first.differences
        assert (result.first.folder is not None) == reproduce
        if result.first.folder is not None:
            listing = (result.first.folder / "program.lst").read_text()
            assert operation.mnemonic in listing and "epilogue" in listing
            assert f"seed {result.first.seed}" in (result.first.folder / "report.txt").read_text()
            assert (result.first.folder / "image.bin").is_file()


@pytest.mark.slow
@every_platform
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=[c.name for c in CONFIGURATIONS])
def test_slow_unit(found: Platform, configuration: question.Configuration) -> None:
    """A unit that takes one request at a time and three cycles for it."""
    subject = question.target(SHAPES, SHAPES.variant("two-slow"), found)
    check(question.run(subject, configuration, range(5000, 5000 + SEEDS)), configuration)


def offered() -> list[tuple[Accelerator, str, Platform]]:
    """Every variant of every accelerator with instructions, on every platform that takes it."""
    return [
        (accelerator, variant.name, found)
        for accelerator in manifest.discover()
        if accelerator.manifest.kind == "instruction"
        for variant in accelerator.manifest.variant
        if accelerator.manifest.is_stateless(variant)
        for found in PLATFORMS
        if system.reason_to_skip(accelerator, variant, found) is None
    ]


@pytest.mark.slow
@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=[c.name for c in CONFIGURATIONS])
@pytest.mark.parametrize(
    ("accelerator", "variant", "found"),
    [pytest.param(a, v, p, id=f"{a.name}-{v}-{p.name}") for a, v, p in offered()],
)
def test_accelerators(
    accelerator: Accelerator, variant: str, found: Platform, configuration: question.Configuration
) -> None:
    """Every accelerator's operations in random programs, compared with its Python model."""
    subject = question.target(accelerator, accelerator.variant(variant), found)
    check(question.run(subject, configuration, range(7000, 7000 + SEEDS)), configuration)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("found", "bug"),
    [
        pytest.param(found, bug, id=f"{found.name}-{bug}")
        for found in PLATFORMS
        for bug in VISIBLE.get(found.manifest.port, ())
    ],
)
def test_planted_bugs_of_adapters_are_seen(found: Platform, bug: str) -> None:
    """The configuration with everything in it turns red."""
    assert found.adapter() in planted.shared()[bug].texts(), f"{bug} is not in the adapter"
    result = question.run(
        shapes_on(found),
        CONFIGURATIONS[-1],
        range(SEEDS_TO_FAIL),
        bug=bug,
        reproduce=False,
    )
    assert not result.passed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("found", "cure"),
    [
        pytest.param(found, cure.name, id=f"{found.name}-{cure.name}")
        for found in PLATFORMS
        for cure in found.cures
    ],
)
def test_a_core_without_a_cure_is_seen(found: Platform, cure: str) -> None:
    """Random programs find each fault of a core that a cure mends."""
    result = question.run(
        shapes_on(found),
        CONFIGURATIONS[-1],
        range(SEEDS_TO_FAIL),
        without_cures=[cure],
        reproduce=False,
    )
    assert not result.passed


# --- the generator itself, without a simulator --------------------------------------------------

ADDRESS = 0x10000
FRAME = 0x2000
STOP = 0x40


@cache
def affine() -> CustomOperation:
    """An operation that can make any value."""
    return CustomOperation(
        "affine", parse("0100000 rs2 rs1 000 rd 0001011"), lambda a, b: a ^ b * 5 & 0xFFFF_FFFF
    )


@cache
def opaque() -> CustomOperation:
    """An operation that cannot."""
    return CustomOperation(
        "opaque", parse("n[6:0] rs2 rs1 001 rd 0001011"), lambda a, b, n: (a * b + n) & 0xFFFF
    )


def executed(program: randprog.Program, operations: tuple[CustomOperation, ...]) -> Iss:
    """Run a program on the model."""
    memory = bytearray(0x20000)
    for number, word in enumerate(program.words):
        at = program.address + 4 * number
        memory[at : at + 4] = word.to_bytes(4, "little")
    at = FRAME + 4 * randprog.FRAME_RETURN
    memory[at : at + 4] = STOP.to_bytes(4, "little")
    iss = Iss(memory, operations, pc=program.entry)
    iss.registers[2] = FRAME
    iss.run(until=STOP, limit=20_000)
    return iss


@pytest.mark.parametrize("operations", [(), ("opaque",), ("affine", "opaque")], ids=str)
def test_programs_end_and_keep_to_themselves(operations: tuple[str, ...]) -> None:
    """Every program returns, and writes nothing but its scratch memory and the frame."""
    chosen = tuple({"affine": affine, "opaque": opaque}[name]() for name in operations)
    for seed in range(20):
        program = randprog.generate(seed, chosen, ADDRESS)
        iss = executed(program, chosen)
        words = program.words
        for number, word in enumerate(words):
            at = program.address + 4 * number
            if not program.scratch_address <= at < program.entry:
                assert iss.memory[at : at + 4] == word.to_bytes(4, "little"), f"seed {seed}"
        assert not any(iss.memory[:FRAME])
        assert not any(iss.memory[FRAME + 4 * 34 : ADDRESS])


def test_programs_repeat_and_grow_from_the_front() -> None:
    """A seed gives one program; a shorter one is its beginning."""
    operations = (affine(), opaque())
    whole = randprog.generate(5, operations, ADDRESS)
    assert randprog.generate(5, operations, ADDRESS) == whole
    assert randprog.generate(6, operations, ADDRESS) != whole
    cut = randprog.generate(5, operations, ADDRESS, length=300)
    body = (cut.epilogue - cut.entry) // 4
    assert 300 <= body < len(whole.code)
    assert (cut.registers, cut.scratch) == (whole.registers, whole.scratch)
    assert cut.code[:300] == whole.code[:300]


def test_the_mix_holds_what_it_promises() -> None:
    """Over some seeds: every operation, every kind of instruction, results used right after."""
    operations = (affine(), opaque())
    opcodes: set[int] = set()
    divisions: set[int] = set()
    used_at: set[int] = set()
    jumps_through_results = 0
    for seed in range(40):
        code = randprog.generate(seed, operations, ADDRESS).code
        found = [[o.mnemonic for o in operations if o.encoding.matches(word)] for word in code]
        assert {name for names in found for name in names} == {"affine", "opaque"}
        for at, word in enumerate(code):
            opcodes.add(word & 0x7F)
            if word & 0xFE00007F == 0x02000033:
                divisions.add(word >> 12 & 7)
            rd = word >> 7 & 31
            if not found[at] or rd == 0:
                continue
            for distance, later in enumerate(code[at + 1 : at + 4]):
                if rd in (later >> 15 & 31, later >> 20 & 31):
                    used_at.add(distance)
            following = code[at + 1]
            jumps_through_results += following & 0x7F == 0x67 and following >> 15 & 31 == rd
    assert opcodes == {0x03, 0x0B, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6F, 0x73}
    assert divisions == set(range(8))
    assert used_at == {0, 1, 2}
    assert jumps_through_results >= 20


def test_affine_operations_make_chosen_values() -> None:
    """Solving gives operands for any value; a map of lower rank or no affine map is refused."""
    solver = randprog.Affine(affine(), 0, [0, 0x1234], [])
    assert solver.can_make_all
    for wanted in (0, 0xFFFF_FFFF, 0x8000_1234):
        assert affine().evaluate(solver.solve(wanted), []) == wanted
    assert not randprog.Affine(opaque(), 0, [0, 3], [1]).can_make_all
