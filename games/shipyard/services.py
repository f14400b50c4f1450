"""Create, save, restore, share, fly and delete drafts."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast, Length
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import (
    Conflict,
    Invalid,
    NotFound,
    ServiceError,
    document_problems,
    new_token,
    refuse_guests,
)
from games.fleet.models import OFFERED, Starship
from games.lobby.services import create_game
from games.play.lifecycle import end_without_winner
from games.play.models import Game, Seat
from games.play.services import locked_game
from games.play.terms import Terms
from games.play.viewers import refuse_words
from games.rights import Right, require
from games.shipyard.models import MOST_PLAYERS, DraftFlight, DraftVersion, StarshipDraft
from games.shipyard.selectors import (
    PARENTS,
    Columns,
    draft_for,
    draft_view,
    hindrances_in,
    read_drawing,
    refused,
    ruleset_for,
    shared_draft,
    sketch_of,
    version_for,
)
from games.work.models import lock_person
from rules.notation import TEXTS
from rules.sketch import blank_sketch, write_sketch

# --- Versions that stay -------------------------------------------------------------------------------------


VERSIONS_APART: Final = timedelta(minutes=1)
"""The minimum interval between stored versions of a draft.

Not every save stores a version, since an open editor saves every few seconds.
"""

THINNED_AFTER: Final = timedelta(days=1)
"""The age after which only one version of a draft stays for each hour."""

VERSIONS_KEPT: Final = 100
"""The maximum number of earlier versions of a draft. The oldest are deleted first."""

CHARACTERS_KEPT: Final = 5_000_000
"""The maximum number of characters in all earlier versions of a draft.

