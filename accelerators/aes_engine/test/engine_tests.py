# SPDX-License-Identifier: Apache-2.0
"""Tests of the engine that hold on every bus."""

from itertools import pairwise

import cocotb
from engine_driver import MAP, key_sizes, present, reference

from aesforge.verify.cocotb_bench import job

PARAMS = job().params
SPACE = 0x200  # bytes of the address space that are probed


def has(register):
    """Tell whether the instance has a register."""
    channel = register.name.split("_")[0]
    if register.name in ("GCM", "HASH_IN", "TAG"):
        return bool(PARAMS["Gcm"])
    return channel not in ("ENC", "DEC") or channel in present(PARAMS)


async def expect_error(engine, access=0, key=0):
    """ERROR must say exactly this; it is cleared."""
    found = await engine.fields("ERROR")
    assert found == {"ACCESS": access, "KEY": key}, found
    await engine.write("ERROR", MAP["ERROR"].word(ACCESS=access, KEY=key))
    assert await engine.read("ERROR") == 0


async def register_map(engine):
    """Reset values and access rights of every address follow the register description."""
    caps = await engine.fields("CAPS")
    channels = present(PARAMS)
    assert caps == {
        "KEY192": PARAMS["Has192"],
        "KEY256": PARAMS["Has256"],
        "ENC": int("ENC" in channels),
        "DEC": int("DEC" in channels),
        "GCM": PARAMS["Gcm"],
        "PARALLEL": int(PARAMS["Dir"] == "parallel"),
        "ROUNDS": PARAMS["Rounds"],
        "WIDTH": PARAMS["Width"] // 32,
    }
    for address in range(0, SPACE, 4):
        register = MAP.at(address)
        engine.accesses += 2
        data, ok = await engine.bus.read(address)
        known = register is not None and has(register)
        # A result register is readable only while it holds one.
        empty = register is not None and register.name.endswith(("DATA_OUT", "TAG"))
        expected = known and register.readable and not empty
        assert ok == expected, f"read of {address:#x}"
        assert ok or data == bytes(4)
        if expected and register.reset is not None and register.name != "ERROR":
            assert int.from_bytes(data, "little") == register.reset or register.name == "INTR_STATE"
        if register is None or not register.writable or not has(register):
            assert not await engine.bus.write(address, b"\xff\xff\xff\xff"), f"{address:#x}"
    await expect_error(engine, access=1)
    await engine.write("INTR_STATE", 0xF)
    # Strobes: every byte of a register by itself, and none of them at all.
    writable = MAP["CTRL"].word(BIG_ENDIAN=1, HOLD=1)
    await engine.write("CTRL", writable)
    address = MAP["CTRL"].address
    if "DEC" in channels:
        assert await engine.bus.write(address + 1, bytes([1]))
        assert await engine.read("CTRL") == writable | 0x100
        assert await engine.bus.write(address + 1, bytes([0]))
    assert await engine.bus.write(address + 2, b"\xff\xff")
    assert await engine.read("CTRL") == writable
    assert await engine.bus.write(address, bytes([0]))
    assert await engine.read("CTRL") == 0
    await engine.write("INTR_ENABLE", 0xF)
    assert await engine.bus.write(MAP["INTR_ENABLE"].address + 1, b"\x00\x00\x00")
    assert await engine.read("INTR_ENABLE") == 0xF
    await engine.write("INTR_ENABLE", 0)


