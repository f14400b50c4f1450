"""Order starships from the generator, and search for them piece by piece."""

import logging
import re
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from secrets import randbelow
from typing import Annotated, Any, Final, TypedDict

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

import rules
from accounts.limits import Limit
from accounts.models import User
from games.errors import Conflict, NotFound, refuse_guests, view_of_row
from games.play.viewers import Viewer
from games.shipyard.flying import (
    ATTEMPTS,
    LEASE,
    LONGEST_FLIGHT,
    SECONDS_BETWEEN_CHECKS,
    WORK_SECONDS,
    sentences_of,
)
from games.shipyard.models import ShipSuggestion, StarshipDraft
from games.shipyard.selectors import DraftDocument
from games.shipyard.services import create_draft
from games.shipyard.tunnel import REPORT, VERDICTS, report_for, verdict_of
from games.work import enqueue
from games.work.jobs import encode_reason, reason_in_words
from games.work.models import DAY, consume_limit, lock_person
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import take_back
from rules.design.genome import Brief
from rules.design.proposal import USUAL_PLAYERS, NoDesign, crews_for
from rules.design.search import Design, Logbook, SearchProgress, continue_search, starship_of
from rules.notation import TEXTS
from rules.tunnel.flying import FLIGHTS
from rules.tunnel.report import report_of

THEME_NAMES: Final[dict[str, str | Promise]] = {
    "ring": _("Ring"),
    "canyon": _("Canyon"),
    "islands": _("Islands"),
    "factory": _("Factory"),
    "fortress": _("Fortress"),
    "liner": _("Liner"),
    "orchard": _("Orchard"),
}
"""Names of the generator's themes."""

THEME_DESCRIPTIONS: Final[dict[str, str | Promise]] = {
    "ring": _("Beams that run in a ring: ride them for speed, and get off in time."),
    "canyon": _("A gap through the ship, and a few ways across."),
    "islands": _("Islands of hull in open space, joined by two-lane causeways."),
    "factory": _("Production lines, with machines working in rhythm beside them."),
    "fortress": _("Walls with guarded gates."),
    "liner": _("Cabins with two doors each, on both sides of a corridor."),
    "orchard": _("Rows of small obstacles with paths between them."),
}
"""A sentence about the ships of each theme."""

SYMMETRIES: Final[dict[str, str | Promise]] = {
    "none": pgettext_lazy("symmetry", "None"),
    "two": _("Two halves"),
    "four": _("Four quarters"),
}
"""Names of the generator's symmetries."""

CANDIDATES: Final = 8
"""The number of ships that a search tests to find one suggestion."""

SEARCH_PERCENT: Final = 60
"""The progress, in percent, after the tests of all ships.

The rest is the full wind tunnel run of the best ship.
"""


class ShipSuggestionFacts(TypedDict):
    """One of your suggestions, as shown in lists."""

    id: int
    ruleset: str
    players: int
    width: int
    height: int
    theme: Annotated[str, "The chosen theme; empty for any."]
    symmetry: Annotated[str, "The chosen symmetry; empty for any that suits the theme."]
    seed: Annotated[str, "The same choices with the same seed give the same ship."]
    status: Annotated[
        str,
        tuple(ShipSuggestion.Status.values),
        "A search that is `waiting` or `flying` is not over.",
    ]
    progress: Annotated[int, "The estimated progress of the search, in percent."]
    ships: Annotated[int, f"The number of ships tested, of {CANDIDATES}."]
    flown: Annotated[int, "The number of flights so far."]
    name: Annotated[str | None, "The name of the ship; null before it is found."]
    found_theme: Annotated[str | None, tuple(THEME_NAMES), "The theme of the ship; null before it is found."]
    verdict: Annotated[str | None, VERDICTS, "The wind tunnel's verdict; null before the ship is found."]
    created_at: datetime
    finished_at: datetime | None


class ShipSuggestionView(ShipSuggestionFacts):
    """One of your suggestions, with the ship found and its report."""

    failure: Annotated[str | None, "The reason for a failure, in a sentence for people; null without one."]
    document: Annotated[DraftDocument | None, "The ship; null before it is found."]
    report: Annotated[dict[str, Any] | None, REPORT]


def suggestions_of(*, user: User) -> list[ShipSuggestion]:
    """Return a person's suggestions, newest first."""
    return list(ShipSuggestion.objects.filter(user=user).defer("search", "sentences").order_by("-pk"))


