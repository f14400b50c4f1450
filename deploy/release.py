"""The steps of a release, which docs/releasing.md explains.

    python -m deploy.release check               all steps of the checklist, in order
    python -m deploy.release check wheels tests  only these steps
    python -m deploy.release pin                 write the digests of base images into their files
    python -m deploy.release record              write the hashes of migrations

``check`` prints a line for each step. The exit status is 1 if one of them failed. It creates no tag.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
RECORD: Final = Path("tests/games/released_migrations.txt")
IMAGES: Final = (Path("Dockerfile"), Path("docker-compose.yml"))

IMAGE: Final = re.compile(
    r"^(?P<before>FROM |\s+image: )(?P<name>[a-z0-9./-]+:[\w.-]+)(?P<digest>@sha256:[0-9a-f]{64})?", re.M
)
"""A base image in a Dockerfile or in docker-compose.yml. Our own image does not match."""

PLATFORMS: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""The processors of the image: Docker's name and the name in wheels."""

GLIBC: Final = ("manylinux2014", "manylinux_2_28", "manylinux_2_34", "manylinux_2_36")
"""The tags of wheels that run on Debian 12 and newer, and so in the image."""

LOCKS: Final = ("requirements.lock", "requirements-compile.lock")
"""The packages in the image, and the packages that compile the rules."""


class Failure(Exception):
    """Raised if a step fails. The text names the next action."""


def run(*command: str, directory: Path = PROJECT) -> str:
    """Run a command and return its output. Raises Failure with the end of its output if it fails."""
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


# --- Version, changelog and sources -------------------------------------------------------------------------


def version_of(project: Path) -> str:
    """Return the version in pyproject.toml, the only place that has it."""
    return str(tomllib.loads((project / "pyproject.toml").read_text())["project"]["version"])


def check_version(project: Path) -> str:
    """Check that the version is new."""
    version = version_of(project)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Failure(f"The version {version} in pyproject.toml is not three numbers.")
    if run("git", "tag", "--list", f"v{version}", directory=project).strip():
        raise Failure(f"There is a tag v{version}. Set a new version in pyproject.toml.")
    return version


def check_changelog(project: Path) -> str:
    """Check that the first entry of the changelog is the version, with the day of the release."""
    version = version_of(project)
    found = re.search(r"^## (.+)$", (project / "CHANGELOG.md").read_text(), re.MULTILINE)
    heading = found[1] if found else ""
    if not re.fullmatch(rf"{re.escape(version)} – \d+ \w+ \d{{4}}", heading):
        raise Failure(
            f"CHANGELOG.md begins with “{heading}”. Write “{version} – 1 December 2026” with the day."
        )
    return heading


def check_tree(project: Path) -> str:
    """Check that all changes are committed."""
    if changed := run("git", "status", "--porcelain", directory=project).splitlines():
        raise Failure(f"Commit or remove {len(changed)} changed files first, such as {changed[0][3:]}.")
    return run("git", "rev-parse", "--short", "HEAD", directory=project).strip()


# --- Migrations ---------------------------------------------------------------------------------------------


