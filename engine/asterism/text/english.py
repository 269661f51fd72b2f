"""English as text processing knows it: word lists and the stemmer."""

import re
from functools import lru_cache

import snowballstemmer

_JOINING = """
of the de la van von der and & for in du di al bin ibn
"""
_STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""
# Capitalised for where they stand, or by habit, and not because they name something.
_FUNCTION_WORDS = """
about above according after afterwards again against all also although always among another any
anybody anyone anything around because been before being below besides between both can could did do
does doing don't during each either even ever every everyone everything finally first from further
had has have having he he's hence her here here's hers him his how how's however i i'd i'll i'm i've
instead it's its itself just last later let's like many may maybe me meanwhile might mine more
moreover most much must my myself neither never nevertheless next nor nothing now off often oh ok
okay once one only other others otherwise our ours out over own perhaps please rather same several
shall she she's should similarly since so some somebody someone something sometimes soon still than
thanks that's them there's therefore those though through throughout thus today together tomorrow
too toward towards two under unless unlike until up upon us using usually very wait we we're well
were what what's when where where's whereas whether which while who who's whom whose why within
without would yeah yes yesterday yet you you're your yours
"""
_QUESTION_WORDS = """
what which who whom whose when where why how do did does has have had been were from its
"""
# Words that ask for something, and say nothing about what is asked for.
_ASKING_WORDS = """
name call kind much many long often old time come go get can may tell happen become someone user i
her his she he my me our we you your him us that year day thing way use make take give about any
one so or need want know should would could must shall please
"""

JOINING = frozenset(_JOINING.split())
STOP_WORDS = frozenset(_STOP_WORDS.split())
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split()) | STOP_WORDS | JOINING
QUESTION_WORDS = STOP_WORDS | frozenset(_QUESTION_WORDS.split())
ASKING_WORDS = frozenset(_ASKING_WORDS.split())
POSSESSIVE = re.compile(r"['’]s?$")
_PORTER = snowballstemmer.stemmer("porter")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the Porter stem of a lower-case word, its possessive left off."""
    stemmed: str = _PORTER.stemWord(POSSESSIVE.sub("", word) or word)
    return stemmed
