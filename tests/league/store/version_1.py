"""A database of version 1, written with its own SQL, so that it does not change with today's code."""

import zlib

import msgspec
from sqlalchemy import create_engine

from arena.match import encode
from league.records.matches import SeatResult
from tests.league.specs import stored
from tests.league.store.episodes import episode, plan_of

TABLES = """
CREATE TABLE meta ("key" VARCHAR NOT NULL, value TEXT NOT NULL, PRIMARY KEY ("key"));
CREATE TABLE runs (id {serial} NOT NULL, name VARCHAR NOT NULL, config TEXT NOT NULL, seed BIGINT NOT NULL,
    status VARCHAR NOT NULL, created VARCHAR NOT NULL, PRIMARY KEY (id), UNIQUE (name));
CREATE TABLE events (seq {serial} NOT NULL, run INTEGER NOT NULL, time FLOAT NOT NULL, kind VARCHAR NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (seq), FOREIGN KEY(run) REFERENCES runs (id));
CREATE INDEX ix_events_run ON events (run);
CREATE TABLE "plan" (run INTEGER NOT NULL, "index" INTEGER NOT NULL, round INTEGER NOT NULL, pairing VARCHAR NOT NULL,
    "match" VARCHAR NOT NULL, game VARCHAR NOT NULL, seed BIGINT NOT NULL, seats TEXT NOT NULL,
    PRIMARY KEY (run, "index"), FOREIGN KEY(run) REFERENCES runs (id), UNIQUE ("match")) {rowless};
CREATE TABLE standings_cache (run INTEGER NOT NULL, algorithm VARCHAR NOT NULL, upto_seq INTEGER NOT NULL,
    data {blob} NOT NULL, PRIMARY KEY (run), FOREIGN KEY(run) REFERENCES runs (id));
CREATE TABLE leases ("match" VARCHAR NOT NULL, run INTEGER NOT NULL, owner VARCHAR NOT NULL, attempt INTEGER NOT NULL,
    until FLOAT NOT NULL, PRIMARY KEY ("match"), FOREIGN KEY("match") REFERENCES "plan" ("match"),
    FOREIGN KEY(run) REFERENCES runs (id)) {rowless};
CREATE INDEX ix_leases_run ON leases (run);
CREATE TABLE results ("match" VARCHAR NOT NULL, run INTEGER NOT NULL, seq INTEGER NOT NULL, "index" INTEGER NOT NULL,
    round INTEGER NOT NULL, pairing VARCHAR NOT NULL, game VARCHAR NOT NULL, seed BIGINT NOT NULL,
    status VARCHAR NOT NULL, reason TEXT NOT NULL, seconds FLOAT NOT NULL, seats TEXT NOT NULL,
    PRIMARY KEY ("match"), UNIQUE (run, seq), UNIQUE (run, "index"),
    FOREIGN KEY(run, "index") REFERENCES "plan" (run, "index"), FOREIGN KEY("match") REFERENCES "plan" ("match"));
CREATE INDEX results_by_status ON results (run, status);
CREATE TABLE episodes ("match" VARCHAR NOT NULL, data {blob} NOT NULL, PRIMARY KEY ("match"),
    FOREIGN KEY("match") REFERENCES results ("match"))
"""
WORDS = {
    "sqlite": {"serial": "INTEGER", "blob": "BLOB", "rowless": "WITHOUT ROWID"},
    "postgresql": {"serial": "SERIAL", "blob": "BYTEA", "rowless": ""},
}


def write(url, planned, ended):
    """A run `cup` of `planned` matches, the first `ended` of them finished and the next one leased."""
    engine = create_engine(url)
    mark = "?" if engine.name == "sqlite" else "%s"
    with engine.begin() as connection:

        def insert(table, *values):
            marks = ", ".join([mark] * len(values))
            connection.exec_driver_sql(f'INSERT INTO "{table}" VALUES ({marks})', values)

        for statement in TABLES.format(**WORDS[engine.name]).split(";"):
            connection.exec_driver_sql(statement)
        insert("meta", "schema", "1")
        insert("meta", "created", "2026-01-02T03:04:05+00:00")
        settings = msgspec.json.encode(stored(seed=7)).decode()
        connection.exec_driver_sql(
            "INSERT INTO runs (name, config, seed, status, created) "
            f"VALUES ('cup', '{settings}', 7, 'interrupted', '2026-01-02T03:04:05+00:00')"
        )
        for i, match in enumerate(plan_of(planned)):
            m = match.match
            seats = msgspec.json.encode(m.seats).decode()
            insert("plan", 1, i, match.round, match.pairing, m.id, m.game, m.seed, seats)
            if i >= ended:
                continue
            played = episode(match)
            places = [SeatResult(s, played.roles[s], p, played.returns[s]) for s, p in played.seats.items()]
            rows = msgspec.json.encode(places).decode()
            insert("results", m.id, 1, i + 1, i, match.round, match.pairing, m.game, m.seed, "finished", "", 0.5, rows)
            insert("episodes", m.id, zlib.compress(encode(played), 1))
        insert("leases", plan_of(planned)[ended].match.id, 1, "dead", 1, 1e9)
    engine.dispose()
