# SPDX-License-Identifier: Apache-2.0
"""Carrying figures over by mapped netlists: what counts as equal, and what a record must share."""

import copy
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from aesforge.report import netlists, rehash
from aesforge.synth import flow, synthesis
from aesforge.synth.flow import NETLIST, TARGETS, Design, Mapped
from aesforge.synth.synthesis import Job, SynthRecord

TARGET = TARGETS["ecp5-85f"]
SMALL: dict[str, Any] = {
    "modules": {
        "top": {
            "attributes": {"top": "1", "src": "top.sv:1.1-9.10"},
            "ports": {"a": {"direction": "input", "bits": [2]}},
            "cells": {
                "inner": {"type": "$scopeinfo", "attributes": {}, "connections": {}},
                "lut": {
                    "type": "LUT4",
                    "parameters": {"INIT": "0110"},
                    "attributes": {"src": "top.sv:3.1-3.9", "keep": "1"},
                    "connections": {"A": [2], "B": [7], "Z": ["0"]},
                },
            },
            "netnames": {"b": {"bits": [7], "attributes": {}}},
        },
        "LUT4": {
            "attributes": {"blackbox": "1"},
            "ports": {"A": {"direction": "input", "bits": [2]}},
            "cells": {"$specify$17": {"type": "$specify2", "connections": {"SRC": [2]}}},
        },
    }
}
TOP: dict[str, Any] = SMALL["modules"]["top"]


def _form(folder: Path, change: Callable[[dict[str, Any]], object]) -> str:
    changed = copy.deepcopy(SMALL)
    change(changed["modules"]["top"])
    path = folder / "net.json"
    path.write_text(json.dumps(changed), encoding="utf-8")
    return netlists.form(path)


def _renumber(top: dict[str, Any]) -> None:
    """Write the same joins with other numbers."""
    top["ports"]["a"]["bits"] = [9]
    top["netnames"]["b"]["bits"] = [3]
    top["cells"]["lut"]["connections"] = {"Z": ["0"], "B": [3], "A": [9]}


def test_what_place_and_route_does_not_read_does_not_count(tmp_path: Path) -> None:
    """Source positions, scopes, numbers of bits, order in the file."""
    same = _form(tmp_path, lambda top: None)
    assert _form(tmp_path, _renumber) == same
    assert _form(tmp_path, lambda top: top["cells"].pop("inner")) == same
    assert _form(tmp_path, lambda top: top["cells"]["lut"]["attributes"].pop("src")) == same
    assert _form(tmp_path, lambda top: top["attributes"].update(src="moved.sv:7.1")) == same
    turned = dict(reversed(TOP["cells"].items()))
    assert _form(tmp_path, lambda top: top.update(cells=turned)) == same


def test_only_the_ports_of_a_black_box_count(tmp_path: Path) -> None:
    """Yosys numbers what is inside; of a module that is not in its library everything counts."""

    def changed(attribute: str, *, inside: bool) -> str:
        found = copy.deepcopy(SMALL)
        box = found["modules"]["LUT4"]
        box["attributes"] = {attribute: "1"}
        if inside:
            box["cells"] = {"$specify$21": box["cells"].pop("$specify$17")}
        else:
            box["ports"]["A"]["direction"] = "output"
        path = tmp_path / "net.json"
        path.write_text(json.dumps(found), encoding="utf-8")
        return netlists.form(path)

    same = _form(tmp_path, lambda top: None)
    assert changed("blackbox", inside=True) == same != changed("blackbox", inside=False)
    assert changed("keep", inside=True) != changed("keep", inside=False) != same


