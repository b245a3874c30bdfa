# SPDX-License-Identifier: Apache-2.0
"""Reference models: AES written to be read, modes, Monte Carlo test, and the tower fields of the
S-boxes."""
