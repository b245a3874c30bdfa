# SPDX-License-Identifier: Apache-2.0
"""GHASH and verdicts alone, without a cipher: any mask and key, lanes, streams and pauses."""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import Timer
from gf128_bench import multiply, tdata

from aesforge.reference.stream_gcm import AAD, HEAD, IV, TAG, TEXT
from aesforge.verify.cocotb_bench import BenchJob, job

MESSAGES = 150
QUIET = 3000  # cycles
# (no offer of a beat, sink of tags stalls, change of stream, longest part in bytes)
MODES = ((0.0, 0.0, 0.0, 60), (0.0, 0.0, 1.0, 300), (0.3, 0.9, 0.5, 40), (0.02, 0.5, 0.05, 900))


def ghash(key: int, data: bytes) -> int:
    """Section 6.4; `data`: whole blocks."""
    y = 0
    for i in range(0, len(data), 16):
        y = multiply(y ^ int.from_bytes(data[i : i + 16], "big"), key)
    return y


def pad(data: bytes) -> bytes:
    """Fill up with zeros to whole blocks."""
    return data + bytes(-len(data) % 16)


@dataclass
class Offer:
    """A beat as the inputs have it, in TDATA order."""

    kind: int
    data: bytes
    keep: int
    last: bool
    decrypt: bool
    bad: bool
    slot: int


@dataclass
class Wanted:
    """What a message gives: its tag's first block, the verdict, its note; an IV: the hash."""

    hash: int
    refused: bool
    note: int
    is_iv: bool
    hidden: bool


