"""Remove the names and addresses of deleted people from games, texts and starships."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

from django.contrib.admin.models import LogEntry as StaffEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

import rules
from accounts.models import User
from accounts.services import placeholder_of
from games.chat.models import ChatLine
from games.chat.selectors import MENTION, mentions_player
from games.competitions.models import Tournament
from games.dock.models import PromotionVote, Review
from games.fleet.models import Course, Piece, Starship, StarshipRevision
from games.fleet.services import save_starship, slug_of
from games.lobby.models import LobbyEntry
from games.moderation.models import Appeal, Case, ConductEntry, Moderation, Report, Sanction
from games.people.models import Deletion
from games.play.history import PERSON_PARAMETERS, rename_person
from games.play.models import Game, Program, Turn
from games.play.resolution import rewrite_played_turns
from games.play.stored import TurnRecord, state_at_start
from games.staff.models import Intervention
from games.work.models import Alarm

# --- Names in the log of a game -----------------------------------------------------------------------------


def rename_robot(*, game: Game, before: str, after: str) -> None:
    """Rename a robot in the states, the log and the result of a game.

    The caller must hold the game's row lock. Does nothing if no robot has the name ``before``, for example if
    an earlier call renamed the robot. A robot has the same name in all states of a game, so looking at the
    first state is enough.
    """
    first = game.turns.order_by("number").first()
    if first is None or all(robot["name"] != before for robot in state_at_start(first)["robots"]):
        return
    if game.winner == before:
        game.winner = after
        Game.objects.filter(pk=game.pk).update(winner=after)
    for turn in game.turns.filter(status=Turn.Status.OPEN):
        turn.snapshot = turn.snapshot and rules.rename_in_state(turn.snapshot, before, after)
        turn.save(update_fields=["snapshot"])
    rewrite_played_turns(game=game, change=partial(_renamed, before=before, after=after))


def rename_companions(*, game: Game, name: str) -> None:
    """Number a companion who has the new ``name`` of a person, because robots' names differ.

    The caller must hold the game's row lock.
    """
    companions = game.players.filter(user=None, computer="", name__iexact=name)
    for seat in companions if game.is_on_one_screen else ():
        taken = {each.casefold() for each in game.players.values_list("name", flat=True)}
        names = (f"{seat.name} {number}" for number in range(2, game.seats + 2))
        after = next(each for each in names if each.casefold() not in taken)
        rename_robot(game=game, before=seat.name, after=after)
        seat.name = after
        seat.save(update_fields=["name"])


def _renamed(played: TurnRecord, before: str, after: str) -> TurnRecord:
    return replace(
        played,
        start=rules.rename_in_state(played.start, before, after),
        events=tuple(rules.rename_in_event(event, {before: after}) for event in played.events),
    )


# --- Starships ----------------------------------------------------------------------------------------------


Scrub = Callable[[str], str]
"""A function that removes a person's name and address from a text."""


def rename_ships(*, builder: User, scrub: Scrub, now: datetime) -> None:
    """Remove a deleted builder's name and address from the names and stories of their starships.

    A ship with the builder's name in its own name gets a neutral name with its ID. The boards of games stay
    unchanged, because the proofs of these games contain them. So the ship gets a new revision with the same
    cells.
    """
    for number in Starship.objects.filter(owner=builder).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            _rename(number, builder, scrub, now)


def _rename(number: int, builder: User, scrub: Scrub, now: datetime) -> None:
    held = Starship.objects.select_for_update(no_key=True, of=("self",)).select_related("current")
    ship = held.get(pk=number)
    if scrub(ship.name) != ship.name:
        ship.name = f"Starship {number}"  # readers of all languages see the same name
        ship.slug = slug_of(ship.name)
    ship.builder = builder.robo_name
    ship.save(update_fields=["name", "slug", "builder"])
    if ship.current and (scrubbed := _scrubbed(ship.current.document, ship, scrub)) != ship.current.document:
        save_starship(
            starship_id=number,
            document=scrubbed,
            section=ship.section,
            seats_least=ship.seats_least,
            seats_most=ship.seats_most,
            known=True,
            now=now,
        )
        ship.refresh_from_db(fields=["current"])
    for revision in _boards_without_games(ship):
        if (scrubbed := _scrubbed(revision.document, ship, scrub)) != revision.document:
            revision.document = scrubbed
            revision.save(update_fields=["document"])


def _scrubbed(document: dict[str, Any], ship: Starship, scrub: Scrub) -> dict[str, Any]:
    named = scrub(document["name"]) != document["name"]
    name = ship.name if named else document["name"]
    return {**document, "name": name, "description": scrub(document["description"])}


