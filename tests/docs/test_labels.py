"""Documents and help texts quote labels, cookies and numbers exactly."""

import re
import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.contrib import admin
from django.test import Client
from django.utils.text import capfirst

import rules
from accounts.services import open_account
from games.moderation.admin.cases import OneBrowser
from games.rights import Right
from games.site.documents import GROUPS, files
from rules import computers
from tests.support.accounts import PASSWORD

ROOT = Path(__file__).parents[2]
FOR_PLAYERS = [slug for _title, slugs in GROUPS[:2] for slug in slugs if slug != "changes"]
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)

WITH_RANKS = [ruleset.name for ruleset in rules.RULESETS.values() if ruleset.ranks]
LEVELS = [level.title() for level in computers.LEVELS]

NOT_LABELS = {"Helper", "Arbiter", "Moderator", "HTTP webhook signing key", "Starship 17"}
"""Quoted names that are not labels of the site.

They are groups, a mail provider's label, and an example.
"""

QUOTES_OF_ADMIN = ("alarms", "operations", "security", "shipyard-editor")
"""Documents for operators that quote labels of the admin."""


def labels_of_admin() -> set[str]:
    """Return labels that Django makes from names of models and filters."""
    models = [model._meta for model in admin.site._registry]
    names = {capfirst(meta.verbose_name_plural) for meta in models}
    return names | {f"Add {meta.verbose_name}" for meta in models} | {capfirst(OneBrowser.title)}


def labels() -> set[str]:
    """Return the texts of pages in the catalogue, except texts of documents."""
    with (ROOT / "locale" / "django.pot").open("rb") as file:
        found = [each for each in read_po(file) if each.id]
    ours = [each for each in found if not all(str(path).startswith("docs/") for path, _ in each.locations)]
    return {text for each in ours for text in (each.id if isinstance(each.id, tuple) else (each.id,))}


@pytest.mark.parametrize("slug", [*(slug for slug in FOR_PLAYERS if slug != "sources"), *QUOTES_OF_ADMIN])
def test_a_document_quotes_labels_as_pages_have_them(slug: str) -> None:
    text = CODE.sub(" ", files()[slug].read_text())
    quoted = {" ".join(each.split()) for each in re.findall(r"(?<![*\w])\*([A-Z][^*]+)\*(?!\*)", text)}
    assert quoted - labels() - NOT_LABELS - labels_of_admin() == set()


PLACES = {
    "../games/site/menu.py": {
        "first-game": ["Play", "Missions", "Game Room"],
        "hosting": ["New game"],
        "library": ["All starships"],
        "shipyard": ["Starships"],
        "clubs": ["Community", "Clubs"],
        "ratings": ["Ratings"],
        "awards": ["Awards"],
        "ladders": ["Ladders"],
        "seasons": ["Seasons"],
        "tournaments": ["Tournaments"],
    },
    "site/header.html": {"players": ["My people"]},
    "site/footer.html": {"troubleshooting": ["Contact"]},
    "site/game_room.html": {"absence": ["Seats to take over"]},
    "play/menu_ways.html": {
        "first-game": ["Rulebook"],
        "troubleshooting": ["Rulebook"],
        "votes": ["Votes"],
        "absence": ["Missed turns", "Resign or leave"],
        "mail": ["Notifications"],
    },
    "play/crew.html": {"first-game": ["Robots"]},
    "play/frame.html": {"fairness": ["This game"]},
    "play/result.html": {"matching": ["Rematch", "New game, same players"]},
    "lobby/quick_button.html": {"first-game": ["Play against computers"]},
    "lobby/start.html": {"hosting": ["Start without the free seats"]},
    "account/manage.html": {
        "first-game": ["Time"],
        "troubleshooting": ["Notifications", "Security"],
        "absence": ["Standing orders"],
        "privacy": ["My data"],
    },
    "account/login.html": {"troubleshooting": ["Forgot your password?", "Log in with a passkey"]},
    "account/email_change.html": {"troubleshooting": ["Send the link again"]},
    "mfa/index.html": {"troubleshooting": ["Change it"], "security": ["Tokens for programs"]},
    "people/contact.html": {"conduct": ["Report"], "players": ["Same household"], "matching": ["Challenge"]},
    "people/contacts.html": {"conduct": ["Decisions about you, and your reports"]},
    "chat/lines.html": {"conduct": ["Report"], "players": ["Hidden by your chat filter"]},
    "clubs/club.html": {"conduct": ["Report this club"], "clubs": ["New game"]},
    "competitions/find_button.html": {"matching": ["Find me a game"]},
    "competitions/find_game.html": {"matching": ["Change what you play"]},
    "competitions/waiting.html": {"matching": ["Stop looking"]},
    "moderation/my_conduct.html": {"conduct": ["Decisions and reports"]},
    "moderation/report_ship_link.html": {"reports": ["Report this ship"]},
    "fleet/add_to_list.html": {"library": ["Add to a list"]},
    "fleet/list.html": {"library": ["Lists"], "promotion": ["Decisions of the design committee"]},
    "dock/needs.html": {"promotion": ["Request promotion"]},
    "dock/review_list.html": {"reports": ["Report"]},
    "dock/prototype.html": {"shipyard": ["Close prototype"]},
    "shipyard/new.html": {
        "shipyard": [
            "Plain hull",
            "Copy of a starship",
            "Imported ship",
            "Suggest a ship",
            "Starship notation",
        ]
    },
    "shipyard/suggestion.html": {"shipyard": ["Edit this ship", "Suggest another"]},
    "shipyard/draft.html": {
        "shipyard": ["Publish", "Wind tunnel", "Versions", "Share", "Download", "Delete", "Save"]
    },
    "shipyard/tunnel_run.html": {"shipyard": ["Apply this fix"]},
}
"""The labels in a template that a document names, by template and then by document."""


