"""The player `best-of`: several answers of another player, of which one is played."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Interval

from arena.players.composite import Composite, charged, made
from arena.players.planning.samples import ask_often, judged, likeliest, valid, voted
from arena.players.player import View
from arena.records import Decision
from games import InputError

Choice = Literal["vote", "likelihood", "judge"]


class BestOf(Composite):
    """Asks a player k times and plays one of the answers.

    With by=vote it is the plain player with k times the tokens: self-consistency (Wang et al. 2022, arXiv 2203.11171).

    player: answers.
    k: the number of answers.
    by: vote plays the most frequent answer, likelihood the one whose tokens are most probable, judge the one that
        another player picks when only the given answers are legal.
    judge: the player that picks; default with by=judge: the player itself.
    """

    def __init__(
        self,
        player: str = "random",
        k: Annotated[int, Interval(ge=1, le=256)] = 4,
        by: Choice = "vote",
        judge: str = "",
    ) -> None:
        if judge and by != "judge":
            raise InputError(f"best-of: judge={judge} needs by=judge; by={by} picks without one")
        super().__init__(made(player=player, **({"judge": judge} if judge else {})))
        self.player = self._parts["player"]
        self.judge = self._parts.get("judge", self.player)
        self.k, self.by = k, by

    async def decide(self, view: View) -> Decision:
        """Returns one of k answers; the first if none can be played."""
        asked = await ask_often(self.player, view, self.k)
        usable = valid(asked, view.legal)
        if not usable:
            return charged(asked[0], asked)
        if self.by == "judge" and len({d.action for d in usable}) > 1:
            chosen, verdict = await judged(self.judge, view, usable)
            return charged(chosen, [*asked, verdict])
        return charged(likeliest(usable) if self.by == "likelihood" else voted(usable), asked)
