"""The player `llm`: a language model in this process, that chooses among the legal actions or writes freely."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import roles
from arena.inference import Engine
from arena.inference.registry import EngineKind
from arena.match.records import Decision, Sample
from arena.players._chat import check_sampling, memory_of, read, sendable, steady
from arena.players.player import Player, View
from games.text import clean
from roles import Role
from roles.prompts import written
from roles.role import Answer

if TYPE_CHECKING:
    from arena.inference import Completion

log = logging.getLogger(__name__)

# Prompts remembered by what they are made from; small games ask the same things over and over.
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Prompt:
    """A turn as tokens."""

    role: Role
    ids: tuple[int, ...]
    prefix: int
    """tokens at the start that are the same at every turn of the seat"""
    choices: tuple[tuple[int, ...], ...] | None
    """the legal actions, where one of them is chosen"""
    problem: str = ""
    """why the model cannot be asked"""


class LLM(Player):
    """A causal language model.

    decode: `choice` samples among the legal actions under a mask, so that every answer is legal and its probability
    known; `free` lets the model write and the role read its answer. Free-text turns are always written, which `choice`
    says once in the log. answer: the
    form asked for, by default `bare` for choice and `boxed` for free. show_legal: the prompt lists the legal actions.
    memory: the prompt holds the seat's earlier turns, the oldest left out where the model cannot read them all.
    think: what a chat template that knows thinking is told; by default its own, and no thinking before a choice.
    engine: auto, vllm or transformers; an engine itself where weights are shared. Raises InputError for a wrong
    parameter or a missing model.
    """

    waits = True

    def __init__(
        self,
        model: str = "smollm2-135m",
        decode: Literal["choice", "free"] = "free",
        answer: Answer | None = None,
        temperature: float = 1.0,
        top_p: float = 1.0,
        max_tokens: int = 256,
        memory: bool = False,
        dtype: str = "bf16",
        device: str = "auto",
        show_legal: bool = True,
        think: bool | None = None,
        engine: EngineKind | Engine = "auto",
    ) -> None:
        answer = answer or ("bare" if decode == "choice" else "boxed")
        check_sampling("llm", temperature, top_p, max_tokens)
        self.name = f"llm(model={model})"
        self.decode, self.answer = decode, answer
        self.temperature, self.top_p, self.max_tokens = float(temperature), float(top_p), max_tokens
        self.remembers, self.show_legal = memory, show_legal
        self.think = False if think is None and decode == "choice" else think
        self._shared = isinstance(engine, str)
        if isinstance(engine, str):
            from arena.inference import engine_for

            engine = engine_for(model, dtype, device, engine)
        self.engine = engine
        self.about = f"{engine.name} by {engine.about}"
        self._roles: dict[str, Role] = {}
        self._written: set[str] = set()
        self._prompts: OrderedDict[tuple[object, ...], Prompt] = OrderedDict()

    async def act_async(self, view: View) -> Decision:
        """One decision. Raises InfrastructureError where the engine cannot answer."""
        from arena.inference import Request

        prompt = self._prompt(view)
        if prompt.problem:
            return Decision(None, "error", reason=prompt.problem)
        completion = await self.engine.complete(
            Request(
                prompt.ids,
                view.seed,
                max_tokens=self.max_tokens,
                temperature=self.temperature,
                top_p=1.0 if prompt.choices else self.top_p,
                choices=prompt.choices,
                prefix_len=prompt.prefix,
            )
        )
        sample = self._sample(prompt, completion)
        if completion.choice is not None and view.legal:
            return Decision(view.legal[completion.choice], sample=sample)
        return read(prompt.role, completion.text, completion.finish == "length", view.legal, sample)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """The exact policy where the model chooses among the legal actions."""
        prompt = self._prompt(view)
        if prompt.choices is None or not view.legal or prompt.problem:
            return None
        found = await self.engine.policy(prompt.ids, prompt.choices, temperature=self.temperature)
        return dict(zip(view.legal, found, strict=True))

    def close(self) -> None:
        """Give the engine back."""
        if self._shared:
            from arena.inference import release

            release(self.engine)
            self._shared = False

    def _prompt(self, view: View) -> Prompt:
        """The turn's tokens. A first attempt without memory depends on few things, so its tokens are kept."""
        if view.rejected or self.remembers:
            return self._encode(view)
        seen = view.observation
        key = view.game.spec.id, view.seat, view.role, view.legal, seen.text, seen.phase
        found = self._prompts.get(key)
        if found is None:
            found = self._prompts[key] = self._encode(view)
            if len(self._prompts) > _REMEMBERED:
                self._prompts.popitem(last=False)
        return found

    def _say_written(self, game: str) -> None:
        """Once per game: a turn without a list of actions is written, although the player is told to choose."""
        if game not in self._written:
            self._written.add(game)
            log.warning(
                '%s: %s has turns of free text, which decode = "choice" cannot choose; they are written, with at most '
                "max_tokens = %d tokens each",
                self.name,
                game,
                self.max_tokens,
            )

    def _encode(self, view: View) -> Prompt:
        role = self._roles.get(view.role) or self._roles.setdefault(view.role, roles.make(view.role))
        choices = None
        if self.decode == "choice" and view.legal is None:
            self._say_written(view.game.spec.id)
        if self.decode == "choice" and view.legal:
            choices = self.engine.encode_choices([written(clean(action), self.answer) for action in view.legal])
        room = self.engine.context - (max(map(len, choices)) if choices else self.max_tokens)
        exchanges = view.exchanges
        while True:
            memory = memory_of(view, self.answer, self.show_legal, exchanges)
            chat = sendable(role.messages(view.observation, view.legal, memory))
            ids = self.engine.encode_chat(chat, think=self.think)
            if len(ids) <= room or not exchanges:
                break
            exchanges = exchanges[-(-len(exchanges) * (len(ids) - room) // len(ids)) :]  # oldest out, at least one
        problem = ""
        if len(ids) > room:
            problem = f"the prompt has {len(ids)} tokens, {self.engine.name} reads {room} and an answer"
        prefix = self.engine.prefix_len(chat, ids, steady(role, view, memory, chat))
        return Prompt(role, ids, prefix, choices, problem)

    def _sample(self, prompt: Prompt, completion: Completion) -> Sample:
        return Sample(
            prompt_ids=prompt.ids,
            completion_ids=completion.ids,
            logprobs=completion.logprobs,
            allowed=completion.allowed,
            temperature=self.temperature,
            top_p=1.0 if prompt.choices else self.top_p,
            policy=self.engine.name,
            version=completion.version,
        )
