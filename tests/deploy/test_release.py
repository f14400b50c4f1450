"""The checklist of a release, with a small project, a real git, and a docker that knows every image."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy import release

PROJECT = Path(__file__).resolve().parents[2]
DIGEST = f"sha256:{'ab' * 32}"
MIGRATION = "games/migrations/0001_games.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one migration, in git."""
    for name in ("Dockerfile", "docker-compose.yml"):
        shutil.copy(PROJECT / name, tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.0.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 1.0.0 – 1 December 2026\n")
    (tmp_path / MIGRATION).parent.mkdir(parents=True)
    (tmp_path / MIGRATION).write_text("first\n")
    (tmp_path / release.RECORD).parent.mkdir(parents=True)
    (tmp_path / release.RECORD).write_text("# hashes\n")
    commit(tmp_path)
    return tmp_path


def commit(project: Path) -> None:
    author = ["-c", "user.name=Erin", "-c", "user.email=erin@example.org"]
    for words in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message=1"]):
        subprocess.run(["git", *words], cwd=project, check=True)


def use_docker(monkeypatch: pytest.MonkeyPatch, place: Path, *processors: str) -> None:
    """Put a docker in front of the path that knows every image, for these processors."""
    manifests = [{"platform": {"architecture": name}} for name in processors]
    (place / "bin").mkdir()
    script = place / "bin/docker"
    script.write_text(f"#!/bin/sh\necho '{json.dumps({'digest': DIGEST, 'manifests': manifests})}'\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}/bin:{os.environ['PATH']}")


def test_released_migrations_never_change() -> None:
    assert release.changed_migrations(PROJECT) == []


def test_a_changed_or_removed_migration_is_refused(project: Path) -> None:
    with pytest.raises(release.Failure, match="1 migrations are not recorded"):
        release.check_migrations(project)
    release.record(project)
    assert release.check_migrations(project) == "1 recorded"
    (project / "games/migrations/0002_more.py").write_text("second\n")
    assert release.record(project).startswith("1 migrations recorded")
    assert len(release.recorded_in(project)) == 2
    (project / MIGRATION).write_text("changed\n")
    for step in (release.check_migrations, release.record):
        with pytest.raises(release.Failure, match=r"0001_games\.py was released and has changed"):
            step(project)
    (project / MIGRATION).unlink()
    assert release.changed_migrations(project) == [MIGRATION]


def test_images_are_pinned_by_the_digest_for_both_processors(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_docker(monkeypatch, tmp_path_factory.mktemp("docker"), "amd64", "arm64", "s390x")
    with pytest.raises(release.Failure, match="have no digest, such as python:"):
        release.check_pins(project)
    for _ in range(2):  # a later digest replaces an earlier one
        release.pin(project)
        assert release.check_pins(project) == "7 images"
        text = (project / "docker-compose.yml").read_text()
        assert f"image: postgres:18@{DIGEST}\n" in text
        assert "image: robo-runner:${RELEASE:-latest}\n" in text
        assert f"FROM python:3.13-slim@{DIGEST} AS packages\n" in (project / "Dockerfile").read_text()


def test_an_image_that_is_missing_for_arm64_is_refused(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_docker(monkeypatch, tmp_path_factory.mktemp("docker"), "amd64")
    with pytest.raises(release.Failure, match="not there for arm64"):
        release.pin(project)
    assert "@sha256" not in (project / "Dockerfile").read_text()


def test_the_checklist_names_each_failed_step(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.check(project, ["version", "tree", "changelog"]) == 0
    (project / "CHANGELOG.md").write_text("# Changes\n\n## 1.0.0 – unreleased\n")
    subprocess.run(["git", "tag", "v1.0.0"], cwd=project, check=True)
    capsys.readouterr()
    assert release.check(project, ["version", "tree", "changelog"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == [
        "failed  version",
        "failed  tree",
        "failed  changelog",
    ]
    assert lines[3] == "1.0.0 can't be released yet. Failed steps: 3."