The oldest versions are deleted first.
"""


def is_worth_keeping(saved_at: datetime, *, kept_at: datetime | None, now: datetime) -> bool:
    """Return whether to store a draft's current version before a save replaces it.

    ``saved_at`` is the time when the version was saved, and ``kept_at`` the time when the last stored version
    was saved. The version is stored if it is the first, was current for `VERSIONS_APART`, or was saved at
    least that long after the last stored version.
    """
    return kept_at is None or now - saved_at >= VERSIONS_APART or saved_at - kept_at >= VERSIONS_APART


def surplus_versions(times: Sequence[datetime], sizes: Sequence[int], *, now: datetime) -> list[int]:
    """Return the indexes of the earlier versions of a draft to delete.

    ``times`` are the times when the versions were saved, oldest first, and ``sizes`` are their lengths in
    characters. Of the versions older than `THINNED_AFTER`, the last one in each hour stays. If the rest
    still exceeds `VERSIONS_KEPT` or `CHARACTERS_KEPT`, the oldest are deleted. The newest always stays.
    """
    going = {
        index
        for index, (time, following) in enumerate(pairwise(times))
        if now - following >= THINNED_AFTER and _hour(time) == _hour(following)
    }
    staying = [index for index in range(len(times)) if index not in going]
    room = CHARACTERS_KEPT
    for count, index in enumerate(reversed(staying)):
        room -= sizes[index]
        if count >= VERSIONS_KEPT or (count and room < 0):
            going.add(index)
    return sorted(going)


def _hour(time: datetime) -> datetime:
    return time.replace(minute=0, second=0, microsecond=0)


# --- Drafts -------------------------------------------------------------------------------------------------


MOST_DRAFTS: Final = 20
"""The maximum number of drafts of a person."""

USUAL_PLAYERS: Final = 4

USUAL_SIZE: Final = 12
"""The default number of columns, and of rows, of a new ship."""


class Stale(ServiceError):
    """Raised if another version of a draft was saved since the person loaded the draft.

    ``draft`` is the draft as last saved.
    """

    status = 412

    def __init__(self, draft: StarshipDraft) -> None:
        detail = _("This draft was saved elsewhere and is now version {number}.")
        super().__init__("stale", detail.format(number=draft.version))
        self.draft = draft

    @property
    def document(self) -> dict[str, Any]:
        """The error document for API clients, with the draft as last saved."""
        return {**super().document, "draft": draft_view(self.draft)}


def create_draft(
    *,
    user: User,
    name: str | None = None,
    ruleset: str = "",
    players: int | None = None,
    size: tuple[int, int] | None = None,
    document: object = None,
    starship_id: int | None = None,
    draft_id: int | None = None,
    link: str | None = None,
    now: datetime,
) -> StarshipDraft:
    """Create a draft from exactly one source: a size, a document or an original.

    ``size`` is the number of columns and rows of plain hull. An original is a library starship, another draft
    of the person, or the draft that another person shares by its secret ``link``. Raises Forbidden for
    guests, NotFound for a missing original, Conflict for a person with too many drafts, and Invalid for a
    document that is not a drawing, or if the number of sources is not 1.
    """
    refuse_guests(user)
    parent: dict[str, Any] = {}
    origin: StarshipDraft | None = None
    if sum(begin is not None for begin in (size, document, starship_id, draft_id, link)) != 1:
        detail = _(
            "Choose exactly one thing to start with: a size, a document, a starship, a draft or a link."
        )
        raise _invalid("begin", detail)
    if size is not None:
        document = _blank(user, size)
    elif starship_id is not None:
        starship = _offered(starship_id)
        assert starship.current
        document, parent = _copied(starship.current.document, user), {"parent_revision": starship.current}
        players = players or min(starship.seats_most, MOST_PLAYERS)
    elif draft_id is not None or link is not None:
        origin = (
            shared_draft(link=link) if link is not None else draft_for(viewer=user, draft_id=draft_id or 0)
        )
        document = origin.document
        parent = {"parent_draft": origin, "parent_version": origin.version}
        if origin.user_id != user.pk:
            document, parent["parent_name"] = _copied(origin.document, user), origin.name
        ruleset, players = ruleset or origin.ruleset, players or origin.players
    columns = read_drawing(
        document=document, name=name, ruleset=ruleset, players=USUAL_PLAYERS if players is None else players
    )
    with transaction.atomic():
        lock_person(user)
        _check_room(user)
        if origin is not None:
            _lock_origin(origin, link)
        return StarshipDraft.objects.create(user=user, **columns, **parent, created_at=now, saved_at=now)


def draft_for_staff(*, user: User, starship_id: int | None, document: object, now: datetime) -> StarshipDraft:
    """Save a staff member's drawing as a draft, to test it in games before it is saved to the library.

    If the person has drafts of the library ship, the document becomes the next version of the last saved
    draft. If not, or if ``starship_id`` is None because the ship is not in the library yet, this creates a
    draft. Raises NotFound, Forbidden without the right to change starships, Conflict for a person with too
    many drafts, and Invalid for a document that is not a drawing.
    """
    require(user, Right.CHANGE_STARSHIPS)
    if starship_id is None:
        return create_draft(user=user, document=document, now=now)
    with transaction.atomic():
        lock_person(user)
        starship = Starship.objects.select_related("current").filter(pk=starship_id).first()
        if starship is None:
            raise NotFound("no-starship", _("There is no such starship."))
        of_ship = StarshipDraft.objects.filter(user=user, parent_revision__starship=starship)
        draft = of_ship.select_for_update(of=("self",), no_key=True).order_by("-saved_at", "-pk").first()
        if draft is not None:
            columns = read_drawing(document=document, name=None, ruleset=draft.ruleset, players=draft.players)
            return _save(draft, columns, None, now, always_store=True)
        _check_room(user)
        players = min(starship.seats_most, MOST_PLAYERS)
        columns = read_drawing(document=document, name=None, ruleset="", players=players)
        return StarshipDraft.objects.create(
            user=user, **columns, parent_revision=starship.current, created_at=now, saved_at=now
        )


def save_draft(
    *,
    user: User,
    draft_id: int,
    expected_version: int | None,
    document: object,
    name: str | None = None,
    ruleset: str | None = None,
    players: int | None = None,
    now: datetime,
) -> StarshipDraft:
    """Save a document as the next version of a draft.

    ``expected_version`` is the version that the person has changed. If it is None, the save replaces any
    version. If the new values equal the saved draft, no new version is made, so a request may be repeated.

    Raises NotFound, Forbidden for guests, Stale if another version was saved in the meantime, Invalid for a
    document that is not a drawing, and, for a draft with a link, the errors of `refuse_words` for a new name
    or story.
    """
    refuse_guests(user)
    with transaction.atomic():
        draft = locked_draft(user, draft_id)
        columns = read_drawing(
            document=document,
            name=name,
            ruleset=draft.ruleset if ruleset is None else ruleset,
            players=draft.players if players is None else players,
        )
        return _save(draft, columns, expected_version, now)


def save_by_name(*, user: User, document: object, now: datetime) -> StarshipDraft | None:
    """Save a document as the next version of the person's draft with the same name.

    If several drafts have the name, this changes the last saved one. The previous version is always stored.
    Returns None if no draft has the name. Raises the errors of `save_draft` except NotFound and Stale.
    """
    refuse_guests(user)
    if not isinstance(document, Mapping) or not (name := str(document.get("name") or "").strip()):
        return None
    with transaction.atomic():
        same = StarshipDraft.objects.filter(user=user, name__iexact=name).order_by("-saved_at", "-pk")
        draft = same.select_for_update(of=("self",), no_key=True).first()
        if draft is None:
            return None
        document = {**document, "builder": draft.document["builder"]}
        columns = read_drawing(document=document, name=None, ruleset=draft.ruleset, players=draft.players)
        return _save(draft, columns, None, now, always_store=True)


def restore_version(
    *, user: User, draft_id: int, number: int, expected_version: int | None = None, now: datetime
) -> StarshipDraft:
    """Restore a stored version of a draft, by its ``number``, as the next version.

    The replaced version is stored too. Raises NotFound, Stale if ``expected_version`` is given and is not the
    current version, and the other errors of `save_draft`.
    """
    refuse_guests(user)
    with transaction.atomic():
        draft = locked_draft(user, draft_id)
        version = version_for(draft=draft, number=number)
        columns: Columns = {
            "name": version.name,
            "ruleset": version.ruleset,
            "players": version.players,
            "document": version.document,
            "width": version.width,
            "height": version.height,
        }
        return _save(draft, columns, expected_version, now, always_store=True)


def put_cells(
    *, user: User, draft_id: int, expected_version: int, cells: dict[tuple[int, int], str], now: datetime
) -> StarshipDraft:
    """Apply a fix to a draft: save the next version, with other tokens in some cells.

    ``cells`` has the tokens by (column, row), both counted from 0. Raises the errors of `save_draft`.
    """
    draft = draft_for(viewer=user, draft_id=draft_id)
    if draft.version != expected_version:
        raise Stale(draft)
    document = write_sketch(sketch_of(draft).put(cells))
    return save_draft(
        user=user, draft_id=draft_id, expected_version=expected_version, document=document, now=now
    )


def delete_draft(*, user: User, draft_id: int) -> None:
    """Delete a draft and its versions. Its test flights and its copies stay.

    Raises NotFound, and Forbidden for guests.
    """
    refuse_guests(user)
    with transaction.atomic():
        draft = locked_draft(user, draft_id)
        forget_name(StarshipDraft.objects.filter(pk=draft.pk))
        draft.delete()


def forget_name(going: QuerySet[StarshipDraft]) -> None:
    """Remove the names of drafts from copies that other people have made.

    Must run before the drafts are deleted.
    """
    StarshipDraft.objects.filter(parent_draft__in=going).exclude(parent_name="").update(parent_name="")


def _save(
    draft: StarshipDraft, columns: Columns, expected: int | None, now: datetime, *, always_store: bool = False
) -> StarshipDraft:
    changed = {key: value for key, value in columns.items() if getattr(draft, key) != value}
    if not changed:
        return draft
    if expected is not None and expected != draft.version:
        raise Stale(draft)
    if draft.link_token:
        written = {**columns["document"], "name": columns["name"]}
        shared = words_of({**draft.document, "name": draft.name})
        refuse_words(user=draft.user, words=words_of(written), before=shared, now=now)
    _store_version(draft, now, always=always_store)
    for key, value in changed.items():
        setattr(draft, key, value)
    draft.version += 1
    draft.saved_at = now
    draft.save(update_fields=[*changed, "version", "saved_at"])
    return draft


def words_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts of a board for `refuse_words` to check: its name and its story."""
    return str(document.get("name") or ""), str(document.get("description") or "")