@pytest.mark.parametrize("template", PLACES)
def test_a_label_is_on_the_page_that_documents_name(template: str) -> None:
    page = (ROOT / "templates" / template).read_text()
    for document, labels_there in PLACES[template].items():
        text = " ".join((ROOT / f"docs/{document}.md").read_text().split())
        assert [label for label in labels_there if f"*{label}*" not in text] == [], document
        gone = [each for each in labels_there if not re.search(rf"[\"}}]{re.escape(each)}[\"<{{]", page)]
        assert gone == [], f"no longer in {template}: correct docs/{document}.md"


def test_help_quotes_labels_as_pages_have_them() -> None:
    help_page = (ROOT / "templates/site/service/help.html").read_text()
    privacy = (ROOT / "templates/site/service/privacy.html").read_text()
    tabs = (ROOT / "templates/account/manage.html").read_text()
    named = re.findall(r"[Uu]nder Settings, ([A-Z][\w ]*?)[,.]", help_page + privacy)
    assert set(named) >= {"Time", "Notifications", "My data", "Security"}
    assert [each for each in named if f'translate "{each}" %}}</a>' not in tabs] == []
    assert set(re.findall(r"“([^”]+)”", help_page)) - labels() == set()


def test_pages_use_every_word_of_the_glossary() -> None:
    page = (ROOT / "docs/glossary.md").read_text()
    words = {word for row in re.findall(r"^\| ([a-z ,]+) \|", page, re.MULTILINE) for word in row.split(", ")}
    assert len(words) > 30
    said = " ".join(labels()).lower()
    assert [word for word in sorted(words - {"word"}) if not re.search(rf"\b{word}s?\b", said)] == []


def test_the_glossary_names_the_rulesets_with_ranks_and_the_levels() -> None:
    page = (ROOT / "docs/glossary.md").read_text()
    named = rf"[^|]* in {', '.join(WITH_RANKS[:-1])} and {WITH_RANKS[-1]}"
    assert re.search(rf"\| airlock \|{named} \|", page) and re.search(rf"\| rank \|{named};", page)
    assert f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]} |" in page


@pytest.mark.parametrize("slug", FOR_PLAYERS)
def test_a_document_for_players_names_no_test_and_no_module(slug: str) -> None:
    named = re.findall(
        r"\btest_\w+|\b[\w/]+\.(?:py|js)\b|\b(?:games|accounts|rules)\.\w+", files()[slug].read_text()
    )
    assert set(named) - {"test_flights", "manage.py", "/app/manage.py", "app/manage.py"} == set()


COOKIES = [
    settings.SESSION_COOKIE_NAME,
    settings.CSRF_COOKIE_NAME,
    settings.MESSAGES_COOKIE_NAME,
    settings.BROWSER_COOKIE_NAME,
]


def test_privacy_names_every_cookie_of_the_settings(db: None) -> None:
    source = (ROOT / "roborunner/settings.py").read_text()
    assert source.count('f"{_OWN}') == len(COOKIES)
    page = Client().get("/privacy/").content.decode()
    assert "There are four cookies." in page
    assert [name for name in COOKIES if f"<code>{name}</code>" not in page] == []


def test_a_login_sets_only_the_cookies_that_privacy_names(db: None) -> None:
    open_account(robo_name="Alice", email="alice@example.org", password=PASSWORD)
    client = Client()
    for path in ("/accounts/login/", "/my-room/"):
        client.post(path, {"login": "Alice", "password": PASSWORD})
        client.get(path)
    assert settings.BROWSER_COOKIE_NAME in client.cookies
    assert client.cookies.keys() - set(COOKIES) == set()


def test_the_readme_counts_rulesets_levels_and_missions() -> None:
    text = " ".join((ROOT / "README.md").read_text().split())
    missions = tomllib.loads((ROOT / "fixtures/missions.toml").read_text())["mission"]
    assert (len(rules.RULESETS), len(LEVELS), len(missions)) == (7, 3, 14)
    assert all(words in text for words in ("seven rulesets", "three levels", "14 training missions"))


def test_the_readme_names_the_versions_of_python_that_are_allowed() -> None:
    allowed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert allowed == ">=3.11,<3.14"
    assert "Python 3.11 to 3.13" in (ROOT / "README.md").read_text()


def test_the_example_of_settings_has_the_defaults_of_the_documentation() -> None:
    page = (ROOT / "docs/settings.md").read_text()
    explained = dict(re.findall(r"^\| `([A-Z_]+)` \| .* \| (\d+) \|$", page, re.MULTILINE))
    example = dict(re.findall(r"^#([A-Z_]+)=(\d+)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert len(explained) >= 8
    assert explained == {name: example[name] for name in explained}
    source = (ROOT / "roborunner/settings.py").read_text()
    in_code = dict(re.findall(r'environment\.number\(os\.environ, "([A-Z_]+)", (\d+)', source))
    assert explained == in_code


def test_the_example_of_settings_has_the_variables_and_defaults_of_compose() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    example = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert set(re.findall(r"\$\{([A-Z_]+)", compose)) == example.keys() - {"COMPOSE_PROFILES"}
    given = dict(re.findall(r"\$\{([A-Z_]+):-([\w.]+)\}", compose))
    assert len(given) > 10
    assert given == {name: example[name] for name in given}


def test_the_table_of_rights_has_each_right_once() -> None:
    rights = (ROOT / "docs/access.md").read_text().partition("## Rights of staff")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in rights.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([\w.]+)`", " ".join(rows))) == sorted(Right)
