# SPDX-License-Identifier: Apache-2.0
"""Register maps: what is read from SystemRDL, what is made from it, and that it is up to date."""

from pathlib import Path

import pytest

from aesforge.build import registers
from aesforge.build.registers import RegisterError

pytestmark = pytest.mark.quick

EXAMPLE = """
addrmap small {
  default regwidth = 32;
  reg { field { sw = r; hw = na; } VALUE[31:0] = 32'h12345678; } ID @ 0x00;
  reg {
    field { sw = rw; hw = r; } MODE[2:1] = 1;
    field { sw = rw; hw = w; woclr; hwset; } EVENT[8:8] = 0;
    field { sw = r; hw = w; } BUSY[9:9];
  } CTRL @ 0x04;
  reg { field { sw = w; hw = r; } WORD[31:0] = 0; } KEY[4] @ 0x10;
};
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A description of three kinds of registers."""
    path = tmp_path / "small.rdl"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def test_a_map_is_read(example: Path) -> None:
    """Addresses, rights, resets and rows of registers."""
    found = registers.load(example)
    assert [(r.name, r.address, r.count) for r in found.registers] == [
        ("ID", 0, 1),
        ("CTRL", 4, 1),
        ("KEY", 0x10, 4),
    ]
    identification, control, key = found.registers
    assert identification.reset == 0x12345678 and not identification.writable
    assert control.reset is None and control.readable and control.writable
    assert control.field("MODE").mask == 6 and control.field("MODE").of(0xFF) == 3
    assert control.field("EVENT").clears and not control.field("MODE").clears
    assert key.writable and not key.readable
    assert found.at(0x1C) is key and found.at(0x20) is None and found["KEY"] is key


def test_words_are_put_together(example: Path) -> None:
    """A word from named fields; a value that does not fit is an error."""
    control = registers.load(example)["CTRL"]
    assert control.word(MODE=2, EVENT=1) == 0x104
    with pytest.raises(ValueError, match="MODE has 2 bits"):
        control.word(MODE=4)


def test_an_unknown_register_is_an_error(example: Path) -> None:
    """KeyError names it."""
    with pytest.raises(KeyError, match="NONE"):
        registers.load(example)["NONE"]


def test_a_wrong_description_is_an_error(tmp_path: Path) -> None:
    """The message names the file."""
    path = tmp_path / "wrong.rdl"
    path.write_text("addrmap wrong { reg { } ; };", encoding="utf-8")
    with pytest.raises(RegisterError, match=r"wrong\.rdl"):
        registers.load(path)


def test_the_package_holds_addresses_and_positions(example: Path) -> None:
    """What RTL takes from a map."""
    text = registers.sv_package(registers.load(example), example.name)
    for line in (
        "package small_regs_pkg;",
        "  localparam logic [31:0] ID_RESET = 32'h12345678;",
        "  localparam logic [11:0] ADDR_KEY = 12'h010;",
        "  localparam CTRL_MODE_LSB = 1;",
        "endpackage",
    ):
        assert line in text.splitlines()


def test_files_are_made_and_a_change_is_seen(example: Path) -> None:
    """Missing files and old ones are stale, fresh ones are not."""
    assert len(registers.stale(example)) == 3
    for target, text in registers.made_from(example).items():
        target.parent.mkdir(exist_ok=True)
        target.write_text(text(), encoding="utf-8")
    assert registers.stale(example) == []
    example.write_text(EXAMPLE.replace("MODE[2:1]", "MODE[3:2]"), encoding="utf-8")
    assert len(registers.stale(example)) == 3


@pytest.mark.parametrize("path", registers.maps(), ids=lambda path: path.stem)
def test_what_the_units_ship_is_up_to_date(path: Path) -> None:
    """Nobody edits what is made from a description."""
    assert registers.stale(path) == []
