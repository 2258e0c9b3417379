"""The turns of recorded matches as chats: what a language model read in each seat, and what it answered.

A match is played again by its game, without its players, and the roles write the prompts as they do for a model. For a
model of the run this is the prompt that it read. For other players it is the prompt that a model would have read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

import games
import roles
from arena.players.chat import memory_of, sendable, sendable_outside
from arena.players.player import View
from arena.records import Decision, Episode
from games import InputError, TextGame
from games.naming import Name, parse_name
from league.records.run_spec import RunSpec
from league.store import Run, Store
from league.trust import allow_game
from roles import ChatMessage, Exchange, Role
from roles.prompts import written
from roles.types import Answer

Chat = Sequence[ChatMessage]
_MODELS = ("llm", "openai")


class ChatForm(NamedTuple):
    """How a player's prompts are written."""

    answer: Answer = "bare"
    """bots answer with the bare action"""
    show_legal: bool = True
    memory: bool = False
    show_rules: bool = True
    demonstrations: int | None = None
    outside: bool = False
    """whether they go to a server"""


class ChatReader:
    """Rebuilds the chats of a run's matches. Raises InputError for a game that may not be made here: see `allow_game`.

    `messages(episode)` returns a chat per turn, the answer included, and one for the turn of a forfeit; None for a move
    of an opening, which nobody decided.
    """

    def __init__(self, store: Store, run: Run, *, trust: bool = False) -> None:
        self._store, self._spec, self._trust = store, run.spec, trust
        self._games: dict[str, TextGame] = {}
        self._roles: dict[str, Role] = {}
        self._forms: dict[tuple[str, str], ChatForm] = {}

    def messages(self, episode: Episode) -> list[Chat | None]:
        """Returns the chats of an episode. Raises InputError if its record does not fit the game."""
        try:
            return list(self._messages(self._game(episode.game), episode))
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001  a damaged record, or a plugin that has changed
            why = f"{type(error).__name__}: {error}"
            raise InputError(f"match {episode.match} does not fit {episode.game}: {why}") from None

    def _game(self, id: str) -> TextGame:
        if id not in self._games:
            allow_game(self._store, self._spec, id, self._trust)
            self._games[id] = games.make(id)
        return self._games[id]

    def _messages(self, game: TextGame, episode: Episode) -> Iterator[Chat | None]:
        game.load_task(episode.task)
        game.reset(episode.seed)
        earlier: dict[str, list[Exchange]] = {seat: [] for seat in episode.seats}
        turns, count = iter(episode.turns), 0
        while count < len(episode.turns):
            together = [turn for _, turn in zip(game.acting, turns, strict=False)]
            for turn in together:
                asked = (turn.seat, turn.player, turn.attempts, count, earlier[turn.seat])
                yield None if turn.opening else self._chat(game, episode, *asked)
            for turn in [turn for turn in together if not turn.opening]:  # no player decided or remembers an opening
                earlier[turn.seat].append(Exchange(game.observe(turn.seat), turn.action))
            game.apply({turn.seat: turn.action for turn in together})
            count += len(together)
        if episode.failure:
            seat = episode.offender
            yield self._chat(game, episode, seat, episode.seats[seat], episode.failure, count, earlier[seat])

    def _chat(
        self,
        game: TextGame,
        episode: Episode,
        seat: str,
        player: str,
        attempts: Sequence[Decision],
        turn: int,
        earlier: Sequence[Exchange],
    ) -> Chat:
        role = episode.roles[seat]
        form = self._form(player, role)
        legal, last = game.legal(seat), attempts[-1] if attempts else None
        view = View(game, seat, role, legal, 0, turn, list(attempts[:-1]), match=episode.match)
        exchanges = list(earlier) if form.memory else ()
        memory = memory_of(view, form.answer, form.show_legal, exchanges, form.demonstrations, form.show_rules)
        asked = self._roles.get(role) or self._roles.setdefault(role, roles.make(role))
        chat = (sendable_outside if form.outside else sendable)(asked.messages(view.observation, legal, memory))
        answer = "" if last is None else last.text or ("" if last.action is None else _answer(last, legal, form))
        return [*chat, {"role": "assistant", "content": answer}]

    def _form(self, player: str, role: str) -> ChatForm:
        if (player, role) not in self._forms:
            self._forms[player, role] = form_of(self._spec, player, role)
        return self._forms[player, role]


def _answer(decision: Decision, legal: Sequence[str] | None, form: ChatForm) -> str:
    action = decision.action or ""
    return written(action, form.answer) if legal is not None else action


def form_of(spec: RunSpec, player: str, role: str) -> ChatForm:
    """Returns how the prompts of a player of a run are written in a role."""
    name = _player_of(spec, player, role)
    if name is None:
        return _form(msgspec.structs.asdict(spec.training.policy))
    if name.base not in _MODELS:
        return ChatForm()
    return _form({"decode": "free", **name.params})._replace(outside=name.base == "openai")


def is_model(spec: RunSpec, player: str, role: str) -> bool:
    """Returns whether a player of a run is a language model in a role, so that it reads prompts."""
    name = _player_of(spec, player, role)
    return name is None or name.base in _MODELS


def _player_of(spec: RunSpec, player: str, role: str) -> Name | None:
    """Returns the id of a player; None for the live policy of a training and its snapshots."""
    id = next((p.player for p in spec.players if p.name == player), "")
    if not id and spec.kind != "tournament":
        return None
    name = parse_name(id or "random")
    return parse_name(str(name.params[role])) if name.base == "by-role" and role in name.params else name


def _form(params: Mapping[str, Any]) -> ChatForm:
    """Returns the form that the parameters of `llm`, or the policy of a training, ask for."""
    answer: Answer = params.get("answer") or ("bare" if params.get("decode", "choice") == "choice" else "boxed")
    shots = params.get("demonstrations")
    return ChatForm(
        answer,
        show_legal=params.get("show_legal") is not False,
        memory=params.get("memory") is True,
        show_rules=params.get("show_rules") is not False,
        demonstrations=shots if isinstance(shots, int) else None,
    )
