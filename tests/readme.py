"""The passages of the README that hold figures, written anew from `assets/`.

    .venv/bin/python -m tests.readme      # what the README should say and does not, and figures nothing vouches for
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from model import codec
from model.checkpoint import SHIPPED, Card, courses, read_card, shipped
from model.choosing import in_years
from model.cli.claims import VERDICTS
from model.measure.alignment.birth import LOOKS, RISING, SURE
from model.measure.evaluation.evaluation import Evaluation
from model.measure.evaluation.stored import EVERYDAY, FOLDER, file_name, records
from model.measure.paper.claims import LONG, SHORT
from model.measure.paper.published import ALIGNERS, TABLE_1, TABLE_2, TRAINING_WORDS
from model.measure.paper.relatives import CLAIMS as RELATED
from model.measure.scores.length_curve import RESAMPLES
from model.measure.vector.senses import examples
from model.text.function_words import is_word
from model.text.words import split_words
from pages.view.service.cards import title_of
from tests.model.measure.contrast.judged import pairs, score
from tests.readme_elsewhere import ELSEWHERE

README = Path(__file__).parent.parent / "README.md"
MODELS = ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50", "rnnencdec-30")
"""In the order of the README's tables."""

TRIALS = FOLDER.parent / "trials"
TRIED = {"rnnsearch": "RNNsearch-50", "rnnencdec": "RNNencdec-50"}
"""What was tried in short runs: the table's file, and the model they began from."""

DEV = "newstest2013"
"""The development text that every training was measured on; the others came or went."""
SETS = {"newstest2014": "newstest2014 ({:,} sentences)", "flores200-devtest": "FLORES-200 devtest ({:,})",
        "europarl-2000q4": "Europarl of late 2000 ({:,})"}  # fmt: skip
GAINED = {"gain": "{} BLEU on {}", "repeats_less": "{} percentage points fewer words that repeat, on {}",
          "looks_evenly": "a coverage deviation {} nats less, on {}",
          "names_gain": "{} percentage points more of the names",
          "numbers_gain": "{} percentage points more of the numbers"}  # fmt: skip
"""What a check of the relatives' claims says in words, by its key: of a value with its band, and of a set."""
NAMED = {"flores200-devtest": "FLORES-200", "europarl-2000q4": "Europarl"}
WAYS = {"no final stop": "of {} everyday translations, changed in a content word when the final stop is left out",
        "lower case": "when typed in lower case", "capitals": "when typed in capitals",
        "contractions": "of {}, when contractions are written out, or made"}  # fmt: skip
CLAIMS = {
    1: "RNNsearch beats RNNencdec at both lengths",
    2: "RNNsearch-30 beats RNNencdec-50",
    3: "RNNencdec falls steeply with length",
    4: "RNNsearch-50 does not fall, even past 50 words",
    5: "alignments are largely monotonic, and right where they are not",
    6: "phrases of unequal length; an article looks at the noun to come",
    7: "long sentences keep their end with RNNsearch-50 and lose it with RNNencdec-50",
}


def one_line(text: str) -> str:
    """A text without its line breaks, so that it may be wrapped anywhere."""
    return " ".join(text.split())


def percent(share: float) -> str:
    return f"{round(100 * share):d}"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


all_of = cache(records)


@cache
def evaluation_of(file: str) -> Evaluation:
    return Evaluation.from_json((FOLDER / file).read_bytes())


