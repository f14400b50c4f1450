"""Only listed modules decide about staff rights, or read protected tables.

The test finds them in syntax trees. Add a new module here, with the way it checks permissions.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from games.rights import Right

ROOT: Final = Path(__file__).parents[2]

WORDS: Final = frozenset(
    {"is_staff", "is_superuser", "has_perm", "has_perms", "has_module_perms", "get_all_permissions"}
)
"""Names that decide about staff rights, as attributes, arguments and lookups."""

DECIDING: Final[Mapping[str, str]] = {
    "accounts/rights.py": "decides, and names the columns that superusers change",
    "accounts/models.py": "declares the columns, and makes superusers",
    "accounts/admin.py": "names the columns of the form",
    "games/people/selectors/personal_data.py": "writes the columns to the file of a person's data",
}

READERS: Final[Mapping[str, frozenset[str]]] = {
    "ChatLine": frozenset(
        {
            "games/admission/selectors.py",
            "games/chat/selectors.py",
            "games/chat/services.py",
            "games/moderation/selectors.py",
            "games/moderation/services/decisions.py",
            "games/people/services/deletion.py",
            "games/play/progress.py",
            "games/staff/recovery.py",
        }
    ),
    "Draft": frozenset(
        {
            "games/absence/missed_turns.py",
            "games/absence/seats.py",
            "games/people/services/deletion.py",
            "games/play/orders.py",
            "games/play/lifecycle.py",
        }
    ),
    "Program": frozenset(
        {
            "games/absence/missed_turns.py",
            "games/play/news.py",
            "games/play/selectors.py",
            "games/competitions/services/scoring.py",
        }
    ),
    "StarshipDraft": frozenset(
        {
            "games/moderation/selectors.py",
            "games/moderation/services/reports.py",
            "games/moderation/services/takedown.py",
            "games/people/services/deletion.py",
            "games/shipyard/selectors.py",
            "games/shipyard/services.py",
            "games/shipyard/tunnel.py",
        }
    ),
    "StarshipRevision": frozenset(
        {
            "games/fleet/admin.py",
            "games/dock/services.py",
            "games/fleet/selectors.py",
            "games/fleet/services.py",
            "games/people/services/scrubbing.py",
        }
    ),
    "Review": frozenset(
        {
            "games/admission/services.py",
            "games/dock/news.py",
            "games/moderation/selectors.py",
            "games/dock/reviews.py",
            "games/moderation/services/takedown.py",
            "games/people/services/scrubbing.py",
        }
    ),
    "Report": frozenset(
        {
            "games/moderation/news.py",
            "games/moderation/selectors.py",
            "games/moderation/services/reports.py",
        }
    ),
    "Moderation": frozenset(
        {
            "games/dock/news.py",
            "games/moderation/selectors.py",
            "games/dock/reviews.py",
            "games/moderation/services/takedown.py",
        }
    ),
    "Tournament": frozenset(
        {
            "games/admission/services.py",
            "games/competitions/services/seasons.py",
            "games/competitions/news.py",
            "games/competitions/selectors/tournaments.py",
            "games/competitions/services/rounds.py",
            "games/competitions/services/tournaments.py",
        }
    ),
    "Case": frozenset(
        {
            "games/moderation/selectors.py",
            "games/moderation/services/decisions.py",
            "games/moderation/services/reports.py",
            "games/moderation/services/takedown.py",
        }
    ),
    "ShipCase": frozenset({"games/moderation/selectors.py"}),
    "ConductEntry": frozenset(
        {"games/moderation/news.py", "games/moderation/selectors.py", "games/moderation/services/reports.py"}
    ),
    "Trace": frozenset({"accounts/sessions.py", "games/moderation/hints.py"}),
}
"""The modules that query each protected table.

