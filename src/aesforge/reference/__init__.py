# SPDX-License-Identifier: Apache-2.0
"""Expected results: published vectors, messages of streams, the codes of the test firmware."""
