# SPDX-License-Identifier: Apache-2.0
"""GCM on AXI4-Lite: NIST vectors, forged messages, refusals, random sessions, no gap."""

import cocotb
from axil_bench import queue_reads, queue_writes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from engine_driver import MAP, Engine, key_sizes, period, reference
from engine_tests import expect_error

from aesforge.reference import gcm_vectors
from aesforge.verify.cocotb_bench import job

PARAMS = job().params
TAGS = (4, 8, 12, 13, 14, 15, 16)  # bytes: SP 800-38D, section 5.2.1.2


async def engine(dut):
    made = Engine(dut)
    await made.start()
    return made


async def trigger(engine, **bits):
    """Start something, which needs an idle engine."""
    await engine.wait("IDLE")
    await engine.write("TRIGGER", MAP["TRIGGER"].word(**bits))


async def blocks_of(engine, size, text=0):
    """Say how many bytes the next blocks have."""
    await engine.wait("IDLE")
    await engine.write("GCM", MAP["GCM"].word(BYTES=size % 16, TEXT=text))
    assert await engine.read("GCM") == MAP["GCM"].word(BYTES=size % 16, TEXT=text)


async def absorb(engine, data, text=0):
    """Give bytes to the hash alone; what fills the last block up must not count."""
    whole = len(data) // 16 * 16
    for first, size in ((0, whole), (whole, len(data) - whole)):
        if size:
            await blocks_of(engine, min(size, 16), text)
        for at in range(first, first + size, 16):
            await engine.wait("HASH_INPUT_READY")
            piece = data[at : min(at + 16, first + size)]
            await engine.block_of("HASH_IN", piece + engine.random.randbytes(16 - len(piece)))
    await blocks_of(engine, 16)


async def begin(engine, iv):
    """Open a message: section 7.1, step 2."""
    if len(iv) == 12:
        await engine.block_of("ENC_IV", iv + bytes([0, 0, 0, 1]))
        await trigger(engine, START=1)
        return
    await trigger(engine, START=1)
    await absorb(engine, iv)
    await engine.block_of("HASH_IN", (8 * len(iv)).to_bytes(16, "big"))
    await trigger(engine, START=1, IV_HASH=1)


async def through(engine, text, hold):
    """Text through the channel, with a block at its end that need not be whole."""
    whole = len(text) // 16 * 16
    out = await engine.message("ENC", text[:whole], hold)
    rest = text[whole:]
    if rest:
        await blocks_of(engine, len(rest))
        filled = rest + engine.random.randbytes(16 - len(rest))
        last = await engine.message("ENC", filled, hold)
        assert last[len(rest) :] == bytes(16 - len(rest))
        out += last[: len(rest)]
        await blocks_of(engine, 16)
    return out


async def finish(engine):
    """End the message; whether its tag was equal."""
    await trigger(engine, TAG=1)
    await engine.wait("TAG_VALID")
    return bool((await engine.fields("STATUS"))["TAG_EQUAL"])


async def seal(engine, iv, aad, text, hold=0):
    """Encrypt a message; text and whole tag."""
    await begin(engine, iv)
    await absorb(engine, aad)
    out = await through(engine, text, hold)
    assert not await finish(engine)
    return out, engine.bytes([await engine.read("TAG", index) for index in range(4)])


async def verify(engine, iv, aad, text, tag):
    """Whether a message is authentic; nothing is decrypted. Its tag may have fewer bytes."""
    await begin(engine, iv)
    await absorb(engine, aad)
    await absorb(engine, text, 1)
    await engine.block_of("TAG", tag + engine.random.randbytes(16 - len(tag)))
    await blocks_of(engine, len(tag))
    equal = await finish(engine)
    await engine.read("TAG", engine.random.randrange(4), accepted=False)
    await engine.write("ERROR", MAP["ERROR"].word(ACCESS=1))
    return equal


async def unseal(engine, iv, aad, text, tag, hold=0):
    """Decrypt a message; None if it is not authentic."""
    if not await verify(engine, iv, aad, text, tag):
        return None
    await blocks_of(engine, 16)
    await begin(engine, iv)
    await absorb(engine, aad)
    out = await through(engine, text, hold)
    await blocks_of(engine, len(tag))
    assert await finish(engine)
    await blocks_of(engine, 16)
    return out


