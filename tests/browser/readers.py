"""Twenty readers at one server at once: `python -m tests.browser.readers [--readers N] [--sentences N] [--within S]`.

Each reader is a session of its own on a real server, over the same WebSocket and with the same messages as a browser's:
it opens the first page, puts sentences of its own into the box one after the other, presses Enter, the first time at a
moment of its own within the first S seconds, and waits for the picture. (Twenty Chromium pages on a small machine would
measure Chromium.) Every picture is compared with what the models say when they are asked directly, without a server.
Two more readers leave in the middle of it all, whom nobody may notice. Prints the waits; exits with 1 if anybody got
anything but their own result.
"""

import argparse
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass
from itertools import count, product
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Origin, Subprotocol
from websockets.sync.client import connect

from model.text.normalise import normalise
from tests.browser.running import serving
from tests.pages.fakes import ATTENDED, PLAIN

PATIENCE = 300.0  # seconds that a reader waits at most
_WHO = ("teacher", "painter", "doctor", "baker", "farmer", "driver", "singer", "captain", "poet", "nurse")
_DOES = ("reads the old letter", "opens the blue window", "looks for the lost key", "waits near the river")


def sentences() -> Iterator[str]:
    """Sentences of this module's own making, all different, without end."""
    for number in count(1):
        for does, who, when in product(_DOES, _WHO, ("today", "again", "at night")):
            often = f", {number} times" if number > 1 else ""
            yield f"The young {who} {does} {when}{often}."


@dataclass(frozen=True)
class Wait:
    """How long one reader waited for one sentence, in seconds, and the picture that came."""

    sentence: str
    seconds: float
    picture: dict[str, Any]


class Reader:
    """One session. `ask` puts a sentence into the box and gives the picture of it."""

    def __init__(self, address: str) -> None:
        self._deadline = time.monotonic() + PATIENCE
        stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(stream, origin=Origin(address), subprotocols=[Subprotocol("streamlit")], max_size=None)
        )
        self._ids: dict[str, str] = {}
        self._link = ""  # what the address says, which a browser tells with every question
        opening = BackMsg()
        opening.rerun_script.SetInParent()
        self._socket.send(opening.SerializeToString())
        self._until_done()

    def ask(self, sentence: str) -> Wait:
        """Press Enter with `sentence` in the box, and wait for its picture."""
        began = time.monotonic()
        self._enter(sentence)
        seconds, picture = 0.0, {}
        for component, sent in self._until_done():
            if component.endswith("heatmap"):
                seconds, picture = time.monotonic() - began, sent
        return Wait(sentence, seconds, picture)

    def leave(self, sentence: str) -> None:
        """Ask for something, and go."""
        self._enter(sentence)
        self.close()

    def close(self) -> None:
        self._open.close()

    def _enter(self, sentence: str) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self._link
        states = message.rerun_script.widget_states.widgets
        states.add(id=self._ids["sentence"], string_value=sentence)
        states.add(id=self._ids["submit"], trigger_value=True)
        self._socket.send(message.SerializeToString())

    def _until_done(self) -> list[tuple[str, Any]]:
        """Read until the page is drawn; gives the components on it and what they were sent."""
        components = []
        while True:
            message = ForwardMsg.FromString(bytes(self._socket.recv(self._deadline - time.monotonic(), decode=False)))
            element = message.delta.new_element
            if element.HasField("bidi_component"):
                sent = element.bidi_component
                components.append((sent.component_name, json.loads(sent.json or "[null]")[0]))
            elif element.HasField("text_area") and "sentence" in element.text_area.id:
                self._ids["sentence"] = element.text_area.id
            elif element.HasField("button") and "submit" in element.button.id:
                self._ids["submit"] = element.button.id
            elif message.WhichOneof("type") == "page_info_changed":
                self._link = message.page_info_changed.query_string
            if message.WhichOneof("type") == "script_finished" and message.script_finished in (
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
            ):
                return components


def read(address: str, shares: list[list[str]], within: float = 0.0) -> list[Wait]:
    """Let one reader for each of `shares` ask its sentences, all at once, or one after the other evenly `within` so
    many seconds; raises what went wrong with any of them."""
    waits: list[Wait] = []
    wrong: list[BaseException] = []
    together = threading.Barrier(len(shares))

    def one(number: int, share: list[str]) -> None:
        try:
            with closing(Reader(address)) as reader:
                together.wait(PATIENCE)
                time.sleep(within * number / len(shares))
                waits.extend([reader.ask(sentence) for sentence in share])
        except BaseException as error:
            wrong.append(error)
            together.abort()

    threads = [threading.Thread(target=one, args=(number, share), daemon=True)
               for number, share in enumerate(shares)]
    for thread in threads:
        thread.start()
    leavers = [Reader(address) for _ in range(2)]
    for number, leaver in enumerate(leavers):
        leaver.leave(f"Nobody waits for this sentence number {number}.")
    for thread in threads:
        thread.join(PATIENCE)
    if wrong:
        raise wrong[0]
    return waits


def differing(waits: list[Wait]) -> list[str]:
    """The sentences whose picture is not the one that the models draw when they are asked directly."""
    from model.decoding import Settings
    from pages.ui.backend import service
    from pages.ui.heatmap import heatmap
    from pages.ui.i18n.messages import load_messages

    names = (ATTENDED, PLAIN)
    models = [service.load_model(name) for name in names]
    found = []
    for wait in waits:
        text = normalise(wait.sentence)
        best, (beside,) = (service.translate_sentence(model, text, Settings(), lambda: False) for model in models)
        view = heatmap.HeatmapView(wait.picture.get("unit", "words"), wait.picture.get("scale", "violet"))
        expected = json.loads(json.dumps(heatmap.build_heatmap_payload(best, beside, view, 0, load_messages("en"))))
        if not _same(wait.picture, expected):
            found.append(wait.sentence)
    return found


def _same(picture: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Whether two pictures hold the same words and, but for the last digit, the same weights."""

    def content(of: dict[str, Any]) -> tuple[Any, ...]:
        return of["source"]["words"], [best["words"] for best in of["best"]], of["beside"]["words"], of["made"]

    if not picture or content(picture) != content(expected):
        return False
    pairs = zip(picture["best"][0]["alpha"], expected["best"][0]["alpha"], strict=True)
    return all(abs(one - other) <= 1 for row, wanted in pairs for one, other in zip(row, wanted, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--readers", type=int, default=20, help="how many readers ask at once")
    parser.add_argument("--sentences", type=int, default=3, help="how many sentences each of them asks for")
    parser.add_argument("--within", type=float, default=0.0, help="seconds in which they press Enter the first time")
    parser.add_argument("--server", help="the address of a server that runs already, instead of a fresh one")
    given = parser.parse_args()
    coming = sentences()
    shares = [[next(coming) for _ in range(given.sentences)] for _ in range(given.readers)]
    with nullcontext(given.server) if given.server else serving() as address:
        with closing(Reader(address)) as first:
            first.ask("The models are being loaded.")
        began = time.monotonic()
        waits = read(address, shares, given.within)
        seconds = time.monotonic() - began
    own = differing(waits)
    times = sorted(wait.seconds for wait in waits)
    print(f"{given.readers} readers, {len(waits)} sentences by two models in {seconds:.1f} s")
    late = statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    print(f"waits: median {statistics.median(times):.2f} s, 95th percentile {late:.2f} s, slowest {times[-1]:.2f} s")
    print(f"not their own result: {len(own)}")
    for sentence in own:
        print(f"  {sentence}")
    return 1 if own or len(waits) < given.readers * given.sentences else 0


if __name__ == "__main__":
    sys.exit(main())
