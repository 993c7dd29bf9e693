"""Tables of results as Markdown, for the generated parts of the READMEs.

Each function in PARTS returns the lines of one part, from the cards and the files in `assets/`. Nothing is translated,
and torch is not needed. A cell shows NOT_MEASURED, or the row is left out, if the shipped weights were not measured. A
record that lacks a key raises KeyError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from model.analysis.ablation.ablation import WORD_KINDS
from model.analysis.errors import joined
from model.analysis.evaluation.evaluation import KNOWN_WORDS_SUFFIX, Evaluation
from model.analysis.evaluation.stored import EVALUATIONS_FOLDER, EVERYDAY_PREFIX, load_record, name_evaluation_file
from model.analysis.metrics.learning_curve import read_learning_curve
from model.analysis.metrics.length_curve import RESAMPLES
from model.analysis.paper.checks import BEAM, VERDICTS
from model.analysis.paper.claims import CHECKS, CLAIMS, EUROPARL, PAPERS
from model.analysis.paper.published import ALIGNERS, TABLE_1, TABLE_2
from model.analysis.paper.result_store import ResultStore
from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Card
from model.paths import ASSETS
from model.serialization.codec import parse_json
from model.text.languages import DEFAULT_PAIR

NOT_MEASURED = "–"
PAPER_KINDS = ("rnnsearch", "rnnencdec")
"""The kinds of network in Bahdanau et al. (2015): the README compares those of subwords."""

BLEU_COLUMNS = (("newstest2014", 1), ("newstest2014", BEAM), ("flores200-devtest", 1), ("flores200-devtest", BEAM),
                EUROPARL)  # fmt: skip
"""Test sets and beams of the BLEU tables; a beam of 1 is greedy search."""

KOREAN_COLUMNS = tuple((f"{name}-en-ko", beam) for name in ("tatoeba", "flores200-devtest") for beam in (1, BEAM))

TITLES = {"newstest2014": "newstest2014", "flores200-devtest": "FLORES-200 devtest",
          "europarl-2000q4": "Europarl, late 2000",
          "tatoeba-en-ko": "Tatoeba", "flores200-devtest-en-ko": "FLORES-200 devtest"}  # fmt: skip
SHOWN_VARIANTS = ("no final stop", "lower case", "capitals", "contractions")
"""Typing variants of the robustness records. The other two change nothing: normalisation removes them."""

RULE_TITLES = {"max": "all weight on the maximum", "temperature-0.5": "sharpened, temperature 0.5",
         "temperature-2": "flattened, temperature 2", "before": "the previous step's row",
         "others": "without the maximum", "diagonal": "diagonal", "uniform": "uniform",
         "shuffled": "shuffled"}  # fmt: skip
BEAMS = (1, 2, 5, 10, 12, 15, 20)
RANKING_TITLES = {"length": "mean log-probability", "none": "sum of log-probabilities"}
DEV_TEXT = "newstest2013"
"""The only development text that every course of training was measured on."""

DEV_MILLIONS = (8, 24, 30, 60, 120)
TRIALS = (("rnnsearch", "RNNsearch-50"), ("rnnencdec", "RNNencdec-50"), ("seq2seq", "Seq2Seq-50"),
          ("transformer", "Transformer-50"))  # fmt: skip
"""Files in assets/trials, and the title of the model that each started from."""

TRIALS_FROM_NEW_WEIGHTS = (("transformer-anew", "Transformer"),)
"""The same for trials that started from new weights."""


class Results:
    """The cards and measurements of the shipped models.

    `cards`: the English-French models, in the order in which pages offer them; `korean_cards`: those between Korean and
    English. Raises EvaluationError, naming the file, for one that cannot be read.
    """

    def __init__(self, folder: Path = EVALUATIONS_FOLDER) -> None:
        self.folder = folder
        self.cards = selection.sort_for_display(
            [card for card in checkpoint.list_shipped_cards() if card.languages == DEFAULT_PAIR]
        )
        self.paper_cards = [card for card in self.cards if card.kind in PAPER_KINDS and not card.has_unk]
        self.korean_cards = selection.sort_for_display(
            [card for card in checkpoint.list_shipped_cards() if "ko" in card.languages]
        )

    @cached_property
    def store(self) -> ResultStore:
        """The evaluations and short runs. Reading them takes seconds."""
        return ResultStore(self.cards, self.folder)

    def get_title(self, name: str) -> str:
        """Return the title of a shipped model; the name itself for a short run."""
        return next((card.title for card in self.cards if card.name == name), name)

    def get_evaluation(self, data: str, beam: int, name: str) -> Evaluation | None:
        return self.store.get_evaluation((data, beam), name)

    def get_record(self, file: str, card: Card) -> dict[str, Any]:
        """Return the record in FILE-NAME.json; {} where there is none of these weights."""
        content = load_record(f"{file}-{card.name}.json", self.folder) or {}
        return content if content.get("fingerprint") == card.fingerprint else {}

    @cached_property
    def claims(self) -> list[dict[str, Any]]:
        """The claims as `python -m model claims --save` wrote them; [] where it never ran."""
        return (load_record("claims.json", self.folder) or {}).get("claims", [])


def tabulate_paper_models(results: Results) -> list[str]:
    """Compare the paper's kinds of network, with a column for each model."""
    cards = results.paper_cards
    rows = [("parameters", *(_format_millions(card.parameters) for card in cards)),
            ("hours of training, one thread", *(f"{card.hours:.1f}" for card in cards)),
            ("target tokens in training", *(_format_millions(card.target_tokens) for card in cards))]  # fmt: skip
    for data, beam in BLEU_COLUMNS:
        rows.append((f"BLEU, {_format_data(data, beam)}",
                     *(_format_bleu(results.get_evaluation(data, beam, card.name)) for card in cards)))
    rows.append(("everyday sentences right", *(_format_passed(results.get_record("everyday", card)) for card in cards)))
    rows.append(("names copied", *(_format_found(results.get_record("copying", card), "names") for card in cards)))
    error_rates = (_format_error_rate(results.get_record("alignment", card), "surface") if card.has_attention
                   else "no attention" for card in cards)  # fmt: skip
    rows.append(("alignment error rate", *error_rates))
    return [*_format_table(["", *(card.title for card in cards)], rows), "", *_describe_scoring(results)]


