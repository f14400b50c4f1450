"""The documentation: its links, its commands, and no private machines."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def tracked_texts() -> list[Path]:
    """Return the files that git tracks, except pictures."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if not name.endswith((".png", ".ico"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


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
