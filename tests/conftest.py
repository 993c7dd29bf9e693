"""Fixtures for all tests: sixty sentence pairs, and a tiny vocabulary trained on them."""

import functools
import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings
from streamlit.components.v2 import manifest_scanner

# Tiny networks gain nothing from threads, and threads that spin slow a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary

# No deadline: the first example often imports something, and the machine may be busy.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

_SENTENCES = """
The grey cat sleeps on the chair.|Le chat gris dort sur la chaise.
A small dog runs in the garden.|Un petit chien court dans le jardin.
My sister reads a green book.|Ma sœur lit un livre vert.
I am a student.|Je suis étudiant.
You are my friend.|Tu es mon ami.
We are tired this evening.|Nous sommes fatigués ce soir.
The tree is very old.|L'arbre est très vieux.
The water is cold today.|L'eau est froide aujourd'hui.
Where is the station?|Où est la gare?
What time does the train leave?|À quelle heure part le train?
Do you want some coffee?|Voulez-vous du café?
No, thank you.|Non, merci.
It rains a lot in autumn.|Il pleut beaucoup en automne.
The children play near the river.|Les enfants jouent près de la rivière.
She bought three red apples.|Elle a acheté trois pommes rouges.
He has lost his keys again.|Il a encore perdu ses clés.
Does he live in this house?|Habite-t-il dans cette maison?
There is a black horse in the field.|Il y a un cheval noir dans le champ.
The white house has a blue door.|La maison blanche a une porte bleue.
My brother works at night.|Mon frère travaille la nuit.
I don't understand this question.|Je ne comprends pas cette question.
They haven't seen the sea.|Ils n'ont pas vu la mer.
It's too late.|C'est trop tard.
The soup isn't warm.|La soupe n'est pas chaude.
Open the window, please.|Ouvre la fenêtre, s'il te plaît.
Close the door!|Ferme la porte!
The teacher writes on the board.|Le professeur écrit au tableau.
This bridge is 120 metres long.|Ce pont est long de 120 mètres.
The shop opens at 9:30.|Le magasin ouvre à 9:30.
The ticket costs 4.50 euros.|Le billet coûte 4,50 euros.
"Come here," said the old man.|"Viens ici", dit le vieil homme.
The young woman sings well.|La jeune femme chante bien.
We ate bread and cheese.|Nous avons mangé du pain et du fromage.
The sky is clear and the stars shine.|Le ciel est clair et les étoiles brillent.
Tomorrow we will go to the mountains.|Demain, nous irons à la montagne.
I have forgotten the name of this street.|J'ai oublié le nom de cette rue.
The bird that sings is in the tree.|L'oiseau qui chante est dans l'arbre.
The letter arrived yesterday.|La lettre est arrivée hier.
Nobody knows what happened.|Personne ne sait ce qui s'est passé.
The well-known painter lives alone.|Le peintre bien connu vit seul.
She gave me a long answer.|Elle m'a donné une longue réponse.
The green bicycle is mine.|La bicyclette verte est à moi.
How old is your mother?|Quel âge a ta mère?
When the snow melts, the river rises.|Quand la neige fond, la rivière monte.
The doctor who lives here is on holiday.|Le médecin qui habite ici est en vacances.
Give me the little knife.|Donne-moi le petit couteau.
The two old friends talked until midnight.|Les deux vieux amis ont parlé jusqu'à minuit.
I think that he is right.|Je pense qu'il a raison.
The windows of the school are broken.|Les fenêtres de l'école sont cassées.
It was a cold winter morning.|C'était un matin froid d'hiver.
The sheep sleep in the meadow.|Les moutons dorment dans le pré.
My uncle sells old clocks.|Mon oncle vend de vieilles horloges.
The boat leaves without us.|Le bateau part sans nous.
You must learn to wait.|Il faut apprendre à attendre.
Some words are hard to translate.|Certains mots sont difficiles à traduire.
The baker's daughter speaks Korean.|La fille du boulanger parle coréen.
The lamp above the table is new.|La lampe au-dessus de la table est neuve.
I would like a room for two nights.|Je voudrais une chambre pour deux nuits.
The wind has carried away his hat.|Le vent a emporté son chapeau.
A cat may look at a king.|Un chat peut bien regarder un roi.
"""

_MAIN = sys.modules["__main__"]


@pytest.fixture(scope="session", autouse=True)
def installed_components() -> Iterator[None]:
    """Scan the installed packages for components once. Every AppTest would scan again, for a third of a second."""
    with pytest.MonkeyPatch.context() as patched:
        once = functools.cache(manifest_scanner.scan_component_manifests)
        patched.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Restore `__main__`, which Streamlit sets to a page. Processes started by later tests would run that page."""
    sys.modules["__main__"] = _MAIN
    yield
    sys.modules["__main__"] = _MAIN


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Undo the garbage collector's freeze by `service.load_model`, which would keep earlier models in memory."""
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()


@pytest.fixture(scope="session")
def sentences() -> list[tuple[str, str]]:
    """Sixty normalised English-French pairs, enough to train tiny models."""
    lines = [line.split("|") for line in _SENTENCES.strip().splitlines()]
    return [(normalise(source), normalise(target)) for source, target in lines]


@pytest.fixture(scope="session")
def tiny_vocabulary(sentences: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    """A vocabulary of 400 pieces, with bytes, trained on the sixty pairs."""
    path = tmp_path_factory.mktemp("vocabulary") / "vocabulary.model"
    return Vocabulary.train([side for pair in sentences for side in pair], 400, path)
