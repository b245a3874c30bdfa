# SPDX-License-Identifier: Apache-2.0
"""Drives the pipeline's streams cycle by cycle and holds every beat against OpenSSL.

One coroutine makes the clock, drives and samples: drive while the clock is low, let everything
settle, sample, rising edge. What a block must become is decided in the cycle in which it is taken,
by the keys that were taken in earlier cycles.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cocotb.triggers import Timer
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.verify.cocotb_bench import BenchJob

PATIENCE = 2000  # cycles without any transfer before the bench gives up


def ecb(key: bytes, block: bytes, decrypt: bool) -> bytes:
    """OpenSSL's answer for whole blocks."""
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    worker = cipher.decryptor() if decrypt else cipher.encryptor()
    return worker.update(block) + worker.finalize()


@dataclass(frozen=True)
class Key:
    """A beat of the key stream; `data` has 16, 24 or 32 bytes."""

    slot: int
    data: bytes


@dataclass(frozen=True)
class Beat:
    """A beat of the data stream, all lanes; `known`: what a published vector says, if it is one."""

    data: bytes
    slot: int = 0
    decrypt: bool = False
    last: bool = False
    keep: int = 0xFFFF
    ident: int = 0
    extra: int = 0  # the bits of TUSER above those with a meaning
    known: bytes | None = None


