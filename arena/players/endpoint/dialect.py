"""The form of a request to one server: which parameters it has, and what a server's refusal changes in it.

A request has the features of `FORMS`. Servers differ in the parameter that each of them needs, and in which they refuse
or ignore. If a server refuses one, in any words, the request is sent again with the feature's next form, which may be
none. A restriction that a server ignores in silence shows in an answer that is none of the choices.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.players.chat import folded
from arena.players.endpoint.errors import RequestFailure
from arena.players.endpoint.words import Words
from roles import ChatMessage
from roles.privacy import own_words

log = logging.getLogger(__name__)

RESTRICTIONS = ("structured_outputs", "guided_choice", "response_format", "")
"""vLLM; vLLM before 0.11; a JSON schema (OpenAI, llama.cpp, SGLang, ...); none"""
FORMS: Mapping[str, tuple[str, ...]] = {
    "length": ("max_tokens", "max_completion_tokens"),
    "seed": ("seed", "random_seed", ""),
    "temperature": ("temperature", ""),
    "top_p": ("top_p", ""),
    "system": ("system", ""),
    "restriction": RESTRICTIONS,
}
"""feature of a request -> its parameters, in the order in which they are tried; "": without one. `random_seed` is
Mistral's. Without `system`, the system message stands in the first user message."""
ARENA_KEYS = frozenset(
    {"model", "messages", "stream", "stream_options", "n"} | {n for f in FORMS.values() for n in f} - {""}
)
"""keys of a body that the arena sets itself"""

Form = Mapping[str, str]
"""the parameter of each feature in one request; "": it has none"""

_SPELLINGS = {
    "max_tokens": r"max_(new_|output_)?tokens|maxoutputtokens",
    "top_p": r"top_?p",
    "system": r"system (role|message|prompt|instruction)|developer instruction|role\b.{0,40}\bsystem"
    r"|system.{0,40}\brole|roles?\b.{0,40}\balternat\w*|only (supports? )?.?user.? and|must use the .?user.? role",
    "structured_outputs": r"structured_?outputs?|(json_?)?schema|grammar|guided|response_?format"
    r"|structured (output|decoding)",
}
"""how a server's text may name a parameter; others only as they are"""
_REFUSES = re.compile(
    r"unsupported|(not|n't|nor|no longer|cannot) (be )?(support|permit|allow|accept|enabl|available|implement|recogni"
    r"|compatible|specified|used|set|take)|no support|unrecogni[sz]ed|unknown|unexpected|extra[_ ](input|field|forbid"
    r"|param)|unavailable|cannot find|cannot both|deprecated|deserialize|only .{1,20} (is|are) (allowed|supported)"
    r"|does not exist|forbidden|invalid (field|argument|key)|disallowed|no endpoints found|use .?max_completion_tokens"
)
_OF_VALUES = re.compile(
    r"too (large|big|high|small|low)|at (most|least)|must be\b|less than|greater|above|below|between|exceed|maximum"
    r"|minimum|range|[<>]"
)
_VAGUE = re.compile(r"param|argument|field|propert|extra|payload")
_DOUBTFUL = ("restriction", "seed", "top_p", "temperature", "system")
"""features that a refusal without a name may mean, the most likely one first"""
_VALUES = ("length", "temperature", "top_p")
"""features whose values the user sets"""


