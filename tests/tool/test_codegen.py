# SPDX-License-Identifier: Apache-2.0
"""Generated files: layout of req_op_i, decoder, package, wrapper, intrinsics."""

from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError
from aesforge.build import codegen
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Manifest
from aesforge.verify import lint

pytestmark = pytest.mark.quick

OPS = [
    ("one", "0001000 rs2 rs1 000 rd 0001011"),
    ("two", "bs[1:0] 10011 rs2 rs1 000 rd 0110011"),
    ("three", "rs3 01 rs2 rs1 010 rd 0101011"),
    ("four", "0011 row[2:0] 00 bs[2:0] rs1 001 rd 0001011"),
]


def sample(
    ops: list[tuple[str, str]], *, stateless: bool = True, variant_ops: list[str] | None = None
) -> Accelerator:
    """An accelerator that exists only as a manifest."""
    state = {"state_words": 0 if stateless else 1}
    data = {
        "name": "sample",
        "kind": "instruction",
        "summary": "for tests",
        "refs": ["none"],
        "stateless": stateless,
        "rtl": {"top": "sample", "params": {"Impl": "small", "Depth": 3}},
        "op": [{"mnemonic": m, "encoding": e, "semantics": "text"} for m, e in ops],
        "variant": [
            {"name": "full", **state},
            {
                "name": "part",
                "ops": variant_ops or [ops[0][0]],
                "params": {"Impl": "big"},
                **state,
            },
        ],
        "sw": {"kernel": ["k.c"], "emul": "e.c"},
    }
    return Accelerator(Path("sample"), Manifest.model_validate(data))


def test_layout() -> None:
    """Codes follow the manifest; an immediate has one place, as wide as its widest use."""
    accelerator = sample(OPS)
    found = codegen.layout(accelerator, accelerator.variant("full"))
    assert found.code_width == 2
    assert [(f.name, f.lsb, f.width) for f in found.fields] == [("bs", 2, 3), ("row", 5, 3)]
    assert [op.code for op in found.operations] == [0, 1, 2, 3]
    assert found.op_word(3, {"row": 5, "bs": 2}) == 3 | 2 << 2 | 5 << 5


def test_variants_share_codes() -> None:
    """A variant with fewer operations keeps the codes of those it has."""
    accelerator = sample(OPS, variant_ops=["four"])
    found = codegen.layout(accelerator, accelerator.variant("part"))
    assert [(op.mnemonic, op.code) for op in found.operations] == [("four", 3)]
    assert found.code_width == 2


def test_a_port_with_one_opcode_and_two_operands() -> None:
    """Three-operand instructions are not offered there; the others get the opcode."""
    accelerator = sample(OPS[:3])
    found = codegen.layout(accelerator, accelerator.variant("full"), "custom-0")
    assert [op.mnemonic for op in found.operations] == ["one", "two"]
    assert {op.encoding.opcode for op in found.operations} == {0x0B}


def test_collisions_under_one_opcode_are_refused() -> None:
    """Encodings that differ in the opcode alone collide on such a port."""
    twins = [("one", OPS[0][1]), ("two", "0001000 rs2 rs1 000 rd 0101011")]
    accelerator = sample(twins)
    with pytest.raises(ManifestError, match="under custom-0: encodings of one and two collide"):
        codegen.layout(accelerator, accelerator.variant("full"), "custom-0")


@pytest.mark.parametrize("bits", ["k[4:0]", "00001"])
def test_bits_that_one_port_does_not_carry_are_refused(bits: str) -> None:
    """CFU passes funct7 and funct3: an immediate or a one in the place of rs2 would be lost."""
    accelerator = sample([("one", f"0001000 {bits} rs1 000 rd 0001011")])
    assert codegen.layout(accelerator, accelerator.variant("full")).operations
    with pytest.raises(ManifestError, match="under custom-0: one has an immediate or ones in bits"):
        codegen.layout(accelerator, accelerator.variant("full"), "custom-0")


