# SPDX-License-Identifier: Apache-2.0
"""Rows and tables made from records: the stable JSON keys, verdicts and the crossover."""

from typing import Any

import pytest

from aesforge.records import rows
from aesforge.records.record import Figure, How, Record

pytestmark = pytest.mark.quick

# The interface that scripts rely on (docs/json.md); a removed or renamed key breaks them.
STABLE_KEYS = {
    "accelerator",
    "variant",
    "platform",
    "direction",
    "key_bits",
    "mode",
    "blocks",
    "cycles_per_block",
    "instructions_per_block",
    "code_bytes",
    "table_bytes",
    "verified",
}


def a_record(**changes: Any) -> Record:
    """A record of an imaginary unit."""
    values: dict[str, Any] = {
        "accelerator": "unit",
        "kind": "instruction",
        "variant": "full",
        "platform": "core",
        "question": "speed",
        "status": "passed",
        "how": How(inputs_sha256="0" * 64),
    }
    return Record(**{**values, **changes})


def figure(blocks: int, cycles: int, mode: str = "ecb") -> Figure:
    """An encryption figure, AES-128."""
    return Figure(
        direction="encrypt",
        key_bits=128,
        mode=mode,
        blocks=blocks,
        cycles=cycles,
        instructions=cycles,
    )


def speed(accelerator: str, kind: str, set_up: int, per_block: int) -> Record:
    """A speed record with a straight message-length curve."""
    figures = [figure(0, set_up, "key-setup")]
    figures += [figure(blocks, blocks * per_block) for blocks in (1, 2, 4, 8, 64)]
    sizes = {"code_bytes": 100, "table_bytes": 8}
    return a_record(accelerator=accelerator, kind=kind, figures=figures, counts=sizes)


def vectors(accelerator: str, kind: str, status: str = "passed") -> Record:
    """A vector record."""
    return a_record(accelerator=accelerator, kind=kind, question="test", status=status)


def test_rows_have_the_stable_keys() -> None:
    """One row a figure, every documented key in each."""
    found = rows.json_rows([speed("unit", "instruction", 10, 5), vectors("unit", "instruction")])
    assert len(found) == 6
    for row in found:
        assert set(row) >= STABLE_KEYS
    bulk = next(row for row in found if row["blocks"] == 64)
    assert (bulk["cycles_per_block"], bulk["verified"], bulk["code_bytes"]) == (5.0, True, 100)


@pytest.mark.parametrize("status", ["failed", "error"])
def test_a_wrong_vector_is_not_verified(status: str) -> None:
    """Fast and wrong is not verified, in rows and in the table."""
    records = [speed("unit", "instruction", 10, 5), vectors("unit", "instruction", status)]
    assert not any(row["verified"] for row in rows.json_rows(records))
    assert rows.speed_table(records, ["core"]).rows[0][-2].startswith(status)


def test_a_platform_without_the_variant_takes_no_verdict() -> None:
    """Verified means wherever the variant is offered; skipped everywhere, the reason is shown."""
    skipped = a_record(platform="narrow", question="test", status="skipped", reason="two operands")
    offered = a_record(platform="wide", question="test", counts={"KAT": 9})
    both = rows.speed_table([skipped, offered], ["narrow", "wide"])
    assert both.rows[0][-2] == "all vectors"
    assert rows.speed_table([skipped], ["narrow"]).rows[0][-2] == "skipped: two operands"


def test_cases_that_were_left_out_are_no_pass() -> None:
    """Of a variant that lacks key lengths the table says how many vectors it was not asked."""
    fewer = a_record(question="test", counts={"KAT": 9, "left_out": 3238})
    line = rows.speed_table([fewer], [fewer.platform]).rows[0]
    assert line[-2] == "all but 3,238: keys that it lacks"


