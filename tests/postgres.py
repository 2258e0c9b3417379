"""An empty PostgreSQL database for a test, where ARENA_TEST_POSTGRES names a server that may be used."""

import os

from sqlalchemy import create_engine, make_url, text

POSTGRES = os.environ.get("ARENA_TEST_POSTGRES")


def empty_database() -> str:
    """The URL of a database without tables: one for each process of pytest-xdist, beside the one that was named."""
    assert POSTGRES is not None
    url = make_url(POSTGRES)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    own = f"{url.database}_{worker}"
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        if not connection.scalar(text("SELECT 1 FROM pg_database WHERE datname = :own"), {"own": own}):
            connection.execute(text(f'CREATE DATABASE "{own}"'))
    server.dispose()
    # hide_password=False: the tests connect with what this returns
    made = url.set(database=own).render_as_string(hide_password=False)
    engine = create_engine(made, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return made
