# SPDX-License-Identifier: Apache-2.0
"""An instruction-level model of RV32IM with custom operations: the oracle of random programs.

Source: The RISC-V Instruction Set Manual, volume I (unprivileged), chapters RV32I, M, Zicsr and
Zicntr, and its instruction listings (opcodes and funct fields below). Values are Python integers
0..2^32-1; nothing here knows time. Where cores legitimately differ (counter values) a model cannot
decide, so programs compared with it must not let such values through.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from aesforge.base.errors import AesforgeError
from aesforge.catalog.encoding import Encoding

MASK32 = 0xFFFF_FFFF
DEVICE_BASE = 0x8000_0000  # docs/architecture.md, section 4

# Zicntr: cycle, time, instret and their upper halves. No platform here has `time`.
_COUNTERS = {0xC00: 0, 0xC02: 0, 0xC80: 32, 0xC82: 32}  # address: shift of the 64-bit count


class IssTrap(AesforgeError):
    """The program did what a core would trap on; `pc` is the instruction's address."""

    def __init__(self, pc: int, reason: str) -> None:
        super().__init__(f"trap at {pc:#010x}: {reason}")
        self.pc = pc
        self.reason = reason


@dataclass(frozen=True)
class CustomOperation:
    """An instruction of an accelerator: `function(*registers, *immediates)` returns 32 bits."""

    mnemonic: str
    encoding: Encoding
    function: Callable[..., int]

    def evaluate(self, sources: Sequence[int], immediates: Iterable[int]) -> int:
        """Return rd for source register values (rs1, rs2, rs3 as used) and immediates."""
        result = self.function(*sources, *immediates)
        if not 0 <= result <= MASK32:
            raise ValueError(f"model of {self.mnemonic} returned {result:#x}, not 32 bits")
        return result


def signed(value: int) -> int:
    """Return a 32-bit pattern as a two's complement number."""
    return value - (1 << 32) if value & 0x8000_0000 else value


def _extend(value: int, bits: int) -> int:
    """Sign-extend `bits` bits to 32."""
    sign = 1 << bits - 1
    return ((value & (1 << bits) - 1 ^ sign) - sign) & MASK32


def _div(a: int, b: int) -> int:
    """Signed quotient, rounded to zero; all ones for b = 0 (M chapter, table of special cases)."""
    if b == 0:
        return MASK32
    x, y = signed(a), signed(b)
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _rem(a: int, b: int) -> int:
    """Remainder with the dividend's sign; the dividend for b = 0."""
    if b == 0:
        return a
    x, y = signed(a), signed(b)
    remainder = abs(x) % abs(y)
    return -remainder if x < 0 else remainder


# (funct7, funct3) of opcode OP; results are cut to 32 bits by the caller.
_OP: dict[tuple[int, int], Callable[[int, int], int]] = {
    (0x00, 0): lambda a, b: a + b,  # add
    (0x20, 0): lambda a, b: a - b,  # sub
    (0x00, 1): lambda a, b: a << (b & 31),  # sll
    (0x00, 2): lambda a, b: int(signed(a) < signed(b)),  # slt
    (0x00, 3): lambda a, b: int(a < b),  # sltu
    (0x00, 4): lambda a, b: a ^ b,  # xor
    (0x00, 5): lambda a, b: a >> (b & 31),  # srl
    (0x20, 5): lambda a, b: signed(a) >> (b & 31),  # sra
    (0x00, 6): lambda a, b: a | b,  # or
    (0x00, 7): lambda a, b: a & b,  # and
    (0x01, 0): lambda a, b: a * b,  # mul
    (0x01, 1): lambda a, b: signed(a) * signed(b) >> 32,  # mulh
    (0x01, 2): lambda a, b: signed(a) * b >> 32,  # mulhsu
    (0x01, 3): lambda a, b: a * b >> 32,  # mulhu
    (0x01, 4): _div,
    (0x01, 5): lambda a, b: a // b if b else MASK32,  # divu
    (0x01, 6): _rem,
    (0x01, 7): lambda a, b: a % b if b else a,  # remu
}

