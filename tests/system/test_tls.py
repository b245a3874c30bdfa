# SPDX-License-Identifier: Apache-2.0
"""OpenSSL and TLS on simulated cores: what works, and what must fail."""

import contextlib
import dataclasses
import itertools
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aesforge.base import proc
from aesforge.base.errors import Absent, SimulationError, UsageError
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import bearssl, mbedtls, openssl, tls
from aesforge.stacks.agreed import OFFERED, SERVER, Agreed, Cipher, Group, Role, Stack, Version

CORE = platform.discover()[-1].name  # one is enough for what must fail
# Functions; mbedtls_ecdsa_info is a table of pk_wrap.c, whose functions call PSA.
BUILT_IN = re.compile(r" [TtWw] mbedtls_(aes|gcm|ccm|cmac|ecp|ecdh|ecdsa|mpi)_\w+")
CURVES = [
    (accelerator, variant)
    for accelerator in manifest.discover()
    for variant in accelerator.manifest.variant
    if accelerator.manifest.kind == "instruction"
    and accelerator.manifest.has_ecc(variant)
    and variant.state_words
    and set(variant.directions) == {"encrypt", "decrypt"}
    and variant.by_default
]

CLIENT = Agreed(Role.client)
BEARSSL = Agreed(version=Version.tls12, stack=Stack.bearssl)
BEARSSL_CLIENT = dataclasses.replace(BEARSSL, role=Role.client)
TEXT = bytes(range(256)) * 20


def _agreed(stack: Stack) -> list[tuple[str, Agreed]]:
    """Everything that a stack can agree on, on one core; with one group on the others."""
    return [
        (core.name, Agreed(role, version, group, cipher, stack))
        for core in platform.discover()
        for role, version, group, cipher in itertools.product(Role, OFFERED[stack], Group, Cipher)
        if core.name == CORE or group is SERVER.group
    ]


def _all_slow_but(quick: Agreed) -> list[Any]:
    return [
        pytest.param(*one, marks=[] if one == (CORE, quick) else pytest.mark.slow)
        for one in _agreed(quick.stack)
    ]


def _named(one: str | Agreed) -> str:
    if isinstance(one, str):
        return one
    return f"{one.role} {one.version} {one.group} {one.cipher}"


@pytest.fixture(scope="module")
def bearssl_unit() -> tuple[Accelerator, Variant]:
    """A unit with curves; the test is skipped where BearSSL is not to be had."""
    try:
        bearssl.sources()
    except Absent as absent:
        pytest.skip(str(absent))
    return CURVES[-1]


@pytest.fixture(scope="module")
def unit() -> tuple[Accelerator, Variant]:
    """A unit with curves; the test is skipped where Mbed TLS is not to be had."""
    try:
        mbedtls.sources()
    except Absent as absent:
        pytest.skip(str(absent))
    return CURVES[-1]


@pytest.mark.parametrize(("core", "agreed"), _all_slow_but(SERVER), ids=_named)
def test_a_connection(unit: tuple[Accelerator, Variant], core: str, agreed: Agreed) -> None:
    """The text comes back, the phases add up, nothing of Mbed TLS's own crypto is linked."""
    names = _connected(unit, core, agreed)
    assert "aesforge_transparent_aead_encrypt" in names
    assert BUILT_IN.search("00000000 T mbedtls_aes_setkey_enc")
    assert BUILT_IN.findall(names) == []


@pytest.mark.parametrize(("core", "agreed"), _all_slow_but(BEARSSL_CLIENT), ids=_named)
def test_bearssl(bearssl_unit: tuple[Accelerator, Variant], core: str, agreed: Agreed) -> None:
    """The same with BearSSL, whose own ciphers and curves are not linked."""
    names = _connected(bearssl_unit, core, agreed)
    assert "br_aesforge_ghash" in names
    assert bearssl.BUILT_IN.findall(names) == []


