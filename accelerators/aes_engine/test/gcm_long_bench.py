# SPDX-License-Identifier: Apache-2.0
"""GCM through Wishbone with few accesses: the bus waits (CTRL.HOLD), a message has no more than its
driver needs. All of Wycheproof, and one message in 22 of CAVP: of every length of everything."""

import cocotb
from engine_driver import MAP, Engine, Wishbone

from aesforge import gcm_vectors

TRIGGER = MAP["TRIGGER"].word
ROOM = 16  # bytes of a block


class Quick(Engine):
    """The engine where every access is expected to succeed."""

    async def put(self, name, data, index=0):
        """Write bytes to registers that follow each other."""
        base = MAP[name].address + 4 * index
        for at in range(0, len(data), 4):
            assert await self.bus.write(base + at, data[at : at + 4]), name

    async def get(self, name):
        """Read four registers."""
        base = MAP[name].address
        return b"".join([(await self.bus.read(base + at))[0] for at in range(0, ROOM, 4)])

    async def fed(self, data, text, out=False):
        """Blocks to the hash or, with `out`, through the cipher."""
        result = b""
        size = ROOM
        for at in range(0, len(data), ROOM):
            piece = data[at : at + ROOM]
            if len(piece) != size or at == 0:
                size = len(piece)
                await self.write("GCM", MAP["GCM"].word(BYTES=size % ROOM, TEXT=text))
            await self.put("ENC_DATA_IN" if out else "HASH_IN", piece + bytes(ROOM - size))
            if out:
                result += (await self.get("ENC_DATA_OUT"))[:size]
        return result

    async def message(self, case, decrypt):
        """Encrypt, or verify and, if authentic, decrypt: text, and the tag or None."""
        await self.begin(case)
        if not decrypt:
            out = await self.fed(case.plaintext, 0, out=True)
            await self.finish()
            return out, (await self.get("TAG"))[: len(case.tag)]
        await self.fed(case.ciphertext, 1)
        await self.write("GCM", MAP["GCM"].word(BYTES=len(case.tag) % ROOM))
        await self.put("TAG", case.tag + bytes(ROOM - len(case.tag)))
        await self.finish()
        if not (await self.fields("STATUS"))["TAG_EQUAL"]:
            return b"", None
        await self.begin(case)
        return await self.fed(case.ciphertext, 0, out=True), case.tag

    async def begin(self, case):
        """IV and associated data."""
        if len(case.iv) == 12:
            await self.put("ENC_IV", case.iv + bytes([0, 0, 0, 1]))
            await self.write("TRIGGER", TRIGGER(START=1))
        else:
            await self.write("TRIGGER", TRIGGER(START=1))
            await self.fed(case.iv, 0)
            await self.fed((8 * len(case.iv)).to_bytes(ROOM, "big"), 0)
            await self.wait("IDLE")
            await self.write("TRIGGER", TRIGGER(START=1, IV_HASH=1))
        await self.fed(case.aad, 0)

    async def finish(self):
        """The lengths; then the tag is there."""
        await self.write("TRIGGER", TRIGGER(TAG=1))
        await self.wait("TAG_VALID")


@cocotb.test()
async def vectors(dut):
    engine = Quick(dut, Wishbone(dut))
    await engine.start()
    control, key, done, refused = None, None, 0, 0
    for case in [*gcm_vectors.cavp()[::22], *gcm_vectors.wycheproof()]:
        for decrypt in (False, True):
            way = "decrypt" if decrypt else "encrypt"
            if case.direction not in (way, "") or not (case.valid or decrypt) or not case.iv:
                continue
            await engine.wait("IDLE")
            wanted = MAP["CTRL"].word(
                KEY_LEN=len(case.key) // 8 - 2, HOLD=1, ENC_MODE=3, GCM_DECRYPT=int(decrypt)
            )
            if control != wanted:
                await engine.write("CTRL", wanted)
                control = wanted
            if key != case.key:
                await engine.put("KEY", case.key)
                await engine.write("TRIGGER", TRIGGER(KEY=1))
                await engine.wait("KEY_VALID")
                key = case.key
            out, tag = await engine.message(case, decrypt)
            if decrypt:
                assert (tag is not None) == case.valid, case.name
                assert out == (case.plaintext if case.valid else b""), case.name
            else:
                assert (out, tag) == (case.ciphertext, case.tag), case.name
            done, refused = done + 1, refused + (tag is None)
    cocotb.log.info("%d messages, %d of them refused", done, refused)
    assert done >= 2500
