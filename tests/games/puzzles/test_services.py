"""Trying puzzles: ratings, the next puzzle, guests, personal data, and mining."""

import re

import pytest

import rules
from accounts import guests
from accounts.models import User
from games.analysis.models import Analysis
from games.errors import Invalid, Malformed, NotFound
from games.people.selectors.personal_data import PARTS
from games.people.services.deletion import adopt_guest, delete_account, forget_guests
from games.play.models import Game
from games.play.stored import PlayedHand, PlayedProgram
from games.puzzles import mining, services
from games.puzzles.mining import PUZZLES_JOB, mine, mine_ended_game, offer_ended_games, simulate
from games.puzzles.models import Puzzle, PuzzleRating, PuzzleTry
from games.puzzles.selectors import next_puzzle, tries_of
from games.puzzles.services import try_puzzle
from games.shipyard import flying
from games.standings.ratings import MU, points
from games.work import enqueue, jobs
from games.work.models import Alarm
from roborunner.postgres.connections import KEEPALIVE_OPTIONS
from tests.games.analysis.analyses import asked
from tests.games.puzzles.saved import position, right, saved_puzzle, saved_ship, wrong
from tests.games.support import NOW, Table, code_of, later, rekeep

ROBOT = 1


def attempt(user: User, puzzle: Puzzle, registers: object, *, hours: float = 0) -> PuzzleTry:
    return try_puzzle(user=user, puzzle_id=puzzle.pk, registers=registers, now=later(hours=hours))


def test_the_first_try_rates_the_player_and_the_puzzle(alice: User) -> None:
    puzzle = saved_puzzle()
    before = puzzle.mu
    first = attempt(alice, puzzle, wrong())
    puzzle.refresh_from_db()
    rating = PuzzleRating.objects.get(user=alice)
    assert not first.solved
    assert rating.mu < MU
    assert first.change == points(rating.mu) - points(MU)
    assert puzzle.mu > before
    assert (puzzle.tries, puzzle.solved, rating.tries, rating.solved) == (1, 0, 1, 0)
    again = attempt(alice, puzzle, right(), hours=1)
    puzzle.refresh_from_db()
    assert (again.solved, again.program, puzzle.tries) == (False, first.program, 1)
    assert again.last_program == [str(chip) for chip in position().solution]


def test_a_right_first_try_raises_the_player(alice: User) -> None:
    puzzle = saved_puzzle()
    first = attempt(alice, puzzle, right())
    assert first.solved
    assert first.change
    assert first.change > 0
    assert attempt(alice, puzzle, right()).pk == first.pk


