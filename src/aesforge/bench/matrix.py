# SPDX-License-Identifier: Apache-2.0
"""The matrix: accelerators x variants x platforms x questions, run in parallel, kept as records."""

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence

from aesforge.base import pool
from aesforge.base.errors import UsageError
from aesforge.bench.job import DEFAULT_QUESTIONS, QUESTIONS, Job, Settings
from aesforge.bench.measure import measure
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.records.record import Record

# Questions about hardware: software baselines have no unit that an interrupt could disturb. A block
# on the bus is asked those that its manifest claims an answer to.
HARDWARE_QUESTIONS = ("irq", "traffic")
PERIPHERAL_QUESTIONS = ("traffic",)
# Questions about elliptic curves: only for manifests with sw.ecc.
CURVE_QUESTIONS = ("ecc", "ecc_ct")
# Questions about SHA-256: only for units that compute it, and software that is named.
HASH_QUESTIONS = ("sha256",)

DEFAULTS = Settings()

# Reports a job that starts (no record yet) or has ended.
Report = Callable[[Job, Record | None], None]


def select(names: Collection[str], known: Sequence[str], what: str) -> list[str]:
    """Return the chosen names in the known order; a UsageError lists what there is."""
    if unknown := sorted(set(names) - set(known)):
        raise UsageError(f"there is no {what} '{unknown[0]}'", f"known: {', '.join(known)}")
    return [name for name in known if not names or name in names]


def matrix(
    only: Collection[str] = (),
    platforms: Collection[str] = (),
    questions: Collection[str] = (),
    settings: Settings = DEFAULTS,
    *,
    all_variants: bool = False,
) -> list[Job]:
    """Return the jobs. `only` holds accelerators or accelerator/variant.

    If it is empty: what belongs to the matrix by default (of software the first variant of each
    yardstick), or everything with `all_variants`.
    """
    accelerators = manifest.on_cores()
    chosen_platforms = _choose_platforms(platforms)
    chosen_questions = select(questions or DEFAULT_QUESTIONS, QUESTIONS, "question")
    chosen = [
        (accelerator, variant)
        for accelerator in _choose_accelerators(only, accelerators)
        for variant in accelerator.manifest.variant
    ]
    jobs = [
        Job(accelerator, variant, where, question, settings)
        for question, (accelerator, variant), where in itertools.product(
            chosen_questions, chosen, chosen_platforms
        )
        if _asked(question, accelerator, variant, only, all_variants)
    ]
    if not jobs:
        raise UsageError(
            f"nothing to ask: {', '.join(only) or 'no variant'} does not answer"
            f" {', '.join(chosen_questions)}",
            "`aesforge list` shows the variants; a claim in accel.toml says what one answers",
        )
    return jobs


def _asked(
    question: str,
    accelerator: Accelerator,
    variant: Variant,
    only: Collection[str],
    all_variants: bool,
) -> bool:
    """Tell whether a question is asked of a variant; questions about curves ignore yardsticks."""
    if question in CURVE_QUESTIONS:
        chosen = not only or _wanted(accelerator, variant, only, all_variants)
        return chosen and accelerator.manifest.has_ecc(variant)
    found = accelerator.manifest
    if question in HASH_QUESTIONS and not (
        accelerator.digests or (only and found.kind == "software")
    ):
        return False
    if question in (*HARDWARE_QUESTIONS, "secrets") and (
        found.outside_core or question in PERIPHERAL_QUESTIONS
    ):
        return found.claims(question, variant) and _wanted(accelerator, variant, only, all_variants)
    # A cipher in software: the interrupted calls would not come to the unit.
    if question in HARDWARE_QUESTIONS and (found.rtl is None or found.sw.cipher):
        return False
    return _wanted(accelerator, variant, only, all_variants)


def _wanted(
    accelerator: Accelerator, variant: Variant, only: Collection[str], all_variants: bool
) -> bool:
    """Tell whether a variant belongs to the matrix."""
    if only:
        return accelerator.name in only or f"{accelerator.name}/{variant.name}" in only
    found = accelerator.manifest
    if found.rtl is not None:
        return all_variants or variant.by_default
    return all_variants or (found.yardstick and variant is found.variant[0])


def _choose_accelerators(only: Collection[str], known: list[Accelerator]) -> list[Accelerator]:
    """Return the accelerators that `only` names; check its variants."""
    wanted: set[str] = set()
    by_name = {accelerator.name: accelerator for accelerator in known}
    for entry in only:
        name, _, variant = entry.partition("/")
        if name in by_name and variant:
            by_name[name].variant(variant)
        wanted.add(name)
    names = select(wanted, list(by_name), "accelerator")
    return [by_name[name] for name in names]


def _choose_platforms(names: Collection[str]) -> list[Platform]:
    by_name = {found.name: found for found in platform.discover()}
    return [by_name[name] for name in select(names, list(by_name), "platform")]


def run(jobs: Sequence[Job], workers: int, report: Report, *, fresh: bool = False) -> list[Record]:
    """Run jobs on `workers` threads (the work is in child processes) and return their records.

    On Ctrl-C the children are stopped at once; records finished by then are kept.
    """

    def work(job: Job) -> Record:
        report(job, None)
        return measure(job, fresh=fresh)

    return pool.ordered(work, jobs, workers, report)


def failures(records: Iterable[Record]) -> list[Record]:
    """Return the records because of which a run fails."""
    return [record for record in records if record.status in ("failed", "error")]
