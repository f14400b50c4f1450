"""The data export of a person is complete, and has no data of other people."""

import json
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO

import pytest
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Model

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer, replace_by_person
from games.chat.services import post_line
from games.lobby.invitations import decline_invitation, invite
from games.people.models import Tally
from games.people.selectors.personal_data import PARTS, PERSON, PERSON_WITHOUT, personal_data, write_data_file
from games.people.tokens import make_token
from games.play.models import Draft, Game, Hand, Program, Turn
from games.play.orders import save_draft
from games.play.services import locked_game
from tests.games.support import NOW, Table, hand_of, later, orders_for

LEFT_OUT = {
    "User_groups": "told as the names of the groups",
    "User_user_permissions": "staff's rights, which follow from their work",
    "Block": "their own are told; who has blocked a person is not told to them",
    "PlayerNote": "their own are told; what others have noted is for those others alone",
    "Appeal": "their own are told; which of others they answered as staff is those others' affair",
    "Sanction": "the same",
    "Case": "what staff decided is told; who looks at it, and who reported them, is not",
    "ConductEntry": "staff's log, which has no word about what happened",
    "Renaming": "a name that staff took, and that games are about to forget",
    "Deletion": "whoever it is about has no account any more to ask with",
}
"""Tables that refer to a person but are not exported, each with the reason."""


def tables_about_people() -> Iterator[tuple[type[Model], str]]:
    """Yield each column that refers to a person, with its model."""
    for relation in User._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete:
            yield relation.related_model, relation.field.name


def test_every_table_that_refers_to_a_person_is_exported_or_left_out_for_a_reason() -> None:
    told = {(holding.model, path) for holding in PARTS for path in holding.paths}
    missing = [
        f"{model.__name__}.{column}"
        for model, column in tables_about_people()
        if (model, column) not in told and model.__name__ not in LEFT_OUT
    ]
    assert missing == [], "add it to HOLDINGS, to docs/privacy.md and to what a deletion empties"
    assert {Hand, Program, Draft, Tally} <= {holding.model for holding in PARTS}


def columns(model: type[Model]) -> set[str]:
    return {field.attname for field in model._meta.concrete_fields}


def test_every_column_is_exported_or_left_out_by_name() -> None:
    for part in PARTS:
        assert set(part.shown).isdisjoint(part.without), part.key
        held = {*part.shown, *part.without} - (set(part.expressions) - columns(part.model))
        assert held == columns(part.model), f"{part.key}: is a new column told?"
        assert set(part.expressions) <= set(part.shown), part.key
    assert {*PERSON, *PERSON_WITHOUT} == columns(User)


def test_an_invited_address_does_not_reveal_its_account(
    table: Table, alice: User, dave: User, erin: User
) -> None:
    lobby = table.game(alice, seats=6)
    for whom in ({"email": dave.email}, {"email": "nobody@example.org"}, {"robo_name": "Erin"}):
        invite(user=alice, game_id=lobby.pk, now=NOW, **whom)
    decline_invitation(user=dave, game_id=lobby.pk, now=NOW)
    sent = json.loads(written(alice))["invitations_sent"]
    told = [(row["email"], row["user_id"], row["answer"], row["answered_at"]) for row in sent]
    assert told == [
        (dave.email, None, None, None),
        ("nobody@example.org", None, None, None),
        ("", erin.pk, "pending", None),
    ]
    [got] = json.loads(written(dave))["invitations"]
    assert (got["email"], got["user_id"], got["answer"]) == (dave.email, dave.pk, "declined")


def written(user: User) -> str:
    return json.dumps(personal_data(user=user, now=NOW), cls=DjangoJSONEncoder, ensure_ascii=False)


@pytest.fixture
def game(table: Table, alice: User, bob: User) -> Game:
    """A game with chat lines, orders and drafts."""
    game = table.game(alice, bob, private=True, seed="5eed")
    table.play(game, alice, bob)
    post_line(user=alice, game_id=game.pk, text="Out of my way, Bob!", now=NOW)
    post_line(user=bob, game_id=game.pk, text="Never, says Bob.", now=NOW)
    save_draft(user=alice, game_id=game.pk, turn_number=1, document=orders_for(game, alice), now=NOW)
    table.move(game, bob)
    return game


