# SPDX-License-Identifier: Apache-2.0
"""What the benches of the bus master share: registers by name, a CPU on the data port, and a plain
reference memory that knows nothing but START and the CPU's accesses."""

from dataclasses import dataclass
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.build import registers
from aesforge.verify.bus_masters import AxiLite, Registers
from aesforge.verify.cocotb_bench import job

MAP = registers.load(Path(__file__).parent.parent / "aes_dma.rdl")
MODES = {"ecb": 0, "cbc": 1, "ctr": 2, "gcm": 3}
MEMORY = 4 << 13  # bytes of dma_system's memory
POLLS = 4000  # bound of a wait for a flag, in reads


def cipher(key, mode, iv, text, encrypt):
    """What a message becomes."""
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv)}[mode]
    made = Cipher(algorithms.AES(key), chosen)
    return (made.encryptor() if encrypt else made.decryptor()).update(text)


@dataclass
class Job:
    """One region and what becomes of it."""

    key: bytes
    mode: str
    encrypt: bool
    iv: bytes
    src: int
    dst: int
    length: int

    @property
    def blocks(self):
        """Blocks, the last one perhaps in part."""
        return -(-self.length // 16)

    def result(self, memory):
        """What the destination holds when all is done."""
        text = bytes(memory[self.src : self.src + self.length])
        return cipher(self.key, self.mode, self.iv, text, self.encrypt)


class System(Registers):
    """The system around the bus master. Everything happens at falling edges of the clock."""

    def __init__(self, dut):
        super().__init__(dut, AxiLite(dut), MAP, POLLS)
        self.master = self.bus.master
        self.reference = bytearray(MEMORY)
        self.job = None  # the one that the next START begins
        self.queue = []  # jobs of a ring that begin after it
        self.before = b""  # of the destination, for an early end
        self.undone = []  # blocks that an early end left as they were
        self.doubtful = None  # address of a block whose write fails in this job: memory decides
        self.active = False
        self.began = self.ended = 0  # cycles of the last job
        self.accesses = 0  # of the CPU
        self.worst = 0  # cycles that an access waited at most
        self.conflicts = 0  # accesses that waited
        self.traffic = None  # a function that gives the next access, or None for a cycle without
        self._access = None
        self._waited = 0

    async def start(self, wait=0, pause=0):
        """Clock and reset; the memory is busy `wait` of 256 cycles."""
        dut = self.dut
        for name in ("cpu_valid_i", "cpu_write_i", "cpu_addr_i", "cpu_wdata_i", "cpu_wstrb_i"):
            getattr(dut, name).value = 0
        for name in ("fault_i", "fault_from_i", "fault_to_i"):
            getattr(dut, name).value = 0
        self.waiting(wait, pause)
        self.start_clock()
        await self.pulse_reset()
        # What tests before this one, or chance, left in memory.
        for i in range(MEMORY // 4):
            word = int(dut.memory[i].value)
            self.reference[4 * i : 4 * i + 4] = word.to_bytes(4, "little")
        cocotb.start_soon(self._run())
        await self.wait("IDLE")

    def waiting(self, wait, pause):
        """Make the memory and the master's channels wait at random, of 256 cycles."""
        self.dut.wait_i.value = wait
        self.dut.pause_i.value = pause

    # ---- the CPU and the reference --------------------------------------------------------------

    async def _run(self):
        """One turn a cycle: the CPU's access, and what the reference says to it."""
        dut = self.dut
        while True:
            await FallingEdge(dut.aclk)
            if self._access is None:
                self._access = self.traffic() if self.traffic is not None else None
                self._waited = 0
                if self._access is not None:
                    write, address, data, strobe = self._access
                    dut.cpu_write_i.value = write
                    dut.cpu_addr_i.value = address
                    dut.cpu_wdata_i.value = data
                    dut.cpu_wstrb_i.value = strobe
                dut.cpu_valid_i.value = self._access is not None
            await ReadOnly()
            self._follow_job()
            if self._access is not None:
                self._follow_access()

    def _follow_job(self):
        active = bool(self.dut.active_o.value)
        if active and not self.active:
            if self.queue:
                self.job = self.queue.pop(0)
            task = self.job
            self.began = self.cycle
            self.before = bytes(self.reference[task.dst : task.dst + task.length])
            self.reference[task.dst : task.dst + task.length] = task.result(self.reference)
        if self.active and not active:
            self.ended = self.cycle
            self._end()
        self.active = active
        assert not self.dut.bad_o.value, "the master left the protocol"

    def _end(self):
        """After an early end, what is not done is what it was."""
        front, bits = int(self.dut.front_o.value), int(self.dut.done_o.value)
        self.undone = []
        for block in range(front, self.job.blocks):
            window = self.params["MaxBlocks"]
            if block - front < window and bits >> block % window & 1:
                continue
            self.undone.append(block)
            first, last = 16 * block, min(16 * block + 16, self.job.length)
            self.reference[self.job.dst + first : self.job.dst + last] = self.before[first:last]
        if self.doubtful is not None:
            for i in range(self.doubtful, self.doubtful + 16, 4):
                self.reference[i : i + 4] = int(self.dut.memory[i // 4].value).to_bytes(4, "little")
            self.doubtful = None

    @property
    def params(self):
        """Parameters of the instance."""
        return job().params

    def _follow_access(self):
        if self.dut.cpu_stall_o.value:
            self._waited += 1
            assert self._waited < 20000, "an access waits for ever"
        if not self.dut.cpu_done_o.value:
            return
        write, address, data, strobe = self._access
        word = address & ~3
        old = self.reference[word : word + 4]
        if write:
            new = data.to_bytes(4, "little")
            for i in range(4):
                if strobe >> i & 1:
                    self.reference[word + i] = new[i]
        else:
            found = int(self.dut.cpu_rdata_o.value).to_bytes(4, "little")
            assert found == old, f"read of {word:#x}: {found.hex()}, not {bytes(old).hex()}"
        self.accesses += 1
        self.conflicts += self._waited > 0
        self.worst = max(self.worst, self._waited)
        self._access = None

    def random_access(self, share=0.8, writes=0.4, idle=0.3):
        """Return a source of accesses, `share` of them in or around the job's regions."""
        rng = self.random

        def access():
            if rng.random() < idle:
                return None
            task = self.job
            address = rng.randrange(MEMORY)
            if task is not None and rng.random() < share:
                base = rng.choice([task.src, task.dst])
                address = base - 8 + rng.randrange(task.length + 16)
            address = address % MEMORY & ~3
            if rng.random() < writes:
                return 1, address, rng.getrandbits(32), rng.choice([15, 15, 1, 2, 4, 8, 3, 12, 5])
            return 0, address, 0, 0

        return access

    # ---- memory ---------------------------------------------------------------------------------

    async def fill(self, address, data):
        """Put bytes to memory and reference; whole words."""
        await FallingEdge(self.dut.aclk)
        self.reference[address : address + len(data)] = data
        for i in range(0, len(data), 4):
            word = int.from_bytes(data[i : i + 4], "little")
            self.dut.memory[(address + i) // 4].value = word

    async def compare(self, address=0, length=MEMORY):
        """Memory is what the reference is, byte for byte."""
        await FallingEdge(self.dut.aclk)
        await ReadOnly()
        for word in range(address & ~3, address + length, 4):
            found = int(self.dut.memory[word // 4].value).to_bytes(4, "little")
            wanted = bytes(self.reference[word : word + 4])
            assert found == wanted, f"{word:#x} holds {found.hex()}, not {wanted.hex()}"
        await FallingEdge(self.dut.aclk)

    # ---- registers ------------------------------------------------------------------------------

    async def trigger(self, accepted=True, **bits):
        """Write TRIGGER."""
        await self.write("TRIGGER", MAP["TRIGGER"].word(**bits), accepted=accepted)

    async def key(self, task):
        """Set CTRL, write and expand a job's key."""
        word = MAP["CTRL"].word(
            KEY_LEN=len(task.key) // 8 - 2, MODE=MODES[task.mode], DECRYPT=int(not task.encrypt)
        )
        await self.write("CTRL", word)
        assert await self.read("CTRL") == word
        order = list(range(len(task.key) // 4))
        self.random.shuffle(order)
        for i in order:
            await self.write("KEY", int.from_bytes(task.key[4 * i : 4 * i + 4], "little"), i)
        await self.trigger(KEY=1)
        await self.wait("KEY_VALID")

    async def prepare(self, task):
        """Write everything that a job needs."""
        self.job = task
        await self.key(task)
        for i in range(4):
            await self.write("IV", int.from_bytes(task.iv[4 * i : 4 * i + 4], "little"), i)
        await self.write("SRC", task.src)
        await self.write("DST", task.dst)
        await self.write("LENGTH", task.length)

    def descriptor(self, task, owned=True, wrap=False, irq=False):
        """The 32 bytes that ask for a job in a ring."""
        control = MAP["CTRL"].word(MODE=MODES[task.mode], DECRYPT=int(not task.encrypt))
        control |= owned << 31 | wrap << 30 | irq << 16
        words = (control, task.src, task.dst, task.length)
        return b"".join(word.to_bytes(4, "little") for word in words) + task.iv

    async def begin(self, task):
        """Prepare a job and start it."""
        await self.prepare(task)
        await self.trigger(START=1)

    async def clean(self):
        """Clear ERROR and INTR_STATE."""
        await self.write("ERROR", 0x3F)
        await self.write("INTR_STATE", 15)

    async def complete(self):
        """Wait for a job's regular end."""
        await self.wait("ACTIVE", 0)
        await self.wait("IDLE")
        assert await self.read("ERROR") == 0
        assert await self.read("FRONT") == self.job.blocks
        assert (await self.fields("INTR_STATE"))["DONE"] == 1
        await self.clean()

    async def settle(self):
        """Let the CPU's last access end; no further ones."""
        self.traffic = None
        while self._access is not None:
            await FallingEdge(self.dut.aclk)
        await FallingEdge(self.dut.aclk)


def key_sizes():
    params = job().params
    return [128] + [192] * bool(params["Has192"]) + [256] * bool(params["Has256"])


def random_job(rng, most=600, mode="", room=MEMORY // 2):
    """A random job: any mode and place, in place or copied, aligned to words only."""
    mode = mode or rng.choice(["ecb", "cbc", "ctr", "ctr", "ecb"])
    length = rng.randrange(1, most)
    if mode != "ctr":
        length = max(16, length & ~15)
    src = 64 + rng.randrange(room - length - 128) & ~3
    dst = src
    if rng.random() < 0.4:
        gap = length + 3 & ~3
        dst = (src + gap + 4 * rng.randrange(8)) if rng.random() < 0.5 else room + src
    key = rng.randbytes(rng.choice(key_sizes()) // 8)
    return Job(key, mode, rng.random() < 0.5, rng.randbytes(16), src, dst, length)
