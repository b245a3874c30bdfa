# SPDX-License-Identifier: Apache-2.0
"""The engine on APB or Wishbone: what holds on every bus, under random waiting."""

import cocotb
from cocotb.triggers import FallingEdge
from engine_driver import Engine
from engine_tests import (
    holding,
    interrupts,
    key_rules,
    owner,
    random_sessions,
    refusals,
    register_map,
    wipes,
)


async def engine(dut):
    made = Engine(dut)
    await made.start()
    made.bus.pause(0.2, made.random)
    return made


@cocotb.test()
async def registers_are_as_described(dut):
    await register_map(await engine(dut))


@cocotb.test()
async def illegal_accesses_are_refused(dut):
    await refusals(await engine(dut))


@cocotb.test()
async def keys_follow_their_rules(dut):
    await key_rules(await engine(dut))


@cocotb.test()
async def owners_word(dut):
    await owner(await engine(dut))


@cocotb.test()
async def wipe_and_abort(dut):
    await wipes(await engine(dut))


@cocotb.test()
async def interrupt_line(dut):
    await interrupts(await engine(dut))


@cocotb.test()
async def bus_waits(dut):
    await holding(await engine(dut))


@cocotb.test()
async def sessions(dut):
    await random_sessions(await engine(dut), 10)


@cocotb.test()
async def nothing_is_shown_without_a_read(dut):
    """APB: PRDATA is zero except in the access phase of a read."""
    if not hasattr(dut, "prdata"):
        return
    made = await engine(dut)
    shown = []

    async def watch():
        while True:
            await FallingEdge(dut.pclk)
            read = dut.psel.value and dut.penable.value and not dut.pwrite.value
            if not read and int(dut.prdata.value):
                shown.append(int(dut.prdata.value))

    cocotb.start_soon(watch())
    await random_sessions(made, 3)
    assert not shown