def suggestion_for(*, viewer: Viewer, suggestion_id: int) -> ShipSuggestion:
    """Return one of the viewer's suggestions by its ID.

    Raises NotFound if the viewer has no such suggestion.
    """
    suggestions = ShipSuggestion.objects.defer("search").filter(pk=suggestion_id)
    found = suggestions.filter(user=viewer).first() if isinstance(viewer, User) else None
    if found is None:
        raise NotFound("no-suggestion", gettext("There is no such suggestion."))
    return found


def suggestion_facts(suggestion: ShipSuggestion) -> ShipSuggestionFacts:
    return view_of_row(
        ShipSuggestionFacts,
        suggestion,
        id=suggestion.pk,
        progress=progress_of(suggestion),
        name=suggested_name(suggestion),
        found_theme=suggestion.found_theme or None,
        verdict=verdict_of(suggestion),
    )


def suggestion_view(suggestion: ShipSuggestion) -> ShipSuggestionView:
    """Return the view of a suggestion, with its report in the reader's language."""
    return {
        **suggestion_facts(suggestion),
        "failure": reason_in_words(suggestion.failure) if suggestion.failure else None,
        "document": suggestion.document,
        "report": report_for(suggestion),
    }


def suggested_name(suggestion: ShipSuggestion) -> str | None:
    """Return the name of the suggested ship, or None before a ship is found."""
    return suggestion.document["name"] if suggestion.document else None


def progress_of(suggestion: ShipSuggestion) -> int:
    """Return the estimated progress of a search, in percent."""
    if suggestion.status == ShipSuggestion.Status.DONE:
        return 100
    last_run = (100 - SEARCH_PERCENT) * min(suggestion.last_flights, FLIGHTS) // FLIGHTS
    return SEARCH_PERCENT * min(suggestion.ships, CANDIDATES) // CANDIDATES + last_run


def search_state_tag(suggestion: ShipSuggestion) -> str:
    """Return a tag for the state of a suggestion. The tag changes with every change of the suggestion."""
    return f"{suggestion.pk}-{suggestion.status}-{suggestion.ships}-{suggestion.flown}"


logger = logging.getLogger(__name__)

LONGEST_SIDE: Final = 20
"""The longest side of a suggested ship, in cells. Larger ships take too long."""

SEARCHES_A_DAY: Final = 10
"""The maximum number of searches that a person may start in a day."""

SEARCHES_KEPT: Final = 20
"""The maximum number of stored suggestions of a person. Older ones are deleted."""

PIECES_OF_SEARCH: Final = 120
"""The maximum number of pieces of a search. Together, they are about an hour of work.

A search fails if it needs more pieces.
"""

SEED: Final = re.compile(r"[A-Za-z0-9 ._-]{1,32}", re.ASCII)

SEED_RANGE: Final = 1_000_000
"""The number of possible random seeds, for orders without a seed."""


def usual_crew(crews: Iterable[int]) -> int | None:
    """Return the default number of players: the largest of the possible numbers up to `USUAL_PLAYERS`.

    ``crews`` are the possible numbers of players. Returns None if all of them are larger.
    """
    return max((crew for crew in crews if crew <= USUAL_PLAYERS), default=None)


def ask_for_ship(
    *,
    user: User,
    ruleset: str,
    width: int,
    height: int,
    players: int | None = None,
    theme: str = "",
    symmetry: str = "",
    seed: str = "",
    now: datetime,
) -> ShipSuggestion:
    """Start a search for a ship. Return its suggestion.

    ``width`` and ``height`` are in cells. The default number of players is four, or fewer if a ship of this
    size has no room for four. An empty ``theme`` or ``symmetry`` means any. The same order with the same seed
    gives the same ship. If a suggestion for the same order and seed is done or under way, that suggestion is
    returned.

    Raises Forbidden for guests, Conflict if the person has another search under way, and TooMany after too
    many searches within a day.
    """
    refuse_guests(user)
    edition = rules.ruleset(ruleset)
    ordered = {
        "ruleset": edition.key,
        "edition": edition.version,
        "players": players or usual_crew(crews_for(edition, width * height)),
        "width": width,
        "height": height,
        "theme": theme,
        "symmetry": symmetry,
        "seed": seed or str(1 + randbelow(SEED_RANGE)),
    }
    with transaction.atomic():
        lock_person(user)
        suggestions = ShipSuggestion.objects.filter(user=user)
        if seed and (same := _matching_suggestion(suggestions, ordered)):
            return same
        _check_search_limits(user, suggestions, now)
        made = ShipSuggestion.objects.create(user=user, **ordered, created_at=now)
        kept = suggestions.order_by("-pk").values_list("pk", flat=True)[:SEARCHES_KEPT]
        suggestions.exclude(pk__in=list(kept)).delete()
        _offer(made, now)
    return made


