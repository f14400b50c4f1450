"""A world that has something at every address, and a person in every role."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from accounts import guests
from accounts.admission import make_link as make_invitation
from accounts.mail import unsubscribe_url
from accounts.models import User
from accounts.sign_ups import SignUp, SignUpBlock, SignUpRule
from games.absence.models import Replacement, Sitting
from games.admission.models import Removal
from games.analysis.models import Analysis
from games.branches.services import create_branch
from games.chat.services import post_line
from games.clocks.clock import DAY
from games.clocks.models import Maintenance, Outage, Vacation
from games.clubs.services import create_club
from games.competitions.models import Season, Tournament
from games.competitions.services.ladders import join_ladder
from games.competitions.services.seasons import open_seasons
from games.competitions.services.tournaments import create_tournament
from games.daily.selectors import result_url
from games.daily.services import lay_program
from games.dock.models import Promotion, Prototype
from games.dock.reviews import write_review
from games.dock.services import publish_draft
from games.fleet.lists import create_list
from games.fleet.missions import save_mission
from games.fleet.models import Starship
from games.groups.messages import picture_key
from games.groups.models import GroupChannel
from games.lobby.invitations import invite
from games.lobby.practice import quick_game, start_mission
from games.lobby.seats import add_computer, join_game
from games.moderation.models import Appeal, Case, ConductEntry, Sanction
from games.moderation.services.reports import report_starship
from games.moderation.services.takedown import hide_review, show_review
from games.news.channels.mail import lobby_stop_url, starships_stop_url, stop_url
from games.news.feeds import feed_urls, make_feed
from games.news.models import Notice, SiteNotice
from games.people.services.deletion import delete_account
from games.people.tokens import make_token
from games.play.models import Game, Seat, Turn
from games.play.orders import submit_orders
from games.play.reminders import reminder_url
from games.play.resolution import resolve_turn
from games.play.stored import setup_of
from games.sharing.models import Clip
from games.shipyard.inputs import ShipOrder
from games.shipyard.services import create_draft, make_link
from games.shipyard.suggestions import ask_for_ship
from games.shipyard.tunnel import start_run
from games.staff.models import BackupRun, ErrorGroup, Incident
from games.staff.services import extend_turn, record_run
from games.staff.support import data_token
from games.votes.models import Vote
from games.votes.news import ballot_url
from games.votes.services import call_vote
from games.work.models import Alarm
from rules.review import VERSION, review_to_json
from tests import cast
from tests.games.competitions.hosting import START, crowd, opened, step, terms
from tests.games.daily.days import PAR, TODAY, saved_day
from tests.games.dock.promotions import asks_for_the_fleet
from tests.games.puzzles.saved import saved_puzzle
from tests.games.standings.rated import give_rating
from tests.games.support import HALL, LANE, NOW, WORKSHOP, Table, orders_for
from tests.support.pages import LESSON
from tests.support.passkeys import made_passkey

ROLES = ("stranger", "guest", "spectator", "player", "host", "staff")
"""The columns of the table in docs/access.md."""

CANOE = {"format": "starship/1", "name": "Canoe", "rows": ["a . .+i1"]}
"""The draft ship that every person has drawn."""

WALKERS = {
    "stranger": None,
    "guest": "guest",
    "spectator": "Dave",
    "player": "Bob",
    "other player": "Carol",
    "host": "Alice",
    "staff": "Erin",
}
"""The walkers, and the person who plays each one.

