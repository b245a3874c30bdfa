# SPDX-License-Identifier: Apache-2.0
"""The peripheral on APB or Wishbone: the tests that hold on every bus."""

import cocotb
from masked_driver import Device
from masked_tests import key_rules, messages, refusals, register_map, unseeded, wipes


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
async def random_messages(dut):
    made = await device(dut)
    for pause in (0, 0.5):
        made.bus.pause(pause, made.random)
        await messages(made, 9)


@cocotb.test()
async def wipe_and_seed(dut):
    await wipes(await device(dut), 23)
