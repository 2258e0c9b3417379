"""Whether an object's state, as plain JSON, makes a second object that is equal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def reloaded(first: Any, make: Callable[[], Any]) -> tuple[Any, str]:
    """Returns a new object with the state of `first`, and the problem with that state, "" if there is none.

    None instead of the object if `state_dict` is not JSON.
    """
    try:
        kept = json.loads(json.dumps(first.state_dict()))
    except (TypeError, ValueError) as error:
        return None, f"state_dict is not plain JSON: {error}"
    second = make()
    second.load_state_dict(kept)
    if json.dumps(second.state_dict()) != json.dumps(kept):
        return second, "state_dict differs after load_state_dict; load_state_dict must restore all of it"
    return second, ""
