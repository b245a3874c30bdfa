# SPDX-License-Identifier: Apache-2.0
"""BearSSL: fetched at first use as the peer of that name is, and what is compiled of it."""

import re
from pathlib import Path

from aesforge.base.errors import Absent
from aesforge.base.paths import ROOT
from aesforge.build import peers
from aesforge.catalog import manifest

DRIVER = ROOT / "sw" / "stacks" / "bearssl"
# Functions that a program with our driver does not have: ciphers, GHASH, curves, big numbers and
# SHA-256 of BearSSL.
BUILT_IN = re.compile(
    r"\bbr_(?:aes_(?!forge)|ghash|ec_|ecdsa_i|i15|i31|i32|i62|p256|secp|curve|sha2small)\w*"
)
_PEER = "bearssl"
# Of src/, where the driver computes: no ciphers, curves, big numbers and hash functions.
_NEEDED = (
    *("aead/ccm", "codec/ccopy", "codec/dec32be", "codec/enc32be", "codec/enc64be"),
    *("ec/ecdsa_rta", "hash/multihash", "mac/hmac", "mac/hmac_ct", "rand/hmac_drbg", "rand/sysrng"),
    *("ssl/prf", "ssl/prf_sha256", "ssl/ssl_engine", "ssl/ssl_hashes", "ssl/ssl_hs_server"),
    *("ssl/ssl_rec_ccm", "ssl/ssl_rec_gcm", "ssl/ssl_scert_single_ec", "ssl/ssl_server"),
    "x509/skey_decoder",
)


def sources() -> Path:
    """Return the folder of BearSSL, fetched if it is not there; Absent if it is not to be had."""
    source = manifest.find(_PEER).manifest.source
    if source is None:
        raise Absent("the manifest of the peer bearssl names no source")
    return peers.ensure(source)


def library() -> list[Path]:
    """Return the C files of the whole library; a linker takes what is needed."""
    return sorted((sources() / "src").rglob("*.c"))


def includes() -> list[Path]:
    """Return the folders of headers."""
    return [DRIVER, sources() / "inc"]


def needed() -> list[Path]:
    """Return the C files that a TLS 1.2 server with our driver needs."""
    return [sources() / "src" / f"{name}.c" for name in _NEEDED]
