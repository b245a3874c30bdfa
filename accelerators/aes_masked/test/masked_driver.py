# SPDX-License-Identifier: Apache-2.0
"""What the benches share: masters of three buses and of the register port, a driver in Python."""

import logging
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster, AxiResp
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.build import registers
from aesforge.verify.cocotb_bench import job

MAP = registers.load(Path(__file__).parent.parent / "aes_masked.rdl")
PERIOD_NS = 10
MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
POLLS = 400  # bound of every wait, in accesses
LIMIT = 1000  # of an access, in cycles


def stalls(probability, rng):
    while True:
        yield rng.random() < probability


class AxiLite:
    """AXI4-Lite by cocotbext-axi; `pause(p)` makes every channel wait with probability p."""

    def __init__(self, dut):
        self.clock, self.reset = dut.aclk, dut.aresetn
        bus = AxiLiteBus.from_prefix(dut, "s_axi")
        self.master = AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)
        for half in (self.master.write_if, self.master.read_if):
            half.log.setLevel(logging.WARNING)

    def pause(self, probability, rng):
        """Make the master wait at random."""
        write, read = self.master.write_if, self.master.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel):
            channel.set_pause_generator(stalls(probability, rng))
        for channel in (read.ar_channel, read.r_channel):
            channel.set_pause_generator(stalls(probability, rng))

    async def write(self, address, data):
        """Write some bytes of a word; whether it was accepted."""
        return (await self.master.write(address, data)).resp == AxiResp.OKAY

    async def read(self, address):
        """Read a word; its bytes, and whether it was accepted."""
        answer = await self.master.read(address, 4)
        assert answer.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return bytes(answer.data), answer.resp == AxiResp.OKAY


class Apb:
    """APB by cocotbext-axi."""

    def __init__(self, dut):
        self.clock, self.reset = dut.pclk, dut.presetn
        self.master = ApbMaster(
            ApbBus.from_entity(dut), dut.pclk, dut.presetn, reset_active_level=False
        )
        self.master.log.setLevel(logging.WARNING)

    def pause(self, probability, rng):
        """Make the master wait at random."""
        self.master.set_pause_generator(stalls(probability, rng))

    async def write(self, address, data):
        """Write some bytes of a word; whether it was accepted."""
        return (await self.master.write(address, data)).resp == 0

    async def read(self, address):
        """Read a word; its bytes, and whether it was accepted."""
        answer = await self.master.read(address, 4)
        return bytes(answer.data), answer.resp == 0


class Wishbone:
    """Classic cycles of Wishbone B4, one at a time."""

    def __init__(self, dut):
        self.dut, self.clock, self.reset = dut, dut.clk_i, dut.rst_ni
        self.waits = stalls(0.0, random.Random(0))
        for name in ("cyc", "stb", "we", "adr", "dat", "sel"):
            getattr(dut, f"wb_{name}_i").value = 0

    def pause(self, probability, rng):
        """Make the master wait at random."""
        self.waits = stalls(probability, rng)

    async def _cycle(self, **request):
        dut = self.dut
        while next(self.waits):
            await FallingEdge(self.clock)
        for name, value in {"cyc": 1, "stb": 1, **request}.items():
            getattr(dut, f"wb_{name}_i").value = value
        for _ in range(LIMIT):
            await FallingEdge(self.clock)
            ack, err = int(dut.wb_ack_o.value), int(dut.wb_err_o.value)
            if ack or err:
                found = int(dut.wb_dat_o.value)
                await RisingEdge(self.clock)  # the request stays until the edge that ends the cycle
                dut.wb_cyc_i.value = dut.wb_stb_i.value = 0
                await FallingEdge(self.clock)
                assert not (ack and err)
                return found, bool(ack)
        raise AssertionError("no answer on Wishbone")

    async def write(self, address, data):
        """Write some bytes of a word; whether it was accepted."""
        lane = address % 4
        word = int.from_bytes(data, "little") << 8 * lane
        select = ((1 << len(data)) - 1) << lane
        return (await self._cycle(we=1, adr=address - lane, dat=word, sel=select))[1]

    async def read(self, address):
        """Read a word; its bytes, and whether it was accepted."""
        word, ok = await self._cycle(we=0, adr=address, dat=0, sel=15)
        return word.to_bytes(4, "little"), ok


class Port:
    """The register port itself: an access takes a cycle, unless it waits."""

    def __init__(self, dut):
        self.dut, self.clock, self.reset = dut, dut.clk_i, dut.rst_ni
        for name in ("wr_valid", "rd_valid", "sideload_valid", "sideload0", "sideload1"):
            getattr(dut, f"{name}_i").value = 0

    def pause(self, probability, rng):
        """Reads and writes follow each other at once."""

    async def _access(self, kind):
        valid, ready = getattr(self.dut, f"{kind}_valid_i"), getattr(self.dut, f"{kind}_ready_o")
        valid.value = 1
        for _ in range(LIMIT):
            await ReadOnly()
            if int(ready.value):
                ok = not int(getattr(self.dut, f"{kind}_error_o").value)
                word = int(self.dut.rd_data_o.value)
                await FallingEdge(self.clock)
                valid.value = 0
                return word.to_bytes(4, "little"), ok
            await FallingEdge(self.clock)
        raise AssertionError("no answer")

    async def write(self, address, data):
        """Write some bytes of a word; whether it was accepted."""
        lane = address % 4
        self.dut.wr_addr_i.value = address
        self.dut.wr_data_i.value = int.from_bytes(data, "little") << 8 * lane
        self.dut.wr_strb_i.value = ((1 << len(data)) - 1) << lane
        return (await self._access("wr"))[1]

    async def read(self, address):
        """Read a word; its bytes, and whether it was accepted."""
        self.dut.rd_addr_i.value = address
        return await self._access("rd")


