# SPDX-License-Identifier: Apache-2.0
"""Questions asked of an accelerator on a core, and the matrix of all of them."""
