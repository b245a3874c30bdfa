# SPDX-License-Identifier: Apache-2.0
"""TLS on a simulated core, server or client, and OpenSSL on the other side.

Simulated time stops while the core waits for the peer: cycles are the core's work.
"""

import contextlib
import fcntl
import os
import queue
import re
import secrets
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import SimulationError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build.simulate import HARNESS, Firmware, Sources, build_firmware
from aesforge.build.system import (
    ECC,
    GCM,
    MODES,
    SEALED,
    STACKS,
    build_system_model,
    ecc_sources,
    kernel_sources,
    require_offered,
    system_model_name,
)
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.stacks import bearssl, mbedtls, openssl, own, wolfssl
from aesforge.stacks.agreed import SERVER, Agreed, Cipher, Role, Stack, Version
from aesforge.stacks.openssl import Credentials

ENDPOINT = ROOT / "sw" / "stacks" / "tls" / "endpoint_mbedtls.c"
BEARSSL_ENDPOINT = ENDPOINT.with_name("endpoint_bearssl.c")
WOLFSSL_ENDPOINT = ENDPOINT.with_name("endpoint_wolfssl.c")
WOLFSSL_SETTINGS = ENDPOINT.with_name("wolfssl")
MEMORY = ENDPOINT.with_name("memory.c")
RECORDS = ENDPOINT.with_name("records.c")
ARENA = ENDPOINT.with_name("arena.c")
TCP = (HARNESS, ROOT / "sim" / "tcp" / "harness.cpp")
TEXT_BYTES = 16384
UNTIL_THE_END = 0  # for the firmware: echo until the peer ends
MAX_CYCLES = 2_000_000_000
PROGRESS_CYCLES = 500_000
RUN_SECONDS = 3600.0
PHASES = ("rest", "key pair", "ECDH", "ECDSA sign", "ECDSA verify", "records", "SHA-2")
_REPORT = struct.Struct(f"<{2 + 2 * len(PHASES)}I")

_LIBRARY = (
    *mbedtls.CRYPTO,
    *("oid", "pk", "pk_wrap", "pkparse", "memory_buffer_alloc", "x509", "x509_crt"),
    *("ssl_ciphersuites", "ssl_msg", "ssl_tls"),
)
_VERSION = {
    Version.tls12: ("ssl_tls12_{role}",),
    Version.tls13: ("ssl_tls13_generic", "ssl_tls13_keys", "ssl_tls13_{role}"),
}
# Of the library: called for each hash, key and record, so their prologues stay inline.
_OFTEN = ("memory_buffer_alloc", "platform_util", "md", "psa_crypto_hash", "psa_crypto_mac")
# What the firmware times; see its first comment.
_TIMED = {
    "psa_aes": ("aead_encrypt", "aead_decrypt"),
    "psa_ecc": ("generate_key", "export_public_key", "key_agreement", "sign_hash", "verify_hash"),
}
_TIMED_HASH = ("update", "finish")
_TIMED_BLOCKS = "sha256_blocks=timed_sha256_blocks"
_TIMED_SHA384 = {"Update": "update", "Final": "final", "GetHash": "digest"}
# Its buffers come from sw/stacks/tls/records.c.
_ALIGNED = ("mbedtls_calloc=record_calloc", "mbedtls_free=record_free")
# What OpenSSL says of a certificate that it does not accept, and what the tool makes of it.
_VERIFY_ERROR = re.compile(r"^verify error:num=(\d+):(.+)$", re.MULTILINE)
_REFUSES = "refuses the core's certificate"
# Loops of memcpy must not become calls of memcpy.
_MEMORY_CFLAGS = ("-O2", "-fno-tree-loop-distribute-patterns")


@dataclass(frozen=True)
class Result:
    """Cycles of one connection; phases in the order of PHASES."""

    handshake: int
    bulk: int
    in_handshake: tuple[int, ...]
    in_bulk: tuple[int, ...]
    code_bytes: int  # of the firmware, constants included
    ram_bytes: int  # of the firmware, without its stack
    inputs_sha256: str  # of simulator and firmware


