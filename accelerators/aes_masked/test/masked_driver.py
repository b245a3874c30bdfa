# SPDX-License-Identifier: Apache-2.0
"""What the benches share: a driver over the register map, and a master of the register port."""

from pathlib import Path

from cocotb.triggers import FallingEdge, ReadOnly
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.build import registers
from aesforge.verify.bus_masters import Registers, master

MAP = registers.load(Path(__file__).parent.parent / "aes_masked.rdl")
MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
LIMIT = 1000  # of an access, in cycles


class Port:
    """The register port itself: an access takes a cycle, unless it waits."""

    def __init__(self, dut):
        self.dut, self.clock, self.reset = dut, dut.clk_i, dut.rst_ni
        for name in ("wr_valid", "rd_valid", "sideload_valid", "sideload0", "sideload1"):
            getattr(dut, f"{name}_i").value = 0

    def pause(self, probability, rng):
        """Reads and writes follow each other at once."""

    async def _access(self, kind):
        valid, ready = getattr(self.dut, f"{kind}_valid_i"), getattr(self.dut, f"{kind}_ready_o")
        valid.value = 1
        for _ in range(LIMIT):
            await ReadOnly()
            if int(ready.value):
                ok = not int(getattr(self.dut, f"{kind}_error_o").value)
                word = int(self.dut.rd_data_o.value)
                await FallingEdge(self.clock)
                valid.value = 0
                return word.to_bytes(4, "little"), ok
            await FallingEdge(self.clock)
        raise AssertionError("no answer")

    async def write(self, address, data):
        """Write some bytes of a word; whether it was accepted."""
        lane = address % 4
        self.dut.wr_addr_i.value = address
        self.dut.wr_data_i.value = int.from_bytes(data, "little") << 8 * lane
        self.dut.wr_strb_i.value = ((1 << len(data)) - 1) << lane
        return (await self._access("wr"))[1]

    async def read(self, address):
        """Read a word; its bytes, and whether it was accepted."""
        self.dut.rd_addr_i.value = address
        return await self._access("rd")


def reference(key, mode, iv, text):
    """What the whole message becomes; in CTR the counter has 32 bits."""
    if mode == "ctr":
        count = int.from_bytes(iv[12:], "big")
        blocks = (
            iv[:12] + ((count + i) % 2**32).to_bytes(4, "big") for i in range(len(text) // 16)
        )
        stream = reference(key, "ecb", b"", b"".join(blocks))
        return bytes(a ^ b for a, b in zip(text, stream, strict=True))
    chosen = modes.ECB() if mode == "ecb" else modes.CBC(iv)
    return Cipher(algorithms.AES(key), chosen).encryptor().update(text)


class Device(Registers):
    """The peripheral as software sees it."""

    def __init__(self, dut, bus=None):
        super().__init__(dut, bus or master(dut), MAP)
        self.bits = 128

    async def start(self, seed=True):
        """Clock, reset, and a seed."""
        self.start_clock()
        await self.reset()
        if seed:
            await self.seed()

    async def reset(self):
        """Reset, in the middle of whatever is under way."""
        await self.ticks(1)
        await self.pulse_reset()
        await self.ticks(1)

    async def seed(self, words=None):
        """Seed the generator; random words unless given."""
        for index, word in enumerate(words or [self.random.getrandbits(32) for _ in range(5)]):
            await self.write("SEED", word, index)
        await self.wait("IDLE")

    async def errors(self, **expected):
        """ERROR must say exactly this; it is cleared."""
        found = await self.fields("ERROR")
        assert found == {"ACCESS": 0, "KEY": 0, "UNSEEDED": 0, **expected}, found
        await self.write("ERROR", 7)

    async def control(self, bits=None, mode="ecb", pair=1):
        """Set everything in CTRL."""
        self.bits = bits or self.bits
        word = MAP["CTRL"].word(KEY_LEN=self.bits // 64 - 2, MODE=MODES[mode], PAIR=pair)
        await self.write("CTRL", word)
        assert await self.read("CTRL") == word

    async def words(self, name, data):
        """Write bytes as the words of a register, in order."""
        for at in range(0, len(data), 4):
            await self.write(name, data[at : at + 4], at // 4)

    def shares(self, key):
        """Split a key at random."""
        mask = self.random.randbytes(len(key))
        return mask, bytes(a ^ b for a, b in zip(key, mask, strict=True))

    async def key(self, key, shares=None):
        """Load a key of CTRL's length."""
        share0, share1 = shares or self.shares(key)
        await self.words("KEY0", share0)
        await self.words("KEY1", share1)

    async def take(self, count=1):
        """Read blocks."""
        words = [await self.read("DATA_OUT", index % 4) for index in range(4 * count)]
        return b"".join(word.to_bytes(4, "little") for word in words)

    async def message(self, text, ahead):
        """Whole blocks, up to `ahead` inside at a time."""
        blocks = [text[at : at + 16] for at in range(0, len(text), 16)]
        out = b""
        for number in range(len(blocks) + ahead):
            if number >= ahead and number - ahead < len(blocks):
                out += await self.take()
            if number < len(blocks):
                await self.words("DATA_IN", blocks[number])
        return out
