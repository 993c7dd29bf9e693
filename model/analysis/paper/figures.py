"""The sentences of the paper's figures, all our own, and the Traces that its page shows (assets/figures).

Figure 3 of Bahdanau et al. 2015 has four alignments, section 5.2 says what they show. For each of these phenomena there
are sentences, with the alignments that their translations must have to show it. The figure has the most likely
translation that does. Section 5.2.2 quotes two long sentences; ours have references, also our own, to find where a
translation drifts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from model.checkpoints import checkpoint, selection
from model.decoding import Settings
from model.decoding.translate import translate
from model.paths import ASSETS
from model.serialization.files import find_complete_folder, replace_folder
from model.text.normalise import normalise
from model.trace import Trace

FOLDER = ASSETS / "figures"
ALIGNMENTS, LONG_SENTENCES_FILE = "alignments.jsonl", "long_sentences.jsonl"
LANGUAGES = ("en", "fr")  # of these sentences and their references

PHENOMENA = ("order", "article", "unequal", "plain")
"""What the paper's alignments show: reordering in a noun phrase, an article that depends on its noun, phrases of
unequal length, and otherwise source order.
"""

MIN_WEIGHT = 0.5  # most of a word's attention
MIN_ARTICLE_WEIGHT = 0.1  # on the noun; an article attends mostly to the English article


@dataclass(frozen=True)
class ExpectedAlignment:
    """An expected alignment: one of the French words `target` gives the English words `source` at least `min_weight`.

    Words are in lower case; the weights of the source words are summed.
    """

    target: tuple[str, ...]
    source: tuple[str, ...]
    min_weight: float = MIN_WEIGHT

    def compute_max_weight(self, trace: Trace) -> float:
        """Return the largest weight that one of the target words gives; 0 if none is present."""
        weights = trace.compute_word_map()
        columns = [index for index, word in enumerate(trace.source.words) if word.casefold() in self.source]
        rows = [index for index, word in enumerate(trace.target.words) if word.casefold() in self.target]
        return max((float(weights[row, columns].sum()) for row in rows), default=0.0)

    def is_met(self, trace: Trace) -> bool:
        return self.compute_max_weight(trace) >= self.min_weight


@dataclass(frozen=True)
class FigureSentence:
    """A sentence, and the alignments that show one of PHENOMENA in its translation."""

    phenomenon: str
    sentence: str
    expected: tuple[ExpectedAlignment, ...]

    def is_shown_by(self, trace: Trace) -> bool:
        """Return whether a translation shows the phenomenon."""
        return all(alignment.is_met(trace) for alignment in self.expected)


@dataclass(frozen=True)
class LongSentence:
    """A long sentence and its reference translation."""

    sentence: str
    reference: str


def _build_sentence(phenomenon: str, sentence: str, *expected: tuple[str, str]) -> FigureSentence:
    min_weight = MIN_ARTICLE_WEIGHT if phenomenon == "article" else MIN_WEIGHT
    return FigureSentence(phenomenon, sentence, tuple(
        ExpectedAlignment(tuple(target.split()), tuple(source.split()), min_weight) for target, source in expected
    ))  # fmt: skip


_order, _article, _unequal, _plain = (partial(_build_sentence, phenomenon) for phenomenon in PHENOMENA)


FIGURE_SENTENCES = (
    _order("The countries of the European Economic Area signed the agreement yesterday.",
           ("zone espace", "area"), ("économique", "economic"), ("européenne européen", "european")),
    _order("The European Economic Area was created in May.",
           ("zone espace", "area"), ("économique", "economic"), ("européenne européen", "european")),
    _order("The common agricultural policy needs a new legal basis.",
           ("politique", "policy"), ("agricole", "agricultural"), ("commune", "common"), ("juridique", "legal")),
    _order("We support the draft of the European constitutional treaty.",
           ("traité", "treaty"), ("constitutionnel", "constitutional"), ("européen", "european")),
    _order("The international financial institutions will meet in Paris next week.",
           ("institutions", "institutions"), ("financières", "financial"), ("internationales", "international")),
    _order("The committee adopted the new social programme last week.",
           ("programme", "programme"), ("social", "social"), ("semaine", "week"), ("dernière", "last")),
    _article("The man who lives in this street is my uncle.", ("l'", "man")),
    _article("The water in this little river is very clean today.", ("l'", "water")),
    _article("The school in our village is near the old church.", ("l'", "school")),
    _article("We talked about the future of the economy until midnight.", ("l'", "future economy")),
    _article("The friend of my sister gave the flower to the teacher.", ("la", "flower")),
    _article("The situation in the country has become more difficult.", ("la", "situation")),
    _unequal("There are a lot of people in the street today.", ("beaucoup", "a lot of"), ("y", "there are")),
    _unequal("The meeting will take place tomorrow in the small room.", ("lieu", "take place"), ("aura", "will take")),
    _unequal("We must take into account the needs of young people.", ("jeunes", "young people"), ("besoins", "needs")),
    _unequal("He has just left the office.", ("vient", "has just"), ("quitter", "left")),
    _unequal("She would like to know where the station is.", ("voudrait aimerait", "would like"), ("gare", "station")),
    _plain("I hope that the Commission will answer this question before the end of the year.",
           ("espère", "hope"), ("répondra", "will answer"), ("question", "question"), ("année", "year")),
    _plain("My sister works in a small hospital near the sea.",
           ("sœur", "sister"), ("travaille", "works"), ("petit", "small"), ("hôpital", "hospital"), ("mer", "sea")),
    _plain("We know that this proposal is only a first step towards a real common market.",
           ("savons", "know"), ("proposition", "proposal"), ("étape pas", "step"), ("marché", "market")),
    _plain("The children are playing in the garden with the dog.",
           ("enfants", "children"), ("jouent", "are playing"), ("jardin", "garden"), ("chien", "dog")),
)  # fmt: skip

LONG_SENTENCES = (
    LongSentence(
         "When the ministers meet next week in order to talk about the budget, they should not forget that millions of "
         "citizens have lost their jobs, that hospitals and schools need money, and that the trust of the people in "
         "our institutions depends on what we do for them in the coming months.",
         "Lorsque les ministres se rencontreront la semaine prochaine pour parler du budget, ils ne devraient pas "
         "oublier que des millions de citoyens ont perdu leur emploi, que les hôpitaux et les écoles ont besoin "
         "d'argent, et que la confiance des citoyens dans nos institutions dépend de ce que nous ferons pour eux dans "
         "les mois à venir."),
    LongSentence(
         "I should like to remind the House that, when we discussed this proposal for the first time three years ago, "
         "many of us said that the rules were too complicated for small companies, and that the Commission then "
         "promised to come back with a simpler text, which we are still waiting for today.",
         "Je voudrais rappeler à l'Assemblée que, lorsque nous avons discuté de cette proposition pour la première "
         "fois il y a trois ans, beaucoup d'entre nous ont dit que les règles étaient trop compliquées pour les "
         "petites entreprises, et que la Commission a alors promis de revenir avec un texte plus simple, que nous "
         "attendons encore aujourd'hui."),
)  # fmt: skip


@dataclass(frozen=True)
class FigureAlignment:
    """The alignment of a figure for one of PHENOMENA: its Trace, and how many of how many sentences show it."""

    phenomenon: str
    figure_sentence: FigureSentence
    trace: Trace
    shown_count: int
    sentence_count: int

    @property
    def is_shown(self) -> bool:
        """Whether this alignment shows the phenomenon; if none does, the figure has the closest one."""
        return self.figure_sentence.is_shown_by(self.trace)


def choose_alignments(
    traces: Sequence[Trace], sentences: Sequence[FigureSentence] = FIGURE_SENTENCES
) -> Iterator[FigureAlignment]:
    """Choose, for each of PHENOMENA, the alignment of the figure.

    It is the translation with the highest mean log-probability among those that show the phenomenon; if none does,
    among those with the most expected alignments. Sentences without a Trace and phenomena without a sentence are
    skipped.
    """
    by_text = {trace.source.text: trace for trace in traces}
    for phenomenon in PHENOMENA:
        candidates = [(sentence, by_text[normalise(sentence.sentence)]) for sentence in sentences
                 if sentence.phenomenon == phenomenon and normalise(sentence.sentence) in by_text]
        if candidates:
            best = max(candidates, key=lambda pair: _rank(*pair))
            shown_count = sum(sentence.is_shown_by(trace) for sentence, trace in candidates)
            yield FigureAlignment(phenomenon, *best, shown_count, len(candidates))


def _rank(sentence: FigureSentence, trace: Trace) -> tuple[float, float]:
    share_met = sum(alignment.is_met(trace) for alignment in sentence.expected) / len(sentence.expected)
    return share_met, trace.log_probability / max(1, len(trace.steps))


def write_figures(folder: Path = FOLDER) -> list[Path]:
    """Translate all sentences greedily with the shipped models and write one Trace per line. Return the paths."""
    settings = Settings(candidates=0)
    attending, plain = (card.name for card in selection.select_shipped_pair())
    alignments = translate(
        checkpoint.load_model(attending), [normalise(sentence.sentence) for sentence in FIGURE_SENTENCES], settings
    )
    lines = {ALIGNMENTS: [n_best[0].to_json() for n_best in alignments]}
    texts = [normalise(long.sentence) for long in LONG_SENTENCES]
    lines[LONG_SENTENCES_FILE] = [n_best[0].to_json() for name in (plain, attending)
                             for n_best in translate(checkpoint.load_model(name), texts, settings)]
    replace_folder(folder, {name: ("\n".join(content) + "\n").encode() for name, content in lines.items()})
    return [folder / name for name in lines]


def read_traces(name: str, folder: Path = FOLDER) -> tuple[Trace, ...]:
    """Read the Traces of a file. Raises OSError, or CodecError for an invalid line."""
    lines = ((find_complete_folder(folder) or folder) / name).read_text(encoding="utf-8").splitlines()
    return tuple(Trace.from_json(line) for line in lines if line)