def test_too_many_immediate_bits() -> None:
    """req_op_i has 16 bits."""
    ops = [
        (f"op{n}", f"{n + 8:05b}00 {name}[4:0] rs1 000 rd 0001011")
        for n, name in enumerate(("a", "b", "c", "d"))
    ]
    accelerator = sample(ops)
    with pytest.raises(ManifestError, match="need 22 bits, req_op_i has 16"):
        codegen.layout(accelerator, accelerator.variant("full"))


def test_texts() -> None:
    """The generated files say what docs/architecture.md, section 2, promises."""
    accelerator = sample(OPS)
    package = codegen.package_sv(accelerator)
    assert "package sample_ops_pkg;" in package
    assert "OP_FOUR = 2'd3" in package
    assert "BS_LSB = 32'd2" in package and "ROW_W = 32'd3" in package
    unit = codegen.unit_sv(accelerator, accelerator.variant("part"), random_delay=False)
    assert '.Impl("big")' in unit and ".Depth(3)" in unit and "fu_random_delay" not in unit
    delayed = codegen.unit_sv(accelerator, accelerator.variant("part"), random_delay=True)
    assert "fu_random_delay u_delay" in delayed
    header = codegen.ops_h(accelerator, accelerator.variant("full"))
    assert "uint32_t two(uint32_t rs1, uint32_t rs2, const unsigned bs)" in header
    assert "uint32_t four(uint32_t rs1, const unsigned row, const unsigned bs)" in header
    assert "#define ACCEL_ASM __asm__\n" in header
    stateful = codegen.ops_h(sample(OPS, stateless=False), accelerator.variant("full"))
    assert "#define ACCEL_ASM __asm__\n" not in stateful


def test_traits() -> None:
    """What adapters must know follows from operations and variant."""
    accelerator = sample(OPS)
    full = accelerator.variant("full")
    assert codegen.traits(None, None) == codegen.Traits(True, False, 2)
    assert codegen.traits(accelerator, full) == codegen.Traits(True, False, 3)
    slow = full.model_copy(update={"latency": 1, "ops": ["two"]})
    assert codegen.traits(accelerator, slow) == codegen.Traits(True, True, 2)
    kept = full.model_copy(update={"stateless": False, "state_words": 1})
    assert not codegen.traits(accelerator, kept).stateless
    text = codegen.traits_sv(codegen.traits(accelerator, slow))
    assert "Stateless = 1'b1;" in text and "Registered = 1'b1;" in text and "NumRs = 32'd2;" in text


def test_without_an_accelerator(tmp_path: Path) -> None:
    """Decoder and unit exist, match nothing, and are clean in every tool."""
    generated = codegen.generate(tmp_path, None, None)
    names = ["accel_traits_pkg.sv", "accel_decode.sv", "accel_unit.sv"]
    assert [path.name for path in generated.rtl] == names
    assert "assign match_o = 1'b0" in generated.rtl[1].read_text(encoding="utf-8")
    files = [*generated.rtl, lint.UNIT_TOP]
    for tool in lint.TOOLS:
        assert lint.lint(tool, files, "unit_bench_top", scratch=tmp_path).messages == ()


def test_unchanged_files_keep_their_time(tmp_path: Path) -> None:
    """Generating twice changes nothing, so that nothing is built again."""
    accelerator = manifest.units()[0]
    variant = accelerator.variant("")
    first = codegen.generate(tmp_path, accelerator, variant)
    times = [path.stat().st_mtime_ns for path in first.rtl]
    second = codegen.generate(tmp_path, accelerator, variant)
    assert second == first
    assert [path.stat().st_mtime_ns for path in second.rtl] == times


def test_a_misspelt_template_variable_is_an_error() -> None:
    """Templates are strict."""
    with pytest.raises(Exception, match="undefined"):
        codegen.render("ops_pkg.sv.j2", name="sample")
