"""Paths that a sandbox binds."""

from __future__ import annotations

import sysconfig

from games.verifiers import sandbox


def test_a_folder_of_the_c_library_that_cannot_be_entered_is_left_out(monkeypatch):
    """As where Python was built below /root and copied: here a name that is too long for the system."""
    variables = {"Py_ENABLE_SHARED": 1, "LIBDIR": "/" + "x" * 300}
    monkeypatch.setattr(sysconfig, "get_config_var", variables.get)
    assert sysconfig.get_path("stdlib") in sandbox.python_binds.__wrapped__()