async def refusals(engine):
    """What must be refused, is; it changes nothing and is noted."""
    port = present(PARAMS)[0]
    # No key: no block. Half words of keys and data: no.
    await engine.write(f"{port}_DATA_IN", 1, accepted=False)
    for name in ("KEY", f"{port}_IV"):
        await engine.write(name, b"\x11\x22", accepted=False)
    await expect_error(engine, access=1)
    # Unsupported values of CTRL.
    absent = {"Has192": [1], "Has256": [2], "Gcm": [0x30, 0x1000]}
    lacking = [word for name, words in absent.items() if not PARAMS[name] for word in words]
    for word in (3, 0x200, *lacking):
        await engine.write("CTRL", word, accepted=False)
    assert await engine.read("CTRL") == 0
    await expect_error(engine, access=1)
    # A word of a key waits: CTRL keeps its value.
    key = engine.random.randbytes(16)
    await engine.write("KEY", 1, 0)
    await engine.write("CTRL", 0, accepted=False)
    await engine.key(key)
    await expect_error(engine, access=1)
    # Half a block: not idle, and neither IV (which is not zero), CTRL nor key may change.
    await engine.block_of(f"{port}_IV", engine.random.randbytes(16))
    block = engine.random.randbytes(16)
    words = engine.words(block)
    await engine.write(f"{port}_DATA_IN", words[2], 2)
    assert (await engine.fields("STATUS"))["IDLE"] == 0
    await engine.write("CTRL", 0, accepted=False)
    await engine.write(f"{port}_IV", 0, accepted=False)
    await engine.read(f"{port}_IV", accepted=False)
    await engine.write("TRIGGER", MAP["TRIGGER"].word(KEY=1), accepted=False)
    # No result yet.
    await engine.read(f"{port}_DATA_OUT", accepted=False)
    await expect_error(engine, access=1)
    for index in (3, 0, 1):
        await engine.write(f"{port}_DATA_IN", words[index], index)
    await engine.wait(f"{port}_OUTPUT_VALID")
    assert await engine.take(port) == reference(key, "ecb", b"", block, port == "ENC")
    # Keys and inputs cannot be read, whole or not.
    for name, count in (("KEY", 8), (f"{port}_DATA_IN", 4), ("TRIGGER", 1), ("INTR_TEST", 1)):
        for index in range(count):
            await engine.read(name, index, accepted=False)
    await expect_error(engine, access=1)
    # Fill everything: the next word has no room.
    blocks = [engine.random.randbytes(16) for _ in range(8)]
    given = 0
    while given < len(blocks):
        await engine.ticks(150)
        if not (await engine.fields("STATUS"))[f"{port}_INPUT_READY"]:
            break
        await engine.block_of(f"{port}_DATA_IN", blocks[given])
        given += 1
    assert 2 <= given < len(blocks)
    await engine.write(f"{port}_DATA_IN", 0, accepted=False)
    for block in blocks[:given]:
        await engine.wait(f"{port}_OUTPUT_VALID")
        assert await engine.take(port) == reference(key, "ecb", b"", block, port == "ENC")
    await expect_error(engine, access=1)


