# SPDX-License-Identifier: Apache-2.0
"""Question "sha256": SHA-256 on a core: vectors, cycles, constant time."""

from aesforge.bench.job import Job, run
from aesforge.records.record import Record
from aesforge.reference import digests


def ask(job: Job) -> Record:
    """Digests, the cycles of three lengths, and whether they depend on the message."""
    wanted = digests.cases()
    result, output, _ = run(job, digests.stream(wanted))
    result.require(job.title)
    found = digests.judge(wanted, output)
    reason, spread = found.reason, found.counts.get("spread_max", 0)
    if spread and not reason and job.accelerator.manifest.claims("ct", job.variant):
        reason = f"claims constant time, but cycles vary by {spread}"
    return job.record("failed" if reason else "passed", reason=reason, counts=found.counts)