def migrations_of(project: Path) -> dict[str, str]:
    """Return the SHA-256 hash of each migration by its path."""
    files = sorted(project.glob("*/migrations/[0-9]*.py"))
    return {str(file.relative_to(project)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def recorded_in(project: Path) -> dict[str, str]:
    """Return the hashes of released migrations by path. Lines are as of ``sha256sum``."""
    lines = (line for line in (project / RECORD).read_text().splitlines() if line and line[0] != "#")
    return {path: digest for digest, path in (line.split(maxsplit=1) for line in lines)}


def changed_migrations(project: Path) -> list[str]:
    """Return the released migrations that were changed or removed."""
    found = migrations_of(project)
    return [path for path, digest in recorded_in(project).items() if found.get(path) != digest]


def check_migrations(project: Path) -> str:
    """Check that released migrations are unchanged, and that all migrations are recorded."""
    if changed := changed_migrations(project):
        raise Failure(
            f"{changed[0]} was released and has changed since. Restore it, and add a new migration."
        )
    if missing := migrations_of(project).keys() - recorded_in(project):
        raise Failure(f"{len(missing)} migrations are not recorded: python -m deploy.release record")
    return f"{len(recorded_in(project))} recorded"


def record(project: Path) -> str:
    """Add the hashes of new migrations to the record. Raises Failure if a released migration has changed."""
    if changed := changed_migrations(project):
        raise Failure(
            f"{changed[0]} was released and has changed since. Restore it, and add a new migration."
        )
    new = {
        path: digest for path, digest in migrations_of(project).items() if path not in recorded_in(project)
    }
    with (project / RECORD).open("a") as file:
        file.writelines(f"{digest}  {path}\n" for path, digest in new.items())
    return f"{len(new)} migrations recorded. Commit {RECORD}."


# --- Packages and images ------------------------------------------------------------------------------------


def check_lock(project: Path) -> str:
    """Check that the lock files follow from pyproject.toml. Newer versions of packages do not matter."""
    if not shutil.which("uv"):
        raise Failure("uv is missing: pip install uv")
    names = sorted(path.name for path in project.glob("requirements*.lock"))
    with tempfile.TemporaryDirectory() as directory:
        for name in ("Makefile", "pyproject.toml", *names):
            shutil.copy(project / name, directory)
        run("make", "lock", directory=Path(directory))
        stale = [
            name for name in names if (Path(directory) / name).read_text() != (project / name).read_text()
        ]
    if stale:
        raise Failure(f"{', '.join(stale)} does not follow from pyproject.toml: make lock")
    return f"{len(names)} files"


def check_wheels(project: Path) -> str:
    """Check that pip finds a wheel of each locked package for both processors of the image."""
    found = re.search(r"^FROM python:(\d+\.\d+)", (project / "Dockerfile").read_text(), re.MULTILINE)
    assert found
    for name, wheels in PLATFORMS.items():
        for lock in LOCKS:
            tags = [f"--platform={tag}_{wheels}" for tag in GLIBC]
            options = [
                "--dry-run",
                "--ignore-installed",
                "--no-deps",
                "--only-binary=:all:",
                "--require-hashes",
            ]
            target = ["--quiet", "--target=unused", f"--python-version={found[1]}", "--implementation=cp"]
            try:
                run(
                    sys.executable,
                    "-m",
                    "pip",
                    "install",
                    *options,
                    *target,
                    *tags,
                    f"--requirement={lock}",
                    directory=project,
                )
            except Failure as problem:
                raise Failure(f"{lock} has a package without a wheel for {name}. {problem}") from problem
    return f"Python {found[1]} on {' and '.join(PLATFORMS)}"


def images_in(project: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield each base image as its file, its name with the tag, and its digest or ""."""
    for path in IMAGES:
        for found in IMAGE.finditer((project / path).read_text()):
            yield path, found["name"], found["digest"] or ""


def check_pins(project: Path) -> str:
    """Check that each base image has a digest."""
    if missing := [name for _, name, digest in images_in(project) if not digest]:
        raise Failure(
            f"{len(missing)} base images have no digest, such as {missing[0]}: python -m deploy.release pin"
        )
    return f"{len(list(images_in(project)))} images"


def pin(project: Path) -> str:
    """Write the current digest of each base image behind its tag.

    It is the digest of the list for all processors, so the same line works on amd64 and arm64. Raises
    Failure if Docker is missing, or if an image is not there for both.
    """
    digests = {name: _digest_of(name) for _, name, _ in images_in(project)}
    for path in IMAGES:
        text = (project / path).read_text()
        text = IMAGE.sub(lambda found: f"{found['before']}{found['name']}@{digests[found['name']]}", text)
        (project / path).write_text(text)
    return f"{len(digests)} images pinned. Build and try the image, then commit."


def _digest_of(name: str) -> str:
    if not shutil.which("docker"):
        raise Failure("Docker is missing. It looks up the digests of images.")
    output = run("docker", "buildx", "imagetools", "inspect", name, "--format", "{{json .Manifest}}")
    manifest = json.loads(output)
    there = {each.get("platform", {}).get("architecture") for each in manifest.get("manifests", [])}
    if missing := PLATFORMS.keys() - there:
        raise Failure(f"{name} is not there for {', '.join(sorted(missing))}.")
    digest = str(manifest["digest"])
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise Failure(f"Docker gives no digest for {name}.")
    return digest


def check_image(project: Path) -> str:
    """Build the image for both processors. Without a running Docker, the step fails."""
    platforms = ",".join(f"linux/{name}" for name in PLATFORMS)
    run("docker", "buildx", "build", f"--platform={platforms}", ".", directory=project)
    return platforms


def check_tests(project: Path) -> str:
    """Run all tests."""
    run("make", "test", directory=project)
    return "make test"


STEPS: Final[Mapping[str, Callable[[Path], str]]] = {
    "version": check_version,
    "tree": check_tree,
    "changelog": check_changelog,
    "migrations": check_migrations,
    "pins": check_pins,
    "lock": check_lock,
    "wheels": check_wheels,
    "tests": check_tests,
    "image": check_image,
}
"""The steps of the checklist, in order: fast ones first."""


def check(project: Path, names: Sequence[str]) -> int:
    """Run steps, print the result of each, and return the exit status."""
    failed = 0
    for name in names:
        try:
            print(f"ok      {name}: {STEPS[name](project)}", flush=True)
        except Failure as problem:
            failed += 1
            print(f"failed  {name}: {problem}", flush=True)
    version = version_of(project)
    if failed:
        print(f"{version} can't be released yet. Failed steps: {failed}.")
    elif len(names) == len(STEPS):
        print(f"{version} can be released: git tag --sign v{version} && git push origin v{version}")
    return 1 if failed else 0


def main() -> int:
    """Run a command and return its exit status."""
    parser = argparse.ArgumentParser(description="The steps of a release: docs/releasing.md.")
    commands = parser.add_subparsers(required=True, dest="command")
    checking = commands.add_parser("check", help="run the checklist")
    checking.add_argument("steps", nargs="*", choices=[*STEPS, []], help="only these steps")
    commands.add_parser("pin", help="write the digests of base images")
    commands.add_parser("record", help="write the hashes of migrations")
    asked = parser.parse_args()
    if asked.command == "check":
        return check(PROJECT, asked.steps or list(STEPS))
    try:
        print(pin(PROJECT) if asked.command == "pin" else record(PROJECT))
    except Failure as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
