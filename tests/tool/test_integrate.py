# SPDX-License-Identifier: Apache-2.0
"""What is handed out for a port reads as it is, for every port."""

import subprocess
from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError, UsageError
from aesforge.build import codegen, integrate
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator
from aesforge.verify.lint import lint

PORTS = sorted({found.manifest.port for found in platform.discover()})
UNITS = manifest.units()


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_handed_out_rtl_reads(unit: Accelerator, port: str, tmp_path: Path) -> None:
    """files.f lists all of rtl/, in order: Icarus and Verilator elaborate the coprocessor."""
    folder = tmp_path / "out"
    most = max(p.manifest.operands for p in platform.discover() if p.manifest.port == port)
    fitting = [v for v in unit.manifest.variant if codegen.traits(unit, v).operands <= most]
    operations = unit.manifest.operations(fitting[-1])
    if port == "cfu" and any(codegen.uses_rs2_bits(operation) for operation in operations):
        with pytest.raises(ManifestError, match="in bits 24:20, which the port does not carry"):
            integrate.hand_out(unit, fitting[-1], port, folder)
        return
    integrate.hand_out(unit, fitting[-1], port, folder)
    rtl = folder / "rtl"
    icarus = ["iverilog", "-g2012", "-Wall", "-t", "null", "-s", f"accel_{port}", "-f", "files.f"]
    done = subprocess.run(icarus, cwd=rtl, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    files = [rtl / line for line in (rtl / "files.f").read_text(encoding="utf-8").splitlines()]
    result = lint("verilator", files, f"accel_{port}", scratch=tmp_path)
    assert result.ok, result.messages
    listed = (rtl / "files.f").read_text().split()
    assert sorted([*listed, "files.f"]) == sorted(path.name for path in rtl.iterdir())


def test_the_handed_out_kernel_compiles(tmp_path: Path) -> None:
    """Everything that the C sources include is beside them."""
    folder = tmp_path / "out"
    unit = UNITS[0]
    variant = unit.manifest.variant[0]
    integrate.hand_out(unit, variant, PORTS[0], folder)
    arch = platform.discover()[0].manifest.sw.arch
    sizes = [f"-D{word}" for word in unit.manifest.macros(variant)]
    for source in (folder / "sw").glob("*.c"):
        emulate = ["-DACCEL_EMULATE"] if source.name == Path(unit.manifest.sw.emul).name else []
        command = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", *arch, *sizes, "-O2", "-c"]
        output = ["-o", str(tmp_path / "x.o")]
        subprocess.run([*command, *emulate, source, *output], check=True)


def test_refusals(tmp_path: Path) -> None:
    """Unknown port, software, a folder that is in use."""
    unit = UNITS[0]
    variant = unit.manifest.variant[0]
    with pytest.raises(UsageError, match="no adapter for port 'nosuch'"):
        integrate.hand_out(unit, variant, "nosuch", tmp_path / "out")
    software = next(a for a in manifest.discover() if a.manifest.rtl is None)
    with pytest.raises(UsageError, match="no unit to integrate"):
        integrate.hand_out(software, software.manifest.variant[0], PORTS[0], tmp_path / "out")
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").touch()
    with pytest.raises(UsageError, match="not an empty folder"):
        integrate.hand_out(unit, variant, PORTS[0], tmp_path / "used")