class Assets:
    """What `assets/` holds about the shipped models."""

    @cached_property
    def cards(self) -> dict[str, Card]:
        return {name: read_card(SHIPPED / name) for name in MODELS}

    @cached_property
    def relatives(self) -> dict[str, Card]:
        """The shipped models that the paper has not, in the order of the years."""
        return {card.name: card for card in in_years(shipped()) if card.name not in MODELS}

    def evaluation(self, data: str, model: str, beam: int) -> Evaluation:
        found = evaluation_of(file_name(data, model, beam))
        assert found.fingerprint == self.card(model).fingerprint
        return found

    def card(self, model: str) -> Card:
        return (self.cards | self.relatives)[model]

    def record(self, kind: str, model: str) -> dict[str, Any]:
        (found,) = (one for one in all_of(kind).values() if one["model"] == model)
        assert found["fingerprint"] == self.card(model).fingerprint
        return found

    @cached_property
    def checks(self) -> dict[tuple[int, str], list[dict[str, Any]]]:
        """The checks of the claims, by the claim's number and the check's key."""
        (found,) = all_of("claims").values()
        result: dict[tuple[int, str], list[dict[str, Any]]] = {}
        for claim in found["claims"]:
            for check in claim["checks"]:
                result.setdefault((claim["number"], check["key"]), []).append(check)
        return result

    @cached_property
    def verdicts(self) -> dict[int, str]:
        (found,) = all_of("claims").values()
        return {claim["number"]: VERDICTS[claim["verdict"]] for claim in found["claims"] if claim["number"] in CLAIMS}

    def trainings(self, model: str) -> list[dict[str, Any]]:
        """The trainings that the weights come from, the first one first."""
        return [dict(one) for one in courses(self.cards[model].training)][::-1]

    def dev(self, model: str) -> list[tuple[int, float]]:
        """(target pieces seen, BLEU on DEV) over all trainings that the weights come from."""
        trainings = self.trainings(model)
        before = [0, *accumulate(one["target_pieces"] for one in trainings[:-1])]
        return [(start + entry["pieces"], entry["bleu"][DEV])
                for start, one in zip(before, trainings, strict=True) for entry in one["curve"]]  # fmt: skip

    def dev_at(self, model: str, millions: int) -> str:
        """BLEU on DEV at the moment closest to so many million pieces."""
        return f"{min(self.dev(model), key=lambda moment: abs(moment[0] - millions * 1e6))[1]:.1f}"

    def updates(self, model: str) -> int:
        return sum(one["updates"] for one in self.trainings(model))


def passages() -> list[str]:
    """What the README must say, each a passage without line breaks."""
    assets = Assets()
    parts = (models, relatives, anew, relatives_claims, lengths, learning, claims, alignment, need, beams, marks,
             births, trials)  # fmt: skip
    return [one_line(text) for part in parts for text in part(assets)]


def models(assets: Assets) -> Iterator[str]:
    """The table of models and the sentence before it."""
    cards = assets.cards.values()
    millions = [card.target_pieces / 1e6 for card in cards]
    (size,) = {card.network["vocabulary"] for card in cards}
    yield f"vocabulary ({size:,} pieces for both languages)"
    yield row("fingerprint", *(f"`{card.fingerprint}`" for card in cards))
    yield row("parameters", *(f"{card.parameters / 1e6:.1f} million" for card in cards))
    yield row("target pieces seen", *(f"{number:.1f} million" for number in millions))
    yield row("hours of one thread", *(f"{card.hours:.1f}" for card in cards))
    for data, title in SETS.items():
        for beam in (1, 12) if data != "europarl-2000q4" else (1,):
            found = [assets.evaluation(data, model, beam) for model in MODELS]
            (sentences,) = {one.data.sentences for one in found}
            cells = (f"{s['bleu']:.1f} ({s['bleu_low']:.1f} to {s['bleu_high']:.1f})"
                     for s in (one.scores for one in found))  # fmt: skip
            yield row(f"BLEU, {title.format(sentences)}, greedy" if beam == 1 else f"the same, beam {beam}", *cells)
    everyday = [_everyday(assets, model) for model in MODELS]
    (asked,) = {one["sentences"] for one in everyday}
    yield row(f"everyday sentences right, of {asked}", *(str(one["passed"]) for one in everyday))
    more = [_everyday(assets, model, "60-") for model in MODELS]
    (asked,) = {one["sentences"] for one in more}
    yield row(f"of {asked} more, with words of daily life", *(str(one["passed"]) for one in more))
    ways = [assets.record("robustness", model)["ways"] for model in MODELS]
    assert len(ways[0]) == 6  # "typed in six other ways"
    for way, title in WAYS.items():
        (asked,) = {one[way]["sentences"] for one in ways}
        if way == "no final stop":
            yield f"# {asked} other sentences, typed in six other ways"
        yield row(title.format(asked), *(str(one[way]["changed"]) for one in ways))
    copied = [assets.record("copied", model) for model in MODELS]
    for kind, title in (("names", "names that come out as they went in, of {}"), ("numbers", "numbers, of {}")):
        (asked,) = {one[kind]["items"] for one in copied}
        yield row(title.format(asked), *(str(one[kind]["found"]) for one in copied))
    attending = [card.name for card in cards if card.attends]
    rates = {model: assets.record("alignment-error", model)["scores"] for model in attending}
    (diagonal,) = {f"{100 * scores['diagonal']['aer']:.1f}" for scores in rates.values()}
    for way, title in (("surface", f"alignment error rate, Hansards joined to real text (diagonal {diagonal} %)"),
                       ("written", "the same, their tokens as they are written")):  # fmt: skip
        yield row(title, *(f"{100 * rates[model][way]['aer']:.1f} %" if model in rates else "no attention"
                           for model in MODELS))  # fmt: skip