The walker "other player" has the access of the role "player".
"""

MAIL = (
    b"Subject: Your move\nFrom: a@example.org\nTo: b@example.org\n"
    b"Content-Type: text/html; charset=utf-8\n\n<html><head></head><p>Your move.</p></html>\n"
)


@dataclass(frozen=True)
class World:
    """People by name, games by state, and values for placeholders in addresses."""

    people: dict[str, User]
    games: dict[str, Game]
    values: dict[str, Any]


def make_world(mails: Path) -> World:
    """Make games of Alice, Bob and Carol in all states, and all other data."""
    people = {each.robo_name: each for each in (cast.alice(), cast.bob(), cast.carol(), cast.dave())}
    people["Erin"] = cast.person("Erin", is_staff=True, is_superuser=True)
    people["Frank"] = cast.person("Frank")
    people["guest"] = guests.make_guest()
    hall, lane = HALL.saved(), LANE.saved()
    Starship.objects.filter(pk=hall.pk).update(slug="tin-canoe")  # lets a test save another ship
    games: dict[str, Game] = {}
    for private in (False, True):
        kind = "private" if private else "public"
        games[f"{kind}, open"] = _lobby(Table(hall), people, private)
        games[f"{kind}, running"] = _running(Table(hall), people, private)
        games[f"{kind}, over"] = _over(Table(lane), people, private)
    reviewed = _reviewed(lane, people)
    save_mission(slug="lane", number=1, title="A lane", starship=lane, options={}, lesson=LESSON)
    games["Albot, running"] = _albots(people)
    games["asleep, running"] = asleep(Table(hall), *(people[name] for name in ("Alice", "Bob", "Carol")))
    _half_ordered(Table(hall), people)
    games["mission"] = start_mission(user=people["guest"], slug="lane", now=NOW)
    race = quick_game(user=people["guest"], strength="ace", admits_guests=True, now=NOW)
    games["race of a guest"] = race
    delete_account(user=cast.person("Grace"), now=NOW)
    for number, each in enumerate(people.values()):
        if not each.is_guest:
            set_up_factors(each)
            make_token(user=each, now=NOW)
            canoe = {**CANOE, "name": f"Canoe {number}"}
            draft = create_draft(user=each, document=canoe, now=NOW)
            publish_draft(user=each, draft_id=draft.pk, now=NOW)
            start_run(user=each, draft_id=draft.pk, now=NOW)
            create_list(user=each, name="Fast ships", seen_by="everyone", starships=[lane.pk], now=NOW)
            over = games["public, over"]
            create_branch(user=each, game=over, turn=0, orders={}, headings={}, now=NOW)
            ask_for_ship(user=each, **ShipOrder(data={"seed": "7"}).allowed(), now=NOW)
            Vacation.objects.create(user=each, first=NOW.date(), last=NOW.date(), planned_at=NOW)
            if each != people["Frank"]:
                _asked_to_sit(owner=people["Frank"], sitter=each)
    shared = make_link(user=people["Frank"], draft_id=people["Frank"].starship_drafts.get().pk, now=NOW)
    linked = create_list(user=people["Frank"], name="For friends", seen_by="link", now=NOW)
    asks_for_the_fleet(Prototype.objects.get(starship__owner=people["Frank"]))
    Group.objects.create(name="Crew")
    turn = Turn.objects.order_by("pk")[0]
    Alarm.objects.create(game=turn.game, turn=turn, due_at=NOW, raised_at=NOW, closed_at=NOW)
    record_run(BackupRun.Kind.DRILL, started_at=NOW, now=NOW)
    Incident.objects.create(key="redis", subject="Redis does not answer", opened_at=NOW, ended_at=NOW)
    ErrorGroup.objects.create(
        fingerprint="f", kind="KeyError", place="games", count=1, first_at=NOW, last_at=NOW
    )
    before = NOW - timedelta(days=9)
    Outage.objects.create(began_at=before, ended_at=before + timedelta(hours=1), settled_at=NOW)
    _rows_of_staff(people["Frank"])
    passed_on = Seat.objects.get(game=games["public, over"], user=people["Alice"])
    Replacement.objects.create(
        game=passed_on.game,
        seat=passed_on,
        turn=0,
        was=people["Frank"],
        became=people["Alice"],
        reason="taken over",
        at=NOW,
    )
    stuck = games["private, running"]
    extend_turn(user=people["Erin"], game_id=stuck.pk, hours=1, reason="So that they can.", now=NOW)
    put_mail(mails)
    values = _values(people["Bob"], hall) | _feeds(people["Bob"]) | reviewed
    stop = stop_url(user_id=people["Bob"].pk, game_id=games["public, running"].pk)
    lobbies = lobby_stop_url(Notice(user=people["Bob"]))
    asked = Vote.objects.get(game=games["public, running"])
    ballot = ballot_url(user_id=people["Carol"].pk, vote_id=asked.pk)
    ships = starships_stop_url(user_id=people["Bob"].pk)
    invitation = make_invitation(user=people["Frank"], most=10, now=timezone.now())
    marks = {
        "mark": stop,
        "unsubscribe/{mark}/": unsubscribe_url(people["Bob"]),
        "unsubscribe/lobbies/{mark}/": lobbies,
        "settings/data/link/{mark}/": f"settings/data/link/{data_token(people['Bob'])}/",
        "unsubscribe/starships/{mark}/": ships,
        "remind/{mark}/": reminder_url(
            Notice(user=people["Bob"], game=games["public, running"], turn=games["public, running"].turn)
        ),
        "ballot": ballot,
        "join/{mark}/": f"/join/{invitation.token}/",
    }
    values |= _tournaments(people, lane)
    ladder = ("Frank", "Alice", "Bob", "Carol", "Dave", "Erin")
    for each in (*crowd(3), *(people[name] for name in ladder)):  # so that all reach Frank
        join_ladder(user=each, ruleset="robo-runner", now=NOW)
    Vacation.objects.filter(user=people["Frank"]).delete()
    open_seasons(now=timezone.now())
    values["season_id"] = Season.objects.get(ruleset="robo-runner").pk
    for name in ("Alice", "Bob", "Carol", "Dave", "Erin"):
        _warned(people[name], people["Frank"])
    _appealed(_warned(people["Frank"], people["Bob"]))
    create_club(user=people["Alice"], name="Tin Can Club", now=NOW)
    channel = GroupChannel.objects.create(
        game=games["public, running"],
        service="discord",
        address="https://192.0.2.1/news",
        language="en",
        made_by=people["Alice"],
        made_at=NOW,
    )
    values["channel_id"] = channel.pk
    shown = games["public, over"].turns.filter(status="resolved")[0]
    GroupChannel.objects.create(
        game=shown.game, service="slack", address="-", language="en", made_by=people["Alice"], made_at=NOW
    )
    done = {"status": "done", "progress": 100, "file": b"a clip", "created_at": NOW, "finished_at": NOW}
    Clip.objects.create(game=shown.game, number=shown.number, **done)
    values["channels/pictures/{key}.png"] = picture_key(shown.game, shown.number)
    _analyse(shown.game)
    values |= {"link": shared.link_token, "list_link": linked.link_token}
    return World(people, games, values | {name: url.split("/")[-2] for name, url in marks.items()})


def _analyse(game: Game) -> None:
    """Make a complete analysis of a game, without any change of a chance."""
    chances = [round(1 / game.seats, 4)] * game.seats
    numbers = list(game.turns.filter(status="resolved").values_list("number", flat=True))
    turns = [
        {"turn": number, "before": chances, "after": chances, "figures": [], "positions": 0}
        for number in sorted(numbers)
    ]
    Analysis.objects.create(
        game=game,
        version=VERSION,
        asked_at=NOW,
        finished_at=NOW,
        status=Analysis.Status.DONE,
        turns=len(turns),
        reviewed=len(turns),
        review=review_to_json(setup_of(game), turns),
    )


def _rows_of_staff(frank: User) -> None:
    """Make rows of sign-ups, a removed wave, a past maintenance and a past notice."""
    SignUp.objects.update_or_create(user=frank, defaults={"at": NOW, "status": SignUp.Status.ADMITTED})
    SignUpRule.objects.create(mode="", at=NOW)
    SignUpBlock.objects.create(kind=SignUpBlock.Kind.DOMAIN, value="throwaway.example", made_at=NOW)
    began, ended = NOW - 2 * DAY, NOW - DAY
    Removal.objects.create(reason="A wave.", since=began, until=ended, total=1, asked_at=ended, done_at=ended)
    Maintenance.objects.create(began_at=began, until=ended, recorded_at=ended)
    SiteNotice.objects.create(text="We will move to a new server.", starts_at=began, ends_at=ended)


def put_mail(mails: Path) -> None:
    mails.mkdir(parents=True, exist_ok=True)
    (mails / "one.log").write_bytes(MAIL)


def _tournaments(people: dict[str, User], lane: Starship) -> dict[str, int]:
    """Make three tournaments: a draft, one without entrants, and one in round 1.

    Return their IDs by placeholder.
    """
    table, erin = Table(lane), people["Erin"]
    entrants = [people[name] for name in ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")]
    cups = {
        "tournament_id": opened(table, erin, *entrants, rounds=9),
        "draft_tournament_id": create_tournament(user=erin, terms=terms(table), now=NOW),
    }
    step(START)
    cups["open_tournament_id"] = opened(table, erin)
    Tournament.objects.filter(ended_at=None).exclude(status="running").update(host=people["Alice"])
    Tournament.objects.filter(status="draft").update(starts_at=timezone.now() + timedelta(days=3))
    give_rating(people["Alice"])
    return {name: cup.pk for name, cup in cups.items()}


def _warned(person: User, staff: User) -> Sanction:
    case = Case.objects.create(person=person, status="decided", opened_at=NOW, decided_at=timezone.now())
    said = {"rule": "polite", "facts": "You were rude in the chat."}
    return Sanction.objects.create(
        case=case, user=person, kind="warning", by=staff, at=timezone.now(), **said
    )


def _appealed(sanction: Sanction) -> None:
    Appeal.objects.create(sanction=sanction, text="It was a quote.", at=NOW)
    noted = {"at": NOW, "deed": "appealed", "person": sanction.user, "case": sanction.case_id}
    ConductEntry.objects.create(**noted, sanction=sanction.pk)


def _reviewed(lane: Starship, people: dict[str, User]) -> dict[str, int]:
    """Publish reviews of Dave's ship by its players. Return values for placeholders."""
    Starship.objects.filter(pk=lane.pk).update(owner=people["Dave"])
    written = [
        write_review(user=people[name], starship_id=lane.pk, stars=4, now=NOW)
        for name in ("Alice", "Bob", "Carol")
    ]
    for decide in (hide_review, show_review):
        decide(user=people["Erin"], review_id=written[2].pk, reason="A mistake.", now=NOW)
    report_starship(user=people["Frank"], starship_id=lane.pk, reason="copied", now=NOW)
    return {"reviewed_id": lane.pk, "review_id": written[1].pk, "reported_id": written[0].pk}


