"""How servers answer, by vendor: which parameters they refuse or ignore, and the words and shapes of their errors.

The facts are from public reports of users. The model behind each server plays well where the server restricts its
answer or its prompt lists the legal actions, and chats where a restriction is ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tests.arena.players.endpoint.server import Handler, completion

ROOM = 6
"""messages that a server reads"""
CHAT = "Let me think about that game. It depends!"
Body = Mapping[str, Any]
Shape = Callable[[int, str, str, str], Any]
"""status, words, parameter, code -> body of an error"""


def openai(status: int, words: str, param: str, code: str) -> Any:
    return {"error": {"message": words, "type": "invalid_request_error", "param": param or None, "code": code or None}}


def object_error(status: int, words: str, param: str, code: str) -> Any:
    return {"object": "error", "message": words, "type": code or "BadRequestError", "param": None, "code": status}


def text_error(status: int, words: str, param: str, code: str) -> Any:
    return {"error": words, "error_type": "validation"}


def gemini(status: int, words: str, param: str, code: str) -> Any:
    violation = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"description": words}]}
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s"}
    error = {"code": status, "message": words, "status": code or "INVALID_ARGUMENT"}
    return [{"error": {**error, "details": [retry if status == 429 else violation]}}]


def fastapi(status: int, words: str, param: str, code: str) -> Any:
    if not param:
        return {"object": "error", "message": words, "type": "invalid_request_error", "param": None, "code": "3051"}
    detail = {"type": "extra_forbidden", "loc": ["body", param], "msg": "Extra inputs are not permitted", "input": 7}
    return {"object": "error", "message": {"detail": [detail]}, "type": "invalid_request_error", "code": None}


def openrouter(status: int, words: str, param: str, code: str) -> Any:
    raw = json.dumps(openai(status, words, param, code))
    return {"error": {"message": "Provider returned error", "code": status, "metadata": {"raw": raw}}, "user_id": "u"}


def llama_cpp(status: int, words: str, param: str, code: str) -> Any:
    return {"error": {"code": status, "message": words, "type": code or "server_error", "n_ctx": 4096}}


def anthropic(status: int, words: str, param: str, code: str) -> Any:
    return {"type": "error", "error": {"type": code or "invalid_request_error", "message": words}, "request_id": "r"}


def litellm(status: int, words: str, param: str, code: str) -> Any:
    return {"error": {"message": f"litellm.{words}", "type": "None", "param": "None", "code": str(status)}}


class Vendor(NamedTuple):
    """The habits of one server."""

    shape: Shape = openai
    restricts: frozenset[str] = frozenset({"response_format"})
    refuses: Mapping[str, tuple[int, str]] = {}
    """parameter -> status and words; `*` for every parameter that OpenAI does not have"""
    system: tuple[int, str] | None = None
    """how it refuses a system message"""
    long: tuple[int, str, str] = (400, "This model's maximum context length is 64 tokens.", "context_length_exceeded")
    busy: tuple[int, str, Mapping[str, str]] = (429, "Rate limit reached", {"retry_after": "0"})
    locked: tuple[int, str] = (401, "Incorrect API key provided")
    answer: Callable[[str], Mapping[str, Any]] = lambda text: {"content": text}
    finish: str = "stop"
    plain: bool = False
    """whether it states refused parameters in plain text"""

    def __call__(self, handler: Handler, body: dict[str, Any]) -> None:
        """Answer a request as this vendor does."""
        refused = self._refused(body)
        if handler.headers["authorization"] == "Bearer wrong":
            self._fail(handler, *self.locked)
        elif refused:
            status, words = self.refuses.get(refused) or self.refuses["*"]
            self._fail(handler, status, words.format(refused), refused, plain=self.plain)
        elif self.system and any(message["role"] == "system" for message in body["messages"]):
            self._fail(handler, *self.system)
        elif len(body["messages"]) > ROOM:
            status, words, code = self.long
            self._fail(handler, status, words, code=code)
        else:
            message = {"role": "assistant", **self.answer(self._text(body))}
            handler.reply(200, completion("", finish=self.finish, model=body["model"], **message))

    def be_busy(self, handler: Handler, body: dict[str, Any]) -> None:
        """Answer that it is overloaded."""
        status, words, headers = self.busy
        self._fail(handler, status, words, headers=headers)

    def _refused(self, body: Body) -> str:
        known = ("model", "messages", "max_tokens", "max_completion_tokens", "temperature", "top_p", "response_format")
        for name in body:
            if name in self.refuses or ("*" in self.refuses and name not in known):
                return name
        return ""

    def _fail(
        self,
        handler: Handler,
        status: int,
        words: str,
        param: str = "",
        code: str = "",
        headers: Mapping[str, str] = {},
        plain: bool = False,
    ) -> None:
        error = words if plain else self.shape(status, words, param, code)
        data, kind = (error, "text/html") if isinstance(error, str) else (json.dumps(error), "application/json")
        handler.reply(status, data.encode(), kind, **headers)

    def _text(self, body: Body) -> str:
        forms = [form for form in ("structured_outputs", "guided_choice", "response_format") if form in body]
        if not forms:
            action = re.findall("Legal actions: (.*)|$", body["messages"][-1]["content"])[0].split(", ")[-1] or "yes"
            return f"\\boxed{{{action}}}" if "boxed" in str(body["messages"]) else action
        if forms[0] not in self.restricts:
            return CHAT
        if forms[0] == "response_format":
            schema = body["response_format"]["json_schema"]["schema"]
            return json.dumps({"action": schema["properties"]["action"]["enum"][-1]})
        return str((body[forms[0]]["choice"] if forms[0] == "structured_outputs" else body[forms[0]])[-1])


UNKNOWN = 'Invalid JSON payload received. Unknown name "{}": Cannot find field.'
VENDORS: Mapping[str, Vendor] = {
    "vllm": Vendor(
        restricts=frozenset({"structured_outputs", "response_format"}),
        answer=lambda text: {"content": f"<think>Hm.</think>\n\n{text}", "reasoning_content": "\\boxed{1}"},
        long=(
            400,
            "'max_tokens' or 'max_completion_tokens' is too large: 1024. This model's maximum context length is 64 "
            "tokens and your request has 50 input tokens (1024 > 64 - 50).",
            "",
        ),
    ),
    "vllm-old": Vendor(
        shape=object_error, restricts=frozenset({"guided_choice"}), system=(400, "System role not supported")
    ),
    "sglang": Vendor(
        shape=object_error,
        system=(400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        long=(400, "The input (61709 tokens) is longer than the model's context length (40960 tokens).", ""),
    ),
    "tgi": Vendor(
        shape=text_error,
        plain=True,
        restricts=frozenset(),
        refuses={
            "response_format": (422, "Failed to deserialize the JSON body: {}.type: unknown variant `json_schema`")
        },
        system=(422, "Template error: invalid operation: System role not supported"),
        long=(422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 64. Given: 50 and 1024", ""),
        busy=(429, "Model is overloaded", {}),
        finish="eos_token",
    ),
    "llama.cpp": Vendor(
        shape=llama_cpp,
        system=(500, "While executing CallExpression at line 1: Error: Jinja Exception: System role not supported"),
        long=(400, "the request exceeds the available context size. try increasing it", "exceed_context_size_error"),
        busy=(503, "Loading model", {}),
    ),
    "ollama": Vendor(
        answer=lambda text: {"content": f" {text}\n", "reasoning": "It is \\boxed{1}, is it not?"},
        busy=(503, "server busy, please try again.  maximum pending requests exceeded", {}),
    ),
    "lm-studio": Vendor(
        shape=text_error,
        refuses={"structured_outputs": (400, "Unrecognized key(s) in object: '{}'")},
        long=(
            400,
            "Trying to keep the first 90 tokens when context the overflows. However, the model is loaded with "
            "context length of only 64 tokens, which is not enough.",
            "",
        ),
    ),
    "openrouter": Vendor(
        shape=openrouter,
        refuses={"temperature": (400, "Unsupported parameter: '{}' is not supported with this model.")},
        answer=lambda text: {"content": text, "reasoning_details": [{"type": "reasoning.text", "text": "1"}]},
        locked=(401, "No auth credentials found"),
    ),
    "gemini": Vendor(
        shape=gemini,
        refuses={"*": (400, UNKNOWN)},
        long=(400, "The input token count (1200) exceeds the maximum number of tokens allowed (1024).", ""),
        busy=(429, "You exceeded your current quota, please check your plan and billing details.", {}),
        locked=(400, "API key not valid. Please pass a valid API key."),
    ),
    "anthropic": Vendor(
        shape=anthropic,
        restricts=frozenset(),
        refuses={
            "top_p": (400, "`temperature` and `{}` cannot both be specified for this model. Please use only one.")
        },
        long=(400, "prompt is too long: 213462 tokens > 200000 maximum", ""),
        busy=(529, "Overloaded", {}),
        finish="end_turn",
    ),
    "mistral": Vendor(
        shape=fastapi,
        refuses=dict.fromkeys(("seed", "structured_outputs", "guided_choice"), (422, "")),
        long=(400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length", ""),
        answer=lambda text: {
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "\\boxed{1}"}]},
                {"type": "text", "text": text},
            ]
        },
    ),
    "azure": Vendor(
        refuses={
            "max_tokens": (400, "Unsupported parameter: '{}' is not supported. Use 'max_completion_tokens' instead."),
            "temperature": (400, "Unsupported value: '{}' does not support 0.5 with this model."),
            "top_p": (400, "Unsupported parameter: '{}' is not supported with this model."),
            "seed": (400, "Unrecognized request argument supplied: {}"),
            "random_seed": (400, "Unrecognized request argument supplied: {}"),
            "structured_outputs": (400, "Unrecognized request argument supplied: {}"),
            "guided_choice": (400, "Unrecognized request argument supplied: {}"),
        },
        system=(400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        busy=(429, "Requests have exceeded the call rate limit. Please retry after 1 second.", {"retry_after_ms": "1"}),
        locked=(401, "Access denied due to invalid subscription key or wrong API endpoint."),
    ),
    "litellm": Vendor(
        shape=litellm,
        refuses={
            "seed": (400, "UnsupportedParamsError: anthropic does not support parameters: ['{}'], for model=m."),
            "random_seed": (500, "UnsupportedParamsError: anthropic does not support parameters: {{'{}': 1}}"),
            "structured_outputs": (400, 'BadRequestError: {{"error": {{"message": "Unknown parameter: \'{}\'."}}}}'),
        },
        long=(400, "ContextWindowExceededError: litellm.BadRequestError: input is too long", ""),
        locked=(400, "BadRequestError: No connected db."),
    ),
    "groq": Vendor(
        refuses={"response_format": (400, "This {} type is unavailable now")},
        restricts=frozenset(),
        long=(413, "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000", ""),
        busy=(429, "Rate limit reached. Please try again in 0.01s.", {}),
    ),
    "proxy": Vendor(
        shape=lambda status, words, *_: f"<html><title>{words}</title><body>nginx</body></html>",
        refuses={"structured_outputs": (400, "Bad Request")},
        restricts=frozenset(),
        long=(413, "413 Request Entity Too Large", ""),
        busy=(502, "502 Bad Gateway", {}),
        locked=(403, "403 Forbidden"),
    ),
}
