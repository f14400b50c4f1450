"""The page of a player's days off, quiet hours and vacations, and how others see them."""

from datetime import time, timedelta

from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import User
from games.clocks.models import Rest, Vacation
from games.clocks.services import change_rest, plan_vacation
from games.play.models import Hand
from games.play.resolution import resolve_turn
from tests.games.support import Table

FORM = {"days_off": ["5", "6"], "night_from": "22:00", "night_until": "06:30"}


def test_a_person_sets_days_off_and_quiet_hours(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert "Your clocks run day and night" in client.get("/settings/time/").content.decode()
    page = client.post("/settings/time/", FORM, follow=True).content.decode()
    assert "Your clocks stop on Saturdays and Sundays, and from 22:00 to 06:30" in page
    assert page.count(" checked") == 2
    rest = Rest.objects.get()
    assert (rest.user, rest.days_off) == (alice, [5, 6])
    assert (rest.night_from, rest.night_until) == (time(22), time(6, 30))
    client.post("/settings/time/", {})
    assert "Your clocks run day and night" in client.get("/settings/time/").content.decode()


def test_an_invalid_rest_is_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    for form, sentence in (
        ({"days_off": ["0", "1", "2", "3"]}, "You can have up to 3 days off a week."),
        ({"night_from": "22:00"}, "Enter both the start and the end"),
        ({"night_from": "20:00", "night_until": "08:01"}, "Quiet hours can last up to 12 hours."),
    ):
        page = client.post("/settings/time/", form)
        assert page.status_code == 422
        assert sentence in page.content.decode()
    assert not Rest.objects.exists()


def test_others_see_a_player_s_own_deadline_if_it_differs(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    even = table.game(alice, bob)
    change_rest(user=bob, days_off=[5, 6], night=None)
    uneven = table.game(alice, bob)
    client.force_login(alice)
    assert "data-mate-time" not in client.get(even.get_absolute_url()).content.decode()
    page = client.get(uneven.get_absolute_url()).content.decode()
    assert page.count("data-mate-time") == 1


def test_a_person_plans_a_vacation_and_cancels_it(client: Client, alice: User, bob: User) -> None:
    first = timezone.localdate() + timedelta(days=30)
    form = {"first": first.isoformat(), "last": (first + timedelta(days=6)).isoformat()}
    client.force_login(alice)
    page = client.get("/settings/time/").content.decode()
    assert "28 of 28 days left" in page
    page = client.post("/settings/time/vacations/", form, follow=True).content.decode()
    assert "Your vacation is planned." in page
    assert f"{date_format(first)} to " in page
    vacation = Vacation.objects.get()
    refused = client.post("/settings/time/vacations/", form)
    assert refused.status_code == 409
    assert "a vacation on some of these days" in refused.content.decode()
    call_off = f"/settings/time/vacations/{vacation.pk}/call-off/"
    client.force_login(bob)
    assert client.post(call_off).status_code == 404
    client.force_login(alice)
    assert b"Your vacation is cancelled." in client.post(call_off, follow=True).content
    assert not Vacation.objects.exists()


def test_an_invalid_day_is_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.post("/settings/time/vacations/", {"first": "2026-02-30", "last": ""})
    assert page.status_code == 422
    assert "Enter a date, such as 2027-07-01." in page.content.decode()
    assert not Vacation.objects.exists()


def test_others_see_current_vacations(client: Client, table: Table, alice: User, bob: User) -> None:
    now = timezone.now()
    change_rest(user=bob, days_off=[], night=None, takes_vacation=True)
    game = table.game(alice, bob, pace={"hours": 24}, now=now - timedelta(hours=24))
    Hand.objects.update(deadline=now)
    game.turns.update(deadline=now)
    assert not resolve_turn(turn_id=game.turns.get().pk, now=now)
    client.force_login(alice)
    assert ">on vacation</span>" in client.get(game.get_absolute_url()).content.decode()


def test_others_see_a_planned_vacation_two_weeks_before(
    client: Client, table: Table, alice: User, bob: User, carol: User
) -> None:
    now, today = timezone.now(), timezone.localdate()
    for person, ahead in ((bob, 13), (carol, 20)):
        first = today + timedelta(days=ahead)
        plan_vacation(user=person, first=first, last=first + timedelta(days=2), now=now)
    slow, quick = table.game(alice, bob, carol, now=now), table.game(alice, bob, pace={"hours": 4}, now=now)
    client.force_login(alice)
    page = client.get(slow.get_absolute_url()).content.decode()
    assert page.count(">vacation ") == 1
    assert f">vacation {(today + timedelta(days=13)).day} " in page
    assert "on up to 28 days of vacation a year" in page
    page = client.get(quick.get_absolute_url()).content.decode()
    assert ">vacation " not in page
    assert "days off and in their quiet hours</dd>" in page
