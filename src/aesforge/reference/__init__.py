# SPDX-License-Identifier: Apache-2.0
"""Right answers: published vectors, messages of streams, the codes of the test firmware."""
