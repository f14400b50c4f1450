"""The pages and the API of tournaments."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.clubs.services import close_club, create_club
from games.competitions.forms import PRESETS, Preset
from games.competitions.models import Tournament
from games.competitions.services.tournaments import (
    change_draft,
    create_tournament,
    join_tournament,
    open_tournament,
)
from games.fleet.models import Starship
from games.news.channels.mail import compose
from games.news.models import Notice
from tests.games.api_client import Api
from tests.games.competitions.hosting import START, games_of, last_round, opened, play_round, step, terms
from tests.games.deletions import erased
from tests.games.reader import Answer, ReaderOf, reader
from tests.games.standings.rated import give_rating
from tests.games.support import LANE, WORKSHOP, Table
from tests.support.fleet import launch

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(erin: User) -> Client:
    return reader(erin).client


def filled(*starships: int, **instead: Any) -> dict[str, Any]:
    """Return the fields of the form for a Swiss tournament at tables of two."""
    starts = timezone.now() + timedelta(days=3)
    usual = {
        "name": "Autumn Cup",
        "kind": "swiss",
        "starts_at": f"{starts:%Y-%m-%dT%H:%M}",
        "least": "2",
        "most": "8",
        "ruleset": "robo-runner",
        "size": "2",
        "rounds": "3",
        "hours": "24",
        "starships": starships,
        "ship_choice": "fixed",
    }
    return usual | instead


def test_a_tournament_is_created_opened_and_entered(
    browser: Client, table: Table, bob: User, read: ReaderOf
) -> None:
    assert "No open tournaments" in read(None).get("/tournaments/")
    sent = filled(table.starship.pk)
    made = browser.post("/tournaments/new/", sent, follow=True).content.decode()
    assert "Draft saved." in made
    cup = Tournament.objects.get()
    there = f"/tournaments/{cup.pk}/"
    assert Client().get(there).status_code == 404
    assert "Drafts" in browser.get("/tournaments/").content.decode()
    opened_page = browser.post(f"{there}act/", {"do": "open"}, follow=True).content.decode()
    assert "The tournament is open to everyone." in opened_page
    theirs = reader(bob).client

    def act(do: str) -> str:
        return theirs.post(f"{there}act/", {"do": do}, follow=True).content.decode()

    assert "You entered the tournament." in act("join")
    assert "Your tournaments:" in read(bob).get("/my-room/")
    assert "Autumn Cup" in read(None).get("/tournaments/")
    assert "You left the tournament." in act("leave")
    assert "was cancelled" in browser.post(f"{there}act/", {"do": "cancel"}, follow=True).content.decode()


def test_a_draft_can_be_edited_until_it_opens(
    browser: Client, table: Table, erin: User, dave: User, read: ReaderOf
) -> None:
    starts = timezone.now() + timedelta(days=3)
    asked = terms(table, starts_at=starts, name="Autumn Cup", kind="marathon")
    cup = create_tournament(user=erin, terms=asked, now=timezone.now())
    there = f"/tournaments/{cup.pk}/"
    assert f"{there}edit/" in browser.get(there).content.decode()
    page = browser.get(f"{there}edit/").content.decode()
    assert "Edit the draft" in page and 'value="Autumn Cup"' in page
    sent = filled(table.starship.pk, name="Winter Cup", hours="48")
    refused = browser.post(f"{there}edit/", {**sent, "starships": []})
    assert refused.status_code == 422 and "Choose 1 to 12 different starships." in refused.content.decode()
    assert read(dave).get(f"{there}edit/").status == 404
    assert "Draft saved." in browser.post(f"{there}edit/", sent, follow=True).content.decode()
    cup.refresh_from_db()
    assert (cup.name, cup.kind, cup.rounds, cup.ends_at, cup.pace["hours"]) == (
        "Winter Cup",
        "swiss",
        3,
        None,
        48,
    )
    assert [each.starship for each in cup.ships.all()] == [table.starship]
    assert "checked" in browser.get(f"{there}edit/").content.decode().partition('name="starships"')[2][:80]
    open_tournament(user=erin, tournament_id=cup.pk, now=timezone.now())
    for answer in (
        browser.get(f"{there}edit/", follow=True),
        browser.post(f"{there}edit/", {**sent, "name": "Spring Cup"}, follow=True),
    ):
        assert "Its rules can no longer change." in answer.content.decode()
    cup.refresh_from_db()
    assert cup.name == "Winter Cup"


def test_a_draft_opens_only_with_rules_that_its_host_has_seen(
    browser: Client, table: Table, erin: User
) -> None:
    now = timezone.now()
    asked = terms(table, starts_at=now + timedelta(days=3))
    cup = create_tournament(user=erin, terms=asked, now=now)
    there = f"/tournaments/{cup.pk}/"

    def press(page: str) -> str:
        found = re.search(r'name="seen" value="(\w+)"', page)
        assert found
        answer = browser.post(f"{there}act/", {"do": "open", "seen": found[1]}, follow=True)
        return answer.content.decode()

    page = browser.get(there).content.decode()
    change_draft(user=erin, tournament_id=cup.pk, terms={**asked, "rounds": 9}, now=now)
    again = press(page)
    assert "The draft has changed since you opened this page." in again
    cup.refresh_from_db()
    assert cup.status == "draft"
    assert "The tournament is open to everyone." in press(again)


def test_the_draft_of_a_closed_club_asks_who_can_enter(
    browser: Client, table: Table, erin: User, read: ReaderOf
) -> None:
    now = timezone.now()
    create_club(user=erin, name="Night Shift", now=now)
    asked = terms(table, starts_at=now + timedelta(days=3), club="night-shift")
    cup = create_tournament(user=erin, terms=asked, now=now)
    there = f"/tournaments/{cup.pk}/"
    sent = {**asked, "starts_at": f"{asked['starts_at']:%Y-%m-%dT%H:%M}"}
    close_club(user=erin, slug="night-shift", now=now)
    assert "No one yet: the club was closed" in read(erin).get(there)
    page = browser.get(f"{there}edit/").content.decode()
    assert "The club of this draft was closed. Decide who can enter instead." in page
    assert "selected>Choose again" in page
    for club in ("", "night-shift"):
        answer = browser.post(f"{there}edit/", {**sent, "club": club})
        assert answer.status_code == 422
    assert browser.post(f"{there}act/", {"do": "open"}).status_code == 409
    saved = browser.post(f"{there}edit/", {**sent, "club": "*"}, follow=True)
    assert "Who can enter" in saved.content.decode()
    answer = browser.post(f"{there}act/", {"do": "open"}, follow=True)
    assert "The tournament is open to everyone." in answer.content.decode()


def test_a_draft_opens_only_with_starships_that_are_still_available(
    browser: Client, table: Table, erin: User
) -> None:
    now, other = timezone.now(), LANE.saved()
    ships = [other.pk, table.starship.pk]
    asked = terms(table, starts_at=now + timedelta(days=3), starships=ships)
    cup = create_tournament(user=erin, terms=asked, now=now)
    Starship.objects.filter(pk=other.pk).update(retired=True)
    answer = browser.post(f"/tournaments/{cup.pk}/act/", {"do": "open"})
    assert answer.status_code == 409
    assert "One of these starships is not available." in answer.content.decode()
    cup.refresh_from_db()
    assert cup.status == "draft"


def test_opening_says_which_members_can_enter(browser: Client, table: Table, erin: User) -> None:
    now = timezone.now()
    create_club(user=erin, name="Night Shift", now=now)
    asked = terms(table, starts_at=now + timedelta(days=3), club="night-shift")
    cup = create_tournament(user=erin, terms=asked, now=now)
    answer = browser.post(f"/tournaments/{cup.pk}/act/", {"do": "open"}, follow=True)
    assert "The tournament is open to members of Night Shift." in answer.content.decode()


def shown(answer: Any, part: str) -> str:
    """Return a part of a page that the script draws again."""
    assert answer.status_code == 200
    return str(answer.content.decode()).partition(f'data-part="{part}"')[2].partition("data-part")[0]


def test_starships_have_pictures_and_those_that_do_not_fit_are_marked(browser: Client, table: Table) -> None:
    fitting, unfit = WORKSHOP.saved(), table.starship
    chosen = filled(fitting.pk, unfit.pk, ruleset="group-11", size="4", show="1")
    answer = browser.post("/tournaments/new/", chosen)
    first, second = shown(answer, "pick").split("<li>")[1:]
    assert f"/drawings/{fitting.current_id}-light.svg" in first and "ship-why" not in first
    assert unfit.name in second and "ship-why" in second
    assert "Round 2" in second and not Tournament.objects.exists()
    assert "Choose starships that fit" in shown(answer, "plan-said")
    refused = browser.post("/tournaments/new/", {**chosen, "show": []})
    assert refused.status_code == 422
    assert f"{unfit.name} doesn’t fit these rules with 4 players." in refused.content.decode()
    assert f"{fitting.name} doesn’t fit" not in refused.content.decode()


def test_starships_are_played_in_the_chosen_order(browser: Client, table: Table) -> None:
    other, first = LANE.saved(), table.starship
    order = f"{other.pk} {first.pk}"
    sent = filled(first.pk, other.pk, order=order)
    moved = browser.post("/tournaments/new/", {**sent, "up": first.pk})
    assert f'name="order" value="{first.pk} {other.pk}"' in moved.content.decode()
    browser.post("/tournaments/new/", sent)
    ships = Tournament.objects.get().ships.values_list("starship", flat=True)
    assert list(ships) == [other.pk, first.pk]


def test_a_search_keeps_what_is_filled_in(browser: Client, table: Table) -> None:
    other = LANE.saved()
    sent = filled(table.starship.pk, name="Winter Cup", enter="1", searched="", find=other.name)
    page = browser.post("/tournaments/new/", sent)
    assert 'value="Winter Cup"' in page.content.decode()
    assert f'value="{other.pk}"' in shown(page, "ships") and table.starship.name in shown(page, "pick")
    assert not Tournament.objects.exists()
    browser.post("/tournaments/new/", {**sent, "searched": other.name})
    assert Tournament.objects.get().name == "Winter Cup"


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: str(preset.key))
def test_a_preset_fills_a_form_that_can_be_saved(browser: Client, preset: Preset) -> None:
    launch()
    linked = browser.get(f"/tournaments/new/?preset={preset.key}").content.decode()
    page = browser.post("/tournaments/new/", filled(name="Spring Cup", preset=preset.key)).content.decode()
    assert 'value="Spring Cup"' in page and not Tournament.objects.exists()
    for html in (linked, page):
        assert Answer(200, html, "").chosen("kind") == preset.kind
    chosen = map(int, Answer(200, page, "").chosen("starships").split(","))
    values = {name: str(value) for name, value in preset.values.items()}
    browser.post("/tournaments/new/", filled(*chosen, **values))
    cup = Tournament.objects.get()
    assert (cup.kind, cup.size, cup.most) == (preset.kind, preset.size, preset.most)
    assert cup.pace["hours"] == preset.hours
    assert cup.ships.count() == preset.starships


def test_a_preset_keeps_chosen_starships_and_is_for_the_host_s_club(browser: Client, erin: User) -> None:
    launch()
    found = create_club(user=erin, name="Night Shift", entry="open", text="", now=timezone.now())
    ship = Starship.objects.get(name="Clover")
    page = browser.post("/tournaments/new/", filled(ship.pk, preset="club-season")).content.decode()
    assert str(ship.pk) in Answer(200, page, "").chosen("starships").split(",")
    assert Answer(200, page, "").chosen("club") == found.slug


def test_a_preset_keeps_the_chosen_club(browser: Client, erin: User) -> None:
    launch()
    for name in ("Day Shift", "Night Shift"):
        create_club(user=erin, name=name, now=timezone.now())
    page = browser.post("/tournaments/new/", filled(preset="club-season", club="night-shift"))
    assert '<option value="night-shift" selected>' in page.content.decode()


def test_a_draft_for_a_club_that_is_gone_is_not_saved_for_everyone(
    browser: Client, table: Table, erin: User
) -> None:
    create_club(user=erin, name="Night Shift", now=timezone.now())
    close_club(user=erin, slug="night-shift", now=timezone.now())
    answer = browser.post("/tournaments/new/", filled(table.starship.pk, club="night-shift"))
    assert answer.status_code == 422 and not Tournament.objects.exists()


def test_a_preview_says_how_many_rounds_and_when(browser: Client, table: Table, erin: User) -> None:
    erin.time_zone = "Asia/Tokyo"
    erin.save()
    sent = filled(table.starship.pk, kind="knockout", starts_at="2026-11-23T20:00", show="1", expected="6")
    page = browser.post("/tournaments/new/", sent)
    said, plan = shown(page, "plan-said"), shown(page, "plan")
    assert "With 6 players: 3 rounds, up to 2 games at a time" in said
    assert "With 2 players, the minimum: 1 round, 1 game at a time" in said
    assert "With 8 players, the maximum: 3 rounds, up to 4 games at a time. It ends around " in said
    assert "2 tables of 2, 2 byes" in plan and "23 November 2026, 20:00" in plan
    assert "Times are in Asia/Tokyo." in plan


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "lottery"),
        ("ruleset", "chess"),
        ("size", "99999"),
        ("rounds", "-1"),
        ("hours", "7"),
        ("least", ""),
        ("most", "1"),
        ("starts_at", "soon"),
        ("starships", ["x", "999999999"]),
        ("order", "x 999999999 -1"),
        ("expected", "9" * 40),
        ("ship_choice", "all"),
    ],
)
def test_a_form_with_an_odd_value_is_shown_again(
    browser: Client, table: Table, field: str, value: Any
) -> None:
    for kind in ("swiss", "league", "marathon"):
        sent = filled(table.starship.pk, kind=kind, show="1") | {field: value}
        page = browser.post("/tournaments/new/", sent)
        assert page.status_code == 200 and "Save as a draft" in page.content.decode()


@pytest.mark.parametrize("start", ["0001-01-01T00:00", "9999-12-31T23:00"])
def test_there_is_no_preview_for_a_start_that_cannot_be_saved(
    browser: Client, table: Table, start: str
) -> None:
    sent = filled(table.starship.pk, starts_at=start)
    answer = browser.post("/tournaments/new/", {**sent, "show": "1"})
    assert "Choose starships that fit, the players and the start." in shown(answer, "plan-said")
    assert browser.post("/tournaments/new/", sent).status_code == 422


def test_a_draft_is_edited_in_the_same_form(browser: Client, table: Table, erin: User) -> None:
    starts = timezone.now() + timedelta(days=3)
    cup = create_tournament(user=erin, terms=terms(table, starts_at=starts), now=timezone.now())
    there = f"/tournaments/{cup.pk}/edit/"
    page = browser.get(there).content.decode()
    seen = re.search(r'name="instead_of" value="([^"]+)"', page)
    assert seen and 'name="preset"' in page and "With 64 players, the maximum" in page
    sent = filled(table.starship.pk, instead_of=seen[1], name="Winter Cup")
    again = browser.post(there, {**sent, "show": "1"}).content.decode()
    assert f'name="instead_of" value="{seen[1]}"' in again and 'value="Winter Cup"' in again
    assert "Draft saved." in browser.post(there, sent, follow=True).content.decode()


def test_a_draft_shows_its_planned_rounds(table: Table, erin: User, browser: Client) -> None:
    starts = timezone.now() + timedelta(days=3)
    asked = terms(table, starts_at=starts, most=8)
    cup = create_tournament(user=erin, terms=asked, now=timezone.now())
    page = browser.get(f"/tournaments/{cup.pk}/").content.decode()
    assert "With 8 players, the maximum: 2 rounds, up to 4 games at a time" in page
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    assert "Planned rounds" not in browser.get(f"/tournaments/{cup.pk}/").content.decode()


def test_errors_are_shown_beside_their_fields(browser: Client, bob: User, read: ReaderOf) -> None:
    answer = browser.post("/tournaments/new/", {"name": "", "kind": "lottery", "starts_at": "soon"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The tournament needs a name." in page and "Enter a date and a time" in page
    assert not Tournament.objects.exists()
    assert "at least 5 rated games" in read(bob).get("/tournaments/new/")


def test_its_page_shows_standings_rounds_and_games(
    table: Table, erin: User, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    cup = opened(table, erin, alice, bob, carol, rounds=2, text="By mail.")
    there = f"/tournaments/{cup.pk}/"
    assert "Entrants" in read(None).get(there)
    step(START)
    page = read(alice).get(there)
    assert "My game" in page or "bye" in page
    assert "Table" in page and "R1" in page
    assert "No pair has met before" in read(None).get(f"{there}rounds/1/")
    play_round(cup, [bob, alice, carol], now=START)
    step(START + timedelta(hours=1))
    assert "Round 2" in read(None).get(there)
    play_round(cup, [bob, alice, carol], now=START + timedelta(days=1))
    step(START + timedelta(days=1))
    assert "Your place: 1 of 3." in read(bob).get(there)
    assert "Place 1 in" in read(None).get("/players/Bob/")
    assert "cancelled" not in read(None).get("/tournaments/")


def test_a_full_tournament_says_so_and_its_host_starts_it(
    browser: Client, table: Table, erin: User, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    starts = timezone.now() + timedelta(days=1)
    cup = opened(table, erin, alice, now=timezone.now(), starts_at=starts, most=2)
    there = f"/tournaments/{cup.pk}/"
    assert "Start now" not in read(erin).get(there) and "Open to join" in read(erin).get(there)
    join_tournament(user=bob, tournament_id=cup.pk, now=timezone.now())
    page = read(carol).get(there)
    assert "Minimum entrants 2" in page and f'value="http://testserver{there}"' in page.html
    assert "Full, starts" in page and 'value="join"' not in page.html and "Start now" not in page
    assert "Start now" in read(erin).get(there)
    said = browser.post(f"{there}act/", {"do": "start"}, follow=True).content.decode()
    assert "The tournament has started." in said and "Being played" in said and "Start now" not in said


def test_its_page_has_one_robot_for_each_player(
    table: Table, erin: User, alice: User, bob: User, read: ReaderOf
) -> None:
    User.objects.filter(pk=alice.pk).update(look=7)
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    game.players.filter(user=alice).update(look=2)
    html = read(None).get(f"/tournaments/{cup.pk}/").html
    for name in ("Alice", "Bob"):
        robots = re.findall(rf'#robot-(\d)"></use></svg><a class="robo-name" href="/players/{name}/"', html)
        assert len(robots) == 2 and len(set(robots)) == 1 and (name, robots[0]) != ("Alice", "2"), name
    assert "#robot-7" in html


def test_its_page_shows_boards_after_the_last_turn(
    table: Table, erin: User, alice: User, bob: User, read: ReaderOf
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    there = f"/tournaments/{cup.pk}/"
    assert f"/drawings/{game.revision_id}-light.svg" in read(None).get(there).html
    turn = table.play(game, alice, bob, now=START)
    page = read(alice).get(there)
    for theme in ("light", "dark"):
        picture = f"/games/{game.pk}/turns/{turn.number}/board-{theme}.png"
        assert picture in page.html
        assert Client().get(picture).headers["Content-Type"] == "image/png"
    assert "Table 1" in page and "Your move" in page
    play_round(cup, [bob], now=START)
    assert "won by Bob" in read(None).get(there)


def test_a_game_links_to_its_tournament(
    table: Table, erin: User, alice: User, bob: User, read: ReaderOf
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    page = read(alice).get(f"/games/{game.pk}/")
    assert "Autumn Cup" in page and f"/tournaments/{cup.pk}/rounds/1/" in page.html
    assert "What players can decide" not in page


def test_its_emails_describe_the_events(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob, rounds=2)
    step(START)
    (game,) = games_of(last_round(cup))
    game.players.filter(user=bob).update(excused=0)
    play_round(cup, [alice], now=START)
    step(START + timedelta(hours=1))
    told = {notice.kind: compose(notice) for notice in Notice.objects.filter(game=game, channel="mail")}
    assert "Round 1 of “Autumn Cup” has started" in told["round"].body
    assert "You missed turns, submitted no orders or left your seat in round 1" in told["confirm"].body
    step(START + timedelta(days=8))
    cup.refresh_from_db()
    assert cup.status == "finished", "one is left, who has no one to play"
    over = Notice.objects.filter(kind="finished", user=alice, channel="mail").get()
    assert "Your place: 1 of 2." in compose(over).body
    assert not mail.outbox


def test_one_click_confirms_the_next_round(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    cup.entrants.filter(user=bob).update(confirmed=False)
    theirs = reader(bob).client
    page = theirs.get(f"/tournaments/{cup.pk}/").content.decode()
    assert "Confirm the next round, or you will sit it out." in page
    answer = theirs.post(f"/tournaments/{cup.pk}/act/", {"do": "confirm"}, follow=True)
    assert "You confirmed the next round." in answer.content.decode()
    assert cup.entrants.get(user=bob).confirmed


def test_the_api_does_the_same(table: Table, alice: User, bob: User, erin: User) -> None:
    give_rating(alice)
    api, other = Api(alice), Api(bob)
    asked = {
        "name": "Autumn Cup",
        "kind": "swiss",
        "starts_at": START.isoformat(),
        "starships": [table.starship.pk],
        "size": 2,
    }
    made = api.post("tournaments", asked)
    assert (made.status, made.body["status"], made.body["hours"]) == (201, "draft", 24)
    there = f"tournaments/{made.body['id']}"
    assert other.get(there).status == 404
    assert other.get("tournaments").body["results"] == []
    assert api.post(f"{there}/open").body["status"] == "open"
    assert other.put(f"{there}/entry", {}).body["me"]["confirmed"]
    assert other.delete(f"{there}/entry").body["me"] is None
    other.put(f"{there}/entry", {})
    api.put(f"{there}/entry", {})
    step(START)
    running = other.get(there).body
    assert running["last_round"]["number"] == 1 and running["me"]["game"]
    assert len(running["table"]) == 2
    first = other.get(f"{there}/rounds/1").body
    assert (first["repeats"], len(first["tables"])) == (0, 1)
    assert [each["id"] for each in other.get("tournaments?status=running").body["results"]] == [running["id"]]
    assert other.post(f"{there}/confirm").status == 200
    assert api.post("tournaments", {**asked, "hours": 7}).status == 422
    assert Api(erin).delete(there).body["results"] == []


def test_leaving_a_cup_game_promises_no_way_back(
    read: ReaderOf, table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, size=3, rounds=1)
    step(START)
    (game,) = games_of(last_round(cup))
    page = read(alice).get(f"/games/{game.pk}/resign/")
    assert "No other player can take over the seat. You can come back" in page
    assert "Another player can take over" not in page and "pause the game" not in page


def test_deleting_an_account_explains_tournaments_and_removes_its_name_from_their_games(
    read: ReaderOf, table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, name="Carol Cup")
    Tournament.objects.filter(pk=cup.pk).update(host=carol)
    step(START)
    (game,) = games_of(last_round(cup))
    assert "1 tournament You leave them." in read(alice).get("/settings/data/delete/")
    assert "1 tournament that you host Staff take over." in read(carol).get("/settings/data/delete/")
    erased(carol)
    game.refresh_from_db()
    assert game.name == f"Deleted-{carol.pk} Cup · 1.1"