def tabulate_all_models(results: Results) -> list[str]:
    """Tabulate the size and training of each model."""
    return _format_table(["model", "weights", "parameters", "hours, one thread", "target tokens", "updates"],
                  ([card.title, f"`{card.fingerprint}`", _format_millions(card.parameters), f"{card.hours:.1f}",
                    _format_millions(card.target_tokens), f"{card.updates:,}"] for card in results.cards))


def tabulate_bleu(results: Results) -> list[str]:
    """Tabulate BLEU of every model on every test set."""
    rows = ([card.title, *(_format_bleu(results.get_evaluation(data, beam, card.name)) for data, beam in BLEU_COLUMNS)]
            for card in results.cards)
    return [*_format_table(["model", *(_format_data(data, beam) for data, beam in BLEU_COLUMNS)], rows), "",
            *_describe_scoring(results), *_describe_sizes(results)]  # fmt: skip


def tabulate_sentences(results: Results) -> list[str]:
    """Tabulate correct everyday sentences, copied names and numbers, and translations changed by ways of typing."""
    rows = []
    for card in results.cards:
        copying = results.get_record("copying", card)
        typing_results = results.get_record("robustness", card).get("variants", {})
        everyday, second_list = (results.get_record(file, card) for file in ("everyday", f"{EVERYDAY_PREFIX}60"))
        changed_shares = (
            _format_share(typing_results[variant]["changed"], typing_results[variant]["sentences"])
            if variant in typing_results else NOT_MEASURED for variant in SHOWN_VARIANTS
        )  # fmt: skip
        rows.append([card.title, _format_passed(everyday), _format_passed(second_list), _format_found(copying, "names"),
                     _format_found(copying, "numbers"), *changed_shares])
    return _format_table(["model", "everyday, first list", "second list", "names", "numbers",
                   *(f"changed: {variant}" for variant in SHOWN_VARIANTS)], rows)