def _everyday(assets: Assets, model: str, further: str = "") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{EVERYDAY}{further}{model}.json").read_text(encoding="utf-8"))
    assert found["fingerprint"] == assets.card(model).fingerprint
    return found


def relatives(assets: Assets) -> Iterator[str]:
    """The table of the relatives, beside the model that two of them were grown from, and how a model's heads fare."""
    if not assets.relatives:
        return
    for model in ("rnnsearch-50", *assets.relatives):
        card = assets.card(model)
        news, beam, flores, europarl = (
            f"{assets.evaluation(data, model, beam).scores['bleu']:.1f}"
            for data, beam in (("newstest2014", 1), ("newstest2014", 12), ("flores200-devtest", 1),
                               ("europarl-2000q4", 1))
        )  # fmt: skip
        passed = (str(_everyday(assets, model, further)["passed"]) for further in ("", "60-"))
        rate = (f"{100 * assets.record('alignment-error', model)['scores']['surface']['aer']:.1f} %" if card.attends
                else "no attention")  # fmt: skip
        yield row(card.title, f"`{card.fingerprint}`", f"{card.parameters / 1e6:.1f} million", f"{card.hours:.1f}",
                  f"{card.target_pieces / 1e6:.1f} million", news, beam, flores, europarl, *passed,
                  str(assets.record("copied", model)["names"]["found"]), rate)  # fmt: skip
        if card.attends and (columns := assets.record("alignment-error", model)["columns"])["best"]:
            side, moved = ("left", "+1") if columns["best"] > 0 else ("right", "-1")
            yield (f"{card.title} looks one place to the {side} of what it writes: with its columns moved by one its "
                   f"alignment error rate is {100 * columns[moved]:.1f} %")  # fmt: skip
        if card.attends and "maps" in (record := assets.record("alignment-error", model)):
            best = record["maps"]["best"]
            yield (f"Of the heads of {card.title} the best one, chosen on {best['chosen_on']} of the pairs, has "
                   f"{100 * best['aer']:.1f} % on the other {best['sentences']}; the mean of the heads' rates is "
                   f"{100 * record['maps']['heads']:.1f} %")  # fmt: skip


def anew(assets: Assets) -> Iterator[str]:
    """RNNsearch from new weights, with the relatives' hours: what of their distance is time, and what is kind."""
    if not assets.relatives:
        return
    bleu = evaluation_of(f"compared/{file_name('newstest2014', 'rnnsearch-anew', 1)}").scores["bleu"]
    names = {card.kind: name for name, card in assets.relatives.items()} | {"rnnsearch": "rnnsearch-50"}
    of = {kind: assets.evaluation("newstest2014", name, 1).scores["bleu"] for kind, name in names.items()}
    best = of["rnnsearch"]
    assert all(best - bleu > bleu - of[kind] for kind in ("luong", "transformer"))  # "the larger part is time"
    assert best - bleu < bleu - of["seq2seq"]  # "... is kind"
    yield f"RNNsearch itself has {bleu:.1f} after as many hours (rnnsearch-anew, newstest2014, greedy)"


