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
from aesforge.bench import job
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.stacks import bearssl, mbedtls, openssl, own, tls, tls_figures, wolfssl
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
WOLFSSL = Agreed(stack=Stack.wolfssl)
WOLFSSL_CLIENT = dataclasses.replace(WOLFSSL, role=Role.client)
SERVERS = {agreed.stack: agreed for agreed in (SERVER, BEARSSL, WOLFSSL)}
CLIENTS = {agreed.stack: agreed for agreed in (CLIENT, BEARSSL_CLIENT, WOLFSSL_CLIENT)}
SOURCES = {
    Stack.mbedtls: mbedtls.sources,
    Stack.bearssl: bearssl.sources,
    Stack.wolfssl: wolfssl.sources,
}
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


def _published(entry: Record) -> str:
    return f"{entry.accelerator}-{entry.variant}-{entry.platform}-{entry.question.split()[-1]}"


def _unit(stack: Stack) -> tuple[Accelerator, Variant]:
    """A unit with curves; the test is skipped where the stack is not to be had."""
    try:
        SOURCES[stack]()
    except Absent as absent:
        pytest.skip(str(absent))
    return CURVES[-1]


def _named(one: str | Agreed) -> str:
    if isinstance(one, str):
        return one
    return f"{one.role} {one.version} {one.group} {one.cipher}"


@pytest.fixture(scope="module")
def bearssl_unit() -> tuple[Accelerator, Variant]:
    """A unit with curves; the test is skipped where BearSSL is not to be had."""
    return _unit(Stack.bearssl)


@pytest.fixture(scope="module")
def wolfssl_unit() -> tuple[Accelerator, Variant]:
    """A unit with curves; the test is skipped where wolfSSL is not to be had."""
    return _unit(Stack.wolfssl)


@pytest.fixture(scope="module")
def unit() -> tuple[Accelerator, Variant]:
    """A unit with curves; the test is skipped where Mbed TLS is not to be had."""
    return _unit(Stack.mbedtls)


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
    # One cipher is linked.
    assert ("br_aesforge_ghash" in names) == (agreed.cipher is not Cipher.ccm128)
    assert ("br_aesforge_ctrcbc" in names) == (agreed.cipher is Cipher.ccm128)
    assert bearssl.BUILT_IN.findall(names) == []


@pytest.mark.slow  # the default run has a connection of each role already
@pytest.mark.parametrize(("core", "agreed"), _agreed(Stack.wolfssl), ids=_named)
def test_wolfssl(wolfssl_unit: tuple[Accelerator, Variant], core: str, agreed: Agreed) -> None:
    """The same with wolfSSL, whose own ciphers and curves are not linked."""
    names = _connected(wolfssl_unit, core, agreed)
    assert "aesforge_wolfssl_cipher" in names
    assert wolfssl.BUILT_IN.findall(names) == []


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
    return _names(unit, core, agreed)


def _names(unit: tuple[Accelerator, Variant], core: str, agreed: Agreed) -> str:
    """Return the names of the firmware's symbols."""
    built = tls.firmware(*unit, platform.find(core), agreed)
    return proc.run(["riscv64-unknown-elf-nm", built.elf], timeout=60).stdout


# A function of each stack's own cipher and one of its curves.
OWN = {
    Stack.mbedtls: ("mbedtls_aes_setkey_enc", "mbedtls_ecp_mul_restartable"),
    Stack.bearssl: ("br_aes_ct_keysched", "br_ec_p256_m31"),
    Stack.wolfssl: ("timed_wc_AesGcmEncrypt_ex", "timed_wc_ecc_sign_hash"),
}


@pytest.mark.slow
@pytest.mark.parametrize("stack", OWN)
def test_a_stack_with_its_own_crypto(stack: Stack) -> None:
    """The yardstick: the same connection and phases, and nothing of ours is linked."""
    _unit(stack)  # or skip
    names = _connected(own.stack(stack), CORE, SERVERS[stack]).split()
    assert set(OWN[stack]) <= set(names)
    ours = {"aes_encrypt_blocks", "aes_set_encrypt_key", "sha256_blocks", "p256_ecdh"}
    assert not ours & set(names)
    assert not [name for name in names if "aesforge" in name and "tls" not in name]