class Hash:
    """The device and its messages."""

    def __init__(self, dut: Any, described: BenchJob) -> None:
        params = described.params
        self.dut, self.rng = dut, random.Random(described.seed)
        self.lanes, self.streams = int(params["Lanes"]), int(params["Streams"])
        self.slots, self.patience = int(params["Slots"]), int(params["StarvationLimit"])
        self.keys = [0] * self.slots
        self.driven: dict[str, int] = {}
        self.handles = {handle._name: handle for handle in dut}
        self.refused = 0

    def drive(self, **values: int) -> None:
        """Write those inputs that change."""
        for name, value in values.items():
            if self.driven.get(name) != value:
                self.handles[name].value = self.driven[name] = value

    def read(self, name: str) -> int:
        """Sample an output."""
        return int(self.handles[name].value)

    async def edge(self) -> None:
        """A rising and a falling edge."""
        self.drive(clk_i=1)
        await Timer(1, "ns")
        self.drive(clk_i=0)
        await Timer(1, "ns")

    async def reset(self) -> None:
        """Reset, then give each slot a key."""
        self.drive(clk_i=0, rst_ni=0, in_valid_i=0, out_ready_i=0, key_valid_i=0, forget_i=0)
        await self.edge()
        self.drive(rst_ni=1)
        await self.edge()
        for slot in range(self.slots):
            self.keys[slot] = self.rng.getrandbits(128)
            self.drive(key_valid_i=1, key_slot_i=slot, key_i=tdata(self.keys[slot]))
            await self.edge()
            self.drive(key_valid_i=0)
            for _ in range(20 * 8 * self.lanes):
                await self.edge()
                if self.read("key_ok_o") >> slot & 1:
                    break
            assert self.read("key_ok_o") == (1 << (slot + 1)) - 1, "no powers"

    def _beats(self, kind: int, data: bytes, fields: dict[str, Any]) -> list[Offer]:
        width = 16 * self.lanes
        return [
            Offer(kind, part.ljust(width, b"\0"), (1 << len(part)) - 1, False, **fields)
            for part in (data[i : i + width] for i in range(0, len(data), width))
        ]

    def message(
        self, longest: int, note: int, *, encrypt: bool = False
    ) -> tuple[list[Offer], Wanted]:
        """A random message: to encrypt, else to decrypt (some forged or short), or an IV."""
        rng = self.rng
        slot, style = rng.randrange(self.slots), 5 if encrypt else rng.randrange(8)
        decrypt, bad, mask = style < 4, style == 7, rng.randbytes(16)
        aad = rng.randbytes(rng.choice((0, rng.randrange(longest))))
        text = rng.randbytes(rng.choice((0, rng.randrange(longest))))
        fields: dict[str, Any] = {"decrypt": decrypt, "bad": False, "slot": slot}
        if style == 6:
            text = text or b"iv"
            offers, aad, mask = self._beats(IV, text, fields), b"", bytes(16)
        else:
            offers = self._beats(HEAD, mask, fields)
            offers += self._beats(AAD, aad, fields) + self._beats(TEXT, text, fields)
        lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
        value = ghash(self.keys[slot], pad(aad) + pad(text) + lengths)
        tag = (value ^ int.from_bytes(mask, "big")).to_bytes(16, "big")
        size, refused = 16, bad
        if decrypt:
            size = rng.randrange(4, 17)
            sent = bytearray(tag[:size])
            if style == 1:  # one bit of any byte, the last one as often as all others
                sent[rng.choice((-1, rng.randrange(size)))] ^= 1 << rng.randrange(8)
                refused = True
            elif style == 2 and rng.random() < 0.3:
                del sent[3:]
                refused = True
            offers += self._beats(TAG, bytes(sent), fields)
        if bad:
            offers[-1].bad = True
        offers[-1].last = True
        number = int.from_bytes(tag, "big")
        return offers, Wanted(number, refused, note, style == 6, decrypt or refused)

    async def play(self, idle: float, stall: float, mix: float, longest: int) -> None:
        """Messages on all streams; each result must come, in order within its stream."""
        rng = self.rng
        queues: list[deque[Offer]] = [deque() for _ in range(self.streams)]
        wanted: list[deque[Wanted]] = [deque() for _ in range(self.streams)]
        for _ in range(MESSAGES):
            stream = rng.randrange(self.streams)
            note = rng.getrandbits(4) << 4 | stream
            offers, want = self.message(longest, note)
            # The note is that of the last beat; it is driven with every beat.
            queues[stream].extend(offers)
            wanted[stream].append(want)
        notes = [deque(w.note for w in queue) for queue in wanted]
        current, quiet, offered = 0, 0, False
        while any(wanted):
            if not offered:
                if not queues[current] or rng.random() < mix:
                    current = rng.choice([s for s, q in enumerate(queues) if q] or [0])
                offered = bool(queues[current]) and rng.random() >= idle
            self.drive(in_valid_i=int(offered), out_ready_i=int(rng.random() >= stall))
            if offered:
                self._show(current, queues[current][0], notes[current][0])
            await Timer(1, "ns")
            fire = offered and bool(self.read("in_ready_o"))
            moved = fire | self._results(wanted)
            if fire:
                if queues[current].popleft().last:
                    notes[current].popleft()
                offered = False
            quiet = 0 if moved else quiet + 1
            assert quiet < QUIET, f"nothing moves; {sum(map(len, wanted))} messages are open"
            await self.edge()
        self.drive(in_valid_i=0)

    async def crowd(self, waiting: int) -> None:
        """A message of one stream ends, then others send short ones at full rate: it must come.

        Of messages to encrypt only as many beats leave GHASH free as there are blocks of lengths.
        Where nothing else is hashed (a longest part of less than 1 byte) every beat ends one.
        """
        rng = self.rng
        longest = rng.choice((1, 16 * self.lanes))
        others = rng.sample(
            [s for s in range(self.streams) if s != waiting],
            rng.randint(1, min(2, self.streams - 1)),
        )
        wanted: list[deque[Wanted]] = [deque() for _ in range(self.streams)]
        line: deque[tuple[int, Offer, int]] = deque()

        def send(stream: int) -> None:
            note = rng.getrandbits(4) << 4 | stream
            offers, want = self.message(longest, note, encrypt=True)
            line.extend((stream, offer, note) for offer in offers)
            wanted[stream].append(want)

        for stream in (*others, waiting):
            send(stream)
        # A turn of each stream for each of its beats, once on the way to GHASH and once in it.
        limit = 4 * self.streams * 2 * (self.patience + 10)
        waited, quiet = 0, 0
        while any(wanted):
            if wanted[waiting] and len(line) < 4:
                send(rng.choice(others))
            self.drive(in_valid_i=int(bool(line)), out_ready_i=1)
            if line:
                self._show(*line[0])
            await Timer(1, "ns")
            fire = bool(line) and bool(self.read("in_ready_o"))
            moved = fire | self._results(wanted)
            if fire:
                line.popleft()
            waited += bool(wanted[waiting])
            quiet = 0 if moved else quiet + 1
            assert waited < limit, f"stream {waiting} has waited for {limit} cycles"
            assert quiet < QUIET, f"nothing moves; {sum(map(len, wanted))} messages are open"
            await self.edge()
        self.drive(in_valid_i=0)

    async def together(self) -> int:
        """Messages of all streams that end in the same cycles; return how long their tags take."""
        rng = self.rng
        wanted: list[deque[Wanted]] = [deque() for _ in range(self.streams)]
        queues = []
        for stream in range(self.streams):
            offers, want = self.message(rng.choice((1, 16, 400)), stream, encrypt=True)
            queues.append(deque((stream, offer, stream) for offer in offers))
            wanted[stream].append(want)
        # The longest first, so that the last beats are neighbours.
        line = []
        while any(queues):
            longest = max(map(len, queues))
            line += [queue.popleft() for queue in queues if len(queue) == longest]
        line.reverse()
        waited = 0
        while any(wanted):
            self.drive(in_valid_i=int(bool(line)), out_ready_i=1)
            if line:
                self._show(*line[-1])
            await Timer(1, "ns")
            if line and self.read("in_ready_o"):
                line.pop()
            self._results(wanted)
            waited += not line
            assert waited < QUIET
            await self.edge()
        return waited

    def _show(self, stream: int, beat: Offer, note: int) -> None:
        """Put a beat on the inputs."""
        self.drive(
            in_stream_i=stream,
            in_slot_i=beat.slot,
            in_kind_i=beat.kind,
            in_decrypt_i=int(beat.decrypt),
            in_bad_i=int(beat.bad),
            in_last_i=int(beat.last),
            in_keep_i=beat.keep,
            in_data_i=int.from_bytes(beat.data, "little"),
            in_note_i=note,
        )

    def _results(self, wanted: list[deque[Wanted]]) -> bool:
        """Check a tag that is taken now, and the hash of an IV."""
        found = False
        if self.read("j0_valid_o"):
            want = self._next(wanted[self.read("j0_stream_o")], is_iv=True)
            assert self.read("j0_o") == tdata(want.hash), "the hash of an IV"
            found = True
        if self.read("out_valid_o") and self.driven["out_ready_i"]:
            note = self.read("out_note_o")
            want = self._next(wanted[note & 15], is_iv=False)
            assert note == want.note, f"note {note:#x} instead of {want.note:#x}"
            assert self.read("out_refused_o") == int(want.refused), "the verdict"
            tag = 0 if want.hidden else tdata(want.hash)
            assert self.read("out_tag_o") == tag, f"tag {self.read('out_tag_o'):032x}"
            self.refused += want.refused
            found = True
        return found

    @staticmethod
    def _next(queue: deque[Wanted], *, is_iv: bool) -> Wanted:
        # The hash of an IV does not wait for those who take tags.
        found = next((w for w in queue if w.is_iv == is_iv), None)
        assert found is not None, "a result that nobody waits for"
        queue.remove(found)
        return found


@cocotb.test()
async def random_messages(dut: Any) -> None:
    """Everything at once, at several paces."""
    bench = Hash(dut, job())
    await bench.reset()
    for idle, stall, mix, longest in MODES:
        await bench.play(idle, stall, mix, longest)
    assert bench.refused > 50, "too few forgeries"


@cocotb.test()
async def none_waits_for_ever(dut: Any) -> None:
    """A message that has ended gets its turn, whatever the other streams send."""
    bench = Hash(dut, job())
    await bench.reset()
    for _ in range(10):
        for stream in range(bench.streams):
            await bench.crowd(stream)


@cocotb.test()
async def tags_come_soon(dut: Any) -> None:
    """Nothing else on the way, a message's last beat and its tag are only so far apart."""
    bench = Hash(dut, job())
    await bench.reset()
    worst = max([await bench.together() for _ in range(50)])
    assert worst <= 30 + 8 * bench.streams, f"{worst} cycles"