def tabulate_korean(results: Results) -> list[str]:
    """Tabulate training, BLEU and everyday sentences of the models between Korean and English."""
    rows, signatures = [], set()
    for card in results.korean_cards:
        records = (load_record(name_evaluation_file(data, card.name, beam), results.folder)
                   for data, beam in KOREAN_COLUMNS)
        scored = [Evaluation.from_plain(record) if record and record["fingerprint"] == card.fingerprint else None
                  for record in records]
        signatures |= {evaluation.signatures["bleu"] for evaluation in scored if evaluation}
        everyday = results.get_record(f"{EVERYDAY_PREFIX}{'-'.join(card.languages)}", card)
        rows.append([card.title, f"{card.hours:.1f}", _format_millions(card.target_tokens), *map(_format_bleu, scored),
                     _format_passed(everyday)])  # fmt: skip
    header = ["model", "hours, one thread", "target tokens", *(_format_data(*column) for column in KOREAN_COLUMNS),
              "everyday sentences"]  # fmt: skip
    return [*_format_table(header, rows), "", *_describe_signatures(signatures)]


def tabulate_joined(results: Results) -> list[str]:
    """Tabulate BLEU of successive sentences translated as one text, against the same sentences one by one."""
    rows = []
    for card in results.cards:
        points = {point["words"]: point for point in results.get_record("joined", card).get("points", [])}
        rows.append([card.title, *(cell for words in joined.WORDS for cell in _format_joined(points.get(words)))])
    return _format_table(["model", *(title for words in joined.WORDS for title in (
        f"{words} words joined", "one by one", "output words"))], rows)


def tabulate_alignment(results: Results) -> list[str]:
    """Tabulate alignment error rates of models with attention, of the diagonal, and of published aligners."""
    rows, notes = [], list[str]()
    diagonal: dict[str, float] = {}
    for card in (card for card in results.cards if card.has_attention):
        record = results.get_record("alignment", card)
        if not record:
            continue
        surface, shifts = record["scores"]["surface"], record["shifts"]
        diagonal = record["scores"]["diagonal"]
        rows.append([
            card.title, _format_error_rate(record, "surface", has_band=True), _format_percent(surface["precision"]),
            _format_percent(surface["recall"]), _format_error_rate(record, "written", has_band=True),
            _format_percent(shifts["-1"]), _format_percent(shifts["+1"]),
        ])  # fmt: skip
        if (best := record["columns"]["best"]) != 0:
            shifted_rate = _format_percent(record["columns"][f"{best:+d}"])
            notes.append(f"- {card.title} attends one token to the {'left' if best > 0 else 'right'} of the aligned "
                         f"source token: with its columns shifted by one its error rate is {shifted_rate} %.")
        head = record["maps"]["best"] if "maps" in record else {}
        if head.get("sentences"):
            notes.append(f"- The best head of {card.title}, chosen on {head['chosen_on']} of the pairs, has "
                         f"{_format_percent(head['aer'])} % on the other {head['sentences']}. The heads' error "
                         f"rates average {_format_percent(record['maps']['heads'])} %.")
    if diagonal:
        rows.append(["the diagonal, no model", _format_percent(diagonal["aer"]), _format_percent(diagonal["precision"]),
                     _format_percent(diagonal["recall"]), *[""] * 3])
    aligners = (
        [aligner.name, *map(_format_number, (aligner.aer, aligner.precision, aligner.recall, aligner.symmetrised)),
         aligner.trained_on]
        for aligner in ALIGNERS
    )
    header = ["in per cent", "error rate", "precision", "recall", "error rate, file's tokens",
              "rows of the token before", "rows of the token after"]  # fmt: skip
    published = ["published, in per cent", "English to French", "precision", "recall", "both directions", "trained on"]
    return [*_format_table(header, rows), "", *notes, "", *_format_table(published, aligners)]


def tabulate_ablation(results: Results) -> list[str]:
    """Tabulate how many words stay the most likely ones when the attention is changed."""
    rows = []
    for card in results.cards:
        record = results.get_record("ablation", card)
        for rule, kinds in record.get("forced", {}).items():
            words, unchanged_words = record["free"][rule][:2]
            counts = [*(kinds[kind][:2] for kind in WORD_KINDS), (words, unchanged_words)]
            percents = (_format_percent(kept / total) if total else NOT_MEASURED for total, kept in counts)
            rows.append([card.title, RULE_TITLES.get(rule, rule), *percents])
    titles = (f"{kind} %" for kind in WORD_KINDS)
    return _format_table(["model", "attention replaced by", *titles, "kept when free %"], rows)