They are selectors that take a viewer, or services that check rights first.
"""

DOORS: Final = re.compile(
    r"/(pages|forms|inputs|api|admin|templatetags|feeds)(/|\.py$)|^games/(site|admin|entrance)"
)
"""Matches the paths of modules that handle requests."""

BEHIND_DOORS: Final = frozenset({"Game", "Turn", "Hand", "Seat", *READERS})
"""Tables that these modules query only through selectors and services."""

EXEMPT: Final[Mapping[tuple[str, str], str]] = {
    ("games/moderation/admin/cases.py", "Game"): "games that were reported, in the case of a moderator",
    ("games/people/admin/accounts.py", "Game"): "a player's unfinished games, for staff who may view games",
    ("games/play/admin.py", "Hand"): "whose orders are missing, which everyone sees",
    ("games/play/pages/streams.py", "Game"): "whether the viewers of open streams may still see them",
    ("games/fleet/admin.py", "StarshipRevision"): "the admin has checked the permission to view",
    ("games/news/feeds.py", "Hand"): "a person's own",
    ("games/news/feeds.py", "Seat"): "a person's own",
    ("games/news/feeds.py", "Turn"): "turns of notifications that the person got",
}


def modules() -> list[tuple[str, ast.AST]]:
    paths = sorted(path for room in ("games", "accounts") for path in (ROOT / room).rglob("*.py"))
    return [
        (str(path.relative_to(ROOT)), ast.parse(path.read_text()))
        for path in paths
        if "migrations" not in path.parts
    ]


MODULES: Final = modules()


def words_in(tree: ast.AST) -> Iterator[str]:
    """Yield each use of a name in `WORDS` in a module.

    It may be an attribute, an argument, a text or a lookup.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WORDS:
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg:
            yield from WORDS & set(node.arg.split("__"))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            yield from WORDS & set(re.split(r"__|\W+", node.value))


def tables_in(tree: ast.AST) -> Iterator[str]:
    """Yield the models that a module queries."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("objects", "_default_manager", "_base_manager"):
            model = node.value
            if isinstance(model, (ast.Name, ast.Attribute)):
                yield model.id if isinstance(model, ast.Name) else model.attr
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("_or_404"):
            yield from (each.id for each in node.args[:1] if isinstance(each, ast.Name))


@pytest.mark.parametrize(
    "text",
    [
        "x = user.is_staff",
        "User.objects.filter(is_superuser=True)",
        "Q(user__is_staff=True)",
        "user.has_perm('games.view_game')",
        "getattr(user, 'is_staff')",
        "rows.filter(**{'by__is_staff': True})",
    ],
)
def test_the_walk_finds_every_expression_about_staff(text: str) -> None:
    assert list(words_in(ast.parse(text)))


@pytest.mark.parametrize(
    "text", ["Case.objects.all()", "models.Case._default_manager", "get_object_or_404(Case, pk=1)"]
)
def test_the_walk_finds_every_query_of_a_table(text: str) -> None:
    assert "Case" in tables_in(ast.parse(text))


def test_one_module_decides_about_staff() -> None:
    asking = {path: sorted(set(words_in(tree))) for path, tree in MODULES}
    asking = {path: found for path, found in asking.items() if found}
    assert asking.keys() - DECIDING.keys() == set(), "ask `games.rights` or `accounts.rights` instead"
    assert DECIDING.keys() - asking.keys() == set(), "these ask no more"


def test_no_template_decides_about_staff() -> None:
    asking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.*")
        if re.search(r"is_staff|is_superuser|\bperms\.", path.read_text())
    }
    # Links to the admin, which checks permissions again.
    assert asking == {"templates/410.html", "templates/admin/index.html", "templates/site/header.html"}


@pytest.mark.parametrize("table", READERS)
def test_guarded_tables_are_read_only_by_listed_modules(table: str) -> None:
    reading = {path for path, tree in MODULES if table in set(tables_in(tree))}
    assert reading == READERS[table]


def test_no_request_handler_reads_a_guarded_table_directly() -> None:
    found = {
        (path, table)
        for path, tree in MODULES
        if DOORS.search(path)
        for table in set(tables_in(tree)) & BEHIND_DOORS
    }
    assert found == EXEMPT.keys()


def test_each_right_is_used() -> None:
    used = {
        node.attr
        for _path, tree in MODULES
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "Right"
    }
    assert used == set(Right.__members__)
