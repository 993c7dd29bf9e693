"""The frame around all pages: presenting with a clicker, links, history, broken links, narrow windows."""

import io
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.running import expect_model, get_box, is_presenting, list_addresses, settle, settle_presentation

Visit = Callable[..., Page]

SENTENCE = "I am a student."  # a shipped example: needs no model
BOX = ".st-key-sentence textarea"
DESCRIBE_FOCUS = """() => {
  let node = document.activeElement
  while (node.shadowRoot) node = node.shadowRoot.activeElement
  if (node === document.body) return ""
  if (node.classList.contains("stMain")) return "main"
  // The button that scrolls the examples or the pages is a part of their line.
  const isLine = node.matches(".st-key-examples, .st-key-pages")
  const scrolls = isLine && getComputedStyle(node, "::scroll-button(inline-end)")
  if (scrolls) return scrolls.outlineStyle !== "none" ? "›" : "unseen ›"
  const { outlineStyle, boxShadow } = getComputedStyle(node)
  const ringed = outlineStyle !== "none" || boxShadow !== "none" || node.tagName === "TEXTAREA"
  const seen = node.matches(":focus-visible") && ringed
  return (seen ? "" : "unseen ") + (node.innerText || node.tagName).trim().split("\\n")[0]
}"""
"""The text of the focused element, after "unseen" if it has no visible focus ring (an input's border is one)."""


def get_scroll_top(page: Page) -> float:
    return float(page.evaluate("document.querySelector('.stMain').scrollTop"))


def press_until_path_changes(page: Page, key: str) -> list[float]:
    """Press a key until another page comes; return the scroll positions on the way."""
    path, positions = urlsplit(page.url).path, [get_scroll_top(page)]
    while urlsplit(page.url).path == path:
        page.keyboard.press(key)
        page.wait_for_timeout(300)
        positions.append(get_scroll_top(page))
        assert len(positions) < 40
    return positions


def test_a_clicker_presents_one_page_after_the_other(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence={SENTENCE}&scale=grey", viewport={"width": 1280, "height": 340})
    settle(page)
    font_size = "node => parseFloat(getComputedStyle(node).fontSize)"
    size = page.locator(".readout").evaluate(font_size)
    page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_role("button", name="Every page").click()
    assert is_presenting(page)
    expect(page.get_by_role("heading", name="Align & Translate")).to_be_hidden()
    expect(page.locator(".st-key-options")).to_be_hidden()
    expect(page).to_have_url(re.compile("present=1"))

    main = page.locator(".stMain").element_handle()
    page.wait_for_function("main => main.scrollHeight > main.clientHeight + 40", arg=main)
    settle_presentation(page)
    assert page.locator(".readout").evaluate(font_size) >= 1.3 * size
    start = get_scroll_top(page)
    page.evaluate("addEventListener('keydown', (event) => (window.handled ??= []).push(event.defaultPrevented))")
    for key in ("Space", "ArrowDown", "ArrowUp", "End", "Home"):
        page.keyboard.press(key)
    assert page.evaluate("window.handled") == [True] * 5  # a browser would scroll, a little later
    assert get_scroll_top(page) == start
    assert press_until_path_changes(page, "PageDown")[1] > start  # walks down the page before it turns
    expect(page).to_have_url(re.compile("/step_by_step"))
    page.wait_for_selector(".component:not(.frame)")
    assert is_presenting(page)
    query = parse_qs(urlsplit(page.url).query)
    assert (query["present"], query["sentence"], query["scale"]) == (["1"], [SENTENCE], ["grey"])
    settle(page)
    press_until_path_changes(page, "PageUp")
    expect(page.locator(".picture table.grey")).to_be_visible()
    settle_presentation(page)
    assert get_scroll_top(page) > start  # at the end of the page before
    for key in ("b", "."):
        page.keyboard.press(key)
        expect(page.locator(".frame .black")).to_be_visible()
        page.keyboard.press("PageDown")
        expect(page.locator(".frame .black")).to_be_hidden()
    page.keyboard.press("q")
    code = page.locator(".frame dialog.code")
    page.wait_for_function("image => image.complete && image.naturalWidth", arg=code.locator("img").element_handle())
    address = re.sub(r"&present=1|present=1&", "", page.url)
    expect(code.locator("p")).to_contain_text([address, "--server.address 0.0.0.0"])
    codes = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
    assert address in [one.text for one in codes]
    page.keyboard.press("PageDown")
    expect(code).to_be_hidden()
    settle(page)
    assert urlsplit(page.url).path == "/"  # another press would open the next page
    page.keyboard.press("Escape")
    assert not is_presenting(page)
    expect(page.get_by_role("heading", name="Align & Translate")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present=1"))
    page.keyboard.press("PageDown")
    assert page.evaluate("window.handled.at(-1)") is False  # a clicker does nothing unless presenting


def test_a_broken_link_is_reported_and_tab_reaches_every_control(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?scale=purple&more=1")
    expect(page.get_by_role("alert")).to_contain_text("“purple” for scale")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    skip = page.locator(".frame .skip")
    skip.focus()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator(BOX)).to_be_focused()
    skip.focus()
    reached = set()
    for _ in range(50):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(DESCRIBE_FOCUS))
    # Tab reaches the chosen option of a group; arrow keys reach the others.
    expected = {
        "Present",
        "Step by step",
        "English",
        "TEXTAREA",
        "Translate",
        "greedy",
        "words",
        "choose models",
        "SVG",
    }
    assert expected <= reached, reached
    # Streamlit's own skip link has no ring; it shows itself by moving into the window.
    assert not {name for name in reached if name.startswith("unseen ")} - {"unseen Skip to main content"}


def test_links_between_pages_carry_options_and_typed_text_and_stay_in_the_document(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence={SENTENCE}&more=1")
    settle(page)
    page.evaluate("""() => {
      const count = () => document.querySelectorAll(".st-key-pages a").length
      window.fewest = count()
      new MutationObserver(() => { window.fewest = Math.min(window.fewest, count()) })
        .observe(document.body, { childList: true, subtree: true })
    }""")
    for option, parameter in (("subwords", "unit=pieces"), ("beam 5", "search=beam")):
        page.locator(".st-key-sheet button", has_text=re.compile(f"^{option}$")).first.click()
        page.wait_for_url(re.compile(parameter))
        settle(page)
    assert page.evaluate("window.fewest") == len(list_addresses())  # a missing link would miss a click
    for name in ("Step by step", "Compare"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("radio", name="beam 5")).to_be_checked()
        expect_model(page, "RNNsearch-50")
        expect(page).to_have_url(re.compile("search=beam"))
    settle(page)
    page.locator(BOX).fill("The cat drinks.")
    with page.context.expect_page() as popup:
        page.get_by_role("link", name="Step by step").click(modifiers=["ControlOrMeta"])
    expect(popup.value).to_have_url(re.compile("/step_by_step"))
    popup.value.close()
    assert urlsplit(page.url).path == "/compare"
    expect(page.locator(BOX)).to_have_value("The cat drinks.")
    page.get_by_role("link", name="Translate", exact=True).click()
    expect(page).to_have_url(re.compile(r"sentence=The\+cat\+drinks\."))
    expect(page.locator("thead .word").nth(1)).to_have_text("cat")


def test_back_takes_one_press_per_page(server: str, visit: Visit) -> None:
    """Each page writes other fingerprints into its address, and each step of a translation its number. A link to
    another page with options changes the address several times."""
    page = visit(f"{server}/family?sentence={SENTENCE}", ".family .target")
    settle(page)
    addresses = [page.url]
    page.get_by_role("button", name="open in Translate").first.click()
    expect(page).not_to_have_url(addresses[-1])
    for name in ("Compare", "Step by step", "Translate"):
        expect(page).to_have_url(re.compile("weights="))
        settle(page)
        if name == "Translate":
            for step in (2, 3):
                page.keyboard.press("ArrowRight")
                expect(page).to_have_url(re.compile(f"step={step}"))
                settle(page)
        addresses.append(page.url)
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).not_to_have_url(addresses[-1])
    settle(page)
    for address in reversed(addresses):
        page.go_back()
        expect(page).to_have_url(address)
        settle(page)


def test_the_choice_of_light_or_dark_is_remembered(server: str, visit: Visit) -> None:
    def expect_colours(page: Page, theme: str) -> None:
        background = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 31)"}[theme]
        expect(page.locator(".stApp")).to_have_css("background-color", background)
        expect(page.locator(".frame .theme")).to_have_attribute("aria-label", re.compile("Light|Dark"))
        expect(page).not_to_have_url(re.compile("embed_options"))

    page = visit(f"{server}?unit=pieces", color_scheme="light")
    expect_colours(page, "light")
    page.get_by_role("button", name="Dark colours").click()
    expect_colours(page, "dark")
    expect(page).to_have_url(re.compile("unit=pieces"))
    page.get_by_role("link", name="Length and BLEU").click()
    expect(page.locator(".stPlotlyChart").first).to_be_visible()
    assert page.locator(".stPlotlyChart text").first.evaluate("node => getComputedStyle(node).fill") != "rgb(0, 0, 0)"
    page.reload()
    expect_colours(page, "dark")
    page.get_by_role("link", name="Translate").click()
    page.get_by_label("Sentence in English").fill("A boat sails.")
    page.get_by_role("button", name="Light colours").click()
    expect_colours(page, "light")
    expect(page.get_by_label("Sentence in English")).to_have_value("A boat sails.")


