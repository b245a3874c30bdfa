# SPDX-License-Identifier: Apache-2.0
"""Drives GCM messages of several streams, beat by beat in any mixture, and checks all that comes.

What a message must become is decided as its first beat is taken, by the key that its slot then has.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import axis
from cocotb.triggers import Timer

from aesforge.reference import stream_gcm
from aesforge.reference.stream_gcm import Beat, Message


@dataclass
class Task:
    """A message before its key is known: `make` turns the key of its slot into it."""

    stream: int
    slot: int
    ident: int
    extra: int
    make: Callable[[bytes], Message]
    spoil: Callable[[list[Beat]], list[Beat]] = lambda beats: beats  # breaks the order of beats
    beats: deque[Beat] = field(default_factory=deque)
    ahead: int = 0  # messages of an IV still to come: the last one is the message's own
    message: Message | None = None
    begun: bool = False
    bound: bool = False  # the IV is hashed: its slot keeps its key until the Head is taken


class GcmBench(axis.Bench):
    """The device, its streams, and what has to come out."""

    def __init__(self, dut: Any, job: Any) -> None:
        super().__init__(dut, job)
        self.streams = int(job.params["Streams"])
        self.width = 16 * int(job.params["Lanes"])
        self.due: deque[tuple[int, ...] | None] = deque()  # beats
        self.tags: dict[int, deque[tuple[Message, int, int]]] = {}
        self.tag_held: tuple[int, ...] | None = None
        self.tag_at: list[int] = []
        self.refused = self.accepted = 0

    async def reset(self, cycles: int = 3) -> None:
        """Hold the reset for some cycles and forget what was on its way."""
        self.drive(m_axis_tag_tready=0)
        self.due.clear()
        self.tags = {stream: deque() for stream in range(self.streams)}
        self.tag_held = None
        await super().reset(cycles)

    def _prepare(self, task: Task) -> None:
        """Make the first beats, which do not depend on the key; nor do the lengths."""
        task.message = task.make(bytes(self.sizes[0]))
        ahead, body = self._cut(task)
        others = self._other_iv() if ahead and self.rng.random() < 0.25 else []
        task.beats = deque(others + ahead or body[:1])
        task.ahead = sum(beat.last for beat in others + ahead)

    def _cut(self, task: Task) -> tuple[list[Beat], list[Beat]]:
        assert task.message is not None
        ahead, body = stream_gcm.beats(task.message, self.width, self.rng)
        return ahead, task.spoil(body)

    def _other_iv(self) -> list[Beat]:
        """Return the beats of an IV that another one replaces before a Head comes."""
        message = stream_gcm.seal(bytes(16), self.rng.randbytes(self.rng.randint(13, 60)), b"", b"")
        return stream_gcm.beats(message, self.width, self.rng)[0]

    def _word(self, task: Task, beat: Beat) -> tuple[int, ...]:
        """TDATA, TKEEP, TLAST, TID, TUSER of a beat."""
        decrypt = int(task.message.decrypt) if task.message else 0
        user = decrypt | (task.slot << 1) | (beat.kind << (1 + self.slot_w))
        user |= task.extra << (4 + self.slot_w)
        return (
            int.from_bytes(beat.data, "little"),
            beat.keep,
            int(beat.last),
            task.ident,
            user & 0xFF,
        )

    async def play(
        self,
        keys: deque[axis.Key],
        tasks: list[deque[Task]],
        *,
        idle: float = 0.0,
        key_idle: float = 0.0,
        stall: float = 0.0,
        tag_stall: float = 0.0,
        mix: float = 0.5,
    ) -> None:
        """Send the tasks of all streams, the next beat from another one with probability `mix`.

        `key_idle`, `idle`, `stall`, `tag_stall`: as in axis.Bench.run.
        """
        rng, quiet, current = self.rng, 0, 0
        names = ("tdata", "tkeep", "tlast", "tid", "tuser")
        open_tasks: list[Task | None] = [None] * self.streams
        offered = key_offered = False
        word: tuple[int, ...] = ()
        while keys or any(tasks) or any(open_tasks) or self.due or any(self.tags.values()):
            for s, opened in enumerate(open_tasks):
                if opened is None and tasks[s]:
                    task = tasks[s].popleft()
                    self._prepare(task)
                    open_tasks[s] = task
            # A key does not come between an IV's hash and its message.
            hashing = {t.slot for t in open_tasks if t is not None and (t.ahead or t.bound)}
            free = bool(keys) and (keys[0].slot not in self.keys or keys[0].slot not in hashing)
            key_on = bool(keys) and (key_offered or (free and rng.random() >= key_idle))
            if not offered:
                ready = [
                    s
                    for s, t in enumerate(open_tasks)
                    if t is not None
                    and not (key_on and t.ahead and not t.begun and t.slot == keys[0].slot)
                ]
                if ready and (current not in ready or rng.random() < mix):
                    current = rng.choice(ready)
                data_on = bool(ready) and rng.random() >= idle
            else:
                data_on = True
            current_task = open_tasks[current]
            self.drive(s_axis_tvalid=int(data_on), s_axis_key_tvalid=int(key_on))
            self.drive(m_axis_tready=int(rng.random() >= stall))
            self.drive(m_axis_tag_tready=int(rng.random() >= tag_stall))
            if data_on:
                assert current_task is not None
                word = self._word(current_task, current_task.beats[0])
                self.drive(**{f"s_axis_{n}": v for n, v in zip(names, word, strict=True)})
            if key_on:
                self._offer_key(keys[0])
            await Timer(1, "ns")
            data_fire = data_on and bool(self.read("s_axis_tready"))
            key_fire = key_on and bool(self.read("s_axis_key_tready"))
            given = self._data_out(names)
            given |= self._tag_out()
            if data_fire and current_task is not None and self._taken(current_task, word):
                open_tasks[current] = None
            if key_fire:
                key = keys.popleft()
                self.keys[key.slot if self.agile else 0] = key.data
            offered, key_offered = data_on and not data_fire, key_on and not key_fire
            quiet = 0 if data_fire or key_fire or given else quiet + 1
            assert quiet < axis.PATIENCE, f"nothing moves; {len(self.due)} beats are inside"
            self.drive(aclk=1)
            await Timer(1, "ns")
            self.drive(aclk=0)
            self.cycle += 1
        self.drive(s_axis_tvalid=0, s_axis_key_tvalid=0)

    def _taken(self, task: Task, word: tuple[int, ...]) -> bool:
        """Note what a beat must become; true if it was the last of its task."""
        slot = task.slot if self.agile else 0
        if not task.begun:
            assert slot in self.keys, "a message was begun without a key"
            task.begun = True
            task.bound = task.ahead > 0
            if not task.ahead:
                task.message = task.make(self.keys[slot])
                task.beats.extend(self._cut(task)[1][1:])  # the head on the bus keeps its noise
        beat = task.beats.popleft()
        want = None if beat.want is None else int.from_bytes(beat.want, "little")
        self.due.append(None if want is None else (want, *word[1:]))
        self.taken_at.append(self.cycle)
        self.sent += 1
        if not beat.last:
            return False
        if task.ahead:
            task.begun = False
            task.ahead -= 1
            if not task.ahead:
                task.beats = deque(self._cut(task)[1][:1])
            return False
        assert task.message is not None
        self.tags[task.stream].append((task.message, task.ident, word[4]))
        return True

    def _data_out(self, names: tuple[str, ...]) -> bool:
        """Check what m_axis offers; true if it is taken."""
        if not self.read("m_axis_tvalid"):
            assert self.held is None, "an offered beat was withdrawn"
            return False
        shown = tuple(self.read(f"m_axis_{name}") for name in names)
        assert self.held is None or shown == self.held, "an offered beat changed"
        if not self.driven["m_axis_tready"]:
            self.held = shown
            return False
        self.held = None
        assert self.due, "a beat came out that nobody sent"
        wanted = self.due.popleft()
        if wanted is not None:
            for name, got, want in zip(names, shown, wanted, strict=True):
                assert got == want, f"beat {self.received}, {name}: {got:#x} instead of {want:#x}"
        self.given_at.append(self.cycle)
        self.received += 1
        return True

    def _tag_out(self) -> bool:
        """Check what m_axis_tag offers; true if it is taken."""
        if not self.read("m_axis_tag_tvalid"):
            assert self.tag_held is None, "an offered tag was withdrawn"
            return False
        shown = tuple(self.read(f"m_axis_tag_{name}") for name in ("tdata", "tid", "tuser"))
        assert self.tag_held is None or shown == self.tag_held, "an offered tag changed"
        if not self.driven["m_axis_tag_tready"]:
            self.tag_held = shown
            return False
        self.tag_held = None
        waiting = self.tags[shown[1] % self.streams]
        assert waiting, "a tag came out for no message"
        message, ident, user = waiting.popleft()
        refused = bool(shown[2] & 1)
        assert refused == (not message.valid), f"refused: {refused}, instead of {not message.valid}"
        tag = b"" if message.decrypt or refused else message.tag
        got = shown[0].to_bytes(16, "little")[: len(tag) or 16]
        assert got == (tag or bytes(16)), f"tag {got.hex()} instead of {(tag or bytes(16)).hex()}"
        assert shown[1:] == (ident, (user & 0xFE) | int(refused)), "TID or TUSER of a tag"
        self.accepted += not refused
        self.refused += refused
        self.tag_at.append(self.cycle)
        return True

    def random_task(self, stream: int, longest: int, **fixed: Any) -> Task:
        """A message with everything drawn by lot."""
        rng = self.rng
        size = (12, 12, 12, 8, 16, 40)[rng.randrange(6)]
        iv = fixed.get("iv", rng.randbytes(size))
        aad = fixed.get("aad", rng.randbytes(rng.choice((0, rng.randrange(longest)))))
        text = fixed.get("text", rng.randbytes(rng.choice((0, rng.randrange(longest)))))
        decrypt, how = rng.random() < 0.5, rng.choice((*stream_gcm.FORGERIES, *[""] * 5))
        bit = rng.getrandbits(16)

        def make(key: bytes) -> Message:
            sealed = stream_gcm.seal(key, iv, aad, text)
            if not decrypt:
                return sealed
            return (
                stream_gcm.forge(stream_gcm.to_open(sealed), how, bit)
                if how
                else (stream_gcm.to_open(sealed))
            )

        high = rng.getrandbits(8) & ~(self.streams - 1) & 0xFF
        slot = fixed.get("slot", rng.randrange(self.slots))
        return Task(stream, slot, high | stream, rng.getrandbits(2), make)

    def spread(self, count: int, longest: int, **fixed: Any) -> list[deque[Task]]:
        """So many random messages, over all streams."""
        queues: list[deque[Task]] = [deque() for _ in range(self.streams)]
        for _ in range(count):
            stream = self.rng.randrange(self.streams)
            queues[stream].append(self.random_task(stream, longest, **fixed))
        return queues


def cases_of(bench: GcmBench, cases: Iterator[Any]) -> Iterator[tuple[axis.Key, Task]]:
    """Published cases with their keys, encrypted or decrypted as their files say, or both."""
    slot = 0
    for case in cases:
        directions = {"encrypt": (False,), "decrypt": (True,)}.get(case.direction, (False, True))
        for decrypt in directions:
            message = stream_gcm.of_case(case, decrypt=decrypt)
            if not case.valid and not decrypt and case.iv:
                continue  # only its tag is wrong
            slot = (slot + 1) % bench.slots
            stream = bench.rng.randrange(bench.streams)

            def make(_: bytes, message: Message = message) -> Message:
                return message

            task = Task(stream, slot, stream, 0, make)
            yield axis.Key(slot, case.key), task
