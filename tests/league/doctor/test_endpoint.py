"""`arena doctor --endpoint`: one question shows what a run would find."""

import json
import re
from datetime import date

import pytest
from pydantic import ValidationError

from arena.players import make
from games import InputError
from games.naming import parse_name
from league.config.tournament import PlayerConfig
from tests.arena.cli.command import run
from tests.arena.players.endpoint.server import says, serving, status
from tests.arena.players.endpoint.vendors import VENDORS

pytest.importorskip("openai")

PRICED = {"id": "m", "context_length": 32768, "pricing": {"prompt": "0.00000015", "completion": "0.0000006"}}


def details(out):
    """Name of each line -> its text; the last line without a name."""
    *lines, last = out.splitlines()[1:]
    return {line.split()[0]: line[14:].strip() for line in lines} | {"player": last}


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_habits_of_every_vendor(vendor, capsys):
    with serving(VENDORS[vendor]) as server:
        server.models = [PRICED]
        code, out, _err = run(capsys, "doctor", "--endpoint", server.url)
        (player,) = re.findall(r"player = (?:\"|''')(.*?)(?:\"|''')$", out, re.MULTILINE)
        params = parse_name(player).params
        who = make(player)
        assert who.priced
        body = server.asked[-1]
    assert code == 0
    found = details(out)
    assert found["length"] in body
    assert found["system"].startswith("a system") == (body["messages"][0]["role"] == "system")
    restricted = [form for form in ("structured_outputs", "guided_choice", "response_format") if form in body]
    assert found["restriction"].split()[1].rstrip(":") == (restricted[0] if restricted else "with")
    assert params.get("decode") == ("choice" if restricted else None)
    assert (params["price_in"], params["price_out"], params["context"]) == (0.15, 0.6, 32768)
    assert json.loads(found["sends"]) == {key: value for key, value in body.items() if key != "model"}
    assert re.search(r"in \d+\.\d\d s, 20 tokens read, 5 written", found["answer"])


def test_headers_and_extra_of_a_player_are_sent_and_their_secrets_not_printed(capsys, monkeypatch):
    monkeypatch.setenv("AZ", "Zy9-azure-key-0017")
    with serving(says("yes")) as server:
        added = 'headers={"api-key": "env:AZ"}, extra={"reasoning": {"a": 1}}'
        id = f"openai(model=m, base_url={server.url}, {added})"
        code, out, err = run(capsys, "doctor", "--endpoint", id)
    assert code == 0
    assert "Zy9" not in out + err
    assert '"reasoning": {"a": 1}' in out
    assert 'headers {"api-key": "env:AZ"}' in out


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ((), 2, "--model is missing; .* serves: a, b"),
        (("--model", "a", "--key", "NO_SUCH_KEY"), 2, "NO_SUCH_KEY holds no key"),
        (("--model", "a"), 1, "no key was sent; if it needs one, add key=NAME"),
        (("--model", ""), 2, "--model is missing"),
    ],
)
def test_an_endpoint_that_cannot_be_asked_gets_one_line(options, code, words, capsys):
    with serving(status(401, "who are you?")) as server:
        server.models = [{"id": "a"}, {"id": "b"}]
        got, out, err = run(capsys, "doctor", "--endpoint", server.url, *options)
    assert (got, out) == (code, "")
    assert re.search(words, err)
    assert len(err.splitlines()) == 1
    assert "start the run again" not in err


@pytest.mark.parametrize(("parameter", "words"), [("tmeout=1", "tmeout"), ("max_tokens=no", "be a whole number")])
def test_a_wrong_parameter_of_a_player_is_named(parameter, words, capsys):
    code, _, err = run(capsys, "doctor", "--endpoint", f"openai(model=m, base_url=http://127.0.0.1:9/v1, {parameter})")
    assert code == 2
    assert words in err


def test_options_of_an_endpoint_need_one(capsys):
    code, _, err = run(capsys, "doctor", "--model", "m")
    assert code == 2
    assert "add --endpoint URL" in err


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("extra", 5, r"extra must be a table, such as extra = \{ reasoning_effort"),
        ("extra", '{"a": 1}', "extra must be a table"),
        ("headers", ["a"], r"headers must be a table, such as headers = \{ \"api-key"),
        ("headers", "", "headers must be a table"),
        ("extra", {"until": date(2020, 1, 1)}, "holds a date, inf or nan"),
        ("extra", {"bias": {"a": float("inf")}}, "holds a date, inf or nan"),
    ],
)
def test_a_value_that_no_request_can_hold_is_said_in_the_words_of_the_file(key, value, words):
    with pytest.raises((InputError, ValidationError), match=words):
        PlayerConfig.model_validate({"name": "a", "player": "openai(model=m)", key: value})


def test_an_empty_table_adds_nothing():
    empty = PlayerConfig.model_validate({"name": "a", "player": "openai(model=m)", "extra": {}, "headers": {}})
    assert empty.player == "openai(model=m)"


def test_a_table_of_a_file_is_part_of_the_players_id():
    extra = {"reasoning_effort": "low", "text": 'it\'s "x" \\ {', "chat_template_kwargs": {"enable_thinking": False}}
    headers = {"api-key": "env:AZ"}
    config = PlayerConfig.model_validate({"name": "a", "player": "openai(model=m)", "extra": extra, "headers": headers})
    params = parse_name(config.player).params
    assert json.loads(str(params["extra"])) == extra
    assert json.loads(str(params["headers"])) == headers
    assert config == PlayerConfig.model_validate(config.model_dump())
