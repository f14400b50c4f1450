"""Pieces of pages that are made once for all who see them alike."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from games.play.models import Game
from games.templatetags import parts
from games.templatetags.parts import RememberedNode
from tests.games.support import Table

OTHER = ("csrfmiddlewaretoken", "data-until")
"""What is another each time: the secrets of forms, and the time that is left."""


def shown(template: Template, **given: object) -> str:
    """Render a template with what is given."""
    return template.render(Context(given))


def piece(text: str) -> Template:
    """Return a template with one piece."""
    return Template("{% load parts %}" + text)


def test_a_piece_is_made_once_for_all_that_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    template = piece("{% remembered name=name %}{{ name }}{% endremembered %}")
    assert shown(template, name="<b>") == "&lt;b&gt;"
    (node,) = template.nodelist.get_nodes_by_type(RememberedNode)
    monkeypatch.setattr(node, "nodelist", None)
    assert shown(template, name="<b>") == "&lt;b&gt;"


def test_a_piece_knows_nothing_that_it_is_not_given() -> None:
    template = piece("{% remembered name=name %}{{ name }}{{ secret }}{% endremembered %}")
    assert shown(template, name="a", secret="s") == "a"


def test_values_that_are_equal_but_not_said_alike_are_told_apart() -> None:
    template = piece("{% remembered value=value %}{{ value }}{% endremembered %}")
    values = [1, True, "<b>", SafeString("<b>"), 1, "<b>"]
    assert [shown(template, value=value) for value in values] == [
        "1",
        "True",
        "&lt;b&gt;",
        "<b>",
        "1",
        "&lt;b&gt;",
    ]


def test_a_piece_says_times_as_its_reader_s_clock_does() -> None:
    template = piece('{% remembered at=at %}{{ at|date:"H:i" }}{% endremembered %}')
    at = datetime(2026, 1, 1, 12, tzinfo=UTC)
    said = []
    for zone in ("UTC", "Asia/Tokyo", "UTC"):
        with timezone.override(zone):
            said.append(shown(template, at=at))
    assert said == ["12:00", "21:00", "12:00"]


def test_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "KEPT", 2)
    template = piece("{% remembered value=value %}{{ value }}{% endremembered %}")
    assert [shown(template, value=value) for value in (1, 2, 3, 1)] == ["1", "2", "3", "1"]
    (node,) = template.nodelist.get_nodes_by_type(RememberedNode)
    assert len(node._kept) == 2


def test_a_row_of_the_database_is_refused() -> None:
    template = piece("{% remembered game=game %}{% endremembered %}")
    with pytest.raises(TypeError, match="name what is shown"):
        shown(template, game=Game(pk=1))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have pieces made as if they stood in the page."""
    monkeypatch.setattr(RememberedNode, "render", _plainly)
    yield


def _plainly(node: RememberedNode, context: Context) -> SafeString:
    with context.push(**{name: value.resolve(context) for name, value in node.given.items()}):
        return node.nodelist.render(context)


def pages(game: Game, *people: User) -> list[str]:
    """Return a game's page as these people and a stranger see it, but for the secrets of forms."""
    found = []
    for person in (*people, None):
        client = Client()
        if person:
            client.force_login(person)
        text = client.get(f"/games/{game.pk}/").content.decode()
        found.append("\n".join(line for line in text.split("\n") if not any(each in line for each in OTHER)))
    return found


@pytest.mark.parametrize("turns", [0, 2])
def test_pages_are_as_they_would_be_without(
    turns: int,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    dave: User,
    request: pytest.FixtureRequest,
) -> None:
    for _ in range(turns):
        table.play(duel, alice, bob)
    first, again = pages(duel, alice, bob, dave), pages(duel, alice, bob, dave)
    request.getfixturevalue("at_once")
    assert first == again == pages(duel, alice, bob, dave)
