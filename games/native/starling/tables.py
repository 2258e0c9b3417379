"""The words of the generated worlds: which thing belongs where, and what is locked away."""

from __future__ import annotations

PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "kitchen": (("dishwasher", "c"), ("fridge", "c"), ("dustbin", "c"), ("spice rack", "s")),
    "bathroom": (("towel rail", "s"), ("medicine cabinet", "c"), ("washing machine", "c")),
    "study": (("bookcase", "s"), ("desk", "s"), ("filing cabinet", "c")),
    "hall": (("coat rack", "s"), ("shoe cabinet", "c")),
}
"""room -> its places; the kinds are textworld's: `c` is a container, `s` a supporter"""

BELONGS: dict[str, str] = {
    "dirty plate": "dishwasher",
    "used fork": "dishwasher",
    "fresh milk": "fridge",
    "butter": "fridge",
    "apple core": "dustbin",
    "eggshell": "dustbin",
    "pepper mill": "spice rack",
    "wet towel": "towel rail",
    "aspirin": "medicine cabinet",
    "dirty shirt": "washing machine",
    "muddy sock": "washing machine",
    "novel": "bookcase",
    "atlas": "bookcase",
    "fountain pen": "desk",
    "tax form": "filing cabinet",
    "rain coat": "coat rack",
    "winter hat": "coat rack",
    "leather boot": "shoe cabinet",
}
"""thing -> the place where it belongs"""

PRIZES = ("gold ring", "silver coin", "ruby", "pearl", "emerald", "old letter", "treasure map", "violin")
CHESTS = ("chest", "safe", "strongbox", "trunk")
BOXES = ("drawer", "basket", "cupboard", "crate")
KEYS = ("brass key", "iron key", "steel key", "copper key")
THINGS = ("candle", "spoon", "newspaper", "blanket", "hammer", "notebook")
"""things without a use"""
