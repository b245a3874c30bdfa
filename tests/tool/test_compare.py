# SPDX-License-Identifier: Apache-2.0
"""`aesforge compare`: each kind of change in a published set is found, and nothing else."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aesforge import cli
from aesforge.base.errors import AesforgeError, UsageError
from aesforge.report import changes

pytestmark = pytest.mark.quick

CALL = {"mode": "ecb", "key_bits": 128, "direction": "encrypt", "blocks": 8}
SPEED: dict[str, Any] = {
    "accelerator": "unit",
    "variant": "full",
    "platform": "core",
    "question": "speed",
    "kind": "instruction",
    "status": "passed",
    "counts": {"code_bytes": 40},
    "figures": [{**CALL, "cycles": 200, "instructions": 90}],
    "how": {"inputs_sha256": "aa", "tools": {"cc": "1"}},
}
PROOF: dict[str, Any] = {"owner": "unit", "proof": "all", "outcome": "PASS", "seconds": 1.5}


def git(root: Path, *words: str) -> None:
    """Run git on a repository of the test's own."""
    name = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", "-C", str(root), *name, *words], check=True, capture_output=True)


def write(root: Path, speed: dict[str, Any], proof: dict[str, Any]) -> None:
    """Publish two records."""
    (root / "results").mkdir(exist_ok=True)
    for name, entry in (("records", speed), ("proofs", proof)):
        (root / "results" / f"{name}.jsonl").write_text(json.dumps(entry) + "\n")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two published records in its first commit."""
    git(tmp_path, "init", "--quiet")
    write(tmp_path, SPEED, PROOF)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "x")
    return tmp_path


def found(root: Path, new: str = "") -> dict[str, changes.Changes]:
    """What differs from the first commit, by file."""
    return {one.file: one for one in changes.compare("HEAD", new, root)}


def test_how_a_record_was_made_is_no_cell(repository: Path) -> None:
    """Hash, tools and time may change; every value is compared."""
    how = {"inputs_sha256": "bb", "tools": {"cc": "2"}}
    write(repository, {**SPEED, "how": how}, {**PROOF, "seconds": 9.0})
    made = found(repository)
    # Status, code bytes, cycles, instructions, waited; outcome.
    assert (made["records.jsonl"].same, made["proofs.jsonl"].same) == (5, 1)
    assert all(one.kept and not one.new for one in made.values())


@pytest.mark.parametrize(
    ("speed", "cell", "pair"),
    [
        (
            {"figures": [{**CALL, "cycles": 201, "instructions": 90}]},
            "ecb 128 encrypt 8 cycles",
            (200, 201),
        ),
        (
            {"figures": [{**CALL, "cycles": 200, "instructions": 90, "waited": 7}]},
            "ecb 128 encrypt 8 waited",
            (0, 7),
        ),
        ({"counts": {"code_bytes": 44}}, "counts code_bytes", (40, 44)),
        ({"status": "failed"}, "status", ("passed", "failed")),
    ],
)
def test_one_changed_value_is_one_changed_cell(
    repository: Path, speed: dict[str, Any], cell: str, pair: tuple[object, object]
) -> None:
    """With its value before and after."""
    write(repository, {**SPEED, **speed}, PROOF)
    made = found(repository)["records.jsonl"]
    assert made.changed == {("unit full core speed", cell): pair}
    assert (made.same, made.new, made.gone, made.kept) == (4, {}, {}, False)


def test_new_and_gone_cells(repository: Path) -> None:
    """A renamed variant is both; so is another call."""
    write(repository, {**SPEED, "variant": "half"}, PROOF)
    made = found(repository)["records.jsonl"]
    assert (made.same, len(made.new), len(made.gone), made.kept) == (0, 5, 5, False)
    curves = {**SPEED["how"], "flags": {"curves": "x25519"}}
    write(repository, {**SPEED, "how": curves}, PROOF)
    made = found(repository)["records.jsonl"]
    assert {place for place, _ in made.new} == {"unit full core speed x25519"}


def test_a_file_that_is_gone(repository: Path) -> None:
    """All of its cells are."""
    (repository / "results" / "proofs.jsonl").unlink()
    assert found(repository)["proofs.jsonl"].gone == {("unit all", "outcome"): "PASS"}
    assert found(repository, "HEAD")["proofs.jsonl"].kept  # the commit still has it


def test_what_cannot_be_compared_is_said(repository: Path) -> None:
    """No such commit, an option in its place, no records, a broken line."""
    for name in ("nothing", "--all"):
        with pytest.raises(UsageError, match=f"no commit '{name}'"):
            changes.compare(name, "", repository)
    (repository / "results" / "proofs.jsonl").write_text("[]\n")
    with pytest.raises(AesforgeError, match=r"proofs\.jsonl:1: not a record"):
        found(repository)
    git(repository, "rm", "--quiet", "-r", "-f", "results")
    with pytest.raises(AesforgeError, match="the working tree has no published records"):
        found(repository)


def test_the_command(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables for people, rows for programs; --strict fails on a changed cell, not on a new one."""
    monkeypatch.setattr(changes.compare, "__defaults__", ("", repository))

    def run(*words: str) -> "tuple[int, str]":
        done = CliRunner().invoke(cli.app, ["compare", "HEAD", *words])
        status = 1 if isinstance(done.exception, AesforgeError) else done.exit_code
        return status, done.stdout

    assert run("--strict")[0] == 0
    write(repository, {**SPEED, "counts": {"code_bytes": 40, "ram_bytes": 0}}, PROOF)
    assert run("--strict")[0] == 0
    write(repository, {**SPEED, "counts": {"code_bytes": 50}}, PROOF)
    status, told = run("--strict", "--wide")
    assert status == 1 and "+25.0 %" in told and "counts code_bytes" in told
    assert run("--most", "0")[0] == 0 and "code_bytes" not in run("--most", "0")[1]
    assert json.loads(run("--json")[1]) == {
        "file": "records.jsonl",
        "record": "unit full core speed",
        "value": "counts code_bytes",
        "before": 40,
        "after": 50,
    }
