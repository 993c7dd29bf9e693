"""Language detection by script and common words, without a model.

It warns a user who types another language than the model reads. So it reports a language only if it is certain: names,
loan words and single words may belong to any language.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

from model.text.languages import ANY_LANGUAGE, validate_code

# Common words of each language.
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
_COMMON_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
# Letters of each language that English lacks.
_LETTERS = {
    "fr": "àâæçéèêëîïôœùûü", "de": "äöüß", "es": "áéíóúñü", "it": "àèéìòù", "pt": "ãõáâàçéêíóôú", "nl": "ëï",
    "sv": "åäö", "pl": "ąćęłńóśźż", "tr": "çğıöşü",
}  # fmt: skip
# Parts of names: beside a capital they are no evidence.
_NAME_PARTICLES_LISTED = """
de la le les du des l' d' van von der den dem di da do dos das del della el los las y e zu zur zum il lo al san
"""
_NAME_PARTICLES = frozenset(_NAME_PARTICLES_LISTED.split())
# Words that are also English, in another sense or as loans: weaker evidence.
_ALSO_ENGLISH_LISTED = """
über hat bin die war era ha ten dove sin sans god om van till de en em car plus pas note et san on man or per via vs
do pour dos das den dem des port son sol sang vi art rat mal bad gut fin main mine mar al
"""
_ALSO_ENGLISH = frozenset(_ALSO_ENGLISH_LISTED.split())
_SCRIPTS = {
    "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "CYRILLIC": "ru", "GREEK": "el", "ARABIC": "ar",
    "HEBREW": "he", "THAI": "th", "DEVANAGARI": "hi",
}  # fmt: skip
LANGUAGE_SCRIPTS = {language: {script} for script, language in _SCRIPTS.items()}  # of every detectable language
LANGUAGE_SCRIPTS |= {"ja": {"HIRAGANA", "KATAKANA", "CJK"}, "uk": {"CYRILLIC"}}
LANGUAGE_SCRIPTS |= {language: {"LATIN"} for language in _WORDS}
_UKRAINIAN_LETTERS = frozenset("іїєґ")
_TOKEN = re.compile(r"(?<![\w/.])[^\W\d_]+(?:['-][^\W\d_]+)*'?(?!\w)")
_ELIDED = re.compile(r"(?:[cdjlmnst]|qu)'(?=[aeiouyhàâæèéêîïôœ])", re.IGNORECASE)
_STOPS = re.compile("[.!?…:]")


def detect_foreign_language(text: str, language: str) -> str | None:
    """Return the language of a normalised text if it is certainly not `language`, else None.

    Returns `ANY_LANGUAGE` for an unknown language. Raises ValueError for an invalid language code.
    """
    expected = validate_code(language).partition("-")[0]
    script = _find_script(text)
    expected_scripts = LANGUAGE_SCRIPTS.get(expected)
    if script is None or expected_scripts is None:
        return None
    if script not in expected_scripts:
        return None if expected == "ko" and _is_mixed_korean(text) else _detect_by_script(text, script)
    return _detect_latin(text, expected) if script == "LATIN" else None


def _is_mixed_korean(text: str) -> bool:
    """Return whether a text is Korean with many foreign words: two of its words have Hangul, the last one among them,
    as the verb ends a Korean sentence."""
    words = [word for word in text.split() if any(letter.isalpha() for letter in word)]
    has_hangul = [any(_get_letter_script(letter) == "HANGUL" for letter in word) for word in words]
    return sum(has_hangul) > 1 and has_hangul[-1]


def _find_script(text: str) -> str | None:
    """Return the script of most letters; None without letters."""
    counts = Counter(_get_letter_script(letter) for letter in text if letter.isalpha())
    return counts.most_common(1)[0][0] if counts else None


def _get_letter_script(letter: str) -> str:
    """Return the script of a letter, whatever its width, as the first word of its name."""
    return unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "").partition(" ")[0]


def _detect_by_script(text: str, script: str) -> str:
    """Return the language of a script; Latin script is decided by the words."""
    if script == "LATIN":
        weights = {match[0].casefold(): 1.0 for match in _TOKEN.finditer(text)}
        scores = {language: _score_language(language, weights, "") for language in _COMMON_WORDS}
        best = max(scores, key=scores.__getitem__)
        return best if scores[best] else ANY_LANGUAGE
    if script == "CJK" and any(_get_letter_script(letter) in ("HIRAGANA", "KATAKANA") for letter in text):
        return "ja"
    if script == "CYRILLIC" and _UKRAINIAN_LETTERS & set(text.casefold()):
        return "uk"
    return _SCRIPTS.get(script, ANY_LANGUAGE)


def _detect_latin(text: str, expected: str) -> str | None:
    """Return the language of a text in Latin script if it is certainly not the expected one."""
    weights = _weigh_words(text)
    scores = {language: _score_language(language, weights, expected)
              for language in _COMMON_WORDS if language != expected}  # fmt: skip
    best = max(scores, key=scores.__getitem__)
    expected_count = len(weights.keys() & _COMMON_WORDS[expected] - _COMMON_WORDS[best])
    min_score = 1 if any(letter.islower() for letter in text) else 2  # in capitals, abbreviations look like words
    return best if scores[best] > 1.5 * expected_count and scores[best] >= min_score else None


def _weigh_words(text: str) -> dict[str, float]:
    """Return the lower-case words of a text and their weight as evidence.

    Names and their particles have weight 0, and so has "L'Oréal" anywhere. A particle at the beginning of a sentence
    may be an article: 0.5.
    """
    tokens = list(_TOKEN.finditer(text))
    is_all_capitals = not any(letter.islower() for letter in text)
    weights: dict[str, float] = {}
    is_name_next = False  # whether a name follows, particles skipped
    for index in range(len(tokens) - 1, -1, -1):
        word = tokens[index][0]
        separator = text[tokens[index - 1].end() : tokens[index].start()] if index else "."
        is_first = bool(_STOPS.search(separator))
        weight = 1.0
        is_elided_name = word.partition("'")[2][:1].isupper()
        if not is_all_capitals and word[0].isupper() and (is_elided_name or not is_first):
            weight = 0.0
        elif not is_all_capitals and is_name_next and word.casefold() in _NAME_PARTICLES:
            weight = 0.5 if is_first else 0.0
        weights[word.casefold()] = max(weights.get(word.casefold(), 0.0), weight)
        is_name_next = is_name_next if word in _NAME_PARTICLES else word[0].isupper()
    return weights


def _score_language(language: str, weights: Mapping[str, float], expected: str) -> float:
    """Return how strongly words indicate a language rather than the expected one."""
    return sum(weight * _score_word(word, language, expected) for word, weight in weights.items() if weight)


def _score_word(word: str, language: str, expected: str) -> float:
    """Return 1 for a common word of the language, 0.5 for weaker evidence such as its letters, else 0."""
    if word in _COMMON_WORDS.get(expected, ()):
        return 0.0
    elided = _ELIDED.match(word) if language in ("fr", "it") and expected not in ("fr", "it") else None
    if elided is not None:  # before an unknown word it may be part of a name
        return 1.0 if word[elided.end() :] in _COMMON_WORDS[language] else 0.5
    if word in _COMMON_WORDS[language] or word.rstrip("'") in _COMMON_WORDS[language]:
        return 0.5 if len(word) == 1 or (expected == "en" and word in _ALSO_ENGLISH) else 1.0
    distinctive_letters = set(_LETTERS.get(language, "")) - set(_LETTERS.get(expected, ""))
    return 0.5 if expected and set(word) & distinctive_letters else 0.0
