# SPDX-License-Identifier: Apache-2.0
"""Question "speed": cycles, instructions and bytes of key set-up and of every mode."""

from aesforge.base.errors import SimulationError
from aesforge.bench.job import Job, alone, objects, run
from aesforge.records.record import Figure, Record


def ask(job: Job) -> Record:
    """Figures as the firmware counts them, and the bytes of the kernel."""
    result, _, sizes = run(job)
    result.require(job.title)
    figures = [Figure.model_validate(entry) for entry in objects(result, job.title)]
    if not figures:
        raise SimulationError(f"{job.title}: the firmware printed no figures")
    return job.record("passed", figures=figures, counts={**sizes, **alone(job)})
