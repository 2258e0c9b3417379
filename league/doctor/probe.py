"""Asks an endpoint one harmless question and tells what a run would find: habits, latency, price, what is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from arena.players.budget import Budget
from arena.players.endpoint.connection import HARMLESS
from arena.players.endpoint.player import Endpoint

if TYPE_CHECKING:
    from roles import ChatMessage

CHAT: Sequence[ChatMessage] = (
    {"role": "system", "content": "You answer in one word."},
    {"role": "user", "content": HARMLESS},
)
CHOICES = ("blue", "green")
"""no model says one of them to this question unless the server restricts its answer"""
_CONTEXTS = ("context_length", "max_model_len", "context_window", "max_context_length")
"""how OpenRouter, vLLM, Groq and LM Studio name the tokens that a model reads and writes"""


class Served(msgspec.Struct, frozen=True):
    """A model that an endpoint lists. Prices are per million tokens; None: not said."""

    id: str
    context: int | None = None
    price_in: float | None = None
    price_out: float | None = None


class Probe(msgspec.Struct, frozen=True):
    """What one question has shown of an endpoint."""

    text: str
    answers_as: str
    seconds: float
    """of the request that was answered"""
    prompt_tokens: int
    completion_tokens: int
    form: dict[str, str]
    """feature of a request -> the parameter that the server takes; "" if none"""
    body: dict[str, Any]
    """what was sent, without headers"""


async def probe(player: Endpoint) -> Probe:
    """Returns what an answer shows. Raises InfrastructureError if there is none."""
    connection = player.connection()
    reply = await connection.ask(lambda _: CHAT, 1, CHOICES, Budget())
    form = dict(connection.dialect.form(restricted=True))
    body = connection.body(form, CHAT, 1, CHOICES)
    used = (reply.prompt_tokens, reply.completion_tokens)
    return Probe(reply.text, connection.answers_as, connection.seconds, *used, form, body)


async def served(player: Endpoint) -> list[Served]:
    """Returns the models that the endpoint of a player lists. Raises InfrastructureError if it lists none."""
    payload = await player.connection().models()
    entries = payload.get("data") if isinstance(payload, Mapping) else payload
    models = [m for m in entries if isinstance(m, Mapping) and m.get("id")] if isinstance(entries, list) else []
    return [_served(model) for model in models]


def _served(model: Mapping[str, Any]) -> Served:
    context = next((model[key] for key in _CONTEXTS if type(model.get(key)) is int and model[key] > 0), None)
    pricing = model.get("pricing")
    prices = pricing if isinstance(pricing, Mapping) else {}
    return Served(str(model["id"]), context, _price(prices.get("prompt")), _price(prices.get("completion")))


def _price(per_token: object) -> float | None:
    """Returns a price of a million tokens from that of one, a number or its text; None if it says none."""
    try:
        price = round(float(str(per_token)) * 1e6, 6)
    except ValueError:
        return None
    return price if 0 <= price < 1e9 else None


__all__ = ["Probe", "Served", "probe", "served"]
