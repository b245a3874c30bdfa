# SPDX-License-Identifier: Apache-2.0
"""Operations and operand sets for every comparison of model, emulation and RTL.

Nothing but the standard library here: every simulation imports this module.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import Any

WORD = 0xFFFFFFFF
CORNERS = (0, WORD, 0x80000000, 0x7FFFFFFF, 0x00000001, 0x01020304, 0x80808080, 0x55AA00FF)
MAX_IMMEDIATES = 64  # combinations of immediate values that are tried one by one
SWEPT = 8  # of these combinations, with every value of every byte
MAX_SWEEP = 60_000  # requests; beyond this the four lanes of a word are swept together


@dataclass(frozen=True)
class Field:
    """An immediate: its place inside req_op_i."""

    name: str
    lsb: int
    width: int


@dataclass(frozen=True)
class Spec:
    """What a bench must know about one operation; `latency` in cycles."""

    mnemonic: str
    code: int
    mask: int
    value: int
    registers: tuple[str, ...]
    immediates: tuple[Field, ...]  # in the order of the intrinsic's arguments
    instruction_lsb: tuple[int, ...]  # positions of the immediates in the instruction word
    latency: int

    def op_word(self, immediates: Sequence[int]) -> int:
        """Return req_op_i, 16 bits."""
        fields = zip(self.immediates, immediates, strict=True)
        return self.code | sum(value << field.lsb for field, value in fields)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for a JSON file."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> "Spec":
        """Undo to_json."""
        fields = tuple(Field(**field) for field in data["immediates"])
        rest = {key: tuple(data[key]) for key in ("registers", "instruction_lsb")}
        return Spec(**{**data, **rest, "immediates": fields})


@dataclass(frozen=True)
class Operation:
    """One request; an operand that the operation does not read holds noise."""

    spec: Spec
    operands: tuple[int, int, int]
    immediates: tuple[int, ...]

    def arguments(self) -> list[int]:
        """Return what model and intrinsic take: registers that are read, then immediates."""
        names = ("rs1", "rs2", "rs3")
        read = [self.operands[names.index(name)] for name in self.spec.registers]
        return [*read, *self.immediates]

    def result(self, model: ModuleType) -> int:
        """Return what the model says, 32 bits."""
        result = getattr(model, self.spec.mnemonic)(*self.arguments())
        if not isinstance(result, int) or not 0 <= result <= WORD:
            raise ValueError(f"model.{self.spec.mnemonic} returned {result!r}, not a 32-bit word")
        return result

    def __str__(self) -> str:
        words = zip(self.spec.registers, self.arguments(), strict=False)
        registers = [f"{name}=0x{word:08x}" for name, word in words]
        fields = zip(self.spec.immediates, self.immediates, strict=True)
        return " ".join([self.spec.mnemonic, *registers, *(f"{f.name}={v}" for f, v in fields)])


def immediate_values(spec: Spec, rng: random.Random) -> list[tuple[int, ...]]:
    """All combinations of immediate values, or the extreme ones and a choice of the rest."""
    total = 1 << sum(field.width for field in spec.immediates)
    if total <= MAX_IMMEDIATES:
        return list(itertools.product(*(range(1 << field.width) for field in spec.immediates)))
    chosen = [tuple(0 for _ in spec.immediates), tuple((1 << f.width) - 1 for f in spec.immediates)]
    while len(chosen) < MAX_IMMEDIATES:
        chosen.append(tuple(rng.randrange(1 << field.width) for field in spec.immediates))
    return chosen


def directed(operations: Sequence[Spec], rng: random.Random) -> Iterator[Operation]:
    """Corner operands for every immediate; single bits and all values of each byte for a choice.

    The choice is every immediate of an operation that has no more than SWEPT.
    """
    choices = {spec.mnemonic: immediate_values(spec, rng) for spec in operations}
    single = sum(
        1024 * len(spec.registers) * min(SWEPT, len(choices[spec.mnemonic])) for spec in operations
    )
    for spec in operations:
        read = [("rs1", "rs2", "rs3").index(name) for name in spec.registers]
        step = -(-len(choices[spec.mnemonic]) // SWEPT)
        for number, immediates in enumerate(choices[spec.mnemonic]):
            words = _corners(len(read))
            if number % step == 0 or immediates == choices[spec.mnemonic][-1]:
                sweep = _sweep(len(read), rng, lanes_apart=single <= MAX_SWEEP)
                words = itertools.chain(words, sweep)
            for found in words:
                operands = [rng.getrandbits(32) for _ in range(3)]
                for place, word in zip(read, found, strict=True):
                    operands[place] = word
                yield Operation(spec, (operands[0], operands[1], operands[2]), immediates)


def _corners(count: int) -> Iterator[tuple[int, ...]]:
    """Corner words for `count` registers, in all combinations."""
    return itertools.product(CORNERS if count < 3 else CORNERS[:5], repeat=count)


def _sweep(count: int, rng: random.Random, *, lanes_apart: bool) -> Iterator[tuple[int, ...]]:
    """Single bits and every value of every byte, one of `count` registers at a time."""
    for register in range(count):
        others = [rng.getrandbits(32) for _ in range(count)]

        def placed(
            word: int, register: int = register, others: list[int] = others
        ) -> tuple[int, ...]:
            return (*others[:register], word, *others[register + 1 :])

        yield from (placed(1 << bit) for bit in range(32))
        background = rng.getrandbits(32)
        for value in range(256):
            if lanes_apart:
                for lane in range(0, 32, 8):
                    yield placed(background & ~(0xFF << lane) | value << lane)
            else:
                lanes = ((value + 64 * lane) % 256 << 8 * lane for lane in range(4))
                yield placed(sum(lanes))


def noise(operations: Sequence[Spec], rng: random.Random, count: int) -> Iterator[Operation]:
    """Random operations on random operands, a corner word now and then."""
    for _ in range(count):
        spec = rng.choice(operations)
        operands = [
            rng.choice(CORNERS) if rng.random() < 0.1 else rng.getrandbits(32) for _ in range(3)
        ]
        immediates = tuple(rng.randrange(1 << field.width) for field in spec.immediates)
        yield Operation(spec, (operands[0], operands[1], operands[2]), immediates)
