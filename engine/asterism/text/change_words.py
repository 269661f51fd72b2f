"""Word lists of changed facts, English and German: markers, negations, dates, numbers, frames.

A frame is a subject that facts about a person or project change in, with the words that name it.
"""

import re
from functools import cache

from asterism.text.english import stem

_STRONG_MARKERS = """
moved changed switched swapped replaced quit resigned retired sold cancelled canceled postponed
rescheduled delayed slipped renamed ended divorced separated stopped gave given left died instead
notice taken relocated upgraded downgraded broke correction moving switching changing
umgezogen umzug gewechselt verschoben abgesagt gekündigt verkauft statt stattdessen neuerdings
inzwischen mittlerweile geändert aufgehört getrennt gestrichen ersetzt umgestellt verlegt
"""
_STRONG_PHRASES = """
no longer|not any more|any more|anymore|no more|these days|from now on|from today|as of|used to
until further notice|shut down|split up|broke up|given up|gave up|gone back|went back|turns out
first week|first day|moved out|moved in|moved over|thrown out|in place of
nicht mehr|ab jetzt|ab sofort|ab heute|ab morgen|ab montag|von jetzt an|seit letzter|seit letztem
doch nicht
"""
_WEAK_MARKERS = """
now new started since finally actually again back from today yesterday
jetzt nun neu neue neuer neues neuen wieder seit ab endlich doch angefangen
"""
_NEGATIONS = """
not no never none nobody nothing neither nor without cannot
nicht kein keine keinen keinem keiner keines nie niemals nichts ohne
"""
_DATES = """
january february april june july august september october november december
januar februar märz mai juni juli oktober dezember
monday tuesday wednesday thursday friday saturday sunday
mondays tuesdays wednesdays thursdays fridays saturdays sundays
montag dienstag mittwoch donnerstag freitag samstag sonntag
montags dienstags mittwochs donnerstags freitags samstags sonntags
"""
_CAPITAL_DATES = "March May"  # small, they are other words
_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty
fifty hundred thousand noon midnight
eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig
hundert tausend mittag mitternacht
"""
_GERMAN = """
der die das den dem des ein eine einen einem und oder ist sind war ich du er sie es wir ihr mein
meine meinen meinem meiner unser unsere nicht kein keine mit von für auf im in zu zum zur bei aus
nach ab seit vor über hat habe haben wird wie was wo wann
"""
_FIRST_PERSON = """
i my we our me us mine i'm i've i'll i'd we're we've we'll
ich mein meine meinen meinem meiner wir uns unser unsere bei
"""
_RELATIVES = """
brother sister mother father mum mom dad son daughter cousin nephew niece uncle aunt neighbour
neighbor friend colleague wife husband boyfriend girlfriend grandson granddaughter grandmother
grandfather
mutter vater mama papa bruder schwester sohn tochter nichte neffe cousine onkel tante oma opa
nachbar nachbarin kollege kollegin mann frau freund freundin
"""
_FRAMES = {
    "home": """live lives living lived flat apartment house home rent lease landlord dorm hall room
        moved address keys roommate flatmate share wohne wohnen wohnt wohnung haus umzug umgezogen
        miete zimmer""",
    "job": """work works working job company employer employed nurse engineer teacher teaches
        accountant freelance hired notice quit resigned career shift trains training
        arbeite arbeiten arbeitet arbeit firma stelle gekündigt selbstständig beruf""",
    "team": "colleague colleagues apprentice intern shop kollege kollegin lehrling",
    "shift": "shift shifts schicht nachtschicht frühschicht spätschicht nachtdienst",
    "ward": "ward department unit abteilung",
    "manager": """manager boss report reports supervisor supervises chef chefin vorgesetzter
        betreut""",
    "partner": """boyfriend girlfriend husband wife partner married engaged divorced dating seeing
        split together freund freundin verheiratet getrennt verlobt""",
    "phone": "phone mobile cell telephone handy telefon handynummer",
    "mail": "email e-mail mail inbox mailadresse",
    "doctor": """doctor gp physio osteopath dentist therapist surgeon clinic dr arzt ärztin hausarzt
        hausärztin zahnarzt praxis""",
    "diet": """allergic allergy allergist intolerant vegetarian vegan meat chicken beef fish eat
        eats gluten lactose nuts peanuts milk allergisch allergie fleisch milch hafermilch esse
        laktoseintoleranz""",
    "drink": "alcohol wine beer sherry drink coffee tea smoke alkohol bier wein kaffee",
    "dose": "mg dose tablet tablets pill pills medication medicine tablette tabletten nehme",
    "price": """price cost costs charge charges fee budget
        salary wage rate hourly rent kostet preis lohn stundenlohn gehalt miete""",
    "deadline": """due deadline release released ship ships launch planned fällig frist abgabe""",
    "meeting": """meeting stand-up standup daily class lesson appointment meets handover
        besprechung treffen termin unterricht elternabend kurs""",
    "commute": """drive drives driving car van bike cycle tram train bus commute licence license
        fahre fährt auto wagen rad fahrrad bahn führerschein""",
    "pet": "cat dog pet puppy kitten katze hund haustier kater",
    "bank": "bank account savings konto",
    "sport": """gym yoga climbing rowing football team wing goal keeper play plays workout swim
        verein trainer judo training""",
    "music": """piano violin guitar choir sing sings alto tenor tenors soprano bass klavier chor
        geige""",
    "study": """master bachelor degree study studies studying major programme program course
        university thesis studiere studium""",
    "provider": "broadband internet router provider contract tariff insurance anbieter vertrag",
    "holiday": """holiday vacation trip fly flight booked hotel cabin urlaub flug gebucht ferienhaus
        ferien""",
    "device": "laptop computer phone tablet notebook rechner",
    "supplier": "supplier supply order delivered lieferant",
    "contact": "emergency contact notfall kontakt",
    "secret": "password code pin login passwort kennwort",
    "opening": "open opening hours closed customers geöffnet öffnungszeiten",
    "storage": "database server host storage datenbank",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STRONG_MARKERS = _words(_STRONG_MARKERS)
STRONG_PHRASES = re.compile(
    r"\b(?:"
    + "|".join(re.escape(phrase) for phrase in re.split(r"[|\n]", _STRONG_PHRASES) if phrase)
    + r")\b"
)
WEAK_MARKERS = _words(_WEAK_MARKERS)
NEGATIONS = _words(_NEGATIONS)
DATES = _words(_DATES)
CAPITAL_DATES = _words(_CAPITAL_DATES)
NUMBERS = _words(_NUMBERS)
GERMAN = _words(_GERMAN)
FIRST_PERSON = _words(_FIRST_PERSON)
RELATIVES = _words(_RELATIVES)


@cache
def frames() -> dict[str, frozenset[str]]:
    """Return the stems of the words of each frame."""
    return {name: frozenset(map(stem, text.split())) for name, text in _FRAMES.items()}


@cache
def frames_of() -> dict[str, frozenset[str]]:
    """Return the frames that have a stem among their words."""
    return {
        each: frozenset(name for name, stems in frames().items() if each in stems)
        for each in frozenset().union(*frames().values())
    }
