# SPDX-License-Identifier: Apache-2.0
"""The matrix: what it holds by default, and how choices narrow or widen it."""

import pytest

from aesforge.base.errors import UsageError
from aesforge.bench import matrix
from aesforge.bench.job import DEFAULT_QUESTIONS, Job, Settings
from aesforge.catalog import manifest, platform

EVERYTHING = manifest.on_cores()
UNITS = [found for found in EVERYTHING if found.manifest.rtl is not None]
SOFTWARE = [found for found in EVERYTHING if found.manifest.rtl is None]
PLATFORMS = platform.discover()


def pairs(jobs: list[Job]) -> set[tuple[str, str]]:
    """Accelerator and variant of each job."""
    return {(job.accelerator.name, job.variant.name) for job in jobs}


def test_default_matrix() -> None:
    """What is for the default, the first of yardsticks, on every platform, all questions."""
    jobs = matrix.matrix()
    units = {(a.name, v.name) for a in UNITS for v in a.manifest.variant if v.by_default}
    yardsticks = [a for a in SOFTWARE if a.manifest.yardstick]
    software = {(a.name, a.manifest.variant[0].name) for a in yardsticks}
    assert pairs(jobs) == units | software
    assert {job.question for job in jobs} == set(DEFAULT_QUESTIONS)
    assert len(jobs) == len(units | software) * len(PLATFORMS) * len(DEFAULT_QUESTIONS)


def test_all_variants() -> None:
    """Nothing is left out."""
    everything = {(a.name, v.name) for a in EVERYTHING for v in a.manifest.variant}
    assert pairs(matrix.matrix(all_variants=True)) == everything


def test_choices() -> None:
    """An accelerator means all its variants; accelerator/variant means one."""
    found = next(a for a in EVERYTHING if len(a.manifest.variant) > 1)
    last = found.manifest.variant[-1].name
    assert len(pairs(matrix.matrix([found.name]))) == len(found.manifest.variant)
    assert pairs(matrix.matrix([f"{found.name}/{last}"])) == {(found.name, last)}
    jobs = matrix.matrix([found.name], [PLATFORMS[0].name], ["speed"])
    assert {(job.platform.name, job.question) for job in jobs} == {(PLATFORMS[0].name, "speed")}


def test_interrupts_are_asked_of_units_only() -> None:
    """Only calls that use the hardware can be disturbed; blocks are asked what they claim.

    Software uses none, and neither does the software cipher beside a unit without AES.
    """
    jobs = matrix.matrix(questions=["irq"], all_variants=True)
    units = {unit.name for unit in manifest.aes_units()}
    assert units < {unit.name for unit in manifest.units()}
    claim = {unit.name for unit in UNITS if any(c.test == "irq" for c in unit.manifest.claim)}
    assert {job.accelerator.name for job in jobs} == units | claim
    for job in matrix.matrix(questions=["traffic"], all_variants=True):
        assert job.accelerator.manifest.claims("traffic", job.variant)


def test_digests_are_asked_of_units_that_compute_them() -> None:
    """And of software that is named: what a unit is compared with."""
    jobs = matrix.matrix(questions=["sha256"], all_variants=True)
    units = {unit.name for unit in UNITS if unit.digests}
    assert {job.accelerator.name for job in jobs} == units and units
    assert pairs(matrix.matrix([SOFTWARE[0].name], questions=["sha256"]))
    with pytest.raises(UsageError, match="nothing to ask"):
        matrix.matrix([next(u.name for u in UNITS if not u.digests)], questions=["sha256"])


def test_a_question_that_nobody_answers_is_an_error() -> None:
    """What a variant does not claim to answer is not taken for a pass."""
    with pytest.raises(UsageError, match="nothing to ask"):
        matrix.matrix([UNITS[0].name], questions=["traffic"])


def test_unknown_names() -> None:
    """Each kind of name has its message."""
    for choice, text in (
        ({"only": ["nosuch"]}, "accelerator 'nosuch'"),
        ({"platforms": ["nosuch"]}, "platform 'nosuch'"),
        ({"questions": ["nosuch"]}, "question 'nosuch'"),
        ({"only": [f"{UNITS[0].name}/nosuch"]}, "no variant 'nosuch'"),
    ):
        with pytest.raises(UsageError, match=text):
            matrix.matrix(**choice)  # type: ignore[arg-type]


def test_a_failing_job_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job has its record, in the order of the matrix, whatever order they end in."""
    jobs = matrix.matrix([UNITS[0].name], questions=["speed"])

    def measure(job: Job, *, fresh: bool = False) -> object:
        return job.record("failed" if job.platform.name == PLATFORMS[0].name else "passed")

    monkeypatch.setattr(matrix, "measure", measure)
    ended: list[str] = []
    records = matrix.run(
        jobs, 2, lambda job, record: ended.append(job.title) if record is not None else None
    )
    assert [record.platform for record in records] == [job.platform.name for job in jobs]
    assert sorted(ended) == sorted(job.title for job in jobs)
    failed = matrix.failures(records)
    assert {record.platform for record in failed} == {PLATFORMS[0].name}


def test_settings_choose_the_vectors() -> None:
    """Units always run everything; software when asked."""
    assert Settings().suites("instruction") == "all"
    assert Settings().suites("software") == "core"
    assert Settings(every_vector=True).suites("software") == "all"


def test_flags_say_what_was_run() -> None:
    """The record's flags follow the kind: software has fewer runs and fewer vectors."""
    assert Settings().flags("test", "software")["vectors"] == "core"
    assert Settings().flags("test", "instruction")["vectors"] == "all"
    runs = [int(Settings().flags("ct", kind)["runs"]) for kind in ("software", "instruction")]
    assert runs[0] < runs[1] == 1000
