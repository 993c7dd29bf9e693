"""Recipes: the package's own, files that extend them, and one sentence for every malformed one."""

from __future__ import annotations

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


def assert_one_sentence(error: RecipeError, *expected: str) -> None:
    text = str(error)
    assert "\n" not in text
    assert "\x1b" not in text
    assert len(text) < 400
    for part in expected:
        assert part in text, text


# --- the package's recipes


@pytest.mark.verdict
def test_the_paper_recipe_has_the_papers_settings() -> None:
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
    assert recipe.optimiser.learning_rate_at(1) == recipe.optimiser.learning_rate_at(10**6) == 1.0


@pytest.mark.parametrize("name", NAMES)
def test_recipes_name_every_key_and_survive_a_card(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    assert load_recipe(FOLDER / f"{name}.toml") == recipe
    content = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    complete = recipe.to_dict()
    if "extends" in content:  # sections that are merged key by key need not be complete
        content = {section: complete[section] if section in ("data", "training") else keys for section, keys in
                   {**load_recipe(content.pop("extends")).to_dict(), **content}.items() if section != "name"}
    assert {section: set(keys) for section, keys in content.items()} == \
        {section: set(keys) for section, keys in complete.items() if section != "name"}


def test_the_learning_rate_warms_up_holds_and_falls() -> None:
    optimiser = load_recipe("shipped").optimiser
    rates = [optimiser.learning_rate_at(update) for update in (1, 150, 300, 4000, 16_000)]
    assert rates == pytest.approx([1.2e-3 / 300, 0.6e-3, 1.2e-3, 1.2e-3, 0.6e-3])


def test_keys_that_the_oldest_recipes_lack_have_their_values() -> None:
    content = load_recipe("shipped").to_dict()
    del content["vocabulary"], content["data"]["sort_by"], content["data"]["shuffle"]
    del content["training"]["label_smoothing"]
    assert Recipe.from_dict(content) == load_recipe("shipped")


@pytest.mark.parametrize("kind", ["seq2seq", "luong"])
def test_the_relatives_have_about_as_many_parameters(kind: str) -> None:
    """About ten million; in eight bits with a scale per 32 weights below 11 MB."""
    recipe, wide = load_recipe(f"wide-{kind}"), load_recipe("wide")
    assert (recipe.kind, recipe.vocabulary) == (kind, wide.vocabulary)
    assert recipe.data == replace(wide.data, batch_pieces=1500)
    with torch.device("meta"):
        network = registry.build_network(recipe.build_network_config(kind, 8000))
    assert 9.5e6 < sum(parameter.numel() for parameter in network.parameters()) * (1 + 2 / 32) < 11e6


# --- plans


def test_a_plan_has_a_default_name_and_title() -> None:
    assert Plan("rnnsearch", 50) == Plan("rnnsearch", 50, "rnnsearch-50", "RNNsearch-50")
    plan = Plan("rnnencdec", 30, "mine", "My model, without attention")
    assert (plan.name, plan.title, plan.longest_words) == ("mine", "My model, without attention", 30)


@pytest.mark.parametrize(("arguments", "expected"), [
    (("lstm", 50), f"no kind of network 'lstm'; there are {', '.join(sorted(KINDS))}"),
    (("x" * 5000, 50), "no kind of network"),
    (("rnnsearch", 0), "model.longest_words is 0; it must be from 1 to"), (("rnnsearch", 10**30), "from 1 to"),
    (("rnnsearch", 50, "../x"), "cannot name a folder"), (("rnnsearch", 50, "x" * 5000), "cannot name a folder"),
    (("rnnsearch", 50, "x", "two\nlines"), "cannot be shown"), (("rnnsearch", 50, "x", "y" * 5000), "cannot be shown"),
])  # fmt: skip
def test_invalid_plans_are_refused(arguments: tuple[Any, ...], expected: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Plan(*arguments)
    assert_one_sentence(refused.value, expected)


def test_hostile_plans_are_refused_or_harmless() -> None:
    for text in CASES.values():
        for arguments in ((text, 50), ("rnnsearch", 50, text), ("rnnsearch", 50, "x", text)):
            try:
                plan = Plan(*arguments)
            except RecipeError as error:
                assert_one_sentence(error)
            else:
                assert "/" not in plan.name
                assert plan.title.isprintable()


# --- malformed recipes


def check_recipe(content: dict[str, Any]) -> None:
    """Read a recipe and its network, as a trainer does."""
    Recipe.from_dict(content).build_network_config("rnnsearch", 400)


def change_section(section: str, **keys: Any) -> dict[str, Any]:
    content = load_recipe("tiny").to_dict()
    content[section] = {**content[section], **keys}
    return content


NAN = float("nan")
INVALID: list[tuple[str, str, Any, str]] = [
    ("network", "hidden", 0, "from 1 to 65,536"), ("network", "hidden", 10**30, "from 1 to 65,536"),
    ("network", "hidden", 10**5000, "from 1 to 65,536"), ("network", "hidden", True, "a whole number"),
    ("network", "hidden", 24.0, "a whole number"), ("network", "hidden", {"n": 24}, "a whole number"),
    ("network", "dropout", 1.0, "from 0 to 0.99"), ("network", "dropout", NAN, "from 0 to 0.99"),
    ("network", "dropout", False, "a number"), ("network", "wiring", "luong", "one of equation4, appendix, groundhog"),
    ("network", "wiring", ["groundhog"], "one of equation4, appendix, groundhog"),
    ("vocabulary", "size", 3, "from 4 to 65,536"), ("data", "copies", 4, "a table"),
    ("data", "copies", {}, "names no corpus"), ("data", "copies", {"tiny": 0}, "names no corpus"),
    ("data", "copies", {"tiny": True}, "from 0 to 1000"), ("data", "copies", {"tiny": 10**9}, "from 0 to 1000"),
    ("data", "copies", {"../../secret": 1}, "'../../secret'"), ("data", "copies", {"a\nb": 1}, r"'a\nb'"),
    ("data", "copies", {7: 1}, "7"), ("data", "pool", 0, "from 1 to"), ("data", "batch_pieces", -1, "from 0 to"),
    ("data", "sort_by", "source", "one of target, longer"), ("data", "shuffle", 1, "true or false"),
    ("optimiser", "rate", 0, "above 0 and at most 1,000"), ("optimiser", "rate", NAN, "above 0 and at most 1,000"),
    ("optimiser", "rate", 10**400, "too large"), ("optimiser", "warm_up", 0, "from 1 to"),
    ("optimiser", "hold", 1.5, "a whole number"), ("optimiser", "betas", [0.9, 0.98, 0.99], "a list of two numbers"),
    ("optimiser", "betas", [0.9, 1.0], "two numbers from 0 to below 1"),
    ("optimiser", "betas", [NAN, 0.9], "two numbers from 0 to below 1"),
    ("optimiser", "rho", 0.95, "belongs to adadelta, not to adam"),
    ("optimiser", "reduction", "max", "one of mean, sum"), ("training", "seed", -1, "from 0 to"),
    ("training", "seed", 1.0, "a whole number"), ("training", "average_every", 0, "from 1 to"),
    ("training", "average_decay", 1.0, "from 0 to below 1"), ("training", "label_smoothing", 1.0, "from 0 to below 1"),
    ("training", "save_minutes", 0, "above 0"), ("training", "save_minutes", "9" * 10_000, "a number"),
    ("vocabulary", "kind", "bpe", "one of unigram, word"), ("data", "batch_pairs", -1, "from 1 to"),
    ("data", "longest_pieces", 0, "from 1 to"), ("optimiser", "epsilon", 0.0, "above 0"),
    ("optimiser", "clip", NAN, "above 0"), ("training", "evaluate_pieces", 0, "from 1 to"),
]  # fmt: skip


@pytest.mark.parametrize(("section", "key", "value", "allowed"), INVALID,
                         ids=[f"{key}-{number}" for number, (_, key, _, _) in enumerate(INVALID)])
def test_an_invalid_value_is_named_with_what_is_allowed(section: str, key: str, value: Any, allowed: str) -> None:
    with pytest.raises(RecipeError) as refused:
        check_recipe(change_section(section, **{key: value}))
    assert_one_sentence(refused.value, f"{section}.{key}", allowed)


def test_a_missing_key_is_named() -> None:
    optional = {("data", "sort_by"), ("data", "shuffle"), ("training", "label_smoothing")}
    for section in ("network", "data", "optimiser", "training"):
        for key in load_recipe("tiny").to_dict()[section]:
            if (section, key) not in optional:
                content = load_recipe("tiny").to_dict()
                del content[section][key]
                with pytest.raises(RecipeError) as refused:
                    check_recipe(content)
                assert_one_sentence(refused.value, section, f"{key} is missing")


@pytest.mark.parametrize(("recipe", "name", "key", "other", "message"), [
    ("tiny", "muon", "momentum", "adam", r"momentum is missing; muon needs warm_up, hold, betas, momentum"),
    ("paper", "adadelta", "rho", "adam", r"rho is missing; adadelta needs rho"),
])  # fmt: skip
def test_optimisers_have_keys_of_their_own(recipe: str, name: str, key: str, other: str, message: str) -> None:
    content = load_recipe(recipe).to_dict()
    content["optimiser"]["name"] = name
    content["optimiser"].pop(key, None)
    with pytest.raises(RecipeError, match=rf"optimiser\.{message}"):
        Recipe.from_dict(content)
    for value in (1.0, -0.1, NAN):
        content["optimiser"][key] = value
        with pytest.raises(RecipeError, match=rf"optimiser\.{key} is .*; it must be from 0 to below 1"):
            Recipe.from_dict(content)
    content["optimiser"][key] = 0.95
    assert Recipe.from_dict(content).optimiser.name == name
    content = load_recipe("tiny").to_dict()
    content["optimiser"][key] = 0.95
    with pytest.raises(RecipeError, match=rf"optimiser\.{key} is 0\.95; it belongs to {name}, not to {other}"):
        Recipe.from_dict(content)


@pytest.mark.parametrize("section", ["network", "data", "optimiser", "training"])
def test_a_section_must_be_a_table(section: str) -> None:
    content = load_recipe("tiny").to_dict()
    for value in (None, 3, "x", [1]):
        with pytest.raises(RecipeError) as refused:
            Recipe.from_dict({**content, section: value})
        assert_one_sentence(refused.value, f"{section} is {value!r}")
    del content[section]
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict(content)
    assert_one_sentence(refused.value, f"the section {section} is missing")


@pytest.mark.parametrize("name", ["networks", "", "data\n", "x" * 5000, "\x1b[31m"])
def test_unknown_keys_and_sections_are_named(name: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Recipe.from_dict({**load_recipe("tiny").to_dict(), name: {}})
    assert_one_sentence(refused.value, "is not known; allowed: network, vocabulary, data, optimiser, training")
    with pytest.raises(RecipeError) as refused:
        check_recipe(change_section("training", **{name: 1}))
    assert_one_sentence(refused.value, "section training", "is not known; allowed: seed, average_every")


# --- files


def test_a_recipe_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "tiny.toml").read_text(encoding="utf-8").replace("hidden = 24", "hidden = 30"))
    recipe = load_recipe(path)
    assert (recipe.name, recipe.network["hidden"]) == ("mine", 30)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_recipe(path) == recipe


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[network", b"a = " + b"[" * 5000, b"a = " + b"9" * 5000,
                                     b"a\x00 = 1", b"[network]\n[network]\n", b"name = 'other'", b"", b"network = 1"])
def test_malformed_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(RecipeError) as refused:
        load_recipe(path)
    assert_one_sentence(refused.value, "recipe")


def test_missing_recipes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.toml").mkdir()
    for name in ("", "nobody", "a\x00b", "x" * 5000, "../tiny/..", "nobody.toml", ".", "folder.toml", *CASES.values()):
        with pytest.raises(RecipeError) as refused:
            load_recipe(name)
        assert_one_sentence(refused.value, "there is no recipe", f"choose {', '.join(NAMES)}, or give")


def test_a_recipe_takes_missing_settings_from_the_one_it_extends(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "tiny"\n[data]\ncopies = { mine = 2 }\npool = 8\n', encoding="utf-8")
    recipe, base = load_recipe(path), load_recipe("tiny")
    assert (recipe.network, recipe.optimiser, recipe.training) == (base.network, base.optimiser, base.training)
    assert recipe.name == "mine"
    assert recipe.data == replace(base.data, copies={"mine": 2}, pool=8)


@pytest.mark.parametrize(("content", "expected"), [
    ('extends = "tiny"\n[network]\n', "section network: embedding is missing"),
    ('extends = "tiny"\n[optimiser]\n', "is missing"), ('extends = "tiny"\ndata = 3\n', "it must be a section"),
    *((f"extends = {base}\n", f"it must be one of {', '.join(NAMES)}")
      for base in ('"mine"', '"../tiny"', "3", '["tiny"]', "{ a = 1 }", '"\\u001b[31m"')),
])  # fmt: skip
def test_invalid_extensions_are_refused(content: str, expected: str, tmp_path: Path) -> None:
    """Network and optimiser are replaced as a whole; only the package's recipes can be extended."""
    path = tmp_path / "mine.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RecipeError) as refused:
        check_recipe(load_recipe(path).to_dict())
    assert_one_sentence(refused.value, expected)


def test_a_recipe_may_name_its_kind_of_network() -> None:
    content = load_recipe("tiny").to_dict()
    assert Recipe.from_dict(content).kind == ""
    recipe = Recipe.from_dict({**content, "network": {**content["network"], "kind": "rnnencdec"}})
    assert recipe.kind == recipe.build_network_config("rnnencdec", 400).kind == "rnnencdec"
    with pytest.raises(RecipeError) as refused:
        recipe.build_network_config("rnnsearch", 400)
    assert_one_sentence(refused.value, "kind is 'rnnencdec', but 'rnnsearch' is to be trained; leave out --kind")
