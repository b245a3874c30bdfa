# SPDX-License-Identifier: Apache-2.0
"""The iterative core without a bus: results, exact cycles, back-pressure, key changes, wiping."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.utils import get_sim_time
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.verify.cocotb_bench import job

BITS = (128, 192, 256)


def settings():
    """Parameters of the core: the bench's own, or the defaults."""
    defaults = {"Dir": "parallel", "Has192": 1, "Has256": 1, "Width": 128}
    return {**defaults, "Rounds": 1, "Interleave": 1, **job().params}


def sizes():
    return [128] + [192] * bool(settings()["Has192"]) + [256] * bool(settings()["Has256"])


def period(bits):
    """Cycles from one block to the next on one place of the ring."""
    rounds = bits // 32 + 6
    chosen = settings()
    return 1 + (4 * rounds if chosen["Width"] == 32 else rounds // chosen["Rounds"])


def reference(key, direction, block):
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    return (cipher.encryptor() if direction == "enc" else cipher.decryptor()).update(block)


def ports():
    """The directions that the core has."""
    return {"enc": ["enc"], "dec": ["dec"]}.get(settings()["Dir"], ["enc", "dec"])


class Core:
    """Drives the core at falling edges, so that what is seen is what the next rising edge takes."""

    def __init__(self, dut):
        self.dut = dut
        self.random = random.Random(job().seed)

    @property
    def cycle(self):
        """Clock cycles since the simulation began."""
        return int(get_sim_time("ns")) // 10

    async def tick(self):
        """One clock cycle."""
        await FallingEdge(self.dut.clk_i)

    async def start(self):
        """Clock, reset and the wipe that follows it."""
        dut = self.dut
        for name in ("wipe_i", "key_write_i", "key_start_i", "enc_valid_i", "dec_valid_i"):
            getattr(dut, name).value = 0
        dut.enc_ready_i.value = 1
        dut.dec_ready_i.value = 1
        dut.rst_ni.value = 0
        cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
        await self.tick()
        await self.tick()
        dut.rst_ni.value = 1
        await self.until("wiping_o", 0, 20)

    async def until(self, signal, value, limit):
        """Wait for a level; the number of cycles."""
        start = self.cycle
        while int(getattr(self.dut, signal).value) != value:
            assert self.cycle - start < limit, f"{signal} is not {value} after {limit} cycles"
            await self.tick()
        return self.cycle - start

    async def key(self, key):
        """Write and expand a key; the cycles of the expansion."""
        dut = self.dut
        order = list(range(len(key) // 4))
        self.random.shuffle(order)
        for word in order:
            dut.key_write_i.value = 1
            dut.key_word_i.value = word
            dut.key_data_i.value = int.from_bytes(key[4 * word : 4 * word + 4], "little")
            await self.tick()
        dut.key_write_i.value = 0
        dut.key_start_i.value = 1
        dut.key_length_i.value = len(key) // 8 - 2
        await self.tick()
        dut.key_start_i.value = 0
        return await self.until("key_valid_o", 1, 40)

    async def stream(self, port, blocks, offer=1.0, accept=1.0):
        """Send blocks through a port; results and the cycles at which each came out."""
        dut, results, times = self.dut, [], []
        valid, ready = getattr(dut, f"{port}_valid_i"), getattr(dut, f"{port}_ready_i")
        data = getattr(dut, f"{port}_data_i")
        sent = 0
        limit = self.cycle + 2000 + 400 * len(blocks)
        while len(results) < len(blocks):
            assert self.cycle < limit, f"{port}: {len(results)} of {len(blocks)} blocks in time"
            if sent < len(blocks) and (valid.value or self.random.random() < offer):
                valid.value = 1
                data.value = int.from_bytes(blocks[sent], "little")
            ready.value = int(self.random.random() < accept)
            await ReadOnly()
            taken = int(valid.value) and int(getattr(dut, f"{port}_ready_o").value)
            given = int(getattr(dut, f"{port}_valid_o").value) and int(ready.value)
            if given:
                word = int(getattr(dut, f"{port}_data_o").value)
                results.append(word.to_bytes(16, "little"))
                times.append(self.cycle)
            await self.tick()
            if taken:
                sent += 1
                valid.value = 0
        ready.value = 1
        return results, times


def blocks(core, count):
    return [core.random.randbytes(16) for _ in range(count)]


@cocotb.test()
async def cycles(dut):
    """Key set-up and blocks take exactly the cycles that the manifest promises."""
    core = Core(dut)
    await core.start()
    for bits in sizes():
        key = core.random.randbytes(bits // 8)
        assert await core.key(key) == bits // 32 + 7
        for port in ports():
            texts = blocks(core, 24)
            results, times = await core.stream(port, texts)
            assert results == [reference(key, port, text) for text in texts]
            stages = settings()["Interleave"]
            for first, last in zip(times, times[stages:], strict=False):
                assert last - first == period(bits) * stages, f"{last - first} cycles"
            # A block alone: accepted in the first cycle; its rounds, and no wait, after that.
            start = core.cycle
            _, times = await core.stream(port, texts[:1])
            assert times[0] - start == 1 + (period(bits) - 1) * stages


@cocotb.test()
async def together(dut):
    """Both directions at once under random back-pressure; a unit for each is not slowed down."""
    core = Core(dut)
    await core.start()
    for turn in range(12):
        bits = core.random.choice(sizes())
        key = core.random.randbytes(bits // 8)
        await core.key(key)
        offer, accept = (
            (1.0, 1.0) if turn == 0 else (core.random.random(), 0.05 + core.random.random())
        )
        texts = {port: blocks(core, 40) for port in ports()}
        tasks = {
            port: cocotb.start_soon(core.stream(port, texts[port], offer, accept)) for port in texts
        }
        for port, task in tasks.items():
            results, times = await task
            assert results == [reference(key, port, text) for text in texts[port]], port
            if turn == 0 and settings()["Dir"] != "shared":
                assert times[-1] - times[0] <= 39 * period(bits) + settings()["Interleave"]
        await core.until("idle_o", 1, 10)


@cocotb.test()
async def wiping(dut):
    """A wipe in any cycle of a block: nothing comes out, no block is accepted until a new key."""
    core = Core(dut)
    await core.start()
    port = ports()[0]
    for wait in range(0, 60, 3):
        key = core.random.randbytes(16)
        await core.key(key)
        getattr(dut, f"{port}_valid_i").value = 1
        getattr(dut, f"{port}_data_i").value = 5
        getattr(dut, f"{port}_ready_i").value = 0
        for _ in range(wait):
            await core.tick()
        dut.wipe_i.value = 1
        await core.tick()
        dut.wipe_i.value = 0
        assert int(getattr(dut, f"{port}_valid_o").value) == 0
        assert int(dut.key_valid_o.value) == 0
        assert await core.until("wiping_o", 0, 20) == 16
        for _ in range(40):
            await core.tick()
            assert int(getattr(dut, f"{port}_ready_o").value) == 0
            assert int(getattr(dut, f"{port}_valid_o").value) == 0
        getattr(dut, f"{port}_valid_i").value = 0
        # An expansion of the wiped window is that of the zero key.
        dut.key_start_i.value = 1
        dut.key_length_i.value = 0
        await core.tick()
        dut.key_start_i.value = 0
        await core.until("key_valid_o", 1, 40)
        text = blocks(core, 1)
        results, _ = await core.stream(port, text)
        assert results == [reference(bytes(16), port, text[0])]