def tabulate_beams(results: Results) -> list[str]:
    """Tabulate BLEU and length by beam width, for the two ways of ranking hypotheses."""
    lines = []
    for card in results.cards:
        record = results.get_record("beam-sizes", card)
        if not record:
            continue
        points = {(point["ranking"], point["beam"]): point for point in record["points"]}
        beam_list = [beam for beam in BEAMS if beam in record["sizes"]]
        rows = []
        for ranking, title in RANKING_TITLES.items():
            rows.append([f"BLEU, ranked by {title}", *(f"{points[ranking, beam]['bleu']:.1f}" for beam in beam_list)])
            rows.append(
                ["its length / the reference's", *(f"{points[ranking, beam]['ratio']:.2f}" for beam in beam_list)]
            )
        header = [f"{card.title}, {record['data']['sentences']} sentences; beam", *map(str, beam_list)]
        lines += [*_format_table(header, rows), ""]
        for ranking, title in RANKING_TITLES.items():
            wide = record["wide"][ranking]
            lines.append(f"- Ranked by {title}, a beam of {max(record['sizes'])} scores "
                         f"{_format_band(wide['difference'], wide['low'], wide['high'])} BLEU against the best, "
                         f"a beam of {wide['best']}.")
    return lines


def tabulate_claims(results: Results) -> list[str]:
    """Tabulate every claim with its paper and verdict; where this is open, with the hours of training."""
    rows = []
    for claim in results.claims:
        hours = [spent for check in claim["checks"] for spent in check.get("hours", ())]
        limits = dict.fromkeys(f"{spent:.1f}" for spent in (min(hours), max(hours))) if hours else ()
        trained = f" ({' to '.join(limits)} hours)" if limits and claim["verdict"] == "open" else ""
        number = claim["number"]
        rows.append([str(number), CLAIMS[number], PAPERS[number], VERDICTS[claim["verdict"]] + trained])
    return _format_table(["", "claim", "paper", "here"], rows)


def tabulate_checks(results: Results) -> list[str]:
    """Tabulate every check with its band and bound."""
    rows = []
    for claim in results.claims:
        for check in claim["checks"]:
            is_above = check["above"] is not None
            limit = check["above"] if is_above else check["below"]
            numbers = (check["value"], check["low"], check["high"])
            value = NOT_MEASURED
            if check["value"] is not None:
                digits = 1 if check["key"] == "gain" else 3
                while any(round(number, digits) == limit != number for number in numbers[1:]):
                    digits += 1  # else the end of the band would seem to be at the limit
                value = _format_band(*numbers, digits)
            hours = " and ".join(f"{hours_spent:.1f}" for hours_spent in check.get("hours", ()))
            beam = f", beam {check['beam']}" if check["beam"] > 1 else ""
            models = " and ".join(map(results.get_title, check["models"]))
            rows.append([str(claim["number"]), CHECKS[check["key"]], models, f"{check['data']}{beam}", value,
                         f"{'above' if is_above else 'below'} {limit:g}", check["outcome"], hours])
    return _format_table(["claim", "number", "models", "data", "value and band", "required", "met", "hours"], rows)


def tabulate_runs(results: Results) -> list[str]:
    """Tabulate the short runs, whose weights are not shipped."""
    columns = [(data, beam) for data, beam in BLEU_COLUMNS[:3] if beam == 1]
    return _format_table(["short run", "hours", "target tokens", *(_format_data(*column) for column in columns)],
                  ([f"`{run.name}`", f"{run.hours:.1f}", _format_millions(run.target_pieces),
                    *(_format_bleu(results.get_evaluation(data, beam, run.name)) for data, beam in columns)]
                   for run in results.store.runs))


