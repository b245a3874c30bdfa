# SPDX-License-Identifier: Apache-2.0
"""The bus master's operations for fault campaigns: its driver in polling, and a small memory.

Every key length, direction and mode that a variant has: reset, key, chaining value, a job of two
blocks, from one region to another. The driver reads STATUS once more after the job, and the program
reads the destination through the CPU's port. With 128-bit keys three more: `ring` is a job from the
ring of descriptors. In `touched` the program reads the destination at once, the second block first,
and the driver looks at STATUS later. In `outside` nobody looks for errors: what counts is that
nothing besides the destination was written, alert or not. Of GCM a message whose associated data
and text end in a part of a block: encrypted, verified and decrypted, and forged.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.build import registers
from aesforge.faults.step import Job, Registers, Step

REGISTERS = Registers(registers.load(Path(__file__).parent.parent / "aes_dma.rdl"))
MAP = REGISTERS.map
status, write, put, take = REGISTERS.status, REGISTERS.write, REGISTERS.put, REGISTERS.take
wait = REGISTERS.wait
HOSTS = {"axil": "faults_system"}  # a memory beside the bus master
AROUND = {"aes_dma": {"Guarded": 0}, "aes_dma_guarded": {"Guarded": 1}}  # its parameters by top
OUTSIDE = "outside"  # the memory: its flip-flops are not flipped
MODES = {"ecb": 0, "cbc": 1, "ctr": 2, "gcm": 3}
TEXT_PART, AAD_PART, VERIFY_PART = 0, 1, 2

KEY = bytes(range(0x60, 0x80))
IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
AAD_AT, SRC, DST, CHANGED = 0x00, 0x10, 0x40, 0x1800
CPU = 0x1000  # the memory's first byte for the host
# A descriptor of the ring, for CBC: OWN, WRAP and IRQ are set, then WRAP, DONE and IRQ.
RING_AT, OWNED, ENDED = 0x60, 0xC0010010, 0x60010010
DESCRIPTOR = (
    OWNED,
    SRC,
    DST,
    32,
    *(int.from_bytes(IV[i : i + 4], "little") for i in (0, 4, 8, 12)),
)
AAD_BYTES, GCM_BYTES = 13, 22


def initial(word: int) -> int:
    """What reset leaves in a word of the memory (faults_memory.sv)."""
    if 4 <= word < 12:
        return 0x01010101 * (0xA0 + 4 * (word - 4)) + 0x03020100
    if word >= RING_AT // 4:
        return DESCRIPTOR[word - RING_AT // 4]
    return 0xC3 << 24 | 5 << 21 | word << 16 | 2 << 13 | (~word & 31) << 8 | 0x3C


MEMORY = b"".join(initial(word).to_bytes(4, "little") for word in range(32))
TEXT = MEMORY[SRC : SRC + 32]
AAD = MEMORY[AAD_AT : AAD_AT + AAD_BYTES]


def set_up(bits: int, **control: int) -> list[Step]:
    """CTRL and the key; the driver reads CTRL back."""
    chosen = write("CTRL", KEY_LEN=bits // 64 - 2, **control)
    return [
        wait(IDLE=1),
        chosen,
        *put("KEY", KEY[: bits // 8]),
        write("TRIGGER", KEY=1),
        wait(KEY_VALID=1),
        Step("check", chosen.address, chosen.data),
    ]


def region(src: int, dst: int, nbytes: int, **trigger: int) -> list[Step]:
    """A job begins."""
    words = {"SRC": src, "DST": dst, "LENGTH": nbytes}
    return [
        *(Step("write", MAP[name].address, word) for name, word in words.items()),
        write("TRIGGER", START=1, **trigger),
    ]


def accepted() -> Step:
    """The driver's read after START: the job was not refused."""
    return Step("check", MAP["ERROR"].address, 0, MAP["ERROR"].word(JOB=1, ACCESS=1))


def well() -> Step:
    """The driver's last read of STATUS: no error, and the key is there."""
    return Step("check", MAP["STATUS"].address, status(KEY_VALID=1), status(KEY_VALID=1, ERROR=1))


def used(result: bytes, at: int = 0) -> list[Step]:
    """The program reads bytes of the destination, which must be those of a result."""
    whole = result + MEMORY[DST + at + len(result) : DST + at - at % 4 + (len(result) + 3 & ~3)]
    return [
        Step("read", CPU + DST + at + i, int.from_bytes(whole[i : i + 4], "little"))
        for i in range(0, len(whole), 4)
    ]


def unchanged() -> Step:
    """Nothing besides the destination was written."""
    return Step("read", CHANGED, 0)


def begun(bits: int, mode: str, nbytes: int, *, encrypt: bool) -> list[Step]:
    """Key, chaining value and START."""
    steps = set_up(bits, MODE=MODES[mode], DECRYPT=int(not encrypt))
    if mode != "ecb":
        steps += put("IV", IV)
    return [*steps, *region(SRC, DST, nbytes)]


