"""What everyone sees of a draft who has its link: the drawing as it was saved last, and nothing beside it."""

import re
from collections.abc import Iterable
from typing import Annotated, Final, TypedDict
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve

from games.documents import written
from games.errors import DeadLink
from games.shipyard.drawings import faults_in
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import DraftDocument, DraftProblem, problems_in, suiting

TOKEN: Final = re.compile(r"[\w-]{1,64}", re.ASCII)

ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)

UNSEARCHED: Final = ("X-Robots-Tag", "noindex, nofollow")
"""The header that keeps what has a secret address out of search engines.

`Referrer-Policy` is `same-origin` everywhere (`roborunner.headers`): no other site learns the address.
"""


class SharedStarshipView(TypedDict):
    """A starship that a person is drawing, and shows to everyone who has its link."""

    name: str
    builder: Annotated[str, "The Robo Name of the person who draws it."]
    ruleset: Annotated[str, "What it is for; empty for any that it will suit."]
    players: Annotated[int, "How many it is for."]
    width: int
    height: int
    suits: Annotated[list[str], "The rulesets by which it can be flown."]
    document: DraftDocument
    problems: list[DraftProblem]


def shared_draft(*, link: str) -> StarshipDraft:
    """Return the draft of a link. Raises DeadLink if the link opens nothing.

    The links of a person who is not active open nothing either.
    """
    drafts = StarshipDraft.objects.select_related("user").filter(user__is_active=True)
    draft = drafts.filter(link_token=link).first() if TOKEN.fullmatch(link) else None
    if draft is None:
        raise DeadLink("no-shared-draft")
    return draft


def shared_view(draft: StarshipDraft) -> SharedStarshipView:
    """Return what a link shows of a draft."""
    return written(
        SharedStarshipView,
        draft,
        builder=draft.user.robo_name,
        suits=[edition.key for edition in suiting(drawing=draft)],
        problems=problems_in(faults_in(draft)),
    )


def is_address(text: str) -> bool:
    """Return whether a text is an address of the web, and nothing else.

    >>> is_address(" https://robots.example.org/x/ "), is_address("a . .+i1")
    (True, False)
    """
    return ADDRESS.fullmatch(text.strip()) is not None


def link_in(address: str, hosts: Iterable[str]) -> str | None:
    """Return which link an address of one of these hosts is; None for any other address."""
    try:
        parts = urlsplit(address.strip())
        found = resolve(parts.path) if parts.netloc.lower() in hosts else None
    except (ValueError, Resolver404):
        return None
    return found.kwargs["link"] if found and found.view_name == "shipyard:shared" else None
