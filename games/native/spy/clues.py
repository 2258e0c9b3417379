"""What is wrong with a clue of spy-v1: it gives the word away, says nothing new, or talks about the game.

Without these rules a code beats the game: players with the same word spell it, write a number for it, repeat a clue, or
break a rule on purpose, and vote for whoever does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.native.common.messages import tokens
from games.native.common.tells import spells
from games.native.common.words import Word, mentions

REPETITION, MECHANICS = 0.8, 0.5
"""what a repeated clue and a clue about the game cost in credit (Vision-Zero's clue score, arXiv 2509.25541)"""
_GAME = frozenset(
    {"player", "players", "spy", "spies", "civilian", "civilians", "vote", "votes", "clue", "clues", "round"}
)
_SMALL = frozenset({
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "do", "does", "for", "from",
    "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "is", "it", "its", "me", "mine", "my", "no",
    "not", "of", "on", "one", "or", "our", "she", "so", "some", "such", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "too", "very", "was", "we", "were", "what", "when",
    "where", "which", "who", "will", "with", "would", "yes", "you", "your", "often", "usually", "also", "just",
    "really", "seem", "seems", "look", "looks",
    "feel", "feels",
})  # fmt: skip
"""words that say nothing about a thing"""


def fault(clue: str, word: Word, earlier: Sequence[str]) -> str:
    """Why a clue breaks the rules, in the past tense; "" if it does not. `earlier`: the clues shown so far."""
    if mentions(clue, word) or spells(clue, word.forms):
        return "said its word"
    if any(c.isdigit() for c in clue):
        return "used a number"
    said = _content(clue)
    if not tokens(clue):
        return "said nothing"
    repeated = any(2 * len(said & _content(other)) >= max(1, len(said)) or clue == other for other in earlier)
    return "repeated a clue" if repeated else ""


def about_the_game(clue: str) -> bool:
    """Whether a clue talks about players, votes or clues."""
    return not _GAME.isdisjoint(tokens(clue))


def _content(clue: str) -> set[str]:
    """The words of a clue that mean something."""
    return set(tokens(clue)) - _SMALL
