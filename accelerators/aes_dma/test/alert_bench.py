# SPDX-License-Identifier: Apache-2.0
"""The alert, at the register port of aes_dma_alert: what a fault does; reset ends it."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly
from dma_driver import MAP

from aesforge.verify.bus_masters import PERIOD_NS

WIPE = 20  # cycles of a wipe, at most
ONES = 0xFFFFFFFF
ERROR = MAP["INTR_ENABLE"].word(ERROR=1)
SRC, DST, BLOCKS = 0x1000, 0x2000, 16
REQUESTS = ("arvalid_o", "awvalid_o", "wvalid_o")
INPUTS = (
    *("fault_i", "wr_valid_i", "wr_addr_i", "wr_data_i", "wr_strb_i", "rd_valid_i", "rd_addr_i"),
    *("cpu_valid_i", "cpu_write_i", "cpu_addr_i", "cpu_done_i", "arready_i", "rvalid_i", "rdata_i"),
    *("rerror_i", "awready_i", "wready_i", "bvalid_i", "berror_i"),
)


async def reset(dut):
    """Reset, and the cycles of the wipe after it."""
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await ClockCycles(dut.clk_i, WIPE)
    await FallingEdge(dut.clk_i)


async def started(dut):
    """Clock and reset; nobody asks for anything."""
    cocotb.start_soon(Clock(dut.clk_i, PERIOD_NS, unit="ns").start())
    for name in INPUTS:
        getattr(dut, name).value = 0
    await reset(dut)


async def write(dut, name, word, index=0):
    """Write a register; whether it was accepted."""
    dut.wr_valid_i.value = 1
    dut.wr_addr_i.value = MAP[name].address + 4 * index
    dut.wr_data_i.value = word
    dut.wr_strb_i.value = 0xF
    for _ in range(10):
        await ReadOnly()
        taken, accepted = dut.wr_ready_o.value == 1, dut.wr_error_o.value == 0
        await FallingEdge(dut.clk_i)
        if taken:
            dut.wr_valid_i.value = 0
            return accepted
    raise AssertionError(f"a write of {name} is not taken")


async def read(dut, name):
    """Read a register: its word, and whether it was accepted."""
    dut.rd_valid_i.value = 1
    dut.rd_addr_i.value = MAP[name].address
    await FallingEdge(dut.clk_i)
    assert dut.rd_ready_o.value == 1
    found = int(dut.rd_data_o.value), dut.rd_error_o.value == 0
    dut.rd_valid_i.value = 0
    return found


async def fault(dut):
    """One cycle of it."""
    dut.fault_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.fault_i.value = 0


def inside(dut):
    """What the bus master says of STATUS, whoever may read it; its address is at the port."""
    return int(dut.rd_data.value)


async def job(dut):
    """A key and a job under way; memory gives zeros, takes words and never answers a write."""
    for i in range(4):
        assert await write(dut, "KEY", 0x01234567, i)
    assert await write(dut, "TRIGGER", MAP["TRIGGER"].word(KEY=1))
    await ClockCycles(dut.clk_i, 30)
    await FallingEdge(dut.clk_i)
    for name, word in (("SRC", SRC), ("DST", DST), ("LENGTH", 16 * BLOCKS)):
        assert await write(dut, name, word)
    for name in ("arready_i", "rvalid_i", "awready_i", "wready_i"):
        getattr(dut, name).value = 1
    assert await write(dut, "TRIGGER", MAP["TRIGGER"].word(START=1))


@cocotb.test()
async def an_alert_lasts_until_reset(dut):
    """Every read returns ones, every write except of INTR_ENABLE is refused."""
    await started(dut)
    assert await read(dut, "ID") == (0x41454401, True)
    assert await write(dut, "SRC", SRC)
    await fault(dut)
    for _ in range(3):
        for name in ("ID", "STATUS", "ERROR", "SRC", "KEY", "IV", "FRONT"):
            assert await read(dut, name) == (ONES, True), name
        for name in ("CTRL", "KEY", "SRC", "TRIGGER", "ERROR", "INTR_STATE"):
            assert not await write(dut, name, 1), name
        await ClockCycles(dut.clk_i, 50)
        await FallingEdge(dut.clk_i)
    await reset(dut)
    assert await read(dut, "SRC") == (0, True)
    assert await write(dut, "KEY", 1)


@cocotb.test()
async def an_alert_wipes(dut):
    """The bus master is reset, and overwrites what its memories hold of the key."""
    await started(dut)
    await job(dut)
    dut.rd_addr_i.value = MAP["STATUS"].address
    await FallingEdge(dut.clk_i)
    assert inside(dut) & MAP["STATUS"].word(KEY_VALID=1)
    await fault(dut)
    wiping = 0
    for _ in range(3 * WIPE):
        await FallingEdge(dut.clk_i)
        status = inside(dut)
        assert not status & MAP["STATUS"].word(KEY_VALID=1, ACTIVE=1)
        wiping += bool(status & MAP["STATUS"].word(WIPING=1))
    assert wiping > 10
    assert inside(dut) & MAP["STATUS"].word(IDLE=1)
    await reset(dut)


@cocotb.test()
async def an_alert_stops_the_job(dut):
    """From every cycle of a job on: no request leaves, words are dropped, the CPU goes on."""
    await started(dut)
    for at in range(1, 60, 3):
        await job(dut)
        dut.cpu_valid_i.value = 1
        dut.cpu_addr_i.value = DST // 4
        await FallingEdge(dut.clk_i)
        assert dut.cpu_stall_o.value == 1
        await ClockCycles(dut.clk_i, at)
        await FallingEdge(dut.clk_i)
        await fault(dut)
        for _ in range(40):
            for name in REQUESTS:
                assert getattr(dut, name).value == 0, (at, name)
            assert dut.rready_o.value == 1 and dut.bready_o.value == 1, at
            assert dut.cpu_stall_o.value == 0, at
            await FallingEdge(dut.clk_i)
        for name in INPUTS:
            getattr(dut, name).value = 0
        await reset(dut)


@cocotb.test()
async def an_alert_holds_the_interrupt_line(dut):
    """While INTR_ENABLE.ERROR is set, which a handler may clear; clearing events does not help."""
    await started(dut)
    assert await write(dut, "INTR_ENABLE", ERROR)
    assert dut.irq_o.value == 0
    await fault(dut)
    assert dut.irq_o.value == 1
    assert not await write(dut, "INTR_STATE", 0xF)
    await ClockCycles(dut.clk_i, 5)
    await FallingEdge(dut.clk_i)
    assert dut.irq_o.value == 1
    assert await write(dut, "INTR_ENABLE", 0)
    await FallingEdge(dut.clk_i)
    assert dut.irq_o.value == 0
    await reset(dut)
    assert dut.irq_o.value == 0
