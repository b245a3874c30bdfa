# SPDX-License-Identifier: Apache-2.0
"""rtl/masked/masked_cipher.sv: AES of all lengths, times without data, wiping, and its cones."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import masked_support as masked
import simulator_support as simulator
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import library
from aesforge.catalog import planted
from aesforge.model import fips197
from aesforge.probing import annotation, circuit, probe
from aesforge.probing.check import Checker
from aesforge.probing.circuit import Circuit
from aesforge.synth.flow import TARGETS
from aesforge.verify import lint
from marks_support import slow_unless

MAIN = Path(__file__).parent / "masked" / "cipher_main.cpp"
ROUND = ROOT / "rtl/masked/masked_round.probe.toml"
ROUNDS = {16: 10, 24: 12, 32: 14}

# FIPS 197, appendix C: the key is the beginning of 00 to 1f.
PLAIN = bytes.fromhex("00112233445566778899aabbccddeeff")
CIPHER = {
    16: "69c4e0d86a7b0430d8cdb78070b4c55a",
    24: "dda97ca4864cdfe06eaf70a0ec0d7191",
    32: "8ea2b7ca516745bfeafc49904b496089",
}

# Planted bugs that a run of blocks shows, and those that a look at the state after a wipe shows.
WRONG = (
    "BUG_MASKED_WRAP",
    "BUG_MASKED_CONSTANT_TWICE",
    "BUG_MASKED_MIDDLE",
    "BUG_MASKED_NO_ROTATION",
    "BUG_MASKED_SECOND_KEY",
    "BUG_MASKED_REFRESH_ONCE",
)
KEPT = ("BUG_MASKED_KEEPS_KEY", "BUG_MASKED_KEEPS_EXPANSION")
UNSEEDED = ("BUG_MASKED_UNSEEDED", "BUG_MASKED_KEEPS_UNSEEDED")
# Each bug is a simulator of its own: one of each kind by default.
FIRST = (WRONG[0], KEPT[0], UNSEEDED[0])


def simulate(scratch: Path, commands: Sequence[str], bug: str = "") -> list[list[str]]:
    """Return the words of each line that cipher_main.cpp prints."""
    simulation = simulator.program(MAIN, "masked_cipher", bug, "--savable")
    return simulator.run(simulation, scratch, commands, check=False)


def words(octets: bytes) -> list[str]:
    """Return words as the ports have them: row 0 lowest."""
    return [octets[at : at + 4][::-1].hex() for at in range(0, len(octets), 4)]


def shared(rng: random.Random, octets: bytes) -> str:
    """Return both shares of a key or block, one after the other."""
    mask = rng.randbytes(len(octets))
    return " ".join(words(bytes(a ^ b for a, b in zip(octets, mask, strict=True))) + words(mask))


def key_command(rng: random.Random, key: bytes) -> str:
    """Return the command that loads a key."""
    return f"k {len(key) // 8 - 2} {shared(rng, key)}"


def block_command(rng: random.Random, blocks: Sequence[tuple[int, bytes]]) -> str:
    """Return the command that encrypts blocks, each with the cycles before it is offered."""
    return f"b {len(blocks):x} " + " ".join(
        f"{gap:x} {shared(rng, block)}" for gap, block in blocks
    )


@dataclass(frozen=True)
class Out:
    """A result: the cycles of its first word in, its first and last word out; its value."""

    taken: int
    first: int
    last: int
    block: bytes


def results(printed: Sequence[Sequence[str]]) -> list[Out]:
    """Return the results that a run printed."""
    return [
        Out(
            *(int(number, 16) for number in line[1:4]),
            b"".join(bytes.fromhex(word)[::-1] for word in line[4:8]),
        )
        for line in printed
        if line[0] == "out"
    ]


def jobs(seed: int, keys: int = 12) -> tuple[list[str], list[bytes]]:
    """Return commands with random keys and blocks at random times, and the right ciphertexts."""
    rng = random.Random(seed)
    commands, wanted = [f"s {seed:x}"], []
    for number in range(keys):
        key = rng.randbytes((16, 24, 32)[number % 3])
        commands.append(key_command(rng, key))
        for _ in range(2):
            blocks = [(rng.choice((0, 0, 0, 1, 3, 9, 100)), rng.randbytes(16)) for _ in range(5)]
            commands.append(block_command(rng, blocks))
            wanted += [fips197.cipher(block, key) for _, block in blocks]
    return commands, wanted


# Values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", ROUNDS)
def test_the_vectors_of_the_standard(tmp_path: Path, length: int) -> None:
    """A block alone and two together, each twice, as the round keys have to begin again."""
    rng = random.Random(length)
    key = bytes(range(length))
    pair = block_command(rng, [(0, PLAIN), (0, PLAIN)])
    alone = block_command(rng, [(0, PLAIN)])
    printed = simulate(tmp_path, ["s 5", key_command(rng, key), alone, alone, pair, pair])
    assert [out.block.hex() for out in results(printed)] == [CIPHER[length]] * 6


def test_random_keys_and_blocks(tmp_path: Path) -> None:
    """All lengths, sharings and times; a new key follows another of each length."""
    commands, wanted = jobs(7)
    assert [out.block for out in results(simulate(tmp_path, commands))] == wanted


@pytest.mark.parametrize("bits", ["s 0", "s 1", "s ffffffff"])
def test_sums_do_not_depend_on_fresh_bits(tmp_path: Path, bits: str) -> None:
    """Not even where all of them are zero."""
    commands, wanted = jobs(8, 3)
    assert [out.block for out in results(simulate(tmp_path, [bits, *commands[1:]]))] == wanted


@pytest.mark.parametrize("bug", slow_unless(FIRST.__contains__, WRONG))
def test_a_planted_bug_is_seen(tmp_path: Path, bug: str) -> None:
    """In the same run."""
    commands, wanted = jobs(7)
    assert [out.block for out in results(simulate(tmp_path, commands, bug))] != wanted


# Times --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", ROUNDS)
def test_times_of_blocks(tmp_path: Path, length: int) -> None:
    """9 cycles a round, whatever is encrypted and how it is shared; two blocks in the same time."""
    rng = random.Random(length)
    rounds = ROUNDS[length]
    seen = set()
    for _ in range(5):
        commands = [f"s {rng.randrange(1, 1 << 32):x}", key_command(rng, rng.randbytes(length))]
        commands.append(block_command(rng, [(0, rng.randbytes(16)) for _ in range(6)]))
        printed = simulate(tmp_path, commands)
        outs = results(printed)
        assert {out.first - out.taken for out in outs} == {9 * rounds + 1}
        assert {out.last - out.taken + 1 for out in outs} == {9 * rounds + 5}  # both included
        starts = [out.taken for out in outs]
        between = [after - before for before, after in itertools.pairwise(starts)]
        assert between == [4, 9 * (rounds + 1) - 4, 4, 9 * (rounds + 1) - 4, 4]
        seen.add(tuple(out.last - outs[0].taken for out in outs))
        assert printed[0] == ["key", f"{1 + 8 + 9:x}"]
    assert len(seen) == 1


# What is refused, and what a wipe leaves ----------------------------------------------------------


def test_nothing_without_fresh_bits(tmp_path: Path) -> None:
    """Neither words nor blocks are taken; a key from before is gone."""
    rng = random.Random(1)
    load = key_command(rng, bytes(16))
    commands = ["s 1", "a 40", load, "a 4", "w", "a 200", load, "v 0", "a 200", "v 1", "a 200"]
    printed = simulate(tmp_path, commands)
    assert [line for line in printed if line[0] == "ready"] == [
        ["ready", f"{count:x}"] for count in (0, 4, 0, 0, 0)
    ]


@pytest.mark.parametrize("bug", slow_unless(FIRST.__contains__, UNSEEDED))
def test_work_without_fresh_bits_is_seen(tmp_path: Path, bug: str) -> None:
    """The planted bug takes a word when they fail, or keeps the key for the time after."""
    rng = random.Random(1)
    commands = ["s 1", key_command(rng, bytes(16)), "v 0", "a 3", "v 1", "a 200"]
    right, wrong = (simulate(tmp_path, commands, name) for name in ("", bug))
    assert right[1:] == [["ready", "0"]] * 2
    assert wrong != right


def after_wipe(scratch: Path, seed: int, when: int, bits: int, bug: str = "") -> tuple[str, str]:
    """Return all bits of the model in the middle of a block, and after the wipe that follows."""
    rng = random.Random(seed)
    length = (16, 24, 32)[when % 3]
    commands = [
        "s 3",
        key_command(rng, rng.randbytes(length)),
        block_command(rng, [(0, rng.randbytes(16)), (0, rng.randbytes(16))]),
        f"a {when:x}",
        *("d", f"s {bits:x}", "w", "d"),
    ]
    states = [line[1] for line in simulate(scratch, commands, bug) if line[0] == "state"]
    return states[0], states[1]


@pytest.mark.parametrize("when", [1, 7, 23, 50, 96, 110])
def test_a_wipe_leaves_nothing(tmp_path: Path, when: int) -> None:
    """Every bit is what it is after another key and other data; it depends on the fresh bits."""
    before, after = after_wipe(tmp_path, 1, when, 4)
    other_before, other_after = after_wipe(tmp_path, 2, when, 4)
    assert before != other_before
    assert after == other_after
    assert after != after_wipe(tmp_path, 1, when, 5)[1]


def test_a_wipe_takes_sixteen_cycles(tmp_path: Path) -> None:
    """Whether there is a key or not."""
    rng = random.Random(1)
    printed = simulate(tmp_path, ["s 1", "w", key_command(rng, bytes(16)), "w"])
    assert [line for line in printed if line[0] == "wiped"] == [["wiped", "10"]] * 2


@pytest.mark.parametrize("bug", slow_unless(FIRST.__contains__, KEPT))
def test_what_a_wipe_leaves_is_seen(tmp_path: Path, bug: str) -> None:
    """The planted bug keeps a part of the state."""
    assert after_wipe(tmp_path, 1, 23, 4, bug)[1] != after_wipe(tmp_path, 2, 23, 4, bug)[1]


# Probes -------------------------------------------------------------------------------------------


@cache
def whole(target: str, bug: str = "") -> Circuit:
    """Map the core."""
    files = planted.plant(
        bug, planted.shared(), library.library().files(["masked_cipher"]), BUILD / "probe" / "rtl"
    )
    return masked.whole(files, "masked_cipher", target, bug)


@pytest.mark.parametrize("target", ["cmos", "ecp5-85f"])
def test_no_cone_has_both_sides(target: str) -> None:
    """What crosses between the sides are factors with a fresh bit, and control has no side."""
    mapped = whole(target)
    cones = mapped.cones() | {net: frozenset((net,)) for net in mapped.registers}
    assert not [
        mapped.name(net) for net in mapped.cells if len(masked.sides(mapped, cones[net])) > 1
    ]
    crossing, shares = 0, 0
    for register, data in mapped.registers.items():
        cone = cones.get(data, frozenset((data,)))
        told, own = masked.sides(mapped, cone), masked.side(mapped.name(register))
        if not own:
            assert not told
            continue
        shares += 1
        if own not in told:
            crossing += told != set()
            assert any(mapped.inputs.get(net, ("", 0))[0] == "random_i" for net in cone)
    assert crossing == 4 * 2 * (4 + 2 + 2 + 4)
    assert shares == 4 * 140 + 2 * (32 + 144 + 32 + 512)


@cache
def data_path(bug: str = "") -> Circuit:
    """Map the round's data path."""
    design = probe.design(ROUND, annotation.load(ROUND), bug)
    folder = BUILD / "probe" / f"test-masked_round-{bug}"
    return circuit.map_design(design, TARGETS["cmos"], folder, folder / "log")


