"""Pages preload their JavaScript modules together with all imports."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from django.template import Context, Template

from embedded.up import copy_static
from roborunner.templates import minified

PROJECT = Path(__file__).resolve().parents[2]
PRELOADED = re.compile(r'<link rel="modulepreload" href="([^"]+)" fetchpriority="low">')
STARTED = re.compile(r'<script type="module" src="([^"]+)"></script>')
IMPORTED = re.compile(
    r"""(?m)(?<![^;\n])import\b[^'"();]*["']([^"']+)["'];|await import\(["']([^"']+)["']\)"""
)


def shown(source: str) -> str:
    """Render a template that can use the tags for modules."""
    return Template("{% load modules %}" + source).render(Context())


def test_a_module_brings_links_to_its_direct_and_indirect_imports() -> None:
    links = PRELOADED.findall(shown('{% module "play/explain.js" %}'))
    assert links[0] == "/static/play/tips.js"
    assert {"/static/play/cells.js", "/static/play/geometry.js", "/static/site/events.js"} <= set(links)
    assert len(links) == len(set(links))


def test_a_page_names_each_module_once() -> None:
    page = shown('{% module "site/site.js" %}{% module "play/game.js" %}{% module "play/move.js" %}')
    links = PRELOADED.findall(page)
    assert len(links) == len(set(links)) > 20
    assert STARTED.findall(page) == [
        "/static/site/site.js",
        "/static/play/game.js",
        "/static/play/move.js",
    ]


def test_a_module_in_an_included_template_counts_as_well() -> None:
    template = Template('{% load modules %}{% module "play/menu.js" %}')
    page = Template('{% load modules %}{% module "play/game.js" %}{% include part %}').render(
        Context({"part": template})
    )
    links = PRELOADED.findall(page)
    assert len(STARTED.findall(page)) == 2
    assert len(links) == len(set(links))


def test_another_page_names_its_modules_again() -> None:
    first, second = (shown('{% module "play/explain.js" %}') for _ in range(2))
    assert first == second


def test_dynamic_imports_are_not_preloaded() -> None:
    assert not re.search(r"loudspeaker|music|composer", shown('{% module "play/menu.js" %}'))


def test_collected_modules_import_each_other_by_hashed_names(tmp_path: Path) -> None:
    collected = tmp_path / "static"
    copy_static(collected, os.environ)
    environment = {
        **os.environ,
        "STATIC_ROOT": str(collected),
        "DJANGO_SETTINGS_MODULE": "roborunner.settings",
    }
    program = """
import django; django.setup()
from django.template import Context, Template
page = '{% load modules %}{% module "play/game.js" %}{% module "play/move.js" %}{% module "play/menu.js" %}'
print(Template(page).render(Context()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    hashed = re.compile(r"\.[0-9a-f]{12}\.js$")
    waiting = [collected / address.removeprefix("/static/") for address in STARTED.findall(done.stdout)]
    needed: set[Path] = set()
    while waiting:
        here = waiting.pop()
        assert hashed.search(here.name), here
        for now, later in IMPORTED.findall(here.read_text()):
            there = (here.parent / (now or later)).resolve()
            assert hashed.search(there.name), f"{here.name} imports {now or later}"
            if now and there not in needed:
                needed.add(there)
                waiting.append(there)
    linked = {collected / address.removeprefix("/static/") for address in PRELOADED.findall(done.stdout)}
    assert linked == needed
    styles = [path.read_text() for path in collected.glob("site/site.*.css")]
    assert len(styles) == 1, "a style sheet is sent by one name"
    assert "@import" not in styles[0]
    assert all(rule in styles[0] for rule in ("--ink:", ".button{", ".menu"))


def test_scripts_without_comments_do_the_same_as_their_sources(tmp_path: Path) -> None:
    scripts = {path.relative_to(PROJECT): path.read_bytes() for path in PROJECT.glob("static/**/*.js")}
    sent = {path: minified(path.name, source) for path, source in scripts.items()}
    assert sum(map(len, sent.values())) < 0.85 * sum(map(len, scripts.values()))
    for path, content in sent.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    shutil.copytree(PROJECT / "tests" / "scripts", tmp_path / "tests" / "scripts")
    tests = [path for path in (tmp_path / "tests" / "scripts").glob("*.test.js") if "names" not in path.name]
    node = Path(sys.executable).with_name("node")
    done = subprocess.run([node, "--test", *tests], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
