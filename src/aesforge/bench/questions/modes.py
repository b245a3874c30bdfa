# SPDX-License-Identifier: Apache-2.0
"""Question "modes": CCM, CMAC, XTS, GMAC, key wrap and GCM-SIV on a core."""

from aesforge.bench.job import Job, run
from aesforge.records.record import Record
from aesforge.reference import modes


def ask(job: Job) -> Record:
    """CCM, CMAC, XTS, GMAC, KW, KWP, GCM-SIV: vectors, forgeries, cycles, constant time."""
    wanted = modes.checks(job.kind, tuple(job.variant.directions))
    result, output, sizes = run(job, modes.stream(wanted))
    result.require(job.title)
    found = modes.judge(wanted, output)
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
