# SPDX-License-Identifier: Apache-2.0
"""Files, vectors and long random traffic through simulated streams, and refusals."""

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from typer.testing import CliRunner

from aesforge import cli
from aesforge.base.errors import SimulationError, UsageError
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.programs import stream_sim
from aesforge.programs.stream_sim import Script, Shape, Transfer
from aesforge.reference import gcm_vectors, stream_gcm

STREAMS = [found for found in manifest.discover() if found.manifest.kind == "stream"]
VARIANTS = [(found, variant) for found in STREAMS for variant in found.manifest.variant]
NAMES = [f"{a.name}-{v.name}" for a, v in VARIANTS]
BLOCKS = 5000
RANDOM_BLOCKS = int(os.environ.get("AESFORGE_STREAM_BLOCKS", "1000000"))
ECB = Shape("ecb", 1, 2, 1, (16,), (False, True), agile=True)


@pytest.mark.slow
@pytest.mark.parametrize(("accelerator", "variant"), VARIANTS, ids=NAMES)
def test_a_file_equals_openssl(accelerator: Accelerator, variant: Variant, tmp_path: Path) -> None:
    """Every variant, every direction and key size, with and without pauses."""
    rng = random.Random(2008)
    form = stream_sim.shape(accelerator, variant)
    program = stream_sim.build(accelerator, variant)
    text = rng.randbytes(16 * BLOCKS + (0 if form.mode == "ecb" else 5))
    iv = rng.randbytes({"ecb": 0, "ctr": 16}.get(form.mode, 12))
    aad = rng.randbytes(77) if form.mode == "gcm" else b""
    for pause, size in ((0, form.sizes[0]), (30, form.sizes[-1])):
        request = Transfer(rng.randbytes(size), iv, aad)
        both = (False, True) if form.mode == "gcm" else form.directions
        for decrypt in both:
            asked = replace(request, decrypt=decrypt)
            source = text
            if form.mode == "gcm" and decrypt:
                source, tag = stream_sim.openssl("gcm", text, request)
                asked = replace(asked, tag=tag)
            result, tag, played = stream_sim.transform(
                program, form, source, asked, tmp_path, idle=pause, stall=pause
            )
            assert (result, tag) == stream_sim.openssl(form.mode, source, asked)
            if not pause:
                assert played.cycles < len(played.beats) * form.beat_cycles + 100, "a bubble"
    if form.mode == "gcm":
        with pytest.raises(SimulationError, match="refused"):
            forged = replace(asked, tag=bytes(16))
            stream_sim.transform(program, form, source, forged, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accelerator", "variant"),
    [(a, v) for a, v in VARIANTS if stream_sim.shape(a, v).mode == "gcm"],
    ids=[
        n for n, (a, v) in zip(NAMES, VARIANTS, strict=True) if stream_sim.shape(a, v).mode == "gcm"
    ],
)
def test_all_gcm_vectors(accelerator: Accelerator, variant: Variant, tmp_path: Path) -> None:
    """Every case of CAVP and Wycheproof of the variant's key sizes: each beat, tag and verdict."""
    rng = random.Random(38)
    form = stream_sim.shape(accelerator, variant)
    script = Script(form)
    beats: list[stream_gcm.Beat] = []
    messages: list[stream_gcm.Message] = []
    cases = [c for c in gcm_vectors.cavp() + gcm_vectors.wycheproof() if len(c.key) in form.sizes]
    for number, case in enumerate(cases):
        slot = number % form.slots
        script.key(slot, case.key)
        for decrypt in {"encrypt": (False,), "decrypt": (True,)}.get(case.direction, (False, True)):
            if not case.valid and not decrypt and case.iv:
                continue  # only its tag is wrong
            message = stream_gcm.of_case(case, decrypt=decrypt)
            beats += script.message(message, rng, slot=slot, ident=number % 64 << 2)
            messages.append(message)
    program = stream_sim.build(accelerator, variant)
    played = stream_sim.play(program, script, tmp_path, idle=3, stall=3)
    assert len(played.beats) == len(beats)
    assert len(played.tags) == len(messages)
    for beat, got in zip(beats, played.beats, strict=True):
        assert beat.want is None or got.data[: form.width] == beat.want
    refused = [bool(tag.user & 1) for tag in played.tags]
    # All are of one stream, and come in order.
    assert refused == [not message.valid for message in messages]
    assert sum(refused) > 1000
    for message, got in zip(messages, played.tags, strict=True):
        wanted = message.tag if message.valid and not message.decrypt else bytes(16)
        assert got.data[: len(wanted)] == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accelerator", "variant"),
    [(a, a.manifest.variant[0]) for a in STREAMS],
    ids=[a.name for a in STREAMS],
)
def test_a_million_random_blocks(
    accelerator: Accelerator, variant: Variant, tmp_path: Path
) -> None:
    """Random keys, sizes, slots, directions, ids and back-pressure: each block as OpenSSL's."""
    form = stream_sim.shape(accelerator, variant)
    program = stream_sim.build(accelerator, variant)
    rng = random.Random(197)
    part = 100_000
    for start in range(0, RANDOM_BLOCKS, part):
        pause = (0, 10, 40)[start // part % 3]
        script, wanted = stream_sim.random_blocks(form, min(part, RANDOM_BLOCKS - start), rng)
        played = stream_sim.play(program, script, tmp_path, idle=pause, stall=pause, seed=start + 1)
        assert stream_sim.differences(script, played, wanted) == []


def test_only_streams_are_streamed() -> None:
    """A unit on another port is refused."""
    other = next(found for found in manifest.discover() if found.manifest.kind == "instruction")
    with pytest.raises(UsageError, match="is no stream"):
        stream_sim.build(other, other.manifest.variant[0])


def test_half_a_block_needs_another_mode(tmp_path: Path) -> None:
    """ECB takes whole blocks."""
    with pytest.raises(UsageError, match="whole number of blocks"):
        stream_sim.transform(Path("unused"), ECB, bytes(17), Transfer(bytes(16)), tmp_path)


@pytest.mark.parametrize(
    ("mode", "request_", "complaint"),
    [
        ("ctr", Transfer(bytes(16), iv=bytes(12)), "16 bytes"),
        ("gcm", Transfer(bytes(16), iv=bytes(12), decrypt=True), "needs a tag"),
    ],
)
def test_a_request_that_lacks_something(
    mode: str, request_: Transfer, complaint: str, tmp_path: Path
) -> None:
    """CTR needs its counter, GCM a tag to decrypt."""
    with pytest.raises(UsageError, match=complaint):
        stream_sim.transform(Path("unused"), replace(ECB, mode=mode), bytes(16), request_, tmp_path)


def test_a_harness_that_fails_is_an_error(tmp_path: Path) -> None:
    """Exit status and last words of the harness reach the user."""
    program = tmp_path / "stream"
    program.write_text("#!/bin/sh\necho 'error: nothing moves' >&2\nexit 101\n")
    program.chmod(0o755)
    with pytest.raises(SimulationError, match="status 101: error: nothing moves"):
        stream_sim.play(program, Script(ECB), tmp_path)


def test_differences_are_seen() -> None:
    """Other data, another id and a lost beat are told apart from what was sent."""
    script, wanted = stream_sim.random_blocks(ECB, 50, random.Random(1))
    sent = [r for r in script.read(script.packed()) if r.stream == 0]
    right = [
        replace(record, data=want.ljust(32, b"\0"))
        for record, want in zip(sent, wanted, strict=True)
    ]
    played = stream_sim.Played(right, [], 0, 0.0)
    assert stream_sim.differences(script, played, wanted) == []
    for spoiled in (
        [*right[:7], replace(right[7], data=bytes(32)), *right[8:]],
        [*right[:7], replace(right[7], ident=right[7].ident ^ 1), *right[8:]],
        [right[1], right[0], *right[2:]],
        right[:-1],
    ):
        assert stream_sim.differences(script, replace(played, beats=spoiled), wanted)


def test_forgeries_differ() -> None:
    """Each way to forge changes what is sent, and the result is what that deciphers to."""
    key, iv = bytes(16), bytes(12)
    sealed = stream_gcm.to_open(stream_gcm.seal(key, iv, b"header", b"some text"))
    for how in stream_gcm.FORGERIES:
        forged = stream_gcm.forge(sealed, how, 3)
        assert not forged.valid
        assert (forged.text, forged.aad, forged.tag) != (sealed.text, sealed.aad, sealed.tag)
        assert forged.result is not None
        assert len(forged.result) == 9
    changed = stream_gcm.forge(sealed, "text", 3).result
    assert changed is not None
    assert changed[0] ^ b"some text"[0] == 8


# The command --------------------------------------------------------------------------------------

GCM = next(((a, v) for a, v in VARIANTS if stream_sim.shape(a, v).mode == "gcm"), VARIANTS[0])


def stream(*words: object) -> Result:
    """Run `aesforge stream` in this process."""
    return CliRunner().invoke(cli.app, ["stream", *map(str, words)])


@pytest.mark.slow
def test_the_command_keeps_the_tag_with_the_text(tmp_path: Path) -> None:
    """A file goes through GCM and back; a forged one leaves nothing."""
    accelerator, variant = GCM
    plain, sealed, back = (tmp_path / name for name in ("plain", "sealed", "back"))
    plain.write_bytes(bytes(range(100)))
    how = ("--accel", accelerator.name, "--variant", variant.name, "--key", "00" * 16)
    how = (*how, "--iv", "01" * 12, "--aad", "02", "--verify")
    assert stream(plain, sealed, *how).exit_code == 0
    want = AESGCM(bytes(16)).encrypt(b"\1" * 12, plain.read_bytes(), b"\2")
    assert sealed.read_bytes() == want
    assert stream(sealed, back, *how, "-d").exit_code == 0
    assert back.read_bytes() == plain.read_bytes()
    back.unlink()
    sealed.write_bytes(bytes([want[0] ^ 1]) + want[1:])
    refused = stream(sealed, back, *how, "-d")
    assert isinstance(refused.exception, SimulationError) and not back.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "one key is needed"),
        (("--key", "00" * 16, "--key-file", "key"), "one key is needed"),
        (("--key", "0011"), "the key has 2 bytes"),
        (("--key", "00" * 16), "needs an IV"),
        (("--key", "00" * 24, "--iv", "01" * 12), "takes no key of 192 bits"),
        (("--key", "00" * 16, "--iv", "01" * 12, "-d"), "shorter than a tag"),
    ],
)
def test_a_bad_request_is_refused(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """Before anything is built, in one line."""
    accelerator, variant = GCM
    source = tmp_path / "in"
    source.write_bytes(b"short")
    done = stream(
        source, tmp_path / "out", "--accel", accelerator.name, "--variant", variant.name, *words
    )
    assert isinstance(done.exception, UsageError) and said in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_what_is_on_no_stream_is_refused(tmp_path: Path) -> None:
    """The error names the command to use."""
    other = next(a for a in manifest.discover() if a.manifest.kind == "instruction")
    done = stream(tmp_path / "in", tmp_path / "out", "--accel", other.name, "--key", "00" * 16)
    assert isinstance(done.exception, UsageError) and "aesforge run" in str(done.exception)
