# SPDX-License-Identifier: Apache-2.0
"""Everything that follows from a manifest's [[op]] table: decoder, package, wrapper, intrinsics.

The files are described in docs/architecture.md, section 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from aesforge.base.errors import ManifestError
from aesforge.catalog import encoding, sets
from aesforge.catalog.encoding import Encoding
from aesforge.catalog.manifest import (
    Accelerator,
    Member,
    Operation,
    Variant,
    check_encodings,
)

OP_WIDTH = 16  # bits of req_op_i: {immediates, code}


@dataclass(frozen=True)
class DecodedOperation:
    """An operation as one port sees it."""

    mnemonic: str
    semantics: str
    code: int
    encoding: Encoding


@dataclass(frozen=True)
class FieldLayout:
    """Position of an immediate inside req_op_i."""

    name: str
    lsb: int
    width: int


@dataclass(frozen=True)
class Layout:
    """How req_op_i is divided, and the operations that a variant has on a port."""

    code_width: int
    fields: tuple[FieldLayout, ...]
    operations: tuple[DecodedOperation, ...]

    def field(self, name: str) -> FieldLayout:
        """Return an immediate's place by name."""
        return next(field for field in self.fields if field.name == name)

    def op_word(self, code: int, immediates: dict[str, int]) -> int:
        """Return req_op_i for a code and immediate values."""
        return code | sum(value << self.field(name).lsb for name, value in immediates.items())


def layout(accelerator: Accelerator, variant: Variant, opcode: str = "") -> Layout:
    """Lay out req_op_i. Codes follow the order of all [[op]]s, so that variants share them."""
    if accelerator.manifest.kind == "set":
        return _joined_layout(accelerator, variant, opcode)
    manifest = accelerator.manifest
    code_width = max(1, (len(manifest.op) - 1).bit_length())
    widths: dict[str, int] = {}
    for operation in manifest.op:
        for imm in operation.parsed.immediates:
            widths[imm.name] = max(imm.width, widths.get(imm.name, 0))
    fields: list[FieldLayout] = []
    lsb = code_width
    for name, width in widths.items():
        fields.append(FieldLayout(name, lsb, width))
        lsb += width
    if lsb > OP_WIDTH:
        raise ManifestError(
            f"{accelerator.name}: code and immediates need {lsb} bits, req_op_i has {OP_WIDTH}"
        )
    forced = encoding.OPCODES[opcode] if opcode else 0
    chosen = [op for op in manifest.operations(variant) if not forced or _fits_r_type(op)]
    for operation in chosen if forced else ():
        if uses_rs2_bits(operation):
            raise ManifestError(
                f"{accelerator.name}: under {opcode}: {operation.mnemonic} has an immediate or ones"
                " in bits 24:20, which the port does not carry; use bits 31:25"
            )
    try:
        check_encodings(chosen, forced)
    except ValueError as error:
        raise ManifestError(f"{accelerator.name}: under {opcode}: {error}") from error
    codes = {operation.mnemonic: code for code, operation in enumerate(manifest.op)}
    operations = tuple(
        DecodedOperation(
            operation.mnemonic,
            operation.semantics,
            codes[operation.mnemonic],
            operation.parsed.with_opcode(forced) if forced else operation.parsed,
        )
        for operation in chosen
    )
    return Layout(code_width, tuple(fields), operations)


def unit_width(members: Sequence[Member]) -> int:
    """Return the bits of req_op_i that name a unit of a set, the lowest ones."""
    return (len(members) - 1).bit_length()


def _joined_layout(accelerator: Accelerator, variant: Variant, opcode: str) -> Layout:
    """Lay out req_op_i of a set: {immediates, code of the unit, number of the unit}."""
    members = accelerator.members(variant)
    parts = [layout(member.accelerator, member.variant, opcode) for member in members]
    try:
        sets.require_fit(members, encoding.OPCODES[opcode] if opcode else 0)
    except ValueError as error:
        raise ManifestError(f"{accelerator.name}: under {opcode}: {error}") from error
    low = unit_width(members)
    width = low + max(part.code_width for part in parts)
    fields: dict[str, FieldLayout] = {}
    operations: list[DecodedOperation] = []
    for number, part in enumerate(parts):
        for field in part.fields:
            placed = FieldLayout(field.name, field.lsb - part.code_width + width, field.width)
            if fields.setdefault(field.name, placed) != placed:
                raise ManifestError(
                    f"{accelerator.name}: two units have an immediate '{field.name}' of different"
                    " places or widths"
                )
            if placed.lsb + placed.width > OP_WIDTH:
                raise ManifestError(
                    f"{accelerator.name}: unit, code and immediates need"
                    f" {placed.lsb + placed.width} bits, req_op_i has {OP_WIDTH}"
                )
        operations += [replace(op, code=op.code << low | number) for op in part.operations]
    return Layout(width, tuple(fields.values()), tuple(operations))