def _store_version(draft: StarshipDraft, now: datetime, *, always: bool) -> None:
    """Store a draft's current version before a save replaces it.

    The version is stored if it `is_worth_keeping`, or if ``always`` is true. Then surplus earlier versions
    are deleted.
    """
    kept_at = draft.versions.order_by("-number").values_list("saved_at", flat=True).first()
    if not always and not is_worth_keeping(draft.saved_at, kept_at=kept_at, now=now):
        return
    DraftVersion.objects.create(
        draft=draft,
        number=draft.version,
        name=draft.name,
        ruleset=draft.ruleset,
        players=draft.players,
        document=draft.document,
        width=draft.width,
        height=draft.height,
        saved_at=draft.saved_at,
    )
    size = Length(Cast("document", TextField()))
    kept = list(draft.versions.order_by("number").values_list("pk", "saved_at", size))
    going = surplus_versions([at for _, at, _ in kept], [characters for *_, characters in kept], now=now)
    draft.versions.filter(pk__in=[kept[index][0] for index in going]).delete()


def _check_room(user: User) -> None:
    """Raise Conflict if a person has too many drafts.

    The caller must hold the lock on the person's row.
    """
    if StarshipDraft.objects.filter(user=user).count() >= MOST_DRAFTS:
        detail = _("You have {most} drafts, which is the limit. Delete one first.")
        raise Conflict("too-many", detail.format(most=MOST_DRAFTS))


