"""Which language a text is in, as far as that can be told without a model: by its letters and its commonest words.

It is asked before a sentence is translated, to tell a reader that the model reads another language. So a doubt is an
answer (None): names, loan words and single words are everybody's, and what is called foreign should be.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

from model.text import languages

# The commonest words that the languages do not share with English.
_WORDS = {
    "en": """
a about after all also always am an and any are as at away back be been before best big but by can cannot come could
day did do does down each even ever every few first for from get give go good got great had has have he her here him
his home house how i if in into is it its just know last let like little long look made make man many may me more most
much must my near never new no not now of off old on one only open or other our out over own people please put right
said same saw say see she should so some still such take tell than thank that the their them then there these they
thing think this those time to today tomorrow too two under until up us very want was water way we well went were what
when where which while who why will with without word work would year yes yesterday yet you your i'm i've i'll i'd
it's don't can't won't isn't didn't doesn't wasn't you're he's she's that's let's what's there's we're they're
couldn't wouldn't shouldn't haven't hasn't
""",
    "fr": """
le la les un une des du de au aux ce cette ces cet je tu il elle nous vous ils elles on est sont suis es êtes sommes
était étaient sera ai as avons avez ont avait fait faire va vais vont peut peux veux veut dans sur sous avec sans pour
par chez et ou où mais donc car ni ne pas plus jamais rien très bien qui que quoi dont mon ma mes ton ta tes son sa
ses notre nos votre vos leur leurs lui eux moi toi y en à c'est qu'est n'est d'un d'une bonjour merci aujourd'hui
toujours aussi comme tout tous toute toutes petit petite grand grande homme femme jour chien maison quand pourquoi
comment si puis encore
""",
    "de": """
der die das den dem des ein eine einen einem einer eines und oder aber ich du er sie es wir ihr mich dich ihn uns euch
ist sind war waren bin bist seid hat habe haben hatte hatten wird werden wurde kann können muss müssen will wollen
nicht kein keine keinen mit von zu zum zur bei nach aus auf für über unter im am ins vom an auch nur noch schon sehr
hier dort wo wie wer wann warum weil dass wenn mein meine meinen dein deine sein seine unser heute morgen gestern
immer nie gut guten danke in bitte ja nein gibt geht kommt mehr alle alles diese dieser dieses jetzt durch ohne gegen
""",
    "es": """
el la los las un una unos unas de del al y o pero que qué es son está están soy eres era fue fueron hay tiene tienen
tengo ha han yo tú él ella nosotros ellos ellas usted me te se le les lo mi tu su mis tus sus nuestro nuestra en con
sin por para sobre entre hasta desde no sí muy más menos también como cómo cuando cuándo donde dónde porque quién
quien este esta estos estas ese esa eso hoy ayer mañana siempre nunca bien gracias hola buenos días casa hombre mujer
niño puede quiero hace todo todos toda todas
""",
    "it": """
il lo la gli le un uno una di del della dei delle al alla ai dal nel nella sul sulla e ed o ma che è sono sei era
erano ho hai ha abbiamo hanno io tu lui lei noi voi loro mi ti si ci vi non più molto anche come quando dove perché
chi questo questa quello quella mio mia tuo tua suo sua con per senza su tra fra in oggi ieri domani sempre mai bene
grazie ciao buongiorno casa uomo donna tutto tutti c'è nell'acqua dell'anno
""",
    "pt": """
o os as um uma uns umas do da dos das no na nos nas ao à de e ou mas que é são está estão era foi tem têm tenho há eu
tu ele ela nós eles elas você vocês me te se lhe meu minha seu sua em com sem por para sobre entre até não sim muito
mais menos também como quando onde porque quem este esta isto esse essa isso hoje ontem amanhã sempre nunca bem
obrigado obrigada olá bom dia casa homem mulher pode quero sei tudo todos
""",
    "nl": """
de het een en of maar ik jij je hij zij wij we jullie ze hem haar ons hun is zijn was waren ben bent heb hebt heeft
hebben had wordt worden kan kunnen moet moeten wil niet geen met in van voor naar bij uit op over onder aan ook nog al
zeer hier daar waar hoe wie wanneer waarom omdat dat als mijn jouw zijn onze vandaag morgen gisteren altijd nooit goed
dank ja nee er die deze dit wat veel meer
""",
    "sv": """
och att det en ett den som är var jag du han hon vi ni de dem inte på av för med till från om men eller har hade kan
ska vill mycket här där när hur vem vad varför min din sin vår idag igår imorgon alltid aldrig tack hej god
""",
    "pl": """
i w na z że nie się jest są był była było ja ty on ona my wy oni to ten ta te co kto jak gdzie kiedy wiem dlaczego ale
czy dla do od po przez bez mój moja twój jego jej nasz dziś dzisiaj jutro wczoraj zawsze nigdy bardzo dobrze dziękuję
tak
""",
    "tr": """
