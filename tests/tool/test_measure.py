# SPDX-License-Identifier: Apache-2.0
"""Questions and records: what the content hash covers, how wrong answers show."""

import re
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.errors import SimulationError
from aesforge.bench import job as cells
from aesforge.bench import measure
from aesforge.bench.job import Job, Settings
from aesforge.build import pycode, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import KEY_BITS, KeyBits
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.reference import gcm, modes, vectors, wire
from aesforge.reference.wire import ModeAnswer, ModeRequest
from harness_support import SMALLEST


@pytest.fixture
def job() -> Job:
    """The vectors of the smallest unit on the platform with the fewest RTL files."""
    host = min(platform.discover(), key=lambda found: (len(found.core_files()), found.name))
    return Job(SMALLEST, SMALLEST.manifest.variant[0], host, "test", Settings(mct_outer=0))


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "CACHE", tmp_path / "records")


def spoilt(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Flip one bit of one expected result of a kind."""
    load = vectors.load

    def load_spoilt(*args: object, **kwargs: object) -> list[vectors.ModeCase]:
        cases = list(load(*args, **kwargs))  # type: ignore[arg-type]
        at = next(i for i, c in enumerate(cases) if c.kind == kind and c.direction == "encrypt")
        wrong = bytes([cases[at].ciphertext[0] ^ 1]) + cases[at].ciphertext[1:]
        cases[at] = replace(cases[at], ciphertext=wrong)
        return cases

    monkeypatch.setattr(vectors, "load", load_spoilt)
    cells.mode_cases.cache_clear()


@pytest.mark.usefixtures("_own_cache")
@pytest.mark.parametrize("kind", ["FIPS", "KAT", "CTR"])
def test_one_wrong_vector_fails_the_record(
    job: Job, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record counts it, names it, and is failed."""
    spoilt(monkeypatch, kind)
    try:
        made = measure.measure(job)
    finally:
        cells.mode_cases.cache_clear()
    assert made.status == "failed"
    assert made.counts["wrong"] == 1
    assert "1 of" in made.reason


@pytest.mark.usefixtures("_own_cache")
def test_a_whole_monte_carlo_iteration_passes(job: Job) -> None:
    """One outer iteration of each test, beside all other vectors."""
    made = measure.measure(replace(job, settings=Settings(mct_outer=1)))
    assert made.status == "passed", made.reason
    assert made.counts["MCT"] >= 6
    assert made.counts["wrong"] == 0


def test_vectors_are_part_of_the_hash(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed vector is a new question."""
    before = cells.content_hash(job)
    spoilt(monkeypatch, "KAT")
    try:
        assert cells.content_hash(job) != before
    finally:
        cells.mode_cases.cache_clear()


def test_settings_and_question_are_part_of_the_hash(job: Job) -> None:
    """Wait states, seeds and Monte Carlo length."""
    jobs = [
        job,
        replace(job, question="speed"),
        replace(job, settings=Settings(mct_outer=1)),
        replace(job, settings=Settings(mct_outer=0, dwait=1)),
        replace(job, settings=Settings(mct_outer=0, dwait=1, seed=3)),
    ]
    assert len({cells.content_hash(each) for each in jobs}) == len(jobs)


# (file of the unit's folder, pattern, replacement), once in words and once in what is compiled
WORDS = {
    "rtl": (r"^// (?!SPDX)(.*)$", r"// in other words: \1\n"),
    "kernel": (r"^(#include .*)$", r"// in other words\n\n\1"),
    "manifest": (r'^summary = "', '# a comment\nsummary = "In other words: '),
}
MEANING = {
    "rtl": (r"\bassign (\w+) = ", r"assign \1 = ~"),
    "kernel": (r"^  return ", "  return ~"),
    "manifest": (r'(encoding = ")[01]{5}', r"\g<1>00100"),
}


def edited(job: Job, folder: Path, what: str, edit: tuple[str, str]) -> Job:
    """Return the job of a copy of the unit, one kind of its files edited."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(job.accelerator.folder, folder)
    found = job.accelerator.manifest
    assert found.rtl is not None
    rtl = [f"rtl/{found.rtl.top}.sv"]
    names = {"rtl": rtl, "kernel": found.sw.kernel, "manifest": ["accel.toml"]}[what]
    changed = 0
    for name in names:
        text = (folder / name).read_text(encoding="utf-8")
        text, count = re.subn(edit[0], edit[1], text, count=1, flags=re.MULTILINE)
        (folder / name).write_text(text, encoding="utf-8")
        changed += count
    assert changed
    return replace(job, accelerator=manifest.load(folder))


def test_what_is_compiled_is_part_of_the_hash(job: Job, tmp_path: Path) -> None:
    """Another operator, constant or encoding makes a new record; another comment does not.

    One test: all copies share the unit's generated files, which two processes must not change.
    """
    folder = tmp_path / job.accelerator.folder.name
    before = cells.content_hash(job)
    assert not cells._what_runs(job)[0].startswith("not built")
    for what in ("rtl", "kernel", "manifest"):
        assert cells.content_hash(edited(job, folder, what, WORDS[what])) == before, what
        assert cells.content_hash(edited(job, folder, what, MEANING[what])) != before, what


def test_renamed_files_are_not_part_of_the_hash(job: Job, tmp_path: Path) -> None:
    """A kernel under other names, and RTL in another folder, are the same kernel and RTL."""
    folder = tmp_path / job.accelerator.folder.name
    shutil.copytree(job.accelerator.folder, folder)
    found = job.accelerator.manifest
    assert found.rtl is not None
    text = (folder / "accel.toml").read_text(encoding="utf-8")
    (folder / "rtl").rename(folder / "moved")
    (folder / "rtl").mkdir()
    (folder / "moved").rename(folder / "rtl" / "deeper")
    for name in found.sw.kernel:
        other = str(Path(name).with_name(f"other_{Path(name).name}"))
        (folder / name).rename(folder / other)
        text = text.replace(f'"{name}"', f'"{other}"')
    (folder / "accel.toml").write_text(text, encoding="utf-8")
    same = replace(job, accelerator=manifest.load(folder))
    assert cells.content_hash(same) == cells.content_hash(job)


@pytest.mark.parametrize("question", ["speed", "ct", "irq"])
def test_code_that_judges_is_part_of_the_hash(job: Job, question: str) -> None:
    """What decides an answer is reached from its question; what publishes it is not."""
    asked = f"bench.questions.{question}"
    found = {str(each) for each in pycode.reached([f"{asked}.ask"], cells.BY_VALUE)}
    assert {f"{asked}.ask", "bench.job.objects", "build.simulate.run_model"} <= found
    modules = {name.rpartition(".")[0] for name in found}
    assert modules <= {asked, "bench.job", "build.simulate"}


def test_every_question_is_asked_by_its_module() -> None:
    """The hash names the code that judges by the question's name."""
    assert tuple(measure.ASK) == cells.QUESTIONS
    for question, ask in measure.ASK.items():
        assert ask.__module__ == f"aesforge.bench.questions.{question}" and ask.__name__ == "ask"
    assert tuple(measure.ASK_FEWER) == cells.KEYED_QUESTIONS
    for question, ask in measure.ASK_FEWER.items():
        assert ask.__module__ == f"aesforge.bench.questions.{question}"
        assert ask.__name__ == "ask_fewer"


def _with_fewer_keys() -> Job:
    """The vectors of a variant that lacks key lengths, on the platform with the least core."""
    host = min(platform.discover(), key=lambda found: (len(found.core_files()), found.name))
    for unit in manifest.on_cores():
        for variant in unit.manifest.variant:
            if variant.key_bits != [*KEY_BITS]:
                return Job(unit, variant, host, "test", Settings(mct_outer=0))
    pytest.skip("every variant takes every key")


def _promising(job: Job, *key_bits: KeyBits) -> Job:
    """The job, of a variant whose manifest says other key lengths."""
    return replace(job, variant=job.variant.model_copy(update={"key_bits": [*key_bits]}))


@pytest.mark.usefixtures("_own_cache")
@pytest.mark.parametrize("question", ["gcm", "test"])  # modes takes minutes
def test_a_variant_is_asked_what_its_keys_allow(question: str) -> None:
    """Cases with other keys are left out and counted, and such keys must be refused.

    A unit that refuses keys although its manifest promises them fails.
    """
    job = replace(_with_fewer_keys(), question=question)
    assert job.fewer_keys
    lacks = [bits for bits in KEY_BITS if bits not in job.variant.key_bits]
    found = measure.measure(job)
    assert (found.status, found.reason) == ("passed", "")
    assert found.counts["left_out"] > 0 and found.counts["wrong"] == 0
    assert {figure.key_bits for figure in found.figures} <= set(job.variant.key_bits)
    more = _promising(job, *job.variant.key_bits, lacks[0])
    assert cells.content_hash(more) != cells.content_hash(job)
    wrong = measure.measure(more)
    assert wrong.status == "failed"
    assert str(lacks[0]) in wrong.reason
    assert wrong.counts["left_out"] < found.counts["left_out"]


def test_cases_of_fewer_keys() -> None:
    """GCM refuses two key lengths, and each mode those of its own: GCM-SIV has no 192 bits."""
    every = gcm.checks("mmio")
    refused = [check for check in gcm.fewer(every, (128,)) if check not in set(every)]
    assert [check.name for check in refused] == ["AES-192", "AES-256"]
    assert {check.status for check in refused} == {gcm.UNSUPPORTED}
    assert gcm.fewer(every, KEY_BITS) == [*every]
    calls = modes.checks("mmio")
    lacking = [check for check in modes.fewer(calls, (128, 192)) if check not in set(calls)]
    assert [check.name for check in lacking] == [f"{mode}, AES-256" for mode in modes.MODES]
    both = [check for check in modes.fewer(calls, (128,)) if check not in set(calls)]
    assert len(both) == 2 * len(modes.MODES) - 2  # XTS has no 192 bits either
    assert {check.status for check in both} == {modes.UNSUPPORTED}
    assert modes.fewer(calls, KEY_BITS) == [*calls]


def test_pages_are_not_part_of_the_hash(job: Job, tmp_path: Path) -> None:
    """A page that is made from records must not make them stale."""
    folder = tmp_path / job.accelerator.folder.name
    shutil.copytree(job.accelerator.folder, folder)
    (folder / "README.md").write_text("another page\n")
    same = replace(job, accelerator=manifest.load(folder))
    assert cells.content_hash(same) == cells.content_hash(job)


def test_wire_format() -> None:
    """Requests and answers are what sw/harness/test.c reads and writes."""
    request = ModeRequest("cbc", True, bytes(24), bytes(range(16)), b"\x01" * 32)
    packed = request.pack()
    assert struct.unpack_from("<5I", packed) == (1, 1, 1, 192, 32)
    assert packed[20:52] == bytes(32)
    assert packed[52:68] == bytes(range(16))
    assert packed[68:] == b"\x01" * 32
    odd = ModeRequest("ctr", False, bytes(16), bytes(16), b"abc")
    stream = struct.pack("<I", 0) + b"\x02" * 32 + bytes(16)
    stream += struct.pack("<I", 2) + b"abc\0" + bytes(16)
    answers = wire.unpack_answers([request, odd], stream)
    assert answers == [ModeAnswer(0, b"\x02" * 32), ModeAnswer(2, b"abc")]


def test_bytes_of_one_direction() -> None:
    """A program that needs one direction takes less of a kernel with tables than both do."""
    found = next(a for a in manifest.kernels() if a.manifest.sw.tables or not a.manifest.rtl)
    variant, host = found.manifest.variant[0], platform.discover()[0]
    both = system.kernel_size(
        found, variant, host, system.build_system_firmware(found, variant, host, "speed")
    )
    alone = [system.direction_bytes(found, variant, host, name) for name in variant.directions]
    assert len(alone) == 2
    assert all(0 < size < both.code_bytes + both.table_bytes for size in alone)
    assert sum(alone) >= both.code_bytes + both.table_bytes


@pytest.mark.parametrize("change", [-1, 1, -60])
def test_a_short_or_long_answer_is_an_error(change: int) -> None:
    """Bytes that are missing or left over never count as a pass."""
    request = ModeRequest("ecb", False, bytes(16), b"", bytes(16))
    stream = struct.pack("<I", 0) + bytes(16) + bytes(16)
    damaged = stream + b"\0" if change > 0 else stream[:change]
    with pytest.raises(SimulationError):
        wire.unpack_answers([request, request], stream + damaged)


@pytest.mark.usefixtures("_own_cache")
def test_what_a_simulator_did_is_kept(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new record of the same machine and input simulates nothing, a fresh or damaged one does."""
    monkeypatch.setattr(cells, "RUNS", tmp_path / "runs")
    simulated: list[Path] = []
    run_model = cells.run_model

    def counted(model: Path, *args: object, **settings: object) -> object:
        simulated.append(model)
        return run_model(model, *args, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(cells, "run_model", counted)
    asked = replace(job, question="speed")
    first = measure.measure(asked)
    monkeypatch.setattr(record, "CACHE", tmp_path / "other")
    assert measure.measure(asked) == first
    assert len(simulated) == 1
    (kept,) = (tmp_path / "runs").iterdir()
    kept.write_text(kept.read_text()[:100])
    monkeypatch.setattr(record, "CACHE", tmp_path / "third")
    assert measure.measure(asked) == first
    assert len(simulated) == 2
    monkeypatch.setattr(measure, "_simulated", set())  # as in another process
    assert measure.measure(asked, fresh=True) == first
    assert len(simulated) == 3


@pytest.mark.usefixtures("_own_cache")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_simulator_that_was_ended_from_outside_is_no_result(
    job: Job, number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its record nor what it had done so far is kept: the next call simulates."""
    monkeypatch.setattr(cells, "RUNS", tmp_path / "runs")
    asked = replace(job, question="speed")

    def ended_early(words: Sequence[str | Path], **settings: object) -> proc.Finished:
        with subprocess.Popen(
            [*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            child.send_signal(number)
            stdout, stderr = child.communicate(timeout=60)
        return proc.Finished(child.returncode, stdout, stderr, 0.0)

    whole = proc.run
    monkeypatch.setattr(
        proc,
        "run",
        lambda words, **settings: (ended_early if "Vtop" in str(words[0]) else whole)(
            words, **settings
        ),
    )
    found = measure.measure(asked)
    assert found.status == "error"
    assert "ended from outside" in found.reason
    assert not (tmp_path / "runs").exists()
    monkeypatch.setattr(proc, "run", whole)
    monkeypatch.setattr(measure, "_simulated", set())  # as in another process
    assert measure.measure(asked).status == "passed"


@pytest.mark.usefixtures("_own_cache")
def test_equal_runs_are_simulated_once(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two variants with the same hardware and firmware: the second waits and finds the first's."""
    inside: list[bool] = []
    most, simulated = 0, []

    def ask(asked: Job) -> Record:
        nonlocal most
        inside.append(asked.fresh)
        most = max(most, len(inside))
        time.sleep(0.2)
        simulated.append(inside.pop())
        return asked.record("passed")

    monkeypatch.setitem(measure.ASK, job.question, ask)
    monkeypatch.setattr(measure, "same_run", lambda _: "equal")
    monkeypatch.setattr(measure, "_simulated", set())
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: measure.measure(job, fresh=True), range(2)))
    assert most == 1
    assert simulated == [True, False]  # the second may take what the first kept
