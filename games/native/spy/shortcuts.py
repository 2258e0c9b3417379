"""The shortcuts of spy. In spy-v0 and spy-v1 all civilians play a code, in spy-v2 one civilian among strangers does."""

from __future__ import annotations

from collections.abc import Iterator

from games.native.common.answers import NOBODY
from games.native.spy.game import CIVILIAN, SPY, SpyGame
from games.native.spy.scripts import (
    VAGUE,
    blends_in,
    code_beside,
    code_number,
    code_word,
    copies_first,
    fresh_clue,
    half_of,
    heard_clue,
    least_fitting,
    longest_clues,
    other_number,
    own_number,
    own_word,
    random_vote,
    said_by,
    votes_without,
)
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, by_phase, mixed, says


def suite(game: SpyGame) -> ShortcutSuite:
    """The policies of both roles."""
    honest = by_phase(clue=_own_clue, vote=random_vote)
    return ShortcutSuite(
        honest={SPY: honest, CIVILIAN: honest},
        competent={
            SPY: by_phase(clue=blends_in, vote=random_vote),
            CIVILIAN: by_phase(clue=_own_clue, vote=least_fitting),
        },
        partners={SPY: honest, CIVILIAN: by_phase(clue=_own_clue, vote=mixed(0.7, least_fitting, random_vote))},
        among_strangers=frozenset({CIVILIAN}),
        shortcuts=(*_of_spies(), *_of_civilians()),
    )


def _own_clue(turn: ScriptedTurn) -> str:
    return fresh_clue(turn, own_word(turn))


def _of_spies() -> Iterator[Shortcut]:
    def spy(name: str, clue: Scripted) -> Shortcut:
        return Shortcut(name, {SPY: by_phase(clue=clue, vote=random_vote)})

    yield spy("copies the first clue", lambda turn: heard_clue(turn, 0))
    yield spy("copies the last clue in other words", lambda turn: f"Yes, {heard_clue(turn, -1).lower()}")
    yield spy("says its word", lambda turn: f"It is a {own_word(turn).text}.")
    yield spy("always the same clue", says("Everybody knows it."))
    yield spy("accuses", lambda t: f"Player {other_number(t)} is the spy, vote for player {other_number(t)}.")
    yield spy("half of the last clue", lambda turn: f"{half_of(heard_clue(turn, -1))} and round")
    yield spy("the opposite of the last clue", lambda turn: f"It is not so that {heard_clue(turn, -1).lower()}")
    yield spy("other vague clues", lambda turn: turn.stream.choice(VAGUE))


def _of_civilians() -> Iterator[Shortcut]:
    def civilian(name: str, clue: Scripted, vote: Scripted) -> Shortcut:
        return Shortcut(name, {CIVILIAN: by_phase(clue=clue, vote=vote)})

    def spelled(turn: ScriptedTurn) -> str:
        return " ".join(own_word(turn).text)

    yield civilian("spells the word", spelled, votes_without(spelled))
    yield civilian("a number for the word", code_number, votes_without(code_number))
    yield civilian("a code word for the word", code_word, votes_without(code_word))
    yield civilian(
        "says the word, votes for who does not", lambda t: f"A {own_word(t).text}.", votes_without(says("against"))
    )
    yield civilian("copies the first clue, votes for who does not", copies_first, votes_without(copies_first))
    yield civilian("says nothing, votes for who speaks", says(""), votes_without(says("nothing")))
    yield civilian("a code word beside other words", code_beside, votes_without(code_word))
    yield civilian("votes for the first speaker", _own_clue, lambda turn: f"player {next(iter(said_by(turn)))}")
    yield civilian("votes for the last speaker", _own_clue, lambda turn: f"player {list(said_by(turn))[-1]}")
    yield civilian("votes for the longest clues", _own_clue, longest_clues)
    yield civilian("always votes for player 1", _own_clue, says("player 1"))
    yield civilian("always votes for nobody", _own_clue, says(NOBODY))
    yield civilian("votes for itself", _own_clue, lambda turn: f"player {own_number(turn)}")
