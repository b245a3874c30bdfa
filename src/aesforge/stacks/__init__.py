# SPDX-License-Identifier: Apache-2.0
"""Software stacks on the cores: their sources, firmware and connections."""
