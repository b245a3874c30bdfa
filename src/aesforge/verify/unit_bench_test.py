# SPDX-License-Identifier: Apache-2.0
"""The cocotb side of the unit bench: drives sim/unit/unit_bench_top.sv and compares with the model.

One coroutine makes the clock, drives and samples, so that every cycle is: drive while the clock is
low, let everything settle, sample, rising edge. What was found goes into a JSON file, so that a
difference from the model cannot be mistaken for a bench that did not run.
"""

import json
import os
import random
import traceback
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import cocotb
from cocotb.triggers import Timer

from aesforge.catalog.model_file import load_models
from aesforge.verify import operands
from aesforge.verify.operands import Operation, Spec

# (probability of an idle cycle between requests, probability of a stall of the response)
MODES = ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.3, 0.3), (0.05, 0.9), (0.9, 0.05))


class Mismatch(Exception):
    """The unit or its decoder differs from what manifest and model say."""


class Bench:
    """A unit under test, the model it is compared with, and what is on the way between them."""

    def __init__(self, dut: Any, model: ModuleType, operations: list[Spec], seed: int) -> None:
        self.dut = dut
        self.model = model
        self.operations = operations
        self.rng = random.Random(seed)
        self.patience = 200 + 20 * max(spec.latency for spec in operations)  # cycles
        self.cycles = 0
        self.requests = 0
        self.flying: deque[tuple[Operation, int]] = deque()  # accepted, with the right answer
        self.held: int | None = None  # a response that was offered and not taken
        self.driven: dict[str, int] = {}
        self.handles = {handle._name: handle for handle in dut}

    def drive(self, **values: int) -> None:
        """Write those inputs that change."""
        for name, value in values.items():
            if self.driven.get(name) != value:
                self.handles[name].value = value
                self.driven[name] = value

    def read(self, name: str) -> int:
        """Sample an output."""
        return int(self.handles[name].value)

    async def settle(self) -> None:
        """Clock low, long enough for the inputs to reach the outputs."""
        self.drive(clk_i=0)
        await Timer(5, "ns")

    async def edge(self) -> None:
        """The rising edge and the time until the next cycle begins."""
        self.drive(clk_i=1)
        await Timer(5, "ns")
        self.cycles += 1

    async def reset(self) -> None:
        """Reset in the middle of a cycle; nothing may come out during it."""
        self.drive(req_valid_i=0)
        await Timer(2, "ns")
        self.drive(rst_ni=0)
        self.flying.clear()
        self.held = None
        if hasattr(self.model, "reset"):
            self.model.reset()
        for cycle in range(3):
            await self.settle()
            if self.read("rsp_valid_o"):
                raise Mismatch("rsp_valid_o is high in reset without a request")
            if cycle == 2:
                self.drive(rst_ni=1)  # while the clock is low
                await Timer(2, "ns")
            await self.edge()

    async def quiet(self, cycles: int) -> None:
        """Idle cycles in which no response may appear."""
        self.drive(req_valid_i=0, rsp_ready_i=1)
        for _ in range(cycles):
            await self.settle()
            if self.read("rsp_valid_o"):
                raise Mismatch("a response without a request")
            await self.edge()

    def offer(self, request: Operation) -> None:
        """Put a request on the port."""
        rs1, rs2, rs3 = request.operands
        op = request.spec.op_word(request.immediates)
        self.drive(req_valid_i=1, req_op_i=op, req_rs1_i=rs1, req_rs2_i=rs2, req_rs3_i=rs3)

    def compare(self, request: Operation, right: int) -> None:
        """Compare a response that is being taken."""
        got = self.read("rsp_rd_o")
        if got != right:
            raise Mismatch(f"{request}: rd=0x{got:08x}, the model says 0x{right:08x}")

    async def stream(self, requests: Iterable[Operation], idle: float, stall: float) -> None:
        """Pass requests with random pauses on both sides; wait for the last response."""
        source = iter(requests)
        waiting = next(source, None)
        offered: Operation | None = None
        patience = self.patience
        while waiting or offered or self.flying:
            if offered is None and waiting is not None and self.rng.random() >= idle:
                offered, waiting = waiting, next(source, None)
            if offered is None:
                self.drive(req_valid_i=0, req_rs1_i=self.rng.getrandbits(32))
            else:
                self.offer(offered)
            taking = int(self.rng.random() >= stall)
            self.drive(rsp_ready_i=taking)
            await self.settle()
            patience -= 1
            had_request = offered is not None
            if offered is not None and self.read("req_ready_o"):
                self.flying.append((offered, offered.result(self.model)))
                self.requests += 1
                offered = None
                patience = self.patience
            if self.response(had_request, taking):
                patience = self.patience
            await self.edge()
            if patience == 0:
                pending = self.flying[0][0] if self.flying else offered or waiting
                raise Mismatch(f"no progress for {self.patience} cycles at {pending}")

    def response(self, had_request: bool, taking: int) -> bool:
        """Check the response side of a cycle; True if a response was taken."""
        valid = self.read("rsp_valid_o")
        if self.held is not None:
            if not valid:
                raise Mismatch("rsp_valid_o fell before the response was taken")
            if self.read("rsp_rd_o") != self.held:
                raise Mismatch("rsp_rd_o changed before the response was taken")
        self.held = None
        if not valid:
            return False
        if not self.flying and not had_request:
            raise Mismatch("a response without a request")
        if not taking:
            self.held = self.read("rsp_rd_o")
            return False
        if not self.flying:
            raise Mismatch("a response was taken before its request was accepted")
        self.compare(*self.flying.popleft())
        return True

    async def latency(self, spec: Spec, request: Operation) -> None:
        """Measure the latency of an idle unit, in cycles, and compare it with the manifest's."""
        await self.quiet(2)
        self.offer(request)
        accepted: int | None = None
        right = 0
        for cycle in range(self.patience):
            await self.settle()
            if accepted is None and self.read("req_ready_o"):
                accepted = cycle
                right = request.result(self.model)
                self.requests += 1
            answered = self.read("rsp_valid_o")
            if answered and accepted is not None:
                self.compare(request, right)
            await self.edge()
            if accepted is not None:
                self.drive(req_valid_i=0)
            if answered and accepted is not None:
                if cycle - accepted != spec.latency:
                    found = f"latency {cycle - accepted}"
                    raise Mismatch(f"{spec.mnemonic}: {found}, the manifest says {spec.latency}")
                return
        raise Mismatch(f"{request}: no response within {self.patience} cycles")

    async def decoder(self) -> None:
        """Compare accel_decode with the manifest's encodings: right words, near misses, noise."""
        words = [self.rng.getrandbits(32) for _ in range(500)]
        for spec in self.operations:
            for _ in range(64):
                word = spec.value | self.rng.getrandbits(32) & ~spec.mask
                words += [word, word ^ 1 << self.rng.randrange(32)]
            words += [spec.value ^ 1 << bit for bit in range(32)]
        for word in words:
            self.drive(insn_i=word)
            await Timer(1, "ns")
            known = [spec for spec in self.operations if word & spec.mask == spec.value]
            if self.read("match_o") != len(known):
                raise Mismatch(f"decoder: 0x{word:08x}: match_o is {self.read('match_o')}")
            if not known:
                continue
            spec = known[0]
            fields = zip(spec.immediates, spec.instruction_lsb, strict=True)
            op = spec.op_word([word >> lsb & (1 << field.width) - 1 for field, lsb in fields])
            reads = tuple(int(name in spec.registers) for name in ("rs2", "rs3"))
            got = (self.read("op_o"), self.read("rs2_o"), self.read("rs3_o"))
            if got != (op, *reads):
                raise Mismatch(f"decoder: 0x{word:08x}: op, rs2, rs3 = {got}, not {(op, *reads)}")

    async def everything(self, samples: int) -> None:
        """The whole bench; `samples` random requests in each mode of pauses."""
        self.drive(clk_i=0, rst_ni=1, req_valid_i=0, req_op_i=0, rsp_ready_i=0, insn_i=0)
        self.drive(req_rs1_i=0, req_rs2_i=0, req_rs3_i=0)
        await self.reset()
        await self.decoder()
        for spec in self.operations:
            for request in operands.noise([spec], self.rng, 4):
                await self.latency(spec, request)
        every = list(operands.directed(self.operations, self.rng))
        await self.stream(every, 0.0, 0.0)
        for idle, stall in MODES:
            await self.stream(operands.noise(self.operations, self.rng, samples), idle, stall)
        some = self.rng.sample(every, min(len(every), 4 * samples))
        await self.stream(some, 0.25, 0.25)
        for _ in range(8):
            await self.interrupted()
            await self.stream(operands.noise(self.operations, self.rng, 16), 0.3, 0.3)

    async def interrupted(self) -> None:
        """Reset with requests under way and a response that may be waiting."""
        self.drive(rsp_ready_i=0)
        for request in operands.noise(self.operations, self.rng, self.rng.randrange(1, 5)):
            self.offer(request)
            await self.settle()
            accepted = self.read("req_ready_o")
            await self.edge()
            if not accepted:
                break
        await self.reset()
        await self.quiet(8 + 2 * max(spec.latency for spec in self.operations))


@cocotb.test()
async def unit_equals_model(dut: Any) -> None:
    """Run the bench that AESFORGE_UNIT_BENCH (a JSON file) describes."""
    job = json.loads(Path(os.environ["AESFORGE_UNIT_BENCH"]).read_text(encoding="utf-8"))
    outcome = {"status": "error", "detail": "", "requests": 0, "cycles": 0}
    try:
        listed = [Spec.from_json(data) for data in job["operations"]]
        bench = Bench(
            dut, load_models([Path(path) for path in job["models"]]), listed, int(job["seed"])
        )
        try:
            await bench.everything(int(job["samples"]))
            outcome["status"] = "pass"
        except Mismatch as error:
            outcome.update(status="mismatch", detail=str(error))
        outcome.update(requests=bench.requests, cycles=bench.cycles)
    except Exception as error:  # a model that raises, a port that is missing
        outcome.update(status="error", detail=f"{type(error).__name__}: {error}")
        traceback.print_exc()
    Path(job["outcome"]).write_text(json.dumps(outcome), encoding="utf-8")
    assert outcome["status"] == "pass", outcome["detail"]