def lengths(assets: Assets) -> Iterator[str]:
    """BLEU by length, and what it was computed with."""
    found = {model: assets.evaluation("europarl-2000q4", model, 1) for model in MODELS}
    first = found["rnnsearch-50"]
    yield f"on the {first.data.sentences:,} sentences of Europarl's test set, greedy:"
    labels = [point.label for point in first.by_length]
    yield row("words", *(f"over {int(label.rstrip('+')) - 1}" if label.endswith("+") else label for label in labels))
    for model, one in found.items():
        yield row(assets.cards[model].title, *(f"{point.bleu:.1f}" for point in one.by_length))
    yield f"sacreBLEU `{first.signatures['bleu']}`, output"
    yield f"the middle 95 % of {RESAMPLES:,} resamples"
    paper = {one.system: f"{one.bleu:.2f}" for one in TABLE_1}
    *most, last = (paper[card.title] for card in assets.cards.values())
    yield f"{TRAINING_WORDS // 10**6} million words: {', '.join(most)} and {last})"


def learning(assets: Assets) -> Iterator[str]:
    """How the models came to be what they are."""
    hundreds = [f"{round(assets.updates(model), -2):,}" for model in ("rnnencdec-50", "rnnencdec-30")]
    paper = min(one.updates for one in TABLE_2 if one.system.startswith("RNNencdec")) * 100_000
    yield f"the two have made {' and '.join(hundreds)} updates, where the paper's took {paper:,.0f} and more"
    early = [f"{assets.dev_at('rnnencdec-50', millions)} at {millions}" for millions in (24, 30, 60, 120)]
    last, other = (f"{assets.dev(model)[-1][1]:.1f}" for model in ("rnnencdec-50", "rnnsearch-50"))
    yield (f"BLEU of RNNencdec-50 on {DEV}, development text: {assets.dev_at('rnnencdec-50', 8)} at 8 million pieces, "
           f"{', '.join(early)}, {last} at the end; RNNsearch-50 had {assets.dev_at('rnnsearch-50', 24)} at 24 and has "
           f"{other}")  # fmt: skip
    for card in assets.cards.values():
        if rounded := card.training.get("rounded"):
            yield f"{rounded['bleu_before']['all']:.2f} and {rounded['bleu']['all']:.2f} for {card.title}"


def relatives_claims(assets: Assets) -> Iterator[str]:
    """The table of the relatives' claims that anything was measured of."""
    (found,) = all_of("claims").values()
    for claim in found["claims"]:
        checks = [check for check in claim["checks"] if check["value"] is not None or not check.get("fair", True)]
        if claim["number"] in RELATED and checks:
            yield row(str(claim["number"]), RELATED[claim["number"]], VERDICTS[claim["verdict"]],
                      "; ".join(dict.fromkeys(map(_gained, checks))))  # fmt: skip


def _gained(check: dict[str, Any]) -> str:
    """What one check found, with its band; of what was not compared the hours."""
    models = " and ".join(title_of(name) for name in check["models"])
    if check["value"] is None:
        return f"{models} had {' and '.join(f'{hours:.1f}' for hours in check['hours'])} hours"
    points = "percentage" in GAINED[check["key"]]
    scale, digits = (100, 1) if points else (1, 3 if check["key"] == "looks_evenly" else 1)
    value, low, high = (f"{scale * check[name]:.{digits}f}" for name in ("value", "low", "high"))
    beam = f", beam {check['beam']}" if check["beam"] > 1 else ""
    said = GAINED[check["key"]].format(f"{value} ({low} to {high})", NAMED.get(check["data"], check["data"]) + beam)
    return f"{said} ({models})"