@pytest.mark.slow
@pytest.mark.parametrize("stack", OWN)
def test_own_crypto_built_for_size(stack: Stack) -> None:
    """The other yardstick: less code, and the C library's memory functions."""
    _unit(stack)  # or skip
    small = own.stack(stack, own.SIZE)
    assert set(OWN[stack]) <= set(_connected(small, CORE, SERVERS[stack]).split())
    host = platform.find(CORE)
    built = [tls.firmware(*x, host, SERVERS[stack]) for x in (small, own.stack(stack))]
    assert built[0].image.stat().st_size < built[1].image.stat().st_size
    linked = [{path for path, _, _ in each.sections} for each in built]
    assert [tls.MEMORY.resolve() in paths for paths in linked] == [False, True]


@pytest.mark.slow
def test_wolfssl_with_p256_of_fixed_size() -> None:
    """Its fastest P-256 is a yardstick too, and is what signs."""
    _unit(Stack.wolfssl)  # or skip
    names = _connected(own.stack(Stack.wolfssl, own.FIXED), CORE, WOLFSSL).split()
    assert "sp_ecc_sign_256" in names
    assert "sp_ecc_sign_256" not in _names(own.stack(Stack.wolfssl), CORE, WOLFSSL).split()


def test_what_own_crypto_does_not_offer() -> None:
    """It is refused by name before anything is built."""
    host = platform.find(CORE)
    for changed, told in (
        ({"role": Role.client}, "--role client"),
        ({"group": Group.x25519}, "--group X25519"),
        ({"cipher": Cipher.gcm256}, "--cipher AES-256-GCM"),
        ({"version": Version.tls12}, "--tls 1.2"),
    ):
        asked = dataclasses.replace(SERVER, **changed)
        with pytest.raises(UsageError, match=f"{told} is not offered with a stack's own crypto"):
            tls.build(*own.stack(SERVER.stack), host, asked)
    with pytest.raises(UsageError, match="own-sp is not offered with --stack bearssl"):
        own.stack(Stack.bearssl, own.FIXED)


# What a server says of a record that was changed: BR_ERR_BAD_MAC, AES_GCM_AUTH_E (TLS 1.3),
# VERIFY_MAC_ERROR (TLS 1.2).
BAD_MAC = {
    BEARSSL: "0x0007",
    WOLFSSL: "-0x00b4",
    dataclasses.replace(WOLFSSL, version=Version.tls12): "-0x0131",
}


@pytest.mark.slow
@pytest.mark.parametrize("agreed", BAD_MAC, ids=lambda agreed: f"{agreed.stack} {agreed.version}")
def test_a_stack_refuses_a_flipped_bit(agreed: Agreed) -> None:
    """Before anything of the record is used."""
    with pytest.raises(SimulationError, match=f"a record was refused: {BAD_MAC[agreed]}"):
        tls.connect(*_unit(agreed.stack), platform.find(CORE), agreed, peer=_through(_flip))


@pytest.mark.slow
@pytest.mark.parametrize("agreed", BAD_MAC, ids=lambda agreed: f"{agreed.stack} {agreed.version}")
def test_a_stack_sees_a_truncated_stream(agreed: Agreed) -> None:
    """A stream that ends early is not taken for the whole text."""
    with pytest.raises(SimulationError, match="the peer ended before it had sent"):
        tls.connect(*_unit(agreed.stack), platform.find(CORE), agreed, peer=_through(_cut))


# What a server says of a client that ends the handshake. OpenSSL's alert is not encrypted, and in
# TLS 1.3 wolfSSL does not parse it (PARSE_ERROR), Mbed TLS cannot decrypt it (INVALID_MAC).
ALERTED = {Stack.bearssl: r"0x01\w\w", Stack.wolfssl: "-0x0132", Stack.mbedtls: "-0x7180"}


@pytest.mark.slow
@pytest.mark.parametrize("stack", ALERTED)
def test_a_stack_of_another_host(stack: Stack) -> None:
    """The client refuses the certificate: its reason first, then what the core says of it."""
    other = openssl.credentials("other.test")
    told = (
        r"^openssl s_client refuses the core's certificate: hostname mismatch \(verify error 62\);"
        f" the core: the handshake failed: {ALERTED[stack]}$"
    )
    with pytest.raises(SimulationError, match=told):
        tls.connect(*_unit(stack), platform.find(CORE), SERVERS[stack], shown=other)


