"""Games as environments of other libraries, which import the arena: see docs/other-libraries.md.

`arena.export.prime` needs the package verifiers, `arena.export.openenv` the package openenv. Nothing else in the arena
imports them.
"""