def _feeds(bob: User) -> dict[str, str]:
    """Return the key of a person's feeds for each address of a feed."""
    urls = feed_urls(make_feed(user=bob, now=NOW)).values()
    return {f"feeds/{{key}}/{url.rsplit('/', 1)[1]}": url.split("/")[-2] for url in urls}


def _values(bob: User, hall: Starship) -> dict[str, Any]:
    assert hall.current
    past = saved_day(TODAY - timedelta(1))
    result = lay_program(user=bob, day=past.date, turn_number=1, registers=PAR, now=NOW)
    return {
        "starship_id": hall.pk,
        "revision_id": hall.current.pk,
        "promotion_id": Promotion.objects.values_list("pk", flat=True).get(),
        "theme": "dark",
        "robo_name": "Bob",
        "slug": "lane",
        "day": str(saved_day().date),
        "embed/daily/{day}/turn/{number}/": str(past.date),
        "result_key": result_url(result).split("/")[-2],
        "puzzle_id": str(saved_puzzle().pk),
        "uidb36": "1",
        "rulebook/{key}/": "robo-runner",
        "mail/{key}/": "one.log:1",
        "awards/{key}/": "champion",
        "api/v1/awards/{key}": "champion",
        "mail/{key}/contents/": "one.log:1",
        "key": "out-of-date",
        "seat": 1,
        "content_type_id": ContentType.objects.get_for_model(Game).pk,
        "app_label": "games",
        "url": "nowhere",
        "name": "imprint",
        "id": bob.pk,
        "rest": "time/",
        "docs/{slug}/": "api",
    }


