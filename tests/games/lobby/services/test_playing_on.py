"""Games that begin at positions: of finished games, of files, and set up by players."""

import json
from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.films.game_file import game_file
from games.lobby import positions
from games.lobby.seats import change_seat, join_game, start_game
from games.lobby.services import change_game, rematch
from games.people.services.deletion import delete_account
from games.play import lifecycle, stored
from games.play.heads import head_problems
from games.play.models import LEAVES_RECORDS, Game
from games.play.resolution import resolve_turn
from games.play.selectors import contenders
from games.play.services import locked_game
from games.standings.selectors.results import outcome_of
from tests.games.support import NOW, Table, later, open_turn
from tests.rules.test_position import small_position


@pytest.fixture
def over(table: Table, dealt: Game, alice: User, bob: User) -> Game:
    """A game of Alice and Bob that was conceded in turn 3."""
    table.play(dealt, alice, bob)
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    dealt.refresh_from_db()
    return dealt


def from_turn(game: Game, user: User, turn: int = 2, **more: Any) -> Game:
    beginning = positions.beginning_in_game(viewer=user, game_id=game.pk, turn=turn)
    return positions.play_on(user=user, beginning=beginning, now=later(days=1), **more)


def state_of(game: Game, number: int) -> dict[str, Any]:
    """Return the state at the start of a turn, without the number of the turn and the names."""
    state = stored.state_at_start(game.turns.get(number=number))
    robots = [{**robot, "name": ""} for robot in state["robots"]]
    return {**state, "turn": 0, "robots": robots}


def test_a_game_begins_with_the_robots_of_the_turn_and_new_hands(over: Game, dave: User) -> None:
    game = from_turn(over, dave, seat=2, strength="ace")
    assert (game.status, game.turn, game.private) == (Game.Status.RUNNING, 1, True)
    assert game.name == "First flight, from turn 2"
    assert [(seat.number, seat.computer) for seat in game.players.all()] == [(1, "ace"), (2, "")]
    assert state_of(game, 1) == state_of(over, 2)
    before = {hand.robot: hand.chips for hand in stored.turn_record(over.turns.get(number=2)).hands}
    assert {hand.robot: hand.chips for hand in open_turn(game).hands.all()} != before
    assert (game.origin, game.origin_turn) == (over, 2)
    assert open_turn(game).deadline is None


def test_its_file_is_proved_and_its_heads_fit(table: Table, over: Game, alice: User, bob: User) -> None:
    game = from_turn(over, alice, opponents="friends")
    join_game(user=bob, game_id=game.pk, link=game.link_token, now=later(days=1))
    game.refresh_from_db()
    table.play(game, alice, bob)
    lifecycle.concede(game=locked_game(game.pk), winner="Alice", now=later(days=2))
    game.refresh_from_db()
    assert list(head_problems(game)) == []
    document = json.loads(json.dumps(game_file(game=game), default=str))
    assert rules.verify(rules.read_game_file(document)) == []
    again = from_turn(game, bob, turn=1)
    assert state_of(again, 1) == state_of(game, 1)


def test_it_changes_no_ratings_and_leaves_no_records(over: Game, alice: User) -> None:
    game = from_turn(over, alice)
    lifecycle.concede(game=locked_game(game.pk), winner="Alice", now=later(days=2))
    game.refresh_from_db()
    assert not game.leaves_records
    assert game not in Game.objects.filter(LEAVES_RECORDS)
    assert outcome_of(game) is None


def test_a_second_click_returns_the_first_game(over: Game, alice: User) -> None:
    assert from_turn(over, alice) == from_turn(over, alice)
    assert from_turn(over, alice, seat=2) != from_turn(over, alice)