def cancel_search(*, user: User, suggestion_id: int, now: datetime) -> ShipSuggestion:
    """Cancel a search. Raises Forbidden for guests, NotFound, and Conflict if the search is already over."""
    refuse_guests(user)
    suggestion_for(viewer=user, suggestion_id=suggestion_id)
    with transaction.atomic():
        found = _locked(suggestion_id) or suggestion_for(viewer=user, suggestion_id=suggestion_id)
        if found.status == ShipSuggestion.Status.CANCELLED:
            return found
        if not found.is_under_way:
            raise Conflict("over", gettext("This search is already over."))
        return found.end(ShipSuggestion.Status.CANCELLED, now)


def create_draft_from(*, user: User, suggestion_id: int, now: datetime) -> StarshipDraft:
    """Create a draft from the ship of a suggestion.

    Raises Forbidden for guests, NotFound, and Conflict before the ship is found or for a person with too
    many drafts.
    """
    refuse_guests(user)
    found = suggestion_for(viewer=user, suggestion_id=suggestion_id)
    if found.document is None:
        raise Conflict("no-ship", gettext("There is no ship yet. Wait until the search is over."))
    document = {**found.document, "builder": user.robo_name[: TEXTS["builder"]]}
    return create_draft(user=user, document=document, ruleset=found.ruleset, players=found.players, now=now)


def advance_search(*, suggestion_id: int, now: datetime) -> bool:
    """Continue a search unless another worker has claimed it.

    Returns whether a piece of the search was stored. A call is safe at any time, even if there is nothing to
    do. If workers die repeatedly on a search, the search fails.
    """
    claimed = searches_to_continue(now=now).filter(pk=suggestion_id).first()
    flying = ShipSuggestion.Status.FLYING
    if claimed is None or not claimed.claim(LEASE, now=now, offered_at=now, status=flying):
        return False
    if claimed.attempts > ATTEMPTS:
        return claimed.fail(encode_reason("deadly-search", ATTEMPTS), now)
    try:
        return _store(claimed, _searched(claimed), now)
    except (NoDesign, TimeoutError):
        return claimed.fail(encode_reason("no-design"), now)
    except Exception as error:
        if faults.is_temporary(error):  # not the search's fault: another attempt follows when the lease ends
            take_back([claimed], error)
            raise
        logger.exception("Search %d has failed", suggestion_id)
        return claimed.fail(encode_reason("search-fault"), now)


def searches_to_continue(*, now: datetime) -> QuerySet[ShipSuggestion]:
    """Return the unfinished searches that no worker has claimed, oldest first."""
    return ShipSuggestion.free(now).order_by("created_at")


def next_seed(seed: str) -> str:
    """Return the seed after a given seed, to order another ship with the same choices.

    If that seed is too long, returns “1”.

    >>> next_seed("7"), next_seed("belt"), next_seed("belt 9"), next_seed("9" * 32)
    ('8', 'belt 2', 'belt 10', '1')
    """
    word, number = re.fullmatch(r"(.*?)([0-9]*)", seed).groups()  # type: ignore[union-attr] # it always does
    following = f"{word}{int(number) + 1}" if number else f"{word} 2"
    return following if SEED.fullmatch(following) else "1"


def _matching_suggestion(
    suggestions: QuerySet[ShipSuggestion], ordered: dict[str, Any]
) -> ShipSuggestion | None:
    """Return the newest suggestion for the same order and seed, or None.

    Only suggestions that are done or under way count.
    """
    standing = [*ShipSuggestion.UNDER_WAY, ShipSuggestion.Status.DONE]
    return suggestions.filter(status__in=standing, **ordered).order_by("-pk").first()


