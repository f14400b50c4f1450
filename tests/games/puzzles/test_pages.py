"""Pages and API calls of puzzles."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from games.puzzles.models import Puzzle, PuzzleTry
from tests.games.api_client import ApiOf
from tests.games.puzzles.saved import position, right, saved_puzzle, saved_ship, wrong
from tests.games.reader import ReaderOf


def form(registers: list[int]) -> dict[str, object]:
    return {f"register_{number}": chip for number, chip in enumerate(registers, 1)}


def test_a_stranger_tries_a_puzzle_without_an_account(read: ReaderOf) -> None:
    puzzle = saved_puzzle()
    here = f"/puzzles/{puzzle.pk}/"
    stranger = read(None)
    page = stranger.get("/puzzles/")
    assert "Find the best program for robot A" in page
    assert page.actions == [here]
    assert "Rating of the puzzle" not in page
    after = stranger.post(here, **form(right()))
    assert "Solved!" in after
    assert "You are playing as a guest, without a rating." in after
    assert PuzzleTry.objects.get().user.is_guest
    assert "No more puzzles right now." in stranger.get("/puzzles/")
    assert "This one is for practice." in stranger.get(f"{here}?again=1")


def test_a_wrong_try_shows_the_solution_and_its_film(alice: User, read: ReaderOf) -> None:
    puzzle = saved_puzzle()
    here = f"/puzzles/{puzzle.pk}/"
    reader = read(alice)
    page = reader.post(here, **form(wrong()))
    assert "There is a better program" in page
    assert "Change of your rating: -" in page
    assert f"{round(100 * position().best.shown)} %" in page
    assert "0 % of 1 player solved it at the first try." in page
    assert f"{here}?solution=1#film" in page.links
    assert "The solution in words" in reader.get(f"{here}?solution=1")
    assert "Your first try was wrong." in reader.post(here, **form(right()))


def test_a_faulty_program_keeps_its_chips(alice: User, read: ReaderOf) -> None:
    here = f"/puzzles/{saved_puzzle().pk}/"
    page = read(alice).post(here, **form([right()[1], *right()[1:]]))
    assert page.status == 422
    assert "The chip in register 2 is used twice." in page
    assert page.chosen("register-3") == str(right()[2])
    assert read(alice).get("/puzzles/999/").status == 404


def test_only_the_player_sees_their_history(alice: User, bob: User, read: ReaderOf) -> None:
    puzzle = saved_puzzle()
    assert "You haven’t tried any puzzles yet." in read(alice).get("/puzzles/history/")
    read(alice).post(f"/puzzles/{puzzle.pk}/", **form(right()))
    page = read(alice).get("/puzzles/history/")
    assert "1 of 1 rated puzzle solved at the first try." in page
    assert f"/puzzles/{puzzle.pk}/" in page.links
    assert "You haven’t tried any puzzles yet." in read(bob).get("/puzzles/history/")
    assert Client().get("/puzzles/history/").status_code == 302


def test_the_solution_is_secret_until_the_first_try(alice: User, api: ApiOf) -> None:
    puzzle = saved_puzzle()
    for answer in (api().get("puzzles/next"), api(alice).get(f"puzzles/{puzzle.pk}")):
        assert answer.status == 200
        assert answer.body["me"] is None
        assert not {"solution", "best", "next_best", "rating"} & answer.body.keys()
    answer = api(alice).post(f"puzzles/{puzzle.pk}/tries", {"registers": right()})
    assert answer.status == 200
    assert answer.body["me"]["solved"]
    assert answer.body["solution"] == [str(chip) for chip in position().solution]
    assert api(alice).get("puzzles/rating").body["solved"] == 1
    assert api(alice).get("puzzles/next").refusal == (404, "no-puzzle")
    assert api(alice).get("puzzles/999").refusal == (404, "no-puzzle")
    assert api(alice).post(f"puzzles/{puzzle.pk}/tries", {"registers": [840] * 5}).refusal == (422, "orders")
    assert api().post(f"puzzles/{puzzle.pk}/tries", {"registers": right()}).status == 401


def test_tries_are_limited_by_day(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(alice)
    monkeypatch.setattr("games.puzzles.pages.limits.consume_request", lambda limit, request: 60)
    answer = client.post(f"/puzzles/{saved_puzzle().pk}/", {})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert not PuzzleTry.objects.exists()


@pytest.mark.django_db
def test_a_command_simulates_games() -> None:
    with pytest.raises(CommandError, match="no starship"):
        call_command("puzzles", simulate=1)
    saved_ship()
    said = StringIO()
    call_command("puzzles", simulate=1, seed="test", stdout=said)
    assert said.getvalue().startswith("Puzzles from this seed: at least 1.")
    assert Puzzle.objects.exists()
    for wrong_call in ({"simulate": 0}, {"simulate": 10**6}, {"simulate": 1, "seed": "a/b"}):
        with pytest.raises(CommandError):
            call_command("puzzles", **wrong_call)
