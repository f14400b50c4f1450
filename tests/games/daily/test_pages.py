"""Pages and API calls of the daily run."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO, StringIO
from urllib.parse import urlsplit

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from PIL import Image

from accounts import limits
from accounts.models import User
from games.daily.models import DailyResult, DailyRun
from games.daily.selectors import result_url
from games.daily.services import lay_program
from games.sharing.drawing import PICTURE_SIZE
from games.web.answers import DailyPrograms
from tests.games.api_client import ApiOf
from tests.games.daily.days import FAR, PAR, TODAY, saved_day
from tests.games.reader import ReaderOf
from tests.games.support import NOW

HERE = f"/daily/{TODAY}/"


def form(registers: list[int], turn: int = 1) -> dict[str, object]:
    return {"turn": turn, **{f"register_{number}": chip for number, chip in enumerate(registers, 1)}}


def test_a_stranger_plays_without_an_account(read: ReaderOf) -> None:
    saved_day()
    stranger = read(None)
    page = stranger.get("/daily/")
    assert "Inspect checkpoint 2 in as few phases as possible." in page
    assert "Par: 3 phases." in page
    assert page.actions == [HERE]
    after = stranger.post(HERE, **form(PAR))
    assert "3 phases: par!" in after
    assert "You are playing as a guest." in after
    result = DailyResult.objects.get()
    assert f"■■■■■ 3 phases (par: 3 phases) {result_url(result)}" in after.html
    assert result.user.is_guest
    assert "This one is for practice." in stranger.get(f"{HERE}?again=1")


@pytest.mark.django_db
def test_a_link_has_a_preview_with_the_task_and_the_board(client: Client) -> None:
    saved_day()
    saved_day(TODAY + timedelta(1))
    html = client.get("/daily/").content.decode()
    assert '<meta property="og:title" content="Daily run 325">' in html
    assert (
        '<meta property="og:description" content="Inspect checkpoint 2 in as few phases as possible.">'
        in html
    )
    assert f'<meta property="og:image" content="{settings.BASE_URL}{HERE}share.png">' in html
    answer = client.get(f"{HERE}share.png")
    assert answer.headers["Content-Type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == PICTURE_SIZE
    assert client.get(f"/daily/{TODAY + timedelta(1)}/share.png").status_code == 404


def test_a_faulty_program_keeps_its_chips(alice: User, read: ReaderOf) -> None:
    saved_day()
    page = read(alice).post(HERE, **form([PAR[1], *PAR[1:]]))
    assert page.status == 422
    assert "The chip in register 2 is used twice." in page
    assert page.chosen("register-3") == str(PAR[2])
    for turn in ("x", "0", "9" * 99):
        assert read(alice).post(HERE, **{**form(PAR), "turn": turn}).status == 409
    assert read(alice).post(HERE, **form(PAR, turn=2)).status == 409


def test_a_run_of_two_turns_shows_both_hands_and_films(alice: User, read: ReaderOf) -> None:
    saved_day(turns=2)
    reader = read(alice)
    assert "Your hand in turn 2" in reader.get("/daily/")
    page = reader.post(HERE, **form(FAR))
    assert "Turn 2 of 2" in page
    page = reader.post(HERE, **form(PAR, turn=2))
    assert page.html.count('"frames"') == 2
    assert "Place 1 of 1 today." in page


def test_the_solution_is_secret_until_the_day_is_over(alice: User, read: ReaderOf, api: ApiOf) -> None:
    saved_day()
    saved_day(TODAY - timedelta(1))
    saved_day(TODAY + timedelta(1))
    assert "Solution" not in read(None).get(HERE)
    assert "Solution" in read(None).get(f"/daily/{TODAY - timedelta(1)}/")
    for text in (str(TODAY + timedelta(1)), "2026-11-1", "20261121", "today", "0000-00-00"):
        assert read(None).get(f"/daily/{text}/").status == 404
        assert api().get(f"daily/{text}").status == 404
    assert "solution" not in api().get("daily").body
    assert api().get(f"daily/{TODAY - timedelta(1)}").body["solution"]


def test_a_run_over_midnight_goes_on_but_does_not_count(alice: User, bob: User, read: ReaderOf) -> None:
    midnight, second = NOW + timedelta(hours=12), timedelta(seconds=1)
    saved_day(turns=2)
    saved_day(TODAY + timedelta(1))
    reader, stranger = read(alice), read(None)
    for turn, program in enumerate((PAR, FAR), 1):
        shared = lay_program(user=bob, day=TODAY, turn_number=turn, registers=program, now=NOW)
    address = urlsplit(result_url(shared)).path
    with time_machine.travel(midnight - second, tick=False):
        assert reader.get("/daily/").actions == [HERE]
        reader.post(HERE, **form(PAR))
        assert "frames" not in stranger.get(address).html
        assert stranger.get(f"/daily/{TODAY + timedelta(1)}/").status == 404
    with time_machine.travel(midnight, tick=False):
        assert "so your run doesn’t count" in reader.get(HERE)
        page = reader.post(HERE, **form(FAR, turn=2))
        assert "3 phases: par!" in page
        assert "The day was already over when you finished your first try" in page
        assert "frames" in stranger.get(address).html
        assert reader.get("/daily/").actions == [f"/daily/{TODAY + timedelta(1)}/"]


def test_the_archive_lists_past_days_with_the_reader_s_results(alice: User, read: ReaderOf) -> None:
    saved_day(TODAY - timedelta(1))
    saved_day()
    lay_program(user=alice, day=TODAY - timedelta(1), turn_number=1, registers=PAR, now=NOW)
    page = read(alice).get("/daily/archive/")
    assert f"/daily/{TODAY - timedelta(1)}/" in page.links
    assert HERE not in page.links
    assert "■■■■■ 3 phases (doesn’t count)" in page


def test_places_of_past_days_are_not_today_s(alice: User, read: ReaderOf) -> None:
    saved_day()
    lay_program(user=alice, day=TODAY, turn_number=1, registers=PAR, now=NOW)
    assert "Place 1 of 1 today." in read(alice).get(HERE)
    DailyRun.objects.create(date=TODAY - timedelta(1), document=DailyRun.objects.get().document)
    DailyResult.objects.update(run=TODAY - timedelta(1))
    assert "Place 1 of 1." in read(alice).get(f"/daily/{TODAY - timedelta(1)}/")


@pytest.mark.django_db
def test_the_page_says_if_today_s_run_is_not_there_yet(read: ReaderOf) -> None:
    page = read(None).get("/daily/")
    assert "Today’s run is being made." in page
    assert "No past days yet." in read(None).get("/daily/archive/")


def test_a_program_plays_by_the_api(alice: User, api: ApiOf) -> None:
    saved_day()
    assert api().get("daily").body["me"] is None
    answer = api(alice).post(f"daily/{TODAY}/turns/1", {"registers": PAR})
    assert answer.status == 200
    assert answer.body["me"] == {
        "programs": [["1@490", "U@10", "2@670", "R@80", "L@70"]],
        "turn": None,
        "tries": 1,
        "first_score": 3,
        "best_score": 3,
        "counts": True,
        "url": result_url(DailyResult.objects.get()),
    }
    assert answer.body["table"][0]["robo_name"] == "Alice"
    assert api(alice).post(f"daily/{TODAY}/turns/2", {"registers": PAR}).refusal == (409, "stale-turn")
    assert api(alice).post(f"daily/{TODAY}/turns/1", {"registers": [840] * 5}).refusal == (422, "orders")
    assert api(alice).post(f"daily/{TODAY}/turns/1", {"registers": ["P"] * 5}).status == 400
    assert api().post(f"daily/{TODAY}/turns/1", {"registers": PAR}).status == 401


def test_programs_are_limited_by_day(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    saved_day()
    client = Client()
    client.force_login(alice)
    monkeypatch.setattr("games.daily.pages.limits.consume_request", lambda limit, request: 60)
    answer = client.post(HERE, {"turn": 1})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert not DailyResult.objects.exists()


@pytest.mark.django_db
def test_guests_of_one_address_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    saved_day()
    limit = replace(limits.DAILY_PROGRAMS, name="test-programs", guests=2)
    monkeypatch.setattr(limits, "DAILY_PROGRAMS", limit)
    monkeypatch.setattr(DailyPrograms, "limit", limit)
    first, second, elsewhere = Client(), Client(), Client(REMOTE_ADDR="198.51.100.9")
    assert first.post(HERE, {"turn": 1}).status_code == 422
    assert second.post(HERE, {"turn": 1}).status_code == 422
    for guest in (first, second):
        assert guest.post(HERE, {"turn": 1}).status_code == 429
        there = f"/api/v1/daily/{TODAY}/turns/1"
        answer = guest.post(there, {"registers": PAR}, content_type="application/json")
        assert answer.status_code == 429
    assert elsewhere.post(HERE, {"turn": 1}).status_code == 422


@pytest.mark.django_db
def test_a_command_makes_days_ahead() -> None:
    said = StringIO()
    call_command("daily", days=1, stdout=said)
    assert said.getvalue() == "Daily runs made: 1 of 1 days, from 2026-11-21.\n"
    assert DailyRun.objects.get().date == TODAY
    for wrong in ({"days": 0}, {"days": 1000}, {"year": 1900}):
        with pytest.raises(CommandError):
            call_command("daily", **wrong)