def claims(assets: Assets) -> Iterator[str]:
    """The table of the paper's claims."""

    def because(number: int, reason: str) -> str:
        return row(str(number), CLAIMS[number], assets.verdicts[number], reason)

    def band(check: dict[str, Any]) -> str:
        return f"{percent(check['value'])} % ({percent(check['low'])} to {percent(check['high'])})"

    def first(number: int, key: str) -> dict[str, Any]:
        return assets.checks[number, key][0]

    for number in (1, 2):
        gains = [check["value"] for check in assets.checks[number, "gain"]]
        yield because(number, f"by {min(gains):.1f} to {max(gains):.1f} BLEU on all three sets")
    shorter, longer = assets.checks[3, "loss"]
    assert (shorter["models"], longer["models"]) == (["rnnencdec-30"], ["rnnencdec-50"])
    yield because(3, f"from up to {SHORT} to over {LONG - 1} words RNNencdec-30 loses {band(shorter)} of its BLEU, "
                     f"RNNencdec-50 {band(longer)}")  # fmt: skip
    greedy, beam = assets.checks[4, "loss"]
    yield because(4, f"it loses {band(greedy)}; with a beam of {beam['beam']}, {band(beam)}")
    yield because(5, f"{percent(first(5, 'steps_on')['value'])} % of neighbouring links do not turn back, and of those "
                     f"that do {band(first(5, 'steps_back_right'))} are right, where we asked for half; of people's "
                     f"turns back {band(first(5, 'gold_back_found'))} are found")  # fmt: skip
    unequal, gain = first(6, "unequal_right")["value"], first(6, "unequal_gain")["value"]
    articles = first(6, "article_gain")
    assert articles["outcome"] == "open"
    yield because(6, f"{percent(unequal)} % of words right in phrases of unequal length, the diagonal "
                     f"{percent(unequal - gain)} %; whether articles look ahead more than other words can't be told "
                     f"({articles['value']:.2f}, {articles['low']:.2f} to {articles['high']:.2f})")  # fmt: skip
    kept, lost = assets.checks[7, "end_loss"]
    assert (kept["models"], lost["models"]) == (["rnnsearch-50"], ["rnnencdec-50"])
    yield because(7, f"from the first third to the last RNNsearch-50 finds {band(kept)} fewer of the reference's "
                     f"words, RNNencdec-50 {band(lost)}")  # fmt: skip


def alignment(assets: Assets) -> Iterator[str]:
    """The alignment error rate in full."""
    record = assets.record("alignment-error", "rnnsearch-50")
    surface, written, shifts = record["scores"]["surface"], record["scores"]["written"], record["shifts"]
    assert shifts["best"] == 0
    pairs = record["data"]["sentences"]
    yield f"Against the {pairs} hand-aligned pairs RNNsearch-50 has an alignment error rate of {_rate(surface)}, "
    yield f"precision {100 * surface['precision']:.1f} %, recall {100 * surface['recall']:.1f} %;"
    yield f"rows moved by one piece either way give {100 * shifts['-1']:.1f} and {100 * shifts['+1']:.1f} %, so"
    yield f"given these as they are written it has {_rate(written)}."
    of = {one.name: one.aer for one in ALIGNERS}
    yield f"reach {of['fast_align']} (fast_align) and {of['MGIZA']} (MGIZA)"
    yield f"# against {pairs} pairs aligned by people"


def need(assets: Assets) -> Iterator[str]:
    """What is still written when the model looks elsewhere."""
    record = assets.record("attention-need", "rnnsearch-50")
    kinds = ("content", "function", "punctuation")

    def shares(rule: str) -> str:
        first, *rest = (100 * record["given"][rule][kind][1] / record["given"][rule][kind][0] for kind in kinds)
        return (f"{first:.1f} % of its content words, {rest[0]:.1f} % of function words and {rest[1]:.1f} % of "
                "punctuation")

    sentences = record["data"]["sentences"]
    yield f"On {sentences} sentences of newstest2014 RNNsearch-50, its rows of α made uniform, would still have written"
    names = {model: assets.record("copied", model)["names"] for model in ("rnnsearch-50", "rnnencdec-50")}
    kept, lost = names.values()
    yield f"of {kept['items']} names RNNsearch-50 writes {kept['found']} as they are, RNNencdec-50 {lost['found']}"
    told = [one.text for one in examples()]
    words = sum(is_word(text[start:end]) for text in told for start, end in split_words(text, "en"))
    yield f"among {words} words of {len(told)} sentences written for this"
    yield f"{shares('uniform')}, given the words before; with all weight on the greatest alone {shares('max')}"


def _rate(scores: dict[str, float]) -> str:
    return f"{100 * scores['aer']:.1f} % ({100 * scores['aer_low']:.1f} to {100 * scores['aer_high']:.1f})"