def op_expression(found: Layout, operation: DecodedOperation) -> str:
    """Return req_op_i of an operation as a concatenation over insn_i, from bit 15 down."""
    pieces = [f"{found.code_width}'d{operation.code}"]
    at = found.code_width
    for imm in sorted(operation.encoding.immediates, key=lambda imm: found.field(imm.name).lsb):
        lsb = found.field(imm.name).lsb
        if lsb > at:
            pieces.append(f"{lsb - at}'d0")
        pieces.append(f"insn_i[{imm.lsb + imm.width - 1}:{imm.lsb}]")
        at = lsb + imm.width
    if at < OP_WIDTH:
        pieces.append(f"{OP_WIDTH - at}'d0")
    return "{" + ", ".join(reversed(pieces)) + "}"


def uses_rs2_bits(operation: Operation) -> bool:
    """Tell whether bits 24:20 mean anything but a register: CFU carries funct7 and funct3 alone."""
    parsed = operation.parsed
    ones = "rs2" not in parsed.registers and parsed.value >> 20 & 31 != 0
    return ones or any(imm.lsb < 25 for imm in parsed.immediates)


def _fits_r_type(operation: Operation) -> bool:
    """Tell whether an operation has at most two register operands (all that CFU can feed)."""
    return "rs3" not in operation.parsed.registers


