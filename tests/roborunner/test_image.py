"""What goes into the Docker image is enough to run the site."""

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
    """A directory with what `.dockerignore` lets into the image."""
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


def manage(image: Path, *arguments: str, **variables: str) -> None:
    """Call one of Django's commands in the image, with its static files collected beside it."""
    environment = {**os.environ, "STATIC_ROOT": str(image.parent / "static"), **variables}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=image, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_its_static_files_get_names_that_change_with_their_content(image: Path) -> None:
    manage(image, "collectstatic", "--noinput")
    assert (image.parent / "static" / "staticfiles.json").exists()
    assert list((image.parent / "static/admin/css").glob("base.*.css"))


def test_its_starships_load(image: Path, database_url: str) -> None:
    manage(image, "load_starships", DATABASE_URL=database_url)
    assert Starship.objects.exists()


def test_its_rulebooks_have_their_clauses(image: Path) -> None:
    read = "from games.site.rulebooks import chapters; assert len(chapters()) == 8"
    program = f"import django; django.setup(); {read}"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "roborunner.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=image, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
