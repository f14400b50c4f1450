"""Every ending of something notifies people, or has a reason not to."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from django.apps import apps
from django.db import models

from accounts.models import User
from games.clubs.services import change_club, close_club, create_club, join_club, remove_from_club
from games.competitions.formats import IDLE_AFTER, MAX_REST
from games.competitions.services.ladders import join_ladder, rest_idle
from games.competitions.services.rounds import advance_tournaments
from games.competitions.services.tournaments import cancel_tournament, leave_tournament
from games.lobby.invitations import invite
from games.lobby.seats import leave_game
from games.lobby.services import cancel_game
from games.moderation.models import Reason, Rule
from games.news.channels.mail import compose
from games.news.delivery import send_notification
from games.news.kinds import KINDS
from games.news.models import Notice
from games.play.models import Game
from tests import cast
from tests.games.competitions.hosting import START, opened, step
from tests.games.support import NOW, Table

RULESET: Final = "robo-runner"

ROOMS: Final = Path(__file__).parents[2] / "games"

STATES: Final = frozenset({"status", "ending", "outcome", "answer", "reason"})
"""Names of columns that contain a state or an ending."""

MOMENTS: Final = (
    *("ended_at", "closed_at", "left_at", "lifted_at", "ends_at", "expires_at"),
    *("switched_off_at", "taken_down_at"),
)
"""Suffixes in names of columns that contain the time of an ending."""


class Quiet(NamedTuple):
    """A state that needs no notification, and the reason."""

    why: str


GOES_ON: Final = Quiet("it has not ended")
OWN: Final = Quiet("the person has just done it")
STATUS_TELLS: Final = Quiet("it is set with the status, which has its entry")
OF_STAFF: Final = Quiet("staff and operators see it in the admin; it is about no person")
WATCHED: Final = Quiet("the builder started it a moment ago, and its page shows the end")
KNOWN: Final = Quiet("the date was known from the start")

Entry = str | tuple[str, ...] | Quiet

ENDINGS: Final[dict[str, Entry | dict[str, Entry]]] = {
    # Games
    "Game.status": {"open": GOES_ON, "running": "turn", "over": "over", "cancelled": "cancelled"},
    "Game.ending": {
        "voted": "cancelled",
        "conceded": "over",
        "staff": "cancelled",
        "deserted": Quiet("no player was left"),
        "resigned": ("over", "cancelled"),
    },
    "Game.ended_at": ("over", "cancelled"),
    "Replacement.reason": {
        **dict.fromkeys(("missed", "voted", "staff"), "replaced"),
        **dict.fromkeys(("deleted", "resigned", "left", "taken over", "came back"), OWN),
    },
    "Turn.status": {"open": "turn", "resolved": ("turn", "over")},
    "Invitation.answer": {
        "pending": "invited",
        "accepted": OWN,
        "declined": Quiet("the lobby shows it to its host"),
    },
    "Vote.status": {
        "open": "vote",
        "passed": ("replaced", "cancelled", "over"),
        "refused": Quiet("nothing changes, and the game's page shows the result"),
        "void": Quiet("what it was about has ended, which has its own notification"),
    },
    "Vote.closed_at": STATUS_TELLS,
    # Sign-up
    "SignUp.status": dict.fromkeys(("new", "waiting", "admitted"), Quiet("the person gets account mail")),
    "SignUpBlock.ends_at": KNOWN,
    "InvitationLink.ends_at": KNOWN,
    # Tournaments, seasons, ladders
    "Tournament.status": {
        "draft": GOES_ON,
        "open": GOES_ON,
        "running": "round",
        "finished": "finished",
        "cancelled": "cup-cancel",
    },
    "Tournament.ending": {
        **dict.fromkeys(("host", "staff", "few", "club"), "cup-cancel"),
        **dict.fromkeys(("left", "away", "nobody"), "finished"),
    },
    "Tournament.ends_at": KNOWN,
    "Tournament.ended_at": STATUS_TELLS,
    "Entrant.left_at": ("sanction", "cup-out"),  # otherwise by the player's own action
    "Round.ends_at": KNOWN,
    "Round.closed_at": ("round", "confirm", "finished"),
    "Season.status": {"open": GOES_ON, "running": "round", "finished": "finished"},
    "Season.ends_at": KNOWN,
    "Season.closed_at": STATUS_TELLS,
    "LadderGame.outcome": dict.fromkeys(("climbed", "defended", "void"), ("over", "cancelled")),
    "Result.ended_at": STATUS_TELLS,
    "MonthClose.closed_at": Quiet("a month ends for no one in particular"),
    "Analysis.status": dict.fromkeys(("waiting", "working", "done", "stopped", "failed"), WATCHED),
    # Ships
    "Clip.status": dict.fromkeys(("waiting", "making", "done", "failed"), Quiet("its page shows the end")),
    "TunnelRun.status": dict.fromkeys(("waiting", "flying", "done", "cancelled", "failed"), WATCHED),
    "ShipSuggestion.status": dict.fromkeys(("waiting", "flying", "done", "cancelled", "failed"), WATCHED),
    "Prototype.status": {
        "testing": GOES_ON,
        "ready": "ready",
        "launched": "decision",
        "closed": "decision",
        "idle": "idle",
        "taken-down": "taken-down",
    },
    "Prototype.ended_at": STATUS_TELLS,
    "Promotion.status": {
        "open": "ready",
        "promoted": "decision",
        "sent-back": "decision",
        "closed": "decision",
        "taken-back": OWN,
        "taken-down": "taken-down",
    },
    "Promotion.ended_at": STATUS_TELLS,
    "Starship.taken_down_at": "taken-down",
    "StarshipDraft.taken_down_at": Quiet("it stays its builder's, whose Space Dock says so with the reason"),
    "Report.reason": dict.fromkeys([*Rule.values, *Reason.values], GOES_ON),
    # Conduct
    "Appeal.outcome": dict.fromkeys(("upheld", "overturned"), "appeal"),
    "Case.status": {
        "open": GOES_ON,
        "taken": GOES_ON,
        "decided": ("sanction", "reported"),
        "appealed": OWN,
        "upheld": "appeal",
        "overturned": ("appeal", "reported"),
    },
    "Candidate.status": {
        "open": GOES_ON,
        "accepted": OWN,
        "withdrawn": Quiet("the link in the email says so; the address may have no account"),
    },
    "Sanction.ends_at": Quiet("the decision names the day"),
    "Sanction.lifted_at": "sanction",
    "Sitting.ends_at": KNOWN,
    "Sitting.ended_at": "sit-over",
    # Other things
    "ApiToken.expires_at": KNOWN,
    "Webhook.switched_off_at": "hook-off",
    "GroupChannel.switched_off_at": "group-off",
    "Announcement.status": {
        "pending": GOES_ON,
        "sent": Quiet("the message is in the channel"),
        "outdated": Quiet("it is no longer true"),
        "uncertain": Quiet("no one knows whether it arrived"),
        "refused": Quiet("the page of the channels shows the failure"),
    },
    "Outage.ended_at": "outage",
    "Alarm.closed_at": OF_STAFF,
    "Incident.ended_at": OF_STAFF,
    "BackupRun.ended_at": OF_STAFF,
    "MailRecord.outcome": dict.fromkeys(("sent", "refused", "given up"), OF_STAFF),
    "SiteNotice.ends_at": KNOWN,
    "ClosedAddress.closed_at": Quiet("no mail gets there; My Room says so"),
    "Notice.status": dict.fromkeys(Notice.Status.values, OF_STAFF),
}
"""The kinds of notification for each ending, or the reason for having none."""

GONE: Final[dict[str, Entry]] = {
    "Club": "club-over",
    "Membership": "club-out",
    "Candidate": "club-out",
    "Rung": "off-ladder",
    "Ticket": ("matched", "turn", "sanction"),
    "Seat": "removed",
    "SeasonEntry": OWN,
}
"""The same for models whose rows are deleted at an ending."""


def states() -> Iterator[tuple[str, list[str]]]:
    """Yield each column that records an ending, with its states.

    A column of times has no states.
    """
    for model in apps.get_models():
        if model._meta.proxy or not model.__module__.startswith(("games.", "accounts.")):
            continue
        for field in model._meta.concrete_fields:
            key = f"{model.__name__}.{field.name}"
            if field.name in STATES and field.choices:
                yield key, [value for value, _ in field.flatchoices if value]
            elif isinstance(field, models.DateTimeField) and field.name.endswith(MOMENTS):
                yield key, []


def kinds_in(entry: Entry) -> tuple[str, ...]:
    if isinstance(entry, Quiet):
        assert entry.why
        return ()
    return (entry,) if isinstance(entry, str) else entry


def entries() -> Iterator[Entry]:
    for entry in [*ENDINGS.values(), *GONE.values()]:
        yield from entry.values() if isinstance(entry, dict) else [entry]


@pytest.mark.parametrize(
    ("key", "values"), list(states()), ids=lambda each: each if isinstance(each, str) else ""
)
def test_each_ending_has_a_notification_or_a_reason(key: str, values: list[str]) -> None:
    assert key in ENDINGS, "say which notification tells it, or why none does"
    entry = ENDINGS[key]
    if values:
        assert isinstance(entry, dict)
        assert set(entry) == set(values), "say which notification tells each state"


def test_the_list_of_endings_names_only_existing_columns_and_kinds() -> None:
    assert set(ENDINGS) == {key for key, _ in states()}
    assert set(GONE) <= {model.__name__ for model in apps.get_models()}
    assert {kind for entry in entries() for kind in kinds_in(entry)} <= set(KINDS)


def test_each_kind_is_sent_by_some_service() -> None:
    """If no service sends a kind, the lists above are wrong."""
    code = [path.read_text() for path in ROOMS.rglob("*.py") if path.name != "news.py"]
    left = set(re.findall(r'"([a-z-]+)"', "\n".join(code)))
    unused = [
        name
        for path in sorted(ROOMS.glob("*/news.py"))
        for name in re.findall(
            r'^[A-Z_]+: Final = (?:Kind|_kind)\(\s*name="([a-z-]+)"', path.read_text(), re.MULTILINE
        )
        if name not in left
    ]
    assert unused == []


db = pytest.mark.django_db


def mails_of(kind: str) -> dict[str, str]:
    """Send all emails of the given kind as a worker does. Return their texts by recipient."""
    found = {}
    for notice in Notice.objects.filter(kind=kind, channel="mail").select_related("user").order_by("pk"):
        assert notice.user and notice.user.robo_name not in found, "each hears of it once"
        found[notice.user.robo_name] = str(compose(notice).body)
        assert send_notification(notice_id=notice.pk, now=notice.created_at)
        notice.refresh_from_db()
        assert notice.status == Notice.Status.SENT
    return found


@db
def test_all_entrants_are_notified_that_the_host_cancelled_a_tournament(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, erin, alice, bob, carol)
    leave_tournament(user=carol, tournament_id=cup.pk, now=NOW)
    cancel_tournament(user=erin, tournament_id=cup.pk, now=NOW)
    mails = mails_of("cup-cancel")
    assert set(mails) == {"Alice", "Bob"}, "Erin did it, and Carol has left"
    assert "“Autumn Cup” was cancelled by its host." in mails["Bob"] and "go on" not in mails["Bob"]
    assert f"/tournaments/{cup.pk}/" in mails["Bob"]


@db
def test_all_entrants_are_notified_that_staff_cancelled_a_running_tournament(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    frank = cast.person("Frank", is_staff=True, rights=True)
    cancel_tournament(user=frank, tournament_id=cup.pk, now=START)
    mails = mails_of("cup-cancel")
    assert set(mails) == {"Alice", "Bob", "Erin"}
    assert "cancelled by staff. Running games continue." in mails["Erin"]


@db
def test_all_entrants_are_notified_that_too_few_entered(table: Table, erin: User, alice: User) -> None:
    opened(table, erin, alice)
    advance_tournaments(now=START)
    assert "too few players" in mails_of("cup-cancel")["Alice"]
    assert set(told_users("cup-cancel")) == {"Alice", "Erin"}


@db
def test_all_entrants_are_notified_that_a_marathon_is_over(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    run = opened(table, erin, alice, bob, carol, kind="marathon", starships=[])
    step(START)
    leave_tournament(user=carol, tournament_id=run.pk, now=START)
    run.refresh_from_db()
    assert run.ends_at
    step(run.ends_at)
    mails = mails_of("finished")
    assert set(mails) == {"Alice", "Bob", "Erin"}, "Carol has left"
    assert "Your place: 1 of 3." in mails["Alice"] and "place" not in mails["Erin"]


@db
def test_members_are_notified_of_their_club_s_closing_and_its_tournaments(
    table: Table, erin: User, alice: User, bob: User, carol: User, dave: User
) -> None:
    create_club(user=alice, name="Night Shift", now=NOW)
    for user in (bob, carol, erin):
        join_club(user=user, slug="night-shift", now=NOW)
    running = opened(table, erin, alice, bob, club="night-shift")
    step(START)
    later = START + timedelta(days=3)
    waiting = opened(table, erin, bob, carol, club="night-shift", name="Late Cup", starts_at=later, now=START)
    close_club(user=alice, slug="night-shift", now=START)
    closed = mails_of("club-over")
    assert set(closed) == {"Bob", "Carol", "Erin"} and "“Night Shift” was closed" in closed["Bob"]
    assert step(START) == 2
    goes_on = mails_of("cup-club")
    assert set(goes_on) == {"Alice", "Bob", "Erin"} and "“Autumn Cup” belongs to was closed" in goes_on["Bob"]
    assert set(mails_of("cup-cancel")) == {"Bob", "Carol", "Erin"}
    running.refresh_from_db()
    waiting.refresh_from_db()
    assert (running.status, waiting.status, waiting.ending) == ("running", "cancelled", "club")
    assert step(START) == 0, "it is noted once"


@db
def test_a_player_is_notified_of_each_removal_from_a_club(alice: User, bob: User, carol: User) -> None:
    create_club(user=alice, name="Night Shift", now=NOW)
    for at in (NOW, NOW + timedelta(days=1)):
        join_club(user=bob, slug="night-shift", now=at)
        remove_from_club(user=alice, slug="night-shift", robo_name="Bob", now=at)
    change_club(user=alice, slug="night-shift", entry="request", now=NOW)
    join_club(user=carol, slug="night-shift", now=NOW)
    remove_from_club(user=alice, slug="night-shift", robo_name="Carol", now=NOW)
    notices = Notice.objects.filter(kind="club-out", channel="mail").order_by("pk")
    assert [notice.user.robo_name for notice in notices if notice.user] == ["Bob", "Bob", "Carol"]
    assert "removed you" in str(compose(notices[0]).body)
    assert "declined your request" in str(compose(notices[2]).body)


@db
@pytest.mark.parametrize("way", [cancel_game, leave_game])
def test_invited_players_are_notified_of_a_cancelled_lobby(
    way: Callable[..., Game], table: Table, alice: User, dave: User
) -> None:
    lobby = table.game(alice, seats=2)
    invite(user=alice, game_id=lobby.pk, robo_name="Dave", now=NOW)
    way(user=alice, game_id=lobby.pk, now=NOW)
    assert told_users("cancelled") == ["Dave"]


@db
def test_a_player_is_notified_of_a_rest_on_a_ladder_and_its_end(alice: User, bob: User) -> None:
    for user in (alice, bob):
        join_ladder(user=user, ruleset=RULESET, now=NOW)
    rests = NOW + IDLE_AFTER
    rest_idle(now=rests)
    rest_idle(now=rests)
    assert "Come back within 30 days" in mails_of("rested")["Bob"]
    join_ladder(user=alice, ruleset=RULESET, now=rests)
    rest_idle(now=rests + MAX_REST)
    assert set(mails_of("off-ladder")) == {"Bob"}


@db
def test_people_who_opted_out_of_tournament_mail_get_no_mail(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob)
    User.objects.filter(pk=bob.pk).update(manner="none")
    User.objects.filter(pk=alice.pk).update(silenced=["cup-cancel"])
    cancel_tournament(user=erin, tournament_id=cup.pk, now=NOW)
    for notice in Notice.objects.filter(kind="cup-cancel", channel="mail"):
        send_notification(notice_id=notice.pk, now=NOW)
        notice.refresh_from_db()
        assert notice.status == Notice.Status.UNWANTED


def told_users(kind: str) -> list[str]:
    notices = Notice.objects.filter(kind=kind, channel="mail").select_related("user")
    return sorted(notice.user.robo_name for notice in notices if notice.user)
