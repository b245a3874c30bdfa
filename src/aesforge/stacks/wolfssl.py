# SPDX-License-Identifier: Apache-2.0
"""wolfSSL 5.5.4: a Debian source package, fetched at first use and pinned by its SHA-256."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from aesforge.base import proc
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import peers
from aesforge.build.simulate import cached
from aesforge.catalog.peer import PeerSource
from aesforge.stacks.agreed import Agreed, Version

DRIVER = ROOT / "sw" / "stacks" / "wolfssl"
SOURCE = PeerSource(
    debian="wolfssl",
    version="5.5.4",
    sha256="b7ee150e49def77c765bc02aac92ddeb0bebefd4cb12aa263d8f95e405221fb8",
    files=["wolfcrypt/src/cryptocb.c", "wolfcrypt/test/test.c"],
    includes=["wolfssl/wolfcrypt"],
    licence="GPL-2.0-or-later",
)
# Functions and tables that a program with our configuration does not have: AES and GHASH,
# compression of SHA-256, points of P-256 and numbers for them, the field of Curve25519.
BUILT_IN = re.compile(
    r"\b(?:wc_Aes(?:SetKeyLocal|Encrypt|Decrypt)|AES_GCM_\w+|GHASH|GMULT|T[ed]4?"
    r"|Transform_Sha256|_?ecc_projective\w*|ecc_map\w*|ecc_mulmod\w*|ecc_mul2add"
    r"|ecc_make_pub_ex|wc_ecc_mulmod\w*|wc_ecc_gen_k|wc_ecc_(?:sign|verify)_hash_ex"
    r"|sp_(?:mul|sqr|invmod|mod|mont_red)\w*|fe_(?!init\b)\w+)\b"
)
# Of wolfcrypt/src: what TLS 1.3 with our algorithms wants, and wolfSSL's own of these.
_CRYPTO = (
    *("aes", "asn", "cmac", "coding", "cryptocb", "curve25519", "ecc", "error", "fe_operations"),
    *("hash", "hmac", "kdf", "logging", "memory", "random", "sha256", "sha512", "signature"),
    *("sp_int", "wc_encrypt", "wc_port", "wolfmath"),
)
_TLS = ("internal", "keys", "ssl", "tls", "tls13", "wolfio")
_INCLUDED = ("evp", "misc")  # by other C files
# Of these, what firmware does not compile: our driver has it.
_OURS = ("aes", "fe_operations")


def sources() -> Path:
    """Return the folder of wolfSSL, fetched if it is not there; Absent if it is not to be had."""
    return peers.ensure(SOURCE)


def library() -> list[Path]:
    """Return the C files of the library; a linker takes what is needed."""
    return _files(sources(), (*_CRYPTO, *_TLS))


def _files(tree: Path, names: Iterable[str]) -> list[Path]:
    folders = {**dict.fromkeys(_CRYPTO, "wolfcrypt/src"), **dict.fromkeys(_TLS, "src")}
    return [tree / folders[name] / f"{name}.c" for name in names]


def tree(more: tuple[str, ...] = ()) -> Path:
    """Return the part of wolfSSL that firmware is compiled from: a tenth of what is fetched.

    `more` names further files of wolfcrypt/src. Firmware is kept under the contents of all folders
    that it may include from.
    """
    whole = sources()

    def copy(folder: Path) -> None:
        included = [whole / "wolfcrypt" / "src" / f"{name}.c" for name in (*_INCLUDED, *more)]
        wanted = [*library(), *included, *whole.glob("src/*.c")]
        for path in [*whole.glob("wolfssl/**/*.h"), *wanted]:
            target = folder / path.relative_to(whole)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)

    key = proc.digest(whole.name, " ".join((*_CRYPTO, *_TLS, *_INCLUDED, *more)))[:12]
    return cached(BUILD / "stacks" / f"wolfssl-{SOURCE.version}-{key}", copy)


def needed(agreed: Agreed, folder: Path | None = None) -> list[Path]:
    """Return the C files that a connection with our driver needs, but for `hashes`."""
    left = {*_OURS, "sha512", *(["tls13"] if agreed.version is Version.tls12 else [])}
    names = [name for name in (*_CRYPTO, *_TLS) if name not in left]
    return _files(folder or tree(), names)


def hashes(agreed: Agreed) -> list[Path]:
    """Return the C files of the hash functions that our driver does not have."""
    return _files(tree(), ["sha512"] if agreed.needs_sha384 else [])


def flags(settings: Path) -> list[str]:
    """Return the compiler's words for a configuration, a folder with user_settings.h."""
    folders = (f"-I{settings}", f"-I{DRIVER}", "-isystem", str(sources()))
    return ["-DWOLFSSL_USER_SETTINGS", *folders]
