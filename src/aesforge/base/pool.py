# SPDX-License-Identifier: Apache-2.0
"""Run work in parallel: results in order of completion, and a clean end on Ctrl-C."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from aesforge.base import proc

Item = TypeVar("Item")
Result = TypeVar("Result")

_TICK = 0.5  # seconds that the main thread may be closed to signals


def each(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int,
    *,
    processes: bool = False,
) -> Iterator[tuple[int, Result]]:
    """Yield (place in `items`, result) as calls of `work` end, `workers` at a time.

    Threads suffice where the work is in child processes; `processes` is for work in Python, and
    needs a `work` that can be pickled. An item waits until a worker is free, so that after an
    exception, Ctrl-C among them, nothing new begins: child processes are stopped, and the exception
    goes on to the caller.
    """
    workers = max(1, workers)
    queue = iter(enumerate(items))
    with _executor(workers, processes) as pool:
        running: dict[Future[Result], int] = {}
        try:
            while True:
                for number, item in islice(queue, workers - len(running)):
                    running[pool.submit(work, item)] = number
                if not running:
                    return
                done, _ = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            proc.stop_all()
            raise


def ordered(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int,
    ended: Callable[[Item, Result], None] = lambda item, result: None,
    *,
    processes: bool = False,
) -> list[Result]:
    """Return results in the order of `items`; `ended` is called with each as it ends."""
    results: dict[int, Result] = {}
    for number, result in each(work, items, workers, processes=processes):
        results[number] = result
        ended(items[number], result)
    return [results[number] for number in range(len(items))]


def _executor(workers: int, processes: bool) -> Executor:
    if processes:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    return ThreadPoolExecutor(workers)
