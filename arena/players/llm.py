"""The player `llm`: a language model in this process that chooses a legal action or writes freely."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import roles
from arena.inference import Engine
from arena.inference.prompt_date import prompt_date
from arena.inference.registry import EngineKind
from arena.inference.thinking import (
    PLAIN_TOKENS,
    answer_tokens,
    check_budget,
    complete_within,
    open_block,
    visible_marks,
)
from arena.players.chat import (
    MaxTokens,
    ShownDemonstrations,
    Temperature,
    TopP,
    chat_of,
    memory_of,
    read,
    role_ids,
    sendable,
    shared_messages,
)
from arena.players.player import Player, View
from arena.players.prompt_shortening import PromptTooLong, chat_bytes, shorter
from arena.records import Decision, Sample
from games import TextGame
from games.errors import InfrastructureError
from games.parameters import check_parameters
from games.sanitize import clean
from roles import Role
from roles.prompts import written
from roles.types import Answer

if TYPE_CHECKING:
    from arena.inference import Completion

log = logging.getLogger(__name__)

_CACHED_PROMPTS = 4096
"""prompts kept by their input: small games repeat the same ones"""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A turn as tokens."""

    role: Role
    ids: tuple[int, ...]
    prefix: int
    """leading tokens that are the same at every turn of the seat"""
    choices: tuple[tuple[int, ...], ...] | None
    """the legal actions as tokens, if the model chooses one of them"""
    problem: str = ""
    """why the model cannot read the prompt; "" if it can"""
    size: int = 0
    """bytes of UTF-8 in the chat, before it was shortened"""
    opened: str = ""
    """the mark of private reasoning that the template opens at the end of the prompt"""


