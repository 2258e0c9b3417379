"""Events in the log of the board."""

import pytest

from league.store import Event
from league.views.event_lines import event_line
from tests import golden


@pytest.mark.parametrize(("kind", "text", "line"), golden.rows(__file__, "event_lines_events_are_readable"))
def test_events_are_readable(kind, text, line):
    assert event_line(Event(1, 0.0, kind, text)) == line
