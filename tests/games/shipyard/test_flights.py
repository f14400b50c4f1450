"""Test flights: games on a draft that count for no records."""

from functools import partial

import pytest

from accounts.models import User
from games.errors import Conflict, Invalid
from games.lobby.services import rematch
from games.news.models import Notice
from games.people.models import Achievement, Tally
from games.people.selectors.records import game_numbers
from games.people.services.records import recount
from games.play import stored
from games.play.game_view import game_view
from games.play.models import Game
from games.shipyard.selectors import draft_flown_in, flights_of, sketch_of
from games.shipyard.services import delete_draft, fly_draft, save_draft
from tests.games.shipyard.drawing import WRECK, document, drafted
from tests.games.support import LANE, NOW, Table


def flown_out(game: Game, user: User) -> Game:
    table = Table(LANE.saved())
    while game.status == Game.Status.RUNNING:
        table.play(game, user)
        game.refresh_from_db()
    return game


def test_a_draft_is_flown_solo_and_compiled_once(alice: User) -> None:
    draft = drafted(alice)
    game = fly_draft(user=alice, draft_id=draft.pk, now=NOW)
    assert (game.status, game.seats, game.private, game.ruleset) == ("running", 1, True, "robo-runner")
    assert [cell.token for cell in stored.ship_of(game).cells] == ["a", ".", ".", ".", ".", ".+i1"]
    assert (game.name, game.board_name, game.revision) == ("Test flight of Canoe", "Canoe", None)
    assert game.course and game.course.game_id == game.pk
    assert stored.ship_of(Game.objects.get(pk=game.pk)) is sketch_of(draft).ship


def test_a_draft_is_flown_against_computers_of_a_level(alice: User) -> None:
    game = fly_draft(user=alice, draft_id=drafted(alice).pk, computers=3, strength="pilot", now=NOW)
    assert game.status == Game.Status.RUNNING
    assert list(game.players.values_list("computer", flat=True)) == ["", "pilot", "pilot", "pilot"]


def test_a_flight_keeps_its_board_when_the_draft_changes_or_is_deleted(alice: User) -> None:
    draft = drafted(alice)
    game = fly_draft(user=alice, draft_id=draft.pk, now=NOW)
    before = stored.ship_of(game).cells
    save_draft(user=alice, draft_id=draft.pk, expected_version=1, document=document("a o .+i1"), now=NOW)
    delete_draft(user=alice, draft_id=draft.pk)
    assert stored.ship_of(Game.objects.get(pk=game.pk)).cells == before
    assert game_view(viewer=alice, game=Game.objects.get(pk=game.pk)).boards == []


def test_a_draft_has_one_running_flight(alice: User) -> None:
    draft = drafted(alice)
    first = fly_draft(user=alice, draft_id=draft.pk, computers=1, now=NOW)
    second = fly_draft(user=alice, draft_id=draft.pk, now=NOW)
    first.refresh_from_db()
    assert (first.status, first.ending) == (Game.Status.CANCELLED, Game.Ending.RESIGNED)
    assert second.status == Game.Status.RUNNING
    assert flights_of(draft=draft) == [second, first]


def test_a_flight_uses_the_draft_s_ruleset_or_the_first_suitable_one(alice: User) -> None:
    by = partial(fly_draft, user=alice, computers=1, now=NOW)
    assert by(draft_id=drafted(alice, ruleset="robo-arena").pk).ruleset == "robo-arena"
    assert by(draft_id=drafted(alice, "a1 a2 . .+i1").pk).ruleset in {"websocket", "group-11"}
    assert by(draft_id=drafted(alice).pk, ruleset="robo-arena").ruleset == "robo-arena"


def test_a_ship_with_errors_is_not_flown_and_all_errors_are_listed(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        fly_draft(user=alice, draft_id=drafted(alice, *WRECK).pk, now=NOW)
    assert refusal.value.code == "unfinished"
    codes = {problem["code"] for problem in refusal.value.problems}
    assert codes == {"unreadable", "no-rail", "row-length", "checkpoint-numbers"}
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"strength": "genius", "computers": 1}, "genius"),
        ({"ruleset": "nonsense"}, "There is no ruleset “nonsense”."),
        ({"ruleset": "robo-recon"}, "airlock for neither the red squad nor the blue squad"),
    ],
)
def test_impossible_flights_are_refused(alice: User, more: dict[str, object], reason: str) -> None:
    draft = drafted(alice)
    with pytest.raises(Invalid) as refusal:
        fly_draft(user=alice, draft_id=draft.pk, now=NOW, **more)  # type: ignore[arg-type]
    assert reason in " ".join([refusal.value.detail, *(each["detail"] for each in refusal.value.problems)])
    assert not Game.objects.exists()


def test_a_flight_leaves_no_records_sends_no_notifications_and_has_no_rematch(alice: User) -> None:
    draft = drafted(alice, "a . . . .+i1+wE")
    game = flown_out(fly_draft(user=alice, draft_id=draft.pk, now=NOW), alice)
    assert game.status == Game.Status.OVER
    assert not Tally.objects.exists() and not Achievement.objects.exists()
    assert not Notice.objects.exists()
    recounted = recount()
    assert (recounted.tallies, recounted.achievements, recounted.games) == (0, 0, 0)
    numbers = game_numbers(user=alice)
    assert (numbers["over"], numbers["won"], numbers["missions"]) == (0, 0, 0)
    assert game_view(viewer=alice, game=game).counts_as == "test"
    with pytest.raises(Conflict, match="Test flights have no rematch"):
        rematch(user=alice, game_id=game.pk, now=NOW)


def test_only_the_builder_finds_a_link_to_the_draft(alice: User, bob: User, table: Table) -> None:
    draft = drafted(alice)
    game = fly_draft(user=alice, draft_id=draft.pk, now=NOW)
    assert draft_flown_in(viewer=alice, game=game) == draft.pk
    assert draft_flown_in(viewer=bob, game=game) is None
    assert draft_flown_in(viewer=alice, game=table.game(alice)) is None