def reference(key, mode, iv, text):
    """What the whole message becomes; in CTR the counter has 32 bits."""
    if mode == "ctr":
        count = int.from_bytes(iv[12:], "big")
        blocks = (
            iv[:12] + ((count + i) % 2**32).to_bytes(4, "big") for i in range(len(text) // 16)
        )
        stream = reference(key, "ecb", b"", b"".join(blocks))
        return bytes(a ^ b for a, b in zip(text, stream, strict=True))
    chosen = modes.ECB() if mode == "ecb" else modes.CBC(iv)
    return Cipher(algorithms.AES(key), chosen).encryptor().update(text)


class Device:
    """The peripheral as software sees it; accesses are accepted unless said otherwise."""

    def __init__(self, dut, bus):
        self.dut, self.bus = dut, bus
        self.random = random.Random(job().seed)
        self.bits = 128

    @property
    def cycle(self):
        """Clock cycles since the simulation began."""
        return int(get_sim_time("ns")) // PERIOD_NS

    async def start(self, seed=True):
        """Clock, reset, and a seed."""
        cocotb.start_soon(Clock(self.bus.clock, PERIOD_NS, "ns").start())
        await self.reset()
        if seed:
            await self.seed()

    async def reset(self):
        """Reset, in the middle of whatever is under way."""
        await FallingEdge(self.bus.clock)
        self.bus.reset.value = 0
        await self.ticks(3)
        self.bus.reset.value = 1
        await self.ticks(1)

    async def seed(self, words=None):
        """Seed the generator; random words unless given."""
        for index, word in enumerate(words or [self.random.getrandbits(32) for _ in range(5)]):
            await self.write("SEED", word, index)
        await self.wait("IDLE")

    async def ticks(self, count):
        """Let cycles pass."""
        for _ in range(count):
            await FallingEdge(self.bus.clock)

    async def write(self, name, word, index=0, accepted=True):
        """Write a word, or fewer bytes, to a register by name."""
        data = word.to_bytes(4, "little") if isinstance(word, int) else word
        ok = await self.bus.write(MAP[name].address + 4 * index, data)
        assert ok == accepted, f"write of {name}[{index}] {'refused' if accepted else 'accepted'}"

    async def read(self, name, index=0, accepted=True):
        """Read a register by name."""
        data, ok = await self.bus.read(MAP[name].address + 4 * index)
        assert ok == accepted, f"read of {name}[{index}] {'refused' if accepted else 'accepted'}"
        if not ok:
            assert data == bytes(4), f"a refused read of {name}[{index}] shows {data.hex()}"
        return int.from_bytes(data, "little")

    async def fields(self, name):
        """Read a register; its fields by name."""
        word = await self.read(name)
        return {field.name: field.of(word) for field in MAP[name].fields}

    async def wait(self, flag, value=1):
        """Poll a flag of STATUS."""
        for _ in range(POLLS):
            if (await self.fields("STATUS"))[flag] == value:
                return
        raise AssertionError(f"STATUS.{flag} is not {value} after {POLLS} reads")

    async def errors(self, **expected):
        """ERROR must say exactly this; it is cleared."""
        found = await self.fields("ERROR")
        assert found == {"ACCESS": 0, "KEY": 0, "UNSEEDED": 0, **expected}, found
        await self.write("ERROR", 7)

    async def control(self, bits=None, mode="ecb", pair=1):
        """Set everything in CTRL."""
        self.bits = bits or self.bits
        word = MAP["CTRL"].word(KEY_LEN=self.bits // 64 - 2, MODE=MODES[mode], PAIR=pair)
        await self.write("CTRL", word)
        assert await self.read("CTRL") == word

    async def words(self, name, data):
        """Write bytes as the words of a register, in order."""
        for at in range(0, len(data), 4):
            await self.write(name, data[at : at + 4], at // 4)

    def shares(self, key):
        """Split a key at random."""
        mask = self.random.randbytes(len(key))
        return mask, bytes(a ^ b for a, b in zip(key, mask, strict=True))

    async def key(self, key, shares=None):
        """Load a key of CTRL's length."""
        share0, share1 = shares or self.shares(key)
        await self.words("KEY0", share0)
        await self.words("KEY1", share1)

    async def take(self, count=1):
        """Read blocks."""
        words = [await self.read("DATA_OUT", index % 4) for index in range(4 * count)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    async def message(self, text, ahead):
        """Whole blocks, up to `ahead` inside at a time."""
        blocks = [text[at : at + 16] for at in range(0, len(text), 16)]
        out = b""
        for number in range(len(blocks) + ahead):
            if number >= ahead and number - ahead < len(blocks):
                out += await self.take()
            if number < len(blocks):
                await self.words("DATA_IN", blocks[number])
        return out
