"""Replacements and outages in the admin: lists of their own, to which a game's page leads."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.absence.seats import take_seat
from games.clocks.models import Outage
from games.play.models import Game, Replacement
from games.staff.services import cancel_as_staff, replace_as_staff
from games.work import sweeper
from tests.games.admin_pages import address, do, listing
from tests.games.support import NOW, Table, later, sweep


@pytest.fixture
def trio(table: Table, alice: User, bob: User, carol: User, dave: User, erin: User) -> Game:
    """A game in which staff had Carol replaced; Dave plays in her place now."""
    game = table.game(alice, bob, carol)
    seat = game.players.get(user=carol)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="She asked for it.", now=NOW)
    take_seat(user=dave, game_id=game.pk, seat=3, now=later(hours=1))
    return game


@pytest.fixture
def outage(duel: Game) -> Outage:
    """Three hours in which nobody swept, while the duel was played."""
    sweep(later(hours=2))
    for seconds in (0, 30):
        sweeper.sweep(now=later(hours=5, seconds=seconds))
    return Outage.objects.get()


def leads(page: str, words: str) -> str:
    """Where a link of a page leads that says so."""
    found = re.search(rf'<a href="([^"]+)">{words}</a>', page)
    assert found, f"no link “{words}”"
    return html.unescape(found[1])


def rows(page: Any) -> int:
    return page.context["cl"].result_count  # type: ignore[no-any-return]


class TestReplacements:
    def test_a_game_leads_to_its_own(self, staff: Client, trio: Game, duel: Game) -> None:
        there = leads(staff.get(address(trio)).content.decode(), "replacements")
        page = staff.get(there)
        assert rows(page) == Replacement.objects.count() == 2
        said = html.unescape(page.content.decode())
        for words in ("Carol", "a computer", "Dave", "Replaced by staff", "Took the seat over"):
            assert words in said
        assert rows(staff.get(leads(staff.get(address(duel)).content.decode(), "replacements"))) == 0

    def test_they_are_searched_and_filtered(self, staff: Client, trio: Game) -> None:
        for given, count in (({"q": "Carol"}, 2), ({"q": "nobody"}, 0), ({"reason__exact": "staff"}, 1)):
            assert rows(staff.get(listing(Replacement), given)) == count

    def test_each_has_a_page_that_nothing_can_be_changed_on(self, staff: Client, trio: Game) -> None:
        before = list(Replacement.objects.values())
        for row in Replacement.objects.all():
            page = staff.get(address(row)).content.decode()
            assert address(trio) in page and address(row.seat) in page
            assert trio.seed not in page and trio.link_token not in page
            assert staff.post(address(row), {"reason": "missed"}).status_code == 403
            assert staff.post(f"{listing(Replacement)}{row.pk}/delete/", {"post": "yes"}).status_code == 403
        assert staff.get(f"{listing(Replacement)}add/").status_code == 403
        assert list(Replacement.objects.values()) == before

    def test_the_list_asks_a_fixed_number_of_questions(
        self,
        staff: Client,
        trio: Game,
        table: Table,
        alice: User,
        bob: User,
        erin: User,
        django_assert_max_num_queries: Any,
    ) -> None:
        with django_assert_max_num_queries(10) as few:
            staff.get(listing(Replacement))
        for _ in range(3):
            seat = table.game(alice, bob).players.get(user=bob)
            replace_as_staff(user=erin, seat_id=seat.pk, reason="So.", now=NOW)
        with django_assert_max_num_queries(len(few)):
            assert rows(staff.get(listing(Replacement))) == 5

    def test_no_secret_is_guessed_by_the_address(self, staff: Client, trio: Game) -> None:
        assert staff.get(listing(Replacement), {"seat__game__seed__startswith": "a"}).status_code == 400

    def test_staff_are_told_who_may_not_come_back(self, staff: Client, trio: Game) -> None:
        page = html.unescape(do(staff, "replace", trio.players.get(number=2)).content.decode())
        assert "that player cannot come back to this game" in page


class TestOutages:
    def test_a_game_leads_to_those_while_it_was_played(
        self, staff: Client, duel: Game, outage: Outage, table: Table, alice: User, bob: User, erin: User
    ) -> None:
        page = staff.get(leads(staff.get(address(duel)).content.decode(), "outages"))
        assert rows(page) == 1 and "3 h 0 min" in page.content.decode()
        later_on = table.game(alice, bob)
        Game.objects.filter(pk=later_on.pk).update(started_at=later(hours=6))
        assert rows(staff.get(leads(staff.get(address(later_on)).content.decode(), "outages"))) == 0
        ended = table.game(alice, bob)
        cancel_as_staff(user=erin, game_id=ended.pk, reason="So.", now=later(hours=1))
        assert rows(staff.get(leads(staff.get(address(ended)).content.decode(), "outages"))) == 0

    def test_a_lobby_has_none(self, staff: Client, table: Table, alice: User) -> None:
        page = staff.get(address(table.game(alice, seats=2))).content.decode()
        assert ">replacements</a>" in page and ">outages</a>" not in page

    def test_an_outage_leads_to_the_mail_about_it(self, staff: Client, duel: Game, outage: Outage) -> None:
        page = staff.get(address(outage)).content.decode()
        notices = staff.get(leads(page, "notifications since"))
        assert rows(notices) == 2

    def test_those_are_found_whose_time_is_not_given_back_yet(self, staff: Client, outage: Outage) -> None:
        assert rows(staff.get(listing(Outage), {"settled_at__isempty": "1"})) == 0
        Outage.objects.update(settled_at=None)
        assert rows(staff.get(listing(Outage), {"settled_at__isempty": "1"})) == 1

    def test_nothing_is_changed_by_hand(self, staff: Client, outage: Outage) -> None:
        assert staff.get(f"{listing(Outage)}add/").status_code == 403
        assert staff.post(address(outage), {"ended_at_0": "2026-11-21"}).status_code == 403
        assert staff.post(f"{listing(Outage)}{outage.pk}/delete/", {"post": "yes"}).status_code == 403

    def test_what_is_no_time_is_passed_over(self, staff: Client, outage: Outage) -> None:
        answer = staff.get(listing(Outage), {"ended_at__gt": "soon"})
        assert answer.status_code == 302 and answer["Location"].endswith("?e=1")
