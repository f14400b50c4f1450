"""Bring back one deleted game or account from a backup that is restored into a scratch database.

Rows are found by the relations of the models: all rows that a deletion takes along come back, unless `LEFT`
names a reason against it. Every relation has a decision in `BROUGHT`, `LEFT` or `KEPT_REFERENCES`.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import IntegrityError, connection, connections, transaction
from django.db.models import CASCADE, DO_NOTHING, SET_NULL, ForeignKey, ManyToOneRel, Model, Q

from accounts import rights, robo_names
from accounts.models import User
from accounts.robo_names import RetiredName
from accounts.services import placeholder_of
from embedded.paths import Failure
from games.absence.models import Replacement
from games.chat.models import ChatLine
from games.clocks.clock import Span
from games.clocks.selectors import OUTAGE_REASON
from games.people.models import Deletion
from games.people.services import scrubbing
from games.people.services.deletion import KEPT_REFERENCES, forget_person, label_of, unshared_games
from games.people.services.scrubbing import Scrubber
from games.play.deadlines import pause_all_clocks
from games.play.models import Game, Seat
from games.play.services import locked_game
from games.staff.selectors import faults_of

ALIAS: Final = "backup"
"""The name of Django's connection to the scratch database."""

BROUGHT: Final = frozenset(
    [
        # of a game
        "games.Seat.game",
        "games.Turn.game",
        "games.Hand.turn",
        "games.Hand.seat",
        "games.Program.hand",
        "games.Draft.hand",
        "games.Replacement.seat",
        "games.LobbyEntry.game",
        "games.Intervention.game",
        "games.Intervention.seat",
        "games.ChatLine.game",
        "games.Vote.game",
        "games.Vote.seat",
        "games.Ballot.vote",
        "games.Invitation.game",
        "games.Tally.seat",
        "games.Share.seat",
        "games.Achievement.game",
        "games.ClubGame.game",
        "games.SitterTurn.game",
        "games.TableGame.game",
        "games.LadderGame.game",
        "games.DraftFlight.game",
        "games.Piece.course",
        # of an account
        "games.Reliability.user",
        "games.Rest.user",
        "games.Vacation.user",
        "games.VacationDay.user",
        "games.Flier.user",
        "games.Favourite.user",
        "games.StarshipList.user",
        "games.StarshipListEntry.list",
        "games.StarshipDraft.user",
        "games.DraftVersion.draft",
        "games.DraftFlight.draft",
        "games.Sanction.user",
        "games.Sanction.case",
        "games.Case.person",
        "games.Report.case",
        "games.Report.reporter",
        "games.Appeal.sanction",
        "games.Achievement.user",
        "games.DailyResult.user",
        "games.PuzzleTry.user",
        "games.PuzzleRating.user",
        "games.Branch.owner",
        "games.Follow.user",
        "games.Follow.followed",
        "games.Block.user",
        "games.Block.blocked",
        "games.Housemate.user",
        "games.Housemate.person",
        "games.PlayerNote.user",
        "games.PlayerNote.about",
        "games.PlayerMonth.user",
        "games.Award.user",
        "account.EmailAddress.user",
        "accounts.SignUp.user",
        "mfa.Authenticator.user",
        "socialaccount.SocialAccount.user",
    ]
)
"""References whose rows come back with the row that they refer to."""

