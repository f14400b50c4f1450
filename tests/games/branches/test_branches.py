"""Branches: played turns with other orders, in finished and in running games."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import rules
from accounts import limits
from accounts.limits import Limit
from accounts.models import User
from games.branches import selectors, services
from games.branches.models import Branch
from games.branches.selectors import basis_of, branch_of, turns_of
from games.branches.services import change_branch, create_branch, delete_branch
from games.errors import Conflict, Invalid, Malformed, NotFound, TooMany
from games.films.selectors import past_turn
from games.play.models import Game, Turn
from games.play.stored import encode_record, turn_record
from games.staff.services import cancel_as_staff
from tests.games.api_client import ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, record_of, rekeep
from tests.games.together import Call, Interleaved, deleted, interleave_everywhere

Orders = dict[str, Any]


def make(user: User, game: Game, turn: int = 1, **changes: Any) -> Branch:
    return create_branch(
        user=user, game=game, turn=turn, now=NOW, **({"orders": {}, "headings": {}} | changes)
    )


def events_of(made: Branch, place: int = 0) -> list[Any]:
    return list(turns_of(made)[place].documents)


def real_events(game: Game, turn: int = 1) -> list[Any]:
    return [
        {key: value for key, value in event.items() if key not in ("seq", "turn")}
        for event in past_turn(game=game, number=turn)["events"]
    ]


def program(game: Game, seat: int = 1, turn: int = 1) -> Orders:
    return dict(past_turn(game=game, number=turn)["programs"][seat - 1]["orders"])


def hand_in(game: Game, seat: int = 1, turn: int = 1) -> list[int]:
    record = turn_record(game.turns.get(number=turn))
    return next(hand.chips["chips"] for hand in record.hands if hand.robot == seat)


def other_program(game: Game, seat: int = 1) -> Orders:
    """Return orders from the robot's hand that differ from the played ones."""
    orders = program(game, seat)
    rest = [chip for chip in hand_in(game, seat) if chip not in orders["registers"]]
    return orders | {"registers": [*rest[:4], orders["registers"][0]]}


