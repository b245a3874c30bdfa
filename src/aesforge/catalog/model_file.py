# SPDX-License-Identifier: Apache-2.0
"""Import an accelerator's Python model, which lives in its folder and not in this package."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from aesforge.base.errors import ManifestError


def load_model(path: Path) -> ModuleType:
    """Import test/model.py afresh; ManifestError if it cannot be imported."""
    spec = importlib.util.spec_from_file_location("accelerator_model", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ManifestError(
            f"{path} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    return module


def load_models(paths: Sequence[Path]) -> ModuleType:
    """Import models as one: all functions, and a `reset` that resets each."""
    if len(paths) == 1:
        return load_model(paths[0])
    whole, parts = ModuleType("accelerator_models"), [load_model(path) for path in paths]
    for part in parts:
        vars(whole).update({k: v for k, v in vars(part).items() if not k.startswith("_")})
    resets = [part.reset for part in parts if hasattr(part, "reset")]

    def reset() -> None:
        for one in resets:
            one()

    vars(whole)["reset"] = reset
    return whole