LEFT: Final[Mapping[str, str]] = {
    "accounts.Trace.user": "browsers and networks are kept for 30 days only",
    "accounts.User_groups.user": "a superuser gives rights of staff again",
    "accounts.User_user_permissions.user": "a superuser gives rights of staff again",
    "account.EmailConfirmation.email_address": "links in mail are signed, not stored",
    "socialaccount.SocialToken.account": "the next login gets a new one",
    "usersessions.UserSession.user": "the person logs in again",
    "games.Alarm.game": "work of the sweeper, which raises it again if needed",
    "games.Alarm.turn": "work of the sweeper, which raises it again if needed",
    "games.EndedGame.game": "`recount` counts the game",
    "games.Notice.user": "old notifications are not sent again",
    "games.Notice.game": "old notifications are not sent again",
    "games.Forgetting.game": "the names of deleted people are removed at once",
    "games.Report.game": "the report stayed, without the game",
    "games.Report.line": "the report stayed, without the line",
    "games.Sanction.line": "the sanction stayed, without the line",
    "games.Game.course": "the game of the board is brought back itself",
    "games.Game.rematch_of": "a rematch is a game of its own",
    "games.Game.origin": "a game that was played on is a game of its own",
    "games.Branch.game": "a branch comes back with its owner",
    "games.Clip.game": "a clip is made again on request",
    "games.Membership.user": "the person joins the club again",
    "games.Candidate.user": "the person asks again",
    "games.Candidate.invited_by": "the member invites again",
    "games.Invitation.user": "the game may have begun",
    "games.LimitedUse.user": "limits count for a day only",
    "games.Rung.user": "the person joins the ladder again",
    "games.SeasonEntry.user": "the person enters the season again",
    "games.Ticket.user": "the person searches again",
    "games.TunnelRun.draft": "the person starts the run again",
    "games.TunnelRun.asked_by": "the person starts the run again",
    "games.ShipSuggestion.user": "the person asks again",
    "games.Analysis.game": "a player analyses the game again",
    "games.Analysis.player": "the player analyses their turns again",
    "games.Analysis.asked_by": "the person starts the analysis again",
    "games.StarshipDraft.parent_draft": "the copy stayed, without its origin",
    "games.Prototype.draft": "the prototype stayed, without the draft",
    "games.Moderation.draft": "the action stayed, without the draft",
    "games.Case.draft": "a shared draft that was reported; its link is new",
    "games.GroupChannel.game": "a secret address; the host sets it up again",
    "games.GroupChannel.made_by": "a secret address; the person sets it up again",
    "games.Announcement.game": "old announcements are not sent again",
    "games.Sitting.owner": "the person names a sitter again",
    "games.Sitting.sitter": "the person is named as a sitter again",
    "accounts.InvitationLink.made_by": "a secret address; the person makes a new one",
    "games.Feed.user": "a secret address; the person makes a new one",
    "games.Device.user": "the browser asks again",
    "games.Webhook.user": "a secret address; the person sets it up again",
    "games.ApiToken.user": "the person makes a new token",
}
"""References whose rows do not come back, with reasons."""

logger = logging.getLogger(__name__)

Rows = dict[type[Model], dict[Any, Model]]


@dataclass
class Result:
    """The numbers of rows that came back and of rows that could not, by table, and remarks."""

    brought: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)


class _Undone(Exception):
    """Raised to roll back a dry run."""


@contextmanager
def backup_connection(name: str) -> Iterator[None]:
    """Connect Django to the scratch database `name` as `ALIAS` during the block."""
    beside: Any = connection.copy(ALIAS)
    beside.settings_dict["NAME"] = name
    connections[ALIAS] = beside
    try:
        yield
    finally:
        beside.close()
        del connections[ALIAS]


def bring_back_game(
    *, number: int, by: User, reason: str, made_at: datetime, dry_run: bool, now: datetime
) -> Result:
    """Copy a game from the backup, with all its rows, and check its log and proofs.

    A running game continues with as much time as it had at ``made_at``, the time of the backup. Names of
    people who were deleted or renamed since then are replaced. Raises `Failure` with the reason if the game
    exists, misses something, or is not sound. A dry run does the same, and then takes it back.
    """
    game = Game.objects.using(ALIAS).filter(pk=number).first()
    if game is None:
        raise Failure(f"The backup has no game {number}.")
    if Game.objects.filter(pk=number).exists():
        raise Failure(f"Game {number} exists. Only a deleted game can be brought back.")
    result = Result()
    with _all_or_nothing(dry_run):
        _insert(_rows_of(_with_board(game)), result)
        _settle_game(number, made_at, result, now)
        _log(game, by, f"Brought back from a backup: {reason}", now)
    if not dry_run:
        logger.warning(
            "%s: Brought back game %d from a backup", by.robo_name, number, extra={"person": by.pk}
        )
    return result


