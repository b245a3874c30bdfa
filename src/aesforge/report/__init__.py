# SPDX-License-Identifier: Apache-2.0
"""What is chosen, compared and shown from published records: explore, pick, papers, the page."""
