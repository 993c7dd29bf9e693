"""Recipes: the package's own, files that extend them, and one sentence for every malformed one."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.networks.registry import KINDS
from model.training.recipe import FOLDER, Plan, Recipe, SettingsFileError, load_recipe
from tests.hostile import CASES

NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))


def assert_one_sentence(error: SettingsFileError, *expected: str) -> None:
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
                 "sort_by": "longer", "shuffle": False, "sampling": 0.0},
        "optimiser": {"name": "adadelta", "rate": 1.0, "epsilon": 1e-6, "clip": 1.0, "reduction": "sum", "rho": 0.95},
        "training": {"seed": 1, "average_every": 1, "average_decay": 0.0, "evaluate_pieces": 5_000_000,
                     "save_minutes": 10.0, "label_smoothing": 0.0},
    }  # fmt: skip
    assert recipe.optimiser.compute_learning_rate(1) == recipe.optimiser.compute_learning_rate(10**6) == 1.0


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
    rates = [optimiser.compute_learning_rate(update) for update in (1, 150, 300, 4000, 16_000)]
    assert rates == pytest.approx([1.2e-3 / 300, 0.6e-3, 1.2e-3, 1.2e-3, 0.6e-3])


def test_other_keys_than_those_that_the_oldest_recipes_lack_are_needed() -> None:
    content = load_recipe("shipped").to_dict()
    del content["vocabulary"], content["training"]["label_smoothing"]
    del content["data"]["sort_by"], content["data"]["shuffle"], content["data"]["sampling"]
    assert Recipe.from_dict(content) == load_recipe("shipped")
    for section in ("network", "data", "optimiser", "training"):
        for key in content[section]:
            keys = {name: value for name, value in content[section].items() if name != key}
            with pytest.raises(SettingsFileError) as refused:
                check_recipe({**content, section: keys})
            assert_one_sentence(refused.value, section, f"{key} is missing")


# --- plans


def test_a_plan_has_a_default_name_and_title() -> None:
    assert Plan("rnnsearch", 50) == Plan("rnnsearch", 50, "rnnsearch-50", "RNNsearch-50")
    plan = Plan("rnnencdec", 30, "mine", "My model, without attention")
    assert (plan.name, plan.title, plan.longest_words) == ("mine", "My model, without attention", 30)


@pytest.mark.parametrize(("arguments", "expected"), [
    (("lstm", 50), f"no kind of network 'lstm'; there are {', '.join(sorted(KINDS))}"),
    (("rnnsearch", 0), "model.longest_words is 0; it must be from 1 to"),
    (("rnnsearch", 50, "../x"), "cannot name a folder"), (("rnnsearch", 50, "x" * 101), "cannot name a folder"),
    (("rnnsearch", 50, "x", "two\nlines"), "cannot be shown"), (("rnnsearch", 50, "x", "y" * 101), "cannot be shown"),
])  # fmt: skip
def test_invalid_plans_are_refused(arguments: tuple[Any, ...], expected: str) -> None:
    with pytest.raises(SettingsFileError) as refused:
        Plan(*arguments)
    assert_one_sentence(refused.value, expected)


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
    ("network", "hidden", 10**5000, "from 1 to 65,536"), ("network", "hidden", True, "a whole number"),
    ("network", "dropout", NAN, "from 0 to 0.99"), ("network", "dropout", False, "a number"),
    ("network", "wiring", ["groundhog"], "one of equation4, appendix, groundhog"),
    ("vocabulary", "size", 3, "from 4 to 60,000"), ("vocabulary", "kind", "bpe", "one of unigram, word"),
    ("data", "copies", 4, "a table"), ("data", "copies", {"tiny": 0}, "names no corpus"),
    ("data", "copies", {"tiny": True}, "from 0 to 1000"), ("data", "copies", {"a\nb": 1}, r"'a\nb'"),
    ("data", "batch_pieces", -1, "from 0 to"), ("data", "longest_pieces", 0, "from 1 to"),
    ("data", "shuffle", 1, "true or false"), ("optimiser", "rate", NAN, "above 0 and at most 1,000"),
    ("optimiser", "rate", 10**400, "too large"), ("optimiser", "warm_up", 0, "from 1 to"),
    ("optimiser", "betas", [0.9, 0.98, 0.99], "a list of two numbers"), ("optimiser", "epsilon", 0.0, "above 0"),
    ("optimiser", "betas", [0.9, 1.0], "two numbers from 0 to below 1"), ("optimiser", "clip", NAN, "above 0"),
    ("optimiser", "rho", 0.95, "belongs to adadelta, not to adam"), ("training", "seed", -1, "from 0 to"),
    ("training", "average_every", 0, "from 1 to"), ("training", "average_decay", 1.0, "from 0 to below 1"),
    ("training", "evaluate_pieces", 0, "from 1 to"), ("training", "save_minutes", "9" * 10_000, "a number"),
]  # fmt: skip
@pytest.mark.parametrize(("section", "key", "value", "allowed"), INVALID,
                         ids=[f"{key}-{number}" for number, (_, key, _, _) in enumerate(INVALID)])
def test_an_invalid_value_is_named_with_what_is_allowed(section: str, key: str, value: Any, allowed: str) -> None:
    with pytest.raises(SettingsFileError) as refused:
        check_recipe(change_section(section, **{key: value}))
    assert_one_sentence(refused.value, f"{section}.{key}", allowed)


def test_muon_needs_a_momentum_below_one() -> None:
    content = load_recipe("tiny").to_dict()
    content["optimiser"]["name"] = "muon"
    with pytest.raises(SettingsFileError, match=r"momentum is missing; muon needs warm_up, hold, betas, momentum"):
        Recipe.from_dict(content)
    for value in (1.0, -0.1, NAN):
        content["optimiser"]["momentum"] = value
        with pytest.raises(SettingsFileError, match=r"optimiser\.momentum is .*; it must be from 0 to below 1"):
            Recipe.from_dict(content)
    content["optimiser"]["momentum"] = 0.95
    assert Recipe.from_dict(content).optimiser.name == "muon"


@pytest.mark.parametrize(("change", "expected"), [
    ({"data": None}, "data is None"), ({"network": [1]}, "network is [1]"),
    ({"\x1b[31m": {}}, "is not known; allowed: network, vocabulary, data, optimiser, training"),
    ({"training": {**load_recipe("tiny").to_dict()["training"], "x" * 5000: 1}}, "is not known; allowed: seed"),
])  # fmt: skip
def test_sections_are_tables_with_known_names_and_keys(change: dict[str, Any], expected: str) -> None:
    with pytest.raises(SettingsFileError) as refused:
        Recipe.from_dict({**load_recipe("tiny").to_dict(), **change})
    assert_one_sentence(refused.value, expected)


# --- files


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[network", b"a = " + b"[" * 5000, b"a = " + b"9" * 5000,
                                     b"\xef\xbb\xbfname = 'other'", b"", b"network = 1"])
def test_malformed_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsFileError) as refused:
        load_recipe(path)
    assert_one_sentence(refused.value, "recipe")


def test_missing_recipes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("", "nobody", "../tiny/..", "nobody.toml", *CASES.values()):
        with pytest.raises(SettingsFileError) as refused:
            load_recipe(name)
        assert_one_sentence(refused.value, "there is no recipe", f"choose {', '.join(NAMES)}, or give")


def test_a_recipe_that_cannot_be_read_is_not_missing(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(SettingsFileError, match=r"the recipe .*folder\.toml cannot be read \(Is a directory\)"):
        load_recipe(tmp_path / "folder.toml")


def test_network_and_optimiser_are_extended_as_a_whole_and_others_key_by_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "tiny"\n[data]\ncopies = { mine = 2 }\npool = 8\n', encoding="utf-8")
    recipe, base = load_recipe(path), load_recipe("tiny")
    assert (recipe.name, recipe.network, recipe.optimiser) == ("mine", base.network, base.optimiser)
    assert recipe.data == replace(base.data, copies={"mine": 2}, pool=8)
    for content, expected in (
        ('extends = "tiny"\n[network]\n', "section network: embedding is missing"),
        ('extends = "tiny"\n[optimiser]\n', "is missing"), ('extends = "tiny"\ndata = 3\n', "it must be a section"),
        ('extends = "korean"\n[vocabulary]\nkind = "word"\n', "data.sampling is 0.3; whole words have no other"),
        ('extends = "../tiny"\n', f"it must be one of {', '.join(NAMES)}"), ('extends = ["tiny"]\n', "it must be one"),
    ):  # fmt: skip
        path.write_text(content, encoding="utf-8")
        with pytest.raises(SettingsFileError) as refused:
            check_recipe(load_recipe(path).to_dict())
        assert_one_sentence(refused.value, expected)


def test_a_recipe_may_name_its_kind_of_network() -> None:
    content = load_recipe("tiny").to_dict()
    assert Recipe.from_dict(content).kind == ""
    recipe = Recipe.from_dict({**content, "network": {**content["network"], "kind": "rnnencdec"}})
    assert recipe.kind == recipe.build_network_config("rnnencdec", 400).kind == "rnnencdec"
    with pytest.raises(SettingsFileError) as refused:
        recipe.build_network_config("rnnsearch", 400)
    assert_one_sentence(refused.value, "kind is 'rnnencdec', but 'rnnsearch' is to be trained; leave out --kind")