def test_no_vectors_means_not_tested() -> None:
    """A speed without vectors is not called verified."""
    records = [speed("unit", "instruction", 10, 5)]
    assert rows.json_rows(records)[0]["verified"] is False
    assert rows.speed_table(records, ["core"]).rows[0][-2] == "not tested"


def test_an_absent_peer_has_a_row_with_its_reason() -> None:
    """Nothing measured: one row, figures null, the reason given."""
    records = [a_record(kind="software", status="absent", reason="no source package here")]
    (row,) = rows.json_rows(records)
    assert (row["status"], row["cycles"]) == ("absent", None)
    assert row["reason"] == "no source package here"
    assert set(row) >= STABLE_KEYS


def test_constant_time_needs_every_platform() -> None:
    """A spread on one platform is named."""
    records = [
        a_record(question="ct", platform=name, counts={"spread_max": spread, "runs": 9})
        for name, spread in (("flat", 0), ("cached", 3))
    ]
    assert rows.speed_table(records, ["flat", "cached"]).rows[0][-1] == "not on cached"
    assert rows.speed_table(records[:1], ["flat"]).rows[0][-1] == "yes"


def test_interrupts_are_counted_where_they_were_tried() -> None:
    """Offsets of each core, what went wrong, what was not tried; no table without the question."""
    records = [
        a_record(question="irq", platform="one", counts={"offsets": 1200, "bad": 0}),
        a_record(question="irq", platform="two", counts={"offsets": 90, "bad": 3}),
        a_record(question="irq", platform="narrow", status="skipped", reason="two operands"),
        speed("other", "instruction", 10, 5),
    ]
    (table,) = rows.interrupt_tables(records, ["narrow", "one", "two", "four"])
    assert table.rows == (("unit / full", "-", "1,200", "3 wrong of 90", "not tested"),)
    assert rows.interrupt_tables(records[3:], ["core"]) == []


@pytest.mark.parametrize(
    ("unit_set_up", "per_block", "expected"),
    [(10, 5, 16), (500, 5, 1024), (10, 100, 0), (100000, 1, 0)],
)
def test_crossover(unit_set_up: int, per_block: int, expected: int) -> None:
    """Software takes 20 cycles set-up and 60 a block."""
    records = [
        speed("unit", "instruction", unit_set_up, per_block),
        speed("soft", "software", 20, 60),
        vectors("soft", "software"),
    ]
    (found,) = rows.crossovers(records)
    assert found.counts == {"crossover_bytes": expected}


def test_crossover_ignores_unverified_software() -> None:
    """Wrong software is no yardstick."""
    records = [
        speed("unit", "instruction", 10, 5),
        speed("soft", "software", 0, 1),
        vectors("soft", "software", "failed"),
    ]
    assert rows.crossovers(records) == []


def from_when(*records: Record) -> str:
    """What the table of details says of the unit in "beats software from"."""
    derived = rows.crossovers(records)
    table = rows.detail_table([*records, *derived], "core")
    (line,) = (line for line in table.rows if line[0] == "unit / full")
    return line[-1]


def test_never_is_said_only_of_what_was_measured() -> None:
    """Without software beside it, or without a common length, nothing is known."""
    slow = speed("unit", "instruction", 10, 100)
    soft, right = speed("soft", "software", 20, 60), vectors("soft", "software")
    assert from_when(slow) == "-"
    assert from_when(slow, soft, right) == "never"
    decrypts = slow.model_copy(update={"figures": slow.figures[:1]})
    assert from_when(decrypts, soft, right) == "-"


def test_a_length_measured_of_one_alone_decides_nothing() -> None:
    """The unit wins at every common length: the software's longer one does not make it `never`."""
    unit, soft = speed("unit", "instruction", 10, 5), speed("soft", "software", 20, 60)
    longer = soft.model_copy(update={"figures": [*soft.figures, figure(1024, 61440)]})
    assert from_when(unit, longer, vectors("soft", "software")) == "16 B"