def test_the_file_has_all_rows_in_order_although_it_is_written_in_batches(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.people.selectors.personal_data.ROWS_PER_QUERY", 2)
    for number in range(4):
        post_line(user=alice, game_id=game.pk, text=f"Line {number}\nof “Alice”", now=NOW)
    file = BytesIO()
    write_data_file(file, user=alice, now=NOW)
    assert file.getvalue().decode() == json.dumps(json.loads(written(alice)), ensure_ascii=False, indent=1)
    assert len(json.loads(file.getvalue())["chat"]) == 5


def test_the_export_has_all_data_of_a_person(game: Game, alice: User) -> None:
    held = json.loads(written(alice))
    assert held["format"] == "person/1"
    assert (held["person"]["robo_name"], held["person"]["email"]) == ("Alice", alice.email)
    assert [row["name"] for row in held["games"]] == [game.name]
    assert [row["number"] for row in held["seats"]] == [1]
    assert hand_of(game, alice).chips in [row["chips"] for row in held["hands"]]
    [played] = held["played"]
    assert (played["orders"].keys(), played["by"], played["chips"]["chips"]) == ({"heading"}, "player", [])
    assert held["orders"] == []
    assert len(held["drafts"]) == 1
    assert [row["text"] for row in held["chat"]] == ["Out of my way, Bob!"]
    assert "turn" in {row["kind"] for row in held["notices"]}
    assert len(held["tallies"]) == 1


def test_the_export_has_no_data_of_others_and_no_secrets(game: Game, alice: User, bob: User) -> None:
    alice.set_password("a long password")
    alice.save()
    make_token(user=alice, now=NOW)
    text = written(alice)
    held = json.loads(text)
    assert hand_of(game, bob).pk not in {row["id"] for row in held["hands"]}
    assert [row["seat_id"] for row in held["played"]] == [game.players.get(user=alice).pk]
    assert "Never, says Bob." not in text
    assert bob.email not in text
    token = alice.api_tokens.get()
    for secret in (game.seed, game.link_token, token.digest, alice.password):
        assert secret not in text
    assert len(held["tokens"]) == 1


def passed_on(game: Game, number: int, user: User | None, now: datetime) -> None:
    """Give a seat to a new player, or to a computer if ``user`` is None."""
    seat = game.players.select_related("user").get(number=number)
    with transaction.atomic():
        if user is None:
            reason = Replacement.Reason.MISSED
            replace_by_computer(game=locked_game(game.pk), seat=seat, reason=reason, now=now)
        else:
            reason = Replacement.Reason.TAKEN_OVER
            replace_by_person(game=locked_game(game.pk), seat=seat, user=user, reason=reason, now=now)


def turns_of(user: User) -> tuple[list[int], list[int]]:
    """Return the turns of all hands, and of all orders, in a person's export."""
    held = json.loads(written(user))
    turns = dict(Turn.objects.values_list("pk", "number"))
    under_way = dict(Hand.objects.values_list("pk", "turn__number"))
    played = held["played"]
    hands = [turns[row["turn_id"]] for row in played] + [under_way[row["id"]] for row in held["hands"]]
    ordered = [turns[row["turn_id"]] for row in played if row["orders"]]
    return sorted(hands), sorted(ordered + [under_way[row["hand_id"]] for row in held["orders"]])


def test_players_of_one_robot_each_export_their_own_turns(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    table.play(game, alice, bob, carol, now=later(minutes=1))
    table.move(game, bob, now=later(minutes=2))
    passed_on(game, 2, None, later(minutes=3))
    passed_on(game, 2, dave, later(minutes=4))
    assert turns_of(bob) == ([0, 1, 2], [0, 1, 2])
    assert turns_of(dave) == ([2], [])
    table.play(game, alice, carol, now=later(minutes=5))
    table.play(game, alice, dave, carol, now=later(minutes=6))
    passed_on(game, 2, None, later(minutes=7))
    assert turns_of(bob) == ([0, 1, 2], [0, 1, 2])
    assert turns_of(dave) == ([2, 3, 4], [3])
    assert turns_of(alice) == ([0, 1, 2, 3, 4], [0, 1, 2, 3])
    passed_on(game, 2, bob, later(minutes=8))
    assert turns_of(bob) == ([0, 1, 2, 4], [0, 1, 2])
    for each in (bob, dave):
        assert [row["id"] for row in json.loads(written(each))["games"]] == [game.pk]
    assert json.loads(written(dave))["seats"] == []


def test_a_hand_redealt_for_the_next_player_is_only_theirs(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    passed_on(game, 2, None, later(minutes=1))
    passed_on(game, 2, dave, later(minutes=2))
    Hand.objects.filter(pk=hand_of(game, dave).pk).update(redealt=1)
    assert turns_of(bob) == ([0], [0])
    assert turns_of(dave) == ([1], [])


def test_sent_and_received_invitations_are_exported(table: Table, alice: User, dave: User) -> None:
    lobby = table.game(alice, seats=4)
    invite(user=alice, game_id=lobby.pk, robo_name="Dave", now=NOW)
    invite(user=alice, game_id=lobby.pk, email="eve@example.org", now=NOW)
    assert len(json.loads(written(alice))["invitations_sent"]) == 2
    assert json.loads(written(alice))["invitations"] == []
    assert len(json.loads(written(dave))["invitations"]) == 1
    assert "eve@example.org" not in written(dave)


def test_the_documentation_describes_every_part_of_the_file() -> None:
    page = (settings.BASE_DIR / "docs" / "privacy.md").read_text()
    for key in ("person", "played", *(holding.key for holding in PARTS)):
        assert f"`{key}`" in page
