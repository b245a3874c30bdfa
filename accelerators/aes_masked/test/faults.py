# SPDX-License-Identifier: Apache-2.0
"""The peripheral's operations for fault campaigns: its driver, in polling.

Every key length and mode: reset, seed, both shares of the key, chaining value, two blocks at a
time.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.build import registers
from aesforge.faults.step import Job, Registers

REGISTERS = Registers(registers.load(Path(__file__).parent.parent / "aes_masked.rdl"))
write, put, take = REGISTERS.write, REGISTERS.put, REGISTERS.take
wait, sound = REGISTERS.wait, REGISTERS.sound
MODES = {"ecb": 0, "cbc": 1, "ctr": 2}

SEED = bytes(range(0x11, 0x25))
SHARE = bytes(range(0x33, 0x53))  # share 0 of the key
KEY = bytes(range(0x60, 0x80))
IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
TEXT = bytes(range(0xA0, 0xC0))


def message(bits: int, mode: str) -> Job:
    """Two blocks; in ECB and CTR they share their rounds."""
    key = KEY[: bits // 8]
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(IV), "ctr": modes.CTR(IV)}[mode]
    result = Cipher(algorithms.AES(key), chosen).encryptor().update(TEXT)
    share = SHARE[: len(key)]
    pair = {"PAIR": 1} if mode != "cbc" else {}
    steps = [
        *put("SEED", SEED),
        wait(IDLE=1),
        write("CTRL", KEY_LEN=bits // 64 - 2, MODE=MODES[mode], **pair),
        *put("KEY0", share),
        *put("KEY1", bytes(a ^ b for a, b in zip(key, share, strict=True))),
        wait(KEY_VALID=1),
    ]
    if mode != "ecb":
        steps += put("IV", IV)
    steps += [*put("DATA_IN", TEXT[:16]), *put("DATA_IN", TEXT[16:])]
    for at in (0, 16):
        steps += take("DATA_OUT", result[at : at + 16])
    return Job(f"{mode}-encrypt-{bits}", (*steps, sound()))


def jobs(params: Mapping[str, str | int]) -> Iterator[Job]:
    """All that the peripheral can do; its parameters change none of it."""
    for bits in (128, 192, 256):
        for mode in MODES:
            yield message(bits, mode)
