# SPDX-License-Identifier: Apache-2.0
"""Question "irq": is the result correct for an interrupt in any cycle?"""

from aesforge.base.errors import SimulationError
from aesforge.bench.job import Job, objects, run
from aesforge.records.record import Record


def ask(job: Job) -> Record:
    """An interrupt at every offset of every call; the call in the handler may be refused."""
    result, _, _ = run(job)
    total = next((o for o in objects(result, job.title) if o.get("what") == "total"), None)
    if total is None:
        result.require(job.title)
        raise SimulationError(f"{job.title}: the firmware printed no total")
    counts = {key: int(str(total[key])) for key in ("offsets", "fired", "inside", "refused", "bad")}
    good = result.exit == 0 and counts["bad"] == 0 and counts["offsets"] > 0
    reason = "" if good else f"{counts['bad']} of {counts['offsets']} interrupt offsets went wrong"
    return job.record("passed" if good else "failed", counts=counts, reason=reason)
