"""The progress of a long command where nobody can see a bar."""

from league.cli import progress


def test_a_line_now_and_then_where_there_is_no_terminal(capsys, monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with progress.progress_bar("a suite\x1b[2J") as done:
        done(1, 1000)
        done(2)
    assert capsys.readouterr().err.splitlines() == ["a suite\\x1b[2J: 1 of 1,000", "a suite\\x1b[2J: 2 of 1,000"]


def test_nothing_is_printed_before_that_time(capsys):
    with progress.progress_bar("a suite", 10) as done:
        done(10)
    assert capsys.readouterr().err == ""