class LLM(Player):
    """A causal language model. Raises InputError for a wrong parameter or a missing model.

    model: the name of an embedded model, a folder, or a Hugging Face id.
    decode: `choice` samples one of the legal actions under a mask, so every answer is legal and its probability is
        known. `free` lets the model write and the role parse the text. Free-text turns are always written; with
        `choice` the log says so once per game.
    answer: the form of answer that the prompt asks for; default: `bare` for choice, `boxed` for free.
    temperature, top_p: of sampling; a temperature of 0 takes the most probable token.
    dtype: bf16, fp16, fp32, or auto for the fastest, which is fp32 on a CPU without instructions for bf16.
    device: auto, cpu, cuda or cuda:1; auto takes a GPU if there is one.
    show_legal: whether the prompt lists the legal actions. show_rules: whether it holds the rules of the game.
    memory: whether the prompt contains the seat's earlier turns. The oldest are dropped if they exceed the context.
    max_tokens: of an answer, thinking included; default: 256, or 4,096 (at most half of the context) for a model whose
        chat template can think, unless think=false.
    think: passed to chat templates that support thinking; default: the template decides, but no thinking before a
        choice.
    think_budget: tokens of thinking, at most. Then the thinking is closed and the model writes its answer with the
        other tokens of max_tokens.
    demonstrations: example turns shown to roles of native games, at most; default: 2. 0: none.
    roles: other roles for the roles of a game, which write the prompt and read the answer, such as
        "judge=my-judge; solver=my-solver".
    engine: auto, vllm or transformers, or an engine to share weights.
    """

    waits = True

    def __init__(
        self,
        model: str = "smollm2-135m",
        decode: Literal["choice", "free"] = "free",
        answer: Answer | None = None,
        temperature: Temperature = 1.0,
        top_p: TopP = 1.0,
        max_tokens: MaxTokens | None = None,
        memory: bool = False,
        dtype: str = "auto",
        device: str = "auto",
        show_legal: bool = True,
        think: bool | None = None,
        engine: EngineKind | Engine = "auto",
        think_budget: MaxTokens | None = None,
        demonstrations: ShownDemonstrations | None = None,
        roles: str = "",
        show_rules: bool = True,
    ) -> None:
        check_parameters("llm", LLM, locals())  # the registry checks ids; this checks direct calls
        answer = answer or ("bare" if decode == "choice" else "boxed")
        self.name = f"llm(model={model})"
        self.decode, self.answer = decode, answer
        self.temperature, self.top_p = float(temperature), float(top_p)
        self.deterministic = self.temperature == 0.0
        self.think_budget, self.demonstrations = think_budget, demonstrations
        self._role_ids = role_ids(roles)
        self.remembers, self.show_legal, self.show_rules = memory, show_legal, show_rules
        self.think = False if think is None and decode == "choice" else think
        self._owns_engine = isinstance(engine, str)
        if isinstance(engine, str):
            from arena.inference import engine_for

            engine = engine_for(model, dtype, device, engine)
        self.engine = engine
        self.max_tokens = max_tokens or self._usual_tokens(engine)
        if think_budget is not None:
            check_budget(engine.tokenizer, think_budget, self.max_tokens, engine.name)
        self.prompt_room = engine.context - self.max_tokens
        self.about = f"{name.name if (name := Path(engine.name)).is_absolute() else name} by {engine.about}"
        self._roles: dict[str, Role] = {}
        self._warned: set[str] = set()
        self._prompts: OrderedDict[tuple[object, ...], Prompt] = OrderedDict()

    async def act_async(self, view: View) -> Decision:
        """Decide one turn. Raises InfrastructureError if the engine fails or cannot read the prompt."""
        from arena.inference import Request

        prompt = self.prompt(view)
        if prompt.problem:
            raise PromptTooLong(f"{self.name}: {prompt.problem}", prompt.size)
        request = Request(
            prompt.ids,
            view.seed,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            top_p=1.0 if prompt.choices else self.top_p,
            choices=prompt.choices,
            prefix_len=prompt.prefix,
        )
        if self.think_budget is None or prompt.choices is not None:
            completion = await self.engine.complete(request)
        else:
            completion = await complete_within(self.engine, request, self.think_budget, prompt.opened)
        sample = self._sample(prompt, completion)
        if completion.choice is not None and view.legal:
            return Decision(view.legal[completion.choice], sample=sample)
        text = visible_marks(self.engine.tokenizer, completion, prompt.opened)
        return read(prompt.role, text, completion.finish == "length", view.legal, sample)

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the exact policy if the model chooses among the legal actions, else None."""
        prompt = self.prompt(view)
        if prompt.choices is None or not view.legal or prompt.problem:
            return None
        shares = await self.engine.policy(prompt.ids, prompt.choices, temperature=self.temperature)
        return dict(zip(view.legal, shares, strict=True))

    def supports(self, game: TextGame) -> str | None:
        """Returns why the model cannot choose a game's first actions: its tokenizer writes two of them alike."""
        if self.decode != "choice":
            return None
        game.load_task("")
        game.reset(0)
        try:
            for seat in game.acting:
                self._choices(game.legal(seat) or ())
        except InfrastructureError as error:
            return str(error)
        return None

    def close(self) -> None:
        """Release the engine."""
        if self._owns_engine:
            from arena.inference import release

            release(self.engine)
            self._owns_engine = False

    def _usual_tokens(self, engine: Engine) -> int:
        if self.decode == "choice":
            return PLAIN_TOKENS
        return answer_tokens(engine.tokenizer, self.think, engine.context)

    def prompt(self, view: View) -> Prompt:
        """Returns the turn as tokens. Prompts of first attempts without memory are cached."""
        if view.rejected or self.remembers:
            return self._encode(view)
        observation = view.observation
        key = (
            view.game.spec.id,
            view.seat,
            view.role,
            view.legal,
            observation.text,
            observation.phase,
            tuple(view.notes),
            prompt_date(),
        )
        prompt = self._prompts.get(key)
        if prompt is None:
            prompt = self._prompts[key] = self._encode(view)
            if len(self._prompts) > _CACHED_PROMPTS:
                self._prompts.popitem(last=False)
        return prompt

    def _warn_of_free_text(self, game: str) -> None:
        """Warn once per game that decode = "choice" does not apply to free-text turns."""
        if game not in self._warned:
            self._warned.add(game)
            log.warning(
                '%s: %s has free-text turns, to which decode = "choice" does not apply; the model writes them, with at '
                "most max_tokens = %d tokens each",
                self.name,
                game,
                self.max_tokens,
            )

    def _role(self, name: str) -> Role:
        """Returns the role that writes the prompts of a game's role."""
        return self._roles.get(name) or self._roles.setdefault(name, roles.make(self._role_ids.get(name, name)))

    def _encode(self, view: View) -> Prompt:
        role = self._role(view.role)
        choices = None
        if self.decode == "choice" and view.legal is None:
            self._warn_of_free_text(view.game.spec.id)
        if self.decode == "choice" and view.legal:
            choices = self._choices(view.legal)
        room = self.engine.context - (max(map(len, choices)) if choices else self.max_tokens)
        exchanges = view.exchanges
        while True:
            memory = memory_of(view, self.answer, self.show_legal, exchanges, self.demonstrations, self.show_rules)
            chat = sendable(chat_of(role, view, memory))
            ids = self.engine.encode_chat(chat, think=self.think)
            if len(ids) <= room or not exchanges:
                break
            exchanges = exchanges[-(-len(exchanges) * (len(ids) - room) // len(ids)) :]  # drops at least one
        size, shortened = chat_bytes(chat), iter(shorter(chat))
        while len(ids) > room and (less := next(shortened, None)) is not None:
            chat = less
            ids = self.engine.encode_chat(chat, think=self.think)
        problem = ""
        if len(ids) > room:
            problem = (
                f"the prompt of {view.seat} has {len(ids)} tokens; {self.engine.name} reads at most {room} beside an "
                "answer; use a model with a larger context, or a smaller max_tokens"
            )
        prefix = self.engine.prefix_len(chat, ids, shared_messages(role, view, memory, chat))
        opened = "" if choices else open_block(self.engine.tokenizer, ids)
        return Prompt(role, ids, prefix, choices, problem, size, opened)

    def _choices(self, legal: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        return self.engine.encode_choices([written(clean(action), self.answer) for action in legal])

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
            truncated=completion.finish == "length",
            versions=completion.versions,
        )
