# SPDX-License-Identifier: Apache-2.0
"""Encoders of RV32IM instructions: each function returns one 32-bit instruction word.

Source: The RISC-V Instruction Set Manual, volume I, "Base Instruction Formats" and the RV32I, M
and Zicsr instruction listings. Register arguments are numbers 0..31; immediates are signed byte
counts as in assembly; ValueError if one does not fit. Written apart from the decoder in `iss.py`,
so that an error in one shows against the other.
"""

# mnemonic: (funct7, funct3), opcode OP
REGISTER_OPS = {
    "add": (0x00, 0), "sub": (0x20, 0), "sll": (0x00, 1), "slt": (0x00, 2), "sltu": (0x00, 3),
    "xor": (0x00, 4), "srl": (0x00, 5), "sra": (0x20, 5), "or": (0x00, 6), "and": (0x00, 7),
    "mul": (0x01, 0), "mulh": (0x01, 1), "mulhsu": (0x01, 2), "mulhu": (0x01, 3),
    "div": (0x01, 4), "divu": (0x01, 5), "rem": (0x01, 6), "remu": (0x01, 7),
}  # fmt: skip
# mnemonic: funct3, opcode OP-IMM
IMMEDIATE_OPS = {"addi": 0, "slti": 2, "sltiu": 3, "xori": 4, "ori": 6, "andi": 7}
# mnemonic: (funct7, funct3), opcode OP-IMM
SHIFT_OPS = {"slli": (0x00, 1), "srli": (0x00, 5), "srai": (0x20, 5)}
# mnemonic: (funct3, bytes)
LOADS = {"lb": (0, 1), "lh": (1, 2), "lw": (2, 4), "lbu": (4, 1), "lhu": (5, 2)}
STORES = {"sb": (0, 1), "sh": (1, 2), "sw": (2, 4)}
# mnemonic: funct3
BRANCHES = {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}
# counters that every platform has (Zicntr)
COUNTERS = {"cycle": 0xC00, "instret": 0xC02}


def _signed(value: int, bits: int, what: str) -> int:
    """Return a signed number as a field of `bits` bits."""
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise ValueError(f"{what} {value} does not fit {bits} bits")
    return value & (1 << bits) - 1


def register(mnemonic: str, rd: int, rs1: int, rs2: int) -> int:
    """Encode an R-format instruction of RV32I or M."""
    funct7, funct3 = REGISTER_OPS[mnemonic]
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33


def immediate(mnemonic: str, rd: int, rs1: int, value: int) -> int:
    """Encode addi, slti, ... with a 12-bit signed value."""
    field = _signed(value, 12, mnemonic)
    return field << 20 | rs1 << 15 | IMMEDIATE_OPS[mnemonic] << 12 | rd << 7 | 0x13


def shift(mnemonic: str, rd: int, rs1: int, amount: int) -> int:
    """Encode slli, srli or srai by 0..31 bits."""
    if not 0 <= amount < 32:
        raise ValueError(f"{mnemonic} by {amount}")
    funct7, funct3 = SHIFT_OPS[mnemonic]
    return funct7 << 25 | amount << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x13


def load(mnemonic: str, rd: int, base: int, offset: int) -> int:
    """Encode a load from base + offset."""
    field = _signed(offset, 12, mnemonic)
    return field << 20 | base << 15 | LOADS[mnemonic][0] << 12 | rd << 7 | 0x03


def store(mnemonic: str, source: int, base: int, offset: int) -> int:
    """Encode a store of `source` to base + offset."""
    field = _signed(offset, 12, mnemonic)
    upper, lower = field >> 5, field & 31
    return upper << 25 | source << 20 | base << 15 | STORES[mnemonic][0] << 12 | lower << 7 | 0x23


def branch(mnemonic: str, rs1: int, rs2: int, distance: int) -> int:
    """Encode a branch by `distance` bytes from itself."""
    field = _signed(distance, 13, mnemonic)
    upper = (field >> 12) << 6 | field >> 5 & 63
    lower = (field >> 1 & 15) << 1 | field >> 11 & 1
    return upper << 25 | rs2 << 20 | rs1 << 15 | BRANCHES[mnemonic] << 12 | lower << 7 | 0x63


def lui(rd: int, upper: int) -> int:
    """Encode lui with the 20-bit unsigned field `upper`."""
    return (upper & 0xFFFFF) << 12 | rd << 7 | 0x37


def auipc(rd: int, upper: int) -> int:
    """Encode auipc with the 20-bit unsigned field `upper`."""
    return (upper & 0xFFFFF) << 12 | rd << 7 | 0x17


def jal(rd: int, distance: int) -> int:
    """Encode jal by `distance` bytes from itself."""
    field = _signed(distance, 21, "jal")
    bits = (field >> 20) << 19 | (field >> 1 & 0x3FF) << 9 | (field >> 11 & 1) << 8
    return (bits | field >> 12 & 0xFF) << 12 | rd << 7 | 0x6F


def jalr(rd: int, base: int, offset: int) -> int:
    """Encode jalr to base + offset."""
    return _signed(offset, 12, "jalr") << 20 | base << 15 | rd << 7 | 0x67


def csrr(rd: int, counter: str) -> int:
    """Encode a read of a counter (csrrs rd, counter, x0)."""
    return COUNTERS[counter] << 20 | 2 << 12 | rd << 7 | 0x73


def constant(rd: int, value: int) -> tuple[int, int]:
    """Return lui and addi that put a 32-bit value into rd (rd not x0)."""
    low = (value & 0xFFF ^ 0x800) - 0x800
    return lui(rd, (value - low & 0xFFFF_FFFF) >> 12), immediate("addi", rd, rd, low)
