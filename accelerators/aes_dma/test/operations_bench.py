# SPDX-License-Identifier: Apache-2.0
"""The operations of fault campaigns (faults.py) without a fault, by a host like the campaign's."""

from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly

from aesforge.catalog.model_file import load_model
from aesforge.verify.bus_masters import PERIOD_NS
from aesforge.verify.cocotb_bench import job

JOBS = list(load_model(Path(__file__).parent / "faults.py").jobs(job().params))
POLLS = 400
VALIDS = ("awvalid", "wvalid", "bready", "arvalid", "rready")


async def access(dut, step):
    """One access; address and data stay until the answer. Returns the word that was read."""
    writes = step.kind == "write"
    if writes:
        dut.s_axi_awaddr.value, dut.s_axi_wdata.value = step.address, step.data
        open_parts = {"awvalid": "awready", "wvalid": "wready"}
        answer, taken = "bvalid", "bready"
    else:
        dut.s_axi_araddr.value = step.address
        open_parts = {"arvalid": "arready"}
        answer, taken = "rvalid", "rready"
    for _ in range(1000):
        for name in VALIDS:
            ready = name == taken and not open_parts
            getattr(dut, f"s_axi_{name}").value = int(name in open_parts or ready)
        await ReadOnly()
        word = int(dut.s_axi_rdata.value) if not writes and not open_parts else 0
        ended = not open_parts and getattr(dut, f"s_axi_{answer}").value == 1
        open_parts = {
            valid: ready
            for valid, ready in open_parts.items()
            if getattr(dut, f"s_axi_{ready}").value == 0
        }
        await FallingEdge(dut.aclk)
        if ended:
            return word
    raise AssertionError(f"no answer to {step}")


async def perform(dut, operation):
    """An operation from reset on."""
    for name in VALIDS:
        getattr(dut, f"s_axi_{name}").value = 0
    dut.s_axi_wstrb.value = 0xF
    dut.s_axi_awaddr.value = dut.s_axi_araddr.value = dut.s_axi_wdata.value = 0
    dut.aresetn.value = 0
    await ClockCycles(dut.aclk, 4)
    await FallingEdge(dut.aclk)
    dut.aresetn.value = 1
    for at, step in enumerate(operation.steps):
        for _ in range(POLLS):
            word = await access(dut, step)
            assert not word & step.alert, f"{operation.name}, step {at}: {word:#x} is an alert"
            if step.kind != "wait" or (word ^ step.data) & step.mask == 0:
                break
        if step.kind != "write":
            assert (word ^ step.data) & step.mask == 0, f"{operation.name}, step {at}: {word:#x}"


@cocotb.test()
async def every_operation_is_right(dut):
    """Each answer is the one that the campaign expects."""
    cocotb.start_soon(Clock(dut.aclk, PERIOD_NS, unit="ns").start())
    for operation in JOBS:
        await perform(dut, operation)
    cocotb.log.warning("%d operations", len(JOBS))
