# SPDX-License-Identifier: Apache-2.0
"""The engine on AXI4-Lite: registers, refusals, NIST vectors, chaining, interrupts, resets."""

import cocotb
from cocotb.triggers import with_timeout
from cocotbext.axi import AxiResp
from engine_driver import MAP, Engine, key_sizes, period, present, reference
from engine_tests import (
    both_at_once,
    holding,
    interrupts,
    key_rules,
    owner,
    random_sessions,
    refusals,
    register_map,
    wipes,
)

from aesforge.reference import vectors
from aesforge.verify.cocotb_bench import job

PARAMS = job().params
VECTORS = ["fips197", "*-gfsbox", "*-keysbox", "*-var*", "*-mmt", "*-sp800-38a"]


async def engine(dut):
    made = Engine(dut)
    await made.start()
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
async def nist_vectors(dut):
    """Examples of the standards, multi-block messages, and one in 40 of the known answers."""
    await run_vectors(await engine(dut), vectors.load(VECTORS), 40)


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
async def directions_at_once(dut):
    await both_at_once(await engine(dut))


@cocotb.test()
async def sessions(dut):
    """Random sessions under random waiting on all five channels."""
    made = await engine(dut)
    for turn in range(10):
        made.bus.pause(made.random.choice([0, 0.2, 0.7]), made.random)
        await random_sessions(made, 2)
        if turn % 3 == 2:
            await made.reset()
    cocotb.log.info("%d accesses", made.accesses)


@cocotb.test()
async def outstanding(dut):
    """Many accesses on their way at once, every channel waiting at random: each gets its answer."""
    made = await engine(dut)
    made.bus.pause(0.6, made.random)
    master, enable = made.bus.master, MAP["INTR_ENABLE"].address
    for _ in range(20):
        writes, reads = [], []
        for number in range(12):
            legal = made.random.random() < 0.6
            word = (number % 16).to_bytes(4, "little")
            writes.append((master.init_write(enable if legal else 0x1FC, word), legal))
            legal = made.random.random() < 0.6
            reads.append((master.init_read(MAP["ID"].address if legal else 0x1FC, 4), legal))
        for event, legal in [*writes, *reads]:
            await with_timeout(event.wait(), 20, "us")
            assert (event.data.resp == AxiResp.OKAY) == legal
        for event, legal in reads:
            assert event.data.data == (MAP["ID"].reset if legal else 0).to_bytes(4, "little")


@cocotb.test()
async def a_held_write_waits_no_longer_than_stated(dut):
    """Without room, and with nobody who reads: 255 cycles from the bus's buffer to the refusal."""
    made = await engine(dut)
    port = present(PARAMS)[0]
    await made.control(128, 1)
    await made.key(bytes(16))
    while (await made.fields("STATUS"))[f"{port}_INPUT_READY"]:
        await made.block_of(f"{port}_DATA_IN", bytes(16))
        await made.ticks(150)
    refused = made.bus.master.init_write(MAP[f"{port}_DATA_IN"].address, bytes(4))
    given, cycles = {"aw": False, "w": False}, 0
    while not int(dut.s_axi_bvalid.value):
        cycles += all(given.values())
        for name in given:
            valid, ready = (getattr(dut, f"s_axi_{name}{end}") for end in ("valid", "ready"))
            given[name] |= bool(int(valid.value) and int(ready.value))
        await made.ticks(1)
    await refused.wait()
    assert refused.data.resp == AxiResp.SLVERR
    assert cycles == 256  # the last of them writes the response's register