async def key_rules(engine):
    """A key is complete or it is wiped; a new one may be written, not started, while blocks run."""
    port = present(PARAMS)[0]
    encrypt = port == "ENC"
    for bits in key_sizes(PARAMS):
        await engine.control(bits)
        key, block = engine.random.randbytes(bits // 8), engine.random.randbytes(16)
        await engine.key(key)
        # All words but one, in place of the running key.
        for index in range(bits // 32 - 1):
            await engine.write("KEY", 0, index)
        await engine.write("TRIGGER", MAP["TRIGGER"].word(KEY=1))
        await engine.wait("IDLE")
        assert (await engine.fields("STATUS"))["KEY_VALID"] == 0
        await expect_error(engine, key=1)
        # One word more than the length says.
        if bits < 256:
            await engine.block_of("KEY", bytes(bits // 8 + 4))
            await engine.write("TRIGGER", MAP["TRIGGER"].word(KEY=1))
            await expect_error(engine, key=1)
            await engine.wait("IDLE")
        # The key ahead.
        await engine.key(key)
        other = engine.random.randbytes(bits // 8)
        await engine.block_of(f"{port}_DATA_IN", block)
        await engine.block_of("KEY", other)
        await engine.wait(f"{port}_OUTPUT_VALID")
        await engine.wait("IDLE")
        await engine.write("TRIGGER", MAP["TRIGGER"].word(KEY=1))
        assert await engine.take(port) == reference(key, "ecb", b"", block, encrypt)
        await engine.wait("KEY_VALID")
        await engine.block_of(f"{port}_DATA_IN", block)
        await engine.wait(f"{port}_OUTPUT_VALID")
        assert await engine.take(port) == reference(other, "ecb", b"", block, encrypt)


async def wipes(engine):
    """A wipe at any moment of a job leaves nothing, and the next session works."""
    port = present(PARAMS)[0]
    encrypt = port == "ENC"
    mode = "cbc"
    for wait in range(0, 40, 2):
        key, iv = engine.random.randbytes(16), engine.random.randbytes(16)
        text = engine.random.randbytes(32)
        await engine.control(128, wait % 4 // 2, **{port.lower(): mode})
        await engine.key(key)
        await engine.block_of(f"{port}_IV", iv)
        assert await engine.message(port, text, 0) == reference(key, mode, iv, text, encrypt)
        await engine.block_of(f"{port}_DATA_IN", text[:16])
        await engine.write(f"{port}_DATA_IN", 5, 1)
        await engine.ticks(wait)
        await engine.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
        await engine.wait("WIPING", 0)
        status = await engine.fields("STATUS")
        assert status["IDLE"] == 1 and status["KEY_VALID"] == 0
        assert not any(value for name, value in status.items() if name.endswith("VALID"))
        for index in range(4):
            assert await engine.read(f"{port}_IV", index) == 0
            await engine.read(f"{port}_DATA_OUT", index, accepted=False)
        await engine.write("ERROR", 3)
        # Half a key, wiped, is no half of the next one.
        await engine.write("KEY", 1, 0)
        await engine.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
        await engine.wait("IDLE")


async def owner(engine):
    """The owner's word: not seen while any part of a block is inside, gone after a refused access
    and a wipe."""
    port = present(PARAMS)[0]
    mark, key = engine.random.getrandbits(32) | 1, engine.random.randbytes(16)
    block = engine.random.randbytes(16)
    words = engine.words(block)
    await engine.control(128)
    await engine.key(key)
    await engine.wait("IDLE")
    await engine.write("OWNER", mark)
    assert await engine.read("OWNER") == mark
    for _ in range(2):
        for index in (1, 0, 3, 2):
            await engine.write(f"{port}_DATA_IN", words[index], index)
            assert await engine.read("OWNER") == 0
        await engine.wait(f"{port}_OUTPUT_VALID")
        result = []
        for index in range(4):
            assert await engine.read("OWNER") == 0
            result.append(await engine.read(f"{port}_DATA_OUT", index))
        assert engine.bytes(result) == reference(key, "ecb", b"", block, port == "ENC")
        assert await engine.read("OWNER") == mark
    for name, words in (("OWNER", b"\x01\x02"), ("ID", bytes(4)), (f"{port}_IV", b"\x01")):
        await engine.write("OWNER", mark)
        await engine.write(name, words, accepted=False)
        assert await engine.read("OWNER") == 0, name
    await engine.write("OWNER", mark)
    await engine.read("KEY", 3, accepted=False)
    assert await engine.read("OWNER") == 0
    await expect_error(engine, access=1)
    await engine.write("OWNER", mark)
    await engine.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
    await engine.wait("WIPING", 0)
    assert await engine.read("OWNER") == 0


async def level(engine):
    """The interrupt line after the next edge."""
    await engine.ticks(1)
    return int(engine.dut.irq_o.value)


async def interrupts(engine):
    """Every event, its enable bit, its test bit, and write-one-to-clear."""
    names = [field.name for field in MAP["INTR_STATE"].fields]
    await engine.write("INTR_STATE", 0xF)
    for name in names:
        word = MAP["INTR_TEST"].word(**{name: 1})
        await engine.write("INTR_TEST", word)
        assert await engine.read("INTR_STATE") == word
        assert await level(engine) == 0
        await engine.write("INTR_ENABLE", 0xF & ~word)
        assert await level(engine) == 0
        await engine.write("INTR_ENABLE", word)
        assert await level(engine) == 1
        await engine.write("INTR_STATE", 0xF & ~word)
        assert await level(engine) == 1
        await engine.write("INTR_STATE", word)
        assert await level(engine) == 0
        await engine.write("INTR_ENABLE", 0)
    await engine.write("INTR_ENABLE", 0xF)
    await engine.control(128)
    await engine.key(bytes(16))
    assert await engine.read("INTR_STATE") == MAP["INTR_STATE"].word(KEY_DONE=1)
    await engine.write("INTR_STATE", 0xF)
    for port in present(PARAMS):
        await engine.block_of(f"{port}_DATA_IN", bytes(16))
        for _ in range(100):
            if await level(engine):
                break
        assert await engine.read("INTR_STATE") == MAP["INTR_STATE"].word(**{f"{port}_DONE": 1})
        await engine.write("INTR_STATE", 0xF)
        assert await level(engine) == 0
        await engine.take(port)
    await engine.read("TRIGGER", accepted=False)
    assert await engine.read("INTR_STATE") == MAP["INTR_STATE"].word(ERROR=1)
    await engine.write("INTR_STATE", 0xF)
    await expect_error(engine, access=1)


async def holding(engine):
    """CTRL.HOLD: an access that will be possible waits for it, one that will not is bounded."""
    port = present(PARAMS)[0]
    encrypt = port == "ENC"
    key = engine.random.randbytes(16)
    await engine.control(128, 1)
    await engine.key(key)
    text = engine.random.randbytes(16 * 10)
    assert await engine.message(port, text, 1) == reference(key, "ecb", b"", text, encrypt)
    await expect_error(engine)
    # What waiting does not make possible, and nothing on its way: at once. No room and nobody who
    # reads: refused after the limit.
    start = engine.cycle
    await engine.write("STATUS", 0, accepted=False)
    await engine.read(f"{port}_DATA_OUT", accepted=False)
    assert engine.cycle - start < 40
    given = []
    while True:
        await engine.ticks(150)
        if not (await engine.fields("STATUS"))[f"{port}_INPUT_READY"]:
            break
        given.append(engine.random.randbytes(16))
        await engine.block_of(f"{port}_DATA_IN", given[-1])
    start = engine.cycle
    await engine.write(f"{port}_DATA_IN", 0, accepted=False)
    assert 255 <= engine.cycle - start < 290
    for block in given:
        assert await engine.take(port) == reference(key, "ecb", b"", block, encrypt)
    await expect_error(engine, access=1)
    # A wipe ends a wait.
    await engine.block_of(f"{port}_DATA_IN", bytes(16))
    await engine.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
    await engine.read(f"{port}_DATA_OUT", accepted=False)
    await engine.wait("IDLE")
    await expect_error(engine, access=1)


async def both_at_once(engine):
    """Both channels with their own mode and chaining value, interleaved at random."""
    if len(present(PARAMS)) < 2:
        return
    for bits in key_sizes(PARAMS):
        for enc, dec in (("ecb", "cbc"), ("cbc", "cbc"), ("ctr", "ecb"), ("cbc", "ecb")):
            await engine.control(bits, 0, enc=enc, dec=dec)
            key = engine.random.randbytes(bits // 8)
            await engine.key(key)
            mode = {"ENC": enc, "DEC": dec}
            iv = {port: engine.random.randbytes(16) for port in mode}
            text = {port: engine.random.randbytes(16 * 6) for port in mode}
            for port in mode:
                await engine.block_of(f"{port}_IV", iv[port])
            tasks = {port: cocotb.start_soon(engine.message(port, text[port], 0)) for port in mode}
            for port, task in tasks.items():
                want = reference(key, mode[port], iv[port], text[port], port == "ENC")
                assert await task == want, f"{port} {mode[port]}"


async def random_sessions(engine, count):
    """Random keys, modes, byte orders, messages cut in pieces, and illegal accesses between."""
    rng = engine.random
    for _ in range(count):
        bits = rng.choice(key_sizes(PARAMS))
        key = rng.randbytes(bits // 8)
        hold = rng.randrange(2)
        port = rng.choice(present(PARAMS))
        mode = rng.choice(["ecb", "cbc", "ctr"] if port == "ENC" else ["ecb", "cbc"])
        order = bool(rng.randrange(2))
        await engine.control(bits, hold, big_endian=order, **{port.lower(): mode})
        await engine.key(key)
        for _ in range(rng.randrange(1, 4)):
            # Counters near a carry through many bytes.
            iv = rng.randbytes(16) if rng.random() < 0.6 else rng.randbytes(3) + b"\xff" * 13
            text = rng.randbytes(16 * rng.randrange(1, 9))
            out = b""
            cuts = sorted({0, len(text), *(16 * rng.randrange(len(text) // 16 + 1) for _ in "ab")})
            for first, last in pairwise(cuts):
                # Another session may have used the channel: the chaining value is put back.
                await engine.block_of(f"{port}_IV", iv)
                out += await engine.message(port, text[first:last], hold)
                await engine.wait("IDLE")
                order4 = [await engine.read(f"{port}_IV", index) for index in range(4)]
                if first == 0:
                    start_iv = iv
                iv = engine.bytes(order4)
                if rng.random() < 0.3:
                    await engine.read("KEY", rng.randrange(8), accepted=False)
                    await engine.write("ID", 0, accepted=False)
                    await engine.write("ERROR", 1)
            assert out == reference(key, mode, start_iv, text, port == "ENC"), f"{port} {mode}"
        assert (await engine.fields("STATUS"))["ERROR"] == 0