def locked_draft(user: User, draft_id: int) -> StarshipDraft:
    """Return a person's draft, locked until the transaction ends. Raises NotFound."""
    rows = StarshipDraft.objects.select_for_update(of=("self",), no_key=True).select_related(*PARENTS)
    draft = rows.filter(pk=draft_id, user=user).first()
    if draft is None:
        raise NotFound("no-draft", _("There is no such draft."))
    return draft


def _lock_origin(origin: StarshipDraft, link: str | None) -> None:
    """Lock a draft until the transaction ends, so that it cannot be deleted while it is copied.

    Raises NotFound if the draft was deleted or is no longer shared by the ``link``.
    """
    opened = {} if link is None else {"link_token": link}
    rows = StarshipDraft.objects.select_for_update(no_key=True).filter(pk=origin.pk, **opened)
    if rows.values_list("pk", flat=True).first() is None:
        raise NotFound("no-draft", _("This starship was deleted or is no longer shared. Choose another one."))


def _blank(user: User, size: tuple[int, int]) -> dict[str, Any]:
    try:
        sketch = blank_sketch(*size, _("New ship"))
    except rules.NotationError as error:
        problems = document_problems("size", error.problems)
        raise Invalid("no-draft", _("Couldn’t save the draft. Fix the problems first."), problems) from None
    return {**write_sketch(sketch), "builder": user.robo_name[: TEXTS["builder"]]}


def _copied(document: dict[str, Any], user: User) -> dict[str, Any]:
    """Return a board's document with the person as its builder.

    The parent of the new draft still names the original builder.
    """
    return {**document, "builder": user.robo_name[: TEXTS["builder"]]}


def _offered(starship_id: int) -> Starship:
    starships = Starship.objects.select_related("current").filter(OFFERED)
    starship = starships.filter(pk=starship_id).first()
    if starship is None:
        raise NotFound("no-starship", _("This starship is not available. Choose another one."))
    return starship


