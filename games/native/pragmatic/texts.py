"""The rules of pragmatic and demonstrations for small models."""

from __future__ import annotations

from games.game import Demonstrations

SPEAKER, LISTENER = "speaker", "listener"
LETTERS = "ABCDEFGHIJKL"
NO_STRINGS = ("<answer>2</answer>", "any string")
GUESSES = ("<answer>A</answer>", "I think it is <answer>B</answer>", "<answer>(0|1)*</answer>", "A or B")
"""what a seat may write: NO_STRINGS beside the strings of its list"""
DUTY = {
    "show": "Choose a new string of the list that tells the pattern from the others: <answer>string</answer>",
    "name": "Which pattern is it? Write its letter: <answer>letter</answer>",
}


def rules(turns: int, cost: float, closed: bool) -> str:
    """Returns the rules that both seats read."""
    how = "Both choose from lists." if closed else "The last answer of a message counts."
    return (
        "Speaker and listener play together. Both read the same regular expressions over the symbols 0, 1 and 2, and "
        "the same strings, each in another order and with the symbols exchanged. In a pattern | is a choice, * any "
        "number of times, + at least once, ? at most once, . any symbol; a pattern matches whole strings. One pattern "
        "is the speaker's. It chooses a string, and the listener is told whether the pattern matches it. Then the "
        "listener names a pattern, by its letter or by a pattern of the same meaning. There are at most "
        f"{turns} examples. In place of a string the listener may read another one, which the same expressions match. "
        "If the listener names the speaker's pattern after the first, both are paid 1; each "
        f"further example costs {cost:g}. This is multiplied by the chance that a second listener names it too, who "
        f"reads the same examples, knows no agreement of the two, and expects helpful ones. {how}"
    )


_PATTERNS = "Patterns: A: 0*, B: 01, C: 1+\nStrings: 01, 11, 00"

DEMONSTRATIONS: Demonstrations = {
    "show": ((f"{_PATTERNS}\nThe pattern to show is B: 01\n{DUTY['show']}", "<answer>01</answer>"),),
    "name": (
        (f"{_PATTERNS}\nExample 1: the pattern matches 11\n{DUTY['name']}", "<answer>C</answer>"),
        (f"{_PATTERNS}\nExample 1: the pattern matches 00\n{DUTY['name']}", "<answer>A</answer>"),
    ),
}
