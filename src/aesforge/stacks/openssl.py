# SPDX-License-Identifier: Apache-2.0
"""OpenSSL as the other side of a connection: certificates and command lines."""

import datetime
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

from aesforge.stacks.agreed import SERVER, Agreed

HOST = "core.aesforge.test"
LARGEST_RECORD = 4096  # of aesforge_mbedtls_config.h


@dataclass(frozen=True)
class Credentials:
    """The server's key and certificate (DER), and the authority that signed it."""

    key: bytes
    certificate: bytes
    authority: x509.Certificate

    @property
    def authority_pem(self) -> bytes:
        """For OpenSSL."""
        return self.authority.public_bytes(Encoding.PEM)

    @property
    def authority_der(self) -> bytes:
        """For the core."""
        return self.authority.public_bytes(Encoding.DER)


def credentials(host: str = HOST, days: int = 30, first: int = -60) -> Credentials:
    """Return fresh ones for a host name, valid between two days from now; negative: expired."""
    now = datetime.datetime.now(datetime.UTC)
    begin, end = (now + datetime.timedelta(days=day) for day in (first, days))
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

    form = (Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return Credentials(
        ours.private_bytes(*form),
        signed(subject, ours.public_key(), ca=False).public_bytes(Encoding.DER),
        signed(issuer, root.public_key(), ca=True),
    )


def client(port: int, authority: Path, agreed: Agreed = SERVER) -> list[str]:
    """Return the command line of a client that verifies certificate and host name."""
    return [
        *("openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", HOST),
        *agreed.options,
        *("-CAfile", str(authority), "-verify_return_error", "-verify_hostname", HOST),
        *("-max_send_frag", str(LARGEST_RECORD), "-quiet"),
    ]


def server(port: int, key: Path, certificate: Path, agreed: Agreed) -> list[str]:
    """Return the command line of a server that ends after one connection."""
    return [
        *("openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-naccept", "1"),
        *agreed.options,
        # Its order of groups counts: BearSSL offers P-256 first.
        "-serverpref",
        *("-key", str(key), "-cert", str(certificate), "-keyform", "DER", "-certform", "DER"),
        *("-max_send_frag", str(LARGEST_RECORD), "-quiet"),
    ]
