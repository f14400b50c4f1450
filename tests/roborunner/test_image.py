"""The Docker image contains all files that the site needs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.fleet.models import Starship

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with exactly the files that `.dockerignore` includes."""
    tmp_path = tmp_path_factory.mktemp("docker")
    lines = (PROJECT / ".dockerignore").read_text().splitlines()
    for name in (line.removeprefix("!") for line in lines if line.startswith("!")):
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / "image" / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            (tmp_path / "image" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, tmp_path / "image" / name)
    return tmp_path / "image"


PROGRAM = """
import django; django.setup()
from unittest.mock import patch
from django.core.management import call_command
from games.site.documents import document, files
from games.site.rulebooks import chapters
from roborunner.templates import StaticStorage
assert len(chapters()) == 8
assert {"first-game", "operations", "changes", "versions"} <= set(files())
call_command("load_starships", verbosity=0)
with patch.object(StaticStorage, "compress_files", lambda self, names: ()):  # which takes most of the time
    call_command("collectstatic", interactive=False, verbosity=0)
assert all(document(slug).html for slug in files())
"""


def test_the_image_has_documents_starships_and_hashed_static_files(image: Path, database_url: str) -> None:
    static = image.parent / "static"
    told = {"DATABASE_URL": database_url, "DJANGO_SETTINGS_MODULE": "roborunner.settings"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=image,
        env={**os.environ, **told, "STATIC_ROOT": str(static)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert Starship.objects.exists()
    assert (static / "staticfiles.json").exists()
    assert list((static / "admin/css").glob("base.*.css"))
