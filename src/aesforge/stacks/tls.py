# SPDX-License-Identifier: Apache-2.0
"""A TLS server on a simulated core, and OpenSSL's client that talks to it.

Simulated time stops while the core waits for the client: cycles are the core's work.
"""

import datetime
import json
import queue
import secrets
import statistics
import struct
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from aesforge.base import proc
from aesforge.base.errors import SimulationError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build.simulate import HARNESS, Firmware, Sources, build_firmware
from aesforge.build.system import (
    ECC,
    GCM,
    MODES,
    SEALED,
    build_system_model,
    ecc_sources,
    kernel_sources,
    require_offered,
)
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.records.rows import Table
from aesforge.stacks import mbedtls

HOST = "core.aesforge.test"
SERVER = ROOT / "sw" / "stacks" / "tls" / "server_mbedtls.c"
MEMORY = SERVER.with_name("memory.c")
RECORDS = SERVER.with_name("records.c")
TCP = (HARNESS, ROOT / "sim" / "tcp" / "harness.cpp")
TEXT_BYTES = 16384
LARGEST_RECORD = 4096  # of aesforge_mbedtls_config.h
MAX_CYCLES = 2_000_000_000
PROGRESS_CYCLES = 500_000
RUN_SECONDS = 3600.0
PHASES = ("rest", "P-256 key pair", "ECDH", "ECDSA sign", "AES-GCM", "SHA-256")

_LIBRARY = (
    *mbedtls.CRYPTO,
    *("oid", "pk", "pk_wrap", "pkparse", "memory_buffer_alloc", "x509", "x509_crt"),
    *("ssl_ciphersuites", "ssl_msg", "ssl_tls", "ssl_tls13_generic", "ssl_tls13_keys"),
    *("ssl_tls13_server",),
)
# What the server times; see its first comment.
_TIMED = {
    "psa_aes": ("aead_encrypt", "aead_decrypt"),
    "psa_ecc": ("generate_key", "export_public_key", "key_agreement", "sign_hash"),
}
_TIMED_HASH = ("update", "finish")
# Its buffers come from sw/stacks/tls/records.c.
_ALIGNED = ("mbedtls_calloc=record_calloc", "mbedtls_free=record_free")
# Loops of memcpy must not become calls of memcpy.
_MEMORY_CFLAGS = ("-O2", "-fno-tree-loop-distribute-patterns")
_DEFINES = (*mbedtls.DEFINES, "AESFORGE_TLS")


@dataclass(frozen=True)
class Result:
    """Cycles of one connection; phases in the order of PHASES."""

    handshake: int
    bulk: int
    in_handshake: tuple[int, ...]
    in_bulk: tuple[int, ...]
    code_bytes: int  # of the firmware, constants included
    ram_bytes: int  # of the firmware, without its stack


def firmware(accelerator: Accelerator, variant: Variant, platform: Platform) -> Firmware:
    """Return the server with the driver on a kernel."""
    macros = (*accelerator.manifest.macros(variant), *_DEFINES)
    includes = (*mbedtls.includes(), ECC)

    def group(files: Sequence[Path], *timed: str, strict: bool = False) -> Sources:
        return Sources(tuple(files), ("-Os",), (*macros, *timed), includes, strict=strict)

    sha = [f"mbedtls_sha256_{name}=timed_sha256_{name}" for name in _TIMED_HASH]
    groups = [
        group([SERVER, RECORDS], strict=True),
        group(mbedtls.library([name for name in _LIBRARY if name not in ("sha256", "ssl_tls")])),
        group(mbedtls.library(["ssl_tls"]), *_ALIGNED),
        group(mbedtls.library(["sha256"]), *sha),
        group(
            [mbedtls.DRIVER / f"{name}.c" for name in ("psa_no_cipher", "psa_sha256")], strict=True
        ),
        Sources((MEMORY,), _MEMORY_CFLAGS),
        Sources(
            (MODES, *GCM, *SEALED, *mbedtls.HASH), ("-O2",), accelerator.manifest.macros(variant)
        ),
        *ecc_sources(accelerator, variant, platform),
        *kernel_sources(accelerator, variant, platform),
    ]
    for name, entries in _TIMED.items():
        renamed = [f"aesforge_transparent_{entry}=timed_{entry}" for entry in entries]
        groups.append(group([mbedtls.DRIVER / f"{name}.c"], *renamed, strict=True))
    return build_firmware(platform, groups, name=f"tls-{accelerator.name}-{variant.name}")


