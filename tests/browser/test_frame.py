"""The frame in a real Chromium: presenting with a clicker, links by keyboard, and what a broken link says."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.running import addresses, brought, expect_model, settled

Visit = Callable[..., Page]

SENTENCE = "I am a student."  # one of the shipped ones: no model is needed

FOCUSED = """() => {
  let node = document.activeElement
  while (node.shadowRoot) node = node.shadowRoot.activeElement
  if (node === document.body) return ""
  if (node.classList.contains("stMain")) return "main"
  // The button that scrolls the examples is a part of their line.
  const scrolls = node.matches(".st-key-examples") && getComputedStyle(node, "::scroll-button(inline-end)")
  if (scrolls) return scrolls.outlineStyle !== "none" ? "›" : "unseen ›"
  const { outlineStyle, boxShadow } = getComputedStyle(node)
  const ringed = outlineStyle !== "none" || boxShadow !== "none" || node.tagName === "TEXTAREA"
  const seen = node.matches(":focus-visible") && ringed
  return (seen ? "" : "unseen ") + (node.innerText || node.tagName).trim().split("\\n")[0]
}"""
"""What has the keyboard, and whether that is seen (an input's frame shows it)."""


def linked(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def presenting(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.hasAttribute('data-presenting')"))


def scrolled(page: Page) -> float:
    return float(page.evaluate("document.querySelector('.stMain').scrollTop"))


def test_presenting_with_a_clicker(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence={SENTENCE}&scale=grey", viewport={"width": 1280, "height": 340})
    settled(page)  # a line that is drawn anew just then has no size
    size = page.locator(".readout").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    page.get_by_role("button", name="Present", exact=True).click()
    assert presenting(page)
    expect(page.get_by_role("heading", name="Align & Translate")).to_be_hidden()
    expect(page.locator(".st-key-options")).to_be_hidden()
    expect(page).to_have_url(re.compile("present=1"))

    # The page is higher than the window, and yet nothing moves it by accident.
    main = page.locator(".stMain").element_handle()
    page.wait_for_function("main => main.scrollHeight > main.clientHeight + 40", arg=main)
    brought(page)
    enlarged = page.locator(".readout").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert enlarged >= 1.3 * size
    begins = scrolled(page)
    for key in ("Space", "ArrowDown", "ArrowUp", "End", "Home"):
        page.keyboard.press(key)
    assert scrolled(page) == begins
    assert page.evaluate("getComputedStyle(document.querySelector('.stMain')).overscrollBehaviorY") == "none"

    places = [begins]
    while urlsplit(page.url).path == "/":
        page.keyboard.press("PageDown")
        page.wait_for_timeout(300)
        places.append(scrolled(page))
        assert len(places) < 20
    assert places[1] > begins  # first the page is walked, then it is turned
    expect(page).to_have_url(re.compile("/step_by_step"))
    page.wait_for_selector(".component:not(.frame)")
    assert presenting(page)
    said = linked(page)
    assert (said["present"], said["sentence"], said["scale"]) == ("1", SENTENCE, "grey")
    settled(page)
    back: list[float] = []
    while urlsplit(page.url).path != "/":
        page.keyboard.press("PageUp")
        page.wait_for_timeout(300)
        back.append(scrolled(page))
        assert len(back) < 40, back
    expect(page.locator(".picture table.grey")).to_be_visible()
    brought(page)
    assert scrolled(page) > begins  # from behind one comes to the end of a page
    assert presenting(page)

    for key in ("b", "."):
        page.keyboard.press(key)
        expect(page.locator(".frame .black")).to_be_visible()
        page.keyboard.press("PageDown")
        expect(page.locator(".frame .black")).to_be_hidden()
    assert urlsplit(page.url).path == "/"

    page.keyboard.press("Escape")
    assert not presenting(page)
    expect(page.get_by_role("heading", name="Align & Translate")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present=1"))


def test_a_slider_keeps_its_own_keys_while_presenting_and_no_others(server: str, visit: Visit) -> None:
    page = visit(f"{server}/length_and_bleu?present=1", ".birth .track")
    settled(page)
    track = page.locator(".birth .track")
    for key, value in (("Home", "0"), ("ArrowRight", "1"), ("ArrowUp", "2"), ("Space", "2")):
        track.press(key)
        expect(track).to_have_value(value)
    for key in ("b", "."):
        track.press(key)
        expect(page.locator(".frame .black")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".frame .black")).to_be_hidden()
    page.evaluate("dispatchEvent(new WheelEvent('wheel'))")  # from now on nothing but the reader moves the page
    page.locator(".birth").evaluate("node => node.scrollIntoView({ block: 'center' })")
    track.press("s")  # the steps that are left are skipped
    expect(track).to_have_value(track.get_attribute("max") or "")


def test_what_comes_late_moves_no_picture_out_of_the_window_until_somebody_walks(server: str, visit: Visit) -> None:
    """On a slow machine a page is whole long after it was first seen: it is brought to its place then."""
    page = visit(f"{server}/?present=1&sentence={SENTENCE}", viewport={"width": 1280, "height": 720})
    brought(page)
    picture = page.locator(".picture")
    page.locator(".stMain").evaluate("main => { main.style.overflowAnchor = 'none' }")  # so Chromium moves nothing
    cut = "node => node.getBoundingClientRect().bottom > innerHeight"
    grow = """node => {
      const late = document.createElement("div")
      late.style.height = "300px"
      document.querySelector(".st-key-sheet").prepend(late)
      return node.getBoundingClientRect().bottom > innerHeight
    }"""
    assert not picture.evaluate(cut)
    assert picture.evaluate(grow)
    page.wait_for_function(f"node => !({cut})(node)", arg=picture.element_handle())
    page.evaluate("dispatchEvent(new WheelEvent('wheel'))")  # from now on nothing but the reader moves the page
    assert picture.evaluate(grow)
    page.wait_for_timeout(500)
    assert picture.evaluate(cut)


def test_a_link_opens_presenting_and_the_switch_ends_it(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?present=1")
    expect(page.get_by_role("heading", name="Align & Translate")).to_be_hidden()
    assert page.evaluate("document.activeElement === document.body")  # keys are for the picture
    page.get_by_role("button", name="End presenting").click()
    expect(page.get_by_role("heading", name="Align & Translate")).to_be_visible()
    page.keyboard.press("PageDown")  # a clicker does nothing while nobody presents
    assert urlsplit(page.url).path == "/"


def test_a_broken_link_says_so_and_the_keyboard_reaches_everything(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?scale=purple")
    expect(page.get_by_role("alert")).to_contain_text("scale = “purple”")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator(".frame .skip").focus()
    box = page.locator(".frame .skip").bounding_box()
    assert box is not None
    assert box["y"] >= 0  # it is seen when it has the keyboard
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-sentence textarea")).to_be_focused()
    reached = set()
    page.locator(".frame .skip").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(FOCUSED))
    # Of a group of choices the chosen one is reached; arrow keys go on from there.
    expected = {"Present", "Step by step", "English", "TEXTAREA", "Translate", "greedy", "words", "models", "SVG"}
    assert expected <= reached, reached
    # Streamlit's own way past the frame shows itself by where it stands.
    assert not {name for name in reached if name.startswith("unseen ")} - {"unseen Skip to main content"}


def test_the_first_page_by_its_name_on_a_warm_server(server: str, visit: Visit) -> None:
    page = visit(server)
    page.evaluate("history.replaceState(null, '', '/')")
    warm = page.context.new_page()
    warm.goto(f"{server}/translate?unit=pieces")
    warm.wait_for_selector(".picture table")
    expect(warm.get_by_role("radio", name="pieces")).to_be_checked()
    expect(warm.get_by_role("dialog")).to_have_count(0)
    assert warm.locator(".st-key-page-now").inner_text() == "Translate"
    warm.close()


def test_what_was_chosen_goes_along_to_the_next_page(server: str, visit: Visit) -> None:
    """Also on the first way to a page, which has never shown that control."""
    page = visit(f"{server}/?sentence={SENTENCE}")
    page.get_by_role("radio", name="beam 5").click()
    expect(page).to_have_url(re.compile("search=beam"))
    for name in ("Step by step", "Compare"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("radio", name="beam 5")).to_be_checked()
        expect_model(page, "RNNsearch-50")
        expect(page).to_have_url(re.compile("search=beam"))


def test_the_links_to_the_pages_stay_while_a_page_runs_anew(server: str, visit: Visit) -> None:
    """One that is away for a moment misses the click that comes just then."""
    page = visit(f"{server}/?sentence={SENTENCE}")
    settled(page)
    page.evaluate("""() => {
      const count = () => document.querySelectorAll(".st-key-pages a").length
      window.fewest = count()
      new MutationObserver(() => { window.fewest = Math.min(window.fewest, count()) })
        .observe(document.body, { childList: true, subtree: true })
    }""")
    for option, said in (("pieces", "unit=pieces"), ("paper grey", "scale=grey"), ("한국어", "lang=ko")):
        page.locator(".st-key-sheet button", has_text=re.compile(f"^{option}$")).first.click()
        page.wait_for_url(re.compile(said))
        settled(page)
    assert page.evaluate("window.fewest") == len(addresses())


def test_nothing_is_seen_before_the_styles_are_there(server: str, browser: Browser) -> None:
    """What draws the style sheet comes from the server like all the rest, and may come last."""
    page, held = browser.new_page(), list[Route]()
    height = "() => document.querySelector('.st-key-sheet').getBoundingClientRect().height"

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/Html\.[^/]*\.js"), hold)
    page.goto(server)
    page.wait_for_selector(".st-key-box textarea", state="attached")
    assert held
    assert page.evaluate(height) == 1
    held.pop().continue_()
    page.wait_for_function(f"() => ({height})() > 300")
    page.close()


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
def test_the_frame_s_line_goes_into_a_small_laptop_s_window(server: str, visit: Visit, locale: str) -> None:
    page = visit(f"{server}/length_and_bleu", ".st-key-finding", viewport={"width": 1280, "height": 720},
                 locale=locale)  # fmt: skip
    settled(page)
    wide, room = page.locator(".st-key-frame").evaluate("node => [node.scrollWidth, node.clientWidth]")
    assert wide <= room


@pytest.mark.parametrize(("width", "locale"), [(390, "ko-KR"), (760, "en-GB"), (1024, "en-GB"), (1241, "en-GB")])
def test_pages_and_switches_are_all_in_sight_in_any_window(
    server: str, visit: Visit, width: int, locale: str
) -> None:
    page = visit(f"{server}/compare", ".st-key-options", viewport={"width": width, "height": 800}, locale=locale)
    settled(page)
    frame = page.locator(".st-key-frame").bounding_box()
    assert frame is not None
    shown = page.locator(".st-key-pages a, .st-key-frame h1, .st-key-lang button, .frame button:not(.skip)")
    boxes = shown.evaluate_all("""nodes => nodes.map(node => node.getBoundingClientRect())
        .map(box => [box.left, box.top, box.right, box.bottom])""")
    assert len(boxes) == len(addresses()) + 4
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= width
        assert frame["y"] - 1 <= top < bottom <= frame["y"] + frame["height"] + 1
    for number, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:number]:
            assert left >= other[2] - 1 or right <= other[0] + 1 or top >= other[3] - 1 or bottom <= other[1] + 1


def test_options_wider_than_a_phone_say_that_they_go_on(server: str, visit: Visit) -> None:
    page = visit(f"{server}/compare", ".st-key-options", viewport={"width": 390, "height": 844}, locale="ko-KR")
    settled(page)
    options = page.locator(".st-key-options")
    beside = options.locator("input").nth(1).bounding_box()
    assert beside is not None
    assert beside["x"] + beside["width"] < 390, "which model it is compared with is read at once"
    mask = "node => getComputedStyle(node).maskImage"
    assert "gradient" in options.evaluate(mask)
    options.evaluate("node => node.scrollLeft = node.scrollWidth")
    page.wait_for_function("() => getComputedStyle(document.querySelector('.st-key-options')).maskImage === 'none'")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("() => getComputedStyle(document.querySelector('.st-key-options')).maskImage === 'none'")


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("length_and_bleu", "options-sets"),
        ("length_and_bleu", "options-curves"),
        ("laboratory?part=sampling", "experiment"),
        ("laboratory?part=asking", "experiment"),
        ("your_text", "options"),
    ],
)
def test_every_choice_of_a_line_is_reached_on_a_phone(server: str, visit: Visit, address: str, key: str) -> None:
    page = visit(f"{server}/{address}", f".st-key-{key}", viewport={"width": 390, "height": 844})
    settled(page)
    line = page.locator(f".st-key-{key}")
    for choice in line.get_by_role("button").or_(line.get_by_role("radio")).all():
        choice.evaluate("node => node.scrollIntoView({ inline: 'center' })")
        box = choice.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390
        choice.click(trial=True, timeout=2_000)
    line.evaluate("node => node.scrollLeft = 0")  # which is seen with the next picture
    fades = "key => getComputedStyle(document.querySelector('.st-key-' + key)).maskImage.includes('gradient')"
    page.wait_for_function(fades, arg=key)
    assert line.locator("..").evaluate("node => getComputedStyle(node).position") == "relative"
    within = """node => [...node.querySelectorAll('*')]
        .some(one => one.clientWidth && one.scrollWidth > one.clientWidth + 2)"""
    assert not line.evaluate(within), "the line is scrolled, not what is in it"


def test_what_is_typed_and_not_asked_goes_along(server: str, visit: Visit) -> None:
    page = visit(f"{server}?sentence=The+dog+sleeps.")
    box = page.locator(".st-key-sentence textarea")
    box.fill("The cat drinks.")
    page.get_by_role("link", name="Compare").click()
    expect(page).to_have_url(re.compile(r"/compare\?.*sentence=The\+cat\+drinks\."))
    expect(box).to_have_value("The cat drinks.")
    expect(page.locator(".source")).to_contain_text("cat")


def test_a_link_that_carries_no_sentence_is_followed_at_once(server: str, visit: Visit) -> None:
    page = visit(server)
    page.locator(".st-key-sentence textarea").fill("The cat drinks.")
    page.get_by_role("link", name="New here?").click()
    expect(page).to_have_url(re.compile("/story"), timeout=3000)


def test_going_back_takes_one_press_a_page(server: str, visit: Visit) -> None:
    """Though each page writes other fingerprints into its address."""
    page = visit(f"{server}?sentence=The+dog+sleeps.")
    addresses = []
    for name in ("Compare", "Step by step"):
        expect(page).to_have_url(re.compile("weights="))
        settled(page)
        addresses.append(page.url)
        page.get_by_role("link", name=name).click()
        expect(page).to_have_url(re.compile(name.replace(" ", "_"), re.IGNORECASE))
    settled(page)
    for address in reversed(addresses):
        page.go_back()
        expect(page).to_have_url(address)
        settled(page)


def test_going_back_goes_past_the_steps_of_a_translation(server: str, visit: Visit) -> None:
    page = visit(f"{server}?sentence=The+dog+sleeps.")
    settled(page)
    address = page.url
    page.get_by_role("link", name="Step by step").click()
    expect(page.locator(".player")).to_be_visible()
    settled(page)
    for step in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(f"step={step}"))
        settled(page)
    page.go_back()
    expect(page).to_have_url(address)


def test_a_link_pressed_with_control_opens_a_tab_and_leaves_this_page_as_it_is(server: str, visit: Visit) -> None:
    page = visit(f"{server}/?sentence={SENTENCE}", ".heatmap, .picture")
    box = page.locator(".st-key-sentence textarea")
    box.fill("Something that is being typed")
    with page.context.expect_page() as opening:
        page.get_by_role("link", name="Compare").click(modifiers=["ControlOrMeta"])
    expect(opening.value).to_have_url(re.compile("/compare"))
    assert urlsplit(page.url).path == "/"
    expect(box).to_have_value("Something that is being typed")
    opening.value.close()
