"""Published numbers, each table with its source. They are never put in one column with ours."""

from __future__ import annotations

from dataclasses import dataclass

BAHDANAU_2015 = ("D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and "
                 "Translate, ICLR 2015 (arXiv 1409.0473)")


@dataclass(frozen=True)
class PublishedScore:
    """A published score of one system; `no_unknown`: on sentences without unknown words in source or output."""

    system: str
    bleu: float
    no_unknown: float


@dataclass(frozen=True)
class PublishedTraining:
    """The training of a published system: its length, the GPU, and the final negative log-likelihoods."""

    system: str
    updates: float  # times 100,000
    epochs: float
    hours: int
    gpu: str
    train_nll: float
    dev_nll: float


@dataclass(frozen=True)
class Aligner:
    """Published error rates on the 447 Hansards pairs, in per cent. The fields are JSON keys.

    Attributes:
        name: the aligner.
        aer: error rate of links made English to French.
        precision: of these links.
        recall: of these links.
        symmetrised: error rate with both directions combined.
        trained_on: its training data.
        source: who published it.
    """

    name: str
    aer: float | None
    precision: float | None
    recall: float | None
    symmetrised: float
    trained_on: str
    source: str

    @property
    def key(self) -> str:
        """The name as a key of the interface's texts."""
        return self.name.replace("-", "_")


TABLE_1 = (
    PublishedScore("RNNencdec-30", 13.93, 24.19),
    PublishedScore("RNNsearch-30", 21.50, 31.44),
    PublishedScore("RNNencdec-50", 17.82, 26.71),
    PublishedScore("RNNsearch-50", 26.75, 34.16),
    PublishedScore("RNNsearch-50*", 28.45, 36.15),
    PublishedScore("Moses", 33.30, 35.63),
)
"""Table 1 of BAHDANAU_2015: tokenised BLEU, 0 to 100, on newstest2014. The star means much longer training. Moses, a
phrase-based system, also had 418 million words of French text.
"""

TABLE_2 = (
    PublishedTraining("RNNencdec-30", 8.46, 6.4, 109, "TITAN BLACK", 28.1, 53.0),
    PublishedTraining("RNNencdec-50", 6.00, 4.5, 108, "Quadro K-6000", 44.0, 43.6),
    PublishedTraining("RNNsearch-30", 4.71, 3.6, 113, "TITAN BLACK", 26.7, 47.2),
    PublishedTraining("RNNsearch-50", 2.88, 2.2, 111, "Quadro K-6000", 40.7, 38.1),
    PublishedTraining("RNNsearch-50*", 6.67, 5.0, 252, "Quadro K-6000", 36.7, 35.2),
)
"""Table 2 of BAHDANAU_2015, which writes RNNenc for RNNencdec."""

TRAINING_WORDS = 348_000_000
"""Words of parallel text in the training of the paper's systems (section 4.1)."""

_HANSARDS = "1.1 million pairs of the Hansards themselves"
_LILT = "github.com/lilt/alignment-scripts"
ALIGNERS = (
    Aligner("fast_align", 16.4, 80.0, 90.1, 10.5, _HANSARDS, _LILT),
    Aligner("MGIZA", 8.0, 91.4, 92.9, 5.9, _HANSARDS, _LILT),
    Aligner("awesome-align", None, None, None, 4.1, "multilingual BERT, then parallel text of several languages",
            "Z.-Y. Dou, G. Neubig: Word Alignment by Fine-tuning Embeddings on Parallel Corpora, EACL 2021"),
)  # fmt: skip
"""Aligners, which see both sides at once; a translation model sees only the target words before."""


@dataclass(frozen=True)
class PublishedSystem:
    """A published score of a system from English, in tokenised BLEU (0 to 100) on newstest2014.

    Attributes:
        key: the kind of network (model/networks/registry.py), or the key of one of EARLIER_SYSTEMS.
        system: its name in the paper.
        target_language: the target language, "fr" or "de".
        bleu: the score.
        source: the paper.
    """

    key: str
    system: str
    target_language: str
    bleu: float
    source: str


@dataclass(frozen=True)
class EarlierSystem:
    """A translation method before neural networks.

    Attributes:
        key: its key in the interface's texts.
        title: as shown in the timeline.
        year: of publication.
        paper: authors and year.
        glossary_key: the key of its glossary entry, "" for none.
    """

    key: str
    title: str
    year: int
    paper: str
    glossary_key: str = ""


EARLIER_SYSTEMS = (
    EarlierSystem("phrases", "Phrase tables", 2003, "Koehn, Och and Marcu 2003", "phrase_table"),
    EarlierSystem("moses", "Moses", 2007, "Koehn et al. 2007"),
)

_SUTSKEVER = "I. Sutskever, O. Vinyals, Q. V. Le: Sequence to Sequence Learning with Neural Networks, NIPS 2014"
_LUONG = ("M.-T. Luong, H. Pham, C. D. Manning: Effective Approaches to Attention-based Neural Machine Translation, "
          "EMNLP 2015")
_VASWANI = "A. Vaswani et al.: Attention Is All You Need, NIPS 2017"
SYSTEMS = (
    PublishedSystem("moses", "Moses", "fr", TABLE_1[5].bleu, BAHDANAU_2015),
    PublishedSystem("rnnencdec", TABLE_1[2].system, "fr", TABLE_1[2].bleu, BAHDANAU_2015),
    PublishedSystem("seq2seq", "LSTM, reversed", "fr", 30.59, _SUTSKEVER),
    PublishedSystem("rnnsearch", TABLE_1[4].system, "fr", TABLE_1[4].bleu, BAHDANAU_2015),
    PublishedSystem("luong", "local-p", "de", 19.0, _LUONG),
    PublishedSystem("transformer", "base", "fr", 38.1, _VASWANI),
    PublishedSystem("transformer", "base", "de", 27.3, _VASWANI),
)
"""One single system of each paper, as published; data, training time and tokenisation differ."""
