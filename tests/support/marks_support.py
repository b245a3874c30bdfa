# SPDX-License-Identifier: Apache-2.0
"""Which of a test's parameters are slow."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

from aesforge.catalog.manifest import Accelerator, Variant

Value = TypeVar("Value")


def slow_unless(quick: Callable[[Value], bool], values: Iterable[Value]) -> list[object]:
    """Values as parameters; those for which `quick` is false are slow."""
    return [pytest.param(v, marks=() if quick(v) else pytest.mark.slow) for v in values]


def each_once(
    cases: Iterable[Sequence[Any]],
    parts: Callable[[Sequence[Any]], Sequence[str]],
    shown_by: int | None = None,
) -> list[object]:
    """Cases as parameters; slow are those whose every part a case before them has shown.

    `parts` names what a case is made of, such as its core and its unit; only the first `shown_by`
    of them matter, if that is given.
    """
    seen: set[tuple[int, str]] = set()
    params: list[object] = []
    for case in cases:
        named = parts(case)
        shown = seen.issuperset(enumerate(named[:shown_by]))
        seen.update(enumerate(named[:shown_by]))
        params.append(
            pytest.param(*case, marks=pytest.mark.slow if shown else (), id="-".join(named))
        )
    return params


def by_default(subjects: Iterable[tuple[Accelerator, Variant]]) -> list[object]:
    """Variants as parameters; those that are not measured by default are slow."""
    return slow_unless(lambda found: found[1].by_default, subjects)
