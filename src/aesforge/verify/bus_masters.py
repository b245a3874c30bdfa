# SPDX-License-Identifier: Apache-2.0
"""For benches of peripherals: masters of AXI4-Lite, APB and Wishbone, and registers by name.

Runs inside the simulator. A bench asks `master(dut)` for the master of whichever bus the top has,
and derives the driver of its peripheral from `Registers`.
"""

import logging
from collections.abc import Iterator
from random import Random
from typing import Any, Protocol

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import ApbBus, ApbMaster, AxiLiteBus, AxiLiteMaster, AxiResp

from aesforge.build.registers import RegisterMap
from aesforge.verify.cocotb_bench import job

PERIOD_NS = 10
POLLS = 400  # bound of a wait for a flag, in reads
WISHBONE_CYCLES = 1000  # bound of an access on Wishbone


class Bus(Protocol):
    """A master: what `Registers` needs of it. Addresses count bytes; one access is one word."""

    clock: Any
    reset: Any  # active low

    def pause(self, probability: float, rng: Random) -> None:
        """Make the master wait at random."""

    async def write(self, address: int, data: bytes) -> bool:
        """Write bytes of one word; tell whether the slave accepted them."""

    async def read(self, address: int) -> tuple[bytes, bool]:
        """Read a word; return its bytes, and whether the slave accepted the access."""


def stalls(probability: float, rng: Random) -> Iterator[bool]:
    """Tell for each cycle whether to wait."""
    while True:
        yield rng.random() < probability


class AxiLite:
    """AXI4-Lite by cocotbext-axi; a pause holds each of the five channels by itself."""

    def __init__(self, dut: Any) -> None:
        self.clock, self.reset = dut.aclk, dut.aresetn
        bus = AxiLiteBus.from_prefix(dut, "s_axi")
        self.master = AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)
        for half in (self.master.write_if, self.master.read_if):
            half.log.setLevel(logging.WARNING)

    def pause(self, probability: float, rng: Random) -> None:
        """Make the master wait at random."""
        write, read = self.master.write_if, self.master.read_if
        for channel in (
            *(write.aw_channel, write.w_channel, write.b_channel),
            *(read.ar_channel, read.r_channel),
        ):
            channel.set_pause_generator(stalls(probability, rng))

    async def write(self, address: int, data: bytes) -> bool:
        """Write bytes; tell whether the slave accepted all of them."""
        answer = await self.master.write(address, data)
        return bool(answer.resp == AxiResp.OKAY)

    async def read(self, address: int, size: int = 4) -> tuple[bytes, bool]:
        """Read bytes; return them, and whether the slave accepted all accesses."""
        answer = await self.master.read(address, size)
        assert answer.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return bytes(answer.data), answer.resp == AxiResp.OKAY


class Apb:
    """APB by cocotbext-axi."""

    def __init__(self, dut: Any) -> None:
        self.clock, self.reset = dut.pclk, dut.presetn
        bus = ApbBus.from_entity(dut)
        self.master = ApbMaster(bus, dut.pclk, dut.presetn, reset_active_level=False)
        self.master.log.setLevel(logging.WARNING)

    def pause(self, probability: float, rng: Random) -> None:
        """Make the master wait at random."""
        self.master.set_pause_generator(stalls(probability, rng))

    async def write(self, address: int, data: bytes) -> bool:
        """Write bytes of one word; tell whether the slave accepted them."""
        answer = await self.master.write(address, data)
        return bool(answer.resp == 0)

    async def read(self, address: int) -> tuple[bytes, bool]:
        """Read a word; return its bytes, and whether the slave accepted the access."""
        answer = await self.master.read(address, 4)
        return bytes(answer.data), answer.resp == 0


