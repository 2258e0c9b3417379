r"""What surrounds an answer in a message: what may precede it, what may follow it, and what takes it back."""

from __future__ import annotations

import re


def _words(*phrases: str) -> str:
    return "(?:" + "|".join(phrases) + ")"


def _any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


BULLET = re.compile(r"(?:[-•–—+]\s+|[>→⇒⟹]\s*|[0-9]{1,2}[.)]\s+)*")
_LEAD = _words(
    *("so", "therefore", "thus", "hence", "then", "and", "overall", "finally", "in (?:conclusion|summary|short|total)"),
    *("to (?:conclude|sum up)", "as a result", "consequently", "accordingly", "based on (?:this|that|the above)"),
    *("given (?:this|that)", "conclusion", "summary", "verdict", "for (?:this|that|these) reasons?"),
    *("(?:this|that|which) means(?: that)?", "yes", "no(?=[,:])", "okay", "ok", "result"),
    *("(?:so\\s+)?(?:we|i)\\s+(?:get|have|find|obtain|see)(?:\\s+that)?", "(?:this|that|which) (?:gives|makes|yields)"),
    r"(?:after|upon|from|considering) [^,.!?]{1,50},",
)
LEADS = _any_case(rf"(?:{_LEAD}(?<=[\w,])[,:]?(?!\w)\s*){{0,4}}")
"""how a sentence with an answer may start; it matches nothing too"""
ANSWER_IS = _any_case(
    r"(?:(?:the|my|our)\s+(?:(?:final|correct|right)\s+){0,2}answer\s*(?:is|equals|=|would be)\s*:?\s*)?"
)
"""it matches nothing too"""
RESULT_IS = _any_case(
    r"(?:(?:(?:so|thus|therefore|hence),?\s+)?(?:the|my|our)\s+(?:(?:final|correct|right)\s+){0,2}(?:answer|result)"
    r"\s*(?:is|equals|=|would be)\s*:?\s*)?"
)
"""as `ANSWER_IS`, for answers of any form"""
STATED = _any_case(
    r"(?:\b(?:the|my|our)\s+(?:(?:final|correct|right)\s+){0,2}(?:answer|result)\s*(?:is|equals|=)"
    r"|\bdie\s+(?:endgültige\s+|richtige\s+)?(?:antwort|lösung)\s+(?:ist|lautet)"
    r"|\bla\s+(?:réponse|respuesta|resposta|risposta)(?:\s+final\w?)?\s+(?:est|es|é|è)"
    r"|(?:最终)?答案(?:是|为))[ ]?:?[ ]?"
)
"""how a sentence states an answer of any form"""
CONCLUSION = _any_case(r"(?:[,;:–—]\s*(?:so|therefore|thus|hence|consequently|which means(?: that)?)\b[,:]?|→|=>)\s*")
"""what separates a conclusion from its reasons in one sentence"""
REASON = _any_case(r"(?:since|because|as|given that)\b[^,]{1,80},\s*")
UNSURE = _any_case(r"\W{0,4}(?:maybe|perhaps|possibly)\b")
CONDITION = _any_case(r"\b(?:if|unless|whether|would|were|should|could|might)\b")
DONE = _any_case(r"\s*(?:$|[.!。]+(?:\s|$)|[,;:](?:\s|$)|[-–—(|]|(?:because|since|as|given|due|for)\b)")
"""what may follow a value in its line"""
ENDED = re.compile(r"\s*(?:$|[.!。](?:\s|$)|[-–—]\s|,?\s*because\b)")
"""what may follow a value that starts a message"""
_BUT = _words("or", "and", "but", "if", "unless", "although", "though", "except", "vs", "maybe", "perhaps", "possibly")
HEDGE = _any_case(rf"\s*[-–—,;(]?\s*(?:{_BUT}|to|until|not(?=\s*(?:[.!,;)]|$)))\b|[^.!]{{0,40}}\?")
ASKED = re.compile(r"[\s$*_`)\"”]{0,8}\?")
OR = re.compile(r"^[^.!]{0,80}?\b(?:or|maybe|perhaps|possibly)\s+(?:(?:it's|it is|even|rather)\s+)?")
DENIED = _any_case(
    r"(?:\bnot|n't|\bneither|\bnor|\bnever|\brather than|\binstead of|\bexcept|\bunlike)"
    r"\s+(?:[\w']+\s+){0,2}[\s$*_`\"(]*$"
)
"""the end of a text that denies what follows it"""
DENIES = _any_case(
    r"(?:\bnot|n't|\bneither|\bnor|\bnever|(?<!other )\bthan|\binstead of|\bexcept|\bunlike)"
    r"\s+(?:(?:the|an?|answer|option|choice|player|score|of|choose|pick|vote|for|be)\s+){0,3}$"
)
"""as `DENIED`, with nothing in between that could deny the denial"""
_SOMEBODY = _words(
    *("debater", "player", "solver", "sneaky", "attacker", "defender", "evaluator", "scorer", "opponent", "critic"),
    *("judge", "seller", "buyer", "they", "he", "she", "somebody", "someone", "others?", "proposer", "challenger"),
    *("speaker", "prompt", "instructions?", "example"),
)
_SAYS = _words(
    *("says?", "said", "claims?", "claimed", "argues?", "argued", "writes?", "wrote", "answers", "answered", "thinks?"),
    *("thought", "gives?", "gave", "votes?", "voted", "insists?", "would (?:say|write|answer)", "reads?", "with"),
)
ATTRIBUTED = _any_case(rf"\b{_SOMEBODY}(?:[_ ]?[0-9]{{1,2}})?\b[\w\s']{{0,40}}?\b{_SAYS}\b")
OTHERS = _any_case(rf"\b{_SOMEBODY}(?:[_ ]?[0-9]{{1,2}})?\b[\w\s']{{0,40}}?\b{_SAYS}\b[^.!?\n]{{0,60}}$")
"""the end of a text that attributes what follows it to somebody"""
_GIVEN = r"(?:answer|verdict|vote|score|mark|choice|rating|opinion|judge?ment)"
DISOWNED = _any_case(
    rf"(?:\b{_GIVEN}\s+(?:of|by|from)\s+(?:the\s+)?{_SOMEBODY}(?:\s+player)?(?:[_ ]?[0-9]{{1,2}})?[\s,*$(]{{0,8}}"
    rf"|\b(?:wrong|incorrect|false|tempting|opposite)\s+{_GIVEN}\s+(?:is|was|would be)[\s:*$(]{{0,8}}"
    r"|\b(?:mistake|wrong|error|foolish|absurd|careless) to\b[^.!?\n]{0,40}"
    r"|\bonly\b[^.!?\n]{0,40}\bwould\s+\w+[\s:*$(]{0,8}"
    r"|\bdisagree\b[^.!?\n]{0,40}\b(?:who|which|whose)\b[^.!?\n]{0,30})$"
)
"""the end of a text that disowns what follows it, whoever speaks"""
DISMISSED = _any_case(
    r"[\s*_$`)\"”,}]{0,8}(?:which\s+|that\s+)?(?:would\s+be\s+(?!my\b|the\s+(?:best|final|right|correct|answer)\b)"
    r"|(?:is|was|were|must\s+be)\s+(?:what\s+(?!i\b)"
    r"|(?:clearly\s+|obviously\s+|simply\s+)?(?:the\s+)?(?:wrong|false|incorrect|invalid|impossible|unlikely|too\s"
    r"|an?\s+(?:mistake|error)|ruled\s+out|rejected|not\b))|(?:is|was)n't\b|can\s+be\s+(?:ruled|excluded|rejected|dismissed)"
    r"|cannot\s+be\b|can't\s+be\b"
    r"|(?:has|had|contains?|contained)\s+an?\s+(?:error|mistake|slip)"
    r"|(?:and|but)\s+(?:(?:i|you|we)\s+)?(?:reject|dismiss|discard|lose)"
    r"|(?:does not|doesn't|did not|didn't|fails to)\s+convince)"
)
"""what follows an answer that is not the seat's own: "is what the attacker wants to read" """
EXAMPLE = _any_case(r"\W*(?:(?:an?|the|for)\s+)?(?:example|sample|template|expected)\b[^\n]{0,60}:\W*")
"""a line that announces an example"""
MINE = _any_case(
    rf"\b(?:so|therefore|thus|hence|i|my(?!\s+{_SOMEBODY}\b)|final|conclude|which means)\b[^.!?\n]{{0,50}}$"
)
NEGATED = _any_case(r"(?:^|[.!?,;:(–—-]\s{0,9}|\n\s{0,9})(?:not|no|nope|nein)\b\s{0,9}(?:[.!,;)}]|\bwait\b|$)")
"""a bare "no" or "not" """
SUBSTANCE = _any_case(r"[0-9?:=]|\b(?:but|however|though|although|not|unless|yet|except|only|still)\b|n't\b")
"""what a closing remark that may be skipped does not contain"""
OFFER = _any_case(r"[^?]{0,80}\b(?:you|your|i)\b[^?]{0,80}\?")
"""a closing question: "Would you like me to explain?" """
TRANSCRIPT = re.compile(r"\s*\[[A-Za-z]\w{2,}[^\]\n]{0,60}\]\s*\S")
"""a line of a transcript: [seat] ..."""
SENTENCE = re.compile(
    r"(?<=[.!?。])\s+|(?:(?<=[\d$)}\]%°])|(?<=[^\w\s,:;\"'“‘]\w))\s+(?=(?:The|My|Our)\s+(?:(?:final|correct)\s+)?answer\s+is\b)"
)
"""the end of a sentence; also where "The answer is" follows a formula without a full stop"""
NOTHING = re.compile(r"[\s\W_]*|\s*`{3,}\w*\s*|\s*</\w{1,20}>\s*")
"""a line without words"""
LATEX_TEXT = re.compile(r"\\(?:text(?:bf|it|rm)?|math(?:rm|bf)|mbox)\s{0,4}\{((?:[^{}]|\{[^{}]*\})*)\}")
UNDECIDED = _any_case(
    r"(?:not|never|neither|either|maybe|perhaps|possibly)\b|\S{1,40}\s*(?:\sor\s|\\(?:l?or|vee)\s"
    r"|\\(?:text|mathrm)\{\s*or\s*\})\s*\S{1,40}$"
)
NUMBER = re.compile(
    r"([-+−]?\$?\d(?:[\d,]*\d)?(?:\.\d+)?(?:\s?/\s?\d+)?)"
    r"(?:[.!]?$|[.!]\s.*|[,;]\s+[A-Za-z].*|\s+[-–—]\s+[A-Za-z].*|\s+\(.*|\s+(?:because|since|as)\b.*)"
)
"""a number, with a remark at most"""
