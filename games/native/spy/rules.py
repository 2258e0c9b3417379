"""The rules of spy, demonstrations for small models, and the pairs of words."""

from __future__ import annotations

import functools

from games.game import Demonstrations
from games.native.common.words import Word, lines_of, word_list


def rules(players: int, rounds: int, closed: bool, strict: bool, choose: bool) -> str:
    """The rules that every seat reads. choose: who votes for nobody has a vote against it."""
    free = (
        "A clue is one short sentence; others read its first 200 bytes. A vote ends with one name, such as "
        "player 2, or nobody."
    )
    how = "Choose from the list." if closed else free
    also = (
        " A player that says or spells its word, writes a number, repeats an earlier clue or gives none has no vote, "
        "and one vote is counted against it."
    )
    all_choose = " Whoever votes for nobody has one vote counted against it."
    return (
        f"Each of {players} players gets a word. All get the same word except the spy, who gets a similar one. Nobody "
        "knows the other word. Each player knows whether it is the spy. The players take turns to give clues about "
        f"their words, {rounds} each, without saying the word; a clue that contains the word is not shown."
        f"{also * strict} Then all players vote at the same time on who the spy is.{all_choose * choose} If the spy "
        f"gets more votes than any other player, it is caught and the others win. Otherwise the spy wins.\n{how}"
    )


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


@functools.cache
def word_pairs() -> tuple[tuple[Word, Word], ...]:
    """Pairs of similar words."""
    by_text = {word.text: word for word in word_list()}
    both = [line.split() for line in lines_of("games.native.spy", "pairs.txt")]
    return tuple((by_text[a], by_text[b]) for a, b in both)
