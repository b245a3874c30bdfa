# SPDX-License-Identifier: Apache-2.0
"""ERROR of the peripheral on AXI4-Lite: what clears a bit, and what does not."""

import cocotb
from masked_driver import MAP, Device


@cocotb.test()
async def a_bit_is_cleared_alone(dut):
    """A 1 clears its own bit; ones that are written elsewhere clear none."""
    device = Device(dut)
    await device.start(seed=False)
    for name in ("ACCESS", "UNSEEDED"):
        await device.write("KEY0", 1, accepted=False)
        await device.write("INTR_ENABLE", 3)
        await device.write("INTR_ENABLE", 0)
        await device.write("ERROR", MAP["ERROR"].word(**{name: 1}))
        await device.errors(**{"ACCESS": 1, "UNSEEDED": 1, name: 0})