@cocotb.test()
async def an_idle_engine_has_stored_the_chaining_value(dut):
    """Each word of it, asked for in every cycle, is refused or right."""
    made = await engine(dut)
    port = present(PARAMS)[0]
    for mode in ("cbc", "ctr") if port == "ENC" else ("cbc",):
        await made.control(128, 0, **{port.lower(): mode})
        key, iv, text = (made.random.randbytes(16) for _ in range(3))
        if mode == "ctr":
            iv = iv[:3] + b"\xff" * 13
        await made.key(key)
        out = reference(key, mode, iv, text, port == "ENC")
        after = out if port == "ENC" else text
        if mode == "ctr":
            after = (int.from_bytes(iv, "big") + 1).to_bytes(16, "big")
        for at in range(0, 16, 4):
            await made.block_of(f"{port}_IV", iv)
            await made.block_of(f"{port}_DATA_IN", text)
            address = MAP[f"{port}_IV"].address + at
            reads = [made.bus.master.init_read(address, 4) for _ in range(120)]
            found = []
            for event in reads:
                await event.wait()
                found += [event.data.data] if event.data.resp == AxiResp.OKAY else []
            assert found and set(map(bytes, found)) == {after[at : at + 4]}
            assert await made.take(port) == out


@cocotb.test()
async def no_gap_between_blocks(dut):
    """With writes and reads queued, the unit and not the bus sets the pace."""
    if PARAMS["Interleave"] > 1:
        return  # a chained block goes round alone there; the bench of the core counts its cycles
    made = await engine(dut)
    port = present(PARAMS)[0]
    encrypt = port == "ENC"
    for bits in key_sizes(PARAMS):
        key = made.random.randbytes(bits // 8)
        pace = period(PARAMS, bits)
        for mode in ("ecb", "cbc", "ctr") if encrypt else ("ecb", "cbc"):
            await made.control(bits, 1, **{port.lower(): mode})
            await made.key(key)
            iv, text = made.random.randbytes(16), made.random.randbytes(16 * 20)
            if mode == "ctr":
                iv = iv[:3] + b"\xff" * 13  # the second block's counter carries through every word
            await made.block_of(f"{port}_IV", iv)
            start = made.cycle
            writer = cocotb.start_soon(queue_writes(made, port, text))
            await made.ticks(16)  # a result is waited for once its block is there
            assert await queue_reads(made, port, 20) == reference(key, mode, iv, text, encrypt)
            await writer
            # What comes before the first block and after the last one is paid once.
            spent = made.cycle - start
            cocotb.log.info("AES-%d %s: %d cycles for 20 blocks", bits, mode, spent)
            assert spent < 20 * pace + 19 + pace, f"{mode}: {spent} cycles for 20 blocks"


async def queue_writes(made, port, text):
    base = MAP[f"{port}_DATA_IN"].address
    events = [
        made.bus.master.init_write(base + i % 16, text[i : i + 4]) for i in range(0, len(text), 4)
    ]
    for event in events:
        await event.wait()


async def queue_reads(made, port, count):
    base = MAP[f"{port}_DATA_OUT"].address
    events = [made.bus.master.init_read(base + 4 * (i % 4), 4) for i in range(4 * count)]
    words = b""
    for event in events:
        await event.wait()
        words += event.data.data
    return words


async def run_vectors(made, cases, every):
    """Run vector cases that the instance can do; a new key only when it changes."""
    ports = {"encrypt": "ENC", "decrypt": "DEC"}
    last, done = None, 0
    for number, case in enumerate(cases):
        port = "ENC" if case.mode == "ctr" else ports[case.direction]
        if port not in present(PARAMS) or 8 * len(case.key) not in key_sizes(PARAMS):
            continue
        if case.kind == "KAT" and number % every:
            continue
        hold = done % 2
        order = done % 3 == 1
        await made.control(8 * len(case.key), hold, big_endian=order, **{port.lower(): case.mode})
        if last != case.key or done % 5 == 0:
            await made.key(case.key)
            last = case.key
        if case.iv:
            await made.block_of(f"{port}_IV", case.iv)
        padded = case.text + bytes(-len(case.text) % 16)
        result = await made.message(port, padded, hold)
        assert result[: len(case.text)] == case.result, case.name
        done += 1
    assert done > 20
    cocotb.log.info("%d vectors, %d accesses", done, made.accesses)
