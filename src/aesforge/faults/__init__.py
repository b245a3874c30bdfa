# SPDX-License-Identifier: Apache-2.0
"""Fault campaigns: every flip-flop of a circuit flipped once in every cycle of an operation."""
