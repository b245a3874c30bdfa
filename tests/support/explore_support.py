# SPDX-License-Identifier: Apache-2.0
"""Records of three designs that do not exist: a small unit, a quick one, and plain software."""

from aesforge.records.record import Figure, How, Record
from aesforge.synth import synthesis
from aesforge.synth.synthesis import SynthRecord

DEVICE = "ecp5-85f"


def figure(direction: str, mode: str, blocks: int, cycles: int, bits: int = 128) -> Figure:
    """One measured call."""
    return Figure.model_validate(
        {
            "direction": direction,
            "key_bits": bits,
            "mode": mode,
            "blocks": blocks,
            "cycles": cycles,
            "instructions": cycles // 2,
        }
    )


def measured(
    name: str, per_block: int, code: int, *, kind: str = "instruction", spread: int = 0
) -> list[Record]:
    """Records of a cell: `per_block` cycles a block in every mode but AES-GCM (ten times that)."""
    both = ("encrypt", "decrypt")
    speed = [figure(way, "ecb", 1, per_block + 10) for way in both]
    speed += [figure(way, mode, 120, 120 * per_block) for way in both for mode in ("ecb", "cbc")]
    speed += [figure("encrypt", "ctr", 120, 120 * per_block)]
    speed += [figure(way, "key-setup", 0, 300) for way in both]
    counts = {"code_bytes": 2 * code, "encrypt_bytes": code, "decrypt_bytes": code}
    gcm = {"code_bytes": code, "table_bytes": 0}
    return [
        Record(
            accelerator=name,
            kind=kind,
            variant="only",
            platform="core",
            question=question,
            status="passed",
            how=How(inputs_sha256=f"{name}-{question}"),
            figures=figures,
            counts=found,
        )
        for question, figures, found in (
            ("speed", speed, {**counts, "table_bytes": 0}),
            ("gcm", [figure("encrypt", "gcm", 256, 2560 * per_block)], gcm),
            ("ct", [], {"spread_max": spread}),
            ("test", [], {"FIPS": 7}),
        )
    ]


def placed(
    name: str, scope: str, lut: int, mhz: float | None, *, seed: int = 1, target: str = DEVICE
) -> SynthRecord:
    """One synthesis record; `none` is the core without a unit."""
    return SynthRecord(
        accelerator=name,
        variant="" if name == synthesis.NONE else "only",
        scope=scope,
        target=target,
        seed=seed,
        status="passed",
        lut4=lut,
        ff=lut // 2,
        bram=0,
        dsp=0,
        fmax_mhz=mhz,
        recipe="r",
        tool_versions={},
        inputs_sha256=f"{name}-{scope}",
        seconds=1.0,
    )


RECORDS = [
    *measured("small", 400, 1000),
    *measured("quick", 80, 3000, spread=5),
    *measured("plain", 1600, 2000, kind="software"),
]
PLACED = [
    *(placed("small", "unit", 300, mhz, seed=seed) for seed, mhz in enumerate((190, 200, 240), 1)),
    placed("quick", "unit", 1100, 60.0),
    placed(synthesis.NONE, "core", 2000, 100.0),
]
