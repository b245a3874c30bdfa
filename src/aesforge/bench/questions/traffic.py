# SPDX-License-Identifier: Apache-2.0
"""Question "traffic": may the core use buffers while a bus master works on them?"""

from aesforge.base.errors import SimulationError
from aesforge.bench.job import Job, objects, run
from aesforge.records.record import Record


def ask(job: Job) -> Record:
    """The core in the buffers of a bus master at work, against a plain reference memory."""
    result, _, _ = run(job)
    printed = objects(result, job.title)
    if not printed:
        result.require(job.title)
        raise SimulationError(f"{job.title}: the firmware printed no counts")
    names = ("accesses", "inside", "jobs", "bad", "shortest", "longest")
    counts = {name: int(str(printed[0][name])) for name in names}
    good = result.exit == 0 and counts["bad"] == 0 and counts["inside"] > 0
    reason = "" if good else f"{counts['bad']} of {counts['accesses']} accesses went wrong"
    return job.record("passed" if good else "failed", counts=counts, reason=reason)
