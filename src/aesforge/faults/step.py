# SPDX-License-Identifier: Apache-2.0
"""What a host does in a fault campaign: accesses of a bus, or operations of a unit."""

from dataclasses import dataclass
from typing import Literal

from aesforge.build.registers import RegisterMap

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


@dataclass(frozen=True)
class Registers:
    """The accesses of a peripheral by the names of its registers; STATUS has the field ERROR."""

    map: RegisterMap

    def status(self, **bits: int) -> int:
        """Return a word of STATUS."""
        return self.map["STATUS"].word(**bits)

    def write(self, name: str, **fields: int) -> Step:
        """Write a register by its fields."""
        return Step("write", self.map[name].address, self.map[name].word(**fields))

    def put(self, name: str, data: bytes) -> list[Step]:
        """Write the words of a key, a block or a chaining value."""
        words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
        return [
            Step("write", self.map[name].address + 4 * at, word) for at, word in enumerate(words)
        ]

    def take(self, name: str, data: bytes) -> list[Step]:
        """Read the words of a result, which must be `data`."""
        return [Step("read", step.address, step.data) for step in self.put(name, data)]

    def wait(self, **bits: int) -> Step:
        """Poll STATUS until these bits are so; an error ends the wait."""
        mask = self.status(**dict.fromkeys(bits, 1))
        wanted, error = self.status(**bits), self.status(ERROR=1)
        return Step("wait", self.map["STATUS"].address, wanted, mask, error)

    def sound(self) -> Step:
        """What a driver reads last: nothing was refused."""
        return Step("check", self.map["STATUS"].address, 0, self.status(ERROR=1))
