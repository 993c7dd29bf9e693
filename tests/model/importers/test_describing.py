"""What the command line says of a file of attention."""

import json

from model.importers import describe_attention_file
from tests.model.importers.test_attention_files import build_npz, random_attention
from tests.pages.traces import make_trace


def test_sentences_tokens_words_maps_and_notes() -> None:
    source, target = ["<s>", "▁Old", "▁har", "bour", "</s>"], ["▁Vieux", "▁port"]
    data = build_npz(source=source, target=target, cross_attentions=random_attention(2, 4, 3, 5), encoder_attentions=random_attention(5, 5))
    assert describe_attention_file("maps.npz", data) == {
        "kind": "attention",
        "sentences": [{
            "number": 1,
            "source": {"tokens": source, "words": ["Old", "harbour"]},
            "target": {"tokens": [*target, "</s>"], "words": ["Vieux", "port"]},
            "maps": [
                {"name": "cross_attentions", "rows": "target", "columns": "source", "shape": [3, 5], "layers": 2,
                 "heads": 4},
                {"name": "encoder_attentions", "rows": "source", "columns": "source", "shape": [5, 5], "layers": 1,
                 "heads": 1},
            ],
        }],
        "notes": ["The weights have one row more than there are target tokens (sentence 1). It is read as the end of "
                  "the sentence; if it is anything else, list it among the tokens."],
    }  # fmt: skip


def test_a_file_of_this_app() -> None:
    ours = make_trace()
    (one,) = json.loads(json.dumps(describe_attention_file("a.jsonl", ours.to_json().encode())))["sentences"]
    assert one["source"]["words"] == list(ours.source.words)
    axes = [(each.rows, each.columns) for each in ours.maps]
    assert [(each["rows"], each["columns"]) for each in one["maps"]] == axes
