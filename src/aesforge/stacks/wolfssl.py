# SPDX-License-Identifier: Apache-2.0
"""wolfSSL 5.5.4: a Debian source package, fetched at first use and pinned by its SHA-256."""

import re
from pathlib import Path

from aesforge.base.paths import ROOT
from aesforge.build import peers
from aesforge.catalog.peer import PeerSource

DRIVER = ROOT / "sw" / "stacks" / "wolfssl"
SOURCE = PeerSource(
    debian="wolfssl",
    version="5.5.4",
    sha256="b7ee150e49def77c765bc02aac92ddeb0bebefd4cb12aa263d8f95e405221fb8",
    files=["wolfcrypt/src/cryptocb.c", "wolfcrypt/test/test.c"],
    includes=["wolfssl/wolfcrypt"],
    licence="GPL-2.0-or-later",
)
# Functions that a program with our configuration does not have: compression of SHA-256, points of
# P-256 and numbers for them, the field of Curve25519.
BUILT_IN = re.compile(
    r"\b(?:Transform_Sha256|_?ecc_projective\w*|ecc_map\w*|ecc_mulmod\w*|ecc_mul2add"
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


def sources() -> Path:
    """Return the folder of wolfSSL, fetched if it is not there; Absent if it is not to be had."""
    return peers.ensure(SOURCE)


def library() -> list[Path]:
    """Return the C files of the library; a linker takes what is needed."""
    tree = sources()
    return [
        *(tree / "wolfcrypt" / "src" / f"{name}.c" for name in _CRYPTO),
        *(tree / "src" / f"{name}.c" for name in _TLS),
    ]


def flags(settings: Path) -> list[str]:
    """Return the compiler's words for a configuration, a folder with user_settings.h."""
    folders = (f"-I{settings}", f"-I{DRIVER}", "-isystem", str(sources()))
    return ["-DWOLFSSL_USER_SETTINGS", *folders]
