# SPDX-License-Identifier: Apache-2.0
"""The peripheral on AXI4-Lite: registers, seed, keys, modes, vectors, wiping, back-pressure."""

import cocotb
from masked_driver import Device
from masked_tests import (
    interrupts,
    key_rules,
    messages,
    refusals,
    register_map,
    unseeded,
    vectors,
    wipes,
)

from aesforge.reference import vectors as published

VECTORS = ["fips197", "*-mmt", "*-sp800-38a"]


async def device(dut, seed=True):
    made = Device(dut)
    await made.start(seed)
    return made


@cocotb.test()
async def registers_are_as_described(dut):
    await register_map(await device(dut))


@cocotb.test()
async def nothing_without_a_seed(dut):
    await unseeded(await device(dut, seed=False))


@cocotb.test()
async def illegal_accesses_are_refused(dut):
    await refusals(await device(dut))


@cocotb.test()
async def keys_follow_their_rules(dut):
    await key_rules(await device(dut))


@cocotb.test()
async def nist_vectors(dut):
    """Examples of the standards and one in four of CAVP's multi-block messages."""
    cases = published.load(VECTORS)
    await vectors(await device(dut), [case for case in cases if case.kind != "MMT"])
    await vectors(await device(dut), [case for case in cases if case.kind == "MMT"][::4])


@cocotb.test()
async def random_messages(dut):
    """Under random waiting on all five channels."""
    made = await device(dut)
    for pause in (0, 0.3, 0.7):
        made.bus.pause(pause, made.random)
        await messages(made, 9)


@cocotb.test()
async def wipe_and_seed(dut):
    await wipes(await device(dut), 11)


@cocotb.test()
async def interrupt_line(dut):
    await interrupts(await device(dut))