def test_markdown_has_one_line_a_row() -> None:
    """Head, rule and rows agree in their number of columns."""
    table = rows.speed_table([speed("unit", "instruction", 10, 5)], ["core"])
    lines = [line for line in table.markdown().splitlines() if line.startswith("|")]
    assert len(lines) == 3
    assert len({line.count("|") for line in lines}) == 1


def gcm_record(**changes: Any) -> Record:
    """A record of the question gcm."""
    figures = [figure(120, 6000, "ghash"), figure(0, 700, "gcm-key-setup")]
    figures += [figure(blocks, 300 + 256 * blocks, "gcm") for blocks in (1, 4, 94, 256)]
    counts = {"wrong": 0, "spread_max": 0, "code_bytes": 900, **changes}
    return a_record(question="gcm", figures=figures, counts=counts)


def test_gcm_has_a_table_of_its_own() -> None:
    """Where the question was asked, with what was wrong; and rows for scripts."""
    assert rows.gcm_tables([speed("unit", "instruction", 1, 1)], ["core"]) == []
    (table,) = rows.gcm_tables([gcm_record()], ["core", "other"])
    line = dict(zip((name for name, _ in table.heads), table.rows[0], strict=True))
    assert (line["GHASH/block"], line["key"], line["enc 64 B"]) == ("50", "700", "1324")
    assert (line["enc 4 KiB, c/B"], line["dec 4 KiB, c/B"]) == ("16.1", "-")
    assert (line["answers"], line["constant time"]) == ("right", "yes")
    (table,) = rows.gcm_tables([gcm_record(wrong=2, spread_max=3)], ["core"])
    assert table.rows[0][-2:] == ("2 wrong", "no")
    (table,) = rows.gcm_tables([gcm_record(left_out=1057)], ["core"])
    assert table.rows[0][-2:] == ("right, 1,057 left out", "yes")
    made = rows.json_rows([speed("unit", "instruction", 1, 1), gcm_record()])
    assert {row["mode"] for row in made} >= {"ecb", "gcm", "ghash", "gcm-key-setup"}


def test_the_other_modes_have_a_table_of_their_own() -> None:
    """Where the question was asked; software that need not be constant has no spread."""
    figures = [figure(blocks, 50 * blocks, mode) for mode in ("ccm", "xts") for blocks in (4, 256)]
    figures.append(figure(2, 4800, "kw"))
    counts = {"wrong": 0, "spread_max": 0}
    record = a_record(question="modes", figures=figures, counts=counts)
    assert rows.mode_tables([gcm_record()], ["core"]) == []
    (table,) = rows.mode_tables([record], ["core", "other"])
    line = dict(zip((name for name, _ in table.heads), table.rows[0], strict=True))
    assert (line["CCM 64 B"], line["XTS 4 KiB, c/B"], line["KW of 32 B"]) == ("200", "3.1", "4800")
    assert (line["CMAC 64 B"], line["answers"], line["constant time"]) == ("-", "right", "yes")
    for found, shown in (
        ({"wrong": 2, "spread_max": 3}, ("2 wrong", "no")),
        ({**counts, "runs": 1000}, ("right", "yes, 1,000 inputs")),
        ({**counts, "spread_max": 3, "runs": 20}, ("right", "no, 20 inputs")),
    ):
        (table,) = rows.mode_tables([record.model_copy(update={"counts": found})], ["core"])
        assert table.rows[0][-2:] == shown
    assert {row["mode"] for row in rows.json_rows([record])} == {"ccm", "xts", "kw"}


