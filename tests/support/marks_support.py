# SPDX-License-Identifier: Apache-2.0
"""Which of a test's parameters are slow."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

from aesforge.catalog.manifest import Accelerator, Variant

Value = TypeVar("Value")


def slow_unless(quick: Callable[[Value], bool], values: Iterable[Value]) -> list[object]:
    """Values as parameters; those for which `quick` is false are slow."""
    return [pytest.param(v, marks=() if quick(v) else pytest.mark.slow) for v in values]


def by_default(subjects: Iterable[tuple[Accelerator, Variant]]) -> list[object]:
    """Variants as parameters; those that are not measured by default are slow."""
    return slow_unless(lambda found: found[1].by_default, subjects)
