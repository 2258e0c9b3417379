"""The English words that a veiled game keeps. Every other word of its texts is replaced by a made-up one."""

from __future__ import annotations

_FUNCTION = """
a about above across after again all also although always among an and another any anyone are as at automatically be
because become becomes been before being below besides between both but by can cannot could do does during each either
else every everyone exactly except for from had has have how if in including instead into is it its itself least less
like may means more most must neither never next no nobody none not nothing now of on once one only or other others
otherwise out over own per player players really same shall she should since so some someone such than that the their
theirs them themselves then there these they this those though through to too until was were what whatever when where
whether which while who whoever whole whose will with within without would yet you your yours
"""
_COMMON = """
accept accepted act action actions acts add added adds adjacent affect agree agreement allowed already amount answer
answered anything appear around ask asked asks average away back begin begins best better bottom build built call
called cell chance choice choices choose chooses claim column complete count counted counts current decision decisions
declared depends diagonal different digits direction directions divided down draw drawn draws empty end ends entry
equal example exist face fact fall false far fewer find finds finished first fixed followed following follows found
four free full fully further gain game games general get gets give given gives go goes half hand hands hidden high
higher highest history hold holds identical imperfect included increase increasing information involve involves item
items keep keeps kind kinds know known knows large last later lead left legal letter letters lie line lines list
listed lists long lose loser losers loses losing lost low lower lowest made make makes many match matches mean meaning
members message messages middle minus missing move moves moving much multiplied name named names near new nine normal
notation number numbered numbers observation off offer offered opponent opposite option order owner owns pair pairs
part partner partners pay paying payoff pays people phase place placed places play played playing plays plus point
points position possible present previous print printed private probability public publicly put puts quantity random
range rank ranks reach reached reaches reaching receive receives remain remaining remove removed repeated replaced
required rest result return returns reveal revealed right role round rounds row rows rule rules said saw say says
score scores second secretly see seeing sees sense separate set settings seven share shared show showing shown shows
side sided sides signal signals simultaneously single six size sizes something split start started starting starts
state stay step steps still stop straight sum take taken takes tell text third three tie tied ties time times together
top total totals touch touches true turn turned turns twice two type under unless up use used value values visible way
win winner winners wins won word words worth write written wrong zero
"""
FUNCTION = frozenset(_FUNCTION.split())
"""words of grammar, which stay even if an action uses them"""
PLAIN = FUNCTION | frozenset(_COMMON.split())
"""words of any game as well; one that an action of the game uses is replaced"""
