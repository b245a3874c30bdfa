# SPDX-License-Identifier: Apache-2.0
"""Accelerators on a bus or a stream: their checks, on the smallest one there is."""

import shutil
from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError, ToolError, UsageError
from aesforge.base.paths import ROOT
from aesforge.bench import matrix
from aesforge.build import library
from aesforge.build.system import require_offered
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from aesforge.synth import flow
from aesforge.verify import check, cocotb_bench, lint

RELAY = manifest.load(ROOT / "tests" / "fixtures" / "relay")


@pytest.fixture(autouse=True)
def own_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep these checks out of the repository's build folder."""
    for module in (check, cocotb_bench, lint):
        monkeypatch.setattr(module, "BUILD", tmp_path / "build")


def copied(folder: Path, name: str, *change: tuple[str, str]) -> Accelerator:
    """Return a copy of the relay with changes in one of its files."""
    shutil.copytree(RELAY.folder, folder / "relay", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "relay" / name
    text = path.read_text(encoding="utf-8")
    for old, new in change:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    return manifest.load(folder / "relay")


def test_all_checks_pass() -> None:
    """Lint and bench of each variant, and each planted bug caught as a difference."""
    results = check.check(RELAY, RELAY.manifest.variant)
    assert [(r.variant, r.check) for r in results] == [
        ("", "folder"),
        *(("byte", "lint"), ("byte", "bench stream"), ("word", "lint"), ("word", "bench stream")),
        *(("byte", "bug BUG_STUCK"), ("word", "bug BUG_DROP")),
    ]
    assert [r.detail for r in results if not r.passed] == []
    assert all("caught: words_pass" in r.detail for r in results if r.check.startswith("bug"))


def test_a_harmless_bug_is_not_caught(tmp_path: Path) -> None:
    """A planted bug that changes nothing fails its check."""
    found = copied(tmp_path, "accel.toml", ("{word_q[Width-1:1], 1'b0}", "word_q"))
    result = check.check(found, [found.variant("byte")])[-1]
    assert (result.status, result.detail) == ("fail", "NOT caught: the unit bench passes with it")


def test_a_bench_that_breaks_catches_nothing(tmp_path: Path) -> None:
    """An exception of the bench itself is an error, with and without a bug."""
    found = copied(tmp_path, "test/stream_bench.py", ("rng = random.Random", "rng = rondam.Random"))
    results = {r.check: r for r in check.check(found, [found.variant("byte")])}
    for name in ("bench stream", "bug BUG_STUCK"):
        assert results[name].status == "error"
        assert "NameError" in results[name].detail


def test_a_bench_without_tests_is_an_error(tmp_path: Path) -> None:
    """Nothing tested is not a pass."""
    found = copied(tmp_path, "test/stream_bench.py", ("@cocotb.test()", ""))
    results = {r.check: r for r in check.check(found, [found.variant("byte")], bugs=False)}
    assert results["bench stream"].status == "error"


def test_no_results_is_an_error(tmp_path: Path) -> None:
    """A simulator that died has no verdict."""
    with pytest.raises(ToolError, match="without results"):
        cocotb_bench.verdict(tmp_path / "results.xml")


def test_slow_benches_wait_to_be_asked(tmp_path: Path) -> None:
    """`fast = false` leaves a bench and its bugs to `--slow`."""
    found = copied(tmp_path, "accel.toml", ('stream_bench.py"', 'stream_bench.py"\nfast = false'))
    steps = list(check._bench_steps(found, [found.variant("byte")], True))
    assert [step.label for step in steps if not step.slow] == ["folder", "lint"]
    assert [step.label for step in steps if step.slow] == ["bench stream", "bug BUG_STUCK"]
    results = check.check(found, [found.variant("byte")])
    assert [result.check for result in results] == ["folder", "lint"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "[[bench]]",
            "[[op]]\nmnemonic='x'\nencoding='0001000 rs2 rs1 000 rd 0001011'"
            "\nsemantics='y'\n[[bench]]",
            "has no \\[\\[op",
        ),
        ('bench = "stream"', 'bench = "strean"', "no such bench: 'strean'"),
        ('module = "test', 'variants = ["long"]\nmodule = "test', "no such variant: long"),
        ('kind = "stream"', 'kind = "software"', "software"),
    ],
)
def test_wrong_manifests_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    """Every mistake is named."""
    with pytest.raises(ManifestError, match=said):
        copied(tmp_path, "accel.toml", (old, new))


def test_missing_files_are_named(tmp_path: Path) -> None:
    """A bench's module that is not there, a claim without its test, a stale bug."""
    found = copied(
        tmp_path,
        "accel.toml",
        ("stream_bench.py", "other_bench.py"),
        ("assign m_axis_tdata = word_q", "assign m_axis_tdata = word"),
        ('\ntest = "stream"', '\ntest = "steam"'),
    )
    problems = "; ".join(check.folder_problems(found))
    assert "test/other_bench.py is missing" in problems
    assert "BUG_STUCK: rtl/relay.sv holds the text to replace 0 times" in problems
    assert "no question or proof 'steam'" in problems


def test_cores_run_peripherals_with_a_driver() -> None:
    """The matrix leaves out accelerators without a kernel, and asking for one says why."""
    asked = {job.accelerator.name for job in matrix.matrix(all_variants=True)}
    drivers = {found.name for found in manifest.on_cores() if found.manifest.outside_core}
    assert drivers <= asked
    every = {job.accelerator for job in matrix.matrix(all_variants=True)}
    assert all(any(unit.manifest.sw.kernel for unit in found.units()) for found in every)
    from aesforge.catalog.platform import discover

    with pytest.raises(UsageError, match="no platform holds it"):
        require_offered(RELAY, RELAY.manifest.variant[0], discover()[0])
    with pytest.raises(UsageError, match="of kind 'stream'"):
        manifest.require_unit(RELAY, "no")


def test_synthesis_wraps_parameters(tmp_path: Path) -> None:
    """The wrapper has the width of the variant and the bus's names of clock and reset."""
    files = tuple(library.rtl_files(RELAY))
    for variant in RELAY.manifest.variant:
        params = tuple(cocotb_bench.parameters(RELAY, variant).items())
        folder = tmp_path / variant.name
        folder.mkdir()
        found = flow.Design(files, "relay", params=params)
        ports = flow.ports(found, folder, folder / "log")
        assert dict((name, width) for name, _, width in ports)["m_axis_tdata"] == params[0][1]
        assert ".aclk(clk_i), .aresetn(rst_ni)" in flow.wrapper_sv("relay", ports)


def test_parts_are_synthesised_alone(tmp_path: Path) -> None:
    """A part has its own top and parameters, comes by name only, and may have no reset."""
    part = '[[part]]\nname = "lane"\ntop = "lane"\nparams = { Width = 9 }\n\n[[bench]]'
    found = copied(tmp_path, "accel.toml", ("[[bench]]", part))
    assert found.hardware("lane").params == {"Width": 9}
    assert found.hardware("").name == found.manifest.variant[0].name
    wrapper = flow.wrapper_sv("lane", [("clk_i", "input", 1), ("data_i", "input", 9)])
    assert ".clk_i(clk_i),\n" in wrapper
    (tmp_path / "twin").mkdir()
    with pytest.raises(ManifestError, match="named twice"):
        copied(tmp_path / "twin", "accel.toml", ("[[bench]]", part.replace("lane", "word")))
