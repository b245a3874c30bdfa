# SPDX-License-Identifier: Apache-2.0
"""From sources to what runs: generated code, RTL as tools read it, firmware, simulators."""
