# SPDX-License-Identifier: Apache-2.0
"""Tests of the peripheral that hold on every bus."""

from masked_driver import MAP, reference

SPACE = 0x100  # bytes of the address space that are probed
WRITE_ONLY = ("TRIGGER", "SEED", "KEY0", "KEY1", "DATA_IN", "IV")


async def register_map(device):
    """Reset values and access rights of every address follow the register description."""
    for address in range(0, SPACE, 4):
        register = MAP.at(address)
        data, ok = await device.bus.read(address)
        readable = register is not None and register.readable and register.name != "DATA_OUT"
        assert ok == readable, f"read of {address:#x}"
        assert ok or data == bytes(4)
        if register is None or not register.writable:
            assert not await device.bus.write(address, b"\xff\xff\xff\xff"), f"{address:#x}"
        else:
            assert not await device.bus.write(address, b"\xff"), f"a byte of {address:#x}"
            assert not await device.bus.write(address + 2, b"\xff\xff"), f"half of {address:#x}"
    assert await device.read("ID") == MAP["ID"].reset
    assert await device.read("CTRL") == 0 and await device.read("INTR_ENABLE") == 0
    await device.write("ERROR", 7)
    for word in (MAP["CTRL"].word(KEY_LEN=3), MAP["CTRL"].word(MODE=3)):
        await device.write("CTRL", word, accepted=False)
    await device.errors(ACCESS=1)
    for name in WRITE_ONLY:
        assert not MAP[name].readable


async def unseeded(device):
    """Without a seed: no key, no block, no idle; settings and a seed are taken."""
    status = await device.fields("STATUS")
    assert status["IDLE"] == status["SEEDED"] == status["KEY_VALID"] == 0
    assert status["WIPING"] == 1
    await device.control(192, "ctr")
    await device.errors()
    for name in ("KEY0", "KEY1", "DATA_IN"):
        await device.write(name, 1, accepted=False)
        await device.errors(ACCESS=1, UNSEEDED=1)
    await device.write("IV", 1, accepted=False)
    await device.errors(ACCESS=1)
    # A seed out of order is none.
    await device.write("SEED", 1, 0)
    await device.write("SEED", 2, 2, accepted=False)
    await device.errors(ACCESS=1)
    assert (await device.fields("STATUS"))["SEEDED"] == 0
    await device.seed()
    status = await device.fields("STATUS")
    assert status["SEEDED"] == 1 and status["WIPING"] == 0
    key, iv, text = (device.random.randbytes(size) for size in (24, 16, 48))
    await device.key(key)
    await device.words("IV", iv)
    assert await device.message(text, 2) == reference(key, "ctr", iv, text)
    # Reset takes the seed.
    await device.reset()
    await device.write("KEY0", 1, accepted=False)
    await device.errors(ACCESS=1, UNSEEDED=1)


