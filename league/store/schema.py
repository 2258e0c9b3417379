"""The tables. `plan`, `results`, `episodes` and `journal` only grow; only `leases`, `runs` and the caches change.

SQLite and PostgreSQL share the definitions. Seats and settings are stored as JSON text rather than a JSON type, because
the order of the seats matters.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = 16
"""Version of these tables; `league.store.version` refuses others."""

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String, primary_key=True),
    Column("value", Text, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("parent", String, nullable=False),
    Column("config", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("status", String, nullable=False),
    Column("created", String, nullable=False),
)

plan = Table(
    "plan",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("index", Integer, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("pairing", String, nullable=False),
    Column("match", String, nullable=False, unique=True),
    Column("game", String, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("seats", Text, nullable=False),
    Column("task", Text, nullable=False, server_default=""),
    Column("opening", Integer, nullable=False, server_default="0"),
    Column("notes", Text, nullable=False, server_default=""),
    Column("refs", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# `match` is the key, so a match counts once. `seq` numbers a run's results in commit order without gaps: a database
# sequence has gaps and, with several writers, can show later numbers before earlier ones, which a reader that remembers
# the last number would miss. `digest` chains a result to the previous one. It does not cover `ranks`, the outcome of
# the matches that the result completed: `arena rebuild` makes it again from the results.
results = Table(
    "results",
    metadata,
    Column("match", ForeignKey("plan.match"), primary_key=True),
    Column("run", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("index", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("pairing", String, nullable=False),
    Column("game", String, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("status", String, nullable=False),
    Column("reason", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("seats", Text, nullable=False),
    Column("worker", String, nullable=False, server_default=""),
    Column("transcript", BigInteger, nullable=False, server_default="0"),
    Column("task", BigInteger, nullable=False, server_default="0"),
    Column("ranks", Text, nullable=False, server_default="[]"),
    Column("digest", LargeBinary, nullable=False),
    UniqueConstraint("run", "seq"),
    UniqueConstraint("run", "index"),
    ForeignKeyConstraint(["run", "index"], ["plan.run", "plan.index"]),
    Index("results_by_status", "run", "status"),
)

# The chain of a run's results; see `league.store.chain`. A row covers the results from `since` to `seq`, written under
# the same settings; `digest` is that of the last one.
chain = Table(
    "chain",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("since", Integer, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("settings", LargeBinary, nullable=False),
)

# Results as columns; see `league.store.columns`.
blocks = Table(
    "blocks",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("since", Integer, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# See `league.store.journal`.
journal = Table(
    "journal",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
)

episodes = Table(
    "episodes",
    metadata,
    Column("match", ForeignKey("results.match"), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

# `owner` is empty after a lease was returned; the row remains to count the attempts. `turns` is NULL until the owner
# publishes them: see `league.store.in_play`.
leases = Table(
    "leases",
    metadata,
    Column("match", ForeignKey("plan.match"), primary_key=True),
    Column("run", ForeignKey("runs.id"), nullable=False, index=True),
    Column("owner", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("until", Float, nullable=False),
    Column("turns", LargeBinary),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("run", ForeignKey("runs.id"), nullable=False, index=True),
    Column("time", Float, nullable=False),
    Column("kind", String, nullable=False),
    Column("text", Text, nullable=False),
)

standings_cache = Table(
    "standings_cache",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("algorithm", String, nullable=False),
    Column("upto_seq", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# The pool of tasks that players set for each other. Equal `key` means equal tasks. `step` is the training step of a
# row, so that a training resumed from a checkpoint can remove later rows.
tasks = Table(
    "tasks",
    metadata,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("index", Integer, primary_key=True),
    Column("game", String, nullable=False),
    Column("key", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("player", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("match", String, nullable=False),
    Column("step", Integer, nullable=False),
    Column("kind", String, nullable=False, server_default=""),
    Column("question", Text, nullable=False, server_default=""),
    Column("parents", Text, nullable=False, server_default=""),
    UniqueConstraint("run", "game", "key"),
)

task_trials = Table(
    "task_trials",
    metadata,
    Column("run", Integer, primary_key=True),
    Column("index", Integer, primary_key=True),
    Column("match", String, primary_key=True),
    Column("step", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("rate", Float, nullable=False),
    Column("answers", Integer, nullable=False, server_default="1"),
    ForeignKeyConstraint(["run", "index"], ["tasks.run", "tasks.index"]),
)
