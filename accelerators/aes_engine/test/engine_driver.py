# SPDX-License-Identifier: Apache-2.0
"""What the benches of the engine share: masters of three buses, a driver over the register map."""

import logging
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster, AxiResp
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.build import registers
from aesforge.verify.cocotb_bench import job

MAP = registers.load(Path(__file__).parent.parent / "aes_engine.rdl")
PERIOD_NS = 10
MODES = {"ecb": 0, "cbc": 1, "ctr": 2, "gcm": 3}
POLLS = 400  # bound of every wait, in accesses


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
        for channel in (
            *(write.aw_channel, write.w_channel, write.b_channel),
            *(read.ar_channel, read.r_channel),
        ):
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
        bus = ApbBus.from_entity(dut)
        self.master = ApbMaster(bus, dut.pclk, dut.presetn, reset_active_level=False)
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
        self.probability, self.rng = 0.0, random.Random(0)
        for name in ("cyc", "stb", "we", "adr", "dat", "sel"):
            getattr(dut, f"wb_{name}_i").value = 0

    def pause(self, probability, rng):
        """Make the master wait at random."""
        self.probability, self.rng = probability, rng

    async def _cycle(self, we, address, data, select):
        dut = self.dut
        while self.rng.random() < self.probability:
            await FallingEdge(self.clock)
        dut.wb_cyc_i.value = 1
        dut.wb_stb_i.value = 1
        dut.wb_we_i.value = we
        dut.wb_adr_i.value = address
        dut.wb_dat_i.value = data
        dut.wb_sel_i.value = select
        for _ in range(600):
            await FallingEdge(self.clock)
            ack, err = int(dut.wb_ack_o.value), int(dut.wb_err_o.value)
            if ack or err:
                # The request stays until the edge that ends the cycle.
                found = int(dut.wb_dat_o.value)
                await RisingEdge(self.clock)
                dut.wb_cyc_i.value = 0
                dut.wb_stb_i.value = 0
                await FallingEdge(self.clock)
                assert not (ack and err)
                return found, bool(ack)
        raise AssertionError("no answer on Wishbone")

    async def write(self, address, data):
        """Write some bytes of a word; whether it was accepted."""
        lane = address % 4
        word = int.from_bytes(data, "little") << 8 * lane
        select = ((1 << len(data)) - 1) << lane
        return (await self._cycle(1, address - lane, word, select))[1]

    async def read(self, address):
        """Read a word; its bytes, and whether it was accepted."""
        word, ok = await self._cycle(0, address, 0, 15)
        return word.to_bytes(4, "little"), ok


def stalls(probability, rng):
    while True:
        yield rng.random() < probability


def reference(key, mode, iv, text, encrypt):
    """What the whole message becomes."""
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), chosen)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(text)


class Engine:
    """The engine as software sees it. Accesses are counted, and accepted unless said otherwise."""

    def __init__(self, dut, bus):
        self.dut, self.bus = dut, bus
        self.random = random.Random(job().seed)
        self.accesses = 0
        self.big_endian = False

    @property
    def cycle(self):
        """Clock cycles since the simulation began."""
        return int(get_sim_time("ns")) // PERIOD_NS

    async def start(self):
        """Clock, reset, and the wipe that follows it."""
        cocotb.start_soon(Clock(self.bus.clock, PERIOD_NS, "ns").start())
        await self.reset()

    async def reset(self):
        """Reset, in the middle of whatever is under way."""
        self.bus.reset.value = 0
        await self.ticks(3)
        self.bus.reset.value = 1
        await self.ticks(1)
        self.big_endian = False
        await self.wait("IDLE")

    async def ticks(self, count):
        """Let cycles pass."""
        for _ in range(count):
            await FallingEdge(self.bus.clock)

    async def write(self, name, word, index=0, accepted=True):
        """Write a word, or fewer bytes, to a register by name."""
        data = word.to_bytes(4, "little") if isinstance(word, int) else word
        self.accesses += 1
        ok = await self.bus.write(MAP[name].address + 4 * index, data)
        assert ok == accepted, f"write of {name}[{index}] {'refused' if accepted else 'accepted'}"

    async def read(self, name, index=0, accepted=True):
        """Read a register by name."""
        self.accesses += 1
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

    def words(self, data):
        """Bytes as the words that registers take."""
        order = "big" if self.big_endian else "little"
        return [int.from_bytes(data[i : i + 4], order) for i in range(0, len(data), 4)]

    def bytes(self, words):
        """Words of registers as bytes."""
        return b"".join(w.to_bytes(4, "big" if self.big_endian else "little") for w in words)

    async def control(self, bits=128, hold=0, enc="ecb", dec="ecb", big_endian=False, opens=0):
        """Set everything in CTRL; `opens`: GCM decrypts."""
        self.big_endian = big_endian
        word = MAP["CTRL"].word(
            KEY_LEN=bits // 64 - 2,
            BIG_ENDIAN=int(big_endian),
            HOLD=hold,
            ENC_MODE=MODES[enc],
            DEC_MODE=MODES[dec],
            GCM_DECRYPT=opens,
        )
        await self.write("CTRL", word)
        assert await self.read("CTRL") == word

    async def block_of(self, name, data):
        """Write the words of a key, a block or an IV in random order."""
        pairs = list(enumerate(self.words(data)))
        self.random.shuffle(pairs)
        for index, word in pairs:
            await self.write(name, word, index)

    async def key(self, key):
        """Write and expand a key."""
        await self.block_of("KEY", key)
        await self.write("TRIGGER", MAP["TRIGGER"].word(KEY=1))
        await self.wait("KEY_VALID")

    async def take(self, port):
        """Read a result, words in random order."""
        order = [0, 1, 2, 3]
        self.random.shuffle(order)
        words = {index: await self.read(f"{port}_DATA_OUT", index) for index in order}
        return self.bytes([words[index] for index in range(4)])

    async def message(self, port, data, hold):
        """Whole blocks through a channel, the next one given before the last result is taken."""
        out = b""
        blocks = [data[i : i + 16] for i in range(0, len(data), 16)]
        ahead = self.random.randrange(1, 3)
        for number in range(len(blocks) + ahead):
            if number >= ahead:
                if not hold:
                    await self.wait(f"{port}_OUTPUT_VALID")
                out += await self.take(port)
            if number < len(blocks):
                if not hold:
                    await self.wait(f"{port}_INPUT_READY")
                await self.block_of(f"{port}_DATA_IN", blocks[number])
        return out


def present(params):
    """Channels that the instance has."""
    return {"enc": ["ENC"], "dec": ["DEC"]}.get(params["Dir"], ["ENC", "DEC"])


def key_sizes(params):
    return [128] + [192] * bool(params["Has192"]) + [256] * bool(params["Has256"])


def period(params, bits):
    """Cycles from one block to the next, when nobody waits for the bus."""
    rounds = bits // 32 + 6
    if params["SboxImpl"] == "bram":
        return 9 + 2 * rounds
    return 1 + (4 * rounds if params["Width"] == 32 else rounds // params["Rounds"])
