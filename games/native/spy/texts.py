"""The texts of spy: rules, demonstrations for small models, pairs of words, words that are no clue."""

from __future__ import annotations

import functools

from games.game import Demonstrations
from games.native.common.words import Word, lines_of, word_list

SPY, CIVILIAN = "spy", "civilian"
CLUE = 200
"""bytes of a clue that others read"""
VAGUE = ("Everybody knows it.", "I have seen one before.")
"""listed clues that fit every word"""
GAME_WORDS = frozenset({
    "player", "players", "spy", "spies", "civilian", "civilians", "vote", "votes", "clue", "clues", "round",
})  # fmt: skip
SMALL_WORDS = frozenset({
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "do", "does", "for", "from",
    "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "is", "it", "its", "me", "mine", "my", "no",
    "not", "of", "on", "one", "or", "our", "she", "so", "some", "such", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "too", "very", "was", "we", "were", "what", "when",
    "where", "which", "who", "will", "with", "would", "yes", "you", "your", "often", "usually", "also", "just",
    "really", "seem", "seems", "look", "looks",
    "feel", "feels",
})  # fmt: skip
"""words that say nothing about a thing"""
_BOAT = "You are player 1. You are not the spy. Your word is boat."
_PLANE = "You are player 2. You are the spy. Your word is plane."
_CLUES = '[player 1] "It floats."\n[player 2] "It has wings."\n[player 3] "It has sails."\nAll clues have been given.'
DEMONSTRATIONS: Demonstrations = {
    "clue": (
        (f"{_BOAT}\n3 clues are left.", "It floats."),
        (f'{_PLANE}\n[player 1] "It floats."\n2 clues are left.', "People travel in it."),
    ),
    "vote": (
        (f"{_BOAT}\n{_CLUES} Who is the spy: player 2, player 3 or nobody?", "player 2"),
        (f"{_PLANE}\n{_CLUES} Who is the spy: player 1, player 3 or nobody?", "player 3"),
    ),
}


def rules(players: int, rounds: int, closed: bool) -> str:
    """Returns the rules that every seat reads."""
    free = (
        "A clue is one short sentence; others read its first 200 bytes. A vote ends with one name, such as "
        "player 2, or nobody."
    )
    strict = (
        " A player that says or spells its word, writes a number, repeats an earlier clue or gives none has no vote, "
        "and one vote is counted against it."
    )
    return (
        f"Each of {players} players gets a word. All get the same word except the spy, who gets a similar one. Nobody "
        "knows the other word. Each player knows whether it is the spy. The players take turns to give clues about "
        f"their words, {rounds} each, without saying the word; a clue that contains the word is not shown."
        f"{'' if closed else strict} Then all players vote at the same time on who the spy is. Whoever votes for "
        "nobody has one vote counted against it. If the spy gets more votes than any other player, it is caught and "
        f"the others win. Otherwise the spy wins.\n{'Choose from the list.' if closed else free}"
    )


@functools.cache
def word_pairs() -> tuple[tuple[Word, Word], ...]:
    """Returns the pairs of similar words."""
    by_text = {word.text: word for word in word_list()}
    both = [line.split() for line in lines_of("games.native.spy", "pairs.txt")]
    return tuple((by_text[a], by_text[b]) for a, b in both)
