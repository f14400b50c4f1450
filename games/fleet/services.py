"""Services for starships: save, copy, retire and load them, and change search facts and favourites."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import (
    Conflict,
    Invalid,
    NotFound,
    ProblemDocument,
    ServiceError,
    document_problems,
    free_slug,
    refuse_guests,
)
from games.fleet.boards import crowding_in, remember
from games.fleet.models import Favourite, Starship, StarshipFacts, StarshipRevision
from games.fleet.search import current_facts, facts_edition
from games.fleet.selectors import MOST_FAVOURITES, starship_for, unsuitable
from games.work import jobs
from games.work.models import lock_person
from rules.language import N_, Sentence

FACTS_PER_PASS: Final = 50
"""The maximum number of starships that `update_facts` updates in one pass of the sweeper.

Each starship may take half a second.
"""


def note_facts(*, starship: Starship) -> None:
    """Save the search facts of a starship. The caller must hold the starship's row lock."""
    facts = current_facts(starship=starship)
    names = [field.name for field in StarshipFacts._meta.concrete_fields if not field.primary_key]
    StarshipFacts.objects.bulk_create(
        [facts], update_conflicts=True, unique_fields=["starship"], update_fields=names
    )


def update_facts(*, now: datetime) -> int:
    """Update missing and outdated search facts. Return the number of updated starships."""
    right = Q(facts__edition=facts_edition(), facts__revision=F("current"))
    outdated = Starship.objects.exclude(current=None).exclude(right).order_by("pk")
    return jobs.for_each_row("starship facts", outdated, _update_facts_of, most=FACTS_PER_PASS, now=now)


def _update_facts_of(starship_id: int) -> int:
    held = Starship.objects.select_for_update(no_key=True, of=("self",)).select_related("current")
    note_facts(starship=held.get(pk=starship_id))
    return 1


LAST_POSITION = 32767
"""The highest possible position. Starships with the same position are sorted by name."""


def save_starship(
    *,
    starship_id: int | None = None,
    document: object,
    section: str,
    seats_least: int = 1,
    seats_most: int = 8,
    position: int | None = None,
    hidden: bool | None = None,
    slug: str = "",
    by: User | None = None,
    owner: User | None = None,
    known: bool = False,
    now: datetime,
) -> Starship:
    """Save a board as a new starship, or as a new revision of the starship ``starship_id``.

    A changed document makes a new revision, and so does a prototype that joins the fleet. Running games keep
    their revision. ``owner`` is the builder of a new ship, if the ship belongs to a person. ``slug`` is the
    slug of a new ship. Without ``slug``, the new ship's slug follows the document's name, and no other ship
    may have that name. Without ``position``, an existing ship keeps its position, and a new ship comes last.
    A ``known`` document has been accepted before, and skips some checks.

    If ``hidden`` is True, only staff see the new ship, until it is saved with False. None keeps the present
    state. A ship that players have seen cannot be hidden.

    Raises NotFound, Conflict for a taken name or slug and for hiding a ship that players have seen, and
    Invalid with every problem.
    """
    ship, problems = _read(document, known=known)
    if section not in Starship.Section.values:
        problems.append(
            {"code": "section", "detail": _("There is no section “{section}”.").format(section=section)}
        )
    if not 1 <= seats_least <= seats_most:
        detail = _("The minimum number of players must be from 1 to the maximum.")
        problems.append({"code": "seats", "detail": detail})
    if problems or ship is None:
        raise Invalid("starship", _("Couldn’t save the starship. Fix the marked fields."), problems)
    with transaction.atomic():
        starship = _starship_to_save(starship_id, slug, ship.name, now)
        if starship.pk is None:
            starship.owner, starship.hidden = owner, bool(hidden)
        elif hidden is not None:
            _set_hidden(starship, hidden, now)
        starship.name = ship.name
        starship.builder = starship.owner.robo_name if starship.owner else ship.builder
        starship.section = section
        starship.seats_least, starship.seats_most = seats_least, seats_most
        if position is not None:
            starship.position = position
        elif starship.pk is None:
            starship.position = next_position(section)
        starship.save()
        written = rules.write_starship(ship)
        if starship.owner is not None:
            written["builder"] = ""
        if _is_new(starship, written):
            starship.current = _add_revision(starship, ship, written, by, now)
            starship.save(update_fields=["current"])
            if written["builder"] == ship.builder:
                remember(starship.current, ship)
        note_facts(starship=starship)
    return starship


