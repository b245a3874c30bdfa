# SPDX-License-Identifier: Apache-2.0
"""The table of protection on an accelerator's page: time, wiping, faults, power.

Each row says "proved", "tested", "not tested" or "not protected", and what shows it. Power is never
more than "netlists probed": no board is measured. All of it comes from the claims of the manifest
and from published records.
"""

from collections.abc import Iterable, Sequence

from aesforge.catalog.manifest import Accelerator, Claim
from aesforge.faults import campaign
from aesforge.probing import probe
from aesforge.records.record import Record
from aesforge.records.rows import Table
from aesforge.verify.prove import ProofRecord

TIMING_PROOF = "unit_timing"  # asked of every instruction unit (formal/proofs.toml)
PROVED, TESTED, UNPROTECTED = "proved", "tested", "not protected"
PROBED = "netlists probed"
HOLDS = "PASS"  # sby's word
# Asked of the first variant of each instruction unit by `make test`, and of all that claims it by
# `make test-full` (tests/system/test_secrets.py); its answers are not published.
SCAN = "secrets"
HEADS = (("", False), ("state", False), ("shown by", False))


def table(unit: Accelerator, records: Iterable[Record], proofs: Iterable[ProofRecord]) -> Table:
    """Return the four rows of an accelerator."""
    records = list(records)
    mine = [entry for entry in records if entry.accelerator == unit.name]
    own = [entry for entry in proofs if entry.owner == unit.name and not entry.bug]
    flipped = [entry for entry in mine if entry.question == "faults"]
    lines = (
        ("timing", *_timing(unit, mine, own)),
        ("wiping", *_wiping(unit, mine, own)),
        ("faults", *_faults(flipped)),
        ("power, emission", *_power(unit, records)),
    )
    return Table("Protection", HEADS, lines)


def _timing(
    unit: Accelerator, records: Sequence[Record], proofs: Sequence[ProofRecord]
) -> tuple[str, str]:
    """What is known of time: proofs of the RTL, then equal cycles on the cores."""
    found = _claimed(unit, "timing", records, proofs)
    timed = [one for one in proofs if one.proof.split("/")[0] == TIMING_PROOF]
    if timed and all(one.outcome == HOLDS for one in timed):
        names = _listed(one.proof.partition("/")[2] for one in timed)
        told = f"the RTL's time, for all operands and a bounded number of cycles ({names})"
        found.insert(0, (PROVED, told))
    return _row(found)


def _wiping(
    unit: Accelerator, records: Sequence[Record], proofs: Sequence[ProofRecord]
) -> tuple[str, str]:
    """What is known of keys and texts after their use."""
    found = _claimed(unit, "wiping", records, proofs)
    if unit.manifest.is_unit:
        told = f"stack, memory and registers after each call of the C: question `{SCAN}`"
        found.append((TESTED, told))
        free = [one.name for one in unit.manifest.variant if unit.manifest.is_stateless(one)]
        if free:
            which = "" if len(free) == len(unit.manifest.variant) else f" in {_listed(free)}"
            found.append(("", f"the unit holds nothing from one operation to the next{which}"))
    return _row(found)


def _claimed(
    unit: Accelerator,
    about: str,
    records: Sequence[Record],
    proofs: Sequence[ProofRecord],
) -> list[tuple[str, str]]:
    """Return the claims of a row: proved, tested or neither, and what shows it."""
    found = []
    for claim in unit.manifest.claim:
        if claim.about == about:
            state, shown = _evidence(unit, claim, records, proofs)
            found.append((state, f"{claim.text}{_only(claim)}: {shown}"))
    return found


def _evidence(
    unit: Accelerator,
    claim: Claim,
    records: Sequence[Record],
    proofs: Sequence[ProofRecord],
) -> tuple[str, str]:
    """Return how a claim is shown and by what; only what passed counts."""
    if claim.test in _names(proofs):
        return PROVED, f"proof `{claim.test}`"
    if claim.test in {bench.name for bench in unit.manifest.bench}:
        return TESTED, f"bench `{claim.test}`"
    if claim.test == SCAN:
        return TESTED, f"question `{SCAN}`"
    cells = [
        entry
        for entry in records
        if entry.question == claim.test
        and entry.status == "passed"
        and (not claim.variants or entry.variant in claim.variants)
    ]
    if not cells:
        return "", "not tested"
    variants = _listed(entry.variant for entry in cells)
    cores = len({entry.platform for entry in cells})
    return TESTED, f"question `{claim.test}` of {variants}, {cores} core{'s' * (cores > 1)}"


def _names(proofs: Sequence[ProofRecord]) -> set[str]:
    """Names of the proofs that hold for every variant that they were asked of."""
    names = {one.proof.split("/")[0] for one in proofs}
    return names - {one.proof.split("/")[0] for one in proofs if one.outcome != HOLDS}


def _only(claim: Claim) -> str:
    return f" ({_listed(claim.variants)})" if claim.variants else ""


def _faults(flipped: Sequence[Record]) -> tuple[str, str]:
    """Shares of single bit flips that led to a wrong answer; what was never tried is said.

    A variant without a wrong answer in its campaigns is tested; all others are not protected.
    """
    if not flipped:
        return UNPROTECTED, "not tried: no record of `aesforge faults`"
    told: list[str] = []
    wrong: set[str] = set()
    for entry in flipped:
        counts = campaign.outcomes(entry)
        silent, faults = counts["wrong"] + counts["early"], sum(counts.values())
        if silent == 0:
            share, verb = f"none of {faults:,}", "gives"
        else:
            wrong.add(entry.variant)
            share, verb = f"{100 * silent / faults:.1f} % of", "give"
        name = f"`{entry.variant}`{campaign.on(campaign.host_of(entry))}"
        told.append(f"{name}: {share} single bit flips {verb} a wrong answer")
    safe = [entry.variant for entry in flipped if entry.variant not in wrong]
    state = f"{_listed(safe)} {TESTED}, others {UNPROTECTED}" if safe else UNPROTECTED
    return state, "; ".join(told)


def _power(unit: Accelerator, records: Iterable[Record]) -> tuple[str, str]:
    """What `aesforge probe` has found in the netlists of a masked module; only what passed counts.

    A claim about power names the module.
    """
    told: list[str] = []
    state = PROBED
    for claim in unit.manifest.claim:
        if claim.about == "power":
            mine = [
                entry
                for entry in records
                if entry.question == probe.QUESTION
                and entry.accelerator == claim.test
                and entry.variant == probe.MODELS[0]
            ]
            if mine and all(entry.status == "passed" for entry in mine):
                targets = _listed(entry.platform for entry in mine)
                shown = f"`aesforge probe {claim.test}` on {targets}, with glitches"
            else:
                state, shown = UNPROTECTED, "not tested"
            told.append(f"{claim.text}{_only(claim)}: {shown}; no board was measured")
    return (state, "; ".join(told)) if told else (UNPROTECTED, "no variant is masked")


def _listed(names: Iterable[str]) -> str:
    """Return names once each, as code."""
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


def _row(found: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return a row's state and what shows it."""
    states = [state for state in (PROVED, TESTED) if state in {one for one, _ in found}]
    told = [text for _, text in found]
    return ", ".join(states) or "not tested", "; ".join(told) or "nothing"