@pytest.mark.parametrize(
    "change",
    [
        lambda top: top["cells"].update(other=top["cells"].pop("lut")),
        lambda top: top["netnames"].update(other=top["netnames"].pop("b")),
        lambda top: top["ports"]["a"].update(direction="output"),
        lambda top: top["cells"]["lut"].update(type="LUT5"),
        lambda top: top["cells"]["lut"]["parameters"].update(INIT="1001"),
        lambda top: top["cells"]["lut"]["attributes"].pop("keep"),
        lambda top: top["cells"]["lut"]["connections"].update(A=[7], B=[2]),
        lambda top: top["cells"]["lut"]["connections"].update(Z=["1"]),
        lambda top: top["netnames"]["b"].update(bits=[2]),
    ],
)
def test_everything_else_counts(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Names, kinds, parameters, attributes and joins."""
    assert _form(tmp_path, change) != _form(tmp_path, lambda top: None)


CIRCUIT = """module top #(parameter Kind = "xor") (
  input logic clk_i, input logic rst_ni, input logic [7:0] a_i, output logic [7:0] b_o);
  generate
    if (Kind == "xor") begin : gen_xor
      always_ff @(posedge clk_i) b_o <= rst_ni ? b_o {0} a_i : 8'd0;
    end else begin : gen_other
{1}    end
  endgenerate
endmodule
"""


def _map(folder: Path, text: str) -> tuple[Path, Mapped]:
    folder.mkdir()
    source = folder / "top.sv"
    source.write_text(text, encoding="utf-8")
    (folder / "map").mkdir()
    mapped = flow.map_design(Design((source,), "top"), TARGET, folder / "map", folder / "log")
    return folder / "map", mapped


def test_a_branch_that_is_not_used_changes_no_netlist(tmp_path: Path) -> None:
    """Yosys numbers its cells differently, the netlist is the same; an operator changes it."""
    other = "      // A longer branch.\n      assign b_o = a_i + 8'd1;\n"
    one, counts = _map(tmp_path / "one", CIRCUIT.format("^", "      assign b_o = a_i;\n"))
    two, again = _map(tmp_path / "two", CIRCUIT.format("^", other))
    three, _ = _map(tmp_path / "three", CIRCUIT.format("+", other))
    assert (one / NETLIST).read_bytes() != (two / NETLIST).read_bytes()
    assert counts == again and netlists.form(one / NETLIST) == netlists.form(two / NETLIST)
    assert netlists.form(one / NETLIST) != netlists.form(three / NETLIST)


JOB = Job("unit", "full", "unit", TARGET.name, 1)


def _record(**values: object) -> SynthRecord:
    """Return a record of one LUT."""
    return SynthRecord.model_validate(
        {
            **asdict(JOB),
            **synthesis.counted(TARGET, Mapped({"LUT4": 1})),
            "status": "passed",
            "fmax_mhz": 100.0,
            "recipe": TARGET.recipe,
            "tool_versions": flow.tools(TARGET),
            "inputs_sha256": "0" * 64,
            "seconds": 1.0,
            **values,
        }
    )


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An old tree and the present one, each of which makes the same small netlist."""
    for folder in (tmp_path / "present", tmp_path / "old" / "map"):
        folder.mkdir(parents=True)
        (folder / NETLIST).write_text(json.dumps(SMALL), encoding="utf-8")
    told = {"mapped": asdict(Mapped({"LUT4": 1})), "target": asdict(TARGET)}
    (tmp_path / "old" / "told.json").write_text(json.dumps(told), encoding="utf-8")
    code = tmp_path / "tree" / "src" / "aesforge" / "synth"
    code.mkdir(parents=True)
    (code / "flow.py").write_text(Path(flow.__file__).read_text(encoding="utf-8"))
    present = tmp_path / "present", Mapped({"LUT4": 1})
    monkeypatch.setattr(netlists, "_present", lambda job: present)
    monkeypatch.setattr(netlists, "_old", lambda tree, job, key: tmp_path / "old")
    return tmp_path