# Certificates -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Credentials:
    """The server's key and certificate (DER), and the authority that signed it (PEM)."""

    key: bytes
    certificate: bytes
    authority: bytes


def credentials(host: str = HOST, days: int = 30) -> Credentials:
    """Return fresh ones for a host name; negative `days`: expired."""
    now = datetime.datetime.now(datetime.UTC)
    begin, end = sorted((now - datetime.timedelta(days=60), now + datetime.timedelta(days=days)))
    ours, root = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "aesforge demonstration")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])

    def signed(name: x509.Name, public: ec.EllipticCurvePublicKey, ca: bool) -> x509.Certificate:
        builder = x509.CertificateBuilder(issuer, name, public, x509.random_serial_number())
        builder = builder.not_valid_before(begin).not_valid_after(end)
        builder = builder.add_extension(x509.BasicConstraints(ca, None), critical=True)
        if not ca:
            names = x509.SubjectAlternativeName([x509.DNSName(host)])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(root, hashes.SHA256())

    certificate = signed(subject, ours.public_key(), ca=False)
    form = (Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return Credentials(
        ours.private_bytes(*form),
        certificate.public_bytes(Encoding.DER),
        signed(issuer, root.public_key(), ca=True).public_bytes(Encoding.PEM),
    )


# The connection -----------------------------------------------------------------------------------


class _Server(threading.Thread):
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


def serve(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    *,
    text: bytes | None = None,
    port: int = 0,
    patience: int = 60,
    shown: Credentials | None = None,
    trusted: bytes | None = None,
    client: Callable[[int, Path], None] | None = None,
    on_step: Callable[[str], None] = lambda step: None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
) -> Result:
    """Let a client have `text` echoed by the server on a simulated core; return the cycles.

    `client` is called with port and certificate authority instead of `openssl s_client`. `patience`
    bounds a silence of either side, in seconds. `trusted`: another authority for the client (PEM).
    """
    require_offered(accelerator, variant, platform)
    if client is None:
        proc.find_program("openssl", "it is the client: install it (Debian: openssl)")
    text = secrets.token_bytes(TEXT_BYTES) if text is None else text
    on_step("firmware")
    program = firmware(accelerator, variant, platform)
    on_step("simulator")
    model = build_system_model(accelerator, variant, platform, harness=TCP)
    on_step("connection")
    shown = shown or credentials()
    with tempfile.TemporaryDirectory(prefix="aesforge-tls-") as name:
        place = Path(name)
        (place / "ca.pem").write_bytes(trusted or shown.authority)
        (place / "text").write_bytes(text)
        sizes = (len(shown.key), len(shown.certificate), len(text))
        request = struct.pack("<3I", *sizes) + secrets.token_bytes(32)
        (place / "in").write_bytes(request + shown.key + shown.certificate)
        command: list[str | Path] = [
            *(model, f"+image={program.image}", f"+in={place / 'in'}", f"+out={place / 'out'}"),
            *(f"+listen={port}", f"+patience={patience}", f"+max={MAX_CYCLES}"),
            f"+progress={PROGRESS_CYCLES}",
        ]
        server = _Server(command, RUN_SECONDS, on_cycles)
        server.start()
        failure = ""
        try:
            if at := server.port.get():
                try:
                    (client or _openssl)(at, place)
                except ToolError as error:
                    failure = error.message
            server.join()
        except BaseException:
            proc.stop_all()  # an interruption: the simulator must not stay
            raise
        if failure or (complaint := server.complaint()):
            raise SimulationError(failure or complaint)
        if client is None and (place / "back").read_bytes() != text:
            raise SimulationError("the text that came back is not the one that was sent")
        numbers = struct.unpack("<14I", (place / "out").read_bytes())
    size = program.size({path for path, _, _ in program.sections})
    count = len(PHASES)
    return Result(
        numbers[0],
        numbers[1],
        numbers[2 : 2 + count],
        numbers[2 + count : 2 + 2 * count],
        size.code_bytes + size.table_bytes,
        size.ram_bytes,
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


def client_command(port: int, authority: Path) -> list[str]:
    """Return the command line of the client."""
    return [
        *("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", HOST, "-tls1_3"),
        *("-ciphersuites", "TLS_AES_128_GCM_SHA256", "-groups", "P-256"),
        *("-CAfile", str(authority), "-verify_return_error", "-verify_hostname", HOST),
        *("-max_send_frag", str(LARGEST_RECORD), "-quiet"),
    ]


def _openssl(port: int, place: Path) -> None:
    """Send the text with `openssl s_client` and keep what comes back; ToolError if it fails."""
    done = proc.run(
        [
            *("sh", "-c", 'exec "$@" <"$0/text" >"$0/back"', place),
            *client_command(port, place / "ca.pem"),
        ],
        timeout=RUN_SECONDS,
        check=False,
        log=BUILD / "logs" / "tls-client.log",
    )
    if done.status != 0 or "verify error" in done.stderr:
        lines = [line for line in done.stderr.splitlines() if "error" in line]
        raise ToolError(f"openssl s_client: {(lines or ['it failed'])[0].strip()}")


def table(platform: Platform, runs: Sequence[tuple[Accelerator, Variant, Result]]) -> Table:
    """Return the cycles of connections, side by side, and milliseconds at the published clock."""
    heads: list[tuple[str, bool]] = [("cycles", False)]
    columns: list[list[str]] = []
    for accelerator, variant, result in runs:
        label = f"{accelerator.name}/{variant.name}"
        mhz = clock(accelerator, variant, platform)
        for what, total, parts in (
            ("handshake", result.handshake, result.in_handshake),
            ("data", result.bulk, result.in_bulk),
        ):
            heads.append((f"{label} {what}", True))
            at_clock = f"{total / mhz / 1000:,.1f}" if mhz else "-"
            cells = [*parts[1:], parts[0], total]
            columns.append([*(f"{cell:,}" for cell in cells), at_clock, f"{mhz:g}" if mhz else "-"])
    names = [*PHASES[1:], PHASES[0], "total", "ms on an ECP5", "at MHz (published)"]
    rows = [(name, *(column[i] for column in columns)) for i, name in enumerate(names)]
    title = f"TLS 1.3 server on {platform.name}: ECDHE and ECDSA P-256, AES-128-GCM, 16 KiB echoed"
    return Table(title, tuple(heads), tuple(rows))


def clock(accelerator: Accelerator, variant: Variant, platform: Platform) -> float | None:
    """Return the MHz that the published whole system closes on an ECP5; None: not published."""
    unit = accelerator.manifest.rtl is not None or accelerator.manifest.kind == "set"
    named = (accelerator.name, variant.name) if unit else ("none", "")
    published = (ROOT / "results" / "synthesis.jsonl").read_text(encoding="utf-8").splitlines()
    clocks = [
        row["fmax_mhz"]
        for row in map(json.loads, published)
        if (row["accelerator"], row["variant"]) == named
        and (row["scope"], row["target"]) == (platform.name, "ecp5-85f")
        and row.get("fmax_mhz")
    ]
    return statistics.median(clocks) if clocks else None