def ended(game: Game, erin: User) -> Game:
    """Cancel a running game as staff. Its hands and its seed are public after that."""
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def running(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """A running game of Alice and Bob in turn 2."""
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    return Game.objects.get(pk=duel.pk)


@pytest.fixture
def finished(running: Game, erin: User) -> Game:
    """A game of Alice and Bob that ended after turn 1."""
    return ended(running, erin)


@pytest.mark.django_db(transaction=True)
def test_a_game_is_deleted_while_a_branch_is_created(table: Table, alice: User, bob: User) -> None:
    def prepare() -> tuple[Call, Call]:
        game = table.game(alice, bob)
        table.play(game, alice, bob)
        return partial(make, alice, game, 0), partial(deleted, game)

    def check(done: Interleaved) -> None:
        assert done.second is None
        assert isinstance(done.first, (Branch, NotFound)), done.first
        assert not Branch.objects.exists()

    assert interleave_everywhere(prepare, check, stride=2) > 6


# --- Finished games -----------------------------------------------------------------------------------------


def test_without_changes_a_branch_is_the_turn_that_was_played(finished: Game, dave: User) -> None:
    assert events_of(make(dave, finished)) == real_events(finished)


def test_a_changed_program_runs_while_the_others_keep_theirs(finished: Game, dave: User) -> None:
    orders = other_program(finished)
    made = make(dave, finished, orders={"1": orders})
    phases = [event["chips"] for event in events_of(made) if event["type"] == "phase"]
    assert next(chips["Alice"] for chips in phases).endswith(str(orders["registers"][0]))
    real = [event["chips"] for event in real_events(finished) if event["type"] == "phase"]
    assert [chips.get("Bob") for chips in phases] == [chips.get("Bob") for chips in real]


def test_a_changed_heading_counts_from_the_start_of_the_turn(finished: Game, dave: User) -> None:
    before = past_turn(game=finished, number=1)["view"]["robots"][0]["heading"]
    heading = "S" if before != "S" else "W"
    start = turns_of(make(dave, finished, headings={"1": heading}))[0].start
    assert rules.LETTERS[start.robots[0].heading or 0] == heading


def test_computers_play_on_and_always_the_same(finished: Game, dave: User) -> None:
    first, second = (make(dave, finished, computers=3) for _ in range(2))
    assert [replay.turn for replay in turns_of(first)] == [1, 2, 3, 4]
    assert [events_of(first, place) for place in range(4)] == [events_of(second, place) for place in range(4)]


def test_on_a_large_board_computers_do_not_play_on(
    finished: Game, dave: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(dave, finished)
    there = f"{finished.get_absolute_url()}branches/{made.token}/"
    assert "chance" in read(dave).get(there)
    monkeypatch.setattr(selectors, "MAX_CELLS", 63)
    assert "chance" not in read(dave).get(there)
    with pytest.raises(Conflict):
        make(dave, finished, computers=1)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"orders": {"3": {}}}, Malformed),
        ({"headings": {"9" * 50: "N"}}, Malformed),
        ({"orders": {"1": {"registers": "all"}}}, Malformed),
        ({"orders": {"1": {"registers": [10, 10, 10, 10, 10]}}}, Invalid),
        ({"orders": {"1": {"registers": [None] * 5}}}, Invalid),
        ({"orders": {"1": {"registers": [10**9] * 400}}}, Invalid),
    ],
)
def test_absurd_changes_get_the_errors_of_orders(
    finished: Game, dave: User, changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        make(dave, finished, **changes)
    assert not Branch.objects.exists()


def test_a_turn_that_was_not_played_has_no_branches(finished: Game, dave: User) -> None:
    for turn in (2, 99):
        with pytest.raises(NotFound):
            make(dave, finished, turn)


def test_a_branch_is_shared_by_its_address_and_changed_only_by_its_owner(
    finished: Game, dave: User, carol: User
) -> None:
    made = make(dave, finished, name="Left first")
    assert branch_of(viewer=carol, game=finished, token=made.token) == made
    for act in (change_branch, delete_branch):
        more = {"orders": {}, "headings": {}, "now": NOW} if act is change_branch else {}
        with pytest.raises(NotFound):
            act(user=carol, game=finished, token=made.token, **more)
    for token in ("", "nowhere", "%" * 900):
        with pytest.raises(NotFound):
            branch_of(viewer=dave, game=finished, token=token)
    delete_branch(user=dave, game=finished, token=made.token)
    assert not Branch.objects.exists()


def test_a_person_has_a_limited_number_of_branches(
    finished: Game, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "BRANCHES_PER_GAME", 1)
    make(dave, finished)
    with pytest.raises(Conflict):
        make(dave, finished)


def test_the_turns_of_branches_are_limited_by_day(
    finished: Game, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BRANCHES", Limit("branches", 4, 24 * 60 * 60))
    made = make(dave, finished, computers=2)
    again = {"user": dave, "game": finished, "token": made.token, "orders": {}, "headings": {}, "now": NOW}
    change_branch(**again)
    with pytest.raises(TooMany):
        change_branch(**again)


# --- Running games ------------------------------------------------------------------------------------------


def test_only_players_branch_a_running_game_and_only_they_see_it(
    running: Game, alice: User, bob: User, dave: User, erin: User
) -> None:
    with pytest.raises(Conflict):
        make(dave, running)
    made = make(alice, running)
    assert made.blind
    with pytest.raises(NotFound):
        branch_of(viewer=bob, game=running, token=made.token)
    assert branch_of(viewer=bob, game=ended(running, erin), token=made.token) == made


def test_a_player_changes_their_own_hand_and_only_the_played_chips_of_others(
    running: Game, alice: User
) -> None:
    make(alice, running, orders={"1": other_program(running, 1)})
    hidden = [chip for chip in hand_in(running, 2) if chip not in program(running, 2)["registers"]]
    guessed = program(running, 2) | {"registers": [hidden[0], *program(running, 2)["registers"][1:]]}
    with pytest.raises(Invalid):
        make(alice, running, orders={"2": guessed})
    swapped = program(running, 2)["registers"][::-1]
    make(alice, running, orders={"2": program(running, 2) | {"registers": swapped}})


def test_a_branch_of_a_running_game_is_the_same_in_two_worlds(
    running: Game, alice: User, api: ApiOf, read: ReaderOf
) -> None:
    """The worlds differ in the seed, in Bob's unplayed chips, and in where unused transporters lead."""

    def answers() -> tuple[Any, ...]:
        made = make(alice, running, computers=2, headings={"2": "N"})
        answer = api(alice).get(f"games/{running.pk}/branches/{made.token}").body
        page = read(alice).get(f"{running.get_absolute_url()}branches/{made.token}/")
        form = read(alice).get(f"{running.get_absolute_url()}turns/1/branch/")
        made.delete()
        answer.pop("changed_at")
        answer.pop("token")
        return answer["turns"], page.text, form.text

    first = answers()
    row = running.turns.get(number=1)
    record = turn_record(row)
    for hand in record.hands:
        if hand.robot == 2 and hand.program:
            played = hand.program.orders["registers"]
            unknown = [chip for chip in rules.CHIPS if chip not in hand.chips["chips"]]
            hand.chips["chips"] = [chip if chip in played else unknown.pop() for chip in hand.chips["chips"]]
    record.start["links"] = []
    Turn.objects.filter(pk=row.pk).update(record=encode_record(record))
    Game.objects.filter(pk=running.pk).update(seed="another seed")
    running.refresh_from_db()
    assert answers() == first


def test_a_person_who_took_a_seat_over_does_not_see_the_hand_before(
    running: Game, alice: User, bob: User
) -> None:
    seat = running.players.get(user=alice)
    seat.replacements.create(was=bob, became=alice, turn=2, at=NOW, reason="taken over")
    basis = basis_of(game=running, turn=1, viewer=alice)
    assert set(basis.played.hands[0]) == {rules.CHIPS[chip] for chip in program(running)["registers"] if chip}


def chips_known(game: Game, viewer: User) -> list[int]:
    """Return the chips that robot 1 has in the viewer's branches of turn 1."""
    return [chip.number for chip in basis_of(game=game, turn=1, viewer=viewer).played.hands[0]]


def test_a_hand_that_its_player_never_saw_stays_hidden(running: Game, alice: User) -> None:
    assert chips_known(running, alice) == hand_in(running)
    hands = tuple(replace(hand, face_down=hand.robot == 1) for hand in record_of(running).hands)
    rekeep(running, hands=hands)
    assert chips_known(running, alice) == program(running)["registers"]


def test_on_one_screen_no_branch_shows_a_hand(running: Game, alice: User) -> None:
    Game.objects.filter(pk=running.pk).update(at_screen=0)
    assert chips_known(Game.objects.get(pk=running.pk), alice) == program(running)["registers"]


# --- Pages and API ------------------------------------------------------------------------------------------


def test_a_branch_is_made_changed_and_deleted_by_forms(finished: Game, dave: User, read: ReaderOf) -> None:
    browser = read(dave)
    address = f"{finished.get_absolute_url()}turns/1/branch/"
    assert "What if?" in browser.get(f"{finished.get_absolute_url()}turns/1/")
    page = browser.get(address)
    assert "Register 1" in page
    wanted = other_program(finished)["registers"]
    fields = {f"1-register-{number}": str(chip) for number, chip in enumerate(wanted, 1)}
    browser.post(address, name="Left first", computers="1", **{"1-orders": "1", **fields})
    made = Branch.objects.get()
    assert made.document["orders"]["1"]["registers"] == wanted
    assert "2" not in made.document["orders"]
    there = f"{finished.get_absolute_url()}branches/{made.token}/"
    shown = browser.get(there)
    assert "Left first" in shown
    assert "In the game" in shown
    film = browser.get(f"{there}turns/2/film/")
    assert film.status == 200
    assert browser.get(f"{there}turns/7/film/").status == 404
    browser.post(there, name="Right first", computers="0")
    made.refresh_from_db()
    assert (made.name, made.document["orders"], made.more) == ("Right first", {}, 0)
    refused = browser.post(there, name="", computers="0", **{"1-orders": "1", **dict.fromkeys(fields, "10")})
    assert refused.status == 422
    browser.post(there, delete="1")
    assert not Branch.objects.exists()


def test_strangers_see_a_branch_without_its_form(finished: Game, dave: User, read: ReaderOf) -> None:
    made = make(dave, finished, name="Left first")
    there = f"{finished.get_absolute_url()}branches/{made.token}/"
    page = read(None).get(there)
    assert "Left first" in page
    assert "Delete branch" not in page
    assert read(None).get(f"{there}turns/1/film/").status == 200


def test_the_api_makes_lists_changes_and_deletes_branches(
    finished: Game, dave: User, carol: User, api: ApiOf
) -> None:
    root = f"games/{finished.pk}/branches"
    orders = other_program(finished)
    made = api(dave).post(root, {"turn": 1, "orders": {"1": orders}, "computers": 1})
    assert made.status == 201
    assert [turn["turn"] for turn in made.body["turns"]] == [1, 2]
    token = made.body["token"]
    assert [each["token"] for each in api(dave).get(root).body["branches"]] == [token]
    assert api(carol).get(root).body == {"branches": []}
    assert api(carol).get(f"{root}/{token}").body["mine"] is False
    assert api(carol).put(f"{root}/{token}", {"name": "Mine"}).status == 404
    changed = api(dave).put(f"{root}/{token}", {"name": "Other"})
    assert (changed.body["name"], changed.body["orders"]) == ("Other", {})
    assert api(dave).post(root, {"turn": 1, "orders": {"1": {"registers": [1, 2, 3, 4, 5]}}}).status == 422
    many = {str(seat): "?" for seat in range(5000)}
    refused = api(dave).post(root, {"turn": 1, "headings": many})
    assert refused.status == 400
    assert len(str(refused.body)) < 1000
    assert api(dave).delete(f"{root}/{token}").body == {"branches": []}
