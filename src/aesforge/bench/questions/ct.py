# SPDX-License-Identifier: Apache-2.0
"""Question "ct": does a call take the same number of cycles whatever key and text are?"""

from aesforge.base.errors import SimulationError
from aesforge.bench.job import MAX_REPORTED, Job, ct_runs, objects, run
from aesforge.records.record import Record


def ask(job: Job) -> Record:
    """Constant time: the same number of cycles for all random keys and plaintexts."""
    result, _, _ = run(job)
    result.require(job.title)
    spreads: dict[str, int] = {}
    for entry in objects(result, job.title):
        low, high, runs = (int(str(entry[key])) for key in ("min", "max", "n"))
        if runs != ct_runs(job.kind):
            raise SimulationError(f"{job.title}: {entry['what']}: only {runs} runs")
        spreads[str(entry["what"])] = high - low
    if not spreads:
        raise SimulationError(f"{job.title}: the firmware printed no figures")
    counts = {"runs": ct_runs(job.kind), "spread_max": max(spreads.values()), **spreads}
    # Varying times are a finding where nothing else is claimed, and a failure where it is.
    varying = [f"{what} by {spread}" for what, spread in spreads.items() if spread]
    if varying and job.accelerator.manifest.claims("ct", job.variant):
        reason = f"claims constant time, but cycles vary: {', '.join(varying[:MAX_REPORTED])}"
        return job.record("failed", counts=counts, reason=reason)
    return job.record("passed", counts=counts)
