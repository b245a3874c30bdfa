# SPDX-License-Identifier: Apache-2.0
"""Import an accelerator's Python model, which lives in its folder and not in this package."""

import importlib.util
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