class Dialect:
    """The form of all requests to one server. `sampling`, `extra`: parameters that the user sets."""

    def __init__(self, name: str, sampling: Mapping[str, float], extra: Mapping[str, Any]) -> None:
        self._name, self._sampling, self._extra = name, sampling, extra
        self._form = {feature: forms[0] for feature, forms in FORMS.items()}
        self._form |= dict.fromkeys(FORMS.keys() & {"temperature", "top_p"} - sampling.keys(), "")
        self._logged = dict(self._form)
        self._settled: set[bool] = set()
        self._confirmed = ""  # the restriction that an answer has obeyed
        self._whole: dict[str, str] | None = None  # the form before refusals that name nothing

    def settled(self, restricted: bool) -> bool:
        """Returns whether the server has taken a request of this kind since its form last changed."""
        return restricted in self._settled

    def form(self, restricted: bool) -> Form:
        """Returns the form of the next request."""
        return self._form | ({} if restricted else {"restriction": ""})

    def body(
        self, form: Form, chat: Sequence[ChatMessage], max_tokens: int, seed: int, choices: Sequence[str] | None
    ) -> dict[str, Any]:
        """Returns the body of a request without its model."""
        values = {"length": max_tokens, "seed": seed & 0x7FFFFFFF, **self._sampling}
        body = dict(self._extra) | {"messages": list(chat) if form["system"] else folded(chat)}
        body |= {form[feature]: value for feature, value in values.items() if form[feature]}
        restriction = form["restriction"]
        if restriction == "structured_outputs":
            body[restriction] = {"choice": list(choices or ())}
        elif restriction == "guided_choice":
            body[restriction] = list(choices or ())
        elif restriction:
            schema = {"name": "action", "strict": True, "schema": _schema(choices or ())}
            body[restriction] = {"type": "json_schema", "json_schema": schema}
        return body

    def adapt(self, form: Form, failure: RequestFailure) -> bool:
        """Change what the server refuses in a request of this form. Returns whether sending it again may help."""
        if failure.words is None or failure.kind == "long":
            return False
        refused = _refused(form, failure.words, vague=failure.kind != "retry")
        changes = [self._advance(feature, form) for feature in refused]
        return any(changes)

    def fault(self, form: Form, failure: RequestFailure) -> str:
        """Returns what the user must change if the server refuses a value of hers; "" if it does not."""
        if failure.words is None:
            return ""
        text = failure.words.all
        if failure.kind in ("refused", "fatal") and _REFUSES.search(text):
            key = next((key for key in self._extra if _is_quoted(key, failure.words)), "")
            return f"leave {key} out of extra=" if key else ""
        if failure.kind == "refused" and _OF_VALUES.search(text):
            for feature in _VALUES:
                if form[feature] and _is_named(form[feature], failure.words):
                    name = "max_tokens" if feature == "length" else feature
                    return f"change {name}= to a value that it takes"
        return ""

    def doubt(self, form: Form) -> bool:
        """Leave one feature more out after a refusal that names nothing, until a first answer. Returns whether it did.

        If the server refuses the barest request too, its reason is another one, and the form is as before.
        """
        left = next((feature for feature in _DOUBTFUL if form[feature]), None)
        if self._settled or left is None:
            self._form, self._whole = self._whole or self._form, None
            return False
        self._whole = self._whole or self._form
        self._form = self._form | {left: ""}
        return True

    def judge(self, form: Form, text: str, cut: bool, choices: Sequence[str]) -> int | None:
        """Returns the choice that a restricted answer gives.

        None for an answer that gives none. If the server restricts by this form, no model can have written such an
        answer, so the form changes: `form` is then no longer that of the next request.
        """
        restriction = form["restriction"]
        words = _plain(own_words(text).text)
        at = next((i for i, choice in enumerate(choices) if _plain(choice) == words), None)
        if at is not None:
            self._confirmed = restriction
            return at
        possible = words.startswith("{") or any(_plain(choice).startswith(words) for choice in choices)
        if (not possible) if cut else (words or self._confirmed != restriction):
            self._advance("restriction", form)
        return None

    def settle(self, restricted: bool) -> None:
        """Remember that the server has taken a request, and log once in one line what it refused or ignored."""
        self._settled.add(restricted)
        notes = list(self._notes())
        if notes:
            log.warning("%s: %s", self._name, "; ".join(notes))
        self._logged, self._whole = dict(self._form), None

    def _advance(self, feature: str, sent: Form) -> bool:
        """Use the next form unless a request sent at the same time has changed it. Returns whether it has changed."""
        forms, now = FORMS[feature], self._form[feature]
        if now == sent[feature]:
            if now == forms[-1]:
                return False
            self._form[feature] = forms[forms.index(now) + 1]
            self._settled -= {True} if feature == "restriction" else {True, False}
        return True

    def _notes(self) -> list[str]:
        old, new = self._logged, self._form
        notes = []
        for feature in (f for f in FORMS if old[f] != new[f]):
            was, now = old[feature], new[feature]
            if feature == "restriction":
                tried = RESTRICTIONS[RESTRICTIONS.index(was) : RESTRICTIONS.index(now)]
                instead = (
                    f"but by {now}" if now else "so the model writes freely and the prompt lists the legal actions"
                )
                notes.append(f"it does not restrict answers by {' or '.join(tried)}, {instead}")
            elif feature == "system":
                notes.append("it takes no system message, which now stands in the first user message")
            elif feature == "seed" and not now:
                notes.append("it takes no seed, so its answers are not repeatable")
            elif now:
                notes.append(f"it takes {now} instead of {was}")
            else:
                notes.append(f"it refuses {was}={self._sampling[feature]:g}, so its own value applies")
        if notes and self._whole is not None:
            notes.append("it refused one of these without naming it")
        return notes


def _refused(form: Form, words: Words, vague: bool) -> list[str]:
    """Returns the features of a request that a server refuses. `vague`: also if it names none of its parameters."""
    text = words.all
    refuses, of_values = _REFUSES.search(text) is not None, _OF_VALUES.search(text) is not None
    refused = []
    for feature, name in form.items():
        if not name or not _is_named(name, words):
            continue
        by_field = name in words.names or (feature == "system" and "role" in words.names)
        if refuses or feature in ("seed", "system", "restriction") or (by_field and not of_values):
            refused.append(feature)
    if "both" in text and {"temperature", "top_p"} <= set(refused):
        refused.remove("temperature")  # Anthropic takes one of them
    if vague and not refused and refuses and _VAGUE.search(words.text.lower()):
        refused = [feature for feature in ("restriction", "seed") if form[feature]][:1]
    return refused


def _is_named(name: str, words: Words) -> bool:
    if name in words.names:
        return True
    pattern = _SPELLINGS.get(name) or (_SPELLINGS["structured_outputs"] if name in RESTRICTIONS else re.escape(name))
    return re.search(rf"(?<![a-z0-9_])({pattern})(?![a-z0-9])", words.all) is not None


def _is_quoted(key: str, words: Words) -> bool:
    """Returns whether a server names a field of the user's; `provider` and `user` are also plain words of texts."""
    name = re.escape(key.lower())
    before = r"['\"`\[]|(supplied|parameters?|fields?|arguments?|keys?|names?):? *"
    return key in words.names or re.search(rf"({before}){name}(?![a-z0-9_])", words.text.lower()) is not None


def _plain(text: str) -> str:
    """Returns an answer without what models and servers put around it: JSON, quotes, spaces."""
    text = text.strip()
    if text[:1] in ("{", '"'):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = text
        if isinstance(data, dict) and (len(data) == 1 or "action" in data):
            data = data.get("action", next(iter(data.values())))
        text = data if isinstance(data, str) else text
    if len(text) > 1 and text[0] == text[-1] and text[0] in "`'\"":
        text = text[1:-1]
    return " ".join(text.split())


def _schema(choices: Sequence[str]) -> dict[str, Any]:
    action = {"type": "string", "enum": list(choices)}
    return {"type": "object", "properties": {"action": action}, "required": ["action"], "additionalProperties": False}


__all__ = ["ARENA_KEYS", "FORMS", "RESTRICTIONS", "Dialect", "Form"]
