# SPDX-License-Identifier: Apache-2.0
"""Bitstreams for boards: the system on a chip, and the tools that build it."""
