# SPDX-License-Identifier: Apache-2.0
"""GCM: all of Wycheproof, and one message in 22 of CAVP: of every length of everything."""

import cocotb
from gcm_bench import master, run_cases

from aesforge.reference import gcm_vectors


@cocotb.test()
async def long_vectors(dut):
    """Every message encrypted, and verified before it is decrypted."""
    cases = [*gcm_vectors.cavp()[::22], *gcm_vectors.wycheproof()]
    done, refused = await run_cases(await master(dut), cases)
    assert done >= 2000
    assert refused >= 400