def bring_back_account(
    *, name: str, by: User, reason: str, made_at: datetime, dry_run: bool, now: datetime
) -> Result:
    """Turn the placeholder of a deleted account into the account in the backup.

    Rows that the deletion took along come back, and the person's private games without anyone else. The name
    returns to other games. Rights of staff do not come back. Raises `Failure` with the reason if the account
    was not deleted, its deletion is under way, or its name or address is taken. A dry run does the same, and
    then takes it back.
    """
    old = User.objects.using(ALIAS).filter(robo_name__iexact=name).first()
    if old is None or old.deleted_at is not None:
        raise Failure(f"The backup has no account {name}.")
    if old.is_guest:
        raise Failure(f"{name} is a guest in the backup. Guests have no account that could come back.")
    result = Result()
    with _all_or_nothing(dry_run):
        live = User.objects.select_for_update(no_key=True).filter(pk=old.pk).first()
        if live is None or live.deleted_at is None:
            raise Failure(f"The account {name} is not deleted.")
        if Deletion.objects.filter(user=live, done_at=None).exists():
            raise Failure(f"The deletion of {name} is under way. Try again when it is done.")
        taken = Q(skeleton=old.skeleton) | Q(email__iexact=old.email)
        if User.objects.filter(taken, is_guest=False, deleted_at=None).exists():
            raise Failure(f"Another account has the name {name} or its address.")
        Deletion.objects.filter(user=live).delete()
        RetiredName.objects.filter(digest=robo_names.digest_of(robo_names.skeleton(old.robo_name))).delete()
        for column in User._meta.concrete_fields:
            if not column.primary_key and not column.generated:
                setattr(live, column.attname, getattr(old, column.attname))
        rights.clear_rights(live)
        live.save(force_update=True)
        own = [
            game
            for game in unshared_games(user=old).using(ALIAS)
            if not Game.objects.filter(pk=game.pk).exists()
        ]
        _insert(_rows_of([old, *(row for game in own for row in _with_board(game))]), result)
        for game in own:
            _settle_game(game.pk, made_at, result, now)
        _return_name(live, result)
        _log(live, by, f"Brought back from a backup: {reason}", now)
    if not dry_run:
        logger.warning(
            "%s: Brought back person %d from a backup", by.robo_name, live.pk, extra={"person": by.pk}
        )
    return result


def undecided() -> set[str]:
    """Return the references without a decision."""
    seen: set[type[Model]] = set()
    found: set[str] = set()
    queue: list[type[Model]] = [Game, User]
    while queue:
        model = queue.pop()
        if model in seen:
            continue
        seen.add(model)
        for relation in _relations(model):
            label = label_of((relation.related_model, relation.field.name))
            if label in BROUGHT:
                queue.append(relation.related_model)
            elif label not in LEFT and label not in KEPT_REFERENCES:
                found.add(label)
    return found


def _relations(model: type[Model]) -> Iterator[ManyToOneRel]:
    for relation in model._meta.get_fields(include_hidden=True):
        # The column `game` of `BelongsToGame` repeats another relation.
        if isinstance(relation, ManyToOneRel) and relation.on_delete is not DO_NOTHING:
            yield relation


def _with_board(game: Game) -> list[Model]:
    """Return a game, with the joined board that belongs to it."""
    return [game.course, game] if game.course is not None else [game]


def _rows_of(roots: Iterable[Model]) -> Rows:
    """Return rows of the backup with all rows that come back with them, by model and key."""
    rows: Rows = {}
    queue: list[tuple[type[Model], dict[Any, Model]]] = []
    for root in roots:
        rows.setdefault(type(root), {})[root.pk] = root
        queue.append((type(root), {root.pk: root}))
    while queue:
        model, fresh = queue.pop()
        for relation in _relations(model):
            label = label_of((relation.related_model, relation.field.name))
            if label not in BROUGHT:
                if label not in LEFT and label not in KEPT_REFERENCES:
                    raise Failure(f"There is no decision whether {label} comes back.")
                continue
            table = relation.related_model
            known = rows.setdefault(table, {})
            found = table._base_manager.using(ALIAS).filter(**{f"{relation.field.name}__in": list(fresh)})
            more = {row.pk: row for row in found if row.pk not in known}
            known.update(more)
            if more:
                queue.append((table, more))
    return rows


def _insert(rows: Rows, result: Result) -> None:
    """Insert rows, except existing rows and rows that need deleted ones."""
    rows.pop(User, None)
    for model, found in rows.items():
        there = set(model._base_manager.filter(pk__in=list(found)).values_list("pk", flat=True))
        if there and issubclass(model, Game | Seat):
            raise Failure(f"Rows of {model._meta.label} exist already: {sorted(there)[:5]}.")
        for pk in there:
            del found[pk]
    _drop_orphans(rows, result)
    try:
        with transaction.atomic():
            for model, found in rows.items():
                model._base_manager.bulk_create(found.values(), batch_size=500)
                result.brought[model._meta.label] += len(found)
            connection.check_constraints()
    except IntegrityError as problem:
        raise Failure(f"The rows do not fit those of the site: {str(problem).splitlines()[0]}.") from None
    for counts in (result.brought, result.dropped):
        for label in [label for label, number in counts.items() if not number]:
            del counts[label]