def beams(assets: Assets) -> Iterator[str]:
    """Whether a wide beam hurts."""
    record = assets.record("beam-sizes", "rnnsearch-50")
    points = {(one["ranking"], one["beam"]): one for one in record["points"]}
    widest, wide = max(record["sizes"]), record["wide"]["none"]
    assert record["wide"]["length"]["high"] >= 0  # "no harm"
    bleu = [f"{points['length', size]['bleu']:.1f}" for size in (1, 5, widest)]
    yield (f"{bleu[0]} BLEU greedily, {bleu[1]} with a beam of 5, {bleu[2]} with {widest} "
           f"({record['data']['sentences']} sentences of newstest2014)")  # fmt: skip
    short = 1 - points["none", widest]["ratio"]
    yield (f"ranked by the sum it is best at {wide['best']} and {-wide['difference']:.1f} ({-wide['high']:.1f} to "
           f"{-wide['low']:.1f}) worse at {widest}, its translations {percent(short)} % too short")  # fmt: skip


def marks(assets: Assets) -> Iterator[str]:
    """How often the marks of lost and invented words are right."""
    held_out = {pair["source"] for pair in pairs() if pair["half"] == "test"}
    both, attends = ([score(mark, "test", kind) for mark in ("lost", "invented")] for kind in (None, True))
    yield (f"On {len(held_out)} translations judged by hand, none of them used in making the rule, {both[0].marks} "
           f"words are marked as lost, {both[0].right} of them rightly ({both[0].judged} are lost); {both[1].marks} "
           f"are marked as invented, {both[1].right} of them rightly ({both[1].judged} are)")  # fmt: skip
    yield (f"models with attention alone: {attends[0].marks} marked as lost, {attends[0].right} rightly, of "
           f"{attends[0].judged}; {attends[1].marks} as invented, {attends[1].right} rightly, of "
           f"{attends[1].judged}")  # fmt: skip


def births(assets: Assets) -> Iterator[str]:
    """What the moments marked in the diaries mean."""
    yield (f"the place with a word's largest weight gets, on average, {SURE} or more of its attention, and these "
           f"places rise with the words: correlation {RISING} or more")  # fmt: skip
    yield f"of two neighbouring words that each give one place {LOOKS} or more"


def trials(assets: Assets) -> Iterator[str]:
    """What teaches best: the table of short runs from one start."""
    tables = {kind: codec.parse((TRIALS / f"{kind}.json").read_bytes(), f"{kind}.json") for kind in TRIED}
    for kind, table in tables.items():
        yield f"{TRIED[kind]} {min(one['pieces'] for one in table['trials']) / 1e6:.1f} million"
    (sentences,) = {sum(map(int, re.findall(r"(\d+) of", table["dev"]))) for table in tables.values()}
    yield f"dev BLEU ({sentences:,} sentences)"
    found = {kind: {one["name"]: one for one in table["trials"]} for kind, table in tables.items()}
    for name in dict.fromkeys(name for trials in found.values() for name in trials):
        tried = (trials.get(name) for trials in found.values())
        yield row(name, *(f"{one['dev_loss']:.3f}, {one['bleu']['all']:.1f}" if one else "not tried" for one in tried))


def problems(readme: str, expected: Sequence[str]) -> list[str]:
    """What is wrong with the README's figures: passages it does not hold, and digits that nothing vouches for."""
    text = one_line(readme)
    found = [f"missing: {passage}" for passage in expected if passage not in text]
    for passage in expected:
        text = text.replace(passage, " … ")
    for what, pattern in ELSEWHERE.items():
        text, times = re.subn(pattern, " … ", text)
        if not times:
            found.append(f"nothing there any more of: {what} ({pattern})")
    digits = re.finditer(r"\d[\d.,]*", text)
    return found + [f"whence? {text[max(0, match.start() - 40) : match.end() + 40]}" for match in digits]


if __name__ == "__main__":
    wrong = problems(README.read_text(encoding="utf-8"), passages())
    print("\n".join(wrong) or "the README says what assets/ holds")
    sys.exit(bool(wrong))
