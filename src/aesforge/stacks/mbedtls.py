# SPDX-License-Identifier: Apache-2.0
"""Mbed TLS 3.5.1: fetched at first use, pinned by its SHA-256, and what is compiled of it.

The sources are part of a crate, whose versions never change. Cargo fetches it; the download is
checked against the digest below before anything of it is read.
"""

import hashlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import Absent, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build.simulate import cached

DRIVER = ROOT / "sw" / "stacks" / "psa"
# The one SHA-256 of a program: of Mbed TLS and of the signatures' nonces.
HASH = tuple(ROOT / "sw" / "hash" / name for name in ("sha256.c", "sha256_blocks.c"))
VERSION = "3.5.1"
CRATE = "psa-crypto-sys"
CRATE_VERSION = "0.13.0"
SHA256 = "f507eb19095cece94cafcef49c235dd463649e8c629c0b74fcdf9e6e16895feb"
FETCH_SECONDS = 300.0
FOLDERS = ("include", "library")
# What Mbed TLS tests itself with; kept apart from what firmware is compiled from.
TEST_FOLDERS = ("scripts", "tests/include", "tests/scripts", "tests/src", "tests/suites")

# The configuration of the folder sw/stacks/psa.
DEFINES = (
    'MBEDTLS_CONFIG_FILE="aesforge_mbedtls_config.h"',
    'MBEDTLS_PSA_CRYPTO_CONFIG_FILE="aesforge_crypto_config.h"',
)

# Of library/, where the driver computes: no aes, gcm, ccm, cmac, ecp, ecdh, ecdsa, bignum.
CRYPTO = (
    *("psa_crypto", "psa_crypto_aead", "psa_crypto_cipher", "psa_crypto_client", "psa_crypto_ecp"),
    *("psa_crypto_ffdh", "psa_crypto_hash", "psa_crypto_mac", "psa_crypto_pake", "psa_crypto_rsa"),
    *("psa_crypto_slot_management", "psa_util", "platform", "platform_util", "constant_time"),
    *("md", "sha256", "asn1parse", "asn1write", "psa_crypto_driver_wrappers_no_static"),
)


def sources() -> Path:
    """Return the folder of Mbed TLS, fetched if it is not there.

    Absent without Cargo or network; ToolError if the file is not the one that is named here.
    """

    def unpack(folder: Path) -> None:
        with tempfile.TemporaryDirectory(prefix=".crate-", dir=folder) as place:
            crate = _fetch(Path(place))
            _unpack(crate, folder, FOLDERS)

    return cached(BUILD / "stacks" / f"mbedtls-{VERSION}-{SHA256[:12]}", unpack)


def suites(names: Sequence[str]) -> Path:
    """Return the folder of Mbed TLS's own tests, with gen/ for suites: a C file and its data.

    A program that is linked from such a C file is run in this folder.
    """

    def unpack(folder: Path) -> None:
        with tempfile.TemporaryDirectory(prefix=".crate-", dir=folder) as place:
            crate = _fetch(Path(place))
            _unpack(crate, folder, TEST_FOLDERS)
        inside = folder / "tests" / "suites"
        for name in names:
            proc.run(
                [
                    *("python3", folder / "tests" / "scripts" / "generate_test_code.py"),
                    *("-f", inside / f"test_suite_{name.partition('.')[0]}.function"),
                    *("-d", inside / f"test_suite_{name}.data"),
                    *("-t", inside / "main_test.function", "-p", inside / "host_test.function"),
                    *("-s", inside, "--helpers-file", inside / "helpers.function", "-o", "gen"),
                ],
                timeout=60,
                cwd=folder,
            )

    key = proc.digest(SHA256, " ".join((*TEST_FOLDERS, *names)))[:12]
    return cached(BUILD / "stacks" / f"mbedtls-suites-{VERSION}-{key}", unpack)


def dispatch() -> Path:
    """Return the folder with those files of Mbed TLS that call our driver."""
    tree = sources()
    script, facts = DRIVER / "dispatch.py", DRIVER / "aesforge_transparent_driver.json"
    key = proc.digest(script, facts, SHA256)[:24]

    def write(folder: Path) -> None:
        proc.run(["python3", script, tree, folder], timeout=60)

    return cached(BUILD / "stacks" / f"dispatch-{key}", write)


def library(names: Sequence[str]) -> list[Path]:
    """Return C files of Mbed TLS's library, those that call drivers from our dispatch."""
    tree, calls = sources() / "library", dispatch() / "library"
    own = {path.name: path for path in calls.glob("*.c")}
    return [own.get(f"{name}.c", tree / f"{name}.c") for name in names]


def includes() -> list[Path]:
    """Return the folders of headers, in order."""
    tree, calls = sources(), dispatch()
    return [calls / "library", calls / "include", DRIVER, tree / "include", tree / "library"]


def _fetch(place: Path) -> Path:
    """Have Cargo download the crate; return the file, its digest checked."""
    hint = "it is fetched once, with Cargo: install it (Debian: cargo) and be online"
    if shutil.which("cargo", path=proc.environment()["PATH"]) is None:
        raise Absent(f"Mbed TLS {VERSION} is not to be had without Cargo", hint)
    (place / "src").mkdir()
    (place / "src" / "lib.rs").touch()
    (place / "Cargo.toml").write_text(
        '[package]\nname = "fetch"\nversion = "0.0.0"\n\n'
        f'[dependencies]\n{CRATE} = "={CRATE_VERSION}"\n',
        encoding="utf-8",
    )
    try:
        proc.run(
            ["cargo", "fetch", "--quiet"],
            timeout=FETCH_SECONDS,
            cwd=place,
            log=BUILD / "logs" / "fetch-mbedtls.log",
        )
    except ToolError as error:
        raise Absent(f"Mbed TLS {VERSION} is not to be had: {error.message}", hint) from error
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = sorted((home / "registry" / "cache").glob(f"*/{CRATE}-{CRATE_VERSION}.crate"))
    for path in found:
        if hashlib.sha256(path.read_bytes()).hexdigest() == SHA256:
            return path
    if found:
        raise ToolError(f"{found[0].name} is another file than Mbed TLS {VERSION} was taken from")
    raise ToolError(f"Cargo keeps no {CRATE}-{CRATE_VERSION}.crate", f"looked below {home}")


def _unpack(crate: Path, folder: Path, wanted: Sequence[str]) -> None:
    """Unpack some folders of Mbed TLS and its licence into `folder`."""
    root = f"{CRATE}-{CRATE_VERSION}/vendor/"
    try:
        with tarfile.open(crate) as archive:
            for member in archive:
                name = member.name.removeprefix(root)
                if name == member.name or not member.isfile() or ".." in Path(name).parts:
                    continue
                if name != "LICENSE" and not name.startswith(tuple(wanted)):
                    continue
                content = archive.extractfile(member)
                assert content is not None  # a plain file has contents
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content.read())
    except (tarfile.TarError, OSError, EOFError) as error:
        raise ToolError(f"cannot unpack {crate.name}: {error}") from error
