"""A vote with a projector and two phones: live counts, the answer, a question of the lecturer's own, and the end."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pages.ui.frame.serving import THEME_COOKIE
from pages.ui.i18n.messages import load_messages
from tests.browser.accessibility import find_violations
from tests.browser.conftest import close_page, get_context
from tests.browser.running import settle_presentation

Visit = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}}


def open_phone(browser: Browser, address: str, problems: list[str], **options: object) -> Page:
    """Open the vote's page as a phone of its own; errors are added to `problems`."""
    page = get_context(browser, {**PHONE, **options}).new_page()
    page.on("console", lambda message: problems.extend([message.text] * (message.type == "error")))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(address)
    return page


def answer_late(route: Route) -> None:
    """Keep an answer back for longer than the projector waits before it asks for the counts again."""
    response = route.fetch()
    time.sleep(2)
    route.fulfill(response=response)


def expect_no_overflow(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("theme", "locale"), [("light", "en-GB"), ("dark", "ko-KR")])
def test_a_class_votes_where_the_model_attends_and_sees_the_answer(
    server: str, visit: Visit, browser: Browser, theme: str, locale: str
) -> None:
    t = load_messages(locale[:2])
    problems: list[str] = []
    projector = visit(f"{server}/step_by_step?present=1&embed_options={theme}_theme", ".film", locale=locale,
                      viewport={"width": 1280, "height": 720})  # fmt: skip
    settle_presentation(projector)
    projector.keyboard.press("v")
    dialog = projector.get_by_role("dialog", name=t("vote.title"))
    code = dialog.locator(".room-code").inner_text()
    expect(dialog.get_by_role("img", name=t("vote.code_picture"))).to_be_visible()
    options = {"locale": locale, "color_scheme": theme}
    phones = [
        open_phone(browser, f"{server}/vote/{code}", problems, **options, device_scale_factor=scale) for scale in (1, 2)
    ]
    for phone in phones:
        expect(phone.get_by_role("status")).to_have_text(t("phone.waiting"))
    expect(dialog.locator(".readers")).to_have_text(t("vote.readers", count=2))

    projector.keyboard.press("PageDown")  # asks where the model attends at step 1
    bars = dialog.locator(".bars li")
    expect(bars.first).to_be_visible()
    words = dialog.locator(".bars b").all_inner_texts()
    for phone, first in zip(phones, (1, 0), strict=True):
        buttons = phone.locator("[data-option]")
        expect(buttons.locator("b")).to_have_text(words)
        buttons.nth(first).click()
        buttons.nth(1).click()  # changed, or pressed twice
        expect(buttons.nth(1)).to_have_attribute("aria-pressed", "true")
        expect(phone.get_by_role("status")).to_have_text(t("phone.chosen"))
        expect_no_overflow(phone)
        assert find_violations(phone) == []
    expect(dialog.locator(".total")).to_have_text(t("vote.votes", count=2))
    share = "100%" if t.language == "ko" else "100 %"
    expect(bars.nth(1)).to_have_attribute("aria-label", t("vote.option", option=words[1], count=2, share=share))
    assert find_violations(projector) == []
    projector.keyboard.press("PageDown")  # closes
    expect(phones[0].locator("[data-option]").first).to_be_disabled()
    expect(dialog.locator(".answer")).to_have_count(0)
    expect(dialog.locator(".primary")).to_have_text(t("vote.reveal"))  # a press before that counts as a double press
    projector.keyboard.press("PageDown")  # reveals
    answer = dialog.locator(".answer b")
    expect(answer).to_have_count(1)
    right = answer.inner_text()
    verdict = t("phone.right") if right == words[1] else t("phone.wrong", answer=f"“{right}”")
    for phone in phones:
        expect(phone.get_by_role("status")).to_have_text(verdict)
        expect(phone.locator(".answer b")).to_have_text(right)
        expect_no_overflow(phone)
        assert find_violations(phone) == []
    assert find_violations(projector) == []
    projector.keyboard.press("PageDown")  # back to the page, which plays the step
    expect(dialog).to_be_hidden()
    expect(projector.locator(".film .weight").first).to_be_visible()

    projector.keyboard.press("v")
    dialog.get_by_role("button", name=t("vote.ask_own")).click()
    with projector.expect_response("**/counts"):
        dialog.get_by_role("button", name=t("vote.start")).click()  # without a text
    expect(dialog.locator(".problem")).to_have_text(t("vote.wrong_own"))
    dialog.get_by_label(t("vote.own_text")).fill("Will it")
    projector.keyboard.press("PageUp")  # while typing it turns no page
    projector.keyboard.press("Escape")
    projector.wait_for_function("document.activeElement === document.body")  # a little later
    projector.keyboard.press("v")
    dialog.get_by_role("button", name=t("vote.ask_own")).click()
    expect(dialog.get_by_label(t("vote.own_text"))).to_have_value("Will it")
    dialog.get_by_label(t("vote.own_text")).fill("<b>Will it reverse twelve letters?</b>")
    dialog.get_by_role("button", name=t("vote.start")).click()
    phones[0].get_by_role("heading", name="<b>Will it reverse twelve letters?</b>").wait_for()
    phones[0].get_by_role("button", name=t("vote.no"), exact=True).click()
    expect(dialog.locator(".total")).to_have_text(t("vote.votes", count=1))
    projector.keyboard.press("PageDown")
    expect(bars.nth(1)).to_have_attribute("role", "button")
    bars.nth(1).focus()
    projector.keyboard.press("Enter")  # the lecturer knows the answer
    expect(phones[0].get_by_role("status")).to_have_text(t("phone.right"))
    expect(phones[1].get_by_role("status")).to_have_text(t("phone.wrong", answer=f"“{t('vote.no')}”"))
    projector.route("**/end", answer_late)
    dialog.get_by_role("button", name=t("vote.end"), exact=True).click()
    for phone in phones:
        expect(phone.get_by_role("status")).to_have_text(t("phone.over"))
        close_page(phone)
    assert [text for text in problems if "404" not in text] == []


def test_a_code_is_typed_and_an_unknown_one_gets_a_sentence(server: str, browser: Browser) -> None:
    page = open_phone(browser, f"{server}/vote", [], color_scheme="light", locale="en-GB")
    page.context.add_cookies([{"name": THEME_COOKIE, "value": "dark", "url": server}])
    t = load_messages("en")
    page.get_by_label(t("phone.code")).fill("bcd fgh")
    page.get_by_role("button", name=t("phone.enter")).click()
    expect(page.get_by_role("status")).to_have_text(t("phone.problem_unknown"))
    assert "/vote/BCDFGH" in page.url
    expect_no_overflow(page)
    assert find_violations(page) == []
    close_page(page)
