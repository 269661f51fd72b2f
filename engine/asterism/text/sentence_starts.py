"""English words that begin a sentence without saying who did it, as notes and orders do.

Their capital is that of the sentence: "Rang Ruth", "Walked home", "Ask Theo". What is often a
name is not among them: Drew, Rose, Mark, Will, Park.
"""

from asterism.text.sentences import character_before

_PAST = """
accepted added admitted agreed allowed answered apologised apologized applied argued arranged
arrived asked assumed ate avoided baked became began begged believed booked borrowed bought broke
brought brushed built burned burnt called came canceled cancelled cared caught changed charged
checked chose cleaned cleared climbed closed collected complained completed confirmed contacted
cooked copied counted covered cried crossed cycled danced decided delivered dialled discovered
discussed done drank dreamed dreamt dressed dropped drove dug emailed emptied ended enjoyed entered
examined exchanged expected explained failed fed fell felt filled finished fitted fixed fled flew
followed forgave forgot forwarded fought found framed froze gave got grabbed greeted grew guessed
handed happened hated headed heard held helped hid hiked hired hit hoped hugged hung hurried hurt
ignored imagined improved installed introduced invited ironed joined jumped kept kicked kissed knew
knocked laid landed lasted laughed leaned learned learnt left lent let liked listened lit lived
loaded locked looked lost loved made mailed managed meant measured mended mentioned met missed mixed
moved mowed needed noticed offered opened ordered packed paid painted parked passed paused phoned
picked planned planted played pointed polished posted practiced practised prepared presented pressed
printed promised proved pulled pushed quit raised ran rang reached realised realized received
recommended recorded refused registered remembered reminded removed rented repaired repeated
replaced replied reported requested rested returned rode rushed said sang sat saved saw scheduled
searched seemed sent served settled shared shouted showed signed skipped slept slipped smelled
smiled sold solved sorted sounded spent spilled spoke spotted stayed stole stood stopped struggled
stuck studied submitted suggested supposed surprised swam swapped swept switched talked tasted
taught texted thought threw tidied tied told took tore touched trained traveled travelled treated
tried trusted turned twisted understood updated used visited voted waited walked wanted warned
washed watched went whispered wiped wished woke won wondered wore worked worried wrapped wrote
"""
_GOING_ON = """
adding asking baking booking breathing bringing buying calling carrying changing checking cleaning
climbing coming cooking crying cutting cycling dancing deciding dreaming drinking driving eating
emailing ending enjoying expecting feeding feeling fiddling finding finishing fixing flying
following forgetting getting giving going grading guessing hearing helping hiking hitting hoping
keeping knitting knowing laughing learning leaving letting listening living loading looking losing
loving making meeting missing moving needing ordering packing painting paying phoning picking
planning planting playing practicing practising preparing putting recording remembering repairing
replacing resting ringing running saving saying scratching seeing selling sending setting sharing
shopping showing singing sitting sleeping sounding speaking spending standing starting staying
stopping studying swimming taking talking teaching telling testing texting thinking training
traveling travelling trying turning visiting waiting waking walking wanting washing watching wearing
wishing wondering working worrying writing
"""
_ORDERS = """
accept add allow answer apologise apply ask avoid bake become begin believe borrow bring build buy
call cancel carry catch check choose clean collect come compare complete confirm consider continue
copy create decide delete deliver describe discuss drop eat email enjoy ensure expect explain fetch
fill find finish fix follow forget get give go grab guess happen hear hide hold imagine improve
include install invite join keep know learn leave lend listen lose make manage meet mention miss
need notice offer pack pay phone pick prepare promise pull push put realise receive recommend refuse
relax remember remind remove rent repair repeat replace reply return save say see sell send share
show sing sit sleep smell speak spend start stay submit suggest suppose swim switch take talk taste
teach tell thank think throw try turn understand update use visit wake want wash watch wear wish
wonder worry write
"""
_THIRD_PERSON = """
amazes asks becomes begins brings buys calls comes cries depends expects explains feels fits gets
gives goes happens hates hears helps hums hurts keeps knows leaves lets likes makes means misses
needs offers opens pays puts reminds says seems sees sends shows sings sits sleeps smells sounds
starts stays stops suggests takes talks tastes tells thinks tries turns understands uses wants
watches wears wishes wonders worries writes
"""
_OTHERS = """
able absolutely actually afraid alright angry annoyed apparently awesome basically busy certainly
cheap clearly congrats congratulations definitely difficult dinner disappointed downstairs enough
eventually evidently exactly excited exhausted expensive fortunately funny generally glad goodbye
goodnight gosh ha haha hello hey hi hm hmm honestly hooray hopefully huge important impossible
indeed interesting lately less likely literally lol lovely luckily nah nearly nice nobody none nope
normally obviously oops ouch ourselves phew presumably probably ready really recently sad sadly
seriously sick similar somehow sorry suddenly supposedly sure surely terrible theirs themselves
tired totally twice ugh unfortunately unsurprisingly upstairs weird whatever whoa whoops woohoo
worse worst wow yay yep yup
"""
_UNMARKED = """
aint arent cant couldnt didnt doesnt dont hadnt hasnt havent hes id ill im isnt ive shes shouldnt
thats theres theyre theyve wasnt werent whats wont wouldnt youd youll youre youve
"""

STARTS = frozenset(f"{_PAST} {_GOING_ON} {_ORDERS} {_THIRD_PERSON} {_OTHERS} {_UNMARKED}".split())
_SENTENCE_ENDS = ".!?:;…\n•*–—-)]"
_OPENING = " \t\"'‘“("


def only_begins(word: str, text: str, start: int) -> bool:
    """Return whether the capital of a word says no more than that a sentence begins with it."""
    if word.lower() not in STARTS:
        return False
    return character_before(text, start, _OPENING) in _SENTENCE_ENDS  # or where the text begins
