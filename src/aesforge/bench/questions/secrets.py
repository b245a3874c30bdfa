# SPDX-License-Identifier: Apache-2.0
"""Question "secrets": what sw/harness/secrets.c found on the stack, in memory and in registers.

A manifest's `sw.leaves` lists what calls of raw blocks leave in registers: "encrypt: state" and the
like. Clearing them all costs 14 instructions, 3 to 9 % of one block. Clearing only the key words
would not help, because a state and the output together reveal the round key. Any other finding
fails, and so does every finding on a stack or in memory.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from aesforge.base.errors import SimulationError
from aesforge.bench.job import Job, objects, run
from aesforge.records.record import Record

MAX_REPORTED = 3  # findings named in a reason

_RAW_CALL = re.compile(r"(encrypt|decrypt)_\d{3}_\d")


@dataclass(frozen=True)
class Finding:
    """A kind of secret that a call leaves: `call` is its name in the program, `at` where it is."""

    call: str
    where: str
    secret: str
    words: int
    at: str

    @property
    def entry(self) -> str:
        """The entry of sw.leaves that lets it pass, or '' where there can be none."""
        raw = _RAW_CALL.fullmatch(self.call)
        return f"{raw[1]}: {self.secret}" if raw and self.where == "register" else ""

    def __str__(self) -> str:
        """For reasons."""
        return f"{self.call}: {self.words} words of {self.secret}, {self.where} {self.at}"


@dataclass(frozen=True)
class Found:
    """What the firmware printed."""

    calls: int
    bytes: int
    findings: list[Finding] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def entries(self) -> set[str]:
        """The entries of sw.leaves that the findings need."""
        return {finding.entry for finding in self.findings if finding.entry}

    def wrong(self, allowed: Collection[str]) -> list[str]:
        """Errors, and the findings that no entry of a manifest allows."""
        return [*self.errors, *(str(f) for f in self.findings if f.entry not in allowed)]


def unpack(printed: Sequence[dict[str, object]], title: str) -> Found:
    """Read the lines of the firmware; SimulationError if the sum lacks or disagrees."""
    findings: list[Finding] = []
    errors: list[str] = []
    total: dict[str, object] | None = None
    for line in printed:
        if line.get("what") == "total":
            total = line
        elif "error" in line:
            errors.append(f"{line.get('call')}: {line['error']} ({line.get('value')})")
        else:
            words = int(str(line["words"]))
            text = {key: str(line[key]) for key in ("call", "where", "secret", "at")}
            findings.append(Finding(words=words, **text))
    if total is None:
        raise SimulationError(f"{title}: the firmware printed no total: {'; '.join(errors[:1])}")
    if (int(str(total["findings"])), int(str(total["errors"]))) != (len(findings), len(errors)):
        raise SimulationError(f"{title}: the firmware's sum is not that of its lines")
    return Found(int(str(total["calls"])), int(str(total["bytes"])), findings, errors)


def ask(job: Job) -> Record:
    """What calls leave on the stack, in memory and in registers."""
    result, _, _ = run(job)
    if result.status != "exit":
        result.require(job.title)
    found = unpack(objects(result, job.title), job.title)
    wrong = found.wrong(job.accelerator.manifest.sw.leaves)
    counts = {"calls": found.calls, "bytes": found.bytes, "findings": len(found.findings)}
    reason = "; ".join(wrong[:MAX_REPORTED])
    status = "failed" if wrong else "passed"
    return job.record(status, counts={**counts, "wrong": len(wrong)}, reason=reason)