def test_another_board_rules_level_or_source_is_another_request(over: Game, alice: User) -> None:
    def play(strength: str = "pilot", **changes: Any) -> Game:
        beginning = positions.beginning_in(document=small_position() | changes)
        return positions.play_on(user=alice, beginning=beginning, strength=strength, now=NOW)

    first = play()
    assert play() == first
    board = small_position()["starship"]
    rows = [board["rows"][0].replace("*2", ""), *board["rows"][1:]]
    others = [play(strength="ace"), play(options={"lives": 5}), play(starship={**board, "rows": rows})]
    assert len({game.pk for game in (first, *others)}) == 4


def test_robots_that_are_out_at_the_start_cannot_win(alice: User) -> None:
    document = small_position()
    document["robots"] += [{"at": None, "out": True}]
    beginning = positions.beginning_in(document=document)
    game = positions.play_on(user=alice, beginning=beginning, now=NOW)
    assert [seat.out for seat in game.players.order_by("number")] == [False, False, True]
    assert [seat.number for seat in contenders(Game.objects.get(pk=game.pk))] == [1, 2]


def test_friends_join_by_the_link_and_settings_and_squads_stay(over: Game, alice: User, carol: User) -> None:
    game = from_turn(over, alice, seat=2, opponents="friends")
    assert game.status == Game.Status.OPEN
    for change in (
        lambda: change_game(user=alice, game_id=game.pk, changes={"seats": 4}, now=NOW),
        lambda: change_seat(user=alice, game_id=game.pk, model="peach", now=NOW),
        lambda: start_game(user=alice, game_id=game.pk, now=NOW),
    ):
        with pytest.raises(Conflict):
            change()
    join_game(user=carol, game_id=game.pk, link=game.link_token, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.turn) == (Game.Status.RUNNING, 1)
    assert [seat.robo_name for seat in game.players.all()] == ["Carol", "Alice"]


def test_only_a_finished_game_that_the_person_may_see_has_positions(
    table: Table, dealt: Game, alice: User, bob: User, dave: User
) -> None:
    with pytest.raises(Conflict, match="once it is over"):
        from_turn(dealt, alice)
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    for turn, error in ((0, Conflict), (9, NotFound)):
        with pytest.raises(error):
            from_turn(dealt, alice, turn=turn)
    Game.objects.filter(pk=dealt.pk).update(private=True)
    with pytest.raises(NotFound):
        from_turn(dealt, dave, turn=1)
    assert from_turn(dealt, alice, turn=1)


def test_a_game_goes_on_if_its_source_or_a_player_there_is_deleted(over: Game, bob: User, dave: User) -> None:
    delete_account(user=bob, now=NOW)
    game = from_turn(over, dave)
    assert "Bob" not in [seat.robo_name for seat in game.players.all()]
    over.delete()
    game.refresh_from_db()
    assert (game.origin, game.origin_turn) == (None, 2)
    assert game.position["robots"]


def test_a_ship_that_was_taken_down_has_no_new_games(over: Game, alice: User) -> None:
    ship = over.revision.starship
    ship.taken_down_at = NOW
    ship.save()
    with pytest.raises(Conflict, match="took"):
        from_turn(over, alice)


def test_impossible_choices_are_refused(over: Game, alice: User) -> None:
    for choice in ({"seat": 3}, {"opponents": "dogs"}, {"strength": "weak"}):
        with pytest.raises(Invalid) as refused:
            from_turn(over, alice, **choice)
        assert [problem["code"] for problem in refused.value.problems] == [*choice]


def test_a_file_begins_at_its_last_turn_or_at_any(over: Game, carol: User) -> None:
    document = json.loads(json.dumps(game_file(game=over), default=str))
    for turn, expected in ((None, 2), (1, 1)):
        beginning = positions.beginning_in(document=document, turn=turn)
        game = positions.play_on(user=carol, beginning=beginning, now=later(days=1))
        assert state_of(game, 1) == state_of(over, expected)
        assert (game.origin, game.revision, game.board_name) == (None, None, over.board_name)
        assert not game.is_test_flight


