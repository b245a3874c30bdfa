# SPDX-License-Identifier: Apache-2.0
"""Whole messages through the unit, beside what random requests reach: keys of all lengths, all
modes, one to six blocks, in every order of writing and reading that the unit takes.
"""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cocotb

from aesforge.catalog.model_file import load_models
from aesforge.verify.operands import Operation, Spec
from aesforge.verify.unit_bench_test import MODES, Bench

AHEAD = 16  # words


class Requests:
    """Makes requests by mnemonic."""

    def __init__(self, specs: list[Spec], rng: random.Random) -> None:
        self.specs = {spec.mnemonic: spec for spec in specs}
        self.rng = rng

    def one(self, mnemonic: str, *items: int) -> Operation:
        """An operation on a random word."""
        word = self.rng.getrandbits(32)
        return Operation(self.specs[mnemonic], (word, self.rng.getrandbits(32), 0), items)

    def seed(self) -> Iterator[Operation]:
        """A whole seed."""
        yield from (self.one("mb_seed", at) for at in range(5))

    def key(self, length: int) -> Iterator[Operation]:
        """A key of length 1 to 3, and the number that it has."""
        yield self.one("mb_begin", length)
        for share in (0, 1):
            yield from (self.one("mb_key", share) for _ in range(2 + 2 * length))
        yield self.one("mb_look", 0)

    def message(self, mode: int, blocks: int) -> Iterator[Operation]:
        """Words in and out in an order that is drawn."""
        yield self.one("mb_mode", mode)
        yield from (self.one("mb_iv") for _ in range(4))
        written, read, words = 0, 0, 4 * blocks
        while read < words:
            whole, room = written // 4 * 4 > read, written - read < AHEAD
            able = ["mb_put"] * 3 * (written < words and room)
            able += ["mb_turn", "mb_get"] * whole * (written < words)
            chosen = self.rng.choice(able or ["mb_get"])
            written += chosen != "mb_get"
            read += chosen != "mb_put"
            yield self.one(chosen)

    def everything(self) -> Iterator[Operation]:
        """All of them; now and then a message is given up, or the unit gets a new seed."""
        for length in (1, 2, 3):
            yield from self.seed()
            yield from self.key(length)
            for mode in range(4):
                for blocks in range(1, 7):
                    given = list(self.message(mode, blocks))
                    yield from given[: self.rng.choice((len(given), len(given), 11))]
            yield self.one("mb_begin", 0)
            yield from (self.one("mb_put") for _ in range(4))
            yield self.one("mb_get")


@cocotb.test()
async def messages_are_right(dut: Any) -> None:
    """Without pauses and with each kind of them."""
    job = json.loads(Path(os.environ["AESFORGE_UNIT_BENCH"]).read_text(encoding="utf-8"))
    listed = [Spec.from_json(data) for data in job["operations"]]
    model = load_models([Path(path) for path in job["models"]])
    bench = Bench(dut, model, listed, int(job["seed"]))
    bench.drive(clk_i=0, rst_ni=1, req_valid_i=0, req_op_i=0, rsp_ready_i=0, insn_i=0)
    bench.drive(req_rs1_i=0, req_rs2_i=0, req_rs3_i=0)
    await bench.reset()
    requests = Requests(listed, bench.rng)
    for idle, stall in MODES[:4]:
        await bench.stream(requests.everything(), idle, stall)