async def run_cases(engine, cases):
    """Vectors through the bus, every one that has an IV."""
    done = refused = 0
    last = None
    for number, case in enumerate(cases):
        bits = 8 * len(case.key)
        if bits not in key_sizes(PARAMS) or not case.iv:
            continue
        hold, order = number % 2, number % 3 == 1
        for opens in (0, 1):
            if case.direction == ("decrypt", "encrypt")[opens] or not (case.valid or opens):
                continue
            await engine.control(bits, hold, enc="gcm", big_endian=order, opens=opens)
            if last != case.key:
                await engine.key(case.key)
                last = case.key
            if not opens:
                out, tag = await seal(engine, case.iv, case.aad, case.plaintext, hold)
                assert (out, tag[: len(case.tag)]) == (case.ciphertext, case.tag), case.name
            else:
                out = await unseal(engine, case.iv, case.aad, case.ciphertext, case.tag, hold)
                assert out == (case.plaintext if case.valid else None), case.name
            done, refused = done + 1, refused + (out is None)
    assert done > 12
    assert 3 <= refused < done
    cocotb.log.info("%d messages, %d refused, %d accesses", done, refused, engine.accesses)


@cocotb.test()
async def vectors(dut):
    """Messages of CAVP and Wycheproof, one in many."""
    await run_cases(await engine(dut), gcm_vectors.samples(75))


@cocotb.test()
async def forgeries(dut):
    """Any bit of tag, text, AAD or IV changed: refused; what a shorter tag lacks does not count."""
    made = await engine(dut)
    key, iv, aad = made.random.randbytes(16), made.random.randbytes(12), made.random.randbytes(21)
    text = made.random.randbytes(37)
    sealed = AESGCM(key).encrypt(iv, text, aad)
    out, tag = sealed[:-16], sealed[-16:]
    await made.control(128, enc="gcm", opens=1)
    await made.key(key)
    for size in TAGS:
        assert await verify(made, iv, aad, out, tag[:size])
        wrong = bytearray(tag[:size])
        wrong[-1] ^= 1 << made.random.randrange(8)
        assert not await verify(made, iv, aad, out, bytes(wrong))
    for at in range(16):
        wrong = bytearray(tag)
        wrong[at] ^= 1 << made.random.randrange(8)
        assert not await verify(made, iv, aad, out, bytes(wrong))
    for _ in range(8):
        parts = [bytearray(part) for part in (iv, aad, out)]
        chosen = made.random.choice(parts)
        chosen[made.random.randrange(len(chosen))] ^= 1 << made.random.randrange(8)
        assert not await verify(made, *map(bytes, parts), tag)
    # Bytes from the text to the AAD: the lengths are authenticated too.
    assert not await verify(made, iv, aad + out[:16], out[16:], tag)
    # A tag is compared once: a better one afterwards changes nothing.
    await made.block_of("TAG", tag)
    assert (await made.fields("STATUS"))["TAG_EQUAL"] == 0
    # Nor is the right one shown when CTRL says afterwards that nothing is decrypted.
    await made.control(128, enc="gcm")
    for index in range(4):
        await made.read("TAG", index, accepted=False)
    await made.write("ERROR", MAP["ERROR"].word(ACCESS=1))
    await made.control(128, enc="gcm", opens=1)
    assert await unseal(made, iv, aad, out, tag) == text


