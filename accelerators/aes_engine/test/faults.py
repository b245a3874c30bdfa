# SPDX-License-Identifier: Apache-2.0
"""The engine's operations for fault campaigns: its driver in polling, on each bus.

Every key length, direction and mode that a variant has: reset, key, chaining value, two blocks. Of
GCM a message whose associated data and text end in a part of a block: encrypted, verified and
decrypted, and forged.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.build import registers
from aesforge.faults.step import Job, Registers, Step

REGISTERS = Registers(registers.load(Path(__file__).parent.parent / "aes_engine.rdl"))
status, write, put, take = REGISTERS.status, REGISTERS.write, REGISTERS.put, REGISTERS.take
wait, sound = REGISTERS.wait, REGISTERS.sound
HOSTS = {"apb": "faults_host", "wishbone": "faults_host"}  # modules for a host on AXI4-Lite
MODES = {"ecb": 0, "cbc": 1, "ctr": 2, "gcm": 3}

KEY = bytes(range(0x60, 0x80))
IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
TEXT = bytes(range(0xA0, 0xC0))
AAD = bytes(range(0x20, 0x2D))
GCM_TEXT = TEXT[:22]


def set_up(bits: int, **control: int) -> list[Step]:
    """CTRL and the key."""
    return [
        wait(IDLE=1),
        write("CTRL", KEY_LEN=bits // 64 - 2, **control),
        *put("KEY", KEY[: bits // 8]),
        write("TRIGGER", KEY=1),
        wait(KEY_VALID=1, IDLE=1),
    ]


def blocks(channel: str, given: bytes, result: bytes) -> list[Step]:
    """Blocks through a channel, one after another."""
    steps: list[Step] = []
    for at in range(0, len(given), 16):
        steps += put(f"{channel}_DATA_IN", given[at : at + 16])
        steps += [wait(**{f"{channel}_OUTPUT_VALID": 1})]
        steps += take(f"{channel}_DATA_OUT", result[at : at + 16])
    return steps


def message(bits: int, mode: str, *, encrypt: bool) -> Job:
    """Two blocks in a mode without a tag."""
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(IV), "ctr": modes.CTR(IV)}[mode]
    cipher = Cipher(algorithms.AES(KEY[: bits // 8]), chosen)
    given = TEXT
    result = (cipher.encryptor() if encrypt else cipher.decryptor()).update(given)
    channel = "ENC" if encrypt else "DEC"
    steps = set_up(bits, **{f"{channel}_MODE": MODES[mode]})
    if mode != "ecb":
        steps += put(f"{channel}_IV", IV)
    steps += [*blocks(channel, given, result), sound()]
    return Job(f"{mode}-{'encrypt' if encrypt else 'decrypt'}-{bits}", tuple(steps))


def sized(data: bytes, text: int = 0) -> Step:
    """How many bytes of the block that follows count; `text`: it is only hashed, but is text."""
    return write("GCM", BYTES=len(data) % 16, TEXT=text)


def hashed(data: bytes, text: int = 0) -> list[Step]:
    """Associated data or, with `text`, ciphertext through the hash alone."""
    steps: list[Step] = []
    for at in range(0, len(data), 16):
        block = data[at : at + 16]
        steps += [wait(IDLE=1), sized(block, text), *put("HASH_IN", block.ljust(16, b"\0"))]
    return steps


def passed(given: bytes, result: bytes) -> list[Step]:
    """Text of GCM through the cipher; bytes that do not count are read as zeros."""
    steps: list[Step] = []
    for at in range(0, len(given), 16):
        block, out = (data[at : at + 16].ljust(16, b"\0") for data in (given, result))
        steps += [wait(IDLE=1), sized(given[at : at + 16]), *blocks("ENC", block, out)]
    return steps


def opened() -> list[Step]:
    """A message of GCM up to its associated data."""
    return [
        *put("ENC_IV", IV[:12] + bytes([0, 0, 0, 1])),
        write("TRIGGER", START=1),
        *hashed(AAD),
    ]


def ended(equal: int, tag: bytes = b"") -> list[Step]:
    """The end; `tag` is compared, and `equal` what that must say: another answer is wrong."""
    bit = status(TAG_EQUAL=1)
    return [
        wait(IDLE=1),
        write("GCM", BYTES=0),
        *put("TAG", tag),
        write("TRIGGER", TAG=1),
        wait(TAG_VALID=1, IDLE=1),
        Step("read", REGISTERS.map["STATUS"].address, bit * equal, bit),
    ]


def gcm(bits: int) -> Iterator[Job]:
    """A message encrypted; verified and decrypted; forged, so that it must be refused."""
    sealed = AESGCM(KEY[: bits // 8]).encrypt(IV[:12], GCM_TEXT, AAD)
    text, tag = sealed[:-16], sealed[-16:]
    forged = bytes([tag[0] ^ 1]) + tag[1:]
    begun = [*set_up(bits, ENC_MODE=MODES["gcm"]), *opened()]
    steps = [*begun, *passed(GCM_TEXT, text), *ended(0), *take("TAG", tag), sound()]
    yield Job(f"gcm-encrypt-{bits}", tuple(steps))
    first = [*set_up(bits, ENC_MODE=MODES["gcm"], GCM_DECRYPT=1), *opened(), *hashed(text, 1)]
    again = [*opened(), *passed(text, GCM_TEXT), *ended(1, tag)]
    yield Job(f"gcm-decrypt-{bits}", (*first, *ended(1, tag), *again, sound()))
    yield Job(f"gcm-forged-{bits}", (*first, *ended(0, forged), sound()))


def jobs(params: Mapping[str, str | int]) -> Iterator[Job]:
    """All that a variant can do."""
    lengths = [128] + [192] * bool(params["Has192"]) + [256] * bool(params["Has256"])
    ways = {"enc": (True,), "dec": (False,)}.get(str(params["Dir"]), (True, False))
    for bits in lengths:
        for encrypt in ways:
            for mode in ("ecb", "cbc", "ctr"):
                if encrypt or mode != "ctr":  # CTR encrypts both ways
                    yield message(bits, mode, encrypt=encrypt)
        if params["Gcm"] and True in ways:
            yield from gcm(bits)