async def messages(device, count):
    """Random keys, sharings, modes and lengths; the chaining value goes on from part to part."""
    rng = device.random
    for number in range(count):
        bits = (128, 192, 256)[number % 3]
        mode = ("ecb", "cbc", "ctr")[number // 3 % 3]
        key, iv = rng.randbytes(bits // 8), rng.randbytes(16)
        if rng.random() < 0.5:
            iv = iv[:12] + b"\xff\xff\xff" + bytes([256 - rng.randrange(1, 4)])
        await device.control(bits, mode, rng.randrange(2))
        await device.key(key)
        if mode != "ecb":
            await device.words("IV", iv)
        text = rng.randbytes(16 * rng.randrange(1, 10))
        cut = 16 * rng.randrange(len(text) // 16 + 1)
        out = await device.message(text[:cut], rng.randrange(1, 5))
        out += await device.message(text[cut:], rng.randrange(1, 5))
        assert out == reference(key, mode, iv, text), f"{mode} {bits}: {len(text)} bytes"
    await device.errors()


async def vectors(device, cases):
    """Published vectors of encryption, and of CTR in both directions."""
    done = 0
    for case in cases:
        if case.mode != "ctr" and case.direction != "encrypt":
            continue
        await device.control(8 * len(case.key), case.mode)
        await device.key(case.key)
        if case.iv:
            await device.words("IV", case.iv)
        padded = case.text + bytes(-len(case.text) % 16)
        result = await device.message(padded, 4)
        assert result[: len(case.text)] == case.result, case.name
        done += 1
    assert done > 8


async def refusals(device):
    """What must be refused, is; it changes nothing and is noted."""
    key, block = device.random.randbytes(16), device.random.randbytes(16)
    await device.write("DATA_IN", 1, accepted=False)
    await device.read("DATA_OUT", accepted=False)
    await device.write("KEY1", 1, accepted=False)
    await device.write("KEY0", 1, 1, accepted=False)
    await device.errors(ACCESS=1)
    await device.control(128)
    await device.key(key)
    # Words of a block out of order; a result that nothing was given for, or half of it.
    await device.write("DATA_IN", 1, 1, accepted=False)
    await device.write("DATA_IN", block[:4], 0)
    await device.read("DATA_OUT", accepted=False)
    for name in ("CTRL", "KEY0", "IV"):
        await device.write(name, 0, accepted=False)
    assert (await device.fields("STATUS"))["IDLE"] == 0
    for index in range(1, 4):
        await device.write("DATA_IN", block[4 * index : 4 * index + 4], index)
    await device.read("DATA_OUT", 1, accepted=False)
    assert await device.take() == reference(key, "ecb", b"", block)
    await device.read("DATA_OUT", accepted=False)
    await device.errors(ACCESS=1)
    # Four blocks are inside: no fifth one, until one was read whole.
    text = device.random.randbytes(80)
    await device.words("DATA_IN", text[:16])
    for at in range(16, 64, 16):
        await device.words("DATA_IN", text[at : at + 16])
    assert (await device.fields("STATUS"))["INPUT_READY"] == 0
    await device.write("DATA_IN", text[64:68], accepted=False)
    await device.errors(ACCESS=1)
    out = await device.take()
    await device.words("DATA_IN", text[64:])
    assert out + await device.take(4) == reference(key, "ecb", b"", text)
    # Secrets cannot be read.
    for name in WRITE_ONLY:
        for index in range(MAP[name].count):
            await device.read(name, index, accepted=False)
    await device.errors(ACCESS=1)


async def key_rules(device):
    """A key out of order wipes everything, and so do too many or too few words."""
    rng = device.random
    for bits in (128, 192, 256):
        size = bits // 32
        block = rng.randbytes(16)
        wrong = [
            (("KEY0", 1),),
            (("KEY0", 0), ("KEY0", 0)),
            (*(("KEY0", index) for index in range(size)), ("KEY0", size % 8)),
            (("KEY0", 0), ("KEY1", 0)),
            (*(("KEY0", index) for index in range(size)), ("KEY1", 1)),
            (*(("KEY0", index) for index in range(size)), ("KEY1", 0), ("KEY1", 2)),
        ]
        for accesses in wrong:
            key = rng.randbytes(bits // 8)
            await device.control(bits)
            await device.key(key)
            *right, (name, index) = accesses
            for each, at in right:
                await device.write(each, rng.getrandbits(32), at)
            assert (await device.fields("STATUS"))["KEY_VALID"] == (right == [])
            await device.write(name, 1, index, accepted=False)
            await device.errors(ACCESS=1, KEY=int(right != []))
            await device.wait("IDLE")
            if right:  # otherwise no key was begun, and the one before stays
                assert (await device.fields("STATUS"))["KEY_VALID"] == 0
                await device.write("DATA_IN", 1, accepted=False)
                await device.errors(ACCESS=1)
                await device.key(key)
            await device.words("DATA_IN", block)
            assert await device.take() == reference(key, "ecb", b"", block)
    # A key whose words are complete only after a wipe is none.
    await device.write("KEY0", 1, 0)
    await device.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
    await device.wait("IDLE")
    await device.write("KEY0", 1, 1, accepted=False)
    await device.errors(ACCESS=1)


async def wipes(device, step):
    """A wipe or a seed at any moment of a job leaves nothing, and the next job works."""
    rng = device.random
    for wait in range(0, 130, step):
        key, iv, text = rng.randbytes(32), rng.randbytes(16), rng.randbytes(48)
        mode = ("ecb", "cbc", "ctr")[wait // step % 3]
        await device.control(256, mode)
        await device.key(key)
        await device.words("IV", iv)
        await device.words("DATA_IN", text[:16])
        await device.words("DATA_IN", text[16:32])
        await device.words("DATA_IN", text[32:40])
        await device.ticks(wait)
        if wait // step % 2:
            await device.seed()
        else:
            await device.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
            await device.wait("IDLE")
        status = await device.fields("STATUS")
        assert status["SEEDED"] == 1 and status["KEY_VALID"] == status["OUTPUT_VALID"] == 0
        await device.read("DATA_OUT", accepted=False)
        await device.write("DATA_IN", 1, accepted=False)
        await device.errors(ACCESS=1)
        await device.key(key)
        await device.words("IV", iv)
        assert await device.message(text, 3) == reference(key, mode, iv, text)


async def interrupts(device):
    """The line follows the enabled conditions."""
    line = device.dut.irq_o
    await device.control(128, pair=0)
    await device.key(bytes(16))
    for enable in (0, 1, 2, 3):
        await device.write("INTR_ENABLE", enable)
        await device.ticks(2)
        assert int(line.value) == 0
        await device.words("DATA_IN", bytes(16))
        await device.wait("OUTPUT_VALID")
        await device.ticks(1)
        assert int(line.value) == enable % 2
        await device.take()
        await device.ticks(2)
        assert int(line.value) == 0
        await device.read("KEY0", accepted=False)
        await device.ticks(1)
        assert int(line.value) == enable // 2
        await device.errors(ACCESS=1)
