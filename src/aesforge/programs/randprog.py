# SPDX-License-Identifier: Apache-2.0
"""Seeded random programs that mix custom operations with everything that may disturb them.

A program is a piece of code at a known address with its own initial registers and scratch memory.
It runs to its end whatever the operations return, touches nothing but registers, its scratch
memory and the frame, and leaves all registers in the frame. What it did is therefore comparable
between a core and the model in `iss.py`, word by word.

What the mix is made of, and why: every case in which a core was seen, or could be imagined, to
lose, repeat or misorder an offloaded instruction. Results used 0, 1 or 2 instructions later (by
arithmetic, another custom operation, a store, an address, a branch, a jalr), custom operations
after multi-cycle ones (division, multiplication, loads, counter reads), in the shadow of taken
branches and jumps, as jump targets, with rd = x0.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from aesforge.programs import rv32
from aesforge.programs.iss import MASK32, CustomOperation

FRAME_REGISTERS = 32  # words of the frame that take x0..x31
FRAME_RETURN = 33  # word of the frame that holds the return address (word 32: the caller's sp)
SCRATCH_WORDS = 64

_SP = 2  # carries interrupt frames, so programs only read it
_FREE = tuple(number for number in range(1, 32) if number != _SP)

_CORNERS = (0, 1, 2, MASK32, MASK32 - 1, 0x8000_0000, 0x7FFF_FFFF, 0x8000_0001, 0xFFFF, 0x80)
_DIVISIONS = ("div", "divu", "rem", "remu")
_MULTIPLICATIONS = ("mul", "mulh", "mulhsu", "mulhu")
_ARITHMETIC = ("add", "sub", "slt", "sltu", "xor", "or", "and")
_SHIFTS = ("sll", "srl", "sra")


@dataclass(frozen=True)
class Program:
    """32 initial register words at `address`, then the scratch memory, then code."""

    seed: int
    address: int
    registers: tuple[int, ...]  # x0..x31; x0 and sp are not loaded
    scratch: tuple[int, ...]  # SCRATCH_WORDS words
    code: tuple[int, ...]
    custom_count: int  # custom operations in the code

    @property
    def scratch_address(self) -> int:
        """Address of the scratch memory."""
        return self.address + 4 * FRAME_REGISTERS

    @property
    def entry(self) -> int:
        """Address of the first instruction."""
        return self.scratch_address + 4 * SCRATCH_WORDS

    @property
    def epilogue(self) -> int:
        """Address of the instructions that store the registers and return."""
        return self.entry + 4 * (len(self.code) - len(_FREE) - 2)

    @property
    def words(self) -> tuple[int, ...]:
        """The words at `address`: registers, scratch memory, code."""
        return self.registers + self.scratch + self.code


@dataclass(frozen=True)
class Shape:
    """What programs look like: lengths in instructions, shares of custom operations 0..1."""

    shortest: int = 500
    longest: int = 1200
    custom_least: float = 0.20
    custom_most: float = 0.40
    misaligned: bool = False  # loads and stores at any address


def generate(
    seed: int,
    operations: Sequence[CustomOperation],
    address: int,
    shape: Shape | None = None,
    length: int | None = None,
) -> Program:
    """Return the program of a seed; the same arguments give the same program.

    `length` ends the program at the first piece that reaches so many instructions: the beginning
    stays what it was, which is how the piece that makes a program fail is found.
    """
    if address & 3:
        raise ValueError(f"programs start at multiples of four, not {address:#x}")
    return _Generator(seed, operations, address, shape or Shape()).program(length)


class Affine:
    """A custom operation as a function of one source register, the others fixed.

    Many operations of ciphers are affine over GF(2) in it, f(x) = f(0) ^ (columns of the set bits
    of x), because of an accumulating XOR or a linear layer. With 32 independent columns
    (`can_make_all`) a program can make any chosen value, such as an address, come out of one.
    """

    def __init__(
        self, operation: CustomOperation, index: int, sources: Sequence[int], imms: Sequence[int]
    ) -> None:
        """Probe with `sources`; source `index` (0 for rs1) is the variable one."""
        self.index = index
        self._sources = list(sources)
        self._immediates = list(imms)
        self._operation = operation
        self._origin = self._at(0)
        columns = [self._at(1 << bit) ^ self._origin for bit in range(32)]
        self._basis: dict[int, tuple[int, int]] = {}  # leading bit: (value, its argument)
        for bit, column in enumerate(columns):
            value, argument = self._reduce(column, 1 << bit)
            if value:
                self._basis[value.bit_length()] = (value, argument)
        self.can_make_all = len(self._basis) == 32 and self._passes(columns)

    def _at(self, argument: int) -> int:
        """Evaluate the operation."""
        sources = self._sources.copy()
        sources[self.index] = argument
        return self._operation.evaluate(sources, self._immediates)

    def _passes(self, columns: Sequence[int]) -> bool:
        """Compare with the affine map on a few arguments (`solve` would find a wrong yes)."""
        for argument in (MASK32, 0x9E37_79B9, 0x7F4A_7C15, 0x0012_3400):
            value = self._origin
            for bit, column in enumerate(columns):
                if argument >> bit & 1:
                    value ^= column
            if value != self._at(argument):
                return False
        return True

    def _reduce(self, value: int, argument: int) -> tuple[int, int]:
        """Cancel leading bits with the basis."""
        while value and value.bit_length() in self._basis:
            other, others_argument = self._basis[value.bit_length()]
            value ^= other
            argument ^= others_argument
        return value, argument

    def solve(self, wanted: int) -> list[int]:
        """Return all source values with which the operation gives `wanted`."""
        _, argument = self._reduce(wanted ^ self._origin, 0)
        if self._at(argument) != wanted:
            raise ValueError(f"{self._operation.mnemonic} is not affine in source {self.index}")
        sources = self._sources.copy()
        sources[self.index] = argument
        return sources


class _Generator:
    """The state while one program is made: its words, and which registers are spoken for."""

    def __init__(
        self, seed: int, operations: Sequence[CustomOperation], address: int, shape: Shape
    ) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.operations = list(operations)
        self.address = address
        self.shape = shape
        self.words: list[int] = []
        self.code_address = address + 4 * (FRAME_REGISTERS + SCRATCH_WORDS)
        self.recent: deque[int] = deque(maxlen=3)  # destinations of the last instructions
        self.base = self.random.choice(_FREE)  # points to the middle of the scratch memory
        self.middle = address + 4 * FRAME_REGISTERS + 2 * SCRATCH_WORDS
        self.kept = {self.base}  # not to be written
        self.unknown: set[int] = set()  # hold counter values: not to be read
        self.depth = 0  # of skipped or repeated blocks
        self.looping = False
        self.share = self.random.uniform(shape.custom_least, shape.custom_most)
        self.custom_count = 0
        self.owed: list[CustomOperation] = []  # operations still to be emitted
        self.hopeless: set[tuple[str, int]] = set()  # (mnemonic, source) seen not to be affine
        self.choices: list[tuple[int, Callable[[], None]]] = [
            (14, self._arithmetic),
            (12, self._immediate),
            (6, self._shift),
            (4, self._upper),
            (8, self._multiply),
            (6, self._divide),
            (10, self._load),
            (8, self._store),
            (4, self._computed_access),
            (7, self._forward_branch),
            (2, self._loop),
            (3, self._jump),
            (3, self._register_jump),
            (1, self._zigzag),
            (4, self._counter),
            (2, self._made_access),
            (2, self._made_jump),
        ]

    # --- the whole -----------------------------------------------------------------------

    def program(self, shorter: int | None) -> Program:
        """Make the program."""
        length = self.random.randint(self.shape.shortest, self.shape.longest)
        length = length if shorter is None else min(length, shorter)
        registers = [self._value() if number in _FREE else 0 for number in range(32)]
        registers[self.base] = self.middle
        scratch = [self._value() for _ in range(SCRATCH_WORDS)]
        last = _FREE[-1]
        table = self.address - self.code_address  # the table precedes the code
        self.words = [rv32.auipc(last, 0)]
        self.words += [rv32.load("lw", number, last, table + 4 * number) for number in _FREE]
        while len(self.words) < length:
            self._any()
        self.words += [rv32.store("sw", number, _SP, 4 * number) for number in _FREE]
        self.words += [rv32.load("lw", 1, _SP, 4 * FRAME_RETURN), rv32.jalr(0, 1, 0)]
        return Program(
            self.seed,
            self.address,
            tuple(registers),
            tuple(scratch),
            tuple(self.words),
            self.custom_count,
        )

    def _any(self) -> None:
        """Emit one piece of the mix, holding the share of custom operations."""
        actual = self.custom_count / max(1, len(self.words))
        if self.operations and self.random.random() < self.share + 4 * (self.share - actual):
            self._custom()
        else:
            weights = [weight for weight, _ in self.choices]
            self.random.choices(self.choices, weights)[0][1]()

    def _block(self, pieces: int) -> None:
        """Emit pieces that may be skipped or repeated."""
        self.depth += 1
        for _ in range(pieces):
            self._any()
        self.depth -= 1

    # --- registers and values ------------------------------------------------------------

    def _value(self) -> int:
        """Return a 32-bit value, often one at the edge of something."""
        if self.random.random() < 0.3:
            return self.random.choice(_CORNERS)
        return self.random.getrandbits(32)

    def _source(self) -> int:
        """Return a register to read, preferably one that was written just now."""
        if self.recent and self.random.random() < 0.65:
            number = self.random.choice(self.recent)
        else:
            number = self.random.choice((0, _SP, *_FREE))
        return self._source() if number in self.unknown else number

    def _destination(self, zero: bool = True) -> int:
        """Return a register to write; sometimes x0 if `zero`."""
        if zero and self.random.random() < 0.04:
            return 0
        return self.random.choice([n for n in _FREE if n not in self.kept])

    @contextmanager
    def _keeping(self, *numbers: int) -> Iterator[None]:
        """Protect registers from being written inside."""
        added = set(numbers) - self.kept
        self.kept |= added
        yield
        self.kept -= added

    @property
    def _here(self) -> int:
        """Address of the next instruction."""
        return self.code_address + 4 * len(self.words)

    def _emit(self, word: int, rd: int = 0) -> None:
        """Append an instruction that writes `rd` (0: none)."""
        self.words.append(word)
        if rd:
            self.recent.append(rd)

    def _reserve(self, count: int = 1) -> int:
        """Append words to be replaced later; return the first one's index."""
        self.words += [0] * count
        return len(self.words) - count

    def _distance(self, index: int) -> int:
        """Return bytes from the instruction at `index` to the next one to be emitted."""
        return 4 * (len(self.words) - index)

    # --- custom operations ---------------------------------------------------------------

    def _next_operation(self) -> CustomOperation:
        """Return operations in random order, each as often as the others."""
        if not self.owed:
            self.owed = self.operations.copy()
            self.random.shuffle(self.owed)
        return self.owed.pop()

    def _immediates(self, operation: CustomOperation) -> dict[str, int]:
        """Return random immediates."""
        imms = operation.encoding.immediates
        return {imm.name: self.random.getrandbits(imm.width) for imm in imms}

    def _custom(self) -> None:
        """Emit a custom operation on whatever there is."""
        operation = self._next_operation()
        sources = {name: self._source() for name in operation.encoding.registers}
        rd = self._destination()
        self._emit_custom(operation, rd, sources, self._immediates(operation))

    def _emit_custom(
        self,
        operation: CustomOperation,
        rd: int,
        sources: dict[str, int],
        immediates: dict[str, int],
    ) -> None:
        self._emit(operation.encoding.encode(rd, sources, immediates), rd)
        self.custom_count += 1

    def _gap(self) -> None:
        """Emit zero to two custom operations, mostly none or one."""
        if self.operations:
            for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
                self._custom()

    # --- plain instructions --------------------------------------------------------------

    def _register_op(self, mnemonics: Sequence[str]) -> None:
        rd = self._destination()
        word = rv32.register(self.random.choice(mnemonics), rd, self._source(), self._source())
        self._emit(word, rd)

    def _arithmetic(self) -> None:
        self._register_op(_ARITHMETIC)

    def _multiply(self) -> None:
        self._register_op(_MULTIPLICATIONS)

    def _divide(self) -> None:
        """Emit a division; in a third of the cases overflow or division by zero."""
        if self.random.random() < 0.67:
            self._register_op(_DIVISIONS)
            return
        dividend, divisor, rd = (self._destination(zero=False) for _ in range(3))
        low = self.random.choice((-1, 0, 1))
        self._emit(rv32.lui(dividend, 0x80000), dividend)
        self._emit(rv32.immediate("addi", divisor, 0, low), divisor)
        with self._keeping(dividend, divisor):
            self._gap()
        word = rv32.register(self.random.choice(_DIVISIONS), rd, dividend, divisor)
        self._emit(word, rd)

    def _immediate(self) -> None:
        rd = self._destination()
        mnemonic = self.random.choice(list(rv32.IMMEDIATE_OPS))
        value = self.random.randint(-2048, 2047)
        self._emit(rv32.immediate(mnemonic, rd, self._source(), value), rd)

    def _shift(self) -> None:
        if self.random.random() < 0.4:
            self._register_op(_SHIFTS)
            return
        rd = self._destination()
        mnemonic = self.random.choice(list(rv32.SHIFT_OPS))
        self._emit(rv32.shift(mnemonic, rd, self._source(), self.random.getrandbits(5)), rd)

    def _upper(self) -> None:
        rd = self._destination()
        make = self.random.choice((rv32.lui, rv32.auipc))
        self._emit(make(rd, self.random.getrandbits(20)), rd)

    # --- memory --------------------------------------------------------------------------

    def _offset(self, size: int) -> int:
        """Return an offset from the scratch memory's middle for an access of `size` bytes."""
        half = 2 * SCRATCH_WORDS
        offset = self.random.randint(-half, half - size)
        if self.shape.misaligned and self.random.random() < 0.3:
            return offset
        return offset & -size

    def _access(self, base: int, at: Callable[[int], int]) -> None:
        """Emit a load or store through `base`; `at(size)` gives the offset."""
        if self.random.random() < 0.5:
            rd = self._destination()
            mnemonic, (_, size) = self.random.choice(list(rv32.LOADS.items()))
            self._emit(rv32.load(mnemonic, rd, base, at(size)), rd)
        else:
            mnemonic, (_, size) = self.random.choice(list(rv32.STORES.items()))
            self._emit(rv32.store(mnemonic, self._source(), base, at(size)))

    def _load(self) -> None:
        rd = self._destination()
        mnemonic, (_, size) = self.random.choice(list(rv32.LOADS.items()))
        self._emit(rv32.load(mnemonic, rd, self.base, self._offset(size)), rd)

    def _store(self) -> None:
        mnemonic, (_, size) = self.random.choice(list(rv32.STORES.items()))
        self._emit(rv32.store(mnemonic, self._source(), self.base, self._offset(size)))

    def _computed_access(self) -> None:
        """Emit a load or store whose address depends on data: base + (value & 0x7c)."""
        pointer = self._destination(zero=False)
        self._emit(rv32.immediate("andi", pointer, self._source(), 0x7C), pointer)
        with self._keeping(pointer):
            self._gap()
        self._emit(rv32.register("add", pointer, pointer, self.base), pointer)
        with self._keeping(pointer):
            self._gap()
        self._access(pointer, lambda size: self.random.choice((-128, -64, -4, 0)))

    # --- control flow --------------------------------------------------------------------

    def _forward_branch(self) -> None:
        """Emit a branch, taken or not as the data will have it, over up to 8 pieces."""
        if self.depth > 1:
            return
        mnemonic = self.random.choice(list(rv32.BRANCHES))
        left, right = self._source(), self._source()
        index = self._reserve()
        self._block(self.random.randint(0, 8 >> self.depth))
        self.words[index] = rv32.branch(mnemonic, left, right, self._distance(index))

    def _loop(self) -> None:
        """Emit a loop of two to four rounds."""
        if self.looping or self.depth:
            return
        self.looping = True
        counter = self._destination(zero=False)
        self._emit(rv32.immediate("addi", counter, 0, self.random.randint(2, 4)), counter)
        top = len(self.words)
        early = self.random.random() < 0.5  # then another instruction is right before the branch
        with self._keeping(counter):
            if early:
                self._emit(rv32.immediate("addi", counter, counter, -1), counter)
            self._block(self.random.randint(1, 6))
        if not early:
            self._emit(rv32.immediate("addi", counter, counter, -1), counter)
        self._emit(rv32.branch("bne", counter, 0, -self._distance(top)))
        self.looping = False

    def _jump(self) -> None:
        """Emit jal over pieces that never run."""
        if self.depth > 1:
            return
        rd = self._destination()
        index = self._reserve()
        self._block(self.random.randint(0, 3))
        self.words[index] = rv32.jal(rd, self._distance(index))

    def _register_jump(self) -> None:
        """Emit auipc, addi, jalr over pieces that never run; custom operations in between."""
        if self.depth > 1:
            return
        pointer, rd = self._destination(zero=False), self._destination()
        start = len(self.words)
        self._emit(rv32.auipc(pointer, 0), pointer)
        addition = self._reserve()
        with self._keeping(pointer):
            self._gap()
        offset = self.random.randint(-64, 64)
        self._emit(rv32.jalr(rd, pointer, offset), rd)
        self._block(self.random.randint(0, 3))
        odd = int(self.random.random() < 0.2)  # jalr clears the lowest bit
        distance = self._distance(start) + odd - offset
        self.words[addition] = rv32.immediate("addi", pointer, pointer, distance)

    def _zigzag(self) -> None:
        """Emit jumps forward, back, and forward again."""
        if self.depth > 1:
            return
        first, rd = self._reserve(), self._destination()
        back = len(self.words)
        self._block(self.random.randint(1, 2))
        second, rd_second = self._reserve(), self._destination()
        self.words[first] = rv32.jal(rd, self._distance(first))
        self._block(self.random.randint(0, 2))
        self._emit(rv32.jal(0, -self._distance(back)))
        self.words[second] = rv32.jal(rd_second, self._distance(second))

    # --- counters ------------------------------------------------------------------------

    def _counter(self) -> None:
        """Emit a counter read that no result shows, closely followed by custom operations."""
        counter = self.random.choice(list(rv32.COUNTERS))
        form = self.random.randrange(4 if self.operations else 3)
        if form == 0:  # thrown away
            self._emit(rv32.csrr(0, counter))
            self._gap()
            return
        rd = self._destination(zero=False)
        self._emit(rv32.csrr(rd, counter))
        self.unknown.add(rd)
        if form == 1:  # x ^ x = 0, x - x = 0
            with self._keeping(rd):
                self._gap()
            self._emit(rv32.register(self.random.choice(("xor", "sub")), rd, rd, rd))
        elif form == 2:  # never falls: later < earlier gives 0
            with self._keeping(rd):
                self._gap()
                later = self._destination(zero=False)
                self._emit(rv32.csrr(later, counter))
                self.unknown.add(later)
            with self._keeping(rd, later):
                self._gap()
            self._emit(rv32.register("sltu", rd, later, rd))
            self._emit(rv32.register("sltu", later, 0, rd))
            self.unknown.discard(later)
        else:  # overwritten by a custom operation that does not read it
            operation = self._next_operation()
            sources = {name: self._source() for name in operation.encoding.registers}
            self._emit_custom(operation, rd, sources, self._immediates(operation))
        self.unknown.discard(rd)
        self.recent.append(rd)

    # --- custom operations that make addresses -------------------------------------------

    def _affine_operation(self) -> tuple[CustomOperation, Affine, dict[str, int]] | None:
        """Return an operation that can make chosen values, with its immediates."""
        for operation in self.random.sample(self.operations, len(self.operations)):
            indices = list(range(len(operation.encoding.registers)))
            self.random.shuffle(indices)
            for index in indices:
                if (operation.mnemonic, index) in self.hopeless:
                    continue
                immediates = self._immediates(operation)
                sources = [self.random.getrandbits(32) for _ in indices]
                affine = Affine(operation, index, sources, list(immediates.values()))
                if affine.can_make_all:
                    return operation, affine, immediates
                self.hopeless.add((operation.mnemonic, index))
        return None

    def _made(self, use: Callable[[int], int]) -> None:
        """Emit constants, a custom operation that turns them into an address, and its user.

        `use(pointer)` emits the user and returns the address that the pointer must hold. Without
        an operation that could make it, a plain custom operation is emitted instead.
        """
        found = self._affine_operation()
        if found is None:
            if self.operations:
                self._custom()
            return
        operation, affine, immediates = found
        names = operation.encoding.registers
        free = [number for number in _FREE if number not in self.kept]
        pointer = self.random.choice(free)
        holders = self.random.sample(free, len(names))
        constants = self._reserve(2 * len(names))
        with self._keeping(*holders):
            self._gap()
        self._emit_custom(operation, pointer, dict(zip(names, holders, strict=True)), immediates)
        with self._keeping(pointer):
            self._gap()
        values = affine.solve(use(pointer))
        for position, (holder, value) in enumerate(zip(holders, values, strict=True)):
            first = constants + 2 * position
            self.words[first : first + 2] = rv32.constant(holder, value)

    def _made_access(self) -> None:
        """Emit a load or store through an address that a custom operation returned."""

        def use(pointer: int) -> int:
            near = self.random.randint(-1900, 1900) & ~3
            self._access(pointer, lambda size: near + self._offset(size))
            return self.middle - near & MASK32

        self._made(use)

    def _made_jump(self) -> None:
        """Emit a jalr through an address that a custom operation returned."""
        if self.depth > 1:
            return

        def use(pointer: int) -> int:
            rd = self._destination()
            offset = self.random.randint(-2048, 2047)
            self._emit(rv32.jalr(rd, pointer, offset), rd)
            self._block(self.random.randint(0, 3))
            return self._here - offset & MASK32

        self._made(use)
