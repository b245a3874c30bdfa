# SPDX-License-Identifier: Apache-2.0
"""What the repository holds: manifests of accelerators, platforms, encodings, proofs."""
