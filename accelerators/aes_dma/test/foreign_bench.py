# SPDX-License-Identifier: Apache-2.0
"""The bus master on somebody else's AXI4 memory (AxiRam of cocotbext-axi), every channel waiting at
random: results in and around the regions, bus errors, resets in the middle."""

import logging

import cocotb
from cocotb.triggers import FallingEdge
from cocotbext.axi import AxiBus, AxiRam, AxiResp
from dma_driver import MEMORY, Job, System, random_job

JOBS = 80


class Foreign(System):
    """The bus master alone; no CPU touches its regions."""

    async def start(self, wait=0, pause=0):
        """Clock, reset and memory; each channel waits in `pause` of 256 cycles."""
        dut = self.dut
        for name in ("cpu_valid_i", "cpu_write_i", "cpu_addr_i", "cpu_done_i"):
            getattr(dut, name).value = 0
        bus = AxiBus.from_prefix(dut, "m_axi")
        self.ram = AxiRam(bus, dut.aclk, dut.aresetn, reset_active_level=False, size=MEMORY)
        to, of = self.ram.write_if, self.ram.read_if
        for half in (to, of):
            half.log.setLevel(logging.ERROR)
        for channel in (to.aw_channel, to.w_channel, to.b_channel, of.ar_channel, of.r_channel):
            channel.set_pause_generator(self._pauses(pause))
        self.start_clock()
        await self.reset()

    def _pauses(self, pause):
        while True:
            yield self.random.randrange(256) < pause

    async def reset(self):
        """Reset bus master and memory port for three cycles; what memory holds stays."""
        await self.pulse_reset()
        await self.wait("IDLE")

    async def run(self, task):
        """One job to its end; memory is what it should be."""
        around = range(task.src - 32 & ~3, task.src + task.length + 32)
        self.ram.write(around.start, self.random.randbytes(len(around)))
        wanted = bytearray(self.ram.read(0, MEMORY))
        wanted[task.dst : task.dst + task.length] = task.result(wanted)
        await self.begin(task)
        await self.complete()
        assert bytes(self.ram.read(0, MEMORY)) == bytes(wanted)


async def foreign(dut, pause=0):
    made = Foreign(dut)
    await made.start(pause=pause)
    return made


@cocotb.test()
async def jobs(dut):
    """Random modes, keys, places and lengths, channels that never and often wait."""
    made = await foreign(dut)
    for _ in range(JOBS // 2):
        await made.run(random_job(made.random))


@cocotb.test()
async def jobs_with_waiting(dut):
    """The same with every channel waiting in a third of the cycles."""
    made = await foreign(dut, pause=85)
    for _ in range(JOBS // 2):
        await made.run(random_job(made.random))


@cocotb.test()
async def boundaries(dut):
    """Regions across 4 KiB boundaries, at every word before them."""
    made = await foreign(dut, pause=40)
    for word in range(1, 9):
        key, iv = made.random.randbytes(16), made.random.randbytes(16)
        place = 0x1000 - 4 * word
        await made.run(Job(key, "ecb", word % 2 == 1, iv, place, place, 96))


@cocotb.test()
async def bus_errors(dut):
    """A memory that answers SLVERR ends the job, and wipes the key."""
    made = await foreign(dut, pause=40)
    for half, name in ((made.ram.read_if, "_read"), (made.ram.write_if, "_write")):
        usual = getattr(half, name)

        async def refuse(address, *rest, usual=usual):
            if 0x2080 <= address < 0x2090:
                raise ValueError("an address that the memory refuses")
            return await usual(address, *rest)

        setattr(half, name, refuse)
        before = made.random.randbytes(256)
        made.ram.write(0x2000, before)
        task = Job(bytes(range(16)), "ecb", True, bytes(16), 0x2000, 0x2000, 256)
        await made.begin(task)
        await made.wait("ACTIVE", 0)
        await made.wait("IDLE")
        error = await made.fields("ERROR")
        assert error["READ" if name == "_read" else "WRITE"] == 1, error
        assert (await made.fields("STATUS"))["KEY_VALID"] == 0
        # The block in question is whole, and what it was.
        assert bytes(made.ram.read(0x2080, 16)) == before[0x80:0x90]
        setattr(half, name, usual)
        await made.clean()
        await made.run(task)


@cocotb.test()
async def resets(dut):
    """A reset at any moment of a job; the next one works."""
    made = await foreign(dut)
    for wait in range(0, 120, 7):
        task = random_job(made.random)
        await made.begin(task)
        for _ in range(wait):
            await FallingEdge(dut.aclk)
        await made.reset()
        assert (await made.fields("STATUS"))["KEY_VALID"] == 0
        await made.run(random_job(made.random, most=100))


@cocotb.test()
async def refused_answers(dut):
    """What cannot be read or written is answered so, and changes nothing."""
    made = await foreign(dut)
    answer = await made.master.read(0xFFC, 4)
    assert answer.resp == AxiResp.SLVERR
    await made.clean()
    await made.run(random_job(made.random))
