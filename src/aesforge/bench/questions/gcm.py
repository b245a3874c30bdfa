# SPDX-License-Identifier: Apache-2.0
"""Question "gcm": AES-GCM and GHASH on a core: vectors, forgeries, cycles, constant time."""

from aesforge.bench.job import Job, run
from aesforge.bench.questions import fewer_keys
from aesforge.records.record import Record
from aesforge.reference import gcm


def ask(job: Job) -> Record:
    """AES-GCM and GHASH: vectors, forgeries, cycles, constant time."""
    wanted = gcm.checks(job.kind)
    result, output, sizes = run(job, gcm.stream(wanted))
    result.require(job.title)
    found = gcm.judge(wanted, output)
    reason, spread = found.reason, found.counts["spread_max"]
    claimed = job.accelerator.manifest.claims("ct", job.variant)
    if spread and claimed and not reason:
        reason = f"claims constant time, but cycles vary by {spread}"
    return job.record(
        "failed" if reason else "passed",
        reason=reason,
        figures=found.figures,
        counts={**found.counts, **sizes},
    )


def ask_fewer(job: Job) -> Record:
    """The same of a variant that lacks key lengths: these are refused, their cases left out."""
    every = gcm.checks(job.kind)
    wanted = gcm.fewer(every, job.variant.key_bits)
    result, output, sizes = run(job, gcm.stream(wanted))
    result.require(job.title)
    found = gcm.judge(wanted, output)
    spread = found.counts["spread_max"]
    counts = {**found.counts, "left_out": len(set(every) - set(wanted)), **sizes}
    varying = f"by {spread}" if spread else ""
    return fewer_keys.record(job, found.reason, varying, found.figures, counts)
