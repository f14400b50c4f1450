"""Alarms in the admin: on the first page, in a list, and with actions."""

import pytest
from django.test import Client

from accounts.models import User
from games.play.models import Game, Hand, Turn
from games.work import sweeper
from games.work.jobs import Job, run
from games.work.models import Alarm
from tests.games.admin_pages import address, listing
from tests.games.support import NOW, Table, later, sweep

LATE = later(hours=24, minutes=5)


@pytest.fixture
def alarm(duel: Game) -> Alarm:
    """The alarm about the duel's open turn, which failed too often."""
    Turn.objects.filter(game=duel).update(attempts=5, error="It never works.")
    sweeper.sweep(now=LATE)
    return Alarm.objects.get()


def test_staff_see_them_on_the_first_page(staff: Client, alarm: Alarm) -> None:
    page = staff.get("/admin/").content.decode()
    assert "1 open alarm. See what stopped and why." in page
    assert f"{listing(Alarm)}?state=open" in page


def test_the_first_page_is_quiet_without_alarms(staff: Client, alarm: Alarm) -> None:
    Alarm.objects.update(closed_at=LATE)
    assert "open alarm" not in staff.get("/admin/").content.decode()


def test_only_staff_with_the_right_see_alarms(client: Client, grace: User, alarm: Alarm) -> None:
    client.force_login(grace)
    assert "open alarm" not in client.get("/admin/").content.decode()
    assert client.get(listing(Alarm)).status_code == 403


def test_the_list_shows_the_problems(staff: Client, alarm: Alarm) -> None:
    page = staff.get(listing(Alarm), {"state": "open"})
    assert page.context["cl"].result_count == 1
    assert "It never works." in page.content.decode()
    assert "First flight" in page.content.decode()
    assert staff.get(listing(Alarm), {"state": "closed"}).context["cl"].result_count == 0
    assert staff.get(listing(Alarm), {"q": "never works"}).context["cl"].result_count == 1


def test_an_alarm_has_a_page_without_secrets(staff: Client, alarm: Alarm, duel: Game) -> None:
    page = staff.get(address(alarm)).content.decode()
    assert "It never works." in page
    assert duel.seed not in page.replace("First flight", "")
    assert duel.link_token not in page


def test_alarms_cannot_be_edited(staff: Client, alarm: Alarm) -> None:
    assert staff.post(address(alarm), {"closed_at_0": "2026-11-21"}).status_code == 403
    assert staff.get(f"{listing(Alarm)}add/").status_code == 403


def test_the_list_takes_a_fixed_number_of_queries(
    staff: Client,
    alarm: Alarm,
    table: Table,
    alice: User,
    carol: User,
    django_assert_max_num_queries: object,
) -> None:
    with django_assert_max_num_queries(10) as few:  # type: ignore[operator]
        staff.get(listing(Alarm))
    for _ in range(3):
        table.game(alice, carol)
    sweeper.sweep(now=LATE)
    assert Alarm.objects.count() == 4
    with django_assert_max_num_queries(len(few)):  # type: ignore[operator]
        staff.get(listing(Alarm))


def test_a_row_that_was_set_aside_is_shown_with_its_reason_and_can_be_retried(
    staff: Client, duel: Game, bob: User
) -> None:
    hand = duel.turns.get().hands.get(seat__user=bob)
    Hand.objects.filter(pk=hand.pk).update(calendar={"format": "calendar/1"}, remind_at=later(hours=1))
    sweep(later(hours=20))
    alarm = Alarm.objects.get(row=hand.pk)
    page = staff.get(listing(Alarm), {"state": "open", "about": "row"}).content.decode()
    assert f"hand {hand.pk} (job “reminders”)" in page
    assert address(duel) in page
    assert "KeyError: &#x27;night&#x27;" in page
    alone = staff.get(address(alarm)).content.decode()
    assert 'value="try_again"' in alone
    assert 'value="resolve_again"' not in alone
    done = staff.post(listing(Alarm), {"action": "try_again", "_selected_action": [alarm.pk]}, follow=True)
    assert "Will be tried again" in done.content.decode()
    alarm.refresh_from_db()
    assert alarm.retry_at == NOW
    sweep(later(hours=20, seconds=1))
    alarm.refresh_from_db()
    assert alarm.attempts == 2


def test_a_failed_job_is_shown_and_cannot_be_retried_manually(staff: Client, db: None) -> None:
    def fails(*, now: object) -> int:
        raise RuntimeError("It is broken.")

    run([Job("guests", fails)], now=NOW)
    alarm = Alarm.objects.get()
    page = staff.get(listing(Alarm), {"state": "open", "about": "job"}).content.decode()
    assert "the job “guests”" in page
    assert "RuntimeError: It is broken." in page
    done = staff.post(listing(Alarm), {"action": "try_again", "_selected_action": [alarm.pk]}, follow=True)
    assert "This alarm is not about a row that was set aside." in done.content.decode()
