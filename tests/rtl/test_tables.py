# SPDX-License-Identifier: Apache-2.0
"""rtl/core/aes_tables.sv on its own: results, exact cycles, back-pressure, key changes, wiping."""

import random
import struct
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import simulator_support as simulator
from aesforge.build import library
from aesforge.verify import lint
from marks_support import slow_unless

MAIN = Path(__file__).parent / "tables" / "tables_main.cpp"
KEY_CYCLES = {(0, 16): 90, (0, 24): 106, (0, 32): 122, (1, 16): 112, (1, 24): 122, (1, 32): 150}
PIPE_REGS = (0, 1)
BUGS = (
    "BUG_TABLES_KEY",
    "BUG_TABLES_UNMIX",
    "BUG_TABLES_LAST",
    "BUG_TABLES_INVERSE",
    "BUG_TABLES_LOAD",
    "BUG_TABLES_LENGTH",
    "BUG_TABLES_HOLD",
)
Blocks = list[tuple[int, bytes]]  # port, 1 decrypts, and block


def words(data: bytes) -> str:
    """Bytes as little-endian words."""
    return " ".join(f"{word:x}" for (word,) in struct.iter_unpack("<I", data))


def key_line(key: bytes) -> str:
    """Return the command that sets a key."""
    return f"k {len(key) // 8 - 2:x} {words(key)}"


def blocks_line(blocks: Blocks, seed: int = 0) -> str:
    """Return the command that runs blocks."""
    return f"b {seed:x} {len(blocks):x} " + " ".join(f"{port} {words(b)}" for port, b in blocks)


def simulate(scratch: Path, regs: int, lines: Iterable[str], bug: str = "") -> list[list[str]]:
    """Return what was printed, as words."""
    simulation = simulator.program(MAIN, "aes_tables", bug, f"-GPipeRegs={regs}")
    return simulator.run(simulation, scratch, lines)


def results(printed: Iterable[list[str]], port: int) -> list[bytes]:
    """Return the results of a port, in order."""
    found = [line[2:] for line in printed if line[0] == str(port)]
    return [struct.pack("<4I", *(int(word, 16) for word in line)) for line in found]


def openssl(key: bytes, port: int, blocks: Blocks) -> list[bytes]:
    """Return another implementation's results."""
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    worker = cipher.decryptor() if port else cipher.encryptor()
    return [worker.update(block) for at, block in blocks if at == port]


def mixture(rng: random.Random, count: int) -> Blocks:
    """Return random blocks for random ports."""
    return [(rng.getrandbits(1), rng.randbytes(16)) for _ in range(count)]


def right(scratch: Path, regs: int, bug: str = "") -> bool:
    """Whether keys of all lengths, written one after the other, give right results with pauses."""
    rng = random.Random("tables")
    runs = [(rng.randbytes(rng.choice((16, 24, 32))), mixture(rng, 40)) for _ in range(12)]
    lines = [
        line
        for at, (key, blocks) in enumerate(runs, 1)
        for line in (key_line(key), blocks_line(blocks, at))
    ]
    printed = simulate(scratch, regs, lines, bug)
    begins = [at for at, line in enumerate(printed) if line[0] == "key"]
    return all(
        results(printed[begin:end], port) == openssl(key, port, blocks)
        for (key, blocks), begin, end in zip(runs, begins, [*begins[1:], None], strict=True)
        for port in (0, 1)
    )


@pytest.mark.parametrize("regs", PIPE_REGS)
def test_right_with_pauses(tmp_path: Path, regs: int) -> None:
    """Both directions at once, any pauses of either side, and key after key."""
    assert right(tmp_path, regs)


@pytest.mark.parametrize("bug", slow_unless(BUGS[:3].__contains__, BUGS))
def test_a_planted_bug_is_seen(tmp_path: Path, bug: str) -> None:
    """In the same run."""
    assert not right(tmp_path, 1, bug)


@pytest.mark.parametrize(("regs", "length"), KEY_CYCLES)
@pytest.mark.parametrize("port", [0, 1])
def test_exact_cycles(tmp_path: Path, regs: int, length: int, port: int) -> None:
    """The cycles of a key, of a block, and from one block to the next."""
    rng = random.Random(length)
    key, rounds = rng.randbytes(length), (length // 4 + 6) * (1 + regs)
    blocks = [(port, rng.randbytes(16)) for _ in range(5)]
    lines = [key_line(key), blocks_line(blocks[:1]), blocks_line(blocks)]
    printed = simulate(tmp_path, regs, lines)
    assert printed[0] == ["key", str(KEY_CYCLES[regs, length])]
    turned = port  # the first block waits a cycle for its direction
    assert printed[1][:2] == [str(port), str(2 + rounds + turned)]
    cycles = [int(line[1]) for line in printed[3:-1]]
    assert cycles == [2 + rounds + (1 + rounds) * at for at in range(5)]
    assert results(printed[3:], port) == openssl(key, port, blocks)


@pytest.mark.parametrize("regs", PIPE_REGS)
def test_directions_take_turns(tmp_path: Path, regs: int) -> None:
    """Blocks that wait at both ports enter in turn, without a cycle in between."""
    blocks = [(at % 2, bytes([at]) * 16) for at in range(8)]
    printed = simulate(tmp_path, regs, [key_line(bytes(16)), blocks_line(blocks)])[1:-1]
    assert [line[0] for line in printed] in (list("01010101"), list("10101010"))
    cycles = [int(line[1]) for line in printed]
    assert {after - before for before, after in pairwise(cycles)} == {11 + 10 * regs}


@pytest.mark.parametrize("regs", PIPE_REGS)
@pytest.mark.parametrize("after", [0, 1, 2, 6, 11, 12, 13, 21, 22, 23])
def test_a_wipe_takes_32_cycles(tmp_path: Path, regs: int, after: int) -> None:
    """Neither key nor block is left, and the next key is right."""
    rng = random.Random(after)
    key, blocks = rng.randbytes(32), mixture(rng, 6)
    lines = [key_line(bytes(16)), f"w {after:x}", key_line(key), blocks_line(blocks)]
    printed = simulate(tmp_path, regs, lines)
    assert printed[1] == ["wiped", "32", "0"]
    for port in (0, 1):
        assert results(printed, port) == openssl(key, port, blocks)


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_readers_have_nothing_to_say(tool: str, tmp_path: Path) -> None:
    """All four tools read the module without a warning."""
    files = library.library().files(["aes_tables"])
    assert lint.lint(tool, files, "aes_tables", scratch=tmp_path).messages == ()
