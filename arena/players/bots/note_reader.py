"""The player `note-reader`: plays the action that its notes say was best in this situation."""

from __future__ import annotations

import re
from typing import Annotated

from annotated_types import Interval

from arena.players.learned.cases import quoted
from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame

_CASE = re.compile(r'When you saw "(.*)" you played (.*) (?:once|\d+ times): mean return ([+-]\d+\.\d+)\.$', re.DOTALL)


class NoteReader(Player):
    """Obeys the cases of `learned(player=note-reader, memory=cases)`; without a fitting one it plays randomly.

    explore: the probability of a random action in spite of the notes.
    """

    name = "note-reader"

    def __init__(self, explore: Annotated[float, Interval(ge=0, le=1)] = 0.1) -> None:
        self.explore = float(explore)

    def act(self, view: View) -> Decision:
        """Returns the legal action with the highest mean return here; an action without a case counts as 0."""
        options, rng = view.legal or view.game.examples(view.seat), view.rng
        here = quoted(" ".join(view.observation.text.split()))
        cases = [match.groups() for note in view.notes if (match := _CASE.match(note))]
        means = {did: float(mean) for situation, did, mean in cases if here.endswith(situation)}
        if not means or rng.random() < self.explore:
            return Decision(rng.choice(options))
        values = {option: means.get(" ".join(option.split()), 0.0) for option in options}
        best = [option for option, value in values.items() if value == max(values.values())]
        return Decision(rng.choice(best))

    def supports(self, game: TextGame) -> str | None:
        """Supports games that list legal actions or give examples."""
        game.reset(0)
        return None if game.examples(game.acting[0]) else "it takes free text and offers no examples"
