"""Writes new plugin files, for `arena new`."""

from arena.scaffold.plugin_files import KINDS, NewPlugin, write_plugin

__all__ = ["KINDS", "NewPlugin", "write_plugin"]
