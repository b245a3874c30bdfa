# SPDX-License-Identifier: Apache-2.0
"""`aesforge stale`: which published records are of the present tree, and what a change does."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.probing import annotation, probe
from aesforge.records import record
from aesforge.report import stale
from aesforge.report.stale import Published
from aesforge.verify import mutate

RESULTS = sorted((ROOT / "results").glob("*.jsonl"))
FOLDERS = (
    "accelerators",
    "boards",
    "formal",
    "platforms",
    "results",
    "rtl",
    "sim",
    "sw",
    "vectors",
)


def test_every_record_is_asked_for() -> None:
    """Each line of results/, but those of mutants and what is computed from two others."""
    found = stale.published()
    for path in RESULTS:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        wanted = [line for line in lines if line.get("question") != "crossover"]
        listed = [one for one in found if one.file == path.name]
        assert len(listed) == (0 if path == mutate.PUBLISHED else len(wanted)), path.name
        assert all(one.about[0] and one.hash for one in listed)


def test_only_what_is_asked_for() -> None:
    """Names restrict the records; an unknown one is an error that lists the known ones."""
    name = stale.published()[0].about[0]
    assert {one.about[0] for one in stale.published([name])} == {name}
    with pytest.raises(UsageError, match=rf"about 'nosuch'.*known: .*{name}"):
        stale.published(["nosuch"])


def test_states() -> None:
    """Equal, different, gone; the hash of equal places is computed once."""
    asked: list[str] = []

    def present() -> str:
        asked.append("unit")
        return "new"

    def gone() -> str:
        raise UsageError("no accelerator 'left'", "known: none")

    every = [
        Published("a.jsonl", ("unit", "seed"), "new", present),
        Published("a.jsonl", ("unit", "seed"), "old", present),
        Published("b.jsonl", ("unit", "seed"), "old", present),
        Published("b.jsonl", ("left", ""), "old", gone),
    ]
    told: list[int] = []
    found = stale.judge(every, 1, lambda one, judged: told.append(len(judged)))
    assert [one.state for one in found] == ["current", "earlier", "earlier", "gone"]
    assert len(asked) == 2 and told == [2, 1, 1]
    assert found[3].about == "left" and found[3].reason == "no accelerator 'left'"
    rows = stale.summary(found).rows
    assert rows == (("a.jsonl", "2", "1", "1", "0"), ("b.jsonl", "2", "0", "1", "1"))
    assert stale.listing(found).rows[-1] == ("b.jsonl", "left", "1", "no accelerator 'left'")


def test_a_changed_operator_is_seen(tmp_path: Path) -> None:
    """As people run it: a comment in the RTL changes nothing, an operator each record about it."""
    module = record.read_published(probe.PUBLISHED)[0].accelerator
    (rtl,) = probe.design(path := annotation.find(module), annotation.load(path), "").files[-1:]
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name)
    copy = tmp_path / rtl.relative_to(ROOT)
    environment = {**os.environ, "AESFORGE_ROOT": str(tmp_path)}

    def run() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "aesforge", "stale", module, "--json"],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )

    text = copy.read_text(encoding="utf-8")
    copy.write_text(f"// more to read\n{text}", encoding="utf-8")
    done = run()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert {row["state"] for row in rows} == {"current"} and len(rows) > 4
    assert " ^ " in text
    copy.write_text(text.replace(" ^ ", " | ", 1), encoding="utf-8")
    done = run()
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert f"{len(rows)} of {len(rows)} published records are of an earlier text" in done.stderr
