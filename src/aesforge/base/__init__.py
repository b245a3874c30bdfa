# SPDX-License-Identifier: Apache-2.0
"""What everything stands on: errors, paths, files, processes, TOML."""
