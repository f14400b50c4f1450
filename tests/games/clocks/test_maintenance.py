"""During maintenance, players see a page with its end, and all clocks stop."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.clocks import maintenance
from games.clocks.maintenance import end_maintenance, in_maintenance, maintenance_at, start_maintenance
from games.clocks.models import Maintenance, Outage
from games.errors import Conflict, Invalid
from games.play.models import Game
from games.play.resolution import keep_deadline
from games.work import sweeper
from roborunner.cache import Memo
from tests.games.admin_pages import listing, permit
from tests.games.api_client import ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import code_of, hand_of, later, open_turn, sweep

HOUR = timedelta(hours=1)


def test_clocks_stop_until_the_end_and_no_turn_is_missed(duel: Game, alice: User) -> None:
    sweep(later(hours=23))
    start_maintenance(until=later(hours=26), now=later(hours=23))
    for hour in (23, 24, 25):
        for minute in range(0, 60, 4):
            assert sweeper.sweep(now=later(hours=hour, minutes=minute)).turns == 0
    keep_deadline(turn_id=open_turn(duel).pk, now=later(hours=25, minutes=59))
    assert open_turn(duel).number == 0, "a message to a worker plays no turn either"
    assert sweeper.sweep(now=later(hours=26)).turns == 0
    assert hand_of(duel, alice).deadline == open_turn(duel).deadline == later(hours=27)
    outage = Outage.objects.get()
    assert (outage.began_at, outage.ended_at) == (later(hours=23), later(hours=26))
    assert sweeper.sweep(now=later(hours=27)).turns == 0 or open_turn(duel)


def test_an_end_before_the_announced_one_gives_back_only_that_time(duel: Game, alice: User) -> None:
    sweep(later(hours=1))
    start_maintenance(until=later(hours=5), now=later(hours=1))
    assert end_maintenance(now=later(hours=2)) and not end_maintenance(now=later(hours=2))
    sweep(later(hours=2))
    assert hand_of(duel, alice).deadline == later(hours=25)


def test_workers_that_were_stopped_meanwhile_count_the_time_once(duel: Game, alice: User) -> None:
    sweep(later(hours=1))
    start_maintenance(until=later(hours=3), now=later(hours=1, minutes=1))
    sweeper.sweep(now=later(hours=4))
    assert hand_of(duel, alice).deadline == later(hours=27)


def test_a_maintenance_can_be_planned_changed_and_cancelled(db: None) -> None:
    start_maintenance(began_at=later(hours=5), until=later(hours=6), now=later())
    assert not in_maintenance(later(hours=4)) and in_maintenance(later(hours=5.5))
    start_maintenance(began_at=later(hours=5), until=later(hours=7), now=later(hours=1))
    assert Maintenance.objects.get().until == later(hours=7)
    overlapping = {"until": later(hours=6), "now": later(hours=4)}
    assert code_of(Conflict, start_maintenance, **overlapping) == "overlaps"
    end_maintenance(now=later(hours=4))
    assert not Maintenance.objects.exists()


def test_the_end_of_time_is_refused(db: None) -> None:
    end = datetime.max.replace(tzinfo=UTC)
    times = {"began_at": end - HOUR, "until": end, "now": later()}
    assert code_of(Invalid, start_maintenance, **times) == "no-maintenance"


@pytest.mark.parametrize("hours", [-1, 0, 73])
def test_an_impossible_end_is_refused(hours: int, db: None) -> None:
    assert code_of(Invalid, start_maintenance, until=later(hours=hours), now=later()) == "no-maintenance"


def test_players_see_the_end_and_programs_get_an_error(alice: User, read: ReaderOf, api: ApiOf) -> None:
    alice.language = "en"
    start_maintenance(until=timezone.now() + HOUR, now=timezone.now())
    page = read(alice).client.get("/games/")
    assert page.status_code == 503 and 3590 <= int(page["Retry-After"]) <= 3600
    assert "Back by" in page.content.decode() and "All clocks are stopped" in page.content.decode()
    answer = Client().get("/api/v1/games")
    assert (answer.status_code, answer.json()["error"]) == (503, "maintenance")
    assert Client().post("/accounts/signup/").status_code == 503


def test_staff_may_enter_and_are_reminded(staff: Client) -> None:
    start_maintenance(until=timezone.now() + HOUR, now=timezone.now())
    entrances = ["login", "provider_login", "provider_callback"]
    for address in ("/accounts/login/", *(reverse(f"account_{name}") for name in entrances)):
        assert Client().get(address).status_code != 503, address
    page = staff.get("/games/")
    assert page.status_code == 200 and "Only staff see the site." in page.content.decode()


def test_probes_say_maintenance_and_stay_green(db: None) -> None:
    start_maintenance(until=timezone.now() + HOUR, now=timezone.now())
    assert Client().get("/healthz").status_code == 200
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "maintenance")
    assert "worker" in answer.json()["missing"], "it still says what is missing"


def test_a_process_remembers_maintenance_while_the_database_is_away() -> None:
    def read() -> tuple[int, ...]:
        if memo.kept:
            raise OperationalError
        return (7,)

    memo: Memo[tuple[int, ...]] = Memo(read, ())
    assert memo.value() == (7,)
    memo.forget()
    assert memo.value() == (7,)


def test_a_command_starts_and_ends_it(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("site", "maintenance", "on", "--until", "2h")
    assert maintenance_at(timezone.now() + HOUR)
    assert "Maintenance from" in capsys.readouterr().out
    call_command("site", "maintenance", "off")
    assert maintenance_at(timezone.now()) is None
    for wrong in ("soon", "2026-13-01T10:00"):
        with pytest.raises(CommandError, match="is no time"):
            call_command("site", "maintenance", "on", "--until", wrong)
    with pytest.raises(CommandError, match="must end in the future"):
        call_command("site", "maintenance", "on", "--until", "2020-01-01T10:00")


def test_staff_start_and_end_it_in_the_admin(staff: Client, erin: User) -> None:
    permit(erin)
    now = timezone.now()
    until = now + 2 * HOUR
    form = {
        "began_at_0": f"{now:%Y-%m-%d}",
        "began_at_1": f"{now:%H:%M:%S}",
        "until_0": f"{until:%Y-%m-%d}",
        "until_1": f"{until:%H:%M:%S}",
    }
    answer = staff.post(f"{listing(Maintenance)}add/", form)
    assert answer.status_code == 302, answer.content.decode()
    row = Maintenance.objects.get()
    assert maintenance_at(timezone.now())
    refused = staff.post(f"{listing(Maintenance)}{row.pk}/change/", form | {"until_0": "2020-01-01"})
    assert "must end in the future" in refused.content.decode()
    staff.post(listing(Maintenance), {"action": "end_now", "_selected_action": [row.pk]})
    assert maintenance_at(timezone.now()) is None and maintenance.COMING.kept is not None


def test_staff_change_a_planned_one_in_the_admin(staff: Client, erin: User) -> None:
    permit(erin)
    now = timezone.now()
    row = start_maintenance(began_at=now + 5 * HOUR, until=now + 6 * HOUR, now=now)
    change = f"{listing(Maintenance)}{row.pk}/change/"
    for hours, status in ((8, 302), (2, 200)):  # the second end is before the start
        until = now + hours * HOUR
        answer = staff.post(change, {"until_0": f"{until:%Y-%m-%d}", "until_1": f"{until:%H:%M:%S}"})
        assert answer.status_code == status, answer.content.decode()
    [row] = Maintenance.objects.all()
    assert timedelta(0) <= now + 8 * HOUR - row.until < timedelta(seconds=1)
    assert not in_maintenance(now)
