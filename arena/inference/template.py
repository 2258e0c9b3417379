"""The chat template of a model: what it makes of the arena's chats, found once by rendering marked messages.

A template is a program in the model's folder. Some leave out system messages, refuse roles, need user and assistant in
turn, or forget to start the answer. The model must read everything that the arena writes, so a chat is folded into the
form that the template writes in full, and the log says so once. A model whose template writes no form in full is
refused before its first match.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from arena.inference.errors import error_line
from arena.inference.prompt_date import dated, prompt_date, reads_clock
from arena.inference.thinking import marks_of
from games import InputError
from games.errors import InfrastructureError
from roles import ChatMessage

log = logging.getLogger(__name__)

# for base models, whose tokenizers have no template
PLAIN_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}{{ eos_token }}\n\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)

_FILLER = " ".join(f"w{i}" for i in range(300))
"""the rules of a game are this long"""
_SYSTEM = f'Q7s "rules"\n\\boxed{{a}} <b> {_FILLER} S7q'
_USERS = (f'Q7a it\'s "A & B"\n{_FILLER} A7q', "Q7b | u | B7q", "Q7c {u} C7q")
_ANSWERS = (r"Q7x \boxed{e2e4} X7q", "Q7y Pass Y7q")
_THOUGHT = "Q7t T7q"
_logged: set[tuple[str, str]] = set()
"""templates and what the log says of them: once for a model and all its snapshots"""


class ChatTemplate:
    """Renders chats with the template of a tokenizer. Raises InputError if it cannot write the arena's chats.

    `folder` is where the tokenizer comes from, for messages.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.folder = str(tokenizer.name_or_path or "its tokenizer's folder")
        if not tokenizer.chat_template:
            log.warning("%s has no chat template; using a plain one", tokenizer.name_or_path or "the tokenizer")
            tokenizer.chat_template = PLAIN_TEMPLATE
        self._text = _default(tokenizer.chat_template, self.folder)
        self._marks = marks_of(tokenizer)
        self._system, self._strict = True, False
        self._opening = self._quiet_opening = ""
        """what stands between a prompt and an answer that the template does not write at the end of a prompt: always,
        and only if the model shall not think"""
        self._twice = ""
        """a first token that the template writes a second time"""
        self._notes: list[str] = []
        self._examine_roles()
        self._examine_conversation()
        self._examine_opening()
        for note in self._notes:
            self._tell(note)

    def render(self, messages: Sequence[ChatMessage], think: bool | None = None) -> str:
        """Returns the text of a chat up to the answer. `think` sets `enable_thinking` of the template.

        Without thinking the text ends where the template writes an answer: behind the header of its channel or a
        closed block of thoughts. Raises InfrastructureError if the template fails.
        """
        try:
            text = self._render(self.fold(messages), True, think)
        except Exception as error:  # whatever a program of others raises
            raise InfrastructureError(f"the chat template in {self.folder} fails: {error_line(error)}") from error
        text = text.removeprefix(self._twice) + self._opening
        if think is False:
            text += self._quiet_opening
            if self._marks is not None and text.rstrip().endswith(self._marks.opening):
                text = f"{text.rstrip()}\n\n{self._marks.closing}\n\n"
        return text

    def fold(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        """Returns a chat in a form that the template writes in full: the same chat if it takes any."""
        if self._system and not self._strict:
            return list(messages)
        turns: list[ChatMessage] = []
        for i, message in enumerate(messages):
            role, content = message["role"], message["content"]
            if role == "system" and (i or not self._system or _role_at(messages, 1) == "assistant"):
                role = "user"
            if role == "assistant" and not any(earlier["role"] == "user" for earlier in turns):
                role = "user"  # a conversation begins with the user
            turns.append({"role": role, "content": content})
        folded = joined(turns)
        if self._system and folded != list(messages):
            self._tell("needs user and assistant in turn; messages of one role in a row are joined")
        return folded

    def after_answer(self) -> str:
        """Returns what the template writes after an answer that is the last message."""
        return self._around_answer()[1]

    def _around_answer(self, think: bool | None = None) -> tuple[str, str]:
        """Returns what the template writes up to an answer that is the last message, and after it; "" if nothing."""
        try:
            before, _, after = self._render(_chat(_USERS[0], _ANSWERS[1]), False, think).partition(_ANSWERS[1])
        except Exception:  # noqa: BLE001  some templates refuse a chat that ends so, and the arena sends none
            return "", ""
        return before, after

    def _render(self, messages: Sequence[ChatMessage], ask: bool, think: bool | None = None) -> str:
        """Returns what the template makes of a chat; raises whatever it raises."""
        text = dated(self._text, prompt_date()) if reads_clock(self._text) else self._text
        options = {} if think is None else {"enable_thinking": think}
        rendered = self._tokenizer.apply_chat_template(
            list(messages), chat_template=text, tokenize=False, add_generation_prompt=ask, **options
        )
        return str(rendered)

    def _examine_roles(self) -> None:
        """Find out whether the template writes user messages, system messages, and a chat in any order of roles."""
        alone, why = self._attempt(_chat(_USERS[0]))
        if why:
            raise self._refusal(why)
        if (first := str(self._tokenizer.bos_token or "")) and alone.startswith(2 * first):
            self._twice = first
            self._notes.append(f"begins with {first!r} twice; one of them is left out")
        _, why = self._attempt([_message("system", _SYSTEM), *_chat(_USERS[0])])
        if why:
            self._system = False
            self._notes.append(f"{why}; system messages are written at the start of the first user message")
        # No role of the arena writes such chats; those of plugins may.
        unusual = (
            [_message("user", _USERS[0]), _message("user", _USERS[1])],
            [_message("assistant", _ANSWERS[0]), _message("user", _USERS[1])],
            [*_chat(_USERS[0], _ANSWERS[0]), _message("system", _SYSTEM), _message("user", _USERS[1])],
        )
        self._strict = any(self._attempt(chat)[1] for chat in unusual)

    def _examine_conversation(self) -> None:
        """Raise InputError if the template loses earlier turns or their order."""
        chat = [_message("system", _SYSTEM), *_chat(_USERS[0], _ANSWERS[0], _USERS[1], _ANSWERS[1], _USERS[2])]
        _, why = self._attempt(self.fold(chat))
        if why:
            raise self._refusal(why)
        if self._marks is not None:
            thought = f"{self._marks.opening}\n{_THOUGHT}\n{self._marks.closing}\n\n{_ANSWERS[0]}"
            text, _ = self._attempt(_chat(_USERS[0], thought, _USERS[1]))
            if _THOUGHT not in text:
                log.info("%s: the chat template leaves out thoughts of earlier answers", self.folder)

    def _examine_opening(self) -> None:
        """Find what the template writes before an answer beyond the end of a prompt. Raises InputError.

        Some templates ignore `add_generation_prompt`: either an answer follows the user message directly, or the model
        would have to write the header of its own turn.
        """
        prompt, (before, _) = self._question(True), self._around_answer()
        if prompt == self._question(False):
            if not before.startswith(prompt):
                raise self._refusal("ignores add_generation_prompt, and no answer begins where a prompt ends")
            if before[len(prompt) :].strip():
                self._opening = before[len(prompt) :]
                self._notes.append(f"ignores add_generation_prompt; the arena adds {self._opening!r} before an answer")
            return
        prompt, (before, _) = self._question(True, think=False), self._around_answer(think=False)
        if before.startswith(prompt) and before[len(prompt) :].strip():
            self._quiet_opening = before[len(prompt) :]

    def _question(self, ask: bool, think: bool | None = None) -> str:
        """Returns the text of a question. Raises InputError."""
        try:
            return self._render(_chat(_USERS[0]), ask, think)
        except Exception as error:  # whatever a program of others raises
            options = f"add_generation_prompt={ask}" + ("" if think is None else f", enable_thinking={think}")
            raise self._refusal(f"fails with {options.lower()}: {error_line(error)}") from error

    def _attempt(self, chat: Sequence[ChatMessage]) -> tuple[str, str]:
        """Returns the text of a chat, and why a model would not read it from there; "" if it would."""
        try:
            text = self._render(chat, True)
        except ImportError as error:  # of jinja2
            raise InputError(error_line(error)) from error
        except Exception as error:  # noqa: BLE001  a template is a program of others
            roles = " ".join(message["role"] for message in chat)
            return "", f"fails on the messages {roles}: {error_line(error)}"
        words, places = _words(text), list[int]()
        for i, message in enumerate(chat):
            content = _words(message["content"])
            if content not in words:
                done = "changes" if content[:3].casefold() in words.casefold() else "leaves out"
                return text, f"{done} {message['role']} messages"
            if i or message["role"] != "system":  # older ones of Mistral write it before the last user message
                places.append(words.index(content))
        return text, "" if places == sorted(places) else "writes messages in another order"

    def _refusal(self, why: str) -> InputError:
        return InputError(
            f"the chat template in {self.folder} {why}, so the model would not read its prompts; put one that writes "
            "every message into the folder's chat_template.jinja, or use another model"
        )

    def _tell(self, what: str) -> None:
        if (self._text, what) not in _logged:
            _logged.add((self._text, what))
            log.warning("%s: the chat template %s", self.folder, what)


def joined(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Returns a chat in which messages of one role in a row are one, with a blank line between their texts."""
    out: list[ChatMessage] = []
    for message in messages:
        role, content = message["role"], message["content"]
        if out and out[-1]["role"] == role:
            out[-1] = {"role": role, "content": f"{out[-1]['content']}\n\n{content}"}
        else:
            out.append({"role": role, "content": content})
    return out


def _default(template: str | dict[str, str], folder: str) -> str:
    """Returns the template for a chat without tools, of one or several. Raises InputError."""
    if isinstance(template, str):
        return template
    if "default" not in template and len(template) > 1:
        raise InputError(
            f"{folder} has the chat templates {', '.join(template)} and no default; put the one to use into the "
            "folder's chat_template.jinja"
        )
    return template.get("default") or next(iter(template.values()))


def _message(role: str, content: str) -> ChatMessage:
    return {"role": role, "content": content}  # type: ignore[typeddict-item]


def _chat(*contents: str) -> list[ChatMessage]:
    """Returns a chat of user and assistant in turn."""
    return [_message("assistant" if i % 2 else "user", content) for i, content in enumerate(contents)]


def _role_at(messages: Sequence[ChatMessage], index: int) -> str:
    return messages[index]["role"] if index < len(messages) else ""


def _words(text: str) -> str:
    """Returns a text with single spaces: some templates trim messages."""
    return " ".join(text.split())
