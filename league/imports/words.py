"""How results, ranks, names and dates are written in files, and what they say."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any, TypeVar

from games.sanitize import clean

FIRST, DRAW, SECOND = 0, 1, 2
"""who won a match of two sides"""
T = TypeVar("T")
_EMPTY = {"", "nan", "none", "null", "na", "n/a", "<na>", "nat", "*", "-", "?", "unfinished", "pending", "\\n"}
"""what stands for a result that is not there"""
_FIRST = (
    *(
        "win",
        "won",
        "w",
        "wins",
        "a",
        "first",
        "modela",
        "model1",
        "playera",
        "player1",
        "assistanta",
        "teama",
        "team1",
    ),
    *("left", "white", "home", "h", "true", "responsea", "1-0"),
)
_SECOND = (
    *("loss", "lose", "lost", "l", "loses", "b", "second", "modelb", "model2", "playerb", "player2", "assistantb"),
    *("teamb", "team2", "right", "black", "away", "false", "responseb", "0-1"),
)
_DRAW = (
    *("draw", "drawn", "d", "tie", "tied", "t", "x", "equal", "bothbad", "tiebothbad", "tieinconsistent", "bothgood"),
    *("tiebothgood", "neither", "1/2", "1/2-1/2", "½", "½-½", "c"),
)
WORDS = dict.fromkeys(_FIRST, FIRST) | dict.fromkeys(_SECOND, SECOND) | dict.fromkeys(_DRAW, DRAW)
ALLOWED = "1, 0, 0.5, 1-0, 0-1, 1/2-1/2, win, loss, draw, a, b, tie, or the winner's name"
_LAST = {"nc", "dnf", "dq", "dsq", "ret", "rt", "r", "d", "dis", "ex", "exc", "nq", "f"}
"""ranks of players who did not finish or were disqualified: all of them share the last place"""
_AWAY = {"dns", "wd", "w", "dnq", "dnpq", "dnp"}
"""ranks of players who did not start"""
_SCORELINE = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")
_DATES = ("%Y-%m-%d", "%Y%m%d", "%Y-%m", "%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y")


def text_of(value: Any) -> str:
    """Returns a cell as text: "" for None and NaN; a whole number without its point, as pandas writes ids."""
    if isinstance(value, str):
        return clean(str(value)).strip()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = str(value).strip()
    return "" if text in ("nan", "<NA>", "NaT") else clean(text)


def is_empty(text: str) -> bool:
    """Returns whether a text stands for a result that is not there."""
    return text.casefold() in _EMPTY


def is_true(text: str) -> bool:
    """Returns whether a mark is set."""
    return text.casefold() in {"1", "true", "yes", "y", "t", "draw", "tie", "x", "1.0"}


def number(text: str) -> float:
    """Returns a number, with a point or a comma. Raises ValueError."""
    value = float(text.replace(",", ".")) if text.count(",") == 1 and "." not in text else float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not finite")
    return value


def column_words(values: Collection[str], sides: tuple[str, str], names_winner: bool) -> dict[str, int]:
    """Returns what the different values of a column of results say: FIRST, DRAW or SECOND. Values that are missing in
    the answer say nothing that can be read.

    `sides`: keys of the columns of both players, which a winner may be called by; `names_winner`: the column says who
    won, not what the first player got. One value may depend on others: 0 is a draw beside -1, and a loss otherwise.
    """
    plain = {value: _plain(value) for value in values}
    numbers = {value: x for value in values if (x := _numeric(value)) is not None}
    scale = _scale(set(numbers.values()), names_winner, "x" in plain.values())
    words = WORDS | {sides[0]: FIRST, sides[1]: SECOND}
    if "h" in plain.values():  # home, draw, away
        words["a"] = SECOND
    out = {}
    for value, word in plain.items():
        outcome = scale.get(numbers[value]) if value in numbers else words.get(word)
        if outcome is None and (line := _SCORELINE.fullmatch(word)):
            outcome = compared(float(line[1]), float(line[2]))
        if outcome is not None:
            out[value] = outcome
    return out


def compared(first: float, second: float) -> int:
    """Returns who has more."""
    return DRAW if first == second else FIRST if first > second else SECOND


def _plain(value: str) -> str:
    return re.sub(r"[\s_()]+", "", value.casefold()).replace("–", "-").replace(":", "-").replace("‐", "-")


def _numeric(value: str) -> float | None:
    try:
        return number(value)
    except ValueError:
        return None


def _scale(numbers: set[float], names_winner: bool, crosses: bool) -> dict[float, int]:
    """Returns what numbers say, {} if that is ambiguous."""
    if -1.0 in numbers and numbers <= {-1.0, 0.0, 1.0}:
        return {1.0: FIRST, 0.0: DRAW, -1.0: SECOND}
    if (names_winner or crosses) and 2.0 in numbers and numbers <= {0.0, 1.0, 2.0}:
        return {1.0: FIRST, 0.0: DRAW, 2.0: SECOND}
    return {} if names_winner else {1.0: FIRST, 0.5: DRAW, 0.0: SECOND}


def place(text: str) -> float | None:
    """Returns a rank, infinity for a player who did not finish, None for one who did not start. Raises ValueError."""
    word = text.casefold().strip(".")
    if word in _AWAY:
        return None
    if word in _LAST:
        return math.inf
    return number(re.sub(r"^(?:t|=)(?=\d)|(?<=\d)(?:st|nd|rd|th|=|\.)$", "", word))


def moment(value: Any) -> float | None:
    """Returns the seconds since 1970 of a date; None if it is none that can be read.

    Dates are 2024-05-31, 2024.05.31, 2024/05/31, 20240531, 31 May 2024, with or without a time, or seconds since 1970.
    31/05/2024 is read only if the day shows which number is which.
    """
    text = text_of(value)
    try:
        date = datetime.fromisoformat(re.sub(r"(?<=\d)[./](?=\d)", "-", text[:10]) + text[10:])
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        pass
    if mixed := re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b.*", text):
        day, month = (int(mixed[1]), int(mixed[2])) if int(mixed[1]) > 12 or "." in text else (0, 0)
        if int(mixed[2]) > 12:
            month, day = int(mixed[1]), int(mixed[2])
        text = f"{mixed[3]}-{month:02}-{day:02}"
    for form in _DATES:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()
        except ValueError:
            continue
    seconds = _numeric(text)
    return None if seconds is None or seconds < 1e8 else seconds / 1000.0 if seconds > 1e11 else seconds


def once(read: Callable[[str], T]) -> Callable[[str], T]:
    """Returns the reader with a memory: a column of a hundred thousand cells has few different ones."""
    memory: dict[str, T] = {}

    def lookup(text: str) -> T:
        if text not in memory:
            memory[text] = read(text)
        return memory[text]

    return lookup
