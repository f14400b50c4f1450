"""Request every page of the site, on data for each page.

Addresses come from Django's URLs. Calls of the API are skipped, and addresses that are no pages (forms, JSON,
drawings). `LEFT_OUT` names further addresses that are never requested, with reasons.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.mail import unsubscribe_url
from accounts.models import User
from games.absence.seats import resign_game
from games.analysis.selectors import FAILED_TRIES
from games.branches.services import create_branch
from games.chat.services import post_line
from games.clocks.services import plan_vacation
from games.clubs.services import create_club, join_club
from games.competitions.models import Season
from games.competitions.services.ladders import challenge, join_ladder
from games.competitions.services.seasons import advance_seasons, join_season, open_seasons
from games.daily.selectors import result_url
from games.daily.services import lay_program
from games.dock.models import Review
from games.dock.reviews import answer_review, write_review
from games.dock.services import publish_draft
from games.fleet.lists import create_list
from games.fleet.missions import save_mission
from games.fleet.models import Starship
from games.groups.models import GroupChannel
from games.lobby.invitations import invite
from games.lobby.practice import start_mission
from games.lobby.services import cancel_game
from games.moderation.models import Sanction
from games.moderation.services.reports import report_player, report_starship
from games.moderation.services.takedown import take_down_reported
from games.news.channels.mail import stop_url
from games.people.tokens import make_token
from games.play.models import Game, Turn
from games.puzzles.services import try_puzzle
from games.shipyard.services import create_draft, make_link
from games.shipyard.tunnel import start_run
from games.votes.news import ballot_url
from games.votes.services import call_vote
from tests import cast
from tests.games.analysis.analyses import asked as asked_for, made as analysed
from tests.games.competitions.hosting import opened, step
from tests.games.daily.days import PAR, saved_day
from tests.games.dock.promotions import asks_for_the_fleet, joined
from tests.games.puzzles.saved import saved_puzzle, wrong
from tests.games.shipyard.searches import found, request_ship
from tests.games.support import DUCTS, HALL, LANE, WORKSHOP, Board, Table

LEFT_OUT = {
    "admin:app_list": "the same list as admin:index, of one application",
    "admin:view_on_site": "leads from staff's pages to the site's",
    "admin:autocomplete": "JSON",
    "admin:jsi18n": "a script",
    "daily:picture": "a picture",
    "daily:result_picture": "a picture",
    "games:drawing": "a drawing",
    "games:parts": "parts of games:game, for its script",
    "games:picture": "a picture",
    "groups:picture": "a picture",
    "pages:accent": "a style sheet",
    "pages:own_page": "a page of the operator, which needs a file",
    "pages:mail_contents": "an email, in a frame of a page",
    "sharing:picture": "a picture",
    "sharing:picture_turn": "a picture",
    "shipyard:drawing": "a drawing",
    "shipyard:shared_file": "a file",
    "starships:drawing": "a drawing",
    "starships:picture": "a picture",
}
"""Addresses that are never requested, each with the reason."""

NOWHERE = "/nowhere/"
"""An address that does not exist. It gives the page for error 404."""

Get = Callable[[str], tuple[int, str, str]]
"""A function that requests an address.

