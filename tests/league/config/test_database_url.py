"""No form of a database's URL but the driver's shows its password."""

import copy
import json
import pickle
import traceback

import msgspec
import pytest

from games import InputError
from league.config.database_url import DatabaseUrl
from league.config.tournament import TournamentConfig, parse_tournament
from league.config.training import TrainingConfig, parse_training
from tests import golden
from tests.arena.cli.command import run

SENTINEL = "SENTINEL"
SECRET_URLS = [
    "postgresql://bob:SENTINEL@host/arena",
    "postgres://bob:SENTINEL@host:5432/arena?sslmode=require",
    "postgresql+psycopg://bob:x%40SENTINEL%2F@host/arena",
    "postgresql://bob@[::1]:5432/arena?password=SENTINEL",
    "postgresql://bob:SENTINEL@[::1]/arena",
    "postgresql://bob@host/arena?sslpassword=SENTINEL&sslkey=k",
    "postgresql://bob@host/arena?options=-c%20my.key%3DSENTINEL",
    "postgresql://host/arena?PASSWORD=SENTINEL&anything=SENTINEL",
]
MALFORMED_URLS = golden.rows(__file__, "database_url_malformed_urls")
PLAYERS = [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}]
TOURNAMENT = {"name": "t", "games": ["openspiel/kuhn_poker"], "players": PLAYERS}
TRAINING = {"name": "t", "steps": 1, "games": ["openspiel/kuhn_poker"]}


@pytest.mark.parametrize("text", SECRET_URLS)
def test_only_the_driver_receives_the_secret(text):
    url = DatabaseUrl(text)
    driver = url.for_driver()
    assert SENTINEL in f"{driver.password} {driver.query}"
    config = parse_tournament(TOURNAMENT | {"db": text})
    training = parse_training(TRAINING | {"db": url})
    assert config.db == training.db == url == copy.deepcopy(url)
    forms = [url, [url], {"url": url}, (url.path,), url.without_secrets(f"no {driver.password} {driver.query}")]
    forms += [config, training, config.model_dump(), training.model_dump(mode="json"), config.model_dump_json()]
    forms += [json.dumps(config.model_dump(mode="json")), json.dumps({"db": url}, default=str), vars(config)]
    forms += [pickle.dumps(url), pickle.dumps(config, 0), pickle.dumps(training), msgspec.json.encode(str(url))]
    forms += [url.__reduce_ex__(4), [getattr(url, name) for name in ("_public", "_full")], f"{url!s:.500}"]
    assert not [form for form in forms if SENTINEL in f"{form} {form!r}"]


@pytest.mark.parametrize("text", SECRET_URLS)
def test_a_copy_in_another_process_has_the_address_and_no_secret(text):
    copied = pickle.loads(pickle.dumps(DatabaseUrl(text)))
    driver = copied.for_driver()
    assert (driver.host, driver.database) == (DatabaseUrl(text).for_driver().host, "arena")
    assert driver.password is None
    assert SENTINEL not in driver.render_as_string(hide_password=False)


@pytest.mark.parametrize("text", MALFORMED_URLS)
def test_no_error_repeats_a_malformed_url(text, capsys):
    lines = []
    for make in (
        lambda: DatabaseUrl(text),
        lambda: parse_tournament(TOURNAMENT | {"db": text}),
        lambda: parse_training(TRAINING | {"db": text}),
        lambda: TournamentConfig.model_validate(TOURNAMENT | {"db": text}),
        lambda: TrainingConfig.model_validate(TRAINING | {"db": text}),
    ):
        with pytest.raises(ValueError, match=r"sqlite:///|text must not") as refused:
            make()
        lines.append("".join(traceback.format_exception(refused.value)))
    code, out, err = run(capsys, "-v", "board", "--db", text)
    assert code == 2
    assert [line for line in (*lines, out, err) if SENTINEL in line] == []


@pytest.mark.parametrize("value", [["postgresql://b:SENTINEL@h/x"], {"url": "SENTINEL"}, b"SENTINEL", "x\0SENTINEL"])
def test_no_error_repeats_a_value_of_another_type(value):
    with pytest.raises(InputError, match="db: ") as refused:
        parse_tournament(TOURNAMENT | {"db": value})
    assert SENTINEL not in str(refused.value)


@pytest.mark.parametrize("text", ["sqlite:///runs/q?x.db", "runs/q?x.db", "sqlite:///q.db?mode=ro"])
def test_what_follows_a_question_mark_is_not_dropped(text):
    with pytest.raises(InputError, match=r"has options after `\?`, and the store takes none; write sqlite:///path"):
        DatabaseUrl(text)


def test_a_url_is_shown_so_that_it_can_be_typed_again():
    shown = str(DatabaseUrl("postgres://bob:pw@host:5432/arena?sslmode=require&sslpassword=pw"))
    assert shown == "postgresql+psycopg://bob@host:5432/arena?sslmode=require" == str(DatabaseUrl(shown))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("runs/x.db", "runs/x.db"),
        ("sqlite:///runs/x.db", "runs/x.db"),
        ("sqlite:////full/x.db", "/full/x.db"),
        ("me@home/x.db", "me@home/x.db"),
        ("sqlite:///runs/a:b@c.db", "runs/a:b@c.db"),
        ("sqlite:///runs/a%20b.db", "runs/a%20b.db"),
    ],
)
def test_a_path_is_a_sqlite_file(text, path):
    url = DatabaseUrl(text)
    assert (url.path, url.for_driver().database, str(url)) == (path, path, f"sqlite:///{path}")
