"""Replacements and outages in the admin, with links from games."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import take_seat
from games.clocks.models import Outage
from games.news.models import Notice
from games.play.models import Game
from games.staff.services import cancel_as_staff, replace_as_staff
from tests.games.admin_pages import address, do, listing
from tests.games.support import NOW, Table, later


@pytest.fixture
def trio(table: Table, alice: User, bob: User, carol: User, dave: User, erin: User) -> Game:
    """A game after two replacements on one seat: Carol by a computer, the computer by Dave."""
    game = table.game(alice, bob, carol)
    seat = game.players.get(user=carol)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="She asked for it.", now=NOW)
    take_seat(user=dave, game_id=game.pk, seat=3, now=later(hours=1))
    return game


@pytest.fixture
def outage(duel: Game, alice: User, bob: User) -> Outage:
    """An outage of three hours during the duel, and emails about it."""
    Notice.objects.bulk_create(
        Notice(user=user, game=duel, turn=0, kind="outage", channel="mail", created_at=later(hours=5))
        for user in (alice, bob)
    )
    return Outage.objects.create(began_at=later(hours=2), ended_at=later(hours=5), settled_at=later(hours=5))


def leads(page: str, words: str) -> str:
    """Return the address of the link with the given text."""
    found = re.search(rf'<a href="([^"]+)">{words}</a>', page)
    assert found, f"no link “{words}”"
    return html.unescape(found[1])


def rows(page: Any) -> int:
    return page.context["cl"].result_count  # type: ignore[no-any-return]


class TestReplacements:
    def test_a_game_links_to_its_replacements(self, staff: Client, trio: Game, duel: Game) -> None:
        there = leads(staff.get(address(trio)).content.decode(), "replacements")
        page = staff.get(there)
        assert rows(page) == Replacement.objects.count() == 2
        said = html.unescape(page.content.decode())
        for words in ("Carol", "a computer", "Dave", "Replaced by staff", "Took over the seat"):
            assert words in said
        assert rows(staff.get(leads(staff.get(address(duel)).content.decode(), "replacements"))) == 0
        for given, count in (({"q": "Carol"}, 2), ({"q": "nobody"}, 0), ({"reason__exact": "staff"}, 1)):
            assert rows(staff.get(listing(Replacement), given)) == count

    def test_each_page_is_free_of_secrets(self, staff: Client, trio: Game) -> None:
        for row in Replacement.objects.all():
            page = staff.get(address(row)).content.decode()
            assert address(trio) in page and address(row.seat) in page
            assert trio.seed not in page and trio.link_token not in page

    def test_the_list_takes_a_fixed_number_of_queries(
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

    def test_staff_are_warned_that_the_player_cannot_come_back(self, staff: Client, trio: Game) -> None:
        page = html.unescape(do(staff, "replace", trio.players.get(number=2)).content.decode())
        assert "replaced player can’t come back to this game" in page


class TestOutages:
    def test_a_game_links_to_outages_during_its_run(
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
        lobby = staff.get(address(table.game(alice, seats=2))).content.decode()
        assert ">replacements</a>" in lobby and ">outages</a>" not in lobby

    def test_an_outage_links_to_its_mail_and_is_listed_until_time_is_returned(
        self, staff: Client, outage: Outage
    ) -> None:
        page = staff.get(address(outage)).content.decode()
        assert rows(staff.get(leads(page, "notifications since"))) == 2
        assert rows(staff.get(listing(Outage), {"settled_at__isempty": "1"})) == 0
        Outage.objects.update(settled_at=None)
        assert rows(staff.get(listing(Outage), {"settled_at__isempty": "1"})) == 1
