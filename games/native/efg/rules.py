"""The rules of efg."""

from __future__ import annotations

from games.native.efg.notation import chance, efg, end, move

EXAMPLE = efg(
    "example",
    ("First", "Second"),
    (
        *(chance(("red", "blue"), ("1/4", "3/4")), move(1, 1, ("up", "down")), end(1, 2, -2)),
        *(move(2, 1, ("yes", "no")), end(2, 0, 1), end(3, 5, 0), end(4, 1, 1)),
    ),
)


def rules(tries: int, closed: bool) -> str:
    """Returns the rules that the translator reads."""
    how = "Choose one of the listed texts." if closed else "Write the text of the game and nothing else."
    return (
        "A game is described in words. Write it as an extensive-form game in Gambit's format. The first line holds a "
        "title and the players. The nodes follow, starting at the root; each node comes before the nodes that follow "
        "it, one branch after the other. c is a chance move (its number, its branches with their probabilities). p is "
        "a decision (the player's number, the number of its information set, its actions); decisions that the player "
        "cannot tell apart have the same number and the same actions. t is an end (its own number, the payoffs in the "
        f"order of the players). For example:\n{EXAMPLE}\n"
        f"You may hand in {tries} texts and are told what is wrong with each; the first that is a game counts. You get "
        "1 for the described game, 0 for a different game, and lose 1 if no text is a game.\n"
        f"{how}"
    )
