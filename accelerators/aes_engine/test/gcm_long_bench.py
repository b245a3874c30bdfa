# SPDX-License-Identifier: Apache-2.0
"""GCM through Wishbone: every case of CAVP and of Wycheproof but those without IV, which the driver
refuses. The bus waits (CTRL.HOLD), a message has no more accesses than its driver needs;
gcm_player.sv makes them and compares what is read."""

from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from engine_driver import MAP

from aesforge.reference import gcm_vectors
from aesforge.verify.bus_masters import PERIOD_NS

TRIGGER, GCM, STATUS = (MAP[name].word for name in ("TRIGGER", "GCM", "STATUS"))
ROOM = 16  # bytes of a block
WRITE, READ, POLL = range(3)
STEP = 100_000  # cycles between two looks at the player
CYCLES = 50_000_000  # bound of the whole


class Script:
    """Accesses, one a line of gcm_player.sv."""

    def __init__(self):
        self.lines = []
        self.control = self.key = None

    def access(self, kind, name, word, index=0, mask=0):
        """Append one; of a read `mask` tells which bits are known."""
        self.lines.append(f"{kind:x} {MAP[name].address + 4 * index:x} {word:x} {mask:x}\n")

    def put(self, name, data):
        """Write bytes to registers that follow each other."""
        for at in range(0, len(data), 4):
            self.access(WRITE, name, int.from_bytes(data[at : at + 4], "little"), at // 4)

    def expect(self, name, data):
        """Read four registers whose first bytes are known."""
        filled, known = data.ljust(ROOM, b"\0"), (b"\xff" * len(data)).ljust(ROOM, b"\0")
        for at in range(0, ROOM, 4):
            word, mask = (int.from_bytes(part[at : at + 4], "little") for part in (filled, known))
            self.access(READ, name, word, at // 4, mask)

    def wait(self, flag):
        """Poll a flag of STATUS."""
        self.access(POLL, "STATUS", STATUS(**{flag: 1}), mask=STATUS(**{flag: 1}))

    def fed(self, data, text, out=None):
        """Blocks to the hash or, if `out` is what must come, through the cipher."""
        size = ROOM
        for at in range(0, len(data), ROOM):
            piece = data[at : at + ROOM]
            if len(piece) != size or at == 0:
                size = len(piece)
                self.access(WRITE, "GCM", GCM(BYTES=size % ROOM, TEXT=text))
            self.put("HASH_IN" if out is None else "ENC_DATA_IN", piece.ljust(ROOM, b"\0"))
            if out is not None:
                # What is after the text comes out as zero.
                self.expect("ENC_DATA_OUT", out[at : at + ROOM].ljust(ROOM, b"\0"))

    def begin(self, case):
        """IV and associated data."""
        self.wait("IDLE")
        if len(case.iv) == 12:
            self.put("ENC_IV", case.iv + bytes([0, 0, 0, 1]))
            self.access(WRITE, "TRIGGER", TRIGGER(START=1))
        else:
            self.access(WRITE, "TRIGGER", TRIGGER(START=1))
            self.fed(case.iv, 0)
            self.fed((8 * len(case.iv)).to_bytes(ROOM, "big"), 0)
            self.wait("IDLE")
            self.access(WRITE, "TRIGGER", TRIGGER(START=1, IV_HASH=1))
        self.fed(case.aad, 0)

    def finish(self, equal):
        """The lengths; then the tag is there, and STATUS tells whether it was equal."""
        self.access(WRITE, "TRIGGER", TRIGGER(TAG=1))
        self.wait("TAG_VALID")
        self.access(READ, "STATUS", STATUS(TAG_EQUAL=equal), mask=STATUS(TAG_EQUAL=1))

    def message(self, case, decrypt):
        """Encrypt, or verify and, if authentic, decrypt."""
        self.wait("IDLE")
        wanted = MAP["CTRL"].word(
            KEY_LEN=len(case.key) // 8 - 2, HOLD=1, ENC_MODE=3, GCM_DECRYPT=int(decrypt)
        )
        if self.control != wanted:
            self.access(WRITE, "CTRL", wanted)
            self.control = wanted
        if self.key != case.key:
            self.put("KEY", case.key)
            self.access(WRITE, "TRIGGER", TRIGGER(KEY=1))
            self.wait("KEY_VALID")
            self.key = case.key
        self.begin(case)
        if not decrypt:
            self.fed(case.plaintext, 0, case.ciphertext)
            self.finish(0)
            self.expect("TAG", case.tag)
            return
        self.fed(case.ciphertext, 1)
        self.access(WRITE, "GCM", GCM(BYTES=len(case.tag) % ROOM))
        self.put("TAG", case.tag.ljust(ROOM, b"\0"))
        self.finish(int(case.valid))
        if case.valid:
            self.begin(case)
            self.fed(case.ciphertext, 0, case.plaintext)


@cocotb.test()
async def vectors(dut):
    script, ends, refused = Script(), [], 0
    for case in [*gcm_vectors.cavp(), *gcm_vectors.wycheproof()]:
        for decrypt in (False, True):
            way = "decrypt" if decrypt else "encrypt"
            if case.direction not in (way, "") or not (case.valid or decrypt) or not case.iv:
                continue
            script.message(case, decrypt)
            ends.append((len(script.lines), case.name))
            refused += decrypt and not case.valid
    Path("accesses.txt").write_text("".join(script.lines), encoding="ascii")
    dut.go_i.value = 0
    dut.rst_ni.value = 0
    cocotb.start_soon(Clock(dut.clk_i, PERIOD_NS, "ns").start())
    await ClockCycles(dut.clk_i, 3)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk_i)
    dut.go_i.value = 1
    for _ in range(CYCLES // STEP):
        await ClockCycles(dut.clk_i, STEP)
        if int(dut.done_o.value) or int(dut.failed_o.value):
            break
    lines = int(dut.line_o.value)
    assert not int(dut.failed_o.value), next(name for end, name in ends if end > lines)
    assert int(dut.done_o.value) and lines == len(script.lines)
    cocotb.log.info("%d messages, %d refused, %d accesses", len(ends), refused, lines)
    assert len(ends) >= gcm_vectors.CAVP_COUNT