def test_digests_have_a_table_of_their_own() -> None:
    """Cycles of three lengths; a cell without another question is in no table of ciphers."""
    counts = {f"{n}_{what}": 2 * n for n in (64, 1500, 4096) for what in ("cycles", "instructions")}
    record = a_record(question="sha256", figures=[], counts={**counts, "wrong": 0, "spread_max": 0})
    assert rows.hash_tables([gcm_record()], ["core"]) == []
    (table,) = rows.hash_tables([record], ["core", "other"])
    assert table.rows == (("unit / full", "128", "3000", "8192", "2.0", "right", "yes"),)
    bad = record.model_copy(update={"counts": {**record.counts, "wrong": 1, "spread_max": 9}})
    (table,) = rows.hash_tables([bad], ["core"])
    assert table.rows[0][-2:] == ("1 wrong", "no")
    assert rows.speed_table([record], ["core"]).rows == ()
    made = rows.json_rows([record])
    assert [(row["mode"], row["cycles"]) for row in made] == [
        ("sha256-64", 128),
        ("sha256-1500", 3000),
        ("sha256-4096", 8192),
    ]


def test_modes_at_4_kib_are_beside_the_cipher() -> None:
    """What a mode takes beyond ECB in its direction, or no figure without that direction."""
    found = [figure(256, 256 * cycles, mode) for cycles, mode in ((100, "ecb"), (109, "ctr"))]
    found += [figure(256, 256 * 140, "cbc"), figure(120, 120 * 5, "ctr")]
    back = [f.model_copy(update={"direction": "decrypt"}) for f in found if f.mode != "ctr"]
    (table,) = rows.long_tables([a_record(figures=found)], ["core", "other"])
    assert table.rows == (("unit / full", "100", "109", "9.0", "140", "-", "-", "-"),)
    (table,) = rows.long_tables([a_record(figures=[*found, *back])], ["core"])
    assert table.rows[0][5:] == ("100", "140", "40.0")
    assert rows.long_tables([a_record(figures=found[:1])], ["core"]) == []


def test_curves_have_a_line_a_function() -> None:
    """Software first, the unit with its ratio, and what constant time was asked of."""
    counts = {"right": 3, "wrong": 0, "x25519_cycles": 900, "x25519_instructions": 800}
    unit = {**counts, "x25519_cycles": 300, "p256_ecdh_cycles": 7, "p256_ecdh_instructions": 6}
    steady = {"runs": 200, "spread_max": 0, "x25519": 0}
    varying = {"runs": 200, "spread_max": 9, "p256_ecdh": 9}
    records = [
        a_record(question="ecc", counts=unit),
        a_record(question="ecc", accelerator="soft", kind="software", counts=counts),
        a_record(question="ecc_ct", counts=steady),
        a_record(question="ecc_ct", counts=varying),
    ]
    (table,) = rows.curve_tables(records, ["core"])
    assert [name for name, _ in table.heads] == [
        *("function", "soft / full", "unit / full", "equal cycles")
    ]
    assert table.rows == (
        ("p256_ecdh", "-", "7", "NO, 9 apart"),
        ("x25519", "900", "300 (3.0x)", "200 calls"),
    )
    assert rows.curve_tables(records, ["core"], ("p256",))[0].rows == table.rows[:1]


def test_rows_of_curves_have_figures() -> None:
    """A function of a curve has a row with its cycles, what was asked of it, and the bytes."""
    counts = {"right": 3, "wrong": 0, "x25519_cycles": 900, "x25519_instructions": 800}
    more = {"code_bytes": 70, "table_bytes": 0, "p256_ecdh_cycles": 7, "p256_ecdh_instructions": 6}
    records = [
        a_record(question="ecc", counts={**counts, **more}),
        a_record(question="ecc_ct", counts={"runs": 200, "spread_max": 0, "x25519": 0}),
    ]
    found = {row["mode"]: row for row in rows.json_rows(records)}
    assert set(found) == {"x25519", "p256_ecdh"}
    assert all(set(row) >= STABLE_KEYS for row in found.values())
    one = found["x25519"]
    assert (one["cycles"], one["instructions"], one["code_bytes"]) == (900, 800, 70)
    assert (one["verified"], one["constant_time"]) == (True, True)
    assert found["p256_ecdh"]["constant_time"] is None
