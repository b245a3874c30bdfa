# SPDX-License-Identifier: Apache-2.0
"""Every unit and variant that fits, as it is handed out for Nios II, against its model."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.build import codegen, integrate, op_numbers
from aesforge.catalog import manifest, planted
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.model_file import load_models
from marks_support import by_default

BENCH = ROOT / "tests/rtl/adapters/nios_tb.sv"
ADAPTER = ROOT / "rtl/adapters/fu_to_nios.sv"
# A withdrawn request needs a unit that makes one wait: tests/rtl/test_adapters.py and the proof.
BUGS = sorted(
    name
    for name, bug in planted.shared().items()
    if ADAPTER in bug.texts() and name != "BUG_NIOS_WITHDRAW"
)
UNITS = manifest.units()


def fits(unit: Accelerator, variant: Variant, port: str) -> bool:
    """Tell whether a port can name and feed a variant's operations."""
    try:
        integrate.require_numbers(unit, variant, port)
    except UsageError:
        return False
    return all("rs3" not in op.parsed.registers for op in unit.manifest.operations(variant))


ALL = [(unit, variant) for unit in UNITS for variant in unit.manifest.variant]
FITTING = [(unit, variant) for unit, variant in ALL if fits(unit, variant, "nios")]
COMBINATIONAL = [(unit, variant) for unit, variant in ALL if fits(unit, variant, "nios_comb")]


def label(value: object) -> str:
    """Return what stands for a unit or a variant in a test's name."""
    return str(getattr(value, "name", value))


def write_lines(unit: Accelerator, variant: Variant, path: Path, count: int = 400) -> None:
    """Write `count` operations with their answers; every 97th is cut short by a reset."""
    draw = random.Random(f"{unit.name}/{variant.name}")
    model = load_models(unit.models(variant))
    layout = codegen.layout(unit, variant)
    restart: Callable[[], None] = getattr(model, "reset", lambda: None)
    restart()
    operations = {op.mnemonic: op for op in unit.manifest.operations(variant)}
    lines = []
    for at in range(count):
        a, b = (draw.choice([0, 0xFFFFFFFF, draw.getrandbits(32)]) for _ in range(2))
        op = draw.choice(layout.operations)
        imms = {imm.name: draw.randrange(1 << imm.width) for imm in op.encoding.immediates}
        number = layout.op_word(op.code, imms)
        latency = max(1, unit.manifest.latency(operations[op.mnemonic], variant))
        if at % 97 == 50:
            restart()
            lines.append((1, latency, latency, number, a, b, 0))
        elif at % 11 == 5 and (foreign := foreign_number(layout, draw)) is not None:
            lines.append((0, 1, 1, foreign, a, b, 0))
        else:
            registers = {"rs1": a, "rs2": b}
            operands = [registers[name] for name in op.encoding.registers]
            answer = getattr(model, op.mnemonic)(*operands, *imms.values())
            most = latency + variant.busy
            lines.append((0, most, latency, number, a, b, answer))
    restart()
    formats = ("x", "02x", "02x", "02x", "08x", "08x", "08x")
    texts = ["".join(map(format, line, formats)) for line in lines]
    path.write_text("\n".join(texts) + "\n")


def foreign_number(layout: codegen.Layout, draw: random.Random) -> int | None:
    """Return a number that is no operation, if one of a few draws is."""
    for _ in range(20):
        number = draw.randrange(256)
        known = any(
            number & ~op_numbers.immediate_bits(layout, op) == op.code for op in layout.operations
        )
        if not known:
            return number
    return None


def simulate(unit: Accelerator, variant: Variant, folder: Path, bug: str = "") -> str:
    """Hand the unit out, run the bench on it in Icarus, and return what it printed."""
    out = folder / "out"
    integrate.hand_out(unit, variant, "nios", out)
    write_lines(unit, variant, folder / "lines.hex")
    if bug:
        (out / "rtl" / ADAPTER.name).write_text(planted.shared()[bug].texts()[ADAPTER])
    build = ["iverilog", "-g2012", "-s", "nios_tb", "-o", str(folder / "tb")]
    subprocess.run([*build, "-f", "files.f", str(BENCH)], cwd=out / "rtl", check=True)
    run = ["vvp", "-n", str(folder / "tb"), "+count=400"]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


@pytest.mark.parametrize(
    "subject", by_default(FITTING), ids=lambda found: "-".join(map(label, found))
)
def test_unit_behind_the_port(subject: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Answers, timing to the clock, stalls by clk_en, foreign numbers, reset in the middle."""
    assert simulate(*subject, tmp_path).strip().endswith("PASS 400")


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bug(bug: str, tmp_path: Path) -> None:
    """The bench turns red with each bug of the adapter, with some unit."""
    by_latency = {latency_of(*found): found for found in FITTING}
    said = ""
    for latency, (unit, variant) in by_latency.items():
        folder = tmp_path / str(latency)
        folder.mkdir()
        said += simulate(unit, variant, folder, bug)
    assert "FAIL" in said


def latency_of(unit: Accelerator, variant: Variant) -> int:
    """Return the largest latency of a variant's operations."""
    return max(unit.manifest.latency(op, variant) for op in unit.manifest.operations(variant))


def test_header(tmp_path: Path) -> None:
    """Each operation has its number and its builtin, and a kernel's call has the number's value."""
    for unit, variant in FITTING:
        layout = codegen.layout(unit, variant)
        header = op_numbers.nios_h(unit.name, layout)
        calls = []
        for op in layout.operations:
            imms = {imm.name: (1 << imm.width) - 1 for imm in op.encoding.immediates}
            arguments = ", ".join(
                [*("1u" for _ in op.encoding.registers), *map(str, imms.values())]
            )
            word = layout.op_word(op.code, imms)
            calls.append(f'_Static_assert({op.mnemonic}({arguments}) == {word}, "number");')
        source = "\n".join(
            [
                "#define __builtin_custom_inii(n, a, b) (n)",
                "#define __builtin_custom_ini(n, a) (n)",
                header,
                *calls,
            ]
        )
        (tmp_path / "calls.c").write_text(source)
        subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", tmp_path / "calls.c"], check=True)


def test_refusals(tmp_path: Path) -> None:
    """Variants that the combinational port cannot perform are refused by the tool and by RTL."""
    refused = [found for found in ALL if found not in COMBINATIONAL]
    sets = [unit for unit, _ in ALL if unit.manifest.kind == "set"]
    assert sets and not {unit.name for unit in sets} & {unit.name for unit, _ in COMBINATIONAL}
    for unit, variant in refused:
        with pytest.raises(UsageError):
            integrate.hand_out(unit, variant, "nios_comb", tmp_path / "refused")
    build = ["iverilog", "-g2012", "-t", "null", "-s", "fu_to_nios_comb"]
    for parameter in ("Stateless=0", "Registered=1"):
        words = [*build, f"-Pfu_to_nios_comb.{parameter}", ROOT / "rtl/adapters/fu_to_nios_comb.sv"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode != 0, parameter
        assert "aesforge_unit_is_not_combinational" in done.stderr
