# SPDX-License-Identifier: Apache-2.0
"""Errors that reach the user as one line and a non-zero exit status."""


class AesforgeError(Exception):
    """A problem the user can act on: `message` says what, `hint` says what to do."""

    exit_status = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(AesforgeError):
    """Wrong arguments: unknown names, bad keys, lengths that a mode does not allow."""

    exit_status = 2


class ManifestError(AesforgeError):
    """A manifest that breaks its contract."""

    exit_status = 3


class ToolError(AesforgeError):
    """An external tool is missing or failed; the log's path is in the hint."""

    exit_status = 4


class NoSuchRtl(ToolError):
    """Parameters choose something that the RTL does not have (docs/architecture.md, section 2)."""


class SimulationError(AesforgeError):
    """A simulated system stopped for another reason than its firmware's own exit."""

    exit_status = 5


class Absent(AesforgeError):
    """Something optional is not available here (a peer's source); the row says so."""


class Interrupted(BaseException):
    """The user stopped the run; this is no result."""