def reason(wire: str, bug: str = "", *, transitions: bool = False) -> str:
    """Return why a wire of the data path is refused."""
    mapped = data_path(bug)
    cones = mapped.cones()
    net = next(net for net in cones if mapped.name(net) == wire)
    checker = Checker(mapped, annotation.load(ROUND))
    return probe.decide(mapped, checker, cones[net], transitions=transitions)


@pytest.mark.slow
def test_the_data_path_is_secure() -> None:
    """Every wire, with glitches."""
    mapped = data_path()
    wires = probe.inspect(mapped, annotation.load(ROUND))
    assert len(wires) == len(mapped.wires()) > 4000
    assert [wire for wire in wires if wire.reason] == []


def test_outputs_of_the_data_path_are_secure() -> None:
    """Those whose cones are the largest, and that planted bugs show."""
    for wire in ("state0_o[0]", "state1_o[8]"):
        assert reason(wire) == ""
    assert reason("state0_o[1]", transitions=True) == ""


def test_a_bus_of_both_shares_is_refused() -> None:
    """The cone of one multiplexer has both; so it is in the core."""
    assert reason("state0_o[0]", "BUG_MASKED_ONE_BUS").endswith("together depend on a secret")
    mapped = whole("cmos", "BUG_MASKED_ONE_BUS")
    cones = mapped.cones()
    assert [net for net in mapped.cells if len(masked.sides(mapped, cones[net])) > 1]


def test_one_set_of_bits_for_four_sboxes_is_refused() -> None:
    """MixColumns joins products with the same masks."""
    assert reason("state0_o[0]", "BUG_MASKED_ROUND_ONE_SET")


def test_masks_in_empty_columns_are_refused() -> None:
    """A probe with transitions sees a mask and, a cycle later, what it masks."""
    assert reason("state0_o[1]", "BUG_MASKED_EMPTY_MASKS", transitions=True)


# Readers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", lint.TOOLS)
def test_readers_have_nothing_to_say(tool: str, tmp_path: Path) -> None:
    """All four tools read the modules without a warning."""
    files = library.library().files(["masked_cipher"])
    assert lint.lint(tool, files, "masked_cipher", scratch=tmp_path).messages == ()