def _invalid(code: str, detail: str) -> Invalid:
    return Invalid("no-draft", detail, [{"code": code, "detail": detail}])


# --- Links --------------------------------------------------------------------------------------------------


def make_link(*, user: User, draft_id: int, now: datetime) -> StarshipDraft:
    """Give a draft a new secret link. A previous link stops working.

    Raises NotFound, Forbidden for guests, Conflict for a draft that staff have taken down, and the errors of
    `refuse_words` for the draft's name and story.
    """
    return _set_link(user, draft_id, new_token(), now)


def drop_link(*, user: User, draft_id: int) -> StarshipDraft:
    """Remove the secret link of a draft, if it has one. Copies made with the link stay.

    Raises NotFound, and Forbidden for guests.
    """
    return _set_link(user, draft_id, "", None)


def _set_link(user: User, draft_id: int, token: str, now: datetime | None) -> StarshipDraft:
    refuse_guests(user)
    with transaction.atomic():
        draft = locked_draft(user, draft_id)
        if token and draft.taken_down_at:
            detail = _("Staff took this ship down, so you can’t share it. Your Space Dock shows the reason.")
            raise Conflict("taken-down", detail)
        if now is not None:
            refuse_words(user=user, words=words_of({**draft.document, "name": draft.name}), now=now)
        draft.link_token = token
        draft.save(update_fields=["link_token"])
    return draft


# --- Test flights -------------------------------------------------------------------------------------------


MOST_COMPUTERS: Final = 7


def fly_draft(
    *,
    user: User,
    draft_id: int,
    computers: int = 0,
    strength: str = Seat.Level.ROOKIE,
    ruleset: str = "",
    now: datetime,
) -> Game:
    """Start a test flight: a private game on a saved draft, with or without computers.

    ``strength`` is the level of the computers. The default ruleset is the draft's, or else the first suitable
    one. The game has its own copy of the board. Ends a running test flight of the draft, since a draft has
    only one at a time.

    Raises NotFound, Forbidden for guests, and Invalid with every reason why the draft cannot be flown with
    these settings.
    """
    refuse_guests(user)
    draft = draft_for(viewer=user, draft_id=draft_id)
    key = ruleset or ruleset_for(drawing=draft, players=1 + computers)
    ship = ship_of(draft, key)
    terms = Terms(
        name=_name_of(draft), ruleset=key, seats=1 + computers, computers=[strength] * computers, private=True
    )
    with transaction.atomic():
        _end_earlier(draft, now)
        lock_person(user)
        game = create_game(host=user, terms=terms, ship=ship, named=False, now=now)
        DraftFlight.objects.create(draft=draft, game=game, version=draft.version)
    return game


def ship_of(draft: StarshipDraft, ruleset: str) -> rules.Starship:
    """Return a draft's board for a game with a ruleset.

    Raises Invalid if the ruleset is unknown, or if faults of the draft prevent such a game.
    """
    edition = rules.RULESETS.get(ruleset)
    if edition is None:
        detail = _("There is no ruleset “{name}”.").format(name=ruleset)
        raise Invalid("no-game", detail, [{"code": "ruleset", "detail": detail}])
    if faults := hindrances_in(draft, edition):
        raise Invalid("unfinished", _("This ship can’t fly yet. Fix its errors first."), refused(faults))
    return sketch_of(draft).ship


def _end_earlier(draft: StarshipDraft, now: datetime) -> None:
    under_way = Game.objects.filter(draft_flight__draft=draft, status=Game.Status.RUNNING)
    for game_id in under_way.order_by("pk").values_list("pk", flat=True):
        game = locked_game(game_id)
        if game.status == Game.Status.RUNNING:
            end_without_winner(game=game, by=Game.Ending.RESIGNED, now=now)


def _name_of(draft: StarshipDraft) -> str:
    """Return the name of a test flight."""
    name = _("Test flight of {ship}").format(ship=draft.name or _("an unnamed ship"))
    return name[: Game._meta.get_field("name").max_length]
