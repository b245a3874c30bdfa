# SPDX-License-Identifier: Apache-2.0
"""The process pool: order, how much runs at a time, and what an exception stops."""

import threading
import time

import pytest

from aesforge.base import pool, proc
from aesforge.base.errors import Interrupted

pytestmark = pytest.mark.quick


def test_results_are_in_order_and_heard_as_they_end() -> None:
    """The first of four takes longest."""
    heard: list[int] = []

    def work(number: int) -> int:
        time.sleep(0.2 if number == 0 else 0.0)
        return number * number

    assert pool.ordered(work, range(4), 2, lambda item, _: heard.append(item)) == [0, 1, 4, 9]
    assert sorted(heard) == [0, 1, 2, 3] and heard[0] != 0


def double(number: int) -> int:
    """For other processes."""
    return 2 * number


def test_processes_do_the_same() -> None:
    """Work in Python goes to processes."""
    assert pool.ordered(double, range(3), 2, processes=True) == [0, 2, 4]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_no_more_run_at_a_time_than_asked(workers: int) -> None:
    """At least one."""
    lock, now, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1

    assert len(pool.ordered(work, range(8), workers)) == 8
    assert most == max(1, workers)


def test_an_exception_stops_children_and_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits is not begun; the exception reaches the caller as it is."""
    stopped: list[bool] = []
    monkeypatch.setattr(proc, "stop_all", lambda: stopped.append(True))
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        if number == 1:
            raise Interrupted

    with pytest.raises(Interrupted):
        pool.ordered(work, range(100), 1)
    assert begun == [0, 1] and stopped == [True]
