# SPDX-License-Identifier: Apache-2.0
"""`aesforge dist`: archives and bundles, as their reader checks and unpacks them."""

import hashlib
import json
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aesforge import __version__, export
from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.build import codegen, integrate
from aesforge.catalog import manifest
from aesforge.cli.app import app
from aesforge.export import release
from harness_support import SMALLEST

FIRST = release.bundles([SMALLEST.name])[0]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with one bundle."""
    folder = tmp_path_factory.mktemp("release")
    release.make([FIRST], folder, 1)
    return folder


def test_each_default_variant_has_a_bundle() -> None:
    """Every accelerator is there, on every host that takes it; no two files have one name."""
    found = release.bundles()
    listed = {(bundle.accelerator, bundle.variant) for bundle in found}
    hardware = [one for one in manifest.discover() if one.manifest.kind != "software"]
    for one in hardware:
        for variant in one.manifest.variant:
            if variant.by_default and export.hosts_of(one, variant):
                assert (one.name, variant.name) in listed
    assert {name for name, _ in listed} == {one.name for one in hardware}
    assert len({bundle.stem for bundle in found}) == len(found)


def test_no_bundle_is_refused_after_the_work() -> None:
    """What a port cannot carry is known before: every bundle has an encoding of its own there."""
    for bundle in release.bundles():
        accelerator, variant = manifest.choose(bundle.accelerator, bundle.variant)
        if accelerator.manifest.is_unit:
            opcode = integrate.opcode_of(bundle.host)
            assert codegen.layout(accelerator, variant, opcode).operations


def test_a_named_variant_need_not_be_a_default() -> None:
    """NAME/VARIANT takes that variant alone."""
    unit, variant = next(
        (unit, variant)
        for unit in manifest.aes_units()
        for variant in unit.manifest.variant
        if not variant.by_default and export.hosts_of(unit, variant)
    )
    found = release.bundles([f"{unit.name}/{variant.name}"])
    assert {bundle.variant for bundle in found} == {variant.name}
    assert [bundle.host for bundle in found] == export.hosts_of(unit, variant)


def test_the_hashes_are_those_of_the_files(made: Path) -> None:
    """SHA256SUMS lists every file, as `sha256sum -c` reads it; a changed byte shows."""
    check = ["sha256sum", "--strict", "-c", release.SUMS]
    subprocess.run(check, cwd=made, check=True, capture_output=True, timeout=60)
    listed = {line.split()[1] for line in (made / release.SUMS).read_text().splitlines()}
    assert listed == {path.name for path in made.iterdir()} - {release.SUMS}
    assert len(listed) == 3
    bundle = made / f"{FIRST.stem}.zip"
    kept = bundle.read_bytes()
    bundle.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    spoilt = subprocess.run(check, cwd=made, check=False, capture_output=True, timeout=60)
    bundle.write_bytes(kept)
    assert spoilt.returncode != 0


def test_a_bundle_is_one_folder_of_verilog_and_c(made: Path, tmp_path: Path) -> None:
    """It unpacks to the export: one Verilog file, every hash of export.json right."""
    with zipfile.ZipFile(made / f"{FIRST.stem}.zip") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    assert folder.name == FIRST.stem
    told = json.loads((folder / export.MADE).read_text())
    for name, digest in told["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
    assert [path.name for path in (folder / "rtl").glob("*.*v")] == told["rtl"]
    run = ["make", "-C", str(folder / "sw")]
    done = subprocess.run(run, check=True, capture_output=True, text=True, timeout=300)
    assert "FIPS 197: right" in done.stdout


def test_the_same_sources_give_the_same_files(made: Path, tmp_path: Path) -> None:
    """Byte for byte, bundle and archives."""
    release.make([FIRST], tmp_path, 1)
    assert (tmp_path / release.SUMS).read_text() == (made / release.SUMS).read_text()


def test_the_source_archive_is_what_git_has(made: Path) -> None:
    """Every file that git does not ignore, and besides the archive's own description alone."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    tracked = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    top = f"aesforge-{__version__}/"
    with tarfile.open(made / f"aesforge-{__version__}.tar.gz") as archive:
        packed = {one.name.removeprefix(top) for one in archive if not one.isdir()}
    assert packed - tracked == {"PKG-INFO"}
    assert tracked - packed == set()


def test_the_wheel_holds_the_tool(made: Path) -> None:
    """Every file of the package, templates included."""
    source = ROOT / "src"
    wanted = {
        path.relative_to(source).as_posix()
        for path in (source / "aesforge").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(made / f"aesforge-{__version__}-py3-none-any.whl") as archive:
        assert wanted <= set(archive.namelist())


def test_what_has_no_host_is_an_error() -> None:
    """Software runs on any core: there is nothing to attach."""
    software = next(one for one in manifest.discover() if one.manifest.kind == "software")
    with pytest.raises(UsageError, match=f"no host takes {software.name}"):
        release.bundles([software.name])


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """One line, and exit status 1 or more; the file in the way stays."""
    target = tmp_path / "file"
    target.write_text("mine")
    found = CliRunner().invoke(app, ["dist", "--only", SMALLEST.name, "-o", str(target)])
    assert isinstance(found.exception, UsageError)
    assert "cannot write" in str(found.exception)
    assert target.read_text() == "mine"
