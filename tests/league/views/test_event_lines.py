"""Events in the log of the board."""

import pytest

from league.store import Event
from league.views.event_lines import event_line


@pytest.mark.parametrize(
    ("kind", "text", "line"),
    [
        ("snapshot", '{"name":"kuhn@40","player":{"":"llm(model=/tmp/x)"}}', "snapshot: kuhn@40"),
        ("strike", '{"worker":"host:3","reason":"slow clock"}', "strike: host:3, slow clock"),
        ("unstrike", '{"worker":"host:3","reason":""}', "unstrike: host:3"),
        ("spent", '{"tokens":120,"cost":0.5}', "spent: tokens 120, cost 0.5"),
        ("snapshot", "damaged {", "snapshot: damaged {"),
        ("resume", '{"name":"is text"}', 'resume: {"name":"is text"}'),
        ("roster", "c joins from round 4 on", "roster: c joins from round 4 on"),
    ],
)
def test_events_are_readable(kind, text, line):
    assert event_line(Event(1, 0.0, kind, text)) == line