def set_up_factors(person: User) -> None:
    TOTP.activate(person, generate_totp_secret())
    RecoveryCodes.activate(person)
    made = made_passkey(f"The key of {person.robo_name}")
    Authenticator.objects.create(user=person, type=Authenticator.Type.WEBAUTHN, data=made)
    SocialAccount.objects.create(user=person, provider="https://login.example.org", uid=person.robo_name)


def recovery_code(person: User) -> str:
    kept = Authenticator.objects.get(user=person, type=Authenticator.Type.RECOVERY_CODES)
    return str(kept.wrap().get_unused_codes()[0])


def _asked_to_sit(*, owner: User, sitter: User) -> None:
    """Ask a person to be another's sitter on a day in spring."""
    begin = NOW + timedelta(days=120)
    days = {"first": begin.date(), "last": begin.date(), "begins_at": begin, "ends_at": begin + DAY}
    Sitting.objects.create(owner=owner, sitter=sitter, asked_at=NOW, **days)


def _lobby(table: Table, people: dict[str, User], private: bool) -> Game:
    """Make an open game with two open seats, and an invitation by Bob.

    Three people and a computer have seats.
    """
    alice, bob, carol = (people[name] for name in ("Alice", "Bob", "Carol"))
    game = table.game(alice, bob, carol, seats=6, private=private, starts_itself=False)
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    invite(user=bob, game_id=game.pk, robo_name="Frank" if private else "Dave", now=NOW)
    return game