def duplicate_starship(*, starship_id: int, by: User, now: datetime) -> Starship:
    """Copy a starship to a new hidden ship, for staff to edit. Raises NotFound."""
    original = Starship.objects.select_related("current").filter(pk=starship_id).first()
    if original is None or original.current is None:
        raise NotFound("no-starship", _("There is no such starship."))
    limit = Starship._meta.get_field("name").max_length or 0
    name = f"{original.name[: limit - len(' (copy)')]} (copy)"
    with transaction.atomic():
        return save_starship(
            document={**original.current.document, "name": name},
            section=original.section,
            seats_least=original.seats_least,
            seats_most=original.seats_most,
            hidden=True,
            slug=slug_of(name),
            by=by,
            known=True,
            now=now,
        )


def offer_starship(*, starship_id: int, now: datetime) -> None:
    """Offer a hidden ship to players for new games. Raises NotFound."""
    with transaction.atomic():
        starship = _starship_to_save(starship_id, "", "", now)
        _set_hidden(starship, False, now)
        starship.save(update_fields=["hidden", "launched_at"])


def retire_starship(*, starship_id: int, retired: bool = True) -> None:
    """Retire a starship from new games, or offer it again if ``retired`` is False. Raises NotFound."""
    if not Starship.objects.filter(pk=starship_id).update(retired=retired):
        raise NotFound("no-starship", _("There is no such starship."))


def check_document(document: object) -> list[ProblemDocument]:
    """Return every problem with a starship document, with its row and column."""
    return _read(document, known=False)[1]


def next_position(section: str) -> int:
    """Return the position after the last ship of a section, at most `LAST_POSITION`."""
    last = Starship.objects.filter(section=section).order_by("position").last()
    return min(last.position + 1, LAST_POSITION) if last else 1


def slug_of(name: str) -> str:
    """Return a free slug for a ship with this name. It is reserved until the transaction ends."""
    return free_slug(name, of=Starship, usual="starship")


def _read(document: object, *, known: bool) -> tuple[rules.Starship | None, list[ProblemDocument]]:
    """Return the board in a document, or None if it cannot be read, and the problems with it.

    A board must suit at least one ruleset.
    """
    if crowded := crowding_in(document):
        return None, document_problems("starship", crowded)
    try:
        ship = rules.read_starship(document, known=known)
    except rules.NotationError as error:
        return None, document_problems("starship", error.problems)
    if not ship.name.strip():
        return ship, [{"code": "name", "detail": _("The starship needs a name.")}]
    found = {ruleset: unsuitable(ruleset, ship) for ruleset in rules.RULESETS.values()}
    if all(found.values()):
        return ship, [
            fault for ruleset, problems in found.items() for fault in _problem_documents(ruleset, problems)
        ]
    return ship, []


def _problem_documents(ruleset: rules.Ruleset, problems: Iterable[rules.Problem]) -> list[ProblemDocument]:
    """Convert a board's problems with a ruleset to dictionaries.

    Each problem's sentence names the ruleset.
    """
    form = N_("{ruleset}: {problem}")
    named = [
        problem
        if ruleset.name in problem.message
        else replace(problem, message=Sentence(form, ruleset=ruleset.name, problem=problem.message))
        for problem in problems
    ]
    return document_problems("starship", named)


def _starship_to_save(starship_id: int | None, slug: str, name: str, now: datetime) -> Starship:
    """Lock and return a starship, or return a new, unsaved one.

    Raises NotFound, and Conflict if the name or slug of a new ship is taken.
    """
    if starship_id is None:
        same = Starship.objects.filter(slug=slug) if slug else Starship.objects.filter(name__iexact=name)
        if taken := same.values_list("slug", flat=True).first():
            detail = _("Another starship already has the address “{slug}”. Choose another name.")
            raise Conflict("slug", detail.format(slug=taken))
        return Starship(slug=slug or slug_of(name), created_at=now)
    starships = Starship.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "current", "owner"
    )
    starship = starships.filter(pk=starship_id).first()
    if starship is None:
        raise NotFound("no-starship", _("There is no such starship."))
    return starship


def _set_hidden(starship: Starship, hidden: bool, now: datetime) -> None:
    """Show a hidden ship to players if ``hidden`` is False. Otherwise, change nothing.

    Raises Conflict if ``hidden`` is True for a ship that players have seen.
    """
    if hidden and not starship.hidden:
        detail = _("Players have already seen this starship, so it cannot be hidden. Retire it instead.")
        raise Conflict("seen", detail)
    if starship.hidden and not hidden:
        starship.hidden, starship.launched_at = False, now


