# SPDX-License-Identifier: Apache-2.0
"""Sets: several units as one coprocessor (docs/sets.md). What a set is follows from its units."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aesforge.catalog.encoding import Encoding
    from aesforge.catalog.manifest import Accelerator, Manifest, Member, Operation, Variant

# Own parts of a set's variant; everything else is its units'.
OWN = frozenset({"name", "summary", "units", "defines", "cflags", "by_default"})
TOP = "fu_join"  # the module in front of the units


def problem(found: "Manifest") -> str:
    """Say what is wrong with a set's own tables; empty if nothing is."""
    if found.rtl or found.op or found.part or found.bench or found.proof:
        return "kind 'set' has no [rtl], [[op]], [[part]], [[bench]] or [[proof]]: its units do"
    if found.sw.emul or found.sw.cipher or found.sw.absorb_group or found.sw.ecc is not None:
        return "kind 'set' has no sw.emul, sw.cipher, sw.ecc or sw.absorb_group: its units do"
    for variant in found.variant:
        if odd := sorted(variant.model_fields_set - OWN):
            return f"variant {variant.name}: {odd[0]} is a matter of its units"
        if len(variant.units) < 2:
            return f"variant {variant.name}: a set has two units or more"
        names = [label.partition("/")[0] for label in variant.units]
        if len(set(names)) < len(names):
            return f"variant {variant.name}: a unit is named twice"
    return ""


def require_fit(members: Sequence["Member"], opcode: int = 0) -> None:
    """Refuse units that cannot be one coprocessor; ValueError names both.

    `opcode` replaces every major opcode unless it is 0. What the port cannot feed is left out.
    """
    ciphers = [m.accelerator.name for m in members if not m.accelerator.manifest.sw.cipher]
    if len(ciphers) > 1:
        raise ValueError(f"{ciphers[0]} and {ciphers[1]} are both ciphers")
    seen: list[tuple[str, Operation]] = []
    for member in members:
        name = member.accelerator.name
        for operation in member.accelerator.manifest.operations(member.variant):
            if opcode and "rs3" in operation.parsed.registers:
                continue
            for owner, other in seen:
                if owner == name:
                    continue
                if operation.mnemonic == other.mnemonic:
                    raise ValueError(f"{owner} and {name} both have {operation.mnemonic}")
                if _as_ported(operation, opcode).collides(_as_ported(other, opcode)):
                    raise ValueError(
                        f"encodings of {owner}'s {other.mnemonic} and"
                        f" {name}'s {operation.mnemonic} collide"
                    )
            seen.append((name, operation))


def _as_ported(operation: "Operation", opcode: int) -> "Encoding":
    return operation.parsed.with_opcode(opcode) if opcode else operation.parsed


def cipher(members: Sequence["Member"]) -> "Member":
    """Return the member whose kernel has the cipher: the unit's, or else software's."""
    own = (m for m in members if not m.accelerator.manifest.sw.cipher)
    return next(own, members[0])


def variant_values(variant: "Variant", members: Sequence["Member"]) -> dict[str, Any]:
    """Return what the units make of a variant."""
    main = cipher(members)
    group = main.accelerator.manifest.sw.absorb_group
    found = [(m.accelerator.name, m.accelerator.manifest, m.variant) for m in members]
    params: dict[str, str | int] = {}
    for name, manifest, part in found:
        assert manifest.rtl is not None
        params[name] = manifest.rtl.top
        for key, value in {**manifest.rtl.params, **part.params}.items():
            params[f"{name}.{key}"] = value
    return {
        "params": params,
        "defines": [
            *(word for _, _, part in found for word in part.defines),
            *([f"ABSORB_GROUP={group}"] if group else []),
            *variant.defines,
        ],
        "ops": [op.mnemonic for _, manifest, part in found for op in manifest.operations(part)],
        "directions": main.variant.directions,
        "stateless": all(manifest.is_stateless(part) for _, manifest, part in found),
        "state_words": sum(part.state_words for *_, part in found),
        "busy": max(part.busy for *_, part in found),
        "reset_cycles": max(part.reset_cycles for *_, part in found),
        "key_words": main.accelerator.manifest.key_words(main.variant),
        "ecc": any(manifest.has_ecc(part) for _, manifest, part in found),
        "latencies": {
            op.mnemonic: manifest.latency(op, part)
            for _, manifest, part in found
            for op in manifest.operations(part)
        },
    }


def values(found: "Manifest", units: Mapping[str, "Accelerator"]) -> dict[str, Any]:
    """Return what the units make of a set: operations, software, what a call leaves."""
    software = [unit.manifest.sw for unit in units.values()]
    operations: dict[str, Operation] = {}
    for name, unit in units.items():
        for operation in unit.manifest.op:
            if operation.mnemonic in operations:
                raise ValueError(f"{name}'s {operation.mnemonic} is another unit's operation too")
            operations[operation.mnemonic] = operation
    has_ecc = any(one.ecc is not None for one in software)
    flags = [word for one in (*software, found.sw) for word in one.cflags]
    return {
        "op": list(operations.values()),
        "sw": found.sw.model_copy(
            update={
                "cflags": list(dict.fromkeys(flags)),
                "leaves": list(dict.fromkeys(word for one in software for word in one.leaves)),
                "ecc": [] if has_ecc else None,  # the files are the units' (Accelerator.ecc_files)
                "tables": list(dict.fromkeys(word for one in software for word in one.tables)),
            }
        ),
    }
