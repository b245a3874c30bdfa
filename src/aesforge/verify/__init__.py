# SPDX-License-Identifier: Apache-2.0
"""What can be said without a core: lint, unit benches, benches of peripherals, proofs."""