def _library(agreed: Agreed) -> list[str]:
    """Return the files of Mbed TLS that a connection needs."""
    found = [*_LIBRARY, *(name.format(role=agreed.role) for name in _VERSION[agreed.version])]
    found += ["ssl_client"] if agreed.role is Role.client else []
    return [*found, "sha512"] if agreed.needs_sha384 else found


def _defines(agreed: Agreed) -> list[str]:
    """Return the endpoints' macros: the server's host name, role, version and hash."""
    chosen = {
        "AESFORGE_TLS_CLIENT": agreed.role is Role.client,
        "AESFORGE_TLS_1_2": agreed.version is Version.tls12,
        "AESFORGE_TLS_SHA384": agreed.needs_sha384,
        "AESFORGE_TLS_CCM": agreed.cipher is Cipher.ccm128,
    }
    names = [name for name, wanted in chosen.items() if wanted]
    return [f'AESFORGE_TLS_HOST="{openssl.HOST}"', *names]


def firmware(
    accelerator: Accelerator, variant: Variant, platform: Platform, agreed: Agreed = SERVER
) -> Firmware:
    """Return the endpoint with the driver on a kernel, or with the stack's own crypto."""
    memory = Sources((MEMORY,), _MEMORY_CFLAGS)
    if own.is_meant(accelerator, variant):
        groups = own.sources(variant.name, agreed, _library(agreed), _defines(agreed))
        groups += [memory] if own.has_memory(variant.name) else []
        return build_firmware(platform, groups, name=f"tls-{agreed.stack}-own")
    shared = [
        memory,
        Sources(
            (MODES, *GCM, *SEALED, *mbedtls.HASH), ("-O2",), accelerator.manifest.macros(variant)
        ),
        *ecc_sources(accelerator, variant, platform),
        *kernel_sources(accelerator, variant, platform),
    ]
    macros = accelerator.manifest.macros(variant)
    groups = _WITH[agreed.stack](macros, agreed, shared)
    return build_firmware(platform, groups, name=f"tls-{accelerator.name}-{variant.name}")


_SMALL = ("-Os", "-msave-restore")  # prologues are shared


def _with_mbedtls(macros: Sequence[str], agreed: Agreed, shared: list[Sources]) -> list[Sources]:
    """Return Mbed TLS, its driver and the endpoint, with what every stack has."""
    every = (*macros, *mbedtls.DEFINES, "AESFORGE_TLS", *_defines(agreed))
    includes = (*mbedtls.includes(), ECC)

    def group(files: Sequence[Path], *timed: str, strict: bool = False) -> Sources:
        return Sources(tuple(files), ("-Os",), (*every, *timed), includes, strict=strict)

    def library(names: Sequence[str], *renamed: str, shared_prologues: bool = True) -> Sources:
        flags = _SMALL if shared_prologues else _SMALL[:1]
        words = (*every, *renamed)
        return Sources(tuple(mbedtls.library(names)), flags, words, includes, strict=False)

    hashes = [name for name in _library(agreed) if name.startswith("sha")]
    apart = {*_OFTEN, *hashes, "ssl_tls"}
    glue = [mbedtls.DRIVER / f"{name}.c" for name in ("psa_no_cipher", "psa_sha256")]
    groups = [
        group([ENDPOINT, RECORDS], strict=True),
        library([name for name in _library(agreed) if name not in apart]),
        library(["ssl_tls"], *_ALIGNED),
        library(_OFTEN, shared_prologues=False),
        *(library([sha], *_timed_hash(sha), shared_prologues=False) for sha in hashes),
        group(glue, strict=True),
        *shared,
    ]
    for name, entries in _TIMED.items():
        renamed = [f"aesforge_transparent_{entry}=timed_{entry}" for entry in entries]
        groups.append(group([mbedtls.DRIVER / f"{name}.c"], *renamed, strict=True))
    return groups


def _timed_hash(sha: str) -> list[str]:
    """Return what makes Mbed TLS's functions of a hash those that the endpoint calls and times."""
    return [f"mbedtls_{sha}_{name}=timed_{sha}_{name}" for name in _TIMED_HASH]


