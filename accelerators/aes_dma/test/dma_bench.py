# SPDX-License-Identifier: Apache-2.0
"""The bus master on a memory that it shares with a CPU: results, speed, conflicts, errors, ends."""

import cocotb
from cocotb.triggers import FallingEdge
from dma_driver import Job, System, key_sizes, random_job

from aesforge.verify.cocotb_bench import job

PARAMS = job().params
TABLES = PARAMS["SboxImpl"] == "bram"  # two lanes, each a round a cycle
ROUNDS = 1 if TABLES else PARAMS["Rounds"]


async def system(dut, wait=0, pause=0):
    made = System(dut)
    await made.start(wait, pause)
    return made


async def whole(made, task, compare=True):
    """Fill the regions, run a job to its end, compare what is in and around them."""
    await around(made, task)
    await made.begin(task)
    await made.complete()
    if compare:
        await made.settle()
        await same(made, task)


async def around(made, task):
    """Random bytes in and around the regions."""
    size = task.length + 64 & ~3
    for base in {task.src, task.dst}:
        await made.fill(base - 32 & ~3, made.random.randbytes(size))


async def same(made, task):
    """Nothing in or around the regions differs from the reference."""
    for base in {task.src, task.dst}:
        await made.compare(base - 32 & ~3, task.length + 64)