def _spoil(document: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {**document, **changes}


def test_wrong_files_are_refused_with_a_sentence(over: Game) -> None:
    document = json.loads(json.dumps(game_file(game=over), default=str))
    first, second, third = document["turns"]
    stranger = {**second, "events": [{"type": "real", "phase": 1, "step": "x", "robot": "Mallory"}]}
    aside = [{"number": number, "chips": []} for number in range(1, 5002)]
    redrawn = {**second, "hands": [{**second["hands"][0], "aside": aside, "redealt": 5001}]}
    for spoilt, reason in (
        ([], "is expected"),
        (_spoil(document, turns=[first, redrawn, third]), "more than 5000 redrawn hands"),
        ({"format": "scenario/1"}, "is expected"),
        (_spoil(document, ruleset="chess"), "no ruleset"),
        (_spoil(document, turns=[first, *[second] * 500]), "more than 500 turns"),
        (_spoil(document, turns=[]), "You can play on from these turns of this file: –."),
        (_spoil(document, turns=[first, stranger, third]), "cannot be read"),
        (_spoil(document, turns=[first, second, {**third, "turn": 7}]), "contradict"),
    ):
        with pytest.raises(Invalid) as refused:
            positions.beginning_in(document=spoilt)
        assert reason in refused.value.detail
    with pytest.raises(Invalid, match="1–2"):
        positions.beginning_in(document=document, turn=7)


def test_a_position_that_a_player_wrote_is_played(alice: User) -> None:
    beginning = positions.beginning_in(document=small_position())
    game = positions.play_on(user=alice, beginning=beginning, seat=2, now=NOW)
    assert (game.status, game.name, game.board_name) == (Game.Status.RUNNING, "Small", "Small")
    with pytest.raises(Invalid, match="would fall"):
        positions.beginning_in(document=_spoil(small_position(), robots=[{"at": [2, 1]}]))


def test_a_board_that_cannot_be_saved_is_refused(over: Game) -> None:
    document = json.loads(json.dumps(game_file(game=over), default=str))
    rows = [" ".join(["a", *[".+wE+l1E"] * 60])] * 10
    for whole in (document, small_position()):
        for change, reason in (
            ({"rows": rows}, "600 lasers"),
            ({"name": "Nil\0"}, "“name”"),
            ({"name": "abc\u202ecba"}, "“name”"),
        ):
            with pytest.raises(Invalid, match=reason):
                positions.beginning_in(document={**whole, "starship": {**whole["starship"], **change}})


def test_a_board_with_a_blank_name_gets_one(alice: User) -> None:
    position = small_position()
    position["starship"]["name"] = "  "
    game = positions.play_on(user=alice, beginning=positions.beginning_in(document=position), now=NOW)
    assert game.name == game.board_name == "A position"


def test_the_name_of_a_private_source_is_not_shown_to_other_players(over: Game, alice: User) -> None:
    Game.objects.filter(pk=over.pk).update(private=True)
    assert from_turn(over, alice).name == f"{over.board_name}, from turn 2"


def test_guests_play_against_computers_only(over: Game) -> None:
    guest = User.objects.create_user("Guest-1", "", None, is_guest=True)
    assert from_turn(over, guest, admits_guests=True).status == Game.Status.RUNNING
    for more in ({}, {"admits_guests": True, "opponents": "friends"}):
        with pytest.raises(Forbidden):
            from_turn(over, guest, **more)


def test_a_game_that_was_played_on_has_no_rematch(over: Game, alice: User) -> None:
    game = from_turn(over, alice)
    lifecycle.concede(game=locked_game(game.pk), winner="Alice", now=NOW)
    with pytest.raises(Conflict, match="no rematch"):
        rematch(user=alice, game_id=game.pk, now=NOW)


def test_an_old_version_of_a_ruleset_plays_on_with_that_version(over: Game, alice: User) -> None:
    Game.objects.filter(pk=over.pk).update(version=1)
    game = from_turn(over, alice)
    assert game.version == 1
    assert resolve_turn(turn_id=open_turn(game).pk, now=NOW) in (True, False)