def tabulate_published(results: Results) -> list[str]:
    """Tabulate tables 1 and 2 of the paper, as published."""
    trained = {score.system: score for score in TABLE_2}
    rows = []
    for score in TABLE_1:
        training = trained.get(score.system)
        rows.append([score.system.replace("*", r"\*"), f"{score.bleu:.2f}", f"{score.no_unknown:.2f}",
                     *([f"{training.updates * 1e5:,.0f}", str(training.hours)] if training else [NOT_MEASURED] * 2)])
    return _format_table(["published system", "tokenised BLEU, newstest2014", "without unknown words", "updates",
                   "hours on one GPU"], rows)


def tabulate_known_words(results: Results) -> list[str]:
    """Tabulate models of whole words on all sentences and on those without unknown words."""
    data, beam = "newstest2014", BEAM
    rows = []
    for card in results.cards:
        if card.has_unk:
            evaluations = [results.get_evaluation(name, beam, card.name) for name in (data, data + KNOWN_WORDS_SUFFIX)]
            sentences = f"{evaluations[1].data.sentences:,}" if evaluations[1] else NOT_MEASURED
            rows.append([card.title, *map(_format_bleu, evaluations), sentences])
    return _format_table(["model", _format_data(data, beam), "without unknown words", "such sentences"], rows)


def tabulate_development(results: Results) -> list[str]:
    """Tabulate development BLEU of every model over its training."""
    rows = []
    for card in results.cards:
        curve = [
            (moment.pieces, moment.bleu[DEV_TEXT]) for moment in read_learning_curve(card) if DEV_TEXT in moment.bleu
        ]
        if curve:
            points = (_format_bleu_at(curve, millions) for millions in DEV_MILLIONS)
            rows.append([card.title, *points, f"{curve[-1][1]:.1f}"])
    return _format_table(["million target tokens", *map(str, DEV_MILLIONS), "at the end"], rows)


def tabulate_rounding(results: Results) -> list[str]:
    """Tabulate development BLEU before and after the weights were rounded to eight bits."""
    rows = ([card.title, f"{rounded['bleu_before']['all']:.2f}", f"{rounded['bleu']['all']:.2f}"]
            for card in results.cards if (rounded := card.training.get("rounded")))
    return _format_table(["development BLEU, four texts", "half precision", "eight bits"], rows)


def tabulate_trials(files: Sequence[tuple[str, str]]) -> list[str]:
    """Tabulate recipes compared by short runs from the same weights; `files` is like `TRIALS`."""
    columns = []
    for name, _ in files:
        path = ASSETS / "trials" / f"{name}.json"
        columns.append({trial["name"]: trial for trial in parse_json(path.read_bytes(), path.name)["trials"]})
    names = dict.fromkeys(name for column in columns for name in column)
    rows = ([name, *(f"{column[name]['dev_loss']:.3f}, {column[name]['bleu']['all']:.1f}" if name in column
                     else "not tried" for column in columns)] for name in names)  # fmt: skip
    return _format_table(["loss in nats a token, development BLEU", *(title for _, title in files)], rows)


PARTS: dict[str, Callable[[Results], list[str]]] = {
    "models": tabulate_paper_models,
    "lengths": lambda results: _tabulate_lengths(results, results.paper_cards),
    "all-models": tabulate_all_models,
    "bleu": tabulate_bleu,
    "all-lengths": lambda results: _tabulate_lengths(results, results.cards),
    "sentences": tabulate_sentences,
    "korean": tabulate_korean,
    "joined": tabulate_joined,
    "alignment": tabulate_alignment,
    "ablation": tabulate_ablation,
    "beams": tabulate_beams,
    "claims": tabulate_claims,
    "checks": tabulate_checks,
    "runs": tabulate_runs,
    "known-words": tabulate_known_words,
    "published": tabulate_published,
    "development": tabulate_development,
    "rounding": tabulate_rounding,
    "trials": lambda _: tabulate_trials(TRIALS),
    "trials-from-new-weights": lambda _: tabulate_trials(TRIALS_FROM_NEW_WEIGHTS),
}
"""The generated parts, by the names that READMEs mark them with."""


def _format_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows)]


