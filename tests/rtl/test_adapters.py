# SPDX-License-Identifier: Apache-2.0
"""Each adapter between a random host and a unit of random latency; every planted bug turns it red.

One Verilator model holds one bench for each adapter, setting and planted bug, side by side: a bug
is a copy of the adapter, renamed, with its macro defined.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import simulate
from aesforge.catalog import planted

BENCHES = Path(__file__).parent / "adapters"
SHARED = [ROOT / "rtl/bus/fifo.sv", ROOT / "sim/fu_random_delay.sv", BENCHES / "units.sv"]
PORTS = ("pcpi", "cfu", "cvxif", "nios", "nios_comb")
CYCLES = 4000

# Parameters of the benches. A unit that answers at once must reach the timing that the adapters
# promise (Exact); with delays and stalls everywhere only the order and the values count.
SETTINGS: dict[str, list[dict[str, int]]] = {
    "pcpi": [
        {"Exact": 1},
        {"Latency": 1},
        {"MaxDelay": 1},
        {"MaxDelay": 25, "Latency": 1},
        {"Registered": 1, "Latency": 1},
        {"MaxDelay": 25, "Registered": 1, "Latency": 1},
    ],
    "cfu": [
        {"Exact": 1},
        {},
        {"Latency": 1},
        {"MaxDelay": 1},
        {"MaxDelay": 7, "Latency": 1},
        {"Exact": 1, "Registered": 1, "Latency": 1},
        {"Registered": 1, "Latency": 1},
        {"MaxDelay": 7, "Registered": 1, "Latency": 1},
    ],
    "cvxif": [
        {"Exact": 1},
        {"Exact": 1, "Latency": 1},
        {"Exact": 1, "Speculative": 0},
        {"Exact": 1, "NumRs": 2},
        {"NumRs": 2},
        {"MaxDelay": 1},
        {"MaxDelay": 7, "Latency": 1},
        {"Speculative": 0},
        {"Speculative": 0, "Latency": 1},
        {"Speculative": 0, "MaxDelay": 1},
        {"Speculative": 0, "MaxDelay": 7, "Latency": 1},
        {"Exact": 1, "Speculative": 0, "Registered": 1, "Latency": 1},
        {"Speculative": 0, "Registered": 1, "Latency": 1},
        {"Speculative": 0, "MaxDelay": 7, "Registered": 1, "Latency": 1},
    ],
    "nios": [
        {"Exact": 1},
        {"Exact": 1, "Latency": 1},
        {"MaxDelay": 1},
        {"MaxDelay": 7, "Latency": 1},
    ],
    "nios_comb": [{}],
}


def adapter(port: str) -> Path:
    """Return the source of a port's adapter."""
    return ROOT / f"rtl/adapters/fu_to_{port}.sv"


def bugs(port: str) -> list[str]:
    """Return the planted bugs of an adapter, in order."""
    return [name for name, bug in planted.shared().items() if adapter(port) in bug.texts()]


# The settings that the planted bugs run with, by their place above: random everywhere.
BUG_SETTINGS = {
    "pcpi": [3, 5],
    "cfu": [4, 6, 7],
    "cvxif": [4, 9, 12],
    "nios": [3],
    "nios_comb": [0],
}


@dataclass(frozen=True)
class Bench:
    """One bench in the model: which adapter, with which planted bug ("": none) and parameters."""

    port: str
    bug: str
    setting: int

    @property
    def name(self) -> str:
        """Return the instance's name."""
        return f"u_{self.port}_{self.bug.lower() or 'good'}_{self.setting}"


ALL = [
    Bench(port, bug, setting)
    for port in PORTS
    for bug in ["", *bugs(port)]
    for setting in (BUG_SETTINGS[port] if bug else range(len(SETTINGS[port])))
]


