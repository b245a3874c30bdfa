# SPDX-License-Identifier: Apache-2.0
"""A masked design as its mapped netlist: what each register and wire of it sees."""

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from aesforge.base.paths import BUILD
from aesforge.probing import circuit
from aesforge.probing.circuit import Circuit
from aesforge.synth import flow
from aesforge.synth.flow import TARGETS, Design


def whole(files: Sequence[Path], top: str, target: str, label: str = "") -> Circuit:
    """Map a design; a register with enable or reset sees these, and itself, at its input."""
    design = Design(tuple(files), top)
    folder = BUILD / "probe" / f"test-{top}-{target}-{label}"
    folder.mkdir(parents=True, exist_ok=True)
    command = f"{TARGETS[target].command} -top {design.top}"
    if target == "cmos":
        command += "; async2sync; dffunmap; simplemap; abc -g cmos"
    else:
        command += " -noccu2"  # carry chains are in the control's counters only
    commands = [*design.read_commands(), *command.split("; "), "opt_clean", "write_json n.json"]
    flow.yosys(commands, folder, "probe", folder / "log")
    module = json.loads((folder / "n.json").read_text())["modules"][design.top]
    for name in [name for name in module["netnames"] if re.search("_(LUT4|TRELLIS_FF)_", name)]:
        del module["netnames"][name]  # named by the tool
    new = itertools.count(10_000_000)
    for name, cell in list(module["cells"].items()):
        if cell["type"] != "TRELLIS_FF":
            continue
        pins = cell["connections"]
        if pins.get("LSR", ["0"]) != ["0"]:  # of the control: names may be lost
            module["netnames"][f"control of {next(new)}"] = {"bits": pins["Q"]}
        kept = pins["Q"] if pins.get("CE") else []
        seen = [pins["DI"], *(pins.pop(pin, []) for pin in ("CE", "LSR")), kept]
        pins["DI"] = [next(new)]
        module["cells"][f"{name} input"] = {
            "type": "LUT4",
            "parameters": {"INIT": "0" * 15 + "1"},  # only its cone counts
            "connections": {
                **{pin: bits or ["0"] for pin, bits in zip("ABCD", seen, strict=True)},
                "Z": pins["DI"],
            },
        }
    return circuit.read_module(module)


def side(name: str) -> str:
    """Return the side of a register or input: that of the share it holds, or none.

    A register `blinded` has a share and a fresh bit, and is used on the other side.
    """
    plain = re.sub(r"\[\d+\]$", "", name)
    assert not name.startswith("net "), name
    if found := re.search(r"u_(?:key|share|text)([01])\.", name):
        return found[1]
    if found := re.search(r"\.blinded([01])_q$", plain):
        return "10"[int(found[1])]
    if ".u_sbox." in name:
        found = re.search(r"([01])(?:_[qoi]|\.[ab]_i)?$", plain)
        assert found, name
        return found[1]
    found = re.fullmatch(r"(?:.*\.)?(?:state|data|key|result|sideload)([01])_[qi]", plain)
    return found[1] if found else ""


def sides(mapped: Circuit, nets: Iterable[int]) -> set[str]:
    """Return the sides of a cone."""
    return {side(mapped.name(net)) for net in nets} - {""}


def meeting(mapped: Circuit) -> set[str]:
    """Names of registers and inputs, bits left out, in cones that have both sides."""
    found = set()
    for cone in mapped.cones().values():
        if len(sides(mapped, cone)) > 1:
            names = {mapped.name(net) for net in cone}
            found |= {re.sub(r"\[\d+\]$", "", name) for name in names if side(name)}
    return found


def crossing(mapped: Circuit, sums: re.Pattern[str]) -> int:
    """Count the registers of a side that see the other side only: factors with a fresh bit.

    A register of no side that sees a share must be one of the `sums` of shares.
    """
    cones = mapped.cones()
    count = 0
    for register, data in mapped.registers.items():
        cone = cones.get(data, frozenset((data,)))
        told, own = sides(mapped, cone), side(mapped.name(register))
        if not own:
            assert not told or sums.match(mapped.name(register)), mapped.name(register)
        elif told and own not in told:
            count += 1
    return count


def deciding(
    files: Sequence[Path], top: str, result: str, most: int, folder: Path, *more: str
) -> set[str]:
    """Last parts of the names of registers that stay when nobody reads the port `result`.

    `more` are commands before elaboration. ToolError if more than `most` flip-flops or a memory
    are left.
    """
    flow.yosys(
        [
            "read_verilog -sv " + " ".join(f'"{path}"' for path in files),
            *more,
            f"hierarchy -check -top {top}",
            *("proc", "flatten", f"delete -port {top}/{result}", "opt -full -purge"),
            "tee -q -o names.txt select -list w:*_q",
            *("select -assert-none t:$mem*", "simplemap t:$*dff*"),
            f"select -assert-max {most} t:$_*DFF*",
        ],
        folder,
        "timing",
        folder / "log",
    )
    names = (folder / "names.txt").read_text(encoding="utf-8").split()
    return {name.rpartition("/")[2].rpartition(".")[2] for name in names}
