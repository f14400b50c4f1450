"""Products that are built once from sources, then copied by new sites."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedded import up
from embedded.paths import Failure


class Workshop:
    """A project with source files. It counts how often the product is built from them."""

    def __init__(self, project: Path) -> None:
        self.source = project / "static" / "site.css"
        self.source.parent.mkdir(parents=True)
        self.source.write_text("a {}")
        self.made = 0
        self.fails = False

    def take(self) -> str:
        """Return the product. Build it if there is no current copy."""
        with up.stored_copy("style", ("static/**/*",), self._make) as place:
            return (place / "made").read_text()

    def _make(self, place: Path) -> None:
        place.mkdir()
        (place / "made").write_text(self.source.read_text())
        if self.fails:
            raise Failure("It cannot be made.")
        self.made += 1


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    monkeypatch.setattr(up, "PROJECT", tmp_path)
    monkeypatch.setattr(up, "STORE", tmp_path / ".made")
    return Workshop(tmp_path)


def test_it_is_made_once_for_the_same_sources(workshop: Workshop) -> None:
    assert (workshop.take(), workshop.take(), workshop.made) == ("a {}", "a {}", 1)


def test_it_is_made_again_after_a_source_has_changed(workshop: Workshop) -> None:
    workshop.take()
    workshop.source.write_text("b {}")
    assert (workshop.take(), workshop.made) == ("b {}", 2)


def test_it_is_made_again_for_a_new_or_renamed_source(workshop: Workshop) -> None:
    workshop.take()
    workshop.source.with_name("new.css").write_text("")
    workshop.take()
    workshop.source.with_name("new.css").rename(workshop.source.with_name("newer.css"))
    workshop.take()
    assert workshop.made == 3


def test_an_unfinished_product_is_not_used(workshop: Workshop) -> None:
    workshop.fails = True
    with pytest.raises(Failure):
        workshop.take()
    workshop.fails = False
    assert (workshop.take(), workshop.made) == ("a {}", 1)


def test_only_one_process_at_a_time_makes_it(workshop: Workshop) -> None:
    program = f"""
from pathlib import Path
from embedded import up
up.PROJECT = Path({str(workshop.source.parents[1])!r})
up.STORE = up.PROJECT / ".made"
def make(place):
    place.mkdir()
    (place / "made").write_text("by another")
with up.stored_copy("style", ("static/**/*",), make):
    print("here", flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == "here\n"
        with (up.STORE / "style.lock").open() as lock, pytest.raises(BlockingIOError):
            up.fcntl.flock(lock, up.fcntl.LOCK_EX | up.fcntl.LOCK_NB)
        other.stdin.write("\n")
        other.stdin.flush()
        assert (workshop.take(), workshop.made) == ("by another", 0)
