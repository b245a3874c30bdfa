# SPDX-License-Identifier: Apache-2.0
"""GCM on regions of memory: NIST and Wycheproof messages, forged ones, several jobs to a message
under a CPU's traffic, early ends, errors, refusals, descriptors, cycles a block."""

from dataclasses import dataclass, replace

import cocotb
from cocotb.triggers import FallingEdge
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from dma_driver import MAP, MEMORY, Job, System, key_sizes

from aesforge.reference import gcm_vectors
from aesforge.reference.gcm import ghash
from aesforge.verify.cocotb_bench import job

TEXT, AAD, VERIFY = 0, 1, 2
TAGS = (4, 8, 12, 13, 14, 15, 16)  # bytes: SP 800-38D, section 5.2.1.2
PARAMS = job().params
IN, OUT, OTHER = 0x1000, 0x3004, 0x5000  # places of text, of its copy, of AAD and IV


def padded(data):
    return data + bytes(-len(data) % 16)


class Message:
    """SP 800-38D, section 7, over what the jobs of a message found."""

    def __init__(self, key, iv, decrypt):
        self.key, self.iv, self.decrypt = key, iv, decrypt
        self.encrypt = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update
        self.subkey = self.encrypt(bytes(16))
        self.first = iv + bytes([0, 0, 0, 1])
        if len(iv) != 12:
            self.first = ghash(self.subkey, padded(iv) + (8 * len(iv)).to_bytes(16, "big"))
        self.aad = self.text = b""

    def crypt(self, data):
        """Text that follows on earlier input."""
        count = int.from_bytes(self.first[12:], "big") + 1 + len(self.text) // 16
        numbers = [(count + i) % 2**32 for i in range(-(-len(data) // 16))]
        stream = self.encrypt(b"".join(self.first[:12] + n.to_bytes(4, "big") for n in numbers))
        out = bytes(a ^ b for a, b in zip(data, stream, strict=False))
        self.text += data if self.decrypt else out
        return out

    def tag(self):
        """The whole tag."""
        lengths = b"".join((8 * len(part)).to_bytes(8, "big") for part in (self.aad, self.text))
        state = ghash(self.subkey, padded(self.aad) + padded(self.text) + lengths)
        return bytes(a ^ b for a, b in zip(state, self.encrypt(self.first), strict=True))


@dataclass
class Part(Job):
    """A job of a message."""

    message: Message | None = None
    part: int = TEXT

    def result(self, memory):
        """What the destination holds; the message takes it in."""
        found = bytes(memory[self.src : self.src + self.length])
        if self.part == TEXT:
            return self.message.crypt(found)
        if self.part == AAD:
            self.message.aad += found
        else:
            self.message.text += found
        return found


class Master(System):
    """The bus master's GCM."""

    async def keyed(self, key):
        """Expand a key."""
        await self.key(Job(key, "gcm", True, bytes(16), 0, 0, 16))

    async def control(self, message, part, tag_bytes=16):
        """CTRL for a message's next job or end."""
        word = MAP["CTRL"].word(
            KEY_LEN=len(message.key) // 8 - 2,
            MODE=3,
            DECRYPT=int(message.decrypt),
            PART=part,
            TAG_BYTES=tag_bytes % 16,
        )
        await self.write("CTRL", word)

    async def words(self, name, data):
        """Four words."""
        for i in range(4):
            await self.write(name, int.from_bytes(data[4 * i : 4 * i + 4], "little"), i)

    async def begin(self, message):
        """Open a message; an IV of another length is hashed in the slot of AAD."""
        await self.control(message, AAD)
        iv = message.iv
        await self.words("IV", padded(iv[:12] + bytes([0, 0, 0, 1]))[:16])
        await self.trigger(BEGIN=1)
        await self.wait("IDLE")
        if len(iv) != 12:
            blocks = padded(iv) + (8 * len(iv)).to_bytes(16, "big")
            await self.fill(OTHER, blocks)
            await self.part(message, AAD, OTHER, OTHER, len(blocks))
            message.aad = b""
            await self.trigger(BEGIN=1, IV_HASH=1)
            await self.wait("IDLE")
        assert (await self.fields("STATUS"))["GCM_OPEN"] == 1

    async def part(self, message, part, src, dst, length, wait=True, **bits):
        """A job, perhaps with the message's begin or end."""
        if length == 0:
            if bits:
                await self.trigger(**bits)
                await self.wait("IDLE")
            return
        await self.control(message, part)
        self.job = Part(
            message.key, "gcm", not message.decrypt, b"", src, dst, length, message, part
        )
        for name, value in (("SRC", src), ("DST", dst), ("LENGTH", length)):
            await self.write(name, value)
        await self.trigger(START=1, **bits)
        if wait:
            await self.complete()

    async def put(self, address, data):
        """Bytes at a word boundary, with something after them."""
        await self.fill(address, data + self.random.randbytes(-len(data) % 4 + 12))

    async def tag(self):
        """The tag that is shown."""
        words = [await self.read("TAG", i) for i in range(4)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    async def finish(self, message, tag=None):
        """End a message; the tag, or whether the one given was equal."""
        if tag is not None:
            await self.control(message, TEXT, len(tag))
            await self.words("TAG", tag + self.random.randbytes(16 - len(tag)))
        await self.trigger(TAG=1)
        return await self.outcome(tag is not None)

    async def outcome(self, decrypt):
        """After a message's end: the tag, or whether it was equal."""
        await self.wait("IDLE")
        status = await self.fields("STATUS")
        assert (status["GCM_OPEN"], status["TAG_VALID"]) == (0, 1)
        if not decrypt:
            assert not status["TAG_EQUAL"]
            return await self.tag()
        await self.read("TAG", self.random.randrange(4), accepted=False)
        # Nor after a CTRL that no longer decrypts.
        control = await self.read("CTRL")
        await self.write("CTRL", control & ~MAP["CTRL"].word(DECRYPT=1))
        await self.read("TAG", self.random.randrange(4), accepted=False)
        await self.write("CTRL", control)
        await self.write("ERROR", 1)
        return bool(status["TAG_EQUAL"])

    async def seal(self, key, iv, aad, text, dst=IN):
        """Encrypt a message of one job of each kind; text and tag."""
        message = Message(key, iv, False)
        await self.begin(message)
        await self.put(OTHER, aad)
        await self.put(IN, text)
        await self.part(message, AAD, OTHER, OTHER, len(aad))
        await self.part(message, TEXT, IN, dst, len(text))
        tag = await self.finish(message)
        return bytes(self.reference[dst : dst + len(text)]), tag

    async def verify(self, key, iv, aad, text, tag):
        """Whether a message is authentic. Writes of the master would be answered with errors."""
        message = Message(key, iv, True)
        await self.put(IN, text)
        self.dut.fault_from_i.value, self.dut.fault_to_i.value = 0, 1 << 29
        self.dut.fault_i.value = 2
        await self.begin(message)
        await self.put(OTHER, aad)
        await self.part(message, AAD, OTHER, OTHER, len(aad))
        await self.part(message, VERIFY, IN, IN, len(text))
        equal = await self.finish(message, tag)
        self.dut.fault_i.value = 0
        return equal

    async def unseal(self, key, iv, aad, text, tag, dst=IN):
        """Verify, then decrypt; None if it is not authentic."""
        if not await self.verify(key, iv, aad, text, tag):
            return None
        message = Message(key, iv, True)
        await self.begin(message)
        await self.put(OTHER, aad)
        await self.part(message, AAD, OTHER, OTHER, len(aad))
        await self.part(message, TEXT, IN, dst, len(text))
        assert await self.finish(message, tag)
        return bytes(self.reference[dst : dst + len(text)])


async def master(dut, wait=0, pause=0):
    made = Master(dut)
    await made.start(wait, pause)
    return made


async def run_cases(made, cases):
    """Vectors, every one that has an IV: messages, and how many were refused."""
    done = refused = 0
    last = None
    for number, case in enumerate(cases):
        if 8 * len(case.key) not in key_sizes() or not case.iv:
            continue
        if last != case.key:
            await made.keyed(case.key)
            await made.clean()
            last = case.key
        dst = OUT if number % 2 else IN
        if case.valid and case.direction != "decrypt":
            out, tag = await made.seal(case.key, case.iv, case.aad, case.plaintext, dst)
            assert (out, tag[: len(case.tag)]) == (case.ciphertext, case.tag), case.name
            done += 1
        if case.direction != "encrypt":
            sealed = (case.key, case.iv, case.aad, case.ciphertext, case.tag)
            out = await made.unseal(*sealed, dst)
            assert out == (case.plaintext if case.valid else None), case.name
            done, refused = done + 1, refused + (out is None)
        await made.compare(IN, len(case.ciphertext) + 16)
        await made.compare(dst, len(case.ciphertext) + 16)
    await made.compare()
    cocotb.log.warning("%d messages, %d refused", done, refused)
    return done, refused


@cocotb.test()
async def vectors(dut):
    """Messages of CAVP and Wycheproof, one in many."""
    done, refused = await run_cases(await master(dut), gcm_vectors.samples(75))
    assert done > 12
    assert 3 <= refused < done


@cocotb.test()
async def forgeries(dut):
    """Any bit of tag, text, AAD or IV changed: not equal, and nothing was written."""
    made = await master(dut)
    rng = made.random
    key, iv, aad, text = rng.randbytes(16), rng.randbytes(12), rng.randbytes(21), rng.randbytes(37)
    await made.keyed(key)
    await made.clean()
    out, tag = await made.seal(key, iv, aad, text)
    for size in TAGS:
        assert await made.verify(key, iv, aad, out, tag[:size])
        wrong = bytearray(tag[:size])
        wrong[-1] ^= 1 << rng.randrange(8)
        assert not await made.verify(key, iv, aad, out, bytes(wrong))
    for at in range(16):
        wrong = bytearray(tag)
        wrong[at] ^= 1 << rng.randrange(8)
        assert not await made.verify(key, iv, aad, out, bytes(wrong))
    for number in range(9):
        parts = [bytearray(part) for part in (iv, aad, out)]
        chosen = parts[number % 3]
        chosen[rng.randrange(len(chosen))] ^= 1 << rng.randrange(8)
        assert not await made.verify(key, *map(bytes, parts), tag)
    # Bytes from the text to the AAD: the lengths are authenticated too.
    assert not await made.verify(key, iv, aad + out[:16], out[16:], tag)
    # A tag is compared once: a better one afterwards changes nothing.
    await made.words("TAG", tag)
    assert (await made.fields("STATUS"))["TAG_EQUAL"] == 0
    assert await made.unseal(key, iv, aad, out, tag) == text
    await made.compare()


@cocotb.test()
async def traffic(dut):
    """Messages of several jobs while the CPU uses the regions, under waiting everywhere: the tag is
    that of what lay there at each START."""
    made = await master(dut)
    rng = made.random
    for turn in range(14):
        made.traffic = None
        await made.settle()
        made.waiting(rng.choice([0, 0, 60]), rng.choice([0, 0, 90]))
        key = rng.randbytes(rng.choice(key_sizes()) // 8)
        message = Message(key, rng.randbytes(rng.choice([12, 12, 7, 16, 40])), turn % 2 == 1)
        dst = rng.choice([IN, OUT])
        await made.put(OTHER, rng.randbytes(400))
        await made.put(IN, rng.randbytes(1600))
        await made.keyed(key)
        await made.clean()
        await made.begin(message)
        await made.put(OTHER, rng.randbytes(400))
        made.traffic = made.random_access(0.9, rng.random(), rng.choice([0, 0.3, 0.8]))
        for length in (16 * rng.randrange(6), rng.randrange(100)):
            await made.part(message, AAD, OTHER, OTHER, length)
        for place, length in ((0, 16 * rng.randrange(20)), (640, rng.randrange(500))):
            await made.part(message, TEXT, IN + place, dst + place, length)
        tag = message.tag()
        if message.decrypt:
            assert await made.finish(message, tag)
        else:
            assert await made.finish(message) == tag
        await made.settle()
        await made.compare()
    cocotb.log.warning("%d accesses, %d waited", made.accesses, made.conflicts)
    assert made.conflicts > 50


@cocotb.test()
async def in_one_write(dut):
    """BEGIN, START and TAG together, TAG alone with BEGIN; the counter counts modulo 2^32."""
    made = await master(dut)
    rng = made.random
    key = rng.randbytes(16)
    await made.keyed(key)
    await made.clean()
    for length in (0, 5, 16, 100):
        message = Message(key, rng.randbytes(12), False)
        # Any counter block may be written; this one wraps in its low word.
        message.first = message.iv + b"\xff\xff\xff\xfe"
        await made.put(IN, rng.randbytes(length))
        await made.control(message, TEXT)
        await made.words("IV", message.first)
        await made.part(message, TEXT, IN, IN, length, BEGIN=1, TAG=1)
        assert await made.outcome(False) == message.tag()
        opened = Message(key, message.iv, True)
        opened.first = message.first
        await made.control(opened, TEXT)
        await made.words("IV", message.first)
        await made.words("TAG", message.tag())
        await made.part(opened, TEXT, IN, IN, length, BEGIN=1, TAG=1)
        assert await made.outcome(True)
    await made.compare()


@cocotb.test()
async def refused(dut):
    """What does not belong to a message, or comes at the wrong time."""
    made = await master(dut)
    rng = made.random
    assert (await made.fields("CAPS"))["GCM"] == 1
    message = Message(rng.randbytes(16), rng.randbytes(12), False)
    other = Message(message.key, message.iv, True)
    await made.control(message, TEXT)
    await made.words("IV", bytes(16))
    await made.trigger(BEGIN=1, accepted=False)  # no key
    await made.keyed(message.key)

    async def wrong(who, part, **change):
        await made.clean()
        await made.control(who, part)
        for name, value in ({"SRC": IN, "DST": IN, "LENGTH": 32} | change).items():
            await made.write(name, value)
        await made.trigger(START=1)
        assert (await made.fields("ERROR"))["JOB"] == 1
        assert (await made.fields("STATUS"))["ACTIVE"] == 0
        await made.clean()

    await wrong(message, TEXT)  # nothing is open
    await made.trigger(TAG=1, accepted=False)
    await made.trigger(BEGIN=1, IV_HASH=1, accepted=False)
    await made.write("CTRL", 3 << 12 | 3 << 4, accepted=False)
    await made.write("CTRL", MAP["CTRL"].word(MODE=2))
    await made.trigger(BEGIN=1, accepted=False)  # another mode
    for _ in range(2):
        await made.begin(message)
        await made.trigger(BEGIN=1, accepted=False)  # the same IV again
        for bits in ({"RING": 1}, {"ABORT": 1}, {"WIPE": 1}, {"KEY": 1}):
            await made.trigger(TAG=1, accepted=False, **bits)
        await made.write("TAG", 0, accepted=False)
        await made.read("TAG", accepted=False)
        await wrong(message, AAD, DST=OUT)
        await wrong(message, VERIFY)
        await wrong(other, TEXT)
        await wrong(message, TEXT, LENGTH=0)
        await made.put(IN, rng.randbytes(64))
        await made.part(message, AAD, IN, IN, 5)
        await wrong(message, AAD)  # after a block that is not whole
        await made.part(message, TEXT, IN, IN, 32)
        await wrong(message, AAD)  # after text
        await made.part(message, TEXT, IN, IN, 20)
        await wrong(message, TEXT)
        assert await made.finish(message) == message.tag()
        await wrong(message, TEXT)
        message = Message(message.key, rng.randbytes(12), False)
    # A job that is not allowed does not begin a message either.
    await made.words("IV", bytes(16))
    await made.write("LENGTH", 0)
    await made.trigger(BEGIN=1, START=1, TAG=1)
    status = await made.fields("STATUS")
    assert (status["GCM_OPEN"], status["IDLE"], status["ERROR"]) == (0, 1, 1)
    await made.clean()
    # What ends a message.
    for turn in range(4):
        message = Message(message.key, rng.randbytes(12), False)
        await made.begin(message)
        if turn == 0:
            await made.words("IV", bytes(16))
        elif turn == 1:
            await made.keyed(message.key)
        elif turn == 2:
            await made.trigger(ABORT=1)
        else:
            await made.trigger(WIPE=1)
            await made.wait("IDLE")
            await made.keyed(message.key)
        await made.clean()
        assert (await made.fields("STATUS"))["GCM_OPEN"] == 0
        await made.trigger(TAG=1, accepted=False)
        await wrong(message, TEXT)
        out, _ = await made.seal(message.key, rng.randbytes(12), b"aad", bytes(20))
        assert len(out) == 20
    # At the wrong time.
    message = Message(message.key, rng.randbytes(12), False)
    await made.begin(message)
    await made.part(message, TEXT, IN, IN, 2048, wait=False)
    await made.trigger(TAG=1, accepted=False)
    await made.write("TAG", 0, accepted=False)
    await made.read("TAG", accepted=False)
    await made.wait("IDLE")
    await made.clean()
    assert await made.finish(message) == message.tag()


async def forgotten(made, key):
    """Nothing is open or shown, and another message comes out right."""
    status = await made.fields("STATUS")
    assert (status["GCM_OPEN"], status["TAG_VALID"], status["TAG_EQUAL"]) == (0, 0, 0)
    await made.trigger(TAG=1, accepted=False)
    await made.read("TAG", accepted=False)
    await made.clean()
    message = Message(key, made.random.randbytes(12), False)
    await made.begin(message)
    await made.part(message, TEXT, IN, IN, 40)
    assert await made.finish(message) == message.tag()


@cocotb.test()
async def aborts(dut):
    """An abort in each cycle of a message of one write: blocks are whole, the message is gone."""
    made = await master(dut)
    rng = made.random
    key = rng.randbytes(16)
    partial = 0
    await made.keyed(key)
    await made.clean()
    for delay in range(0, 120):
        part = (TEXT, VERIFY, TEXT, AAD)[delay % 4]
        message = Message(key, rng.randbytes(12), part == VERIFY)
        await made.put(IN, rng.randbytes(100))
        await made.control(message, part)
        await made.words("IV", message.iv + bytes([0, 0, 0, 1]))
        length, dst = (85, OUT) if delay % 3 == 0 and part == TEXT else (96, IN)
        for name, value in (("SRC", IN), ("DST", dst), ("LENGTH", length)):
            await made.write(name, value)
        made.job = Part(key, "gcm", not message.decrypt, b"", IN, dst, length, message, part)
        if delay % 5 == 0:
            made.traffic = made.random_access(0.9, 0.5, 0.3)
        word = MAP["TRIGGER"].word(START=1, BEGIN=1, TAG=1)
        start = made.master.init_write(0x0C, word.to_bytes(4, "little"))
        for _ in range(delay):
            await FallingEdge(dut.aclk)
        stop = made.master.init_write(0x0C, (4).to_bytes(4, "little"))
        await start.wait()
        await stop.wait()
        await made.wait("IDLE")
        await made.settle()
        assert (await made.fields("ERROR"))["ABORTED"] == bool(made.undone)
        partial += 0 < len(made.undone) < made.job.blocks
        made.undone = []
        await made.clean()
        await forgotten(made, key)
        await made.compare(IN, 128)
        await made.compare(OUT, 128)
    assert partial > 8


@cocotb.test()
async def bus_errors(dut):
    """Error responses in every kind of job: the key is wiped, the message gone."""
    made = await master(dut)
    rng = made.random
    for kind, part in ((1, AAD), (1, VERIFY), (1, TEXT), (2, TEXT)):
        for block in (0, 3, 5):
            message = Message(rng.randbytes(16), rng.randbytes(12), part == VERIFY)
            await made.put(IN, rng.randbytes(100))
            await made.keyed(message.key)
            await made.begin(message)
            word = IN // 4 + 4 * block + rng.randrange(4)
            dut.fault_from_i.value, dut.fault_to_i.value = word, word + 1
            dut.fault_i.value = kind
            made.doubtful = IN + 16 * block if kind == 2 else None
            await made.part(message, part, IN, IN, 96, wait=False, TAG=1)
            await made.wait("IDLE")
            dut.fault_i.value = 0
            error = await made.fields("ERROR")
            assert error["READ"] == (kind == 1) and error["WRITE"] == (kind == 2)
            assert await made.read("FAULT") == IN + 16 * block
            assert (await made.fields("STATUS"))["KEY_VALID"] == 0
            await made.clean()
            await made.compare(IN, 128)
            await made.keyed(message.key)
            await made.clean()
            await forgotten(made, message.key)


@cocotb.test()
async def descriptors(dut):
    """The jobs of a message from a ring, jobs of other modes between them."""
    made = await master(dut)
    rng = made.random
    base, key = 0x100, rng.randbytes(16)
    await made.keyed(key)
    for turn in range(6):
        made.waiting(*[(0, 0), (60, 0), (0, 90)][turn % 3])
        await made.clean()
        message = Message(key, rng.randbytes(12), turn % 2 == 1)
        for place in (IN, OUT, OTHER):
            await made.put(place, rng.randbytes(700))
        await made.begin(message)
        await made.write("RING_BASE", base)
        lay = [(AAD, OTHER, 32), (AAD, OTHER + 64, 21), (None, OUT, 48), (TEXT, IN, 256)]
        lay += [(None, OUT, 64), (TEXT, IN + 256, 333)]
        made.queue = []
        for number, (part, place, length) in enumerate(lay):
            iv = rng.randbytes(16)
            if part is None:
                task = Job(key, "ctr", True, iv, place, place, length)
            else:
                task = Part(
                    key, "gcm", not message.decrypt, iv, place, place, length, message, part
                )
            entry = bytearray(made.descriptor(task))
            entry[1] |= (part or 0) << 4
            await made.fill(base + 32 * number, bytes(entry))
            made.queue.append(task)
        await made.fill(base + 32 * len(lay), bytes(32))
        made.job = made.queue[0]
        made.traffic = made.random_access(1, 0.5, 0.5)
        await made.trigger(RING=1)
        await made.wait("RING", 0)
        await made.wait("IDLE")
        await made.settle()
        assert not made.queue
        assert await made.read("ERROR") == 0
        tag = message.tag()
        if message.decrypt:
            assert await made.finish(message, tag)
        else:
            assert await made.finish(message) == tag
        await made.clean()
        await made.compare(IN, MEMORY - IN)
    # A descriptor of no message.
    await made.fill(base, made.descriptor(replace(made.job, mode="gcm", src=IN, dst=IN)))
    await made.write("RING_BASE", base)
    await made.trigger(RING=1)
    await made.wait("RING", 0)
    assert (await made.fields("ERROR"))["JOB"] == 1


@cocotb.test()
async def speed(dut):
    """4 KiB with an idle CPU: cycles a block of text, and of what is only hashed."""
    made = await master(dut)
    for bits in key_sizes():
        for decrypt, part in ((False, TEXT), (True, TEXT), (True, VERIFY)):
            message = Message(made.random.randbytes(bits // 8), made.random.randbytes(12), decrypt)
            await made.put(IN, made.random.randbytes(4096))
            await made.keyed(message.key)
            await made.clean()
            await made.begin(message)
            await made.part(message, part, IN, IN, 4096)
            cycles = (made.ended - made.began) / 256
            cocotb.log.warning("AES-%d, part %d: %.3f cycles a block", bits, part, cycles)
            tag = message.tag()
            if decrypt:
                assert await made.finish(message, tag)
            else:
                assert await made.finish(message) == tag
            hashing = 1 + 128 // PARAMS["HashDigit"]
            if PARAMS["SboxImpl"] == "bram":
                # A round a cycle, one block at a time.
                assert cycles <= (bits // 32 + 8 if part == TEXT else hashing) + 0.2, cycles
            elif PARAMS["Rounds"] == 2:
                # The cipher itself takes 8 for AES-256.
                assert cycles <= (8.1 if part == TEXT else hashing + 0.2), cycles
    await made.compare()
