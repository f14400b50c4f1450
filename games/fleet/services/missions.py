"""Training missions: putting those that come with the game where they can be flown, and changing them."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games import texts
from games.errors import Invalid, NotFound, ProblemDocument, ServiceError, of_document
from games.fleet import lessons, stored
from games.fleet.models import Mission, Starship
from games.fleet.services.library import Loaded
from games.language import told
from rules.names import fault_of_text

RULESET = "robo-runner"
"""What missions teach."""

LIST = "missions.toml"


def save_mission(
    *,
    slug: str,
    number: int,
    title: str,
    starship: Starship,
    options: Mapping[str, Any],
    lesson: object,
    by: User | None = None,
) -> Mission:
    """Save a mission, a new one or that of the slug; ``by`` is who of the staff did it.

    Games under way go on, with the new lesson. Raises Invalid with every fault of title, options and lesson,
    and where the starship is not for one alone.
    """
    problems = check_mission(title=title, starship=starship, options=options, lesson=lesson)
    if problems:
        raise Invalid(
            "mission",
            _("The mission cannot be saved like this."),
            problems,
        )
    fields = {
        "number": number,
        "title": texts.tidied_name(title),
        "starship": starship,
        "options": dict(options),
        "lesson": lesson,
        "saved_by": by,
    }
    return Mission.objects.update_or_create(slug=slug, defaults=fields)[0]


def check_mission(
    *, title: str, starship: Starship, options: object, lesson: object
) -> list[ProblemDocument]:
    """Return every fault that keeps a mission from being saved; ``code`` is the field that it is about."""
    longest = Mission._meta.get_field("title").max_length or 0
    needed = _("The mission needs a title.")
    tidy = texts.tidied_name(title)
    problems = texts.problems_of_name(tidy, longest=longest, code="title", needed=needed)
    faults = (fault for text in _texts_in(lesson) if (fault := fault_of_text(text)))
    problems += ({"code": "lesson", "detail": told(fault)} for fault in faults)
    if starship.current is None:
        return [
            *problems,
            {"code": "starship", "detail": _("{name} has no board yet.").format(name=starship.name)},
        ]
    ship = stored.starship_of(starship.current)
    if isinstance(options, Mapping):
        try:
            rules.make_setup(rules.ruleset(RULESET), options, ship, 1)
        except rules.SetupError as error:
            problems += of_document("options", error.problems)
    else:
        problems.append({"code": "options", "detail": _("The options must be an object.")})
    try:
        lessons.read_lesson(lesson, ship)
    except Invalid as refusal:
        problems += refusal.problems
    return problems


def _texts_in(document: object) -> Iterator[str]:
    """Yield the texts of a document."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping | list):
        for part in document.values() if isinstance(document, Mapping) else document:
            yield from _texts_in(part)


def load_missions(*, directory: Path) -> Loaded:
    """Load the missions that ``missions.toml`` in a directory lists, all or none, once their ships are there.

    What staff have saved is left alone, and so is the place of every mission that is there. Raises Invalid
    with every fault, mission by mission.
    """
    problems: list[ProblemDocument] = []
    new = changed = 0
    entries = tomllib.loads((directory / LIST).read_text(encoding="utf-8"))["mission"]
    with transaction.atomic():
        for entry in entries:
            before = Mission.objects.filter(slug=entry["slug"]).first()
            if before and before.saved_by_id is not None:
                continue
            try:
                saved = _load(directory, entry, before)
            except (ServiceError, rules.NotationError, OSError) as error:
                problems += _faults(entry["slug"], error)
                continue
            new += before is None
            changed += before is not None and _contents(before) != _contents(saved)
        if problems:
            raise Invalid("missions", _("The missions cannot be loaded."), problems)
    return Loaded(new, changed, len(entries))


def _load(directory: Path, entry: Mapping[str, Any], before: Mission | None) -> Mission:
    slug = entry["slug"]
    starship = Starship.objects.select_related("current").filter(slug=entry["starship"]).first()
    if starship is None:
        raise NotFound(
            "no-starship",
            _("There is no starship “{name}”: load the starships first.").format(name=entry["starship"]),
        )
    return save_mission(
        slug=slug,
        number=before.number if before else _next_number(),
        title=entry["title"],
        starship=starship,
        options=entry.get("options", {}),
        lesson=rules.parse((directory / "lessons" / f"{slug}.json").read_bytes()),
    )


def _next_number() -> int:
    last = Mission.objects.order_by("number").last()
    return last.number + 1 if last else 1


def _contents(mission: Mission) -> tuple[object, ...]:
    return mission.title, mission.starship_id, mission.options, mission.lesson


def _faults(slug: str, error: Exception) -> list[ProblemDocument]:
    found = error.problems if isinstance(error, ServiceError) and error.problems else [{"detail": str(error)}]
    return [{"code": "mission", **fault, "detail": f"{slug}: {fault['detail']}"} for fault in found]