class Bench:
    """The device, its streams, and what has to come out."""

    def __init__(self, dut: Any, job: BenchJob) -> None:
        params = job.params
        self.dut = dut
        self.rng = random.Random(job.seed)
        bits = int(params["KeyBits"])
        self.sizes = (16, 24, 32) if bits == 0 else (bits // 8,)
        self.agile = params["Schedule"] == "agile"
        self.slots = int(params["Slots"]) if self.agile else 1
        self.slot_w = max(1, (int(params["Slots"]) - 1).bit_length())
        self.key_bytes = 4 * (8 if bits == 0 else bits // 32)
        self.directions = {"fwd": (False,), "inv": (True,)}.get(str(params["Dir"]), (False, True))
        self.latency = 2 + int(params["PipeRegs"]) * (14 if bits == 0 else bits // 32 + 6)
        self.lanes = int(params["Lanes"])
        self.width = 16 * self.lanes  # bytes
        # The plain decoder has one direction, no register before its rounds, and no Dir to say it.
        if "KeyWait" in params:
            self.directions = (True,)
            self.latency -= 1
        # The queue, and the registers around the rounds.
        if params["Flow"] == "credit":
            self.latency += 9 if params["Mode"] == "gcm" else 6
        self.ctr = params["Mode"] == "ctr"
        self.keys: dict[int, bytes] = {}
        self.counter: bytes | None = None  # of the next block of an open packet
        self.expected: deque[tuple[int, bytes, Beat]] = deque()
        self.held: tuple[int, ...] | None = None
        self.cycle = 0
        self.sent = self.received = 0
        self.taken_at: list[int] = []
        self.given_at: list[int] = []
        self.offered_key: Key | None = None
        self.driven: dict[str, int] = {}
        self.handles = {handle._name: handle for handle in dut}

    def drive(self, **values: int) -> None:
        """Write those inputs that change."""
        for name, value in values.items():
            if self.driven.get(name) != value:
                self.handles[name].value = value
                self.driven[name] = value

    def read(self, name: str) -> int:
        """Sample an output."""
        return int(self.handles[name].value)

    async def reset(self, cycles: int = 3) -> None:
        """Hold the reset for some cycles and forget what was on its way."""
        self.drive(aclk=0, aresetn=0, s_axis_tvalid=0, s_axis_key_tvalid=0, s_axis_iv_tvalid=0)
        self.drive(m_axis_tready=0)
        self.expected.clear()
        self.keys.clear()
        self.counter = self.held = None
        for _ in range(cycles):
            await self.edge()
            assert not self.read("m_axis_tvalid"), "a block is offered in reset"
        self.drive(aresetn=1)

    async def edge(self) -> None:
        """Let inputs settle, make a rising and a falling edge."""
        await Timer(1, "ns")
        self.drive(aclk=1)
        await Timer(1, "ns")
        self.drive(aclk=0)
        self.cycle += 1

    async def run(
        self,
        keys: deque[Key],
        beats: deque[Beat],
        ivs: deque[bytes] | None = None,
        *,
        idle: float = 0.0,
        key_idle: float = 0.0,
        stall: float = 0.0,
        gate: Callable[[Beat], bool] = lambda beat: True,
        stop: int | None = None,
    ) -> None:
        """Send everything and take every answer; `gate` holds a beat back as long as it is false.

        `idle`, `key_idle`, `stall`: probability of a cycle without offer, or without taking.
        `stop`: end after so many blocks were taken, wherever the others are.
        """
        rng, quiet = self.rng, 0
        ivs = ivs if ivs is not None else deque()
        offered = {"": False, "key_": False, "iv_": False}
        while (keys or beats or self.expected) and (stop is None or self.sent < stop):
            # A valid that was not answered stays.
            data_on = bool(beats) and (offered[""] or (rng.random() >= idle and gate(beats[0])))
            key_on = bool(keys) and (offered["key_"] or rng.random() >= key_idle)
            iv_on = bool(ivs) and (offered["iv_"] or rng.random() >= idle)
            self.drive(s_axis_tvalid=int(data_on), s_axis_key_tvalid=int(key_on))
            self.drive(s_axis_iv_tvalid=int(iv_on), m_axis_tready=int(rng.random() >= stall))
            if data_on:
                self._offer(beats[0])
            if key_on:
                self._offer_key(keys[0])
            if iv_on:
                self.drive(s_axis_iv_tdata=int.from_bytes(ivs[0], "little"))
            await Timer(1, "ns")
            data_fire = data_on and bool(self.read("s_axis_tready"))
            key_fire = key_on and bool(self.read("s_axis_key_tready"))
            iv_fire = iv_on and bool(self.read("s_axis_iv_tready"))
            given = self._output()
            if iv_fire:
                assert data_fire and self.counter is None, "a counter was taken without a packet"
                self.counter = ivs.popleft()
            if data_fire:
                self._accept(beats.popleft())
            if key_fire:
                key = keys.popleft()
                self.keys[key.slot if self.agile else 0] = key.data
            offered = {
                "": data_on and not data_fire,
                "key_": key_on and not key_fire,
                "iv_": iv_on and not iv_fire,
            }
            quiet = 0 if data_fire or key_fire or given else quiet + 1
            assert quiet < PATIENCE, f"nothing moves; {len(self.expected)} blocks are inside"
            self.drive(aclk=1)
            await Timer(1, "ns")
            self.drive(aclk=0)
            self.cycle += 1
        self.drive(s_axis_tvalid=0, s_axis_key_tvalid=0, s_axis_iv_tvalid=0)

    def user(self, beat: Beat) -> int:
        """TUSER of a beat."""
        high = beat.extra & ((1 << (7 - self.slot_w)) - 1)
        return int(beat.decrypt) | (beat.slot << 1) | (high << (self.slot_w + 1))

    def _offer(self, beat: Beat) -> None:
        self.drive(
            s_axis_tdata=int.from_bytes(beat.data, "little"),
            s_axis_tkeep=beat.keep,
            s_axis_tlast=int(beat.last),
            s_axis_tid=beat.ident,
            s_axis_tuser=self.user(beat),
        )

    def _offer_key(self, key: Key) -> None:
        # Bytes above a short key hold noise.
        noise = self.rng.randbytes(self.key_bytes - len(key.data))
        size = len(key.data) // 8 - 2
        if self.offered_key is not key:
            self.offered_key = key
            self.drive(s_axis_key_tdata=int.from_bytes(key.data + noise, "little"))
            self.drive(s_axis_key_tuser=size | (key.slot << 2))

    def _accept(self, beat: Beat) -> None:
        """Work out what a block that is taken now must become."""
        slot = beat.slot if self.agile else 0
        assert slot in self.keys, f"a block was taken before its key (slot {slot})"
        key = self.keys[slot]
        if self.ctr:
            assert self.counter is not None, "a packet was taken without its counter"
            first = int.from_bytes(self.counter, "big")
            numbers = [(first + i) % 2**128 for i in range(self.lanes + 1)]
            stream = ecb(key, b"".join(n.to_bytes(16, "big") for n in numbers[:-1]), False)
            result = bytes(
                (a ^ b) if beat.keep >> i & 1 else 0
                for i, (a, b) in enumerate(zip(beat.data, stream, strict=True))
            )
            self.counter = None if beat.last else numbers[-1].to_bytes(16, "big")
        else:
            result = ecb(key, beat.data, beat.decrypt)
        if beat.known is not None:
            assert result[: len(beat.known)] == beat.known, "OpenSSL differs from the vector"
        self.expected.append((self.sent, result, beat))
        self.taken_at.append(self.cycle)
        self.sent += 1

    def _output(self) -> bool:
        """Check what is offered now; true if it is taken."""
        if not self.read("m_axis_tvalid"):
            assert self.held is None, "an offered block was withdrawn"
            return False
        names = ("tdata", "tkeep", "tlast", "tid", "tuser")
        shown = tuple(self.read(f"m_axis_{name}") for name in names)
        assert self.held is None or shown == self.held, "an offered block changed"
        if not self.driven["m_axis_tready"]:
            self.held = shown
            return False
        self.held = None
        assert self.expected, f"a block came out that nobody sent: {shown[0]:032x}"
        number, result, beat = self.expected.popleft()
        wanted = (
            int.from_bytes(result, "little"),
            beat.keep,
            int(beat.last),
            beat.ident,
            self.user(beat),
        )
        for name, got, want in zip(names, shown, wanted, strict=True):
            assert got == want, f"block {number}, {name}: {got:#x} instead of {want:#x}"
        self.given_at.append(self.cycle)
        self.received += 1
        return True

    def random_key(self) -> bytes:
        """A key of one of the sizes that the build has."""
        return self.rng.randbytes(self.rng.choice(self.sizes))

    def random_beat(self, **fixed: Any) -> Beat:
        """A block with everything drawn by lot."""
        rng = self.rng
        values: dict[str, Any] = {
            "data": rng.randbytes(self.width),
            "slot": rng.randrange(self.slots),
            "decrypt": rng.choice(self.directions),
            "last": rng.random() < 0.2,
            "keep": rng.getrandbits(self.width),
            "ident": rng.getrandbits(8),
            "extra": rng.getrandbits(8),
        }
        return Beat(**{**values, **fixed})
