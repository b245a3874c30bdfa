# SPDX-License-Identifier: Apache-2.0
"""The lines that the bench of an export plays: words that are no operations."""

import random

import pytest

from aesforge import export
from aesforge.build import codegen, integrate
from aesforge.catalog.manifest import Accelerator
from aesforge.export import vectors
from export_support import UNITS

CFU_FIELDS = 0xFE007000  # funct7 and funct3, all that the bus carries of an instruction
ON_CFU = [unit for unit in UNITS if "cfu" in export.hosts_of(unit, unit.variant(""))]


@pytest.mark.parametrize("unit", ON_CFU, ids=lambda unit: unit.name)
def test_no_foreign_word_is_an_operation_on_cfu(
    unit: Accelerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word with an operation's funct7 and funct3 is that operation, and may change a state."""
    monkeypatch.setattr(vectors, "FOREIGN_COUNT", 400)
    layout = codegen.layout(unit, unit.variant(""), integrate.opcode_of("cfu"))
    operations = [(op.encoding.mask & CFU_FIELDS, op.encoding.value) for op in layout.operations]
    words = list(vectors._foreign(layout, "cfu", random.Random("foreign")))
    alike = [
        f"{w:08x}" for w in words if any((w ^ value) & mask == 0 for mask, value in operations)
    ]
    assert len(words) > 50
    assert alike == []