It returns the status, the content type, and the text of an HTML page or "" for other responses.
"""

LESSON = {
    "format": "lesson/1",
    "introduction": "This is a lane.",
    "goal": "Drive to its end.",
    "notes": [{"cells": [[4, 0]], "text": "Its end."}],
    "hints": [{"when": "heading", "text": "Look east."}],
    "closing": "That was a lane.",
}


@dataclass(frozen=True)
class Seen:
    """The address and the HTML of a page."""

    path: str
    html: str


@dataclass(frozen=True)
class World:
    """Data for all pages: people by name, and values of parameters in addresses."""

    people: dict[str, User]
    values: dict[str, list[Any]]

    def reader(self, name: str | None, part: str = "/") -> Get:
        """Return a function that requests pages for a person, or for a stranger.

        The function requests no address outside `part`, a prefix of addresses.
        """
        client = Client()
        if name is not None:
            client.force_login(self.people[name])

        def get(path: str) -> tuple[int, str, str]:
            if not path.startswith(part):
                return 204, "", ""
            answer = client.get(path)
            kind = answer.headers["Content-Type"]
            return answer.status_code, kind, answer.content.decode() if kind.startswith("text/html") else ""

        return get


def make_world(mails: Path) -> World:
    """Make data for every page. ``mails`` is the directory of stored emails."""
    now = timezone.now()
    people = {made.robo_name: made for made in (cast.alice(), cast.bob(), cast.dave(), cast.erin())}
    people["Head"] = cast.person("Head", is_staff=True, is_superuser=True)
    alice, bob = people["Alice"], people["Bob"]
    table = Table(HALL.saved())
    lane = LANE.saved()
    running = table.game(alice, bob, now=now)
    for _ in range(3):
        table.play(running, alice, bob, now=now)
    Turn.objects.filter(game=running, status="open").update(deadline=now + timedelta(hours=5))
    post_line(user=bob, game_id=running.pk, text="Out of my way!", now=now)
    vote = call_vote(user=bob, game_id=running.pk, kind="pause", days=7, now=now)
    vacation = plan_vacation(
        user=alice, first=now.date() + timedelta(days=9), last=now.date() + timedelta(days=12), now=now
    )
    make_token(user=alice, name="My bot", now=now)
    lobby = table.game(alice, seats=8, private=True, name="A name as long as names may be, " * 2, now=now)
    invite(user=alice, game_id=lobby.pk, robo_name="Bob", now=now)
    cancelled = table.game(alice, seats=2, name="Called off", now=now)
    cancel_game(user=alice, game_id=cancelled.pk, now=now)
    over = _over(lane, alice, bob)
    analysed(asked_for(alice, over, now), now)
    games = [running, lobby, cancelled, over, *_others(alice, bob)]
    drafts = [
        create_draft(user=alice, document={"format": "starship/1", "name": name, "rows": rows}, now=now)
        for name, rows in (("Canoe", ["a . .+i1"]), ("Wreck", ["a qq t:red", ". .+i2+cN"]))
    ]
    shared = make_link(user=alice, draft_id=drafts[1].pk, now=now)
    create_draft(user=bob, link=shared.link_token, now=now)
    tried = publish_draft(user=alice, draft_id=drafts[0].pk, now=now)
    run = start_run(user=alice, draft_id=drafts[0].pk, now=now)
    promotion = asks_for_the_fleet(tried)
    joined(people["Dave"])
    taken_down = _taken_down(alice, bob, people["Erin"])
    save_mission(slug="lane", number=1, title="A lane", starship=lane, options={}, lesson=LESSON)
    games.append(_coached(table, alice))
    mails.mkdir(parents=True, exist_ok=True)
    (mails / "one.log").write_bytes(
        b"Subject: Your move\nFrom: a@example.org\nTo: b@example.org\n"
        b"Content-Type: text/html; charset=utf-8\n\n<html><head></head><p>Your move.</p></html>\n"
    )
    review = _reviewed(lane, alice, bob)
    ships = [table.starship.pk, lane.pk, tried.starship_id]
    text = "Ships that are over before the coffee is cold."
    shown = create_list(
        user=alice, name="Fast ships", text=text, seen_by="everyone", starships=ships, now=now
    )
    linked = create_list(user=bob, name="For friends", seen_by="link", starships=ships[:1], now=now)
    competing = _competing(table, people)
    branches = [
        create_branch(user=alice, game=game, turn=1, name="Left first", orders={}, headings={}, now=now)
        for game in (running, over)
    ]
    channel = GroupChannel.objects.create(
        game=running, service="discord", address="-", language="en", made_by=alice, made_at=now
    )
    days = [saved_day(now.date() - timedelta(ago)).date for ago in (0, 1)]
    results = [lay_program(user=alice, day=day, turn_number=1, registers=PAR, now=now) for day in days]
    puzzle = saved_puzzle()
    tried_puzzle = saved_puzzle(puzzle.revision.starship, origin="simulated/test/9/2/4")
    try_puzzle(user=alice, puzzle_id=tried_puzzle.pk, registers=wrong(), now=now)
    values: dict[str, list[Any]] = {
        "day": [day.isoformat() for day in days],
        "result_key": [result_url(result).split("/")[-2] for result in results],
        "puzzle_id": [puzzle.pk, tried_puzzle.pk],
        **competing,
        "game_id": [game.pk for game in games],
        "number": [1],
        "seat": [1],
        "starship_id": [table.starship.pk, lane.pk, promotion.prototype.starship_id, taken_down.pk],
        "review_id": [review.pk],
        "promotion_id": [promotion.pk],
        "robo_name": ["Alice", "Bob"],
        "slug": ["lane", "api", "tin-can-club", "robo-runner"],
        "token": [unsubscribe_url(alice).rstrip("/").rsplit("/", 1)[-1]],
        "mark": [stop_url(user_id=alice.pk, game_id=running.pk).rstrip("/").rsplit("/", 1)[-1]],
        "branch_token": [branch.token for branch in branches],
        "ballot": [ballot_url(user_id=alice.pk, vote_id=vote.pk).rstrip("/").rsplit("/", 1)[-1]],
        "invitation_id": [1],
        "channel_id": [channel.pk],
        "sitting_id": [1],
        "vote_id": [vote.pk],
        "vacation_id": [vacation.pk],
        "token_id": [1],
        "draft_id": [draft.pk for draft in drafts],
        "run_id": [run.pk],
        "suggestion_id": [found(alice, now).pk, request_ship(alice, now=now).pk],
        "link": [shared.link_token],
        "list_id": [shown.pk],
        "list_link": [linked.link_token],
        "key": ["robo-runner", "one.log:1", "out-of-date", "champion"],
        "uidb36": ["1"],
    }
    return World(people, values)


def _competing(table: Table, people: dict[str, User]) -> dict[str, list[Any]]:
    """Make a club, a ladder, a tournament in its first round, and a running season."""
    now = timezone.now()
    alice, bob, dave, erin = (people[name] for name in ("Alice", "Bob", "Dave", "Erin"))
    club = create_club(user=alice, name="Tin Can Club", text="Cans of tin.", entry="request", now=now)
    join_club(user=bob, slug=club.slug, now=now)
    for each in (alice, bob, dave):
        join_ladder(user=each, ruleset="robo-runner", now=now)
    challenge(user=dave, ruleset="robo-runner", robo_name="Bob", now=now)
    soon = now + timedelta(hours=1)
    cup = opened(table, erin, alice, bob, dave, now=now, starts_at=soon, text="By mail, and slowly.")
    step(soon)
    open_seasons(now=now - timedelta(days=92))
    season = Season.objects.get(ruleset="robo-runner")
    for each in (alice, bob):
        join_season(user=each, season_id=season.pk, now=now)
    advance_seasons(now=now)
    about = {"about": "behaviour", "rule": "polite", "text": "A text.", "now": now}
    case = report_player(user=bob, robo_name="Alice", **about).case
    report_player(user=alice, robo_name="Dave", **about)
    said = {"kind": "warning", "rule": "polite", "facts": "A text.", "at": now}
    warned = Sanction.objects.create(case=case, user=alice, by=erin, **said)
    return {"tournament_id": [cup.pk], "season_id": [season.pk], "sanction_id": [warned.pk]}


def _reviewed(lane: Starship, alice: User, bob: User) -> Review:
    Starship.objects.filter(pk=lane.pk).update(owner=alice)
    text = "Short and sweet.\n\n" + "The end comes sooner than you think. " * 12
    tags = ["clever-routes", "full-of-action", "too-short"]
    review = write_review(user=bob, starship_id=lane.pk, stars=4, tags=tags, text=text, now=timezone.now())
    return answer_review(
        user=alice, review_id=review.pk, text="Version 2 has a longer way home.", now=timezone.now()
    )


def _taken_down(builder: User, reporter: User, staff: User) -> Starship:
    """Publish a ship, report it and take it down. Return the ship."""
    now = timezone.now()
    document = {"format": "starship/1", "name": "Copied Canoe", "rows": ["a . .+i1"]}
    draft = create_draft(user=builder, document=document, now=now)
    ship = publish_draft(user=builder, draft_id=draft.pk, now=now).starship
    report = report_starship(
        user=reporter, starship_id=ship.pk, reason="copied", text="It is <b>mine</b>, " * 20, now=now
    )
    reason = "A copy of the Tin Canoe, cell by cell."
    take_down_reported(user=staff, case_id=report.case_id, reason=reason, now=now)
    return ship


def _over(lane: Starship, alice: User, bob: User) -> Game:
    table = Table(lane)
    game = table.game(alice, bob, name="Long gone", now=timezone.now())
    while game.status == Game.Status.RUNNING:
        table.play(game, *_asked(game), now=timezone.now())
    return game


def _coached(table: Table, alice: User) -> Game:
    """Fail a mission twice, and start it again. Alice can ask the coach in this game."""
    now = timezone.now()
    for _ in range(FAILED_TRIES):
        game = start_mission(user=alice, slug="lane", now=now)
        for _ in range(2):
            table.play(game, alice, now=now)
        if game.status == Game.Status.RUNNING:
            resign_game(user=alice, game_id=game.pk, now=now)
    return start_mission(user=alice, slug="lane", now=now)


def _others(alice: User, bob: User) -> Iterator[Game]:
    """Yield games of other rulesets, and a game on a ship larger than the window."""
    now = timezone.now()
    wide = Board("Wide", (" ".join(["a", *["."] * 27, ".", ".+i1"]), *[" ".join(["."] * 30)] * 11))
    yield Table(wide.saved()).game(alice, bob, options={"equipment": True}, now=now)
    yield Table(WORKSHOP.saved()).game(alice, bob, ruleset="amigo-1999", now=now)
    yield Table(DUCTS.saved()).game(alice, seats=2, ruleset="robo-recon", now=now)


def _asked(game: Game) -> list[User]:
    turn = game.turns.get(status=Turn.Status.OPEN)
    return [
        hand.seat.user for hand in turn.hands.select_related("seat__user") if hand.seat and hand.seat.user
    ]


def pages(world: World, get: Get) -> Iterator[Seen]:
    """Yield every page that the reader can open, once for each address."""
    asked: set[str] = set()
    for name, path in _paths(world):
        if path in asked or name in _no_pages:
            continue
        asked.add(path)
        status, kind, html = get(path)
        assert status < 500, path
        is_html = kind.startswith("text/html")
        if status == 405 or (status == 200 and not is_html):
            _no_pages.add(name)
        if is_html and "<html" in html and (status in (200, 410) or path == NOWHERE):
            yield Seen(path, html)


_no_pages: set[str] = set()
"""Names of addresses that gave no HTML page so far."""


def _paths(world: World) -> Iterator[tuple[str, str]]:
    """Yield the name and path of each address, for all values in the world."""
    for name, parameters in sorted(_named(get_resolver())):
        if name in LEFT_OUT or (name.startswith("api:") and name != "api:reference"):
            continue
        if name.startswith("admin:") and parameters and not set(parameters) <= set(world.values):
            yield from ((name, path) for path in _of_admin(name))
            continue
        missing = [parameter for parameter in parameters if parameter not in world.values]
        assert not missing, f"{name} needs {missing}: put it in the world, or in LEFT_OUT"
        for chosen in product(*(world.values[parameter] for parameter in parameters)):
            try:
                yield name, reverse(name, kwargs=dict(zip(parameters, chosen, strict=True)))
            except NoReverseMatch:
                continue
    yield "", NOWHERE


def _named(resolver: URLResolver, spaces: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name of each address, and the names of its parameters."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _named(pattern, (*spaces, pattern.namespace) if pattern.namespace else spaces)
        elif isinstance(pattern, URLPattern) and pattern.name:
            found = {**pattern.pattern.converters, **pattern.pattern.regex.groupindex}
            yield ":".join([*spaces, pattern.name]), tuple(found)


def _of_admin(name: str) -> Iterator[str]:
    """Yield the path of an admin page for the first row of its model."""
    for model in admin.site._registry:
        if name.startswith(f"admin:{model._meta.app_label}_{model._meta.model_name}_"):
            row = model._default_manager.first()
            if row is not None:
                yield reverse(name, args=[row.pk])
