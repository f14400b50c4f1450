"""What is done in a game besides playing is kept as data, and told in the reader's language."""

from string import Formatter

import pytest
from django.utils import translation
from django.utils.functional import Promise

from accounts.models import User
from games.lobby.seats import leave_game
from games.lobby.services import change_game
from games.play.history import OTHERS, PEOPLE, SENTENCES, lobby_of, note, renamed, sentence_of
from games.play.models import Game, LobbyEntry
from tests.games.support import NOW, Table, history_of

NUMBERS = {"turns"}


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    return table.game(alice, bob, seats=3)


def test_an_entry_has_its_kind_and_parameters(lobby: Game, bob: User) -> None:
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    left = lobby.lobby.latest("pk")
    assert (left.kind, left.parameters) == ("left", {"format": "entry/1", "player": "Bob"})
    assert sentence_of(left) == "Bob left."


def test_a_change_of_terms_keeps_both_values(lobby: Game, alice: User) -> None:
    change_game(user=alice, game_id=lobby.pk, changes={"options": {"lives": 5}}, now=NOW)
    changed = lobby.lobby.latest("pk")
    lives = {"term": "options", "key": "lives", "before": 3, "after": 5}
    assert (changed.kind, changed.parameters) == ("term", {"format": "entry/1", "player": "Alice", **lives})


def test_it_is_told_in_the_readers_language(lobby: Game, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    with translation.override("de"):
        catalogue = translation.trans_real.catalog()
        monkeypatch.setitem(catalogue._catalog._catalogs[0], "{player} left.", "{player} ist gegangen.")
        assert history_of(lobby)[-1] == "Bob ist gegangen."
    assert history_of(lobby)[-1] == "Bob left."


def test_entries_of_kinds_that_only_a_later_release_knows_are_left_out(lobby: Game) -> None:
    before = lobby_of(lobby)
    LobbyEntry.objects.create(game=lobby, kind="of-a-later-release", at=NOW)
    assert lobby_of(lobby) == before != []


def test_nothing_is_noted_that_cannot_be_told(lobby: Game) -> None:
    before = history_of(lobby)
    with pytest.raises(KeyError):
        note(game=lobby, by=None, kind="unheard-of", now=NOW)
    with pytest.raises(KeyError):
        note(game=lobby, by=None, kind="joined", now=NOW)
    assert history_of(lobby) == before


def test_each_parameter_of_a_sentence_is_known() -> None:
    """Names of people are replaced when their account is deleted."""
    plain = [str(sentence) for sentence in SENTENCES.values() if isinstance(sentence, Promise)]
    assert len(plain) > 20
    placeholders = {name for sentence in plain for _, name, _, _ in Formatter().parse(sentence) if name}
    assert placeholders <= {*PEOPLE, *OTHERS, *NUMBERS}


def test_names_of_people_are_replaced_and_what_is_no_name_stays() -> None:
    """Also for a player whose name is a word that entries are made of."""
    entry = {"format": "pace", "player": "pace", "term": "pace", "before": "pace", "after": {"pace": "pace"}}
    assert renamed(entry, "pace", "Deleted-7") == entry | {"player": "Deleted-7"}