def test_a_record_stays_only_with_the_same_tools_figures_and_netlist(trees: Path) -> None:
    """Each difference is named."""

    def tree() -> Path:
        return trees / "tree"

    assert netlists.difference(_record(), tree) == ""
    assert netlists.difference(_record(), None) == "no commit has its hash"
    assert "versions" in netlists.difference(_record(tool_versions={"yosys": "0.1"}), tree)
    assert "recipe" in netlists.difference(_record(recipe="synth"), tree)
    assert netlists.difference(_record(lut4=2), tree) == "lut4 was 2, is 1"

    code = trees / "tree" / "src" / "aesforge" / "synth" / "flow.py"
    text = code.read_text(encoding="utf-8")
    code.write_text(text.replace("Place and route net.json", "In other words: net.json"))
    assert netlists.difference(_record(), tree) == ""
    code.write_text(text.replace('"--timing-allow-fail", ', ""))
    assert "command" in netlists.difference(_record(), tree)
    code.write_text(text)

    told = trees / "old" / "told.json"
    said = json.loads(told.read_text(encoding="utf-8"))
    del said["target"]["settings"]  # a field that the old tree did not have yet
    said["target"]["summary"] = "in other words"
    told.write_text(json.dumps(said), encoding="utf-8")
    assert netlists.difference(_record(), tree) == ""
    for name, value in (("pads", "iopadmap"), ("gone", "")):
        changed = said | {"target": said["target"] | {name: value}}
        told.write_text(json.dumps(changed), encoding="utf-8")
        assert netlists.difference(_record(), tree) == "another target"
    told.write_text(json.dumps(said), encoding="utf-8")

    changed = copy.deepcopy(SMALL)
    changed["modules"]["top"]["cells"]["lut"]["parameters"]["INIT"] = "1001"
    (trees / "present" / NETLIST).write_text(json.dumps(changed), encoding="utf-8")
    assert netlists.difference(_record(), tree) == "another netlist"


def test_what_is_only_counted_needs_no_old_netlist(trees: Path) -> None:
    """Where nothing is placed, the present mapping gives all figures again."""
    target = TARGETS["xc7"]
    values = {"target": target.name, "seed": 0, "recipe": target.recipe, "fmax_mhz": None}
    values |= {"tool_versions": flow.tools(target)}
    values |= synthesis.counted(target, Mapped({"LUT4": 1}))
    assert netlists.difference(_record(**values), None) == ""
    assert "module" in netlists.difference(_record(**values | {"modules": {"a": 2.0}}), None)
    assert netlists.difference(_record(**values | {"lut6": 3}), None) == "lut6 was 3, is 1"


def test_a_hash_of_parameters_in_a_modules_name_does_not_count() -> None:
    """Yosys writes it, and a new parameter that changes nothing changes it."""
    old = {f"$paramod${'12' * 20}\\box": 2.0, f"$paramod${'34' * 20}\\box": 3.0, "leaf": 1.0}
    new = {f"$paramod${'56' * 20}\\box": 3.0, f"$paramod${'78' * 20}\\box": 2.0, "leaf": 1.0}
    assert netlists._gates(old) == netlists._gates(new)
    assert netlists._gates(old) != netlists._gates(new | {"leaf": 2.0})
    assert netlists._gates(old) != netlists._gates({**new, "other": 1.0})


def test_all_seeds_of_a_design_follow_one_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units before cores; what differs, or is not reached in time, stays stale with the reason."""
    records = [
        _record(seed=seed, scope=scope, variant=variant, inputs_sha256=f"{variant}-{scope}")
        for scope in ("core", "unit")
        for variant in ("full", "other")
        for seed in (1, 2)
    ]
    at = {rehash._synthesis_place(asdict(synthesis.job_of(entry))): entry for entry in records}
    asked: list[str] = []

    def difference(entry: SynthRecord, tree: Callable[[], Path] | None) -> str:
        asked.append(f"{entry.scope} {entry.variant} {tree is not None}")
        return "another netlist" if entry.variant == "other" else ""

    monkeypatch.setattr(netlists, "difference", difference)
    full = next(place for place, entry in at.items() if entry.inputs_sha256 == "full-unit")
    old = rehash._Commit({full: rehash.Hashes("full-unit", "")}, {}, {})
    found = rehash.Carried([], {}, dict.fromkeys(at, "changed"))
    present = dict.fromkeys(at, "now")
    carried = rehash._by_netlist(found, at, {"abc": old}, present, 60)
    assert asked == [
        "unit full True",
        "unit other False",
        "core full False",
        "core other False",
    ]
    assert set(carried.moved.values()) == {"now"} and len(carried.moved) == 4
    assert set(carried.stale.values()) == {"another netlist"} and len(carried.stale) == 4
    late = rehash._by_netlist(found, at, {}, present, -1)
    assert not late.moved and all("time" in why for why in late.stale.values())
