# SPDX-License-Identifier: Apache-2.0
"""A stack with its own crypto in place of our driver: what units are compared with.

Each stack is configured for 32-bit cores as its authors do by default. What computes is compiled
with -O2, and memcpy goes by words as with our driver. Variants: all with -Os and the C library's
memory functions, as firmware for small cores is often built; and, of wolfSSL, P-256 of fixed size
in portable C, several times as fast.
"""

from collections.abc import Callable, Sequence

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.build.simulate import Sources
from aesforge.catalog.manifest import Accelerator, Manifest, Software, Variant
from aesforge.stacks import bearssl, mbedtls, wolfssl
from aesforge.stacks.agreed import OFFERED, Agreed, Cipher, Group, Role, Stack

NAME = "own"  # in place of a unit's name, and the variant
SIZE = "own-size"  # all compiled for size, with the C library's memory functions
FIXED = "own-sp"  # wolfSSL's P-256 of fixed size, which its default configuration lacks
NAMES = (NAME, SIZE, FIXED)
FOLDER = ROOT / "sw" / "stacks" / "tls"

# Functions of each that the endpoint times: it defines them, and the tool compiles the originals
# with names that begin with timed_.
_WOLFSSL_TIMED = {
    "aes": ("wc_AesGcmSetKey", "wc_AesGcmEncrypt", "wc_AesGcmEncrypt_ex", "wc_AesGcmDecrypt"),
    "ecc": ("wc_ecc_make_key_ex", "wc_ecc_shared_secret", "wc_ecc_sign_hash", "wc_ecc_verify_hash"),
    "sha256": ("wc_Sha256Update", "wc_Sha256Final", "wc_Sha256GetHash"),
}
_WOLFSSL_COMPUTES = ("sp_int", "sp_c32")
# By the driver's entry point: the function of Mbed TLS with the same parameters.
_MBEDTLS_TIMED = {
    "psa_crypto_aead": {
        "aead_encrypt": "mbedtls_psa_aead_encrypt",
        "aead_decrypt": "mbedtls_psa_aead_decrypt",
    },
    "psa_crypto_ecp": {
        "generate_key": "mbedtls_psa_ecp_generate_key",
        "export_public_key": "mbedtls_psa_ecp_export_public_key",
        "key_agreement": "mbedtls_psa_key_agreement_ecdh",
        "sign_hash": "mbedtls_psa_ecdsa_sign_hash",
        "verify_hash": "mbedtls_psa_ecdsa_verify_hash",
    },
}
_MBEDTLS_COMPUTES = (
    *("aes", "gcm", "bignum", "bignum_core", "constant_time", "ecp", "ecp_curves", "ecdh", "ecdsa"),
)
_MBEDTLS_MORE = ("ccm", "cipher", "cipher_wrap", "hmac_drbg")
_BEARSSL_COMPUTES = (
    *("symcipher/aes_ct", "symcipher/aes_ct_enc", "symcipher/aes_ct_ctr"),
    *("symcipher/aes_ct_ctrcbc", "symcipher/aes_common", "hash/ghash_ctmul"),
    *(
        "ec/ec_p256_m31",
        "ec/ec_secp256r1",
        "ec/ec_secp384r1",
        "ec/ec_secp521r1",
        "ec/ecdsa_i31_sign_asn1",
        "ec/ecdsa_i31_sign_raw",
    ),
    *("ec/ecdsa_i31_vrfy_asn1", "ec/ecdsa_i31_vrfy_raw", "ec/ecdsa_i31_bits"),
    *("int/i31_add", "int/i31_bitlen", "int/i31_decmod", "int/i31_decode", "int/i31_decred"),
    *("int/i31_encode", "int/i31_fmont", "int/i31_iszero", "int/i31_modpow", "int/i31_montmul"),
    *("int/i31_muladd", "int/i31_ninv31", "int/i31_rshift", "int/i31_sub", "int/i31_tmont"),
    *("int/i32_div32", "codec/dec32le", "codec/enc32le"),
)


def stack(of: Stack, name: str = NAME) -> tuple[Accelerator, Variant]:
    """Return a stack's own crypto in place of software with a kernel."""
    if name == FIXED and of is not Stack.wolfssl:
        raise UsageError(f"{FIXED} is not offered with --stack {of}", "only with wolfssl")
    variant = Variant(name=name, summary=f"its own AES, curves and SHA-256 ({_level(name)})")
    described = Manifest(
        name=of,
        kind="software",
        summary=f"{of} with its own crypto",
        refs=["docs/tls.md"],
        variant=[variant],
        sw=Software(kernel=[f"endpoint_{of}.c"]),
    )
    return Accelerator(FOLDER, described), variant


def is_meant(accelerator: Accelerator, variant: Variant) -> bool:
    """Tell whether this is what `stack` returns."""
    return variant.name in NAMES and accelerator.folder == FOLDER


