# SPDX-License-Identifier: Apache-2.0
"""Output registers of ECP5 block RAMs, which Yosys does not infer: a step on a mapped netlist.

If each output of a DP16KD port drives exactly one flip-flop, all with the port's clock, no reset
and the same enable, these flip-flops move into the block (REGMODE OUTREG). Function and cycles stay
the same; the clock-to-output delay becomes 1 ns instead of 6 (cell timings of Project Trellis). The
vendor's mapper does the same.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

WIDE = 36  # bits of a port that takes both halves of a block

_Cells = dict[str, dict[str, Any]]


def pack_output_registers(netlist: Path) -> int:
    """Rewrite a flat netlist of `write_json`; return how many flip-flops went into block RAMs."""
    whole = json.loads(netlist.read_text(encoding="utf-8"))
    packed = 0
    for module in whole["modules"].values():
        cells: _Cells = module["cells"]
        blocks = [cell for cell in cells.values() if cell["type"] == "DP16KD"]
        if not blocks:
            continue
        sinks = _sinks(cells, module["ports"].values())
        for block in blocks:
            packed += sum(_pack(block, side, cells, sinks) for side in "AB")
    if packed:
        netlist.write_text(json.dumps(whole), encoding="utf-8")
    return packed


def _sinks(cells: _Cells, ports: Iterable[dict[str, Any]]) -> dict[int, list[tuple[str, str]]]:
    """Return (cell, port) of every reader of each net; a port of the module reads as ("", "")."""
    found: dict[int, list[tuple[str, str]]] = {}
    for name, cell in cells.items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "input":
                for bit in bits:
                    found.setdefault(bit, []).append((name, port))
    for port in ports:
        if port["direction"] == "output":
            for bit in port["bits"]:
                found.setdefault(bit, []).append(("", ""))
    return found


def _pack(
    block: dict[str, Any], side: str, cells: _Cells, sinks: dict[int, list[tuple[str, str]]]
) -> int:
    """Move the flip-flops of one port into the block; return how many, 0 if not possible."""
    wires, settings = block["connections"], block["parameters"]
    wide = _number(settings.get("DATA_WIDTH_B", "")) == WIDE
    sides = "AB" if wide else side  # 36 bits: both halves are port B's output
    clock = "B" if wide else side
    if wide and side == "A":
        return 0
    taken: dict[str, str] = {}  # output pin of the block: flip-flop
    enables = set()
    for pin, bits in wires.items():
        readers = [reader for bit in bits for reader in sinks.get(bit, [])]
        if pin[:2] != "DO" or pin[2] not in sides or not readers:
            continue
        name, port = readers[0]
        if len(readers) != 1 or port != "DI" or cells[name]["type"] != "TRELLIS_FF":
            return 0
        flop, options = cells[name]["connections"], cells[name]["parameters"]
        rising = options.get("CLKMUX", "CLK") == "CLK"
        if not rising or settings.get(f"CLK{clock}MUX", f"CLK{clock}") != f"CLK{clock}":
            return 0
        if flop["CLK"] != wires[f"CLK{clock}"] or options.get("REGSET") == "SET":
            return 0
        if flop.get("LSR", ["0"]) not in ([], ["0"]):
            return 0
        always = options.get("CEMUX") == "1" or not flop.get("CE")
        enables.add("1" if always else flop["CE"][0])
        taken[pin] = name
    if len(enables) != 1:
        return 0
    for each in sides:
        settings[f"REGMODE_{each}"] = "OUTREG"
        block["port_directions"][f"OCE{each}"] = "input"
        wires[f"OCE{each}"] = list(enables)
    for pin, name in taken.items():
        wires[pin] = cells.pop(name)["connections"]["Q"]
    return len(taken)


def _number(bits: str) -> int:
    """Return a parameter that Yosys has written as binary digits, 0 if it is none."""
    return int(bits, 2) if bits and not bits.strip("01") else 0
