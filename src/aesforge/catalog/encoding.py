# SPDX-License-Identifier: Apache-2.0
"""Instruction encodings as patterns, from bit 31 down, in the style of riscv-opcodes.

`bs[1:0] 10011 rs2 rs1 000 rd 0110011` is aes32esmi of the RISC-V scalar cryptography
extension 1.0. Field positions follow the RISC-V unprivileged ISA manual (R and R4 formats).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_REGISTER_LSB = {"rd": 7, "rs1": 15, "rs2": 20, "rs3": 27}
_FIELD = re.compile(r"([a-z][a-z0-9_]*)\[(\d+):(\d+)\]")

OPCODE_MASK = 0x7F
CUSTOM_0 = 0x0B
OPCODES = {"custom-0": CUSTOM_0, "custom-1": 0x2B, "custom-2": 0x5B, "custom-3": 0x7B}


@dataclass(frozen=True)
class Immediate:
    """An immediate field: `width` bits at instruction bit `lsb`."""

    name: str
    lsb: int
    width: int


@dataclass(frozen=True)
class Encoding:
    """A parsed pattern: `value` under `mask` identifies the instruction (32 bits each)."""

    pattern: str
    mask: int
    value: int
    registers: tuple[str, ...]  # sources in the order rs1, rs2, rs3
    immediates: tuple[Immediate, ...] = field(default=())

    @property
    def opcode(self) -> int:
        """Major opcode, 7 bits."""
        return self.value & OPCODE_MASK

    @property
    def funct3(self) -> int:
        """Bits 14:12."""
        return self.value >> 12 & 7

    def with_opcode(self, opcode: int) -> "Encoding":
        """Return the same encoding under another major opcode."""
        value = self.value & ~OPCODE_MASK | opcode
        return Encoding(self.pattern, self.mask, value, self.registers, self.immediates)

    def matches(self, word: int) -> bool:
        """Tell whether a 32-bit instruction word is this instruction."""
        return word & self.mask == self.value

    def collides(self, other: "Encoding") -> bool:
        """Tell whether some instruction word would match both."""
        common = self.mask & other.mask
        return self.value & common == other.value & common

    def encode(self, rd: int, sources: Mapping[str, int], immediates: Mapping[str, int]) -> int:
        """Return the instruction word for register numbers 0..31 and immediate values."""
        word = self.value | self._register("rd", rd)
        for name in self.registers:
            word |= self._register(name, sources[name])
        for imm in self.immediates:
            value = immediates[imm.name]
            if not 0 <= value < 1 << imm.width:
                raise ValueError(f"{imm.name} = {value} does not fit {imm.width} bits")
            word |= value << imm.lsb
        return word

    def decode(self, word: int) -> tuple[int, dict[str, int], dict[str, int]]:
        """Return (rd, register numbers by name, immediate values by name) of a word."""
        sources = {name: word >> _REGISTER_LSB[name] & 31 for name in self.registers}
        imms = {imm.name: word >> imm.lsb & (1 << imm.width) - 1 for imm in self.immediates}
        return word >> 7 & 31, sources, imms

    @staticmethod
    def _register(name: str, number: int) -> int:
        if not 0 <= number < 32:
            raise ValueError(f"{name} = {number} is no register number")
        return number << _REGISTER_LSB[name]


def parse(pattern: str) -> Encoding:
    """Parse a pattern of 32 bits; ValueError says what is wrong with it."""
    position = 32
    mask = value = 0
    registers: set[str] = set()
    immediates: list[Immediate] = []
    for token in pattern.split():
        if re.fullmatch(r"[01]+", token):
            position -= len(token)
            if position < 0:
                break
            mask |= (1 << len(token)) - 1 << position
            value |= int(token, 2) << position
        elif token in _REGISTER_LSB:
            position -= 5
            if position != _REGISTER_LSB[token]:
                at = _REGISTER_LSB[token]
                raise ValueError(f"{token} must be at bits {at + 4}:{at}, not {position + 4}")
            if token in registers:
                raise ValueError(f"{token} appears twice")
            registers.add(token)
        elif found := _FIELD.fullmatch(token):
            name, high, low = found[1], int(found[2]), int(found[3])
            if low != 0 or high > 11:
                raise ValueError(f"immediate '{token}' must be name[hi:0] with hi below 12")
            if name in _REGISTER_LSB or any(imm.name == name for imm in immediates):
                raise ValueError(f"immediate '{name}' appears twice or has a register's name")
            position -= high + 1
            if not (position >= 25 or 20 <= position <= 24 - high):
                raise ValueError(f"immediate '{name}' must be within bits 31:25 or 24:20")
            immediates.append(Immediate(name, position, high + 1))
        else:
            raise ValueError(f"cannot read '{token}'")
    if position != 0:
        raise ValueError(f"the pattern has {32 - position} bits, not 32")
    if mask & OPCODE_MASK != OPCODE_MASK or value & 3 != 3:
        raise ValueError("bits 6:0 must be a literal 32-bit opcode (ending in 11)")
    if mask >> 12 & 7 != 7:
        raise ValueError("bits 14:12 (funct3) must be literal")
    if "rd" not in registers or "rs1" not in registers:
        raise ValueError("rd and rs1 are needed: the functional-unit port has one result")
    sources = tuple(name for name in ("rs1", "rs2", "rs3") if name in registers)
    return Encoding(pattern, mask, value, sources, tuple(immediates))
