# SPDX-License-Identifier: Apache-2.0
"""Operations as numbers, {immediates, code}: what req_op_i may hold for a variant."""

from aesforge.build import codegen
from aesforge.build.codegen import OP_WIDTH, DecodedOperation, Layout


def immediate_bits(layout: Layout, operation: DecodedOperation) -> int:
    """Return the bits of req_op_i that an operation's immediates take (16-bit mask)."""
    return sum(
        ((1 << imm.width) - 1) << layout.field(imm.name).lsb
        for imm in operation.encoding.immediates
    )


def width(layout: Layout) -> int:
    """Return the bits that the largest number of a variant needs."""
    words = [op.code | immediate_bits(layout, op) for op in layout.operations]
    return max(word.bit_length() for word in [1, *words])


def known_sv(layout: Layout) -> str:
    """Return accel_known.sv: bits that belong to no immediate of an operation must be zero."""
    everything = (1 << OP_WIDTH) - 1
    matches = [(op, everything & ~immediate_bits(layout, op), op.code) for op in layout.operations]
    return codegen.render("accel_known.sv.j2", matches=matches)


def nios_h(name: str, layout: Layout) -> str:
    """Return accel_ops.h for Nios II: each operation's number and custom instruction."""
    operations = layout.operations
    return codegen.render("accel_ops_nios.h.j2", name=name, layout=layout, operations=operations)
