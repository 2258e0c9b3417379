"""`arena doctor --endpoint`: asks an endpoint once, and says what a run with it would find."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping

from arena.players import make
from arena.players.endpoint import Endpoint
from games import InputError
from games.errors import InfrastructureError, RunPaused
from games.naming import Name, Value, parse_name
from league.doctor.diagnosis import Diagnosis, State
from league.doctor.probe import Probe, Served, probe, served

_WAITING: Mapping[str, Value] = {"retries": 2, "timeout": 60.0, "patience": 1, "decode": "choice"}
_LISTED = 20


def examine_endpoint(endpoint: str, model: str | None, key: str | None) -> list[Diagnosis]:
    """Returns what `arena doctor --endpoint` prints. `endpoint`: an address, or the id of a player `openai(...)`.

    Raises InputError without a model if several are served, InfrastructureError if the endpoint does not answer.
    """
    params: dict[str, Value] = {"base_url": endpoint}
    if endpoint.startswith("openai("):
        params = dict(parse_name(endpoint).params)
    params |= {name: value for name, value in (("model", model), ("key", key)) if value}
    try:
        return asyncio.run(_examine(params))
    except RunPaused as error:
        raise InfrastructureError(str(error).removesuffix("; start the run again to continue")) from None


async def _examine(params: dict[str, Value]) -> list[Diagnosis]:
    models = await _models(params)
    if "model" not in params:
        if len(models) != 1:
            names = ", ".join(m.id for m in models[:_LISTED]) + ", ..." * (len(models) > _LISTED)
            raise InputError(f"--model is missing; {params.get('base_url')} serves: {names or 'nothing that it lists'}")
        params["model"] = models[0].id
    answer = await probe(_player(params))
    entry = next((m for m in models if m.id == params["model"]), Served(str(params["model"])))
    return list(_diagnoses(params, answer, entry, len(models)))


async def _models(params: Mapping[str, Value]) -> list[Served]:
    """Returns the models that an endpoint lists; none if it lists none and a model is given."""
    try:
        return await served(_player({"model": "any", **params}))
    except InfrastructureError:
        if "model" in params:
            return []
        raise


def _player(params: Mapping[str, Value]) -> Endpoint:
    """Returns the player that asks, which does not wait long. Raises InputError for a wrong parameter."""
    player = make(str(Name("openai", {**params, **_WAITING})))
    assert isinstance(player, Endpoint)
    return player


def _diagnoses(params: Mapping[str, Value], answer: Probe, entry: Served, models: int) -> Iterator[Diagnosis]:
    part = f"endpoint {params.get('base_url', 'of OpenAI')}"
    listed = f"one of {models} that it lists" if models else "it lists no models"

    def line(name: str, detail: str, state: State = "note", fix: str = "") -> Diagnosis:
        return Diagnosis(part, name, state, detail, fix)

    yield line("model", f"{entry.id}, {listed}; it answers as {answer.answers_as or 'nothing'}", "ok")
    tokens = f"{answer.prompt_tokens} tokens read, {answer.completion_tokens} written"
    yield line("answer", f"{answer.text[:80]!r} in {answer.seconds:.2f} s, {tokens}", "ok")
    form = answer.form
    yield line("length", form["length"])
    yield line("seed", form["seed"] or "none: its answers are not repeatable")
    yield line("system", "a system message" if form["system"] else "in the first user message")
    restricted = f"by {form['restriction']}: decode=choice restricts the answers"
    free = "none: with decode=choice the prompt lists the legal actions, and the model writes freely"
    yield line("restriction", restricted if form["restriction"] else free)
    prices = (
        f"{entry.price_in:g} read, {entry.price_out:g} written, per million tokens" if _priced(entry) else "unknown"
    )
    yield line("price", prices)
    yield line("context", f"{entry.context:,} tokens" if entry.context else "unknown")
    secrets = [f"{name} {params[name]}" for name in ("key", "headers") if params.get(name)]
    yield line("sends", "; ".join([json.dumps(answer.body, ensure_ascii=False), *secrets]))
    yield line("player", f"player = {_toml(_written(params, entry, bool(form['restriction'])))}")


def _priced(entry: Served) -> bool:
    return entry.price_in is not None and entry.price_out is not None


def _written(params: Mapping[str, Value], entry: Served, restricts: bool) -> str:
    """Returns the id of a player for this endpoint."""
    named: dict[str, Value] = {"model": params["model"], **params}
    if restricts:
        named["decode"] = "choice"
    if _priced(entry):
        named |= {"price_in": entry.price_in or 0.0, "price_out": entry.price_out or 0.0}
    if entry.context:
        named["context"] = entry.context
    return str(Name("openai", named))


def _toml(text: str) -> str:
    """Returns a text as TOML writes it."""
    return f'"{text}"' if not {'"', "\\"} & set(text) else f"'''{text}'''"


def endpoint_lines(diagnoses: list[Diagnosis]) -> Iterator[str]:
    """Yields the lines of `arena doctor --endpoint`."""
    yield diagnoses[0].part
    yield from (f"  {d.name:<12} {d.detail}" for d in diagnoses[:-1])
    yield diagnoses[-1].detail
