"""Which language a text is in: precise before all, since what is called foreign is said to a reader's face."""

import pytest

from model.text import languages
from model.text.language_detection import DETECTABLE_LANGUAGES, detect_foreign_language
from model.text.normalise import normalise
from tests.hostile import CASES

ENGLISH = """
The bread is still warm.
My sister plays the violin.
We missed the last train.
Nobody answered the phone.
Rain again.
Are you coming with us?
He sold his boat last spring.
Two coffees, please.
I can't find my keys.
The museum closes at five.
Snow covered the whole valley.
Stop!
She laughed and left.
Good morning, everyone.
What a pity.
The soup needs salt.
Birds sing before dawn.
Our flight was cancelled.
Did it hurt?
Leave the door open.
Mind your head.
Happy birthday, grandma!
The river froze overnight.
Children learn quickly.
Some people never change.
Coffee or tea?
Black cat, white dog.
Red wine stains.
Winter is coming.
Time flies.
Keep calm.
Old habits die hard.
The car is parked on the bridge.
Pay at the counter.
No smoking.
Wet paint.
Fresh fish daily.
Lost dog: answers to Max.
Turn left at the church.
Ten minutes later, silence.
The hat fell into the pond.
He put the bin outside.
War is never simple.
The dove flew away.
That was a long era.
Sans serif fonts look modern.
The van broke down near Lyon.
Pass me the salt, please.
I met him in La Rochelle.
She was born in Los Angeles.
They moved to San Francisco.
We flew to Rio de Janeiro.
Charles de Gaulle spoke first.
Ludwig van Beethoven was deaf.
Vincent van Gogh painted it.
Leonardo da Vinci drew machines.
Don Quixote de la Mancha rides again.
The Der Spiegel article was long.
El Salvador won the match.
Las Vegas never sleeps.
Le Monde printed the letter.
Marie Curie discovered radium.
Jean-Paul Sartre smoked.
François Hollande waved.
Björk sang in Reykjavik.
Beyoncé cancelled the show.
Zoë and Chloë arrived late.
The café was full.
His résumé impressed everyone.
A naïve question, perhaps.
They served crème brûlée.
That was déjà vu.
She ordered jalapeño poppers.
The fiancé ran away.
He wore a sombrero.
Pizza al forno tastes better.
Tacos are cheap here.
The kindergarten is closed.
His doppelgänger smiled.
An über driver waited outside.
Bon voyage, my friend!
Et cetera, et cetera.
The chef de cuisine resigned.
A coup d'état failed.
She has a certain je ne sais quoi.
Port-au-Prince was quiet.
O'Brien lost the election.
McDonald's opens at six.
NASA launched a rocket.
The EU agreed.
IBM and Microsoft merged offices.
Dr. Smith is away.
Mrs. Jones knocked.
J. R. R. Tolkien wrote it.
Version 2.0 works.
It costs 20 euros.
Flight BA 117 boards now.
Room 12 is free.
Chapter one
Lemon cake
Green apples
Broken glass everywhere
Stone walls
Heavy rain
A letter from Anna
Tom and Mary
Tom kissed Mary.
Mary ate pizza.
Peter sneezed.
Anna hates Mondays.
John's car
London Bridge
New York
Paris in spring
Berlin, Germany
Madrid
Amsterdam
Go on.
So do I.
Me too.
I am.
You are late.
We won!
Yes.
No, thanks.
OK.
Hello!
Hi there.
Bye.
See you soon.
Thanks a lot.
Sorry, wrong number.
Who cares?
Why not?
How are you?
Where did they go?
When does it start?
Which one is yours?
Come in.
Sit down.
Be quiet.
Look out!
Wait for me.
Help!
Dinner is ready.
Lunch was terrible.
Breakfast at eight.
Milk, eggs, butter, flour.
Knife, fork, spoon
Sun, sea and sand
Blue skies
The sky turned green.
Lightning struck twice.
Farmers protested yesterday.
Prices rose sharply.
Inflation fell.
Markets panicked.
Voters stayed home.
Parliament rejected the motion.
The commission will report in June.
Minutes of the meeting
Annual report
Terms and conditions apply.
Batteries not included.
Shake well before use.
Store in a cool place.
Made in Portugal.
Do not disturb.
Mens sana in corpore sano is Latin.
The alumni met ad hoc.
Per capita income doubled.
He argued ad nauseam.
Status quo, vice versa, pro forma.
The data are fine.
A sol is a coin in Peru.
The main mine collapsed.
My gut feeling was right.
The rat ate the art.
A mal practice suit followed.
Note the bad fin.
Man on the moon
San Marino lost.
An on-off switch
Go, dog, go.
Sing a song.
We sang all night.
Can you swim?
Will Will win?
May came in May.
I would if I could.
She sells sea shells.
Tell Hans I said hello.
Greta lives near Stockholm.
Lars bought a tram ticket.
Kimchi and rice
Sushi again?
Karaoke night
Taekwondo class starts now.
Seoul is huge.
Kim Min-jun studies law.
Visit Gyeongbokgung Palace.
Moscow was cold.
Vladimir Nabokov wrote Lolita.
Mustafa Kemal Atatürk founded it.
Dvořák composed this.
Søren Kierkegaard walked here.
Łódź is in Poland.
Antonín brought flowers.
The piñata burst.
El Niño warms the sea.
Ombudsman appointed
Smörgåsbord for lunch
Go to the bar, Per.
""".strip().split("\n")
"""Short English sentences, with names and words from elsewhere."""