def _is_new(starship: Starship, document: dict[str, Any]) -> bool:
    """Return whether a ship needs a new revision for this document, or for a change of its section."""
    current = starship.current
    return current is None or current.document != document or current.prototype != starship.is_prototype


def _add_revision(
    starship: Starship, ship: rules.Starship, document: dict[str, Any], by: User | None, now: datetime
) -> StarshipRevision:
    last = starship.revisions.order_by("number").last()
    return StarshipRevision.objects.create(
        starship=starship,
        number=last.number + 1 if last else 1,
        document=document,
        width=ship.width,
        height=ship.height,
        prototype=starship.is_prototype,
        saved_by=by,
        created_at=now,
    )


LIST_OF_STARSHIPS = "starships.toml"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading a directory: the numbers of new items, changed items, and all items."""

    new: int
    changed: int
    all: int


def load_starships(*, directory: Path, now: datetime) -> Loaded:
    """Load all starships of ``starships.toml`` in a directory, or none if there are problems.

    Boards saved by staff do not change, and existing ships keep their positions. Raises Invalid with every
    problem, file by file.
    """
    problems: list[dict[str, Any]] = []
    new = changed = 0
    entries = tomllib.loads((directory / LIST_OF_STARSHIPS).read_text(encoding="utf-8"))["starship"]
    with transaction.atomic():
        for position, entry in enumerate(entries, 1):
            path = directory / "starships" / entry["file"]
            slug = path.stem.partition("-")[2]
            starship = Starship.objects.select_related("current").filter(slug=slug).first()
            if starship and starship.current and starship.current.saved_by_id is not None:
                continue
            try:
                saved = _load_starship(path, slug, starship, entry, position, now)
            except (ServiceError, rules.NotationError, OSError) as error:
                problems += _faults_in_file(path, error)
                continue
            new += starship is None
            changed += starship is not None and saved.current_id != starship.current_id
        if problems:
            raise Invalid("starships", _("Couldn’t load the starships."), problems)
    return Loaded(new, changed, len(entries))


def _load_starship(
    path: Path, slug: str, starship: Starship | None, entry: dict[str, Any], position: int, now: datetime
) -> Starship:
    document = rules.parse(path.read_bytes())
    if starship:
        return save_starship(
            starship_id=starship.pk,
            document=document,
            section=starship.section,
            seats_least=starship.seats_least,
            seats_most=starship.seats_most,
            now=now,
        )
    least, most = entry["seats"]
    return save_starship(
        document=document,
        slug=slug,
        section=entry["section"],
        seats_least=least,
        seats_most=most,
        position=position,
        now=now,
    )


def _faults_in_file(path: Path, error: Exception) -> list[dict[str, Any]]:
    found = error.problems if isinstance(error, ServiceError) and error.problems else [{"detail": str(error)}]
    return [{"code": "starship", **fault, "detail": f"{path.name}: {fault['detail']}"} for fault in found]


def add_favourite(*, user: User, starship_id: int, now: datetime) -> None:
    """Add a starship to a person's favourites. A second call has no effect.

    Raises NotFound, Gone if staff took the ship down, Forbidden for guests, and Conflict for a retired ship
    or too many favourites.
    """
    refuse_guests(user)
    with transaction.atomic():
        lock_person(user)
        starship = starship_for(starship_id=starship_id)
        mine = Favourite.objects.filter(user=user)
        if mine.filter(starship=starship).exists():
            return
        if starship.retired:
            raise Conflict("retired", _("This starship is retired. You cannot add it to your favourites."))
        if mine.filter(starship__taken_down_at=None).count() >= MOST_FAVOURITES:
            detail = _("You have {most} favourites, which is the limit. Remove one first.")
            raise Conflict("too-many", detail.format(most=MOST_FAVOURITES))
        Favourite.objects.create(user=user, starship=starship, added_at=now)


def remove_favourite(*, user: User, starship_id: int) -> None:
    """Remove a starship from a person's favourites. Raises NotFound, and Forbidden for guests."""
    refuse_guests(user)
    starship = starship_for(starship_id=starship_id, taken_down=True)
    Favourite.objects.filter(user=user, starship=starship).delete()
