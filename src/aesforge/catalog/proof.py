# SPDX-License-Identifier: Apache-2.0
"""What a formal proof is, as the manifests and formal/proofs.toml state it."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Proof(BaseModel):
    """One run of a proof engine and the planted bugs with which it must fail."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    top: str
    sources: list[str] = []  # files in place of modules that would be found by their name
    choices: dict[str, list[str]] = {}  # of what a module instantiates, only this is read
    mode: Literal["bmc", "prove", "cover"] = "bmc"
    # abc: bmc3 for bmc, pdr for prove; ternary: after `depth` cycles no flip-flop is unknown
    engine: Literal["smt", "abc", "ternary"] = "smt"
    apart: list[str] = []  # ternary: flip-flops of which nothing is said, "u_core.intr_q*"
    depth: Annotated[int, Field(ge=1, le=500)] = 4  # clock cycles
    defines: list[str] = []
    bug_depth: Annotated[int, Field(ge=0, le=500)] = 0  # how deep a bug is looked for; 0: depth
    bugs: list[str] = []  # planted bugs (planted.py); the proof must fail with each of them
    assumes: str = ""  # what the proof takes for granted, in words
    fast: bool = True  # part of `make test`
    each_unit: bool = False  # formal/proofs.toml: one run for each accelerator and RTL variant
    claimed: bool = False  # each_unit: only of variants for which a [[claim]] names the proof
    # Proofs of each unit (formal/proofs.toml) that this one makes needless: it holds for all time.
    instead_of: list[str] = []
    min_latency: Annotated[int, Field(ge=0)] = 0  # each_unit: not of faster variants
    timeout_s: Annotated[int, Field(ge=1)] = 300

    @model_validator(mode="after")
    def _engine_fits(self) -> Self:
        """Refuse what ABC cannot do, and a proof of ABC that nothing shows not to be empty."""
        if self.engine == "abc" and self.mode == "cover":
            raise ValueError(f"proof '{self.name}': engine abc has no mode cover")
        if self.engine == "ternary" and self.mode != "bmc":
            raise ValueError(f"proof '{self.name}': engine ternary has mode bmc only")
        if self.apart and self.engine != "ternary":
            raise ValueError(f"proof '{self.name}': apart is for engine ternary")
        if self.engine != "smt" and not self.bugs:
            # Only a counterexample shows that the assumptions are not vacuous.
            raise ValueError(f"proof '{self.name}': engine {self.engine} needs a planted bug")
        return self