@cocotb.test()
async def every_mode(dut):
    """All modes, directions and key sizes, in place and copied."""
    made = await system(dut)
    for bits in key_sizes():
        for mode in ("ecb", "cbc", "ctr"):
            for encrypt in (True, False):
                dst = made.random.choice([0x404, 0x2010])
                key, iv = made.random.randbytes(bits // 8), made.random.randbytes(16)
                length = 16 * made.random.randrange(1, 12)
                await whole(made, Job(key, mode, encrypt, iv, 0x404, dst, length))


@cocotb.test()
async def counters_carry(dut):
    """Counters that end in many ones."""
    made = await system(dut)
    for ones in (4, 5, 12, 16):
        iv = bytes(16 - ones) + b"\xff" * (ones - 1) + b"\xfe"
        await whole(made, Job(bytes(range(16)), "ctr", True, iv, 0x1000, 0x1000, 77))


@cocotb.test()
async def chaining_goes_on(dut):
    """After a job in CBC, IV holds what continues the message."""
    made = await system(dut)
    key, iv = made.random.randbytes(16), made.random.randbytes(16)
    for encrypt in (True, False):
        await whole(made, Job(key, "cbc", encrypt, iv, 0x800, 0x1000, 64))
        words = [await made.read("IV", i) for i in range(4)]
        last = b"".join(word.to_bytes(4, "little") for word in words)
        base = 0x1000 if encrypt else 0x800
        assert last == bytes(made.reference[base + 48 : base + 64])


@cocotb.test()
async def speed(dut):
    """4 KiB in place with an idle CPU: cycles a block."""
    made = await system(dut)
    for mode in ("ecb", "ctr"):
        for encrypt in (True, False):
            key, iv = made.random.randbytes(16), made.random.randbytes(16)
            await whole(made, Job(key, mode, encrypt, iv, 0x1000, 0x1000, 4096))
            cycles = (made.ended - made.began) / 256
            cocotb.log.warning("%s: %.3f cycles a block", mode, cycles)
            most = 8.3 if TABLES or ROUNDS == 2 else 11.5
            assert cycles <= most, f"{mode}: {cycles} cycles a block"


@cocotb.test()
async def conflicts(dut):
    """The CPU reads and writes everywhere while jobs run; the longest wait of an access."""
    made = await system(dut)
    for bits in key_sizes():
        made.worst = 0
        for _ in range(8):
            made.traffic = None
            within = min(1500, 16 * PARAMS["MaxBlocks"])  # every block has a done-bit
            task = random_job(made.random, within, made.random.choice(["ecb", "ctr"]))
            task.key = made.random.randbytes(bits // 8)
            await around(made, task)
            await made.prepare(task)
            idle = made.random.choice([0, 0.3, 0.9, 0.98])
            made.traffic = made.random_access(1, made.random.random(), idle)
            await made.trigger(START=1)
            await made.complete()
            await made.settle()
            await same(made, task)
        latency = 1 + (bits // 32 + 6) // ROUNDS + TABLES
        cocotb.log.warning("AES-%d: an access waits at most %d cycles", bits, made.worst)
        assert made.worst <= bound(latency), f"AES-{bits}: an access waited {made.worst} cycles"
    cocotb.log.warning("%d accesses, %d waited", made.accesses, made.conflicts)
    assert made.conflicts > 100


def bound(latency):
    return 28 + latency


@cocotb.test()
async def any_traffic(dut):
    """Every mode under CPU traffic, and waiting on every channel and in the memory."""
    made = await system(dut)
    for _ in range(25):
        made.waiting(made.random.choice([0, 30, 120]), made.random.choice([0, 0, 40, 150]))
        task = random_job(made.random, 900)
        made.traffic = None
        await around(made, task)
        await made.prepare(task)
        idle = made.random.choice([0, 0.3, 0.8])
        made.traffic = made.random_access(0.9, made.random.random(), idle)
        await made.trigger(START=1)
        await made.complete()
        await made.settle()
        await same(made, task)
    cocotb.log.warning("%d accesses, %d waited", made.accesses, made.conflicts)


@cocotb.test()
async def longer_than_the_window(dut):
    """A region of more blocks than there are done-bits, touched everywhere."""
    made = await system(dut)
    length = 16 * (job().params["MaxBlocks"] + 40)
    task = Job(made.random.randbytes(16), "ecb", True, bytes(16), 0x2004, 0x2004, length)
    await around(made, task)
    await made.prepare(task)
    made.traffic = made.random_access(1, 0.5, 0.9)
    await made.trigger(START=1)
    await made.complete()
    await made.settle()
    await same(made, task)


@cocotb.test()
async def boundaries(dut):
    """Regions at every word offset around a multiple of 4 KiB."""
    made = await system(dut)
    for offset in range(0, 36, 4):
        src, dst = 0x1000 - offset, 0x3000 - (offset * 5 % 36 & ~3)
        key, iv = made.random.randbytes(16), made.random.randbytes(16)
        await whole(made, Job(key, "ecb", True, iv, src, dst, 32))
        await whole(made, Job(key, "ctr", True, iv, src, src, 19 + offset))


@cocotb.test()
async def abort_at_every_cycle(dut):
    """An abort in each cycle of a small job: every block is wholly done or wholly what it was."""
    made = await system(dut)
    partial = 0
    for delay in range(0, 90):
        mode = ("ecb", "cbc", "ctr")[delay % 3]
        length = 85 if mode == "ctr" else 96
        dst = (0x1FF8, 0x2FF4)[delay % 2]
        task = Job(
            made.random.randbytes(16), mode, True, made.random.randbytes(16), 0x1FF8, dst, length
        )
        await around(made, task)
        if delay % 5 == 0:
            made.traffic = made.random_access(0.9, 0.5, 0.3)
        await made.prepare(task)
        # Both accesses are queued, so that the second one follows in a chosen cycle.
        start = made.master.init_write(0x0C, (2).to_bytes(4, "little"))
        for _ in range(delay):
            await FallingEdge(dut.aclk)
        stop = made.master.init_write(0x0C, (4).to_bytes(4, "little"))
        await start.wait()
        await stop.wait()
        await made.wait("ACTIVE", 0)
        await made.settle()
        error = await made.fields("ERROR")
        front = await made.read("FRONT")
        if made.undone and made.began:
            assert error["ABORTED"] == 1 and front < task.blocks
            bits = await made.read("DONE")
            assert made.undone == [b for b in range(front, task.blocks) if not bits >> b & 1]
            partial += 0 < len(made.undone) < task.blocks
        else:
            assert error["ABORTED"] == 0
        await made.clean()
        await same(made, task)
        made.undone = []
    assert partial > 10
    # The key survives an abort, not a wipe.
    assert (await made.fields("STATUS"))["KEY_VALID"] == 1
    await made.trigger(WIPE=1)
    await made.wait("IDLE")
    assert (await made.fields("STATUS"))["KEY_VALID"] == 0


@cocotb.test()
async def bus_errors(dut):
    """Error responses at every block, of reads and of writes: reported, nothing else is touched."""
    made = await system(dut)
    for kind in (1, 2):
        for block in range(8):
            mode = ("ecb", "ctr", "cbc")[block % 3]
            task = Job(made.random.randbytes(32), mode, True, bytes(16), 0xFE8, 0x2FF0, 16 * 8)
            await around(made, task)
            base = (task.src if kind == 1 else task.dst) + 16 * block
            word = base // 4 + made.random.randrange(4)
            dut.fault_from_i.value = word
            dut.fault_to_i.value = word + 1
            dut.fault_i.value = kind
            made.traffic = made.random_access(0.0)
            made.doubtful = base if kind == 2 else None
            await made.write("INTR_ENABLE", 4)
            await made.begin(task)
            await made.wait("ACTIVE", 0)
            assert dut.irq_o.value == 1
            await made.settle()
            dut.fault_i.value = 0
            error = await made.fields("ERROR")
            assert error["READ"] == (kind == 1) and error["WRITE"] == (kind == 2)
            assert not error["ABORTED"] and block in made.undone
            assert await made.read("FAULT") == base
            await made.wait("IDLE")
            assert (await made.fields("STATUS"))["KEY_VALID"] == 0
            await made.clean()
            await same(made, task)


@cocotb.test()
async def refused(dut):
    """Jobs that are not allowed, and accesses at the wrong time."""
    made = await system(dut)
    good = Job(bytes(16), "ecb", True, bytes(16), 0x1000, 0x1000, 64)
    await made.trigger(START=1)  # without key
    assert (await made.fields("ERROR"))["JOB"] == 1
    await made.clean()
    await made.prepare(good)
    wrong = [
        {"LENGTH": 0},
        {"LENGTH": 63},
        {"SRC": 0x1001},
        {"DST": 0x1002},
        {"DST": 0x1004},
        {"DST": 0x0FC4},
        {"SRC": 0xFFFFFFF0, "DST": 0xFFFFFFF0},
        {"DST": 0xFFFFFFF0},
        {"LENGTH": 0xFFFFFFF0},
    ]
    for change in wrong:
        for name, value in change.items():
            await made.write(name, value)
        await made.trigger(START=1)
        assert (await made.fields("ERROR"))["JOB"] == 1, change
        assert (await made.fields("STATUS"))["ACTIVE"] == 0
        await made.clean()
        for name, value in (("SRC", 0x1000), ("DST", 0x1000), ("LENGTH", 64)):
            await made.write(name, value)
    before = int(dut.accesses_o.value)
    assert before == 0
    # Next to each other is allowed.
    await whole(made, Job(bytes(16), "ecb", True, bytes(16), 0x1000, 0x1040, 64))
    await made.prepare(Job(bytes(16), "cbc", True, bytes(16), 0x1000, 0x1000, 2048))
    await made.trigger(START=1)
    for name in ("CTRL", "SRC", "DST", "LENGTH", "IV"):
        await made.write(name, 0, accepted=False)
    await made.trigger(START=1, accepted=False)
    await made.trigger(KEY=1, accepted=False)
    await made.read("IV", accepted=False)
    await made.read("KEY", accepted=False)
    await made.wait("ACTIVE", 0)
    assert await made.read("ERROR") == 1
    if not job().params["Gcm"]:
        await made.write("CTRL", 3 << 4, accepted=False)
    await made.write("KEY", 1)
    await made.trigger(KEY=1)
    assert (await made.fields("ERROR"))["KEY"] == 1
    await made.wait("IDLE")
    assert (await made.fields("STATUS"))["KEY_VALID"] == 0


async def outcomes(made, base, count):
    """Bits 31 to 28 of the first words of descriptors: OWN, WRAP, DONE, ERROR."""
    await FallingEdge(made.dut.aclk)
    return [int(made.dut.memory[base // 4 + 8 * i].value) >> 28 for i in range(count)]


def ring_jobs(made, key, count):
    """Jobs under one key on regions of their own."""
    jobs = []
    for number in range(count):
        task = random_job(made.random, 200, room=0x400)
        place = 0x1000 + 0x600 * number
        task.key, task.src, task.dst = key, task.src % 0x100 + place, task.dst % 0x100 + place
        if task.src != task.dst:
            task.dst = task.src + 0x140
        jobs.append(task)
    return jobs


@cocotb.test()
async def ring(dut):
    """Descriptors one after the other, round and round; the CPU touches every region meanwhile."""
    made = await system(dut)
    base, key = 0x100, made.random.randbytes(16)
    await made.key(Job(key, "ecb", True, bytes(16), 0, 0, 16))
    await made.write("RING_BASE", base)
    assert await made.read("RING_AT") == base
    for turn in range(4):
        made.waiting(*[(0, 0), (60, 0), (0, 90), (60, 60)][turn])
        jobs = ring_jobs(made, key, 4)
        for number, task in enumerate(jobs):
            await around(made, task)
            entry = made.descriptor(task, wrap=number == 3, irq=number == 2)
            await made.fill(base + 32 * number, entry)
        made.queue = list(jobs)
        made.job = jobs[0]
        made.traffic = made.random_access(1, 0.5, 0.5)
        await made.trigger(RING=1)
        await made.wait("RING", 0)
        await made.settle()
        assert not made.queue
        events = await made.fields("INTR_STATE")
        assert events == {"DONE": 1, "KEY_DONE": turn == 0, "ERROR": 0, "EMPTY": 1}
        assert await made.read("ERROR") == 0
        await made.clean()
        assert await outcomes(made, base, 4) == [2, 2, 2, 6]
        assert await made.read("RING_AT") == base
        for task in jobs:
            await same(made, task)


@cocotb.test()
async def ring_bells(dut):
    """A bell in any cycle of a round: no descriptor handed over before it is overlooked."""
    made = await system(dut)
    base, key = 0x200, made.random.randbytes(16)
    await made.key(Job(key, "ecb", True, bytes(16), 0, 0, 16))
    for delay in range(0, 80, 3):
        jobs = [Job(key, "ecb", True, bytes(16), at, at, 32) for at in (0x1000, 0x1100)]
        await made.write("RING_BASE", base)
        for number, task in enumerate(jobs):
            await around(made, task)
            await made.fill(base + 32 * number, made.descriptor(task, owned=number == 0))
        await made.fill(base + 64, bytes(32))
        made.queue = list(jobs)
        await made.trigger(RING=1)
        for _ in range(delay):
            await FallingEdge(dut.aclk)
        await made.fill(base + 32, made.descriptor(jobs[1]))
        await made.trigger(RING=1)
        await made.wait("RING", 0)
        assert await outcomes(made, base, 2) == [2, 2]
        assert await made.read("RING_AT") == base + 64
        await made.clean()
        for task in jobs:
            await same(made, task)


@cocotb.test()
async def ring_errors(dut):
    """Descriptors that ask for what is not allowed, bus errors, an early end."""
    made = await system(dut)
    base, key = 0x300, made.random.randbytes(16)
    good = Job(key, "cbc", True, bytes(16), 0x1000, 0x1000, 512)
    wrong = Job(key, "ecb", True, bytes(16), 0x1000, 0x1004, 64)
    for case in ("job", "mode", "read", "write", "fetch", "reply", "abort"):
        await made.key(Job(key, "ecb", True, bytes(16), 0, 0, 16))
        await made.write("RING_BASE", base)
        await around(made, good)
        entry = made.descriptor(wrong if case == "job" else good)
        if case == "mode":
            entry = bytes([entry[0] | 0x30]) + entry[1:]
        await made.fill(base, entry + made.descriptor(good))
        made.job = good
        place = {"read": 0x1040, "write": 0x1040, "fetch": base + 8, "reply": base}
        if case in place:
            dut.fault_from_i.value = place[case] // 4
            dut.fault_to_i.value = place[case] // 4 + 1
            dut.fault_i.value = 1 if case in ("read", "fetch") else 2
        await made.trigger(RING=1)
        if case == "abort":
            await made.wait("ACTIVE")
            await made.trigger(ABORT=1)
        await made.wait("RING", 0)
        await made.wait("IDLE")
        dut.fault_i.value = 0
        error = await made.fields("ERROR")
        told = {"job": "JOB", "mode": "JOB", "read": "READ", "write": "WRITE", "fetch": "READ"}
        told |= {"reply": "WRITE", "abort": "ABORTED"}
        assert [name for name in error if error[name]] == [told[case]], case
        assert (await made.fields("INTR_STATE"))["ERROR"] == 1
        assert await made.read("RING_AT") == base
        left = await outcomes(made, base, 2)
        assert left == [8 if case in ("fetch", "reply") else 1, 8], case
        if case in place:
            assert await made.read("FAULT") == (base if place[case] < 0x1000 else 0x1040)
            assert (await made.fields("STATUS"))["KEY_VALID"] == 0
        await made.clean()


@cocotb.test()
async def ring_abort_at_every_cycle(dut):
    """An abort from the bell on, also in the cycle in which the job starts: it ends the job."""
    made = await system(dut)
    base, key = 0x300, made.random.randbytes(16)
    task = Job(key, "cbc", True, bytes(16), 0x1000, 0x1000, 512)
    await made.key(Job(key, "ecb", True, bytes(16), 0, 0, 16))
    begun = 0
    for delay in range(0, 40):
        await made.write("RING_BASE", base)
        await around(made, task)
        await made.fill(base, made.descriptor(task) + bytes(32))
        made.job, made.began, made.undone = task, 0, []
        bell = made.master.init_write(0x0C, (16).to_bytes(4, "little"))
        for _ in range(delay):
            await FallingEdge(dut.aclk)
        stop = made.master.init_write(0x0C, (4).to_bytes(4, "little"))
        await bell.wait()
        await stop.wait()
        await made.wait("RING", 0)
        await made.settle()
        assert not made.began or made.undone, delay
        assert await outcomes(made, base, 1) in ([1], [8])
        begun += bool(made.began)
        await made.clean()
        await same(made, task)
    assert 5 < begun < 35
