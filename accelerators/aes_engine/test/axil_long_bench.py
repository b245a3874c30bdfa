# SPDX-License-Identifier: Apache-2.0
"""Every NIST vector through AXI4-Lite, and more than 10,000 accesses of random sessions."""

import cocotb
from axil_bench import VECTORS, run_vectors
from engine_driver import Engine
from engine_tests import random_sessions

from aesforge.reference import vectors


@cocotb.test()
async def every_vector(dut):
    made = Engine(dut)
    await made.start()
    await run_vectors(made, vectors.load(VECTORS), 1)


@cocotb.test()
async def long_sessions(dut):
    """Random waiting, resets in the middle of a message, changes of key size and mode."""
    made = Engine(dut)
    await made.start()
    while made.accesses < 12000:
        made.bus.pause(made.random.choice([0, 0.1, 0.4, 0.8]), made.random)
        job = cocotb.start_soon(random_sessions(made, 2))
        if made.random.random() < 0.25:
            await made.ticks(made.random.randrange(20, 1500))
            if not job.done():
                job.cancel()
                await made.reset()
                continue
        await job
    cocotb.log.info("%d accesses", made.accesses)
