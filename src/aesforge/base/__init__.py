# SPDX-License-Identifier: Apache-2.0
"""Foundations: errors, paths, files, processes, TOML."""