def _boards_without_games(ship: Starship) -> list[StarshipRevision]:
    """Lock and return a ship's earlier boards that no game uses, so that no game can start on them."""
    earlier = ship.revisions.exclude(pk=ship.current_id or 0)
    held = list(earlier.select_for_update().order_by("pk").values_list("pk", flat=True))
    used = Exists(Game.objects.filter(revision=OuterRef("pk"))) | Exists(
        Piece.objects.filter(revision=OuterRef("pk"))
    )
    return list(StarshipRevision.objects.filter(~used, pk__in=held))


# --- Games and texts ----------------------------------------------------------------------------------------


ERRORS: Final[tuple[tuple[type[Model], str, str], ...]] = (
    (Turn, "game", "error"),
    (Alarm, "game", "error"),
    (Program, "hand__turn__game", "remark"),
)
"""Columns with error messages about a game: table, path to the game, and column.

The messages may quote names of players.
"""

OWN_TEXT_COLUMNS: Final[tuple[tuple[type[Model], str, tuple[str, ...]], ...]] = (
    (Game, "host", ("name",)),
    (Game, "at_table__table__round__tournament__host", ("name",)),
    (ChatLine, "user", ("text",)),
    (Review, "author", ("text",)),
    (Review, "starship__owner", ("answer",)),
    (PromotionVote, "user", ("words",)),
    (Tournament, "host", ("name", "text")),
    (Starship, "revisions__saved_by", ("builder",)),
)
"""Columns with a person's own words: table, path to the person, and columns."""

TEXT_COLUMNS: Final[tuple[tuple[type[Model], tuple[str, ...]], ...]] = (
    (ChatLine, ("text",)),
    (Review, ("text", "answer")),
    (PromotionVote, ("words",)),
    (Report, ("text",)),
    (Moderation, ("reason",)),
    (Intervention, ("reason",)),
    (Sanction, ("facts",)),
    (Appeal, ("text", "answer")),
)
"""Columns with the words of any person: table and columns. Only addresses are removed from them."""

PATHS_TO_PERSON: Final[dict[type[Model], str]] = {
    User: "pk",
    Game: "host",
    Starship: "owner",
    Case: "person",
    Sanction: "user",
    Appeal: "sanction__user",
    ConductEntry: "person",
}
"""Tables whose rows show a person's name or words in the staff log, each with its path to the person."""

WITHDRAWN: Final = "(deleted)"
"""The text that replaces a message deleted by its author."""

NO_ADDRESS: Final = "(an address)"
"""The text that replaces the address of a deleted person."""

_BEFORE: Final = r"(?<![^\W_])(?<![^\W_][-_])"
"""A pattern for the start of a whole name. “Ann” in “Mary-Ann” or “Mary_Ann” is not a whole name."""
_BEHIND: Final = r"(?![^\W_]|[-_]+[^\W_])"
"""A pattern for the end of a whole name. “Mary” in “Mary-Ann” or “Mary_Ann” is not a whole name."""


class Scrubber(NamedTuple):
    """Replaces a person's name with a placeholder, and removes the person's address."""

    name: str
    address: str
    placeholder: str

    def scrub_own(self, text: str, longest: int | None = None) -> str:
        """Remove the person's name and address from a text that the person wrote.

        Only the exact spelling of the name is replaced.

        >>> scrubber = Scrubber("Bob", "bob@example.org", "Deleted-7")
        >>> scrubber.scrub_own("@Bob: Bob-cat, Bob's mail is Bob@Example.org. Do not bob!")
        "@Deleted-7: Bob-cat, Deleted-7's mail is (an address). Do not bob!"
        """
        found = rf"{_BEFORE}{re.escape(self.name)}{_BEHIND}"
        return _cut(re.sub(found, self.placeholder, self.scrub_address(text)), longest)

    def scrub_mentions(self, text: str, longest: int | None = None) -> str:
        """Replace the person's name with the placeholder where a chat line mentions the person.

        >>> Scrubber("Ace", "", "Deleted-7").scrub_mentions("An Ace, @ace! @Acedia?")
        'An Ace, @Deleted-7! @Acedia?'
        """
        return _cut(MENTION.sub(self._mention, text), longest)

    def scrub_address(self, text: str, longest: int | None = None) -> str:
        """Remove the person's address from a text. Addresses of other people stay.

        >>> Scrubber("Bob", "bob@example.org", "").scrub_address("BOB@example.org, jacbob@example.org")
        '(an address), jacbob@example.org'
        """
        if not self.address:
            return text
        found = rf"(?<![\w.+-]){re.escape(self.address)}(?!\w|[.-]\w)"
        return _cut(re.sub(found, NO_ADDRESS, text, flags=re.IGNORECASE), longest)

    def scrub_error(self, text: str, longest: int | None = None) -> str:
        """Remove the address from an error message, and replace the name where the message quotes it.

        >>> Scrubber("Not", "", "Deleted-7").scrub_error("Not found: 'Not'")
        "Not found: 'Deleted-7'"
        """
        return _cut(self.scrub_address(text).replace(repr(self.name), repr(self.placeholder)), longest)

    def _mention(self, found: re.Match[str]) -> str:
        return f"@{self.placeholder}" if mentions_player(found.group(), self.name) else found.group()


