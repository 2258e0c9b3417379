"""The parts of which the names of an invented collection are made. No word is in two lists."""

from __future__ import annotations

_FORENAMES = """Ada Bruno Clara Dario Edith Felix Greta Hugo Ines Jonas Karla Leo Mira Nils Olga Pavel Rosa Simon Tilda
Ulric Vera Walter Yara Zeno Agnes Boris Celia Dennis Elsa Fabian Hanna Igor Judith Kilian Lydia Marek Nora Oskar
Petra Robin Sofia Tomas Ursula Viktor Wanda Xenia Yannick Zelda"""
_SURNAMES = """Abel Bachman Carver Dolan Eriksen Fenwick Garland Hobart Ibsen Jarvis Kessler Lindgren Maddox Norwood
Osborn Pryor Quimby Radcliff Sandoval Thorne Underhill Vance Whitlock Yates Zander Ashby Barlow Crane Duval Ellery
Farrow Gibbs Hadley Ivers Jessup Keller Lowell Mercer Nash Oakes Penrose Rowan Sawyer Tilton Upton Vickers Wexler
York"""
_STARTS = "Bram Cald Dren Elk Farn Gorse Hale Ister Kel Lorn Mar Nether Ost Pell Rav Stan Thorn Ulls Wen"
_MAKERS = "Amber Beacon Copper Dragon Falcon Granite Heron Juniper Lantern Meteor Otter Phoenix Sable Tiger"
_ADJECTIVES = "Broken Crooked Distant Frozen Hidden Idle Painted Silent Velvet Winding"
_NOUNS = "Bridge Candle Garden Harbour Island Ladder Mirror Orchard Staircase Window"

FORENAMES, SURNAMES = tuple(_FORENAMES.split()), tuple(_SURNAMES.split())
TOWNS = tuple(a + b for a in _STARTS.split() for b in ("by", "ford", "holm", "mere", "stead", "wick"))
MAKERS = tuple(f"{a} {b}" for a in _MAKERS.split() for b in ("Mills", "Press", "Works"))
BOOKS = tuple(f"The {a} {b}" for a in _ADJECTIVES.split() for b in _NOUNS.split())
TRADES = ("baker", "carpenter", "dentist", "farmer", "lawyer", "painter", "pilot", "weaver")
RIVERS = ("Aune", "Brenta", "Drava", "Isel", "Lahn", "Orne")
GOODS = ("bicycles", "clocks", "furniture", "glass", "paper", "rope", "tea", "umbrellas")