def _check_search_limits(user: User, suggestions: QuerySet[ShipSuggestion], now: datetime) -> None:
    """Check whether a person may start a search, and count the search against the daily limit.

    Raises Conflict if another search is under way, and TooMany after too many searches within a day. The
    caller must hold the lock on the person's row.
    """
    if suggestions.filter(status__in=ShipSuggestion.UNDER_WAY).exists():
        detail = gettext("You have another search running. Wait for its ship, or cancel the search.")
        raise Conflict("under-way", detail)
    detail = gettext("You started {most} searches within a day, which is the limit. Try again later.").format(
        most=SEARCHES_A_DAY
    )
    consume_limit(Limit("suggestions", SEARCHES_A_DAY, DAY), user=user, detail=detail, now=now)


# The part of the workers


def _locked(suggestion_id: int) -> ShipSuggestion | None:
    """Return a suggestion, locked until the transaction ends, or None if it was deleted."""
    return ShipSuggestion.objects.select_for_update(no_key=True).filter(pk=suggestion_id).first()


def _offer(suggestion: ShipSuggestion, now: datetime) -> None:
    """Queue a task for workers to continue a search."""
    ShipSuggestion.objects.filter(pk=suggestion.pk).update(offered_at=now)
    enqueue.suggest_ship(suggestion.pk)


def _searched(claimed: ShipSuggestion) -> SearchProgress:
    """Continue a claimed search for up to `WORK_SECONDS`. Return its new state."""
    return continue_search(
        brief_of(claimed),
        claimed.seed,
        record=claimed.search,
        may_continue=_watch(claimed),
        guard=partial(time_limit, LONGEST_FLIGHT, f"it took longer than {LONGEST_FLIGHT:g} s"),
        candidates=CANDIDATES,
        flights=FLIGHTS,
    )


def _watch(claimed: ShipSuggestion) -> Callable[[Logbook], bool]:
    """Return a function that tells whether a worker may continue a claimed search.

    The function returns False after `WORK_SECONDS`, or if the search is cancelled or claimed by another
    worker. Every second, the function also stores the progress.
    """
    started = looked = time.monotonic()

    def may_continue(logbook: Logbook) -> bool:
        nonlocal looked
        passed = time.monotonic()
        if passed - started > WORK_SECONDS:
            return False
        if passed - looked > SECONDS_BETWEEN_CHECKS:
            looked = passed
            return bool(claimed.mine().update(**_progress(logbook, claimed.seed)))
        return True

    return may_continue


def _progress(logbook: Logbook, seed: str) -> dict[str, int]:
    ships, last = logbook.ships(seed), logbook.last_flights(seed)
    return {"ships": ships, "last_flights": last, "flown": logbook.flown}


def brief_of(suggestion: ShipSuggestion) -> Brief:
    """Convert an order for a ship to a `Brief` for `rules.design`."""
    edition = rules.ruleset(suggestion.ruleset, suggestion.edition)
    size = (suggestion.width, suggestion.height)
    return Brief(edition, suggestion.players, *size, suggestion.theme or None, suggestion.symmetry or None)


def _store(claimed: ShipSuggestion, piece: SearchProgress, now: datetime) -> bool:
    """Store a piece of a search, and end the search or queue the next piece.

    Returns False if the search has ended or another worker has claimed it. Then nothing is stored.
    """
    with transaction.atomic():
        suggestion = claimed.lock_mine()
        if suggestion is None:
            return False
        suggestion.ships, suggestion.last_flights, suggestion.flown = (
            piece.ships,
            piece.last_flights,
            len(piece.record["flights"]),
        )
        suggestion.pieces += 1
        suggestion.attempts, suggestion.lease_until = 0, None
        if piece.found:
            _put_in(suggestion, piece.found)
            suggestion.end(ShipSuggestion.Status.DONE, now)
        elif suggestion.pieces >= PIECES_OF_SEARCH:
            suggestion.failure = encode_reason("long-search")
            suggestion.end(ShipSuggestion.Status.FAILED, now)
        else:
            suggestion.search = piece.record
            suggestion.save()
            _offer(suggestion, now)
    return True


def _put_in(suggestion: ShipSuggestion, found: Design) -> None:
    """Set the found ship and its report in a suggestion's row, without saving."""
    suggestion.document = rules.write_starship(starship_of(found, suggestion.seed))
    suggestion.found_theme = found.genome.theme
    suggestion.report = {**report_of(found.run, found.verdict), "starship": suggestion.document["name"]}
    suggestion.sentences = sentences_of(found.verdict)
