"""The history of actions in a game: stored as data, shown in the reader's language."""

from string import Formatter

import pytest
from django.utils import translation
from django.utils.functional import Promise

from accounts.models import User
from games.lobby.models import LobbyEntry
from games.lobby.seats import leave_game
from games.lobby.services import change_game
from games.play.history import (
    OTHER_PARAMETERS,
    PERSON_PARAMETERS,
    SENTENCES,
    add_entry,
    lobby_of,
    rename_person,
    sentence_of,
)
from games.play.models import Game
from tests.games.support import NOW, Table, history_of

NUMBERS = {"turns", "number"}


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    return table.game(alice, bob, seats=3)


def test_an_entry_has_a_kind_and_parameters(lobby: Game, bob: User) -> None:
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    left = lobby.lobby.latest("pk")
    assert (left.kind, left.parameters) == ("left", {"format": "entry/1", "player": "Bob"})
    assert sentence_of(left) == "Bob left."


def test_a_change_of_terms_keeps_both_values(lobby: Game, alice: User) -> None:
    change_game(user=alice, game_id=lobby.pk, changes={"options": {"lives": 5}}, now=NOW)
    changed = lobby.lobby.latest("pk")
    lives = {"term": "options", "key": "lives", "before": 3, "after": 5}
    assert (changed.kind, changed.parameters) == ("term", {"format": "entry/1", "player": "Alice", **lives})


def test_an_entry_is_shown_in_the_reader_s_language(
    lobby: Game, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    with translation.override("de"):
        catalogue = translation.trans_real.catalog()
        monkeypatch.setitem(catalogue._catalog._catalogs[0], "{player} left.", "{player} ist gegangen.")
        assert history_of(lobby)[-1] == "Bob ist gegangen."
    assert history_of(lobby)[-1] == "Bob left."


def test_entries_with_kinds_of_a_later_release_are_left_out(lobby: Game) -> None:
    before = lobby_of(lobby)
    LobbyEntry.objects.create(game=lobby, kind="of-a-later-release", at=NOW)
    assert lobby_of(lobby) == before != []


def test_an_entry_without_a_sentence_cannot_be_stored(lobby: Game) -> None:
    before = history_of(lobby)
    with pytest.raises(KeyError):
        add_entry(game=lobby, by=None, kind="unheard-of", now=NOW)
    with pytest.raises(KeyError):
        add_entry(game=lobby, by=None, kind="joined", now=NOW)
    assert history_of(lobby) == before


def test_every_parameter_of_a_sentence_is_declared() -> None:
    """The declaration tells which parameters are names, to replace them after a deletion."""
    plain = [str(sentence) for sentence in SENTENCES.values() if isinstance(sentence, Promise)]
    assert len(plain) > 20
    placeholders = {name for sentence in plain for _, name, _, _ in Formatter().parse(sentence) if name}
    assert placeholders <= {*PERSON_PARAMETERS, *OTHER_PARAMETERS, *NUMBERS}


def test_only_names_of_people_are_replaced() -> None:
    """This holds even if a player's name equals another word in the entry."""
    entry = {"format": "pace", "player": "pace", "term": "pace", "before": "pace", "after": {"pace": "pace"}}
    assert rename_person(entry, "pace", "Deleted-7") == entry | {"player": "Deleted-7"}