def test_what_bearssl_does_not_offer() -> None:
    """It is refused by name before anything is built."""
    other = dataclasses.replace(BEARSSL, version=Version.tls13)
    with pytest.raises(UsageError, match=r"--tls 1\.3 is not offered with --stack bearssl"):
        tls.connect(*CURVES[-1], platform.find(CORE), other)


# What a client refuses: credentials that are shown and trusted.
REFUSED = {
    "authority": (
        lambda: (openssl.credentials(), openssl.credentials()),
        "the certificate is not signed by the authority",
    ),
    "host": (
        lambda: (openssl.credentials("other.test"), None),
        "the certificate is of another host",
    ),
    "expired": (
        lambda: (openssl.credentials(days=-1), None),
        "the certificate has expired or is not valid yet",
    ),
    "early": (
        lambda: (openssl.credentials(days=30, first=1), None),
        "the certificate has expired or is not valid yet",
    ),
}
# The stack's number for it, and a mistake in the endpoint with which it accepts them.
ENDPOINTS = {Stack.bearssl: "BEARSSL_ENDPOINT", Stack.wolfssl: "WOLFSSL_ENDPOINT"}
MISTAKES = {
    (Stack.bearssl, "authority"): (
        "0x003e",
        "uint32_t good = br_aesforge_ecdsa_vrfy_asn1(",
        "uint32_t good = 1u | br_aesforge_ecdsa_vrfy_asn1(",
    ),
    (Stack.bearssl, "host"): ("0x0038", "AESFORGE_TLS_HOST, 0)", "NULL, 0)"),
    (Stack.bearssl, "expired"): (
        "0x0036",
        "+ now / SECONDS_OF_DAY",
        "+ now / SECONDS_OF_DAY - 30u",
    ),
    (Stack.bearssl, "early"): (
        "0x0036",
        "+ now / SECONDS_OF_DAY",
        "+ now / SECONDS_OF_DAY + 10u",
    ),
    (Stack.wolfssl, "authority"): ("-0x009b", "WOLFSSL_VERIFY_PEER", "WOLFSSL_VERIFY_NONE"),
    (Stack.wolfssl, "host"): (
        "-0x0142",
        "wolfSSL_check_domain_name(ssl, host)",
        'wolfSSL_check_domain_name(ssl, "other.test")',
    ),
    (Stack.wolfssl, "expired"): ("-0x0097", "(time_t)now", "(time_t)now - 30 * 86400"),
    (Stack.wolfssl, "early"): ("-0x0096", "(time_t)now", "(time_t)now + 10 * 86400"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("stack", "what"), MISTAKES)
def test_a_client_refuses(
    stack: Stack, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate that is not right, and the check that sees it is the one that is meant."""
    make, complaint = REFUSED[what]
    number, right, wrong = MISTAKES[stack, what]
    shown, trusted = make()
    unit, core, agreed = _unit(stack), platform.find(CORE), CLIENTS[stack]
    with pytest.raises(SimulationError, match=f"the core: {complaint}: {number}"):
        tls.connect(*unit, core, agreed, shown=shown, trusted=trusted)
    endpoint = getattr(tls, ENDPOINTS[stack])
    shutil.copytree(endpoint.parent, tmp_path / "tls")
    mistaken = tmp_path / "tls" / endpoint.name
    text = mistaken.read_text(encoding="utf-8")
    assert text.count(right) == 1
    mistaken.write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr(tls, ENDPOINTS[stack], mistaken)
    result = tls.connect(*unit, core, agreed, text=TEXT, shown=shown, trusted=trusted)
    assert result.handshake > 0


@pytest.mark.slow
def test_wolfssl_wants_its_group(
    wolfssl_unit: tuple[Accelerator, Variant], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that takes the other group that a client has to offer in TLS 1.2."""
    command = openssl.server
    monkeypatch.setattr(
        openssl,
        "server",
        lambda *given: ["P-256" if word == "X25519:P-256" else word for word in command(*given)],
    )
    agreed = dataclasses.replace(WOLFSSL_CLIENT, version=Version.tls12, group=Group.x25519)
    with pytest.raises(SimulationError, match="the peer has chosen another group"):
        tls.connect(*wolfssl_unit, platform.find(CORE), agreed)


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
@pytest.mark.parametrize("stack", Stack)
def test_a_silent_peer(stack: Stack) -> None:
    """A peer that says nothing ends the run within the time limit."""
    kept = []

    def silent(port: int, place: Path, agreed: Agreed) -> None:
        kept.append(socket.create_connection(("127.0.0.1", port)))

    began = time.monotonic()
    with pytest.raises(SimulationError, match="has sent nothing within the time limit"):
        tls.connect(*_unit(stack), platform.find(CORE), SERVERS[stack], patience=2, peer=silent)
    assert time.monotonic() - began < 300  # the first run builds
    kept[0].close()


@pytest.mark.slow
def test_nobody(unit: tuple[Accelerator, Variant]) -> None:
    """So does nobody."""
    with pytest.raises(SimulationError, match="nobody has connected"):
        tls.connect(*unit, platform.find(CORE), patience=2, peer=lambda port, place, agreed: None)


@pytest.mark.slow
@pytest.mark.parametrize("stack", Stack)
def test_port_in_use(stack: Stack) -> None:
    """A port that is taken is named."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SimulationError, match=f"cannot listen at port {port}"):
            tls.connect(*_unit(stack), platform.find(CORE), SERVERS[stack], port=port)


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


# In the S-box, and in the carry of a subtraction.
@pytest.mark.slow
@pytest.mark.parametrize("stack", Stack)
@pytest.mark.parametrize("bug", ["BUG_LANES", "BUG_BORROW"])
def test_a_planted_bug_ends_the_connection(bug: str, stack: Stack) -> None:
    """What the unit computes is what goes over the wire: no echo, one line, nothing stays."""
    _unit(stack)
    made = next(
        (unit, variant)
        for unit, variant in CURVES
        for planted in unit.manifest.bug
        if planted.name == bug and planted.variant in ("", variant.name)
    )
    with pytest.raises(SimulationError) as told:
        tls.connect(*made, platform.find(CORE), SERVERS[stack], patience=20, bug=bug)
    assert "\n" not in str(told.value)
    assert not _left_running()


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
def test_a_server_that_sends_less(stack: Stack) -> None:
    """A server that ends early has not sent the whole text."""

    def short(port: int, place: Path, agreed: Agreed) -> None:
        (place / "text").write_bytes(TEXT[:100])
        command = openssl.server(port, place / "key", place / "certificate", agreed)
        line = '(cat "$0/text"; sleep 2; kill -INT $$) | exec "$@" >"$0/back"'
        proc.run(["sh", "-c", line, place, *command], timeout=600, check=False)

    with pytest.raises(SimulationError, match="the core: the peer ended before it had sent"):
        tls.connect(*_unit(stack), platform.find(CORE), CLIENTS[stack], text=TEXT, peer=short)


@pytest.mark.slow
@pytest.mark.parametrize("stack", Stack)
def test_on_a_terminal(stack: Stack) -> None:
    """`--interactive`: what is typed comes back, and the end of the input ends the run."""
    unit = _unit(stack)
    name = f"{unit[0].name}/{unit[1].name}"
    words = ["-m", "aesforge", "tls", "--accel", name, "--platform", CORE, "--interactive"]
    words += ["--stack", stack]
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
    assert not _left_running()


def _left_running() -> list[bytes]:
    """The command lines of simulators that this process has started and that still run."""
    found: list[bytes] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes()
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if b"+listen=" in words and parent == os.getpid():
            found.append(words)
    return found


# What is published -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("entry", record.read_published(tls_figures.PUBLISHED), ids=_published)
def test_a_published_row_is_of_this_text(entry: Record) -> None:
    """Its system, built again with the tools that the row names, has the hash of the row."""
    found = tls_figures.system_of(entry)
    assert found is not None
    agreed = tls_figures.asked(entry.question)
    try:
        SOURCES[agreed.stack]()
    except Absent as absent:
        pytest.skip(str(absent))
    host = platform.find(entry.platform)
    if entry.how.tools != {**entry.how.tools, **job.tool_versions(host)}:
        pytest.skip("measured with other tools")
    assert tls.build(*found, host, agreed).inputs_sha256 == entry.how.inputs_sha256