_SHIFTS = ((0x00, 1), (0x00, 5), (0x20, 5))

_BRANCH: dict[int, Callable[[int, int], bool]] = {
    0: lambda a, b: a == b,  # beq
    1: lambda a, b: a != b,  # bne
    4: lambda a, b: signed(a) < signed(b),  # blt
    5: lambda a, b: signed(a) >= signed(b),  # bge
    6: lambda a, b: a < b,  # bltu
    7: lambda a, b: a >= b,  # bgeu
}

# funct3: (bytes, sign-extended)
_LOAD = {0: (1, True), 1: (2, True), 2: (4, True), 4: (1, False), 5: (2, False)}
_STORE = {0: 1, 1: 2, 2: 4}

_LUI, _AUIPC, _JAL, _JALR, _BRANCHES = 0x37, 0x17, 0x6F, 0x67, 0x63
_LOADS, _STORES, _OP_IMM, _OP_REG, _MISC_MEM, _SYSTEM = 0x03, 0x23, 0x13, 0x33, 0x0F, 0x73


@dataclass
class Device:
    """The test-bench device without its timer (docs/architecture.md, section 4)."""

    memory_size: int
    input: bytes = b""
    output: bytearray = field(default_factory=bytearray)
    console: bytearray = field(default_factory=bytearray)
    exit_code: int | None = None

    def read(self, offset: int, cycles: int) -> int | None:
        """Return the word at a register's offset; None where there is nothing to read."""
        if offset == 0x08:
            return min(len(self.input), 0x7FFF_FFFF)
        if offset in (0x0C, 0x30):
            count = 4 if offset == 0x0C else 1
            word, self.input = self.input[:count], self.input[count:]
            return int.from_bytes(word.ljust(4, b"\0"), "little")
        return {0x18: self.memory_size, 0x20: 0, 0x24: cycles & MASK32}.get(offset)

    def write(self, offset: int, value: int) -> bool:
        """Take a word; False where there is nothing to write."""
        if offset == 0x00:
            self.console.append(value & 0xFF)
        elif offset == 0x04:
            self.exit_code = value
        elif offset == 0x10:
            self.output += value.to_bytes(4, "little")
        elif offset == 0x14:
            self.output.append(value & 0xFF)
        else:
            return False
        return True


