# SPDX-License-Identifier: Apache-2.0
"""What a host does in a fault campaign: accesses of a bus, or operations of a unit."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["write", "wait", "read", "check"]
KINDS: tuple[Kind, ...] = ("write", "wait", "read", "check")  # numbers of runner.c
_WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Step:
    """One access of a peripheral's driver. `mask` chooses the bits that are compared with `data`.

    write; wait: read until equal; read: a difference is a wrong result; check: a difference is an
    alert. A bit of `alert` that is read as 1 is an alert.
    """

    kind: Kind
    address: int
    data: int = 0
    mask: int = _WORD
    alert: int = 0

    @property
    def text(self) -> str:
        """A line for the runner."""
        numbers = (self.address, self.data, self.mask, self.alert, 0)
        return " ".join(f"{number:x}" for number in (KINDS.index(self.kind), *numbers))


@dataclass(frozen=True)
class Request:
    """One operation of a unit; `op` is its req_op_i.

    What becomes of an answer other than `answer` is the kind: write, nothing; wait, the kernel asks
    again; read, a wrong result; check, the kernel returns an error or begins again.
    """

    kind: Kind
    op: int
    rs1: int
    rs2: int
    rs3: int
    answer: int

    @property
    def text(self) -> str:
        """A line for the runner."""
        numbers = (self.op, self.rs1, self.rs2, self.rs3, self.answer)
        return " ".join(f"{number:x}" for number in (KINDS.index(self.kind), *numbers))


@dataclass(frozen=True)
class Job:
    """An operation: its name has no blanks."""

    name: str
    steps: tuple[Step, ...] | tuple[Request, ...]
