# SPDX-License-Identifier: Apache-2.0
"""aesforge: AES acceleration for soft-core processors, measured on the cores themselves."""

__version__ = "0.1.0"
