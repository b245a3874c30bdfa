# SPDX-License-Identifier: Apache-2.0
"""The pipeline's operations for fault campaigns: a key, then beats, and what must leave.

ECB and CTR: two beats of whole blocks that are in flight at a time, in every key length and
direction of the variant. GCM: a message whose associated data and text end in a part of a block,
encrypted, decrypted and forged; a beat enters when the one before has left. Of the forged message
only the verdict counts: its text leaves before that. Beats that leave must be those that entered,
with their TKEEP, TLAST and TUSER, and none more.
"""

import random
from collections.abc import Iterator, Mapping

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.faults.step import Job, Step
from aesforge.reference import stream_gcm

HOSTS = {"axil": "faults_stream"}
OUTSIDE = "outside"  # what offers and keeps beats: its flip-flops are not flipped
# Registers of faults_player.sv.
KEY_AT, KEY_GO, BEAT_AT, KEEP_AT, BEAT_GO, IV_GO = 0x000, 0x020, 0x100, 0x140, 0x148, 0x14C
OUT_AT, OUT_KEEP, OUT_USER, TAG_AT, TAG_USER, STATUS = 0x200, 0x240, 0x248, 0x300, 0x310, 0x3FC
OFFERED, BEAT_HERE, TAG_HERE = 1, 2, 4  # bits of STATUS
LAST = 1 << 8  # beside TUSER

KEY = bytes(range(0x60, 0x80))
IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
AAD, TEXT = bytes(range(13)), bytes(range(0xA0, 0xC0))


def put(address: int, data: bytes) -> list[Step]:
    """Write words."""
    words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    return [Step("write", address + 4 * at, word) for at, word in enumerate(words)]


def taken() -> Step:
    """Wait until what was offered has entered."""
    return Step("wait", STATUS, 0, OFFERED)


def key(bits: int) -> list[Step]:
    """A key for slot 0."""
    return [*put(KEY_AT, KEY[: bits // 8]), Step("write", KEY_GO, bits // 64 - 2), taken()]


def offer(data: bytes, keep: int, user: int) -> list[Step]:
    """A beat; `user` has TLAST too."""
    return [
        *put(BEAT_AT, data),
        *put(KEEP_AT, keep.to_bytes(8, "little")),
        Step("write", BEAT_GO, user),
        taken(),
    ]


def leave(data: bytes | None, keep: int, user: int) -> list[Step]:
    """A beat leaves, with these bytes; None: whatever they are."""
    words = [Step("read", step.address, step.data) for step in put(OUT_AT, data or b"")]
    keeps = put(OUT_KEEP, keep.to_bytes(8, "little"))
    return [
        Step("wait", STATUS, BEAT_HERE, BEAT_HERE),
        *words,
        *(Step("read", step.address, step.data) for step in keeps),
        Step("read", OUT_USER, user),
        Step("write", OUT_USER),
    ]


def nothing_more() -> Step:
    """No beat and no tag that nobody has asked for."""
    return Step("read", STATUS, 0, BEAT_HERE | TAG_HERE)


def blocks(params: Mapping[str, str | int], bits: int, mode: str, direction: str) -> Job:
    """Two beats of whole blocks under one key."""
    width = 16 * int(params["Lanes"])
    text = bytes(range(2 * width))
    chosen = modes.CTR(IV) if mode == "ctr" else modes.ECB()
    cipher = Cipher(algorithms.AES(KEY[: bits // 8]), chosen)
    worker = cipher.decryptor() if direction == "decrypt" else cipher.encryptor()
    result = worker.update(text)
    whole = (1 << width) - 1
    steps = key(bits)
    if mode == "ctr":
        steps += [*put(BEAT_AT, IV), Step("write", IV_GO), taken()]
    backward = int(direction == "decrypt" and mode == "ecb")
    users = (backward, backward | LAST)
    for at, user in enumerate(users):
        steps += offer(text[width * at : width * (at + 1)], whole, user)
    for at, user in enumerate(users):
        steps += leave(result[width * at : width * (at + 1)], whole, user)
    return Job(f"{mode}-{direction}-{bits}", (*steps, nothing_more()))


def message(params: Mapping[str, str | int], bits: int, name: str) -> Job:
    """A message of GCM, beat by beat, and its tag or verdict."""
    slot_bits = max(1, (int(params["Slots"]) - 1).bit_length())
    found = stream_gcm.seal(KEY[: bits // 8], IV[:12], AAD, TEXT[:22])
    if name != "encrypt":
        found = stream_gcm.to_open(found)
    if name == "forged":
        found = stream_gcm.forge(found, "tag", 77)
    rng = random.Random("faults")
    _, beats = stream_gcm.beats(found, 16 * int(params["Lanes"]), rng)
    steps = key(bits)
    for at, beat in enumerate(beats):
        first = int(at == 0 and found.decrypt)
        user = beat.kind << slot_bits + 1 | first | (LAST if beat.last else 0)
        want = None if name == "forged" else beat.want
        steps += [*offer(beat.data, beat.keep, user), *leave(want, beat.keep, user)]
    refused = int(name == "forged")
    steps.append(Step("wait", STATUS, TAG_HERE, TAG_HERE))
    if name == "encrypt":
        steps += [Step("read", step.address, step.data) for step in put(TAG_AT, found.tag)]
    steps += [Step("read", TAG_USER, refused, 1), Step("write", TAG_USER)]
    return Job(f"gcm-{name}-{bits}", (*steps, nothing_more()))


def jobs(params: Mapping[str, str | int]) -> Iterator[Job]:
    """Every key length and direction of a variant, in its mode."""
    mode = str(params["Mode"])
    lengths = (128, 192, 256) if params["KeyBits"] == 0 else (int(params["KeyBits"]),)
    ways = {"fwd": ("encrypt",), "inv": ("decrypt",)}.get(str(params["Dir"]))
    for bits in lengths:
        if mode == "gcm":
            for name in ("encrypt", "decrypt", "forged"):
                yield message(params, bits, name)
        else:
            for direction in ways or ("encrypt", "decrypt"):
                yield blocks(params, bits, mode, direction)