def _with_bearssl(macros: Sequence[str], agreed: Agreed, shared: list[Sources]) -> list[Sources]:
    """Return BearSSL, its driver and the endpoint, with what every stack has."""
    inside = bearssl.sources() / "src"

    def group(files: Sequence[Path], *more: str) -> Sources:
        return Sources(tuple(files), _SMALL, (*macros, *more), (*bearssl.includes(), ECC))

    def theirs(files: Sequence[Path], *more: str, quick: bool = True) -> Sources:
        words = ("BR_USE_UNIX_TIME=0", *more)  # the endpoint sets the time
        flags = ("-O2",) if quick else _SMALL
        return Sources(tuple(files), flags, words, (*bearssl.includes(), inside), strict=False)

    aes, curves, sha = (bearssl.DRIVER / f"bear_{name}.c" for name in ("aes", "ec", "sha256"))
    needed = bearssl.needed(agreed)
    return [
        group([BEARSSL_ENDPOINT], *_defines(agreed)),
        group([aes, curves]),
        group([sha], _TIMED_BLOCKS),
        # With -Os interpreting takes most of the cycles.
        theirs([path for path in needed if path.stem in bearssl.INTERPRETERS]),
        theirs([path for path in needed if path.stem not in bearssl.INTERPRETERS], quick=False),
        theirs(bearssl.hashes(agreed), "br_sha384_vtable=untimed_sha384_vtable"),
        Sources(STACKS, ("-O2",), tuple(macros)),
        *shared,
    ]


def _with_wolfssl(macros: Sequence[str], agreed: Agreed, shared: list[Sources]) -> list[Sources]:
    """Return wolfSSL, its driver and the endpoint, with what every stack has."""
    words = ("WOLFSSL_USER_SETTINGS", *macros, *_defines(agreed))
    includes = (WOLFSSL_SETTINGS, wolfssl.DRIVER, wolfssl.tree(), ECC)

    def group(
        files: Sequence[Path], *more: str, level: str = "-Os", strict: bool = False
    ) -> Sources:
        return Sources(tuple(files), (level,), (*words, *more), includes, strict=strict)

    timed = {"wolf_sha256": _TIMED_BLOCKS, "wolf_25519": "x25519=timed_x25519"}
    glue = [path for path in sorted(wolfssl.DRIVER.glob("*.c")) if path.stem not in timed]
    renamed = [f"wc_Sha384{name}=timed_sha384_{short}" for name, short in _TIMED_SHA384.items()]
    return [
        group([WOLFSSL_ENDPOINT, ARENA], strict=True),
        group(glue),
        *(group([wolfssl.DRIVER / f"{name}.c"], word) for name, word in timed.items()),
        group(wolfssl.needed(agreed)),
        Sources(
            tuple(wolfssl.hashes(agreed)), ("-O2",), (*words, *renamed), includes, strict=False
        ),
        Sources(STACKS, ("-O2",), tuple(macros)),
        *shared,
    ]


_WITH = {
    Stack.mbedtls: _with_mbedtls,
    Stack.bearssl: _with_bearssl,
    Stack.wolfssl: _with_wolfssl,
}


# The connection -----------------------------------------------------------------------------------


class _Core(threading.Thread):
    """The simulator in a thread of its own."""

    def __init__(
        self, command: Sequence[str | Path], seconds: float, on_cycles: Callable[[int], None]
    ) -> None:
        super().__init__(daemon=True)
        self.command, self.seconds, self.on_cycles = command, seconds, on_cycles
        self.port: queue.Queue[int] = queue.Queue()  # 0: it ended
        self.finished: proc.Finished | None = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.finished = proc.run(
                self.command, timeout=self.seconds, check=False, on_stderr=self._line
            )
        except BaseException as error:  # told by whoever waits for the thread
            self.error = error
        self.port.put(0)

    def _line(self, line: str) -> None:
        words = line.split()
        if line.startswith("listening: "):
            self.port.put(int(words[1]))
        elif line.startswith("progress: "):
            self.on_cycles(int(words[1]))

    def complaint(self) -> str:
        """Say why it ended badly; empty if it did not."""
        if self.error is not None:
            return str(self.error)
        assert self.finished is not None
        if self.finished.status == 0:
            return ""
        errors = [x for x in self.finished.stderr.splitlines() if x.startswith("error: ")]
        told = [x for x in self.finished.stdout.splitlines() if ": " in x]
        lines = [*(line.removeprefix("error: ") for line in errors), *told]
        return lines[0] if lines else f"the simulation ended with status {self.finished.status}"


