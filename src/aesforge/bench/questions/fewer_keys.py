# SPDX-License-Identifier: Apache-2.0
"""What the questions "gcm" and "modes" have in common for a variant that lacks key lengths."""

from collections.abc import Mapping, Sequence

from aesforge.bench.job import Job
from aesforge.records.record import Figure, Record


def record(
    job: Job,
    reason: str,
    varying: str,
    figures: Sequence[Figure],
    counts: Mapping[str, int],
) -> Record:
    """Return the record; `varying`, what took unequal cycles, fails against a claim."""
    if varying and job.accelerator.manifest.claims("ct", job.variant):
        reason = reason or f"claims constant time, but cycles vary: {varying}"
    status = "failed" if reason else "passed"
    return job.record(status, reason=reason, figures=figures, counts=counts)