@lru_cache(maxsize=1)
def _templates() -> Environment:
    """The package's templates; a misspelt name is an error."""
    return Environment(
        loader=PackageLoader("aesforge", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(template: str, **values: object) -> str:
    """Fill a template of src/aesforge/templates."""
    return _templates().get_template(template).render(**values)


def decode_sv(found: Layout | None) -> str:
    """Return accel_decode.sv; None gives a decoder that matches nothing."""
    return render("accel_decode.sv.j2", layout=found, op_expression=op_expression)


def _params(accelerator: Accelerator, variant: Variant) -> dict[str, str]:
    """A variant's RTL parameters as SystemVerilog writes them."""
    rtl = accelerator.manifest.rtl
    assert rtl is not None
    return {
        name: f'"{value}"' if isinstance(value, str) else str(value)
        for name, value in {**rtl.params, **variant.params}.items()
    }


def unit_sv(accelerator: Accelerator | None, variant: Variant | None, random_delay: bool) -> str:
    """Return accel_unit.sv: the unit with its parameters, after fu_random_delay if asked."""
    if accelerator is None or variant is None or not accelerator.manifest.is_unit:
        return render("accel_unit.sv.j2", top="", params={}, random_delay=False)
    if accelerator.manifest.kind == "set":
        return render("accel_unit.sv.j2", top="accel_set", params={}, random_delay=random_delay)
    assert accelerator.manifest.rtl is not None
    return render(
        "accel_unit.sv.j2",
        top=accelerator.manifest.rtl.top,
        params=_params(accelerator, variant),
        random_delay=random_delay,
    )


def set_sv(accelerator: Accelerator, variant: Variant) -> str:
    """Return the module accel_set: the units of a set after fu_join."""
    members = accelerator.members(variant)
    units = [
        {
            "name": member.accelerator.name,
            "top": member.accelerator.manifest.rtl.top,
            "params": _params(member.accelerator, member.variant),
            "code_width": layout(member.accelerator, member.variant).code_width,
        }
        for member in members
        if member.accelerator.manifest.rtl is not None
    ]
    return render(
        "accel_set.sv.j2",
        name=accelerator.name,
        variant=variant.name,
        units=units,
        registered=traits(accelerator, variant).registered,
        unit_width=unit_width(members),
        code_width=layout(accelerator, variant).code_width,
    )


def states_c(accelerator: Accelerator, variant: Variant) -> str:
    """Return accel_states.c: what saves and restores several units; empty if no more than one."""
    found = accelerator.with_state(variant)
    if len(found) < 2:
        return ""
    words = [member.variant.state_words for member in found]
    units = [
        {"name": member.accelerator.name, "first": sum(words[:at]), "words": words[at]}
        for at, member in enumerate(found)
    ]
    return render("accel_states.c.j2", name=accelerator.name, units=units)


def block_sv(accelerator: Accelerator | None, variant: Variant | None) -> str:
    """Return accel_block.sv: the accelerator on the bus with its parameters, or none."""
    if accelerator is None or variant is None or not accelerator.manifest.on_bus:
        return render("accel_block.sv.j2", top="", params={}, master=False)
    return render(
        "accel_block.sv.j2",
        top=accelerator.manifest.circuit(variant)[0],
        params=_params(accelerator, variant),
        master=accelerator.manifest.kind == "dma",
    )


def package_sv(accelerator: Accelerator) -> str:
    """Return <name>_ops_pkg.sv, shared by all variants and ports."""
    full = layout(accelerator, Variant(name="all"))
    return render("ops_pkg.sv.j2", name=accelerator.name, layout=full)


def inner_sv(accelerator: Accelerator, variant: Variant) -> dict[str, str]:
    """Return what accel_unit.sv needs beside RTL of the repository, by file.

    That is the package of operations of a unit, of each unit of a set, and what joins these.
    """
    units = [member.accelerator for member in accelerator.members(variant)]
    found = {f"{unit.name}_ops_pkg.sv": package_sv(unit) for unit in units}
    if accelerator.manifest.kind == "set":
        found["accel_set.sv"] = set_sv(accelerator, variant)
    return found


def ops_h(accelerator: Accelerator, variant: Variant, opcode: str = "") -> str:
    """Return accel_ops.h for a variant on a port."""
    return render(
        "accel_ops.h.j2",
        name=accelerator.name,
        layout=layout(accelerator, variant, opcode),
        stateless=accelerator.manifest.is_stateless(variant),
    )


@dataclass(frozen=True)
class Traits:
    """What an adapter must know of a variant beside its operations."""

    stateless: bool  # operations may be tried and dropped
    registered: bool  # every response is at least one cycle after its request
    operands: int  # register operands that the operations read: 2 or 3


def traits(accelerator: Accelerator | None, variant: Variant | None) -> Traits:
    """Return a variant's traits; None is the unit that is not there."""
    if accelerator is None or variant is None or not accelerator.manifest.is_unit:
        return Traits(stateless=True, registered=False, operands=2)
    found = accelerator.manifest
    operations = found.operations(variant)
    return Traits(
        stateless=found.is_stateless(variant),
        registered=all(found.latency(operation, variant) > 0 for operation in operations),
        operands=3 if any("rs3" in op.parsed.registers for op in operations) else 2,
    )


def traits_sv(found: Traits) -> str:
    """Return accel_traits_pkg.sv."""
    return render("accel_traits_pkg.sv.j2", traits=found)


@dataclass(frozen=True)
class Generated:
    """Paths of the generated files of one (accelerator, variant, port)."""

    folder: Path
    rtl: tuple[Path, ...]  # packages first, then decoder and wrapper
    include: Path  # folder that holds accel_ops.h
    sources: tuple[Path, ...] = ()  # C that belongs to the kernel


def generate(
    folder: Path,
    accelerator: Accelerator | None,
    variant: Variant | None,
    opcode: str = "",
    *,
    random_delay: bool = False,
) -> Generated:
    """Write all generated files into `folder` (unchanged ones keep their time stamp)."""
    rtl: list[Path] = []
    sources: list[Path] = []
    has_unit = accelerator is not None and accelerator.manifest.is_unit
    found: Layout | None = None
    if has_unit:
        assert accelerator is not None and variant is not None
        found = layout(accelerator, variant, opcode)
        for name, text in inner_sv(accelerator, variant).items():
            write_if_changed(folder / name, text)
            rtl.append(folder / name)
        write_if_changed(folder / "accel_ops.h", ops_h(accelerator, variant, opcode))
        if text := states_c(accelerator, variant):
            sources.append(folder / "accel_states.c")
            write_if_changed(sources[-1], text)
    known = folder / "accel_traits_pkg.sv"
    write_if_changed(known, traits_sv(traits(accelerator, variant)))
    rtl.append(known)
    decode, unit = folder / "accel_decode.sv", folder / "accel_unit.sv"
    write_if_changed(decode, decode_sv(found))
    write_if_changed(unit, unit_sv(accelerator, variant, random_delay))
    rtl += [decode, unit]
    return Generated(folder, tuple(rtl), folder, tuple(sources))


def generate_peripheral(
    folder: Path, accelerator: Accelerator | None, variant: Variant | None
) -> tuple[Path, Path]:
    """Write accel_block_pkg.sv and accel_block.sv into `folder`: the peripheral on a core's bus."""
    package, block = folder / "accel_block_pkg.sv", folder / "accel_block.sv"
    present = accelerator is not None and accelerator.manifest.on_bus
    write_if_changed(package, render("accel_block_pkg.sv.j2", present=present))
    write_if_changed(block, block_sv(accelerator, variant))
    return package, block


def write_if_changed(path: Path, text: str) -> None:
    """Write a text file unless it already holds exactly this text."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
