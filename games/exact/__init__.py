"""Games that no model has read about and that are measured exactly. Importing the table imports none of them."""

from __future__ import annotations

EXACT = {
    "gen-v1": "games.exact.gen:gen",
    "veil-v1": "games.exact.veil:veil",
}
"""id -> module and factory"""