def _tabulate_lengths(results: Results, cards: Sequence[Card]) -> list[str]:
    """Tabulate BLEU by source length on the set with the most long sentences."""
    evaluations = [(card, evaluation) for card in cards
                   if (evaluation := results.get_evaluation(*EUROPARL, card.name)) is not None]  # fmt: skip
    labels = [point.label for point in evaluations[0][1].by_length] if evaluations else []
    size = f"{evaluations[0][1].data.sentences:,} sentences of " if evaluations else ""
    rows = ([card.title, *(_format_number(point.bleu) for point in evaluation.by_length)]
            for card, evaluation in evaluations)
    return [f"On {size}{_format_data(*EUROPARL)}:", "", *_format_table(["words in the source", *labels], rows)]


def _format_data(data: str, beam: int) -> str:
    return f"{TITLES[data]}, {'greedy' if beam == 1 else f'beam {beam}'}"


def _describe_scoring(results: Results) -> list[str]:
    """Describe how BLEU was computed, from the signatures in the evaluations; [] without evaluations."""
    signatures = {evaluation.signatures["bleu"] for card in results.cards for column in BLEU_COLUMNS
                  if (evaluation := results.get_evaluation(*column, card.name))}  # fmt: skip
    band = f"In brackets: the middle 95 % of {RESAMPLES:,} resamples."
    return [*_describe_signatures(signatures), band] if signatures else []


def _describe_signatures(signatures: Iterable[str]) -> list[str]:
    """Name the signatures of BLEU; [] without any."""
    signature_list = " and ".join(f"`{signature}`" for signature in sorted(signatures))
    return [f"BLEU is sacreBLEU's, signature {signature_list}."] if signature_list else []


def _describe_sizes(results: Results) -> list[str]:
    """List the number of sentences of each test set; [] without evaluations."""
    sizes = {data: evaluation.data.sentences for card in results.cards for data, beam in BLEU_COLUMNS
             if (evaluation := results.get_evaluation(data, beam, card.name))}  # fmt: skip
    size_list = "; ".join(f"{TITLES[data]}: {size:,}" for data, size in sizes.items())
    return [f"Sentences: {size_list}."] if sizes else []


def _format_bleu(evaluation: Evaluation | None) -> str:
    if evaluation is None:
        return NOT_MEASURED
    scores = evaluation.scores
    return _format_band(scores["bleu"], scores["bleu_low"], scores["bleu_high"])


def _format_error_rate(record: dict[str, Any], form: str, has_band: bool = False) -> str:
    """Format the alignment error rate of one of TOKEN_FORMS in per cent."""
    if not record:
        return NOT_MEASURED
    scores = record["scores"][form]
    if not has_band:
        return f"{_format_percent(scores['aer'])} %"
    return _format_band(*(100 * scores[key] for key in ("aer", "aer_low", "aer_high")))


def _format_band(value: float, low: float, high: float, digits: int = 1) -> str:
    texts = [f"{number:z.{digits}f}" for number in (value, low, high)]  # z: never -0.0
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


def _format_joined(point: dict[str, Any] | None) -> tuple[str, str, str]:
    """Return BLEU of a joined text with its band, BLEU of its sentences one by one, and the share of words kept."""
    if point is None:
        return NOT_MEASURED, NOT_MEASURED, NOT_MEASURED
    scores = point["joined"]
    return (_format_band(scores["bleu"], scores["low"], scores["high"]), f"{point['single']['bleu']:.1f}",
            _format_percent(point["share_of_words"]))


def _format_passed(record: dict[str, Any]) -> str:
    return _format_share(record["passed"], record["sentences"]) if record else NOT_MEASURED


def _format_found(record: dict[str, Any], items: str) -> str:
    return _format_share(record[items]["found"], record[items]["items"]) if record else NOT_MEASURED


def _format_share(count: int, total: int) -> str:
    return f"{count} of {total}"


def _format_percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _format_number(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.1f}"


def _format_millions(count: int) -> str:
    return f"{count / 1e6:.1f} million"


def _format_bleu_at(curve: Sequence[tuple[int, float]], millions: int) -> str:
    """Return BLEU at the point closest to so many million target tokens; NOT_MEASURED if training ended before."""
    if curve[-1][0] < millions * 1e6:
        return NOT_MEASURED
    return f"{min(curve, key=lambda moment: abs(moment[0] - millions * 1e6))[1]:.1f}"