Peer = Callable[[int, Path, Agreed], None]  # port, folder with what it needs


@dataclass(frozen=True)
class System:
    """What runs a connection."""

    program: Firmware
    simulator: Path

    @property
    def inputs_sha256(self) -> str:
        """Digest of what the cycles depend on, but for keys and random numbers."""
        return _inputs(self.simulator.parent.name, self.program)


def _inputs(simulator: str, program: Firmware) -> str:
    return proc.digest(simulator, program.image)


def present_inputs(
    accelerator: Accelerator, variant: Variant, platform: Platform, agreed: Agreed
) -> str:
    """Return the digest of a system's cycles without its simulator, which is not built."""
    require_offered(accelerator, variant, platform)
    name = system_model_name(accelerator, variant, platform, TCP)
    return _inputs(name, firmware(accelerator, variant, platform, agreed))


def build(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    agreed: Agreed = SERVER,
    on_step: Callable[[str], None] = lambda step: None,
    bug: str = "",
) -> System:
    """Return firmware and simulator, built unless they are there; `bug`: planted in the RTL."""
    agreed.require_offered()
    if own.is_meant(accelerator, variant):
        own.require_offered(agreed)
    require_offered(accelerator, variant, platform)
    on_step("firmware")
    program = firmware(accelerator, variant, platform, agreed)
    on_step("simulator")
    model = build_system_model(accelerator, variant, platform, harness=TCP, bug=bug)
    return System(program, model)


def connect(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    agreed: Agreed = SERVER,
    *,
    text: bytes | None = None,
    port: int = 0,
    patience: int = 60,
    shown: Credentials | None = None,
    trusted: Credentials | None = None,
    peer: Peer | None = None,
    bug: str = "",
    on_step: Callable[[str], None] = lambda step: None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
) -> Result:
    """Have `text` echoed by a simulated core over TLS; return the core's cycles.

    The peer is `openssl s_client`, or `s_server` if the core is the client; `peer` is called
    instead. Empty `text`: the core echoes until the peer ends. `patience` bounds a silence of
    either side, in seconds. `trusted`: whose authority the client trusts, instead of `shown`.
    `bug`: planted in the RTL first.
    """
    if peer is None:
        proc.find_program("openssl", "it is the other side: install it (Debian: openssl)")
    text = secrets.token_bytes(TEXT_BYTES) if text is None else text
    system = build(accelerator, variant, platform, agreed, on_step, bug)
    program = system.program
    on_step("connection")
    shown = shown or openssl.credentials()
    trusted = trusted or shown
    serves = agreed.role is Role.server
    port = port if port or serves else _free_port()
    with tempfile.TemporaryDirectory(prefix="aesforge-tls-") as name:
        place = Path(name)
        (place / "ca.pem").write_bytes(trusted.authority_pem)
        (place / "key").write_bytes(shown.key)
        (place / "certificate").write_bytes(shown.certificate)
        (place / "text").write_bytes(text)
        (place / "in").write_bytes(_request(agreed, shown, trusted, len(text)))
        command: list[str | Path] = [
            *(
                system.simulator,
                f"+image={program.image}",
                f"+in={place / 'in'}",
                f"+out={place / 'out'}",
            ),
            *(f"+{'listen' if serves else 'connect'}={port}", f"+patience={patience}"),
            *(f"+max={MAX_CYCLES}", f"+progress={PROGRESS_CYCLES}"),
        ]
        core = _Core(command, RUN_SECONDS, on_cycles)
        try:
            if serves:
                failure = _served(core, lambda at: (peer or _client)(at, place, agreed))
            else:
                failure = _visited(core, lambda at: (peer or _server)(at, place, agreed), port)
        except BaseException:
            proc.stop_all()  # an interruption: the simulator must not stay
            raise
        if told := _what_failed(core.complaint(), failure):
            raise SimulationError(told)
        if peer is None and (place / "back").read_bytes() != text:
            raise SimulationError("the text that came back is not the one that was sent")
        numbers = _REPORT.unpack((place / "out").read_bytes())
    size = program.size({path for path, _, _ in program.sections})
    count = len(PHASES)
    return Result(
        numbers[0],
        numbers[1],
        numbers[2 : 2 + count],
        numbers[2 + count : 2 + 2 * count],
        size.code_bytes + size.table_bytes,
        size.ram_bytes,
        system.inputs_sha256,
    )


