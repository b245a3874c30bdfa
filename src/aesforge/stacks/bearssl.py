# SPDX-License-Identifier: Apache-2.0
"""BearSSL: fetched at first use as the peer of that name is, and what is compiled of it."""

import re
from pathlib import Path

from aesforge.base.errors import Absent
from aesforge.base.paths import ROOT
from aesforge.build import peers
from aesforge.catalog import manifest
from aesforge.stacks.agreed import Agreed, Cipher, Role

DRIVER = ROOT / "sw" / "stacks" / "bearssl"
# Functions that a program with our driver does not have: ciphers, GHASH, curves, big numbers and
# SHA-256 of BearSSL.
BUILT_IN = re.compile(
    r"\bbr_(?:aes_(?!forge)|ghash|ec_|ecdsa_i|i15|i31|i32|i62|p256|secp|curve|sha2small)\w*"
)
_PEER = "bearssl"
# Of src/, where the driver computes: no ciphers, curves, big numbers and hash functions.
_NEEDED = (
    *("codec/ccopy", "codec/dec32be", "codec/enc32be", "codec/enc64be"),
    *("ec/ecdsa_rta", "hash/multihash", "mac/hmac", "mac/hmac_ct", "rand/hmac_drbg", "rand/sysrng"),
    *("ssl/prf", "ssl/prf_sha256", "ssl/ssl_engine", "ssl/ssl_hashes"),
)
_CCM = ("aead/ccm", "ssl/ssl_rec_ccm")
_GCM = ("ssl/ssl_rec_gcm",)
_SIDE = {
    Role.server: (
        *("ssl/ssl_hs_server", "ssl/ssl_scert_single_ec", "ssl/ssl_server", "x509/skey_decoder"),
    ),
    Role.client: (
        *("ec/ecdsa_atr", "ssl/ssl_client", "ssl/ssl_hs_client"),
        *("x509/x509_decoder", "x509/x509_minimal"),
    ),
}
_SHA384 = ("codec/dec64be", "ssl/prf_sha384")
# Interpreters of handshake and certificates.
INTERPRETERS = ("ssl_hs_client", "ssl_hs_server", "x509_minimal")


def sources() -> Path:
    """Return the folder of BearSSL, fetched if it is not there; Absent if it is not to be had."""
    return peers.ensure(_pinned())


def version() -> str:
    """Return the version of the sources."""
    return _pinned().version


def _pinned() -> peers.PeerSource:
    source = manifest.find(_PEER).manifest.source
    if source is None:
        raise Absent("the manifest of the peer bearssl names no source")
    return source


def library() -> list[Path]:
    """Return the C files of the whole library; a linker takes what is needed."""
    return sorted((sources() / "src").rglob("*.c"))


def includes() -> list[Path]:
    """Return the folders of headers."""
    return [DRIVER, sources() / "inc"]


def needed(agreed: Agreed) -> list[Path]:
    """Return the C files that TLS 1.2 with our driver needs, but for `hashes`."""
    records = _CCM if agreed.cipher is Cipher.ccm128 else _GCM
    more = _SHA384 if agreed.needs_sha384 else ()
    return [_source(name) for name in (*_NEEDED, *records, *_SIDE[agreed.role], *more)]


def hashes(agreed: Agreed) -> list[Path]:
    """Return the C files of the hash functions that our driver does not have."""
    return [_source("hash/sha2big")] if agreed.needs_sha384 else []


def _source(name: str) -> Path:
    return sources() / "src" / f"{name}.c"
