"""Hints that several accounts belong to one person.

Only moderators see them, and they have no automatic consequences.
"""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import Trace, User
from games.moderation.hints import games_with_one_browser, pairs_in, similar_accounts
from games.moderation.models import Case
from games.people.contacts import add_housemate
from games.people.services.deletion import delete_account
from games.play.models import Game, Seat
from tests.games.admin_pages import address, permit
from tests.games.moderation.staffing import HELPER, MODERATOR, case_of, reported, staffed
from tests.games.standings.rated import ended, rate, under_way
from tests.games.support import NOW, Table, record_of


def leave_trace(user: User, kind: str, digest: str, *, days: int = 0) -> None:
    """Store a trace of a person's browser or network, last seen ``days`` days ago."""
    at = NOW - timedelta(days=days)
    Trace.objects.create(user=user, kind=kind, digest=digest, first_at=at, last_at=at)


def test_accounts_with_one_browser_are_listed_before_those_with_one_network(
    alice: User, bob: User, carol: User, dave: User, erin: User
) -> None:
    leave_trace(alice, "browser", "laptop")
    leave_trace(alice, "network", "school")
    leave_trace(bob, "network", "school")
    leave_trace(carol, "browser", "laptop", days=3)
    leave_trace(dave, "network", "elsewhere")
    leave_trace(erin, "network", "school")
    found = similar_accounts(alice, viewer=erin)
    assert [each.user for each in found] == [carol, bob], "and not Erin, who looks"
    assert (found[0].common.browser, found[0].common.network) == (NOW - timedelta(days=3), None)
    assert (found[1].common.browser, found[1].common.network) == (None, NOW)


def test_a_hint_lists_the_games_of_both_and_their_results(
    table: Table, alice: User, bob: User, erin: User
) -> None:
    for number in range(3):
        game = ended(table, alice, bob, at=NOW + timedelta(hours=number))
        late = NOW + timedelta(minutes=11 if number else 10)
        Seat.objects.filter(game=game, user=bob).update(joined_at=late)
    rate()
    add_housemate(user=alice, robo_name="Bob", now=NOW)
    add_housemate(user=bob, robo_name="Alice", now=NOW)
    for user in (alice, bob):
        leave_trace(user, "browser", "laptop")
    (found,) = similar_accounts(bob, viewer=erin)
    assert (found.user, found.games, found.together, found.common.household) == (alice, 3, 1, True)
    assert found.rated and (found.rated.ahead, found.rated.behind) == (0, 3)


def test_pairs_in_a_game_show_shots_and_pushes_at_each_other(
    table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    game = under_way(table, alice, bob, carol, turns=6)
    for user in (bob, carol):
        leave_trace(user, "network", "school")
    pairs = pairs_in(game, viewer=erin)
    assert [(pair.one, pair.other) for pair in pairs] == [
        ("Bob", "Carol"),
        ("Alice", "Bob"),
        ("Alice", "Carol"),
    ]
    shots = [
        (event["robot"], event["hit"])
        for number in range(6)
        for event in record_of(game, number).events
        if event["type"] == "shot" and "robot" in event and event["hit"] in ("Alice", "Bob", "Carol")
    ]
    pushes = [
        (event["pusher"], event["robot"])
        for number in range(6)
        for event in record_of(game, number).events
        if event["type"] == "move" and "pusher" in event
    ]
    assert shots and pushes, "the robots of this game do meet"
    for pair in pairs:
        for aim, (by, at) in zip(pair.aims, ((pair.one, pair.other), (pair.other, pair.one)), strict=True):
            assert aim.hits == shots.count((by, at))
            assert aim.hits + aim.other_hits == len([one for one, _ in shots if one == by])
            assert aim.pushes == pushes.count((by, at))
            assert aim.pushes + aim.other_pushes == len([one for one, _ in pushes if one == by])


def test_an_unreadable_log_hides_only_its_own_facts(table: Table, alice: User, bob: User, erin: User) -> None:
    game = under_way(table, alice, bob)
    leave_trace(alice, "network", "school")
    leave_trace(bob, "network", "school")
    game.turns.filter(number=1).update(record=b"torn")
    (pair,) = pairs_in(game, viewer=erin)
    assert (pair.aims, pair.common.network) == ((), NOW)
    permit(staffed(erin))
    browser = Client()
    browser.force_login(erin)
    assert "The log can’t be read." in browser.get(address(game)).content.decode()


def test_staff_never_see_pairs_that_include_themselves(
    duel: Game, alice: User, bob: User, carol: User
) -> None:
    assert pairs_in(duel, viewer=bob) == []
    assert len(pairs_in(duel, viewer=carol)) == len(pairs_in(duel, viewer=carol, of=bob)) == 1


def test_games_between_accounts_of_one_browser_are_found(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    both, other = table.game(alice, bob), table.game(alice, carol)
    for user in (alice, bob):
        leave_trace(user, "browser", "laptop")
    for user in (alice, carol):
        leave_trace(user, "network", "school")
    assert list(games_with_one_browser()) == [both]
    Trace.objects.filter(user=bob).delete()
    assert not games_with_one_browser().exists() and other.pk


@pytest.mark.parametrize(("role", "seen"), [(HELPER, False), (MODERATOR, True)])
def test_only_moderators_see_hints_on_a_case(
    role: tuple[str, ...], seen: bool, duel: Game, alice: User, bob: User, carol: User, erin: User
) -> None:
    leave_trace(bob, "browser", "secret-digest")
    leave_trace(carol, "browser", "secret-digest")
    reported(alice, bob, game=duel.pk)
    permit(staffed(erin, *role), "view_case", "view_game")
    browser = Client()
    browser.force_login(erin)
    for row in (case_of(bob), duel):
        page = browser.get(address(row)).content.decode()
        assert ('id="hints"' in page) is seen
        assert "secret-digest" not in page
    assert ("Carol" in browser.get(address(case_of(bob))).content.decode()) is seen
    listed = browser.get("/admin/games/game/?one_browser=yes").content.decode()
    assert ("First flight" in listed) is not seen, "no game has two players with one browser"


def test_a_hint_has_no_automatic_consequence(table: Table, alice: User, bob: User, erin: User) -> None:
    for user in (alice, bob):
        leave_trace(user, "browser", "laptop")
        leave_trace(user, "network", "home")
    game = table.game(alice, bob)
    assert game.status == Game.Status.RUNNING
    assert not Case.objects.exists()


def test_a_case_is_opened_in_the_admin_without_a_report(bob: User, dave: User, erin: User) -> None:
    permit(staffed(erin), "view_case")
    browser = Client()
    browser.force_login(erin)
    add = "/admin/games/case/add/"
    assert "Open a case?" in browser.get(add).content.decode()
    for wrong in ("Nemo", "", "\0"):
        assert browser.post(add, {"robo_name": wrong, "sure": "1"}).status_code == 200
    assert not Case.objects.exists()
    opened = browser.post(add, {"robo_name": "bob", "sure": "1"})
    case = case_of(bob)
    assert (opened.headers["Location"], case.taken_by) == (address(case), erin)
    dave.is_staff = True
    dave.save()
    stranger = Client()
    stranger.force_login(dave)
    assert stranger.get(add).status_code == 403


def test_traces_are_deleted_with_the_account(alice: User) -> None:
    leave_trace(alice, "browser", "laptop")
    delete_account(user=alice, now=datetime(2026, 11, 21, 12, tzinfo=NOW.tzinfo))
    assert not Trace.objects.exists()