class Iss:
    """One hart: registers, memory from address 0, the device, and no interrupts."""

    def __init__(
        self,
        memory: bytearray,
        custom: Sequence[CustomOperation] = (),
        *,
        pc: int = 0,
        misaligned: bool = False,
        stream: bytes = b"",
    ) -> None:
        """`memory` is used in place; `misaligned` permits loads and stores at any address."""
        self.memory = memory
        self.custom = list(custom)
        self.pc = pc
        self.misaligned = misaligned
        self.device = Device(len(memory), stream)
        self.registers = [0] * 32
        self.instret = 0
        self._known: dict[int, CustomOperation] = {}

    def run(self, until: int | None = None, limit: int = 1_000_000) -> None:
        """Execute until `pc` is `until` or the program exits; IssTrap past `limit` instructions."""
        for _ in range(limit):
            if self.pc == until or self.device.exit_code is not None:
                return
            self.step()
        raise IssTrap(self.pc, f"no end within {limit} instructions")

    def step(self) -> None:
        """Execute one instruction."""
        if self.pc & 3 or not 0 <= self.pc <= len(self.memory) - 4:
            raise IssTrap(self.pc, "fetch from a misaligned address or outside memory")
        word = int.from_bytes(self.memory[self.pc : self.pc + 4], "little")
        opcode, rd, funct3 = word & 0x7F, word >> 7 & 31, word >> 12 & 7
        a, b, funct7 = self.registers[word >> 15 & 31], self.registers[word >> 20 & 31], word >> 25
        imm_i = _extend(word >> 20, 12)
        following = self.pc + 4 & MASK32
        result: int | None = None

        if opcode == _OP_IMM and (funct3 not in (1, 5) or (funct7, funct3) in _SHIFTS):
            # The upper seven bits of a shift's immediate are its funct7.
            result = _OP[funct7 if funct3 == 5 else 0, funct3](a, imm_i)
        elif opcode == _OP_REG and (funct7, funct3) in _OP:
            result = _OP[funct7, funct3](a, b)
        elif opcode == _LOADS and funct3 in _LOAD:
            size, extend = _LOAD[funct3]
            result = self._load(a + imm_i & MASK32, size)
            result = _extend(result, 8 * size) if extend else result
        elif opcode == _STORES and funct3 in _STORE:
            offset = _extend(funct7 << 5 | rd, 12)
            self._store(a + offset & MASK32, _STORE[funct3], b)
            rd = 0
        elif opcode == _BRANCHES and funct3 in _BRANCH:
            if _BRANCH[funct3](a, b):
                bits = word >> 31 << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5
                following = self.pc + _extend(bits | (word >> 8 & 15) << 1, 13) & MASK32
            rd = 0
        elif opcode == _LUI:
            result = word & 0xFFFFF000
        elif opcode == _AUIPC:
            result = self.pc + (word & 0xFFFFF000)
        elif opcode == _JAL:
            bits = word >> 31 << 20 | (word >> 12 & 255) << 12 | (word >> 20 & 1) << 11
            result = following
            following = self.pc + _extend(bits | (word >> 21 & 1023) << 1, 21) & MASK32
        elif opcode == _JALR and funct3 == 0:
            result = following
            following = a + imm_i & MASK32 & ~1
        elif opcode == _MISC_MEM and funct3 in (0, 1):
            rd = 0  # fence, fence.i: one hart, one memory
        elif opcode == _SYSTEM and funct3 in (2, 3) and word >> 15 & 31 == 0:
            csr = word >> 20  # csrrs/csrrc with x0 only read
            if csr not in _COUNTERS:
                self._illegal(word)
            else:
                result = self.instret >> _COUNTERS[csr]  # any count that never falls would do
        else:
            result = self._custom(word)

        if following & 3:
            raise IssTrap(self.pc, f"jump to misaligned {following:#010x}")
        if rd and result is not None:
            self.registers[rd] = result & MASK32
        self.pc = following
        self.instret += 1

    def _custom(self, word: int) -> int:
        """Return rd of an accelerator's instruction; what the base ISA knows never gets here."""
        operation = self._known.get(word)
        if operation is None:
            for candidate in self.custom:
                if candidate.encoding.matches(word):
                    operation = self._known[word] = candidate
                    break
            else:
                self._illegal(word)
        _, sources, immediates = operation.encoding.decode(word)
        values = [self.registers[number] for number in sources.values()]
        return operation.evaluate(values, immediates.values())

    def _illegal(self, word: int) -> NoReturn:
        raise IssTrap(self.pc, f"illegal instruction {word:#010x}")

    def _check(self, address: int, size: int) -> None:
        if address % size and not self.misaligned:
            raise IssTrap(self.pc, f"misaligned access of {size} bytes at {address:#010x}")
        if address + size > len(self.memory):
            raise IssTrap(self.pc, f"access outside memory at {address:#010x}")

    def _load(self, address: int, size: int) -> int:
        if address >= DEVICE_BASE:
            value = self.device.read(address - DEVICE_BASE, self.instret) if size == 4 else None
            if value is None:
                raise IssTrap(self.pc, f"no such device register to read: {address:#010x}")
            return value
        self._check(address, size)
        return int.from_bytes(self.memory[address : address + size], "little")

    def _store(self, address: int, size: int, value: int) -> None:
        value &= (1 << 8 * size) - 1
        if address >= DEVICE_BASE:
            if size != 4 or not self.device.write(address - DEVICE_BASE, value):
                raise IssTrap(self.pc, f"no such device register to write: {address:#010x}")
            return
        self._check(address, size)
        self.memory[address : address + size] = value.to_bytes(size, "little")
