# SPDX-License-Identifier: Apache-2.0
"""What the benches of the engine share: a driver over the register map, and what it must answer."""

from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.build import registers
from aesforge.verify.bus_masters import Registers, master

MAP = registers.load(Path(__file__).parent.parent / "aes_engine.rdl")
MODES = {"ecb": 0, "cbc": 1, "ctr": 2, "gcm": 3}


def reference(key, mode, iv, text, encrypt):
    """What the whole message becomes."""
    chosen = {"ecb": modes.ECB(), "cbc": modes.CBC(iv), "ctr": modes.CTR(iv)}[mode]
    cipher = Cipher(algorithms.AES(key), chosen)
    return (cipher.encryptor() if encrypt else cipher.decryptor()).update(text)


class Engine(Registers):
    """The engine as software sees it. Accesses are counted."""

    def __init__(self, dut):
        super().__init__(dut, master(dut), MAP)
        self.accesses = 0
        self.big_endian = False

    async def start(self):
        """Clock, reset, and the wipe that follows it."""
        self.start_clock()
        await self.reset()

    async def reset(self):
        """Reset, in the middle of whatever is under way."""
        await self.pulse_reset()
        await self.ticks(1)
        self.big_endian = False
        await self.wait("IDLE")

    async def write(self, name, word, index=0, accepted=True):
        """Write to a register, and count the access."""
        self.accesses += 1
        await super().write(name, word, index, accepted)

    async def read(self, name, index=0, accepted=True):
        """Read a register, and count the access."""
        self.accesses += 1
        return await super().read(name, index, accepted)

    def words(self, data):
        """Bytes as the words that registers take."""
        order = "big" if self.big_endian else "little"
        return [int.from_bytes(data[i : i + 4], order) for i in range(0, len(data), 4)]

    def bytes(self, words):
        """Words of registers as bytes."""
        return b"".join(w.to_bytes(4, "big" if self.big_endian else "little") for w in words)

    async def control(self, bits=128, hold=0, enc="ecb", dec="ecb", big_endian=False, opens=0):
        """Set everything in CTRL; `opens`: GCM decrypts."""
        self.big_endian = big_endian
        word = MAP["CTRL"].word(
            KEY_LEN=bits // 64 - 2,
            BIG_ENDIAN=int(big_endian),
            HOLD=hold,
            ENC_MODE=MODES[enc],
            DEC_MODE=MODES[dec],
            GCM_DECRYPT=opens,
        )
        await self.write("CTRL", word)
        assert await self.read("CTRL") == word

    async def block_of(self, name, data):
        """Write the words of a key, a block or an IV in random order."""
        pairs = list(enumerate(self.words(data)))
        self.random.shuffle(pairs)
        for index, word in pairs:
            await self.write(name, word, index)

    async def key(self, key):
        """Write and expand a key."""
        await self.block_of("KEY", key)
        await self.write("TRIGGER", MAP["TRIGGER"].word(KEY=1))
        await self.wait("KEY_VALID")

    async def take(self, port):
        """Read a result, words in random order."""
        order = [0, 1, 2, 3]
        self.random.shuffle(order)
        words = {index: await self.read(f"{port}_DATA_OUT", index) for index in order}
        return self.bytes([words[index] for index in range(4)])

    async def message(self, port, data, hold):
        """Whole blocks through a channel, the next one given before the last result is taken."""
        out = b""
        blocks = [data[i : i + 16] for i in range(0, len(data), 16)]
        ahead = self.random.randrange(1, 3)
        for number in range(len(blocks) + ahead):
            if number >= ahead:
                if not hold:
                    await self.wait(f"{port}_OUTPUT_VALID")
                out += await self.take(port)
            if number < len(blocks):
                if not hold:
                    await self.wait(f"{port}_INPUT_READY")
                await self.block_of(f"{port}_DATA_IN", blocks[number])
        return out


def present(params):
    """Channels that the instance has."""
    return {"enc": ["ENC"], "dec": ["DEC"]}.get(params["Dir"], ["ENC", "DEC"])


def key_sizes(params):
    return [128] + [192] * bool(params["Has192"]) + [256] * bool(params["Has256"])


def period(params, bits):
    """Cycles from one block to the next, when nobody waits for the bus."""
    rounds = bits // 32 + 6
    if params["SboxImpl"] == "bram":
        return 9 + 2 * rounds
    return 1 + (4 * rounds if params["Width"] == 32 else rounds // params["Rounds"])
