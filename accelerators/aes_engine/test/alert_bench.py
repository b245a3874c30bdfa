# SPDX-License-Identifier: Apache-2.0
"""The guarded engine's alert, at its register port: what a fault does, and that reset ends it."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from engine_driver import MAP

from aesforge.verify.bus_masters import PERIOD_NS

WIPE = 33  # cycles of a wipe
ONES = 0xFFFFFFFF
ERROR = MAP["INTR_ENABLE"].word(ERROR=1)


async def started(dut):
    """Reset, and the cycles of the wipe after it."""
    cocotb.start_soon(Clock(dut.clk_i, PERIOD_NS, unit="ns").start())
    for name in ("wr_valid", "wr_addr", "wr_data", "wr_strb", "wr_parity", "rd_valid", "rd_addr"):
        getattr(dut, f"{name}_i").value = 0
    dut.fault_i.value = 0
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 3)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await ClockCycles(dut.clk_i, WIPE + 2)
    await FallingEdge(dut.clk_i)


async def write(dut, name, word):
    """Write a register; whether it was accepted."""
    dut.wr_valid_i.value = 1
    dut.wr_addr_i.value = MAP[name].address
    dut.wr_data_i.value = word
    dut.wr_parity_i.value = word.bit_count() % 2
    dut.wr_strb_i.value = 0xF
    await FallingEdge(dut.clk_i)
    assert dut.wr_ready_o.value == 1
    accepted = dut.wr_error_o.value == 0
    dut.wr_valid_i.value = 0
    return accepted


async def read(dut, name):
    """Read a register: word, parity, and whether it was accepted."""
    dut.rd_valid_i.value = 1
    dut.rd_addr_i.value = MAP[name].address
    await FallingEdge(dut.clk_i)
    assert dut.rd_ready_o.value == 1
    found = int(dut.rd_data_o.value), int(dut.rd_parity_o.value), dut.rd_error_o.value == 0
    dut.rd_valid_i.value = 0
    return found


async def fault(dut):
    """One cycle of it."""
    dut.fault_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.fault_i.value = 0


@cocotb.test()
async def an_alert_lasts_until_reset(dut):
    """Every read returns ones, every write except of interrupts is refused."""
    await started(dut)
    assert await read(dut, "ID") == (0x41455301, (0x41455301).bit_count() % 2, True)
    assert await write(dut, "OWNER", 5)
    await fault(dut)
    for _ in range(3):
        for name in ("ID", "STATUS", "OWNER", "KEY", "ENC_DATA_OUT", "ENC_IV"):
            assert await read(dut, name) == (ONES, 0, True), name
        for name in ("CTRL", "KEY", "ENC_DATA_IN", "OWNER", "TRIGGER", "ERROR"):
            assert not await write(dut, name, 1), name
        await ClockCycles(dut.clk_i, 50)
        await FallingEdge(dut.clk_i)
    await started(dut)
    assert (await read(dut, "OWNER"))[0] == 0
    assert await write(dut, "KEY", 1)


@cocotb.test()
async def an_alert_wipes(dut):
    """The engine is busy with it for the cycles of a wipe, once."""
    await started(dut)
    assert dut.idle_o.value == 1
    await fault(dut)
    busy = 0
    for _ in range(3 * WIPE):
        await FallingEdge(dut.clk_i)
        busy += dut.idle_o.value == 0
    assert WIPE <= busy <= WIPE + 2
    assert dut.idle_o.value == 1


@cocotb.test()
async def an_alert_holds_the_interrupt_line(dut):
    """While INTR_ENABLE.ERROR is set, which a handler may clear; clearing events does not help."""
    await started(dut)
    assert await write(dut, "INTR_ENABLE", ERROR)
    assert dut.irq_o.value == 0
    await fault(dut)
    assert dut.irq_o.value == 1
    assert await write(dut, "INTR_STATE", 0xF)
    await ClockCycles(dut.clk_i, 5)
    await FallingEdge(dut.clk_i)
    assert dut.irq_o.value == 1
    assert await write(dut, "INTR_ENABLE", 0)
    await FallingEdge(dut.clk_i)
    assert dut.irq_o.value == 0
