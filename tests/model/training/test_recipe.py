"""Recipes: the shipped ones say what they should, and every malformed one gets one sentence."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from model.networks import registry
from model.networks.registry import KINDS
from model.training.recipe import FOLDER, Plan, Recipe, RecipeError, load_recipe
from tests.hostile import CASES

NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


# --- the recipes of the package


@pytest.mark.verdict
def test_the_paper_to_the_letter() -> None:
    recipe = load_recipe("paper")
    assert recipe.to_dict() == {
        "name": "paper",
        "network": {"embedding": 620, "hidden": 1000, "alignment": 1000, "readout": 500, "wiring": "groundhog",
                    "dropout": 0.0},
        "vocabulary": {"kind": "word", "size": 30_000 + 3},
        "data": {"copies": {"europarl": 1}, "longest_pieces": 160, "pool": 1600, "batch_pieces": 0, "batch_pairs": 80,
                 "sort_by": "longer", "shuffle": False},
        "optimiser": {"name": "adadelta", "rate": 1.0, "epsilon": 1e-6, "clip": 1.0, "reduction": "sum", "rho": 0.95},
        "training": {"seed": 1, "average_every": 1, "average_decay": 0.0, "evaluate_pieces": 5_000_000,
                     "save_minutes": 10.0, "label_smoothing": 0.0},
    }  # fmt: skip
    assert recipe.data.pool == 20 * recipe.data.batch_pairs
    assert recipe.optimiser.learning_rate_at(1) == recipe.optimiser.learning_rate_at(10**6) == 1.0


def test_recipes_are_there() -> None:
    assert {"paper", "shipped", "tiny"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_recipes_say_everything_and_survive_a_card(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    given = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    written = recipe.to_dict()
    if "extends" in given:  # then it says what it has of its own, and the other the rest
        given = {name: written[name] if name in ("data", "training") else keys for name, keys in
                 {**load_recipe(given.pop("extends")).to_dict(), **given}.items() if name != "name"}
    assert {section: set(keys) for section, keys in given.items()} == \
        {section: set(keys) for section, keys in written.items() if section != "name"}, "no key left to a default"
    assert load_recipe(FOLDER / f"{name}.toml") == recipe


@pytest.mark.parametrize("name", ["paper", "shipped", "tiny"])
def test_every_key_is_explained(name: str) -> None:
    for line in (FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines():
        if re.match(r"\w+ = ", line):
            assert re.search(r" # \S", line), line


def test_the_rate_warms_up_holds_and_falls() -> None:
    optimiser = load_recipe("shipped").optimiser
    assert optimiser.learning_rate_at(1) == pytest.approx(1.2e-3 / 300)
    assert optimiser.learning_rate_at(150) == pytest.approx(0.6e-3)
    assert optimiser.learning_rate_at(300) == optimiser.learning_rate_at(4000) == 1.2e-3
    assert optimiser.learning_rate_at(16_000) == pytest.approx(0.6e-3)


def test_recipes_of_before_have_the_vocabulary_they_had() -> None:
    given = load_recipe("shipped").to_dict()
    del given["vocabulary"], given["data"]["sort_by"], given["data"]["shuffle"]
    assert Recipe.from_dict(given) == load_recipe("shipped")


def test_a_plan_names_what_is_trained_by_its_facts() -> None:
    assert Plan("rnnsearch", 50) == Plan("rnnsearch", 50, "rnnsearch-50", "RNNsearch-50")
    mine = Plan("rnnencdec", 30, "mine", "My model, without attention")
    assert (mine.name, mine.title, mine.longest_words) == ("mine", "My model, without attention", 30)


@pytest.mark.parametrize(("given", "says"), [
    (("lstm", 50), f"no kind of network 'lstm'; there are {', '.join(sorted(KINDS))}"),
    (("x" * 5000, 50), "no kind of network"),
    (("rnnsearch", 0), "model.longest_words is 0; it must be from 1 to"), (("rnnsearch", 10**30), "from 1 to"),
    (("rnnsearch", 50, "../x"), "cannot name a folder"), (("rnnsearch", 50, "x" * 5000), "cannot name a folder"),
    (("rnnsearch", 50, "x", "two\nlines"), "cannot be shown"), (("rnnsearch", 50, "x", "y" * 5000), "cannot be shown"),
])  # fmt: skip
def test_other_plans_are_refused(given: tuple[Any, ...], says: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Plan(*given)
    one_sentence(refused.value, says)


@pytest.mark.parametrize("text", CASES.values())
def test_hostile_names_are_refused_or_harmless(text: str) -> None:
    for given in ((text, 50), ("rnnsearch", 50, text), ("rnnsearch", 50, "x", text)):
        try:
            plan = Plan(*given)
        except RecipeError as error:
            one_sentence(error)
        else:
            assert "/" not in plan.name
            assert plan.title.isprintable()


# --- malformed recipes


def one_sentence(error: RecipeError, *expected: str) -> None:
    text = str(error)
    assert "\n" not in text
    assert len(text) < 400
    for part in expected:
        assert part in text, text


def whole(given: dict[str, Any]) -> None:
    """Read a recipe and, as a trainer does at once, the network that it is for."""
    Recipe.from_dict(given).build_network_config("rnnsearch", 400)


def changed(section: str, **keys: Any) -> dict[str, Any]:
    given = load_recipe("tiny").to_dict()
    given[section] = {**given[section], **keys}
    return given


NAN, INFINITE = float("nan"), float("inf")
WRONG: list[tuple[str, str, Any, str]] = [
    ("network", "hidden", 0, "from 1 to 65,536"),
    ("network", "hidden", -24, "from 1 to 65,536"),
    ("network", "hidden", 10**30, "from 1 to 65,536"),
    ("network", "hidden", 10**5000, "from 1 to 65,536"),
    ("network", "hidden", True, "a whole number"),
    ("network", "hidden", 24.0, "a whole number"),
    ("network", "hidden", "24", "a whole number"),
    ("network", "hidden", [24], "a whole number"),
    ("network", "hidden", {"n": 24}, "a whole number"),
    ("network", "dropout", 1.0, "from 0 to 0.99"),
    ("network", "dropout", -0.1, "from 0 to 0.99"),
    ("network", "dropout", NAN, "from 0 to 0.99"),
    ("network", "dropout", False, "a number"),
    ("network", "wiring", "luong", "one of equation4, appendix, groundhog"),
    ("network", "wiring", 4, "one of equation4, appendix, groundhog"),
    ("network", "wiring", ["groundhog"], "one of equation4, appendix, groundhog"),
    ("vocabulary", "kind", "bpe", "one of unigram, word"),
    ("vocabulary", "size", 3, "from 4 to 65,536"),
    ("vocabulary", "size", 70_000, "from 4 to 65,536"),
    ("data", "copies", 4, "a table"),
    ("data", "copies", {}, "names no corpus"),
    ("data", "copies", {"tiny": 0}, "names no corpus"),
    ("data", "copies", {"tiny": -1}, "from 0 to 1000"),
    ("data", "copies", {"tiny": True}, "from 0 to 1000"),
    ("data", "copies", {"tiny": 1.5}, "from 0 to 1000"),
    ("data", "copies", {"tiny": 10**9}, "from 0 to 1000"),
    ("data", "copies", {"../../secret": 1}, "'../../secret'"),
    ("data", "copies", {"a\nb": 1}, r"'a\nb'"),
    ("data", "copies", {7: 1}, "7"),
    ("data", "pool", 0, "from 1 to"),
    ("data", "batch_pairs", -1, "from 1 to"),
    ("data", "batch_pieces", -1, "from 0 to"),
    ("data", "longest_pieces", 0, "from 1 to"),
    ("data", "sort_by", "source", "one of target, longer"),
    ("data", "shuffle", 1, "true or false"),
    ("data", "shuffle", "yes", "true or false"),
    ("optimiser", "name", "sgd", "one of adam, adadelta"),
    ("optimiser", "rate", 0, "above 0 and at most 1,000"),
    ("optimiser", "rate", -1e-3, "above 0 and at most 1,000"),
    ("optimiser", "rate", NAN, "above 0 and at most 1,000"),
    ("optimiser", "rate", INFINITE, "above 0 and at most 1,000"),
    ("optimiser", "rate", 10**400, "too large"),
    ("optimiser", "rate", True, "a number"),
    ("optimiser", "epsilon", 0.0, "above 0"),
    ("optimiser", "clip", NAN, "above 0"),
    ("optimiser", "warm_up", 0, "from 1 to"),
    ("optimiser", "hold", 1.5, "a whole number"),
    ("optimiser", "betas", [0.9], "a list of two numbers"),
    ("optimiser", "betas", [0.9, 0.98, 0.99], "a list of two numbers"),
    ("optimiser", "betas", [0.9, 1.0], "two numbers from 0 to below 1"),
    ("optimiser", "betas", [NAN, 0.9], "two numbers from 0 to below 1"),
    ("optimiser", "betas", [True, 0.9], "a number"),
    ("optimiser", "betas", "99", "a list of two numbers"),
    ("optimiser", "rho", 0.95, "belongs to adadelta, not to adam"),
    ("optimiser", "reduction", "max", "one of mean, sum"),
    ("training", "seed", -1, "from 0 to"),
    ("training", "seed", 2**32, "from 0 to"),
    ("training", "seed", 1.0, "a whole number"),
    ("training", "average_every", 0, "from 1 to"),
    ("training", "average_decay", 1.0, "from 0 to below 1"),
    ("training", "average_decay", NAN, "from 0 to below 1"),
    ("training", "label_smoothing", 1.0, "from 0 to below 1"),
    ("training", "label_smoothing", -0.1, "from 0 to below 1"),
    ("training", "label_smoothing", NAN, "from 0 to below 1"),
    ("training", "evaluate_pieces", 0, "from 1 to"),
    ("training", "save_minutes", 0, "above 0"),
    ("training", "save_minutes", NAN, "above 0"),
    ("training", "save_minutes", "9" * 10_000, "a number"),
]


@pytest.mark.parametrize(("section", "key", "value", "allowed"), WRONG,
                         ids=[f"{key}-{number}" for number, (_, key, _, _) in enumerate(WRONG)])
def test_a_wrong_value_is_named_with_what_is_allowed(section: str, key: str, value: Any, allowed: str) -> None:
    with pytest.raises(RecipeError) as refused:
        whole(changed(section, **{key: value}))
    one_sentence(refused.value, f"{section}.{key}", allowed)


def test_a_wrong_value_is_shown() -> None:
    with pytest.raises(RecipeError, match=r"network\.hidden is -24; it must be from 1 to 65,536"):
        whole(changed("network", hidden=-24))


TINY = load_recipe("tiny").to_dict()
KEYS = [(section, key) for section, keys in TINY.items() if isinstance(keys, dict) for key in keys]


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_a_missing_key_is_named(section: str, key: str) -> None:
    given = load_recipe("tiny").to_dict()
    del given[section][key]
    if (section, key) in (("vocabulary", "kind"), ("vocabulary", "size"), ("data", "sort_by"), ("data", "shuffle"),
                          ("training", "label_smoothing")):
        Recipe.from_dict(given)  # younger than the first runs: these have what those had
        return
    with pytest.raises(RecipeError) as refused:
        whole(given)
    one_sentence(refused.value, section, f"{key} is missing")


def test_muon_has_its_own_key() -> None:
    given = load_recipe("tiny").to_dict()
    given["optimiser"]["name"] = "muon"
    with pytest.raises(RecipeError, match=r"optimiser\.momentum is missing; muon needs warm_up, hold, betas, momentum"):
        Recipe.from_dict(given)
    for wrong in (1.0, -0.1, NAN):
        given["optimiser"]["momentum"] = wrong
        with pytest.raises(RecipeError, match=r"optimiser\.momentum is .*; it must be from 0 to below 1"):
            Recipe.from_dict(given)
    given["optimiser"]["momentum"] = 0.95
    assert Recipe.from_dict(given).optimiser.momentum == 0.95
    given["optimiser"]["name"] = "adam"
    with pytest.raises(RecipeError, match=r"optimiser\.momentum is 0\.95; it belongs to muon, not to adam"):
        Recipe.from_dict(given)


def test_adadelta_has_its_own_keys() -> None:
    given = load_recipe("paper").to_dict()
    del given["optimiser"]["rho"]
    with pytest.raises(RecipeError, match=r"optimiser\.rho is missing; adadelta needs rho"):
        Recipe.from_dict(given)
    given["optimiser"].update(rho=0.95, warm_up=300)
    with pytest.raises(RecipeError, match=r"optimiser\.warm_up is 300; it belongs to adam and muon, not to adadelta"):
        Recipe.from_dict(given)
    del given["optimiser"]["warm_up"]
    for wrong in (1.0, -0.1, NAN):
        given["optimiser"]["rho"] = wrong
        with pytest.raises(RecipeError, match=r"optimiser\.rho is .*; it must be from 0 to below 1"):
            Recipe.from_dict(given)


@pytest.mark.parametrize("section", ["network", "data", "optimiser", "training"])
@pytest.mark.parametrize("value", [None, 3, "x", [], [1]])
def test_a_section_is_a_table(section: str, value: Any) -> None:
    given = load_recipe("tiny").to_dict()
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict({**given, section: value})
    one_sentence(refused.value, f"{section} is {value!r}")
    del given[section]
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict(given)
    one_sentence(refused.value, f"the section {section} is missing")


@pytest.mark.parametrize("name", ["networks", "", "data\n", "x" * 5000, "\x1b[31m"])
def test_unknown_keys_and_sections_are_named(name: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict({**load_recipe("tiny").to_dict(), name: {}})
    one_sentence(refused.value, "is not known; allowed: network, vocabulary, data, optimiser, training")
    with pytest.raises(RecipeError) as refused:
        whole(changed("training", **{name: 1}))
    one_sentence(refused.value, "section training", "is not known; allowed: seed, average_every")
    assert "\x1b" not in str(refused.value)


# --- files


def test_a_recipe_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "tiny.toml").read_text(encoding="utf-8").replace("hidden = 24", "hidden = 30"))
    recipe = load_recipe(path)
    assert (recipe.name, recipe.network["hidden"]) == ("mine", 30)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # the mark that some editors begin a file with
    assert load_recipe(path) == recipe


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[network", b"a = " + b"[" * 5000, b"a = " + b"9" * 5000,
                                     b"a\x00 = 1", b"[network]\n[network]\n", b"name = 'other'", b"", b"network = 1"])
def test_files_that_are_no_recipes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(RecipeError) as refused:
        load_recipe(path)
    one_sentence(refused.value, "recipe")


@pytest.mark.parametrize("name", ["", "nobody", "a\x00b", "x" * 5000, "../tiny/..", "nobody.toml", ".",
                                  *CASES.values()])
def test_recipes_that_are_not_there(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecipeError) as refused:
        load_recipe(name)
    one_sentence(refused.value, "there is no recipe", f"choose {', '.join(NAMES)}, or give")


def test_a_recipe_has_what_it_does_not_say_from_the_one_it_extends(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "tiny"\n[data]\ncopies = { mine = 2 }\npool = 8\n', encoding="utf-8")
    recipe, base = load_recipe(path), load_recipe("tiny")
    assert (recipe.network, recipe.optimiser, recipe.training) == (base.network, base.optimiser, base.training)
    assert recipe.name == "mine"
    assert recipe.data == replace(base.data, copies={"mine": 2}, pool=8)


@pytest.mark.parametrize(("section", "missing"), [("network", "embedding"), ("optimiser", "rate")])
def test_keys_that_belong_together_are_extended_together(section: str, missing: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'extends = "tiny"\n[{section}]\n', encoding="utf-8")
    with pytest.raises(RecipeError) as refused:
        whole(load_recipe(path).to_dict())
    one_sentence(refused.value, f"section {section}: {missing} is missing" if section == "network" else "is missing")


@pytest.mark.parametrize("value", ["3", "[1]", '"x"'])
def test_a_section_that_is_none_is_not_extended(value: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'extends = "tiny"\ndata = {value}\n', encoding="utf-8")
    with pytest.raises(RecipeError, match=r"data is .*it must be a section"):
        load_recipe(path)


@pytest.mark.parametrize("base", ['"mine"', '"nobody"', '"../tiny"', "3", '["tiny"]', "{ a = 1 }", '"\\u001b[31m"'])
def test_only_recipes_of_the_package_are_extended(base: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"extends = {base}\n", encoding="utf-8")
    with pytest.raises(RecipeError) as refused:
        load_recipe(path)
    one_sentence(refused.value, "extends is ", f"it must be one of {', '.join(NAMES)}")
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("kind", ["seq2seq", "luong"])
def test_the_relatives_are_as_large_as_the_others(kind: str) -> None:
    """About ten million weights, which in eight bits, with a scale for every 32, stay below 11 MB."""
    recipe, wide = load_recipe(f"wide-{kind}"), load_recipe("wide")
    assert (recipe.kind, recipe.vocabulary) == (kind, wide.vocabulary)
    assert recipe.data == replace(wide.data, batch_pieces=1500)
    with torch.device("meta"):
        network = registry.build_network(recipe.build_network_config(kind, 8000))
    assert 9.5e6 < sum(parameter.numel() for parameter in network.parameters()) * (1 + 2 / 32) < 11e6


def test_a_recipe_may_name_its_kind_of_network() -> None:
    given = load_recipe("tiny").to_dict()
    assert Recipe.from_dict(given).kind == ""
    recipe = Recipe.from_dict({**given, "network": {**given["network"], "kind": "rnnencdec"}})
    assert recipe.kind == "rnnencdec"
    assert recipe.build_network_config("rnnencdec", 400).kind == "rnnencdec"
    with pytest.raises(RecipeError) as refused:
        recipe.build_network_config("rnnsearch", 400)
    one_sentence(refused.value, "kind is 'rnnencdec', but 'rnnsearch' is to be trained; leave out --kind")


def test_a_folder_is_no_recipe(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RecipeError, match="there is no recipe"):
        load_recipe(tmp_path / "folder.toml")