@pytest.mark.parametrize(("locale", "widths"), [("ko-KR", (1280, 390)), ("en-GB", (1280, 1241, 1024, 760))])
def test_links_and_switches_fit_any_window_and_wide_options_scroll(
    server: str, visit: Visit, locale: str, widths: tuple[int, ...]
) -> None:
    page = visit(f"{server}/compare", ".st-key-options", viewport={"width": 1280, "height": 800}, locale=locale)
    settle(page)
    controls = page.locator(".st-key-pages, .st-key-frame h1, .st-key-lang button, .frame :is(.theme, .present)")
    links = page.locator(".st-key-pages")
    mask = "getComputedStyle(document.querySelector('.st-key-options')).maskImage"
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        frame = get_box(page.locator(".st-key-frame"))
        boxes = controls.evaluate_all("""nodes => nodes.map(node => node.getBoundingClientRect())
            .map(box => [box.left, box.top, box.right, box.bottom])""")
        assert len(boxes) == 6
        if width > 1240:  # else the links scroll sideways
            assert links.evaluate("node => node.scrollWidth <= node.clientWidth")
        expect(page.locator(".st-key-page-now")).to_be_in_viewport(ratio=1)
        for number, (left, top, right, bottom) in enumerate(boxes):
            assert 0 <= left < right <= width
            assert frame["y"] - 1 <= top < bottom <= frame["y"] + frame["height"] + 1
            for other in boxes[:number]:
                assert left >= other[2] - 1 or right <= other[0] + 1 or top >= other[3] - 1 or bottom <= other[1] + 1
    if widths[-1] == 390:
        assert "gradient" in page.evaluate(mask)
        second_model = get_box(page.locator(".st-key-options input").nth(1))
        assert second_model["x"] + second_model["width"] < 390
        page.locator(".st-key-options").evaluate("node => node.scrollLeft = node.scrollWidth")
        page.wait_for_function(f"() => {mask} === 'none'")
