"""Concepts: each idea has a picture of the sentence in the box, and a control changes it."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.ui.concepts.exercise import EXERCISES
from pages.ui.i18n.messages import load_messages
from tests.browser.conftest import open_pages
from tests.browser.running import get_box, settle

Visit = Callable[..., Page]


def move_slider(page: Page, name: str, value: int) -> None:
    page.locator(f"input[data-name={name}]").fill(str(value))


def test_ideas_about_attention_answer_their_controls(server: str, visit: Visit) -> None:
    page = visit(f"{server}/concepts?idea=retrieval&sentence=I am a student.", ".retrieval .description")
    description, weights = page.locator(".retrieval .description"), page.locator(".lookup tbody td:nth-child(4)")
    expect(description).to_contain_text("as in its translation")
    expect(weights).to_have_count(6)
    move_slider(page, "temperature", 7)
    expect(weights).to_have_text(["0.17"] * 6)
    expect(description.locator("b")).to_have_text("un")  # « étudiant » is not found without attention
    page.locator(".steps button", has_text="Je").click()
    expect(page.locator("[data-value=step]")).to_contain_text("1 of 5")

    page.get_by_role("radio", name="Score functions").click()
    state, matrix = page.locator(".scores .state"), page.locator(".matrix")
    expect(state).to_contain_text("trained this way: RNNsearch-50")
    page.get_by_role("group", name="score function").get_by_role("button", name="dot", exact=True).click()
    expect(state).to_contain_text("untrained")
    matrix.press("ArrowRight")
    expect(page.locator(".scores .description")).to_contain_text("Je → am")

    page.get_by_role("radio", name="Global and local").click()
    description = page.locator(".windows .description")
    expect(description).to_contain_text("5 of 6 source tokens")
    move_slider(page, "distance", 1)
    expect(description).to_contain_text("3 of 6 source tokens")
    expect(page.locator(".windows .limited")).to_have_text("Je suis étudiant.")
    page.get_by_role("button", name="local-p").click()
    page.get_by_label("rescale rows").check()
    expect(description).to_contain_text("sum to 1.00")

    page.get_by_role("radio", name="Input feeding").click()
    expect(page.locator(".order .now")).to_have_count(3)
    page.get_by_role("button", name="off").click()
    expect(page.locator(".back.fed")).to_have_class("back fed off")

    page.get_by_role("radio", name="Coverage").click()
    page.get_by_role("button", name="Try a sentence with a repetition").click()
    expect(page.locator(".coverage .description-line").first).to_contain_text("repeated: le chapeau")
    move_slider(page, "step", 0)
    expect(page.locator(".coverage td.amount").first).to_have_text("0.0")

    page.get_by_role("radio", name="Copying").click()
    page.get_by_role("button", name="Try a sentence with rare names").click()
    expect(page.locator(".copying .summary")).to_contain_text("Share that is copied")
    page.locator(".split tbody tr").first.focus()
    expect(page.locator(".copying .description sub")).to_have_text("gen")
    page.keyboard.press("ArrowDown")
    expect(page.locator('.split tbody tr[tabindex="0"]')).to_be_focused()


def test_ideas_about_the_transformer_answer_their_controls(server: str, visit: Visit) -> None:
    address = f"{server}/concepts?idea=self_attention&stack=decoder&layer=2&sentence=I am a student."
    page = visit(address, ".self-attention .description")
    description = page.locator(".self-attention .description")
    later = page.locator(".weights td[data-i='0'][data-j='2']")
    later.hover()
    expect(description).to_contain_text("the mask sets the score to −∞")
    page.get_by_label("causal mask").uncheck()
    expect(description).to_contain_text("Without the mask, “(start)” gives")
    later.focus()
    page.keyboard.press("ArrowDown")
    expect(description).to_contain_text("“Je” and “suis”")

    page.get_by_role("radio", name="Positions").click()
    description = page.locator(".positions .description")
    expect(description).to_contain_text("Position 3 is “student”")
    value = description.inner_text().partition("= ")[2].partition(" ")[0]
    move_slider(page, "position", 100)
    expect(description).to_contain_text(f"PE(100) · PE(105) = {value}")

    page.get_by_role("radio", name="Layers").click()
    page.locator(".layers .word", has_text="student").click()
    expect(page.locator(".layers .summary")).to_contain_text("“student”")
    page.locator(".layers .column").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".layers .description")).to_contain_text("layer 1, self-attention: adds a vector")

    page.get_by_role("radio", name="Costs").click()
    expect(page.locator(".counted-costs .description")).to_contain_text("16 times fewer")
    move_slider(page, "n", 10)
    expect(page.locator(".counted-costs .description")).to_contain_text("2 times more")

    page.get_by_role("radio", name="Outlook").click()
    page.get_by_role("button", name="what “it” attends to").click()
    weight = page.locator(".outlook .sentence b").first.inner_text()
    page.get_by_role("button", name="on the first sentence").click()
    page.wait_for_selector(".weights td[data-i='8'][data-j='6']")
    settle(page)  # the cell must not move away under the pointer
    page.locator(".weights td[data-i='8'][data-j='6']").hover()
    expect(page.locator(".self-attention .description")).to_contain_text("“it” and “soup”: q·k = ")
    expect(page.locator(".self-attention .description")).to_contain_text(f"α = {weight}.")


def test_ideas_about_recurrence_answer_their_controls(server: str, visit: Visit) -> None:
    address = f"{server}/concepts?idea=bottleneck&sentence=I am a student."
    page = visit(address, ".bottleneck .description")
    columns = page.locator(".states.many figure")
    expect(columns).to_have_count(6)
    expect(page.locator(".states.one figure")).to_have_count(1)
    expect(page.get_by_role("group", name="6 annotations of")).to_have_count(1)
    page.get_by_role("button", name="one step back").click()
    expect(columns).to_have_count(4)  # the step takes the full stop along
    expect(page.locator(".bottleneck .reading")).to_have_text("first 3 of 4 words")

    page.get_by_role("radio", name="Two directions").click()
    description = page.locator(".bidirectional .description")
    expect(description).to_contain_text("Joined")
    page.get_by_role("slider", name="step").fill("2")
    expect(description).to_contain_text("It has read: “I am”")
    expect(page.locator(".bidirectional .backward .cell:not(.none)")).to_have_count(0)
    page.get_by_role("button", name="Play").click()
    expect(description).to_contain_text("backward state")

    page.get_by_role("radio", name="Gates").click()
    page.get_by_role("button", name="LSTM").click()
    page.locator(".unit-gates thead button").nth(2).click()
    page.get_by_role("button", name="forget gate").click()
    expect(page.locator(".unit-gates tr.gate td.at").first).to_have_text("0.00")
    page.get_by_role("slider").last.fill("1")
    expect(page.locator(".unit-gates .equation")).to_contain_text("1.00·(")

    page.get_by_role("radio", name="Teacher forcing").click()
    tokens = page.locator(".free .token")
    page.get_by_label("Reference translation").fill("Je suis un grand étudiant.")
    page.get_by_label("Reference translation").press("Enter")
    expect(page.locator(".forcing .description")).to_contain_text("first deviation is token 3")
    page.locator(".forced button.token").nth(4).click()
    expect(tokens.nth(3)).to_have_class("token given")

    page.get_by_role("radio", name="Choosing a token").click()
    expect(page.locator(".next-token li")).to_have_count(12)
    page.get_by_role("slider", name="top-k").fill("1")
    expect(page.locator(".next-token li.cut")).to_have_count(10)
    page.get_by_role("radio", name="2", exact=True).click()
    expect(page.locator(".beam-paths dt").last).to_have_text("beam 2")


@pytest.mark.parametrize(("idea", "picture", "buttons"), [
    ("windows", ".windows", "[data-kind]"), ("gates", ".unit-gates", "[data-model], [data-gate]"),
    ("outlook", ".outlook", "[data-topic]"), ("training", ".forcing", "button.token"),
])  # fmt: skip
def test_a_switched_control_moves_nothing_below(
    server: str, visit: Visit, idea: str, picture: str, buttons: str
) -> None:
    page = visit(f"{server}/concepts?idea={idea}", f"{picture} {buttons.partition(',')[0]}")
    settle(page)
    height = get_box(page.locator(picture))["height"]
    for index in range(page.locator(picture).locator(buttons).count()):
        page.locator(picture).locator(buttons).nth(index).click()
        assert abs(get_box(page.locator(picture))["height"] - height) < 4


@pytest.fixture(scope="module")
def gradients(browser: Browser, server: str) -> Iterator[Page]:
    """One page for the tests of gradients, which follow each other, opened by a link of when All models showed them."""
    with open_pages(browser) as open_page:
        address = f"{server}/family?sentence=I am a student.&members=rnnencdec-50,rnnsearch-50&gradient-word=1"
        page: Page = open_page(address, ".gradients .target")
        settle(page)
        page.locator(".gradients .choose button").click()
        yield page


def test_the_plain_network_answers_its_sliders(gradients: Page) -> None:
    description = gradients.locator(".tanh-rnn .description")
    expect(description).to_contain_text("It vanishes")
    gradients.locator("input[data-name=lambda]").fill("1.5")
    move_slider(gradients, "size", 0)
    expect(description).to_contain_text("It explodes")


def test_gradients_of_a_chosen_word_are_shown_and_the_link_names_it(gradients: Page) -> None:
    page = gradients
    words = page.locator(".gradients .model").last.locator(".word")
    expect(words.first).to_be_visible()
    line, summary = page.locator(".gradients .plot path.line").last, page.locator(".gradients .description")
    whole, text = line.get_attribute("d"), summary.text_content()
    words.nth(1).click()
    expect(page.locator(".gradients .word[aria-pressed=true]")).to_have_count(2)
    assert line.get_attribute("d") != whole
    expect(summary).not_to_have_text(text or "")
    page.wait_for_url("**gradient-word=2**")
    words.nth(1).press("ArrowRight")
    expect(words.nth(2)).to_be_focused()
    words.nth(2).press("Enter")
    page.wait_for_url("**gradient-word=3**")
    page.locator(".gradients .choose button").click()
    expect(summary).to_have_text(text or "")
    page.wait_for_url(lambda address: "gradient-word" not in address)


def test_curves_and_gates_are_read_by_keys_and_pointer(gradients: Page) -> None:
    page = gradients
    plot, readout = page.locator(".gradients .plot"), page.locator(".gradients .readout")
    plot.press("Home")
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(readout).to_contain_text("“end”")
    plot.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuenow", "1")
    plot.press("End")
    expect(readout).to_contain_text("I")
    box = get_box(plot)
    plot.hover(position={"x": 0.1 * box["width"], "y": 0.5 * box["height"]})
    expect(plot).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".gradients .encoder th.here")).to_have_text("end")
    page.locator(".gradients .name").first.hover()
    expect(plot.locator("g.faint")).to_have_count(2)
    page.locator(".gradients summary").click()
    expect(page.locator(".gradients .numbers tbody td").first).to_have_text("end")

    tab = page.locator(".gradients [data-gates]").last
    tab.click()
    expect(tab).to_have_attribute("aria-pressed", "true")
    page.wait_for_url("**gates=**")
    rows, gate = page.locator(".gradients .encoder tbody tr"), page.locator(".gradients .gate")
    expect(rows).to_have_count(4)
    cell = rows.nth(2).locator("td").nth(1)
    cell.hover()
    expect(gate).to_contain_text("← update, “am”: 0.")
    cell.focus()
    cell.press("ArrowDown")
    expect(rows.nth(3).locator("td").nth(1)).to_be_focused()
    expect(gate).to_contain_text("← reset, “am”: 0.")


def test_the_entropy_depends_on_the_dimension_and_the_scaling(server: str, visit: Visit) -> None:
    page = visit(f"{server}/concepts?idea=scaling", ".softmax-scaling .description")
    text, slider = page.locator(".softmax-scaling .description"), page.locator(".softmax-scaling input").first
    slider.press("Home")
    expect(text).to_contain_text("d = 1.")
    slider.press("End")
    expect(text).to_contain_text("d = 512.")
    before = text.text_content()
    page.locator(".softmax-scaling button").click()
    expect(text).not_to_have_text(before or "")


def test_an_exercise_is_solved_by_trying_and_its_mark_stays(server: str, visit: Visit) -> None:
    page = visit(f"{server}/concepts?idea=windows", ".exercise .question")
    reply, description = page.locator(".exercise .reply"), page.locator(".windows .description")
    step = page.locator(".exercise .question").inner_text().partition("step ")[2].partition(",")[0]
    move_slider(page, "step", int(step) - 1)
    shares = []
    for distance in range(1, 11):
        move_slider(page, "distance", distance)
        shares.append(float(description.inner_text().partition("They hold ")[2].partition(" ")[0]))
    smallest = next(distance for distance, share in enumerate(shares, 1) if share >= 0.9)

    answer = page.locator(".exercise input")
    answer.fill(str(smallest - 1))
    answer.press("Enter")
    expect(reply).to_contain_text(f"holds only {shares[smallest - 2]:.2f}")
    page.get_by_role("button", name="Hint 1 of 2").click()
    expect(page.locator(".exercise .hints li")).to_have_count(1)
    page.get_by_role("button", name="Hint 2 of 2").click()
    page.get_by_role("button", name="Solution").press("Enter")
    expect(page.locator(".exercise .hints li").last).to_be_focused()
    answer.fill(str(smallest))
    answer.press("Enter")
    expect(reply).to_contain_text("Right.")
    expect(page.locator(".exercise .progress")).to_contain_text("1 of 12")

    page.reload()
    expect(page.locator(".exercise.solved")).to_be_visible()
    idea = page.get_by_role("radio", name="Global and local")
    assert "✓" in idea.evaluate("node => getComputedStyle(node, '::after').content")
    page.get_by_role("button", name="Start over").press("Enter")
    expect(page.locator(".exercise .progress")).to_contain_text("0 of 12")
    expect(page.locator(".exercise .progress span")).to_be_focused()
    assert "✓" not in idea.evaluate("node => getComputedStyle(node, '::after').content")


def test_every_exercise_has_a_question(server: str, visit: Visit) -> None:
    page = visit(f"{server}/concepts?idea={EXERCISES[0]}", ".exercise .question")
    titles, question = load_messages("en").get_table("idea"), page.locator(".exercise .question")
    asked = question.inner_text()
    for idea in EXERCISES[1:]:
        page.get_by_role("radio", name=titles[idea], exact=True).click()
        expect(question).not_to_have_text(asked)
        asked = question.inner_text()