def _running(table: Table, people: dict[str, User], private: bool) -> Game:
    """Make a running game in turn 1, without any submitted orders."""
    players = [people[name] for name in ("Alice", "Bob", "Carol")]
    game = table.game(*players, private=private)
    table.play(game, *players)
    post_line(user=players[0], game_id=game.pk, text="Good luck!", now=NOW)
    call_vote(user=players[1], game_id=game.pk, kind="pause", days=7, now=timezone.now())
    return game


def _half_ordered(table: Table, people: dict[str, User]) -> None:
    """Make a private game with orders from one player. No request changes it."""
    game = table.game(people["Carol"], people["Bob"], private=True)
    table.move(game, people["Carol"])


def _albots(people: dict[str, User]) -> Game:
    """Make a running game that allows players to redraw their hands."""
    alice, bob, carol = (people[name] for name in ("Alice", "Bob", "Carol"))
    game = Table(WORKSHOP.saved()).game(alice, ruleset="group-11", seats=3, model="albot")
    for other in (bob, carol):
        join_game(user=other, game_id=game.pk, model="albot", now=NOW)
    game.refresh_from_db()
    return game


def asleep(table: Table, *players: User) -> Game:
    """Make a game in turn 3. All robots are damaged, and were off in turn 2."""
    game = table.game(*players, ruleset="amigo-1999", options={"power_down": True})
    for player in players:
        document = {**orders_for(game, player), "power_down": True}
        submit_orders(user=player, game_id=game.pk, turn_number=1, document=document, now=NOW)
    for number in (1, 2):
        assert resolve_turn(turn_id=game.turns.get(number=number).pk, now=NOW)
    game.refresh_from_db()
    turn = game.turns.get(number=3)
    assert turn.snapshot
    for robot in turn.snapshot["robots"]:
        robot.update(damage=7, locked=[2, 3, 4])
    turn.save()
    return game


def _over(table: Table, people: dict[str, User], private: bool) -> Game:
    players = [people[name] for name in ("Alice", "Bob", "Carol")]
    game = table.game(*players, private=private, options={"lives": 1})
    while game.status == Game.Status.RUNNING:
        turn = game.turns.get(status="open")
        asked = [hand.seat.user for hand in turn.hands.exclude(seat=None).select_related("seat__user")]
        table.play(game, *asked)
    return game
