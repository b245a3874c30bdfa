# SPDX-License-Identifier: Apache-2.0
"""The bus master under more than 10,000 accesses of a CPU, in every mode, with early ends."""

import cocotb
from dma_driver import System, random_job


@cocotb.test()
async def long_traffic(dut):
    """Random jobs, random waiting in memory and on every channel, early ends."""
    made = System(dut)
    await made.start()
    early = 0
    while made.accesses < 12000:
        rng = made.random
        made.waiting(rng.choice([0, 30, 120]), rng.choice([0, 0, 60]))
        task = random_job(rng, rng.choice([100, 600, 2500]))
        for base in {task.src, task.dst}:
            await made.fill(base, rng.randbytes(task.length + 3 & ~3))
        await made.prepare(task)
        made.traffic = made.random_access(0.9, rng.random(), rng.choice([0, 0.1, 0.5]))
        await made.trigger(START=1)
        if rng.random() < 0.2:
            await made.trigger(ABORT=1)
            await made.wait("ACTIVE", 0)
            early += bool(made.undone)
            await made.clean()
            made.undone = []
        else:
            await made.complete()
        await made.settle()
        await made.compare(task.dst & ~3, task.length)
    await made.compare()
    cocotb.log.warning("%d accesses, %d waited", made.accesses, made.conflicts)
    assert early > 3