def scrubber_of(deletion: Deletion) -> Scrubber:
    """Return the scrubber for a deleted person."""
    return Scrubber(deletion.name, deletion.address, placeholder_of(deletion.user))


def rename_player(*, game: Game, user: User, scrubber: Scrubber) -> None:
    """Replace a person's name with the scrubber's placeholder in a game.

    The caller must hold the game's row lock.
    """
    before, after = scrubber.name, scrubber.placeholder
    rename_companions(game=game, name=after)
    rename_robot(game=game, before=before, after=after)
    game.players.filter(user=user, robot=before).update(robot="")
    game.players.filter(robot=before).update(robot=after)
    game.chat.filter(user=user).update(name=after)
    scrub_game(game=game, scrubber=scrubber)


def scrub_game(*, game: Game, scrubber: Scrubber) -> None:
    """Remove a person's name from the mentions, the history and the error messages of a game.

    The caller must hold the game's row lock.
    """
    _scrub(game.chat.filter(text__icontains=f"@{scrubber.name}"), ("text",), scrubber.scrub_mentions)
    _rename_in_history(game, scrubber)
    for model, path, column in ERRORS:
        rows = model._default_manager.filter(**{path: game.pk})
        _scrub(_mentioning(rows, (column,), scrubber), (column,), scrubber.scrub_error)
    rewrite_played_turns(game=game, change=partial(_without_names, scrubber=scrubber))


def scrub_elsewhere(*, deletion: Deletion) -> None:
    """Remove a deleted person's name from texts by the person, and the person's address from all texts.

    The texts are chats, reviews, reports, decisions, names of games and ships, and the staff log.
    """
    scrubber = scrubber_of(deletion)
    _take_words_back(deletion)
    for model, writer, columns in OWN_TEXT_COLUMNS:
        rows = model._default_manager.filter(**{writer: deletion.user})
        _scrub(_mentioning(rows, columns, scrubber).distinct(), columns, scrubber.scrub_own)
    _scrub_names_of_games(deletion)
    for model, columns in TEXT_COLUMNS:
        addressed = _mentioning(model._default_manager.all(), columns, scrubber._replace(name=""))
        _scrub(addressed, columns, scrubber.scrub_address)
    errors = _mentioning(Alarm.objects.filter(game=None), ("error",), scrubber)
    _scrub(errors, ("error",), scrubber.scrub_error)
    _sign_boards(deletion.user, scrubber)
    rename_in_staff_log(deletion=deletion)


def rename_in_staff_log(*, deletion: Deletion) -> None:
    """Remove a deleted person's name and address from the staff log."""
    scrubber = scrubber_of(deletion)
    for model, path in PATHS_TO_PERSON.items():
        rows = model._default_manager.filter(**{path: deletion.user_id})
        numbers = [str(pk) for pk in rows.order_by().values_list("pk", flat=True)]
        logged = _staff_entries(model).filter(object_id__in=numbers)
        _scrub(logged.filter(change_message__contains="\n"), ("change_message",), _without_reason)
        deeds = logged.filter(object_repr__contains=scrubber.name)
        _scrub(deeds, ("object_repr",), partial(_display_name, scrubber=scrubber))
    own = _staff_entries(User).filter(object_id=str(deletion.user_id))
    own.update(object_repr=scrubber.placeholder)  # the log has earlier names too
    accounts = StaffEntry.objects.filter(content_type__app_label__in=("account", "accounts"))
    if scrubber.address:
        accounts.filter(object_repr__iexact=scrubber.address).update(object_repr=NO_ADDRESS)
    entries = _mentioning(accounts, ("change_message",), scrubber)
    _scrub(entries, ("change_message",), partial(_with_objects, scrubber=scrubber))


def _display_name(text: str, longest: int | None, scrubber: Scrubber) -> str:
    """Return the display name of an object in the staff log, without the person's name."""
    if text.endswith(scrubber.name):
        return _cut(text.removesuffix(scrubber.name) + scrubber.placeholder, longest)
    return scrubber.scrub_own(text, longest)


