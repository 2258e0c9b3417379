"""The shortcuts of spy. A code is played by all civilians, who have the same word, against a spy that plays along."""

from __future__ import annotations

from games.native.common.answers import NOBODY
from games.native.spy.game import CIVILIAN, SPY, SpyGame
from games.native.spy.scripts import (
    VAGUE,
    blends_in,
    breaks_the_code,
    code_beside,
    code_number,
    code_word,
    copies_first,
    fresh_clue,
    half_of,
    heard_clue,
    least_fitting,
    other_number,
    own_number,
    own_word,
    random_vote,
    said_by,
    votes_without,
)
from games.shortcuts import Scripted, Shortcut, ShortcutSuite, by_phase, mixed, says


def suite(game: SpyGame) -> ShortcutSuite:
    """The policies of both roles."""

    def spy(name: str, clue: Scripted, vote: Scripted = random_vote) -> Shortcut:
        return Shortcut(name, {SPY: by_phase(clue=clue, vote=vote)})

    def civilian(name: str, clue: Scripted, vote: Scripted) -> Shortcut:
        return Shortcut(name, {CIVILIAN: by_phase(clue=clue, vote=vote)})

    honest = by_phase(clue=lambda turn: fresh_clue(turn, own_word(turn)), vote=random_vote)
    knows = by_phase(clue=lambda turn: fresh_clue(turn, own_word(turn)), vote=least_fitting)
    return ShortcutSuite(
        honest={SPY: honest, CIVILIAN: honest},
        competent={SPY: by_phase(clue=blends_in, vote=random_vote), CIVILIAN: knows},
        partners={
            SPY: by_phase(clue=lambda turn: fresh_clue(turn, own_word(turn)), vote=random_vote),
            CIVILIAN: by_phase(
                clue=lambda turn: fresh_clue(turn, own_word(turn)), vote=mixed(0.7, least_fitting, random_vote)
            ),
        },
        among_strangers=frozenset({CIVILIAN}),
        shortcuts=(
            spy("copies the first clue", lambda turn: heard_clue(turn, 0)),
            spy("copies the last clue in other words", lambda turn: f"Yes, {heard_clue(turn, -1).lower()}"),
            spy("says its word", lambda turn: f"It is a {own_word(turn).text}."),
            spy("always the same clue", says("Everybody knows it.")),
            spy(
                "accuses", lambda turn: f"Player {other_number(turn)} is the spy, vote for player {other_number(turn)}."
            ),
            civilian(
                "spells the word",
                lambda turn: " ".join(own_word(turn).text),
                votes_without(lambda t: " ".join(own_word(t).text)),
            ),
            civilian("a number for the word", code_number, votes_without(code_number)),
            civilian("a code word for the word", code_word, votes_without(code_word)),
            civilian(
                "says the word, votes for who does not",
                lambda t: f"A {own_word(t).text}.",
                votes_without(says("against")),
            ),
            civilian("copies the first clue, votes for who does not", copies_first, votes_without(copies_first)),
            civilian("says nothing, votes for who speaks", says(""), votes_without(says("nothing"))),
            Shortcut(
                "a code word beside other words",
                {CIVILIAN: by_phase(clue=code_beside, vote=votes_without(code_word))},
                against={SPY: by_phase(clue=breaks_the_code, vote=random_vote)},
            ),
            spy("half of the last clue", lambda turn: f"{half_of(heard_clue(turn, -1))} and round"),
            spy("the opposite of the last clue", lambda turn: f"It is not so that {heard_clue(turn, -1).lower()}"),
            spy("other vague clues", lambda turn: turn.stream.choice(VAGUE)),
            civilian(
                "votes for the first speaker",
                lambda t: fresh_clue(t, own_word(t)),
                lambda t: f"player {next(iter(said_by(t)))}",
            ),
            civilian(
                "votes for the last speaker",
                lambda t: fresh_clue(t, own_word(t)),
                lambda t: f"player {list(said_by(t))[-1]}",
            ),
            civilian("always votes for player 1", lambda turn: fresh_clue(turn, own_word(turn)), says("player 1")),
            civilian("always votes for nobody", lambda turn: fresh_clue(turn, own_word(turn)), says(NOBODY)),
            civilian(
                "votes for itself", lambda t: fresh_clue(t, own_word(t)), lambda turn: f"player {own_number(turn)}"
            ),
        ),
    )
