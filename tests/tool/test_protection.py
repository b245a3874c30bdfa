# SPDX-License-Identifier: Apache-2.0
"""The table of protection: four rows, and nothing said that no proof or record shows."""

import pytest

from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from aesforge.probing import probe
from aesforge.records import record
from aesforge.records.record import Record
from aesforge.report import protection, publish
from aesforge.verify import prove
from aesforge.verify.prove import ProofRecord

HARDWARE = [one for one in manifest.discover() if one.manifest.kind != "software"]
RECORDS = record.read_published()
PROOFS = prove.read_published()
# A unit whose timing is proved, and tested by a question.
PROVED = next(
    one
    for one in manifest.units()
    if any(proof.owner == one.name and "unit_timing" in proof.proof for proof in PROOFS)
)


def rows(
    unit: Accelerator, records: list[Record], proofs: list[ProofRecord]
) -> dict[str, tuple[str, str]]:
    """State and evidence of each row."""
    return {row[0]: (row[1], row[2]) for row in protection.table(unit, records, proofs).rows}


@pytest.mark.parametrize("unit", HARDWARE, ids=lambda unit: unit.name)
def test_every_page_has_the_four_rows(unit: Accelerator) -> None:
    """The same words on each; what attacks the power line is never said to be met."""
    found = rows(unit, RECORDS, PROOFS)
    assert list(found) == ["timing", "wiping", "faults", "power, emission"]
    known = {"proved", "tested", "proved, tested", "not tested"}
    assert {found["timing"][0], found["wiping"][0]} <= known
    assert found["power, emission"][0] == "not protected"
    assert found["faults"][0].endswith("not protected")  # of some variant, or of all
    assert ("tested" in found["faults"][0]) == ("none of" in found["faults"][1])
    assert "<!-- generated: protection -->" in (unit.folder / "README.md").read_text()


def test_power_is_never_more_than_probed() -> None:
    """Only the wires that `aesforge probe` has read count, and only if it refused none of them."""
    probed = record.read_published(probe.PUBLISHED)
    for unit in HARDWARE:
        named = [claim.test for claim in unit.manifest.claim if claim.about == "power"]
        state, shown = rows(unit, probed, [])["power, emission"]
        if not named:
            assert (state, shown) == ("not protected", "no variant is masked")
            continue
        assert state == "netlists probed"
        assert shown.endswith("no board was measured")
        assert all(f"`aesforge probe {name}` on " in shown for name in named)
        failed = [entry.model_copy(update={"status": "failed"}) for entry in probed]
        for records in ([], failed, [*probed, *failed]):
            state, shown = rows(unit, records, [])["power, emission"]
            assert state == "not protected" and "not tested" in shown


def test_what_has_no_record_is_not_tested() -> None:
    """Without records and proofs the claims remain, each with "not tested"."""
    state, shown = rows(PROVED, [], [])["timing"]
    assert state == "not tested"
    assert shown.endswith(": not tested")


def test_only_what_passed_counts() -> None:
    """A refuted proof proves nothing, a failed record shows nothing."""
    assert rows(PROVED, RECORDS, PROOFS)["timing"][0] == "proved, tested"
    refuted = [one.model_copy(update={"outcome": "FAIL"}) for one in PROOFS if not one.bug]
    assert rows(PROVED, RECORDS, refuted)["timing"][0] == "tested"
    failed = [one.model_copy(update={"status": "failed"}) for one in RECORDS]
    assert rows(PROVED, failed, PROOFS)["timing"][0] == "proved"


def test_one_refuted_variant_is_enough() -> None:
    """The timing of all variants that are named is proved, or none is."""
    timed = [
        p for p in PROOFS if p.owner == PROVED.name and "unit_timing/" in p.proof and not p.bug
    ]
    spoilt = [timed[0].model_copy(update={"outcome": "UNKNOWN"}), *timed[1:]]
    assert rows(PROVED, [], spoilt)["timing"][0] == "not tested"


def test_flips_are_shares_of_a_campaign() -> None:
    """Wrong and early results over all faults; what is counted by register is not counted twice."""
    (entry, *_) = publish.read().flipped
    unit = manifest.find(entry.accelerator)
    counts = {"a_right": 5, "a_nothing": 1, "a_alert": 1, "a_wrong": 2, "a_early": 1, "a_cycles": 9}
    spoilt = entry.model_copy(update={"counts": {**counts, "wrong in x_wrong": 2}})
    told = f"`{entry.variant}`: 30.0 % of single bit flips give a wrong answer"
    assert rows(unit, [spoilt], [])["faults"] == ("not protected", told)
    safe = entry.model_copy(update={"counts": {**counts, "a_wrong": 0, "a_early": 0}})
    told = f"`{entry.variant}`: none of 7 single bit flips gives a wrong answer"
    state = f"`{entry.variant}` tested, others not protected"
    assert rows(unit, [safe], [])["faults"] == (state, told)
    # A variant is safe on every bus that was tried, or it is not.
    apb = safe.model_copy(update={"platform": "rtl-apb"})
    told += f"; `{entry.variant}` on apb: none of 7 single bit flips gives a wrong answer"
    assert rows(unit, [safe, apb], [])["faults"] == (state, told)
    other = spoilt.model_copy(update={"platform": "rtl-apb"})
    assert rows(unit, [safe, other], [])["faults"][0] == "not protected"