def _with_objects(message: str, longest: int | None, scrubber: Scrubber) -> str:
    """Return a change message of the staff log, without the person's name and address."""
    try:
        parts = json.loads(message)
    except ValueError:
        return message
    names = {scrubber.name: scrubber.placeholder, scrubber.address: NO_ADDRESS}
    for part in parts if isinstance(parts, list) else []:
        for done in part.values() if isinstance(part, dict) else []:
            if isinstance(done, dict) and done.get("object") in names:
                done["object"] = names[done["object"]]
    changed = json.dumps(parts)
    return message if changed == json.dumps(json.loads(message)) else changed


def _without_reason(message: str, longest: int | None) -> str:
    """Return a change message of the staff log without the reason, which is on the next line."""
    return message.partition("\n")[0]


def _staff_entries(model: type[Model]) -> QuerySet[StaffEntry]:
    return StaffEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))


def _rename_in_history(game: Game, scrubber: Scrubber) -> None:
    """Replace a person's name in the history of a game, in the parameters that contain names of people."""
    found = Q()
    for key in PERSON_PARAMETERS:
        found |= Q(**{f"parameters__{key}": scrubber.name})
    for entry in game.lobby.filter(found):
        entry.parameters = rename_person(entry.parameters, scrubber.name, scrubber.placeholder)
        entry.save(update_fields=["parameters"])


def _scrub_names_of_games(deletion: Deletion) -> None:
    """Remove a person's name from the names of games in the history, if the person chose those names."""
    scrubber = scrubber_of(deletion)
    for entry in LobbyEntry.objects.filter(by=deletion.user, parameters__term="name"):
        names = {key: scrubber.scrub_own(entry.parameters[key]) for key in ("before", "after")}
        if not names.items() <= entry.parameters.items():
            entry.parameters = {**entry.parameters, **names}
            entry.save(update_fields=["parameters"])


def _without_names(played: TurnRecord, scrubber: Scrubber) -> TurnRecord:
    """Return the record of a turn, without the person's name in its remarks about random orders."""
    hands = []
    for hand in played.hands:
        if hand.program and hand.program.remark:
            remark = scrubber.scrub_error(hand.program.remark)
            hand = replace(hand, program=replace(hand.program, remark=remark))
        hands.append(hand)
    return replace(played, hands=tuple(hands))


def _take_words_back(deletion: Deletion) -> None:
    """Delete a person's texts about starships if the person asked for it.

    The stars and tags of reviews stay.
    """
    if not deletion.takes_chat:
        return
    user = deletion.user
    Review.objects.filter(author=user).exclude(text="").update(text="")
    Review.objects.filter(starship__owner=user).exclude(answer="").update(answer="", answered_at=None)
    PromotionVote.objects.filter(user=user).exclude(words="").update(words=WITHDRAWN)


def _sign_boards(user: User, scrubber: Scrubber) -> None:
    """Remove a person's name and address from the ``builder`` of the boards that the person saved.

    This includes joined boards and test flights, and also the names of these.
    """
    for revision in StarshipRevision.objects.filter(saved_by=user):
        _sign(revision, scrubber)
    drawn = Q(pieces=None, of_game__host=user)
    for course in Course.objects.filter(Q(pieces__revision__saved_by=user) | drawn).distinct():
        _sign(course, scrubber)
    laid = Course.objects.filter(Q(pieces__revision__starship__owner=user) | drawn)
    _scrub(_mentioning(laid, ("name",), scrubber).distinct(), ("name",), scrubber.scrub_own)


def _sign(board: StarshipRevision | Course, scrubber: Scrubber) -> None:
    builder = board.document.get("builder", "")
    if (scrubbed := scrubber.scrub_own(builder, 80)) != builder:
        board.document = {**board.document, "builder": scrubbed}
        board.save(update_fields=["document"])


def _mentioning(rows: QuerySet[Any], columns: tuple[str, ...], scrubber: Scrubber) -> QuerySet[Any]:
    """Return the rows that contain the person's name or address in one of the ``columns``."""
    found = Q(pk__in=())
    for column in columns:
        for word in filter(None, (scrubber.name, scrubber.address)):
            found |= Q(**{f"{column}__icontains": word})
    return rows.filter(found)


def _scrub(rows: QuerySet[Any], columns: tuple[str, ...], scrub: Callable[[str, int | None], str]) -> None:
    """Apply the function ``scrub`` to the texts in some ``columns`` of ``rows``, and save the changed rows.

    The arguments of ``scrub`` are a text and the maximum length of its column.
    """
    for row in rows.only(*columns).iterator(chunk_size=500):
        before = [getattr(row, column) for column in columns]
        after = [
            scrub(text, row._meta.get_field(column).max_length)
            for column, text in zip(columns, before, strict=True)
        ]
        if before != after:
            for column, text in zip(columns, after, strict=True):
                setattr(row, column, text)
            row.save(update_fields=columns)


def _cut(text: str, longest: int | None) -> str:
    return text if longest is None or len(text) <= longest else f"{text[: longest - 1]}…"
