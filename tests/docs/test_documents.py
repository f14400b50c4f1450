"""Links, files, tests, names and commands in the documentation exist."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)]*))?\)")
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"[a-z.][a-z\d./_@-]*/[a-z\d_@-]+\.(?:py|js|css|html|sh|service)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

ROOTS = ("", "games", "games/play", "static", "tests")
"""Folders that documents leave out when they name a file."""


@cache
def tracked_texts() -> list[Path]:
    """Return the paths of files that git tracks, except pictures."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if not name.endswith((".png", ".ico"))]


def anchors(page: Path) -> set[str]:
    titles = HEADING.findall(BLOCK.sub("", page.read_text()))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    for link, anchor in LINK.findall(page.read_text()):
        if "://" not in link:
            there = page.parent / link if link else page
            assert there.exists(), link
            assert not anchor or anchor in anchors(there), f"{link}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_and_test_that_a_page_names_exists(page: Path) -> None:
    spans = re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text()))
    words = {word for span in spans for word in span.split()}
    named = {word for word in words if FILE.fullmatch(word)}
    assert {file for file in named if not any((ROOT / root / file).exists() for root in ROOTS)} == set()
    bare = {word for word in words if re.fullmatch(r"\w+\.(?:py|js|css|html)", word)}
    assert bare <= {path.name for path in tracked_texts()}
    assert {word for word in words if re.fullmatch(r"test_\w+", word)} - names_of_tests() <= {"test_flights"}


OF_POSTGRES = {"archive_mode", "max_connections", "max_prepared_statements", "recovery_target_time"}
NAME = re.compile(r"[A-Z]{2}[A-Z_]{2,}|[a-z]+(?:_[a-z]+)+")
"""Matches a constant, or a name of several words joined by underscores."""


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name != "retention.md"],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_name_of_the_code_that_a_page_names_exists(page: Path) -> None:
    spans = re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text()))
    named = {
        span for span in spans if NAME.fullmatch(span) and not span.startswith(("robo_runner_", "test_"))
    }
    assert named - words_of_code() - OF_POSTGRES == set()
    for file, constant in re.findall(r"`([\w/]+\.py)`, `([A-Z_]+)`", page.read_text()):
        assert re.search(rf"^{constant}\b", (ROOT / file).read_text(), re.MULTILINE), f"{file}: {constant}"


@cache
def words_of_code() -> set[str]:
    """Return all names in code, configuration and the description of tables."""
    kinds = (
        ".py",
        ".js",
        ".yml",
        ".toml",
        ".service",
        ".sh",
        ".example",
        "Makefile",
        "Dockerfile",
        "schema.txt",
    )
    texts = (path.read_text() for path in tracked_texts() if path.name.endswith(kinds) and path.is_file())
    return {word for text in texts for word in re.findall(r"[A-Za-z_]+", text)}


@cache
def names_of_tests() -> set[str]:
    texts = (file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^\s*def (test_\w+)", text, re.MULTILINE)}


def test_commands_in_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = re.findall(r"^make (\w+)$|`make (\w+)`", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {"run", "test", "clean"} <= {first or second for first, second in named}
    for first, second in named:
        assert re.search(rf"^{first or second}:", makefile, re.MULTILINE)


def test_the_architecture_fits_on_two_pages() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= 110


def test_nothing_names_a_package_registry_or_a_path_outside() -> None:
    foreign = re.compile(
        "|".join(["py" + r"pi\.org", "python" + "hosted", "npm" + "js", r"\.\./sha" + "red"])
    )
    named = [
        str(path.relative_to(ROOT))
        for path in tracked_texts()
        if path.is_file() and foreign.search(path.read_text(errors="replace"))
    ]
    assert named == []