def _drop_orphans(rows: Rows, result: Result) -> None:
    """Remove rows that refer to something deleted, as the deletion of that would have done.

    Raises `Failure` if a row cannot be without it.
    """
    again = True
    while again:
        again = False
        for model, found in rows.items():
            for column in model._meta.concrete_fields:
                if not isinstance(column, ForeignKey) or column.remote_field.on_delete is DO_NOTHING:
                    continue
                for row in _referring_to_nothing(column, list(found.values()), rows):
                    again = True
                    rule = column.remote_field.on_delete
                    if rule is SET_NULL:
                        setattr(row, column.attname, None)
                    elif rule is CASCADE:
                        del found[row.pk]
                        result.dropped[model._meta.label] += 1
                    else:
                        raise Failure(
                            f"{model._meta.label} {row.pk} needs {column.related_model._meta.label}"
                            f" {getattr(row, column.attname)}, which is gone."
                        )


def _referring_to_nothing(column: Any, found: list[Model], rows: Rows) -> list[Model]:
    """Return the rows whose value in a column is a row that is gone, or a deleted person who is forgotten."""
    target = column.related_model
    wanted = {getattr(row, column.attname) for row in found} - {None} - set(rows.get(target, ()))
    if not wanted:
        return []
    there = target._base_manager.filter(pk__in=list(wanted))
    if target is User and label_of((column.model, column.name)) not in KEPT_REFERENCES:
        there = there.filter(deleted_at=None)
    gone = wanted - set(there.values_list("pk", flat=True))
    return [row for row in found if getattr(row, column.attname) in gone]


def _settle_game(number: int, made_at: datetime, result: Result, now: datetime) -> None:
    """Fit an inserted game to the present: its names, deadlines and proofs.

    Raises `Failure` if it is not sound.
    """
    game = locked_game(number)
    for old in _people_of(game):
        live = User.objects.get(pk=old.pk)
        if live.deleted_at is not None:
            deletion = Deletion.objects.filter(user=live).first() or Deletion(user=live)
            deletion.user, deletion.name, deletion.address = live, old.robo_name, old.email
            if unshared_games(user=live).filter(pk=number).exists():
                raise Failure(f"Game {number} belongs to {placeholder_of(live)}: bring back the account.")
            forget_person(game, deletion, now)
            scrubbing.scrub_elsewhere(deletion=deletion)
            result.remarks.append(f"{placeholder_of(live)} stays deleted, and has no name in game {number}.")
        elif live.robo_name != old.robo_name:
            Seat.objects.filter(game=game, user=live, robot="").update(robot=old.robo_name)
            scrubber = Scrubber(old.robo_name, "", live.robo_name)
            scrubbing.rename_player(game=game, user=live, scrubber=scrubber)
    game = locked_game(number)
    if game.status == Game.Status.RUNNING and made_at < now:
        pause_all_clocks(game=game, pause=Span(made_at, now), reason=OUTAGE_REASON)
        result.remarks.append(f"Game {number} is running. Its players have as much time as at the backup.")
    _require_sound(game)


def _people_of(game: Game) -> list[User]:
    """Return the people of a game as they are in the backup."""
    numbers = {game.host_id}
    for rows, column in (
        (Seat.objects.filter(game=game), "user"),
        (Replacement.objects.filter(seat__game=game), "was"),
        (Replacement.objects.filter(seat__game=game), "became"),
        (ChatLine.objects.filter(game=game), "user"),
    ):
        numbers |= set(rows.values_list(column, flat=True))
    return list(User.objects.using(ALIAS).filter(pk__in=numbers - {None}, deleted_at=None).order_by("pk"))


def _return_name(user: User, result: Result) -> None:
    """Write the name of an account that came back into its games, in place of the placeholder."""
    scrubber = Scrubber(placeholder_of(user), "", user.robo_name)
    seats = Seat.objects.filter(Q(user=user) | Q(replacements__was=user), robot=scrubber.name)
    own = Seat.objects.filter(user=user)
    said = ChatLine.objects.filter(user=user, name=scrubber.name)
    games = {number for rows in (seats, own, said) for number in rows.values_list("game", flat=True)}
    for number in sorted(games):
        game = locked_game(number)
        scrubbing.rename_player(game=game, user=user, scrubber=scrubber)
        _require_sound(locked_game(number))
    if games:
        result.remarks.append(f"The name is back in {len(games)} games.")


def _require_sound(game: Game) -> None:
    if faults := list(faults_of(game)):
        raise Failure(f"Game {game.pk}: {'; '.join(faults[:3])}.")


@contextmanager
def _all_or_nothing(dry_run: bool) -> Iterator[None]:
    """Run the block in a transaction, and take it back if it is a dry run."""
    try:
        with transaction.atomic():
            yield
            if dry_run:
                raise _Undone
    except _Undone:
        pass


def _log(row: Game | User, by: User, words: str, now: datetime) -> None:
    LogEntry.objects.log_actions(by.pk, [row], CHANGE, change_message=words, single_object=True)
