"""A corpus of choices of legal actions and of offers, in the styles of `styled_answers`, with what a person reads.

`choices(count, seed)` draws a game, a legal action, a style, and what stands around it: reasoning that restates the
options, a mention of another action after the answer, a correction with or without a mark.
"""

from typing import NamedTuple

from games.randomness import RandomStream
from tests import golden
from tests.roles.parsing.styled_answers import CLOSINGS, FAMILIES, QUOTES, STRONG, WEAK


class StyledChoice(NamedTuple):
    """An answer in a game. `action` is what a person reads; with `unclear`, a reader may refuse."""

    game: str
    family: str
    text: str
    action: str
    unclear: bool


_FILES, _RANKS = "abcdefgh", "12345678"
GAMES: dict[str, tuple[str, ...]] = golden.table(__file__, "styled_choices_games")
_FORMS = golden.rows(__file__, "styled_choices_forms")
_SPOKEN = golden.rows(__file__, "styled_choices_spoken")
"""sentences with an action, for games whose actions are no sentences themselves"""
_REASONS = golden.rows(__file__, "styled_choices_reasons")
_MENTIONS = golden.rows(__file__, "styled_choices_mentions")
_OF_OFFERS = "bargain"


def choices(count: int, seed: int = 0) -> list[StyledChoice]:
    """Returns `count` different answers, the same for the same seed; every game in turn."""
    stream, made = RandomStream(seed), dict[str, StyledChoice]()
    while len(made) < count:
        choice = _choice(tuple(GAMES)[len(made) % len(GAMES)], stream)
        made[choice.text] = choice
    return list(made.values())


def _choice(game: str, stream: RandomStream) -> StyledChoice:
    legal = GAMES[game]
    family = "own" if stream.random() < 0.4 else stream.choice(tuple(FAMILIES))
    own = _FORMS if game == _OF_OFFERS else _FORMS + _SPOKEN
    form = stream.choice(own if family == "own" else FAMILIES[family])
    action, other, *rest = stream.shuffled(list(legal))
    if game == _OF_OFFERS and action.split()[0].rstrip(":") == other.split()[0].rstrip(":") != "offer":
        other = rest[0] if rest[0].split()[0].rstrip(":") != action.split()[0].rstrip(":") else rest[1]
    shown = stream.shuffled([action, other, *rest[:4]])
    listed = {"all": ", ".join(shown), "list": "\n".join(f"- {each}" for each in shown)}
    reason = stream.choice(_REASONS).format(v=action, o=other, **listed)
    words = {"v": _written(action, form), "V": action, "o": other, "r": reason, "N": "Move"}
    text = form.format(**words, r0="It is the most active one.", d="Ich rechne nach.")
    quote = stream.choice(QUOTES).format(q="What do you play?") if not form.startswith(("{v}", "**{v}")) else ""
    draw = stream.random()
    if draw < 0.12:
        return StyledChoice(game, family, quote + text + _with(WEAK, other, stream), other, True)
    if draw < 0.2:
        marked = "<answer>" in text or '{"' in text
        return StyledChoice(game, family, quote + text + _with(STRONG, other, stream), other, not marked)
    after = stream.choice(_MENTIONS).format(v=action, o=other) if draw < 0.35 else stream.choice(CLOSINGS)
    return StyledChoice(game, family, quote + text + after, action, False)


def _written(action: str, form: str) -> str:
    """An action as LaTeX needs it, where the form is LaTeX."""
    return action.replace("_", "\\_") if "\\boxed" in form else action


def _with(corrections: tuple[str, ...], value: str, stream: RandomStream) -> str:
    return stream.choice(corrections).format(o=value, O=value[:1].upper() + value[1:])
