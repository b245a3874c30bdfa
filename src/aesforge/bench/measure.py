# SPDX-License-Identifier: Apache-2.0
"""Ask one question of one accelerator variant on one platform, and make a record of the answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from aesforge.base.errors import Absent, AesforgeError, SimulationError
from aesforge.bench.job import Job, content_hash, same_run
from aesforge.bench.questions import (
    ct,
    ecc,
    ecc_ct,
    gcm,
    irq,
    modes,
    secrets,
    sha256,
    speed,
    test,
    traffic,
)
from aesforge.build.system import reason_to_skip
from aesforge.records.record import Record, load_cached, store

ASK: dict[str, Callable[[Job], Record]] = {
    "test": test.ask,
    "speed": speed.ask,
    "ct": ct.ask,
    "gcm": gcm.ask,
    "modes": modes.ask,
    "sha256": sha256.ask,
    "irq": irq.ask,
    "traffic": traffic.ask,
    "secrets": secrets.ask,
    "ecc": ecc.ask,
    "ecc_ct": ecc_ct.ask,
}
# The same of variants that lack key lengths (Job.fewer_keys).
ASK_FEWER: dict[str, Callable[[Job], Record]] = {
    "test": test.ask_fewer,
    "gcm": gcm.ask_fewer,
    "modes": modes.ask_fewer,
}


_locks: dict[str, Lock] = {}
_table = Lock()  # of _locks and _simulated
_simulated: set[str] = set()


@contextmanager
def _alone(run: str) -> Iterator[bool]:
    """Let one of several jobs with the same simulation run it; the others wait and reuse it.

    `run` names the simulation. Yields whether no job of this process has had it yet.
    """
    with _table:
        lock = _locks.setdefault(run, Lock())
    with lock:
        yield run not in _simulated
        with _table:
            _simulated.add(run)


def measure(job: Job, *, fresh: bool = False) -> Record:
    """Return the record of a job, from the cache unless `fresh`. Failures are records too:

    skipped: the manifest or the platform excludes it; absent: something optional is not installed;
    failed: the simulation found a fault; error: a tool or a file is wrong.
    """
    if not fresh and (known := load_cached(content_hash(job))):
        return known
    if skip := reason_to_skip(job.accelerator, job.variant, job.platform):
        return job.record("skipped", reason=f"{skip.because}; until {skip.until}")
    try:
        # Even a fresh measurement simulates once for all jobs that share the simulation.
        with _alone(same_run(job)) as first:
            ask = (ASK_FEWER if job.fewer_keys else ASK)[job.question]
            record = ask(replace(job, fresh=fresh and first))
    except Absent as absent:
        record = job.record("absent", reason=str(absent))
    except SimulationError as error:
        record = job.record("failed", reason=str(error))
    except AesforgeError as error:
        record = job.record("error", reason=str(error))
    store(record)
    return record