@cocotb.test()
async def rules(dut):
    """A message is open from START to TAG; nothing that would not belong to it is accepted."""
    made = await engine(dut)
    key = made.random.randbytes(16)
    start, tag = MAP["TRIGGER"].word(START=1), MAP["TRIGGER"].word(TAG=1)
    await made.control(128, enc="gcm")
    await made.write("TRIGGER", start, accepted=False)
    await made.key(key)

    async def closed():
        status = await made.fields("STATUS")
        assert (status["GCM_OPEN"], status["ENC_INPUT_READY"]) == (0, 0)
        await made.write("HASH_IN", 0, accepted=False)
        await made.write("ENC_DATA_IN", 0, accepted=False)
        await made.write("TRIGGER", tag, accepted=False)
        await expect_error(made, access=1)

    await closed()
    for turn in range(6):
        await made.block_of("ENC_IV", bytes(16))
        await made.write("TRIGGER", start)
        await made.wait("IDLE")
        assert (await made.fields("STATUS"))["GCM_OPEN"] == 1
        for name in ("HASH_IN", "TRIGGER"):
            await made.read(name, accepted=False)
        await made.read("TAG", accepted=False)
        # A tag to compare with has no place where none is compared.
        await made.write("TAG", 0, accepted=False)
        await made.write("HASH_IN", b"\x11\x22", accepted=False)
        await made.write("TRIGGER", start | tag, accepted=False)
        # Half a block: not idle.
        await made.write("HASH_IN", 0, 2)
        await made.write("GCM", 0, accepted=False)
        await made.write("TRIGGER", tag, accepted=False)
        for index in (0, 1, 3):
            await made.write("HASH_IN", 0, index)
        await expect_error(made, access=1)
        await made.wait("IDLE")
        match turn:
            case 0:
                await made.control(128, enc="gcm")
            case 1:
                await made.block_of("ENC_IV", bytes(16))
            case 2:
                await made.key(key)
            case 3:
                assert not await finish(made)
            case 4:
                await made.reset()
                await made.control(128, enc="gcm")
                await made.key(key)
            case 5:
                await made.write("TRIGGER", MAP["TRIGGER"].word(WIPE=1))
                await made.wait("IDLE")
                await made.read("TAG", accepted=False)
                await made.key(key)
        await made.write("ERROR", 3)
        await closed()
    # The other modes are not disturbed by a message.
    for mode in ("ecb", "cbc", "ctr"):
        iv, text = made.random.randbytes(16), made.random.randbytes(48)
        await made.control(128, enc="gcm")
        await seal(made, iv[:12], b"", text)
        await made.control(128, enc=mode)
        await made.block_of("ENC_IV", iv)
        assert await made.message("ENC", text, 0) == reference(key, mode, iv, text, True)


@cocotb.test()
async def sessions(dut):
    """Random messages under random waiting on all channels; the counter carries within 32 bits."""
    made = await engine(dut)
    rng = made.random
    for turn in range(30):
        made.bus.pause(rng.choice([0, 0.2, 0.6]), rng)
        bits = rng.choice(key_sizes(PARAMS))
        key, aad = rng.randbytes(bits // 8), rng.randbytes(rng.choice([0, 1, 16, 20, 32, 47]))
        text = rng.randbytes(rng.choice([0, 5, 16, 31, 32, 48, 100]))
        iv = rng.randbytes(rng.choice([12, 12, 8, 16, 60]))
        opens, hold = rng.randrange(2), rng.randrange(2)
        order = bool(rng.randrange(2))
        sealed = AESGCM(key).encrypt(iv, text, aad)
        await made.control(bits, hold, enc="gcm", big_endian=order, opens=opens)
        await made.key(key)
        if opens:
            assert await unseal(made, iv, aad, sealed[:-16], sealed[-16:], hold) == text
        else:
            out, tag = await seal(made, iv, aad, text, hold)
            assert out + tag == sealed
        if turn % 7 == 6:
            await made.reset()
    # SP 800-38D, section 6.2: inc32.
    made.bus.pause(0, rng)
    key, first = rng.randbytes(16), rng.randbytes(12) + b"\xff\xff\xff\xfe"
    await made.control(128, enc="gcm")
    await made.key(key)
    await made.block_of("ENC_IV", first)
    await trigger(made, START=1)
    counters = [first[:12] + count.to_bytes(4, "big") for count in (2**32 - 1, 0, 1)]
    stream = reference(key, "ecb", b"", b"".join(counters), True)
    assert await made.message("ENC", bytes(48), 0) == stream


@cocotb.test()
async def no_gap_between_blocks(dut):
    """The hash keeps up with the cipher."""
    made = await engine(dut)
    for bits in key_sizes(PARAMS):
        key, iv = made.random.randbytes(bits // 8), made.random.randbytes(12)
        text = made.random.randbytes(16 * 20)
        pace = period(PARAMS, bits)
        await made.control(bits, 1, enc="gcm")
        await made.key(key)
        await begin(made, iv)
        await made.wait("IDLE")
        start = made.cycle
        writer = cocotb.start_soon(queue_writes(made, "ENC", text))
        await made.ticks(16)
        out = await queue_reads(made, "ENC", 20)
        await writer
        spent = made.cycle - start
        cocotb.log.info("AES-%d GCM: %d cycles for 20 blocks", bits, spent)
        assert spent < 20 * pace + 19 + pace, f"{spent} cycles for 20 blocks"
        assert not await finish(made)
        tag = made.bytes([await made.read("TAG", index) for index in range(4)])
        assert out + tag == AESGCM(key).encrypt(iv, text, b"")
