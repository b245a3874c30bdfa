# SPDX-License-Identifier: Apache-2.0
"""Probing: what a wire of a mapped netlist tells of a secret."""
