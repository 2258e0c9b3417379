"""The conformance kit of roles, behind `arena check ROLE`: artificial turns full of canaries.

A canary is a word with a single source: a text that contains it has shown that source.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import get_args

from games import GameSpec, Observation
from games.conformance.report import Check, Finding, Report, excerpt
from games.conformance.run import run_checks
from games.errors import PluginError
from games.naming import parse_name
from games.plugins import defined_at
from roles.prompts import written
from roles.registry import kind_problem, phases_problem, unguarded
from roles.return_checks import REQUIREMENTS
from roles.role import Role
from roles.types import Answer, ChatMessage, Exchange, Memory, ParseError, Rejected

FORMS: tuple[Answer, ...] = get_args(Answer)
LEGAL = ("kestrel", "plover", "wren 3")
SECRET = "sparrowhawk"
_REASONING = (
    "<think>my {} </think>{}",
    "my {} </think>{}",
    "<thinking>my {}</thinking>{}",
    "[THINK]my {}[/THINK]{}",
    "<|channel|>analysis<|message|>my {}<|end|><|start|>assistant<|channel|>final<|message|>{}",
    "{1}<think>my {0}",
)
_HOSTILE = (
    "", " \n\t", "\x00", "\ud800", "}" * 5000, "{" * 5000, r"\boxed{" * 2000, '{"action": ' * 2000, "<think>" * 2000,
    "</think>", r"\boxed{}", r"\boxed{kestrel", '{"action": null}', '{"action": {"action": 3}}', "Action:", "\\" * 5000,
    "kestrel plover", "kestrelplover", "９" * 50, "I might as well do nothing at all in this position, my friend.",
)  # fmt: skip

Checker = Callable[[Role], Iterator[Finding | Check]]


def check_role(id: str | Role) -> Report:
    """Check a role by id or object. The report has one line per check; `report.ok` is True if all passed."""
    role = unguarded(id) if isinstance(id, str) else id
    return run_checks(id if isinstance(id, str) else role.name, role, CHECKS, type(role).__name__)


def _spec(role: Role) -> GameSpec:
    return GameSpec("aviary-v0", {"left": role.name, "right": role.name}, "zero_sum", "Name a bird.", 9)


def _turns(role: Role) -> Iterator[tuple[Observation, tuple[str, ...] | None, Memory]]:
    """Yields turns of one seat with each form of answer: listed and free actions, earlier turns, refused answers."""
    now, before = Observation("You see a bullfinch."), Exchange(Observation("You saw a dunnock."), "kestrel")
    refused = (
        Rejected(f"<think>{SECRET}</think>magpie", "a magpie is not a goldcrest", "illegal"),
        Rejected("", "empty", "empty"),
    )
    for form in FORMS:
        memory = Memory(_spec(role), "left", form)
        yield now, LEGAL, memory
        yield now, None, memory
        yield Observation("Who sings?", "vote"), LEGAL, replace(memory, exchanges=(before, before))
        yield now, LEGAL, replace(memory, exchanges=(before,), rejected=refused)
        yield now, LEGAL, replace(memory, rejected=refused[::-1], show_legal=False)


def _messages(role: Role, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
    """Returns what the role sends to a model. Raises PluginError for anything else than a list of chat messages."""
    chat: object = role.messages(observation, legal, memory)
    valid, requirement = REQUIREMENTS["messages"]
    if valid(chat):
        return chat  # type: ignore[return-value]
    raise PluginError(f"messages returned {chat!r:.60}; it returns {requirement}{defined_at(role.messages)}")


def _text(chat: list[ChatMessage]) -> str:
    return "\n".join(message["content"] for message in chat)


def _chat(role: Role) -> Iterator[Finding | Check]:
    """A chat is an optional system message, then user and assistant alternating, the user last, none of them empty."""
    count = 0
    for observation, legal, memory in _turns(role):
        chat = _messages(role, observation, legal, memory)
        order = [message["role"] for message in chat]
        if order[:1] == ["system"]:
            order = order[1:]
        if not order or len(order) % 2 == 0 or order != (["user", "assistant"] * len(order))[: len(order)]:
            yield Finding("chat", f"messages must be system, then user and assistant in turn, user last; got {order}")
        if not all(isinstance(m["content"], str) and m["content"].strip() for m in chat):
            yield Finding("chat", "a message is empty; many chat templates reject that")
        count += 1
    yield Check("chat", count, "turns")


def _sees(role: Role) -> Iterator[Finding | Check]:
    """The chat contains the observation, earlier turns, the legal actions and the reasons of refused answers."""
    for observation, legal, memory in _turns(role):
        text = _text(_messages(role, observation, legal, memory))
        earlier = [e.observation.text for e in memory.exchanges]
        for part in (observation.text, *earlier, *(r.reason for r in memory.rejected)):
            if part not in text:
                yield Finding("sees", f"{excerpt(part)} is not in the chat")
        listed = [action for action in LEGAL if action in text.replace("saw a dunnock", "")]
        if legal and memory.show_legal and listed != list(LEGAL):
            yield Finding("sees", "the legal actions are not in the chat", "note")
        if not memory.show_legal and listed:
            yield Finding("sees", f"show_legal is off and {listed} is in the chat")
        if SECRET in text:
            yield Finding("sees", "the private reasoning of a refused answer is in the chat")
    yield Check("sees", len(list(_turns(role))), "turns")


def _prefix(role: Role) -> Iterator[Finding | Check]:
    """The system message is the same at all turns of a seat, so that an engine computes it once."""
    for form in FORMS:
        first = {_text(_messages(role, *turn)[:1]) for turn in _turns(role) if turn[2].answer == form}
        if len(first) > 1:
            yield Finding(
                "prefix", f"the first message changes from turn to turn (answer={form}), so no prefix is shared", "note"
            )
    yield Check("prefix", len(FORMS), "forms")


def _stateless(role: Role) -> Iterator[Finding | Check]:
    """The same turn gives the same chat, whatever other seats and matches did before."""
    turns = list(_turns(role))
    before = [_messages(role, *turn) for turn in turns]
    other = Memory(_spec(role), "right", "boxed", (Exchange(Observation(SECRET), SECRET),))
    role.messages(Observation(SECRET), (SECRET,), other)
    for turn, chat in zip(turns, before, strict=True):
        again = _messages(role, *turn)
        if SECRET in _text(again):
            yield Finding("stateless", "what another seat saw is in the chat: a role must keep no state of a match")
        elif again != chat:
            yield Finding("stateless", "the same turn gave two different chats: a role must keep no state of a match")
    yield Check("stateless", len(turns), "turns")


def _reads(role: Role) -> Iterator[Finding | Check]:
    """Every form of answer is read, the last answer counts, and an action named in a sentence is not an answer."""
    for form in FORMS:
        for action in LEGAL:
            other = LEGAL[LEGAL.index(action) - 1]
            for text in (written(action, form), f"I thought of {written(other, form)}\n{written(action, form)}"):
                if (read := _parsed(role, text)) != action:
                    yield Finding("reads", f"{excerpt(text)} is {action!r}; parse gave {read!r}")
    sentence = "I suppose that kestrel would be a good thing to play in this position"
    if (read := _parsed(role, sentence)) is not None:
        yield Finding(
            "reads", f"an action named in a sentence is not an answer; parse gave {read!r} for {excerpt(sentence)}"
        )
    yield Check("reads", 2 * len(FORMS) * len(LEGAL) + 1, "texts")


def _parsed(role: Role, text: str) -> str | None:
    try:
        return role.parse(text, LEGAL)
    except ParseError:
        return None


def _hostile(role: Role) -> Iterator[Finding | Check]:
    """Any text is a legal action or a ParseError."""
    for text in _HOSTILE:
        for legal in (LEGAL, None, ()):
            try:
                action = role.parse(text, legal)
            except ParseError:
                continue
            except Exception as error:  # noqa: BLE001  any error but ParseError is a finding
                yield Finding("hostile", f"{excerpt(text, 40)} raised {type(error).__name__} instead of ParseError")
                continue
            if legal is not None and action not in legal:
                yield Finding("hostile", f"{excerpt(text, 40)} was read as {action!r}, which is not legal")
    yield Check("hostile", 3 * len(_HOSTILE), "texts")


def _private(role: Role) -> Iterator[Finding | Check]:
    """No action contains private reasoning."""
    read = 0
    answers = ("I say hello", r"\boxed{I say hello}", '{"action": "I say hello"}', "Action: I say hello")
    for wrapped in _REASONING:
        for answer in answers:
            text = wrapped.format(SECRET, answer)
            try:
                action = role.parse(text, None)
            except ParseError:
                continue
            read += 1
            if SECRET in action:
                yield Finding("private", f"the reasoning in {excerpt(text)} is in the action {excerpt(action)}")
    yield Check("private", read, "texts", lacks="parse refused every text with reasoning")


def _credit(role: Role) -> Iterator[Finding | Check]:
    """Credit is a finite number, and its kind is declared as one."""
    if problem := kind_problem(role):
        yield Finding("credit", problem)
    episode = SimpleNamespace(returns={"left": 1.0, "right": -1.0})
    try:
        credits = [role.credit(episode, seat) for seat in episode.returns]
    except AttributeError as error:
        yield Check("credit", lacks=f"it needs more of an episode than its returns ({error.name})")
        return
    for credit in credits:
        if not isinstance(credit, int | float) or not math.isfinite(credit):
            yield Finding("credit", f"credit must be a finite number; got {credit!r}")
    yield Check("credit", len(credits), "seats")


def _phases(role: Role) -> Iterator[Finding | Check]:
    """`phases` is None, or a finite number for each phase that it names."""
    turns = [SimpleNamespace(seat=s, role=role.name, phase="play", action=LEGAL[0]) for s in ("left", "right")]
    spec = _spec(role)
    episode = SimpleNamespace(
        game=spec.id, status="finished", returns={"left": 1.0, "right": -1.0}, turns=turns, roles=spec.seats, facts={}
    )
    try:
        results = [role.phases(episode, seat) for seat in episode.returns]
    except (AttributeError, KeyError) as error:
        yield Check("phases", lacks=f"it needs more of an episode than the kit has ({type(error).__name__}: {error})")
        return
    valid, requirement = REQUIREMENTS["phases"]
    for phases in results:
        if not valid(phases):
            yield Finding(
                "phases", f"phases returned {phases!r:.80}; it returns {requirement}{defined_at(role.phases)}"
            )
        elif phases and "play" not in phases:
            problem = f"{phases_problem(phases, {'play'})} in the kit's match"
            yield Finding("phases", f"{problem}; a training stops if its game has none of them", "note")
    named = sum(phases is not None for phases in results)
    yield Check("phases", named, "seats", skipped="" if named else "it names no phases")


def _name(role: Role) -> Iterator[Finding | Check]:
    """The name, which a model reads, is the id."""
    id = parse_name(role._made_from).base if role._made_from else role.name
    if not isinstance(role.name, str) or not role.name:
        yield Finding("name", f"name is {role.name!r}; it must be a text")
    elif role.name != id:
        label = "no name" if role.name == Role.name else f"the name {role.name!r}"
        yield Finding(
            "name", f"a model is told {label}, and the id is {id!r}; unless you mean that, set name = {id!r}", "note"
        )
    yield Check("name", 1, "names")


CHECKS: dict[str, Checker] = {
    "chat": _chat,
    "sees": _sees,
    "prefix": _prefix,
    "stateless": _stateless,
    "reads": _reads,
    "hostile": _hostile,
    "private": _private,
    "credit": _credit,
    "phases": _phases,
    "name": _name,
}
"""name -> check, in the order of the report"""
