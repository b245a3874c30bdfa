# SPDX-License-Identifier: Apache-2.0
"""Output registers of block RAMs: taken in where the function stays, left alone where not."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from aesforge.synth import bram

CLOCK, ENABLE, RESET, OTHER = 2, 3, 4, 5


def flop(data: int, out: int) -> dict[str, Any]:
    """A flip-flop with an enable and without reset."""
    wires = {"CLK": [CLOCK], "CE": [ENABLE], "LSR": ["0"], "DI": [data], "Q": [out]}
    return {
        "type": "TRELLIS_FF",
        "parameters": {"CLKMUX": "CLK", "CEMUX": "CE", "REGSET": "RESET"},
        "port_directions": {port: "output" if port == "Q" else "input" for port in wires},
        "connections": wires,
    }


def netlist(width: int = 9) -> dict[str, Any]:
    """Two bits of either port of a block, each after a flip-flop."""
    wires: dict[str, list[int | str]] = {f"CLK{side}": [CLOCK] for side in "AB"}
    wires |= {f"OCE{side}": [OTHER] for side in "AB"}
    pins = [f"DO{side}{bit}" for side in "AB" for bit in (0, 1)]
    wires |= {pin: [10 + at] for at, pin in enumerate(pins)}
    wires |= {"DOA2": [30], "DOB2": [31]}  # read by nothing
    block = {
        "type": "DP16KD",
        "parameters": {"DATA_WIDTH_B": f"{width:032b}", "CLKAMUX": "CLKA", "CLKBMUX": "CLKB"},
        "port_directions": {p: "output" if p.startswith("DO") else "input" for p in wires},
        "connections": wires,
    }
    flops = {f"q{at}": flop(10 + at, 20 + at) for at in range(len(pins))}
    ports = {"q": {"direction": "output", "bits": [20, 21, 22, 23]}}
    return {"modules": {"top": {"ports": ports, "cells": {"block": block, **flops}}}}


def pack(whole: dict[str, Any], folder: Path) -> tuple[int, dict[str, Any]]:
    """Return how many went in, and the cells afterwards."""
    path = folder / "net.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    packed = bram.pack_output_registers(path)
    return packed, json.loads(path.read_text(encoding="utf-8"))["modules"]["top"]["cells"]


@pytest.mark.parametrize("width", [9, 36])
def test_flip_flops_go_into_the_block(tmp_path: Path, width: int) -> None:
    """Both ports of a narrow block, and the one output of a wide one."""
    packed, cells = pack(netlist(width), tmp_path)
    assert packed == 4
    assert list(cells) == ["block"]
    block = cells["block"]
    assert (block["parameters"]["REGMODE_A"], block["parameters"]["REGMODE_B"]) == ("OUTREG",) * 2
    assert [block["connections"][pin] for pin in ("DOA0", "DOB1")] == [[20], [23]]
    assert block["connections"]["OCEA"] == block["connections"]["OCEB"] == [ENABLE]


@pytest.mark.parametrize(
    ("wires", "options"),
    [
        ({"LSR": [RESET]}, {}),
        ({"CLK": [OTHER]}, {}),
        ({"CE": [OTHER]}, {}),
        ({}, {"CLKMUX": "INV"}),
        ({}, {"REGSET": "SET"}),
        ({}, {"CEMUX": "1"}),
    ],
)
def test_another_function_stays(
    tmp_path: Path, wires: dict[str, list[int]], options: dict[str, str]
) -> None:
    """One flip-flop with a reset, another clock, edge or enable keeps its whole port outside."""
    whole = netlist()
    cell = whole["modules"]["top"]["cells"]["q1"]
    cell["connections"] |= wires
    cell["parameters"] |= options
    packed, cells = pack(whole, tmp_path)
    assert packed == 2
    assert "REGMODE_A" not in cells["block"]["parameters"]
    assert set(cells) == {"block", "q0", "q1"}


def test_a_second_reader_stays(tmp_path: Path) -> None:
    """A pin of the block that is read before its flip-flop too, by logic or by a port."""
    whole = netlist()
    logic = copy.deepcopy(whole)
    cells = logic["modules"]["top"]["cells"]
    cells["lut"] = {"type": "LUT4", "parameters": {}, "port_directions": {"A": "input"}}
    cells["lut"]["connections"] = {"A": [10]}
    assert pack(logic, tmp_path)[0] == 2
    whole["modules"]["top"]["ports"]["q"]["bits"].append(13)
    assert pack(whole, tmp_path)[0] == 2