def result_of(bits: int, mode: str, nbytes: int, *, encrypt: bool) -> bytes:
    """What OpenSSL makes of the source."""
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(IV), "ctr": modes.CTR(IV)}[mode]
    cipher = Cipher(algorithms.AES(KEY[: bits // 8]), chosen)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(TEXT[:nbytes])


def message(bits: int, mode: str, *, encrypt: bool) -> Job:
    """Two blocks in a mode without a tag; in CTR the last one is cut off within a word."""
    nbytes = 30 if mode == "ctr" else 32
    result = result_of(bits, mode, nbytes, encrypt=encrypt)
    steps = [*begun(bits, mode, nbytes, encrypt=encrypt), accepted(), wait(IDLE=1)]
    if mode == "cbc":
        steps += take("IV", (result if encrypt else TEXT)[16:])
    steps += [well(), *used(result), unchanged()]
    return Job(f"{mode}-{'encrypt' if encrypt else 'decrypt'}-{bits}", tuple(steps))


def touched(bits: int) -> Job:
    """The program uses the destination while the job is under way, the second block first."""
    result = result_of(bits, "ecb", 32, encrypt=True)
    steps = [*begun(bits, "ecb", 32, encrypt=True), *used(result[16:], 16), *used(result[:16])]
    return Job(f"touched-ecb-encrypt-{bits}", (*steps, wait(IDLE=1), well(), unchanged()))


def outside(bits: int) -> Job:
    """What an alert hides counts here: a write to another place.

    Reads of ones, which an alert leads to, satisfy the waits.
    """
    steps = begun(bits, "ecb", 32, encrypt=True)
    ready = status(IDLE=1, KEY_VALID=1)
    blind = [
        Step("wait", MAP["STATUS"].address, step.data, step.data) if step.kind == "wait" else step
        for step in steps
        if step.kind != "check"
    ]
    ended = Step("wait", MAP["STATUS"].address, ready, ready)
    return Job(f"outside-ecb-encrypt-{bits}", (*blind, ended, unchanged()))


def ring(bits: int) -> Job:
    """A job from the ring, whose descriptor takes the outcome."""
    result = result_of(bits, "cbc", 32, encrypt=True)
    steps = [
        *set_up(bits),
        Step("write", MAP["RING_BASE"].address, RING_AT),
        write("TRIGGER", RING=1),
        accepted(),
        wait(IDLE=1),
        well(),
        Step("read", CPU + RING_AT, ENDED),
        *used(result),
        unchanged(),
    ]
    return Job(f"ring-cbc-encrypt-{bits}", tuple(steps))


def opened(bits: int, part: int, decrypt: int) -> list[Step]:
    """A message of GCM and its associated data."""
    return [
        write("CTRL", KEY_LEN=bits // 64 - 2, MODE=3, DECRYPT=decrypt, PART=AAD_PART),
        *put("IV", IV[:12] + bytes([0, 0, 0, 1])),
        *region(AAD_AT, AAD_AT, AAD_BYTES, BEGIN=1),
        wait(IDLE=1),
        write("CTRL", KEY_LEN=bits // 64 - 2, MODE=3, DECRYPT=decrypt, PART=part),
    ]


def closed(equal: int) -> list[Step]:
    """The end of a message; `equal` is what its tag must say: another answer is wrong."""
    bit = status(TAG_EQUAL=1)
    return [
        wait(IDLE=1, TAG_VALID=1),
        Step("read", MAP["STATUS"].address, bit * equal, bit),
        well(),
    ]


def gcm(bits: int) -> Iterator[Job]:
    """A message encrypted; verified and decrypted; forged, so that it must be refused."""
    sealer = AESGCM(KEY[: bits // 8])
    sealed = sealer.encrypt(IV[:12], TEXT[:GCM_BYTES], AAD)
    text, tag = sealed[:-16], sealed[-16:]
    steps = [
        *set_up(bits, MODE=3),
        *opened(bits, TEXT_PART, 0),
        *region(SRC, DST, GCM_BYTES, TAG=1),
        *closed(0),
        *take("TAG", tag),
        well(),
        *used(text),
        unchanged(),
    ]
    yield Job(f"gcm-encrypt-{bits}", tuple(steps))
    # The source is the ciphertext: its plaintext is what the key stream makes of it.
    plain = sealer.encrypt(IV[:12], TEXT[:GCM_BYTES], AAD)[:GCM_BYTES]
    given = sealer.encrypt(IV[:12], plain, AAD)
    assert given[:GCM_BYTES] == TEXT[:GCM_BYTES]
    tag = given[-16:]
    forged = bytes([tag[0] ^ 1]) + tag[1:]
    first = [*set_up(bits, MODE=3, DECRYPT=1), *opened(bits, VERIFY_PART, 1)]
    verify = region(SRC, SRC, GCM_BYTES, TAG=1)
    again = [*opened(bits, TEXT_PART, 1), *region(SRC, DST, GCM_BYTES, TAG=1)]
    steps = [*first, *put("TAG", tag), *verify, *closed(1), *again]
    steps += [wait(IDLE=1, TAG_VALID=1), well(), *used(plain), unchanged()]
    yield Job(f"gcm-decrypt-{bits}", tuple(steps))
    yield Job(f"gcm-forged-{bits}", (*first, *put("TAG", forged), *verify, *closed(0), unchanged()))


def jobs(params: Mapping[str, str | int]) -> Iterator[Job]:
    """All that a variant can do."""
    lengths = [128] + [192] * bool(params["Has192"]) + [256] * bool(params["Has256"])
    ways = {"enc": (True,), "dec": (False,)}.get(str(params["Dir"]), (True, False))
    for bits in lengths:
        for encrypt in ways:
            for mode in ("ecb", "cbc", "ctr"):
                if encrypt or mode != "ctr":  # CTR encrypts both ways
                    yield message(bits, mode, encrypt=encrypt)
        if True in ways and bits == 128:
            yield touched(bits)
            yield outside(bits)
            yield ring(bits)
        if params["Gcm"] and True in ways:
            yield from gcm(bits)
