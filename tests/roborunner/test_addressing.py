"""The site's own `url` tag gives the same addresses as Django's."""

import pytest
from django.template import Context, Template
from django.test import RequestFactory, override_settings
from django.urls import NoReverseMatch, path, reverse, set_script_prefix

urlpatterns = [path("elsewhere/<int:number>/", print, name="there")]


def shown(source: str, **given: object) -> str:
    return Template(source).render(Context(given))


@pytest.mark.parametrize("number", [7, 8, 7])
def test_an_address_leads_to_the_view(number: int) -> None:
    assert shown('{% url "games:game" number %}', number=number) == reverse("games:game", args=[number])


def test_an_address_may_contain_a_word() -> None:
    assert shown('{% url "people:person" name %}', name="Bo") == reverse("people:person", args=["Bo"])
    assert shown('{% url "games:game" game_id=7 %}') == shown('{% url "games:game" 7 as there %}{{ there }}')


def test_a_missing_view_has_no_address() -> None:
    assert shown('{% url "nowhere" as there %}{{ there }}') == ""
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            shown('{% url "nowhere" %}')


def test_addresses_follow_changes_of_the_site() -> None:
    with pytest.raises(NoReverseMatch):
        shown('{% url "there" 7 %}')
    with override_settings(ROOT_URLCONF=__name__):
        assert shown('{% url "there" 7 %}') == "/elsewhere/7/"
    set_script_prefix("/under/")
    try:
        assert shown('{% url "games:game" 7 %}') == "/under/games/7/"
    finally:
        set_script_prefix("/")
    assert shown('{% url "games:game" 7 %}') == "/games/7/"


def test_an_address_depends_on_the_current_app() -> None:
    request = RequestFactory().get("/")
    request.current_app = "elsewhere"
    context = Context({})
    context.request = request
    assert Template('{% url "games:game" 7 %}').render(context) == "/games/7/"