@pytest.mark.parametrize("is_guest", [False, True])
def test_a_puzzle_that_is_deleted_meanwhile_is_not_found(
    alice: User, is_guest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, program = saved_puzzle(), right()

    def delete_first(people: object) -> None:
        Puzzle.objects.all().delete()

    monkeypatch.setattr(services, "lock_people", delete_first)
    user = guests.make_guest() if is_guest else alice
    assert code_of(NotFound, attempt, user, puzzle, program) == "no-puzzle"


def test_guests_do_not_count(db: None) -> None:
    puzzle = saved_puzzle()
    found = attempt(guests.make_guest(), puzzle, right())
    puzzle.refresh_from_db()
    assert (found.solved, found.change, puzzle.tries) == (True, None, 0)
    assert not PuzzleRating.objects.exists()


@pytest.mark.parametrize(
    ("registers", "error", "code"),
    [
        ([None, *right()[1:]], Invalid, "orders"),
        ([right()[1], *right()[1:]], Invalid, "orders"),
        (right()[:4], Invalid, "orders"),
        ("12345", Malformed, "no-orders"),
        ([10**30] * 5, Invalid, "orders"),
    ],
)
def test_faulty_programs_are_refused(alice: User, registers: object, error: type[Invalid], code: str) -> None:
    assert code_of(error, attempt, alice, saved_puzzle(), registers) == code
    assert not PuzzleTry.objects.exists()


def test_the_next_puzzle_is_the_nearest_that_the_player_has_not_tried(alice: User) -> None:
    ship = saved_ship()
    puzzles = [saved_puzzle(ship, origin=f"simulated/test/{number}/1/1") for number in range(3)]
    for puzzle, mu in zip(puzzles, (20.0, 24.0, 27.0), strict=True):
        Puzzle.objects.filter(pk=puzzle.pk).update(mu=mu)
    assert next_puzzle(viewer=None) == puzzles[1]
    attempt(alice, puzzles[1], right())
    assert next_puzzle(viewer=alice) == puzzles[2]
    attempt(alice, puzzles[2], right())
    assert next_puzzle(viewer=alice) == puzzles[0]
    attempt(alice, puzzles[0], right())
    assert next_puzzle(viewer=alice) is None


def test_puzzles_on_a_ship_that_staff_took_down_are_hidden(alice: User) -> None:
    puzzle = saved_puzzle()
    attempt(alice, puzzle, right())
    ship = puzzle.revision.starship
    ship.taken_down_at = NOW
    ship.save()
    assert next_puzzle(viewer=None) is None
    assert code_of(NotFound, attempt, alice, puzzle, right()) == "no-puzzle"
    assert not tries_of(user=alice).exists()


def test_a_guest_s_tries_go_over_to_the_account_unrated(alice: User) -> None:
    ship = saved_ship()
    first, second = (saved_puzzle(ship, origin=f"simulated/test/{number}/1/1") for number in range(2))
    guest = guests.make_guest()
    attempt(guest, first, right())
    attempt(guest, second, right())
    attempt(alice, first, wrong())
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    found = dict(PuzzleTry.objects.filter(user=alice).values_list("puzzle", "solved"))
    assert found == {first.pk: False, second.pk: True}
    assert PuzzleTry.objects.get(puzzle=second).change is None


@pytest.mark.django_db
def test_guests_who_try_puzzles_are_kept() -> None:
    guest = guests.make_guest()
    User.objects.filter(pk=guest.pk).update(date_joined=later(days=-40))
    attempt(guest, saved_puzzle(), right())
    assert forget_guests(now=NOW) == 0
    assert forget_guests(now=later(days=31)) == 1
    assert not PuzzleTry.objects.exists()


def test_tries_and_ratings_are_in_the_file_of_personal_data_and_go_with_the_account(alice: User) -> None:
    attempt(alice, saved_puzzle(), right())
    (row,) = next(part for part in PARTS if part.key == "puzzle_tries").rows(alice)
    assert row["solved"]
    assert next(part for part in PARTS if part.key == "puzzle_rating").rows(alice)
    delete_account(user=alice, now=NOW)
    assert not PuzzleTry.objects.exists()
    assert not PuzzleRating.objects.exists()


# --- Mining -------------------------------------------------------------------------------------------------


def finished(alice: User, bob: User, **terms: object) -> Game:
    """Return a finished game whose turn 1 is the turn of the puzzle."""
    table = Table(saved_ship())
    game = table.game(alice, bob, **terms)
    table.play(game, alice, bob)
    table.play(game, alice, bob)
    puzzle = position()
    orders = {**puzzle.programs, puzzle.robot: rules.Orders(registers=puzzle.solution)}
    hands = [
        PlayedHand(
            robot=index + 1,
            chips={"chips": [chip.number for chip in puzzle.hand] if index == puzzle.robot else []},
            aside=None,
            redealt=None,
            face_down=False,
            program=PlayedProgram(orders=rules.write_orders(given), by="player", remark="", submitted_at=NOW),
        )
        for index, given in sorted(orders.items())
    ]
    start = rules.state_to_json(puzzle.setup.starship, puzzle.state)
    rekeep(game, start=start, hands=tuple(hands), events=())
    Game.objects.filter(pk=game.pk).update(status="over", ended_at=NOW)
    game.refresh_from_db()
    return game


def test_a_finished_public_game_is_searched_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished(alice, bob)
    asked: list[int] = []
    monkeypatch.setattr(enqueue, "mine_game", asked.append)
    monkeypatch.setattr(enqueue, "queue_length", lambda task: 0)
    jobs.note_ended(game.pk, [PUZZLES_JOB])
    assert (offer_ended_games(now=NOW), asked) == (1, [game.pk])
    with monkeypatch.context() as busy:
        busy.setattr(enqueue, "queue_length", lambda task: 1)
        assert offer_ended_games(now=NOW) == 0
    mine_ended_game(game_id=game.pk, now=NOW)
    puzzle = Puzzle.objects.get()
    assert puzzle.origin == f"game/{game.pk}/1/{position().robot + 1}"
    assert "Alice" not in str(puzzle.document)
    assert offer_ended_games(now=NOW) == 0
    mine_ended_game(game_id=game.pk, now=NOW)
    assert mine(game, now=NOW) == 0
    assert Puzzle.objects.count() == 1


def test_private_and_running_games_and_missions_are_never_searched(alice: User, bob: User) -> None:
    game = finished(alice, bob, private=True)
    assert mine(game, now=NOW) == 0
    game.private, game.status = False, Game.Status.RUNNING
    assert mine(game, now=NOW) == 0
    game.status, game.ruleset = Game.Status.OVER, "robo-arena"
    assert mine(game, now=NOW) == 0
    game.ruleset, game.house_rules = "robo-runner", {**game.house_rules, "robot_lasers": False}
    assert mine(game, now=NOW) == 0
    assert not Puzzle.objects.exists()


def test_a_review_leaves_out_turns_without_a_puzzle(alice: User, bob: User) -> None:
    game = finished(alice, bob)
    figures = [{"robot": position().robot + 1, "decision": -0.05}]
    assert mine(game, {"turns": [{"turn": 1, "figures": figures}]}, now=NOW) == 0
    assert mine(game, {"turns": []}, now=NOW) == 1


def test_a_game_waits_for_its_analysis_and_is_then_searched_with_it(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished(alice, bob)
    jobs.note_ended(game.pk, [PUZZLES_JOB])
    monkeypatch.setattr(enqueue, "mine_game", lambda game_id: None)
    monkeypatch.setattr(enqueue, "queue_length", lambda task: 0)
    analysis = asked(alice, game)
    assert offer_ended_games(now=NOW) == 0
    figures = [{"robot": position().robot + 1, "decision": -0.05}]
    review = {"format": "review/1", "turns": [{"turn": 1, "figures": figures}]}
    ended = {"status": "done", "asked_by": None, "finished_at": NOW, "reviewed": analysis.turns}
    Analysis.objects.filter(pk=analysis.pk).update(**ended, review=review)
    assert offer_ended_games(now=NOW) == 1
    mine_ended_game(game_id=game.pk, now=NOW)
    assert not Puzzle.objects.exists(), "the review shows that there is none"
    assert offer_ended_games(now=NOW) == 0


def test_a_game_that_cannot_be_searched_raises_an_alarm_and_is_tried_again(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished(alice, bob)
    jobs.note_ended(game.pk, [PUZZLES_JOB])
    game.turns.filter(number=1).update(record=b"nothing")
    mine_ended_game(game_id=game.pk, now=NOW)
    assert Alarm.objects.get(job=PUZZLES_JOB, closed_at=None).row == game.pk
    monkeypatch.setattr(enqueue, "mine_game", lambda game_id: None)
    monkeypatch.setattr(enqueue, "queue_length", lambda task: 0)
    assert offer_ended_games(now=NOW) == 0
    assert offer_ended_games(now=later(days=2)) == 1


def test_the_search_ends_before_the_database_ends_its_transaction(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = re.search(r"idle_in_transaction_session_timeout=(\d+)s", str(KEEPALIVE_OPTIONS))
    assert idle and mining.SEARCH_SECONDS + mining.LONGEST_TURN < int(idle[1]) < flying.TASK_TIME_LIMIT
    game = finished(alice, bob)
    jobs.note_ended(game.pk, [PUZZLES_JOB])
    with monkeypatch.context() as slow:
        slow.setattr(mining, "LONGEST_TURN", 0.001)
        assert mine(game, now=NOW) == 0, "the turn is left out"
    monkeypatch.setattr(mining, "SEARCH_SECONDS", -1.0)
    mine_ended_game(game_id=game.pk, now=NOW)
    assert not Puzzle.objects.exists()
    assert not jobs.ended_games(PUZZLES_JOB).exists(), "it is not searched again"


def test_a_simulation_continues_where_it_stopped(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ship = saved_ship()
    last = list(simulate(puzzles=1, seed="test", now=NOW))[-1]
    assert last.puzzles >= 1
    whole = list(Puzzle.objects.order_by("pk").values_list("origin", flat=True))
    assert whole[0].startswith("simulated/test/")
    assert list(simulate(puzzles=1, seed="test", now=NOW)) == []
    Puzzle.objects.all().delete()
    saved_puzzle(ship, origin=whole[0])
    more = list(simulate(puzzles=2, seed="test", now=NOW))
    assert more[-1].puzzles >= 2
    assert [each for each in Puzzle.objects.values_list("origin", flat=True) if each in whole]
    monkeypatch.setattr(mining, "suits", lambda ship: False)
    with pytest.raises(ValueError, match="no starship in the fleet"):
        list(simulate(puzzles=9, seed="test", now=NOW))