class Wishbone:
    """Classic cycles of Wishbone B4, one at a time."""

    def __init__(self, dut: Any) -> None:
        self.dut, self.clock, self.reset = dut, dut.clk_i, dut.rst_ni
        self.waits = stalls(0.0, Random(0))
        self._drive(cyc=0, stb=0, we=0, adr=0, dat=0, sel=0)

    def _drive(self, **signals: int) -> None:
        for name, value in signals.items():
            getattr(self.dut, f"wb_{name}_i").value = value

    def pause(self, probability: float, rng: Random) -> None:
        """Make the master wait at random."""
        self.waits = stalls(probability, rng)

    async def _cycle(self, **request: int) -> tuple[int, bool]:
        while next(self.waits):
            await FallingEdge(self.clock)
        self._drive(cyc=1, stb=1, **request)
        for _ in range(WISHBONE_CYCLES):
            await FallingEdge(self.clock)
            ack, err = int(self.dut.wb_ack_o.value), int(self.dut.wb_err_o.value)
            if ack or err:
                found = int(self.dut.wb_dat_o.value)
                await RisingEdge(self.clock)  # the request stays until the edge that ends the cycle
                self._drive(cyc=0, stb=0)
                await FallingEdge(self.clock)
                assert not (ack and err)
                return found, bool(ack)
        raise AssertionError("no answer on Wishbone")

    async def write(self, address: int, data: bytes) -> bool:
        """Write bytes of one word; tell whether the slave accepted them."""
        lane = address % 4
        word = int.from_bytes(data, "little") << 8 * lane
        select = ((1 << len(data)) - 1) << lane
        _, accepted = await self._cycle(we=1, adr=address - lane, dat=word, sel=select)
        return accepted

    async def read(self, address: int) -> tuple[bytes, bool]:
        """Read a word; return its bytes, and whether the slave accepted the access."""
        word, accepted = await self._cycle(we=0, adr=address, dat=0, sel=15)
        return word.to_bytes(4, "little"), accepted


def master(dut: Any) -> Bus:
    """Return the master of the bus that a top has, which its clock's name tells."""
    if hasattr(dut, "aclk"):
        return AxiLite(dut)
    return Apb(dut) if hasattr(dut, "pclk") else Wishbone(dut)


class Registers:
    """A peripheral as software sees it. Each access must be accepted, or refused if so asked."""

    def __init__(self, dut: Any, bus: Bus, described: RegisterMap, polls: int = POLLS) -> None:
        self.dut, self.bus, self.described, self.polls = dut, bus, described, polls
        self.random = Random(job().seed)

    @property
    def cycle(self) -> int:
        """Clock cycles since the simulation began."""
        return int(get_sim_time("ns")) // PERIOD_NS

    def start_clock(self) -> None:
        """Start the bus clock."""
        Clock(self.bus.clock, PERIOD_NS, "ns").start()

    async def pulse_reset(self) -> None:
        """Reset for three cycles, also in the middle of whatever is under way."""
        self.bus.reset.value = 0
        await self.ticks(3)
        self.bus.reset.value = 1

    async def ticks(self, count: int) -> None:
        """Let cycles pass."""
        for _ in range(count):
            await FallingEdge(self.bus.clock)

    async def write(
        self, name: str, word: int | bytes, index: int = 0, accepted: bool = True
    ) -> None:
        """Write a word, or fewer bytes, to a register by name."""
        data = word.to_bytes(4, "little") if isinstance(word, int) else word
        ok = await self.bus.write(self.described[name].address + 4 * index, data)
        assert ok == accepted, f"write of {name}[{index}] {'refused' if accepted else 'accepted'}"

    async def read(self, name: str, index: int = 0, accepted: bool = True) -> int:
        """Read a register by name. A refused read must return zeros."""
        data, ok = await self.bus.read(self.described[name].address + 4 * index)
        assert ok == accepted, f"read of {name}[{index}] {'refused' if accepted else 'accepted'}"
        if not ok:
            assert data == bytes(4), f"a refused read of {name}[{index}] shows {data.hex()}"
        return int.from_bytes(data, "little")

    async def fields(self, name: str) -> dict[str, int]:
        """Read a register; return its fields by name."""
        word = await self.read(name)
        return {field.name: field.of(word) for field in self.described[name].fields}

    async def wait(self, flag: str, value: int = 1) -> None:
        """Poll a flag of STATUS."""
        for _ in range(self.polls):
            if (await self.fields("STATUS"))[flag] == value:
                return
        raise AssertionError(f"STATUS.{flag} is not {value} after {self.polls} reads")