def baseline() -> tuple[Accelerator, Variant]:
    """Return the software that a unit is compared with unless another is named."""
    return next(
        (accelerator, variant)
        for accelerator in manifest.discover()
        for variant in accelerator.manifest.variant
        if accelerator.manifest.kind == "software"
        and accelerator.manifest.source is None
        and accelerator.manifest.has_ecc(variant)
        and set(variant.directions) == {"encrypt", "decrypt"}
    )


def _request(agreed: Agreed, shown: Credentials, trusted: Credentials, text: int) -> bytes:
    """Return the firmware's input: struct request of the endpoint, the files, a client's clock."""
    files, end = (shown.key, shown.certificate), b""
    if agreed.role is Role.client:
        files, end = (b"", trusted.authority_der), struct.pack("<I", int(time.time()))
    lengths = (len(files[0]), len(files[1]), text)
    head = struct.pack("<5I", *lengths, agreed.group_number, agreed.suite_number)
    return head + secrets.token_bytes(32) + b"".join(files) + end


def _what_failed(core: str, peer: str) -> str:
    """Join the complaints of both sides; the cause comes first.

    A core whose certificate was refused only knows that the handshake failed: its number may even
    be about the peer's alert, which wolfSSL does not parse in TLS 1.3.
    """
    told = [f"the core: {core}"] if core else []
    told.insert(0 if _REFUSES in peer else len(told), peer)
    return "; ".join(filter(None, told))


def _served(core: _Core, peer: Callable[[int], None]) -> str:
    """Run a core that serves, and its peer; return the peer's complaint."""
    failure = ""
    core.start()
    if at := core.port.get():
        try:
            peer(at)
        except ToolError as error:
            failure = error.message
    core.join()
    return failure


def _visited(core: _Core, peer: Callable[[int], None], port: int) -> str:
    """Run a core that is the client of the peer at a port; return the peer's complaint."""
    failure: list[str] = []

    def serve() -> None:
        try:
            peer(port)
        except ToolError as error:
            failure.append(error.message)

    other = threading.Thread(target=serve, daemon=True)
    other.start()
    core.start()
    core.join()
    with contextlib.suppress(OSError):  # a server that nobody has visited ends with this visit
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    other.join()
    return "".join(failure)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _client(port: int, place: Path, agreed: Agreed) -> None:
    """Send the text with `openssl s_client` and keep what comes back; ToolError if it fails."""
    command = openssl.client(port, place / "ca.pem", agreed)
    _openssl("s_client", command, place, "text")


def _server(port: int, place: Path, agreed: Agreed) -> None:
    """The same with `openssl s_server`, for one connection."""
    # Its standard input must not end before the connection.
    pipe = place / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    try:
        text = (place / "text").read_bytes()
        fcntl.fcntl(held, fcntl.F_SETPIPE_SZ, max(len(text), 4096))
        os.write(held, text)
        command = openssl.server(port, place / "key", place / "certificate", agreed)
        _openssl("s_server", command, place, pipe.name)
    finally:
        os.close(held)


def _openssl(name: str, command: Sequence[str], place: Path, source: str) -> None:
    """Run OpenSSL on a file of the folder and write its output to `back`."""
    line = f'exec "$@" <"$0/{source}" >"$0/back"'
    log = BUILD / "logs" / f"tls-{name}.log"
    done = proc.run(["sh", "-c", line, place, *command], timeout=RUN_SECONDS, check=False, log=log)
    if done.status != 0 or "verify error" in done.stderr:
        lines = [line for line in done.stderr.splitlines() if "error" in line]
        if found := _VERIFY_ERROR.search(done.stderr):
            raise ToolError(f"openssl {name} {_REFUSES}: {found[2]} (verify error {found[1]})")
        raise ToolError(f"openssl {name}: {(lines or ['it failed'])[0].strip()}")


def console(port: int, place: Path, agreed: Agreed) -> None:
    """Let the user be the client: `openssl s_client` on the terminal, to the end of its input."""
    command = [*openssl.client(port, place / "ca.pem", agreed), "-no_ign_eof"]
    subprocess.run(command, check=False)