FOREIGN = {
    "fr": (
        "Le chat dort.",
        "Je t'aime.",
        "Où est la gare ?",
        "Il fait froid aujourd'hui.",
        "Nous avons perdu les clés.",
        "C'est la vie, mon ami.",
        "Ma sœur habite à Paris.",
        "Bonjour, comment allez-vous ?",
        "Les enfants jouent dans le jardin.",
        "Elle n'est pas venue hier.",
        "Un café et deux croissants, s'il vous plaît.",
        "Merci beaucoup.",
    ),
    "de": (
        "Der Hund schläft.",
        "Ich liebe dich.",
        "Wo ist der Bahnhof?",
        "Heute ist es kalt.",
        "Wir haben die Schlüssel verloren.",
        "Meine Schwester wohnt in Berlin.",
        "Guten Morgen, wie geht es Ihnen?",
        "Die Kinder spielen im Garten.",
        "Sie ist gestern nicht gekommen.",
        "Das Wetter ist schön.",
        "Vielen Dank für alles.",
        "Er hat ein Auto.",
    ),
    "es": (
        "El gato duerme en la silla.",
        "Te quiero mucho.",
        "¿Dónde está la estación?",
        "Hoy hace frío.",
        "Hemos perdido las llaves.",
        "Mi hermana vive en Madrid.",
        "Buenos días, ¿cómo está usted?",
        "Los niños juegan en el jardín.",
        "Ella no vino ayer.",
        "El tiempo es bueno.",
        "Muchas gracias por todo.",
        "Él tiene un coche.",
    ),
    "ko": (
        "고양이가 의자에서 잡니다.",
        "안녕하세요.",
        "역이 어디예요?",
        "오늘은 춥다.",
        "나는 Tom을 만났다.",
    ),
    "ru": (
        "Кошка спит.",
        "Я тебя люблю.",
        "Где вокзал?",
        "Сегодня холодно.",
        "Мы потеряли ключи.",
    ),
    "it": (
        "Il gatto dorme sulla sedia.",
        "Dove sono le chiavi?",
        "Non lo so.",
    ),
    "pt": (
        "O gato dorme na cadeira.",
        "Onde estão as chaves?",
        "Não sei.",
    ),
    "nl": (
        "De kat slaapt op de stoel.",
        "Waar is het station?",
        "Ik weet het niet.",
    ),
    "sv": (
        "Katten sover på stolen.",
        "Jag vet inte.",
    ),
    "pl": (
        "Kot śpi na krześle.",
        "Nie wiem.",
    ),
    "tr": (
        "Bu çok güzel bir gün.",
    ),
    "ja": (
        "猫が寝ている。",
    ),
    "zh": (
        "猫在睡觉。",
    ),
    "uk": (
        "Кіт спить.",
    ),
    "el": (
        "Η γάτα κοιμάται.",
    ),
    "ar": (
        "القطة نائمة.",
    ),
}


@pytest.mark.verdict
def test_two_hundred_english_sentences_are_english() -> None:
    assert len(ENGLISH) >= 200
    called = {text: found for text in ENGLISH if (found := detect_foreign_language(normalise(text), "en"))}
    assert called == {}


@pytest.mark.parametrize("language", FOREIGN)
def test_sentences_of_other_languages_are_told(language: str) -> None:
    for text in FOREIGN[language]:
        assert detect_foreign_language(normalise(text), "en") == language, text


def test_a_model_that_reads_another_language_is_asked_for_that_one() -> None:
    assert detect_foreign_language("고양이가 의자에서 잡니다.", "ko") is None
    assert detect_foreign_language("The cat sleeps on the chair.", "ko") == "en"
    assert detect_foreign_language("나는 Tom을 만났다.", "ko-KR") is None
    assert detect_foreign_language("Le chat dort sur la chaise.", "fr") is None
    assert detect_foreign_language("The cat sleeps on the chair.", "fr") == "en"
    assert detect_foreign_language("猫が寝ている。", "ja") is None
    assert detect_foreign_language("東京大学", "ja") is None
    assert detect_foreign_language("qwx", "ko") == languages.ANY_LANGUAGE


def test_of_a_language_that_nobody_described_nothing_is_said() -> None:
    assert detect_foreign_language("The cat sleeps.", "sw") is None
    with pytest.raises(ValueError, match="no language code"):
        detect_foreign_language("The cat sleeps.", "no such")


def test_abbreviations_and_single_words_are_everybody_s() -> None:
    for text in ("EU NATO", "1e999 -0 0x1F", "e", "OK", "?!", "", "Zidane", "de"):
        assert detect_foreign_language(normalise(text), "en") is None, text


@pytest.mark.parametrize("case", CASES)
def test_hostile_text_is_judged_in_a_moment(case: str) -> None:
    found = detect_foreign_language(normalise(CASES[case][:20_000]), "en")
    assert found in (None, languages.ANY_LANGUAGE, *DETECTABLE_LANGUAGES)


def test_german_is_not_called_another_language_for_letters_that_it_has_too() -> None:
    for text in ("Plötzlich öffnete Peter drei Türen.", "Später fährt Anna zurück.", "Frühere Verträge blieben gültig.",
                 "Bürger müssten künftig höhere Gebühren zahlen.", "Grüne Äpfel schmecken süß."):
        assert detect_foreign_language(text, "de") is None, text
    assert detect_foreign_language("Jag är från Sverige och bor på landet.", "de") == "sv"
    assert detect_foreign_language("Le petit garçon est allé à l'école.", "de") == "fr"
