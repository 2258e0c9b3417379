"""How good the live policy is, at intervals: exactly where the game is small, and against the anchors."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import games
from arena.evaluation import AveragePolicy, Exact, SeatScore, evaluate, play_anchor, read_table, tabulate
from arena.evaluation.exact import Tabulated
from arena.match import IllegalPolicy
from arena.players import Player
from games import GameSpec, InputError
from games.randomness import derive
from league.training.config import TrainingConfig

log = logging.getLogger(__name__)


class Evaluator:
    """Measures a policy. Keeps, per game, the average of the policies it has read so far.

    `anchors` maps each game to the anchors that can play it.
    """

    def __init__(
        self, config: TrainingConfig, specs: Mapping[str, GameSpec], anchors: Mapping[str, Sequence[Player]]
    ) -> None:
        self._config, self._specs, self._anchors = config, specs, anchors
        self._illegal = IllegalPolicy(config.illegal.retries, config.illegal.then)
        self._walked = {id: walked for id in specs if (walked := self._walk(id)) is not None}
        self.averages = {id: AveragePolicy(walked) for id, walked in self._walked.items() if any(walked.paths.values())}

    def _walk(self, id: str) -> Tabulated | None:
        if not self._config.evaluation.exact or self._config.policy.decode != "choice":
            return None
        try:
            return tabulate(games.make(id))
        except InputError as error:
            log.info("no NashConv: %s", error)
            return None

    async def measure(self, player: Player, step: int) -> dict[str, float]:
        """The figures of a policy now, by key: `nash_conv/GAME`, `win_rate/GAME/ANCHOR/SEAT`, ..."""
        out: dict[str, float] = {}
        for id in self._walked:
            out |= await self._exact(player, id, step)
        for id, anchors in self._anchors.items():
            for anchor in anchors if self._config.evaluation.matches else ():
                for score in await self._against(player, anchor, self._specs[id], step):
                    out |= _figures(id, score)
        return out

    async def _exact(self, player: Player, id: str, step: int) -> dict[str, float]:
        table = await read_table(player, self._walked[id])
        if table is None:
            return {}
        game = games.make(id)
        exact: Exact = evaluate(game, table)
        out = {f"nash_conv/{id}": exact.nash_conv}
        for seat, value in exact.values.items():
            out[f"self_play_value/{id}/{seat}"] = value
        if (average := self.averages.get(id)) is not None:
            average.add(table, step + 1.0 if self._config.evaluation.average == "linear" else 1.0)
            out[f"nash_conv_average/{id}"] = evaluate(game, average.table()).nash_conv
        return out

    async def _against(self, player: Player, anchor: Player, spec: GameSpec, step: int) -> list[SeatScore]:
        return await play_anchor(
            player,
            anchor,
            spec,
            self._config.evaluation.matches,
            seed=derive(self._config.seed, self._config.name, "evaluation", step),
            policy=self._illegal,
            concurrency=self._config.concurrency,
        )

    def state_dict(self) -> dict[str, Any]:
        """The averages, as plain JSON."""
        return {id: average.state_dict() for id, average in self.averages.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` gave."""
        for id, average in self.averages.items():
            if id in state:
                average.load_state_dict(state[id])


def _figures(id: str, score: SeatScore) -> dict[str, float]:
    where = f"{id}/{score.anchor}/{score.seat}"
    return {
        f"win_rate/{where}": score.rate,
        f"win_rate_low/{where}": score.low,
        f"win_rate_high/{where}": score.high,
        f"score/{where}": score.score,
        f"matches/{where}": score.matches,
        f"illegal_rate/{where}": score.illegal,
    }
