# SPDX-License-Identifier: Apache-2.0
"""The peripheral without a bus: exact cycles, what memories hold, what a wipe leaves, sideload."""

import cocotb
from cocotb.triggers import FallingEdge
from masked_driver import MAP, Device, Port, reference
from masked_tests import messages

ROUNDS = {128: 10, 192: 12, 256: 14}
VIEW = ("text0_o", "text1_o", "results_o", "key0_o", "key1_o", "data0_o", "data1_o")
VIEW += ("result0_o", "result1_o")


async def device(dut):
    made = Device(dut, Port(dut))
    await made.start()
    return made


def words(dut, name):
    """The words that a part of the state holds."""
    value = getattr(dut, name).value
    number, size = int(value), len(value)
    return [number >> at & 0xFFFFFFFF for at in range(0, size, 32)]


def as_words(data):
    """The words of bytes."""
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


@cocotb.test()
async def results(dut):
    await messages(await device(dut), 18)


async def marks(made, seen):
    """Note the cycles in which the cipher takes a block or gives the last word of one."""
    while True:
        await FallingEdge(made.dut.clk_i)
        for name in ("first", "last"):
            if int(getattr(made.dut, f"{name}_o").value):
                seen[name].append(made.cycle)


@cocotb.test()
async def times(dut):
    """A block takes 9 * rounds + 5 cycles, a pair follows the last one after 9 * (rounds + 1)."""
    made = await device(dut)
    for bits, rounds in ROUNDS.items():
        for mode in ("ecb", "cbc", "ctr"):
            key, iv, text = (made.random.randbytes(size) for size in (bits // 8, 16, 192))
            for pair in (0, 1):
                await made.control(bits, mode, pair)
                await made.key(key)
                await made.words("IV", iv)
                seen = {"first": [], "last": []}
                watch = cocotb.start_soon(marks(made, seen))
                block = reference(key, mode, iv, text[:16])
                start = made.cycle
                assert await made.message(text[:16], 1) == block
                # Masks of the words, the way to the cipher and back, and the reads.
                assert made.cycle - start < 9 * rounds + 5 + 35
                watch.cancel()
                assert len(seen["first"]) == len(seen["last"]) == 1
                assert seen["last"][0] - seen["first"][0] + 1 == 9 * rounds + 5
            if mode == "cbc":
                continue
            await made.key(key)
            await made.words("IV", iv)
            seen = {"first": [], "last": []}
            watch = cocotb.start_soon(marks(made, seen))
            # Four blocks before the first one is read: from then on the cipher sets the pace.
            await made.words("DATA_IN", text[:16])
            for at in (16, 32, 48):
                await made.words("DATA_IN", text[at : at + 16])
            out = b""
            for at in range(64, 192, 32):
                out += await made.take(2)
                await made.words("DATA_IN", text[at : at + 16])
                await made.words("DATA_IN", text[at + 16 : at + 32])
            out += await made.take(4)
            watch.cancel()
            assert out == reference(key, mode, iv, text)
            starts = seen["first"]
            assert len(starts) == 12
            assert {b - a for a, b in zip(starts[::2], starts[1::2], strict=True)} == {4}
            assert {b - a for a, b in zip(starts[::2], starts[2::2], strict=False)} == {
                9 * (rounds + 1)
            }


@cocotb.test()
async def a_lone_block_starts_when_it_is_read(dut):
    """With PAIR a block waits for another one, or for a read; without, it starts at once."""
    made = await device(dut)
    key, block = made.random.randbytes(16), made.random.randbytes(16)
    await made.control(128, pair=1)
    await made.key(key)
    await made.words("DATA_IN", block)
    await made.ticks(300)
    assert (await made.fields("STATUS"))["OUTPUT_VALID"] == 0
    assert await made.take() == reference(key, "ecb", b"", block)
    await made.control(128, pair=0)
    await made.words("DATA_IN", block)
    await made.ticks(120)
    assert (await made.fields("STATUS"))["OUTPUT_VALID"] == 1
    assert await made.take() == reference(key, "ecb", b"", block)


@cocotb.test()
async def nothing_is_stored_in_one_piece(dut):
    """No register or memory holds a word of the key, a share of it, or a word of the text."""
    made = await device(dut)
    for bits in ROUNDS:
        for mode in ("ecb", "cbc", "ctr"):
            key, iv, text = (made.random.randbytes(size) for size in (bits // 8, 16, 64))
            share0, share1 = made.shares(key)
            secrets = {*as_words(key), *as_words(share0), *as_words(share1), *as_words(text)}
            await made.control(bits, mode)

            def look(secrets=secrets):
                for name in VIEW:
                    assert not secrets & set(words(dut, name)), name

            count = bits // 32
            await made.words("KEY0", share0)
            look()
            sums = [
                a ^ b for a, b in zip(words(dut, "text0_o"), words(dut, "text1_o"), strict=True)
            ]
            assert sums[:count] == as_words(share0)
            await made.words("KEY1", share1)
            look()
            # The places of share 0 and its masks have fresh bits.
            sums = [
                a ^ b for a, b in zip(words(dut, "text0_o"), words(dut, "text1_o"), strict=True)
            ]
            assert not set(sums) & set(as_words(share0))
            await made.words("IV", iv)
            for at in range(0, 64, 16):
                await made.words("DATA_IN", text[at : at + 16])
                look()
            for _ in range(250):
                await made.ticks(1)
                look()
            assert await made.take(4) == reference(key, mode, iv, text)


async def state_after(made, run, when, seeds):
    """The whole state after a wipe, or after the wipe of a seed, in the middle of a job."""
    rng = made.random
    await made.reset()
    await made.seed(run)
    await made.control(192, ("ecb", "cbc", "ctr")[when % 3])
    await made.key(rng.randbytes(24))
    await made.words("IV", rng.randbytes(16))
    for size in (16, 16, 8):
        await made.words("DATA_IN", rng.randbytes(size))
    await made.ticks(when)
    before = [words(made.dut, name) for name in VIEW]
    if seeds:
        for index in range(5):
            await made.write("SEED", run[index] ^ 1, index)
        cycles = 0
        while int(made.dut.fresh_o.value):
            await made.ticks(1)
            cycles += 1
        assert cycles >= 16  # the wipe had fresh bits
        await made.ticks(1)  # the generator reads the seed
        assert int(made.dut.seed_o.value) == 0
    else:
        await made.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
        await made.wait("IDLE")
    return before, [words(made.dut, name) for name in VIEW]


@cocotb.test()
async def a_wipe_leaves_nothing(dut):
    """With the same fresh bits the state is the same after other keys and data."""
    made = await device(dut)
    for when in (1, 7, 50, 96, 111, 150, 250):
        for seeds in (False, True):
            run = [made.random.getrandbits(32) for _ in range(5)]
            before, after = await state_after(made, run, when, seeds)
            other_before, other_after = await state_after(made, run, when, seeds)
            assert before != other_before
            for name, one, other in zip(VIEW, after, other_after, strict=True):
                assert one == other, f"{name} {when} {seeds}"


@cocotb.test()
async def keys_of_a_key_manager(dut):
    """TRIGGER.SIDELOAD takes a key from the port; one that goes away is wiped."""
    made = await device(dut)
    held = {"shares": (bytes(32), bytes(32))}

    async def manager():
        while True:
            await FallingEdge(dut.clk_i)
            word = 4 * int(dut.sideload_word_o.value)
            for index, port in enumerate((dut.sideload0_i, dut.sideload1_i)):
                port.value = int.from_bytes(held["shares"][index][word : word + 4], "little")

    cocotb.start_soon(manager())
    side = MAP["TRIGGER"].word(SIDELOAD=1)
    assert await made.read("CAPS") == MAP["CAPS"].word(SIDELOAD=1)
    await made.write("TRIGGER", side, accepted=False)
    await made.errors(ACCESS=1)
    for bits in ROUNDS:
        key, block = made.random.randbytes(bits // 8), made.random.randbytes(16)
        held["shares"] = tuple(share + bytes(32 - len(share)) for share in made.shares(key))
        dut.sideload_valid_i.value = 1
        await made.control(bits)
        await made.write("TRIGGER", side)
        await made.wait("IDLE")
        await made.words("DATA_IN", block)
        assert await made.take() == reference(key, "ecb", b"", block)
        await made.wait("IDLE")
        await made.write("TRIGGER", side)
        await made.ticks(2)
        dut.sideload_valid_i.value = 0
        await made.ticks(1)
        await made.errors(KEY=1)
        await made.wait("IDLE")
        assert (await made.fields("STATUS"))["KEY_VALID"] == 0
    await made.reset()
    dut.sideload_valid_i.value = 1
    await made.write("TRIGGER", side, accepted=False)
    await made.errors(ACCESS=1, UNSEEDED=1)