def require_offered(agreed: Agreed) -> None:
    """Raise a UsageError for what is not compared: other groups, ciphers, roles, versions."""
    for wrong, option in (
        (agreed.group is not Group.p256, f"--group {agreed.group}"),
        (agreed.cipher is not Cipher.gcm128, f"--cipher {agreed.cipher}"),
        (agreed.role is not Role.server, f"--role {agreed.role}"),
        (agreed.version is not OFFERED[agreed.stack][0], f"--tls {agreed.version}"),
    ):
        if wrong:
            raise UsageError(f"{option} is not offered with a stack's own crypto")


def sources(
    name: str, agreed: Agreed, library: Sequence[str], defines: Sequence[str]
) -> list[Sources]:
    """Return a stack and its endpoint; `library`: what Mbed TLS needs beside its crypto."""
    words = ("AESFORGE_TLS_OWN", *(["AESFORGE_TLS_OWN_SP"] if name == FIXED else []), *defines)
    level = _level(name)
    made: dict[Stack, Callable[[], list[Sources]]] = {
        Stack.mbedtls: lambda: _mbedtls(library, level, words),
        Stack.bearssl: lambda: _bearssl(agreed, level, words),
        Stack.wolfssl: lambda: _wolfssl(agreed, level, words),
    }
    return made[agreed.stack]()


def has_memory(name: str) -> bool:
    """Tell whether a variant has our memory functions; else the C library's."""
    return name != SIZE


def _level(name: str) -> str:
    """Return the compiler's option for what computes."""
    return "-Os" if name == SIZE else "-O2"


def _timed(names: Sequence[str]) -> list[str]:
    return [f"{name}=timed_{name}" for name in names]


def _wolfssl(agreed: Agreed, level: str, defines: Sequence[str]) -> list[Sources]:
    words = ("WOLFSSL_USER_SETTINGS", *defines)
    tree = wolfssl.tree(_WOLFSSL_COMPUTES)
    includes = (FOLDER / "wolfssl", tree)

    def group(names: Sequence[str], *more: str) -> Sources:
        files = tuple(tree / "wolfcrypt" / "src" / f"{name}.c" for name in names)
        return Sources(files, (level,), (*words, *more), includes, strict=False)

    apart = {*_WOLFSSL_TIMED, *_WOLFSSL_COMPUTES}
    rest = [path for path in wolfssl.needed(agreed, tree) if path.stem not in apart]
    return [
        Sources((FOLDER / "endpoint_wolfssl.c", FOLDER / "arena.c"), ("-Os",), words, includes),
        Sources(tuple(rest), ("-Os",), words, includes, strict=False),
        group(_WOLFSSL_COMPUTES),
        *(group([name], *_timed(timed)) for name, timed in _WOLFSSL_TIMED.items()),
    ]


def _bearssl(agreed: Agreed, level: str, defines: Sequence[str]) -> list[Sources]:
    tree = bearssl.sources()
    folders = (tree / "inc", tree / "src")
    computes = tuple(tree / "src" / f"{name}.c" for name in _BEARSSL_COMPUTES)
    words = ("BR_USE_UNIX_TIME=0",)
    hashes = (tree / "src" / "hash" / "sha2small.c",)
    return [
        Sources((FOLDER / "endpoint_bearssl.c",), ("-Os",), tuple(defines), folders[:1]),
        Sources((*bearssl.needed(agreed), *computes), (level,), words, folders, strict=False),
        Sources(
            hashes,
            (level,),
            (*words, "br_sha256_vtable=untimed_sha256_vtable"),
            folders,
            strict=False,
        ),
    ]


def _mbedtls(library: Sequence[str], level: str, defines: Sequence[str]) -> list[Sources]:
    tree = mbedtls.sources()
    words = (*mbedtls.DEFINES, "AESFORGE_TLS", *defines)
    includes = (mbedtls.DRIVER, tree / "include", tree / "library")
    pairs = {k: v for entries in _MBEDTLS_TIMED.values() for k, v in entries.items()}
    # The endpoint's functions for the driver's entry points are those of Mbed TLS.
    named = [f"aesforge_transparent_{entry}={name}" for entry, name in pairs.items()]

    def group(names: Sequence[str], of: str, *more: str) -> Sources:
        files = tuple(tree / "library" / f"{name}.c" for name in names)
        return Sources(files, (of,), (*words, *more), includes, strict=False)

    apart = {*_MBEDTLS_TIMED, *_MBEDTLS_COMPUTES, "sha256"}
    sha = [f"mbedtls_sha256_{name}=timed_sha256_{name}" for name in ("update", "finish")]
    return [
        Sources(
            (FOLDER / "endpoint_mbedtls.c", FOLDER / "records.c"),
            ("-Os",),
            (*words, *named),
            includes,
        ),
        group([n for n in (*library, *_MBEDTLS_MORE) if n not in {*apart, "ssl_tls"}], "-Os"),
        group(["ssl_tls"], "-Os", "mbedtls_calloc=record_calloc", "mbedtls_free=record_free"),
        group(_MBEDTLS_COMPUTES, level),
        group(["sha256"], level, *sha),
        *(
            group([name], "-Os", *(f"{theirs}=timed_{entry}" for entry, theirs in entries.items()))
            for name, entries in _MBEDTLS_TIMED.items()
        ),
    ]
