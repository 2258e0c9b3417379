"""Turns of stored matches as samples of a policy: what it would read, and what was played as its answer.

Token ids are the learner's own: prompts and answers are tokenised once, here. A turn whose stored prompt has the ids
that the policy reads was sampled with the same tokenizer and the same prompt; its stored completion is taken as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import games
from arena.learner import TurnSample
from arena.match.opening import play_opening
from arena.match.positions import play_again
from arena.players import Player
from arena.players.llm import LLM, Prompt
from arena.players.player import View
from arena.records import Episode, MatchPlan, Sample, Turn
from games import InputError, TextGame
from games.sanitize import clean
from roles import Exchange, ParseError
from roles.prompts import written


class Demonstrator:
    """Writes turns as the policy would have. Raises InputError if the policy has no answers of its own to write."""

    def __init__(self, player: Player, tokenizer: Any) -> None:
        if not isinstance(player, LLM):
            raise InputError("[imitation] trains a policy that plays; leave out advises")
        self._player, self._vocabulary = player, len(tokenizer)
        self._games: dict[str, TextGame] = {}
        self.skipped = Counter[str]()
        """why a turn is left out -> how many"""

    def samples(self, episode: Episode, seat: str, advantage: float | None = None) -> list[TurnSample]:
        """Returns the samples of the turns of a seat, which a player decided.

        With an advantage only those whose probabilities are stored, as they were sampled.
        """
        game = self._games.get(episode.game) or self._games.setdefault(episode.game, games.make(episode.game))
        game.load_task(episode.task)
        game.reset(episode.seed)
        opening = len(play_opening(game, _plan(episode))) if episode.opening else 0
        turns = {id(turn): number for number, turn in enumerate(episode.turns)}
        out: list[TurnSample] = []
        exchanges: list[Exchange] = []
        rest = play_again(game, episode.turns[opening:])
        pending = _turn_of(episode, opening, len(game.acting), seat)
        played = opening
        while True:
            if pending is not None:
                view = self._view(game, episode, seat, turns[id(pending)], exchanges)
                if (sample := self._sample(view, pending, len(exchanges), advantage)) is not None:
                    out.append(sample)
                exchanges.append(Exchange(view.observation, pending.action))
            together = next(rest, None)
            if together is None:
                return out
            played += len(together)
            pending = _turn_of(episode, played, len(game.acting), seat)

    def _view(self, game: TextGame, episode: Episode, seat: str, turn: int, exchanges: Sequence[Exchange]) -> View:
        past = tuple(exchanges) if self._player.remembers else ()
        notes = episode.notes.get(seat, ())
        return View(game, seat, game.spec.seats[seat], game.legal(seat), 0, turn, (), past, episode.match, notes)

    def _sample(self, view: View, turn: Turn, number: int, advantage: float | None) -> TurnSample | None:
        prompt = self._player.prompt(view)
        if prompt.opened:
            raise InputError("[imitation] the chat template opens private reasoning; set think = false under [policy]")
        if advantage is not None:
            if not turn.substituted and self._is_sampled(prompt, turn.sample):
                return _turn_sample(view, turn, number, turn.sample, advantage)
            self.skipped["no probabilities are stored, or those of another prompt"] += 1
            return None
        answer = self._answer(prompt, view, turn)
        if turn.substituted:
            why = "a random action replaced the answer"
        elif prompt.problem:
            why = "the prompt is too long"
        elif answer is None or (prompt.choices is None and len(answer[0]) > self._player.max_tokens):
            why = "the answer is too long, or no answer of the policy"
        else:
            ids, allowed = answer
            sample = Sample(prompt.ids, ids, (0.0,) * len(ids), allowed, self._player.temperature or 1.0)
            return _turn_sample(view, turn, number, sample, 1.0)
        self.skipped[why] += 1
        return None

    def _is_sampled(self, prompt: Prompt, sample: Sample | None) -> bool:
        """Returns whether a stored completion was sampled after this prompt, with probabilities that can be true."""
        if sample is None or sample.prompt_ids != prompt.ids or not sample.temperature > 0.0:
            return False
        ids, allowed = sample.completion_ids, sample.allowed or (None,) * len(sample.completion_ids)
        in_vocabulary = all(
            0 <= token < self._vocabulary for options in (ids, *filter(None, allowed)) for token in options
        )
        return (
            in_vocabulary
            and 0 < len(ids) == len(sample.logprobs) == len(allowed)
            and all(math.isfinite(p) and p <= 1e-6 for p in sample.logprobs)
            and all(options is None or token in options for token, options in zip(ids, allowed, strict=True))
        )

    def _answer(
        self, prompt: Prompt, view: View, turn: Turn
    ) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...] | None] | None:
        """Returns the tokens of what was played, and those that were possible at each position."""
        if prompt.choices is not None:
            if turn.action not in (view.legal or ()):
                return None
            chosen = prompt.choices[(view.legal or ()).index(turn.action)]
            return chosen, tuple(
                tuple(sorted({c[t] for c in prompt.choices if len(c) > t and tuple(c[:t]) == tuple(chosen[:t])}))
                for t in range(len(chosen))
            )
        stored = turn.sample
        if stored is not None and stored.prompt_ids == prompt.ids and not stored.truncated and stored.completion_ids:
            ids = stored.completion_ids
            return (ids, None) if min(ids) >= 0 and max(ids) < self._vocabulary else None
        text = turn.attempts[-1].text if turn.attempts else None
        if text is None or not _reads_as(prompt, text, view, turn.action):
            text = turn.action if view.legal is None else written(clean(turn.action), self._player.answer)
        return self._player.engine.encode_choices([clean(text)])[0], None


def _turn_sample(view: View, turn: Turn, number: int, sample: Sample | None, advantage: float) -> TurnSample:
    assert sample is not None
    return TurnSample(
        sample.prompt_ids,
        sample.completion_ids,
        sample.logprobs,
        sample.allowed,
        advantage,
        sample.temperature,
        (view.game.spec.id, view.role, turn.phase),
        turn=number,
        trajectory=(view.match, view.seat),
    )


def _turn_of(episode: Episode, start: int, acting: int, seat: str) -> Turn | None:
    """Returns the turn of a seat among those that are played together from index `start`."""
    together = episode.turns[start : start + acting]
    return next((turn for turn in together if turn.seat == seat), None)


def _reads_as(prompt: Prompt, text: str, view: View, action: str) -> bool:
    """Returns whether the policy's role reads an action from a text."""
    try:
        return prompt.role.parse(text, view.legal) == action
    except ParseError:
        return False


def _plan(episode: Episode) -> MatchPlan:
    return MatchPlan(episode.match, episode.game, episode.seed, episode.seats, episode.task, episode.opening)
