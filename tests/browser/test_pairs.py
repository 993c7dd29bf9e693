"""A second pair of languages: how a Korean word is read, and word order beside French."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.running import settle

Visit = Callable[..., Page]
KOREAN = "나는 학생이다."


def test_a_korean_word_shows_how_it_is_read(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?pair=ko-en&sentence={KOREAN}")
    settle(page)
    page.get_by_text("학생이다", exact=True).first.hover()
    expect(page.locator(".reading")).to_have_text("haksaengida")


def test_word_order_joins_three_languages(server: str, visit: Visit) -> None:
    page = visit(f"{server}/concepts?idea=word_order&pair=ko-en&sentence={KOREAN}", ".word-order .columns")
    expect(page.locator(".word-order .words").first.locator("li").nth(1)).to_have_text("학생이다")
    expect(page.locator(".word-order .shares")).to_contain_text("EN→FR")
    page.locator(".word-order .words li").first.hover()
    expect(page.locator(".word-order .description")).to_contain_text("나는")
    page.get_by_role("button", name="heatmaps").click()
    expect(page.locator(".word-order .chain i").first).to_be_visible()
