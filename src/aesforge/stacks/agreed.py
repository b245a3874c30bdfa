# SPDX-License-Identifier: Apache-2.0
"""What the two sides of a TLS connection agree on, and what the core runs."""

from dataclasses import dataclass
from enum import StrEnum

from aesforge.base.errors import UsageError


class Stack(StrEnum):
    """The core's software."""

    mbedtls = "mbedtls"
    bearssl = "bearssl"
    wolfssl = "wolfssl"


class Role(StrEnum):
    """What the core is."""

    server = "server"
    client = "client"


class Version(StrEnum):
    """Of TLS."""

    tls13 = "1.3"
    tls12 = "1.2"


class Group(StrEnum):
    """Of the ephemeral keys; signatures are ECDSA on P-256."""

    p256 = "P-256"
    x25519 = "X25519"


class Cipher(StrEnum):
    """Of the records."""

    gcm128 = "AES-128-GCM"
    gcm256 = "AES-256-GCM"
    ccm128 = "AES-128-CCM"


# IANA's numbers, "TLS Supported Groups".
_GROUPS = {Group.p256: 23, Group.x25519: 29}
# IANA's numbers, "TLS Cipher Suites", and OpenSSL's names.
_SUITES = {
    (Version.tls13, Cipher.gcm128): (0x1301, "TLS_AES_128_GCM_SHA256"),
    (Version.tls13, Cipher.gcm256): (0x1302, "TLS_AES_256_GCM_SHA384"),
    (Version.tls13, Cipher.ccm128): (0x1304, "TLS_AES_128_CCM_SHA256"),
    (Version.tls12, Cipher.gcm128): (0xC02B, "ECDHE-ECDSA-AES128-GCM-SHA256"),
    (Version.tls12, Cipher.gcm256): (0xC02C, "ECDHE-ECDSA-AES256-GCM-SHA384"),
    (Version.tls12, Cipher.ccm128): (0xC0AC, "ECDHE-ECDSA-AES128-CCM"),
}


@dataclass(frozen=True)
class Agreed:
    """The one version, group and cipher that both sides offer; the core's role and stack."""

    role: Role = Role.server
    version: Version = Version.tls13
    group: Group = Group.p256
    cipher: Cipher = Cipher.gcm128
    stack: Stack = Stack.mbedtls

    def require_offered(self) -> None:
        """UsageError unless the stack's endpoint can do this."""
        offered = OFFERED[self.stack]
        if self.version not in offered:
            raise UsageError(
                f"--tls {self.version} is not offered with --stack {self.stack}",
                f"offered: {', '.join(offered)}",
            )

    @property
    def needs_sha384(self) -> bool:
        """Its suite derives keys with SHA-384."""
        return self.cipher is Cipher.gcm256

    @property
    def group_number(self) -> int:
        """IANA's number of the group."""
        return _GROUPS[self.group]

    @property
    def suite_number(self) -> int:
        """IANA's number of the cipher suite."""
        return _SUITES[self.version, self.cipher][0]

    @property
    def title(self) -> str:
        """For tables."""
        version = f"TLS {self.version} {self.role} ({NAMES[self.stack]})"
        return f"{version}: ECDHE {self.group}, ECDSA P-256, {self.cipher}"

    @property
    def options(self) -> list[str]:
        """Return OpenSSL's options: only this is offered, and P-256 for TLS 1.2's certificates."""
        suite = _SUITES[self.version, self.cipher][1]
        groups = ":".join(dict.fromkeys((self.group, Group.p256)))
        names = {Version.tls13: ("-tls1_3", "-ciphersuites"), Version.tls12: ("-tls1_2", "-cipher")}
        version, ciphers = names[self.version]
        return [version, ciphers, suite, "-groups", groups]


SERVER = Agreed()
NAMES = {Stack.mbedtls: "Mbed TLS", Stack.bearssl: "BearSSL", Stack.wolfssl: "wolfSSL"}
# The versions of each stack, the newest first.
OFFERED = {
    Stack.mbedtls: tuple(Version),
    Stack.bearssl: (Version.tls12,),
    Stack.wolfssl: tuple(Version),
}
