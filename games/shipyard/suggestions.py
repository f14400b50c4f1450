"""What people see of ships that they have asked the generator for: no one else sees them."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.documents import written
from games.errors import NotFound
from games.play.selectors.viewers import Viewer
from games.reasons import tell
from games.shipyard.models import ShipSuggestion
from games.shipyard.runs import REPORT, VERDICTS, report_for, verdict_of
from games.shipyard.selectors import DraftDocument
from rules.tunnel.flying import FLIGHTS

THEMES: Final[dict[str, str | Promise]] = {
    "ring": _("Ring"),
    "canyon": _("Canyon"),
    "islands": _("Islands"),
    "factory": _("Factory"),
    "fortress": _("Fortress"),
    "liner": _("Liner"),
    "orchard": _("Orchard"),
}
"""What the themes of the generator are called."""

ABOUT: Final[dict[str, str | Promise]] = {
    "ring": _("Belts that go round: ride them for speed, and get off in time."),
    "canyon": _("A gap through the ship, and a few ways across."),
    "islands": _("Plates in open space, with causeways of two lanes between them."),
    "factory": _("Production lines, and machines that keep time beside them."),
    "fortress": _("Walls with gates, and what guards them."),
    "liner": _("Cabins with two doors each, on both sides of a corridor."),
    "orchard": _("The same small things in rows, with paths between."),
}
"""What ships of each theme are about, in a sentence."""

SYMMETRIES: Final[dict[str, str | Promise]] = {
    "none": _("None"),
    "two": _("Two halves"),
    "four": _("Four quarters"),
}
"""What the symmetries of the generator are called."""

CANDIDATES: Final = 8
"""Ships that are flown for one that is suggested."""

SEARCHING: Final = 60
"""Percent of the work that is done once all of them were judged; the rest is the whole run of the best."""


class ShipSuggestionFacts(TypedDict):
    """A ship that I have asked for, as lists show it."""

    id: int
    ruleset: str
    players: int
    width: int
    height: int
    theme: Annotated[str, "The theme that I asked for; empty for any."]
    symmetry: Annotated[str, "The symmetry that I asked for; empty for any that suits the theme."]
    seed: Annotated[str, "The same order with the same seed comes to the same ship."]
    status: Annotated[
        str,
        tuple(ShipSuggestion.Status.values),
        "`waiting` and `flying` are under way: ships are being flown.",
    ]
    progress: Annotated[int, "How far the search is, in percent, as far as one can tell."]
    ships: Annotated[int, f"How many ships were judged, of {CANDIDATES}."]
    flown: Annotated[int, "How many flights there were."]
    name: Annotated[str | None, "What the ship is called; null before it is found."]
    found_theme: Annotated[str | None, tuple(THEMES), "The theme of the ship; null before it is found."]
    verdict: Annotated[str | None, VERDICTS, "What the wind tunnel says of it; null before it is found."]
    created_at: datetime
    finished_at: datetime | None


class ShipSuggestionView(ShipSuggestionFacts):
    """A ship that I have asked for, and what came of it."""

    failure: Annotated[str | None, "Why no ship was found, in a sentence; null if that did not fail."]
    document: Annotated[DraftDocument | None, "The ship; null before it is found."]
    report: Annotated[dict[str, Any] | None, REPORT]


def suggestions_of(*, user: User) -> list[ShipSuggestion]:
    """Return what a person has asked for, the last one first, without how far searches have come."""
    return list(ShipSuggestion.objects.filter(user=user).defer("search", "sentences").order_by("-pk"))


def suggestion_for(*, viewer: Viewer, suggestion_id: int) -> ShipSuggestion:
    """Return what the viewer has asked for; raises NotFound for what others have."""
    suggestions = ShipSuggestion.objects.defer("search").filter(pk=suggestion_id)
    found = suggestions.filter(user=viewer).first() if isinstance(viewer, User) else None
    if found is None:
        raise NotFound("no-suggestion", gettext("There is no such suggestion."))
    return found


def suggestion_facts(suggestion: ShipSuggestion) -> ShipSuggestionFacts:
    """Return a suggestion as lists show it."""
    return written(
        ShipSuggestionFacts,
        suggestion,
        id=suggestion.pk,
        progress=progress_of(suggestion),
        name=name_of(suggestion),
        found_theme=suggestion.found_theme or None,
        verdict=verdict_of(suggestion),
    )


def suggestion_view(suggestion: ShipSuggestion) -> ShipSuggestionView:
    """Return a suggestion with its ship, and with its report in the reader's language."""
    return {
        **suggestion_facts(suggestion),
        "failure": tell(suggestion.failure) if suggestion.failure else None,
        "document": suggestion.document,
        "report": report_for(suggestion),
    }


def name_of(suggestion: ShipSuggestion) -> str | None:
    """Return what the ship is called that was found; None before that."""
    return suggestion.document["name"] if suggestion.document else None


def progress_of(suggestion: ShipSuggestion) -> int:
    """Return how far a search is, in percent: first many ships are judged, then the best is flown often."""
    if suggestion.status == ShipSuggestion.Status.DONE:
        return 100
    last_run = (100 - SEARCHING) * min(suggestion.last_flights, FLIGHTS) // FLIGHTS
    return SEARCHING * min(suggestion.ships, CANDIDATES) // CANDIDATES + last_run


def mark_of(suggestion: ShipSuggestion) -> str:
    """Return what differs whenever something of a suggestion does."""
    return f"{suggestion.pk}-{suggestion.status}-{suggestion.ships}-{suggestion.flown}"
