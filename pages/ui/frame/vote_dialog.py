"""The vote's dialog on every page, a browser component. The rest is between its script and the routes (vote.py)."""

from typing import Annotated, TypedDict

from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages


class VoteData(TypedDict):
    """The texts of the vote's dialog."""

    messages: Annotated[dict[str, str], "vote"]
    language: str


_mount = Component("vote", VoteData)


def mount_vote(t: Messages) -> None:
    """Draw the component. Its data is the same on every page, so it is sent only once."""
    data: VoteData = {"messages": t.get_table("vote"), "language": t.language}
    _mount(key="vote", data=data)