bir ve bu şu ben sen biz siz onlar değil için ile çok daha ama var yok ne nasıl nerede neden bugün dün yarın her zaman
evet hayır teşekkürler merhaba gibi kadar benim senin onun iyi güzel
""",
}
_OWN = {language: frozenset(words.split()) for language, words in _WORDS.items()}
# Letters that the language has and English has not; what `own` has too speaks for nobody.
_LETTERS = {
    "fr": "àâæçéèêëîïôœùûü", "de": "äöüß", "es": "áéíóúñü", "it": "àèéìòù", "pt": "ãõáâàçéêíóôú", "nl": "ëï",
    "sv": "åäö", "pl": "ąćęłńóśźż", "tr": "çğıöşü",
}  # fmt: skip
# Words that stand in names too: beside a capital they say nothing.
_IN_NAMES_LISTED = """
de la le les du des l' d' van von der den dem di da do dos das del della el los las y e zu zur zum il lo al san
"""
_IN_NAMES = frozenset(_IN_NAMES_LISTED.split())
# Words that English has too, in another sense or from abroad: half a word's worth.
_ENGLISH_TOO_LISTED = """
über hat bin die war era ha ten dove sin sans god om van till de en em car plus pas note et san on man or per via vs
do pour dos das den dem des port son sol sang vi art rat mal bad gut fin main mine mar al
"""
_ENGLISH_TOO = frozenset(_ENGLISH_TOO_LISTED.split())
_SCRIPTS = {
    "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar",
    "HEBREW": "he", "THAI": "th", "DEVANAGARI": "hi",
}  # fmt: skip
_WRITTEN = {language: {script for script, of in _SCRIPTS.items() if of == language} for language in _SCRIPTS.values()}
_WRITTEN |= {"ja": {"HIRAGANA", "KATAKANA", "CJK"}, "uk": {"CYRILLIC"}} | {language: {"LATIN"} for language in _WORDS}
_UKRAINIAN = frozenset("іїєґ")
_TOKEN = re.compile(r"(?<![\w/.])[^\W\d_]+(?:['-][^\W\d_]+)*'?(?!\w)")
_ELIDED = re.compile(r"(?:[cdjlmnst]|qu)'", re.IGNORECASE)
_STOPS = re.compile("[.!?…:]")

DETECTABLE_LANGUAGES = tuple(dict.fromkeys((*_WORDS, *_SCRIPTS.values(), "uk")))
"""Every language that can be told."""


def detect_foreign_language(text: str, language: str) -> str | None:
    """The code of the language that a normalised text is in, where that is surely not `language`; `languages.ANY` where
    it is not known which. None where it may be `language`, and where nobody here could tell.

    Raises ValueError for what is no language code.
    """
    own = languages.validate_code(language).partition("-")[0]
    script = _find_script(text)
    if script is None:
        return None
    written = _WRITTEN.get(own)
    if written is None:
        return None
    if script not in written:
        return _detect_by_script(text, script)
    return _detect_latin(text, own) if script == "LATIN" else None


def _find_script(text: str) -> str | None:
    """The script that most letters are of; None without letters."""
    counted = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    return counted.most_common(1)[0][0] if counted else None


def _detect_by_script(text: str, script: str) -> str:
    """The language of a text by its script alone, but for those of the Latin one."""
    if script == "LATIN":
        words = {match[0].casefold(): 1.0 for match in _TOKEN.finditer(text)}
        found = {language: _score_language(language, words, "") for language in _OWN}
        best = max(found, key=lambda one: found[one])
        return best if found[best] else languages.ANY_LANGUAGE
    if script == "CJK" and any(unicodedata.name(letter, "").startswith(("HIRAGANA", "KATAKANA")) for letter in text):
        return "ja"
    if script == "CYRILLIC" and _UKRAINIAN & set(text.casefold()):
        return "uk"
    return _SCRIPTS.get(script, languages.ANY_LANGUAGE)


def _detect_latin(text: str, own: str) -> str | None:
    """The language of a text in Latin letters, where it is surely another than `own`."""
    words = _weigh_words(text)
    found = {language: _score_language(language, words, own) for language in _OWN if language != own}
    best = max(found, key=lambda one: found[one])
    known = len(words.keys() & _OWN[own] - _OWN[best])
    least = 1 if any(letter.islower() for letter in text) else 2  # an abbreviation looks like any word
    return best if found[best] > 1.5 * known and found[best] >= least else None


def _weigh_words(text: str) -> dict[str, float]:
    """The words of a text in small letters, and how far each may speak for a foreign language: not at all where it is a
    name or stands in one; half where it begins a sentence and may be an article, or the beginning of a name."""
    tokens = list(_TOKEN.finditer(text))
    shouted = not any(letter.islower() for letter in text)
    weights: dict[str, float] = {}
    named = False  # whether a name follows, other parts of names aside
    for place in range(len(tokens) - 1, -1, -1):
        word = tokens[place][0]
        before = text[tokens[place - 1].end() : tokens[place].start()] if place else "."
        first = bool(_STOPS.search(before))
        weight = 1.0
        if not shouted and word[0].isupper() and not first:
            weight = 0.0
        elif not shouted and named and word.casefold() in _IN_NAMES:
            weight = 0.5 if first else 0.0
        weights[word.casefold()] = max(weights.get(word.casefold(), 0.0), weight)
        named = named if word in _IN_NAMES else word[0].isupper()
    return weights


def _score_language(language: str, words: Mapping[str, float], own: str) -> float:
    """How much words speak for a language against `own`: one for each of its commonest that `own` does not have, a half
    for one with a letter that only it has."""
    return sum(weight * _score_word(word, language, own) for word, weight in words.items() if weight)


def _score_word(word: str, language: str, own: str) -> float:
    """How much one word speaks for a language."""
    if word in _OWN.get(own, ()):
        return 0.0
    if language in ("fr", "it") and own not in ("fr", "it") and _ELIDED.match(word):
        return 1.0
    if word in _OWN[language] or word.rstrip("'") in _OWN[language]:
        return 0.5 if len(word) == 1 or (own == "en" and word in _ENGLISH_TOO) else 1.0
    others = set(_LETTERS.get(language, "")) - set(_LETTERS.get(own, ""))
    return 0.5 if own and set(word) & others else 0.0