def _connected(unit: tuple[Accelerator, Variant], core: str, agreed: Agreed) -> str:
    """Have a text echoed, look at the phases; return the names of the firmware's symbols."""
    host = platform.find(core)
    result = tls.connect(*unit, host, agreed, text=TEXT)
    assert sum(result.in_handshake) == pytest.approx(result.handshake, rel=0.01)
    assert sum(result.in_bulk) == pytest.approx(result.bulk, rel=0.01)
    phases = dict(zip(tls.PHASES, result.in_handshake, strict=True))
    absent = "ECDSA verify" if agreed.role is Role.server else "ECDSA sign"
    assert phases.pop(absent) == 0
    assert all(count > 0 for count in phases.values())
    assert result.in_bulk[tls.PHASES.index("records")] > 0
    built = tls.firmware(*unit, host, agreed)
    return proc.run(["riscv64-unknown-elf-nm", built.elf], timeout=60).stdout


@pytest.mark.slow
def test_bearssl_refuses_a_flipped_bit(bearssl_unit: tuple[Accelerator, Variant]) -> None:
    """BR_ERR_BAD_MAC."""
    with pytest.raises(SimulationError, match="a record was refused: 0x0007"):
        tls.connect(*bearssl_unit, platform.find(CORE), BEARSSL, peer=_through(_flip))


@pytest.mark.slow
def test_bearssl_sees_a_truncated_stream(bearssl_unit: tuple[Accelerator, Variant]) -> None:
    """A stream that ends early is not taken for the whole text."""
    with pytest.raises(SimulationError, match="the peer ended before it had sent"):
        tls.connect(*bearssl_unit, platform.find(CORE), BEARSSL, peer=_through(_cut))


@pytest.mark.slow
def test_bearssl_of_another_host(bearssl_unit: tuple[Accelerator, Variant]) -> None:
    """The client refuses the certificate, and the core says which alert it got."""
    other = openssl.credentials("other.test")
    with pytest.raises(SimulationError, match=r"the handshake failed: 0x01\w\w.*verify error"):
        tls.connect(*bearssl_unit, platform.find(CORE), BEARSSL, shown=other)


def test_what_bearssl_does_not_offer() -> None:
    """It is refused by name before anything is built."""
    other = dataclasses.replace(BEARSSL, version=Version.tls13)
    with pytest.raises(UsageError, match=r"--tls 1\.3 is not offered with --stack bearssl"):
        tls.connect(*CURVES[-1], platform.find(CORE), other)


