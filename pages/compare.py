"""Compare: one sentence through two models, what was lost, repeated or invented, and the sentence growing."""

from dataclasses import replace

from pages import guard, pages
from pages.ui.backend import service
from pages.ui.compare import growing_sentence, payload
from pages.ui.frame import frame
from pages.ui.frame.rerun import rerun
from pages.ui.url_state import links
from pages.ui.url_state.state import carried, messages
from pages.ui.widgets import controls, doubts, worked
from pages.ui.widgets.requests import Request, Typed, answer, before, seen_by


def main() -> None:
    t = messages()
    frame.styles("compare")
    typed = controls.box(t)
    sentence = Typed.of(typed)
    with frame.line("options", 36, "small"):
        model = controls.model(links.MODEL, t, controls.PAIRED)
        beside = controls.model(links.BESIDE, t, controls.PAIRED)
        key = controls.map_shown(model, t)
        search = controls.search(t)
        controls.live(t)
        controls.about(t)
    status = doubts.line(typed, t, pages=pages)
    requests = (Request(model, search, carried(links.EDITS)), Request(beside, search))
    waiting = before(sentence, requests)
    shown = waiting or answer(sentence, requests, t, status)
    if shown is not None:
        one, other = seen_by(shown, key)
        whole = (one[0], other[0] if other else None)
        # Where a request was refused, what was shown before stays, and may be other models'.
        search = next((one for one in links.SEARCHES.values() if one.provenance == whole[0].made_by.settings), search)
        made = tuple(
            replace(asked, model=found.made_by.model, settings=search) if found else asked
            for asked, found in zip(requests, whole, strict=True)
        )
        text = whole[0].source.text
        clause = 0 if waiting else growing_sentence.get_clause(text, whole[0].source_language)
        pairs = growing_sentence.get_prefix_translations(whole, made, key) if clause else [whole]
        payload.render_comparison(payload.build_compare_payload(pairs or [whole], clause, search, t))
        if pairs is None:
            problem = growing_sentence.translate_prefixes(whole, made, t, status)
            growing_sentence.store_clause(text, 0 if problem else clause, problem)
            rerun()
        elif not waiting:
            problem = growing_sentence.get_problem()
            if problem:
                status.tell(problem)
            growing_sentence.store_clause(text, clause)
            worked.ask(whole, t)
    if waiting:
        rerun()
    service.shared().warm(model, beside)


guard()
main()
