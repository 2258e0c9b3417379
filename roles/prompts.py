r"""The chat that a model answers, from the parts that never change to those that always do.

The system message holds the seat, the role, the rules and the form of the answer. It is the same at every turn of every
match of a game, so that engines compute it once. Earlier turns follow as exchanges, then the observation with the legal
actions, then refused answers with their reasons. Every token costs time on a small model, so nothing is said twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Literal

from games import GameSpec, Observation
from games.naming import parse_name
from roles.parsing import LEGAL_HINT
from roles.privacy import visible
from roles.types import Answer, ChatMessage, Memory, Rejected

MAX_LEGAL = 64
"""the largest number of legal actions shown; of more, an even sample is shown, and the prompt says so"""
MAX_REFUSED = 400
"""the number of characters shown of a refused answer, from its end"""

# abc is not an action of any game: a real action would be advice.
_FORM: dict[Answer, str] = {
    "boxed": r"Think briefly if you need to, then end with your action in a box: to play abc, write \boxed{abc}",
    "json": 'Think briefly if you need to, then end with your action as JSON: to play abc, write {"action": "abc"}',
    "line": "Think briefly if you need to, then end with your action on its own line: to play abc, write Action: abc",
    "bare": "Answer with your action and nothing else: to play abc, write abc",
}
_AGAIN: dict[Answer, str] = {
    "boxed": r"End with \boxed{your action}",
    "json": 'End with {"action": "your action"}',
    "line": "End with the line Action: your action",
    "bare": "Write your action and nothing else.",
}
_ADVICE = {"truncated": "Be shorter. ", "illegal": "Choose another action. ", "timeout": "Be faster. "}
_VERSION = re.compile(r"[-_]v\d+$")


def messages(
    role_name: str, observation: Observation, legal: tuple[str, ...] | None, memory: Memory
) -> list[ChatMessage]:
    """Returns the chat for one turn: a system message, then user and assistant alternating, a user message last."""
    chat = [_message("system", system(role_name, memory.spec, memory.seat, memory.answer, memory.show_rules))]
    for exchange in memory.exchanges:
        chat.append(_message("user", exchange.observation.text))
        chat.append(_message("assistant", written(exchange.action, memory.answer)))
    chat.append(_message("user", _turn(observation, legal if memory.show_legal else None)))
    for refused in memory.rejected:
        _refuse(chat, refused, memory)
    return chat


def system(role_name: str, spec: GameSpec, seat: str, answer: Answer, show_rules: bool = True) -> str:
    """Returns the system message. It depends only on the game, the role, the seat and the arguments."""
    game = _VERSION.sub("", parse_name(spec.id).base.rsplit("/")[-1]).replace("_", " ")
    role = "" if role_name in ("player", seat) else f" ({role_name})"
    rules = f"{spec.rules.strip()}\n" if show_rules else ""
    return f"You are {seat}{role} in a game of {game}.\n{rules}{_FORM[answer]}"


def written(action: str, answer: Answer) -> str:
    """Returns an action in the requested form, which `parse` can read."""
    if answer == "boxed":
        return f"\\boxed{{{action}}}"
    if answer == "json":
        return json.dumps({"action": action}, ensure_ascii=False)
    return f"Action: {action}" if answer == "line" else action


def _turn(observation: Observation, legal: tuple[str, ...] | None) -> str:
    phase = f"\nPhase: {observation.phase}" if observation.phase != "play" else ""
    return f"{observation.text.rstrip()}{phase}{_legal(legal)}\nYour action?"


def _legal(legal: tuple[str, ...] | None) -> str:
    if legal is None:
        return ""
    if len(legal) <= MAX_LEGAL:
        return f"\nLegal actions: {_listed(legal)}"
    step = len(legal) / MAX_LEGAL
    sample = [legal[int(i * step)] for i in range(MAX_LEGAL)]
    return f"\nThere are {len(legal)} legal actions; {MAX_LEGAL} of them are: {_listed(sample)}"


def _listed(actions: Sequence[str]) -> str:
    return (" | " if any("," in a for a in actions) else ", ").join(actions)


def _refuse(chat: list[ChatMessage], refused: Rejected, memory: Memory) -> None:
    """Append a refused answer and the reason to the chat."""
    reason = refused.reason if memory.show_legal else refused.reason.partition(LEGAL_HINT)[0]
    note = f"Refused: {reason.rstrip('.')}.\n{_ADVICE.get(refused.category, '')}{_AGAIN[memory.answer]}"
    answer = visible(refused.text)[-MAX_REFUSED:]
    if answer:
        chat.append(_message("assistant", answer))
        chat.append(_message("user", note))
    else:  # many chat templates reject an empty message, or two user messages in a row
        chat[-1] = _message("user", f"{chat[-1]['content']}\n{note}")


def _message(role: Literal["system", "user", "assistant"], content: str) -> ChatMessage:
    return ChatMessage(role=role, content=content)


__all__ = ["MAX_LEGAL", "messages", "system", "written"]