# What a client refuses: credentials that are shown and trusted, what it says, and a mistake in the
# endpoint with which it accepts them.
REFUSED = {
    "authority": (
        lambda: (openssl.credentials(), openssl.credentials()),
        "the certificate is not signed by the authority: 0x003e",
        (
            "uint32_t good = br_aesforge_ecdsa_vrfy_asn1(",
            "uint32_t good = 1u | br_aesforge_ecdsa_vrfy_asn1(",
        ),
    ),
    "host": (
        lambda: (openssl.credentials("other.test"), None),
        "the certificate is of another host: 0x0038",
        ("AESFORGE_TLS_HOST, 0)", "NULL, 0)"),
    ),
    "expired": (
        lambda: (openssl.credentials(days=-1), None),
        "the certificate has expired or is not valid yet: 0x0036",
        ("+ now / SECONDS_OF_DAY", "+ now / SECONDS_OF_DAY - 30u"),
    ),
    "early": (
        lambda: (openssl.credentials(days=30, first=1), None),
        "the certificate has expired or is not valid yet: 0x0036",
        ("+ now / SECONDS_OF_DAY", "+ now / SECONDS_OF_DAY + 10u"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", REFUSED)
def test_the_bearssl_client_refuses(
    bearssl_unit: tuple[Accelerator, Variant],
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A certificate that is not right, and the check that sees it is the one that is meant."""
    make, complaint, (right, wrong) = REFUSED[what]
    shown, trusted = make()
    core = platform.find(CORE)
    with pytest.raises(SimulationError, match=f"the core: {complaint}"):
        tls.connect(*bearssl_unit, core, BEARSSL_CLIENT, shown=shown, trusted=trusted)
    shutil.copytree(tls.BEARSSL_ENDPOINT.parent, tmp_path / "tls")
    mistaken = tmp_path / "tls" / tls.BEARSSL_ENDPOINT.name
    text = mistaken.read_text(encoding="utf-8")
    assert text.count(right) == 1
    mistaken.write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr(tls, "BEARSSL_ENDPOINT", mistaken)
    result = tls.connect(
        *bearssl_unit, core, BEARSSL_CLIENT, text=TEXT, shown=shown, trusted=trusted
    )
    assert result.handshake > 0


@pytest.mark.slow
def test_bearssl_wants_its_group(
    bearssl_unit: tuple[Accelerator, Variant], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that takes the other group that a client has to offer in TLS 1.2."""
    command = openssl.server
    monkeypatch.setattr(
        openssl,
        "server",
        lambda *given: [word for word in command(*given) if word != "-serverpref"],
    )
    agreed = dataclasses.replace(BEARSSL_CLIENT, group=Group.x25519)
    with pytest.raises(SimulationError, match="the peer has chosen another group: 0x0017"):
        tls.connect(*bearssl_unit, platform.find(CORE), agreed)


@pytest.mark.slow
def test_another_authority(unit: tuple[Accelerator, Variant]) -> None:
    """The client refuses a certificate that its authority has not signed."""
    with pytest.raises(SimulationError, match="verify error"):
        tls.connect(*unit, platform.find(CORE), trusted=openssl.credentials())


@pytest.mark.slow
def test_another_host(unit: tuple[Accelerator, Variant]) -> None:
    """The client refuses a certificate of another host."""
    with pytest.raises(SimulationError, match="verify error"):
        tls.connect(*unit, platform.find(CORE), shown=openssl.credentials("other.test"))


@pytest.mark.slow
def test_expired(unit: tuple[Accelerator, Variant]) -> None:
    """The client refuses a certificate that has expired."""
    with pytest.raises(SimulationError, match="verify error"):
        tls.connect(*unit, platform.find(CORE), shown=openssl.credentials(days=-1))


@pytest.mark.slow
def test_a_silent_peer(unit: tuple[Accelerator, Variant]) -> None:
    """A peer that says nothing ends the run within the time limit."""
    kept = []

    def silent(port: int, place: Path, agreed: Agreed) -> None:
        kept.append(socket.create_connection(("127.0.0.1", port)))

    began = time.monotonic()
    with pytest.raises(SimulationError, match="has sent nothing within the time limit"):
        tls.connect(*unit, platform.find(CORE), patience=2, peer=silent)
    assert time.monotonic() - began < 300  # the first run builds
    kept[0].close()


@pytest.mark.slow
def test_nobody(unit: tuple[Accelerator, Variant]) -> None:
    """So does nobody."""
    with pytest.raises(SimulationError, match="nobody has connected"):
        tls.connect(*unit, platform.find(CORE), patience=2, peer=lambda port, place, agreed: None)


@pytest.mark.slow
def test_port_in_use(unit: tuple[Accelerator, Variant]) -> None:
    """A port that is taken is named."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SimulationError, match=f"cannot listen at port {port}"):
            tls.connect(*unit, platform.find(CORE), port=port)


def _through(change: Callable[[bytes, int], bytes]) -> tls.Peer:
    """Return a client whose bytes pass `change`, with the number of bytes before them."""

    def client(port: int, place: Path, agreed: Agreed) -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()

            def forward() -> None:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", port))

                def copy(source: socket.socket, target: socket.socket, changed: bool) -> None:
                    count = 0
                    with contextlib.suppress(OSError):
                        while data := source.recv(65536):
                            passed = change(data, count) if changed else data
                            target.sendall(passed)
                            count += len(data)
                            if len(passed) < len(data):
                                break
                    for end in (source, target):
                        with contextlib.suppress(OSError):
                            end.shutdown(socket.SHUT_RDWR)

                back = threading.Thread(target=copy, args=(far, near, False), daemon=True)
                back.start()
                copy(near, far, True)
                back.join(60)

            relay = threading.Thread(target=forward, daemon=True)
            relay.start()
            command = openssl.client(listener.getsockname()[1], place / "ca.pem", agreed)
            line = 'exec "$@" <"$0/text" >"$0/back"'
            proc.run(["sh", "-c", line, place, *command], timeout=600, check=False)
            relay.join(60)

    return client


FAR = 4000  # bytes into the connection: after the handshake, inside the second record of data


def _flip(data: bytes, before: int) -> bytes:
    """Change one bit of the byte number FAR."""
    at = FAR - before
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :] if 0 <= at < len(data) else data


def _cut(data: bytes, before: int) -> bytes:
    """End the connection before the byte number FAR."""
    return data[: max(FAR - before, 0)]


@pytest.mark.slow
def test_the_proxy_is_transparent(unit: tuple[Accelerator, Variant]) -> None:
    """Without a change the connection works: the next two tests fail for their reason."""
    client = _through(lambda data, before: data)
    assert tls.connect(*unit, platform.find(CORE), peer=client).handshake > 0


@pytest.mark.slow
def test_a_flipped_bit(unit: tuple[Accelerator, Variant]) -> None:
    """A record that was changed on its way is refused: bad record MAC."""
    with pytest.raises(SimulationError, match="a record was refused: -0x7180"):
        tls.connect(*unit, platform.find(CORE), peer=_through(_flip))


@pytest.mark.slow
def test_a_truncated_stream(unit: tuple[Accelerator, Variant]) -> None:
    """A stream that ends early is not taken for the whole text."""
    with pytest.raises(SimulationError, match="the peer ended before it had sent"):
        tls.connect(*unit, platform.find(CORE), peer=_through(_cut))


@pytest.mark.slow
def test_the_client_trusts_no_other_authority(unit: tuple[Accelerator, Variant]) -> None:
    """A core that is the client refuses a certificate that its authority has not signed."""
    with pytest.raises(SimulationError, match="the core: the handshake failed: -0x2700"):
        tls.connect(*unit, platform.find(CORE), CLIENT, trusted=openssl.credentials())


@pytest.mark.slow
def test_the_client_wants_its_host(unit: tuple[Accelerator, Variant]) -> None:
    """It refuses the certificate of another host too."""
    with pytest.raises(SimulationError, match="the core: the handshake failed: -0x2700"):
        tls.connect(*unit, platform.find(CORE), CLIENT, shown=openssl.credentials("other.test"))


@pytest.mark.slow
def test_a_server_that_is_not_there(unit: tuple[Accelerator, Variant]) -> None:
    """A client that reaches nobody ends within the time limit and names the port."""
    with pytest.raises(SimulationError, match=r"cannot connect to port \d+ of 127"):
        tls.connect(*unit, platform.find(CORE), CLIENT, patience=1, peer=lambda *given: None)


@pytest.mark.slow
@pytest.mark.parametrize("stack", Stack)
def test_a_server_that_sends_less(stack: Stack, request: pytest.FixtureRequest) -> None:
    """A server that ends early has not sent the whole text."""
    unit = request.getfixturevalue("unit" if stack is Stack.mbedtls else "bearssl_unit")
    agreed = CLIENT if stack is Stack.mbedtls else BEARSSL_CLIENT

    def short(port: int, place: Path, agreed: Agreed) -> None:
        (place / "text").write_bytes(TEXT[:100])
        command = openssl.server(port, place / "key", place / "certificate", agreed)
        line = '(cat "$0/text"; sleep 2; kill -INT $$) | exec "$@" >"$0/back"'
        proc.run(["sh", "-c", line, place, *command], timeout=600, check=False)

    with pytest.raises(SimulationError, match="the core: the peer ended before it had sent"):
        tls.connect(*unit, platform.find(CORE), agreed, text=TEXT, peer=short)


@pytest.mark.slow
def test_on_a_terminal(unit: tuple[Accelerator, Variant]) -> None:
    """`--interactive`: what is typed comes back, and the end of the input ends the run."""
    name = f"{unit[0].name}/{unit[1].name}"
    words = ["-m", "aesforge", "tls", "--accel", name, "--platform", CORE, "--interactive"]
    with subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None and program.stdout is not None
        program.stdin.write("good morning\n")
        program.stdin.flush()
        assert program.stdout.readline() == "good morning\n"
        rest, _ = program.communicate(timeout=300)
    assert program.returncode == 0
    assert "ECDSA sign" in rest and "█" in rest


@pytest.mark.slow
def test_nothing_stays(unit: tuple[Accelerator, Variant]) -> None:
    """After failures no simulator of this process runs."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes()
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        assert not (b"+listen=" in words and parent == os.getpid())