def model_source() -> str:
    """Return adapters and benches, once for each bug, and the top that instantiates them all."""
    parts = []
    for port in PORTS:
        for bug in ["", *bugs(port)]:
            suffix = f"__{bug.lower()}" if bug else ""
            path = adapter(port)
            text = planted.shared()[bug].texts()[path] if bug else path.read_text()
            source = text.replace(f"module fu_to_{port}", f"module fu_to_{port}{suffix}")
            bench = (
                (BENCHES / f"bench_{port}.sv")
                .read_text()
                .replace(f"module bench_{port}", f"module bench_{port}{suffix}")
            )
            parts.append(f"{source}`define DUT fu_to_{port}{suffix}\n{bench}")
    done, report, instances = [], [], []
    for index, bench in enumerate(ALL):
        suffix = f"__{bench.bug.lower()}" if bench.bug else ""
        params = {**SETTINGS[bench.port][bench.setting], "Cycles": CYCLES}
        named = ", ".join(f".{key}({value})" for key, value in params.items())
        instances.append(
            f"  bench_{bench.port}{suffix} #({named}) {bench.name} (.clk_i, .rst_ni, "
            f".done_o(done[{index}]), .fail_o(fail[{index}]), .count_o(count[{index}]));"
        )
        done.append(f"done[{index}]")
        report.append(
            f'    $display("RESULT {bench.name} %0d %0d", fail[{index}], count[{index}]);'
        )
    top = "\n".join(
        [
            "module bench (input logic clk_i, input logic rst_ni, output logic done_o);",
            f"  logic [{len(ALL) - 1}:0] done, fail;",
            f"  logic [{len(ALL) - 1}:0][31:0] count;",
            *instances,
            "  always_ff @(posedge clk_i) done_o <= rst_ni && &done;",
            "  final begin",
            *report,
            "  end",
            "endmodule",
        ]
    )
    return "\n".join([*parts, top, ""])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[bool, int, str]]:
    """Return, for each instance: failed, answers compared, first complaint."""
    folder = tmp_path_factory.mktemp("adapters")
    source = folder / "bench.sv"
    source.write_text(model_source())
    root = simulate.verilator_root()
    proc.run(
        [
            *(root / "bin/verilator", "--cc", "--exe", "--build", "--top-module", "bench"),
            *("--prefix", "Vbench", "-Mdir", folder / "obj", "-Wno-fatal", "-Wno-lint"),
            *("-fno-inline", "-j", "2", "-MAKEFLAGS"),
            # no optimisation: compiling takes longer than running; the last: a fault of the wheel
            "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 CFG_CXXFLAGS_PCH_I=-include",
            *SHARED,
            source,
            BENCHES / "clock.cpp",
        ],
        timeout=300,
        env={"VERILATOR_ROOT": str(root)},
        log=folder / "build.log",
    )
    finished = proc.run(
        [folder / "obj/Vbench", "+verilator+seed+7", "+seed=5", f"+cycles={CYCLES + 100}"],
        timeout=120,
        log=folder / "run.log",
    )
    found = {}
    for name, failed, count in re.findall(r"RESULT (\w+) (\d+) (\d+)", finished.stdout):
        said = re.search(rf"bench\.{name}[.\w]*: (.*)", finished.stdout)
        found[name] = (failed != "0", int(count), said.group(1) if said else "")
    return found


@pytest.mark.parametrize("bench", [b for b in ALL if not b.bug], ids=lambda b: b.name)
def test_adapter(bench: Bench, results: dict[str, tuple[bool, int, str]]) -> None:
    """Values, order, timing and the rules of both sides, without a planted bug."""
    failed, count, said = results[bench.name]
    assert not failed, said
    assert count > 100, "the bench compared next to nothing"


@pytest.mark.parametrize(
    ("port", "bug"), [(port, bug) for port in PORTS for bug in bugs(port)], ids=str
)
def test_planted_bug(port: str, bug: str, results: dict[str, tuple[bool, int, str]]) -> None:
    """Some setting of the bench turns red with each planted bug."""
    outcomes = [results[b.name] for b in ALL if (b.port, b.bug) == (port, bug)]
    assert any(failed for failed, _, _ in outcomes)


def test_every_adapter_is_covered() -> None:
    """An adapter without a bench would go unnoticed."""
    assert sorted(path.stem for path in (ROOT / "rtl/adapters").glob("fu_to_*.sv")) == sorted(
        f"fu_to_{port}" for port in PORTS
    )
    assert all(bugs(port) for port in PORTS)
